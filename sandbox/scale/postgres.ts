import { execFile } from 'node:child_process';
import { chown, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { newPassword } from '../passwords';
import { freePorts } from '../process/freePort';
import { startTied } from '../process/tiedProcess';
import { waitUntil } from '../process/waitUntil';

/** One private PostgreSQL on 127.0.0.1, empty at its start. It ends with this process at the latest. */
export interface Postgres {
	readonly port: number;
	readonly user: string;
	readonly password: string;
	readonly database: string;
	readonly logFile: string;
	/** Has it do what SQL says. */
	ask(sql: string): Promise<void>;
	/** Ends it; its folder stays. */
	close(): Promise<void>;
}

const VERSIONS = '/usr/lib/postgresql';
const USER = 'postgres';

/** Nothing here must outlive a power cut: no waiting for the disk. */
const SETTINGS = ['fsync=off', 'full_page_writes=off', 'max_connections=200', 'unix_socket_directories='];

/**
 * Starts a server of Debian's package `postgresql` with its data below `folder` (about 3 s). PostgreSQL refuses to run as
 * root: there, it runs as the package's user `postgres`, who must be able to enter `folder`.
 */
export async function startPostgres(folder: string): Promise<Postgres> {
	const data = join(folder, 'data');
	const logFile = join(folder, 'postgres.log');
	await mkdir(data, { recursive: true, mode: 0o700 });
	const password = newPassword();
	const passwordFile = join(folder, 'password');
	await writeFile(passwordFile, password, { mode: 0o600 });
	const isRoot = process.getuid?.() === 0;
	if (isRoot) await Promise.all([data, passwordFile].map(giveToUser));
	const programs = await newestPrograms();
	const command = (program: string, args: string[]): [string, string[]] => {
		const path = join(programs, program);
		if (!isRoot) return [path, args];
		return ['setpriv', [`--reuid=${USER}`, `--regid=${USER}`, '--clear-groups', path, ...args]];
	};

	// It runs programs for whoever is let in, as the user it runs as: not for every user of this machine.
	const login = ['--username', USER, '--auth=scram-sha-256', '--pwfile', passwordFile];
	const initdb = command('initdb', [
		...['--pgdata', data, ...login],
		...['--encoding=UTF8', '--no-locale', '--no-sync'],
	]);
	await promisify(execFile)(...initdb, { timeout: 60_000, cwd: '/' });
	await rm(passwordFile);

	const [port = 0] = await freePorts(1);
	const settings = SETTINGS.flatMap((setting) => ['-c', setting]);
	const postgres = command('postgres', ['-D', data, '-p', String(port), '-h', '127.0.0.1', ...settings]);
	const server = startTied(...postgres, { logFile, cwd: '/' });
	await waitUntil(`PostgreSQL takes connections (${logFile})`, async () => {
		if (server.ended) throw new Error(`PostgreSQL ended while starting; its log: ${logFile}`);
		// It has its port before: who asks then is told that it is starting up.
		return (await readFile(logFile, 'utf8')).includes('ready to accept connections');
	});
	return {
		port,
		user: USER,
		password,
		database: USER,
		logFile,
		ask: async (sql) => {
			const login = ['--host=127.0.0.1', `--port=${port}`, `--username=${USER}`, `--dbname=${USER}`];
			await promisify(execFile)(
				join(programs, 'psql'),
				[...login, '--set=ON_ERROR_STOP=1', '--command', sql],
				{
					...{ timeout: 30_000, cwd: '/', env: { ...process.env, PGPASSWORD: password } },
				},
			);
		},
		close: async () => {
			// "Immediate shutdown": takes its shared memory along, which a killed server leaves behind.
			server.signal('SIGQUIT');
			await server.stop();
		},
	};
}

async function newestPrograms(): Promise<string> {
	const versions = (await readdir(VERSIONS)).sort((a, b) => Number(b) - Number(a));
	return join(VERSIONS, versions[0] ?? '', 'bin');
}

async function giveToUser(folder: string): Promise<void> {
	const id = async (flag: string) => Number((await promisify(execFile)('id', [flag, USER])).stdout);
	await chown(folder, await id('-u'), await id('-g'));
}
