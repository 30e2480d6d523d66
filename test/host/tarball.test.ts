import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readdir, rm, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { isBuiltin } from 'node:module';
import { dirname, join } from 'node:path';
import { Spec, Validation } from '@cyclonedx/cyclonedx-library';
import { newFolder } from '../../sandbox/setup/caches.mjs';
import { PACKED_PACKAGE } from '../support/host/start';

const PROJECT = join(__dirname, '..', '..');

/** Reads the packed package as n8n does before it installs it. */
const tar = async (...args: string[]) =>
	(await promisify(execFile)('tar', [...args, PACKED_PACKAGE], { maxBuffer: 64 * 1024 * 1024 })).stdout;
const read = async (file: string) =>
	(
		await promisify(execFile)('tar', ['-xzOf', PACKED_PACKAGE, `package/${file}`], {
			maxBuffer: 64 * 1024 * 1024,
		})
	).stdout;

const OURS = 'n8n-nodes-parcel-document-exchange';

let files: string[];
beforeAll(async () => {
	files = (await tar('-tzf'))
		.trim()
		.split('\n')
		.map((path) => path.replace(/^package\//, ''));
});

const ICONS = ['parcelDocumentExchange.svg', 'parcelDocumentExchange.dark.svg'];
const NODES = [
	'ParcelDocumentExchange.node',
	'ParcelDocumentExchangePollTrigger.node',
	'ParcelDocumentExchangeTrigger.node',
];
const OPERATIONS = [
	...['counterparty/get', 'counterparty/getAll', 'customer/get', 'customer/getAll'],
	...['document/getAll', 'document/getAllPdfs', 'document/getPdf', 'event/parse', 'set/get', 'set/search'],
	'queue/getStatus',
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
			'sbom.cdx.json',
			'dist/credentials/ParcelDocumentExchangeApi.credentials.js',
			'dist/credentials/ParcelDocumentExchangeQueueApi.credentials.js',
			...['dist/libraries/amqplib.js', 'dist/libraries/undici.js', 'dist/running.js'],
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

it("of the package that is published n8n's start reads the panels alone", async () => {
	for (const node of NODES)
		expect((await read(`dist/nodes/ParcelDocumentExchange/${node}.js`)).length).toBeLessThan(50_000);
});

it('the package that is published is all that npm installs beside an n8n', async () => {
	const folder = await newFolder('npm-');
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
	for (const name of [
		'acorn',
		'amqplib',
		'esbuild',
		'eslint-scope',
		'esrecurse',
		'estraverse',
		'undici',
		'zod',
	])
		expect(licences).toMatch(new RegExp(`^${name} \\d`, 'm'));
	// Its own zod, not the older one that n8n-core brings along.
	expect(licences).toMatch(/^zod 4\.([6-9]|\d\d)/m);
	// Each with the words of the licence itself; the first file of amqplib only points to another.
	const parts = licences.split(/^-{80}$/m).slice(1);
	const words =
		/Permission is hereby granted, free of charge|Redistribution and use in source and binary forms/;
	expect(parts.filter((part) => !words.test(part))).toEqual([]);
	// Parts of undici have authors of their own.
	for (const name of ['Matteo Collina', 'Ethan Arrowood', 'Fedor Indutny']) expect(licences).toContain(name);
	const undici = await read('dist/libraries/undici.js');
	for (const name of ['Jimmy Wärting', 'Einar Otto Stangvik']) expect(undici).toContain(name);
});

it('the package that is published has nothing that a linter of packages would change', async () => {
	const linter = join(PROJECT, 'node_modules', 'publint', 'src', 'cli.js');
	const { stdout } = await promisify(execFile)(process.execPath, [linter, 'run', PACKED_PACKAGE, '--strict']);
	expect(stdout).toContain('All good!');
});

describe('the bill of materials in the package', () => {
	interface Part {
		name: string;
		version: string;
		hashes: { alg: string; content: string }[];
		properties: { name: string; value: string }[];
	}
	let text: string;
	let components: Part[];
	let scripts: { file: string; text: string }[];
	/** The bytes of each file that the bill gives to one of these. */
	const bytesOf = (parts: Part[]) => {
		const sums = new Map<string, number>();
		for (const { name, value } of parts.flatMap(({ properties }) => properties)) {
			const file = /^bundled:bytes:(.*)/.exec(name)?.[1];
			if (file !== undefined) sums.set(file, (sums.get(file) ?? 0) + Number(value));
		}
		return sums;
	};
	let own: Part;

	beforeAll(async () => {
		text = await read('sbom.cdx.json');
		const bill = JSON.parse(text) as { components: Part[]; metadata: { component: Part } };
		[components, own] = [bill.components, bill.metadata.component];
		const names = files.filter((file) => /^dist\/.*\.js$/.test(file));
		scripts = await Promise.all(names.map(async (file) => ({ file, text: await read(file) })));
	});

	it('is CycloneDX 1.6 by its schema', async () => {
		const validator = new Validation.JsonStrictValidator(Spec.Version.v1dot6);
		expect(await validator.validate(text)).toBeNull();
		expect(await validator.validate(text.replace('"library"', '"vessel"'))).not.toBeNull();
	});

	it('says of every byte of every bundle whose it is', () => {
		const said = bytesOf([...components, own]);
		const sizes = scripts.map(({ file, text: script }) => [file, Buffer.byteLength(script)]);
		expect(Object.fromEntries(said)).toEqual(Object.fromEntries(sizes));
	});

	it('gives each package as many bytes of a file as lie below the comments that esbuild writes for it', () => {
		expect(scripts.length).toBeGreaterThan(3);
		for (const { file, text: script } of scripts) {
			const found = new Map<string, number>();
			for (const section of script
				.split(/^(?=\/\/ (?:node_modules|nodes|credentials|service)\/)/m)
				.slice(1)) {
				const name = /^\/\/ (?:service\/)?node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(section)?.[1] ?? OURS;
				found.set(name, (found.get(name) ?? 0) + Buffer.byteLength(section));
			}
			for (const [name, bytes] of found) {
				const said = bytesOf([...components, own].filter((part) => part.name === name)).get(file) ?? 0;
				const rest = Buffer.byteLength(script) * 0.02 + 3_000;
				expect({ file, name, said, near: Math.abs(bytes - said) < rest }).toMatchObject({ said, near: true });
				expect(said).toBeGreaterThan(0);
			}
		}
	});

	it('names each package as the lock file does, with the hash of what the registry gave', () => {
		const { packages } = JSON.parse(readFileSync(join(PROJECT, 'package-lock.json'), 'utf8')) as {
			packages: Record<string, { version: string; integrity: string }>;
		};
		expect(components.map(({ name }) => name)).toEqual(expect.arrayContaining(['amqplib', 'undici', 'zod']));
		for (const { name, version, hashes } of components) {
			// The service has its own zod, in a workspace.
			const locked = packages[`service/node_modules/${name}`] ?? packages[`node_modules/${name}`];
			expect(version).toBe(locked?.version);
			const sha512 = Buffer.from(hashes[0]?.content ?? '', 'hex').toString('base64');
			expect(`sha512-${sha512}`).toBe(locked?.integrity);
		}
	});

	it('is as current as the licences: the same packages in the same versions', async () => {
		const licences = await read('THIRD-PARTY-LICENSES.txt');
		const named = [...licences.matchAll(/^-{80}\n\n(\S+) (\S+) \(/gm)].map(
			([, name, version]) => `${name} ${version}`,
		);
		expect(components.map(({ name, version }) => `${name} ${version}`).sort()).toEqual(named.sort());
	});
});
