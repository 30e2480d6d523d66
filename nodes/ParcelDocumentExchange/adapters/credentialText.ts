import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

/** A text of a credential, empty for none. A password of digits only is a number when an expression gives it. */
export function credentialText(credential: ICredentialDataDecryptedObject, name: string): string {
	const value = credential[name];
	return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
