import type { IDataObject } from 'n8n-workflow';
import type { Client } from '../../../service/api/client';
import { folded } from '../../../service/model/folded';
import { partyName, type Party } from '../../../service/model/party';
import { hintAtLimit, readLimit, type Operation } from './operation';

interface PartyRequest {
	limit: number;
	/** Part of the name; empty for all. */
	name: string;
}

/** One item each of a list of parties, as the service sent it. */
function partyGetAll(list: (client: Client) => Promise<Party[]>, words: string): Operation<PartyRequest> {
	return {
		read: (parameters) => ({
			limit: readLimit(parameters),
			name: parameters.filters().text('name') ?? '',
		}),
		async answer({ limit, name }, work) {
			const parties = await list(await work.client());
			const part = folded(name);
			const wanted = parties.filter((party) => folded(partyName(party)).includes(part));
			if (wanted.length === 0) {
				work.hint(
					parties.length === 0
						? `Your account sees no ${words}. Ask the service for access to them.`
						: `None of ${parties.length} ${words} has a name with "${name}". Type less of it, or nothing for all.`,
				);
			}
			if (wanted.length > limit) hintAtLimit(work, limit, `${wanted.length} ${words} match`);
			return wanted.slice(0, limit).map((party) => ({ json: { ...party } as IDataObject }));
		},
	};
}

export const counterpartyGetAll = partyGetAll((client) => client.counterparties(), 'counterparties');
export const customerGetAll = partyGetAll((client) => client.customers(), 'customers');
