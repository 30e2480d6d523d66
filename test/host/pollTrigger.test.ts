import { waitUntil } from '../../sandbox/process/waitUntil';
import { openEditor } from '../support/host/editor';
import { refusesPublishing } from '../support/host/refusedPublishing';
import { EVERY_THREE_SECONDS, startPollingHost, type PollingHost } from '../support/pollingHost';

jest.setTimeout(240_000);

/** n8n looks once a minute at most. */
const LOOK = { deadlineMs: 90_000 };

let host: PollingHost;
const told = async (id: string) => (await host.told(id)).map(({ line }) => line);
beforeAll(async () => {
	host = await startPollingHost(130);
}, 120_000);
afterAll(() => host?.close());

it('shows the newest set as a test event, before anything is published', async () => {
	const id = await host.create({ statuses: ['DRAFTED'] });
	const run = await host.n8n.executions.finished(await host.n8n.workflows.run(id, 'Changed', 'Changed'));
	expect(run.items('Changed')).toHaveLength(1);
	expect(run.items('Changed')[0]?.json).toMatchObject({
		status: 'DRAFTED',
		parcelReference: 'PCL-59',
		updatedAt: '2026-06-20T10:59:00.000Z',
		seenBy: 'search',
	});
});

it('says in words that no set matches', async () => {
	const id = await host.create({ statuses: ['TITLE_HELD'] });
	const run = await host.n8n.executions.finished(await host.n8n.workflows.run(id, 'Changed', 'Changed'));
	expect(run.error?.message).toMatch(/^No set matches, among the \d+ looked at\./);
});

it('is not published without a poll time, which n8n would never look without', async () => {
	const { workflows } = host.n8n;
	for (const pollTimes of [{}, { item: [] }]) {
		const id = await host.create({ pollTimes });
		await refusesPublishing(host.n8n, id, 'There is no poll time. Nothing would ever be looked for.');
		await workflows.unpublish(id).catch(() => undefined);
	}
});

it('shows the newest set to "Fetch Test Event" in the editor, which takes no change from the next look', async () => {
	const { workflows, executions, owner, url } = host.n8n;
	const id = await host.create({ ...EVERY_THREE_SECONDS, statuses: ['SIGNED', 'ISSUED'] });
	await host.publish(id);
	await workflows.unpublish(id);
	Object.assign(host.rows[30]!, { status: 'Signed', modifiedDate: '21 June 2026 10:00' });
	Object.assign(host.rows[31]!, { status: 'issued', modifiedDate: '21 June 2026 11:00' });
	Object.assign(host.rows[32]!, { modifiedDate: '21 June 2026 12:00' });
	const editor = await openEditor(url, owner);
	try {
		await editor.openWorkflow(id);
		await editor.openNode('Changed');
		await editor.page.getByRole('button', { name: 'Fetch Test Event' }).last().click();
		const panel = editor.page.locator('[data-test-id="ndv"]');
		await panel.getByText('PCL-31').locator('visible=true').first().waitFor();
		await editor.screenshot('poll trigger, fetched');
		expect(await panel.getByText(/PCL-(30|32)/).count()).toBe(0);
	} finally {
		await editor.close();
	}
	await host.publish(id);
	await waitUntil('the changes are told', async () => (await told(id)).length > 0, LOOK);
	expect((await told(id)).sort()).toEqual(['PCL-30 SIGNED', 'PCL-31 ISSUED']);
	expect(await executions.list({ workflowId: id, status: ['error'] })).toEqual([]);
	await workflows.unpublish(id);
});

it('is published while the service is away, starts nothing at first, then runs for what changed, also while n8n was down', async () => {
	host.state.isAway = true;
	const id = await host.create();
	await host.publish(id);
	host.state.isAway = false;
	const second = await host.create();
	await host.publish(second);
	expect(await told(second)).toEqual([]);
	host.rows[5]!.status = 'Signed';
	host.rows[125]!.status = 'issued';
	await waitUntil('the change is told', async () => (await told(second)).length > 0, LOOK);
	expect((await told(second)).sort()).toEqual(['PCL-125 ISSUED', 'PCL-5 SIGNED']);

	await host.n8n.workflows.unpublish(id);
	const changing = host.restart();
	host.rows[7]!.status = 'TITLE_HELD';
	await changing;
	await waitUntil(
		'what changed meanwhile is told',
		async () => (await told(second)).includes('PCL-7 TITLE_HELD'),
		LOOK,
	);
	await host.n8n.workflows.unpublish(second);
});

it('begins with what changed since a time, and tells none of it again when it is published again', async () => {
	const { workflows } = host.n8n;
	Object.assign(host.rows[50]!, { status: 'Signed', modifiedDate: '22 June 2026 10:00' });
	Object.assign(host.rows[51]!, { status: 'Issued', modifiedDate: '22 June 2026 09:59' });
	Object.assign(host.rows[129]!, { status: 'Issued', modifiedDate: '23 June 2026 08:00' });
	const changedSince = '2026-06-22T10:00:00.000Z';
	const id = await host.create({ ...EVERY_THREE_SECONDS, options: { changedSince } });
	await host.publish(id);
	await waitUntil('what changed since then is told', async () => (await told(id)).length > 0, LOOK);
	await workflows.unpublish(id);
	await host.publish(id);
	host.rows[52]!.status = 'Signed';
	await waitUntil('a change is told', async () => (await told(id)).length > 2, LOOK);
	expect((await told(id)).sort()).toEqual(['PCL-129 ISSUED', 'PCL-50 SIGNED', 'PCL-52 SIGNED']);
	await workflows.unpublish(id);
});

it('is told what changed, not what is pinned; a copy and a renamed node begin anew', async () => {
	const { workflows } = host.n8n;
	const original = await host.create(EVERY_THREE_SECONDS);
	await workflows.update(original, {
		pinData: { Changed: [{ json: { parcelReference: 'PINNED', status: 'NEVER' } }] },
	});
	await host.publish(original);
	host.rows[20]!.status = 'Signed';
	await waitUntil('the change is told', async () => (await told(original)).length > 0, LOOK);
	expect(await told(original)).toEqual(['PCL-20 SIGNED']);

	const { nodes, connections, settings, pinData } = await workflows.get(original);
	const { id: copy } = await workflows.create({ name: 'A copy', nodes, connections, settings, pinData });
	await host.publish(copy);
	host.rows[21]!.status = 'Signed';
	await waitUntil(
		'both tell it',
		async () => (await told(copy)).length > 0 && (await told(original)).length > 1,
		LOOK,
	);
	expect([await told(original), await told(copy)]).toEqual([
		['PCL-20 SIGNED', 'PCL-21 SIGNED'],
		['PCL-21 SIGNED'],
	]);

	await workflows.unpublish(copy);
	await workflows.unpublish(original);
	host.rows[22]!.status = 'Signed';
	const renamed = nodes.map((node) => (node.name === 'Changed' ? { ...node, name: 'Renamed' } : node));
	await workflows.update(copy, {
		nodes: renamed,
		connections: { Renamed: connections['Changed']! },
		pinData: {},
	});
	await host.publish(copy);
	await host.publish(original);
	await waitUntil(
		'the one that was not renamed tells it',
		async () => (await told(original)).length > 2,
		LOOK,
	);
	host.rows[23]!.status = 'Signed';
	await waitUntil(
		'both tell it',
		async () => (await told(copy)).length > 1 && (await told(original)).length > 3,
		LOOK,
	);
	expect((await told(original)).slice(2)).toEqual(['PCL-22 SIGNED', 'PCL-23 SIGNED']);
	expect((await told(copy)).slice(1)).toEqual(['PCL-23 SIGNED']);
	await workflows.unpublish(copy);
	await workflows.unpublish(original);
});
