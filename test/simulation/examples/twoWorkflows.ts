import { OTHER_ACCOUNT, WRONG_ACCOUNT, type Step } from '../history/history';
import { events, history, HOUR, MINUTE, SECOND, sent, type Example } from './example';

const mixed = events(10, (number) => ({ status: number % 2 ? 'ISSUED' : 'SIGNED' }));
const issuedAndSigned = [{ statuses: ['ISSUED'] }, { statuses: ['SIGNED'] }];
const late = events(1, () => ({ status: 'ISSUED' }), 20);
const failing = events(100, () => ({ status: 'DRAFTED', poison: true }));
const healthy = events(3, () => ({ status: 'SIGNED' }), 101);
const one = events(1);
const few = events(4);
const ten = events(10);
const twelve = events(12);
const eighty = events(80);
const manyMore = events(400, (number) => ({ set: number % 100 }));
const atNight = events(90, (number) => ({ set: number % 45 }));
const slowOnes = events(1, () => ({ status: 'ISSUED' }));
const fastOnes = events(10, () => ({ status: 'SIGNED' }), 2);
const leaderChanges = history({
	queue: { type: 'quorum', consumerTimeoutMs: 30 * MINUTE },
	workflows: [{ statuses: ['ISSUED'], runMs: [20 * MINUTE, 20 * MINUTE] }, { statuses: ['SIGNED'] }],
	events: [...slowOnes, ...fastOnes],
	steps: [
		...sent(slowOnes, 10 * SECOND),
		{ at: 20 * SECOND, do: 'leaderChange', overlapMs: 0 },
		...sent(fastOnes, MINUTE, SECOND),
	],
});

/** What both workflows need is away, and events come. */
const awayForBoth: Step[] = [
	{ at: 0, do: 'downstreamAway', workflow: 'A', forMs: 2 * HOUR },
	{ at: 0, do: 'downstreamAway', workflow: 'B', forMs: 2 * HOUR },
	...sent(twelve, 10 * SECOND),
];

/** One queue, two workflows: who pays when one of them is away or ill. */
export const twoWorkflows: Record<string, Example> = {
	lateAndAfterAllInTime: {
		story:
			'An event is off the queue when its second workflow starts, but for the broker, which never heard so and gives it out again',
		law: 'onlyTheGuiltyEndInReports',
		history: history({
			host: { startGapMs: 55 * SECOND },
			workflows: [{}, {}],
			events: late,
			steps: [
				...sent(late, 70 * SECOND),
				{ at: 90 * SECOND, do: 'linkFrozen', direction: 'toBroker', forMs: 2 * MINUTE },
			],
		}),
	},
	startedLateAndLetInLater: {
		story:
			'An event is off the queue when the second workflow starts, whose credential cannot be read until n8n has long started all',
		law: 'nothingIsLost',
		history: history({
			host: { startGapMs: 2 * MINUTE },
			workflows: [{}, {}],
			events: late,
			steps: [
				...sent(late, 20 * SECOND),
				{ at: MINUTE, do: 'credentialUnreadable', workflow: 'B', forMs: 20 * MINUTE, hangs: false },
			],
		}),
	},
	secondStartsLate: {
		story: 'n8n starts its workflows 6.5 seconds apart, and events wait on the queue',
		law: 'nothingIsLost',
		history: history({
			host: { startGapMs: 6_500 },
			workflows: issuedAndSigned,
			events: mixed,
			steps: sent(mixed, 0),
		}),
	},
	thirdStartsHalfAMinuteLater: {
		story:
			'Half a minute lies between two workflows of a start, and the first is done with its events before',
		law: 'nothingIsLost',
		history: history({
			host: { startGapMs: 30 * SECOND },
			workflows: [{}, {}],
			events: mixed,
			steps: sent(mixed, 0),
		}),
	},
	credentialNotReadAtTheStart: {
		story: "The second workflow's credential cannot be read at the start, and joins half a minute later",
		law: 'nothingIsLost',
		history: history({
			workflows: issuedAndSigned,
			events: mixed,
			steps: [
				{ at: 0, do: 'credentialUnreadable', workflow: 'B', forMs: 3 * SECOND, hangs: false },
				...sent(mixed, 0),
			],
		}),
	},
	reportSaysThatNothingIsLost: {
		story: 'The same, and its report says that no event is lost meanwhile',
		law: 'reportsSayWhatIsTrue',
		history: history({
			workflows: issuedAndSigned,
			events: mixed,
			steps: [
				{ at: 0, do: 'credentialUnreadable', workflow: 'B', forMs: 3 * SECOND, hangs: false },
				...sent(mixed, 0),
			],
		}),
	},
	wrongPasswordBesideARightOne: {
		story: "The second workflow's password is wrong",
		law: 'nothingIsLost',
		history: history({
			workflows: [{ statuses: ['ISSUED'] }, { statuses: ['SIGNED'], credential: WRONG_ACCOUNT }],
			events: mixed,
			steps: sent(mixed, 0),
		}),
	},
	unpublishedAfterAFailure: {
		story: 'A run fails, and its workflow is unpublished for good before the next try, beside another one',
		law: 'whoLeftIsToldOfWhatItHadBegun',
		history: history({
			workflows: [{}, {}],
			events: one,
			steps: [
				{ at: 10 * SECOND, do: 'runsEnd', workflow: 'B', how: 'fails', count: 1 },
				...sent(one, 4 * MINUTE),
				{ at: 4 * MINUTE + 2 * SECOND, do: 'unpublish', workflow: 'B' },
			],
		}),
	},
	unpublishedWhileRunsOfItWaitForAPlace: {
		story: 'The same, and further runs of it wait for a free place of n8n, for longer than a channel lasts',
		law: 'whoLeftIsToldOfWhatItHadBegun',
		history: history({
			host: { concurrency: 5 },
			workflows: [{ runMs: [35 * MINUTE, 40 * MINUTE] }, {}],
			events: ten,
			steps: [
				{ at: 10 * SECOND, do: 'runsEnd', workflow: 'B', how: 'fails', count: 1 },
				...sent(one, 4 * MINUTE),
				...sent(ten.slice(1), 4 * MINUTE + 700),
				{ at: 4 * MINUTE + 2 * SECOND, do: 'unpublish', workflow: 'B' },
			],
		}),
	},
	unpublishedWhileTheQueueIsLeftAlone: {
		story:
			'What two workflows need is away for two hours, and one of them is unpublished for good while both wait and the queue is left alone between two tries',
		law: 'whoLeftIsToldOfWhatItHadBegun',
		history: history({
			queue: { type: 'quorum', consumerTimeoutMs: 30 * MINUTE, deliveryLimit: 20 },
			workflows: [{}, {}],
			events: twelve,
			steps: [...awayForBoth, { at: HOUR, do: 'unpublish', workflow: 'B' }],
		}),
	},
	unpublishedRightBeforeTheQueueIsLeftAlone: {
		story: 'The same, and it is unpublished a moment before that',
		law: 'whoLeftIsToldOfWhatItHadBegun',
		history: history({
			workflows: [{}, {}],
			events: twelve,
			steps: [...awayForBoth, { at: 17 * MINUTE, do: 'unpublish', workflow: 'B' }],
		}),
	},
	wrongPasswordThatCannotBeRead: {
		story:
			"The second workflow's password is edited and wrong, and its credential cannot be read when the connection is lost",
		law: 'onlyTheProvenAreServed',
		history: history({
			workflows: [{}, {}],
			events: few,
			steps: [
				{ at: 20 * SECOND, do: 'credentialEdited', workflow: 'B', credential: WRONG_ACCOUNT },
				{ at: MINUTE, do: 'credentialUnreadable', workflow: 'B', forMs: 10 * MINUTE, hangs: false },
				{ at: 90 * SECOND, do: 'linkLost' },
				...sent(few, 2 * MINUTE),
			],
		}),
	},
	closedSlowly: {
		story: 'n8n stops in order, another trigger closes for 11.5 seconds in between, and an event is at rest',
		law: 'nothingIsLost',
		history: history({
			host: { closeGapMs: 11_500 },
			workflows: issuedAndSigned,
			events: [...mixed, ...late],
			steps: [
				{ at: 0, do: 'runsEnd', workflow: 'A', how: 'fails', count: 10 },
				...sent(mixed, 0),
				{ at: 7 * SECOND, do: 'restart', downMs: 20 * SECOND },
				...sent(late, 10 * SECOND),
			],
		}),
	},
	wellBesideIll: {
		story: 'A hundred failing sets of one workflow stand before the three events of another, which is well',
		law: 'nobodyIsHeldUp',
		history: history({
			workflows: [{ statuses: ['DRAFTED'] }, { statuses: ['SIGNED'] }],
			events: [...failing, ...healthy],
			steps: [...sent(failing, 0), ...sent(healthy, 10 * SECOND)],
		}),
	},
	slowBesideAFastOne: {
		story:
			'Seven hundred events come at once, and one of two workflows takes 20 seconds for each, one at a time',
		law: 'nobodyIsHeldUp',
		history: history({
			workflows: [
				{ options: { parallelRuns: 1 } },
				{ options: { parallelRuns: 1 }, runMs: [20 * SECOND, 20 * SECOND] },
			],
			events: events(700),
			steps: sent(events(700), 10 * SECOND),
		}),
	},
	publishedAgainAndAgain: {
		story: 'Beside a workflow that is stuck, another is published forty times',
		law: 'inFlightIsBounded',
		history: history({
			queue: { type: 'quorum', consumerTimeoutMs: 30 * MINUTE },
			workflows: [
				{ options: { parallelRuns: 1 }, runMs: [24 * MINUTE, 24 * MINUTE] },
				{ statuses: ['DRAFTED'] },
			],
			events: events(900),
			steps: [
				...sent(events(900), 0),
				...Array.from({ length: 40 }, (_, index) => ({
					at: 10 * SECOND + index * 10 * SECOND,
					do: 'republish' as const,
					workflow: 'B',
					gapMs: 100,
				})),
				{ at: 20 * MINUTE, do: 'unpublish', workflow: 'A' },
			],
		}),
	},
	passwordNeverProven: {
		story: 'The second workflow joins while the first still connects, with a wrong password',
		law: 'onlyTheProvenAreServed',
		history: history({
			host: { startGapMs: 5_150 },
			workflows: [{}, { credential: WRONG_ACCOUNT }],
			events: one,
			steps: [{ at: 9 * SECOND, do: 'brokerFrozen', forMs: 5 * SECOND }, ...sent(one, 20 * SECOND)],
		}),
	},
	movedWithoutProof: {
		story:
			"A credential is edited to another user's name with a wrong password, where that user listens already",
		law: 'onlyTheProvenAreServed',
		history: history({
			workflows: [{}, { credential: OTHER_ACCOUNT }],
			events: one,
			steps: [
				{
					at: 10 * SECOND,
					do: 'credentialEdited',
					workflow: 'A',
					credential: { ...OTHER_ACCOUNT, password: 'stale' },
				},
				{ at: 12 * SECOND, do: 'linkLost', username: 'reader' },
				...sent(one, 30 * SECOND),
			],
		}),
	},
	ledByAnotherDuringALongRun: {
		story:
			'Another process leads, and the one before goes on with a long run: it reads the queue until that ends',
		law: 'nobodyIsHeldUp',
		history: leaderChanges,
	},
	ledByAnotherWhenAChannelIsRenewed: {
		story:
			'The same, and the event of the long run is 21 minutes old, so that the channel before is opened anew',
		law: 'nobodyIsHeldUp',
		history: {
			...leaderChanges,
			workflows: leaderChanges.workflows.map((workflow, index) =>
				index === 0 ? { ...workflow, runMs: [40 * MINUTE, 40 * MINUTE] } : workflow,
			),
			steps: [...leaderChanges.steps.slice(0, 2), ...sent(fastOnes, 21 * MINUTE + 20 * SECOND, SECOND)],
		},
	},
	ledByAnotherDuringRunsOf23Minutes: {
		story: 'Another process leads, and the one before goes on with runs of 23 minutes',
		law: 'whatRunsComesToNoOther',
		history: history({
			workflows: [{ runMs: [23 * MINUTE, 23 * MINUTE] }],
			events: few,
			steps: [...sent(few, 10 * SECOND), { at: MINUTE, do: 'leaderChange', overlapMs: 2 * SECOND }],
		}),
	},
	ledByAnotherWhileTwoRunTheSame: {
		story:
			'Another process leads, and the one before goes on with runs of two workflows that have the same events',
		law: 'whatRunsComesToNoOther',
		history: history({
			workflows: [{ runMs: [10 * MINUTE, 10 * MINUTE] }, { runMs: [8 * MINUTE, 8 * MINUTE] }],
			events: few,
			steps: [...sent(few, 10 * SECOND), { at: MINUTE, do: 'leaderChange', overlapMs: 2 * SECOND }],
		}),
	},
	ledByAnotherWhenManyRunsEndAtOnce: {
		story:
			'Another process leads, and then eighty runs of the one before end at one moment, on a quorum queue',
		law: 'nothingIsRunAnewByTheNextProcess',
		history: history({
			queue: { type: 'quorum', consumerTimeoutMs: 30 * MINUTE },
			workflows: [{ options: { parallelRuns: 100 }, runMs: [10 * SECOND, 10 * SECOND] }],
			events: eighty,
			steps: [...sent(eighty, 10 * SECOND), { at: 15 * SECOND, do: 'leaderChange', overlapMs: 0 }],
		}),
	},
	bothAwayAndOneIsBackFirst: {
		story:
			'What two workflows need is away for half an hour, and the first that is back finds the other waiting',
		law: 'onlyTheGuiltyEndInReports',
		history: history({
			workflows: [{}, { runMs: [5 * SECOND, 5 * SECOND] }],
			events: manyMore,
			steps: [
				{ at: 10 * SECOND, do: 'downstreamAway', workflow: 'A', forMs: 30 * MINUTE },
				{ at: 10 * SECOND, do: 'downstreamAway', workflow: 'B', forMs: 30 * MINUTE },
				...sent(manyMore, 20 * SECOND, SECOND),
			],
		}),
	},
	bothAwayForANightAndOneIsBackFirst: {
		story:
			'What three workflows need is away for fifteen hours, for one of them an hour longer than for the next, and all that waits was given out as often as their queue allows',
		law: 'onlyTheGuiltyEndInReports',
		history: history({
			queue: { type: 'quorum', consumerTimeoutMs: 30 * MINUTE, deliveryLimit: 20 },
			workflows: [{ runMs: [500, 5 * SECOND] }, { runMs: [500, 5 * SECOND] }, { runMs: [500, 5 * SECOND] }],
			events: atNight,
			steps: [
				...(['A', 'B', 'C'] as const).map((workflow, index) => ({
					at: 10 * SECOND + index * HOUR,
					do: 'downstreamAway' as const,
					workflow,
					forMs: (15 - index) * HOUR,
				})),
				...sent(atNight, 20 * SECOND, 2 * MINUTE),
			],
		}),
	},
	publishedAgainAfterSteppingBack: {
		story:
			'Two processes read the queue, and a workflow is unpublished in the newer one during a long run, and published again when that has left the queue to the other; which ends',
		law: 'allIsHandledInTime',
		history: history({
			workflows: [{ runMs: [10 * MINUTE, 10 * MINUTE] }],
			events: few,
			steps: [
				{ at: 5 * SECOND, do: 'leaderChange', overlapMs: 5 * MINUTE },
				...sent(few.slice(0, 2), 20 * SECOND),
				{ at: MINUTE, do: 'unpublish', workflow: 'A' },
				{ at: 3 * MINUTE, do: 'publish', workflow: 'A' },
				...sent(few.slice(2), 16 * MINUTE),
			],
		}),
	},
	ledByAnotherOnAClassicQueue: {
		story: 'The same on a classic queue',
		law: 'nobodyIsHeldUp',
		history: { ...leaderChanges, queue: { type: 'classic', consumerTimeoutMs: 30 * MINUTE } },
	},
};
