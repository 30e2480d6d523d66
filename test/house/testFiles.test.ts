import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';

const PROJECT = join(__dirname, '..', '..');
const files = execFileSync('git', ['ls-files', 'test'], { cwd: PROJECT, encoding: 'utf8' })
	.trim()
	.split('\n');

it('no two test files have one name: whoever is told one finds it', () => {
	const tests = files.filter((file) => file.endsWith('.test.ts'));
	const first = new Map(tests.map((file) => [basename(file), file]));
	expect(tests.filter((file) => first.get(basename(file)) !== file)).toEqual([]);
});

it('each file with properties is one that "npm run test:fuzz" tries', () => {
	const args = [require.resolve('jest/bin/jest'), '--selectProjects', 'fuzz', '--listTests', '--json'];
	const env = { ...process.env, PARCEL_FUZZ_TIMES: '1' };
	const listed = execFileSync(process.execPath, args, { cwd: PROJECT, encoding: 'utf8', env });
	const tried = (JSON.parse(listed) as string[]).map((file) => relative(PROJECT, file));
	const isOfProperties = (file: string) =>
		/ from '(fast-check|.*support\/fuzz)'/.test(readFileSync(join(PROJECT, file), 'utf8'));
	const withProperties = files.filter((file) => file.endsWith('.test.ts') && isOfProperties(file));
	expect(withProperties.length).toBeGreaterThan(10);
	expect(withProperties.filter((file) => !tried.includes(file))).toEqual([]);
});

it('each folder stands in the table of CONTRIBUTING.md with the door it knocks at, and no other does', () => {
	const page = readFileSync(join(PROJECT, 'CONTRIBUTING.md'), 'utf8');
	const [, table = ''] = /\| Folder of `test\/`[^]*?\n([^]*?)\n\n/.exec(page) ?? [];
	const told = table.split('\n').flatMap((row) => row.split('|')[1]!.match(/(?<=`)[\w]+(?=`)/g) ?? []);
	const folders = new Set(files.flatMap((file) => file.split('/').slice(1, -1).slice(0, 1)));
	expect(told.toSorted()).toEqual([...folders].toSorted());
});

it('what several folders use lies in one place', () => {
	const places = files.flatMap((file) => /^.*\/support(?=\/)/.exec(file) ?? []);
	expect([...new Set(places)]).toEqual(['test/support']);
});
