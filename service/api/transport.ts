import type { IncomingHttpHeaders } from 'node:http';
import type { LookupFunction } from 'node:net';
import type { Readable } from 'node:stream';
import { ServiceError } from '../errors';
import { systemClock, within, type Clock, type Logger } from '../surroundings';
import type { Account } from './account';
import { checkBaseUrl } from './baseUrl';
import { cancelled, throwIfCancelled, unlessCancelled } from './cancel';
import { dispatcherFor } from './pool';
import { transportError } from './transportError';

/** What the client needs of the world around it, as plain functions: no n8n below this line. */
export interface Surroundings {
	logger: Logger;
	/** Ends every call within a second when it fires. */
	signal?: AbortSignal;
	clock?: Clock;
	/** Longest silence of the service, in milliseconds: waiting for the headers, and between two pieces of a body. */
	timeoutMs: number;
	/** Refuses an address before anything is sent (the host's egress protection, the credential's allowed domains): resolves to the reason, or undefined. */
	refuseUrl?: (url: string) => Promise<string | undefined>;
	/** A DNS lookup that refuses forbidden addresses, for the socket. */
	lookup?: LookupFunction;
	/** How many connections to the service may be open at once: 8 unless told otherwise, 1 to 32. */
	connections?: number;
	/** How often a call is tried at most: 4 times unless told otherwise. */
	tries?: number;
}

/** A request that only reads: a GET, or the search POST. */
export interface HttpRequest {
	method: 'GET' | 'POST';
	/** Below the base URL, with its query. */
	path: string;
	/** One character per byte. */
	headers: Record<string, string>;
	body?: string;
}

export interface HttpAnswer {
	status: number;
	headers: IncomingHttpHeaders;
	/** To be read to its end or destroyed: until then it holds one of the connections. */
	body: Readable;
}

/** Sends a request; any HTTP status is an answer. @throws ServiceError when no answer came */
export type Transport = (request: HttpRequest) => Promise<HttpAnswer>;

const MOST_REDIRECTS = 5;

/** No body takes longer, however steadily it drips. */
const LONGEST_BODY_MS = 30 * 60_000;

/** `GET /v3/…` for messages: without the query. */
export function nameOf({ method, path }: Pick<HttpRequest, 'method' | 'path'>): string {
	return `${method} ${path.replace(/\?.*$/s, '')}`;
}

/**
 * The way to the service of an account: over its pool, behind the host's egress rules, within the deadlines, ended by
 * the signal. Follows a redirect of a GET within the same origin; any other is an answer like every other.
 */
export function openTransport(account: Account, surroundings: Surroundings): Transport {
	const base = new URL(checkBaseUrl(account.baseUrl));
	const { timeoutMs, signal, lookup, connections } = surroundings;
	const { ignoreSslIssues, caCertificate } = account;
	const basePath = base.pathname.replace(/\/$/, '');
	let allowed: Promise<void> | undefined;

	const sendOnce = async (request: HttpRequest, path: string): Promise<HttpAnswer> => {
		throwIfCancelled(signal);
		const dispatcher = await dispatcherFor({
			origin: base.origin,
			connections,
			ignoreSslIssues,
			caCertificate,
			lookup,
		});
		const limit = exchangeLimit(surroundings, nameOf(request), base.host);
		try {
			const answering = dispatcher.request({
				origin: base.origin,
				path,
				method: request.method,
				headers: {
					'accept-encoding': 'identity',
					'user-agent': 'n8n-nodes-parcel-document-exchange',
					...request.headers,
				},
				body: request.body,
				headersTimeout: timeoutMs,
				bodyTimeout: timeoutMs,
				signal: limit.signal,
			});
			// A request that waits for a free connection does not look at its signal before it gets one.
			const { statusCode, headers, body } = await unlessCancelled(answering, signal);
			limit.start();
			body.once('close', limit.lift);
			// An error is for who reads the body; a body that nobody reads any more must not end the process.
			body.on('error', () => undefined);
			return { status: statusCode, headers: eachOnce(headers), body };
		} catch (error) {
			limit.lift();
			throw signal?.aborted ? cancelled() : transportError(error, nameOf(request), base.host);
		}
	};

	return async (request) => {
		allowed ??= checkAllowed(base, surroundings).catch((error: unknown) => {
			// Asked again by the next try: what could not be looked up now may be there then.
			allowed = undefined;
			throw error;
		});
		await unlessCancelled(allowed, signal);
		let path = basePath + request.path;
		for (let redirects = 0; ; redirects++) {
			const answer = await sendOnce(request, path);
			const next = request.method === 'GET' ? sameOriginTarget(answer, base.origin, path) : undefined;
			if (next === undefined || redirects === MOST_REDIRECTS) return answer;
			answer.body.destroy();
			path = next;
		}
	};
}

/** Asks the host whether the address may be used. It may look up names for that, so it has the same deadline as a call. */
async function checkAllowed(
	base: URL,
	{ refuseUrl, timeoutMs, clock = systemClock }: Surroundings,
): Promise<void> {
	if (!refuseUrl) return;
	const what = `The check of the address ${base.origin}`;
	const late = () =>
		new ServiceError('timeout', `${what} took too long.`, {
			remedy:
				'Try again in a moment. If it stays, ask the administrator of n8n whether its machine can look up this host name.',
		});
	const reason = await within(clock, timeoutMs, refuseUrl(base.href), late).catch((error: unknown) => {
		throw transportError(error, what, base.host);
	});
	if (reason === undefined) return;
	throw new ServiceError('invalidInput', `The address ${base.origin} may not be used: ${reason}`, {
		remedy: 'Check the base URL and the allowed domains in the credential, or ask the administrator of n8n.',
	});
}

/** A header that came twice, as Node's own client has it: the first one; undici hands on a list. */
function eachOnce(headers: IncomingHttpHeaders): IncomingHttpHeaders {
	const entries = Object.entries(headers as Record<string, string | string[] | undefined>);
	return Object.fromEntries(
		entries.map(([name, value]) => {
			if (!Array.isArray(value) || name === 'set-cookie') return [name, value];
			return [name, name === 'content-encoding' ? value.join(', ') : value[0]];
		}),
	);
}

/** The path that a redirect points to, when it stays where it is; undefined for anything else. */
function sameOriginTarget({ status, headers }: HttpAnswer, origin: string, path: string): string | undefined {
	if (![301, 302, 303, 307, 308].includes(status) || headers.location === undefined) return undefined;
	try {
		const target = new URL(headers.location, origin + path);
		return target.origin === origin ? target.pathname + target.search : undefined;
	} catch {
		return undefined;
	}
}

/** A signal that fires with the run's own, or when a body, once it has started, takes longer than it may. */
function exchangeLimit({ signal, clock = systemClock }: Surroundings, what: string, host: string) {
	const controller = new AbortController();
	const stop = () => controller.abort(cancelled());
	const late = () => {
		controller.abort(
			new ServiceError('timeout', `${what}: the answer of ${host} took more than half an hour.`, {
				remedy: 'Try again. If it stays, ask who looks after the network: the answer comes too slowly.',
			}),
		);
	};
	let disarm = () => {};
	signal?.addEventListener('abort', stop, { once: true });
	return {
		signal: controller.signal,
		start: () => void (disarm = clock.after(LONGEST_BODY_MS, late)),
		lift() {
			disarm();
			signal?.removeEventListener('abort', stop);
		},
	};
}
