import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const SCRIPT = join(__dirname, '..', '..', '.github', 'release.mjs');
const CHANGELOG = '# Version history\n\n## Next\n\n- A thing\n\n## 0.1.0\n\nThe first version.\n';

let folder: string;
const run = (program: string, ...args: string[]) => {
	const { status, stdout, stderr } = spawnSync(program, args, { cwd: folder, encoding: 'utf8' });
	return { status, stdout: stdout.trim(), stderr };
};
const release = (...args: string[]) => run(process.execPath, SCRIPT, ...args);
const read = (file: string) => readFileSync(join(folder, file), 'utf8');
const write = (file: string, text: string) => writeFileSync(join(folder, file), text);

const refuse = (hook: string) =>
	writeFileSync(join(folder, '.git', 'hooks', hook), '#!/bin/sh\nexit 1\n', { mode: 0o755 });

beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'parcel-release-'));
	const manifest = { name: 'sample', version: '0.1.0' };
	write('package.json', JSON.stringify(manifest));
	write('package-lock.json', JSON.stringify({ ...manifest, lockfileVersion: 3, packages: { '': manifest } }));
	write('CHANGELOG.md', CHANGELOG);
	run('git', 'init', '--quiet');
	run('git', 'config', 'user.name', 'Test');
	run('git', 'config', 'user.email', 'test@example.com');
	run('git', 'config', 'gpg.program', 'false');
	run('git', 'add', '.');
	run('git', 'commit', '--quiet', '--message', 'first');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('sets version and changelog, commits and tags in one step', () => {
	expect(release('minor').status).toBe(0);
	expect(JSON.parse(read('package.json'))).toMatchObject({ version: '0.2.0' });
	expect(JSON.parse(read('package-lock.json'))).toMatchObject({
		version: '0.2.0',
		packages: { '': { version: '0.2.0' } },
	});
	expect(read('CHANGELOG.md')).toBe(CHANGELOG.replace('## Next', '## 0.2.0'));
	expect(run('git', 'status', '--porcelain').stdout).toBe('');
	expect(run('git', 'describe', '--exact-match').stdout).toBe('v0.2.0');
	expect(release('--check', 'v0.2.0')).toMatchObject({ status: 0, stderr: '' });
});

it('changes nothing while something is not committed', () => {
	write('other.txt', '');
	expect(release('minor')).toMatchObject({ status: 1, stderr: expect.stringContaining('commit them first') });
	expect(read('CHANGELOG.md')).toBe(CHANGELOG);
});

it('makes no version of which nothing is told', () => {
	write('CHANGELOG.md', CHANGELOG.replace('- A thing\n\n', ''));
	run('git', 'commit', '--quiet', '--all', '--message', 'nothing');
	expect(release('minor')).toMatchObject({ status: 1, stderr: expect.stringContaining('say there') });
	expect(JSON.parse(read('package.json'))).toMatchObject({ version: '0.1.0' });
});

it.each([
	['a tag of that version', () => run('git', 'tag', 'v0.2.0'), 'There is a tag v0.2.0 already'],
	['a commit that git refuses', () => refuse('pre-commit'), '"git commit'],
	['a tag that git refuses', () => run('git', 'config', 'tag.gpgSign', 'true'), '"git tag --annotate'],
])('leaves everything as it was, and says why, when there is %s', (_, hinder, text) => {
	hinder();
	const { status, stderr } = release('minor');
	expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining(text) });
	expect(stderr).not.toContain('    at ');
	expect(run('git', 'status', '--porcelain').stdout).toBe('');
	expect(run('git', 'log', '--oneline').stdout.split('\n')).toHaveLength(1);
	expect(JSON.parse(read('package.json'))).toMatchObject({ version: '0.1.0' });
});

it('says what npm says of a version that is the present one', () => {
	const { status, stderr } = release('0.1.0');
	expect(status).toBe(1);
	expect(stderr).toContain('Version not changed');
	expect(stderr).not.toContain('    at ');
});

it.each([
	['of another version', 'v0.1.1', CHANGELOG, 'is not the version in package.json'],
	['that the changelog does not know', 'v0.1.0', '# Version history\n', 'does not say what changed in 0.1.0'],
])('refuses a tag %s', (_, tag, changelog, text) => {
	write('CHANGELOG.md', changelog);
	expect(release('--check', tag)).toMatchObject({ status: 1, stderr: expect.stringContaining(text) });
});
