import { waitUntil } from '../../sandbox/process/waitUntil';
import { EVERY_THREE_SECONDS, startPollingHost, TAKEN_OVER_SOON } from '../support/pollingHost';
import type { PollingHost } from '../support/pollingHost';

jest.setTimeout(300_000);

/** Published by itself, each has a copy of its own of what n8n stores of both at once. */
describe('a second poll trigger that a workflow gets after the first one was published', () => {
	let host: PollingHost;
	beforeAll(async () => {
		host = await startPollingHost(30, TAKEN_OVER_SOON);
	}, 120_000);
	afterAll(() => host?.close());

	it.each(['first', 'second'])(
		'keeps over a restart what both remember: the %s one told last',
		async (last) => {
			const offset = last === 'first' ? 0 : 10;
			const told = async () => (await host.told(id)).map(({ line }) => line);
			const tells = async (n: number, status: string) => {
				host.rows[offset + n]!.status = status;
				const line = `PCL-${offset + n} ${status.toUpperCase()}`;
				await waitUntil(line, async () => (await told()).includes(line), { deadlineMs: 60_000 });
			};
			const looks = async (count: number) => {
				const before = host.calls();
				await waitUntil('some looks', () => host.calls() >= before + 2 * count, { deadlineMs: 60_000 });
			};
			const { workflows } = host.n8n;
			const id = await host.create({ ...EVERY_THREE_SECONDS, statuses: ['SIGNED'] });
			await host.publish(id);
			await looks(2);
			const { nodes, connections } = await workflows.get(id);
			const first = nodes.find(({ name }) => name === 'Changed')!;
			const second = {
				...first,
				id: `${first.id.slice(0, -4)}0002`,
				name: 'Changed too',
				parameters: { ...EVERY_THREE_SECONDS, statuses: ['ISSUED'] },
			};
			await workflows.update(id, {
				nodes: [...nodes, second],
				connections: { ...connections, 'Changed too': connections['Changed']! },
			});
			await host.publish(id);
			await looks(4);
			await tells(1, 'Signed');
			await tells(2, 'Signed');
			await tells(3, 'Issued');
			await tells(4, 'Issued');
			if (last === 'first') await tells(5, 'Signed');
			const before = (await told()).length;
			const restarting = host.restart();
			host.rows[offset + 6]!.status = 'Issued';
			host.rows[offset + 7]!.status = 'Signed';
			await restarting;
			const news = [`PCL-${offset + 6} ISSUED`, `PCL-${offset + 7} SIGNED`];
			const after = async () => (await told()).slice(before);
			const areTold = async () => {
				const lines = await after();
				return news.every((line) => lines.includes(line));
			};
			await waitUntil('what changed meanwhile', areTold, { deadlineMs: 90_000 });
			// The sets of the last run of each start one more.
			const mayBeAgain = [`PCL-${offset + (last === 'first' ? 5 : 2)} SIGNED`, `PCL-${offset + 4} ISSUED`];
			expect((await after()).filter((line) => !mayBeAgain.includes(line)).sort()).toEqual(news);
			await host.n8n.workflows.unpublish(id);
		},
	);
});
