import type { IncomingHttpHeaders } from 'node:http';
import { ServiceError, type ServiceErrorCode } from '../errors';
import type { HttpAnswer } from './answer';
import { whatWasSaid } from './said';

type Refusal = Pick<HttpAnswer, 'status' | 'headers' | 'secrets'>;

interface Meaning {
	code: ServiceErrorCode;
	sentence: string;
	remedy: string;
}

const LOGIN_MEANINGS: Record<number, Meaning> = {
	401: {
		code: 'unauthorized',
		sentence: 'The service refused the user name or the password',
		remedy:
			'Check both in the credential. If they are right, choose the other login style, or ask the service whether the account is open.',
	},
	404: {
		code: 'notFound',
		sentence: 'There is no login at this address',
		remedy: 'Check the base URL in the credential: the host, the port, and the path if there is one.',
	},
};

/** The words of OAuth for a wrong password or user, which come with HTTP 400. */
const LOGIN_REFUSED = /\binvalid_(grant|client)\b/;

const MEANINGS: Record<number, Meaning> = {
	401: {
		code: 'unauthorized',
		sentence: 'The service refused the call although the login worked',
		remedy: 'Ask the service whether this account may make this call.',
	},
	403: {
		code: 'unauthorized',
		sentence: 'The service does not let this account do this',
		remedy: 'Ask the service for the right, or use another account.',
	},
	404: {
		code: 'notFound',
		sentence: 'The service does not know what was asked for',
		remedy: 'Check the IDs, and the base URL in the credential.',
	},
	407: {
		code: 'rejected',
		sentence: 'The proxy on the way asks for a login',
		remedy: 'Put a user name and a password into the proxy settings of n8n (HTTPS_PROXY or HTTP_PROXY).',
	},
	408: {
		code: 'timeout',
		sentence: 'The service waited too long for the request',
		remedy: 'Try again in a moment.',
	},
	429: {
		code: 'rateLimited',
		sentence: 'The service asks for fewer calls',
		remedy: 'Wait and try again, or let the workflow run less often or with fewer parallel downloads.',
	},
};

const OTHER: Meaning = {
	code: 'rejected',
	sentence: 'The service refused the request',
	remedy: 'Check what was asked for: the filters, the IDs and the options.',
};

const OTHER_LOGIN: Meaning = {
	code: 'rejected',
	sentence: 'The service refused the login',
	remedy:
		'Check the user name, the password and the base URL in the credential, or ask the service whether the account is open.',
};

const PART: Meaning = {
	code: 'unexpectedResponse',
	sentence: 'The service sent a part of the answer as if a part had been asked for',
	remedy: 'Try again. If it stays, ask who runs the gateway in front of the service.',
};

const BROKEN: Meaning = {
	code: 'unavailable',
	sentence: 'The service has a problem of its own',
	remedy: 'Try again later. If it stays, tell the service.',
};

/**
 * The one way from an answer that is no success to an error.
 *
 * @param text as much of its body as we care to read
 * @param login whether the call was a login: a 401 then speaks of the password, otherwise of the token
 */
export function responseError(answer: Refusal, text: string, login = false): ServiceError {
	const { status, headers, secrets } = answer;
	const isRefusedLogin = login && status === 400 && LOGIN_REFUSED.test(text);
	const { code, sentence, remedy } = meaningOf(isRefusedLogin ? { ...answer, status: 401 } : answer, login);
	const restMs = retryAfterMs(headers);
	const rest = restMs ? ` It asks to wait ${Math.ceil(restMs / 1000)} seconds.` : '';
	// Of a part, what is said is what was asked for.
	const quoted = status < 300 ? '' : whatWasSaid(text, secrets);
	const said = quoted === '' ? '' : ` It said: "${quoted}"`;
	return new ServiceError(code, `${sentence} (HTTP ${status}).${rest}${said}`, {
		remedy,
		httpStatus: status,
		retryAfterMs: restMs,
		tokenRefused: login ? undefined : refusesToken(answer, text),
	});
}

/** The status that JSON under HTTP 200 names as its `code` (interface, 2.5), when it is one of a refusal. */
export function refusedStatusIn(value: unknown): number | undefined {
	if (typeof value !== 'object' || value === null) return undefined;
	const { code } = value as { code?: unknown };
	const number = typeof code === 'number' || typeof code === 'string' ? Number(code) : NaN;
	return Number.isInteger(number) && number >= 300 && number < 600 ? number : undefined;
}

/** Beside the two of the standard, those that servers made up: page expired, login timed out, token invalid, token required. */
const REFUSING_TOKENS: ReadonlySet<number> = new Set([401, 403, 419, 440, 498, 499]);

/** That a token has ended, as it is said in other words. */
const TOKEN_ENDED =
	/(token|jwt|session)['"]?\s{1,3}(has |is |was )?(expired|ended|revoked|invalid|not valid|no longer valid)|(expired|invalid|revoked) (access |bearer )?(token|jwt|session)|expired_?(jwt|token|session)|(jwt|token|session)_?expired/i;

/** Whether an answer that is none, under HTTP 200, says that the token has ended. */
export function tellsTokenEnded(text: string): boolean {
	return /invalid_token/.test(text) || TOKEN_ENDED.test(text);
}

/** The same by the status that its JSON names. */
export function namesRefusedToken(text: string): boolean {
	try {
		const value = JSON.parse(text) as { data?: unknown };
		return REFUSING_TOKENS.has(refusedStatusIn(value) ?? refusedStatusIn(value.data) ?? 0);
	} catch {
		return false;
	}
}

/** How services refuse a token that has ended: most with 401, some with 403, a login page, or the words of OAuth. */
function refusesToken({ status, headers }: Refusal, text: string): boolean {
	if (REFUSING_TOKENS.has(status) || (status >= 300 && status < 400)) return true;
	const said = `${String(headers['www-authenticate'] ?? '')} ${text}`;
	return /invalid_token/.test(said) ? status < 500 : status <= 500 && TOKEN_ENDED.test(said);
}

function meaningOf({ status, headers }: Refusal, login: boolean): Meaning {
	if (status >= 200 && status < 300) return PART;
	if (status >= 300 && status < 400) return redirect(headers);
	if (status >= 500) return BROKEN;
	return (login ? LOGIN_MEANINGS[status] : undefined) ?? MEANINGS[status] ?? (login ? OTHER_LOGIN : OTHER);
}

function redirect(headers: IncomingHttpHeaders): Meaning {
	const target = originOf(headers.location);
	return {
		code: 'rejected',
		sentence: target
			? `The service sends us to another address, ${target}, and the login is not taken there`
			: 'The service sends us somewhere else, too often or without saying where',
		remedy: target
			? 'If that is the right address of the service, put it in the credential as the base URL.'
			: 'Check the base URL in the credential. If it is right, tell the service.',
	};
}

/** Only scheme, host and port: the rest of a redirect may hold a login. */
function originOf(location: string | undefined): string | undefined {
	try {
		const { origin } = new URL(location ?? '');
		return origin === 'null' ? undefined : origin;
	} catch {
		return undefined;
	}
}

/**
 * How long the service asks to be left alone: `Retry-After` as seconds or as a date. A date is read against the
 * answer's own `Date`, since the service's clock may differ from ours.
 */
export function retryAfterMs(headers: IncomingHttpHeaders): number | undefined {
	const sent = headers['retry-after']?.trim();
	if (sent === undefined || sent === '') return undefined;
	if (/^\d{1,9}(\.\d{1,9})?$/.test(sent)) return Number(sent) * 1000;
	const until = Date.parse(sent);
	if (Number.isNaN(until)) return undefined;
	const serviceNow = Date.parse(headers.date ?? '');
	return Math.max(0, until - (Number.isNaN(serviceNow) ? Date.now() : serviceNow));
}
