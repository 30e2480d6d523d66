import { waitUntil } from '../../sandbox/process/waitUntil';
import { startPollingHost, type PollingHost } from '../support/pollingHost';

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
