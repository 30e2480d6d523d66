import { methods, type Fields, type Frame } from './amqplib';
import type { Attendance, Handed, Mailbox, Message, Queue } from './queue';

/** What a channel needs of its connection and its broker. */
export interface ChannelSurroundings {
	/** Frames to the client, which arrive together. */
	send(frames: readonly Frame[]): void;
	queue(name: string): Queue | undefined;
	mayRead(queue: string): boolean;
	publish(message: Omit<Message, 'number'>, taken: () => void): void;
	/** A tag for a consumer that brought none. */
	freshTag(): string;
	now(): number;
	after(delayMs: number, callback: () => void): () => void;
	/** Milliseconds that a delivery may stay unsettled; undefined for any number. */
	consumerTimeoutMs(): number | undefined;
	trace: ((what: string) => void) | undefined;
	/** A message goes to a consumer. */
	delivered: ((message: number, returns: number | undefined) => void) | undefined;
	/** A consumer has begun: the channel's first, second … */
	consumes: ((time: number) => void) | undefined;
	/** The number is free again. */
	released(number: number): void;
}

interface Unsettled {
	readonly attendance: Attendance;
	readonly tag: string;
	readonly number: number;
	readonly at: number;
}

/** The broker looks so often for deliveries that have been out too long. */
const TICK_MS = 60_000;

const CODES = {
	ACCESS_REFUSED: 403,
	NOT_FOUND: 404,
	RESOURCE_LOCKED: 405,
	PRECONDITION_FAILED: 406,
} as const;

/** One channel at the broker's end: one thing after another, as its process does. */
export class ServerChannel implements Mailbox {
	private readonly attendances = new Map<Queue, Attendance>();
	private readonly consumers = new Map<string, { attendance: Attendance; acknowledges: boolean }>();
	/** By delivery tag, the oldest first. */
	private readonly unsettled = new Map<number, Unsettled>();
	private deliveryTag = 0;
	private prefetch = 0;
	private consumed = 0;
	private confirms: number | undefined;
	private state: 'open' | 'closing' | 'gone' = 'open';
	private readonly work: (() => void)[] = [];
	private working = false;
	private waiting = false;
	private tick: (() => void) | undefined;

	constructor(
		/** Among all channels of the broker. */
		readonly number: number,
		/** On its connection. */
		private readonly id: number,
		private readonly surroundings: ChannelSurroundings,
	) {}

	receive(frame: Frame): void {
		this.post(() => this.handle(frame));
	}

	post(work: () => void): void {
		this.work.push(work);
		this.goOn();
	}

	get holdsSome(): boolean {
		return this.unsettled.size > 0;
	}

	get hasConsumers(): boolean {
		return this.consumers.size > 0;
	}

	/** The connection is gone. */
	terminate(): void {
		this.post(() => this.end('gone'));
	}

	deliver(tag: string, handed: Handed): void {
		if (this.state !== 'open') return;
		const consumer = this.consumers.get(tag);
		if (!consumer) return;
		const deliveryTag = this.record(consumer.attendance, tag, handed, consumer.acknowledges);
		this.surroundings.trace?.(
			`message ${handed.message.number} goes to ${this.number}/${tag}${handed.redelivered ? ' again' : ''}`,
		);
		this.surroundings.delivered?.(handed.message.number, handed.deliveryCount);
		this.sendMessage(methods.BasicDeliver, handed, {
			consumerTag: tag,
			deliveryTag,
			redelivered: handed.redelivered,
			exchange: '',
			routingKey: handed.message.routingKey,
		});
	}

	ended(tag: string): void {
		if (this.state !== 'open') return;
		if (!this.consumers.delete(tag)) return;
		this.send({ id: methods.BasicCancel, fields: { consumerTag: tag, nowait: true } });
	}

	/** Closes the channel for what the client did, or left undone. */
	fail(name: keyof typeof CODES, sentence: string, method = 0): void {
		if (this.state !== 'open') return;
		this.end('closing');
		const info = method === 0 ? { classId: 0, methodId: 0 } : methods.info(method);
		this.send({
			id: methods.ChannelClose,
			fields: {
				replyCode: CODES[name],
				replyText: `${name} - ${sentence}`,
				classId: info.classId,
				methodId: info.methodId,
			},
		});
	}

	/** A delivery has been out for longer than this. */
	timeOut(limitMs: number): void {
		this.fail(
			'PRECONDITION_FAILED',
			`delivery acknowledgement on channel ${this.id} timed out. Timeout value used: ${limitMs} ms. This timeout value can be configured, see consumers doc guide to learn more`,
		);
	}

	private goOn(): void {
		if (this.working) return;
		this.working = true;
		for (let next; !this.waiting && (next = this.work.shift());) next();
		this.working = false;
	}

	/** Nothing else is done until the callback that `ask` is given was called. */
	private ask(ask: (answered: () => void) => void): void {
		this.waiting = true;
		ask(() => {
			this.waiting = false;
			this.goOn();
		});
	}

	private handle({ id, fields = {}, content }: Frame): void {
		if (this.state === 'gone') return;
		if (this.state === 'closing') {
			if (id === methods.ChannelCloseOk) this.end('gone');
			if (id === methods.ChannelClose) this.send({ id: methods.ChannelCloseOk, fields: {} });
			return;
		}
		switch (id) {
			case methods.ChannelOpen:
				return this.send({ id: methods.ChannelOpenOk, fields: {} });
			case methods.ChannelClose:
				this.end('gone');
				return this.send({ id: methods.ChannelCloseOk, fields: {} });
			case methods.QueueDeclare:
				return this.declare(fields);
			case methods.BasicQos:
				this.prefetch = fields['prefetchCount'] as number;
				return this.send({ id: methods.BasicQosOk, fields: {} });
			case methods.BasicConsume:
				return this.consume(fields);
			case methods.BasicCancel:
				return this.cancel(fields['consumerTag'] as string);
			case methods.BasicGet:
				return this.get(fields);
			case methods.BasicAck:
				return this.settle(fields, 'acknowledged', id);
			case methods.BasicNack:
			case methods.BasicReject:
				return this.settle(fields, fields['requeue'] === false ? 'rejected' : 'returned', id);
			case methods.ConfirmSelect:
				this.confirms ??= 0;
				return this.send({ id: methods.ConfirmSelectOk, fields: {} });
			case methods.BasicPublish:
				return this.publish(fields, content ?? Buffer.alloc(0));
			default:
				throw new Error(`The model of the broker knows no method ${id}`);
		}
	}

	/** Passive declarations only. */
	private declare(fields: Fields): void {
		const name = fields['queue'] as string;
		if (fields['passive'] !== true) throw new Error('The model of the broker lets no client declare a queue');
		const queue = this.surroundings.queue(name);
		if (!queue) return this.fail('NOT_FOUND', `no queue '${name}' in vhost '/'`, methods.QueueDeclare);
		const { ready: messageCount, consumers: consumerCount } = queue.depth;
		this.send({ id: methods.QueueDeclareOk, fields: { queue: name, messageCount, consumerCount } });
	}

	private consume(fields: Fields): void {
		const queue = this.readable(fields['queue'] as string, methods.BasicConsume);
		if (!queue) return;
		const exclusive = fields['exclusive'] === true;
		const refusal = queue.refusal(exclusive);
		if (refusal !== undefined) return this.fail('ACCESS_REFUSED', refusal, methods.BasicConsume);
		const tag = (fields['consumerTag'] as string) || this.surroundings.freshTag();
		const acknowledges = fields['noAck'] !== true;
		const { 'x-priority': priority = 0 } = (fields['arguments'] ?? {}) as { 'x-priority'?: number };
		const attendance = this.attendance(queue);
		this.consumers.set(tag, { attendance, acknowledges });
		const consumer = { tag, prefetch: this.prefetch, acknowledges, exclusive, priority };
		this.ask((answered) =>
			attendance.consume(consumer, () => {
				if (this.state === 'open') this.send({ id: methods.BasicConsumeOk, fields: { consumerTag: tag } });
				this.surroundings.consumes?.((this.consumed += 1));
				answered();
			}),
		);
	}

	private cancel(tag: string): void {
		const consumer = this.consumers.get(tag);
		const done = () => this.send({ id: methods.BasicCancelOk, fields: { consumerTag: tag } });
		if (!consumer) return done();
		this.ask((answered) =>
			consumer.attendance.cancel(tag, () => {
				// Behind what the queue had sent before.
				this.work.push(() => {
					this.consumers.delete(tag);
					if (this.state === 'open') done();
				});
				answered();
			}),
		);
	}

	private get(fields: Fields): void {
		const queue = this.readable(fields['queue'] as string, methods.BasicGet);
		if (!queue) return;
		const refusal = queue.fetchRefusal;
		if (refusal !== undefined) return this.fail('RESOURCE_LOCKED', refusal, methods.BasicGet);
		const acknowledges = fields['noAck'] !== true;
		const tag = String(this.deliveryTag + 1);
		const attendance = this.attendance(queue);
		this.ask((answered) =>
			attendance.get(tag, acknowledges, (handed, messageCount) => {
				if (!handed) {
					this.send({ id: methods.BasicGetEmpty, fields: {} });
				} else {
					const deliveryTag = this.record(attendance, tag, handed, acknowledges);
					this.surroundings.delivered?.(handed.message.number, handed.deliveryCount);
					this.sendMessage(methods.BasicGetOk, handed, {
						deliveryTag,
						redelivered: handed.redelivered,
						exchange: '',
						routingKey: handed.message.routingKey,
						messageCount,
					});
				}
				answered();
			}),
		);
	}

	private readable(name: string, method: number): Queue | undefined {
		if (!this.surroundings.mayRead(name)) {
			this.fail('ACCESS_REFUSED', `access to queue '${name}' in vhost '/' refused for user`, method);
			return undefined;
		}
		const queue = this.surroundings.queue(name);
		if (!queue) this.fail('NOT_FOUND', `no queue '${name}' in vhost '/'`, method);
		return queue;
	}

	private attendance(queue: Queue): Attendance {
		const known = this.attendances.get(queue) ?? queue.attend(this);
		this.attendances.set(queue, known);
		return known;
	}

	private record(attendance: Attendance, tag: string, handed: Handed, acknowledges: boolean): number {
		this.deliveryTag += 1;
		if (acknowledges) {
			const at = this.surroundings.now();
			this.unsettled.set(this.deliveryTag, { attendance, tag, number: handed.number, at });
			this.watch();
		}
		return this.deliveryTag;
	}

	private settle(fields: Fields, verdict: 'acknowledged' | 'returned' | 'rejected', method: number): void {
		const deliveryTag = fields['deliveryTag'] as number;
		const multiple = fields['multiple'] === true;
		const tags = multiple
			? [...this.unsettled.keys()].filter((tag) => deliveryTag === 0 || tag <= deliveryTag)
			: [deliveryTag].filter((tag) => this.unsettled.has(tag));
		if (tags.length === 0 && deliveryTag !== 0) {
			return this.fail('PRECONDITION_FAILED', `unknown delivery tag ${deliveryTag}`, method);
		}
		const settled = tags.map((each) => this.unsettled.get(each)!);
		this.surroundings.trace?.(`channel ${this.number}: ${settled.length} ${verdict}`);
		for (const each of tags) this.unsettled.delete(each);
		// One command for each consumer, in the order of their tags.
		const byTag = (a: Unsettled, b: Unsettled) => inOrderOfTags(a.tag, b.tag);
		for (const { attendance, tag } of [...settled].sort(byTag)) {
			const numbers = settled.flatMap((other) =>
				other.attendance === attendance && other.tag === tag ? [other.number] : [],
			);
			if (numbers.length === 0) continue;
			settled.splice(
				0,
				settled.length,
				...settled.filter((other) => other.attendance !== attendance || other.tag !== tag),
			);
			attendance.settle(tag, numbers, verdict);
		}
	}

	private publish(fields: Fields, body: Buffer): void {
		const properties = fields['properties'] as Fields;
		const number = this.confirms === undefined ? undefined : (this.confirms += 1);
		this.surroundings.publish(
			{
				body,
				headers: (properties['headers'] ?? {}) as Record<string, unknown>,
				routingKey: fields['routingKey'] as string,
				persistent: properties['deliveryMode'] === 2,
			},
			() => {
				if (number === undefined || this.state !== 'open') return;
				this.send({ id: methods.BasicAck, fields: { deliveryTag: number, multiple: false } });
			},
		);
	}

	/** A delivery that stays out too long closes the channel, at the next look. */
	private watch(): void {
		const limit = this.surroundings.consumerTimeoutMs();
		const [oldest] = this.unsettled.values();
		if (this.tick || limit === undefined || !oldest) return;
		const due = Math.max(0, oldest.at + limit - this.surroundings.now());
		this.tick = this.surroundings.after(Math.ceil((due + 1) / TICK_MS) * TICK_MS, () => {
			this.tick = undefined;
			const [now] = this.unsettled.values();
			if (!now) return;
			if (now.at + limit >= this.surroundings.now()) return this.watch();
			this.timeOut(limit);
		});
	}

	private end(state: 'closing' | 'gone'): void {
		const was = this.state;
		this.state = state;
		if (was === 'open') {
			this.surroundings.trace?.(`channel ${this.number} ends with ${this.unsettled.size} unsettled`);
		}
		this.tick?.();
		this.tick = undefined;
		if (was === 'open') {
			for (const attendance of this.attendances.values()) attendance.leave();
			this.attendances.clear();
			this.consumers.clear();
			this.unsettled.clear();
		}
		if (state === 'gone' && was !== 'gone') this.surroundings.released(this.id);
	}

	private send(frame: Omit<Frame, 'channel'>): void {
		this.surroundings.send([{ channel: this.id, ...frame }]);
	}

	private sendMessage(id: number, { message, deliveryCount }: Handed, fields: Fields): void {
		const { body, persistent } = message;
		const headers =
			deliveryCount === undefined
				? { ...message.headers }
				: { ...message.headers, 'x-delivery-count': deliveryCount };
		const channel = this.id;
		const properties = { headers, deliveryMode: persistent ? 2 : 1 };
		const frames: Frame[] = [
			{ channel, id, fields },
			{ channel, id: methods.BasicProperties, size: body.length, fields: properties },
		];
		if (body.length > 0) frames.push({ channel, content: body });
		this.surroundings.send(frames);
	}
}

/** Messages that were fetched alone stand before those of consumers. */
function inOrderOfTags(a: string, b: string): number {
	const [numberA, numberB] = [Number(a), Number(b)];
	if (Number.isNaN(numberA) !== Number.isNaN(numberB)) return Number.isNaN(numberA) ? 1 : -1;
	return Number.isNaN(numberA) ? (a < b ? -1 : a > b ? 1 : 0) : numberA - numberB;
}
