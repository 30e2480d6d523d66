import type { ICredentialDataDecryptedObject, IHttpRequestHelper, IHttpRequestOptions } from 'n8n-workflow';
import type { Readable } from 'node:stream';
import type { Send } from '../service/api/login';
import { checkBaseUrl } from '../service/api/baseUrl';
import { transportError } from '../service/api/transportError';
import { ServiceError } from '../service/errors';
import { systemClock, within } from '../service/surroundings';
import { trustedAuthorities } from '../service/model/authorities';

const LOGIN_TIMEOUT_MS = 60_000;

function tooLate(): Error {
	return Object.assign(new Error('The login took too long'), { code: 'UND_ERR_BODY_TIMEOUT' });
}

/** The client's way to send, by the request helper of n8n: its proxy, its protection and its log are obeyed. */
export function sendWith(
	helpers: IHttpRequestHelper['helpers'],
	credentials: ICredentialDataDecryptedObject,
	secrets: readonly string[],
): Send {
	return async ({ url, headers }) => {
		const asError = (error: unknown) => transportError(error, new URL(url).host);
		const options: IHttpRequestOptions = {
			url,
			headers: { ...headers, 'cache-control': 'no-cache' },
			method: 'GET',
			timeout: LOGIN_TIMEOUT_MS,
			// Of a text or JSON, n8n holds all that comes, unpacked, before it hands it on.
			encoding: 'stream',
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			disableFollowRedirect: true,
		};
		try {
			const answering = helpers.httpRequest({ ...options, ...tlsOptions(credentials, options) });
			const answer = (await within(systemClock, LOGIN_TIMEOUT_MS, answering, tooLate)) as {
				statusCode: number;
				headers: Record<string, string>;
				body: Readable;
			};
			return {
				status: answer.statusCode,
				headers: answer.headers,
				body: answer.body,
				redirected: false,
				timeoutMs: LOGIN_TIMEOUT_MS,
				secrets,
				asError,
			};
		} catch (error) {
			throw asError(error);
		}
	};
}

/**
 * Keeps the token from every other server: whoever types the address of a call in HTTP Request may mistype it, or take it
 * from an item that somebody else wrote.
 *
 * @param options in n8n's newer or older form: the address stands under another name in each
 * @throws ServiceError `invalidInput` naming both servers
 */
export function refuseOtherOrigins(options: IHttpRequestOptions, baseUrl: string): void {
	const { url, baseURL, uri }: Addresses = options;
	const ours = checkBaseUrl(baseUrl);
	const { origin } = new URL(ours);
	const base = String(baseURL ?? '');
	const called = [url, uri].filter((address) => address !== undefined && address !== null).map(String);
	for (const address of called.length > 0 ? called : [base]) {
		const to = originOf(address, base || undefined);
		if (to === origin) continue;
		throw new ServiceError(
			'invalidInput',
			to === undefined
				? 'The URL of this call is not complete.'
				: `This account is for ${origin}, and the call goes to ${to}: it was not made.`,
			{ remedy: `Begin the URL with ${ours}, or choose another account for this call.` },
		);
	}
}

/** Where a request may name its address: n8n's own requests, and the older form of its HTTP Request node. */
interface Addresses {
	url?: unknown;
	baseURL?: unknown;
	uri?: unknown;
}

function originOf(address: string, base: string | undefined): string | undefined {
	try {
		return new URL(address, base).origin;
	} catch {
		return undefined;
	}
}

/** How far a certificate is trusted. n8n's HTTP Request node still speaks its older form, where the same wishes have other names. */
export function tlsOptions(
	credentials: ICredentialDataDecryptedObject,
	{ agentOptions }: IHttpRequestOptions,
): Partial<IHttpRequestOptions> & { rejectUnauthorized?: boolean } {
	if (credentials.ignoreSslIssues === true) {
		return { skipSslCertificateValidation: true, rejectUnauthorized: false };
	}
	const pasted = typeof credentials.caCertificate === 'string' ? credentials.caCertificate : '';
	const ca = trustedAuthorities(pasted);
	return ca ? { agentOptions: { ...agentOptions, ca } } : {};
}
