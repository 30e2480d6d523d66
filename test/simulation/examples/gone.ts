import { OTHER_ACCOUNT, WRONG_ACCOUNT, type QueuePlan } from '../history/history';
import { events, history, MINUTE, SECOND, sent, type Example } from './example';

const expiring: QueuePlan = { type: 'classic', consumerTimeoutMs: 30 * MINUTE, messageTtlMs: MINUTE };
const poison = events(1, () => ({ poison: true }));
const draft = events(1, () => ({ status: 'DRAFTED', poison: true }));
const badAndGood = events(2, (number) => ({ poison: number === 1 }));
const ten = events(10);
const thirty = events(30);
const one = events(1);
const four = events(4);
const ofTwo = events(2, (number) => ({ status: number === 1 ? 'SIGNED' : 'ISSUED' }));
const failing = events(1, () => ({ set: 1, status: 'DRAFTED', poison: true }), 5);
const some = events(3, () => ({ status: 'DRAFTED' }));
const bad = events(150, (number) => ({ set: number % 6, status: 'DRAFTED', poison: number % 3 === 0 }));

/** What was gone, twice there or in another order, and nobody could know it. */
export const gone: Record<string, Example> = {
	killedAfterAFailure: {
		story: 'An event fails on a queue that lets messages expire, and n8n is killed before the next attempt',
		law: 'nothingIsLost',
		history: history({
			queue: expiring,
			events: poison,
			steps: [...sent(poison, 10 * SECOND), { at: 75 * SECOND, do: 'kill', downMs: 2 * SECOND }],
		}),
	},
	stoppedAfterAFailure: {
		story: 'The same, and n8n is stopped in order, faster than the trigger closes its connection',
		law: 'nothingIsLost',
		history: history({
			queue: expiring,
			events: poison,
			steps: [...sent(poison, 10 * SECOND), { at: 75 * SECOND, do: 'restart', downMs: 5 * MINUTE }],
		}),
	},
	stoppedRightAfterItsStart: {
		story:
			'n8n is stopped in order right after its start, and what one workflow has handled waits for those still to start while a long run of another goes on',
		law: 'nothingIsRunAnewByTheNextProcess',
		history: history({
			workflows: [{ statuses: ['SIGNED'] }, { statuses: ['ISSUED'], runMs: [2 * MINUTE, 2 * MINUTE] }],
			events: ofTwo,
			steps: [...sent(ofTwo, SECOND), { at: 9 * SECOND, do: 'restart', downMs: 2 * SECOND }],
		}),
	},
	endsAfterItsLeaderLeft: {
		story:
			'n8n chooses another leader while its database is away for half an hour, so that the new one cannot read the queue; a run of 23 minutes goes on in the old one',
		law: 'nothingIsRunAnewByTheNextProcess',
		history: history({
			workflows: [{ runMs: [23 * MINUTE, 23 * MINUTE] }],
			events: one,
			steps: [
				...sent(one, 6 * SECOND),
				{ at: 8 * SECOND, do: 'databaseAway', forMs: 30 * MINUTE },
				{ at: 21 * SECOND, do: 'leaderChange', overlapMs: 0 },
			],
		}),
	},
	cutOffAtItsEnd: {
		story: 'n8n is stopped while a run goes on, cuts it off and says so',
		law: 'nothingIsLost',
		history: history({
			host: { cutsOffRuns: true },
			workflows: [{ runMs: [MINUTE, MINUTE] }],
			events: one,
			steps: [...sent(one, 90 * SECOND), { at: 2 * MINUTE, do: 'restart', downMs: 2 * SECOND }],
		}),
	},
	crashedWithoutAWord: {
		story: 'A run crashes on a worker, and its result does not say over what',
		law: 'nothingIsLost',
		history: history({
			events: one,
			steps: [
				...sent(one, 10 * SECOND),
				{ at: 5 * SECOND, do: 'runsEnd', workflow: 'A', how: 'crashes', count: 1 },
			],
		}),
	},
	deadLetterOfOneThatIsAway: {
		story:
			'A workflow gave up an event, which came back to the same queue, and its password is wrong from the next connection on',
		law: 'allIsHandledInTime',
		history: history({
			queue: { type: 'quorum', consumerTimeoutMs: 30 * MINUTE, deliveryLimit: 20, deadLettersReturn: true },
			workflows: [{ statuses: ['ISSUED'] }, {}],
			events: draft,
			steps: [
				...sent(draft, 0),
				{ at: 53 * SECOND, do: 'credentialEdited', workflow: 'B', credential: WRONG_ACCOUNT },
				{ at: 136 * SECOND, do: 'linkLost' },
			],
		}),
	},
	neverLetInAndPublishedAgain: {
		story:
			'n8n starts while its database is away, and a workflow is published again before it could listen; the other listens first',
		law: 'nothingIsLost',
		history: history({
			host: { startGapMs: SECOND },
			workflows: [{}, {}],
			events: one,
			steps: [
				{ at: 10 * SECOND, do: 'databaseAway', forMs: 30 * MINUTE },
				{ at: 20 * SECOND, do: 'restart', downMs: 5 * MINUTE },
				...sent(one, 20 * MINUTE),
				{ at: 30 * MINUTE + 15 * SECOND, do: 'republish', workflow: 'B', gapMs: 40 * SECOND },
			],
		}),
	},
	endedWithItsProcessAgainAndAgain: {
		story: 'Long runs, a queue that drops at the fourth return, and n8n is killed five times',
		law: 'nothingIsLost',
		history: history({
			queue: { type: 'quorum', consumerTimeoutMs: 30 * MINUTE, deliveryLimit: 3 },
			workflows: [{ runMs: [4 * MINUTE, 4 * MINUTE], options: { parallelRuns: 1 } }],
			events: ten,
			steps: [
				...sent(ten, 0),
				...[1, 2, 3, 4, 5].map((time) => ({ at: time * MINUTE, do: 'kill' as const, downMs: 2 * SECOND })),
			],
		}),
	},
	rejectedForAnotherAndBackAgain: {
		story:
			'The end of a long run comes too late, and the event, given up by another workflow, comes back as a dead letter',
		law: 'nothingIsDoubled',
		history: history({
			queue: { type: 'quorum', consumerTimeoutMs: 30 * MINUTE, deliveryLimit: 20, deadLettersReturn: true },
			bounds: { keptEvents: 40, keptDeliveries: 5, lookThrough: 8 },
			workflows: [
				{
					options: { removeWhen: 'finished', parallelRuns: 1, attempts: 1 },
					runMs: [35 * MINUTE, 40 * MINUTE],
				},
				{ options: { parallelRuns: 2 }, runMs: [100, 100] },
			],
			events: poison,
			steps: sent(poison, 20 * SECOND),
		}),
	},
	lateSuccessAndASecondSending: {
		story: 'A run of 35 minutes succeeds, is told too late, and its event is sent again after that',
		law: 'nothingIsDoubled',
		history: history({
			workflows: [{ runMs: [35 * MINUTE, 35 * MINUTE] }],
			events: one,
			steps: [...sent(one, 10 * SECOND), ...sent(one, 45 * MINUTE)],
		}),
	},
	notLetInBesideOneThatMoves: {
		story:
			'One workflow has a wrong password from the start, and the other reads the queue as another user by then',
		law: 'nothingIsLost',
		history: history({
			workflows: [{}, {}],
			events: some,
			steps: [
				{ at: 20 * SECOND, do: 'credentialEdited', workflow: 'A', credential: WRONG_ACCOUNT },
				{ at: 25 * SECOND, do: 'kill', downMs: 2 * SECOND },
				{ at: 32_500, do: 'credentialEdited', workflow: 'B', credential: OTHER_ACCOUNT },
				...sent(some, MINUTE),
			],
		}),
	},
	publishedAgainOverAnotherConnection: {
		story: 'Two users read one queue, and the workflow of the one is published again while its event comes',
		law: 'nothingIsLost',
		history: history({
			workflows: [{}, { credential: OTHER_ACCOUNT }],
			events: thirty,
			steps: [
				{ at: 5 * MINUTE, do: 'republish', workflow: 'B', gapMs: 40 * SECOND },
				...sent(thirty, 5 * MINUTE + 5 * SECOND, 500),
			],
		}),
	},
	illHostBesideAnIdleOne: {
		story: "n8n's database is away, and one of two workflows has no event in that time",
		law: 'onlyTheGuiltyEndInReports',
		history: history({
			bounds: { keptEvents: 10 },
			workflows: [{}, { statuses: ['ISSUED'] }],
			events: thirty,
			steps: [
				{ at: 4 * MINUTE, do: 'databaseAway', forMs: 30 * MINUTE },
				...sent(thirty, 4 * MINUTE + 10 * SECOND),
			],
		}),
	},
	settledRightBeforeANewChannel: {
		story:
			'What was kept for a workflow that never came in ends at the moment in which the channel is renewed, on a quorum queue',
		law: 'orderIsKept',
		history: history({
			seed: 3_000_129,
			queue: { type: 'quorum', consumerTimeoutMs: 30 * MINUTE },
			workflows: [{ credential: WRONG_ACCOUNT }, { statuses: ['DRAFTED'] }],
			events: bad,
			steps: [...sent(bad.slice(0, 100), 0), ...sent(bad.slice(100), 12 * MINUTE)],
		}),
	},
	toldAgainWithoutNews: {
		story: 'A workflow cannot be let in beside another, whose channel is lost meanwhile',
		law: 'thereIsNoStorm',
		history: history({
			workflows: [{ credential: WRONG_ACCOUNT }, {}],
			events: one,
			steps: [
				{ at: 19 * MINUTE + 35 * SECOND, do: 'brokerFrozen', forMs: 20 * SECOND },
				{ at: 37 * MINUTE + 38 * SECOND, do: 'databaseAway', forMs: 30 * MINUTE },
				{ at: 42 * MINUTE + 19 * SECOND, do: 'channelLost', times: 3, everyMs: 3 * SECOND },
				...sent(one, 58 * MINUTE),
			],
		}),
	},
	removedAtTheStartAndSentAnew: {
		story:
			'More comes than is kept for a workflow that starts late; what was removed is sent anew, behind an event of its set that fails for ever',
		law: 'allIsHandledInTime',
		history: history({
			host: { startGapMs: 15 * SECOND },
			bounds: { keptEvents: 3 },
			workflows: [{ statuses: ['SIGNED'] }, {}],
			events: [...four, ...failing],
			steps: [
				...sent(four, 25 * SECOND),
				...sent(failing, 40 * SECOND),
				...sent(four.slice(0, 1), 50 * SECOND),
			],
		}),
	},
	takenByWhoIsGoneAgain: {
		story:
			'A workflow is unpublished while the leader before reads the queue again; that one runs what went back, and is gone when the workflow is there again',
		law: 'onlyTheGuiltyEndInReports',
		history: history({
			host: { startGapMs: 6_500, closeGapMs: 5 * SECOND },
			bounds: { remembered: 5 },
			workflows: [{ options: { batchSize: 50 } }],
			events: badAndGood,
			steps: [
				...sent(badAndGood, 0),
				{ at: 34 * SECOND, do: 'republish', workflow: 'A', gapMs: 40 * SECOND },
				{ at: 57 * SECOND, do: 'leaderChange', overlapMs: MINUTE },
				{ at: 110 * SECOND, do: 'republish', workflow: 'A', gapMs: 8 * SECOND },
			],
		}),
	},
	waitedBesideARunThatOutlastsItsLeader: {
		story:
			'A leader steps down while its runs go on, and the next one cannot listen yet; what one of them runs, and another had waiting, comes again meanwhile',
		law: 'nothingIsLost',
		history: history({
			workflows: [
				{ statuses: ['SIGNED'], runMs: [24 * MINUTE, 24 * MINUTE] },
				{ options: { parallelRuns: 1 }, runMs: [24 * MINUTE, 24 * MINUTE] },
			],
			events: events(2, (number) => ({ status: number === 1 ? 'DRAFTED' : 'SIGNED' })),
			steps: [
				...sent(events(2), 10 * SECOND),
				{ at: 14 * MINUTE, do: 'databaseAway', forMs: 20 * MINUTE },
				{ at: 15 * MINUTE, do: 'leaderChange', overlapMs: 0 },
			],
		}),
	},
};
