import type { ChannelModel, connect } from 'amqplib';
import type { Clock } from '../../../service/surroundings';
import { ModelOfConnection, type Frame } from './amqplib';
import { ClassicQueue } from './classicQueue';
import { ClientConnection } from './clientConnection';
import { deadLetter } from './deadLetters';
import type { Departure, Depth, Message, Queue, QueueOptions } from './queue';
import { QuorumQueue, type QuorumSettings } from './quorumQueue';
import { ServerConnection } from './serverConnection';
import { createWire, type Wire } from './wire';

type RabbitVersion = '3.10' | '4.0' | '4.3';

export interface BrokerModelOptions {
	clock: Clock;
	/** From 0 to 1; the only source of chance. */
	random: () => number;
	/** Which RabbitMQ; default 3.10, the one the model is compared with. */
	version?: RabbitVersion;
	/** Milliseconds that a frame travels, from and to. Default: 0.1 to 1. */
	latencyMs?: readonly [number, number];
	/** Milliseconds until a quorum queue has something on disk, from and to. Default: 0.5 to 4. */
	commitMs?: readonly [number, number];
	/** Milliseconds a delivery may stay unsettled. Default: half an hour; `null`: for ever. */
	consumerTimeoutMs?: number | null;
	/** Told of everything that happens. */
	trace?: (what: string) => void;
	/** Told the number of each message that is given out, and how often it came back, where the queue counts. */
	delivered?: (message: number, returns: number | undefined) => void;
	/**
	 * Told the number of each message that a queue gives to a consumer, and how many the queue has: one whose connection is
	 * gone may be there for a while, and what it is given comes back.
	 */
	handedOut?: (message: number, consumers: number) => void;
	/** Told when a consumer has begun, and how many its channel has had with that. */
	consumes?: (time: number) => void;
}

/** A message that nobody will get any more. */
interface Lost {
	readonly queue: string;
	readonly message: Message;
	readonly reason: Departure | 'unroutable';
	readonly at: number;
}

/** One client's connection, as the world outside can disturb it. */
interface ConnectionModel {
	/** Counts the connections of this broker. */
	readonly number: number;
	readonly user: string;
	/** As the client named it. */
	readonly name: string;
	readonly open: boolean;
	/** It has a consumer, as far as the broker knows: one that is dead may be there for a while. */
	readonly reads: boolean;
	/** It reads, or has what it read and did not settle. */
	readonly takesPart: boolean;
	/** The network forgets it: both sides are told that it was reset. */
	cut(): void;
	/** Nothing passes any more, in one direction or both; nobody is told. */
	freeze(direction?: 'toBroker' | 'toClient' | 'both'): void;
	/** What was frozen passes again, with what was sent meanwhile. */
	thaw(): void;
	/** The broker closes it, as an administrator may: `CONNECTION_FORCED`. */
	close(reason?: string): void;
	/** The broker closes its channels as it does when a delivery was out too long. */
	timeOutConsumers(): void;
	/** The broker takes no messages from it for now (`connection.blocked`); undefined: again. */
	block(reason: string | undefined): void;
}

/** A RabbitMQ without sockets or disks. */
export interface BrokerModel {
	/** In place of amqplib's: the same connection, with frames instead of bytes. */
	readonly connect: typeof connect;
	/** An account; default rights: every virtual host the broker has, every queue. */
	setUser(name: string, password: string, rights?: { vhosts?: readonly string[]; read?: RegExp }): void;
	/** Its connections are closed. */
	deleteUser(name: string): void;
	declare(queue: string, options?: QueueOptions): void;
	/** The consumers are told, and the messages are gone. */
	deleteQueue(queue: string): void;
	purge(queue: string): number;
	/** Returns the number of the message. */
	publish(
		queue: string,
		body: Buffer,
		properties?: { headers?: Record<string, unknown>; persistent?: boolean },
	): number;
	depth(queue: string): Depth;
	/** What is ready, in the order it would be handed out. */
	contents(queue: string): readonly Message[];
	/** What is handed out and not settled. */
	unsettled(queue: string): readonly Message[];
	/** Messages that are on no queue any more other than by an acknowledgement. */
	readonly lost: readonly Lost[];
	readonly connections: readonly ConnectionModel[];
	/** Connections are refused as by a port where nobody listens, and all that are open end; `kill`: without a word. */
	stop(how?: 'orderly' | 'kill'): void;
	start(): void;
	readonly running: boolean;
	/** New connections get no answer (true), or again. */
	silence(on: boolean): void;
	/** A quorum queue has no leader for so long. With `suspecting`, it lost sight of its consumers meanwhile. */
	changeLeader(queue: string, forMs: number, suspecting?: boolean): void;
	/** Everything stands still, as by SIGSTOP (true), or again. */
	freeze(on: boolean): void;
}

/** The same for all: they keep their order. */
const DEAD_LETTER_MS = 1;
const CONSUMER_TIMEOUT_MS = 30 * 60_000;
/** Two heartbeats and what is left of the one before: when the broker gives up a silent client. */
const BROKER_BEATS_MISSED = 2;

/** @throws nothing; what a client does that the model does not know throws where it is done */
export function createBroker(options: BrokerModelOptions): BrokerModel {
	const {
		clock,
		random,
		version = '3.10',
		latencyMs = [0.1, 1],
		commitMs = [0.5, 4],
		trace,
		delivered,
		handedOut,
		consumes,
	} = options;
	const between = ([low, high]: readonly [number, number]) => low + random() * (high - low);
	const tell = (what: string) => trace?.(what);

	const queues = new Map<string, Queue>();
	const users = new Map<string, { password: string; vhosts: readonly string[]; read: RegExp }>();
	const lost: Lost[] = [];
	const open = new Map<number, ConnectionModel & { stopped(kill: boolean): void }>();
	let messages = 0;
	let processes = 0;
	let connectionCount = 0;
	let running = true;
	let silent = false;
	let frozen = false;

	const quorumSettings: QuorumSettings = {
		commitMs: () => between(commitMs),
		...limitsOf(version),
	};

	const departed = (queue: Queue, { message }: { message: Message }, reason: Departure) => {
		const to = queue.options.deadLetterQueue;
		const target = to === undefined ? undefined : queues.get(to);
		const letter = to === undefined ? undefined : deadLetter(message, queue.name, reason, to);
		if (letter && target) {
			tell(`message ${message.number} is a dead letter of ${queue.name} (${reason})`);
			// The queue finishes first what it is doing.
			clock.after(DEAD_LETTER_MS, () => target.publish({ ...letter, number: message.number }));
			return;
		}
		tell(`message ${message.number} is gone from ${queue.name} (${reason})`);
		lost.push({ queue: queue.name, message, reason, at: clock.now() });
	};
	const surroundings = {
		departed,
		handedOut: ({ message }: { message: Message }, consumers: number) =>
			handedOut?.(message.number, consumers),
		now: () => clock.now(),
		after: (delayMs: number, callback: () => void) => clock.after(delayMs, callback),
	};
	const existing = (name: string) => {
		const queue = queues.get(name);
		if (!queue) throw new Error(`There is no queue ${name}`);
		return queue;
	};
	const publish = (message: Omit<Message, 'number'>, taken?: () => void) => {
		const queue = queues.get(message.routingKey);
		const numbered = { ...message, number: (messages += 1) };
		if (queue) queue.publish(numbered, taken);
		else {
			lost.push({ queue: message.routingKey, message: numbered, reason: 'unroutable', at: clock.now() });
			taken?.();
		}
		return numbered.number;
	};

	const connectClient = (url: ConnectOptions, socketOptions: SocketOptions = {}) =>
		new Promise<ChannelModel>((resolve, reject) => {
			const fail = (message: string, code: string) =>
				clock.after(between(latencyMs), () => reject(Object.assign(new Error(message), { code })));
			if (!running) return fail(`connect ECONNREFUSED ${url.hostname}:${url.port}`, 'ECONNREFUSED');
			openConnection(url, socketOptions, resolve, reject);
		});

	const openConnection = (
		url: ConnectOptions,
		socketOptions: SocketOptions,
		resolve: (model: ChannelModel) => void,
		reject: (error: unknown) => void,
	) => {
		const number = (connectionCount += 1);
		let socketOpen = true;
		let silence: (() => void) | undefined;
		const latency = () => between(latencyMs);
		const toBroker: Wire<Frame | 'end'> = createWire(clock, latency, (item) => {
			if (item === 'end') server.end();
			else server.receive(item);
		});
		const toClient: Wire<readonly Frame[] | 'end'> = createWire(clock, latency, (item) => {
			if (item === 'end') client.socketGone();
			else client.receive(item);
		});
		const server = new ServerConnection({
			send: (frames) => toClient.send(frames),
			closeSocket: () => toClient.send('end'),
			knows: (user, password) => users.get(user)?.password === password,
			vhostRefusal: (user, vhost) => vhostRefusal(user, vhost, users.get(user)?.vhosts ?? []),
			mayRead: (user, queue) => users.get(user)?.read.test(queue) ?? false,
			freshNumber: () => (processes += 1),
			random,
			trace,
			delivered,
			consumes,
			freshTag: () => `amq.ctag-${Math.floor(random() * 2 ** 48).toString(36)}`,
			queue: (name) => queues.get(name),
			publish,
			now: () => clock.now(),
			after: surroundings.after,
			consumerTimeoutMs: () =>
				options.consumerTimeoutMs === null ? undefined : (options.consumerTimeoutMs ?? CONSUMER_TIMEOUT_MS),
			gone: () => {
				silence?.();
				open.delete(number);
				tell(`connection ${number} is gone`);
			},
		});
		const client = new ClientConnection(clock, random, {
			send: (frame) => {
				if (socketOpen) toBroker.send(frame);
			},
			socketClosed: () => {
				socketOpen = false;
				toBroker.send('end');
			},
		});
		const watch = () => {
			client.silent(toClient.frozen);
			silence?.();
			silence = undefined;
			// A broker that stands still gives up nobody.
			if (!toBroker.frozen || frozen || !url.heartbeat) return;
			const intervals = BROKER_BEATS_MISSED + random();
			silence = clock.after(intervals * url.heartbeat * 1000, () => server.end());
		};
		const freeze: ConnectionModel['freeze'] = (direction = 'both') => {
			tell(`connection ${number} is frozen (${direction})`);
			if (direction !== 'toClient') toBroker.freeze();
			if (direction !== 'toBroker') toClient.freeze();
			watch();
		};
		open.set(number, {
			number,
			name: String((socketOptions.clientProperties ?? {})['connection_name'] ?? ''),
			get user() {
				return server.user;
			},
			get open() {
				return server.open;
			},
			get reads() {
				return server.reads;
			},
			get takesPart() {
				return server.takesPart;
			},
			cut() {
				tell(`connection ${number} is cut`);
				toBroker.cut();
				toClient.cut();
				server.end();
				const lost = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
				// Until the handshake begins, the end of the socket is a connection that could not be made.
				if (handshake) client.socketGone(lost);
				else opened(lost);
			},
			freeze,
			thaw() {
				tell(`connection ${number} is thawed`);
				toBroker.thaw();
				toClient.thaw();
				watch();
			},
			close(reason = 'closed by the administrator') {
				tell(`connection ${number} is closed by the broker`);
				server.close(320, `CONNECTION_FORCED - ${reason}`);
			},
			timeOutConsumers() {
				tell(`the consumers of connection ${number} are timed out`);
				server.timeOutConsumers(options.consumerTimeoutMs ?? CONSUMER_TIMEOUT_MS);
			},
			block: (reason) => server.block(reason),
			stopped(kill) {
				if (kill) this.cut();
				else {
					server.close(320, "CONNECTION_FORCED - broker forced connection closure with reason 'shutdown'");
					server.end();
				}
			},
		});
		tell(`connection ${number} is opened`);
		if (silent || frozen) freeze();

		let handshake = false;
		let settled = false;
		const late =
			socketOptions.timeout === undefined
				? undefined
				: clock.after(socketOptions.timeout, () => opened(new Error('connect ETIMEDOUT')));
		const opened = (error: Error | null) => {
			late?.();
			if (settled) return;
			settled = true;
			if (!error) return resolve(new ModelOfConnection(client));
			client.stream.destroy();
			reject(error);
		};
		// The socket first.
		clock.after(latency(), () => {
			if (settled) return;
			handshake = true;
			client.open(
				{
					mechanism: 'PLAIN',
					response: Buffer.from(['', url.username, url.password].join('\0')),
					clientProperties: socketOptions.clientProperties ?? {},
					locale: 'en_US',
					channelMax: 0,
					frameMax: 131072,
					heartbeat: url.heartbeat,
					virtualHost: decodeURIComponent(url.vhost ?? '/'),
				},
				opened,
			);
		});
	};

	return {
		connect: connectClient as unknown as typeof connect,
		setUser(name, password, { vhosts = ['/'], read = /./ } = {}) {
			users.set(name, { password, vhosts, read });
		},
		deleteUser(name) {
			users.delete(name);
			for (const connection of open.values()) if (connection.user === name) connection.close('user deleted');
		},
		declare(name, queueOptions = {}) {
			if (queues.has(name)) throw new Error(`The queue ${name} is there already`);
			const queue =
				queueOptions.type === 'quorum'
					? new QuorumQueue(name, { ...queueOptions }, quorumSettings, surroundings)
					: new ClassicQueue(name, { ...queueOptions }, surroundings);
			queues.set(name, queue);
		},
		deleteQueue(name) {
			tell(`queue ${name} is deleted`);
			const queue = existing(name);
			queues.delete(name);
			queue.delete();
		},
		purge: (name) => existing(name).purge(),
		publish(queue, body, { headers = {}, persistent = true } = {}) {
			existing(queue);
			return publish({ body, headers, routingKey: queue, persistent });
		},
		depth: (name) => existing(name).depth,
		contents: (name) => existing(name).ready.map(({ message }) => message),
		unsettled: (name) => existing(name).unsettled.map(({ message }) => message),
		lost,
		get connections() {
			return [...open.values()];
		},
		stop(how = 'orderly') {
			tell(`the broker stops (${how})`);
			running = false;
			for (const connection of [...open.values()]) connection.stopped(how === 'kill');
			for (const queue of queues.values()) queue.restart();
		},
		start() {
			tell('the broker starts');
			running = true;
		},
		get running() {
			return running;
		},
		silence: (on) => void (silent = on),
		changeLeader(name, forMs, suspecting = false) {
			const queue = existing(name);
			if (!(queue instanceof QuorumQueue)) throw new Error('Only a quorum queue has a leader');
			tell(`queue ${name} changes its leader`);
			if (suspecting) queue.suspectConsumers();
			queue.pause(forMs);
		},
		freeze(on) {
			frozen = on;
			for (const connection of open.values()) {
				if (on) connection.freeze();
				else connection.thaw();
			}
		},
	};
}

/**
 * RabbitMQ 4 is known from its documentation and its source only, not measured: a limit of 20 where the queue says
 * nothing (https://www.rabbitmq.com/docs/quorum-queues#poison-message-handling, since 4.0), credit given once
 * (`return_one` and `increase_credit` in deps/rabbit/src/rabbit_fifo.erl, since 4.0), and, since 4.3, a limit that goes by
 * failed deliveries alone, of which `basic.nack` makes none (https://www.rabbitmq.com/docs/4.3/nack).
 */
function limitsOf(version: RabbitVersion): Omit<QuorumSettings, 'commitMs'> {
	return {
		defaultLimit: version === '3.10' ? undefined : 20,
		counts: version === '4.3' ? 'closings' : 'returns',
		creditsTwice: version === '3.10',
	};
}

function vhostRefusal(user: string, vhost: string, open: readonly string[]): string | undefined {
	if (vhost !== '/') return `NOT_ALLOWED - vhost ${vhost} not found`;
	return open.includes(vhost)
		? undefined
		: `NOT_ALLOWED - access to vhost '${vhost}' refused for user '${user}'`;
}

/** As our address makes them. */
interface ConnectOptions {
	hostname?: string;
	port?: number;
	username?: string;
	password?: string;
	vhost?: string;
	heartbeat?: number;
}

interface SocketOptions {
	timeout?: number;
	clientProperties?: Record<string, unknown>;
}
