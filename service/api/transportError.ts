import { isServiceError, ServiceError, messageOf } from '../errors';
import { responseError } from './responseError';

const SILENCE = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT']);
const NO_ANSWER = new Set(['UND_ERR_CONNECT_TIMEOUT', 'ETIMEDOUT']);
const NO_HOST = new Set(['ENOTFOUND', 'EAI_AGAIN', 'EAI_NODATA']);
const NO_LISTENER = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH']);

/** undici's words; that for a status that there is none of, such as 099, is a failed assertion. */
const NO_HTTP = new Set(['UND_ERR_HEADERS_OVERFLOW', 'ERR_ASSERTION']);

const CERTIFICATE = new Set([
	'CERT_HAS_EXPIRED',
	'CERT_NOT_YET_VALID',
	'CERT_REJECTED',
	'CERT_REVOKED',
	'CERT_SIGNATURE_FAILURE',
	'CERT_UNTRUSTED',
	'CERT_CHAIN_TOO_LONG',
	'DEPTH_ZERO_SELF_SIGNED_CERT',
	'ERR_TLS_CERT_ALTNAME_INVALID',
	'HOSTNAME_MISMATCH',
	'INVALID_CA',
	'INVALID_PURPOSE',
	'PATH_LENGTH_EXCEEDED',
	'SELF_SIGNED_CERT_IN_CHAIN',
	'UNABLE_TO_GET_ISSUER_CERT',
	'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
	'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

const CERTIFICATE_WORDS: Record<string, string> = {
	CERT_HAS_EXPIRED: 'has expired',
	CERT_NOT_YET_VALID: 'is not valid yet',
	DEPTH_ZERO_SELF_SIGNED_CERT: 'is self-signed',
	ERR_TLS_CERT_ALTNAME_INVALID: 'is for another host name',
	SELF_SIGNED_CERT_IN_CHAIN: 'comes from an authority this machine does not know',
	UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'comes from an authority this machine does not know',
	UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'comes from an authority this machine does not know',
};

const OUT_OF_DATE =
	'Tell the service: it has to renew its certificate. And check the clock of the machine that n8n runs on.';

const CERTIFICATE_REMEDIES: Record<string, string> = {
	CERT_HAS_EXPIRED: OUT_OF_DATE,
	CERT_NOT_YET_VALID: OUT_OF_DATE,
	DEPTH_ZERO_SELF_SIGNED_CERT:
		'Ask the service for this certificate and paste it in CA Certificate in the credential. Ignoring the problem is possible too, and unsafe.',
	ERR_TLS_CERT_ALTNAME_INVALID: 'Use the host name that the certificate is for as the base URL.',
};

const OTHER_CERTIFICATE_REMEDY =
	'Ask the service for its CA certificate and paste it in the credential. Ignoring the problem is possible too, and unsafe.';

/** How far a transfer came, and over what. */
interface WayThere {
	/** Whether the other side has spoken HTTP before: what breaks then is the transfer. */
	hasBegun?: boolean;
	/** The host and port of a proxy that n8n may go through. */
	proxy?: string;
}

/**
 * The one way from a failed transfer (Node's and undici's errors) to an error of ours. Our own errors pass unchanged.
 *
 * @param host the host and port of the service, for the message
 */
export function transportError(
	error: unknown,
	host: string,
	{ hasBegun = false, proxy }: WayThere = {},
): ServiceError {
	if (isServiceError(error)) return error;
	const code = codeOf(error);
	if (proxy !== undefined && isOfProxy(error, host, proxy)) return proxyAway(proxy, error);
	if (CERTIFICATE.has(code)) return certificateError(code, host, error);
	if (SILENCE.has(code)) {
		return new ServiceError('timeout', `${host} was silent for too long.`, {
			remedy: 'Try again. In a node, Timeout in its options allows more time.',
			cause: error,
		});
	}
	if (NO_ANSWER.has(code)) {
		return new ServiceError('timeout', `Nothing answers at ${host}.`, {
			remedy: `Check the host and the port of the base URL, and whether a firewall${proxy === undefined ? '' : ` or the proxy ${proxy}`} is in the way.`,
			cause: error,
		});
	}
	if (NO_HOST.has(code)) {
		return new ServiceError('network', `There is no host called ${host}.`, {
			remedy: 'Check the base URL in the credential for typing mistakes.',
			cause: error,
		});
	}
	if (NO_LISTENER.has(code)) {
		return new ServiceError('network', `Nothing listens at ${host}.`, {
			remedy: 'Check the host and the port of the base URL in the credential.',
			cause: error,
		});
	}
	const refusal = PROXY_REFUSED.exec(messageOf(error))?.[1];
	if (refusal !== undefined) return refusedByProxy(Number(refusal), host);
	if (code === 'EPROTO' || code.startsWith('ERR_SSL_')) {
		return new ServiceError('network', `No secure connection to ${host} could be made.`, {
			remedy: 'If the service has no TLS at this port, the base URL begins with http:// and not https://.',
			cause: error,
		});
	}
	if (INTERIM.test(messageOf(error))) {
		return new ServiceError('network', `${host} sent an HTTP 100 or 101 that nobody asked for.`, {
			remedy: 'Try again. If it stays, ask who runs the gateway in front of the service to switch that off.',
			cause: error,
		});
	}
	if (nameOf(error) === 'HTTPParserError' || NO_HTTP.has(code)) {
		// Without its cause: that one carries the bytes that came.
		if (hasBegun) return lost(host, messageOf(error));
		return new ServiceError('unexpectedResponse', `What answers at ${host} does not speak HTTP.`, {
			remedy: 'Check the base URL: http:// or https://, the host and the port.',
		});
	}
	// A compressed body that ends too early is a cut transfer, one that cannot be read is the wrong answer.
	if (code === 'Z_BUF_ERROR') return lost(host, error);
	if (code.startsWith('Z_')) {
		return new ServiceError('unexpectedResponse', 'The compressed answer cannot be read.', {
			remedy: 'A gateway between n8n and the service may do this. Ask who runs it.',
			cause: error,
		});
	}
	return lost(host, error);
}

/** What undici says of an HTTP 100 or 101; of one that names no other protocol, a failed assertion. */
const INTERIM = /\bbad (response|upgrade)$|\bassert\(upgrade\)/;

/** What undici says when a proxy wants a login, and when it does not open the way to a host with TLS. */
const PROXY_REFUSED = /^Proxy (?:Authentication Required|response) \((\d+)\)/;

function refusedByProxy(status: number, host: string): ServiceError {
	if (status === 407) return responseError({ status, headers: {}, secrets: [] }, '');
	return new ServiceError(
		status >= 500 ? 'network' : 'rejected',
		`The proxy on the way makes no connection to ${host} (HTTP ${status}).`,
		{ remedy: 'Ask who runs the proxy whether n8n may reach this host, or name the host in NO_PROXY.' },
	);
}

/** Whether it was the proxy that could not be reached, as Node tells of a connection that was not made. */
function isOfProxy(error: unknown, host: string, proxy: string): boolean {
	const [service, ofProxy] = [host, proxy].map((name) => new URL(`http://${name}`));
	const { syscall, hostname, port } = Object(error) as Record<string, unknown>;
	if (syscall === 'getaddrinfo') return hostname === ofProxy?.hostname && hostname !== service?.hostname;
	return syscall === 'connect' && String(port) === (ofProxy?.port || '80') && ofProxy?.port !== service?.port;
}

function proxyAway(proxy: string, cause: unknown): ServiceError {
	return new ServiceError('network', `The proxy ${proxy}, which n8n goes through, cannot be reached.`, {
		remedy:
			'Ask the administrator of n8n whether it is up, whether HTTPS_PROXY or HTTP_PROXY names it rightly, and where that begins with https://, whether n8n trusts its certificate (NODE_EXTRA_CA_CERTS).',
		cause,
	});
}

function lost(host: string, cause: unknown): ServiceError {
	return new ServiceError('network', `The connection to ${host} was lost (${messageOf(cause)}).`, {
		remedy:
			'Try again. If it stays, check whether the base URL must begin with https://, and the network between n8n and the service.',
		cause,
	});
}

function certificateError(code: string, host: string, cause: unknown): ServiceError {
	const why = CERTIFICATE_WORDS[code] ?? `cannot be trusted (${code})`;
	return new ServiceError('certificate', `The certificate of ${host} ${why}.`, {
		remedy: CERTIFICATE_REMEDIES[code] ?? OTHER_CERTIFICATE_REMEDY,
		cause,
	});
}

function nameOf(error: unknown): string {
	return error instanceof Error ? error.name : '';
}

/** The code of an error, or of what it was caused by: undici wraps some of Node's. */
function codeOf(error: unknown, depth = 3): string {
	if (typeof error !== 'object' || error === null || depth === 0) return '';
	const { code, cause } = error as { code?: unknown; cause?: unknown };
	const inner = codeOf(cause, depth - 1);
	return inner !== '' ? inner : typeof code === 'string' ? code : '';
}
