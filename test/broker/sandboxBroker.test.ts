import { mkdtemp, rm, stat } from 'node:fs/promises';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readFileSync } from 'node:fs';
import amqp, { type ChannelModel } from 'amqplib';
import { startBroker, type Broker } from '../../sandbox/broker/broker';
import { freePorts } from '../../sandbox/process/freePort';
import { waitUntil } from '../../sandbox/process/waitUntil';
import { makeCertificates, type Certificates } from '../../sandbox/tls/certificates';

jest.mock('../../sandbox/process/freePort', () => {
	const ports = jest.requireActual<typeof import('../../sandbox/process/freePort')>(
		'../../sandbox/process/freePort',
	);
	return { ...ports, freePorts: jest.fn(ports.freePorts) };
});

describe('the private broker', () => {
	let broker: Broker;
	let folder: string;
	let certificates: Certificates;
	const connections: ChannelModel[] = [];

	const connect = async (url: string, socketOptions?: object) => {
		const connection = await amqp.connect(url, socketOptions);
		connection.on('error', () => undefined);
		connections.push(connection);
		return connection;
	};

	beforeAll(async () => {
		folder = await mkdtemp(join(tmpdir(), 'parcel-certificates-'));
		certificates = await makeCertificates(folder);
		const { caFile, server } = certificates;
		broker = await startBroker({ tls: { caFile, ...server, clientCertificateNeeded: true } });
	}, 60_000);

	afterEach(() => Promise.allSettled(connections.splice(0).map((connection) => connection.close())));

	afterAll(async () => {
		await broker?.close();
		await rm(folder, { recursive: true, force: true });
	});

	it('counts what is ready, what is unacknowledged and who consumes', async () => {
		await broker.declareQueue('counted');
		const channel = await (await connect(broker.url())).createConfirmChannel();
		for (let number = 0; number < 5; number++) channel.sendToQueue('counted', Buffer.from('x'));
		await channel.waitForConfirms();
		await channel.prefetch(2);
		await channel.consume('counted', () => undefined);

		await waitUntil(
			'two are unacknowledged',
			async () => (await broker.queueDepth('counted')).unacknowledged === 2,
		);
		expect(await broker.queueDepth('counted')).toEqual({ ready: 3, unacknowledged: 2, consumers: 1 });
		expect(await broker.consumers()).toMatchObject([{ queue: 'counted', prefetch: 2 }]);
		expect(await broker.connections()).toMatchObject([
			{ user: 'admin', vhost: '/', state: 'running', channels: 1 },
		]);
	});

	it('keeps users, virtual hosts and rights as RabbitMQ does', async () => {
		await broker.addVhost('orders/eu');
		await broker.addUser('jane', 'a:b/c@d', 'orders/eu');
		await broker.declareQueue('events', { vhost: 'orders/eu' });
		await broker.setPermissions('jane', 'orders/eu', { configure: '^$', write: '^$', read: '^events$' });
		const url = broker.url({ user: 'jane', password: 'a:b/c@d', vhost: 'orders/eu' });
		const channel = await (await connect(url)).createChannel();
		channel.on('error', () => undefined);
		await expect(channel.assertQueue('other')).rejects.toThrow('ACCESS_REFUSED');

		await broker.changePassword('jane', 'new');
		await expect(connect(url)).rejects.toThrow('ACCESS_REFUSED');
	});

	it('closes the connections of a deleted user', async () => {
		await broker.addUser('leaver', 'secret');
		const connection = await connect(broker.url({ user: 'leaver', password: 'secret' }));
		const closed = new Promise((resolve) => connection.once('close', resolve));
		await broker.deleteUser('leaver');
		await closed;
	});

	it('dead-letters what is rejected where the queue says so', async () => {
		await broker.declareQueue('dead');
		await broker.declareQueue('living', { deadLetterQueue: 'dead' });
		const channel = await (await connect(broker.url())).createConfirmChannel();
		channel.sendToQueue('living', Buffer.from('x'));
		await channel.waitForConfirms();
		const message = await channel.get('living');
		channel.reject(message as amqp.GetMessage, false);
		await waitUntil('it is in the other queue', async () => (await broker.queueDepth('dead')).ready === 1);
	});

	it('takes clients over TLS that trust its authority and show their certificate, and no others', async () => {
		const { ca, client } = certificates;
		const url = broker.url({ tls: true });
		await connect(url, { ca, cert: client.certificate, key: client.key });
		await expect(connect(url, { cert: client.certificate, key: client.key })).rejects.toThrow(
			'self-signed certificate',
		);
		await expect(connect(url, { ca })).rejects.toThrow();
	});

	it('survives kill -9 with its durable messages and comes back on the same port', async () => {
		await broker.declareQueue('kept');
		const connection = await connect(broker.url());
		const channel = await connection.createConfirmChannel();
		channel.sendToQueue('kept', Buffer.from('x'), { persistent: true });
		await channel.waitForConfirms();
		const closed = new Promise((resolve) => connection.once('close', resolve));
		await broker.kill();
		await closed;
		await expect(connect(broker.url())).rejects.toThrow('ECONNREFUSED');

		await broker.start();
		await waitUntil('the message is there again', async () => (await broker.queueDepth('kept')).ready === 1);
	}, 60_000);

	it('answers nothing while paused and everything afterwards', async () => {
		broker.pause();
		const waiting = connect(broker.url());
		const outcome = await Promise.race([
			waiting,
			new Promise((resolve) => setTimeout(resolve, 300, 'silence')),
		]);
		broker.resume();
		expect(outcome).toBe('silence');
		await waiting;
	});

	it('closes connections from its side and blocks those that publish', async () => {
		const connection = await connect(broker.url());
		const blocked = new Promise((resolve) => connection.once('blocked', resolve));
		const closed = new Promise((resolve) => connection.once('close', resolve));
		const channel = await connection.createChannel();
		await broker.memoryAlarm(true);
		// RabbitMQ tells its connections of an alarm after it has answered, and blocks one by what it publishes afterwards.
		const publishing = setInterval(() => channel.sendToQueue('kept', Buffer.from('x')), 50);
		await blocked;
		clearInterval(publishing);
		await broker.memoryAlarm(false);
		await broker.closeConnections();
		await closed;
	});

	it('lets nobody in by an account that everybody knows, nor by one of an earlier start', async () => {
		const kept = join(folder, 'kept');
		const first = await startBroker({ folder: kept });
		const before = first.url();
		await first.stop();
		await first.close();
		const again = await startBroker({ folder: kept });
		try {
			await (await connect(again.url())).createChannel();
			for (const user of ['admin', 'guest']) {
				await expect(connect(again.url({ user, password: user }))).rejects.toThrow('ACCESS_REFUSED');
			}
			const { password } = new URL(before);
			await expect(connect(again.url({ password }))).rejects.toThrow('ACCESS_REFUSED');
			expect((await stat(kept)).mode & 0o077).toBe(0);
			expect((await stat(join(kept, 'rabbitmq.conf'))).mode & 0o077).toBe(0);
		} finally {
			await again.close();
		}
	}, 90_000);

	it('does not take whoever listens at its port for itself, and shows it no password', async () => {
		const told: string[] = [];
		const other = createServer((socket) => socket.on('data', (bytes) => told.push(bytes.toString('latin1'))));
		const [port = 0] = await freePorts(1);
		other.listen(port, '127.0.0.1');
		await once(other, 'listening');
		await expect(startBroker({ port })).rejects.toThrow(/RabbitMQ ended while starting.*eaddrinuse/s);
		expect(told).toEqual([]);
		other.close();
	}, 60_000);

	it('chooses other ports where another program takes one of those that were free', async () => {
		const [port = 0, ...rest] = await freePorts(4);
		const other = createServer().listen(port, '127.0.0.1');
		await once(other, 'listening');
		jest.mocked(freePorts).mockResolvedValueOnce([port, ...rest]);
		try {
			const started = await startBroker();
			expect(started.port).not.toBe(port);
			await started.close();
		} finally {
			other.close();
		}
	}, 120_000);

	it('runs beside another and leaves nothing behind', async () => {
		const other = await startBroker();
		const processId = Number(await other.evaluate('list_to_integer(os:getpid())'));
		expect(other.port).not.toBe(broker.port);
		await other.close();
		expect(() => readFileSync(`/proc/${processId}/stat`)).toThrow();
		expect(() => readFileSync(other.logFile)).toThrow();
	}, 60_000);
});
