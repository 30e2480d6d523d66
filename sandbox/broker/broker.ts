import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newPassword } from '../passwords';
import { accepts } from '../process/accepts';
import { freePorts } from '../process/freePort';
import { makeOwnFolder } from '../process/ownFolder';
import { startTied, type TiedProcess } from '../process/tiedProcess';
import { waitUntil } from '../process/waitUntil';
import { connectBroker, type BrokerClient } from './client';
import { ADMINISTRATOR, RABBITMQ_SCRIPTS, writeInstallation, type ServerCertificate } from './installation';

export interface BrokerOptions {
	/** Where its data, settings and logs live; kept by `close`. Default: a folder of its own under the system's temporary one, removed by `close`. */
	folder?: string;
	/** Default: any free one. */
	port?: number;
	/** With these, a TLS listener beside the plain one. */
	tls?: ServerCertificate;
	/** Further lines of rabbitmq.conf, such as `{ consumer_timeout: '60000' }`. */
	settings?: Record<string, string>;
}

/** One private RabbitMQ node. Everything it opens is on 127.0.0.1; it ends with this process at the latest. */
export interface Broker extends BrokerClient {
	readonly logFile: string;
	/** Starts it again on the same ports with the same data, after `stop` or `kill`. */
	start(): Promise<void>;
	/** An orderly stop: connections are closed properly, durable data stays. */
	stop(): Promise<void>;
	/** `kill -9`: connections just break. */
	kill(): Promise<void>;
	/** SIGSTOP: sockets stay open and nothing answers any more. */
	pause(): void;
	resume(): void;
	/** Ends every process of it and removes its temporary folder. It cannot be started again. */
	close(): Promise<void>;
}

const START_DEADLINE_MS = 60_000;
/** Of a log that is removed with its folder, as much as tells why. */
const TOLD_LINES = 15;

class EndedWhileStarting extends Error {}

/**
 * Starts a RabbitMQ node of Debian's package `rabbitmq-server` and waits until it takes connections (about 4 s).
 * @throws Error with the end of its log where it ends while it starts
 */
export async function startBroker(options: BrokerOptions = {}): Promise<Broker> {
	try {
		return await startOnce(options);
	} catch (error) {
		// Another program may take a free port between its choice and its use: others are chosen, where the choice is ours.
		if (!(error instanceof EndedWhileStarting) || options.port !== undefined) throw error;
		return startOnce(options);
	}
}

async function startOnce(options: BrokerOptions): Promise<Broker> {
	const folder = options.folder ?? (await mkdtemp(join(tmpdir(), 'parcel-broker-')));
	await makeOwnFolder(folder);
	const [amqp = 0, tls = 0, distribution = 0, epmd = 0] = await freePorts(4);
	// RabbitMQ keeps its data under this name: the same folder must get the same one again.
	const name = `parcel-${createHash('sha256').update(folder).digest('hex').slice(0, 8)}@localhost`;
	const ports = { amqp: options.port ?? amqp, distribution, epmd, ...(options.tls && { tls }) };
	const password = newPassword();
	const env = await writeInstallation({ ...options, folder, name, ports, password });
	const logFile = join(folder, 'log', 'output.log');

	// RabbitMQ starts this daemon by itself where it is missing and leaves it behind; this one ends with us.
	const nameDaemon = startTied('epmd', ['-port', String(epmd), '-address', '127.0.0.1'], { env, logFile });
	await waitUntil('the Erlang name daemon answers', () => accepts(epmd));
	const address = { name, env, port: ports.amqp, password, ...(options.tls && { tlsPort: tls }) };
	const client = connectBroker(address);
	let node: TiedProcess | undefined;

	const start = async () => {
		if (node !== undefined && !node.ended) return;
		const started = startTied(join(RABBITMQ_SCRIPTS, 'rabbitmq-server'), [], { env, logFile });
		node = started;
		await waitUntil(
			`RabbitMQ takes connections (${logFile})`,
			async () => {
				if (started.ended) throw await endedWhileStarting(logFile);
				// Not whoever else listens there, and would be shown the administrator's password.
				const own = await client.listeningPorts().catch((): number[] => []);
				return own.includes(ports.amqp) && (!options.tls || own.includes(tls));
			},
			{ deadlineMs: START_DEADLINE_MS },
		);
	};
	const close = async () => {
		await Promise.all([node?.kill(), client.close(), nameDaemon.kill()]);
		if (options.folder === undefined) await rm(folder, { recursive: true, force: true, maxRetries: 5 });
	};

	try {
		await start();
		// One that was kept has the administrator of an earlier start.
		await client.changePassword(ADMINISTRATOR, password);
	} catch (error) {
		await close();
		throw error;
	}
	return {
		...client,
		logFile,
		start,
		stop: async () => node?.stop(30_000),
		kill: async () => node?.kill(),
		pause: () => node?.signal('SIGSTOP'),
		resume: () => node?.signal('SIGCONT'),
		close,
	};
}

async function endedWhileStarting(logFile: string): Promise<EndedWhileStarting> {
	const lines = (await readFile(logFile, 'utf8').catch(() => '')).trimEnd().split('\n').slice(-TOLD_LINES);
	return new EndedWhileStarting(`RabbitMQ ended while starting; the end of ${logFile}:\n${lines.join('\n')}`);
}
