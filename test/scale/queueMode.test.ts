import { setTimeout as sleep } from 'node:timers/promises';
import { waitUntil } from '../../sandbox/process/waitUntil';
import { eventBody, setIdOf } from '../support/events';
import * as scenarios from '../support/triggerScenarios';
import { startScaleHost, type ScaleHost } from '../support/scaleHost';
import { numbers } from '../support/numbers';

/** The trigger where n8n has one main process for the triggers and workers for the runs. */

jest.setTimeout(900_000);

const { repeated } = scenarios;

let scale: ScaleHost;
beforeAll(async () => {
	scale = await startScaleHost({ workers: 2, env: { OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS: 'true' } });
}, 300_000);
afterAll(() => scale?.close());
afterEach(async () => {
	scale.main.journal.clear();
	while (scale.workers.length < 2) await scale.addWorker();
}, 200_000);

const publishEvents = (queue: string, count: number) =>
	scale.main.service.publish(queue, ...numbers(count).map((n) => eventBody(n)));

const untilRan = (workflow: string, count: number, deadlineMs = 180_000) =>
	waitUntil(
		`workflow ${workflow} ran for ${count} events`,
		() => new Set(scale.main.journal.setIdsOf(workflow)).size >= count,
		{ deadlineMs },
	);

/** Runs that each worker has begun so far. */
const begunByWorker = () =>
	Promise.all(
		scale.workers.map(async (worker) => (await worker.logs()).split('Worker started execution').length - 1),
	);

describe('a burst', () => {
	it.each([500, 2_000])('of %d events is spread over the workers, each event once', async (count) => {
		const before = await begunByWorker();
		const measured = await scenarios.burst(scale.main, count);
		console.info(`${count} events, 2 workers:`, measured);
		const after = await begunByWorker();
		const shares = after.map((begun, index) => begun - (before[index] ?? 0));
		expect(Math.min(...shares)).toBeGreaterThan(count / 5);
		expect(measured.memoryGrowthMb).toBeLessThan(300);
	});

	it('misses nothing while a workflow is published again', () =>
		scenarios.publishedAgain(scale.main, { times: 5, events: 150 }));
});

describe('when something breaks', () => {
	it('a worker killed in the middle of runs: they are tried again, and nothing is lost', async () => {
		const { main } = scale;
		const queue = await main.newQueue();
		const id = await main.listen({ name: 'worker-killed', queue, options: { parallelRuns: 10 } });
		main.journal.answer(() => ({ waitMs: 500 }));
		await publishEvents(queue, 80);
		await waitUntil('some run', () => main.journal.runs.length >= 20, { deadlineMs: 60_000 });
		await scale.killWorker();
		// n8n takes a worker for dead when it has not been heard of for a minute.
		await untilRan('worker-killed', 80, 240_000);
		await main.untilEmpty(queue, 240_000);
		// Some of the runs that were lost had not come to their call of the journal yet.
		const again = main.journal.runs.filter(({ attempt }) => attempt > 1).flatMap(({ setIds }) => setIds);
		expect(again.length).toBeGreaterThan(0);
		expect(again.length).toBeLessThanOrEqual(10);
		expect(again).toEqual(expect.arrayContaining(repeated(main.journal.setIdsOf('worker-killed'))));
		await main.unpublish(id);
	});

	it('the main process killed while workers go on: only what was running can come twice', async () => {
		const { main } = scale;
		const queue = await main.newQueue();
		const id = await main.listen({ name: 'main-killed', queue });
		main.journal.answer(() => ({ waitMs: 300 }));
		await publishEvents(queue, 80);
		await waitUntil('some run', () => main.journal.runs.length >= 20, { deadlineMs: 60_000 });
		await main.killN8n();
		await main.startN8nAgain();
		await untilRan('main-killed', 80);
		await main.untilEmpty(queue);
		expect(repeated(main.journal.setIdsOf('main-killed')).length).toBeLessThanOrEqual(5);
		await main.unpublish(id);
	});

	it('Redis gone for 30 s: n8n ends itself, is started again, and every event runs', async () => {
		const { main, queueMode } = scale;
		const queue = await main.newQueue();
		const id = await main.listen({ name: 'no-redis', queue });
		main.journal.answer(() => ({ waitMs: 200 }));
		await publishEvents(queue, 100);
		await waitUntil('some run', () => main.journal.runs.length >= 20, { deadlineMs: 60_000 });
		await queueMode.redis.stop();
		await sleep(30_000);
		await queueMode.redis.start();
		const ended = await scale.startEndedAgain();
		console.info(`Redis gone for 30 s: ${ended} of 3 processes of n8n ended themselves`);
		await untilRan('no-redis', 100, 240_000);
		await main.untilEmpty(queue, 120_000);
		expect(repeated(main.journal.setIdsOf('no-redis')).length).toBeLessThanOrEqual(10);
		await main.unpublish(id);
	});
});

describe('runs whose end n8n does not report', () => {
	it('ended while the main process was too busy to look: each event is removed all the same', async () => {
		const { main } = scale;
		const queue = await main.newQueue();
		const id = await main.listen({ name: 'unseen', queue, options: { parallelRuns: 20 } });
		// What 2,000 events on a busy machine do to one run in a thousand, done to many runs here: the job has ended
		// before the main process asks Redis for it, and Redis has forgotten it by then.
		const frozen = setInterval(() => {
			process.kill(main.n8n.processId, 'SIGSTOP');
			setTimeout(() => process.kill(main.n8n.processId, 'SIGCONT'), 150);
		}, 200);
		await publishEvents(queue, 400);
		await untilRan('unseen', 400).finally(() => clearInterval(frozen));
		await sleep(300);
		await main.untilEmpty(queue, 60_000);
		expect(repeated(main.journal.setIdsOf('unseen'))).toEqual([]);
		expect(await main.n8n.executions.list({ workflowId: id, status: ['error'] })).toEqual([]);
		await main.unpublish(id);
	});

	it('stopped by hand: the event is removed, the run is not repeated', async () => {
		const { main } = scale;
		const queue = await main.newQueue();
		const id = await main.listen({ name: 'by-hand', queue });
		main.journal.answer(() => ({ waitMs: 60_000 }));
		await publishEvents(queue, 1);
		await waitUntil('it runs', () => main.journal.runs.length === 1);
		const [running] = await main.n8n.executions.list({ workflowId: id, status: ['running'] });
		await main.n8n.executions.stop(running!.id);
		await main.untilEmpty(queue);
		expect(await main.n8n.logs()).toContain('the run was stopped by hand');
		expect(main.journal.runs).toHaveLength(1);
		await main.unpublish(id);
	});

	it('past its time-out: reported once and removed half a minute later', async () => {
		const { main } = scale;
		const queue = await main.newQueue();
		const settings = { executionTimeout: 5 };
		const id = await main.listen({ name: 'too-long', queue, settings });
		main.journal.answer(() => ({ waitMs: 60_000 }));
		await publishEvents(queue, 1);
		await waitUntil('it runs', () => main.journal.runs.length === 1);
		const began = Date.now();
		await main.untilEmpty(queue, 60_000);
		expect(Date.now() - began).toBeGreaterThan(30_000);
		expect(main.journal.runs).toHaveLength(1);
		const [report] = await main.n8n.executions.list({ workflowId: id, status: ['error'] });
		expect((await main.n8n.executions.get(report!.id)).error?.message).toContain('n8n did not say how');
		await main.unpublish(id);
	});
});

describe('"Execute step" on a worker takes nothing off the queue', () => {
	it('looks at the next matching event while no published workflow listens', async () => {
		const { main } = scale;
		const queue = await main.newQueue();
		const id = await main.create({ name: 'looks', queue, statuses: ['SIGNED'] });
		await publishEvents(queue, 2);
		await main.service.publish(queue, eventBody(3, { newStatus: 'SIGNED' }));
		const executionId = await main.n8n.workflows.run(id, 'Event', 'Event');
		const [item] = (await main.n8n.executions.finished(executionId)).items('Event');
		expect(item?.json).toMatchObject({ status: 'SIGNED', setId: setIdOf(3) });
		const depth = await main.service.broker.queueDepth(queue);
		expect(depth).toEqual({ ready: 3, unacknowledged: 0, consumers: 0 });
	});

	it('beside a published workflow, which still gets every event', async () => {
		const { main } = scale;
		const queue = await main.newQueue();
		const listening = await main.listen({ name: 'published', queue });
		const test = await main.create({ name: 'test', queue });
		const executionId = await main.n8n.workflows.run(test, 'Event', 'Event');
		for (const n of numbers(20)) {
			await main.service.publish(queue, eventBody(n));
			await sleep(200);
		}
		await main.n8n.executions.stop(executionId).catch(() => undefined);
		await untilRan('published', 20);
		await main.untilEmpty(queue);
		expect(main.journal.setIdsOf('published').sort()).toEqual(numbers(20).map(setIdOf));
		await main.unpublish(listening);
	});
});
