import type { Clock } from '../../../service/surroundings';

/** One direction of a connection: what is sent arrives later, in order, or never. */
export interface Wire<T> {
	send(item: T): void;
	/** What is under way and what is sent from here on stays under way. */
	freeze(): void;
	/** What is under way goes on. */
	thaw(): void;
	/** What is under way is gone, and whatever is sent from here on. */
	cut(): void;
	readonly frozen: boolean;
}

/** @param latency of one item in milliseconds; an item that would overtake the one before arrives with it */
export function createWire<T>(clock: Clock, latency: () => number, arrive: (item: T) => void): Wire<T> {
	const underWay: { at: number; item: T }[] = [];
	let last = 0;
	let frozen = false;
	let cut = false;
	let waits: (() => void) | undefined;

	const wait = () => {
		if (waits || frozen || cut || underWay.length === 0) return;
		waits = clock.after(underWay[0]!.at - clock.now(), () => {
			waits = undefined;
			// As a socket is read: all that has come is taken in one go.
			const { at } = underWay[0]!;
			let count = 1;
			while (underWay[count]?.at === at) count += 1;
			for (const { item } of underWay.splice(0, count)) if (!cut) arrive(item);
			wait();
		});
	};
	const rest = () => {
		waits?.();
		waits = undefined;
	};

	return {
		send(item) {
			if (cut) return;
			last = Math.max(last, clock.now() + latency());
			underWay.push({ at: last, item });
			wait();
		},
		freeze() {
			frozen = true;
			rest();
		},
		thaw() {
			frozen = false;
			wait();
		},
		cut() {
			cut = true;
			underWay.length = 0;
			rest();
		},
		get frozen() {
			return frozen;
		},
	};
}
