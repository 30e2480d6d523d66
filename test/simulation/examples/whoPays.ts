import { OTHER_ACCOUNT, WRONG_ACCOUNT, type EventPlan } from '../history/history';
import { events, history, HOUR, MINUTE, SECOND, sent, type Example } from './example';

const one = events(1);
const three = events(3, () => ({ set: 1 }));
const atTheLoss: EventPlan[] = [
	{ number: 13, set: 1, status: 'ISSUED' },
	{ number: 15, set: 1, status: 'DRAFTED', poison: true },
	{ number: 16, set: 1, status: 'TITLE_HELD' },
];
const seven = events(7);
const ten = events(10);
const muchLater = events(1, () => ({}), 11);
const slowly = events(7, (number) => ({ status: number === 7 ? 'ISSUED' : 'SIGNED' }));
const nine = events(9, (number) => ({ status: number === 3 ? 'SIGNED' : 'DRAFTED' }));
const backlog = events(60, (number) => ({ set: number % 40 }));
const ofOneSet = events(3, (number) => ({ set: 1, poison: number === 1 }));

/** Who was to have an event and does not: what it is told, and for whose sake. */
export const whoPays: Record<string, Example> = {
	lostTogetherWithTheLeaderBefore: {
		story:
			'Another process leads, both lose their channels at one moment, and the one before gets what went back',
		law: 'onlyTheGuiltyEndInReports',
		history: history({
			seed: 12504096,
			workflows: [
				{ options: { removeWhen: 'received', parallelRuns: 2 }, runMs: [50, 500] },
				{ statuses: ['DRAFTED', 'OTHER'], options: { parallelRuns: 1 }, runMs: [100, 100] },
			],
			events: atTheLoss,
			steps: [
				{ at: 32_887, do: 'leaderChange', overlapMs: MINUTE },
				...sent(atTheLoss, 58_933),
				{ at: 59_442, do: 'channelLost' },
			],
		}),
	},
	lostTogetherWhenNeitherKnewOfTheOther: {
		story:
			'Another process leads while the broker is away, both are connected again at one moment, then lost and again, and the one before gets what went back',
		law: 'onlyTheGuiltyEndInReports',
		history: history({
			workflows: [{ options: { parallelRuns: 1 }, runMs: [SECOND, SECOND] }],
			events: [...ten, ...muchLater],
			steps: [
				{ at: 10 * SECOND, do: 'brokerAway', forMs: 20 * SECOND },
				{ at: 20 * SECOND, do: 'leaderChange', overlapMs: MINUTE },
				...sent(ten, 64_900),
				{ at: 66 * SECOND, do: 'linkLost' },
				...sent(muchLater, 10 * MINUTE),
			],
		}),
	},
	failsSoonerThanTheOther: {
		story:
			'A burst comes while the mail server of two workflows is away: the one fails at once, the other waits half a minute for an answer, and looks well until then',
		law: 'onlyTheGuiltyEndInReports',
		history: history({
			bounds: { keptEvents: 20 },
			workflows: [{ runMs: [SECOND, SECOND] }, { runMs: [30 * SECOND, 30 * SECOND] }],
			events: backlog,
			steps: [
				{ at: 10 * MINUTE, do: 'downstreamAway', workflow: 'A', forMs: HOUR },
				{ at: 10 * MINUTE, do: 'downstreamAway', workflow: 'B', forMs: HOUR },
				...sent(backlog.slice(0, 5), 5 * MINUTE),
				...sent(backlog.slice(5), 11 * MINUTE),
			],
		}),
	},
	noWordWhileTheDatabaseIsAway: {
		story:
			"n8n's database is away, and runs from before that have no word make one of two workflows look well",
		law: 'onlyTheGuiltyEndInReports',
		history: history({
			seed: 12517439,
			queue: { type: 'classic', consumerTimeoutMs: 30 * MINUTE, latencyMs: [20, 200] },
			host: { startGapMs: 6_500, concurrency: 5 },
			bounds: { keptEvents: 3, remembered: 5 },
			workflows: [
				{ options: { keepOrder: false }, runMs: [35 * MINUTE, 40 * MINUTE] },
				{ options: { parallelRuns: 10, keepOrder: false, batchSize: 3 }, runMs: [100, 100] },
			],
			events: nine,
			steps: [
				...sent(nine.slice(0, 4), 0, 3 * SECOND),
				...sent(nine.slice(4), 45 * SECOND, 3 * SECOND),
				{ at: 54_448, do: 'databaseAway', forMs: 30 * MINUTE },
			],
		}),
	},
	refusedWhileTheOtherIsIdle: {
		story:
			"A workflow waits over its failures, its try is refused since n8n's database is away, and the other one has nothing to run",
		law: 'onlyTheGuiltyEndInReports',
		history: history({
			bounds: { keptEvents: 3, singleReports: 3 },
			workflows: [{}, { statuses: ['ISSUED'] }],
			events: slowly,
			steps: [
				{ at: SECOND, do: 'downstreamAway', workflow: 'A', forMs: 60 * MINUTE },
				...sent(slowly.slice(0, 4), 150 * SECOND, 30 * SECOND),
				{ at: 287 * SECOND, do: 'databaseAway', forMs: 30 * MINUTE },
				...sent(slowly.slice(4), 348 * SECOND, 100 * SECOND),
			],
		}),
	},
	publishedAgainBesideItsOwnRun: {
		story: 'A workflow is unpublished during a run of 35 minutes, and published again before its end',
		law: 'onlyTheGuiltyEndInReports',
		history: history({
			queue: { type: 'quorum', consumerTimeoutMs: 30 * MINUTE },
			host: { startGapMs: 6_500 },
			workflows: [
				{ options: { keepOrder: false } },
				{
					options: { removeWhen: 'finished', parallelRuns: 2 },
					runMs: [35 * MINUTE, 40 * MINUTE],
				},
				{ runMs: [500, 5_000], options: { parallelRuns: 10 } },
			],
			events: ofOneSet,
			steps: [
				...sent(ofOneSet.slice(0, 2), 0),
				...sent(ofOneSet.slice(2), 158 * SECOND),
				{ at: 167 * SECOND, do: 'unpublish', workflow: 'B' },
				{ at: 1_850 * SECOND, do: 'publish', workflow: 'B' },
			],
		}),
	},
	startedLongAfterTheOthers: {
		story: 'N8n starts a workflow a minute after another one, which has handled an event by then',
		law: 'nothingIsLost',
		history: history({
			seed: 24001708,
			host: { startGapMs: MINUTE },
			workflows: [{}, {}],
			events: one,
			steps: sent(one, 8 * SECOND),
		}),
	},
	missedBeforeItStarted: {
		story:
			'A second workflow joins, what goes back then is more than its queue may have waiting, and a third starts later',
		law: 'whatTheQueueTakesIsTold',
		history: history({
			seed: 12501512,
			queue: { type: 'classic', consumerTimeoutMs: 30 * MINUTE, maxLength: 5 },
			host: { startGapMs: 6_500 },
			workflows: [{}, {}, {}],
			events: seven,
			steps: sent(seven, 8 * SECOND, SECOND),
		}),
	},
	wrongPasswordBesideAnotherUser: {
		story: 'Two users read one queue, the connection of one is lost, and its password is wrong by then',
		law: 'onlyTheProvenAreServed',
		history: history({
			seed: 12516365,
			host: { startGapMs: 6_500 },
			workflows: [{}, {}],
			events: one,
			steps: [
				{ at: 9_091, do: 'credentialEdited', workflow: 'A', credential: OTHER_ACCOUNT },
				{ at: 23_096, do: 'brokerFrozen', forMs: 2 * MINUTE },
				{ at: 50_556, do: 'credentialEdited', workflow: 'B', credential: WRONG_ACCOUNT },
				...sent(one, 191_452),
			],
		}),
	},
	countedUntilTheEnd: {
		story: 'A workflow that is never let in misses events beside another, of which a run never ends',
		law: 'nothingIsLeft',
		history: history({
			workflows: [{ options: { removeWhen: 'received' } }, { credential: WRONG_ACCOUNT }],
			events: three,
			steps: [
				...sent(three.slice(0, 2), 10 * SECOND, 24 * SECOND),
				...sent(three.slice(2), 3 * MINUTE),
				{ at: 2 * MINUTE, do: 'runsEnd', workflow: 'A', how: 'losesItsResult', count: 1 },
			],
		}),
	},
};
