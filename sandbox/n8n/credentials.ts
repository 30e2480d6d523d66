import type { N8nRest } from './rest';

export interface StoredCredential {
	id: string;
	name: string;
	type: string;
}

/** What n8n shows under "Test connection". */
interface CredentialTestResult {
	status: 'OK' | 'Error';
	message: string;
}

export type CredentialValues = Record<string, unknown>;

export function credentialsOf(rest: N8nRest) {
	return {
		create: (name: string, type: string, data: CredentialValues) =>
			rest.send<StoredCredential>('POST', 'credentials', { name, type, data }),
		update: (credential: StoredCredential, data: CredentialValues) =>
			rest.send<StoredCredential>('PATCH', `credentials/${credential.id}`, { ...credential, data }),
		/** "Test connection" in the editor: the stored values, with `changes` typed over them. */
		test: async ({ id, name, type }: StoredCredential, changes: CredentialValues = {}) => {
			// Passwords come as blanks, which n8n replaces by the stored ones again.
			const stored = await rest.get<{ data: CredentialValues }>(`credentials/${id}`, { includeData: 'true' });
			const credentials = { id, name, type, data: { ...stored.data, ...changes } };
			return rest.send<CredentialTestResult>('POST', 'credentials/test', { credentials });
		},
		delete: (id: string) => rest.send('DELETE', `credentials/${id}`),
		list: () => rest.get<StoredCredential[]>('credentials'),
	};
}
