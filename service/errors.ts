/** What went wrong, as a closed set. Whoever decides about a retry or a remedy looks at the code, never at the text. */
export type ServiceErrorCode =
	/** The account was refused: HTTP 401 or 403, the broker's ACCESS_REFUSED. */
	| 'unauthorized'
	/** The thing asked for is not there: HTTP 404, a queue or virtual host that does not exist. */
	| 'notFound'
	/** The service understood the request and refused it: any other 4xx. */
	| 'rejected'
	/** HTTP 429. */
	| 'rateLimited'
	/** HTTP 5xx, or a broker that is not there. */
	| 'unavailable'
	/** Silence for longer than the deadline. */
	| 'timeout'
	/** The connection could not be made or was lost. */
	| 'network'
	/** The certificate of the other side is not trusted, or is for another host name. */
	| 'certificate'
	/** The request succeeded and the answer is not what the interface promises. Not an HTTP error. */
	| 'unexpectedResponse'
	/** A queue message that holds no status event. */
	| 'undecodable'
	/** What the user typed cannot be used; nothing was sent. */
	| 'invalidInput'
	/** The user or the host stopped the work. */
	| 'cancelled';

interface ServiceErrorDetails {
	/** What a person can do next, one or two plain sentences. */
	remedy?: string;
	/** The HTTP status, when there was an answer. */
	httpStatus?: number;
	/** How long the other side asked to be left alone, in milliseconds (Retry-After). */
	retryAfterMs?: number;
	/** True when the login failed: the call it was for was never made. */
	login?: boolean;
	/** `GET /v3/…` without its query: the call that failed. */
	call?: string;
	/** True when the answer is one that services give to a token they do not take: a fresh one may help. */
	tokenRefused?: boolean;
	/** True when a web page came in place of the answer: one to log in, or one of a service that is being mended. */
	webPage?: boolean;
	/** True when the answer goes beyond what is read of one: a smaller page may come. */
	tooLarge?: boolean;
	/** True when the pages of a search contradict each other: what came of it may be a part. */
	incomplete?: boolean;
	/** True when another reader takes the events of the queue while this lasts. */
	takenMeanwhile?: boolean;
	cause?: unknown;
}

/**
 * The one error class below the line. The message says what happened and what was said, never a token, a
 * password or a whole page; what decides about a remedy, a retry or a place stands in fields.
 */
export class ServiceError extends Error {
	override readonly name = 'ServiceError';
	readonly remedy?: string;
	readonly httpStatus?: number;
	readonly retryAfterMs?: number;
	readonly login?: boolean;
	/** Set once, by who makes the call. */
	call?: string;
	readonly tokenRefused?: boolean;
	readonly webPage?: boolean;
	readonly tooLarge?: boolean;
	readonly incomplete?: boolean;
	readonly takenMeanwhile?: boolean;

	constructor(
		readonly code: ServiceErrorCode,
		message: string,
		details: ServiceErrorDetails = {},
	) {
		super(message, details.cause === undefined ? undefined : { cause: details.cause });
		this.remedy = details.remedy;
		this.httpStatus = details.httpStatus;
		this.retryAfterMs = details.retryAfterMs;
		this.login = details.login;
		this.call = details.call;
		this.tokenRefused = details.tokenRefused;
		this.webPage = details.webPage;
		this.takenMeanwhile = details.takenMeanwhile;
		this.tooLarge = details.tooLarge;
		this.incomplete = details.incomplete;
	}
}

/** The same error with some of its facts, or its message, in other words: whatever is not named stays as it is. */
export function changed(
	error: ServiceError,
	{ message = error.message, ...details }: ServiceErrorDetails & { message?: string },
): ServiceError {
	return new ServiceError(error.code, message, { ...error, cause: error.cause, ...details });
}

/** True for our own errors, also those made by a second copy of this module (a package update loads one). */
export function isServiceError(error: unknown): error is ServiceError {
	return error instanceof Error && error.name === 'ServiceError' && 'code' in error;
}

/** Rights differ between accounts, and nothing says what each may read: this one was not let read what it asked for. */
export function mayNotRead(error: unknown): boolean {
	return isServiceError(error) && [403, 404].includes(error.httpStatus ?? 0);
}

/** The text of anything thrown, also of what has none. Never throws. */
export function messageOf(error: unknown): string {
	try {
		return error instanceof Error ? String(error.message || error.name) : String(error);
	} catch {
		return 'unknown error';
	}
}

/** What was thrown, to be thrown again: code of others throws what it likes. */
export function asError(thrown: unknown): Error {
	return thrown instanceof Error ? thrown : new Error(String(thrown));
}
