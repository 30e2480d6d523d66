import type {
	ICredentialDataDecryptedObject,
	IExecuteFunctions,
	ILoadOptionsFunctions,
	IPollFunctions,
} from 'n8n-workflow';
import type { Account } from '../../../service/api/account';
import type { Client, Surroundings } from '../../../service/api/client';
import { credentialText } from './credentialText';
import { egressFilterOf, guardOf } from './egress';

export const API_CREDENTIAL = 'parcelDocumentExchangeApi';

export interface ClientOptions {
	/** The longest silence of the service. */
	timeoutSeconds: number;
	/** How many connections may be open at once. */
	parallelDownloads: number;
	/** Ends every call when it fires; the end of the execution unless told otherwise. */
	signal?: AbortSignal;
	/** Told of each request that is sent. */
	sent?: Surroundings['sent'];
}

type Context = IExecuteFunctions | ILoadOptionsFunctions | IPollFunctions;

/**
 * The client of the account in the node's credential: behind n8n's protection of outgoing connections and the allowed
 * domains of the credential, ended when the execution is stopped. Loads undici and zod, at first use.
 *
 * @throws ServiceError `invalidInput` when the credential cannot be used
 */
export async function clientOf(context: Context, itemIndex: number, options: ClientOptions): Promise<Client> {
	const credential =
		'getExecutionCancelSignal' in context
			? await context.getCredentials(API_CREDENTIAL, itemIndex)
			: await context.getCredentials(API_CREDENTIAL);
	const { openClient } = await import('../../../service/api/client');
	return openClient(accountOf(credential), {
		...guardOf(egressFilterOf(context), credential),
		logger: context.logger,
		signal:
			options.signal ??
			('getExecutionCancelSignal' in context ? context.getExecutionCancelSignal?.() : undefined),
		timeoutMs: options.timeoutSeconds * 1000,
		connections: options.parallelDownloads,
		sent: options.sent,
	});
}

/** The API credential as the client takes it; defaults as on the panel. */
export function accountOf(credential: ICredentialDataDecryptedObject): Account {
	const text = (name: string) => credentialText(credential, name);
	return {
		baseUrl: text('baseUrl'),
		loginStyle: credential.loginStyle === 'headers' ? 'headers' : 'basic',
		username: text('username'),
		password: text('password'),
		ignoreSslIssues: credential.ignoreSslIssues === true,
		caCertificate: text('caCertificate'),
	};
}
