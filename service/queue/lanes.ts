import type { Clock, Logger } from '../surroundings';
import type { Bounds } from './bounds';
import type { Subscription } from './contract';
import { Lane } from './lane';
import { Repeats } from './repeats';

/** Memories of subscribers that left are kept for as many as this, the longest unused out first. */
const MEMORIES = 100;

/**
 * The lanes of a process, one for each subscriber of a queue, whichever connection delivers its events: who moves to another
 * user, host, port or virtual host takes along what runs, what waits, and what it remembers.
 */
export class Lanes {
	private readonly lanes = new Map<string, Lane>();
	private readonly memories = new Map<string, Repeats>();

	constructor(private readonly surroundings: { clock: Clock; logger: Logger; bounds: Bounds }) {}

	of(subscription: Subscription): Lane {
		const key = keyOf(subscription);
		const known = this.lanes.get(key);
		if (known) return known;
		this.forgetLeft();
		const repeats = this.repeatsOf(subscription.key);
		const lane = new Lane({ subscription, repeats, ...this.surroundings });
		this.lanes.set(key, lane);
		return lane;
	}

	/** Events that wait in the lane of a subscriber; none where it has never been let in. */
	restingOf(subscription: Subscription): number {
		return this.lanes.get(keyOf(subscription))?.resting ?? 0;
	}

	/** Those that left this queue with something that had failed: it goes back when the last one has left, and comes again. */
	leftUnfinished(queue: string, place: string): Subscription[] {
		const unfinished = [...this.leftFrom(queue, place)].filter(({ someHadFailed }) => someHadFailed);
		return unfinished.map(({ subscription }) => subscription);
	}

	/** Those of them that had failed with this one. */
	leftWith(queue: string, place: string, eventId: string): Lane[] {
		return [...this.leftFrom(queue, place)].filter((lane) => lane.hadBegun(eventId));
	}

	/** Asked of each event. */
	private *leftFrom(queue: string, place: string): Generator<Lane, void, undefined> {
		for (const lane of this.lanes.values())
			if (!lane.isOpen && lane.subscription.queue === queue && lane.wasLetIn(place)) yield lane;
	}

	/** Those that start runs, of all queues: one host runs them all. */
	get open(): Lane[] {
		return [...this.lanes.values()].filter(({ isOpen }) => isOpen);
	}

	/** Of those that left, what had failed comes again, and is theirs. */
	private forgetLeft(): void {
		const left = [...this.lanes].filter(([, lane]) => !lane.isWatched);
		const unfinished = left.filter(([, lane]) => lane.someHadFailed).slice(-MEMORIES);
		for (const each of left) if (!unfinished.includes(each)) this.lanes.delete(each[0]);
	}

	private repeatsOf(subscriber: string): Repeats {
		const { clock, bounds } = this.surroundings;
		const memory = this.memories.get(subscriber) ?? new Repeats(clock, bounds);
		this.memories.delete(subscriber);
		this.memories.set(subscriber, memory);
		const used = new Set([...this.lanes.values()].map((lane) => lane.subscription.key));
		const left = [...this.memories.keys()].filter((key) => !used.has(key));
		for (const oldest of left.slice(0, -MEMORIES)) this.memories.delete(oldest);
		return memory;
	}
}

/** All versions of a trigger on one queue have the same. */
const keyOf = ({ queue, key }: Subscription) => JSON.stringify([queue, key]);
