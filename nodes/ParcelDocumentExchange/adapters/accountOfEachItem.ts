import type { IExecuteFunctions } from 'n8n-workflow';
import { isDeepStrictEqual } from 'node:util';
import { API_CREDENTIAL } from './credentials';

/**
 * Whether the account depends on the input item: fields of a credential may be expressions, and n8n resolves them for the
 * item that is named. Asked for three places, one of them behind the last item, where no expression finds an item: n8n
 * reads and decrypts the credential each time, which 500 items that share one need not wait for.
 */
export async function isAccountOfEachItem(context: IExecuteFunctions): Promise<boolean> {
	if (!context.getNode().credentials?.[API_CREDENTIAL]) return false;
	const count = context.getInputData().length;
	const [first, last, beyond] = await Promise.all(
		[0, count - 1, count].map((place) => accountAt(context, place)),
	);
	return !isDeepStrictEqual(first, last) || !isDeepStrictEqual(first, beyond);
}

/** Undefined where it cannot be had: whoever needs it says why. */
async function accountAt(context: IExecuteFunctions, itemIndex: number): Promise<object | undefined> {
	try {
		return await context.getCredentials(API_CREDENTIAL, itemIndex);
	} catch {
		return undefined;
	}
}
