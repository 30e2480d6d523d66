/** A message as it was published. */
export interface Message {
	/** Counts all messages of the broker. */
	readonly number: number;
	readonly body: Buffer;
	readonly headers: Readonly<Record<string, unknown>>;
	readonly routingKey: string;
	/** Kept over a restart of a broker with a classic queue. */
	readonly persistent: boolean;
}

/** A message in a queue. */
export interface Entry {
	readonly message: Message;
	/** Times it came back, as a quorum queue counts. */
	returns: number;
	/** Those of them when its channel was closed. */
	closings: number;
	/** Was handed out before, as a classic queue remembers. */
	delivered: boolean;
	/** By the queue's `x-message-ttl`. */
	readonly expiresAt: number | undefined;
	/** Its place in a classic queue. */
	readonly place: number;
}

type QueueType = 'classic' | 'quorum';

export interface QueueOptions {
	/** Default: classic. */
	type?: QueueType;
	/** `x-delivery-limit` of a quorum queue. Default: none in RabbitMQ 3, 20 in RabbitMQ 4. */
	deliveryLimit?: number;
	/** The queue that dead letters go to, by way of the default exchange; it may be this one. Default: they are dropped. */
	deadLetterQueue?: string;
	/** `x-message-ttl`, milliseconds a message may wait. */
	messageTtlMs?: number;
	/** `x-max-length`: what is ready beyond it is dropped, the oldest first. */
	maxLength?: number;
	singleActiveConsumer?: boolean;
	/** Default true. A classic queue that is not is gone after a restart. */
	durable?: boolean;
}

/** Why a message left a queue other than by an acknowledgement. The first four make dead letters. */
export type Departure =
	'rejected' | 'expired' | 'delivery_limit' | 'maxlen' | 'purged' | 'deleted' | 'restarted';

/** What becomes of messages that a consumer has. */
export type Verdict = 'acknowledged' | 'returned' | 'rejected';

export interface Consumer {
	readonly tag: string;
	/** Messages it may hold; 0 for any number. */
	readonly prefetch: number;
	/** False: what it is sent is settled with that. */
	readonly acknowledges: boolean;
	readonly exclusive: boolean;
	readonly priority: number;
}

/** One delivery of one entry. The number is the queue's own, counted per consumer or per queue. */
export interface Handed {
	readonly number: number;
	readonly message: Message;
	readonly redelivered: boolean;
	/** As RabbitMQ adds it to the headers; undefined for none. */
	readonly deliveryCount: number | undefined;
}

/** A channel of the broker as its queues see it. */
export interface Mailbox {
	/** Orders channels as their process numbers do. */
	readonly number: number;
	deliver(tag: string, handed: Handed): void;
	/** The queue is gone. */
	ended(tag: string): void;
	/** Done when the channel has done what came before. The other two are for such work. */
	post(work: () => void): void;
}

/** What one channel does with one queue. The callbacks come in order and may come at once. */
export interface Attendance {
	consume(consumer: Consumer, begun: () => void): void;
	cancel(tag: string, ended: () => void): void;
	get(tag: string, acknowledges: boolean, got: (handed: Handed | undefined, ready: number) => void): void;
	settle(tag: string, numbers: readonly number[], verdict: Verdict): void;
	/** The channel is gone, and what it has not settled comes back. */
	leave(): void;
}

export interface Depth {
	ready: number;
	/** Handed out and not settled. */
	unsettled: number;
	consumers: number;
}

/** A queue, whatever its type. */
export interface Queue {
	readonly name: string;
	readonly options: QueueOptions;
	/** @param taken called when the message is safe */
	publish(message: Message, taken?: () => void): void;
	attend(mailbox: Mailbox): Attendance;
	/** What AMQP says to a further consumer; undefined for welcome. */
	refusal(exclusive: boolean): string | undefined;
	/** What AMQP says to a channel that fetches a message alone; undefined for welcome. */
	readonly fetchRefusal: string | undefined;
	readonly depth: Depth;
	/** What is ready, in the order it would be handed out. */
	readonly ready: readonly Entry[];
	/** What is handed out. */
	readonly unsettled: readonly Entry[];
	purge(): number;
	/** All consumers are told. */
	delete(): void;
	/** The broker went down: every channel is gone. What is not kept departs. */
	restart(): void;
}

/** What a queue needs of its broker. */
export interface QueueSurroundings {
	/** For a dead letter, or for the record. */
	departed(queue: Queue, entry: Entry, reason: Departure): void;
	/** An entry is given to one consumer, while the queue has so many. */
	handedOut(entry: Entry, consumers: number): void;
	/** From now, in milliseconds. */
	after(delayMs: number, callback: () => void): () => void;
	now(): number;
}
