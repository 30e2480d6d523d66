import { Readable } from 'node:stream';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { decoded, readText } from '../../../service/api/body';
import { isServiceError } from '../../../service/errors';
import { readAll } from '../../support/apiAccount';

const bodyOf = (...parts: Buffer[]) => Readable.from(parts, { objectMode: false });
const TEXT = Buffer.from('Bill of lading, Göteborg');

const unpacked = (bytes: Buffer, encoding?: string) =>
	readAll(decoded(bodyOf(bytes), encoding === undefined ? {} : { 'content-encoding': encoding }));

it.each([
	...[undefined, '', ' ', ',', 'identity', 'None', 'binary', '8bit', 'utf8', 'UTF-8', 'us-ascii'],
	...['iso-8859-1', 'ISO-8859-15', 'windows-1252', 'identity, utf-8'],
])('a body is not packed that is called %j', async (encoding) => {
	expect(await unpacked(TEXT, encoding)).toEqual(TEXT);
});

it.each<[string, Buffer]>([
	['gzip', gzipSync(TEXT)],
	['X-GZIP', gzipSync(TEXT)],
	['deflate', deflateSync(TEXT)],
	['deflate', deflateRawSync(TEXT)],
	['br', brotliCompressSync(TEXT)],
	['utf-8, gzip', gzipSync(TEXT)],
	['gzip, br', brotliCompressSync(gzipSync(TEXT))],
	['br, deflate, gzip', gzipSync(deflateSync(brotliCompressSync(TEXT)))],
])('a body is unpacked that is called %j', async (encoding, bytes) => {
	expect(await unpacked(bytes, encoding)).toEqual(TEXT);
});

it('nothing at all, packed with deflate, is nothing', async () => {
	expect(await unpacked(Buffer.alloc(0), 'deflate')).toEqual(Buffer.alloc(0));
});

it('what deflate holds may come byte by byte', async () => {
	for (const bytes of [deflateSync(TEXT), deflateRawSync(TEXT)]) {
		const body = bodyOf(...[...bytes].map((byte) => Buffer.of(byte)));
		expect(await readAll(decoded(body, { 'content-encoding': 'deflate' }))).toEqual(TEXT);
	}
});

it.each([
	...[
		'zstd',
		'xidentity',
		'identityx',
		'utf-16',
		'iso-8859-',
		'iso-8859-1x',
		'windows-125',
		'windows-12522',
		'gzipx',
	],
	'gzip, gzip, gzip, gzip',
])('a body is left alone, with an error that says so, that is called %j', (encoding) => {
	const body = bodyOf(TEXT);
	let error: unknown;
	try {
		decoded(body, { 'content-encoding': encoding });
	} catch (thrown) {
		error = thrown;
	}
	expect(isServiceError(error)).toBe(true);
	expect(error).toMatchObject({
		code: 'unexpectedResponse',
		message: 'The answer is packed in a way we cannot read.',
		remedy: 'A gateway between n8n and the service may do this. Ask who runs it.',
	});
	expect(body.destroyed).toBe(true);
});

const MB = 1024 * 1024;
const read = (body: Readable, refuse?: (piece: Buffer) => string | undefined) =>
	readText(body, { mostBytes: MB, headers: {}, timeoutMs: 10_000, ...(refuse && { refuse }) });

it('a text of just as many bytes as are read is whole, and of a longer one its beginning is read, to its last letter', async () => {
	const whole = Buffer.alloc(MB, 'a');
	expect(await read(bodyOf(whole))).toEqual({ text: whole.toString(), bytes: MB, came: MB, cut: undefined });
	const long = Buffer.concat([whole.subarray(1), Buffer.from('ö'), whole]);
	const body = bodyOf(long.subarray(0, 10), long.subarray(10));
	expect(await read(body)).toEqual({
		...{ text: 'a'.repeat(MB - 1), bytes: long.length, came: long.length, cut: 'is larger than 1 MB' },
	});
	expect(body.destroyed).toBe(true);
});

it('of a text that is refused nothing is kept, and no more of it is read', async () => {
	const seen: string[] = [];
	const refuse = (piece: Buffer) => {
		seen.push(piece.toString());
		return piece.includes('[') ? 'has lists' : undefined;
	};
	expect(await read(bodyOf(Buffer.from('a'), Buffer.from('[['), Buffer.from('b')), refuse)).toEqual({
		...{ text: '', bytes: 3, came: 3, cut: 'has lists' },
	});
	expect(seen).toEqual(['a', '[[']);
	expect(await read(bodyOf(Buffer.from('ab')), refuse)).toEqual({
		text: 'ab',
		bytes: 2,
		came: 2,
		cut: undefined,
	});
});
