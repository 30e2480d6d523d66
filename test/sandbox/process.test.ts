import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { freePorts } from '../../sandbox/process/freePort';
import { startTied } from '../../sandbox/process/tiedProcess';
import { waitUntil } from '../../sandbox/process/waitUntil';

const running = (pid: number) => existsSync(`/proc/${pid}`);

/** A shell that starts a second process, says its id, and waits. */
const PARENT_AND_CHILD = ['-c', 'sleep 60 & echo $!; wait'];

describe('a tied process', () => {
	it('is killed together with its children', async () => {
		const shell = startTied('sh', PARENT_AND_CHILD);
		const [line] = (await once(createInterface({ input: shell.stdout! }), 'line')) as [string];
		expect(running(Number(line))).toBe(true);
		await shell.kill();
		await waitUntil('its child is gone', () => !running(Number(line)));
		expect(shell.ended).toBe(true);
	});

	it('ends when the process that started it is killed', async () => {
		const script = `const { startTied } = require('./tiedProcess.ts'); console.log(startTied('sleep', ['60']).pid);
			setInterval(() => {}, 1000);`;
		const cwd = join(__dirname, '..', '..', 'sandbox', 'process');
		const starter = spawn(process.execPath, ['--import', 'tsx', '-e', script], { cwd });
		const [line] = (await once(createInterface({ input: starter.stdout }), 'line')) as [string];
		expect(running(Number(line))).toBe(true);
		starter.kill('SIGKILL');
		await waitUntil('the tied process is gone', () => !running(Number(line)));
	});

	it('tells how it ended', async () => {
		expect(await startTied('sh', ['-c', 'exit 7']).exited).toEqual({ code: 7, signal: null });
		const asked = startTied('sleep', ['60']);
		await asked.stop();
		expect(await asked.exited).toEqual({ code: null, signal: 'SIGTERM' });
	});

	it('is killed when it does not stop in time', async () => {
		const deaf = startTied('sh', ['-c', 'trap "" TERM; echo ready; while :; do sleep 1; done']);
		await once(createInterface({ input: deaf.stdout! }), 'line');
		await deaf.stop(100);
		expect(await deaf.exited).toMatchObject({ signal: 'SIGKILL' });
	});
});

it('finds different free ports', async () => {
	const ports = await freePorts(20);
	expect(new Set(ports).size).toBe(20);
	const server = createServer().listen(ports[0], '127.0.0.1');
	await once(server, 'listening');
	server.close();
});

it('finds ports that no client and no server gets by chance before they are used', async () => {
	const [lowestOfTheSystem = 32_768] = (await readFile('/proc/sys/net/ipv4/ip_local_port_range', 'utf8'))
		.split(/\s+/)
		.map(Number);
	expect(Math.max(...(await freePorts(200)))).toBeLessThan(lowestOfTheSystem);
	const taken = createServer();
	const [port = 0] = await freePorts(1);
	await once(taken.listen(port + 1, '127.0.0.1'), 'listening');
	expect(await freePorts(5)).not.toContain(port + 1);
	taken.close();
});

describe('waiting', () => {
	it('gives the first answer that is one', async () => {
		const answers = [undefined, false as const, 0];
		expect(await waitUntil('a number', () => answers.shift(), { everyMs: 1 })).toBe(0);
	});

	it('says what it waited for in vain', async () => {
		const never = waitUntil('the ship comes in', () => false, { deadlineMs: 20, everyMs: 5 });
		await expect(never).rejects.toThrow('Waited 0.02 s in vain: the ship comes in');
	});

	it('does not take a clock that jumps for time that has passed', async () => {
		const real = Date.now;
		const jump = jest.spyOn(Date, 'now');
		const answers = [false as const, false as const, 'there'];
		const waited = waitUntil('the ship comes in', () => answers.shift(), { everyMs: 1 });
		jump.mockImplementation(() => real() + 3_600_000);
		await expect(waited).resolves.toBe('there');
		jump.mockRestore();
	});
});
