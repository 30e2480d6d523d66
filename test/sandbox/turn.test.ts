import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

const SANDBOX = join(__dirname, '..', '..', 'sandbox');

let folder: string;
beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'parcel-turn-'))));
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Starts a piece of an ES module script beside the setup scripts. */
const start = (text: string, env: NodeJS.ProcessEnv = {}) => {
	const args = ['--input-type=module', '-e', text];
	const cwd = join(SANDBOX, 'setup');
	return spawn(process.execPath, args, { cwd, env: { ...process.env, FOLDER: folder, ...env } });
};
const firstLine = async (child: ReturnType<typeof start>) =>
	((await once(createInterface({ input: child.stdout }), 'line')) as [string])[0];

it('a folder is taken by one command at a time, until that ends, even by kill -9', async () => {
	const take = `import { take } from './turn.mjs';
		console.log((await take(process.env.FOLDER)) ? 'mine' : 'taken'); setInterval(() => {}, 1000);`;
	const [first, second] = [start(take), start(`${take}`)];
	const answers = await Promise.all([firstLine(first), firstLine(second)]);
	expect([...answers].sort()).toEqual(['mine', 'taken']);
	for (const child of [first, second]) {
		child.kill('SIGKILL');
		await once(child, 'exit');
	}
	const third = start(take);
	expect(await firstLine(third)).toBe('mine');
	third.kill('SIGKILL');
});

it('two commands at once install the packages of the project once, one waiting for the other', async () => {
	const lock = JSON.stringify({ packages: { 'node_modules/a': { version: '1.0.0' } } });
	await writeFile(join(folder, 'package-lock.json'), lock);
	// As npm does: removes what is there, takes its time, writes down what it installed.
	await writeFile(
		join(folder, 'npm'),
		`#!/bin/sh\necho call >> calls; rm -rf node_modules; sleep 1
		mkdir node_modules && cp package-lock.json node_modules/.package-lock.json\n`,
		{ mode: 0o755 },
	);
	const env = { PATH: `${folder}:${process.env['PATH']}`, npm_execpath: '' };
	const need = () =>
		start(
			`import { needProjectPackages } from './projectPackages.mjs'; await needProjectPackages(process.env.FOLDER);`,
			env,
		);
	const ends = await Promise.all([need(), need()].map((child) => once(child, 'exit')));
	expect(ends).toEqual([
		[0, null],
		[0, null],
	]);
	expect(await readFile(join(folder, 'calls'), 'utf8')).toBe('call\n');
});

it.each(["Zoë's folder", 'a:b', 'a;b', 'a"b'])('npm start says why it cannot run in "%s"', async (name) => {
	const place = join(folder, name, 'sandbox');
	await mkdir(place, { recursive: true });
	for (const part of ['start.mjs', 'setup', 'hosts'])
		await cp(join(SANDBOX, part), join(place, part), { recursive: true });
	const starting = promisify(execFile)(process.execPath, [join(place, 'start.mjs')]);
	await expect(starting).rejects.toMatchObject({
		code: 1,
		stderr: expect.stringContaining('move this folder'),
	});
});
