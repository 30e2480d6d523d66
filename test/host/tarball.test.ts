import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { promisify } from 'node:util';
import { isBuiltin } from 'node:module';
import { dirname, join } from 'node:path';
import { PACKED_PACKAGE } from './support/start';

/** Reads the packed package as n8n does before it installs it. */
const tar = async (...args: string[]) =>
	(await promisify(execFile)('tar', [...args, PACKED_PACKAGE], { maxBuffer: 64 * 1024 * 1024 })).stdout;
const read = async (file: string) =>
	(
		await promisify(execFile)('tar', ['-xzOf', PACKED_PACKAGE, `package/${file}`], {
			maxBuffer: 64 * 1024 * 1024,
		})
	).stdout;

let files: string[];
beforeAll(async () => {
	files = (await tar('-tzf'))
		.trim()
		.split('\n')
		.map((path) => path.replace(/^package\//, ''));
});

const ICONS = ['parcelDocumentExchange.svg', 'parcelDocumentExchange.dark.svg'];
const NODES = ['ParcelDocumentExchange.node', 'ParcelDocumentExchangeTrigger.node'];
const OPERATIONS = [
	...['counterparty/getAll', 'customer/getAll', 'document/getAllPdfs', 'document/getPdf'],
	...['event/parse', 'set/get', 'set/search'],
];

it('the package that is published holds what it needs and nothing else', () => {
	const inNodes = [
		...NODES.flatMap((node) => [`${node}.js`, `${node}.json`]),
		...ICONS,
		...OPERATIONS.map((operation) => `__schema__/v1.0.0/${operation}.json`),
	];
	expect([...files].sort()).toEqual(
		[
			...['CHANGELOG.md', 'LICENSE', 'README.md', 'THIRD-PARTY-LICENSES.txt', 'index.js', 'package.json'],
			'dist/credentials/ParcelDocumentExchangeApi.credentials.js',
			'dist/credentials/ParcelDocumentExchangeQueueApi.credentials.js',
			...['dist/libraries/amqplib.js', 'dist/libraries/undici.js'],
			...inNodes.map((file) => `dist/nodes/ParcelDocumentExchange/${file}`),
		].sort(),
	);
	expect(files.filter((file) => /test/i.test(file))).toEqual([]);
});

it('the package that is published brings everything along: n8n installs no dependency for it', async () => {
	const manifest = JSON.parse(await read('package.json')) as Record<string, unknown>;
	expect(manifest['dependencies'] ?? {}).toEqual({});
	expect(manifest['optionalDependencies'] ?? {}).toEqual({});
	expect(manifest['bundleDependencies'] ?? []).toEqual([]);
	// Optional: npm would fetch a second n8n-workflow, with a native module to compile, and the nodes would take that one.
	expect(manifest['peerDependencies']).toEqual({ 'n8n-workflow': '*' });
	expect(manifest['peerDependenciesMeta']).toEqual({ 'n8n-workflow': { optional: true } });
	expect(
		Object.keys(manifest['scripts'] as object).filter((name) => /^(pre|post)?install$|^prepare$/.test(name)),
	).toEqual([]);
	for (const file of files.filter((name) => name.endsWith('.js') && name.startsWith('dist/'))) {
		const wanted = [...(await read(file)).matchAll(/\brequire\("([^"]+)"\)/g)].map(([, name = '']) => name);
		const missing = wanted.filter((name) => {
			if (name.startsWith('.')) return !files.includes(join(dirname(file), name));
			return !isBuiltin(name) && !name.startsWith('node:') && name !== 'n8n-workflow';
		});
		expect({ file, missing }).toEqual({ file, missing: [] });
	}
});

it('the package that is published is all that npm installs beside an n8n', async () => {
	const folder = await mkdtemp(join(tmpdir(), 'parcel-npm-'));
	try {
		await writeFile(join(folder, 'package.json'), '{}');
		const args = ['install', '--no-audit', '--no-fund', '--legacy-peer-deps=false', PACKED_PACKAGE];
		await promisify(execFile)('npm', args, { cwd: folder, timeout: 50_000 });
		const installed = await readdir(join(folder, 'node_modules'));
		expect(installed.filter((name) => !name.startsWith('.'))).toEqual(['n8n-nodes-parcel-document-exchange']);
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
});

it('the package that is published tells where each licence of its bundle is from', async () => {
	const licences = await read('THIRD-PARTY-LICENSES.txt');
	for (const name of ['amqplib', 'undici', 'zod']) expect(licences).toMatch(new RegExp(`^${name} \\d`, 'm'));
	// Its own zod, not the older one that n8n-core brings along.
	expect(licences).toMatch(/^zod 4\.([6-9]|\d\d)/m);
	// Each with the words of the licence itself; the first file of amqplib only points to another.
	const parts = licences.split(/^-{80}$/m).slice(1);
	expect(parts.filter((part) => !part.includes('Permission is hereby granted, free of charge'))).toEqual([]);
	// Parts of undici have authors of their own.
	for (const name of ['Matteo Collina', 'Ethan Arrowood', 'Fedor Indutny']) expect(licences).toContain(name);
	const undici = await read('dist/libraries/undici.js');
	for (const name of ['Jimmy Wärting', 'Einar Otto Stangvik']) expect(undici).toContain(name);
});
