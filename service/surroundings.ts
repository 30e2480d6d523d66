/** Where lines for the administrator go. Meta never holds a secret. */
export interface Logger {
	debug(message: string, meta?: Record<string, unknown>): void;
	info(message: string, meta?: Record<string, unknown>): void;
	warn(message: string, meta?: Record<string, unknown>): void;
	error(message: string, meta?: Record<string, unknown>): void;
}

/** Time as the code below sees it; tests inject their own. */
export interface Clock {
	/** Milliseconds since 1970, for waits and ages: it goes on steadily when somebody sets the clock of the machine. */
	now(): number;
	/** Calls back once after so many milliseconds; the answer takes it back. A pending call keeps no process alive. */
	after(delayMs: number, callback: () => void): () => void;
}

/** That of the host: milliseconds since 1970, never set back. */
export const systemClock: Clock = {
	// Set back by an hour while a batch fills, Date.now() would hold its events until the broker takes them back.
	now: () => Math.floor(performance.timeOrigin + performance.now()),
	after(delayMs, callback) {
		const timer = setTimeout(callback, delayMs);
		timer.unref();
		return () => clearTimeout(timer);
	},
};

/**
 * Resolves after so many milliseconds, or at once when the signal fires (without throwing: the caller looks at the signal).
 */
export function pause(clock: Clock, delayMs: number, signal?: AbortSignal): Promise<void> {
	if (signal?.aborted) return Promise.resolve();
	return new Promise((resolve) => {
		const done = () => {
			cancel();
			signal?.removeEventListener('abort', done);
			resolve();
		};
		const cancel = clock.after(delayMs, done);
		signal?.addEventListener('abort', done, { once: true });
	});
}

/** What `work` comes to, or the error of `late` where it comes to nothing in so many milliseconds. */
export async function within<T>(
	clock: Clock,
	limitMs: number,
	work: Promise<T>,
	late: () => Error,
): Promise<T> {
	let cancel = () => {};
	const deadline = new Promise<never>((_, reject) => {
		cancel = clock.after(limitMs, () => reject(late()));
	});
	try {
		return await Promise.race([work, deadline]);
	} finally {
		cancel();
	}
}
