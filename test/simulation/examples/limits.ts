import { ACCOUNT, OTHER_ACCOUNT, WRONG_ACCOUNT, type EventPlan, type WorkflowPlan } from '../history/history';
import { events, history, HOUR, MINUTE, SECOND, sent, type Example } from './example';

const ten = events(10);
const twenty = events(20);
const forty = events(40);
/** A few of them make the next channel small. */
const someLarge = events(26, (number) => ({ set: 1, ...(number % 8 === 0 && { kilobytes: 10 }) }));
/** The first of each of two sets fails. */
const behindTwo = events(40, (number) => ({
	set: number % 2,
	kilobytes: 2,
	...(number <= 2 && { poison: true }),
}));
const one = events(1, () => ({}), 21);
const ofThree = events(3, () => ({ set: 1 }));
const two = events(2);
const ofOneSet = events(2, () => ({ set: 1 }));
/** Three of each set, far apart. */
const backlog = events(300, (number) => ({ set: number % 100 }));
/** Ten of each set, one behind the other. */
const inSets = events(300, (number) => ({ set: Math.floor(number / 10) }));
const ofOne = events(100, () => ({ set: 1 }));
const ofOneAndLong = events(300, () => ({ set: 1 }));
const ofOneAtTheEnd = events(200, (number) => ({ set: Math.min(number, 100) }));
/** Of forty sets at once, and then one every twenty seconds. */
const forTwoUsers = events(40, (number) => ({ set: number % 40 }));
const oneByOne = events(200, () => ({}), 101);
/** Each of a set of its own, when those are on their way. */
const later = events(60, () => ({}), 301);
const forAnother = events(1, () => ({ status: 'ISSUED' }), 41);
const large = events(300, (number) => ({ set: number % 100, kilobytes: 10 }));
/** A few that fail for ever, two of them of one set. */
const failingAtTheHead = events(100, (number) => ({
	poison: [2, 9, 12, 20].includes(number),
	...(number === 13 && { set: 12 }),
}));
/** Of five sets in turn. */
const inTurn = events(144, (number) => ({ set: number % 5 }));
const slow = { runMs: [40 * SECOND, 40 * SECOND], options: { parallelRuns: 1 } } as const;

/** A lone workflow finds all of these on a queue that drops what comes back twenty times. */
const behind = (workflow: Partial<WorkflowPlan>, all: readonly EventPlan[]) =>
	history({
		queue: { type: 'quorum', consumerTimeoutMs: 30 * MINUTE, deliveryLimit: 20 },
		workflows: [workflow],
		events: [...all],
		steps: sent(all, SECOND),
	});

/** What a limit of the queue takes after it was shown, when it goes back; and what was not taken. */
export const limits: Record<string, Example> = {
	publishedAgainBeforeAFullQueue: {
		story: 'A slow workflow holds more than its queue may have waiting, and is published again',
		law: 'whatTheQueueTakesIsTold',
		history: history({
			queue: { type: 'classic', consumerTimeoutMs: 30 * MINUTE, maxLength: 5 },
			workflows: [slow],
			events: twenty,
			steps: [
				...sent(twenty, 10 * SECOND, SECOND),
				{ at: 45 * SECOND, do: 'republish', workflow: 'A', gapMs: MINUTE },
			],
		}),
	},
	behindTheBacklogByItself: {
		story:
			'Of a backlog behind slow runs, what came in the wrong order goes back by itself, and a queue without a limit puts it behind what was never delivered',
		law: 'reportsTellNumberAndCause',
		history: history({
			queue: { type: 'quorum', consumerTimeoutMs: 30 * MINUTE },
			bounds: { keptEvents: 40, remembered: 10 },
			workflows: [{ runMs: [30 * SECOND, 240 * SECOND], options: { parallelRuns: 1 } }],
			events: failingAtTheHead,
			steps: [
				...sent(failingAtTheHead.slice(0, 12), 4 * SECOND),
				...sent(failingAtTheHead.slice(12, 30), 20 * SECOND),
				...sent(failingAtTheHead.slice(30), MINUTE),
				{ at: 2 * MINUTE, do: 'channelLost' },
			],
		}),
	},
	fullWhileItsRunsGoOn: {
		story:
			'A queue that counts deliveries gave what it holds many times; a new process takes all of that, and wants more while its runs go on; then it is killed',
		law: 'nothingIsRunAnewByTheNextProcess',
		history: history({
			queue: { type: 'quorum', consumerTimeoutMs: 30 * MINUTE, deliveryLimit: 20 },
			bounds: { keptEvents: 3 },
			workflows: [{ runMs: [30 * SECOND, 240 * SECOND], options: { parallelRuns: 30 } }],
			events: inTurn,
			steps: [
				...sent(inTurn, SECOND, 12 * SECOND),
				...[11, 13, 15, 17, 20, 22].map((minute) => ({ at: minute * MINUTE, do: 'linkLost' as const })),
				{ at: 25 * MINUTE, do: 'kill', downMs: 2 * SECOND },
				{ at: 30 * MINUTE, do: 'kill', downMs: 20 * SECOND },
			],
		}),
	},
	aBacklogBehindSlowRuns: {
		story: 'A slow workflow finds a backlog of ten hours on a queue that drops what comes back twenty times',
		law: 'onlyTheGuiltyEndInReports',
		history: behind({ runMs: [110 * SECOND, 110 * SECOND], options: { parallelRuns: 1 } }, backlog),
	},
	aBacklogOfSetsBehindSlowRuns: {
		story: 'A workflow with slow runs finds a long backlog in which events of one set follow each other',
		law: 'onlyTheGuiltyEndInReports',
		history: behind({ runMs: [20 * MINUTE, 20 * MINUTE] }, inSets),
	},
	aBacklogOfOneSetBehindSlowRuns: {
		story: 'A workflow with slow runs finds a long backlog of one set',
		law: 'onlyTheGuiltyEndInReports',
		history: behind({ runMs: [12 * MINUTE, 12 * MINUTE] }, ofOne),
	},
	aBacklogThatEndsInOneSet: {
		story: 'The same, behind as many events of different sets',
		law: 'onlyTheGuiltyEndInReports',
		history: behind({ runMs: [12 * MINUTE, 12 * MINUTE] }, ofOneAtTheEnd),
	},
	aBacklogOfOneSetLedByAnother: {
		story: 'The same as one set alone, another process leads after an hour, and frames travel for a second',
		law: 'onlyTheGuiltyEndInReports',
		history: history({
			queue: { type: 'quorum', consumerTimeoutMs: 30 * MINUTE, deliveryLimit: 20, latencyMs: [500, 1_500] },
			workflows: [{ runMs: [30 * SECOND, 4 * MINUTE] }],
			events: ofOneAndLong,
			steps: [
				...sent(ofOneAndLong, SECOND, 10 * SECOND),
				{ at: 58 * MINUTE, do: 'leaderChange', overlapMs: MINUTE },
			],
		}),
	},
	aQuickWorkflowOfAnotherUser: {
		story: 'A slow workflow has a backlog, and a quick one with another user gets its events one by one',
		law: 'onlyTheGuiltyEndInReports',
		history: history({
			queue: { type: 'quorum', consumerTimeoutMs: 30 * MINUTE, deliveryLimit: 20 },
			workflows: [
				{ runMs: [3 * MINUTE, 4 * MINUTE], options: { parallelRuns: 2 }, credential: OTHER_ACCOUNT },
				{ runMs: [SECOND, 2 * SECOND] },
			],
			events: [...forTwoUsers, ...oneByOne],
			steps: [...sent(forTwoUsers, SECOND, 100), ...sent(oneByOne, 2 * MINUTE, 20 * SECOND)],
		}),
	},
	aBacklogInBatches: {
		story:
			'A workflow with slow runs of two events each, which may run five side by side, finds a long backlog',
		law: 'onlyTheGuiltyEndInReports',
		history: behind({ runMs: [15 * MINUTE, 15 * MINUTE], options: { batchSize: 2 } }, backlog),
	},
	behindARunThatHangs: {
		story: 'A run hangs, the others of its set go back for hours, and events of other sets come behind them',
		law: 'allIsHandledInTime',
		history: history({
			queue: { type: 'quorum', consumerTimeoutMs: 30 * MINUTE },
			workflows: [{ options: { removeWhen: 'received', parallelRuns: 2 } }],
			events: [...ofThree, ...one],
			steps: [
				{ at: SECOND, do: 'runsEnd', workflow: 'A', how: 'hangs', count: 1 },
				...sent(ofThree, 10 * SECOND, SECOND),
				...sent(one, 4 * HOUR),
				// Nothing comes of it: until then at least it goes on.
				{ at: 5.5 * HOUR, do: 'publish', workflow: 'A' },
			],
		}),
	},
	aBacklogThatGoesOnGrowing: {
		story: 'A workflow with slow runs finds a backlog of ten hours, and new events come all the time',
		law: 'onlyTheGuiltyEndInReports',
		history: history({
			queue: { type: 'quorum', consumerTimeoutMs: 30 * MINUTE, deliveryLimit: 20 },
			workflows: [{ runMs: [110 * SECOND, 110 * SECOND], options: { parallelRuns: 1 } }],
			events: [...backlog, ...later],
			steps: [...sent(backlog, SECOND), ...sent(later, 10 * MINUTE, 10 * MINUTE)],
		}),
	},
	aQuickWorkflowBesideABacklog: {
		story: 'A workflow with slow runs works off a backlog, and hours later an event comes for a quick one',
		law: 'nobodyIsHeldUp',
		history: history({
			queue: { type: 'quorum', consumerTimeoutMs: 30 * MINUTE, deliveryLimit: 20 },
			workflows: [
				{ statuses: ['SIGNED'], runMs: [10 * MINUTE, 10 * MINUTE], options: { parallelRuns: 1 } },
				{ statuses: ['ISSUED'] },
			],
			events: [...forty, ...forAnother],
			steps: [...sent(forty, SECOND), ...sent(forAnother, 200 * MINUTE)],
		}),
	},
	aBacklogTooLargeToRemember: {
		story: 'A slow workflow finds a backlog that is too large to be remembered when it goes back',
		law: 'orderIsKept',
		history: history({
			queue: { type: 'quorum', consumerTimeoutMs: 30 * MINUTE },
			workflows: [{ runMs: [19 * MINUTE, 24 * MINUTE], options: { parallelRuns: 3 } }],
			events: large,
			steps: sent(large, SECOND),
			bounds: { givenBackBytes: 1_000_000 },
		}),
	},
	expiresWhenAChannelIsLost: {
		story: 'A slow workflow holds events for longer than they may live, and its channel is lost',
		law: 'whatTheQueueTakesIsTold',
		history: history({
			queue: { type: 'quorum', consumerTimeoutMs: 30 * MINUTE, messageTtlMs: MINUTE },
			workflows: [slow],
			events: [...twenty, ...one],
			steps: [...sent(twenty, 10 * SECOND), { at: 2 * MINUTE, do: 'channelLost' }, ...sent(one, 6 * MINUTE)],
		}),
	},
	droppedAtTheSecondReturn: {
		story: 'A queue lets a message come back once, and the connection of a slow workflow is lost twice',
		law: 'whatTheQueueTakesIsTold',
		history: history({
			queue: { type: 'quorum', consumerTimeoutMs: 30 * MINUTE, deliveryLimit: 1 },
			workflows: [slow],
			events: twenty,
			steps: [
				...sent(twenty, 10 * SECOND),
				{ at: MINUTE, do: 'linkLost' },
				{ at: 2 * MINUTE, do: 'linkLost' },
			],
		}),
	},
	expiresBeforeAllHaveStarted: {
		story: 'Events are kept for a workflow that has not started, and expire while the broker is away',
		law: 'whatTheQueueTakesIsTold',
		history: history({
			queue: { type: 'quorum', consumerTimeoutMs: 30 * MINUTE, messageTtlMs: MINUTE },
			host: { startGapMs: 15 * SECOND },
			workflows: [{}, {}],
			events: twenty,
			steps: [...sent(twenty, 22 * SECOND), { at: 26 * SECOND, do: 'brokerAway', forMs: 3 * MINUTE }],
		}),
	},
	expiresWhileTheUserChanges: {
		story:
			'What a connection held expires while the broker is away, and its workflow comes back as another user',
		law: 'whatTheQueueTakesIsTold',
		history: history({
			queue: { type: 'quorum', consumerTimeoutMs: 30 * MINUTE, messageTtlMs: MINUTE },
			workflows: [{}, slow],
			events: twenty,
			steps: [
				...sent(twenty, 10 * SECOND),
				{ at: 30 * SECOND, do: 'credentialEdited', workflow: 'A', credential: WRONG_ACCOUNT },
				{ at: 30 * SECOND, do: 'credentialEdited', workflow: 'B', credential: OTHER_ACCOUNT },
				{ at: 31 * SECOND, do: 'brokerAway', forMs: 3 * MINUTE },
			],
		}),
	},
	expiresWhileTheUserChangesForAMoment: {
		story:
			'What a connection held expires while the broker is away, and its credential names another user for a while',
		law: 'whatTheQueueTakesIsTold',
		history: history({
			queue: { type: 'quorum', consumerTimeoutMs: 30 * MINUTE, messageTtlMs: MINUTE },
			workflows: [slow],
			events: twenty,
			steps: [
				...sent(twenty, 10 * SECOND),
				{ at: 30 * SECOND, do: 'credentialEdited', workflow: 'A', credential: OTHER_ACCOUNT },
				{ at: 31 * SECOND, do: 'brokerAway', forMs: 3 * MINUTE },
				{ at: 2 * MINUTE, do: 'credentialEdited', workflow: 'A', credential: ACCOUNT },
			],
		}),
	},
	expiresBehindARunThatHangs: {
		story:
			'A run that hangs holds the only place, and what waits behind it goes back and expires while the queue is left alone',
		law: 'whatTheQueueTakesIsTold',
		history: history({
			queue: { type: 'quorum', consumerTimeoutMs: 30 * MINUTE, messageTtlMs: 60 * MINUTE },
			workflows: [{ options: { removeWhen: 'received', parallelRuns: 1 } }],
			events: two,
			steps: [
				{ at: 30 * SECOND, do: 'runsEnd', workflow: 'A', how: 'hangs', count: 1 },
				...sent(two, MINUTE, MINUTE),
			],
		}),
	},
	handedToTheNextLeader: {
		story:
			'n8n steps down while a run goes on that never ends, and what waits behind it runs in the next leader',
		law: 'onlyTheGuiltyEndInReports',
		history: history({
			workflows: [{ options: { parallelRuns: 2 } }],
			events: ofOneSet,
			steps: [
				{ at: 24 * SECOND, do: 'runsEnd', workflow: 'A', how: 'hangs', count: 1 },
				...sent(ofOneSet, 41 * SECOND, 2 * SECOND),
				{ at: 55 * SECOND, do: 'leaderChange', overlapMs: 10 * SECOND },
			],
		}),
	},
	publishedAgainWhileAnotherStarts: {
		story:
			'The broker is away, a workflow is published again in the moment in which n8n starts another one, and the queue drops what went back before it is read again',
		law: 'whatTheQueueTakesIsTold',
		history: history({
			queue: { type: 'classic', consumerTimeoutMs: 30 * MINUTE, maxLength: 20 },
			host: { startGapMs: 15 * SECOND, closeGapMs: 5 * SECOND },
			workflows: [{ runMs: [5 * SECOND, 5 * SECOND] }, {}],
			events: forty,
			steps: [
				...sent(forty.slice(0, 20), 0),
				{ at: 21 * SECOND, do: 'brokerAway', forMs: 10 * MINUTE },
				{ at: 23 * SECOND, do: 'republish', workflow: 'A', gapMs: 8 * SECOND },
				...sent(forty.slice(20), 35 * SECOND),
			],
		}),
	},
	publishedAgainBeforeItWasLetIn: {
		story:
			'n8n starts a second workflow, which is published again before it is let in, and meanwhile the queue drops what went back and the first one had handled',
		law: 'whatTheQueueTakesIsTold',
		history: history({
			queue: { type: 'classic', consumerTimeoutMs: 30 * MINUTE, maxLength: 5 },
			host: { startGapMs: 15 * SECOND, closeGapMs: 5 * SECOND },
			workflows: [{ runMs: [SECOND, SECOND] }, {}],
			events: ten,
			steps: [
				...sent(ten.slice(0, 6), 25 * SECOND, SECOND),
				{ at: 23 * SECOND, do: 'republish', workflow: 'B', gapMs: 40 * SECOND },
				{ at: 23.5 * SECOND, do: 'channelLost' },
				{ at: 25 * SECOND, do: 'channelLost' },
				{ at: 28.5 * SECOND, do: 'linkLost' },
			],
		}),
	},
	fullWhileAllPlacesAreTaken: {
		story:
			'The database of n8n is away, and no word of that comes: all places are taken for a day, and the queue has no room for what goes back, of which the next channel takes a part',
		law: 'whatTheQueueTakesIsTold',
		history: history({
			queue: { type: 'quorum', consumerTimeoutMs: 30 * MINUTE, deliveryLimit: 20, maxLength: 20 },
			host: { startFailure: 'never' },
			workflows: [{ options: { removeWhen: 'received', keepOrder: false } }],
			bounds: { prefetchBytes: 120_000 },
			events: someLarge,
			steps: [{ at: 10 * MINUTE, do: 'databaseAway', forMs: 30 * MINUTE }, ...sent(someLarge, 12 * MINUTE)],
		}),
	},
	eachTryOfWhatFailsTakesAllAnew: {
		story:
			'Two events fail for hours, and what waits behind them takes all places: each try of the two has all of it delivered anew, until the queue drops it',
		law: 'onlyTheGuiltyEndInReports',
		history: history({
			queue: { type: 'quorum', consumerTimeoutMs: 30 * MINUTE, deliveryLimit: 20 },
			workflows: [{ options: { attempts: 20 } }],
			bounds: { keptEvents: 5, prefetchBytes: 30_000 },
			events: behindTwo,
			steps: [...sent(behindTwo.slice(0, 1), 20 * MINUTE), ...sent(behindTwo.slice(1), 24 * MINUTE)],
		}),
	},
};
