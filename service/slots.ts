import { throwIfCancelled } from './cancel';

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
	async use<T>(signal: AbortSignal | undefined, task: () => Promise<T>, most = this.count): Promise<T> {
		await new Promise<void>((begin) => {
			this.queue.push({ most, begin });
			this.fill();
		});
		try {
			throwIfCancelled(signal);
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
