import { createServer, type AddressInfo, type Server } from 'node:net';
import { connect, type Channel } from 'amqplib';
import { waitUntil } from '../../sandbox/process/waitUntil';
import type { EventFilter, QueueAddress } from '../../service/queue/contract';
import { openLink } from '../../service/queue/link';
import { peek, tryLogin } from '../../service/queue/peek';
import { createHub } from '../../service/queue/hub';
import { systemClock } from '../../service/surroundings';
import { eventBody, setIdOf } from '../support/events';
import { startTestQueue, type TestQueue } from '../support/queue';
import { addressOf, READER, recordingLogger, subscriber } from '../support/subscriber';

jest.setTimeout(60_000);

let service: TestQueue;
const servers: Server[] = [];
const logger = recordingLogger();
beforeAll(async () => {
	service = await startTestQueue();
	await service.broker.addVhost('closed');
});
afterAll(async () => {
	for (const server of servers) server.close();
	await service.close();
});

/** A server that accepts and never says a word. */
async function silentPort(): Promise<number> {
	const server = createServer((socket) => socket.on('error', () => {}));
	servers.push(server);
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return (server.address() as AddressInfo).port;
}

describe('the test of a queue credential', () => {
	it('passes with the right account, whose password holds a colon, a space and a letter outside ASCII', async () => {
		await tryLogin(addressOf(service.broker), systemClock, logger);
	});

	it.each<[string, () => Promise<Partial<QueueAddress>>, string, RegExp]>([
		[
			'a wrong password',
			async () => ({ password: 'wrong' }),
			'unauthorized',
			/refused the user name or password/,
		],
		[
			'an unknown user',
			async () => ({ username: 'nobody' }),
			'unauthorized',
			/refused the user name or password/,
		],
		['a virtual host that is not there', async () => ({ vhost: 'missing' }), 'notFound', /virtual host/],
		['a virtual host closed to the user', async () => ({ vhost: 'closed' }), 'notFound', /virtual host/],
		[
			'an unknown host',
			async () => ({ host: 'nowhere.invalid' }),
			'network',
			/host of the message queue was not found/,
		],
		['a port where nothing listens', async () => ({ port: 9 }), 'network', /Nothing answers/],
		[
			'a port that never says a word',
			async () => ({ port: await silentPort() }),
			'timeout',
			/did not answer in time/,
		],
		['TLS on a plain port', async () => ({ tls: true }), 'network', /does not speak TLS/],
		[
			'an address instead of a host',
			async () => ({ host: 'amqp://localhost' }),
			'invalidInput',
			/not a host name/,
		],
		['a port in the host', async () => ({ host: 'localhost:5672' }), 'invalidInput', /holds a port/],
		['no host', async () => ({ host: ' ' }), 'invalidInput', /host of the message queue is empty/],
		['port 0', async () => ({ port: 0 }), 'invalidInput', /1 to 65535/],
		['no user', async () => ({ username: '' }), 'invalidInput', /user name/],
		[
			'a CA certificate that is none',
			async () => ({ tls: true, caCertificate: 'my certificate' }),
			'invalidInput',
			/CA certificate .* cannot be read/,
		],
		[
			'a client certificate without its key',
			async () => ({ tls: true, clientCertificate: 'x' }),
			'invalidInput',
			/needs its key/,
		],
	])('tells %s apart', async (_, changes, code, message) => {
		const error = await tryLogin(addressOf(service.broker, await changes()), systemClock, logger).catch(
			(e) => e,
		);
		expect(error).toMatchObject({ code, message: expect.stringMatching(message) });
		expect(error.remedy ?? '').not.toBe('');
		expect(JSON.stringify([error.message, error.remedy, String(error.cause)])).not.toContain(READER.password);
	});
});

describe('a look at the queue', () => {
	const all: EventFilter = { statuses: [], customerIds: [], instances: [] };
	const look = (
		queue: string,
		filter = all,
		signal = new AbortController().signal,
		takenOver = async () => false,
	) =>
		peek({
			address: addressOf(service.broker),
			queue,
			filter,
			clock: systemClock,
			logger,
			signal,
			takenOver,
		});

	it('shows the first event that passes and leaves everything in its place', async () => {
		const queue = await service.declare('peek-one');
		await service.publish(
			queue,
			Buffer.from('no event'),
			eventBody(1),
			eventBody(2, { newStatus: 'Signed' }),
			eventBody(3),
		);
		const found = await look(queue, { ...all, statuses: ['SIGNED'] });
		expect(found?.event.setId).toBe(setIdOf(2));
		expect(await service.broker.queueDepth(queue)).toMatchObject({ ready: 4, unacknowledged: 0 });
		const reader = subscriber(addressOf(service.broker), queue);
		const member = await createHub(logger, systemClock).subscribe(reader, false);
		await waitUntil('the events are there', () => reader.runs.length >= 3);
		expect(reader.setIds).toEqual([1, 2, 3].map(setIdOf));
		await member.leave();
	});

	it('waits for an event on an empty queue', async () => {
		const queue = await service.declare('peek-empty');
		const found = look(queue);
		await service.publish(queue, eventBody(5));
		expect((await found)?.event.setId).toBe(setIdOf(5));
		expect(await service.broker.queueDepth(queue)).toMatchObject({ ready: 1, unacknowledged: 0 });
	});

	it('says so when the first 20 do not match, and fetches each once only', async () => {
		const queue = await service.declare('peek-others');
		await service.publish(queue, ...Array.from({ length: 25 }, (_, n) => eventBody(n)));
		await expect(look(queue, { ...all, statuses: ['SIGNED'] })).rejects.toMatchObject({
			message: expect.stringContaining('first 20'),
			remedy: expect.stringContaining('stay on the queue'),
		});
		expect(await service.broker.queueDepth(queue)).toMatchObject({ ready: 25, unacknowledged: 0 });
	});

	it('as often as one likes takes nothing away, also where the queue drops what it gave out twenty times', async () => {
		const queue = await service.declare('peek-often', { type: 'quorum', deliveryLimit: 20 });
		await service.publish(queue, ...Array.from({ length: 60 }, (_, n) => eventBody(n)));
		const looks = [];
		for (let times = 0; times < 25; times += 1) looks.push(await look(queue).catch((error) => error));
		for (let times = 0; times < 25; times += 1)
			looks.push(await look(queue, { ...all, statuses: ['SIGNED'] }).catch((error) => error));
		await waitUntil('all is back', async () => (await service.broker.queueDepth(queue)).unacknowledged === 0);
		expect(await service.ready(queue)).toBe(60);
		expect(looks.slice(0, 5).map((found) => found.event?.setId)).toEqual(Array(5).fill(setIdOf(0)));
		expect(looks[5]).toMatchObject({
			message:
				'Of the first events of the queue “peek-often”, one or more were given out 5 times, and tests leave them alone now',
			remedy: expect.stringContaining('Pin the data'),
		});
		expect(
			logger.lines.filter((line) => line.includes('Queue peek-often: 1 events delivered for the third time')),
		).toHaveLength(1);
	});

	it('goes on where what was looked at so often is gone, and where nothing is counted', async () => {
		const counts = await service.declare('peek-on', { type: 'quorum' });
		const classic = await service.declare('peek-classic');
		await service.publish(counts, eventBody(1));
		await service.publish(classic, eventBody(1));
		for (let times = 0; times < 7; times += 1) await look(classic);
		for (let times = 0; times < 5; times += 1) await look(counts);
		await expect(look(counts)).rejects.toMatchObject({ message: expect.stringContaining('5 times') });
		const reader = subscriber(addressOf(service.broker), counts);
		const member = await createHub(logger, systemClock).subscribe(reader, false);
		await waitUntil('it has run', async () => reader.runs.length === 1);
		await member.leave();
		await waitUntil(
			'it is off the queue',
			async () => (await service.broker.queueDepth(counts)).unacknowledged === 0,
		);
		const found = look(counts);
		await service.publish(counts, eventBody(2));
		expect((await found)?.event.setId).toBe(setIdOf(2));
	});

	it('goes on where as much is gone as was looked at, and others came', async () => {
		const queue = await service.declare('peek-gone', { type: 'quorum' });
		const signed = { ...all, statuses: ['SIGNED'] };
		await service.publish(queue, eventBody(1), eventBody(2), eventBody(3, { newStatus: 'Signed' }));
		await service.publish(queue, ...[4, 5, 6, 7].map((n) => eventBody(n)));
		for (let times = 0; times < 5; times += 1) await look(queue, signed);
		const take = async (count: number) => {
			const connection = await connect(service.broker.url());
			const channel = await connection.createChannel();
			for (let taken = 0; taken < count; taken += 1) await channel.get(queue, { noAck: true });
			await connection.close();
		};
		await take(2);
		await expect(look(queue, signed)).rejects.toMatchObject({ message: expect.stringContaining('5 times') });
		await take(5);
		await service.publish(queue, eventBody(8), eventBody(9, { newStatus: 'Signed' }));
		expect((await look(queue, signed))?.event.setId).toBe(setIdOf(9));
	});

	it.each<[string, string, string]>([
		['a queue that is not there', 'nope', 'notFound'],
		['a queue the user may not read', 'secret', 'unauthorized'],
	])('names %s', async (_, queue, code) => {
		await service.declare('secret');
		await service.broker.setPermissions(READER.user, '/', {
			configure: '^$',
			write: '^$',
			read: '^(?!secret).*',
		});
		await expect(look(queue)).rejects.toMatchObject({ code, message: expect.stringContaining(queue) });
	});

	it('says so when the connection is closed from the other side', async () => {
		const queue = await service.declare('peek-closed');
		await service.publish(queue, eventBody(1));
		const ended = expect(look(queue, { ...all, statuses: ['SIGNED'] })).rejects.toMatchObject({
			message: expect.stringContaining('closed for the night'),
			remedy: expect.stringContaining('started again'),
		});
		// A connection of its user may be that of the look before, which is still being closed.
		await waitUntil(
			'the event is held',
			async () => (await service.broker.queueDepth(queue)).unacknowledged === 1,
		);
		await service.broker.closeConnections('closed for the night');
		await ended;
	});

	it('stops when told to, holding nothing', async () => {
		const queue = await service.declare('peek-stop');
		await service.publish(queue, eventBody(1));
		const stop = new AbortController();
		const found = look(queue, { ...all, statuses: ['SIGNED'] }, stop.signal);
		await waitUntil(
			'the event is held',
			async () => (await service.broker.queueDepth(queue)).unacknowledged === 1,
		);
		stop.abort();
		expect(await found).toBeUndefined();
		expect(await service.broker.queueDepth(queue)).toMatchObject({ ready: 1, unacknowledged: 0 });
	});

	it('of a stream is refused like listening to it, before it gives an event, and a person is told', async () => {
		const connection = await connect(service.broker.url());
		const channel = await connection.createChannel();
		const { queue } = await channel.assertQueue('stream', { arguments: { 'x-queue-type': 'stream' } });
		const reader = subscriber(addressOf(service.broker), queue);
		const member = await createHub(logger, systemClock).subscribe(reader, false);
		const refusal = { message: `The queue “${queue}” is a stream, which takes no event back` };
		await expect(member.untilListening()).rejects.toMatchObject(refusal);
		channel.sendToQueue(queue, Buffer.from(JSON.stringify(eventBody(1))));
		await expect(look(queue, all)).rejects.toMatchObject({ message: expect.stringContaining('is a stream') });
		await waitUntil('a person is told', () => reader.problems.length > 0);
		expect(reader.problems).toMatchObject([{ kind: 'outage', error: refusal }]);
		expect(reader.runs).toEqual([]);
		await member.leave();
		await connection.close();
	});

	it('ends when a published workflow begins to listen in the same process', async () => {
		const queue = await service.declare('peek-taken');
		let taken = false;
		const found = look(queue, all, undefined, async () => taken);
		taken = true;
		expect(await found).toBeUndefined();
	});
});

describe('a queue that somebody reads alone', () => {
	it.each<[string, (channel: Channel) => Promise<string>]>([
		[
			'as its only consumer',
			async (channel) => {
				const queue = await service.declare('alone-consumer');
				await channel.consume(queue, () => undefined, { exclusive: true });
				return queue;
			},
		],
		[
			'as its owner',
			async (channel) => (await channel.assertQueue('alone-owner', { exclusive: true })).queue,
		],
	])('%s is named so, and a person is told', async (_, reads) => {
		const connection = await connect(service.broker.url());
		const queue = await reads(await connection.createChannel());
		const reader = subscriber(addressOf(service.broker), queue);
		const member = await createHub(logger, systemClock).subscribe(reader, false);
		await expect(member.untilListening()).rejects.toMatchObject({
			message: `The queue “${queue}” is held by another reader alone`,
		});
		await waitUntil('a person is told', () => reader.problems.length > 0);
		await member.leave();
		await connection.close();
	});
});

describe('a copy for the test in the editor', () => {
	it('shows the next event of a queue that is listened to, which still reaches production', async () => {
		const queue = await service.declare('tap');
		const hub = createHub(logger, systemClock);
		const address = addressOf(service.broker);
		const filter = { statuses: ['SIGNED'], customerIds: [], instances: [] };
		expect(await hub.tap(address, queue, filter, () => {})).toBeUndefined();
		const production = subscriber(address, queue);
		const member = await hub.subscribe(production, false);
		await member.untilListening();
		const copies: string[] = [];
		const untap = await hub.tap(address, queue, filter, ({ event }) => void copies.push(event.setId ?? ''));
		await service.publish(queue, eventBody(1), eventBody(2, { newStatus: 'Signed' }));
		await waitUntil('production has both', () => production.runs.length === 2);
		expect(copies).toEqual([setIdOf(2)]);
		untap?.();
		await member.leave();
	});
});

it('a connection closed twice ends in order: no heartbeat goes on beating', async () => {
	const alive = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
	const link = await openLink(addressOf(service.broker), 'Test', systemClock, logger);
	const open = alive();
	const closing = link.close();
	await link.lost;
	await Promise.all([closing, link.close()]);
	// amqplib beats with two timers, one for each direction.
	expect(alive()).toBe(open - 2);
});
