import { join } from 'node:path';
import { startQueueMode } from '../sandbox/scale/queueMode';
import { startWorker, type Worker } from '../sandbox/scale/worker';
import { figureOf, median, shown, type Report, type Row } from './report';
import { turns } from './turns';
import { builtIn, openWorld, ours, type Way, type World } from './trigger/world';
import { eventBody } from '../test/support/events';

interface BenchOptions {
	quick: boolean;
	folder: string;
	packageTarball: string;
	step: <T>(title: string, work: () => Promise<T>) => Promise<T>;
}

const WORKERS = [1, 2, 4];
const SIDE_BY_SIDE = 20;

const WAYS: readonly Way[] = [
	ours('This package', { parallelRuns: SIDE_BY_SIDE }),
	builtIn('RabbitMQ Trigger', { parallelMessages: SIDE_BY_SIDE }),
	ours('Batches of 50', { batchSize: 50, keepOrder: false }),
];

/** Both triggers in n8n's queue mode, with more and more workers. */
export async function bench({ quick, folder, packageTarball, step }: BenchOptions): Promise<Report> {
	const size = quick ? { rounds: 1, events: 100 } : { rounds: 3, events: 100 };
	const shared = await step('PostgreSQL and Redis', () => startQueueMode());
	const env = { ...shared.env, N8N_LOG_LEVEL: 'error' };
	const workers: Worker[] = [];
	let world: World | undefined;
	try {
		const opened = await step('RabbitMQ and n8n', () => openWorld({ folder, packageTarball, env }));
		world = opened;
		const rows: Row[] = [];
		for (const count of WORKERS) {
			while (workers.length < count) {
				const own = join(folder, `worker-${workers.length}`);
				workers.push(await step('A worker', () => startWorker({ folder: own, env, packageTarball })));
			}
			rows.push(
				await step(count === 1 ? 'With 1 worker' : `With ${count} workers`, () =>
					measure(opened, count, size),
				),
			);
		}
		return { title: 'Queue mode: events a second', method: method(size), rows, growths: [] };
	} finally {
		await Promise.all([world?.close(), ...workers.map((worker) => worker.kill())]);
		await shared.close();
	}
}

/** All ways in turn within one round: whatever else the machine does hits them alike. */
async function measure(
	world: World,
	workers: number,
	size: { rounds: number; events: number },
): Promise<Row> {
	const rounds = WAYS.map((): number[] => []);
	for (let round = 0; round < size.rounds; round += 1) {
		for (const [index, way] of turns([...WAYS.entries()], round))
			rounds[index]?.push(await eventsPerSecond(world, way, size.events));
	}
	const [mine = [], theirs = []] = rounds;
	const ratio = median(mine) / median(theirs);
	return {
		work: workers === 1 ? '1 worker' : `${workers} workers`,
		unit: 'events/s',
		figures: WAYS.map(({ by }, index) => figureOf(by, rounds[index] ?? [])),
		targets: [
			{
				promise: 'at least level with the RabbitMQ Trigger',
				measured: `${shown(ratio)} times`,
				held: ratio >= 0.95,
			},
		],
	};
}

async function eventsPerSecond(world: World, way: Way, count: number): Promise<number> {
	const listening = await world.listen(way);
	const events = (from: number, many: number) =>
		Array.from({ length: many }, (_, index) => eventBody(from + index));
	await listening.publish(events(1_000_000, 20));
	await listening.untilEmpty(120_000);
	const began = performance.now();
	await listening.publish(events(0, count));
	await listening.untilEmpty(600_000);
	const perSecond = (count * 1_000) / (performance.now() - began);
	await listening.end();
	return perSecond;
}

function method({ rounds, events }: { rounds: number; events: number }): string[] {
	return [
		`Made by \`npm run bench -- scale\`. One main process of n8n 2.41.1 in queue mode, PostgreSQL, Redis, RabbitMQ and all workers (10 runs at once each, n8n's default) on one machine: more workers than processors cannot help there. A workflow of the trigger and a No Operation node, ${SIDE_BY_SIDE} runs side by side. Both triggers remove an event when its run has succeeded, and an event counts when it has left the queue.`,
		`The median of ${rounds} rounds of ${events} events, the ways in turn within one round, each round beginning with another. Absolute figures depend on the machine; the ratios within one run are what counts.`,
	];
}
