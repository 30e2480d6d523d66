import type { Clock } from '../../../service/surroundings';

/** The clock of one process: when the process is gone, nothing it waited for ever comes. */
export interface ProcessClock extends Clock {
	readonly pending: number;
	stop(): void;
}

export function processClock(clock: Clock): ProcessClock {
	const waits = new Set<() => void>();
	let stopped = false;
	return {
		now: () => clock.now(),
		after(delayMs, callback) {
			if (stopped) return () => {};
			const cancel = clock.after(delayMs, () => {
				waits.delete(cancel);
				callback();
			});
			waits.add(cancel);
			return () => {
				waits.delete(cancel);
				cancel();
			};
		},
		get pending() {
			return waits.size;
		},
		stop() {
			stopped = true;
			for (const cancel of waits) cancel();
			waits.clear();
		},
	};
}
