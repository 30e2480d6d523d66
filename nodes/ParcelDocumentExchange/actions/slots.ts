import { ServiceError } from '../../../service/errors';

/** @throws ServiceError `cancelled` when the run was stopped, or nobody wants the answer any more */
export function refuseWhenStopped(signal: AbortSignal): void {
	if (signal.aborted) throw new ServiceError('cancelled', 'The run was stopped');
}

/** So many tasks side by side, the others wait their turn in the order they came. */
export class Slots {
	private free: number;
	private readonly queue: Array<() => void> = [];

	constructor(count: number) {
		this.free = count;
	}

	/**
	 * The task's answer, once it had its turn.
	 *
	 * @throws ServiceError `cancelled` when the signal fired before its turn; whatever the task throws
	 */
	async use<T>(signal: AbortSignal, task: () => Promise<T>): Promise<T> {
		if (this.free > 0) this.free--;
		else await new Promise<void>((turn) => this.queue.push(turn));
		try {
			refuseWhenStopped(signal);
			return await task();
		} finally {
			const next = this.queue.shift();
			if (next) next();
			else this.free++;
		}
	}
}
