import { setTimeout as sleep } from 'node:timers/promises';
import { waitUntil } from '../../sandbox/process/waitUntil';
import {
	DURABLE_CURSORS,
	EVERY_THREE_SECONDS,
	startPollingHost,
	TAKEN_OVER_SOON,
} from '../support/pollingHost';
import type { PollingHost } from '../support/pollingHost';
import { tellsUnstored } from '../support/hostVersion';
import { REFUSED } from '../support/refusedRuns';

jest.setTimeout(240_000);

/** What n8n keeps of the poll trigger, where it has durable cursors and where it has none. */
describe.each([
	['as it is', TAKEN_OVER_SOON],
	['with durable cursors', DURABLE_CURSORS],
])('n8n %s', (_, env) => {
	let host: PollingHost;
	const told = async (id: string) => (await host.told(id)).map(({ line }) => line);
	const looks = async (count: number) => {
		const before = host.calls();
		// Each has two searches: the list has two pages.
		await waitUntil('some looks', () => host.calls() >= before + 2 * count, { deadlineMs: 60_000 });
	};
	beforeAll(async () => {
		host = await startPollingHost(130, env);
	}, 120_000);
	afterAll(() => host?.close());

	it('tells a change again of which it could not store the run, once', async () => {
		const id = await host.create(EVERY_THREE_SECONDS);
		await host.publish(id);
		await looks(2);
		await host.refuseRuns(true);
		host.rows[5]!.status = 'Signed';
		const isRefused = async () => (await host.n8n.logs()).includes(REFUSED);
		await waitUntil('a run that could not be stored', isRefused, { deadlineMs: 60_000 });
		host.rows[6]!.status = 'Issued';
		await looks(2);
		await host.refuseRuns(false);
		// An older one is known to have stored none only once another process begins.
		if (!tellsUnstored(host.n8n.version)) await host.restart();
		const all = async () => (await told(id)).length >= 2;
		await waitUntil('both are told', all, { deadlineMs: 60_000 });
		await looks(2);
		expect((await told(id)).sort()).toEqual(['PCL-5 SIGNED', 'PCL-6 ISSUED']);
		await host.n8n.workflows.unpublish(id);
	});

	it('goes on with what it remembers when Runs and Simplify are switched', async () => {
		const { workflows, executions } = host.n8n;
		const id = await host.create(EVERY_THREE_SECONDS);
		await host.publish(id);
		await looks(2);
		await workflows.unpublish(id);
		host.rows[10]!.status = 'Signed';
		host.rows[11]!.status = 'Signed';
		const { nodes } = await workflows.get(id);
		const otherwise = { ...EVERY_THREE_SECONDS, simplify: false, options: { runs: 'oneForEachSet' } };
		await workflows.update(id, {
			nodes: nodes.map((node) => (node.name === 'Changed' ? { ...node, parameters: otherwise } : node)),
		});
		await host.publish(id);
		await executions.finishedOf(id, 2, 60_000);
		await looks(2);
		const runs = await executions.finishedOf(id, 2, 60_000);
		const references = runs.map((run) => run.items('After').map(({ json }) => json['parcelRef']));
		expect(references.sort()).toEqual([['PCL-10'], ['PCL-11']]);
		await workflows.unpublish(id);
	});

	it('knows after a kill what the first look saw, though no other look followed', async () => {
		// n8n looks at the beginning of a minute.
		await waitUntil('a minute with time left', () => new Date().getSeconds() < 35, { deadlineMs: 40_000 });
		const id = await host.create();
		await host.publish(id);
		await sleep(1_000);
		const changing = host.restart();
		host.rows[15]!.status = 'Signed';
		await changing;
		await waitUntil('it is told', async () => (await told(id)).length > 0, { deadlineMs: 120_000 });
		expect(await told(id)).toEqual(['PCL-15 SIGNED']);
		await host.n8n.workflows.unpublish(id);
	});
});
