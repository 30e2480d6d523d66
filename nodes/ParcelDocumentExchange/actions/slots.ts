import { ServiceError } from '../../../service/errors';

/** @throws ServiceError `cancelled` when the run was stopped, or nobody wants the answer any more */
export function refuseWhenStopped(signal: AbortSignal): void {
	if (signal.aborted) throw new ServiceError('cancelled', 'The run was stopped');
}

/** So many tasks side by side, the others wait their turn in the order they came. */
export class Slots {
	private running = 0;
	private readonly queue: Array<{ most: number; begin(): void }> = [];

	constructor(private readonly count = 1) {}

	/**
	 * The task's answer, once it had its turn.
	 *
	 * @param most how many may run side by side when this one begins, itself included
	 * @throws ServiceError `cancelled` when the signal fired before its turn; whatever the task throws
	 */
	async use<T>(signal: AbortSignal, task: () => Promise<T>, most = this.count): Promise<T> {
		await new Promise<void>((begin) => {
			this.queue.push({ most, begin });
			this.fill();
		});
		try {
			refuseWhenStopped(signal);
			return await task();
		} finally {
			this.running--;
			this.fill();
		}
	}

	private fill(): void {
		for (let [next] = this.queue; next && this.running < next.most; [next] = this.queue) {
			this.queue.shift();
			this.running++;
			next.begin();
		}
	}
}
