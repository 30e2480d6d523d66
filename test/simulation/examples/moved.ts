import { ACCOUNT, ELSEWHERE, OTHER_ACCOUNT, OTHER_HOST, type Step } from '../history/history';
import { events, history, MINUTE, SECOND, pointed, sent, type Example } from './example';

const oneThatFailsAndOneBehind = [
	{ number: 33, set: 3, status: 'TITLE_HELD', poison: true },
	{ number: 36, set: 3, status: 'Signed' },
];
const elsewhere = { ...OTHER_ACCOUNT, vhost: ELSEWHERE };
const twoOfASet = [
	{ number: 1, set: 7, status: 'SIGNED' },
	{ number: 2, set: 7, status: 'ISSUED', vhost: ELSEWHERE },
];
const own = events(1);
const oneAfterAnother = events(4);
const underTheOtherName = events(2, () => ({}), 5);
const theirBacklog = events(30, (number) => ({ set: number, vhost: ELSEWHERE }), 2);
const sentMeanwhile = events(4, () => ({}), 40);
/** Both are unpublished and come back to this host, the one long after the other. */
const publishedOneByOne = (host: string): Step[] => [
	...['A', 'B'].flatMap((workflow): Step[] => [
		{ at: MINUTE, do: 'unpublish', workflow },
		{ at: MINUTE + SECOND, do: 'credentialEdited', workflow, credential: { ...ACCOUNT, host } },
	]),
	{ at: MINUTE + 20 * SECOND, do: 'publish', workflow: 'A' },
	{ at: 3 * MINUTE, do: 'publish', workflow: 'B' },
];
const theirs = events(4, () => ({ vhost: ELSEWHERE }), 2);

const failsForTwo = events(1, () => ({ set: 1_002, status: 'ISSUED', vhost: ELSEWHERE }), 166);
const ofItsNewPlace = events(1, () => ({ set: 2, status: 'ISSUED' }), 95);
const newerThere = events(1, () => ({ set: 1_001, status: 'DRAFTED', vhost: ELSEWHERE }), 63);

/** A workflow is pointed to a queue elsewhere, or another one of that name stands there. */
export const moved: Record<string, Example> = {
	anotherCompanysEventsWhileTheOwnConnectionIsLost: {
		story:
			'A workflow is published again during a run, beside one that reads a queue of that name on another virtual host; then its connection is lost, and events come there',
		law: 'nothingComesFromElsewhere',
		history: history({
			workflows: [{ runMs: [2 * MINUTE, 2 * MINUTE] }, { credential: elsewhere }],
			events: [...own, ...theirs],
			steps: [
				...sent(own, 20 * SECOND),
				{ at: 25 * SECOND, do: 'republish', workflow: 'A', gapMs: 200 },
				{ at: 40 * SECOND, do: 'linkLost', username: ACCOUNT.username },
				...sent(theirs, 40 * SECOND + 100, 100),
			],
		}),
	},
	anotherCompanysBacklogRightAfterItWasUnpublished: {
		story:
			'A workflow is unpublished, and one of another company is published for the first time, where more waits on a queue of that name than is kept for who is away; the first one is published again at its own',
		law: 'reportsTellNumberAndCause',
		history: history({
			bounds: { keptEvents: 3 },
			workflows: [{}, { published: false, credential: elsewhere }],
			events: theirBacklog,
			steps: [
				...sent(theirBacklog, 10 * SECOND),
				{ at: MINUTE, do: 'unpublish', workflow: 'A' },
				{ at: MINUTE + 20 * SECOND, do: 'publish', workflow: 'B' },
				{ at: 3 * MINUTE, do: 'publish', workflow: 'A' },
			],
		}),
	},
	bothAreUnpublishedAndComeToAnotherHost: {
		story:
			'All workflows of a queue are unpublished, their credential gets another host, and they are published one after another: what the first one handled alone is kept for the second',
		law: 'whoReturnsInTimeLosesNothing',
		history: history({
			workflows: [{}, {}],
			events: sentMeanwhile,
			steps: [...publishedOneByOne(OTHER_HOST), ...sent(sentMeanwhile, 2 * MINUTE)],
		}),
	},
	leftForAnotherWorkflow: {
		story:
			'A workflow that is pointed to another queue leaves events that it had begun; one that is pointed to theirs takes them, and while it does the first one is published again',
		law: 'onlyTheGuiltyEndInReports',
		history: history({
			host: { closeGapMs: 5 * SECOND },
			workflows: [
				{ options: { batchSize: 10 }, credential: { ...ACCOUNT, vhost: ELSEWHERE } },
				{ runMs: [30 * SECOND, 4 * MINUTE], credential: { ...ACCOUNT, vhost: ELSEWHERE } },
			],
			events: oneThatFailsAndOneBehind,
			steps: [
				...pointed(19 * MINUTE, ACCOUNT),
				...sent(oneThatFailsAndOneBehind, 26 * MINUTE),
				{
					at: 30 * MINUTE,
					do: 'credentialEdited',
					workflow: 'A',
					credential: { ...ACCOUNT, vhost: ELSEWHERE },
				},
				{ at: 30 * MINUTE, do: 'republish', workflow: 'A', gapMs: 40 * SECOND },
				{ at: 31 * MINUTE, do: 'credentialEdited', workflow: 'B', credential: ACCOUNT },
				{ at: 39 * MINUTE, do: 'brokerAway', forMs: 90 * SECOND },
				{ at: 59 * MINUTE, do: 'republish', workflow: 'A', gapMs: 40 * SECOND },
			],
		}),
	},
	anEarlierOneStaysWhereItMovedFrom: {
		story:
			'A workflow is pointed to another broker before it could handle an event, a later one of the same set comes there, and beside it one with a wrong password is never let in where it was before',
		law: 'allIsHandledInTime',
		history: history({
			workflows: [{}, { credential: { ...OTHER_ACCOUNT, password: 'stale' } }],
			events: twoOfASet,
			steps: [
				{ at: 0, do: 'downstreamAway', workflow: 'A', forMs: 55 * SECOND },
				...sent(twoOfASet.slice(0, 1), 10 * SECOND),
				...pointed(MINUTE, { ...ACCOUNT, vhost: ELSEWHERE }),
				...sent(twoOfASet.slice(1), 5 * MINUTE),
			],
		}),
	},
	removedUnderAnotherNameBesideOneWithAWrongPassword: {
		story:
			'The host of one workflow gets another name and has its first one again, and beside it one with a wrong password reads the same queue by the first name for hours',
		law: 'nothingIsLost',
		history: history({
			workflows: [
				{ options: { parallelRuns: 1 }, runMs: [20 * SECOND, 20 * SECOND] },
				{ credential: { ...OTHER_ACCOUNT, password: 'stale' } },
			],
			events: [...oneAfterAnother, ...underTheOtherName],
			steps: [
				...sent(oneAfterAnother, 10 * SECOND),
				...pointed(20 * SECOND, { ...ACCOUNT, host: OTHER_HOST }),
				...sent(underTheOtherName, 30 * MINUTE),
				...pointed(60 * MINUTE, ACCOUNT),
			],
		}),
	},
	passwordMendedAfterTheHostGotAnotherName: {
		story:
			'The same, and the password is mended while what ran under the other name is kept: it runs over the first name',
		law: 'nothingIsLost',
		history: history({
			workflows: [
				{ options: { parallelRuns: 1 }, runMs: [20 * SECOND, 20 * SECOND] },
				{ credential: { ...OTHER_ACCOUNT, password: 'stale' } },
			],
			events: oneAfterAnother,
			steps: [
				...sent(oneAfterAnother, 10 * SECOND),
				...pointed(20 * SECOND, { ...ACCOUNT, host: OTHER_HOST }),
				{ at: 10 * MINUTE, do: 'credentialEdited', workflow: 'B', credential: OTHER_ACCOUNT },
			],
		}),
	},
	unpublishedWhereAnotherOneHadMovedAway: {
		story:
			'Of three workflows two wait over what both need; one of them is pointed to a queue elsewhere, the other one is unpublished for good, and then the first one is published again, and asks for less',
		law: 'nothingIsLeft',
		history: history({
			seed: 14_813,
			queue: { type: 'quorum', consumerTimeoutMs: 30 * MINUTE },
			workflows: [
				{ options: { parallelRuns: 2 }, runMs: [200, 500], credential: { ...ACCOUNT, vhost: ELSEWHERE } },
				{
					options: { batchSize: 20 },
					runMs: [2 * MINUTE, 4 * MINUTE],
					credential: { ...ACCOUNT, vhost: ELSEWHERE },
				},
				{
					options: { removeWhen: 'finished' },
					runMs: [200, 500],
					credential: { ...ACCOUNT, vhost: ELSEWHERE },
				},
			],
			events: [...failsForTwo, ...ofItsNewPlace, ...newerThere],
			steps: [
				...sent(failsForTwo, 544 * SECOND),
				...['A', 'B'].map((workflow): Step => ({
					at: 549 * SECOND,
					do: 'downstreamAway',
					workflow,
					forMs: 15 * MINUTE,
				})),
				{ at: 750 * SECOND, do: 'unpublish', workflow: 'B' },
				{ at: 751 * SECOND, do: 'credentialEdited', workflow: 'B', credential: ACCOUNT },
				{ at: 753 * SECOND, do: 'publish', workflow: 'B' },
				...sent(ofItsNewPlace, 1_193 * SECOND),
				...sent(newerThere, 1_198 * SECOND),
				{ at: 1_425 * SECOND, do: 'unpublish', workflow: 'A' },
				{ at: 1_594 * SECOND, do: 'republish', workflow: 'B', gapMs: 20 * SECOND, statuses: ['SIGNED'] },
			],
		}),
	},
};
