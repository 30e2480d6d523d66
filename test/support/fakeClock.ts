import type { Clock } from '../../service/surroundings';

/** A clock whose waits are over at once; it keeps what was waited. */
export interface FakeClock extends Clock {
	/** In milliseconds, in their order. */
	waits: number[];
	/** Called before each wait is over: the world changes meanwhile. */
	onWait: (waits: number) => void;
}

export function fakeClock(): FakeClock {
	let now = Date.UTC(2026, 10, 20, 10);
	const clock: FakeClock = {
		waits: [],
		onWait: () => {},
		now: () => now,
		after(delayMs, callback) {
			const immediate = setImmediate(() => {
				now += delayMs;
				clock.waits.push(delayMs);
				clock.onWait(clock.waits.length);
				callback();
			});
			return () => clearImmediate(immediate);
		},
	};
	return clock;
}
