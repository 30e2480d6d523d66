import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
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
async function audit(port = portOf(), settings: NodeJS.ProcessEnv = {}, ...args: string[]) {
	const own = { npm_config_registry: `http://127.0.0.1:${port}/`, npm_config_cache: folder };
	const env = { ...process.env, ...own, XDG_CACHE_HOME: folder, ...settings };
	const child = spawn(process.execPath, [SCRIPT, ...args], {
		cwd: folder,
		env,
		stdio: ['ignore', 'pipe', 'pipe'],
	});
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

it.each([
	['offline', 'true'],
	['prefer_offline', 'true'],
	['dry_run', 'true'],
	['color', 'always'],
	['heading', 'mine'],
	['json', 'false'],
	['loglevel', 'silent'],
])('asks, and understands the answer, also where npm is told %s=%s', async (setting, value) => {
	bundle(BUNDLED);
	advisories = { undici: '<7.0.1' };
	expect((await audit(portOf(), { [`npm_config_${setting}`]: value })).status).toBe(1);
});

it.each([
	['nothing has been built', () => undefined],
	['nothing is said to be bundled', () => bundle([])],
	['what is bundled is no list', () => bundle('undici')],
	['what is bundled cannot be read', () => writeFileSync(join(folder, 'sbom.cdx.json'), '{')],
])('fails, and says what to run, when %s', async (_, write) => {
	write();
	expect(await audit()).toMatchObject({ status: 2, said: expect.stringContaining('npm run build') });
});

it('leaves nothing behind', async () => {
	bundle(BUNDLED);
	const temporary = join(folder, 'temporary');
	mkdirSync(temporary);
	for (const port of [portOf(), 1]) await audit(port, { TMPDIR: temporary });
	expect(readdirSync(temporary)).toEqual([]);
	expect(readdirSync(join(folder, 'n8n-nodes-parcel-document-exchange'))).toEqual([]);
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

it('calls it neither a finding nor an all-clear when the registry cannot be reached', async () => {
	bundle(BUNDLED);
	const { port } = registry.address() as AddressInfo;
	registry.close();
	expect(await audit(port)).toMatchObject({ status: 2, said: expect.stringContaining('nobody knows') });
}, 30_000);

describe('what is published', () => {
	const NAME = 'parcel-sample';
	/** The files of the package that the registry gives out. */
	let files: Record<string, string>;
	const published = () => audit(portOf(), {}, '--published');

	beforeEach(() => {
		writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: NAME, version: '9.0.0' }));
		bundle([{ name: 'undici', version: '9.0.0' }]);
		const sbom = JSON.stringify({ components: [{ name: 'undici', version: '7.0.0' }] });
		files = { 'package.json': JSON.stringify({ name: NAME, version: '1.0.0' }), 'sbom.cdx.json': sbom };
		const others = registry.listeners('request') as RequestListener[];
		registry.removeAllListeners('request').on('request', (request, response) => {
			if (request.url === `/${NAME}`) {
				const tarball = `http://127.0.0.1:${portOf()}/sample.tgz`;
				const version = { name: NAME, version: '1.0.0', dist: { tarball } };
				response.end(
					JSON.stringify({ name: NAME, 'dist-tags': { latest: '1.0.0' }, versions: { '1.0.0': version } }),
				);
			} else if (request.url === '/sample.tgz') response.end(packed());
			else for (const other of others) other(request, response);
		});
	});
	function packed(): Buffer {
		const root = join(folder, 'package');
		rmSync(root, { recursive: true, force: true });
		mkdirSync(root);
		for (const [name, content] of Object.entries(files)) writeFileSync(join(root, name), content);
		return execFileSync('tar', ['-C', folder, '-czf', '-', 'package']);
	}

	it('is asked about in the versions that it bundles, not in those of the next', async () => {
		advisories = { undici: '<9.0.0' };
		const { status, said } = await published();
		expect(asked).toEqual({ undici: ['7.0.0'] });
		expect({ status, said }).toEqual({
			status: 1,
			said: expect.stringContaining(`${NAME} 1.0.0 bundles undici 7.0.0`),
		});
		expect((await audit()).status).toBe(0);
	}, 30_000);

	it('is fetched where other users of the machine put nothing: npm obeys an .npmrc above', async () => {
		const temporary = join(folder, 'temporary');
		mkdirSync(join(temporary, 'node_modules'), { recursive: true });
		writeFileSync(join(temporary, '.npmrc'), `pack-destination=${temporary}\n`);
		advisories = { undici: '<9.0.0' };
		expect((await audit(portOf(), { TMPDIR: temporary }, '--published')).status).toBe(1);
	});

	it.each([
		['names nothing', { 'package.json': '{}' }],
		['names nothing that can be read', { 'package.json': '{}', 'sbom.cdx.json': '[' }],
	])('is neither a finding nor an all-clear where it %s', async (_, others) => {
		files = others;
		expect(await published()).toMatchObject({
			status: 2,
			said: expect.stringContaining('nobody knows what its users run'),
		});
	});

	it('is neither a finding nor an all-clear where npm gives none out', async () => {
		writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'parcel-other', version: '9.0.0' }));
		registry.removeAllListeners('request').on('request', (_, response) => response.writeHead(404).end('{}'));
		expect(await published()).toMatchObject({
			status: 2,
			said: expect.stringContaining('nobody knows what its users run'),
		});
	});
});
