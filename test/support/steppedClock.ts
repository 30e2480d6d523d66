import type { Clock } from '../../service/surroundings';

/** A clock that a test moves. */
export interface SteppedClock extends Clock {
	/** Lets so much time pass. */
	advance(milliseconds: number): void;
	/** Every pause asked for so far, in milliseconds. Pauses end at once, and that much time has passed. */
	pauses: number[];
	/** Called as each pause ends: the world changes meanwhile. */
	onPause: (pauses: number) => void;
}

/** Time stands still but for pauses shorter than ten minutes, which are over as soon as they are asked for. */
export function steppedClock(start = Date.UTC(2026, 10, 20, 9, 48, 18)): SteppedClock {
	let now = start;
	const pauses: number[] = [];
	const clock: SteppedClock = {
		pauses,
		onPause: () => undefined,
		now: () => now,
		advance: (milliseconds) => void (now += milliseconds),
		after(delayMs, callback) {
			// A deadline of half an hour is not a pause: it never comes.
			if (delayMs >= 600_000) return () => undefined;
			pauses.push(delayMs);
			let asked = true;
			setImmediate(() => {
				if (!asked) return;
				now += delayMs;
				clock.onPause(pauses.length);
				callback();
			});
			return () => void (asked = false);
		},
	};
	return clock;
}
