import { waitUntil } from '../process/waitUntil';
import type { CredentialValues } from './credentials';
import { OF_ITS_OWN } from './rest';
import type { WorkflowJson } from './workflows';

/** An n8n that cannot be used as it is: one sentence that says what is wrong and what to do. */
export class UnusableN8n extends Error {
	override name = 'UnusableN8n';
}

/** What n8n lets others do for whom they have a key of: its public API, the same since n8n 1. */
interface PublicApi {
	/**
	 * Whether the key allows what removes again what is made: asked of things that are not there, so that nothing changes.
	 *
	 * @throws UnusableN8n naming what it does not allow
	 */
	needRights(): Promise<void>;
	/** The fields of such accounts; undefined where n8n knows none: a package that is not installed brings none. */
	fieldsOf(type: string): Promise<string[] | undefined>;
	createCredential(name: string, type: string, data: CredentialValues): Promise<{ id: string }>;
	deleteCredential(id: string): Promise<void>;
	createWorkflow(workflow: WorkflowJson): Promise<{ id: string }>;
	/** @returns false where there is no such workflow */
	publishWorkflow(id: string): Promise<boolean>;
	deleteWorkflow(id: string): Promise<void>;
}

/** What the key must be allowed to do, by n8n's own names. */
export const SCOPES = [
	'credential:create',
	'credential:delete',
	'workflow:create',
	'workflow:activate',
	'workflow:deactivate',
	'workflow:delete',
] as const;
type Scope = (typeof SCOPES)[number];

const NOWHERE = 'none';
/** Told before anything is made. What makes something cannot be asked for without making it. */
const ASKED_OF_NOTHING: readonly [Scope, method: string, path: string][] = [
	['workflow:activate', 'POST', `workflows/${NOWHERE}/activate`],
	['workflow:deactivate', 'POST', `workflows/${NOWHERE}/deactivate`],
	['workflow:delete', 'DELETE', `workflows/${NOWHERE}`],
	['credential:delete', 'DELETE', `credentials/${NOWHERE}`],
];

const DEADLINE_MS = 30_000;

/** What can stand in a header. */
const KEY_SIGNS = /^[!-~]+$/;

/** Comes with every n8n. */
const KNOWN_TO_ALL = 'httpBasicAuth';

/**
 * Asks for the interface of a running n8n, and whether the key opens it.
 *
 * @throws UnusableN8n when nothing answers, what answers is no n8n, or it refuses the key
 */
export async function openPublicApi(url: string, apiKey: string): Promise<PublicApi> {
	if (!KEY_SIGNS.test(apiKey)) {
		throw new UnusableN8n(
			'What was given as the API key of n8n is none, by its signs: copy the whole key from n8n, Settings → n8n API.',
		);
	}
	const base = `${url.replace(/\/+$/, '')}/api/v1`;
	const call = async (method: string, path: string, body?: unknown) => {
		const answering = fetch(`${base}/${path}`, {
			method,
			headers: { ...OF_ITS_OWN, 'x-n8n-api-key': apiKey, 'content-type': 'application/json' },
			...(body !== undefined && { body: JSON.stringify(body) }),
			redirect: 'manual',
			signal: AbortSignal.timeout(DEADLINE_MS),
		});
		const response = await answering.catch((error: unknown) => {
			throw new UnusableN8n(unreachable(url, error));
		});
		const text = await response.text();
		if (response.status === 401) {
			throw new UnusableN8n(
				`n8n at ${url} refused the API key: make one in n8n under Settings → n8n API, and pass it in N8N_API_KEY. It ends after some time, unless it was made to last.`,
			);
		}
		return { status: response.status, text };
	};
	const forbidden = (scopes: readonly Scope[]) =>
		new UnusableN8n(
			`The API key of n8n at ${url} may not do ${scopes.map((scope) => `"${scope}"`).join(', ')}: give it ${SCOPES.join(', ')} under Settings → n8n API.`,
		);
	/** The answer's object, or undefined where there is no such thing. */
	const need = async (scope: Scope, method: string, path: string, body?: unknown) => {
		const { status, text } = await call(method, path, body);
		if (status === 404) return undefined;
		if (status === 403) throw forbidden([scope]);
		if (status >= 400) {
			throw new UnusableN8n(`n8n at ${url} answered ${status} to ${method} ${path}: ${messageIn(text)}`);
		}
		return objectIn(text) ?? {};
	};
	const made = async (scope: Scope, path: string, body: unknown) => {
		const { id } = (await need(scope, 'POST', path, body)) ?? {};
		if (typeof id === 'string') return { id };
		throw new UnusableN8n(`n8n at ${url} answered POST ${path} without an ID: is it n8n 1.123 or newer?`);
	};

	const fieldsOf = async (type: string) => {
		const { status, text } = await call('GET', `credentials/schema/${type}`);
		// n8n answers with its editor, and 200, wherever it has nothing else.
		const schema = status === 200 ? objectIn(text) : undefined;
		return { status, fields: schema && Object.keys(schema['properties'] ?? {}) };
	};
	const { status, fields } = await fieldsOf(KNOWN_TO_ALL);
	if (fields === undefined) {
		throw new UnusableN8n(
			`What answers at ${url} has no public API of n8n (it said ${status}): check the address. In n8n, N8N_PUBLIC_API_DISABLED switches it off.`,
		);
	}
	return {
		needRights: async () => {
			const asked = ASKED_OF_NOTHING.map(async ([scope, method, path]) => {
				const { status } = await call(method, path, method === 'POST' ? {} : undefined);
				return status === 403 ? [scope] : [];
			});
			const missing = (await Promise.all(asked)).flat();
			if (missing.length > 0) throw forbidden(missing);
		},
		fieldsOf: async (type) => (await fieldsOf(type)).fields,
		createCredential: (name, type, data) => made('credential:create', 'credentials', { name, type, data }),
		deleteCredential: async (id) => void (await need('credential:delete', 'DELETE', `credentials/${id}`)),
		createWorkflow: ({ name, nodes, connections, settings = {} }) =>
			made('workflow:create', 'workflows', { name, nodes, connections, settings }),
		publishWorkflow: async (id) =>
			(await need('workflow:activate', 'POST', `workflows/${id}/activate`, {})) !== undefined,
		deleteWorkflow: async (id) => {
			// Newer ones delete nothing that is published.
			await need('workflow:deactivate', 'POST', `workflows/${id}/deactivate`, {});
			// n8n unpublishes in the background, and refuses until it is done.
			const isFree = async () => (await call('DELETE', `workflows/${id}`)).status !== 409;
			await waitUntil('n8n unpublishes the workflow', isFree, { deadlineMs: DEADLINE_MS, everyMs: 300 });
			await need('workflow:delete', 'DELETE', `workflows/${id}`);
		},
	};
}

/** Node's codes for certificates that it does not take. */
const CERTIFICATE = /CERT|ALTNAME|UNABLE_TO_VERIFY|CA_|CRL|ISSUER|HOSTNAME/;

function unreachable(url: string, error: unknown): string {
	const { name, cause } = error as { name?: string; cause?: { code?: string } };
	if (name === 'TimeoutError') return `n8n at ${url} did not answer within ${DEADLINE_MS / 1000} seconds.`;
	if (CERTIFICATE.test(cause?.code ?? '')) {
		return `The certificate of n8n at ${url} is not trusted here (${cause?.code}): use its address with http://, or name the authority that made it, NODE_EXTRA_CA_CERTS=/a/file.pem.`;
	}
	const code = cause?.code === undefined ? '' : ` (${cause.code})`;
	return `Nothing answers at ${url}${code}: start n8n first, or check the address.`;
}

/** Undefined for what is no JSON object. */
function objectIn(text: string): Record<string, unknown> | undefined {
	try {
		const value: unknown = JSON.parse(text);
		return value !== null && typeof value === 'object' ? (value as Record<string, unknown>) : undefined;
	} catch {
		return undefined;
	}
}

function messageIn(text: string): string {
	const { message } = objectIn(text) ?? {};
	return (typeof message === 'string' ? message : text).slice(0, 500);
}
