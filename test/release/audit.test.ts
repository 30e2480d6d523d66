import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';

const SCRIPT = join(__dirname, '..', '..', '.github', 'audit.mjs');
const BUNDLED = [
	{ name: 'undici', version: '7.0.0' },
	{ group: '@some', name: 'one', version: '1.2.3' },
];

let [folder, registry, asked] = ['', undefined as unknown as Server, undefined as unknown];
/** Versions that the registry has an advisory for, by name. */
let advisories: Record<string, string>;

beforeEach(async () => {
	folder = mkdtempSync(join(tmpdir(), 'parcel-audit-'));
	[advisories, asked] = [{}, undefined];
	registry = createServer((request, response) => {
		const answer = (body: unknown) => response.end(JSON.stringify(body));
		if (request.method === 'GET') {
			const name = decodeURIComponent(request.url?.slice(1) ?? '');
			const version = { name, version: '7.0.0', dist: {} };
			return void answer({ name, 'dist-tags': { latest: '7.0.0' }, versions: { '7.0.0': version } });
		}
		void buffer(request).then((body) => {
			const plain = request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body;
			asked = JSON.parse(plain.toString());
			const of = ([name, vulnerable_versions]: [string, string]) => [
				name,
				[
					{
						...{ id: 1, url: 'https://example.com/1', title: 'Lets anybody in', severity: 'low' },
						...{ vulnerable_versions, cwe: [], cvss: { score: 0, vectorString: null } },
					},
				],
			];
			answer(Object.fromEntries(Object.entries(advisories).map(of)));
		});
	});
	registry.listen(0, '127.0.0.1');
	await once(registry, 'listening');
});
afterEach(() => {
	registry.closeAllConnections();
	registry.close();
	rmSync(folder, { recursive: true, force: true });
});

const portOf = () => (registry.address() as AddressInfo).port;
async function audit(port = portOf(), settings: NodeJS.ProcessEnv = {}) {
	const own = { npm_config_registry: `http://127.0.0.1:${port}/`, npm_config_cache: folder };
	const env = { ...process.env, ...own, ...settings };
	const child = spawn(process.execPath, [SCRIPT], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
	const said = Promise.all([text(child.stdout), text(child.stderr)]);
	const [status] = (await once(child, 'close')) as [number];
	return { status, said: (await said).join('') };
}
const bundle = (components: unknown) =>
	writeFileSync(join(folder, 'sbom.cdx.json'), JSON.stringify({ components }));

it('asks for advisories against each bundled package in its version, and nothing else', async () => {
	bundle(BUNDLED);
	expect(await audit()).toMatchObject({
		status: 0,
		said: expect.stringContaining('Advisories: 0'),
	});
	expect(asked).toEqual({ undici: ['7.0.0'], '@some/one': ['1.2.3'] });
});

it('fails on one, however small, and shows it', async () => {
	bundle(BUNDLED);
	advisories = { undici: '<7.0.1' };
	expect(await audit()).toMatchObject({ status: 1, said: expect.stringContaining('Lets anybody in') });
});

it('asks for each version of a library that is bundled twice, and tells of both', async () => {
	bundle([...BUNDLED, { name: 'undici', version: '6.0.0' }, { name: 'undici', version: '5.0.0' }]);
	for (const range of ['7.0.0', '6.0.0', '5.0.0']) {
		advisories = { undici: range };
		expect(await audit()).toMatchObject({
			status: 1,
			said: expect.stringContaining(`undici ${range}: Lets`),
		});
	}
	expect(asked).toEqual({ undici: ['7.0.0', '6.0.0', '5.0.0'], '@some/one': ['1.2.3'] });
}, 30_000);

it.each([['npm_config_offline'], ['npm_config_prefer_offline'], ['npm_config_dry_run']])(
	'asks also where npm is told %s',
	async (setting) => {
		bundle(BUNDLED);
		advisories = { undici: '<7.0.1' };
		expect((await audit(portOf(), { [setting]: 'true' })).status).toBe(1);
	},
);

it.each([
	['has been built', () => undefined],
	['is said to be bundled', () => bundle([])],
	['can be read of it', () => bundle('undici')],
	['is a list', () => writeFileSync(join(folder, 'sbom.cdx.json'), '{')],
])('fails when nothing %s', async (_, write) => {
	write();
	expect(await audit()).toMatchObject({ status: 2, said: expect.stringContaining('npm run build') });
});

it('leaves nothing behind', async () => {
	bundle(BUNDLED);
	const temporary = join(folder, 'temporary');
	mkdirSync(temporary);
	for (const port of [portOf(), 1]) await audit(port, { TMPDIR: temporary });
	expect(readdirSync(temporary)).toEqual([]);
});

it('fails where there is no npm', async () => {
	bundle(BUNDLED);
	expect(await audit(portOf(), { PATH: folder })).toMatchObject({
		status: 2,
		said: expect.stringContaining('nobody knows'),
	});
});

const NO_ANSWERS: Record<string, (response: ServerResponse) => void> = {
	'refuses the question': (response) => response.writeHead(405).end('no'),
	'is ill': (response) => response.writeHead(500).end(),
	'wants a login': (response) => response.writeHead(401).end('{}'),
	'answers with a page': (response) => response.end('<html>'),
	'answers with nothing': (response) => response.end(),
	'hangs up': (response) => response.destroy(),
	'has taken the question, and answers later': (response) => response.writeHead(202).end('[]'),
	...Object.fromEntries(
		[null, [], [{ undici: [] }], true, 0, 'none', { undici: null }, { error: 'not here' }].map((odd) => [
			`answers ${JSON.stringify(odd)}`,
			(response: ServerResponse) => response.end(JSON.stringify(odd)),
		]),
	),
};

it.each(Object.entries(NO_ANSWERS))(
	'calls it neither a finding nor an all-clear when the registry %s',
	async (_, answer) => {
		bundle(BUNDLED);
		registry.removeAllListeners('request').on('request', (__, response: ServerResponse) => answer(response));
		const { status, said } = await audit();
		expect(said).toContain('nobody knows whether there are advisories');
		expect(said).not.toContain('undefined');
		expect(status).toBe(2);
	},
	30_000,
);

it('calls it neither when the registry cannot be reached', async () => {
	bundle(BUNDLED);
	const { port } = registry.address() as AddressInfo;
	registry.close();
	expect(await audit(port)).toMatchObject({ status: 2, said: expect.stringContaining('nobody knows') });
}, 30_000);
