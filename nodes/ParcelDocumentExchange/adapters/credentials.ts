import { isDeepStrictEqual } from 'node:util';
import type {
	ICredentialDataDecryptedObject,
	IExecuteFunctions,
	ILoadOptionsFunctions,
	IPollFunctions,
	ITriggerFunctions,
} from 'n8n-workflow';
import type { Account } from '../../../service/api/account';
import type { Client, Surroundings } from '../../../service/api/client';
import { egressFilterOf, guardOf } from './egress';

export const API_CREDENTIAL = 'parcelDocumentExchangeApi';

export interface ClientOptions {
	/** The longest silence of the service. */
	timeoutSeconds: number;
	/** How many connections may be open at once. */
	parallelDownloads: number;
	/** How often a call is tried at most. */
	tries?: number;
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
	const credential = await credentialAt(context, API_CREDENTIAL, itemIndex);
	const { openClient } = await import('../../../service/api/client');
	return openClient(accountOf(credential), {
		...guardOf(egressFilterOf(context), credential),
		logger: context.logger,
		signal:
			options.signal ??
			('getExecutionCancelSignal' in context ? context.getExecutionCancelSignal?.() : undefined),
		timeoutMs: options.timeoutSeconds * 1000,
		connections: options.parallelDownloads,
		tries: options.tries,
		sent: options.sent,
	});
}

/** A credential of the node from n8n's store. Where there are items, its fields may be expressions that go by the item. */
export async function credentialAt(
	context: Context | ITriggerFunctions,
	credential: string,
	itemIndex: number,
): Promise<ICredentialDataDecryptedObject> {
	return 'getExecutionCancelSignal' in context
		? await context.getCredentials(credential, itemIndex)
		: await context.getCredentials(credential);
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

/** A text of a credential, empty for none. A password of digits only is a number when an expression gives it. */
export function credentialText(credential: ICredentialDataDecryptedObject, name: string): string {
	const value = credential[name];
	return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** n8n reads and decrypts the credential each time, which 500 items that share one need not wait for. */
const MOST_ASKED = 10;

/**
 * Whether the account depends on the input item: fields of a credential may be expressions, and n8n resolves them for the
 * item that is named. Asked for the first items, the last one, and the place behind it, where expressions find no item;
 * some have an answer there all the same.
 */
export async function isAccountOfEachItem(
	context: IExecuteFunctions,
	credential = API_CREDENTIAL,
): Promise<boolean> {
	if (!context.getNode().credentials?.[credential]) return false;
	const count = context.getInputData().length;
	const places = Array.from({ length: Math.min(MOST_ASKED, count - 1) }, (_, place) => place);
	const [first, ...others] = await Promise.all(
		[...places, count - 1, count].map((place) => accountAt(context, credential, place)),
	);
	return others.some((other) => !isDeepStrictEqual(first, other));
}

/** Undefined where it cannot be had: whoever needs it says why. */
async function accountAt(
	context: IExecuteFunctions,
	credential: string,
	itemIndex: number,
): Promise<object | undefined> {
	try {
		return await context.getCredentials(credential, itemIndex);
	} catch {
		return undefined;
	}
}
