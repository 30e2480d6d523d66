import type { IExecuteFunctions } from 'n8n-workflow';
import { isDeepStrictEqual } from 'node:util';
import { API_CREDENTIAL } from './credentials';

/** n8n reads and decrypts the credential each time, which 500 items that share one need not wait for. */
const MOST_ASKED = 10;

/**
 * Whether the account depends on the input item: fields of a credential may be expressions, and n8n resolves them for the
 * item that is named. Asked for the first items, the last one, and the place behind it, where expressions find no item;
 * some have an answer there all the same.
 */
export async function isAccountOfEachItem(context: IExecuteFunctions): Promise<boolean> {
	if (!context.getNode().credentials?.[API_CREDENTIAL]) return false;
	const count = context.getInputData().length;
	const places = Array.from({ length: Math.min(MOST_ASKED, count - 1) }, (_, place) => place);
	const [first, ...others] = await Promise.all(
		[...places, count - 1, count].map((place) => accountAt(context, place)),
	);
	return others.some((other) => !isDeepStrictEqual(first, other));
}

/** Undefined where it cannot be had: whoever needs it says why. */
async function accountAt(context: IExecuteFunctions, itemIndex: number): Promise<object | undefined> {
	try {
		return await context.getCredentials(API_CREDENTIAL, itemIndex);
	} catch {
		return undefined;
	}
}
