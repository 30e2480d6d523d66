import type { StatusEvent } from '../model/event';
import type { Clock, Logger } from '../surroundings';
import type { Bounds } from './bounds';
import type { Subscription } from './contract';
import { orderKeyOf } from './entry';
import { Lane } from './lane';
import type { Message } from './message';
import { Multimap } from './multimap';
import { isVersionOf } from './presence';
import { Repeats } from './repeats';

/** Memories of subscribers that left are kept for as many as this, the longest unused out first. */
const MEMORIES = 100;

/**
 * The lanes of a process, one for each subscriber and place of a queue, whichever connection delivers its events: who moves
 * from one user to another takes along what runs, what waits, and what it remembers. What came from a queue of the same name
 * elsewhere never meets it.
 */
export class Lanes {
	private readonly lanes = new Map<string, Lane>();
	private readonly bySubscriber = new Multimap<string, Lane>();
	private readonly memories = new Map<string, Repeats>();

	constructor(private readonly surroundings: { clock: Clock; logger: Logger; bounds: Bounds }) {}

	of(subscription: Subscription, place: string): Lane {
		const key = JSON.stringify([place, subscription.key]);
		const known = this.lanes.get(key);
		if (known) return known;
		for (const [each, lane] of this.lanes) {
			if (lane.isWatched) continue;
			this.lanes.delete(each);
			this.bySubscriber.delete(lane.subscription.key, lane);
		}
		const repeats = this.repeatsOf(subscription.key);
		const lane = new Lane({ subscription, repeats, ...this.surroundings });
		this.lanes.set(key, lane);
		this.bySubscriber.add(subscription.key, lane);
		return lane;
	}

	/** The same subscriber has an earlier event of its set in hand from elsewhere: it may be one queue, with another port or host. */
	overtakes({ event, number }: Message, lane: Lane): boolean {
		if (!event) return false;
		return this.elsewhere(lane).some((each) => each.holdsEarlier(orderKeyOf(event.event), number));
	}

	/** The lane of the same subscriber that has it in hand elsewhere. */
	inHandElsewhere(event: StatusEvent, lane: Lane): Lane | undefined {
		return this.elsewhere(lane).find((each) => each.hasInHand(event));
	}

	private elsewhere(lane: Lane): Lane[] {
		const own = this.bySubscriber.all(lane.subscription.key);
		return [...own].filter((each) => each !== lane && each.isWatched);
	}

	/** Events that wait in the lane of a subscriber; none where it has never been let in. */
	restingOf(subscription: Subscription): number {
		return [...this.bySubscriber.all(subscription.key)]
			.filter((lane) => isVersionOf(lane.subscription, subscription))
			.reduce((sum, { resting }) => sum + resting, 0);
	}

	/** Those that start runs, of all queues: one host runs them all. */
	get open(): Lane[] {
		return [...this.lanes.values()].filter(({ isOpen }) => isOpen);
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
