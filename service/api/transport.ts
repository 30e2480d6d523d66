import type { IncomingHttpHeaders } from 'node:http';
import type { LookupFunction } from 'node:net';
import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { Dispatcher } from 'undici';
import { ServiceError } from '../errors';
import { systemClock, within, type Clock, type Logger } from '../surroundings';
import type { Account } from './account';
import type { HttpAnswer } from './answer';
import { checkBaseUrl } from './baseUrl';
import { cancelled, throwIfCancelled, unlessCancelled } from '../cancel';
import { secretsOf, tokenSecrets } from './login';
import { wayTo } from './pool';
import { proxyHost, proxySettings } from './proxy';
import { transportError } from './transportError';

/** What the client needs of the world around it, as plain functions: no n8n below this line. */
export interface Surroundings {
	logger: Logger;
	/** Ends every call within a second when it fires. */
	signal?: AbortSignal;
	clock?: Clock;
	/** Longest wait, in milliseconds: from the sending of a request to the end of its answer's head, between two pieces of a body, and for a text that only drips. */
	timeoutMs: number;
	/** Refuses an address before anything is sent (the host's egress protection, the credential's allowed domains): resolves to the reason, or undefined. */
	refuseUrl?: (url: string) => Promise<string | undefined>;
	/** A DNS lookup that refuses forbidden addresses, for the socket. */
	lookup?: LookupFunction;
	/** How many connections to the service may be open at once: 8 unless told otherwise, 1 to 32. */
	connections?: number;
	/** How often a call is tried at most: 4 times unless told otherwise. */
	tries?: number;
	/** Told of each request that is sent, be it a login, a repeat or a redirect followed. */
	sent?: (method: HttpRequest['method']) => void;
}

/** A request that only reads: a GET, or the search POST. */
export interface HttpRequest {
	method: 'GET' | 'POST';
	/** Below the base URL, with its query. */
	path: string;
	/** One character per byte. */
	headers?: Record<string, string>;
	/**
	 * The bearer token, asked for when a connection is free: a call may wait for one longer than a token lasts. One without
	 * a token, which is a login, is sent while another waits for it.
	 */
	token?: () => Promise<string>;
	body?: string;
	/** Whether somebody still waits for the answer: looked at before it is sent. */
	isWanted?: () => boolean;
}

/** Sends a request; any HTTP status is an answer. @throws ServiceError when no answer came */
type Transport = (request: HttpRequest) => Promise<HttpAnswer>;

const MOST_REDIRECTS = 5;

/** Those that keep the method and the body (RFC 9110, 15.4), and all of them. */
const SAME_AGAIN = [307, 308];
const REDIRECTS = [301, 302, 303, ...SAME_AGAIN];

/** No body takes longer, however steadily it drips. */
const LONGEST_BODY_MS = 30 * 60_000;

/**
 * The way to the service of an account: over its pool, behind the host's egress rules, within the deadlines, ended by
 * the signal. Follows a redirect within the same origin, that of a search where it says to send the same again; any other
 * is an answer like every other.
 */
export function openTransport(account: Account, surroundings: Surroundings): Transport {
	const base = new URL(checkBaseUrl(account.baseUrl));
	const { timeoutMs, signal, lookup, connections, sent: tell, clock = systemClock } = surroundings;
	const { ignoreSslIssues, caCertificate } = account;
	const basePath = base.pathname.replace(/\/$/, '');
	const accountSecrets = secretsOf(account);
	/** With those of the token that was sent last: to code it for each answer anew would cost as much as a small answer. */
	let known: { token?: string; secrets: readonly string[] } = { secrets: accountSecrets };
	const secretsWith = (token: string | undefined): readonly string[] => {
		if (token === undefined) return accountSecrets;
		if (token !== known.token) known = { token, secrets: [...tokenSecrets(token), ...accountSecrets] };
		return known.secrets;
	};
	const asError = (error: unknown, hasBegun = false) =>
		signal?.aborted ? cancelled() : transportError(error, base.host, { hasBegun, proxy: proxyOf(base) });
	let allowed: Promise<void> | undefined;

	const sendOnce = async (
		dispatcher: Dispatcher,
		{ method, headers, body }: HttpRequest,
		path: string,
		token?: string,
	) => {
		throwIfCancelled(signal);
		const stop = new AbortController();
		const stopped = () => stop.abort(cancelled());
		signal?.addEventListener('abort', stopped, { once: true });
		try {
			tell?.(method);
			const answering = dispatcher.request({
				origin: base.origin,
				path,
				method,
				headers: {
					'accept-encoding': 'identity',
					'user-agent': 'n8n-nodes-parcel-document-exchange',
					// A gateway may keep answers: papers change, and tokens are of one account.
					'cache-control': 'no-cache',
					...(token !== undefined && { authorization: `Bearer ${token}` }),
					...headers,
				},
				body,
				headersTimeout: timeoutMs,
				bodyTimeout: timeoutMs,
				signal: stop.signal,
			});
			// A request that waits for a free connection does not look at its signal before it gets one.
			const answer = await unlessCancelled(answering, signal);
			const over = bodyInTime(clock, answer.body, base.host).then(() =>
				signal?.removeEventListener('abort', stopped),
			);
			return { ...answer, over, token };
		} catch (error) {
			signal?.removeEventListener('abort', stopped);
			// Where a token came from, HTTP is spoken: a broken head is what came too much behind an answer before.
			throw asError(error, token !== undefined);
		}
	};

	/** When a connection is free, which it is again when the answer has come. */
	const inTurn = async (request: HttpRequest, path: string) => {
		throwIfCancelled(signal);
		const settings = { origin: base.origin, connections, ignoreSslIssues, caCertificate, lookup };
		const { dispatcher, turns } = await wayTo(settings);
		const tokenOf = request.token;
		if (!tokenOf) return await sendOnce(dispatcher, request, path);
		const answer = new Promise<Awaited<ReturnType<typeof sendOnce>>>((resolve, reject) => {
			const turn = turns.use(signal, async () => {
				if (request.isWanted?.() === false) throw cancelled();
				const sent = await sendOnce(dispatcher, request, path, await tokenOf());
				resolve(sent);
				await sent.over;
			});
			turn.catch(reject);
		});
		return await unlessCancelled(answer, signal);
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
			const { statusCode: status, headers: sent, body, token } = await inTurn(request, path);
			const headers = eachOnce(sent);
			const followed = request.method === 'GET' ? REDIRECTS : SAME_AGAIN;
			const next = followed.includes(status) ? sameOriginTarget(headers, base.origin, path) : undefined;
			if (next === undefined || redirects === MOST_REDIRECTS) {
				const broken = (error: unknown) => asError(error, true);
				const secrets = secretsWith(token);
				return { status, headers, body, redirected: redirects > 0, timeoutMs, secrets, asError: broken };
			}
			body.destroy();
			path = next;
		}
	};
}

/** The host of the proxy that may lead there, without its login. */
function proxyOf({ protocol }: URL): string | undefined {
	return proxyHost(proxySettings(protocol));
}

/** Ends a body that takes too long. Resolves when it is over, however that came. */
async function bodyInTime(clock: Clock, body: Readable, host: string): Promise<void> {
	// An error is for who reads the body; a body that nobody reads any more must not end the process.
	body.on('error', () => undefined);
	const over = finished(body, { writable: false }).catch(() => undefined);
	await within(clock, LONGEST_BODY_MS, over, () => tooSlow(host)).catch((error: Error) =>
		body.destroy(error),
	);
}

function tooSlow(host: string): ServiceError {
	return new ServiceError('timeout', `The answer of ${host} took more than half an hour.`, {
		remedy: 'Try again. If it stays, ask who looks after the network: the answer comes too slowly.',
	});
}

/** Asks the host whether the address may be used. It may look up names for that, so it has the same deadline as a call. */
async function checkAllowed(
	base: URL,
	{ refuseUrl, timeoutMs, clock = systemClock }: Surroundings,
): Promise<void> {
	if (!refuseUrl) return;
	const late = () =>
		new ServiceError('timeout', `The check of the address ${base.origin} took too long.`, {
			remedy:
				'Try again in a moment. If it stays, ask the administrator of n8n whether its machine can look up this host name.',
		});
	const reason = await within(clock, timeoutMs, refuseUrl(base.href), late).catch((error: unknown) => {
		throw transportError(error, base.host);
	});
	if (reason === undefined) return;
	throw new ServiceError('invalidInput', `The address ${base.origin} may not be used: ${reason}`, {
		remedy: 'Check the base URL and the allowed domains in the credential, or ask the administrator of n8n.',
	});
}

/** Headers that say one thing: of several, the first counts, as for Node's own client. */
const SINGLE: ReadonlySet<string> = new Set(['content-type', 'date', 'location', 'retry-after']);

/** A header that came several times, which undici hands on as a list: all others are lists, in one line or in several. */
function eachOnce(headers: IncomingHttpHeaders): IncomingHttpHeaders {
	const entries = Object.entries(headers as Record<string, string | string[] | undefined>);
	return Object.fromEntries(
		entries.map(([name, value]) => {
			if (!Array.isArray(value)) return [name, value];
			return [name, SINGLE.has(name) ? value[0] : value.join(', ')];
		}),
	);
}

/** The path that a redirect points to, when it stays where it is; undefined for anything else. */
function sameOriginTarget(
	{ location }: IncomingHttpHeaders,
	origin: string,
	path: string,
): string | undefined {
	if (location === undefined) return undefined;
	try {
		const target = new URL(location, origin + path);
		return target.origin === origin ? target.pathname + target.search : undefined;
	} catch {
		return undefined;
	}
}
