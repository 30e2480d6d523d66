import type { Channel, ChannelModel, ConsumeMessage } from 'amqplib';
import { simulationClock } from '../clock';
import { createBroker, type BrokerModelOptions } from './broker';
import type { QueueOptions } from './queue';

// What the comparison with RabbitMQ (test/broker/modelConformance.test.ts) cannot see: time, frozen links, RabbitMQ 4.

async function world(queue: QueueOptions, options: Partial<BrokerModelOptions> = {}) {
	const clock = simulationClock();
	let state = 7;
	const random = () => (state = (state * 48271) % 2147483647) / 2147483647;
	const broker = createBroker({ clock, random, ...options });
	broker.setUser('reader', 'secret');
	broker.declare('queue', queue);
	const answer = async <T>(asked: Promise<T>): Promise<T> => {
		let done = false;
		const end = () => void (done = true);
		asked.then(end, end);
		await clock.advanceUntil(() => done, 60_000);
		return await asked;
	};
	const account = { hostname: 'broker', port: 5672, username: 'reader', password: 'secret', heartbeat: 15 };
	const connect = async () => {
		const connection = await answer(broker.connect(account, { timeout: 10_000 }));
		const told: string[] = [];
		connection.on('error', (error: Error) => told.push(error.message));
		connection.on('close', () => told.push('closed'));
		return { connection, told };
	};
	const consume = async (connection: ChannelModel, prefetch = 10) => {
		const channel = await answer(connection.createChannel());
		const taken: ConsumeMessage[] = [];
		await answer(channel.prefetch(prefetch));
		await answer(channel.consume('queue', (message) => message && taken.push(message)));
		await clock.advance(50);
		return { channel, taken };
	};
	return { clock, broker, answer, connect, consume };
}

const publishAll = (broker: { publish(queue: string, body: Buffer): number }, count: number) =>
	Array.from({ length: count }, (_, index) => broker.publish('queue', Buffer.from(String(index + 1))));
const bodies = (messages: readonly { body: Buffer }[]) => messages.map(({ body }) => String(body));

it('lets frames take their time, and keeps their order', async () => {
	const { clock, broker, connect, consume } = await world({}, { latencyMs: [20, 400] });
	const { taken } = await consume((await connect()).connection, 50);
	const before = clock.now();
	publishAll(broker, 40);
	await clock.advance(19);
	expect(taken).toEqual([]);
	await clock.advanceUntil(() => taken.length === 40, 10_000);
	expect(clock.now() - before).toBeLessThanOrEqual(401);
	expect(taken.map(({ content }) => Number(content))).toEqual(Array.from({ length: 40 }, (_, i) => i + 1));
});

it.each(['classic', 'quorum'] as const)(
	'a frozen link to a %s queue ends by its heartbeat on both sides, and what it held comes back',
	async (type) => {
		const { clock, broker, connect, consume } = await world({ type });
		publishAll(broker, 3);
		const { connection, told } = await connect();
		await consume(connection);
		broker.connections[0]!.freeze();
		await clock.advance(29_000);
		expect(told).toEqual([]);
		expect(broker.depth('queue')).toMatchObject({ ready: 0, unsettled: 3 });
		await clock.advance(17_000);
		expect(told).toEqual(['Heartbeat timeout', 'closed']);
		expect(broker.depth('queue')).toEqual({ ready: 3, unsettled: 0, consumers: 0 });
		expect(broker.connections).toEqual([]);
	},
);

it('what was acknowledged on a link that is frozen towards the broker is delivered again', async () => {
	const { clock, broker, connect, consume } = await world({});
	publishAll(broker, 2);
	const { connection, told } = await connect();
	const { channel, taken } = await consume(connection);
	broker.connections[0]!.freeze('toBroker');
	for (const message of taken) channel.ack(message);
	await clock.advance(60_000);
	expect(told).toEqual(['Unexpected close', 'closed']);
	expect(bodies(broker.contents('queue'))).toEqual(['1', '2']);
});

it('a link that thaws in time goes on with what was sent meanwhile', async () => {
	const { clock, broker, connect, consume } = await world({});
	const { connection, told } = await connect();
	const { taken } = await consume(connection);
	broker.connections[0]!.freeze();
	publishAll(broker, 2);
	await clock.advance(20_000);
	expect(taken).toEqual([]);
	broker.connections[0]!.thaw();
	await clock.advance(120_000);
	expect(taken).toHaveLength(2);
	expect(told).toEqual([]);
});

it('a link that is cut before the handshake is one that could not be made', async () => {
	const { broker, connect } = await world({ type: 'classic' });
	const connecting = connect();
	broker.connections[0]!.cut();
	await expect(connecting).rejects.toThrow('read ECONNRESET');
});

it('a link that is cut tells its client, and nothing is left of it', async () => {
	const { clock, broker, connect, consume } = await world({ type: 'quorum' });
	publishAll(broker, 2);
	const { connection, told } = await connect();
	const { channel, taken } = await consume(connection);
	broker.connections[0]!.cut();
	expect(told).toEqual(['read ECONNRESET', 'closed']);
	expect(() => channel.ack(taken[0]!)).toThrow('Channel closed');
	await clock.advance(100);
	expect(broker.depth('queue')).toEqual({ ready: 2, unsettled: 0, consumers: 0 });
	expect(clock.pending).toBe(0);
});

it('who knocks at a broker that says nothing gives up in time, and one that is stopped refuses', async () => {
	const { clock, broker, connect } = await world({});
	broker.silence(true);
	await expect(connect()).rejects.toThrow('connect ETIMEDOUT');
	broker.silence(false);
	broker.stop();
	await expect(connect()).rejects.toMatchObject({ code: 'ECONNREFUSED' });
	broker.start();
	expect((await connect()).told).toEqual([]);
	await clock.advance(60_000);
	expect(broker.connections).toHaveLength(1);
});

it.each(['orderly', 'kill'] as const)('a broker that stops (%s) keeps what it should', async (how) => {
	const { clock, broker, connect, consume } = await world({});
	publishAll(broker, 2);
	broker.publish('queue', Buffer.from('transient'), { persistent: false });
	const { connection, told } = await connect();
	await consume(connection, 1);
	broker.stop(how);
	await clock.advance(100);
	expect(told.at(-1)).toBe('closed');
	expect(bodies(broker.contents('queue'))).toEqual(['1', '2']);
	expect(broker.lost).toMatchObject([{ reason: 'restarted' }]);
});

it('a delivery that stays out too long closes its channel', async () => {
	const { clock, broker, connect, answer } = await world({}, { consumerTimeoutMs: 120_000 });
	publishAll(broker, 1);
	const channel = await answer((await connect()).connection.createChannel());
	const told: string[] = [];
	channel.on('error', (error: Error) => told.push(error.message));
	await answer(channel.consume('queue', () => {}));
	await clock.advance(119_000);
	expect(told).toEqual([]);
	await clock.advance(62_000);
	expect(told).toEqual([expect.stringMatching(/406 .*channel 1 timed out\. Timeout value used: 120000 ms/)]);
	expect(broker.depth('queue').ready).toBe(1);
});

it('a queue that lost sight of its consumers hands out what they still have, and their word on it counts no more', async () => {
	const { clock, broker, connect, consume } = await world({ type: 'quorum' });
	publishAll(broker, 2);
	const { channel, taken } = await consume((await connect()).connection);
	broker.changeLeader('queue', 3_000, true);
	await clock.advance(2_900);
	expect(taken).toHaveLength(2);
	await clock.advance(200);
	expect(taken.map(({ content }) => String(content))).toEqual(['1', '2', '1', '2']);
	for (const message of taken.slice(0, 2)) channel.ack(message);
	await clock.advance(100);
	expect(broker.depth('queue').unsettled).toBe(2);
	for (const message of taken.slice(2)) channel.ack(message);
	await clock.advance(100);
	expect(broker.depth('queue').unsettled).toBe(0);
});

it('a queue that stands still still has the consumer of a connection that is gone, and what that is given comes behind', async () => {
	const handed: Array<readonly [message: number, consumers: number]> = [];
	const { clock, broker, connect, consume } = await world(
		{ type: 'quorum' },
		{ handedOut: (...each) => handed.push(each) },
	);
	await consume((await connect()).connection);
	const { taken } = await consume((await connect()).connection);
	broker.changeLeader('queue', 3_000);
	publishAll(broker, 2);
	broker.connections[0]!.cut();
	await clock.advance(2_900);
	expect(broker.connections.filter(({ reads }) => reads)).toHaveLength(1);
	await clock.advance(200);
	expect(taken.map(({ content }) => String(content))).toEqual(['2', '1']);
	expect(handed).toEqual([
		[1, 2],
		[2, 2],
		[1, 1],
	]);
});

describe('RabbitMQ 4', () => {
	const rounds = async (
		version: BrokerModelOptions['version'],
		queue: QueueOptions,
		giveBack: (channel: Channel, message: ConsumeMessage) => unknown,
	) => {
		const { clock, broker, connect, consume, answer } = await world(queue, { version });
		publishAll(broker, 1);
		const { connection } = await connect();
		const counts: unknown[] = [];
		for (let round = 0; round < 30 && broker.lost.length === 0; round += 1) {
			const { channel, taken } = await consume(connection, 1);
			counts.push(taken[0]?.properties.headers?.['x-delivery-count']);
			const consumer = taken[0]?.fields.consumerTag;
			if (consumer !== undefined) await answer(channel.cancel(consumer));
			if (taken[0]) giveBack(channel, taken[0]);
			await clock.advance(50);
			await answer(channel.close());
			await clock.advance(50);
		}
		return { counts, lost: broker.lost.map(({ reason }) => reason) };
	};
	const quorum: QueueOptions = { type: 'quorum' };
	const byNack = (channel: Channel, message: ConsumeMessage) => channel.nack(message, false, true);
	const byClosing = () => undefined;

	it('3.10 has no limit where the queue has none', async () => {
		expect(await rounds('3.10', quorum, byClosing)).toMatchObject({ lost: [] });
	});

	it.each<[NonNullable<BrokerModelOptions['version']>, string, typeof byNack, number]>([
		['4.0', 'closing', byClosing, 21],
		['4.0', 'giving back', byNack, 21],
		['4.3', 'closing', byClosing, 21],
	])('%s drops at the 21st return, by %s', async (version, _, giveBack, times) => {
		const { counts, lost } = await rounds(version, quorum, giveBack);
		expect(lost).toEqual(['delivery_limit']);
		expect(counts).toEqual([undefined, ...Array.from({ length: times - 1 }, (__, index) => index + 1)]);
	});

	it('4.3 does not count what is given back', async () => {
		const { counts, lost } = await rounds('4.3', { ...quorum, deliveryLimit: 2 }, byNack);
		expect(lost).toEqual([]);
		expect(counts.slice(-1)).toEqual([0]);
	});
});

it('does the same for the same seed, and leaves nothing behind', async () => {
	const play = async () => {
		const told: string[] = [];
		const { clock, broker, connect, consume } = await world(
			{ type: 'quorum' },
			{ trace: (what) => told.push(what) },
		);
		publishAll(broker, 30);
		for (const round of [1, 2, 3]) {
			const { channel, taken } = await consume((await connect()).connection, 5 * round);
			taken.forEach((message, index) => index % 2 && channel.nack(message, false, index % 3 === 0));
			told.push(`${clock.now()} ${taken.map(({ content }) => String(content)).join(' ')}`);
			broker.connections[0]!.close();
			await clock.advance(10_000);
		}
		told.push(bodies(broker.contents('queue')).join(' '), `${clock.pending} pending`);
		return told;
	};
	const first = await play();
	expect(first.at(-1)).toBe('0 pending');
	expect(await play()).toEqual(first);
});
