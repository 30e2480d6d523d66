import { EventEmitter } from 'node:events';
import type { Channel, ConsumeMessage, GetMessage } from 'amqplib';

type Asked = 'check' | 'get' | 'consume' | 'cancel';

interface OddQueue {
	waiting: number;
	/** Given out one by one, to who fetches. */
	messages: GetMessage[];
	/** Ours among them. */
	readers: number;
	/** What is refused, and with what: the channel ends by it, as amqplib's does. */
	refuses: Partial<Record<Asked, Error>>;
	/** What is asked for is answered after that. */
	until: Partial<Record<Asked, Promise<void>>>;
}

/** A broker that does what no real one does on request. */
class OddChannel extends EventEmitter {
	constructor(private readonly queue: OddQueue) {
		super();
	}
	onMessage: ((message: ConsumeMessage | null) => void) | undefined;
	readonly asked: string[] = [];
	/** amqplib's own place for each frame of a message. */
	readonly frames: Array<{ size?: number }> = [];
	acceptMessageFrame(frame: { size?: number }): void {
		this.frames.push(frame);
	}
	private async answers(asked: Asked): Promise<void> {
		await this.queue.until[asked];
		const refusal = this.queue.refuses[asked];
		if (!refusal) return;
		this.emit('error', refusal);
		this.emit('close');
		throw refusal;
	}
	async checkQueue() {
		await this.answers('check');
		return { queue: 'events', messageCount: this.queue.waiting, consumerCount: this.queue.readers };
	}
	async get() {
		this.asked.push('get');
		await this.answers('get');
		return this.queue.messages.shift() ?? false;
	}
	async prefetch(count: number): Promise<void> {
		this.asked.push(`prefetch ${count}`);
	}
	async consume(_queue: string, onMessage: (message: ConsumeMessage | null) => void) {
		await this.answers('consume');
		this.onMessage = onMessage;
		return { consumerTag: 'tag' };
	}
	ack(): void {
		this.asked.push('ack');
	}
	nack(_message: unknown, _all: boolean, requeue: boolean): void {
		this.asked.push(`nack ${requeue}`);
	}
	async close(): Promise<void> {
		this.asked.push('close');
		this.emit('close');
	}
	async cancel(tag: string) {
		this.asked.push(`cancel ${tag}`);
		await this.answers('cancel');
		return { consumerTag: tag };
	}
}

/** Connections of which each channel is an odd one. */
export function oddConnections() {
	const channels: OddChannel[] = [];
	const queue: OddQueue = { waiting: 0, messages: [], readers: 0, refuses: {}, until: {} };
	const connections: EventEmitter[] = [];
	const connect = async () => {
		const connection = Object.assign(new EventEmitter(), {
			connection: { stream: { destroy() {} } },
			async createChannel() {
				const channel = new OddChannel(queue);
				channels.push(channel);
				return channel as unknown as Channel;
			},
			async close() {},
		});
		connections.push(connection);
		return connection;
	};
	return { connect: connect as never, channels, connections, queue };
}
