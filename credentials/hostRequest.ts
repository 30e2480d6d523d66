import type { ICredentialDataDecryptedObject, IHttpRequestHelper, IHttpRequestOptions } from 'n8n-workflow';
import { Readable } from 'node:stream';
import type { Send } from '../service/api/login';
import { transportError } from '../service/api/transportError';
import { trustedAuthorities } from '../service/model/authorities';

const LOGIN_TIMEOUT_MS = 60_000;

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
			headers,
			method: 'GET',
			timeout: LOGIN_TIMEOUT_MS,
			encoding: 'text',
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			disableFollowRedirect: true,
		};
		try {
			const answer = (await helpers.httpRequest({ ...options, ...tlsOptions(credentials, options) })) as {
				statusCode: number;
				headers: Record<string, string>;
				body: unknown;
			};
			const text = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body ?? '');
			return {
				status: answer.statusCode,
				headers: answer.headers,
				body: Readable.from([Buffer.from(text)]),
				redirected: false,
				secrets,
				asError,
			};
		} catch (error) {
			throw asError(error);
		}
	};
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
