import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { ServiceError } from '../errors';
import { decodedBody, SHORT_TEXT_BYTES, unexpected, type Answer } from './answer';

/** What is known of a PDF once all of it has come. */
export interface PdfFacts {
	bytes: number;
	/** Hex. */
	sha256: string;
	/** False when the end-of-file mark is missing: the file may be cut. */
	complete: boolean;
}

const FIRST_BYTES = Buffer.from('%PDF-');

const LAST_BYTES = '%%EOF';

/** Readers of PDF files look for the end-of-file mark in the last so many bytes, and so do we. */
const TAIL_BYTES = 1024;

/**
 * How much of a PDF is gathered before it is handed on. n8n waits for the disk after every piece, so pieces as they come
 * from the socket (64 kB) cost it a wait each; and a PDF that fits into one piece is handed on whole, as most do.
 */
const PIECE_BYTES = 512 * 1024;

/** The largest PDF that is taken, in bytes: also the most that n8n stores in its database. */
const MOST_BYTES = 1024 * 1024 * 1024;

/**
 * Hands the PDF of an answer to `store`: whole when it is small, as a stream when it is larger, so that memory does not
 * grow with the file. Bytes and sha256 are counted on the way. The first bytes decide what it is: the content type may be
 * missing or wrong.
 *
 * @throws ServiceError `unexpectedResponse` when the answer is no PDF, with what it says instead; `network` or `timeout`
 * when the transfer broke; and what `store` throws, as it is
 */
export async function takePdf<T>(
	answer: Answer,
	store: (file: Buffer | Readable) => Promise<T>,
): Promise<PdfFacts & { stored: T }> {
	const pieces = piecesOf(answer);
	const head = await startOf(pieces, FIRST_BYTES.length);
	if (!head.subarray(0, FIRST_BYTES.length).equals(FIRST_BYTES)) {
		throw await noPdf(answer, head, pieces);
	}
	const count = new Count();
	const gathered = gather(withFirst(head, pieces), count);
	const { value: first } = (await gathered.next()) as IteratorYieldResult<Buffer>;
	if (first.length < PIECE_BYTES) return { stored: await store(first), ...count.facts() };
	const file = Readable.from(withFirst(first, gathered), { objectMode: false, highWaterMark: PIECE_BYTES });
	try {
		const stored = await store(file);
		if (!count.ended) throw new ServiceError('cancelled', `${answer.what}: the PDF was not read to its end.`);
		return { ...count.facts(), stored };
	} catch (error) {
		// `store` may have wrapped what broke the transfer; whether to try again is decided by the cause.
		throw count.failure ?? error;
	} finally {
		file.destroy();
	}
}

/** The body piece by piece, its errors already ours. */
async function* piecesOf(answer: Answer): AsyncGenerator<Buffer> {
	try {
		yield* decodedBody(answer) as AsyncIterable<Buffer>;
	} catch (error) {
		throw answer.asError(error);
	}
}

/** Reads until so many bytes are there, or the end. What comes after them in the same piece is in the answer too. */
async function startOf(pieces: AsyncGenerator<Buffer>, bytes: number): Promise<Buffer> {
	let start = Buffer.alloc(0);
	while (start.length < bytes) {
		const next = await pieces.next();
		if (next.done) break;
		start = Buffer.concat([start, next.value]);
	}
	return start;
}

async function noPdf(answer: Answer, head: Buffer, pieces: AsyncGenerator<Buffer>): Promise<ServiceError> {
	const start = await startOf(withFirst(head, pieces), SHORT_TEXT_BYTES);
	await pieces.return(undefined);
	if (start.length === 0) return unexpected(answer, 'is empty where a PDF was expected', '');
	const text = start.toString('utf8');
	const error = unexpected(answer, 'is no PDF', text);
	if (!/^\s*[{[]/.test(text)) return error;
	return new ServiceError(error.code, error.message, {
		remedy:
			'The service answered this in place of the file. Try again later, or ask the service about the document.',
	});
}

async function* withFirst(first: Buffer, pieces: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
	yield first;
	yield* pieces;
}

/** Counts the pieces and joins them: each is {@link PIECE_BYTES} at least, but for the last. */
async function* gather(pieces: AsyncIterable<Buffer>, count: Count): AsyncGenerator<Buffer> {
	let gathered: Buffer[] = [];
	let bytes = 0;
	try {
		for await (const piece of pieces) {
			count.add(piece);
			if (count.bytes > MOST_BYTES)
				throw new ServiceError('unexpectedResponse', 'The PDF is larger than 1 GB.');
			gathered.push(piece);
			bytes += piece.length;
			if (bytes < PIECE_BYTES) continue;
			yield Buffer.concat(gathered, bytes);
			gathered = [];
			bytes = 0;
		}
		if (bytes > 0) yield Buffer.concat(gathered, bytes);
		count.ended = true;
	} catch (error) {
		count.failure = error;
		throw error;
	}
}

/** What is known of the file so far. */
class Count {
	bytes = 0;
	ended = false;
	/** Why the transfer ended early. */
	failure: unknown;
	private readonly hash = createHash('sha256');
	private tail = Buffer.alloc(0);

	add(piece: Buffer): void {
		this.bytes += piece.length;
		this.hash.update(piece);
		const recent = piece.length >= TAIL_BYTES ? piece : Buffer.concat([this.tail, piece]);
		this.tail = Buffer.from(recent.subarray(-TAIL_BYTES));
	}

	facts(): PdfFacts {
		const complete = this.tail.includes(LAST_BYTES);
		return { bytes: this.bytes, sha256: this.hash.digest('hex'), complete };
	}
}
