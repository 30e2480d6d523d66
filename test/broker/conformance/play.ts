import type { Channel, ChannelModel, ConsumeMessage, GetMessage } from 'amqplib';
import type { Script, Step } from './script';

/** A RabbitMQ, real or not. */
export interface Side {
	connect(): Promise<ChannelModel>;
	/** Its line is gone; answers when our side knows. */
	cutOff(connection: ChannelModel): Promise<void>;
	/** Waits for an answer of the broker. */
	answer<T>(asked: Promise<T>): Promise<T>;
	publish(queue: string, ids: readonly number[]): Promise<void>;
	ready(queue: string): Promise<number>;
	/** Waits until the broker has nothing more to do, or until `seen` is as it should be. */
	quiet(seen: () => Promise<Seen>, expected: Seen | undefined): Promise<void>;
	/** Everything that waits on a queue, in order; it is taken off. */
	drain(queue: string): Promise<Found[]>;
}

/** What is compared after each step. */
export interface Seen {
	deliveries: number;
	ready: number;
	deadLetters: number;
}

export interface Found {
	id: number;
	redelivered: boolean;
	count: unknown;
	/** Of `x-death`: how often, where and why. */
	deaths: string[];
}

/** What one sequence showed. */
export interface Outcome {
	/** For each step, what each channel was sent in it, in order; and how things stood after it. */
	steps: { step: Step; sent: string[]; seen: Seen }[];
	/** What was left in the queue, and among its dead letters, when all channels were closed. */
	rest: Found[];
	deadLetters: Found[];
}

interface Opened {
	channel: Channel;
	foreign: boolean;
	name: string;
	consumers: string[];
	unsettled: (ConsumeMessage | GetMessage)[];
}

/**
 * Plays a sequence on a queue that is there already.
 * @param expected what the other side showed: it is waited for, so that a slow machine changes nothing
 */
export async function play(
	side: Side,
	script: Script,
	queue: string,
	deadLetterQueue: string,
	expected?: Outcome,
): Promise<Outcome> {
	const outcome: Outcome = { steps: [], rest: [], deadLetters: [] };
	const channels: Opened[] = [];
	const connections = new Map<boolean, ChannelModel>();
	let published = 0;
	let deliveries = 0;
	let names = 0;
	let sent: string[] = [];

	const at = <T>(list: readonly T[], place: number) => list[place % Math.max(1, list.length)];
	const told = (opened: Opened, message: ConsumeMessage | GetMessage, how: string) => {
		const { id, redelivered, count } = foundOf(message);
		deliveries += 1;
		opened.unsettled.push(message);
		sent.push(`${how} ${id}${redelivered ? ' again' : ''}${count === undefined ? '' : ` count ${count}`}`);
	};
	const consume = async (opened: Opened, prefetch: number, priority: number | undefined) => {
		names += 1;
		const consumerTag = `${opened.name}-${names}`;
		await side.answer(opened.channel.prefetch(prefetch));
		const onMessage = (message: ConsumeMessage | null) => {
			if (message) told(opened, message, consumerTag);
			else sent.push(`${consumerTag} cancelled`);
		};
		opened.consumers.push(consumerTag);
		const options = { consumerTag, ...(priority !== undefined && { priority }) };
		await side.answer(opened.channel.consume(queue, onMessage, options));
	};
	const forget = (opened: Opened) => void channels.splice(channels.indexOf(opened), 1);
	const act = async (step: Step) => {
		if (step.do === 'publish') {
			const ids = Array.from({ length: step.count }, () => (published += 1));
			return await side.publish(queue, ids);
		}
		if (step.do === 'open') {
			const foreign = step.foreign ?? false;
			const connection = connections.get(foreign) ?? (await side.connect());
			connections.set(foreign, connection);
			names += 1;
			const channel = await side.answer(connection.createChannel());
			const opened: Opened = { channel, foreign, name: `c${names}`, consumers: [], unsettled: [] };
			channel.on('error', (error: Error) =>
				sent.push(`${opened.name} ${error.message.replaceAll(queue, '…')}`),
			);
			channels.push(opened);
			return await consume(opened, step.prefetch, undefined);
		}
		if (step.do === 'disconnect') return await disconnect(step.foreign ?? false, step.cutOff);
		const opened = at(channels, step.channel);
		if (!opened) return;
		if (step.do === 'consume') return await consume(opened, step.prefetch, step.priority);
		if (step.do === 'close') {
			forget(opened);
			return await side.answer(opened.channel.close());
		}
		if (step.do === 'cancel') {
			const tag = at(opened.consumers, step.consumer);
			if (tag === undefined) return;
			opened.consumers.splice(opened.consumers.indexOf(tag), 1);
			await side.answer(opened.channel.cancel(tag));
			return;
		}
		if (step.do === 'get') {
			try {
				const message = await side.answer(opened.channel.get(queue));
				if (message) told(opened, message, `${opened.name} got`);
				else sent.push(`${opened.name} got nothing`);
			} catch {
				// The channel is closed; what the broker said is noted with its error.
				forget(opened);
			}
			return;
		}
		const message = at(opened.unsettled, step.delivery);
		if (!message) return;
		const settled = step.upTo
			? opened.unsettled.filter(({ fields }) => fields.deliveryTag <= message.fields.deliveryTag)
			: [message];
		opened.unsettled = opened.unsettled.filter((other) => !settled.includes(other));
		if (step.how === 'ack') opened.channel.ack(message, step.upTo);
		else opened.channel.nack(message, step.upTo, step.how === 'nack');
	};

	/**
	 * The channels of a lost connection end at once, each in its own process: who of two is served meanwhile, RabbitMQ
	 * leaves open. So all but one are closed before.
	 */
	const disconnect = async (foreign: boolean, cutOff = false) => {
		const [last, ...others] = channels.filter((opened) => opened.foreign === foreign);
		for (const opened of others.reverse()) {
			forget(opened);
			await side.answer(opened.channel.close());
			await side.quiet(seen, undefined);
		}
		if (last) forget(last);
		const connection = connections.get(foreign);
		connections.delete(foreign);
		if (!connection) return;
		await side.answer(cutOff ? side.cutOff(connection) : connection.close());
	};

	const seen = async (): Promise<Seen> => ({
		deliveries,
		ready: await side.ready(queue),
		deadLetters: deadLetterQueue === queue ? 0 : await side.ready(deadLetterQueue),
	});
	for (const [index, step] of script.steps.entries()) {
		sent = [];
		await act(step);
		const there = expected?.steps[index];
		await side.quiet(seen, there?.seen);
		const here = { step, sent: byConsumer(sent), seen: await seen() };
		outcome.steps.push(here);
		// From the first difference on nothing else can be expected.
		if (JSON.stringify(here) !== JSON.stringify(there)) expected = undefined;
	}
	sent = [];
	await disconnect(true);
	await side.quiet(seen, undefined);
	await disconnect(false);
	const left = expected && {
		deliveries,
		ready: expected.rest.length,
		deadLetters: expected.deadLetters.length,
	};
	await side.quiet(seen, left);
	outcome.rest = await side.drain(queue);
	if (deadLetterQueue !== queue) outcome.deadLetters = await side.drain(deadLetterQueue);
	return outcome;
}

/** Channels are told independently of each other. */
function byConsumer(sent: readonly string[]): string[] {
	const consumers = [...new Set(sent.map((line) => line.split(' ')[0]))].sort();
	return consumers.flatMap((consumer) => sent.filter((line) => line.split(' ')[0] === consumer));
}

/** What is compared of a message. */
export function foundOf({ content, fields, properties }: ConsumeMessage | GetMessage): Found {
	const headers = properties.headers ?? {};
	const deaths = (headers['x-death'] ?? []) as { count: number; queue: string; reason: string }[];
	return {
		id: Number(content),
		redelivered: fields.redelivered,
		count: headers['x-delivery-count'],
		deaths: deaths.map(({ count, reason }) => `${count} ${reason}`),
	};
}
