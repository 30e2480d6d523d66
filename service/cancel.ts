import { setMaxListeners } from 'node:events';
import { ServiceError } from './errors';

const own = new WeakMap<AbortSignal, AbortSignal>();

/**
 * A signal of ours that fires with the host's. Any number of calls may listen to it: Node warns of a leak when more
 * than ten listen to one signal, and the host's is the same for a whole execution.
 */
export function sharedSignal(signal: AbortSignal | undefined): AbortSignal | undefined {
	if (!signal) return undefined;
	let shared = own.get(signal);
	if (!shared) {
		const controller = new AbortController();
		shared = controller.signal;
		setMaxListeners(0, shared);
		if (signal.aborted) controller.abort();
		else signal.addEventListener('abort', () => controller.abort(), { once: true });
		own.set(signal, shared);
	}
	return shared;
}

/** What a call ends with that was not wanted any more: `cancelled`. */
export function cancelled(): ServiceError {
	return new ServiceError('cancelled', 'The run was stopped.');
}

/** @throws ServiceError `cancelled` */
export function throwIfCancelled(signal: AbortSignal | undefined): void {
	if (signal?.aborted) throw cancelled();
}

/**
 * The promise's outcome, or `cancelled` as soon as the signal fires. For waits that others share, or that do not
 * listen to the signal themselves: what they come to afterwards is dropped.
 */
export async function unlessCancelled<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
	// Nobody may be left to see a failure.
	promise.catch(() => undefined);
	throwIfCancelled(signal);
	if (!signal) return await promise;
	let stop = () => {};
	const stopped = new Promise<never>((_resolve, reject) => {
		stop = () => reject(cancelled());
	});
	signal.addEventListener('abort', stop, { once: true });
	try {
		return await Promise.race([promise, stopped]);
	} finally {
		signal.removeEventListener('abort', stop);
	}
}
