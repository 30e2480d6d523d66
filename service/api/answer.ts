import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { ServiceError } from '../errors';
import { membersIn, memberTwice, withLongNumbersAsText } from '../model/wholeJson';
import { decoded, hasPlainSigns, readText } from './body';
import { JsonBounds, type Unwanted } from './jsonBounds';
import { isWebPage, whatWasSaid } from './said';
import { secretFree } from './secretFree';

/** The largest JSON answer that is read, in bytes, unpacked. */
export const MOST_JSON_BYTES = 32 * 1024 * 1024;

/** An answer of which a step takes some 10 ms. */
export const LARGE_BYTES = 1024 * 1024;

/** The most that is read of a text that only goes into an error, or holds a token, in bytes. */
export const SHORT_TEXT_BYTES = 64 * 1024;

/** An answer of the service on its way in, to a login as to any other call. */
export interface HttpAnswer {
	status: number;
	headers: IncomingHttpHeaders;
	/**
	 * As it comes over the wire: {@link decodedBody} first. To be read to its end or destroyed: until then it holds one of
	 * the connections.
	 */
	body: Readable;
	/** Whether the service sent us on before it answered, within its own origin. */
	redirected: boolean;
	/** How long a text of it may take, in milliseconds. */
	timeoutMs: number;
	/** What must not be repeated even if the service says it. */
	secrets: readonly string[];
	/** The way from an error while reading to one of ours. */
	asError(error: unknown): ServiceError;
}

/** The JSON of an answer. */
export interface Json {
	value: unknown;
	/** Of its text, unpacked. */
	bytes: number;
	/** That came, unpacked: more, where something was left out. */
	came: number;
}

/** What is kept of an answer. */
export interface JsonWanted {
	/** As it is unpacked: as much as is read of any, unless told. */
	mostBytes?: number;
	/** Texts that are not wanted: each is an empty one. */
	leftOut?: Unwanted;
}

/** Success is HTTP 200 (interface, part 7). Others of its kind are taken as well, unless the answer says that it is a part. */
export function isSuccess(answer: Pick<HttpAnswer, 'status' | 'headers'>): boolean {
	return answer.status >= 200 && answer.status < 300 && !isPart(answer);
}

/** By its status (206), or where a gateway has lost that, by the place it says its bytes have in the whole. */
function isPart({ status, headers }: Pick<HttpAnswer, 'status' | 'headers'>): boolean {
	if (status === 206) return true;
	return (headers['content-range'] ?? '').split(',').some((range) => {
		const [, from, to, whole] = /^\s*bytes\s+(\d+)-(\d+)\/(\d+)\s*$/i.exec(range) ?? [];
		return whole !== undefined && (Number(from) > 0 || Number(to) + 1 < Number(whole));
	});
}

/** The body, unpacked where a gateway packed it. @throws ServiceError `unexpectedResponse` when we cannot */
export function decodedBody({ body, headers }: Pick<HttpAnswer, 'body' | 'headers'>): Readable {
	return decoded(body, headers);
}

/**
 * The JSON of an answer, without the secrets in it, and with all that was written: a whole number that JavaScript has none for is a text. Its bounds are counted while it comes and is unpacked, before anything is made of it.
 *
 * @throws ServiceError `unexpectedResponse` that shows what came instead; `tooLarge` for more than we read
 */
export async function readJson(
	answer: HttpAnswer,
	{ mostBytes = MOST_JSON_BYTES, leftOut: unwanted }: JsonWanted = {},
): Promise<Json> {
	const leftOut = hasPlainSigns(answer.headers) ? unwanted : undefined;
	const bounds = new JsonBounds(leftOut);
	const { text, bytes, came, cut } = await readText(decodedBody(answer), {
		mostBytes: leftOut === undefined ? mostBytes : MOST_JSON_BYTES,
		mostKept: mostBytes,
		timeoutMs: answer.timeoutMs,
		headers: answer.headers,
		refuse: (piece) => bounds.exceededBy(piece),
		kept: () => bounds.wanted,
	}).catch((error: unknown) => {
		throw answer.asError(error);
	});
	if (cut !== undefined) throw tooLarge(cut);
	if (answer.status === NO_CONTENT) throw noContent(answer);
	// undici takes a connection again a turn later, and looks for another turn whether it is still open: what waits for it
	// is on its way before this answer is looked at.
	await nextTurn();
	await nextTurn();
	let value: unknown;
	try {
		value = JSON.parse(bounds.hasLongNumber ? withLongNumbersAsText(text) : text);
	} catch {
		throw unexpected(answer, text.trim() === '' ? 'is empty' : 'is no JSON', text);
	}
	await othersTurn(bytes);
	const twice = membersIn(value) === bounds.members ? undefined : memberTwice(text);
	if (twice !== undefined) throw standsTwice(whatWasSaid(JSON.stringify(twice), answer.secrets));
	const safe = secretFree(value, text, answer.secrets);
	await othersTurn(bytes);
	return { value: safe, bytes, came };
}

/** Of a large answer, each step takes long, and nothing else runs meanwhile: between two of them, others have their turn. */
async function othersTurn(bytes: number): Promise<void> {
	if (bytes > LARGE_BYTES) await nextTurn();
}

/** How some services say that there is no such page of a list. */
const NO_CONTENT = 204;

function noContent(answer: HttpAnswer): ServiceError {
	const { message, remedy } = unexpected(answer, 'is empty', '');
	return new ServiceError('notFound', message, { remedy, httpStatus: NO_CONTENT });
}

function standsTwice(name: string): ServiceError {
	return new ServiceError(
		'unexpectedResponse',
		`The answer holds the field "${name}" twice, with two values.`,
		{
			remedy: 'Nobody can tell which one is meant. Tell the service: a field is to stand in an object once.',
		},
	);
}

function tooLarge(how: string): ServiceError {
	return new ServiceError('unexpectedResponse', `The answer ${how}, which is more than is read of one.`, {
		remedy:
			'In a search, lower Page Size in the options. Otherwise check the base URL in the credential: another service may be answering there.',
		tooLarge: true,
	});
}

/**
 * A short text: what an error says, the answer to a login. Where the status has already decided, a body that cannot be
 * read is an empty one.
 */
export async function readShortText(answer: HttpAnswer): Promise<string> {
	try {
		const { headers, timeoutMs } = answer;
		return (await readText(decodedBody(answer), { mostBytes: SHORT_TEXT_BYTES, headers, timeoutMs })).text;
	} catch (error) {
		if (isSuccess(answer)) throw answer.asError(error);
		return '';
	}
}

const NOT_THE_SERVICE =
	'Check the base URL in the credential: a gateway or another service may be answering there.';

/** The error for an answer with status 200 that is not what was asked for, with what it says in its place. */
export function unexpected(
	{ secrets }: Pick<HttpAnswer, 'secrets'>,
	wrong: string,
	text: string,
	remedy = NOT_THE_SERVICE,
): ServiceError {
	const said = whatWasSaid(text, secrets);
	const quoted = said === '' ? '' : ` It says: "${said}"`;
	return new ServiceError('unexpectedResponse', `The answer ${wrong}.${quoted}`, {
		remedy,
		webPage: isWebPage(text),
	});
}
