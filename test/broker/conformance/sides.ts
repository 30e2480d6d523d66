import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect, type Channel, type ChannelModel, type ConfirmChannel } from 'amqplib';
import type { Broker } from '../../../sandbox/broker/broker';
import { createBroker, type BrokerModel, type BrokerModelOptions } from '../../simulation/broker/broker';
import type { QueueOptions } from '../../simulation/broker/queue';
import { simulationClock, type SimulationClock } from '../../simulation/clock';
import { foundOf, type Found, type Seen, type Side } from './play';

const QUIET_MS = 500;
const DEADLINE_MS = 10_000;
/** The broker has not done what the model did: long, for a busy machine. */
const EXPECTED_MS = 5_000;

interface ModelSide extends Side {
	readonly clock: SimulationClock;
	readonly broker: BrokerModel;
}

/** The model, with nothing on it. */
export function modelSide(
	seed: number,
	options: Pick<BrokerModelOptions, 'consumerTimeoutMs'> = {},
): ModelSide {
	const clock = simulationClock();
	let state = (seed % 2147483646) + 1;
	const random = () => (state = (state * 48271) % 2147483647) / 2147483647;
	const broker = createBroker({ ...options, clock, random });
	broker.setUser('guest', 'guest');
	const cuts = new Map<ChannelModel, () => void>();
	const answer = async <T>(asked: Promise<T>) => {
		let done = false;
		const end = () => void (done = true);
		asked.then(end, end);
		await clock.advanceUntil(() => done, DEADLINE_MS);
		return await asked;
	};
	return {
		clock,
		broker,
		connect: async () => {
			const connection = await answer(
				broker.connect({ hostname: 'model', port: 5672, username: 'guest', password: 'guest', vhost: '/' }),
			);
			connection.on('error', () => {});
			const newest = broker.connections.at(-1);
			cuts.set(connection, () => newest?.cut());
			return connection;
		},
		cutOff: async (connection) => {
			const ended = endOf(connection);
			cuts.get(connection)?.();
			await ended;
		},
		answer,
		publish: async (queue, ids) => ids.forEach((id) => broker.publish(queue, Buffer.from(String(id)))),
		ready: async (queue) => broker.depth(queue).ready,
		quiet: () => clock.advance(QUIET_MS),
		async drain(queue) {
			const connection = await this.connect();
			const channel = await answer(connection.createChannel());
			const found: Found[] = [];
			await answer(
				channel.consume(queue, (message) => message && found.push(foundOf(message)), { noAck: true }),
			);
			await clock.advance(QUIET_MS);
			await answer(connection.close());
			return found;
		},
	};
}

const endOf = (connection: ChannelModel) =>
	new Promise<void>((resolve) => connection.once('close', () => resolve()));

export interface RealSide extends Side {
	declare(queue: string, options: QueueOptions): Promise<void>;
	close(): Promise<void>;
}

/** The broker of the tests, for many sequences at once. */
export async function realSide(broker: Broker): Promise<RealSide> {
	const administrator = await connect(broker.url());
	const asking = await Promise.all(Array.from({ length: 8 }, () => administrator.createChannel()));
	const publishing = await administrator.createConfirmChannel();
	let turn = 0;
	const ready = async (queue: string) => {
		const channel = asking[(turn += 1) % asking.length]!;
		return (await channel.checkQueue(queue)).messageCount;
	};
	return {
		connect: () => connectTo(broker),
		cutOff: async (connection) => {
			const ended = endOf(connection);
			const { stream } = connection.connection as unknown as { stream: Socket };
			// Without an error amqplib would wait for the heartbeats that do not come.
			stream.destroy(new Error('cut off'));
			await ended;
		},
		answer: (asked) => asked,
		publish: (queue, ids) => publish(publishing, queue, ids),
		ready,
		async quiet(seen, expected) {
			const deadline = Date.now() + EXPECTED_MS;
			while (expected && Date.now() < deadline && !same(await seen(), expected)) await sleep(5);
			// What is too much may come still.
			await sleep(15);
		},
		async drain(queue) {
			const channel = await administrator.createChannel();
			const found: Found[] = [];
			const { messageCount } = await channel.checkQueue(queue);
			await channel.consume(queue, (message) => message && found.push(foundOf(message)), { noAck: true });
			const deadline = Date.now() + DEADLINE_MS;
			while (found.length < messageCount && Date.now() < deadline) await sleep(5);
			await sleep(15);
			await channel.close();
			return found;
		},
		async declare(queue, options) {
			const channel = asking[0]!;
			await declare(channel, queue, options);
		},
		close: () => administrator.close(),
	};
}

async function connectTo(broker: Broker): Promise<ChannelModel> {
	const connection = await connect(broker.url());
	connection.on('error', () => {});
	return connection;
}

async function publish(channel: ConfirmChannel, queue: string, ids: readonly number[]): Promise<void> {
	await Promise.all(
		ids.map(
			(id) =>
				new Promise<void>((resolve, reject) => {
					channel.sendToQueue(queue, Buffer.from(String(id)), { persistent: true }, (error) =>
						error ? reject(error as Error) : resolve(),
					);
				}),
		),
	);
}

/** Declares the queue with what the options stand for. */
async function declare(channel: Channel, queue: string, options: QueueOptions): Promise<void> {
	const {
		type = 'classic',
		deliveryLimit,
		deadLetterQueue,
		messageTtlMs,
		maxLength,
		singleActiveConsumer,
	} = options;
	await channel.assertQueue(queue, {
		durable: true,
		arguments: {
			'x-queue-type': type,
			...(deliveryLimit !== undefined && { 'x-delivery-limit': deliveryLimit }),
			...(deadLetterQueue !== undefined && {
				'x-dead-letter-exchange': '',
				'x-dead-letter-routing-key': deadLetterQueue,
			}),
			...(messageTtlMs !== undefined && { 'x-message-ttl': messageTtlMs }),
			...(maxLength !== undefined && { 'x-max-length': maxLength }),
			...(singleActiveConsumer && { 'x-single-active-consumer': true }),
		},
	});
}

function same(a: Seen, b: Seen): boolean {
	return a.deliveries === b.deliveries && a.ready === b.ready && a.deadLetters === b.deadLetters;
}
