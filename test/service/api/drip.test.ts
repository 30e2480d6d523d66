import { Readable } from 'node:stream';
import { transportError } from '../../../service/api/transportError';
import { takePdf } from '../../../service/api/pdf';
import { pdfBytes, readAll } from '../../support/apiAccount';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const MB = 1024 * 1024;

beforeEach(() => jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] }));
afterEach(() => jest.useRealTimers());

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** So many bytes of a file at a time. */
async function* slowly(file: Buffer, bytes: number, everyMs: number) {
	for (let at = 0; at < file.length; at += bytes) {
		await pause(everyMs);
		yield file.subarray(at, at + bytes);
	}
}

/** What becomes of such a body within so many minutes; undefined while it goes on. */
async function taken(
	body: AsyncIterable<Buffer>,
	minutes: number,
	store: Parameters<typeof takePdf>[1] = readAll,
) {
	const answer = {
		...{ status: 200, headers: {}, body: Readable.from(body, { objectMode: false }) },
		...{ redirected: false, secrets: [], timeoutMs: 60_000 },
		asError: (error: unknown) => transportError(error, 'host'),
	};
	let outcome: unknown;
	void takePdf(answer, store, new Set()).then(
		(value) => (outcome = value),
		(error: unknown) => (outcome = error),
	);
	for (let ms = 0; ms < minutes * MINUTE && outcome === undefined; ms += SECOND) {
		await jest.advanceTimersByTimeAsync(SECOND);
		await new Promise((resolve) => setImmediate(resolve));
	}
	answer.body.destroy();
	return outcome;
}

it.each([
	['from its first byte', 0],
	['once most of it has come', 2 * MB],
])('a PDF that only drips is ended within two minutes: %s', async (_when, before) => {
	const file = pdfBytes(3 * MB);
	async function* body() {
		if (before > 0) yield file.subarray(0, before);
		yield* slowly(file.subarray(before), 1, 50);
	}
	expect(await taken(body(), 2.1)).toMatchObject({
		code: 'timeout',
		message: expect.stringMatching(/^The PDF comes too slowly: after \d+ bytes, it only drips\.$/) as string,
	});
});

it.each([
	['on a modem line that 32 connections share', 100_000, 219],
	['of tens of megabytes, at 1 Mbit/s', 20 * MB, 125_000],
])('a PDF %s comes whole', async (_how, bytes, perSecond) => {
	expect(await taken(slowly(pdfBytes(bytes), perSecond, SECOND), 20)).toMatchObject({
		bytes,
		complete: true,
	});
});

it.each<[string, [number, number][]]>([
	[
		'whose beginning comes long before the rest is made',
		[
			[20, 20],
			[50, 200_000],
		],
	],
	['of which a small page is made at a time', Array.from({ length: 8 }, () => [35, 3_000])],
])('a PDF %s comes whole', async (_how, parts) => {
	const file = pdfBytes(parts.reduce((sum, [, bytes]) => sum + bytes, 0));
	async function* body() {
		let sent = 0;
		for (const [seconds, bytes] of parts) {
			await pause(seconds * SECOND);
			yield file.subarray(sent, (sent += bytes));
		}
	}
	expect(await taken(body(), 10)).toMatchObject({ bytes: file.length, complete: true });
});

it('a PDF whose pieces take minutes to store comes whole', async () => {
	const store = async (file: Buffer | Readable) => {
		let stored = 0;
		for await (const piece of file as AsyncIterable<Buffer>) {
			await pause(3 * MINUTE);
			stored += piece.length;
		}
		return stored;
	};
	expect(await taken(slowly(pdfBytes(3 * MB), 300_000, SECOND), 60, store)).toMatchObject({
		stored: 3 * MB,
	});
});

it('a PDF that breaks off leaves no deadline behind', async () => {
	async function* body() {
		yield pdfBytes(100_000).subarray(0, 50_000);
		await pause(SECOND);
		throw new Error('reset');
	}
	expect(await taken(body(), 1)).toMatchObject({ code: 'network' });
	expect(jest.getTimerCount()).toBe(0);
});
