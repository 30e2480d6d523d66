import { ServiceError } from '../errors';

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
