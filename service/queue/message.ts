import type { DeliveredEvent } from './contract';
import type { Fate, Share, Source } from './entry';
import type { Lane } from './lane';
import type { Delivery } from './delivery';

/** One delivered message, and who has a share in it. */
export class Message {
	private static count = 0;
	/** Undefined while it was not read, and for what is no event. */
	event: DeliveredEvent | undefined;
	readonly bytes: number;
	private readonly shares = new Map<Lane, Fate | 'open'>();

	constructor(
		readonly delivery: Delivery,
		/** In milliseconds of the hub's clock. */
		readonly receivedAt: number,
		/** How often its queue counted it back; undefined where it does not count. */
		readonly returns?: number,
		/** Later ones have higher ones; what went back and comes again has the one that it had. */
		readonly number = (Message.count += 1),
		/** Those that had not ended it when it went back, where nobody was here when it came again. */
		readonly owedTo: readonly Lane[] = [],
	) {
		this.bytes = delivery.body.length;
	}

	get hasShares(): boolean {
		return this.shares.size > 0;
	}

	hasShare(lane: Lane): boolean {
		return this.shares.has(lane);
	}

	/** This lane has a share in it that is not settled. */
	isOpenFor(lane: Lane): boolean {
		return this.shares.get(lane) === 'open';
	}

	/** Those with a share in it that is not settled. */
	get openLanes(): Lane[] {
		return [...this.shares.keys()].filter((lane) => this.isOpenFor(lane));
	}

	/** Those with a share in it, settled or not. */
	get lanes(): Iterable<Lane> {
		return this.shares.keys();
	}

	/** Nobody has to settle a share any more. */
	get isDone(): boolean {
		for (const fate of this.shares.values()) if (fate === 'open') return false;
		return true;
	}

	/** Rejected if one of its lanes gave it up. */
	get fate(): Fate {
		return [...this.shares.values()].includes('reject') ? 'reject' : 'remove';
	}

	/**
	 * @param from see {@link Share.from}
	 * @param onSettled called once, when the share is settled
	 * @param overtakes see {@link Share.overtakes}
	 */
	share(lane: Lane, from: Source, onSettled: () => void, overtakes = () => false): Share {
		this.shares.set(lane, 'open');
		const { deaths } = this.delivery;
		const { bytes, number, returns } = this;
		return {
			bytes,
			number,
			returns,
			deaths,
			from,
			overtakes,
			settle: (fate) => {
				if (this.shares.get(lane) !== 'open') return;
				this.shares.set(lane, fate);
				onSettled();
			},
		};
	}
}
