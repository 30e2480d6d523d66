import { ACTION, PACKAGE, POLL_TRIGGER, TRIGGER, useWorld } from '../support/host/world';

const world = useWorld();

it('is installed by n8n itself and loaded at once', async () => {
	const [installed] = await world().n8n.communityPackages.list();
	expect(installed?.packageName).toBe(PACKAGE);
	// n8n 1 has no such field.
	expect(installed?.failedLoading ?? false).toBe(false);
	expect(installed?.installedNodes.map(({ type }) => type).sort()).toEqual([ACTION, POLL_TRIGGER, TRIGGER]);
});

it('offers all nodes, and the action as a tool for agents', async () => {
	const names = (await world().n8n.communityPackages.nodeTypes()).map(({ name }) => name);
	expect(names.filter((name) => name.startsWith(PACKAGE)).sort()).toEqual([
		...[ACTION, POLL_TRIGGER, `${ACTION}Tool`, TRIGGER],
	]);
});

describe('"Test connection"', () => {
	it('is green for both accounts as they are stored', async () => {
		const { n8n, serviceCredential, queueCredential } = world();
		expect(await n8n.credentials.test(serviceCredential)).toMatchObject({ status: 'OK' });
		expect(await n8n.credentials.test(queueCredential)).toMatchObject({ status: 'OK' });
	});

	it.each([
		['the service, with a wrong password', 'serviceCredential', { password: 'wrong' }],
		['the service, at an address where nothing is', 'serviceCredential', { baseUrl: 'http://127.0.0.1:1' }],
		['the queue, with a wrong password', 'queueCredential', { password: 'wrong' }],
		['the queue, in a virtual host that is not there', 'queueCredential', { vhost: 'elsewhere' }],
		['the queue, at a port where nothing is', 'queueCredential', { port: 1 }],
	] as const)('is red for %s', async (_label, which, change) => {
		const result = await world().n8n.credentials.test(world()[which], change);
		expect(result.status).toBe('Error');
		expect(result.message).not.toContain("wrong'");
	});
});
