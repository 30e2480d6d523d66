import type { Clock } from '../surroundings';
import type { Bounds } from './bounds';

/** Tells a person that a workflow waits: after a while, then once a day, and never twice an hour. */
export class WaitReports {
	private lastReportAt = -Infinity;
	private cancelTimer = () => {};

	constructor(
		private readonly clock: Clock,
		private readonly bounds: Bounds,
		/** Since when it waits; undefined where nobody is to be told. */
		private readonly since: () => number | undefined,
		private readonly tell: (since: number) => void,
	) {}

	/**
	 * Something changed: it may wait from now on, or no longer.
	 * @param noSoonerMs nothing is told before, unless one looks again
	 */
	look(noSoonerMs = 0): void {
		const { clock, bounds } = this;
		this.cancel();
		const since = this.since();
		if (since === undefined) return;
		const dueAt =
			this.lastReportAt < since
				? Math.max(since + bounds.reportWaitAfterMs, this.lastReportAt + bounds.reportWaitAtMostMs)
				: this.lastReportAt + bounds.reportWaitEveryMs;
		this.cancelTimer = clock.after(Math.max(noSoonerMs, dueAt - clock.now()), () => {
			const stillSince = this.since();
			if (stillSince !== undefined) {
				this.lastReportAt = clock.now();
				this.tell(stillSince);
			}
			this.look();
		});
	}

	cancel(): void {
		this.cancelTimer();
	}
}
