import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { changed, ServiceError } from '../errors';
import { systemClock } from '../surroundings';
import { decodedBody, SHORT_TEXT_BYTES, unexpected, type HttpAnswer } from './answer';
import { namesRefusedToken } from './responseError';
import { isPdf, TAIL_BYTES, wasTakenForText } from './pdfStart';

/** What is known of a PDF once all of it has come. */
export interface PdfFacts {
	bytes: number;
	/** Hex. */
	sha256: string;
	/** False when the end-of-file mark is missing, each time it was asked for: the file may be cut. */
	complete: boolean;
}

const LAST_BYTES = '%%EOF';

/**
 * How much of a PDF is gathered before it is handed on. n8n waits for the disk after every piece, so pieces as they come
 * from the socket (64 kB) cost it a wait each; and a PDF that fits into one piece is handed on whole, as most do.
 */
const PIECE_BYTES = 512 * 1024;

/**
 * Room for small PDFs, used again and again: after every 64 MB or so of new buffers, V8 goes through all that n8n holds,
 * and n8n's one thread waits.
 */
const spare: Buffer[] = [];

/** So many are kept, of {@link PIECE_BYTES} each. */
const MOST_SPARE = 8;

function newRoom(): Buffer {
	return Buffer.allocUnsafeSlow(PIECE_BYTES);
}

function takeRoom(): Buffer {
	return spare.pop() ?? newRoom();
}

function giveBack(room: Buffer): void {
	if (spare.length < MOST_SPARE) spare.push(room);
}

/** The largest PDF that is taken, in bytes: also the most that n8n stores in its database. */
const MOST_BYTES = 1024 * 1024 * 1024;

/**
 * A PDF of which less comes in two minutes only drips, and is ended: undici's deadline begins anew with each byte. A modem
 * line gives each of 32 connections four times as much, and a service may send the beginning long before it has made the
 * rest.
 */
const DRIP_BYTES = 6 * 1024;
const DRIP_MS = 120_000;

/**
 * Hands the PDF of an answer to `store`: whole when it is small, as a stream when it is larger, so that memory does not
 * grow with the file. The memory of a small one is used again as soon as `store` has settled. Bytes and sha256 are
 * counted on the way. The first bytes decide what it is, and go with it as they came: the content type may be missing or
 * wrong.
 *
 * @param endless those that came without their end-of-file mark when it was asked for before
 * @throws ServiceError `unexpectedResponse` when the answer is no PDF, with what it says instead; `network` or `timeout`
 * when the transfer broke, or may have; and what `store` throws, as it is
 */
export async function takePdf<T>(
	answer: HttpAnswer,
	store: (file: Buffer | Readable) => Promise<T>,
	endless: Set<string>,
): Promise<PdfFacts & { stored: T }> {
	const count = new Count(endless);
	const room = takeRoom();
	const pieces = piecesOf(answer, count, room);
	const { value: first } = (await pieces.next()) as IteratorYieldResult<Buffer>;
	if (!isPdf(first) || wasTakenForText(first)) {
		await pieces.return(undefined);
		const error = noPdf(answer, first);
		giveBack(room);
		throw error;
	}
	if (first.length < PIECE_BYTES) {
		try {
			const facts = count.facts();
			return { stored: await store(first), ...facts };
		} finally {
			giveBack(room);
		}
	}
	const file = Readable.from(withFirst(first, pieces, count), {
		objectMode: false,
		highWaterMark: PIECE_BYTES,
	});
	try {
		const stored = await store(file);
		if (!count.ended) throw new ServiceError('cancelled', 'The PDF was not read to its end.');
		return { ...count.facts(), stored };
	} catch (error) {
		// `store` may have wrapped what broke the transfer; whether to try again is decided by the cause.
		throw count.failure ?? error;
	} finally {
		file.destroy();
	}
}

const FROM_THE_SERVICE =
	'The service answered this in place of the file. Try again later, or ask the service about the document.';

const GARBLED =
	'Its pages are lost. Tell the service, or who runs the gateway in front of it: a PDF is no text, and is to be sent as it is.';

function noPdf(answer: HttpAnswer, start: Buffer): ServiceError {
	if (start.length === 0)
		return unexpected(answer, 'is empty where a PDF was expected', '', FROM_THE_SERVICE);
	if (isPdf(start))
		return unexpected(answer, 'is a PDF whose bytes were taken for text on the way', '', GARBLED);
	const text = start.toString('utf8', 0, SHORT_TEXT_BYTES);
	// A gateway or a login page speaks HTML.
	const isJson = /^\s*[{[]/.test(text);
	const error = unexpected(answer, 'is no PDF', text, isJson ? FROM_THE_SERVICE : undefined);
	return isJson && namesRefusedToken(text) ? changed(error, { tokenRefused: true }) : error;
}

function tooLarge(): ServiceError {
	return new ServiceError('unexpectedResponse', 'The PDF is larger than 1 GB.', {
		remedy: 'Ask the service about this document.',
	});
}

function tooSlow(bytes: number): ServiceError {
	return new ServiceError('timeout', `The PDF comes too slowly: after ${bytes} bytes, it only drips.`, {
		remedy:
			'Try again. If it stays, tell the service, or ask who looks after the network: less than 6 kB came in two minutes.',
	});
}

/** Ends with an error where the file is not believed to be whole: what was handed on until then must not be taken for it. */
async function* withFirst(
	first: Buffer,
	pieces: AsyncGenerator<Buffer>,
	count: Count,
): AsyncGenerator<Buffer> {
	yield first;
	yield* pieces;
	try {
		count.facts();
	} catch (error) {
		count.failure = error;
		throw error;
	}
}

/**
 * The body, counted and in pieces of {@link PIECE_BYTES}, but for the last, which may be empty; its errors already ours.
 *
 * @param room for the first piece
 */
async function* piecesOf(answer: HttpAnswer, count: Count, room: Buffer): AsyncGenerator<Buffer, undefined> {
	let piece = room;
	let filled = 0;
	let cancel = () => {};
	try {
		const body = decodedBody(answer);
		/** While pieces are waited for, and not while they are stored. */
		const watch = () => {
			const before = count.bytes;
			cancel = systemClock.after(DRIP_MS, () => {
				if (count.bytes - before >= DRIP_BYTES) watch();
				else body.destroy(tooSlow(count.bytes));
			});
		};
		watch();
		for await (const part of body as AsyncIterable<Buffer>) {
			count.add(part);
			if (count.bytes > MOST_BYTES) throw tooLarge();
			for (let taken = 0; taken < part.length;) {
				const copied = part.copy(piece, filled, taken);
				taken += copied;
				filled += copied;
				if (filled < PIECE_BYTES) continue;
				cancel();
				yield piece;
				watch();
				piece = newRoom();
				filled = 0;
			}
		}
		cancel();
		yield piece.subarray(0, filled);
		count.ended = true;
	} catch (error) {
		count.failure = answer.asError(error);
		throw count.failure;
	} finally {
		cancel();
	}
}

/** What is known of the file so far. */
class Count {
	bytes = 0;
	ended = false;
	/** Why the transfer ended early. */
	failure: unknown;
	private known: PdfFacts | undefined;
	private readonly hash = createHash('sha256');
	private tail = Buffer.alloc(0);

	constructor(private readonly endless: Set<string>) {}

	add(piece: Buffer): void {
		this.bytes += piece.length;
		this.hash.update(piece);
		this.tail = Buffer.concat([this.tail, piece.subarray(-TAIL_BYTES)]).subarray(-TAIL_BYTES);
	}

	/**
	 * When all of it has come.
	 *
	 * A gateway that is told no length of a file cannot tell that it was cut, and ends it in order. So one without its end
	 * is asked for again, and believed when the same comes a second time.
	 *
	 * @throws ServiceError `network` where it has come for the first time
	 */
	facts(): PdfFacts {
		if (this.known) return this.known;
		const end = this.tail.lastIndexOf(LAST_BYTES);
		// What was signed or changed later has an end of its own, behind what was written before.
		const complete = end >= 0 && !/\d obj\b/.test(this.tail.toString('latin1', end));
		const facts = { bytes: this.bytes, sha256: this.hash.digest('hex'), complete };
		if (!complete && !this.endless.has(facts.sha256)) {
			this.endless.add(facts.sha256);
			throw withoutEnd();
		}
		return (this.known = facts);
	}
}

function withoutEnd(): ServiceError {
	return new ServiceError('network', 'The PDF came without its end, and not twice the same.', {
		remedy:
			'It is cut on the way. Try again later. If it stays, tell the service, or who runs the gateway in front of it.',
	});
}
