import { setTimeout as sleep } from 'node:timers/promises';
import { waitUntil } from '../../sandbox/process/waitUntil';
import { eventBody, setIdOf } from '../support/events';
import { journalNode, startTriggerHost, type TriggerHost } from '../support/triggerHost';
import { numbers } from '../support/numbers';

jest.setTimeout(1_800_000);

let host: TriggerHost;
beforeAll(async () => {
	host = await startTriggerHost();
}, 120_000);
afterAll(() => host?.close());
afterEach(() => host?.journal.clear());

const reportsOf = async (workflowId: string) => {
	const failed = await host.n8n.executions.list({ workflowId, status: ['error'], limit: 100 });
	const read = await Promise.all(failed.map(({ id }) => host.n8n.executions.get(id)));
	// A report is an execution in which no node ran.
	return read.filter(({ nodes }) => !nodes.includes('Journal'));
};

it('100 of 1,000 bodies unreadable: 900 runs, 100 reports with the body, nothing stuck, memory flat', async () => {
	const queue = await host.newQueue();
	const id = await host.listen({ name: 'mixed', queue });
	const kinds = [
		(n: number) => Buffer.from(`no JSON: ${n}`),
		(n: number) => Buffer.from([0xff, 0xfe, n]),
		(n: number) => [n],
		(n: number) => n,
		() => Buffer.alloc(5 * 1024 * 1024, 0x81),
		(n: number) => eventBody(n, { newStatus: { is: 'an object' } }),
	];
	const bodies = numbers(1_000).map((n) => (n % 10 === 0 ? kinds[(n / 10) % 6]!(n / 10) : eventBody(n)));
	const before = await host.memoryMb();
	await host.service.publish(queue, ...bodies);
	await waitUntil('900 have run', () => host.journal.of('mixed').length === 900, { deadlineMs: 300_000 });
	await host.untilEmpty(queue);
	expect(new Set(host.journal.setIdsOf('mixed')).size).toBe(900);
	const reports = await waitUntil('100 reports are there', async () => {
		const found = await reportsOf(id);
		return found.length === 100 && found;
	});
	expect(reports.filter(({ error }) => error?.description?.includes('no JSON: '))).toHaveLength(17);
	expect((await host.memoryMb()) - before).toBeLessThan(300);
	await host.unpublish(id);
});

it('a workflow that always fails: four runs with growing waits, one report, other sets go on', async () => {
	const queue = await host.newQueue();
	const id = await host.listen({ name: 'failing', queue, options: { attempts: 4 } });
	host.journal.answer(({ setIds: [set] }) => ({ status: set === setIdOf(0) ? 500 : 200 }));
	await host.service.publish(queue, eventBody(0), eventBody(0, { newStatus: 'SIGNED' }));
	for (const n of numbers(20)) {
		await host.service.publish(queue, eventBody(100 + n));
		await sleep(1_000);
	}
	expect(host.journal.runs.filter(({ setIds }) => setIds[0] !== setIdOf(0))).toHaveLength(20);
	await waitUntil('it is given up', async () => (await reportsOf(id)).length > 0, { deadlineMs: 200_000 });
	const runs = host.journal.runs.filter(
		({ item }) => item['status'] === 'ISSUED' && item['setId'] === setIdOf(0),
	);
	const waits = runs.slice(1).map(({ beganAt }, index) => beganAt - runs[index]!.beganAt);
	expect(waits.map((ms) => Math.floor(ms / 1_000 / 5) * 5)).toEqual([5, 30, 120]);
	expect(await reportsOf(id)).toHaveLength(1);
	await host.unpublish(id);
});

describe('how a run ends decides about its event', () => {
	it('a run that reached its time limit is tried again', async () => {
		const queue = await host.newQueue();
		const id = await host.listen({ name: 'endless', queue, settings: { executionTimeout: 3 } });
		host.journal.answer(({ attempt }) => ({ waitMs: attempt === 1 ? 600_000 : 0 }));
		await host.service.publish(queue, eventBody(1));
		await waitUntil('it is tried again', () => host.journal.of('endless').length === 2, {
			deadlineMs: 60_000,
		});
		await host.untilEmpty(queue);
		await host.unpublish(id);
	});

	it('a run stopped by hand is not started again', async () => {
		const queue = await host.newQueue();
		const id = await host.listen({ name: 'by-hand', queue });
		host.journal.answer(({ setIds: [set] }) => ({ waitMs: set === setIdOf(1) ? 600_000 : 0 }));
		await host.service.publish(queue, eventBody(1));
		await waitUntil('it runs', () => host.journal.of('by-hand').length === 1);
		const [running] = await host.n8n.executions.list({ workflowId: id, status: ['running'] });
		await host.n8n.executions.stop(running!.id);
		await host.untilEmpty(queue);
		await host.service.publish(queue, eventBody(2));
		await waitUntil('the next runs', () => host.journal.setIdsOf('by-hand').includes(setIdOf(2)));
		await sleep(7_000);
		expect(host.journal.of('by-hand')).toHaveLength(2);
		expect(await host.n8n.logs()).toContain('stopped by hand');
		await host.unpublish(id);
	});

	it('a run that waits for longer than n8n keeps it in memory counts as handled, and goes on later', async () => {
		const queue = await host.newQueue();
		const wait = {
			...{ name: 'Wait', type: 'n8n-nodes-base.wait', typeVersion: 1.1 },
			parameters: { resume: 'timeInterval', amount: 70, unit: 'seconds' },
		};
		const nodes = [wait, journalNode(host.journal, { name: 'waits' })];
		const id = await host.listen({ name: 'waits', queue, nodes });
		await host.service.publish(queue, eventBody(1));
		await waitUntil('it waits', async () => {
			return (await host.n8n.executions.list({ workflowId: id, status: ['waiting'] })).length === 1;
		});
		await host.untilEmpty(queue);
		await waitUntil('it went on', () => host.journal.of('waits').length === 1, { deadlineMs: 120_000 });
		await host.unpublish(id);
	});

	it('a run that n8n cannot start is tried again, then reported', async () => {
		const queue = await host.newQueue();
		const {
			id: credentialId,
			name,
			type,
		} = await host.n8n.credentials.create('Header', 'httpHeaderAuth', {
			name: 'x-test',
			value: 'test',
		});
		const call = journalNode(host.journal, { name: 'not-started' });
		const nodes = [
			{
				...call,
				parameters: { ...call.parameters, authentication: 'genericCredentialType', genericAuthType: type },
				credentials: { [type]: { id: credentialId, name } },
			},
		];
		const id = await host.listen({ name: 'not-started', queue, nodes, options: { attempts: 2 } });
		await host.n8n.credentials.delete(credentialId);
		await host.service.publish(queue, eventBody(1));
		await host.untilEmpty(queue, 60_000);
		const reports = (await reportsOf(id)).filter(({ error }) => error?.message.includes('failed 2 times'));
		expect(reports).toHaveLength(1);
		expect(host.journal.runs).toEqual([]);
		await host.unpublish(id);
	});
});

it('batches: one run for 50 events, and a failed batch is tried again as a whole', async () => {
	const queue = await host.newQueue();
	const options = { batchSize: 50, batchSeconds: 2, attempts: 2 };
	const id = await host.listen({ name: 'batches', queue, options });
	host.journal.answer(({ attempt, setIds }) => ({
		status: attempt === 1 && setIds.includes(setIdOf(0)) ? 500 : 200,
	}));
	await host.service.publish(queue, ...numbers(200).map((n) => eventBody(n)));
	await host.untilEmpty(queue, 60_000);
	const [first, again] = host.journal.of('batches').filter(({ setIds }) => setIds.includes(setIdOf(0)));
	expect(again?.setIds).toEqual(first?.setIds);
	expect(host.journal.of('batches').map(({ setIds }) => setIds.length)).toEqual([50, 50, 50, 50, 50]);
	expect(new Set(host.journal.setIdsOf('batches')).size).toBe(200);
	await host.unpublish(id);
});

it('20 workflows published at once, then all unpublished: one consumer, then none', async () => {
	const queue = await host.newQueue();
	const ids = await Promise.all(
		numbers(20).map((n) => host.create({ name: `many-${n}`, queue, options: { parallelRuns: 1 } })),
	);
	await Promise.all(ids.map((id) => host.n8n.workflows.publish(id)));
	const consumers = async () => (await host.service.broker.consumers()).filter((one) => one.queue === queue);
	await waitUntil('all have joined', async () => (await consumers())[0]?.prefetch === 2 * 20 + 20, {
		deadlineMs: 60_000,
	});
	await host.service.publish(queue, eventBody(1));
	await waitUntil('each has run', () => host.journal.runs.length === 20, { deadlineMs: 60_000 });
	expect(await consumers()).toHaveLength(1);
	await Promise.all(ids.map((id) => host.unpublish(id)));
	await waitUntil('all have let go', async () => (await consumers()).length === 0, { deadlineMs: 60_000 });
	expect(new Set(host.journal.runs.map(({ workflow }) => workflow)).size).toBe(20);
});
