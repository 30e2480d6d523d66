/**
 * The two signs that what went back to a queue does not come again. What comes again stands before all that was never
 * delivered: so a message that is delivered for the first time is one, and a queue on which nothing waits is the other.
 */
export class Signs {
	/** Since when there has been the first. */
	private newerAt: number | undefined;
	/** Since when nothing waits. */
	private noneSince: number | undefined;
	/** None from before this moment counts. */
	private countFrom = -Infinity;

	constructor(
		/** The first is believed after so long, in milliseconds. */
		private readonly newerSureMs: number,
		/** The second: a queue that stands still may say so for a while. */
		private readonly noneSureMs: number,
	) {}

	/** More went back. @param countFrom the broker may not have found out before this moment */
	beginAnew(countFrom: number): void {
		// What was under way to the channel went back unseen, also of what came from an earlier one.
		this.newerAt = undefined;
		this.noneSince = undefined;
		this.countFrom = Math.max(this.countFrom, countFrom);
	}

	/** See {@link beginAnew}. */
	get notBefore(): number {
		return this.countFrom;
	}

	/** One that is waited for came: over a slow line, the others may be on their way still. */
	oneCame(now: number): void {
		if (this.newerAt !== undefined) this.newerAt = now;
		if (this.noneSince !== undefined) this.noneSince = now;
	}

	/** One came for the first time. @returns whether that is the first sign of its kind */
	newerCame(now: number): boolean {
		if (this.newerAt !== undefined || now < this.countFrom) return false;
		this.newerAt = now;
		return true;
	}

	/** @param ready messages that wait on the queue */
	looked(ready: number, now: number): void {
		if (now < this.countFrom) return;
		this.noneSince = ready === 0 ? (this.noneSince ?? now) : undefined;
	}

	get any(): boolean {
		return this.newerAt !== undefined || this.noneSince !== undefined;
	}

	areSure(now: number): boolean {
		return now - (this.newerAt ?? now) >= this.newerSureMs || this.noneIsSure(now);
	}

	/** The second: it speaks of what stands behind all that was never delivered, too. */
	noneIsSure(now: number): boolean {
		return now - (this.noneSince ?? now) >= this.noneSureMs;
	}
}
