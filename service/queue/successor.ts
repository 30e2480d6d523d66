import type { Clock } from '../surroundings';
import type { Bounds } from './bounds';
import type { QueueLook } from './queueLook';

/**
 * While runs go on after everybody left: does somebody else read the queue? Where the host has several processes, another
 * one leads now, and what does not run here is its.
 */
export class Successor {
	private watching = false;
	/** Since when each look has shown another reader. */
	private readsSince: number | undefined;
	private cancelLook = () => {};

	constructor(
		private readonly clock: Clock,
		private readonly bounds: Bounds,
		private readonly look: () => Promise<QueueLook | 'noAnswer' | undefined>,
		/** Called once, until {@link end}. */
		private readonly onSure: () => void,
	) {}

	/** Begins, where it has not begun. */
	watch(): void {
		if (this.watching) return;
		this.watching = true;
		void this.lookOnce();
	}

	/** Somebody is here again, or nothing is left to end. */
	end(): void {
		this.watching = false;
		this.readsSince = undefined;
		this.cancelLook();
	}

	private async lookOnce(): Promise<void> {
		const looked = await this.look();
		if (!this.watching) return;
		const now = this.clock.now();
		const isRead = typeof looked === 'object' && looked.otherReaders > 0;
		this.readsSince = isRead ? (this.readsSince ?? now) : undefined;
		const { successorLookMs, successorSureMs } = this.bounds;
		if (this.readsSince !== undefined && now - this.readsSince >= successorSureMs) return this.onSure();
		this.cancelLook();
		this.cancelLook = this.clock.after(successorLookMs, () => void this.lookOnce());
	}
}
