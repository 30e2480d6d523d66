import type { IncomingHttpHeaders } from 'node:http';
import { ServiceError, type ServiceErrorCode } from '../errors';
import { whatWasSaid } from './said';

/** An answer of the service that is no success, with as much of its body as we care to read. */
export interface RefusedAnswer {
	/** `GET /v3/…`, for the message. */
	what: string;
	status: number;
	headers: IncomingHttpHeaders;
	text: string;
	/** What must not be repeated even if the service says it. */
	secrets: readonly string[];
	/** Whether the call was a login: a 401 then speaks of the password, otherwise of the token. */
	login?: boolean;
}

interface Meaning {
	code: ServiceErrorCode;
	sentence: string;
	remedy: string;
}

const LOGIN_MEANINGS: Record<number, Meaning> = {
	401: {
		code: 'unauthorized',
		sentence: 'the service refused the user name or the password',
		remedy:
			'Check both in the credential. If they are right, choose the other login style, or ask the service whether the account is open.',
	},
	404: {
		code: 'notFound',
		sentence: 'there is no login at this address',
		remedy: 'Check the base URL in the credential: the host, the port, and the path if there is one.',
	},
};

const MEANINGS: Record<number, Meaning> = {
	401: {
		code: 'unauthorized',
		sentence: 'the service refused the call although the login worked',
		remedy: 'Ask the service whether this account may make this call.',
	},
	403: {
		code: 'unauthorized',
		sentence: 'the service does not let this account do this',
		remedy: 'Ask the service for the right, or use another account.',
	},
	404: {
		code: 'notFound',
		sentence: 'the service does not know what was asked for',
		remedy: 'Check the IDs, and the base URL in the credential.',
	},
	407: {
		code: 'rejected',
		sentence: 'the proxy on the way asks for a login',
		remedy: 'Put a user name and a password into the proxy settings of n8n (HTTPS_PROXY or HTTP_PROXY).',
	},
	408: {
		code: 'timeout',
		sentence: 'the service waited too long for the request',
		remedy: 'Try again in a moment.',
	},
	429: {
		code: 'rateLimited',
		sentence: 'the service asks for fewer calls',
		remedy: 'Wait and try again, or let the workflow run less often or with fewer parallel downloads.',
	},
};

const OTHER: Meaning = {
	code: 'rejected',
	sentence: 'the service refused the request',
	remedy: 'Check what was asked for: the filters, the IDs and the options.',
};

const BROKEN: Meaning = {
	code: 'unavailable',
	sentence: 'the service has a problem of its own',
	remedy: 'Try again later. If it stays, tell the service.',
};

/** The one way from an answer to an error. */
export function responseError(answer: RefusedAnswer): ServiceError {
	const { code, sentence, remedy } = meaningOf(answer);
	const restMs = retryAfterMs(answer.headers);
	const rest = restMs ? ` It asks to wait ${Math.ceil(restMs / 1000)} seconds.` : '';
	const text = whatWasSaid(answer.text, answer.secrets);
	const said = text === '' ? '' : ` It said: "${text}"`;
	return new ServiceError(code, `${answer.what}: ${sentence} (HTTP ${answer.status}).${rest}${said}`, {
		remedy,
		httpStatus: answer.status,
		retryAfterMs: restMs,
	});
}

function meaningOf({ status, login, headers }: RefusedAnswer): Meaning {
	if (status >= 300 && status < 400) return redirect(headers);
	if (status >= 500) return BROKEN;
	return (login ? LOGIN_MEANINGS[status] : undefined) ?? MEANINGS[status] ?? OTHER;
}

function redirect(headers: IncomingHttpHeaders): Meaning {
	const target = originOf(headers.location);
	return {
		code: 'rejected',
		sentence: target
			? `the service sends us to another address, ${target}, and the login is not taken there`
			: 'the service sends us somewhere else, too often or without saying where',
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
