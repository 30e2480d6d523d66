/** A promise with its ends outside, as n8n hands one to `emit`. */
export interface Deferred<T> {
	promise: Promise<T>;
	resolve(value: T): void;
	reject(error: Error): void;
}

export function deferred<T>(): Deferred<T> {
	let resolve!: (value: T) => void;
	let reject!: (error: Error) => void;
	const promise = new Promise<T>((resolveIt, rejectIt) => {
		resolve = resolveIt;
		reject = rejectIt;
	});
	return { promise, resolve, reject };
}
