import type { Clock } from '../surroundings';

/** How a subscriber's share in an event ended for good. */
export type Ending = 'done' | 'gaveUp';

/** What an event that was given back takes along: its attempts go on counting when it comes again. */
export interface Unfinished {
	attempts: number;
	/** Not tried again before this moment, in milliseconds since 1970. */
	notBefore: number;
}

const NEWEST = 10_000;
const KEPT_MS = 24 * 60 * 60 * 1000;

/**
 * What one workflow remembers of the events it handled: the newest 10,000 of the last 24 hours, in memory. The broker
 * delivers again whatever it was not told about in time, so an event that ended well must be known when it returns.
 */
export class Repeats {
	private readonly endings = new BoundedMemory<Ending>();
	private readonly unfinished = new BoundedMemory<Unfinished>();

	constructor(private readonly clock: Clock) {}

	ended(eventId: string, ending: Ending): void {
		this.unfinished.take(eventId, this.clock.now());
		this.endings.keep(eventId, ending, this.clock.now());
	}

	/** How the event ended, or undefined when it did not, or too long ago. */
	endingOf(eventId: string): Ending | undefined {
		return this.endings.look(eventId, this.clock.now());
	}

	gaveBack(eventId: string, unfinished: Unfinished): void {
		this.unfinished.keep(eventId, unfinished, this.clock.now());
	}

	takeUnfinished(eventId: string): Unfinished | undefined {
		return this.unfinished.take(eventId, this.clock.now());
	}
}

/** The newest entries of a bounded time, oldest out first: a Map keeps its keys in the order of insertion. */
class BoundedMemory<T> {
	private readonly entries = new Map<string, { value: T; at: number }>();

	keep(key: string, value: T, now: number): void {
		this.entries.delete(key);
		this.entries.set(key, { value, at: now });
		for (const [oldest, { at }] of this.entries) {
			if (this.entries.size <= NEWEST && now - at <= KEPT_MS) break;
			this.entries.delete(oldest);
		}
	}

	look(key: string, now: number): T | undefined {
		const entry = this.entries.get(key);
		return entry && now - entry.at <= KEPT_MS ? entry.value : undefined;
	}

	take(key: string, now: number): T | undefined {
		const value = this.look(key, now);
		this.entries.delete(key);
		return value;
	}
}
