import type { Clock } from '../../service/surroundings';

/** Time that moves only when told to. */
export interface ManualClock extends Clock {
	/** Moves on by so many milliseconds; what falls due on the way is called in order, with its consequences. */
	advance(ms: number): Promise<void>;
	/** Calls that are still to come. */
	readonly pending: number;
}

export function manualClock(start = Date.UTC(2026, 10, 20)): ManualClock {
	let now = start;
	let number = 0;
	const calls = new Map<number, { at: number; callback: () => void }>();
	return {
		now: () => now,
		after(delayMs, callback) {
			const id = (number += 1);
			calls.set(id, { at: now + delayMs, callback });
			return () => void calls.delete(id);
		},
		get pending() {
			return calls.size;
		},
		async advance(ms) {
			const end = now + ms;
			for (;;) {
				await settled();
				const [due] = [...calls]
					.filter(([, { at }]) => at <= end)
					.sort(([a, x], [b, y]) => x.at - y.at || a - b);
				if (!due) break;
				const [id, { at, callback }] = due;
				calls.delete(id);
				now = Math.max(now, at);
				callback();
			}
			now = end;
		},
	};
}

/** Everything that only waits for promises has happened. */
export function settled(): Promise<void> {
	return new Promise((resolve) => setImmediate(resolve));
}
