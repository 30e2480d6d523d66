import { backoffMs } from '../backoff';
import { isServiceError, type ServiceError } from '../errors';
import { pause, type Clock, type Logger } from '../surroundings';
import { throwIfCancelled } from '../cancel';

/** How often a call is tried at most. */
const TRIES = 4;

const LIMITS = { lowMs: 1_000, highMs: 10_000 };

/** A service that asks for a longer rest than this is not waited for: the error says how long it asked for. */
const LONGEST_REST_MS = 60_000;

/**
 * Whether a failed call may be sent again: when the connection was lost, when the other side was silent, and when the
 * service says "later" (429, 502, 503, 504). The method does not matter here because every request of this client only
 * reads: its GETs and the search POST (the service's interface, part 4). One that writes must not go through this.
 */
function mayBeSentAgain(error: unknown): error is ServiceError {
	if (!isServiceError(error)) return false;
	// A login has tries of its own.
	if (error.login || (error.retryAfterMs ?? 0) > LONGEST_REST_MS) return false;
	switch (error.code) {
		case 'network':
		case 'timeout':
		case 'rateLimited':
			return true;
		case 'unavailable':
			return [502, 503, 504].includes(error.httpStatus ?? 0);
		default:
			return false;
	}
}

interface RetryOptions {
	clock: Clock;
	logger: Logger;
	signal?: AbortSignal;
	tries?: number;
	/** 0 ≤ random() < 1, for the jitter. */
	random?: () => number;
}

/** Makes a call, up to four times, with growing pauses in between and never sooner than the service asked for. */
export async function retrying<T>(call: () => Promise<T>, options: RetryOptions): Promise<T> {
	const { clock, logger, signal, tries = TRIES, random } = options;
	for (let tried = 1; ; tried++) {
		try {
			return await call();
		} catch (error) {
			if (tried >= tries || !mayBeSentAgain(error)) throw error;
			const waitMs = Math.round((error.retryAfterMs ?? 0) + backoffMs(tried, LIMITS, random));
			logger.debug(`${error.message} Trying again in ${waitMs} ms (${tried + 1} of ${tries}).`);
			await pause(clock, waitMs, signal);
			throwIfCancelled(signal);
		}
	}
}
