import { waitUntil } from '../../sandbox/process/waitUntil';
import { eventBody, setIdOf } from '../support/events';
import { savesReports } from '../support/hostVersion';
import { startTriggerHost, type TriggerHost } from '../support/triggerHost';
import * as scenarios from '../support/triggerScenarios';
import { numbers } from '../support/numbers';

/** The trigger in a real n8n, in small; the same in full is in test/faults. */

jest.setTimeout(180_000);

// An n8n of its own: it is killed here.
let host: TriggerHost;
beforeAll(async () => {
	host = await startTriggerHost();
}, 120_000);
afterAll(() => host?.close());
afterEach(() => host?.journal.clear());

const publishEvents = (queue: string, ...sets: number[]) =>
	host.service.publish(queue, ...sets.map((set) => eventBody(set)));

describe('in quiet times', () => {
	it('runs a burst with default settings: each event once, nothing left', async () => {
		expect((await scenarios.burst(host, 100)).memoryGrowthMb).toBeLessThan(300);
	});

	it('gives each of three workflows on one queue every event it asks for, over one consumer', async () => {
		const queue = await host.newQueue();
		const asked: Record<string, string[]> = { all: [], two: ['SIGNED', 'ISSUED'], one: ['ISSUED'] };
		const ids: string[] = [];
		for (const [name, statuses] of Object.entries(asked))
			ids.push(await host.listen({ name, queue, statuses }));
		const kinds = ['DRAFTED', 'SIGNED', 'ISSUED'];
		await host.service.publish(queue, ...numbers(30).map((n) => eventBody(n, { newStatus: kinds[n % 3] })));
		await waitUntil('all have run', () => host.journal.runs.length >= 60, { deadlineMs: 60_000 });
		await host.untilEmpty(queue);
		for (const [name, statuses] of Object.entries(asked)) {
			const wanted = numbers(30).filter((n) => statuses.length === 0 || statuses.includes(kinds[n % 3]!));
			expect(host.journal.setIdsOf(name).sort()).toEqual(wanted.map(setIdOf).sort());
		}
		await waitUntil('one connection is left', async () => (await scenarios.readers(host)).length === 1);
		expect((await host.service.broker.queueDepth(queue)).consumers).toBe(1);
		for (const id of ids) await host.unpublish(id);
	});

	it('leaves nothing behind at the broker when it is published and unpublished again and again', () =>
		scenarios.onAndOff(host, 5));

	it('misses nothing while it is published again during a burst', () =>
		scenarios.publishedAgain(host, { times: 3, events: 60 }));
});

describe('what cannot be done', () => {
	it('shows unreadable messages as failed executions with the message as it came, and goes on', async () => {
		const queue = await host.newQueue();
		const id = await host.listen({ name: 'readable', queue });
		const unreadable = [
			Buffer.from('this is no JSON'),
			Buffer.from([0xff, 0xfe, 0x00]),
			[1, 2],
			42,
			Buffer.alloc(5 * 1024 * 1024, 0x41),
			eventBody(1, { newStatus: { is: 'an object' } }),
		];
		await host.service.publish(queue, ...unreadable, ...numbers(10).map((n) => eventBody(n)));
		await waitUntil('the readable ones ran', () => host.journal.of('readable').length === 10);
		await host.untilEmpty(queue);
		const texts = await reportsOf(id, unreadable.length);
		expect(texts.join('\n')).toContain('this is no JSON');
		expect(texts.join('\n')).toContain('base64://4A');
		await host.unpublish(id);
	});

	it('tries a failing workflow again so often, then reports once; other sets go on meanwhile', async () => {
		const queue = await host.newQueue();
		const id = await host.listen({ name: 'failing', queue, options: { attempts: 2 } });
		// Fewer failures than make the whole workflow wait, in whatever order the runs end.
		const fails = new Set(numbers(4).map(setIdOf));
		host.journal.answer(({ setIds: [set] }) => (fails.has(set!) ? { status: 500 } : { status: 200 }));
		await publishEvents(queue, ...numbers(4));
		const executions = () => host.n8n.executions.list({ workflowId: id });
		const failedOnes = async () => (await executions()).filter(({ status }) => status === 'error');
		await waitUntil('four failed', async () => (await failedOnes()).length === 4);
		// What keeps failing is given up only where a run of another set began after it had failed first, and succeeded.
		await publishEvents(queue, 5);
		await waitUntil('all ran once', () => new Set(host.journal.setIdsOf('failing')).size === 5);
		expect(host.journal.runs.every(({ attempt }) => attempt === 1)).toBe(true);
		await waitUntil('all failed twice', () => host.journal.of('failing').length === 9, {
			deadlineMs: 60_000,
		});
		await host.untilEmpty(queue);
		for (const set of numbers(4)) {
			const runs = host.journal.runs.filter(({ setIds }) => setIds.includes(setIdOf(set)));
			expect(runs.map(({ attempt }) => attempt)).toEqual([1, 2]);
			expect(runs[1]!.beganAt - runs[0]!.beganAt).toBeGreaterThan(4_900);
		}
		// Two runs of each set, and one report of each that has the event.
		const reports = (await reportsOf(id, 4, 8)).join('\n');
		expect(reports).toMatch(/failed 2 times for the event ISSUED of PRC-\d/);
		expect(reports).toContain('"newStatus": "ISSUED"');
		await host.unpublish(id);
	});
});

describe('"Execute step" takes nothing off the queue', () => {
	const executed = async (id: string) =>
		host.n8n.executions.finished(await host.n8n.workflows.run(id, 'Event', 'Event'));

	it('shows samples without the queue', async () => {
		const id = await host.create({ name: 'samples', queue: 'not-there', testWith: 'sampleEvent' });
		const items = (await executed(id)).items('Event');
		expect(items.map(({ json }) => json['status'])).toEqual([
			...['DRAFTED', 'SIGNED', 'ISSUED', 'TITLE_HELD', 'TRANSFER_DRAFTED'],
		]);
		expect(items.every(({ json }) => json['isSample'])).toBe(true);
	});

	it('looks at the next matching event while no published workflow listens', async () => {
		const queue = await host.newQueue();
		const id = await host.create({ name: 'looks', queue, statuses: ['SIGNED'] });
		await publishEvents(queue, 1, 2);
		await host.service.publish(queue, eventBody(3, { newStatus: 'SIGNED' }));
		const [item] = (await executed(id)).items('Event');
		expect(item?.json).toMatchObject({ status: 'SIGNED', setId: setIdOf(3) });
		expect(await host.service.broker.queueDepth(queue)).toEqual({
			ready: 3,
			unacknowledged: 0,
			consumers: 0,
		});
	});

	it('copies the next event while a published workflow listens, which still gets it', async () => {
		const queue = await host.newQueue();
		const listening = await host.listen({ name: 'published', queue });
		const test = await host.create({ name: 'test', queue });
		const executionId = await host.n8n.workflows.run(test, 'Event', 'Event');
		// The copy is of an event that comes after the test has begun.
		const publishing = setInterval(() => void publishEvents(queue, 7), 1_000);
		const execution = await host.n8n.executions
			.finished(executionId, 20_000)
			.finally(() => clearInterval(publishing));
		expect(execution.items('Event')[0]?.json).toMatchObject({ setId: setIdOf(7) });
		await waitUntil('production has run', () => host.journal.setIdsOf('published').length > 0);
		await host.untilEmpty(queue);
		expect(host.journal.setIdsOf('published')).toEqual([setIdOf(7)]);
		await host.unpublish(listening);
	});
});

describe('when something breaks', () => {
	it('the broker killed and started again: every event runs once', () =>
		scenarios.brokerOutages(host, 100, [
			{ label: 'kill', go: () => host.service.broker.kill(), back: () => host.service.broker.start() },
		]));

	it('n8n stopped during a burst: what runs ends and is removed, nothing runs twice', () =>
		scenarios.stoppedDuringBurst(host, 60));

	it('three workflows on one queue, n8n killed and started again: each gets all', () =>
		scenarios.killedWhileEventsWait(host, 90));
});

/** Waits for the reports on a workflow beside its failed runs. @returns the texts of all of them; on an old n8n its log */
async function reportsOf(workflowId: string, count: number, failedRuns = 0): Promise<string[]> {
	const stored = savesReports(host.n8n.version) ? count : 0;
	const failed = await waitUntil('failed runs and reports are there', async () => {
		const list = await host.n8n.executions.list({ workflowId, status: ['error'] });
		return list.length >= failedRuns + stored && list;
	});
	expect(failed).toHaveLength(failedRuns + stored);
	if (stored === 0) return [await host.n8n.logs()];
	const errors = await Promise.all(failed.map(async ({ id }) => (await host.n8n.executions.get(id)).error));
	return errors.map((error) => `${error?.message} ${error?.description}`);
}
