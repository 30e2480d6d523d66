import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { waitUntil } from '../../sandbox/process/waitUntil';

const SETUP = join(__dirname, '..', '..', 'sandbox', 'setup');

/** Starts a piece of an ES module script beside the setup scripts. */
const start = (text: string) => spawn(process.execPath, ['--input-type=module', '-e', text], { cwd: SETUP });
const firstLine = async (child: ReturnType<typeof start>) =>
	((await once(createInterface({ input: child.stdout }), 'line')) as [string])[0];
const running = (pid: number) => existsSync(`/proc/${pid}`);

it('a command that was started ends with us, also by kill -9', async () => {
	const script = `import { runCommand } from './command.mjs';
		await runCommand('sh', ['-c', 'sleep 60 & echo $!; wait'], { onLine: (line) => console.log(line) });`;
	const starter = start(script);
	const sleeping = Number(await firstLine(starter));
	expect(running(sleeping)).toBe(true);
	starter.kill('SIGKILL');
	await waitUntil('the command is gone', () => !running(sleeping));
});

it('a command hands out its lines and its exit code, and none when it could not start', async () => {
	const script = `import { runCommand } from './command.mjs';
		console.log(JSON.stringify([await runCommand('sh', ['-c', 'echo one; echo two >&2; exit 3']),
			(await runCommand('there-is-no-such-program', [])).code, (await runCommand('sh', ['-c', 'kill -9 $$'])).code]));`;
	expect(JSON.parse(await firstLine(start(script)))).toEqual([
		{ code: 3, output: expect.stringMatching(/^(one\ntwo|two\none)$/) },
		127,
		null,
	]);
});
