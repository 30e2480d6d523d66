import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeOwnFolder } from '../process/ownFolder';
import { freePorts } from '../process/freePort';
import { startTied, type TiedProcess } from '../process/tiedProcess';
import { waitUntil } from '../process/waitUntil';
import { communityPackagesOf } from './communityPackages';
import { credentialsOf } from './credentials';
import { shutDoor, type Door } from './door';
import { environmentFor } from './environment';
import { executionsOf } from './executions';
import { makeFolders } from './folders';
import { findHost } from './host';
import { readPackage, writeNpmStandIn } from './npmStandIn';
import { signInAsOwner } from './owner';
import { signIn, type N8nRest, type Person } from './rest';
import { workflowsOf } from './workflows';

interface N8nOptions {
	/** N8N_USER_FOLDER: kept when n8n stops, so that it can be started on it again. */
	folder: string;
	/** One of sandbox/hosts; default: the newest. */
	version?: string;
	/** Default: any free one. */
	port?: number;
	/** Further variables for n8n; they win over ours. */
	env?: NodeJS.ProcessEnv;
	/** What `npm pack` made: installed by n8n's own steps once it runs. */
	packageTarball?: string;
	/** Where n8n's file nodes may read and write. Default: `files` below `folder`. */
	filesFolder?: string;
	/** Changes the owner's password where `folder` has been used before. */
	renewPassword?: boolean;
}

/** Everything the editor of a running n8n can ask of it. */
export interface N8nClient {
	readonly url: string;
	readonly rest: N8nRest;
	readonly credentials: ReturnType<typeof credentialsOf>;
	readonly workflows: ReturnType<typeof workflowsOf>;
	readonly executions: ReturnType<typeof executionsOf>;
	readonly communityPackages: ReturnType<typeof communityPackagesOf>;
}

/** An n8n that we started. */
export interface N8n extends N8nClient {
	/** Who owns it: a password of its own for each folder, kept there. */
	readonly owner: Person;
	readonly version: string;
	readonly filesFolder: string;
	readonly logFile: string;
	readonly processId: number;
	/** Settles when n8n has ended, whoever ended it. */
	readonly exited: Promise<unknown>;
	logs(): Promise<string>;
	/** SIGTERM, as an orderly shutdown of the machine does; SIGKILL after 40 s (n8n gives itself 30). */
	stop(): Promise<void>;
	/** `kill -9` */
	kill(): Promise<void>;
}

const START_DEADLINE_MS = 120_000;

/** Starts n8n, signs in as its owner and installs the package: about 15 s, the first time in a folder. */
export async function startN8n(options: N8nOptions): Promise<N8n> {
	for (let again = 2; ; again--) {
		try {
			return await startOnce(options);
		} catch (error) {
			// Both ports were free a moment ago: another process of this machine took one.
			const taken = error instanceof Error && error.message.includes('is already in use');
			if (!taken || options.port !== undefined || again === 0) throw error;
		}
	}
}

async function startOnce(options: N8nOptions): Promise<N8n> {
	const [freePort = 0, taskBrokerPort = 0] = await freePorts(2);
	const port = options.port ?? freePort;
	await makeOwnFolder(options.folder);
	const packed = options.packageTarball === undefined ? undefined : await readPackage(options.packageTarball);
	const host = await findHost(options.version);
	const { programs, filesFolder } = await makeFolders(options.folder, host, options.filesFolder);
	if (packed !== undefined) await writeNpmStandIn(programs, packed);

	const logFile = join(options.folder, 'n8n.log');
	const plan = { host, folder: options.folder, port, taskBrokerPort, programs, filesFolder };
	const door = await shutDoor(options.folder);
	const env = { ...environmentFor(plan), ...door.env, ...options.env };
	const child = startTied(host.node, [...door.args, host.n8n, 'start'], {
		...{ env, logFile, cwd: options.folder },
	});
	const url = `http://127.0.0.1:${port}`;
	try {
		const headers = await ready(url, child, logFile, door);
		const { rest, owner } = await signInAsOwner(url, options.folder, {
			renew: options.renewPassword ?? false,
			headers,
		});
		await door.open();
		const client = clientOf(rest);
		if (packed !== undefined) await client.communityPackages.install(packed.name, packed.version);
		return {
			...client,
			owner,
			version: host.version,
			filesFolder,
			logFile,
			processId: child.pid,
			exited: child.exited,
			logs: () => readFile(logFile, 'utf8'),
			stop: () => child.stop(40_000),
			kill: () => child.kill(),
		};
	} catch (error) {
		await child.kill();
		throw error;
	}
}

/** Signs in to an n8n that runs already. */
export async function connectN8n(url: string, person: Person): Promise<N8nClient> {
	return clientOf(await signIn(url, person));
}

function clientOf(rest: N8nRest): N8nClient {
	return {
		url: rest.url,
		rest,
		credentials: credentialsOf(rest),
		workflows: workflowsOf(rest),
		executions: executionsOf(rest),
		communityPackages: communityPackagesOf(rest),
	};
}

/**
 * n8n answers its readiness check before its REST interface is mounted: the settings are what tells.
 *
 * @returns the headers that it answers to
 */
async function ready(
	url: string,
	child: TiedProcess,
	logFile: string,
	door: Door,
): Promise<Record<string, string>> {
	const answers = async (path: string, headers: Record<string, string>) => {
		const asking = fetch(url + path, { headers, signal: AbortSignal.timeout(5_000) });
		const response = await asking.catch(() => undefined);
		return response?.ok && (response.headers.get('content-type') ?? '').includes('json');
	};
	return waitUntil(
		`n8n is ready (${logFile})`,
		async () => {
			if (child.ended) {
				const said = await readFile(logFile, 'utf8').catch(() => '');
				throw new Error(`n8n ended while starting (${logFile}):\n${said.trimEnd().slice(-4_000)}`);
			}
			const headers = await door.headers();
			const isReady =
				headers &&
				(await answers('/healthz/readiness', headers)) &&
				(await answers('/rest/settings', headers));
			return isReady && headers;
		},
		{ deadlineMs: START_DEADLINE_MS, everyMs: 200 },
	);
}
