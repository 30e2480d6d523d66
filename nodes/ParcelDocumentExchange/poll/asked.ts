import type { INode, IPollFunctions } from 'n8n-workflow';
import type { SetFilters } from '../../../service/api/client';
import type { Asked } from '../../../service/changes/stored';
import { ServiceError } from '../../../service/errors';
import { API_CREDENTIAL } from '../adapters/credentials';
import { fingerprint } from './fingerprint';
import type { PollSettings } from './settings';

/** What a look asks the service for and compares by itself, as fingerprints. */
export function askedWith({ parameters }: INode, { filters, compared }: PollSettings): Asked {
	const typed = JSON.stringify(parameters['filters'] ?? null);
	return {
		typed: fingerprint([typed]).slice(0, 16),
		sent: fingerprint([sorted(filters)]).slice(0, 16),
		compared: fingerprint([compared.texts]).slice(0, 16),
		byExpression: typed.includes(EXPRESSION),
	};
}

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

/** The same customers in another order are the same question. */
function sorted(filters: SetFilters): SetFilters {
	const { customerIds } = filters;
	return customerIds ? { ...filters, customerIds: [...customerIds].sort() } : filters;
}

/** A value that n8n works out for each look. */
const EXPRESSION = '"=';

/** Whether the sets that are looked for may be others than before: somebody edited the filters, or an expression compares them with something else. */
export function looksForOthers(before: Asked | undefined, now: Asked): boolean {
	return before !== undefined && (before.typed !== now.typed || before.compared !== now.compared);
}

/**
 * The error for filters that ask for something else though nobody has edited them, through an expression such as the
 * time: lists of two questions cannot be compared.
 */
export function movedByItself(before: Asked | undefined, now: Asked): ServiceError | undefined {
	const isMoved = before?.typed === now.typed && before.sent !== now.sent;
	if (!isMoved || !now.byExpression) return undefined;
	return new ServiceError(
		'invalidInput',
		'An expression in the filters asks the service for other sets than in the look before.',
		{
			remedy:
				'What changed between the two looks starts no run, since their lists cannot be compared: look it up in the service. Give the filters fixed values, and compare dates in a step behind this one.',
		},
	);
}
