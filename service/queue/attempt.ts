import type { ServiceError } from '../errors';

/** The result of the connection attempt under way, for whoever waits for it. */
export function newAttempt() {
	let succeed!: () => void;
	let fail!: (error: ServiceError) => void;
	const result = new Promise<void>((resolve, reject) => {
		succeed = resolve;
		fail = reject;
	});
	result.catch(() => {});
	return { result, succeed, fail };
}
