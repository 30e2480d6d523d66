import { z } from 'zod';
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
