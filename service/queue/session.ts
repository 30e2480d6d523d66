import { backoffMs } from '../backoff';
import { ServiceError } from '../errors';
import { pause, type Clock, type Logger } from '../surroundings';
import { Consumer } from './consumer';
import type { QueueAddress } from './contract';
import type { Delivery } from './delivery';
import { inTime } from './inTime';
import type { Link, OpenLink } from './link';
import { Outage } from './outage';
import { QueueAsker, type QueueLook } from './queueLook';
import { brokerError, reasonOf } from './refusal';

interface SessionOptions {
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
	/** Of what was delivered, in order: it goes back one by one, before the rest. */
	firstBack(): readonly Delivery[];
	/** The queue is read from now on, over another channel than before. */
	onConsuming(): void;
	/**
	 * Whatever was delivered and not settled goes back to the queue.
	 * @param lost the broker may find that out later
	 * @param oneByOne went back by itself before, and may stand behind all that waits on the queue
	 */
	onReturned(lost: boolean, oneByOne: ReadonlySet<Delivery>): void;
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
const NONE: ReadonlySet<Delivery> = new Set();

/**
 * Keeps one queue consumed for as long as it is open, whatever happens to the broker.
 *
 * One loop: read the address → connect, log in → check that the queue is there (never declare it) → limit what may be in
 * flight → consume → until the link is lost: connection or channel closed, or consumer cancelled, by whatever cause →
 * wait a little longer than last time → again, without end. One log line when the queue goes, one when it is back.
 *
 * There is one way to give all events back: the channel is closed without cancelling its consumer, and another is opened.
 * What it held then comes again in its place, on every type of queue; after a cancel, a second consume on a channel or a
 * negative acknowledgement it does not (measured on RabbitMQ 3.10). So what came in the wrong order goes back one by one
 * before the rest, after a cancel, and is put in order by that ({@link SessionOptions.firstBack}).
 */
export class Session {
	/** Of now, or the one that was lost last, where it was let in. */
	private link: Link | undefined;
	/** Reads the queue, while it is not left alone. */
	private consumer: Consumer | undefined;
	private readonly asker: QueueAsker;
	private resting = false;
	/** What waited on the queue when it was looked at last while it is left alone. */
	private leftThere = 0;
	/** Takes nothing more until what it has is done with. */
	private drained: Consumer | undefined;
	private closed: ServiceError | undefined;
	/** Wakes the loop from its wait. */
	private wake = new AbortController();
	private firstWord = newWord();
	/** Channels one after another, and no more than one change to come. */
	private work: Promise<void> = Promise.resolve();
	private changes = 0;
	private largestPrefetch = 0;
	private cancelLease = () => {};

	constructor(private readonly options: SessionOptions) {
		this.asker = new QueueAsker(options.queue, options.clock);
	}

	/** Begins the loop. */
	start(): void {
		void this.run();
	}

	private get standing(): Link | undefined {
		return this.link?.isLost === false ? this.link : undefined;
	}

	/** The account was accepted, and the connection stands. */
	get connected(): boolean {
		return this.standing !== undefined;
	}

	/** True while events flow, or would if they were not left on the queue. */
	get listening(): boolean {
		const { consumer } = this;
		if (!this.standing || (this.takesNothing && this.drained !== consumer)) return false;
		return this.resting || consumer?.hasBegun === true;
	}

	/** It was told to stop taking, and holds what was delivered before. */
	get takesNothing(): boolean {
		return this.consumer?.takesNothing === true;
	}

	/**
	 * Resolves when the queue is being consumed; rejects with the first reason why it cannot be, while the loop goes on.
	 * A session that is waiting to try again tries at once.
	 */
	async untilListening(): Promise<void> {
		this.wake.abort();
		await this.firstWord.result;
	}

	/** Another channel on the same connection, with the limit of now: what is unsettled goes back and comes again. */
	renew(): void {
		this.resting = false;
		this.cancelLease();
		this.change();
	}

	/** What waits on the queue while it is left alone, a moment ago. */
	get waitsThere(): number {
		return this.resting ? this.leftThere : 0;
	}

	/** Leaves the events on the queue, until {@link renew}. */
	rest(): void {
		this.resting = true;
		this.leftThere = 0;
		this.change();
		this.keepLease();
	}

	/**
	 * The broker delivers nothing more here, until {@link renew}. What was delivered stays until it is settled or goes back
	 * one by one, and then the order is lost: only where somebody else reads the queue, and gets a part of it anyway.
	 * @param forAMoment it goes on with the next channel, and is listening meanwhile
	 * @returns false where nothing is delivered anyhow
	 */
	async stopTaking(forAMoment = false): Promise<boolean> {
		const { standing: link, consumer } = this;
		if (!link || !consumer?.hasBegun) return false;
		this.drained = forAMoment ? consumer : undefined;
		try {
			await this.inTime(consumer.stop());
		} catch (error) {
			if (this.consumer === consumer) link.lose(brokerError(await reasonOf(error, link), this.options.queue));
		}
		return this.consumer === consumer && !link.isLost;
	}

	/** Asks the broker about the queue; undefined where it is neither read at this moment nor left alone. */
	async look(): Promise<QueueLook | 'noAnswer' | undefined> {
		const { standing: link, consumer, asker } = this;
		// Asked before it reads, a queue that stands still would give what came back to the asking.
		const isAsked = consumer ? consumer.hasBegun && !consumer.takesNothing : this.resting;
		if (!link || !isAsked) return undefined;
		try {
			const looked = consumer
				? await asker.look(link, () => this.consumer === consumer && consumer.isIdle)
				: await asker.lookFromOutside(link);
			return this.consumer === consumer && looked ? looked : 'noAnswer';
		} catch (error) {
			const reason = brokerError(error, this.options.queue);
			if (reason.code === 'notFound') link.lose(reason);
			return 'noAnswer';
		}
	}

	/** Ends the loop and the connection. What is unsettled goes back to the queue. */
	async close(): Promise<void> {
		this.closed = new ServiceError('cancelled', 'The session was closed');
		this.cancelLease();
		this.wake.abort();
		this.firstWord.fail(this.closed);
		await this.link?.close();
	}

	private async run(): Promise<void> {
		const { options } = this;
		const outage = new Outage(options);
		for (let failures = 0; !this.closed;) {
			let listensSince = Infinity;
			const reason = await this.connectOnce((others) => {
				listensSince = options.clock.now();
				outage.over(others);
			});
			if (this.closed) break;
			// A broker that lets in and throws out again at once is not asked every second.
			if (options.clock.now() - listensSince >= WAITS.highMs) failures = 0;
			// A connection that was never let in has nothing to lose.
			if (this.link) options.onReturned(true, NONE);
			this.link = undefined;
			outage.goesOn(reason);
			failures += 1;
			this.wake = new AbortController();
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
			const { consumerCount, messageCount } = await this.asker.check(link);
			// Closed meanwhile: close() knew nothing of this link.
			if (this.closed) return this.closed;
			this.link = link;
			// What was asked on the link before may never be answered.
			this.work = Promise.resolve();
			this.changes = 0;
			this.options.onAccepted(address, messageCount, consumerCount);
			// Whoever was told may have asked for a channel already, and two at once would share the events.
			if (this.changes > 0) await this.work;
			else if (!this.resting) await this.inTime(this.consume(link));
			if (link.isLost) throw await link.lost;
			onListening(consumerCount);
			word.succeed();
			return brokerError(await link.lost, queue);
		} catch (error) {
			const reason = brokerError(await reasonOf(error, link), queue);
			word.fail(reason);
			return reason;
		} finally {
			this.firstWord = newWord();
			this.consumer?.end();
			this.consumer = undefined;
			await link?.close();
		}
	}

	/** A queue that is to be deleted when it was unused for a while counts from each look at it (`x-expires`). */
	private keepLease(): void {
		const { clock, leaseMs } = this.options;
		this.cancelLease();
		this.cancelLease = clock.after(leaseMs, () => {
			this.keepLease();
			void this.look().then((looked) => {
				if (typeof looked === 'object') this.leftThere = looked.ready;
			});
		});
	}

	private change(): void {
		const { standing: link } = this;
		if (!link || this.changes > 1) return;
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
		const { firstBack } = this.options;
		// Asked again: some may have been settled meanwhile.
		const oneByOne = new Set(firstBack().length > 0 && (await this.stopTaking()) ? firstBack() : NONE);
		for (const first of oneByOne) first.giveBack();
		const channel = this.consumer?.end();
		if (!channel) return;
		this.consumer = undefined;
		this.options.onReturned(false, oneByOne);
		await this.inTime(link.closeChannel(channel));
	}

	private async consume(link: Link, limit?: number): Promise<void> {
		const channel = await link.openChannel();
		const prefetch = limit ?? this.options.prefetch();
		this.largestPrefetch = Math.max(this.largestPrefetch, prefetch);
		const { queue, onDelivery } = this.options;
		const { largestPrefetch } = this;
		const consumer = new Consumer({ queue, link, channel, largestPrefetch, onDelivery });
		await channel.prefetch(prefetch);
		this.consumer = consumer;
		await consumer.begin();
		this.options.onConsuming();
	}

	private async inTime<T>(step: Promise<T>): Promise<T> {
		return await inTime(this.options.clock, step);
	}
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
