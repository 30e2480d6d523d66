import { isAscii, isUtf8 } from 'node:buffer';
import type { IncomingHttpHeaders } from 'node:http';
import { Duplex, pipeline, type Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { TextDecoder } from 'node:util';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import { ServiceError } from '../errors';
import { systemClock } from '../surroundings';

/** What some services say of a body that is not packed: its letters, or nothing. */
const NOT_PACKED = /^(identity|none|binary|8bit|utf-?8|us-ascii|iso-8859-\d+|windows-125\d)?$/;

/** Of one answer, in each other: each gateway on the way may add one. */
const MOST_PACKINGS = 3;

/** A body as it was before it was compressed. We ask for none (`accept-encoding: identity`), and some gateways do it all the same. */
export function decoded(body: Readable, headers: IncomingHttpHeaders): Readable {
	const encodings = String(headers['content-encoding'] ?? '')
		.toLowerCase()
		.split(',')
		.map((encoding) => encoding.trim())
		.filter((encoding) => !NOT_PACKED.test(encoding));
	const decoders = encodings.length > MOST_PACKINGS ? [undefined] : encodings.reverse().map(decoderOf);
	return decoders.reduce<Readable>((packed, decoder) => {
		// pipeline hands an error of the body on to the decoder, where the reader sees it.
		if (decoder) return pipeline(packed, decoder, () => undefined);
		body.destroy();
		throw new ServiceError('unexpectedResponse', 'The answer is packed in a way we cannot read.', {
			remedy: 'A gateway between n8n and the service may do this. Ask who runs it.',
		});
	}, body);
}

function decoderOf(encoding: string) {
	if (encoding === 'gzip' || encoding === 'x-gzip') return createGunzip();
	if (encoding === 'deflate') return Duplex.from(inflated);
	if (encoding === 'br') return createBrotliDecompress();
	return undefined;
}

/** What zlib's form begins with: the lower half of its first byte. */
const OF_ZLIB = 8;

/** `deflate` means zlib's form (RFC 9110, 8.4.1.2). Some send what that one holds, bare. */
async function* inflated(packed: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
	const pieces = packed[Symbol.asyncIterator]();
	const first = await pieces.next();
	if (first.done) return;
	const isBare = ((first.value[0] ?? 0) & 0x0f) !== OF_ZLIB;
	async function* all() {
		yield first.value as Buffer;
		yield* { [Symbol.asyncIterator]: () => pieces };
	}
	yield* pipeline(all, isBare ? createInflateRaw() : createInflate(), () => undefined);
}

interface BodyText {
	text: string;
	/** Of the text. */
	bytes: number;
	/** That came: more, where some of it is not kept. */
	came: number;
	/** Why it was not read to its end: what it has too much of. */
	cut?: string;
}

interface BodyBounds {
	/** That may come. */
	mostBytes: number;
	/** That may be kept: as many, unless told. */
	mostKept?: number;
	headers: IncomingHttpHeaders;
	/** How long it may take, in milliseconds; longer by what has come of it. */
	timeoutMs: number;
	/** Looks at each piece as it comes, and says what there is too much of. Of what is refused, nothing is kept. */
	refuse?: (piece: Buffer) => string | undefined;
	/** What is kept of a piece, once it has been looked at: all of it, unless told. */
	kept?: () => readonly Buffer[];
}

/** A text that comes more slowly only drips, in bytes for each millisecond: undici's deadline begins anew with each byte. */
const SLOWEST = 4;

/** As undici says of its own. */
const TOO_LATE = 'UND_ERR_BODY_TIMEOUT';

/** Reads a body as text, up to a bound and a deadline; the connection is given up when there is more. */
export async function readText(
	body: Readable,
	{ mostBytes, mostKept = mostBytes, headers, refuse, kept, timeoutMs }: BodyBounds,
): Promise<BodyText> {
	const pieces: Buffer[] = [];
	let [came, bytes] = [0, 0];
	let cut: string | undefined;
	// Where a part is no use, one that is said to be too large is not read at all: it would stay in memory for a while.
	const comes = refuse ? Number(headers['content-length'] ?? 0) : 0;
	const begun = systemClock.now();
	let cancel = () => {};
	const look = () => {
		const leftMs = timeoutMs + came / SLOWEST - (systemClock.now() - begun);
		if (leftMs > 0) cancel = systemClock.after(Math.ceil(leftMs), look);
		else body.destroy(Object.assign(new Error('The body came too slowly'), { code: TOO_LATE }));
	};
	look();
	try {
		for await (const piece of body as AsyncIterable<Buffer>) {
			came += piece.length;
			const isTooLarge = came > mostBytes || comes > mostBytes;
			cut = isTooLarge ? largerThan(mostBytes) : refuse?.(piece);
			const wanted = kept && cut === undefined ? kept() : [piece];
			// A part of a piece keeps all of it in memory.
			const own = wanted[0] === piece ? piece : Buffer.concat(wanted);
			pieces.push(own);
			bytes += own.length;
			if (bytes > mostKept) cut ??= largerThan(mostKept);
			// Leaving the loop destroys the body.
			if (cut !== undefined) break;
		}
	} finally {
		cancel();
	}
	// What is refused is not made a text of: its first bytes are not what anybody asks for.
	if (cut !== undefined && refuse) return { text: '', bytes, came, cut };
	const read = Buffer.concat(pieces, Math.min(bytes, mostBytes));
	const whole = cut === undefined ? read : withoutHalfLetter(read);
	return { text: await textOf(whole, headers['content-type']), bytes, came, cut };
}

function largerThan(bytes: number): string {
	return `is larger than ${bytes / 1024 / 1024} MB`;
}

/** A cut may go through a letter of several bytes, of which the first tells how many there are. */
export function withoutHalfLetter(bytes: Buffer): Buffer {
	const isInside = (at: number) => ((bytes[at] ?? 0) & 0xc0) === 0x80;
	let first = bytes.length - 1;
	while (first > bytes.length - 4 && isInside(first)) first--;
	const lead = bytes[first] ?? 0;
	const length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
	return first >= 0 && bytes.length - first < length ? bytes.subarray(0, first) : bytes;
}

/** In these, each byte of a quotation mark or a backslash is one: in others, it may be the half of a letter. */
const ONE_BYTE_SIGNS = /^(utf-?8|us-ascii|iso-8859-\d+|windows-125\d)?$/i;

/** Whether the signs of JSON can be told among the bytes of such a body. */
export function hasPlainSigns({ 'content-type': contentType }: IncomingHttpHeaders): boolean {
	return ONE_BYTE_SIGNS.test(charsetOf(contentType));
}

function charsetOf(contentType = ''): string {
	return /charset\s*=\s*"?([\w:.-]{1,40})/i.exec(contentType.slice(0, 500))?.[1] ?? '';
}

/**
 * UTF-8 where the bytes are that, whatever the header says, also when a few of them are broken: names are cut at bytes
 * somewhere, and one such name must not garble the others. Otherwise the header's word, and in the end Latin 1, which has a
 * letter for every byte.
 */
async function textOf(bytes: Buffer, contentType = ''): Promise<string> {
	const charset = charsetOf(contentType);
	const isWide = /^utf-?(16|32)/i.test(charset);
	// A large one of one byte a letter is kept beside V8's heap, which it does not see grow until it has doubled.
	if (!isWide && isAscii(bytes)) return bytes.toString('latin1');
	if (!isWide && isUtf8(bytes)) return withoutMark(bytes.toString('utf8'));
	const isBroken = !isWide && (isMarked(bytes) || (await isMostlyUtf8(bytes)));
	const said = charset === '' || /^utf-?8$/i.test(charset) ? 'latin1' : charset;
	let text = '';
	for await (const letters of lettersOf(bytes, isBroken ? UTF_8 : said)) text += letters;
	return text;
}

const UTF_8 = 'utf-8';

/** What is read in place of bytes that are no letter of UTF-8. */
const BROKEN = 0xfffd;

/** Whether more letters beyond ASCII are UTF-8 than are not: in Latin 1 hardly any are. */
async function isMostlyUtf8(bytes: Buffer): Promise<boolean> {
	let balance = 0;
	for await (const text of lettersOf(bytes, UTF_8)) {
		for (let index = 0; index < text.length; index++) {
			const code = text.charCodeAt(index);
			if (code >= 0x80) balance += code === BROKEN ? -1 : 1;
		}
	}
	return balance > 0;
}

/** Bytes of which the letters are looked up in one go: what is no UTF-8 takes ten times as long as what is. */
const AT_ONCE = 1024 * 1024;

/** The text, piece by piece. Between two of them, others have their turn. Of an alphabet that nobody knows, as UTF-8. */
async function* lettersOf(bytes: Buffer, charset: string): AsyncGenerator<string> {
	const decoder = decoderOfLetters(charset);
	for (let at = 0; at < bytes.length; at += AT_ONCE) {
		if (at > 0) await nextTurn();
		yield decoder.decode(bytes.subarray(at, at + AT_ONCE), { stream: true });
	}
	yield decoder.decode();
}

function decoderOfLetters(charset: string): TextDecoder {
	try {
		return new TextDecoder(charset);
	} catch {
		return new TextDecoder(UTF_8);
	}
}

/** No other alphabet has a text begin so. */
function isMarked(bytes: Buffer): boolean {
	return bytes.subarray(0, 3).equals(MARK);
}

const MARK = Buffer.from('\uFEFF');

function withoutMark(text: string): string {
	return text.startsWith('\uFEFF') ? text.slice(1) : text;
}
