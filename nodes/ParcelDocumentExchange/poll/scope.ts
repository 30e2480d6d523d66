import type { IPollFunctions } from 'n8n-workflow';
import { API_CREDENTIAL } from '../adapters/credentials';
import { sorted } from './asked';
import { fingerprint } from './fingerprint';
import type { PollSettings } from './settings';

/** Whose sets are looked at, and with which account, as fingerprints. */
export async function scopeOf(
	context: IPollFunctions,
	{ filters }: PollSettings,
): Promise<{ scope: string; account: string }> {
	const { baseUrl, loginStyle, username, password } = await context.getCredentials(API_CREDENTIAL);
	const place = String(baseUrl ?? '')
		.trim()
		.replace(/\/+$/, '');
	const user = String(username ?? '');
	return {
		scope: fingerprint([place, user, sorted(filters)]).slice(0, 16),
		account: fingerprint([place, user, loginStyle, password]),
	};
}
