import { ACCOUNT, OTHER_HOST } from '../history/history';
import { events, history, MINUTE, SECOND, pointed, sent, type Example } from './example';

const backlog = events(60, (number) => ({ set: number % 6 }));
const threeHundred = events(300, (number) => ({ set: number % 6 }));
const limited = { type: 'quorum', deliveryLimit: 20, consumerTimeoutMs: 30 * MINUTE } as const;
const underWay = events(200, (number) => ({ set: number % 10 }), 11);
const early = events(10, (number) => ({ set: number % 10 }));
const widened = events(2, (number) => ({ set: 2, status: number === 1 ? 'Signed' : 'ISSUED' }));
const eight = events(8, () => ({ set: 1 }));
const two = events(2);
const behindEachOther = events(3);
const fourInARow = events(4);
const behindOneThatFails = [
	{ number: 7, set: 6, status: 'ISSUED', poison: true },
	{ number: 8, set: 5, status: 'DRAFTED' },
	{ number: 85, set: 6, status: 'ISSUED' },
];
const oneThatFailsOneBehindAndAnother = [
	{ number: 4, set: 7, status: 'DRAFTED', poison: true },
	{ number: 6, set: 7, status: 'DRAFTED' },
	{ number: 10, set: 6, status: 'DRAFTED' },
];
const eightyOfEightSets = events(80, (number) => ({ set: number % 8 }));
const twoThatFailAndOneBehind = [
	{ number: 9, set: 4, status: 'Signed' },
	{ number: 70, set: 1, status: 'ISSUED', poison: true },
	{ number: 71, set: 1, status: 'TITLE_HELD', poison: true },
	{ number: 72, set: 5, status: 'TITLE_HELD' },
	{ number: 81, set: 4, status: 'ISSUED' },
	{ number: 82, set: 1, status: 'ISSUED' },
];
const twoOfASet = events(3, () => ({ set: 1 }));
const pairAfterAHungRun = events(3, (number) => ({ set: number === 1 ? 2 : 1 }));
const failingAndBehind = events(2, (number) => ({ set: 1, poison: number === 1 }));
const oneOfASetIsNotAskedFor = events(3, (number) => ({
	set: number === 1 ? 1 : 2,
	status: number === 2 ? 'DRAFTED' : 'SIGNED',
}));
const spelledThreeWays = events(3, (number) => ({
	set: 1,
	spelling: (['plain', 'inCapitals', 'inSpaces'] as const)[number - 1],
}));
const four = events(4, () => ({ set: 1 }));

/** Events that overtake each other. */
export const order: Record<string, Example> = {
	republishedOnAQuorumQueue: {
		story: 'A workflow with a backlog on a quorum queue is published again',
		law: 'orderIsKept',
		history: history({
			queue: { type: 'quorum', consumerTimeoutMs: 30 * MINUTE },
			workflows: [{ options: { parallelRuns: 2 }, runMs: [2 * SECOND, 2 * SECOND] }],
			events: backlog,
			steps: [...sent(backlog, 0), { at: 12 * SECOND, do: 'republish', workflow: 'A', gapMs: 15 * SECOND }],
		}),
	},
	killedTwiceInAWait: {
		story:
			'n8n is killed while a workflow waits over a backlog, and again soon after its start: it had looked through more than it takes then',
		law: 'orderIsKept',
		history: history({
			queue: { type: 'quorum', consumerTimeoutMs: 30 * MINUTE },
			bounds: { keptEvents: 3 },
			workflows: [{ options: { parallelRuns: 1 } }],
			events: threeHundred,
			steps: [
				...sent(threeHundred, 4 * SECOND),
				{ at: 2 * SECOND, do: 'downstreamAway', workflow: 'A', forMs: 50 * MINUTE },
				{ at: 40 * MINUTE, do: 'kill', downMs: 2 * SECOND },
				{ at: 45 * MINUTE, do: 'kill', downMs: 2 * SECOND },
			],
		}),
	},
	givenBackByTheProcessBefore: {
		story: 'n8n is restarted over a backlog, and its second workflow starts after the queue is read',
		law: 'orderIsKept',
		history: history({
			queue: limited,
			host: { startGapMs: 6_500 },
			workflows: [
				{ options: { parallelRuns: 2 } },
				{ options: { parallelRuns: 2 }, runMs: [20 * SECOND, 20 * SECOND] },
			],
			events: threeHundred,
			steps: [...sent(threeHundred, 4 * SECOND), { at: 4 * MINUTE, do: 'restart', downMs: 20 * SECOND }],
		}),
	},
	lookedAtBeforeItIsRead: {
		story: 'A quorum queue stands still while a workflow is published again over an event that fails',
		law: 'orderIsKept',
		history: history({
			queue: limited,
			events: failingAndBehind,
			steps: [
				...sent(failingAndBehind, 0, 10 * MINUTE),
				{ at: 12 * MINUTE + 13 * SECOND, do: 'queueStandsStill', forMs: 90 * SECOND },
				{ at: 12 * MINUTE + 31 * SECOND, do: 'republish', workflow: 'A', gapMs: 8 * SECOND },
			],
		}),
	},
	tooManyBeforeItWasLetIn: {
		story:
			'Beside a slow workflow, another misses the oldest events before it is let in, and all come again when its channel is lost',
		law: 'orderIsKept',
		history: history({
			bounds: { keptEvents: 3 },
			host: { startGapMs: 15 * SECOND },
			workflows: [
				{ options: { parallelRuns: 1, skipRepeats: false }, runMs: [20 * SECOND, 20 * SECOND] },
				{ options: { removeWhen: 'received', parallelRuns: 1 }, runMs: [100, 100] },
			],
			events: eight,
			steps: [
				{ at: 7 * SECOND, do: 'credentialUnreadable', workflow: 'B', forMs: 11 * MINUTE, hangs: false },
				...sent(eight, 10 * MINUTE + 50 * SECOND),
				{ at: 11 * MINUTE + 45 * SECOND, do: 'channelLost' },
			],
		}),
	},
	deliveredAndNeverSeen: {
		story: 'The broker delivers into a line that is frozen, and the connection is lost',
		law: 'orderIsKept',
		history: history({
			queue: limited,
			host: { startGapMs: 15 * SECOND },
			workflows: [
				{ options: { parallelRuns: 1 }, runMs: [2 * SECOND, 2 * SECOND] },
				{ options: { parallelRuns: 1 }, runMs: [MINUTE, MINUTE] },
			],
			events: [...early, ...underWay],
			steps: [
				...sent(early, 0),
				{ at: 34 * SECOND, do: 'brokerFrozen', forMs: 5 * MINUTE },
				...sent(underWay, 40 * SECOND),
			],
		}),
	},
	askedForByTheNextVersion: {
		story:
			'The next version of a workflow asks for a status more, and an event of it waits before another of its set',
		law: 'orderIsKept',
		history: history({
			workflows: [{ statuses: ['DRAFTED'] }, { statuses: ['DRAFTED', 'ISSUED'] }],
			events: widened,
			steps: [
				{
					at: 15 * SECOND,
					do: 'republish',
					workflow: 'B',
					gapMs: 30 * SECOND,
					statuses: ['DRAFTED', 'SIGNED', 'ISSUED'],
				},
				...sent(widened, 20 * SECOND),
			],
		}),
	},
	withoutALeaderAtTheStart: {
		story:
			'n8n is restarted over a backlog while the quorum queue has no leader for longer than one waits for it',
		law: 'orderIsKept',
		history: history({
			queue: { type: 'quorum', consumerTimeoutMs: 30 * MINUTE },
			workflows: [{ runMs: [5 * SECOND, 5 * SECOND] }],
			events: eight,
			steps: [
				...sent(eight, 8 * SECOND),
				{ at: 9 * SECOND, do: 'kill', downMs: 20 * SECOND },
				{ at: 25 * SECOND, do: 'queueStandsStill', forMs: 90 * SECOND },
			],
		}),
	},
	handedToOneThatIsGone: {
		story:
			'A leader steps down over a run that never ends, and its connection is lost while the quorum queue stands still, which gives it the first of two events nevertheless',
		law: 'orderIsKept',
		history: history({
			queue: { type: 'quorum', consumerTimeoutMs: 30 * MINUTE },
			events: pairAfterAHungRun,
			steps: [
				{ at: MINUTE, do: 'runsEnd', workflow: 'A', how: 'hangs', count: 1 },
				...sent(pairAfterAHungRun.slice(0, 1), 100 * SECOND),
				{ at: 105 * SECOND, do: 'leaderChange', overlapMs: MINUTE },
				{ at: 172 * SECOND, do: 'queueStandsStill', forMs: 90 * SECOND },
				...sent(pairAfterAHungRun.slice(1), 190 * SECOND),
			],
		}),
	},
	killedWithoutALeader: {
		story: 'n8n is killed twice over a backlog, the second time while the quorum queue has no leader',
		law: 'orderIsKept',
		history: history({
			queue: limited,
			workflows: [{ runMs: [5 * SECOND, 5 * SECOND] }],
			events: eight,
			steps: [
				...sent(eight, 8 * SECOND),
				{ at: 9 * SECOND, do: 'kill', downMs: 20 * SECOND },
				{ at: 25 * SECOND, do: 'queueStandsStill', forMs: 20 * SECOND },
				{ at: 40 * SECOND, do: 'kill', downMs: 20 * SECOND },
			],
		}),
	},
	asksForMoreBehindARun: {
		story:
			'A workflow asks for more while a run goes on: what it did not ask for before comes to it behind a later one of its set',
		law: 'orderIsKept',
		history: history({
			workflows: [
				{ statuses: ['SIGNED'], options: { parallelRuns: 1 }, runMs: [MINUTE, MINUTE] },
				{ options: { parallelRuns: 1 }, runMs: [4 * MINUTE, 4 * MINUTE] },
			],
			events: oneOfASetIsNotAskedFor,
			steps: [
				...sent(oneOfASetIsNotAskedFor, 70 * SECOND),
				{ at: 80 * SECOND, do: 'republish', workflow: 'A', statuses: [], gapMs: 10 },
			],
		}),
	},
	spelledInThreeWays: {
		story: 'The senders of one set write its id in small letters, in capitals and in spaces',
		law: 'orderIsKept',
		history: history({ events: spelledThreeWays, steps: sent(spelledThreeWays, 10 * SECOND) }),
	},
	longRunsOfOneSet: {
		story: 'Runs of 40 minutes, removed when they have started: the next of the set begins beside the first',
		law: 'orderIsKept',
		history: history({
			workflows: [{ options: { removeWhen: 'received' }, runMs: [40 * MINUTE, 40 * MINUTE] }],
			events: twoOfASet,
			steps: sent(twoOfASet, 0),
		}),
	},
	goneAtTheStartAndBackAgain: {
		story:
			'More comes than is kept for a workflow that starts late, and the broker, over a line that stands still, never hears that some of it was done with',
		law: 'orderIsKept',
		history: history({
			host: { startGapMs: 6_500 },
			bounds: { keptEvents: 3 },
			workflows: [{}, {}, { options: { removeWhen: 'received' } }],
			events: four,
			steps: [
				{ at: 14 * SECOND, do: 'linkFrozen', direction: 'toBroker', forMs: 2 * MINUTE },
				...sent(four, 15 * SECOND),
			],
		}),
	},
	sentAgainOverAnotherName: {
		story:
			'The host of a queue gets another name while a slow workflow has a backlog, and its sender sends again what waits in that',
		law: 'nothingIsDoubled',
		history: history({
			workflows: [{ options: { parallelRuns: 1 }, runMs: [MINUTE, MINUTE] }],
			events: behindEachOther,
			steps: [
				...sent(behindEachOther, 10 * SECOND),
				...pointed(20 * SECOND, { ...ACCOUNT, host: OTHER_HOST }),
				...sent(behindEachOther, 30 * SECOND),
			],
		}),
	},
	sentAgainOverAnotherNameAndPublishedOnceMore: {
		story:
			'The same, with four events, and the workflow is published once more while what was sent again waits for its turn under the first name',
		law: 'nothingIsDoubled',
		history: history({
			workflows: [{ options: { parallelRuns: 1 }, runMs: [20 * SECOND, 20 * SECOND] }],
			events: fourInARow,
			steps: [
				...sent(fourInARow, 10 * SECOND),
				...pointed(20 * SECOND, { ...ACCOUNT, host: OTHER_HOST }),
				...sent(fourInARow.slice(2), 45 * SECOND),
				{ at: 65 * SECOND, do: 'republish', workflow: 'A', gapMs: 200 },
			],
		}),
	},
	leaderChangeWhileOneRunsOverTheNameBefore: {
		story:
			'The host of a queue gets another name, its reader loses its channel during a run and comes back by that name, and another process leads',
		law: 'whatRunsComesToNoOther',
		history: history({
			workflows: [{ options: { batchSize: 3 }, runMs: [21 * MINUTE, 24 * MINUTE] }],
			events: two,
			steps: [
				{
					at: 11 * SECOND,
					do: 'credentialEdited',
					workflow: 'A',
					credential: { ...ACCOUNT, host: OTHER_HOST },
				},
				...sent(two, 12 * SECOND, 9 * SECOND),
				{ at: 21 * SECOND, do: 'channelLost' },
				{ at: 35 * SECOND, do: 'leaderChange', overlapMs: 2 * SECOND },
			],
		}),
	},
	hostRenamedToAndFroWhileAllComesAgain: {
		story:
			'The connection of a batch that fails is lost again and again, its host gets another name at that moment and has the first one again in the end: an event waits behind one of its set all the time',
		law: 'orderIsKept',
		history: history({
			seed: 2080021781,
			queue: { type: 'classic', consumerTimeoutMs: 22 * MINUTE },
			host: { startGapMs: 6_500 },
			workflows: [{ options: { batchSize: 50 }, runMs: [30 * SECOND, 4 * MINUTE] }],
			events: behindOneThatFails,
			steps: [
				...sent(behindOneThatFails.slice(0, 2), 0, 0),
				...sent(behindOneThatFails.slice(2), 497_519),
				{ at: 596_312, do: 'linkLost' },
				{ at: 611_168, do: 'channelLost', times: 4, everyMs: 50 },
				{
					at: 612_534,
					do: 'credentialEdited',
					workflow: 'A',
					credential: { ...ACCOUNT, host: OTHER_HOST },
				},
				{ at: 1_106_909, do: 'credentialEdited', workflow: 'A', credential: ACCOUNT },
				{ at: 1_148_229, do: 'linkLost' },
			],
		}),
	},
	hostRenamedBackAndTheLaterOneComesFirst: {
		story:
			'The connection is lost again and again behind one that fails, on a quorum queue under another name of the host: it stands behind a later one of its set when the host has its first name again, and that comes at once',
		law: 'orderIsKept',
		history: history({
			seed: 4223,
			queue: { type: 'quorum', consumerTimeoutMs: 30 * MINUTE },
			workflows: [{ runMs: [SECOND, 20 * SECOND] }],
			events: oneThatFailsOneBehindAndAnother,
			steps: [
				...sent(oneThatFailsOneBehindAndAnother.slice(0, 2), 627_313),
				{ at: 880_641, do: 'linkLost' },
				{ at: 1_012_375, do: 'linkLost' },
				{
					at: 1_150_697,
					do: 'credentialEdited',
					workflow: 'A',
					credential: { ...ACCOUNT, host: OTHER_HOST },
				},
				{ at: 1_151_298, do: 'republish', workflow: 'A', gapMs: 10 },
				{ at: 1_184_404, do: 'linkLost' },
				{ at: 1_186_713, do: 'linkLost' },
				...sent(oneThatFailsOneBehindAndAnother.slice(2), 1_193_769),
				{ at: 1_195_516, do: 'linkLost' },
				{ at: 1_403_109, do: 'credentialEdited', workflow: 'A', credential: ACCOUNT },
				{ at: 1_405_072, do: 'republish', workflow: 'A', gapMs: 200 },
			],
		}),
	},
	unorderedOneStartsFirst: {
		story:
			'n8n starts again with a backlog on a quorum queue: first a workflow that keeps no order, and a while later one that does',
		law: 'orderIsKept',
		history: history({
			queue: { type: 'quorum', consumerTimeoutMs: 30 * MINUTE },
			host: { startGapMs: 15 * SECOND },
			bounds: { keptEvents: 10 },
			workflows: [
				{ options: { removeWhen: 'received', keepOrder: false }, runMs: [2 * MINUTE, 2 * MINUTE] },
				{ runMs: [20 * SECOND, 20 * SECOND] },
			],
			events: eightyOfEightSets,
			steps: [...sent(eightyOfEightSets, MINUTE), { at: 90 * SECOND, do: 'restart', downMs: 2 * SECOND }],
		}),
	},
	hostRenamedBackWhileALaterOneComesFirst: {
		story:
			'What fails comes behind a later one of its set, since the connection is lost again and again; then its host has the name again that it had first, and the place it was read at ends before all of it has come',
		law: 'orderIsKept',
		history: history({
			seed: 2080021781,
			queue: { type: 'quorum', consumerTimeoutMs: 22 * MINUTE, deliveryLimit: 20 },
			host: { startGapMs: 6_500 },
			workflows: [{ options: { batchSize: 50 }, runMs: [30 * SECOND, 4 * MINUTE] }],
			events: twoThatFailAndOneBehind,
			steps: [
				...sent(twoThatFailAndOneBehind.slice(0, 1), 0),
				...sent(twoThatFailAndOneBehind.slice(1, 4), 7_073),
				{ at: 176_816, do: 'linkLost' },
				...sent(twoThatFailAndOneBehind.slice(4), 497_519),
				{ at: 596_312, do: 'linkLost' },
				{ at: 611_168, do: 'channelLost', times: 4, everyMs: 50 },
				{
					at: 612_534,
					do: 'credentialEdited',
					workflow: 'A',
					credential: { ...ACCOUNT, host: OTHER_HOST },
				},
				{ at: 612_534, do: 'republish', workflow: 'A', gapMs: 40 * SECOND },
				{ at: 873_837, do: 'channelLost', times: 4, everyMs: 3 * SECOND },
				{ at: 1_106_909, do: 'credentialEdited', workflow: 'A', credential: ACCOUNT },
				{ at: 1_148_229, do: 'linkLost' },
			],
		}),
	},
	hostRenamedToAndFro: {
		story:
			'The host of a queue gets another name and has the first one again, while a run goes on that removed its event at its start: a later one of its set was known under the first name before',
		law: 'orderIsKept',
		history: history({
			workflows: [{ options: { removeWhen: 'received' }, runMs: [200 * SECOND, 200 * SECOND] }],
			events: twoOfASet,
			steps: [
				...sent(twoOfASet, 0),
				{ at: 66 * SECOND, do: 'channelLost', times: 4, everyMs: 500 },
				{ at: 68 * SECOND, do: 'credentialUnreadable', workflow: 'A', forMs: MINUTE, hangs: false },
				{
					at: 110 * SECOND,
					do: 'credentialEdited',
					workflow: 'A',
					credential: { ...ACCOUNT, host: OTHER_HOST },
				},
				{ at: 270 * SECOND, do: 'credentialEdited', workflow: 'A', credential: ACCOUNT },
				{ at: 270 * SECOND, do: 'republish', workflow: 'A', gapMs: 40 * SECOND },
			],
		}),
	},
};
