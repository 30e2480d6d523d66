import { rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { connectN8n, startN8n, type N8n } from '../../sandbox/n8n/n8n';
import { freePorts } from '../../sandbox/process/freePort';
import { newFolder } from '../../sandbox/setup/caches.mjs';

const THEIRS = { email: 'their@example.com', password: 'Theirs-1234', firstName: 'T', lastName: 'T' };

let folder: string;
let n8n: N8n | undefined;
beforeAll(async () => (folder = await newFolder('new-')));
afterAll(async () => {
	await n8n?.kill();
	await rm(folder, { recursive: true, force: true, maxRetries: 5 });
});

it('who asks a new n8n all the time while it starts does not become its owner', async () => {
	const [port = 0] = await freePorts(1);
	const version = process.env['PARCEL_N8N_VERSION'] || undefined;
	let isStarting = true;
	const starting = startN8n({ folder, port, version }).finally(() => (isStarting = false));
	starting.catch(() => undefined);
	const said = new Set<number>();
	while (isStarting) {
		const setUp = { method: 'POST', body: JSON.stringify(THEIRS) };
		const headers = { 'content-type': 'application/json' };
		const asked = fetch(`http://127.0.0.1:${port}/rest/owner/setup`, { ...setUp, headers });
		// Nothing listens yet.
		said.add((await asked.catch(() => ({ status: 0 }))).status);
		await sleep(5);
	}
	n8n = await starting;
	expect([...said].sort()).toEqual(expect.arrayContaining([0, 403]));
	expect([...said].filter((status) => status < 300)).toEqual([0]);
	await expect(connectN8n(n8n.url, THEIRS)).rejects.toThrow('401');
	expect((await fetch(n8n.url)).status).toBe(200);
}, 180_000);
