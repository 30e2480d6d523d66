import type { IDataObject } from 'n8n-workflow';
import type { Client } from '../../../service/api/client';
import { ServiceError } from '../../../service/errors';
import { folded } from '../../../service/model/folded';
import { grouped } from '../../../service/model/grouped';
import { mergedParty, partyId, partyName, type Party } from '../../../service/model/party';
import { idKey } from '../../../service/model/set';
import { isBlank } from '../parameters/emptiness';
import type { Operation } from './operation';
import { shortText, unusable } from '../parameters/values';

const MOST_LISTED = 10;

/** The one party of that whole name (interface, 4.2), as the service sent it. */
function partyGet(
	list: (client: Client) => Promise<Party[]>,
	words: { one: string; many: string },
): Operation<string> {
	return {
		read(parameters) {
			const name = shortText(parameters.raw('name'), 'Name');
			if (isBlank(name)) throw unusable('Name', 'is empty', 'Type the whole name of the company.');
			return name;
		},
		async answer(name, work) {
			const parties = await list(await work.client());
			const called = eachOnce(parties.filter((party) => folded(partyName(party)) === folded(name)));
			const [party] = called;
			if (party && called.length === 1) return [{ json: { ...party } as IDataObject }];
			throw party ? several(name, called, words.many) : none(name, parties, words.one);
		},
	};
}

/** A party that stands in the list twice is one. */
function eachOnce(parties: readonly Party[]): Party[] {
	const once = grouped(parties.map((party) => [idKey(partyId(party) ?? JSON.stringify(party)), party]));
	return [...once.values()].map(mergedParty);
}

function none(name: string, parties: readonly Party[], word: string): ServiceError {
	const near = parties
		.map(partyName)
		.filter((other) => other !== '' && folded(other).includes(folded(name)))
		.slice(0, MOST_LISTED);
	const question = near.length > 0 ? ` Did you mean ${near.join(', ')}?` : '';
	return new ServiceError('notFound', `No ${word} is called ${JSON.stringify(name)}`, {
		remedy: `Type the whole name as the service has it; Get Many shows the names.${question}`,
	});
}

function several(name: string, parties: readonly Party[], words: string): ServiceError {
	const ids = parties.slice(0, MOST_LISTED).map((party) => partyId(party) ?? 'without an ID');
	return new ServiceError(
		'invalidInput',
		`${parties.length} ${words} are called ${JSON.stringify(name)}: ${ids.join(', ')}`,
		{ remedy: 'Use the ID of the one you mean, wherever the name was to lead to it.' },
	);
}

export const counterpartyGet = partyGet((client) => client.counterparties(), {
	one: 'counterparty',
	many: 'counterparties',
});
export const customerGet = partyGet((client) => client.customers(), { one: 'customer', many: 'customers' });
