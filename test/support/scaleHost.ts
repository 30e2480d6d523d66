import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startQueueMode, type QueueMode } from '../../sandbox/scale/queueMode';
import { startWorker, type Worker } from '../../sandbox/scale/worker';
import { newFolder } from '../../sandbox/setup/caches.mjs';
import { startTriggerHost, type TriggerHost } from './triggerHost';
import { PACKED_PACKAGE } from './host/start';

/** n8n in queue mode: a main process (the host's), a database, a Redis, and workers, all of which may be killed. */
export interface ScaleHost {
	readonly main: TriggerHost;
	readonly queueMode: QueueMode;
	/** Those that were started and not killed by `killWorker`. */
	readonly workers: readonly Worker[];
	addWorker(): Promise<Worker>;
	/** `kill -9` to the first of them. */
	killWorker(): Promise<void>;
	/** As Docker and systemd do: starts again what has ended by itself. @returns how many processes it were */
	startEndedAgain(): Promise<number>;
	close(): Promise<void>;
}

export async function startScaleHost(options: {
	workers: number;
	env?: Record<string, string>;
}): Promise<ScaleHost> {
	const folder = await newFolder('scale-');
	const queueMode = await startQueueMode();
	const env = { ...queueMode.env, ...options.env };
	let main: TriggerHost | undefined;
	const workers: Worker[] = [];
	let started = 0;
	const close = async () => {
		await Promise.all([main?.close(), ...workers.map((worker) => worker.kill())]);
		await queueMode.close();
		await rm(folder, { recursive: true, force: true, maxRetries: 5 });
	};
	const addWorker = async () => {
		const own = join(folder, `worker-${(started += 1)}`);
		const worker = await startWorker({ folder: own, env, packageTarball: PACKED_PACKAGE });
		workers.push(worker);
		return worker;
	};
	try {
		main = await startTriggerHost({ env });
		await Promise.all(Array.from({ length: options.workers }, addWorker));
	} catch (error) {
		await close();
		throw error;
	}
	const host = main;
	return {
		main: host,
		queueMode,
		workers,
		addWorker,
		killWorker: async () => workers.shift()?.kill(),
		startEndedAgain: async () => {
			const ended = workers.filter((worker) => worker.ended);
			for (const worker of ended) workers.splice(workers.indexOf(worker), 1);
			const isMainDown = await Promise.race([host.n8n.exited.then(() => true), sleep(100, false)]);
			if (isMainDown) await host.startN8nAgain();
			await Promise.all(ended.map(addWorker));
			return ended.length + Number(isMainDown);
		},
		close,
	};
}
