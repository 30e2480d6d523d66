import type { Clock } from '../surroundings';
import { inTime } from './inTime';
import type { Link } from './link';
import { brokerError } from './refusal';

/** What the broker says of a queue that is read here. */
export interface QueueLook {
	/** Messages that no reader has in hand. */
	ready: number;
	/** Beside this one. */
	otherReaders: number;
}

/** What the broker says of a queue, whoever reads it. */
interface QueueState {
	consumerCount: number;
	messageCount: number;
}

/** Asks the broker about one queue. Passive: the account of a reader may not declare. */
export class QueueAsker {
	constructor(
		private readonly queue: string,
		private readonly clock: Clock,
	) {}

	/** @param tentative the connection outlives a refusal */
	async check(link: Link, tentative = false): Promise<QueueState> {
		const channel = await this.inTime(tentative ? link.openTentative() : link.openChannel());
		const state = await this.inTime(channel.checkQueue(this.queue));
		await this.inTime(link.closeChannel(channel));
		return state;
	}

	/**
	 * Of a queue that is read over this connection.
	 * @param isIdle nothing was delivered here
	 * @returns undefined where the answer tells nothing
	 */
	async look(link: Link, isIdle: () => boolean): Promise<QueueLook | undefined> {
		const { messageCount, consumerCount } = await this.check(link, true);
		// Without its leader, a quorum queue is said to be empty and to be read by nobody (RabbitMQ 3.10).
		if (consumerCount === 0) return undefined;
		const standsBy = consumerCount === 1 && messageCount === 0 && isIdle() && !(await this.mayFetch(link));
		return { ready: messageCount, otherReaders: standsBy ? 1 : consumerCount - 1 };
	}

	/** Of a queue that is not read over this connection. */
	async lookFromOutside(link: Link): Promise<QueueLook | undefined> {
		const { messageCount, consumerCount } = await this.check(link, true);
		// Without its leader it looks like one that is empty and at rest, and only that one lets fetch.
		if (consumerCount === 0 && messageCount === 0 && !(await this.mayFetch(link))) return undefined;
		return { ready: messageCount, otherReaders: consumerCount };
	}

	/**
	 * A quorum queue with a single active consumer lets nobody fetch. It counts the active one only, so whoever stands by
	 * would think to be alone (RabbitMQ 3.10). Asked where nothing is ready: what came just now goes back with the channel.
	 */
	private async mayFetch(link: Link): Promise<boolean> {
		const channel = await this.inTime(link.openTentative());
		try {
			await this.inTime(channel.get(this.queue, { noAck: false }));
		} catch (error) {
			if (brokerError(error).takenMeanwhile) return false;
			throw error;
		} finally {
			await this.inTime(link.closeChannel(channel)).catch(() => {});
		}
		return true;
	}

	private async inTime<T>(step: Promise<T>): Promise<T> {
		return await inTime(this.clock, step);
	}
}
