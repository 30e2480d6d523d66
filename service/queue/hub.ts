import { ServiceError } from '../errors';
import { systemClock, type Clock, type Logger } from '../surroundings';
import { sessionKey, type QueueAddress } from './address';
import { Fanout } from './fanout';
import type { EventFilter } from './filter';
import { openLink, type OpenLink } from './link';
import { probeAccount } from './probe';
import { Repeats } from './repeats';
import type { DeliveredEvent, Subscription } from './subscription';

/** Memories of subscribers that left are kept for as many as this, the longest unused out first. */
const MEMORIES = 100;

/** The interface a second copy of this package meets when it joins: it may grow, and never changes (version 1). */
export interface Hub {
	/**
	 * Lets a subscriber in. Two subscribers of one queue share one connection and each get every event they ask for.
	 * @param patient consume only when no other subscriber has joined for five seconds (at most a minute), not for a moment
	 * @throws {ServiceError} `unauthorized` when the queue is listened to already and its own password is refused
	 */
	subscribe(subscription: Subscription, patient: boolean): Promise<Membership>;
	/** A copy of each further event of a queue that is listened to in this process; undefined when none listens. */
	tap(
		address: QueueAddress,
		queue: string,
		filter: EventFilter,
		onEvent: (event: DeliveredEvent) => void,
	): (() => void) | undefined;
}

export interface Membership {
	/** Resolves when events flow; rejects with the first reason why they cannot, while it goes on being tried. */
	untilListening(): Promise<void>;
	/** No further event starts a run from here on; what runs is settled in the background. Safe to call twice. */
	leave(): Promise<void>;
}

const PLACE = Symbol.for('n8n-nodes-parcel-document-exchange/hub/1');

/** The hub of this process, also for code of this package that was loaded a second time (an update does that). */
export function hubOfProcess(logger: Logger): Hub {
	const places = globalThis as { [PLACE]?: Hub };
	return (places[PLACE] ??= createHub(logger, systemClock));
}

/** A hub of its own, for tests; everybody else takes {@link hubOfProcess}. */
export function createHub(logger: Logger, clock: Clock, open: OpenLink = openLink): Hub {
	const fanouts = new Map<string, Fanout>();
	/** Where a subscriber is now: an edited credential may move it. One that was put out leaves without a word. */
	const homes = new WeakMap<Subscription, Fanout>();
	const memories = new Map<string, Repeats>();

	const repeatsOf = (subscriber: string) => {
		const memory = memories.get(subscriber) ?? new Repeats(clock);
		memories.delete(subscriber);
		memories.set(subscriber, memory);
		for (const [oldest] of memories) {
			if (memories.size <= MEMORIES) break;
			memories.delete(oldest);
		}
		return memory;
	};

	const fanoutOf = (key: string, queue: string) => {
		const known = fanouts.get(key);
		if (known) return known;
		const fanout: Fanout = new Fanout({
			key,
			queue,
			openLink: open,
			clock,
			logger,
			repeatsOf,
			onMoved: (subscription, newKey) => {
				if (homes.get(subscription) !== fanout) return;
				void fanout.leave(subscription);
				enter(subscription, newKey, true);
			},
			onEmpty: () => {
				if (fanouts.get(key) === fanout) fanouts.delete(key);
			},
		});
		fanouts.set(key, fanout);
		return fanout;
	};

	const enter = (subscription: Subscription, key: string, patient: boolean) => {
		const fanout = fanoutOf(key, subscription.queue);
		homes.set(subscription, fanout);
		fanout.join(subscription, patient);
	};

	return {
		async subscribe(subscription, patient) {
			if (subscription.queue.trim() === '') {
				throw new ServiceError('invalidInput', 'The queue name is empty', {
					remedy: 'Fill in Queue in the trigger.',
				});
			}
			const address = await subscription.readAddress();
			const key = sessionKey(address, subscription.queue);
			// Sharing a connection must not spare anybody the login.
			if (fanouts.get(key)?.mustProve(address)) await probeAccount(address, clock, logger, open);
			enter(subscription, key, patient);
			return {
				untilListening: async () => await homes.get(subscription)?.untilListening(),
				leave: async () => {
					const home = homes.get(subscription);
					homes.delete(subscription);
					await home?.leave(subscription);
				},
			};
		},
		tap(address, queue, filter, onEvent) {
			const fanout = fanouts.get(sessionKey(address, queue));
			return fanout?.listening ? fanout.tap(filter, onEvent) : undefined;
		},
	};
}
