import type { Clock } from '../surroundings';
import type { Bounds } from './bounds';
import type { Fate } from './entry';
import type { Progress } from './progress';

/** How a subscriber's share in an event ended for good. */
export interface Ending {
	fate: Fate;
	/** It was handled: the same content sent anew needs no run either. What ended otherwise is barred from a redelivery only. */
	well: boolean;
}

/**
 * What one workflow remembers of its events, in memory: the newest 10,000 of the last 24 hours. The broker delivers again
 * whatever it was not told about in time, so an event that has ended must be known when it returns, and one that has not
 * goes on where it stood.
 */
export class Repeats {
	private readonly endings: BoundedMemory<Ending>;
	private readonly unfinished: BoundedMemory<Progress>;

	constructor(clock: Clock, bounds: Bounds) {
		this.endings = new BoundedMemory(clock, bounds);
		this.unfinished = new BoundedMemory(clock, bounds);
	}

	ended(eventId: string, ending: Ending): void {
		this.unfinished.take(eventId);
		this.endings.keep(eventId, ending);
	}

	/** How the event ended, or undefined when it did not, or too long ago. */
	endingOf(eventId: string): Ending | undefined {
		return this.endings.look(eventId);
	}

	wentBack(eventId: string, progress: Progress): void {
		this.unfinished.keep(eventId, progress);
	}

	isUnfinished(eventId: string): boolean {
		return this.unfinished.look(eventId) !== undefined;
	}

	/** Where the event stood when it went back to the queue; the caller has it from now on. */
	takeUp(eventId: string): Progress | undefined {
		return this.unfinished.take(eventId);
	}
}

/** The newest entries of a bounded time, oldest out first: a Map keeps its keys in the order of insertion. */
class BoundedMemory<T> {
	private readonly entries = new Map<string, { value: T; at: number }>();

	constructor(
		private readonly clock: Clock,
		private readonly bounds: Bounds,
	) {}

	keep(key: string, value: T): void {
		const now = this.clock.now();
		this.entries.delete(key);
		this.entries.set(key, { value, at: now });
		for (const [oldest, { at }] of this.entries) {
			if (this.entries.size <= this.bounds.remembered && now - at <= this.bounds.rememberedMs) break;
			this.entries.delete(oldest);
		}
	}

	look(key: string): T | undefined {
		const entry = this.entries.get(key);
		return entry && this.clock.now() - entry.at <= this.bounds.rememberedMs ? entry.value : undefined;
	}

	take(key: string): T | undefined {
		const value = this.look(key);
		this.entries.delete(key);
		return value;
	}
}
