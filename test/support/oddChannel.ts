import { EventEmitter } from 'node:events';
import type { Channel, ConsumeMessage } from 'amqplib';

interface OddQueue {
	waiting: number;
	/** What a fetch is refused with. */
	refusal?: Error;
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
	async checkQueue() {
		return { queue: 'events', messageCount: this.queue.waiting, consumerCount: 0 };
	}
	async get() {
		if (this.queue.refusal) throw this.queue.refusal;
		return false;
	}
	async prefetch(count: number): Promise<void> {
		this.asked.push(`prefetch ${count}`);
	}
	async consume(_queue: string, onMessage: (message: ConsumeMessage | null) => void) {
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
		return { consumerTag: tag };
	}
}

/** Connections of which each channel is an odd one. */
export function oddConnections() {
	const channels: OddChannel[] = [];
	const queue: OddQueue = { waiting: 0 };
	const connect = async () =>
		Object.assign(new EventEmitter(), {
			connection: { stream: { destroy() {} } },
			async createChannel() {
				const channel = new OddChannel(queue);
				channels.push(channel);
				return channel as unknown as Channel;
			},
			async close() {},
		});
	return { connect: connect as never, channels, queue };
}
