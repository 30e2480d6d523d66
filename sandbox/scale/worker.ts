import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { environmentFor } from '../n8n/environment';
import { makeFolders } from '../n8n/folders';
import { findHost } from '../n8n/host';
import { readPackage, writeNpmStandIn } from '../n8n/npmStandIn';
import { freePorts } from '../process/freePort';
import { startTied } from '../process/tiedProcess';
import { waitUntil } from '../process/waitUntil';

interface WorkerOptions {
	/** N8N_USER_FOLDER of this worker alone. */
	folder: string;
	/** One of sandbox/hosts; default: the newest. */
	version?: string;
	/** What the main process has, too: see QueueMode. */
	env: NodeJS.ProcessEnv;
	/** What `npm pack` made: installed by the worker itself, as one without a volume does. */
	packageTarball: string;
	/** Runs side by side. Default: n8n's own, 10. */
	concurrency?: number;
	/** Where n8n's file nodes may read and write. Default: `files` below `folder`. */
	filesFolder?: string;
}

/** A worker of n8n's queue mode. */
export interface Worker {
	readonly processId: number;
	readonly logFile: string;
	readonly ended: boolean;
	logs(): Promise<string>;
	/** SIGTERM, as an orderly shutdown does; SIGKILL after 40 s. */
	stop(): Promise<void>;
	/** `kill -9` */
	kill(): Promise<void>;
}

const START_DEADLINE_MS = 180_000;

/**
 * Starts a worker and waits until it takes runs. The main process must be there, with the package installed: the worker
 * learns from the database which packages it needs (N8N_REINSTALL_MISSING_PACKAGES).
 */
export async function startWorker(options: WorkerOptions): Promise<Worker> {
	const host = await findHost(options.version);
	const [port = 0, taskBrokerPort = 0] = await freePorts(2);
	const { programs, filesFolder } = await makeFolders(options.folder, host, options.filesFolder);
	await writeNpmStandIn(programs, await readPackage(options.packageTarball));

	const logFile = join(options.folder, 'worker.log');
	const env = {
		...environmentFor({ host, folder: options.folder, port, taskBrokerPort, programs, filesFolder }),
		N8N_REINSTALL_MISSING_PACKAGES: 'true',
		QUEUE_HEALTH_CHECK_ACTIVE: 'true',
		QUEUE_HEALTH_CHECK_PORT: String(port),
		// N8N_LISTEN_ADDRESS is for the main process alone.
		N8N_WORKER_SERVER_ADDRESS: '127.0.0.1',
		...options.env,
	};
	const concurrency = options.concurrency === undefined ? [] : [`--concurrency=${options.concurrency}`];
	const child = startTied(host.node, [host.n8n, 'worker', ...concurrency], {
		env,
		logFile,
		cwd: options.folder,
	});
	try {
		await waitUntil(
			`a worker is ready (${logFile})`,
			async () => {
				if (child.ended) throw new Error(`A worker ended while starting; its log: ${logFile}`);
				const url = `http://127.0.0.1:${port}/healthz/readiness`;
				return (await fetch(url, { signal: AbortSignal.timeout(5_000) }).catch(() => undefined))?.ok;
			},
			{ deadlineMs: START_DEADLINE_MS, everyMs: 200 },
		);
	} catch (error) {
		await child.kill();
		throw error;
	}
	return {
		processId: child.pid,
		logFile,
		get ended() {
			return child.ended;
		},
		logs: () => readFile(logFile, 'utf8'),
		stop: () => child.stop(40_000),
		kill: () => child.kill(),
	};
}
