import { backoffMs } from '../../../service/backoff';
import { pause, type Clock } from '../../../service/surroundings';

/** The time and the stop signal everything that waits goes by. */
export interface Waiting {
	clock: Clock;
	signal: AbortSignal;
	/** 0 ≤ random() < 1; for tests. */
	random?: () => number;
}

/** Pauses grow from one to two seconds up to eight to fifteen. */
const PAUSES = { lowMs: 2_000, highMs: 15_000 };

/** `1 second`, `60 seconds`. */
export function secondsText(ms: number): string {
	const seconds = Math.round(ms / 1000);
	return seconds === 1 ? '1 second' : `${seconds} seconds`;
}

/**
 * A bounded wait for something that is not ready yet, from the first question on: what the calls take counts as much as
 * the growing pauses between them. The pauses differ a little at random, so that many runs started by one burst of events
 * do not ask again in step.
 */
export class Patience {
	private pauses = 0;
	private readonly begun: number;

	constructor(
		private readonly totalMs: number,
		private readonly waiting: Waiting,
	) {
		this.begun = waiting.clock.now();
	}

	get spentMs(): number {
		return Math.min(this.totalMs, this.waiting.clock.now() - this.begun);
	}

	/** Milliseconds that may still be waited. */
	get leftMs(): number {
		return this.totalMs - this.spentMs;
	}

	/** The next pause, cut where the wait ends, or where the signal fires: whoever asks again looks at the signal. */
	async pause(): Promise<void> {
		const { clock, signal, random = Math.random } = this.waiting;
		this.pauses++;
		const wished = backoffMs(this.pauses, PAUSES, () => 0.5 + random() / 2);
		await pause(clock, Math.min(wished, this.leftMs), signal);
	}
}
