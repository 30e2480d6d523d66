import type { ConsumeMessage } from 'amqplib';
import { backoffMs } from '../backoff';
import { ServiceError } from '../errors';
import { pause, within, type Clock, type Logger } from '../surroundings';
import type { QueueAddress } from './address';
import { newAttempt } from './attempt';
import type { Link, OpenLink } from './link';
import { Outage } from './outage';
import { brokerError } from './refusal';

/** What becomes of a message: removed, put back in its place, or rejected (dead-lettered where the broker does that). */
export type Settlement = 'remove' | 'giveBack' | 'reject';

/** One delivery of one message. */
export interface Delivery {
	readonly body: Buffer;
	readonly redelivered: boolean;
	/** Settles on the channel that delivered it, or not at all: the broker delivers again what it was not told. */
	settle(settlement: Settlement): void;
}

export interface SessionOptions {
	queue: string;
	/** Names the session in log lines and in the broker's own tools. */
	title: string;
	/** Read again before every connection. */
	readAddress(): Promise<QueueAddress>;
	openLink: OpenLink;
	/** Messages in flight at most; asked whenever consuming begins. */
	prefetch(): number;
	/** The account was accepted and the queue is there. Comes before the first delivery. */
	onAccepted(address: QueueAddress): void;
	onDelivery(delivery: Delivery): void;
	/** The link is gone: whatever was delivered and not settled will be delivered again. */
	onLost(): void;
	/** Once per outage that ends only when a person acts. */
	onOutage(error: ServiceError): void;
	clock: Clock;
	logger: Logger;
	random?: () => number;
}

const WAITS = { lowMs: 1_000, highMs: 30_000 };
const SHORTEST_WAIT_MS = 1_000;
const CANCEL_DEADLINE_MS = 3_000;
/** For each step with the queue: its broker may be well, and beat, while the queue is not. */
const QUEUE_DEADLINE_MS = 30_000;

/**
 * What a consumer has anyhow. Said aloud, RabbitMQ refuses to give it one of a stream: that knows no priorities, takes no
 * event back, and leaves out, at the next connection, all that came in between.
 */
const USUAL_PRIORITY = { priority: 0 };

/**
 * Keeps one queue consumed for as long as it is open, whatever happens to the broker.
 *
 * One loop: read the address → connect, log in → check that the queue is there (never declare it) → limit what may be in
 * flight → consume → until the link is lost: connection closed, channel closed, or consumer cancelled, by whatever cause →
 * wait a little longer than last time → again, without end. One log line when the queue goes, one when it is back.
 */
export class Session {
	private link: Link | undefined;
	private consumerTag: string | undefined;
	private consuming = true;
	private closed = false;
	/** Wakes the loop from its wait. */
	private wake = new AbortController();
	private attempt = newAttempt();
	/** Channel operations one after another: a cancel must not overtake the consume before it. */
	private queueOfWork: Promise<void> = Promise.resolve();

	constructor(private readonly options: SessionOptions) {}

	/** Begins the loop. */
	start(): void {
		void this.run();
	}

	/** True while events flow. */
	get listening(): boolean {
		return this.consumerTag !== undefined && this.link?.isLost === false;
	}

	/**
	 * Resolves when the queue is being consumed; rejects with the first reason why it cannot be, while the loop goes on.
	 * A session that is waiting to try again tries at once.
	 */
	async untilListening(): Promise<void> {
		if (this.listening) return;
		const { result } = this.attempt;
		this.wake.abort();
		await result;
	}

	/** Consumes with the limit of now. Deliveries of the consumer before stay valid: they belong to the channel. */
	refresh(): Promise<void> {
		this.consuming = true;
		return this.onChannel(async (link) => {
			await this.cancelConsumer(link);
			await this.consume(link);
		});
	}

	/** No further delivery; what was delivered can still be settled. Takes three seconds at most. */
	async stopConsuming(): Promise<void> {
		this.consuming = false;
		const cancelled = this.onChannel((link) => this.cancelConsumer(link));
		// A frozen broker answers nothing, and the host does not wait longer than a few seconds for a trigger to close.
		await Promise.race([cancelled, pause(this.options.clock, CANCEL_DEADLINE_MS)]);
	}

	/** Ends the loop and the connection. What is unsettled goes back to the queue. */
	async close(): Promise<void> {
		this.closed = true;
		this.wake.abort();
		this.attempt.fail(new ServiceError('cancelled', 'The session was closed'));
		await this.link?.close();
	}

	private async run(): Promise<void> {
		const { options } = this;
		const outage = new Outage(options);
		for (let failures = 0; !this.closed;) {
			this.wake = new AbortController();
			const reason = await this.connectOnce(() => {
				failures = 0;
				outage.over();
			});
			if (this.closed) break;
			options.onLost();
			outage.goesOn(reason);
			failures += 1;
			await pause(
				options.clock,
				Math.max(SHORTEST_WAIT_MS, backoffMs(failures, WAITS, options.random)),
				this.wake.signal,
			);
		}
	}

	/** One connection from its opening to its loss; answers the reason. */
	private async connectOnce(onListening: () => void): Promise<ServiceError> {
		const { queue, title, clock, logger } = this.options;
		const attempt = this.attempt;
		let link: Link | undefined;
		try {
			const address = await this.options.readAddress();
			link = await this.options.openLink(address, title, clock, logger);
			if (this.closed) return new ServiceError('cancelled', 'closed');
			await this.inTime(link.channel.checkQueue(queue));
			// Closed meanwhile: close() knew nothing of this link.
			if (this.closed) return new ServiceError('cancelled', 'closed');
			this.link = link;
			// What was asked on the link before may never be answered.
			this.queueOfWork = Promise.resolve();
			this.options.onAccepted(address);
			if (this.consuming) await this.onChannel((current) => this.consume(current), true);
			onListening();
			attempt.succeed();
			return brokerError(await link.lost, queue);
		} catch (error) {
			const reason = brokerError(error, queue);
			attempt.fail(reason);
			return reason;
		} finally {
			this.attempt = newAttempt();
			this.consumerTag = undefined;
			this.link = undefined;
			await link?.close();
		}
	}

	private async consume(link: Link): Promise<void> {
		await link.channel.prefetch(this.options.prefetch());
		const onMessage = (message: ConsumeMessage | null) => {
			if (message) this.options.onDelivery(deliveryOf(link, message));
			else link.lose(new ServiceError('unavailable', 'The message queue ended the subscription'));
		};
		const { consumerTag } = await link.channel.consume(this.options.queue, onMessage, USUAL_PRIORITY);
		this.consumerTag = consumerTag;
	}

	private async cancelConsumer(link: Link): Promise<void> {
		const tag = this.consumerTag;
		this.consumerTag = undefined;
		if (tag !== undefined) await link.channel.cancel(tag);
	}

	/** Runs work on the open channel after the work before it; a failure means the link is lost. Never throws unless asked to. */
	private async onChannel(work: (link: Link) => Promise<void>, throwing = false): Promise<void> {
		const { link } = this;
		if (!link) return;
		const done = this.queueOfWork.then(() => (link.isLost ? undefined : this.inTime(work(link))));
		this.queueOfWork = done.catch((error) => link.lose(brokerError(error, this.options.queue)));
		await (throwing ? done : this.queueOfWork);
	}

	private async inTime<T>(step: Promise<T>): Promise<T> {
		return await within(this.options.clock, QUEUE_DEADLINE_MS, step, () => new Error('timeout'));
	}
}

function deliveryOf(link: Link, message: ConsumeMessage): Delivery {
	return {
		body: message.content,
		redelivered: message.fields.redelivered,
		settle(settlement) {
			if (link.isLost) return;
			try {
				if (settlement === 'remove') link.channel.ack(message);
				else link.channel.nack(message, false, settlement === 'giveBack');
			} catch (error) {
				link.lose(brokerError(error));
			}
		},
	};
}
