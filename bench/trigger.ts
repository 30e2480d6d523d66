import { setTimeout as sleep } from 'node:timers/promises';
import { figureOf, median, shown, type Growth, type Report, type Row } from './report';
import { plainConsumer, withoutN8n } from './trigger/limit';
import { turns } from './turns';
import { builtIn, openWorld, ours, type Way, type World } from './trigger/world';
import { eventBody } from '../test/support/events';

interface BenchOptions {
	quick: boolean;
	folder: string;
	packageTarball: string;
	step: <T>(title: string, work: () => Promise<T>) => Promise<T>;
}

const OURS = 'This package';
const THEIRS = 'RabbitMQ Trigger';
const SIDE_BY_SIDE = 10;

/** This package's trigger beside n8n's RabbitMQ Trigger: the same n8n, the same broker, the same events. */
export async function bench({ quick, folder, packageTarball, step }: BenchOptions): Promise<Report> {
	const size = quick
		? { rounds: 1, events: 60, batched: 600, quiet: 20, burst: 200, raw: 3_000 }
		: { rounds: 3, events: 300, batched: 3_000, quiet: 100, burst: 1_000, raw: 20_000 };
	const world = await step('RabbitMQ and n8n', () => openWorld({ folder, packageTarball }));
	try {
		const single: Way[] = [
			ours(OURS, { parallelRuns: SIDE_BY_SIDE }),
			builtIn(THEIRS, { parallelMessages: SIDE_BY_SIDE }),
		];
		const batches = ours('Batches of 50', { batchSize: 50 });
		const speeds = await step('Events a second', () =>
			inTurn(size.rounds, [...single, batches], (way) =>
				eventsPerSecond(world, way, way === batches ? size.batched : size.events),
			),
		);
		const delays = await step('From publishing to the start of the run', () =>
			inTurn(1, single, (way) => startDelays(world, way, size.quiet)),
		);
		const limits = await step('The limit', async () => ({
			plain: await plainConsumer(world.broker, size.raw, 2 * SIDE_BY_SIDE),
			ours: await withoutN8n(world.broker, size.raw, { parallelRuns: SIDE_BY_SIDE }),
		}));
		const growth = await step('The growth with the events in flight', () =>
			inFlightGrowth(world.broker, size.raw),
		);
		const bursts = await step('A burst, in a fresh n8n each', () =>
			inTurn(1, [ours(OURS), builtIn(THEIRS)], (way) => burst(world, way, size.burst)),
		);
		return {
			title: 'The trigger beside n8n’s RabbitMQ Trigger',
			method: method(size),
			rows: [
				oneByOne(speeds.slice(0, 2)),
				inBatches(speeds[2]!, speeds[0]!),
				...startRows(delays),
				...burstRows(bursts, size.burst),
				limitRow(limits),
			],
			growths: [growth],
		};
	} finally {
		await world.close();
	}
}

interface Rounds<T> {
	by: string;
	rounds: T[];
}

/** Every way once, then every way again: whatever else the machine does hits them alike. */
async function inTurn<T>(
	rounds: number,
	ways: readonly Way[],
	measure: (way: Way) => Promise<T>,
): Promise<Rounds<T>[]> {
	const all = ways.map(({ by }): Rounds<T> => ({ by, rounds: [] }));
	for (let round = 0; round < rounds; round += 1) {
		for (const [index, way] of turns([...ways.entries()], round)) all[index]!.rounds.push(await measure(way));
	}
	return all;
}

const events = (count: number, from = 0) =>
	Array.from({ length: count }, (_, index) => eventBody(from + index));

async function eventsPerSecond(world: World, way: Way, count: number): Promise<number> {
	const listening = await world.listen(way);
	await listening.publish(events(10, 1_000_000));
	await listening.untilEmpty(60_000);
	const began = performance.now();
	await listening.publish(events(count));
	await listening.untilEmpty(300_000);
	const perSecond = (count * 1_000) / (performance.now() - began);
	await listening.end();
	return perSecond;
}

/** One event at a time, with a rest in between: runs start in the order of their events. @returns milliseconds */
async function startDelays(world: World, way: Way, count: number): Promise<number[]> {
	const listening = await world.listen(way);
	const published: number[] = [];
	for (const event of events(count)) {
		published.push(Date.now());
		await listening.publish([event]);
		await listening.untilEmpty(60_000);
		await sleep(50);
	}
	const { executions } = world.n8n;
	const runs = await executions.list({ workflowId: listening.workflowId, limit: 100 });
	await listening.end();
	if (runs.length !== count) throw new Error(`${way.by}: ${runs.length} runs for ${count} events`);
	const started = runs.map(({ startedAt }) => Date.parse(startedAt)).sort((a, b) => a - b);
	return started.map((at, index) => Math.max(0, at - published[index]!));
}

interface Burst {
	grewMb: number;
	/** Events whose run succeeded before nothing moved any more. */
	handled: number;
}

/** Everything at once with each trigger's own defaults, until the queue is empty or nothing moves for 30 s. */
async function burst(world: World, way: Way, count: number): Promise<Burst> {
	await world.restartN8n();
	const listening = await world.listen(way);
	await listening.publish(events(10, 1_000_000));
	await listening.untilEmpty(60_000);
	const before = await world.memoryMb();
	let most = before;
	await listening.publish(events(count));
	let left = count;
	for (let lastMove = Date.now(); left > 0 && Date.now() - lastMove < 30_000; await sleep(250)) {
		most = Math.max(most, await world.memoryMb());
		const { ready, unacknowledged } = await world.broker.queueDepth(listening.queue);
		if (ready + unacknowledged !== left) lastMove = Date.now();
		left = ready + unacknowledged;
	}
	if (left === 0) await listening.end();
	return { grewMb: most - before, handled: count - left };
}

function oneByOne([mine, theirs]: Rounds<number>[]): Row {
	const ratio = median(mine!.rounds) / median(theirs!.rounds);
	return {
		work: `One run for each event, ${SIDE_BY_SIDE} side by side`,
		unit: 'events/s',
		figures: [mine!, theirs!].map(({ by, rounds }) => figureOf(by, rounds)),
		targets: [
			{
				promise: 'at least level with the RabbitMQ Trigger',
				measured: `${shown(ratio)} times`,
				held: ratio >= 0.95,
			},
		],
		note: 'n8n’s own cost of a run is nearly all of it, for both.',
	};
}

function inBatches(batches: Rounds<number>, single: Rounds<number>): Row {
	const ratio = median(batches.rounds) / median(single.rounds);
	return {
		work: 'One run for up to 50 events',
		unit: 'events/s',
		figures: [figureOf(batches.by, batches.rounds), figureOf('One by one', single.rounds)],
		targets: [
			{ promise: 'at least 15 times one by one', measured: `${shown(ratio)} times`, held: ratio >= 15 },
		],
	};
}

function startRows(delays: Rounds<number[]>[]): Row[] {
	const row = (work: string, pick: (sorted: number[]) => number): Row => ({
		work,
		unit: 'ms',
		figures: delays.map(({ by, rounds }) => figureOf(by, rounds.map(sorted).map(pick))),
		targets: [],
	});
	return [
		row('From publishing to the start of the run, median', median),
		row('From publishing to the start of the run, 99th of 100', (all) => all[percentile(all, 99)] ?? NaN),
	];
}

const sorted = (values: number[]) => [...values].sort((a, b) => a - b);
const percentile = (values: readonly unknown[], of: number) =>
	Math.min(values.length - 1, Math.ceil((values.length * of) / 100) - 1);

function burstRows(bursts: Rounds<Burst>[], count: number): Row[] {
	const figures = (pick: (burst: Burst) => number) =>
		bursts.map(({ by, rounds }) => figureOf(by, rounds.map(pick)));
	const { grewMb, handled } = bursts[0]!.rounds[0]!;
	return [
		{
			work: `${count.toLocaleString('en')} events at once, own defaults: growth of n8n’s memory at its peak`,
			unit: 'MB',
			figures: figures((one) => one.grewMb),
			targets: [{ promise: 'less than 300 MB', measured: `${shown(grewMb)} MB`, held: grewMb < 300 }],
		},
		{
			work: `${count.toLocaleString('en')} events at once, own defaults: events handled`,
			unit: 'events',
			figures: figures((one) => one.handled),
			targets: [{ promise: 'all', measured: shown(handled), held: handled === count }],
			note: 'Counted until the queue was empty, or nothing moved for 30 seconds: what is left then stays unacknowledged until n8n is started again.',
		},
	];
}

function limitRow({ plain, ours: mine }: { plain: number; ours: number }): Row {
	return {
		work: 'The limit: the queue without n8n',
		unit: 'events/s',
		figures: [figureOf('This queue code', [mine]), figureOf('Plain amqplib', [plain])],
		targets: [],
		note: 'The queue code checks, filters, orders and remembers each event; the plain consumer parses and acknowledges it.',
	};
}

const BATCH_SIZES = [5, 50, 500];

/** The same events with more and more of them in flight: each must cost as much as before, or less. */
async function inFlightGrowth(broker: World['broker'], count: number): Promise<Growth> {
	const mine: number[] = [];
	const plain: number[] = [];
	const sizes = BATCH_SIZES.map((batchSize) => 2 * SIDE_BY_SIDE * batchSize + 20);
	for (const [index, batchSize] of BATCH_SIZES.entries()) {
		const options = { parallelRuns: SIDE_BY_SIDE, batchSize, keepOrder: false, batchWaitMs: 100 };
		mine.push((1_000 * count) / (await withoutN8n(broker, count, options)));
		plain.push((1_000 * count) / (await plainConsumer(broker, count, sizes[index]!)));
	}
	return {
		title: `${shown(count)} events by the number in flight, without n8n`,
		along: 'events in flight',
		unit: 'ms',
		points: sizes.map((size) => ({ label: shown(size), size })),
		lines: [
			{ by: 'This queue code, in batches', values: mine },
			{ by: 'Plain amqplib', values: plain },
		],
	};
}

function method(size: { rounds: number; quiet: number }): string[] {
	return [
		'Made by `npm run bench -- trigger`. One n8n 2.41.1 (SQLite, regular mode, its own defaults) and one RabbitMQ on the same machine; a workflow of the trigger and a No Operation node. Both triggers remove an event when its run has succeeded. An event counts as handled when it has left the queue.',
		`Events a second: the median of ${size.rounds} rounds, the ways in turn within one round, each round beginning with another. Start of the run: ${size.quiet} events one at a time, by n8n’s own clock. Memory: resident memory of n8n’s process, each way in a freshly started one, after a warm-up of ten events.`,
		'Absolute figures depend on the machine and on what else it does; the ratios within one run are what counts.',
	];
}
