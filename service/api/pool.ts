import { createHash } from 'node:crypto';
import type { LookupFunction } from 'node:net';
import { createSecureContext } from 'node:tls';
import type { Dispatcher, Pool } from 'undici';
import { messageOf, ServiceError } from '../errors';
import { trustedAuthorities } from '../model/authorities';
import { headInTime } from './headDeadline';
import { mendPausedParser } from './pausedParser';
import { proxyHost, proxySettings } from './proxy';
import { Slots } from '../slots';

/** How many connections to a service are open at once unless told otherwise. */
export const CONNECTIONS = 8;

/** The most connections that can be asked for. */
export const MOST_CONNECTIONS = 32;

/** How long the making of a connection may take, TLS included. */
const CONNECT_TIMEOUT_MS = 10_000;

/** An idle connection is kept for so long, or as the service says. */
const KEEP_ALIVE_MS = 30_000;

/** How many pools a process keeps; the one used longest ago is let go when its work is done. */
const LARGEST = 50;

interface PoolSettings {
	/** `https://host:port`. */
	origin: string;
	connections?: number;
	ignoreSslIssues: boolean;
	caCertificate: string;
	lookup?: LookupFunction;
}

/** A way to a service, and the turns on its connections, for who must not wait once he has begun. */
interface Way {
	dispatcher: Dispatcher;
	turns: Slots;
}

interface KeptPool {
	dispatcher: Promise<Dispatcher>;
	turns: Slots;
	/** The newest lookup handed in: the host makes one per call, all of them by the same rules. */
	lookup?: LookupFunction;
}

const pools = new Map<string, KeptPool>();

/**
 * The connections to one service: kept alive and shared by everything in this process that asks for the same address,
 * TLS settings, proxy and number of connections. Calls beyond that number wait for a free connection.
 *
 * @throws ServiceError `invalidInput` when the CA certificate cannot be read
 */
export async function wayTo(settings: PoolSettings): Promise<Way> {
	const key = keyOf(settings);
	const kept = pools.get(key) ?? opened(settings);
	kept.lookup = settings.lookup;
	pools.delete(key);
	pools.set(key, kept);
	if (pools.size > LARGEST) letOldestGo();
	const dispatcher = await kept.dispatcher.catch((error: unknown) => {
		pools.delete(key);
		throw error;
	});
	return { dispatcher, turns: kept.turns };
}

function keyOf({ origin, connections, ignoreSslIssues, caCertificate, lookup }: PoolSettings): string {
	const { proxy, noProxy } = proxySettings(new URL(origin).protocol);
	const parts = [
		origin,
		size(connections),
		ignoreSslIssues,
		caCertificate,
		proxy,
		noProxy,
		lookup !== undefined,
	];
	return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

function size(connections = CONNECTIONS): number {
	return Math.min(MOST_CONNECTIONS, Math.max(1, Math.trunc(connections) || 1));
}

function letOldestGo(): void {
	const [key, kept] = pools.entries().next().value ?? [];
	if (key === undefined) return;
	pools.delete(key);
	kept?.dispatcher.then((dispatcher) => dispatcher.close()).catch(() => undefined);
}

function opened(settings: PoolSettings): KeptPool {
	const kept: KeptPool = {
		dispatcher: open(settings, () => kept.lookup),
		turns: new Slots(size(settings.connections)),
	};
	return kept;
}

async function open(settings: PoolSettings, lookup: () => LookupFunction | undefined): Promise<Dispatcher> {
	const connections = size(settings.connections);
	const tls = tlsOptions(settings);
	const guarded = settings.lookup ? { lookup: guardedLookup(lookup) } : {};
	// At first use: n8n loads every package when it starts, and most starts need no connection.
	const { EnvHttpProxyAgent, errors, Pool } = await import('undici');
	const proxied = proxySettings(new URL(settings.origin).protocol);
	const { proxy, noProxy } = proxied;
	// What undici says of an address that is none is for nobody, and may quote a password.
	proxyHost(proxied);
	const agent = new EnvHttpProxyAgent({
		// One origin, one proxy: undici would fall back from HTTPS_PROXY to HTTP_PROXY, n8n does not.
		httpProxy: proxy,
		httpsProxy: proxy,
		noProxy,
		connections,
		keepAliveTimeout: KEEP_ALIVE_MS,
		connect: { timeout: CONNECT_TIMEOUT_MS, ...guarded, ...tls },
		// Through a proxy: TLS to the service inside the tunnel. The proxy itself is the administrator's choice,
		// so neither our lookup nor the credential's TLS settings apply to it.
		requestTls: { timeout: CONNECT_TIMEOUT_MS, ...tls },
		proxyTls: { timeout: CONNECT_TIMEOUT_MS },
		// Many proxies let CONNECT through for TLS only; plain http goes to them as an ordinary request.
		proxyTunnel: false,
		clientFactory: (origin: URL, options: object): Pool => {
			const proxyPool = new Pool(origin, { ...options, headersTimeout: CONNECT_TIMEOUT_MS });
			const connect = proxyPool.connect.bind(proxyPool) as (
				way: Dispatcher.ConnectOptions,
			) => Promise<Dispatcher.ConnectData>;
			// A proxy that does not answer makes no connection: the service itself was never asked.
			const connectInTime = (way: Dispatcher.ConnectOptions) =>
				connect(way).catch((error: unknown) => {
					if (error instanceof errors.HeadersTimeoutError) throw new errors.ConnectTimeoutError();
					const isTold =
						error instanceof errors.ConnectTimeoutError || error instanceof errors.RequestAbortedError;
					throw isTold || isUnreached(error) ? error : notConnected(origin, messageOf(error));
				});
			return Object.assign(proxyPool, { connect: connectInTime });
		},
		factory: (origin: string | URL, options: object): Pool =>
			new Pool(origin, { ...options, connections }).on('connect', (_origin, [, client]) => {
				if (client) mendPausedParser(client);
			}),
	});
	return agent.compose(headInTime(errors.HeadersTimeoutError));
}

/** Whether Node says that there is no connection to a host. */
function isUnreached(error: unknown): boolean {
	return ['connect', 'getaddrinfo'].includes(String(Object(error).syscall));
}

/**
 * Whatever else goes wrong between us and a proxy: that it could not be reached, as Node would say it. Otherwise it would
 * be told of the service; and where a connection to a proxy has closed, undici makes it anew at once, without end.
 */
function notConnected({ port, protocol }: URL, message: string): Error {
	const told = { code: 'ECONNRESET', syscall: 'connect', port: port || (protocol === 'https:' ? 443 : 80) };
	return Object.assign(new Error(message), told);
}

function tlsOptions({ ignoreSslIssues, caCertificate }: PoolSettings): object {
	const ca = trustedAuthorities(caCertificate);
	return {
		rejectUnauthorized: !ignoreSslIssues,
		// Made once: reading all authorities again for every connection would cost more than the handshake.
		...(ca ? { secureContext: createSecureContext({ ca }) } : {}),
	};
}

/** An address that the host's protection refuses is not a lost connection: nothing would change by trying again. */
function guardedLookup(lookup: () => LookupFunction | undefined): LookupFunction {
	return (hostname, options, callback) => {
		const answer: typeof callback = (error, ...rest) => callback(error && asRefusal(error), ...rest);
		lookup()?.(hostname, options, answer);
	};
}

function asRefusal(error: NodeJS.ErrnoException): NodeJS.ErrnoException {
	if (error.code !== undefined) return error;
	return new ServiceError('invalidInput', `n8n does not allow this address: ${messageOf(error)}`, {
		remedy: 'Ask the administrator of n8n to allow the host, or check the base URL in the credential.',
		cause: error,
	});
}
