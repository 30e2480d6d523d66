import type { Delivery } from './delivery';

/**
 * Whether a queue counts how often it gives an event out, and may drop what it gave out too often. One that does says so of
 * all that comes again, and of nothing else: a count that an event brought along from another queue, as a shovel leaves it
 * there, tells nothing of this one.
 */
export class Counting {
	/** Undefined while nothing has come again. */
	private known: boolean | undefined;

	get counts(): boolean {
		return this.known === true;
	}

	/** Another queue may have its name by now. */
	connected(): void {
		this.known = undefined;
	}

	/** @returns how often the queue counted it back; undefined where it does not count */
	returnsOf({ redelivered, returns }: Delivery): number | undefined {
		if (!redelivered) return undefined;
		if (returns === undefined) this.known = false;
		this.known ??= true;
		return this.known ? returns : undefined;
	}
}
