import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { request, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { shutDoor, type Door } from '../../sandbox/n8n/door';
import { signInAsOwner } from '../../sandbox/n8n/owner';
import { freePorts } from '../../sandbox/process/freePort';
import { startTied, type TiedProcess } from '../../sandbox/process/tiedProcess';
import { waitUntil } from '../../sandbox/process/waitUntil';

/** As much of n8n as its door concerns: its server, that of its task broker, and a child it starts with its own options. */
const N8N = `
	const { createServer } = require('node:http');
	const settings = { data: { userManagement: { showSetupOnFirstLoad: true } } };
	const serve = (port) => createServer((_, response) => response.end(JSON.stringify(settings)))
		.on('upgrade', (_, socket) => socket.end('HTTP/1.1 101 Switching Protocols\\r\\nConnection: upgrade\\r\\nUpgrade: x\\r\\n\\r\\n'))
		.listen(Number(port), '127.0.0.1');
	const { N8N_PORT, BROKER_PORT, CHILD_PORT } = process.env;
	if (process.argv[1] === 'child') serve(CHILD_PORT);
	else {
		[N8N_PORT, BROKER_PORT].forEach(serve);
		const env = { ...process.env, N8N_PORT: CHILD_PORT };
		require('node:child_process').spawn(process.execPath, [...process.execArgv, 'child'], { env, stdio: 'inherit' });
	}`;

let [folder, door, n8n, url] = [] as unknown as [string, Door, TiedProcess, string];
let ports: number[];

beforeEach(async () => {
	folder = await mkdtemp(join(tmpdir(), 'parcel-door-'));
	ports = await freePorts(3);
	url = `http://127.0.0.1:${ports[0]}`;
	door = await shutDoor(folder);
});
afterEach(async () => {
	await n8n?.kill();
	await rm(folder, { recursive: true, force: true });
});

function run(): void {
	const [N8N_PORT, BROKER_PORT, CHILD_PORT] = ports.map(String);
	const env = { PATH: process.env['PATH'], N8N_PORT, BROKER_PORT, CHILD_PORT, ...door.env };
	const logFile = join(folder, 'log');
	n8n = startTied(process.execPath, [...door.args, '-e', N8N], { env, logFile });
}
/** @returns the headers with the key */
async function start(): Promise<Record<string, string>> {
	run();
	return waitUntil('n8n has its port', door.headers);
}

const statusOf = async (address: string, init: RequestInit = {}) => (await fetch(address, init)).status;

/** The status that somebody gets who asks for a web socket, or waits for leave before sending. */
async function statusBy(headers: Record<string, string>): Promise<number | undefined> {
	const asked = request(url, { headers, agent: false });
	asked.end();
	const [answer] = (await Promise.race([once(asked, 'response'), once(asked, 'upgrade')])) as [
		IncomingMessage,
	];
	answer.destroy();
	return answer.statusCode;
}
const WEB_SOCKET = { connection: 'upgrade', upgrade: 'x' };

it('nobody who does not show the key becomes the owner of an n8n that has none', async () => {
	const key = await start();
	const [name = ''] = Object.keys(key);
	const set: RequestInit = { method: 'POST', body: '{}' };
	for (const headers of [{}, { [name]: '' }, { [name]: 'a'.repeat(64) }, { [name]: 'undefined' }]) {
		expect(await statusOf(`${url}/rest/owner/setup`, { ...set, headers })).toBe(403);
		expect(await statusBy({ ...WEB_SOCKET, ...headers })).toBe(403);
		expect(await statusBy({ expect: '100-continue', ...headers })).toBe(403);
	}
	expect(await statusOf(`${url}/rest/owner/setup`, { ...set, headers: key })).toBe(200);
	expect(await statusBy({ ...WEB_SOCKET, ...key })).toBe(101);
	expect(await statusBy({ expect: '100-continue', ...key })).toBe(200);
});

it('the owner is set up behind the door, and then it is gone', async () => {
	const headers = await start();
	await expect(signInAsOwner(url, folder)).rejects.toThrow('403');
	await signInAsOwner(url, folder, { headers });
	await door.open();
	expect(await statusOf(url)).toBe(200);
	expect(await statusBy(WEB_SOCKET)).toBe(101);
	// Nor does it come back.
	await writeFile(join(folder, 'door.key'), 'x');
	expect(await statusOf(url)).toBe(200);
});

it('the key is another one each time, and another user reads it nowhere', async () => {
	const first = Object.values(await start())[0] ?? '';
	expect((await stat(join(folder, 'door.key'))).mode & 0o777).toBe(0o600);
	const shown = ['cmdline', 'environ'].map((name) => readFile(`/proc/${n8n.pid}/${name}`, 'utf8'));
	for (const text of await Promise.all(shown)) expect(text).not.toContain(first);
	await n8n.kill();
	// What was left is not taken for the key of the next.
	door = await shutDoor(folder);
	expect(await door.headers()).toBeUndefined();
	expect(Object.values(await start())).not.toEqual([first]);
});

it('a program that had the port before n8n is not told the key', async () => {
	const squatter = startTied(process.execPath, [
		'-e',
		`require('node:http').createServer((_, answer) => answer.end('{}')).listen(${ports[0]}, '127.0.0.1')`,
	]);
	await waitUntil('it listens', async () => statusOf(url).catch(() => false as const));
	run();
	await waitUntil('n8n ends', () => n8n.ended);
	expect(await door.headers()).toBeUndefined();
	await squatter.kill();
});

it('who breaks off before the answer, whatever was asked, does not end n8n', async () => {
	const headers = await start();
	const [port = 0] = ports;
	const asked = ['', 'Connection: upgrade\r\nUpgrade: x\r\n', 'Expect: 100-continue\r\n'].map(
		(more) => `GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n${more}\r\n`,
	);
	for (const text of [...asked, 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n']) {
		for (let again = 20; again > 0; again--) {
			const socket = connect(port, '127.0.0.1').on('error', () => undefined);
			socket.write(text, () => socket.resetAndDestroy());
			await once(socket, 'close');
		}
	}
	expect(await statusOf(url, { headers })).toBe(200);
	expect(n8n.ended).toBe(false);
});

it('the server of its runners, and what it starts with its own options, are as always', async () => {
	await start();
	const [, broker, child] = ports.map((port) => `http://127.0.0.1:${port}`);
	expect(await statusOf(broker ?? '')).toBe(200);
	await waitUntil('the child answers', async () => (await statusOf(child ?? '').catch(() => 0)) === 200);
});
