import * as z from 'zod';
import { asRow, shownText } from './set';

/** A party of a list, as it came: an odd one hides nothing. */
export type Party = Record<string, unknown>;

/**
 * What makes an entry a party (interface, 2.2 and 2.3). Nothing else is relied on: fields we do not know, a customer's
 * signature templates among them, reach the user untouched.
 */
export const PartyWithId = z.looseObject({ customerId: z.string() });

/** An entry of a list. What is no party at all is one without an id, called what it says: passed over, nobody would know. */
export function asParty(entry: unknown): Party {
	return asRow(entry) ?? { customerName: entry };
}

/** The id of a party, null for one that has none that could be used. */
export function partyId({ customerId }: Party): string | null {
	return typeof customerId === 'string' && customerId.trim() !== '' ? customerId : null;
}

/** The name of a party, empty when it has none. */
export function partyName({ customerName }: Party): string {
	return shownText(customerName) ?? '';
}

/**
 * One party of all entries that carry its id: with the signature templates of each, since none may be left out. Its other
 * fields are those of the first.
 */
export function mergedParty(entries: readonly [Party, ...Party[]]): Party {
	const [first, ...others] = entries;
	const templates = ({ signatures }: Party) => (Array.isArray(signatures) ? (signatures as unknown[]) : []);
	const known = new Set(templates(first).map((template) => JSON.stringify(template)));
	const more = others.flatMap(templates).filter((template) => {
		const key = JSON.stringify(template);
		return !known.has(key) && known.add(key);
	});
	return more.length > 0 ? { ...first, signatures: [...templates(first), ...more] } : first;
}
