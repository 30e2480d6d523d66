import type { Paging, SetFilters } from '../../../service/api/client';
import { ServiceError } from '../../../service/errors';
import { folded } from '../../../service/model/folded';
import { idKey, isSet, shownText, type SetResult, type SetRow } from '../../../service/model/set';
import type { Work } from './operation';

/** Sets that an error lists. */
const MOST_LISTED = 10;

/**
 * The id of the one set with that reference, capitals and blanks aside: of the shipment, which the service searches by,
 * or of the parcel, for which the whole list is read.
 *
 * @throws ServiceError `notFound` for none, `invalidInput` that lists them for several, and what the search throws
 */
export async function setIdByReference(
	reference: string,
	filters: SetFilters,
	paging: Paging,
	work: Work,
): Promise<string> {
	const client = await work.client();
	const wanted = folded(reference);
	const isCalled = (set: SetRow) =>
		[set.shipmentRef, set.parcelRef].some((name) => folded(shownText(name) ?? '') === wanted);
	const matching = async (narrowed: SetFilters) => {
		const found = new Map<string, SetResult>();
		const onDoubt = (sentence: string) => {
			throw doubtful(reference, sentence);
		};
		for await (const page of client.searchSets(narrowed, { ...paging, onDoubt })) {
			for (const set of page.filter(isCalled)) {
				// One that cannot be had may be the one that is meant.
				if (!isSet(set)) throw withoutId(reference);
				found.set(idKey(set.setId), set);
			}
		}
		return [...found.values()];
	};
	// Both, since one text can be the shipment reference of one set and the parcel reference of another.
	const [ofShipment, ofAll] = [
		await matching({ ...filters, shipmentRef: reference }),
		await matching(filters),
	];
	const sets = [...new Map([...ofShipment, ...ofAll].map((set) => [idKey(set.setId), set])).values()];
	const [set] = sets;
	if (set && sets.length === 1) return set.setId;
	throw set ? several(reference, sets) : none(reference);
}

function withoutId(reference: string): ServiceError {
	return new ServiceError(
		'unexpectedResponse',
		`The service shows a set with the reference ${JSON.stringify(reference)} that has no ID`,
		{ remedy: 'Try again later. If it stays, tell the service, and use the ID of the set you mean.' },
	);
}

/** What does not show may be another set of that reference, or the one that is meant. */
function doubtful(reference: string, doubt: string): ServiceError {
	return new ServiceError(
		'unexpectedResponse',
		`Which set has the reference ${JSON.stringify(reference)} is not certain. ${doubt}`,
		{ remedy: 'Try again in a moment. If it stays, use the ID of the set in place of its reference.' },
	);
}

function none(reference: string): ServiceError {
	return new ServiceError('notFound', `No set has the reference ${JSON.stringify(reference)}`, {
		remedy:
			'Type the whole shipment or parcel reference. Set, Search with the filter Reference Contains finds sets by a part of it. A field under Narrow the Search may hide the set.',
	});
}

function several(reference: string, sets: readonly SetResult[]): ServiceError {
	const shown = sets
		.slice(0, MOST_LISTED)
		.map((set) => `${shownText(set.parcelRef) ?? 'without a parcel reference'} (${set.setId})`);
	const more = sets.length > MOST_LISTED ? ` and ${sets.length - MOST_LISTED} more` : '';
	return new ServiceError(
		'invalidInput',
		`${sets.length} sets have the reference ${JSON.stringify(reference)}: ${shown.join(', ')}${more}`,
		{
			remedy:
				'Use the parcel reference of one of them, or its ID. For all of them, put Set, Search in front of this node.',
		},
	);
}
