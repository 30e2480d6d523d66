import type { Client } from '../../../service/api/client';
import { folded } from '../../../service/model/folded';
import { grouped } from '../../../service/model/grouped';
import { partyId, partyName } from '../../../service/model/party';

/**
 * The companies that the service knows, by each of their names and IDs: all words for those that are called so. Empty where
 * the service does not tell.
 */
export type Companies = ReadonlyMap<string, ReadonlyArray<readonly string[]>>;

/** Shorter names stand in any row, by chance. */
const SHORTEST = 4;

/** What is read here is evidence beside other, for which nobody waits long, or for a service that asks for a rest. */
const IN_HASTE = { timeoutSeconds: 10, tries: 1 };

/** One after the other: where the first fails, nothing is left to wait for. */
export async function companiesOf(
	clientOf: (settings: typeof IN_HASTE) => Promise<Client>,
): Promise<Companies> {
	try {
		const client = await clientOf(IN_HASTE);
		const parties = [
			...(await client.customers({ partIsFine: true })),
			...(await client.counterparties({ partIsFine: true })),
		];
		return grouped(
			parties
				.map((party) => [partyName(party), partyId(party) ?? ''].map(folded))
				.map((words) => words.filter((word) => word.length >= SHORTEST))
				.flatMap((words) => words.map((word) => [word, words] as const)),
		);
	} catch {
		return new Map();
	}
}
