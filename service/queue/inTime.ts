import { within, type Clock } from '../surroundings';

/** For each step with the queue: its broker may be well, and beat, while the queue is not. */
const QUEUE_DEADLINE_MS = 30_000;

/** @throws {Error} `timeout` when the queue does not answer within 30 seconds */
export async function inTime<T>(clock: Clock, step: Promise<T>): Promise<T> {
	return await within(clock, QUEUE_DEADLINE_MS, step, () => new Error('timeout'));
}
