import type { Channel, ConsumeMessage } from 'amqplib';
import { backoffMs } from '../backoff';
import { ServiceError } from '../errors';
import { pause, within, type Clock, type Logger } from '../surroundings';
import type { QueueAddress } from './contract';
import type { Link, OpenLink } from './link';
import { Outage } from './outage';
import { brokerError, reasonOf } from './refusal';

/** One delivery of one message. */
export interface Delivery {
	readonly body: Buffer;
	readonly redelivered: boolean;
	/** How often the broker says it was given back; undefined on a queue that does not count. */
	readonly returns: number | undefined;
	/** How often it was rejected on this queue and came back by the broker's way of dead letters. */
	readonly deaths: number;
	/** On a queue that has such, higher ones are delivered first; else 0. */
	readonly priority: number;
	/** Settles on the channel that delivered it; without effect when that channel is gone. */
	settle(fate: 'remove' | 'reject'): void;
	/** Back to the queue by itself, out of its place on some types of queue. Only after {@link Session.stopTaking}. */
	giveBack(): void;
}

/** What the broker says of a queue that is read here. */
export interface QueueLook {
	/** Messages that no reader has in hand. */
	ready: number;
	/** Beside this one. */
	otherReaders: number;
}

export interface SessionOptions {
	queue: string;
	/** Names the session in log lines and in the broker's own tools. */
	title: string;
	/** Read again before every connection. */
	readAddress(): Promise<QueueAddress>;
	openLink: OpenLink;
	/** Messages in flight at most; asked whenever a channel is opened, while what the last one delivered still stands. */
	prefetch(): number;
	/**
	 * The account was accepted and the queue is there. Comes before the first delivery.
	 * @param ready messages that wait on the queue
	 * @param readers of the queue at this moment; our own connection before may still be one of them
	 */
	onAccepted(address: QueueAddress, ready: number, readers: number): void;
	onDelivery(delivery: Delivery): void;
	/** The queue is read from now on, over another channel than before. */
	onConsuming(): void;
	/**
	 * Whatever was delivered and not settled goes back to the queue.
	 * @param lost the broker may find that out later
	 */
	onReturned(lost: boolean): void;
	/** Once per outage that ends only when a person acts. */
	onOutage(error: ServiceError): void;
	/** A queue that nobody reads is looked at so often. */
	leaseMs: number;
	clock: Clock;
	logger: Logger;
	random?: () => number;
}

const WAITS = { lowMs: 1_000, highMs: 30_000 };
const SHORTEST_WAIT_MS = 1_000;
/** For each step with the queue: its broker may be well, and beat, while the queue is not. */
const QUEUE_DEADLINE_MS = 30_000;
/** A broker that delivers so many times what was asked for obeys no limit. */
const OVERRUN = 4;

/**
 * What a consumer has anyhow. Said aloud, RabbitMQ refuses to give it one of a stream: that knows no priorities, takes no
 * event back, and leaves out, at the next connection, all that came in between.
 */
const USUAL_PRIORITY = { priority: 0 };

/**
 * Keeps one queue consumed for as long as it is open, whatever happens to the broker.
 *
 * One loop: read the address → connect, log in → check that the queue is there (never declare it) → limit what may be in
 * flight → consume → until the link is lost: connection or channel closed, or consumer cancelled, by whatever cause →
 * wait a little longer than last time → again, without end. One log line when the queue goes, one when it is back.
 *
 * There is one way to give events back: the channel is closed without cancelling its consumer, and another is opened.
 * What it held then comes again in its place, on every type of queue; after a cancel, a second consume on a channel or a
 * negative acknowledgement it does not (measured on RabbitMQ 3.10).
 */
export class Session {
	private link: Link | undefined;
	private channel: Channel | undefined;
	/** The connection of now, or the one that was lost last, was let in. */
	private accepted = false;
	private resting = false;
	private closed = false;
	/** Wakes the loop from its wait. */
	private wake = new AbortController();
	private firstWord = newWord();
	/** Channels one after another, and no more than one change to come. */
	private work: Promise<void> = Promise.resolve();
	private changes = 0;
	private largestPrefetch = 0;
	/** The channel of now has delivered something. */
	private delivers = false;
	/** Names our subscription on the channel of now. */
	private consumerTag: string | undefined;
	/** Nothing more is delivered over the channel of now. */
	private stopped = false;
	private cancelLease = () => {};

	constructor(private readonly options: SessionOptions) {}

	/** Begins the loop. */
	start(): void {
		void this.run();
	}

	/** The account was accepted, and the connection stands. */
	get connected(): boolean {
		return this.link?.isLost === false;
	}

	/** True while events flow, or would if they were not left on the queue. */
	get listening(): boolean {
		return this.link?.isLost === false && (this.channel !== undefined || this.resting) && !this.stopped;
	}

	/** It was told to stop taking, and holds what was delivered before. */
	get takesNothing(): boolean {
		return this.stopped && this.channel !== undefined;
	}

	/**
	 * Resolves when the queue is being consumed; rejects with the first reason why it cannot be, while the loop goes on.
	 * A session that is waiting to try again tries at once.
	 */
	async untilListening(): Promise<void> {
		if (this.listening) return;
		const { result } = this.firstWord;
		this.wake.abort();
		await result;
	}

	/** Another channel on the same connection, with the limit of now: what is unsettled goes back and comes again. */
	renew(): void {
		this.resting = false;
		this.change();
	}

	/** Leaves the events on the queue, until {@link renew}. */
	rest(): void {
		this.resting = true;
		this.change();
		this.keepLease();
	}

	/**
	 * The broker delivers nothing more here, until {@link renew}. What was delivered stays until it is settled or goes back
	 * one by one, and then the order is lost: only where somebody else reads the queue, and gets a part of it anyway.
	 * @returns false where nothing is delivered anyhow
	 */
	async stopTaking(): Promise<boolean> {
		const { link, channel, consumerTag } = this;
		if (!link || link.isLost || !channel || consumerTag === undefined) return false;
		this.stopped = true;
		try {
			await this.inTime(channel.cancel(consumerTag));
		} catch (error) {
			if (this.channel === channel) link.lose(brokerError(await reasonOf(error, link), this.options.queue));
		}
		return this.channel === channel && !link.isLost;
	}

	/** Asks the broker about the queue; undefined where it is not read at this moment. */
	async look(): Promise<QueueLook | 'noAnswer' | undefined> {
		const { link, channel } = this;
		if (!link || link.isLost || !channel || this.stopped) return undefined;
		try {
			const { messageCount, consumerCount } = await this.checkQueue(link, true);
			// Without its leader, a quorum queue is said to be empty and to be read by nobody (RabbitMQ 3.10).
			if (this.channel !== channel || consumerCount === 0) return 'noAnswer';
			const standsBy =
				consumerCount === 1 && messageCount === 0 && !this.delivers && !(await this.mayFetch(link));
			return { ready: messageCount, otherReaders: standsBy ? 1 : consumerCount - 1 };
		} catch {
			return 'noAnswer';
		}
	}

	/** Ends the loop and the connection. What is unsettled goes back to the queue. */
	async close(): Promise<void> {
		this.closed = true;
		this.cancelLease();
		this.wake.abort();
		this.firstWord.fail(new ServiceError('cancelled', 'The session was closed'));
		await this.link?.close();
	}

	private async run(): Promise<void> {
		const { options } = this;
		const outage = new Outage(options);
		for (let failures = 0; !this.closed;) {
			this.wake = new AbortController();
			const reason = await this.connectOnce((others) => {
				failures = 0;
				outage.over(others);
			});
			if (this.closed) break;
			// A connection that was never let in has nothing to lose.
			if (this.accepted) options.onReturned(true);
			this.accepted = false;
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
	private async connectOnce(onListening: (otherReaders: number) => void): Promise<ServiceError> {
		const { queue, title, clock, logger } = this.options;
		const word = this.firstWord;
		let link: Link | undefined;
		try {
			const address = await this.options.readAddress();
			link = await this.options.openLink(address, title, clock, logger);
			if (this.closed) return new ServiceError('cancelled', 'closed');
			const { consumerCount, messageCount } = await this.checkQueue(link);
			// Closed meanwhile: close() knew nothing of this link.
			if (this.closed) return new ServiceError('cancelled', 'closed');
			this.link = link;
			this.accepted = true;
			// What was asked on the link before may never be answered.
			this.work = Promise.resolve();
			this.changes = 0;
			this.options.onAccepted(address, messageCount, consumerCount);
			if (!this.resting) await this.inTime(this.consume(link));
			onListening(consumerCount);
			word.succeed();
			return brokerError(await link.lost, queue);
		} catch (error) {
			const reason = brokerError(await reasonOf(error, link), queue);
			word.fail(reason);
			return reason;
		} finally {
			this.firstWord = newWord();
			this.channel = undefined;
			this.link = undefined;
			await link?.close();
		}
	}

	/** A queue that is to be deleted when it was unused for a while counts from each look at it (`x-expires`). */
	private keepLease(): void {
		const { clock, leaseMs, queue } = this.options;
		this.cancelLease();
		this.cancelLease = clock.after(leaseMs, () => {
			const { link } = this;
			if (!this.resting || this.closed) return;
			this.keepLease();
			if (!link || link.isLost || this.channel) return;
			this.checkQueue(link, true).catch((error) => {
				const reason = brokerError(error, queue);
				if (reason.code === 'notFound') link.lose(reason);
			});
		});
	}

	/**
	 * Passive: the account of a reader may not declare.
	 * @param tentative the connection outlives a refusal
	 * @returns how many others read the queue, and what waits on it
	 */
	private async checkQueue(
		link: Link,
		tentative = false,
	): Promise<{ consumerCount: number; messageCount: number }> {
		const channel = await this.inTime(tentative ? link.openTentative() : link.openChannel());
		const state = await this.inTime(channel.checkQueue(this.options.queue));
		await this.inTime(link.closeChannel(channel));
		return state;
	}

	/**
	 * A quorum queue with a single active consumer lets nobody fetch. It counts the active one only, so whoever stands by
	 * would think to be alone (RabbitMQ 3.10). Asked where nothing is ready: what came just now goes back with the channel.
	 */
	private async mayFetch(link: Link): Promise<boolean> {
		const channel = await this.inTime(link.openTentative());
		try {
			await this.inTime(channel.get(this.options.queue, { noAck: false }));
		} catch (error) {
			if (brokerError(error).takenMeanwhile) return false;
			throw error;
		} finally {
			await this.inTime(link.closeChannel(channel)).catch(() => {});
		}
		return true;
	}

	private change(): void {
		const { link } = this;
		if (!link || link.isLost || this.changes > 1) return;
		this.changes += 1;
		this.work = this.work
			.then(async () => {
				this.changes -= 1;
				if (link.isLost) return;
				const prefetch = this.options.prefetch();
				await this.giveBack(link);
				if (!this.resting && !link.isLost) await this.inTime(this.consume(link, prefetch));
			})
			.catch(async (error) => link.lose(brokerError(await reasonOf(error, link), this.options.queue)));
	}

	private async giveBack(link: Link): Promise<void> {
		const { channel } = this;
		if (!channel) return;
		this.channel = undefined;
		this.options.onReturned(false);
		await this.inTime(link.closeChannel(channel));
	}

	private async consume(link: Link, limit?: number): Promise<void> {
		const channel = await link.openChannel();
		const prefetch = limit ?? this.options.prefetch();
		this.largestPrefetch = Math.max(this.largestPrefetch, prefetch);
		let unsettled = 0;
		const onMessage = (message: ConsumeMessage | null) => {
			if (!message) {
				link.lose(new ServiceError('unavailable', 'The message queue ended the subscription'));
				return;
			}
			if (this.channel !== channel || link.isLost) return;
			this.delivers = true;
			unsettled += 1;
			if (unsettled > OVERRUN * this.largestPrefetch) {
				link.lose(overrun(this.largestPrefetch));
				return;
			}
			this.options.onDelivery(this.deliveryOf(link, channel, message, () => (unsettled -= 1)));
		};
		await channel.prefetch(prefetch);
		this.channel = channel;
		this.stopped = false;
		this.consumerTag = undefined;
		this.delivers = false;
		({ consumerTag: this.consumerTag } = await channel.consume(
			this.options.queue,
			onMessage,
			USUAL_PRIORITY,
		));
		this.options.onConsuming();
	}

	private deliveryOf(
		link: Link,
		channel: Channel,
		{ content, fields, properties }: ConsumeMessage,
		onSettled: () => void,
	): Delivery {
		const message = { fields, properties, content: EMPTY };
		const tell = (say: () => void) => {
			if (link.isLost || this.channel !== channel) return;
			onSettled();
			try {
				say();
			} catch (error) {
				link.lose(brokerError(error));
			}
		};
		return {
			body: content,
			redelivered: fields.redelivered,
			returns: count(properties.headers?.['x-delivery-count']),
			deaths: deathsOn(this.options.queue, properties.headers?.['x-death']),
			priority: count(properties.priority) ?? 0,
			settle: (fate) =>
				tell(() => {
					if (fate === 'remove') channel.ack(message);
					else channel.nack(message, false, false);
				}),
			giveBack: () => tell(() => channel.nack(message, false, true)),
		};
	}

	private async inTime<T>(step: Promise<T>): Promise<T> {
		return await within(this.options.clock, QUEUE_DEADLINE_MS, step, () => new Error('timeout'));
	}
}

/** A settlement names the message by its tag; the body need not be kept for it. */
const EMPTY = Buffer.alloc(0);

function overrun(prefetch: number): ServiceError {
	return new ServiceError(
		'unexpectedResponse',
		`The message queue delivered more than ${OVERRUN} times the ${prefetch} messages it was asked for`,
		{ remedy: 'Tell the service: its message queue does not obey the limit of a reader (basic.qos).' },
	);
}

function count(value: unknown): number | undefined {
	return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

/** RabbitMQ's record of dead letters: an entry for each queue and reason. */
function deathsOn(queue: string, record: unknown): number {
	if (!Array.isArray(record)) return 0;
	const entries = record.slice(0, 100) as Array<{ queue?: unknown; count?: unknown } | null>;
	return entries.reduce((sum, entry) => sum + (entry?.queue === queue ? (count(entry.count) ?? 0) : 0), 0);
}

/** The result of the connection under way, for whoever waits for it. */
function newWord() {
	let succeed!: () => void;
	let fail!: (error: ServiceError) => void;
	const result = new Promise<void>((resolve, reject) => {
		succeed = resolve;
		fail = reject;
	});
	result.catch(() => {});
	return { result, succeed, fail };
}
