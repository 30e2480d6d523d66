import { events, history, MINUTE, SECOND, sent, type Example } from './example';

const backlog = events(60, (number) => ({ set: number % 6 }));
const twoOfASet = events(3, () => ({ set: 1 }));

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
	longRunsOfOneSet: {
		story: 'Runs of 40 minutes, removed when they have started: the next of the set begins beside the first',
		law: 'orderIsKept',
		history: history({
			workflows: [{ options: { removeWhen: 'received' }, runMs: [40 * MINUTE, 40 * MINUTE] }],
			events: twoOfASet,
			steps: sent(twoOfASet, 0),
		}),
	},
};
