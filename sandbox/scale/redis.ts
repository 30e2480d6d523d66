import { join } from 'node:path';
import { newPassword } from '../passwords';
import { accepts } from '../process/accepts';
import { freePorts } from '../process/freePort';
import { makeOwnFolder } from '../process/ownFolder';
import { startTied, type TiedProcess } from '../process/tiedProcess';
import { waitUntil } from '../process/waitUntil';

/** One private Redis on 127.0.0.1. It ends with this process at the latest. */
export interface Redis {
	readonly port: number;
	readonly password: string;
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
	await makeOwnFolder(folder);
	const [port = 0] = await freePorts(1);
	const logFile = join(folder, 'redis.log');
	const settings = { port: String(port), bind: '127.0.0.1', dir: folder, appendonly: 'yes', save: '' };
	const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]);
	const password = newPassword();
	let server: TiedProcess | undefined;

	const start = async () => {
		if (server !== undefined && !server.ended) return;
		// The last one: settings on its input, since every user of this machine sees how a program was called.
		const started = startTied('redis-server', [...args, '-'], { logFile });
		server = started;
		started.stdin.end(`requirepass ${password}\n`);
		await waitUntil(`Redis takes connections (${logFile})`, () => {
			if (started.ended) throw new Error(`Redis ended while starting; its log: ${logFile}`);
			return accepts(port);
		});
	};
	await start();
	return {
		...{ port, password, logFile, start },
		stop: async () => server?.stop(),
		kill: async () => server?.kill(),
	};
}
