import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { openTransport } from '../../../service/api/transport';
import { apiAccount, DOCUMENT, pdfBytes, readAll, SET, startBench } from '../../support/apiAccount';
import { startFakeProxy } from '../../support/fakeProxy';
import { startFakeService, type Answer } from '../../support/fakeService';
import { silent } from '../../support/silent';

// What is broken here hangs.
jest.setTimeout(5_000);

/** As much as the body of an answer takes before its parser is paused. */
const FILE = pdfBytes(64 * 1024);
const head = (framing: string) => `HTTP/1.1 200 OK\r\nconnection: close\r\n${framing}\r\n`;
/** Promises what it does not do. */
const keptAlive = (framing: string) => `HTTP/1.1 200 OK\r\n${framing}\r\n`;
const chunked = [
	head('transfer-encoding: chunked\r\n'),
	`${FILE.length.toString(16)}\r\n`,
	FILE,
	'\r\n0\r\n\r\n',
];

/** Sends all of it, and ends the connection once it has left. */
const closing =
	(parts: (string | Buffer)[], reset = false): Answer =>
	({ socket }) => {
		const bytes = Buffer.concat(parts.map((part) => Buffer.from(part)));
		socket.write(bytes, () => void setTimeout(() => (reset ? socket.resetAndDestroy() : socket.end()), 50));
	};

/** Reads nothing before the connection has ended. */
async function readLate(answer: Answer): Promise<Buffer> {
	const service = await startFakeService({ calls: () => answer });
	try {
		const transport = openTransport(apiAccount(service.baseUrl), { logger: silent, timeoutMs: 2_000 });
		const { body } = await transport({ method: 'GET', path: '/v3/x', headers: {} });
		await sleep(150);
		return await readAll(body);
	} finally {
		await service.close();
	}
}

describe('a connection that ends before its answer is read', () => {
	it.each<[string, (string | Buffer)[]]>([
		['with a length', [head(`content-length: ${FILE.length}\r\n`), FILE]],
		['in chunks', chunked],
		['that ends with the connection', [head(''), FILE]],
		['that ends with the connection, larger', [head(''), FILE, FILE, FILE, FILE]],
		['with a length, and keep-alive', [keptAlive(`content-length: ${FILE.length}\r\n`), FILE]],
	])('gives all of an answer %s', async (_label, parts) => {
		const whole = Buffer.concat(parts.filter((part) => Buffer.isBuffer(part)));
		expect((await readLate(closing(parts))).equals(whole)).toBe(true);
	});

	it.each<[string, (string | Buffer)[], boolean]>([
		['with a length', [head(`content-length: ${FILE.length + 1}\r\n`), FILE], false],
		['in chunks', chunked.slice(0, -1), false],
		['with a length, and keep-alive', [keptAlive(`content-length: ${FILE.length + 1}\r\n`), FILE], false],
		['with a length, by a reset', [head(`content-length: ${FILE.length + 1}\r\n`), FILE], true],
	])('is an error when it cuts an answer %s', async (_label, parts, reset) => {
		await expect(readLate(closing(parts, reset))).rejects.toThrow();
	});

	it('gives all of an answer that is packed, which is read more slowly than it comes', async () => {
		const packed = gzipSync(pdfBytes(200_000));
		const head = keptAlive(`content-encoding: gzip\r\ncontent-length: ${packed.length}\r\n`);
		const answer: Answer = ({ socket }) => socket.end(Buffer.concat([Buffer.from(head), packed]));
		const bench = await startBench({ calls: () => answer }, { tries: 1 });
		const { bytes } = await bench.client.pdf(SET, DOCUMENT, readAll);
		expect(bytes).toBe(200_000);
	});

	it('does so behind a proxy as well', async () => {
		const proxy = await startFakeProxy();
		const before = process.env.HTTP_PROXY;
		process.env.HTTP_PROXY = proxy.url;
		try {
			expect((await readLate(closing([head(''), FILE]))).equals(FILE)).toBe(true);
			expect(proxy.seen).toHaveLength(1);
		} finally {
			if (before === undefined) delete process.env.HTTP_PROXY;
			else process.env.HTTP_PROXY = before;
			await proxy.close();
		}
	});
});
