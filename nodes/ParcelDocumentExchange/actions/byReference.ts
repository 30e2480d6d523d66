import { randomUUID } from 'node:crypto';
import type { Client, Paging, PagingStyle, SetFilters } from '../../../service/api/client';
import { isRefusal, pageOrFailure } from '../../../service/api/question';
import { isServiceError, ServiceError } from '../../../service/errors';
import { folded } from '../../../service/model/folded';
import { idKey, isSet, shownText, type SetResult, type SetRow } from '../../../service/model/set';
import type { Work } from './operation';

const MOST_LISTED = 10;

/**
 * The one set with that reference, capitals and blanks aside: of the shipment, which the service searches by,
 * or of the parcel, for which the whole list is read.
 *
 * @throws ServiceError `notFound` for none, `invalidInput` that lists them for several, and what the search throws
 */
export async function setByReference(
	reference: string,
	filters: SetFilters,
	paging: Paging,
	work: Work,
): Promise<SetResult> {
	const client = await work.client();
	const wanted = folded(reference);
	const isCalled = (set: SetRow) =>
		[set.shipmentRef, set.parcelRef].some((name) => folded(shownText(name) ?? '') === wanted);
	let otherTotal: string | undefined;
	const onOtherTotal = (sentence: string) => void (otherTotal = sentence);
	const matching = async (narrowed: SetFilters) => {
		const found = new Map<string, SetResult>();
		const onDoubt = (sentence: string) => {
			throw doubtful(reference, sentence);
		};
		for await (const page of client.searchSets(narrowed, { ...paging, onDoubt, onOtherTotal })) {
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
	if (!set && otherTotal !== undefined) throw doubtful(reference, otherTotal);
	if (otherTotal !== undefined) work.hint(otherTotal);
	if (set && sets.length === 1) return set;
	throw set ? several(reference, sets) : none(reference);
}

/** Whether the service of a client goes by customers, once it is known. */
const goingByCustomers = new WeakMap<Client, Promise<boolean>>();

/**
 * A set tells nothing of whose it is (interface, 2.5), and another customer may have one of that reference. So the service
 * is asked, once, for the sets of a customer that nobody is: one that gives any does not go by customers.
 *
 * @throws ServiceError `unexpectedResponse` then, and where the service could not be asked
 */
export async function refuseOfAnyCustomer(
	reference: string,
	set: SetResult,
	{ filters, style, work }: { filters: SetFilters; style: PagingStyle; work: Work },
): Promise<void> {
	if (filters.customerIds === undefined) return;
	const client = await work.client();
	const ofNobody = {
		...filters,
		customerIds: [randomUUID()],
		shipmentRef: shownText(set.shipmentRef) ?? filters.shipmentRef,
	};
	const isGoneBy = goingByCustomers.get(client) ?? givesNone(client, ofNobody, style);
	goingByCustomers.set(client, isGoneBy);
	// Asked again by the next item: the service may be well by then.
	isGoneBy.catch(() => goingByCustomers.delete(client));
	if (!(await isGoneBy)) throw ofAnyCustomer(reference);
}

/**
 * Also where the service refuses to be asked about such a customer.
 *
 * @throws ServiceError of a service in trouble, which tells nothing of its customers
 */
async function givesNone(client: Client, filters: SetFilters, style: PagingStyle): Promise<boolean> {
	const page = await pageOrFailure(client.setPages(filters, style)(0, 1));
	if (!isServiceError(page)) return page.rows.length === 0;
	if (isRefusal(page)) return true;
	throw page;
}

function ofAnyCustomer(reference: string): ServiceError {
	return new ServiceError(
		'unexpectedResponse',
		`Whether the set with the reference ${JSON.stringify(reference)} is of that customer cannot be seen: the service gives sets of any customer`,
		{
			remedy:
				'Nothing was fetched: another customer may have a set of the same reference. Use the ID of the set. Where no two customers share references, take Customer or Counterparty under Narrow the Search away.',
		},
	);
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
