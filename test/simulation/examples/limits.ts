import { events, history, MINUTE, SECOND, sent, type Example } from './example';

const twenty = events(20);
const one = events(1, () => ({}), 21);
const slow = { runMs: [40 * SECOND, 40 * SECOND], options: { parallelRuns: 1 } } as const;

/** What a limit of the queue takes after it was shown, when it goes back. */
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
};
