import { execFile } from 'node:child_process';
import { mkdtemp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { readPackage, writeNpmStandIn } from '../../sandbox/n8n/npmStandIn';
import { PORTS, takenPorts, type SandboxPorts } from '../../sandbox/ports';
import { freePorts } from '../../sandbox/process/freePort';

const SANDBOX = join(__dirname, '..', '..', 'sandbox');
const run = promisify(execFile);

let folder: string;
beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'parcel-setup-'))));
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Runs a piece of an ES module script beside the setup scripts. */
const script = (text: string, env: NodeJS.ProcessEnv = {}) =>
	run(process.execPath, ['--input-type=module', '-e', text], {
		cwd: join(SANDBOX, 'setup'),
		env: { ...process.env, ...env },
	});

describe('the steps', () => {
	it('show each step with its note and its time', async () => {
		const { stderr } = await script(
			`import { step } from './steps.mjs'; await step('Packages', async () => 'already there');`,
		);
		expect(stderr).toMatch(/^✓ Packages: already there {2}0\.\d s\n$/);
	});

	it.each([
		[400, '0.4 s'],
		[12_300, '12 s'],
		[200_000, '3 min 20 s'],
	])('write %i ms as %s', async (ms, text) => {
		const { stdout } = await script(`import { duration } from './steps.mjs'; console.log(duration(${ms}));`);
		expect(stdout.trim()).toBe(text);
	});
});

describe('what is missing', () => {
	it('names the Debian packages and the command when it may not install them', async () => {
		const fake = join(folder, 'apt-get');
		await writeFile(fake, '#!/bin/sh\nexit 1\n', { mode: 0o755 });
		const { stdout } = await script(
			`process.getuid = () => 1000;
			const { needDebianPackages } = await import('./debianPackages.mjs');
			await needDebianPackages('build-essential', 'openssl').catch((problem) => console.log(problem.message));`,
			{ PATH: folder },
		);
		expect(stdout).toBe(
			'Missing Debian packages: type "sudo apt-get update && ' +
				'sudo apt-get install --no-install-recommends build-essential openssl" and start again.\n',
		);
	});

	it('says what apt-get says when it fails', async () => {
		const fake = join(folder, 'apt-get');
		await writeFile(fake, '#!/bin/sh\necho "E: Unable to locate package openssl" >&2\nexit 100\n', {
			mode: 0o755,
		});
		const { stdout } = await script(
			`process.getuid = () => 0;
			const { needDebianPackages } = await import('./debianPackages.mjs');
			await needDebianPackages('openssl').catch((problem) => console.log(problem.message));`,
			{ PATH: folder },
		);
		expect(stdout).toContain('failed (Unable to locate package openssl)');
	});

	it('installs no project packages where those of the lock file are there', async () => {
		const lock = (packages: object) => JSON.stringify({ packages });
		const wanted = {
			'': {},
			'node_modules/a': { version: '1.0.0' },
			'node_modules/b': { version: '2.0.0', optional: true },
		};
		await writeFile(join(folder, 'package-lock.json'), lock(wanted));
		await mkdir(join(folder, 'node_modules'));
		const present = join(folder, 'node_modules', '.package-lock.json');
		await writeFile(join(folder, 'npm'), '#!/bin/sh\necho "npm error code ENOTFOUND"\nexit 1\n', {
			mode: 0o755,
		});
		const ask = () =>
			script(
				`const { needProjectPackages } = await import('./projectPackages.mjs');
				await needProjectPackages(${JSON.stringify(folder)}).then(() => console.log('nothing to do'), (problem) => console.log(problem.message));`,
				{ PATH: folder, npm_execpath: '' },
			);
		await writeFile(present, lock({ 'node_modules/a': { version: '1.0.0' } }));
		expect((await ask()).stdout).toBe('nothing to do\n');

		await writeFile(present, lock({ 'node_modules/a': { version: '0.9.0' } }));
		expect((await ask()).stdout).toBe(
			'The npm registry cannot be reached (ENOTFOUND): check the internet connection and run the command again.\n',
		);
	});

	it('installs what builds and tests the package also where npm would leave it out', async () => {
		await writeFile(join(folder, 'npm'), '#!/bin/sh\necho "$@" > "$0.said"\n', { mode: 0o755 });
		await script(
			`const { needProjectPackages } = await import('./projectPackages.mjs');
			await needProjectPackages(${JSON.stringify(folder)});`,
			{ PATH: `${folder}:${process.env['PATH']}`, npm_execpath: '', NODE_ENV: 'production' },
		);
		expect(await readFile(join(folder, 'npm.said'), 'utf8')).toContain('ci --include=dev --include=optional');
	});

	it('says it in a few lines when npm may not write, however much npm printed', async () => {
		await writeFile(
			join(folder, 'npm'),
			'#!/bin/sh\nfor i in $(seq 150); do echo "npm http fetch GET 200 something"; done; echo "npm error code EACCES"; exit 1\n',
			{ mode: 0o755 },
		);
		const { stdout } = await script(
			`const { npm } = await import('./npm.mjs');
			await npm(['ci'], { cwd: '.' }).catch((problem) => console.log(problem.message));`,
			{ PATH: `${folder}:${process.env['PATH']}`, npm_execpath: '' },
		);
		expect(stdout).toMatch(/^npm may not write into its folder.*\nnpm error code EACCES\n$/);
	});

	it.each(['my cache', 'a&b'])(
		'says before any download that n8n cannot be compiled in "%s"',
		async (name) => {
			const env = { ...process.env, XDG_CACHE_HOME: join(folder, name), PATH: folder, npm_execpath: '' };
			const asking = run(process.execPath, [join(SANDBOX, 'setup', 'n8nHost.mjs')], { env });
			const stderr = expect.stringMatching(
				/^\nn8n cannot be compiled in .* choose another place with XDG_CACHE_HOME/,
			);
			await expect(asking).rejects.toMatchObject({ stderr, stdout: '' });
		},
	);

	it('lists the n8n versions there are when asked for another', async () => {
		const asking = run(process.execPath, [join(SANDBOX, 'setup', 'n8nHost.mjs'), '0.1.0']);
		await expect(asking).rejects.toMatchObject({
			stderr:
				'\nn8n 0.1.0 is not prepared here: choose one of 1.123.81, 2.8.4, 2.22.6, 2.35.7, 2.37.11, 2.41.1.\n',
			stdout: '',
		});
	});
});

describe('taken ports', () => {
	it('are named with what they are for and the option that chooses another', async () => {
		const [n8n = 0, ...others] = await freePorts(Object.keys(PORTS).length);
		const [control = 0, service = 0, queue = 0, mail = 0] = others;
		const ports: SandboxPorts = { n8n, control, service, queue, mail };
		expect(await takenPorts(ports)).toEqual([]);

		const server: Server = createServer().listen(control, '127.0.0.1');
		await once(server, 'listening');
		expect(await takenPorts(ports)).toEqual([
			`Port ${control}, meant for the control page, is used by another program: ` +
				`choose another with "npm start -- --control-port ${control + 100}".`,
		]);
		server.close();
	});
});

it('gives n8n our packed package and leaves all else to npm', async () => {
	const made = join(folder, 'made');
	await mkdir(made);
	const name = 'n8n-nodes-parcel-example';
	await writeFile(join(made, 'package.json'), JSON.stringify({ name, version: '1.2.3' }));
	await run('npm', ['pack', '--silent'], { cwd: made });
	const packed = await readPackage(join(made, `${name}-1.2.3.tgz`));
	expect(packed).toMatchObject({ name, version: '1.2.3' });

	const programs = join(folder, 'programs');
	await writeNpmStandIn(programs, packed);
	const npm = async (...args: string[]) => {
		const env = { ...process.env, PATH: `${programs}:${process.env['PATH']}` };
		return (await run('npm', args, { cwd: folder, env })).stdout.trim();
	};
	expect(await npm('view', `${name}@latest`, 'version', '--json')).toBe('"1.2.3"');
	const tarball = await npm('pack', `${name}@1.2.3`, '--quiet');
	expect(await readFile(join(folder, tarball))).toEqual(await readFile(packed.tarball));
	expect(await npm('--version')).toMatch(/^\d+\.\d+\.\d+$/);
}, 30_000);

describe('the folder for caches', () => {
	const inCaches = async (place: string) => {
		const asked = `import { newFolder } from './caches.mjs';
			await newFolder('new-').then(console.log, ({ constructor, message }) => console.log(constructor.name, message));`;
		return (await script(asked, { XDG_CACHE_HOME: place })).stdout;
	};

	it('is the one that was chosen, wherever a program works that is told of it', async () => {
		const named = relative(join(SANDBOX, 'setup'), folder);
		const caches = join(folder, 'n8n-nodes-parcel-document-exchange');
		expect((await inCaches(named)).startsWith(join(caches, 'new-'))).toBe(true);
	});

	it('where nothing can be written, says so in a sentence, and what to do', async () => {
		await writeFile(join(folder, 'taken'), '');
		expect(await inCaches(join(folder, 'taken'))).toMatch(
			/^SetupProblem Nothing can be written into .*taken.* \(ENOTDIR\): give it to this user, or .* XDG_CACHE_HOME=\/a\/folder/,
		);
	});
});

it('TypeScript is read without a memory below the temporary folder, where any user may put a program into it', async () => {
	const { stdout } = await script(
		`import { createRequire } from 'node:module';
		import { readTypeScript } from './typescript.mjs';
		await readTypeScript();
		console.log(createRequire(import.meta.url)('../ports.ts').PORTS.n8n.port);`,
		{ TMPDIR: folder, TSX_DISABLE_CACHE: '' },
	);
	expect(stdout).toBe(`${PORTS.n8n.port}\n`);
	expect(await readdir(folder)).toEqual([]);
});
