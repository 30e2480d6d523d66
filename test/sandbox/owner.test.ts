import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { signInAsOwner } from '../../sandbox/n8n/owner';
import { newPassword, passwordIn } from '../../sandbox/passwords';

/** As much of n8n as its owner's password concerns. */
let password: string | undefined;
let refuseChange: boolean;
let [folder, url] = ['', ''];
let server: Server;

const answers: Record<string, (body: Record<string, string>) => [number, unknown]> = {
	'GET /rest/settings': () => [200, { userManagement: { showSetupOnFirstLoad: password === undefined } }],
	'POST /rest/owner/setup': (body) => {
		password = body['password'];
		return [200, {}];
	},
	'POST /rest/login': (body) => (body['password'] === password ? [200, {}] : [401, {}]),
	'PATCH /rest/me/password': ({ currentPassword, newPassword: next }) => {
		if (refuseChange || currentPassword !== password) return [400, {}];
		password = next;
		return [200, {}];
	},
};

beforeEach(async () => {
	[password, refuseChange] = [undefined, false];
	folder = await mkdtemp(join(tmpdir(), 'parcel-owner-'));
	server = createServer((request, response) => {
		const answer = answers[`${request.method} ${request.url}`];
		const body = request.method === 'GET' ? Promise.resolve({}) : json(request);
		void body.then((value) => {
			const [status, data] = answer?.(value as Record<string, string>) ?? [404, {}];
			response.writeHead(status).end(JSON.stringify({ data }));
		});
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(async () => {
	server.closeAllConnections();
	server.close();
	await rm(folder, { recursive: true, force: true });
});

it('a password is another one each time, and n8n takes it', () => {
	const made = Array.from({ length: 100 }, newPassword);
	expect(new Set(made).size).toBe(100);
	for (const one of made) {
		expect(one).toMatch(/[A-Z]/);
		expect(one).toMatch(/\d/);
		expect(one.length).toBeGreaterThanOrEqual(8);
		expect(one.length).toBeLessThanOrEqual(64);
	}
});

it('a password is kept in a file that only this user can read', async () => {
	const file = join(folder, 'kept');
	const made = await passwordIn(file);
	expect((await stat(file)).mode & 0o777).toBe(0o600);
	expect([await passwordIn(file), await passwordIn(join(folder, 'other'))]).toEqual([
		made,
		expect.not.stringMatching(made),
	]);
});

it('a fresh n8n gets its owner, whose password only this user can read', async () => {
	const { owner } = await signInAsOwner(url, folder);
	expect(owner.password).toBe(password);
	const file = join(folder, 'owner.json');
	expect((await stat(file)).mode & 0o777).toBe(0o600);
	expect(await readFile(file, 'utf8')).toContain(password);
});

it('an n8n that is started again keeps the password, or changes it where that is wanted', async () => {
	const first = (await signInAsOwner(url, folder)).owner.password;
	expect((await signInAsOwner(url, folder)).owner.password).toBe(first);
	const second = (await signInAsOwner(url, folder, { renew: true })).owner.password;
	expect(second).not.toBe(first);
	expect(password).toBe(second);
	expect((await signInAsOwner(url, folder)).owner.password).toBe(second);
});

it.each(['before', 'after'])('a change that was cut off %s n8n made it locks nobody out', async (moment) => {
	const first = (await signInAsOwner(url, folder)).owner.password;
	refuseChange = true;
	await expect(signInAsOwner(url, folder, { renew: true })).rejects.toThrow('400');
	refuseChange = false;
	const [kept, meant] = JSON.parse(await readFile(join(folder, 'owner.json'), 'utf8')) as string[];
	expect(kept).toBe(first);
	if (moment === 'after') password = meant;
	const { owner } = await signInAsOwner(url, folder, { renew: true });
	expect(password).toBe(owner.password);
	expect([kept, meant]).not.toContain(owner.password);
});

it('a password that n8n no longer takes is an error, not a new owner', async () => {
	await writeFile(join(folder, 'owner.json'), '["Quay7-gone"]');
	password = 'Another-1';
	await expect(signInAsOwner(url, folder)).rejects.toThrow('401');
	expect(password).toBe('Another-1');
});
