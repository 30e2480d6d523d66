import { OTHER_ACCOUNT, WRONG_ACCOUNT } from '../history/history';
import { events, history, HOUR, MINUTE, SECOND, sent, type Example } from './example';

const many = events(300, (number) => ({ set: 1 + (number % 10) }));
const bad = events(3, () => ({ poison: true, status: 'DRAFTED' }));
const well = events(1, () => ({ set: 8 }), 9);
const one = events(1);
const poison = events(1, () => ({ poison: true }));

const badAndGood = events(2, (number) => ({ poison: number === 1 }));
const oneMore = events(1, () => ({ set: 2 }), 3);
const threeBatched = events(3, (number) => ({ set: 3, status: 'ISSUED', poison: number === 2 }));
const sevenBad = events(7, () => ({ poison: true }));
const goodBehind = events(1, () => ({}), 8);
const six = events(6);
const slowAndFast = events(300, (number) => ({ set: number % 6, status: number % 3 ? 'DRAFTED' : 'SIGNED' }));

const beforeAnotherSet = events(260, (number) => ({ set: number < 260 ? 1 : 2, poison: number === 1 }));

const mostlyBad = events(30, (number) => ({ set: number, poison: number <= 24 }));
const lateOnes = events(12, (number) => ({ set: number }), 31);

const twenty = events(20);
const sixty = events(60);

const firstOfAll = events(1);
const sentTwice = events(1, () => ({}), 2);

const signedAndDrafted = events(2, (number) => ({ status: number === 1 ? 'SIGNED' : 'DRAFTED' }));

const oneSet = events(45, (number) => ({ set: 1, poison: number === 1 }));
const draft = events(1, () => ({ status: 'DRAFTED' }));

/** What the simulation found in the trigger that waits. */
export const found: Record<string, Example> = {
	failedOnceInAWait: {
		story: 'A workflow waits over failing sets, and a good event fails once, when it is tried',
		law: 'allIsHandledInTime',
		history: history({
			workflows: [{ options: { parallelRuns: 10 } }],
			events: [...bad, ...well],
			steps: [
				...sent(bad, 0),
				...sent(well, 53 * MINUTE),
				{ at: 59 * MINUTE, do: 'runsEnd', workflow: 'A', how: 'fails', count: 3 },
			],
		}),
	},
	narrowerFilterDuringARun: {
		story: 'A workflow is published again and asks for less, while a run goes on that will fail',
		law: 'onlyWhatIsAskedForRuns',
		history: history({
			workflows: [{ runMs: [5 * SECOND, 5 * SECOND] }],
			events: poison,
			steps: [
				...sent(poison, 55 * SECOND),
				{ at: 57 * SECOND, do: 'republish', workflow: 'A', gapMs: 10, statuses: ['ISSUED'] },
			],
		}),
	},
	expiresAfterFailing: {
		story: 'An event fails, waits on a queue that lets messages expire, and is taken by that',
		law: 'nothingIsLost',
		history: history({
			queue: { type: 'classic', consumerTimeoutMs: 30 * MINUTE, messageTtlMs: MINUTE },
			events: poison,
			steps: sent(poison, 10 * SECOND),
		}),
	},
	deadLettersOfOneThatIsAway: {
		story:
			'A workflow misses events beside another, and what it gave up comes back to the same queue at once',
		law: 'deliveriesAreBounded',
		history: history({
			queue: { type: 'classic', consumerTimeoutMs: 30 * MINUTE, deadLettersReturn: true },
			bounds: { keptEvents: 3 },
			workflows: [{}, {}],
			events: sixty,
			steps: [
				{ at: 20 * SECOND, do: 'credentialEdited', workflow: 'B', credential: WRONG_ACCOUNT },
				{ at: 21 * SECOND, do: 'linkLost' },
				...sent(sixty, MINUTE, SECOND),
			],
		}),
	},
	deadLettersOfAFailingOneAtTheStart: {
		story:
			'n8n has just started, a workflow that waits misses events beside a well one, and what it gave up comes back to the same queue at once',
		law: 'deliveriesAreBounded',
		history: history({
			queue: { type: 'classic', consumerTimeoutMs: 30 * MINUTE, deadLettersReturn: true },
			bounds: { keptEvents: 3 },
			workflows: [{}, {}],
			events: twenty,
			steps: [
				{ at: 0, do: 'downstreamAway', workflow: 'A', forMs: 5 * MINUTE },
				...sent(twenty, 10 * SECOND),
			],
		}),
	},
	repeatsSkippedFromNowOn: {
		story: 'One event is sent twice and waits, and the next version of its workflow skips repeats',
		law: 'nothingIsDoubled',
		history: history({
			workflows: [{ options: { skipRepeats: false, parallelRuns: 1 }, runMs: [MINUTE, MINUTE] }],
			events: [...firstOfAll, ...sentTwice],
			steps: [
				...sent(firstOfAll, 10 * SECOND),
				...sent(sentTwice, 12 * SECOND),
				...sent(sentTwice, 14 * SECOND),
				{ at: 30 * SECOND, do: 'republish', workflow: 'A', gapMs: SECOND, options: { parallelRuns: 1 } },
			],
		}),
	},
	sentWhenAChannelIsRenewed: {
		story:
			'An event is on its way in the moment in which the oldest is twenty-one minutes old and all goes back',
		law: 'orderIsKept',
		history: history({
			queue: { type: 'quorum', consumerTimeoutMs: 30 * MINUTE },
			events: oneSet,
			steps: [
				...sent(oneSet.slice(0, -1), 10 * SECOND),
				...sent(oneSet.slice(-1), 10 * SECOND + 21 * MINUTE + 1),
			],
		}),
	},
	neverLetInBesideABacklog: {
		story: 'Beside a slow workflow one has a wrong password, and channels are lost again and again',
		law: 'thereIsNoStorm',
		history: history({
			bounds: { keptEvents: 3 },
			workflows: [
				{ options: { parallelRuns: 1 }, runMs: [4 * MINUTE, 4 * MINUTE] },
				{ credential: WRONG_ACCOUNT },
			],
			events: sixty,
			steps: [
				...sent(sixty, 2 * MINUTE),
				{ at: 5 * MINUTE, do: 'channelLost', times: 20, everyMs: 2 * MINUTE },
			],
		}),
	},
	databaseAwayBesideASlowOne: {
		story: "n8n's database is away, and a slow workflow finds out later than a fast one",
		law: 'onlyTheGuiltyEndInReports',
		history: history({
			bounds: { keptEvents: 3 },
			workflows: [{ options: { parallelRuns: 1 } }, { runMs: [100 * SECOND, 100 * SECOND] }],
			events: sixty,
			steps: [...sent(sixty, 10 * SECOND), { at: 11 * SECOND, do: 'databaseAway', forMs: 5 * MINUTE }],
		}),
	},
	publishedAgainWithABacklog: {
		story: 'Beside another, a workflow with a long backlog is published again, and is back in a moment',
		law: 'onlyTheGuiltyEndInReports',
		history: history({
			workflows: [{}, { runMs: [SECOND, SECOND], options: { parallelRuns: 10 } }],
			events: many,
			steps: [...sent(many, 0), { at: 7 * SECOND, do: 'republish', workflow: 'B', gapMs: 10 }],
		}),
	},
	manyAttemptsOfABatch: {
		story: 'Ten attempts are asked for, and a good event shares its batch with one that fails for ever',
		law: 'nobodyIsHeldUp',
		history: history({
			workflows: [{ options: { attempts: 10, batchSize: 10 } }],
			events: [...badAndGood, ...oneMore],
			steps: [...sent(badAndGood, 10 * SECOND), ...sent(oneMore, 24 * SECOND)],
		}),
	},
	smallerBatchesLater: {
		story: 'A batch fails over one event, and the next version of its workflow runs events one by one',
		law: 'onlyTheGuiltyEndInReports',
		history: history({
			workflows: [{ options: { batchSize: 50 }, runMs: [5 * SECOND, 5 * SECOND] }],
			events: threeBatched,
			steps: [
				...sent(threeBatched, 10 * SECOND),
				{ at: 100 * SECOND, do: 'republish', workflow: 'A', gapMs: 2 * SECOND, options: { parallelRuns: 1 } },
				{ at: 7 * MINUTE, do: 'downstreamAway', workflow: 'A', forMs: 60 * MINUTE },
			],
		}),
	},
	triedAloneAfterAnOutage: {
		story:
			'A workflow waits over failing sets, the broker is away, and its events come back one after another',
		law: 'nobodyIsHeldUp',
		history: history({
			queue: { type: 'quorum', deliveryLimit: 20, consumerTimeoutMs: 30 * MINUTE },
			workflows: [{ options: { parallelRuns: 10, attempts: 2 } }],
			events: [...sevenBad, ...goodBehind],
			steps: [
				...sent(sevenBad, 75 * SECOND, 5 * SECOND),
				...sent(goodBehind, 110 * SECOND),
				{ at: 187 * SECOND, do: 'brokerAway', forMs: 10 * MINUTE },
			],
		}),
	},
	hungRunBesideAWait: {
		story:
			'A run never ends, of an event that is off the queue, and then n8n cannot start runs for 20 seconds',
		law: 'allIsHandledInTime',
		history: history({
			workflows: [{ options: { removeWhen: 'received' } }],
			events: six,
			steps: [
				{ at: 0, do: 'runsEnd', workflow: 'A', how: 'hangs', count: 1 },
				...sent(six.slice(0, 1), 8 * SECOND),
				{ at: 10 * SECOND, do: 'databaseAway', forMs: 20 * SECOND },
				...sent(six.slice(1), 12 * SECOND),
			],
		}),
	},
	slowBesideFast: {
		story: 'A slow workflow has a long backlog, and a fast one beside it asks for a part of the events',
		law: 'nobodyIsHeldUp',
		history: history({
			queue: { type: 'quorum', consumerTimeoutMs: 30 * MINUTE },
			host: { startGapMs: 6_500 },
			workflows: [
				{ statuses: ['SIGNED'], options: { parallelRuns: 1 } },
				{ runMs: [2 * MINUTE, 2 * MINUTE], options: { removeWhen: 'received' } },
			],
			events: slowAndFast,
			steps: sent(slowAndFast, 0, SECOND),
		}),
	},
	hungRunAndStop: {
		story: 'n8n steps down while a run goes on that never ends, of an event that is off the queue',
		law: 'nothingIsLeft',
		history: history({
			workflows: [{ options: { removeWhen: 'received' } }],
			events: one,
			steps: [{ at: 0, do: 'runsEnd', workflow: 'A', how: 'hangs', count: 1 }, ...sent(one, 10 * SECOND)],
		}),
	},
	unreadCredentialAgainAndAgain: {
		story: 'A workflow whose credential cannot be read is published again seven times',
		law: 'thereIsNoStorm',
		history: history({
			events: one,
			steps: [
				{ at: 0, do: 'credentialUnreadable', workflow: 'A', forMs: 10 * MINUTE, hangs: false },
				...Array.from({ length: 7 }, (_, index) => ({
					at: (10 + 10 * index) * SECOND,
					do: 'republish' as const,
					workflow: 'A',
					gapMs: 100,
				})),
				...sent(one, 2 * MINUTE),
			],
		}),
	},
	oneSetFillsTheChannel: {
		story: 'The first event of a set fails for ever, and 230 others of it stand before another set',
		law: 'allIsHandledInTime',
		history: history({
			workflows: [{ options: { parallelRuns: 1 } }],
			events: beforeAnotherSet,
			steps: sent(beforeAnotherSet, 30 * SECOND, SECOND),
		}),
	},
	databaseAwayForAnotherUserToo: {
		story:
			'The database is away; a workflow is published again, and the only one that finds out is of another user',
		law: 'onlyTheGuiltyEndInReports',
		history: history({
			bounds: { keptEvents: 3 },
			workflows: [
				{},
				{ statuses: ['DRAFTED'], runMs: [40 * MINUTE, 40 * MINUTE] },
				{ credential: OTHER_ACCOUNT },
			],
			events: twenty,
			steps: [
				{ at: 60 * SECOND, do: 'databaseAway', forMs: 30 * MINUTE },
				{ at: 62 * SECOND, do: 'republish', workflow: 'A', gapMs: 2 * SECOND },
				...sent(twenty, 66 * SECOND, 5 * SECOND),
			],
		}),
	},
	backAgainAsTheFirstOneSucceeds: {
		story:
			'In an outage an event uses up its attempts, on a queue that counts deliveries and gave it out many times; the queue has it again in the moment in which the first run succeeds since',
		law: 'onlyTheGuiltyEndInReports',
		history: history({
			queue: { type: 'quorum', deliveryLimit: 20, consumerTimeoutMs: 30 * MINUTE },
			workflows: [{ runMs: [30 * SECOND, 30 * SECOND], options: { attempts: 4, parallelRuns: 1 } }],
			events: signedAndDrafted,
			steps: [
				{ at: 0, do: 'downstreamAway', workflow: 'A', forMs: 290 * SECOND },
				...sent(signedAndDrafted.slice(0, 1), 10 * SECOND),
				{ at: 20 * SECOND, do: 'channelLost', times: 16, everyMs: 18 * SECOND },
				...sent(signedAndDrafted.slice(1), 280 * SECOND),
				{ at: 314.5 * SECOND, do: 'channelLost' },
			],
		}),
	},
	badOnesTakeTheOnlyPlace: {
		story: 'Twenty sets fail for ever, in long runs one at a time, and good ones were in their batch',
		law: 'allIsHandledInTime',
		history: history({
			workflows: [{ runMs: [2 * MINUTE, 2 * MINUTE], options: { parallelRuns: 1, batchSize: 50 } }],
			events: [...mostlyBad, ...lateOnes],
			steps: [
				...sent(mostlyBad, 10 * SECOND),
				{ at: MINUTE, do: 'downstreamAway', workflow: 'A', forMs: HOUR },
				...sent(lateOnes, 30 * MINUTE, 10 * MINUTE),
			],
		}),
	},
	asksForMoreAfterStartingInVain: {
		story:
			'n8n is killed while its database is away; one of two workflows was not let in yet when it is published again with another filter, and an event came in between for which it had not asked',
		law: 'onlyTheGuiltyEndInReports',
		history: history({
			workflows: [{}, { statuses: ['SIGNED'] }],
			events: draft,
			steps: [
				{ at: 4 * MINUTE, do: 'databaseAway', forMs: 5 * MINUTE },
				{ at: 8 * MINUTE, do: 'kill', downMs: 2 * SECOND },
				{ at: 9 * MINUTE, do: 'republish', workflow: 'B', gapMs: 40 * SECOND, statuses: [] },
				...sent(draft, 570 * SECOND),
			],
		}),
	},
};
