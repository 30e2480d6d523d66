import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { gzipSync, deflateRawSync, deflateSync, brotliCompressSync } from 'node:zlib';
import { takePdf } from '../../../service/api/pdf';
import { transportError } from '../../../service/api/transportError';
import { DOCUMENT, SET, errorOf, pdfBytes, readAll, startBench } from '../../support/apiAccount';
import { cutAfter, pieces, raw, rawThenReset, reply, type Answer } from '../../support/fakeService';

const PDF = pdfBytes(20_000);

/** As it is written behind the end of what is signed. */
const SIGNATURE = Buffer.from('12 0 obj\n<</Type/Sig/Contents<3082>>>\nendobj\n');

/** What gateways make of bytes that they take for text. */
const GARBLED: [string, (bytes: Buffer) => Buffer][] = [
	['UTF-8 with signs for what is none', (bytes) => Buffer.from(bytes.toString('utf8'))],
	['Latin 1', (bytes) => Buffer.from(bytes.toString('latin1'))],
	['the letters of Windows', (bytes) => Buffer.from(new TextDecoder('windows-1252').decode(bytes))],
];

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

async function download(calls: Answer[], timeoutMs = 2_000) {
	const bench = await startBench(
		{ calls: (seen) => calls[bench.service.calls.indexOf(seen)] ?? 'missing' },
		{ timeoutMs },
	);
	return { ...bench, pdf: bench.client.pdf(SET, DOCUMENT, readAll) };
}

describe('a PDF', () => {
	it('comes byte by byte as it was sent, counted on the way', async () => {
		const { pdf, service } = await download([reply(200, PDF)]);
		expect(await pdf).toEqual({ stored: PDF, bytes: 20_000, sha256: sha256(PDF), complete: true });
		expect(service.calls[0]).toMatchObject({
			method: 'GET',
			path: `/v3/common/sets/${SET}/get-single-pdf/${DOCUMENT}`,
			headers: {
				...{ accept: '*/*', 'accept-encoding': 'identity' },
				'user-agent': 'n8n-nodes-parcel-document-exchange',
			},
		});
	});

	it.each<[string, Answer]>([
		['without a content type', reply(200, PDF)],
		['as text/html', reply(200, PDF, { 'content-type': 'text/html' })],
		['as application/json', reply(200, PDF, { 'content-type': 'application/json' })],
		['in chunks', pieces(PDF.subarray(0, 10_000), PDF.subarray(10_000))],
		[
			'with its first bytes in chunks of one',
			pieces(...[...PDF.subarray(0, 6)].map((byte) => Buffer.of(byte)), PDF.subarray(6)),
		],
		[
			'without a length, ended by the connection',
			({ socket }) =>
				socket.end(Buffer.concat([Buffer.from('HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n'), PDF])),
		],
		['packed with gzip', reply(200, gzipSync(PDF), { 'content-encoding': 'gzip' })],
		['packed by one of two gateways', reply(200, gzipSync(PDF), { 'content-encoding': 'identity, gzip' })],
		[
			'packed by each of two gateways',
			reply(200, brotliCompressSync(gzipSync(PDF)), { 'content-encoding': 'GZIP , br' }),
		],
		['packed with deflate', reply(200, deflateSync(PDF), { 'content-encoding': 'deflate' })],
		[
			'packed with what deflate holds, bare',
			reply(200, deflateRawSync(PDF), { 'content-encoding': 'deflate' }),
		],
		['packed with brotli', reply(200, brotliCompressSync(PDF), { 'content-encoding': 'BR' })],
		['under the name of its letters', reply(200, PDF, { 'content-encoding': 'UTF-8' })],
		['under another name of letters', reply(200, PDF, { 'content-encoding': 'ISO-8859-15' })],
		['packed with nothing', reply(200, PDF, { 'content-encoding': 'none' })],
		[
			'as a range that is all of it',
			reply(200, PDF, { 'content-range': rangeOf(0, PDF.length, PDF.length) }),
		],
		['as a range of an unknown whole', reply(200, PDF, { 'content-range': `bytes 0-${PDF.length - 1}/*` })],
		['behind a line break', reply(200, Buffer.concat([Buffer.from('\r\n'), PDF]))],
		['behind a byte order mark', reply(200, Buffer.concat([Buffer.from('\ufeff'), PDF]))],
		['behind blanks', reply(200, Buffer.concat([Buffer.from('  '), PDF]))],
		...[
			'Warning: Undefined variable $x in /srv/pdf.php on line 3\n',
			'Deprecated: it %PDF-1.4\r\n',
			'Notice: no line break',
			'<br />\n<b>Warning</b>:  Undefined variable $x in <b>/srv/pdf.php</b> on line <b>3</b><br />\n',
			'Achtung: Größe fehlt ',
		].map((front): [string, Answer] => [
			`behind what a script complains of: ${JSON.stringify(front.slice(0, 24))}`,
			reply(200, Buffer.concat([Buffer.from(front), PDF])),
		]),
		['behind a few bytes that are no text', reply(200, Buffer.concat([Buffer.from([0, 1, 255]), PDF]))],
		['behind as many blanks as readers take', reply(200, Buffer.concat([Buffer.alloc(1_019, ' '), PDF]))],
	])('is taken %s', async (_label, answer) => {
		const { pdf } = await download([answer]);
		expect((await pdf).stored.subarray(-PDF.length).equals(PDF)).toBe(true);
	});

	const LARGE = pdfBytes(600_000);

	it.each([
		['behind a line break, without one behind its version', '\n%PDF-1.7 ', LARGE.subarray(9)],
		['of packed pages, behind words', 'Notice: slow\n', LARGE],
		['behind words, with a blank behind its version', 'Notice: slow\n%PDF-1.7 ', LARGE.subarray(8)],
		[
			'of letters alone, behind words',
			`Notice: slow\n%PDF-1.7\n${' '.repeat(200)}12 10 obj\n`,
			Buffer.from(`${'BT (Bill) Tj ET '.repeat(40_000)}\n%%EOF\n`),
		],
	])('that is large is known by its beginning: %s', async (_label, start, rest) => {
		const file = Buffer.concat([Buffer.from(start), rest]);
		const { pdf } = await download([reply(200, file)]);
		expect((await pdf).stored.equals(file)).toBe(true);
	});

	it.each(['', '\n', ' \r\n'])('of words alone is known by its end, which ends with %j', async (end) => {
		const file = `Notice: slow\n%PDF-1.4\n% nothing to print\n%%EOF${end}`;
		const { pdf } = await download([reply(200, file)]);
		expect((await pdf).stored.toString()).toBe(file);
	});

	it.each([
		['one byte below', -1],
		['of exactly', 0],
		['one byte above', 1],
	])('%s the size that is handed on whole is right', async (_label, difference) => {
		const file = pdfBytes(512 * 1024 + difference);
		const { pdf } = await download([reply(200, file)]);
		const { stored, ...facts } = await pdf;
		expect(stored.equals(file)).toBe(true);
		expect(facts).toEqual({ bytes: file.length, sha256: sha256(file), complete: true });
	});

	it('keeps its bytes while it is stored, however slowly, and many others come meanwhile', async () => {
		const files = Array.from({ length: 40 }, (_unused, index) => pdfBytes(3_000 + index * 1_000, index + 1));
		const { client } = await startBench({
			calls: ({ path }) => reply(200, files[Number.parseInt(path.slice(-12), 16)]),
		});
		const slowly = async (file: Buffer | Readable) => {
			await pause(10 * Math.random());
			return await readAll(file);
		};
		const downloads = files.map(async (file, index) => {
			const id = `${DOCUMENT.slice(0, -12)}${index.toString(16).padStart(12, '0')}`;
			const { stored, sha256: hash } = await client.pdf(SET, id, slowly);
			return stored.equals(file) && hash === sha256(file);
		});
		expect(await Promise.all(downloads)).toEqual(files.map(() => true));
	});

	it('is put where the one before it was, and of many at a time a handful of places is kept', async () => {
		const { client } = await startBench({ calls: () => reply(200, PDF) });
		const place = (whileStored = () => Promise.resolve()) =>
			client.pdf(SET, DOCUMENT, async (file) => {
				await whileStored();
				return (file as Buffer).buffer;
			});
		const first = await place();
		expect((await place()).stored).toBe(first.stored);
		await expect(client.pdf(SET, DOCUMENT, () => Promise.reject(new Error('full')))).rejects.toThrow('full');
		expect((await place()).stored).toBe(first.stored);
		const many = async () => {
			let arrived = 0;
			const all = Array.from({ length: 20 }, () =>
				place(async () => {
					arrived++;
					while (arrived < 20) await pause(1);
				}),
			);
			return new Set((await Promise.all(all)).map(({ stored }) => stored));
		};
		const before = await many();
		expect([...(await many())].filter((one) => before.has(one))).toHaveLength(8);
	});

	it('of many pieces comes as bytes, and no faster than it is stored', async () => {
		let sent = 0;
		const piece = Buffer.alloc(100_000, 'x');
		async function* body() {
			yield Buffer.from('%PDF-1.7\n');
			for (; sent < 100; sent++) yield piece;
			yield Buffer.from('\n%%EOF\n');
		}
		const answer = {
			...{ status: 200, headers: {}, body: Readable.from(body(), { objectMode: false }) },
			...{ redirected: false, secrets: [], timeoutMs: 60_000 },
			asError: (error: unknown) => transportError(error, 'host'),
		};
		const slowly = async (file: Buffer | Readable) => {
			(file as Readable).read(0);
			await pause(50);
			const early = sent;
			expect(String((file as Readable).read(8))).toBe('%PDF-1.7');
			await readAll(file);
			return early;
		};
		const { stored, bytes } = await takePdf(answer, slowly, new Set());
		expect(bytes).toBe(10_000_016);
		expect(stored).toBeLessThan(25);
	});

	it('is known to be complete although its end-of-file mark comes in two pieces', async () => {
		const { pdf } = await download([pieces(PDF.subarray(0, -4), PDF.subarray(-4, -3), PDF.subarray(-3))]);
		expect(await pdf).toMatchObject({ complete: true, bytes: 20_000 });
	});

	it('comes in a slow drip, as long as it drips', async () => {
		const drip: Answer = ({ response }) => {
			let sent = 0;
			const next = () => {
				response.write(PDF.subarray(sent, (sent += 4_000)));
				if (sent >= PDF.length) response.end();
				else setTimeout(next, 60);
			};
			next();
		};
		const { pdf } = await download([drip], 150);
		expect((await pdf).stored.equals(PDF)).toBe(true);
	});

	it.each([
		['with spaces behind it', Buffer.concat([PDF, Buffer.alloc(900, ' ')]), true],
		['with a signature behind it, and its end', Buffer.concat([PDF, SIGNATURE, PDF.subarray(-7)]), true],
		['with a signature behind it that is cut', Buffer.concat([PDF, SIGNATURE]), false],
		['followed by a kilobyte of junk', Buffer.concat([PDF, Buffer.alloc(1_100, 'x')]), false],
		['missing', PDF.subarray(0, 19_000), false],
		['the only thing behind the first bytes', Buffer.from('%PDF-1%%EOF'), true],
	])('is known to be complete by its end-of-file mark: %s', async (_label, bytes, complete) => {
		const { pdf, service } = await download([reply(200, bytes), reply(200, bytes)]);
		expect(await pdf).toMatchObject({ complete, bytes: bytes.length });
		expect(service.calls).toHaveLength(complete ? 1 : 2);
	});

	it('is refused before anything is sent when an id is none', async () => {
		const { client, service } = await startBench();
		for (const id of ['', '..', `${SET}/../x`, 'null', '%2e%2e', `${SET}\n`.repeat(2)]) {
			expect(await errorOf(client.pdf(id, DOCUMENT, readAll))).toMatchObject({ code: 'invalidInput' });
			expect(await errorOf(client.pdf(SET, id, readAll))).toMatchObject({ code: 'invalidInput' });
		}
		expect(service.connections()).toBe(0);
	});
});

it.each([
	['ASCII alone', 'BT (Bill of lading) Tj ET\n'],
	['letters of all kinds', 'BT (Größe, Łódź, 東京, قائمة) Tj ET\n'],
	['a name that was garbled before', `${'BT (Bill of lading) Tj ET\n'.repeat(9)}(G\ufffd\ufffdteborg)\n`],
])('a PDF of %s is one, cut where a letter may be', async (_label, line) => {
	for (const length of [2_000, 600_000, 600_001, 600_002]) {
		const file = Buffer.from(`%PDF-1.7\n%âãÏÓ\n${line.repeat(length / line.length)}`).subarray(0, length);
		// Without its end, it is asked for twice.
		const { pdf } = await download([reply(200, file), reply(200, file)]);
		expect((await pdf).stored.equals(file)).toBe(true);
	}
});

describe('a transfer that breaks is tried again from the start', () => {
	it.each(Array.from({ length: 10 }, (_unused, tenth) => [tenth]))('cut after %i tenths', async (tenth) => {
		const { pdf, service } = await download([cutAfter((PDF.length / 10) * tenth, PDF), reply(200, PDF)]);
		expect((await pdf).stored.equals(PDF)).toBe(true);
		expect(service.calls).toHaveLength(2);
	});

	it.each<[string, Answer]>([
		[
			'cut in the middle of a chunk',
			rawThenReset('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n4e20\r\n', PDF.subarray(0, 9_000)),
		],
		[
			'cut between two chunks',
			({ socket }) =>
				socket.end(
					Buffer.concat([
						Buffer.from('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2328\r\n'),
						PDF.subarray(0, 9_000),
						Buffer.from('\r\n'),
					]),
				),
		],
		[
			'closed before the length that was announced',
			({ socket }) =>
				socket.end(Buffer.concat([Buffer.from('HTTP/1.1 200 OK\r\ncontent-length: 20001\r\n\r\n'), PDF])),
		],
		['packed and cut', reply(200, gzipSync(PDF).subarray(0, 9_000), { 'content-encoding': 'gzip' })],
		['stalled', 'stalledBody'],
		['reset before its first byte', 'resetAfterHeaders'],
		[
			'broken between two chunks',
			raw(
				'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2328\r\n',
				...[PDF.subarray(0, 9_000), '\r\nno chunk\r\n'],
			),
		],
		// Nobody knows the length, so it ends in order wherever it is cut.
		[
			'cut by a connection that tells no length',
			({ socket }) =>
				socket.end(Buffer.concat([Buffer.from('HTTP/1.0 200 OK\r\n\r\n'), PDF.subarray(0, 9_000)])),
		],
		[
			'cut in front of a gateway that was told no length',
			pieces(PDF.subarray(0, 5_000), PDF.subarray(5_000, 9_000)),
		],
		[
			'cut in front of a gateway that packs it',
			reply(200, gzipSync(PDF.subarray(0, 9_000)), { 'content-encoding': 'gzip' }),
		],
	])('%s', async (_label, answer) => {
		const { pdf, service } = await download([answer, reply(200, PDF)], 100);
		expect((await pdf).stored.equals(PDF)).toBe(true);
		expect(service.calls).toHaveLength(2);
	});

	it('and is an error after four times', async () => {
		const cut = cutAfter(10_000, PDF);
		const { pdf, service } = await download([cut, cut, cut, cut, reply(200, PDF)]);
		expect(await errorOf(pdf)).toMatchObject({ code: 'network' });
		expect(service.calls).toHaveLength(4);
	});

	it.each([2_000, 3_000_000])(
		'where its end is missing, until the same comes twice: of %i bytes',
		async (bytes) => {
			const file = pdfBytes(bytes);
			const ends = [0.9, 0.8, 0.9, 1].map((part) => reply(200, file.subarray(0, bytes * part)));
			const handedOn: (number | string)[] = [];
			const { client, service } = await startBench({ calls: ends });
			const taken = await client.pdf(SET, DOCUMENT, async (body) => {
				const { length } = await readAll(body).catch((error: Error) => {
					handedOn.push(error.name);
					throw error;
				});
				handedOn.push(length);
				return length;
			});
			expect(taken).toMatchObject({ complete: false, bytes: bytes * 0.9, stored: bytes * 0.9 });
			expect(handedOn.filter((one) => one !== 'ServiceError')).toEqual([bytes * 0.9]);
			expect(service.calls).toHaveLength(3);
		},
	);

	it('where its end is missing at another place each time, and is an error then', async () => {
		const { pdf } = await download([5, 6, 7, 8].map((part) => reply(200, PDF.subarray(0, part * 1_000))));
		expect(await errorOf(pdf)).toMatchObject({
			code: 'network',
			message: 'The PDF came without its end, and not twice the same.',
		});
	});

	it('with a fresh stream, and the cut one ends with an error', async () => {
		const big = pdfBytes(2_000_000);
		// Closed in order: after a reset the system may throw away what has already come.
		const closed: Answer = ({ socket }) =>
			socket.end(
				Buffer.concat([
					Buffer.from(`HTTP/1.1 200 OK\r\ncontent-length: ${big.length}\r\n\r\n`),
					big.subarray(0, 1_500_000),
				]),
			);
		const { client } = await startBench({ calls: [closed, reply(200, big)] });
		const outcomes: string[] = [];
		const { stored } = await client.pdf(SET, DOCUMENT, async (body) => {
			try {
				const bytes = await readAll(body);
				outcomes.push('whole');
				return bytes.length;
			} catch (error) {
				outcomes.push((error as Error).name);
				// As a host may do: the cause is lost on the way.
				throw new Error('Could not be written');
			}
		});
		expect(stored).toBe(2_000_000);
		expect(outcomes).toEqual(['ServiceError', 'whole']);
	});

	it.each(Array.from({ length: 9 }, (_unused, tenth) => [tenth + 1]))(
		'also a large one, cut after %i tenths: what was handed on so far is never taken for the file',
		async (tenths) => {
			const big = pdfBytes(3_000_000, tenths);
			const head = `HTTP/1.1 200 OK\r\ncontent-length: ${big.length}\r\n\r\n`;
			const cut: Answer = ({ socket }) =>
				socket.end(Buffer.concat([Buffer.from(head), big.subarray(0, (big.length / 10) * tenths)]));
			const { client, service } = await startBench({ calls: [cut, reply(200, big)] });
			const handedOn: (number | string)[] = [];
			const { stored, complete } = await client.pdf(SET, DOCUMENT, async (file) => {
				const bytes = await readAll(file).catch((error: Error) => {
					handedOn.push(error.name);
					throw error;
				});
				handedOn.push(bytes.length);
				return bytes;
			});
			expect(stored.equals(big)).toBe(true);
			expect(complete).toBe(true);
			expect(handedOn.at(-1)).toBe(big.length);
			expect(handedOn.slice(0, -1).filter((size) => size !== 'ServiceError')).toEqual([]);
			expect(service.calls).toHaveLength(2);
		},
	);

	it('and a small one is handed on once it is there, never before', async () => {
		const { client } = await startBench({ calls: [cutAfter(10_000, PDF), reply(200, PDF)] });
		const files: unknown[] = [];
		await client.pdf(SET, DOCUMENT, async (file) => files.push(file));
		expect(files).toEqual([PDF]);
	});

	it('is not when what came twice is longer than announced: it is cut there, and said to be incomplete', async () => {
		const cut: Answer = ({ socket }) =>
			socket.end(Buffer.concat([Buffer.from('HTTP/1.1 200 OK\r\ncontent-length: 9000\r\n\r\n'), PDF]));
		const { pdf } = await download([cut, cut, reply(200, PDF)]);
		expect(await pdf).toMatchObject({ bytes: 9_000, complete: false });
	});
});

/** So many bytes from a place on, of a whole. */
function rangeOf(from: number, bytes: number, whole: number): string {
	return `bytes ${from}-${from + bytes - 1}/${whole}`;
}

describe('what is no PDF is an error that shows what the service said', () => {
	it.each<[string, Answer, string]>([
		['JSON', reply(200, { errorMessage: 'Not ready' }), 'is no PDF. It says: "Not ready"'],
		[
			'JSON that says it is a PDF',
			reply(200, '{"message":"Not ready"}', { 'content-type': 'application/pdf' }),
			'"Not ready"',
		],
		['a web page', reply(200, '<html><head><title>Sign in</title></head></html>'), '"Sign in"'],
		['text', reply(200, 'later\r\n'), '"later"'],
		['nothing', reply(200, ''), 'is empty where a PDF was expected'],
		['HTTP 204', reply(204), 'is empty where a PDF was expected'],
		['two bytes', reply(200, '%P'), 'is no PDF. It says: "%P"'],
		['another file', reply(200, Buffer.from('\x89PNG\r\n\x1a\n\0\0', 'latin1')), 'is no PDF'],
		[
			'a PDF behind more than a kilobyte',
			reply(200, Buffer.concat([Buffer.alloc(1_024, ' '), PDF])),
			'is no PDF',
		],
		['an error that speaks of one', reply(200, { message: 'No %PDF-1.7 header' }), '"No %PDF-1.7 header"'],
		['a page that speaks of one', reply(200, '<html><title>%PDF-1.7?</title>'), '"%PDF-1.7?"'],
		['a text that begins like one', reply(200, '%PDF-generation failed'), '"%PDF-generation failed"'],
		['one that breaks off, behind a line break', reply(200, '\n%PDF-1.7\n{"message":"No font"}'), 'No font'],
		['words that speak of one', reply(200, 'Expected %PDF-1.4, found nothing'), '"Expected %PDF-1.4'],
		['words that name both its ends', reply(200, 'Neither %PDF-1.4 nor %%EOF'), '"Neither %PDF-1.4'],
		['words that end with it', reply(200, "the file does not start with '%PDF-'"), 'not start with'],
		[
			'words in lines that speak of one',
			reply(200, 'It does not begin with\n%PDF-1.7\nas files do'),
			'begin',
		],
		...['', 'x'].map((before): [string, Answer, string] => [
			`the same, beyond ASCII, wherever it is cut: ${before || 'no'} letter further`,
			reply(200, `Fehler: Es fehlt\n%PDF-1.7\n${before}${'ü'.repeat(400)}`),
			'"Fehler: Es fehlt',
		]),
		[
			'words in lines that speak of what is in one',
			reply(200, 'It has no 1 0 obj\n%PDF-1.7\nas files\ndo'),
			'"It has no 1 0 obj',
		],
		[
			'words that speak of two',
			reply(200, 'In %PDF-1.4 stands 1 0 obj, and in\n%PDF-1.7\nas well'),
			'"In %PDF-1.4 stands',
		],
		[
			'words in lines that name both its ends',
			reply(200, 'Neither\n%PDF-1.4\nnor\n%%EOF\nis there'),
			'"Neither',
		],
		[
			'one behind more blanks than readers take',
			reply(200, Buffer.concat([Buffer.alloc(1_021, ' '), PDF])),
			'is no PDF',
		],
		[
			'a page that shows how one begins',
			reply(200, '<!DOCTYPE html><html><pre>\n%PDF-1.7\n1 0 obj\n</pre></html>'),
			'"a web page"',
		],
		['a page that holds one', reply(200, Buffer.concat([Buffer.from('<html>\n'), PDF])), 'is no PDF'],
		[
			'a mail with its head, and one',
			reply(200, Buffer.concat([Buffer.from('MIME-Version: 1.0\r\n\r\n--b\r\n\r\n'), PDF])),
			'is no PDF',
		],
		...[
			'\n<html><title>Out of order</title></html>\n%%EOF\n',
			'\r\n%\xe2\xe3\xcf\xd3\r\n\n<!DOCTYPE html><title>Out of order</title>',
			'{"message":"Out of order"}',
			'\n% made by\n%%\n[{"message":"Out of order"}]',
		].map((rest): [string, Answer, string] => [
			`its beginning, and then what says why there is no more: ${JSON.stringify(rest)}`,
			reply(200, Buffer.from(`%PDF-1.7${rest}`, 'latin1')),
			'Out of order',
		]),
		['its mark without a version', reply(200, '%PDF-'), '"%PDF-"'],
		[
			'a part of one, as HTTP 206',
			reply(206, PDF),
			'The service sent a part of the answer as if a part had been asked for',
		],
		[
			'its beginning, under HTTP 200',
			reply(200, PDF, { 'content-range': rangeOf(0, PDF.length, 2 * PDF.length) }),
			'The service sent a part of the answer as if a part had been asked for (HTTP 200).',
		],
		[
			'its beginning, under HTTP 200, beside a line that says otherwise',
			reply(200, PDF, {
				'content-range': [rangeOf(0, PDF.length, PDF.length), rangeOf(0, PDF.length, 2 * PDF.length)],
			}),
			'The service sent a part of the answer',
		],
		[
			'its end, under HTTP 200',
			reply(200, PDF, { 'content-range': rangeOf(10, PDF.length, PDF.length + 10) }),
			'The service sent a part of the answer',
		],
		[
			'a mail with two',
			reply(
				200,
				Buffer.concat(['--b\r\n\r\n', PDF, '\r\n--b\r\n\r\n', PDF].map((part) => Buffer.from(part))),
			),
			'is no PDF',
		],
		['an archive with one', reply(200, Buffer.concat([Buffer.from('PK\x03\x04\n'), PDF])), 'is no PDF'],
		[
			'an archive of another kind with one',
			reply(200, Buffer.concat([Buffer.from('bill.pdf'.padEnd(257, '\0') + 'ustar'.padEnd(255, '\0')), PDF])),
			'is no PDF',
		],
		...['\x1f\x8b\b\0', '7z\xbc\xaf\x27\x1c', 'Rar!\x1a\x07', '!<arch>\n', '070701'].map(
			(sign): [string, Answer, string] => [
				`what begins like a packed file (${JSON.stringify(sign)})`,
				reply(200, Buffer.concat([Buffer.from(`${sign}\0bill.pdf\0`, 'latin1'), PDF])),
				'is no PDF',
			],
		),
		...GARBLED.map(([how, garble]): [string, Answer, string] => [
			`bytes that were taken for text, ${how}`,
			reply(200, garble(PDF), { 'content-type': 'application/pdf' }),
			'is a PDF whose bytes were taken for text on the way',
		]),
		['unreadable gzip', reply(200, PDF, { 'content-encoding': 'gzip' }), 'cannot be read'],
		['an unknown packing', reply(200, PDF, { 'content-encoding': 'zstd, gzip' }), 'packed in a way'],
		[
			'packings without end',
			reply(200, PDF, { 'content-encoding': 'gzip,'.repeat(9) + 'gzip' }),
			'packed in a way',
		],
	])('%s', async (_label, answer, text) => {
		const { pdf, service } = await download([answer, answer]);
		const error = await errorOf(pdf);
		expect(error.code).toBe('unexpectedResponse');
		expect(error.message).toContain(text);
		expect(error.message.length).toBeLessThan(400);
		// Once more with a fresh token where a page came, which may be one to log in.
		expect(service.calls).toHaveLength(error.webPage ? 2 : 1);
		expect(service.logins).toHaveLength(error.webPage ? 2 : 1);
	});

	it.each([0, 1, 2])(
		'bytes that were taken for text, in a large file, wherever its first piece ends: %i further',
		async (further) => {
			const file = Buffer.from(pdfBytes(400_000).toString('utf8'));
			const garbled = Buffer.concat([file.subarray(0, 9), Buffer.alloc(further, 0x20), file.subarray(9)]);
			expect(garbled.length).toBeGreaterThan(600_000);
			const { pdf } = await download([reply(200, garbled)]);
			expect((await errorOf(pdf)).message).toContain('bytes were taken for text on the way');
		},
	);

	it.each([0, 1, 2])('also where nothing but lost bytes stands there: %i further', async (further) => {
		const lost = Buffer.from(`%PDF-1.7\n${' '.repeat(further)}${'\ufffd'.repeat(200_000)}\n%%EOF\n`);
		const { pdf } = await download([reply(200, lost)]);
		expect((await errorOf(pdf)).message).toContain('bytes were taken for text on the way');
	});

	it.each<[string, Answer, string, RegExp]>([
		[
			'nothing',
			reply(200, ''),
			'The answer is empty where a PDF was expected.',
			/^The service answered this in place of the file\. Try again later/,
		],
		[
			'JSON',
			reply(200, '{"message":"Not ready"}'),
			'The answer is no PDF. It says: "Not ready"',
			/^The service answered this in place of the file\./,
		],
		[
			'a list',
			reply(200, ' ["Not ready"]'),
			'The answer is no PDF. It says: "["Not ready"]"',
			/^The service answered this in place of the file\./,
		],
		[
			'words',
			reply(200, 'Not ready'),
			'The answer is no PDF. It says: "Not ready"',
			/^Check the base URL in the credential/,
		],
		[
			'words with a number in brackets',
			reply(200, 'Not ready [7]'),
			'The answer is no PDF. It says: "Not ready [7]"',
			/^Check the base URL in the credential/,
		],
		[
			'bytes taken for text',
			reply(200, Buffer.from(PDF.toString('latin1'))),
			'The answer is a PDF whose bytes were taken for text on the way.',
			/^Its pages are lost\. Tell the service, .*to be sent as it is\.$/,
		],
	])('%s: in one sentence, with what to do', async (_label, answer, message, remedy) => {
		const { pdf } = await download([answer]);
		expect(await errorOf(pdf)).toMatchObject({ message, remedy: expect.stringMatching(remedy) });
	});

	it('a 404 page of 10 MB is not read to its end', async () => {
		const { pdf } = await download([
			reply(404, Buffer.from(`<html><title>Not here</title>${'x'.repeat(10_000_000)}`)),
		]);
		const error = await errorOf(pdf);
		expect(error).toMatchObject({ code: 'notFound', httpStatus: 404 });
		expect(error.message).toContain('It said: "Not here"');
	});

	it('a PDF of more than 1 GB is an error, and not read to its end', async () => {
		const million = Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(1024 * 1024)]);
		let sent = 0;
		const endless: Answer = ({ response }) => {
			const more = () =>
				void response.write(million, (error) => (sent += error ? 0 : 1) && !error && setImmediate(more));
			more();
		};
		const { client, service } = await startBench({ calls: [endless] });
		const read = client.pdf(SET, DOCUMENT, async (file) => {
			let bytes = 0;
			for await (const piece of file as AsyncIterable<Buffer>) bytes += piece.length;
			return bytes;
		});
		const error = await errorOf(read);
		expect(error).toMatchObject({ code: 'unexpectedResponse', remedy: expect.any(String) });
		expect(error.message).toContain('larger than 1 GB');
		expect(sent).toBeLessThan(1_100);
		expect(service.calls).toHaveLength(1);
	});

	it('an error page that never ends is left after its start', async () => {
		const endless: Answer = ({ response }) => {
			response.writeHead(404).write('<title>Not here</title>');
			const more = () => void response.write('x'.repeat(10_000), (error) => !error && setImmediate(more));
			more();
		};
		const { pdf } = await download([endless]);
		expect(await errorOf(pdf)).toMatchObject({ code: 'notFound' });
	});

	it('a PDF is not stored before its first bytes are known', async () => {
		const { client } = await startBench({ calls: [reply(200, 'no PDF')] });
		const store = jest.fn();
		await errorOf(client.pdf(SET, DOCUMENT, store));
		expect(store).not.toHaveBeenCalled();
	});
});

describe('an error of who stores the PDF', () => {
	it('is handed on as it is, and not tried again', async () => {
		const { client, service } = await startBench({ calls: () => reply(200, PDF) });
		const full = new Error('No space left on device');
		await expect(client.pdf(SET, DOCUMENT, async () => Promise.reject(full))).rejects.toBe(full);
		expect(service.calls).toHaveLength(1);
	});

	it('while more is waited for ends that call alone, and not n8n', async () => {
		const endless: Answer = ({ response }) => void response.writeHead(200).write(pdfBytes(600_000));
		const { client } = await startBench({ calls: [endless] });
		const full = new Error('full');
		const store = async (file: Buffer | Readable) => {
			(file as Readable).resume();
			await pause(50);
			throw full;
		};
		const loud = jest.fn();
		process.once('uncaughtException', loud);
		await expect(client.pdf(SET, DOCUMENT, store)).rejects.toBe(full);
		await pause(50);
		process.removeListener('uncaughtException', loud);
		expect(loud).not.toHaveBeenCalled();
	});

	it('leaves the connection to the next call, also when nothing was read', async () => {
		const big = pdfBytes(2_000_000);
		const { client } = await startBench({ calls: () => reply(200, big) }, { connections: 1 });
		for (let file = 0; file < 3; file++) {
			await expect(client.pdf(SET, DOCUMENT, () => Promise.reject(new Error('full')))).rejects.toThrow(
				'full',
			);
		}
		expect((await client.pdf(SET, DOCUMENT, readAll)).bytes).toBe(2_000_000);
	});

	it('that reads only the start is noticed', async () => {
		const { client } = await startBench({ calls: () => reply(200, pdfBytes(2_000_000)) });
		const error = await errorOf(
			client.pdf(SET, DOCUMENT, async (body) => {
				for await (const piece of body as AsyncIterable<Buffer>) return piece.length;
				return 0;
			}),
		);
		expect(error.message).toContain('was not read to its end');
	});

	it('who reads slowly is not taken for a silent service', async () => {
		const big = pdfBytes(3_000_000);
		const { client } = await startBench({ calls: () => reply(200, big) }, { timeoutMs: 60 });
		const { stored } = await client.pdf(SET, DOCUMENT, async (body) => {
			await new Promise((resolve) => setTimeout(resolve, 200));
			return (await readAll(body)).length;
		});
		expect(stored).toBe(3_000_000);
	});
});

it('500 PDFs under a mix of faults are byte for byte right, or reported', async () => {
	const documentId = (index: number) => `44444444-4444-4444-8444-${index.toString(16).padStart(12, '0')}`;
	const files = Array.from({ length: 500 }, (_unused, index) => pdfBytes(2_000 + index * 7, index));
	const tries = new Map<number, number>();
	const faults: ((file: Buffer, index: number) => Answer)[] = [
		(file) => reply(200, file),
		() => 'resetBeforeHeaders',
		() => 'unavailable',
		(file) => cutAfter(file.length >> 1, file),
		(file) => pieces(file.subarray(0, 3), file.subarray(3)),
		() => 'rateLimited',
		(file) => reply(200, gzipSync(file), { 'content-encoding': 'gzip' }),
		() => 'resetDuringHeaders',
		() => reply(200, { errorMessage: 'Not ready' }),
		(file) =>
			({ socket }) =>
				socket.end(
					Buffer.concat([
						Buffer.from(`HTTP/1.1 200 OK\r\ncontent-length: ${file.length - 1_000}\r\n\r\n`),
						file,
					]),
				),
		(file) => reply(200, file),
	];
	const bench = await startBench({
		calls: ({ path }) => {
			const index = parseInt(path.slice(-12), 16);
			const attempt = tries.get(index) ?? 0;
			tries.set(index, attempt + 1);
			const fault = faults[(index + attempt * 3) % faults.length];
			return fault?.(files[index] ?? Buffer.alloc(0), index) ?? 'missing';
		},
	});
	const outcomes = await Promise.allSettled(
		files.map(async (file, index) => {
			const { stored, bytes, complete } = await bench.client.pdf(SET, documentId(index), readAll);
			expect(bytes).toBe(stored.length);
			return stored.equals(file) ? 'right' : complete ? 'wrong' : 'incomplete';
		}),
	);
	const counts: Record<string, number> = {};
	for (const outcome of outcomes) {
		const name = outcome.status === 'fulfilled' ? outcome.value : (outcome.reason as { code: string }).code;
		counts[name] = (counts[name] ?? 0) + 1;
	}
	expect(counts.wrong).toBeUndefined();
	expect(Object.keys(counts).sort()).toEqual(['right', 'unexpectedResponse']);
	expect(counts.right).toBeGreaterThan(300);
	expect(bench.service.connections()).toBeLessThan(700);
});
