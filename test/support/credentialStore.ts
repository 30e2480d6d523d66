import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type {
	ICredentialDataDecryptedObject,
	ICredentialType,
	IHttpRequestOptions,
	INode,
	RequestHelperFunctions,
} from 'n8n-workflow';

// n8n writes its settings under the home folder unless it is told otherwise before it is loaded.
process.env.N8N_USER_FOLDER ??= mkdtempSync(join(tmpdir(), 'engine-'));

interface StoredCredential {
	/** As it lies in n8n's database: the person's fields and what n8n stored itself. */
	data: ICredentialDataDecryptedObject;
	/** A call as a node makes it with this credential; the HTTP Request node makes the older one. */
	call(options: IHttpRequestOptions): Promise<unknown>;
	callOldStyle(options: object): Promise<unknown>;
}

const node = {
	id: 'node',
	name: 'Node',
	type: 'test.node',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};

/**
 * A credential kept as n8n's server keeps it (n8n: its credentials helper, which no package carries), used by n8n's own
 * request functions: the login runs when no token is stored or a call was refused, and what it gives is stored.
 */
export async function storeCredential(
	type: ICredentialType,
	data: ICredentialDataDecryptedObject,
): Promise<StoredCredential> {
	const { getRequestHelperFunctions } =
		(await import('n8n-core/dist/execution-engine/node-execution-context/utils/request-helpers')) as {
			getRequestHelperFunctions: (...parts: unknown[]) => RequestHelperFunctions;
		};
	const stored: StoredCredential = {
		data,
		call: () => Promise.reject(),
		callOldStyle: () => Promise.reject(),
	};
	const expirable = type.properties.find(({ typeOptions }) => typeOptions?.expirable)?.name ?? '';
	const credentialsHelper = {
		getParentTypes: () => [],
		async preAuthentication(
			helper: { helpers: RequestHelperFunctions },
			credentials: ICredentialDataDecryptedObject,
			_type: string,
			_node: INode,
			expired: boolean,
		) {
			if (credentials[expirable] !== '' && !expired) return undefined;
			const output = await type.preAuthentication?.call(helper, credentials);
			if (output?.[expirable] === undefined) return undefined;
			stored.data = { ...stored.data, ...(output as ICredentialDataDecryptedObject) };
			return { ...credentials, ...output };
		},
		async authenticate(
			credentials: ICredentialDataDecryptedObject,
			_type: string,
			options: IHttpRequestOptions,
		) {
			if (typeof type.authenticate !== 'function') throw new Error('authenticate is a function here');
			return await type.authenticate(credentials, options);
		},
	};
	const helpers = getRequestHelperFunctions({}, node, { credentialsHelper });
	const context = {
		helpers,
		getNode: () => node,
		getCredentials: async () => structuredClone(stored.data),
		logger: { warn() {}, debug() {}, info() {}, error() {} },
	};
	stored.call = (options) => helpers.httpRequestWithAuthentication.call(context as never, type.name, options);
	stored.callOldStyle = (options) =>
		helpers.requestWithAuthentication.call(context as never, type.name, options as never);
	return stored;
}
