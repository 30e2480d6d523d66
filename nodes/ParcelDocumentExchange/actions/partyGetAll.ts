import type { IDataObject } from 'n8n-workflow';
import type { Client } from '../../../service/api/client';
import { partyName, type Party } from '../../../service/model/party';
import { hintAtLimit, readLimit } from './limit';
import type { Operation } from './operation';
import { filterText } from './parameters';

interface PartyRequest {
	limit: number;
	/** Part of the name, lower case; empty for all. */
	name: string;
}

/** One item each of a list of parties, as the service sent it. */
function partyGetAll(list: (client: Client) => Promise<Party[]>, words: string): Operation<PartyRequest> {
	return {
		read: (parameters) => ({
			limit: readLimit(parameters),
			name: filterText(parameters.fields('filters').name, 'Name').toLowerCase(),
		}),
		async answer({ limit, name }, work) {
			const parties = await list(await work.client());
			const wanted = parties.filter((party) => partyName(party).toLowerCase().includes(name));
			if (wanted.length === 0) {
				work.hint(
					parties.length === 0
						? `Your account sees no ${words}.`
						: `None of ${parties.length} ${words} has a name with "${name}".`,
				);
			}
			if (wanted.length > limit) hintAtLimit(work, limit, `${wanted.length} ${words} match`);
			return wanted.slice(0, limit).map((party) => ({ json: { ...party } as IDataObject }));
		},
	};
}

export const counterpartyGetAll = partyGetAll((client) => client.counterparties(), 'counterparties');
export const customerGetAll = partyGetAll((client) => client.customers(), 'customers');
