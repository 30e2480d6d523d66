import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { ServiceError } from '../errors';
import { decoded, readText } from './body';
import { whatWasSaid } from './said';

/** The largest JSON answer that is read, in bytes. */
const MOST_JSON_BYTES = 128 * 1024 * 1024;

/** The most that is read of a text that only goes into an error, or holds a token, in bytes. */
export const SHORT_TEXT_BYTES = 64 * 1024;

/** An answer of the service on its way in. */
export interface Answer {
	/** `GET /v3/…`, for messages. */
	what: string;
	status: number;
	headers: IncomingHttpHeaders;
	/** As it comes over the wire: {@link decodedBody} first. To be read to its end or destroyed. */
	body: Readable;
	/** What must not be repeated even if the service says it. */
	secrets: readonly string[];
	/** The way from an error while reading to one of ours. */
	asError(error: unknown): ServiceError;
}

/** The body, unpacked where a gateway packed it. */
export function decodedBody({ body, headers, what }: Answer): Readable {
	return decoded(body, headers, what);
}

/** The JSON of an answer. @throws ServiceError `unexpectedResponse` that shows what came instead */
export async function readJson(answer: Answer): Promise<unknown> {
	const { text, cut } = await readText(decodedBody(answer), MOST_JSON_BYTES).catch((error: unknown) => {
		throw answer.asError(error);
	});
	if (cut) {
		throw unexpected(
			answer,
			`is larger than ${MOST_JSON_BYTES / 1024 / 1024} MB`,
			'',
			'In a search, lower Page Size in the options. Otherwise check the base URL in the credential: another service may be answering there.',
		);
	}
	try {
		return JSON.parse(text);
	} catch {
		throw unexpected(answer, text.trim() === '' ? 'is empty' : 'is no JSON', text);
	}
}

/**
 * A short text: what an error says, the answer to a login. Where the status has already decided, a body that cannot be
 * read is an empty one.
 */
export async function readShortText(answer: Answer): Promise<string> {
	try {
		return (await readText(decodedBody(answer), SHORT_TEXT_BYTES)).text;
	} catch (error) {
		if (isSuccess(answer)) throw answer.asError(error);
		return '';
	}
}

export function isSuccess({ status }: Pick<Answer, 'status'>): boolean {
	return status >= 200 && status < 300;
}

const NOT_THE_SERVICE =
	'Check the base URL in the credential: a gateway or another service may be answering there.';

/** The error for an answer with status 200 that is not what was asked for, with what it says in its place. */
export function unexpected(
	{ what, secrets }: Answer,
	wrong: string,
	text: string,
	remedy = NOT_THE_SERVICE,
): ServiceError {
	const said = whatWasSaid(text, secrets);
	const quoted = said === '' ? '' : ` It says: "${said}"`;
	return new ServiceError('unexpectedResponse', `${what}: the answer ${wrong}.${quoted}`, { remedy });
}
