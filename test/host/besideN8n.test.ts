import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { connect } from 'amqplib';
import { SCOPES } from '../../sandbox/n8n/publicApi';
import { freePorts } from '../../sandbox/process/freePort';
import { waitUntil } from '../../sandbox/process/waitUntil';
import { limitsKeys } from '../support/hostVersion';
import { SHARED_HOST, type SharedHost } from '../support/host/start';
import { useWorld } from '../support/host/world';

/** `npm start -- --n8n …`: the sandbox beside an n8n that somebody else started, by its public API alone. */

const world = useWorld();
const START = join(__dirname, '..', '..', 'sandbox', 'start.mjs');
let started: ChildProcess | undefined;
let files = '';

beforeAll(async () => (files = await mkdtemp(join(world().filesFolder, 'beside-'))));
afterEach(() => started?.kill('SIGKILL'));
afterAll(() => rm(files, { recursive: true, force: true }));

const keyFor = async (scopes: readonly string[]) => {
	const expiresAt = Math.floor(Date.now() / 1000) + 3600;
	const label = `Sandbox ${Math.random()}`;
	const body = { label, scopes, expiresAt };
	return (await world().n8n.rest.send<{ rawApiKey: string }>('POST', 'api-keys', body)).rawApiKey;
};

/** Starts it on free ports. @returns what it has written so far, and how it ended */
async function start(apiKey: string) {
	const [control = 0, service = 0, queue = 0, mail = 0] = await freePorts(4);
	const ports = Object.entries({ control, service, queue, mail });
	const args = ports.flatMap(([name, port]) => [`--${name}-port`, String(port)]);
	const child = spawn(
		process.execPath,
		[START, '--n8n', world().n8nUrl, '--files-folder', files, ...args],
		// As a person may who does not want it in the list of processes.
		{ stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, N8N_API_KEY: apiKey } },
	);
	started = child;
	let told = '';
	for (const out of [child.stdout, child.stderr]) out.on('data', (chunk) => (told += String(chunk)));
	const exited = once(child, 'exit').then(([code]) => code as number | null);
	return { child, exited, told: () => told, controlUrl: `http://127.0.0.1:${control}`, queuePort: queue };
}

async function ready({ child, told }: Awaited<ReturnType<typeof start>>): Promise<void> {
	const isReady = () => {
		if (child.exitCode !== null) throw new Error(told());
		return told().includes('Ready after');
	};
	await waitUntil('the sandbox is ready', isReady, { deadlineMs: 60_000 });
}

/** What there is in n8n that is called like what the sandbox makes. */
async function madeThere(): Promise<string[]> {
	const { n8n } = world();
	const [accounts, workflows] = await Promise.all([n8n.credentials.list(), n8n.workflows.list()]);
	const names = [...accounts, ...workflows].map(({ name }) => name);
	return names.filter((name) => /^Stand-in|^Papers of/.test(name)).sort();
}

it('makes its accounts and its workflow there, serves it, and takes all along when it ends', async () => {
	const before = await madeThere();
	const sandbox = await start(await keyFor(SCOPES));
	await ready(sandbox);
	const { child, exited, told, controlUrl, queuePort } = sandbox;
	for (const login of ['admin:admin', 'guest:guest', 'events.reader:Quay%207%3A%20events']) {
		await expect(connect(`amqp://${login}@127.0.0.1:${queuePort}`)).rejects.toThrow('ACCESS_REFUSED');
	}
	// Not localhost: by that name a browser comes to ::1 first, where any user of this machine may listen.
	const [, key = ''] = told()
		.split(`  Control page   ${controlUrl}/#key=`)
		.map((text) => text.split('\n')[0] ?? '');
	expect(told()).toContain(`  The workflow   ${world().n8nUrl}/workflow/`);
	// The folder holds somebody's own papers: another user of this machine is shown none of it.
	await writeFile(join(files, 'invoice.txt'), 'private');
	const invoice = `${controlUrl}/api/files/invoice.txt`;
	expect((await fetch(invoice)).status).toBe(403);
	const own = { 'x-key': key };
	expect(await (await fetch(invoice, { headers: own })).text()).toBe('private');
	await rm(join(files, 'invoice.txt'));
	const answer = await fetch(`${controlUrl}/api/sets?show=500`, { headers: own });
	const { sets } = (await answer.json()) as { sets: { setId: string; status: string }[] };
	const set = sets.find(({ status }) => status === 'drafted');
	const signed = await fetch(`${controlUrl}/api/sets/${set?.setId}/steps`, {
		method: 'POST',
		headers: { 'content-type': 'application/json', ...own },
		body: JSON.stringify({ step: 'sign' }),
	});
	expect(signed.status).toBe(200);
	await waitUntil('the PDFs are in the folder', async () => (await readdir(files)).length > 0);
	expect((await madeThere()).length).toBeGreaterThan(before.length);
	child.kill('SIGINT');
	expect(await exited).toBe(0);
	expect(await madeThere()).toEqual(before);
});

it('has what a start that was killed left there removed by the next one, which takes all along though its window is gone', async () => {
	const before = await madeThere();
	const key = await keyFor(SCOPES);
	const first = await start(key);
	await ready(first);
	const withOne = await madeThere();
	first.child.kill('SIGKILL');
	await first.exited;
	const second = await start(key);
	await ready(second);
	expect(await madeThere()).toEqual(withOne);
	for (const out of [second.child.stdout, second.child.stderr]) out.destroy();
	second.child.kill('SIGHUP');
	expect(await second.exited).toBe(0);
	expect(await madeThere()).toEqual(before);
});

const { n8nVersion = '' } = JSON.parse(process.env[SHARED_HOST] ?? '{}') as Partial<SharedHost>;
const without = (missing: RegExp) => () => keyFor(SCOPES.filter((scope) => !missing.test(scope)));
const lesserKeys: [string, () => Promise<string>, RegExp][] = [
	[
		'a key that may not make workflows',
		without(/workflow:create/),
		/may not do "workflow:create": give it credential:create, /,
	],
	[
		'a key that may not remove what it may make',
		without(/deactivate|delete/),
		/may not do "workflow:deactivate", "workflow:delete", "credential:delete": give it credential:create, /,
	],
];

it.each<[string, () => Promise<string>, RegExp]>([
	['a key that is none', async () => 'not-a-key', /refused the API key: make one in n8n under Settings/],
	...(limitsKeys(n8nVersion) ? lesserKeys : []),
])('says what to do about %s, and leaves nothing behind', async (_, key, words) => {
	const before = await madeThere();
	const apiKey = await key();
	const { exited, told } = await start(apiKey);
	expect(await exited).toBe(1);
	expect(told()).toMatch(words);
	expect(told()).not.toContain(apiKey);
	expect(told()).not.toMatch(/\bat \w+ \(/);
	expect(await madeThere()).toEqual(before);
});
