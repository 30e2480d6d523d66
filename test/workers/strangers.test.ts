import { once } from 'node:events';
import { readdir, readFile, stat } from 'node:fs/promises';
import { connect } from 'node:net';
import { dirname } from 'node:path';
import { startQueueMode, type QueueMode } from '../../sandbox/scale/queueMode';

/** What any other user of this machine gets, who may connect while the tests run. */

let shared: QueueMode;
beforeAll(async () => (shared = await startQueueMode()));
afterAll(() => shared?.close());

/** The first that a server says to who sends this. */
async function answerTo(port: number, message: string | Buffer): Promise<Buffer> {
	const socket = connect(port, '127.0.0.1');
	try {
		socket.write(message);
		return ((await once(socket, 'data')) as [Buffer])[0];
	} finally {
		socket.destroy();
	}
}

/** PostgreSQL's first message: its length, version 3.0 of the protocol, and who one is. */
function greeting(user: string): Buffer {
	const words = Buffer.from(`user\0${user}\0\0`);
	const head = Buffer.alloc(8);
	head.writeInt32BE(head.length + words.length);
	head.writeInt32BE(3 << 16, 4);
	return Buffer.concat([head, words]);
}
/** "Show your password, by SASL" (SCRAM is one of its ways). 0 lets in. */
const SASL = 10;

it('PostgreSQL, which runs programs for its user, lets in nobody without the password', async () => {
	const { port, user } = shared.postgres;
	const answer = await answerTo(port, greeting(user));
	expect([answer.toString('latin1', 0, 1), answer.readInt32BE(5)]).toEqual(['R', SASL]);
});

it('Redis obeys nobody without the password, also after it was started again', async () => {
	const { port, password } = shared.redis;
	const ping = async (before = '') => (await answerTo(port, `${before}PING\r\n`)).toString();
	expect(await ping()).toMatch(/^-NOAUTH/);
	await shared.redis.kill();
	await shared.redis.start();
	expect(await ping()).toMatch(/^-NOAUTH/);
	expect(await ping(`AUTH ${password}\r\n`)).toMatch(/^\+OK/);
});

it('no password stands where every user of the machine sees how programs were called', async () => {
	const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
	const called = await Promise.all(
		pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')),
	);
	expect(called.join()).toContain('redis-server');
	for (const { password } of [shared.postgres, shared.redis]) {
		expect(called.filter((text) => text.includes(password))).toEqual([]);
	}
});

it("nobody else looks into Redis' folder, whose name its call tells: what waits for a worker is written there", async () => {
	expect((await stat(dirname(shared.redis.logFile))).mode & 0o777).toBe(0o700);
});
