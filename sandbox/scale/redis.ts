import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { accepts } from '../process/accepts';
import { freePorts } from '../process/freePort';
import { startTied, type TiedProcess } from '../process/tiedProcess';
import { waitUntil } from '../process/waitUntil';

/** One private Redis on 127.0.0.1. It ends with this process at the latest. */
export interface Redis {
	readonly port: number;
	readonly logFile: string;
	/** Starts it again on the same port with the same data, after `stop` or `kill`. */
	start(): Promise<void>;
	/** SIGTERM: everything is on disk when it has ended. */
	stop(): Promise<void>;
	/** `kill -9` */
	kill(): Promise<void>;
}

/** Starts a server of Debian's package `redis-server` with its data in `folder`. */
export async function startRedis(folder: string): Promise<Redis> {
	await mkdir(folder, { recursive: true });
	const [port = 0] = await freePorts(1);
	const logFile = join(folder, 'redis.log');
	const settings = { port: String(port), bind: '127.0.0.1', dir: folder, appendonly: 'yes', save: '' };
	const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]);
	let server: TiedProcess | undefined;

	const start = async () => {
		if (server !== undefined && !server.ended) return;
		const started = startTied('redis-server', args, { logFile });
		server = started;
		await waitUntil(`Redis takes connections (${logFile})`, () => {
			if (started.ended) throw new Error(`Redis ended while starting; its log: ${logFile}`);
			return accepts(port);
		});
	};
	await start();
	return { port, logFile, start, stop: async () => server?.stop(), kill: async () => server?.kill() };
}
