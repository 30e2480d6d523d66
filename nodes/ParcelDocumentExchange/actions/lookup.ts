import type { Paging, SetFilters } from '../../../service/api/client';
import { ServiceError } from '../../../service/errors';
import { idKey, shownText } from '../../../service/model/set';
import type { WholeNumber } from '../descriptions/defaults';
import { SAMPLE_CUSTOMER_ID, SAMPLE_SET_ID } from '../events/samples';
import { paging, waitMs } from '../parameters/callOptions';
import { aboutRun, askedOtherwise, pinnedBetween, type About, type Filled } from './aboutRun';
import { refuseOfAnyCustomer, setByReference } from './byReference';
import { refuseCrossed } from './crossedItems';
import { refuseLeftOut } from './leftOut';
import type { Work } from './operation';
import type { Parameters } from '../parameters/parameters';
import { isStandIn } from '../parameters/typedInto';
import { refuseOfOtherRow } from './otherRow';
import {
	givesAnyway,
	refuseForFailures,
	refuseOfOtherEvent,
	refuseOtherOfName,
	refuseOtherParcel,
	refuseOtherSet,
	refuseTypedInFront,
} from './otherSet';
import type { Found, Wanted } from './setFinder';
import { checkedId, filterTexts, shortText } from '../parameters/values';

/** The set that the parameter Set names. */
export interface NamedSet {
	/** Empty where a reference names it. */
	setId: string;
	reference?: string;
	/** The run, which it must not contradict. */
	about: About;
	/** Whether it was typed or picked, and does not come with the item. */
	isFixed: boolean;
	written: string;
}

export type WantedSet = Wanted & NamedSet;

/** Finds the set, in the same turn where its id is known. @throws ServiceError as the finder does, and for references */
export async function findWanted(wanted: WantedSet, work: Work): Promise<Found> {
	const byId = (setId: string) => work.finder.find({ ...wanted, setId });
	const found =
		wanted.reference === undefined
			? await byId(wanted.setId)
			: await byId(await idOfSet(wanted, wanted.filters, wanted.paging, work));
	const { about, isFixed } = wanted;
	const { customerIds } = wanted.filters;
	work.found.set(idKey(found.set.setId), customerIds ? { ...found.set, customerIds } : found.set);
	refuseOtherParcel(about, isFixed, found.set);
	const references = [found.set.parcelRef, found.set.shipmentRef].map(shownText);
	const called = { setId: found.set.setId, references };
	refuseTypedInFront(about, called);
	if (found.doubt !== undefined) work.hint(found.doubt);
	const giving = isFixed ? undefined : givesAnyway(about.steps, called);
	const told = isFixed || giving ? askedOtherwise(about, found.set, giving?.name) : undefined;
	const pinned = about.isTried && !isFixed ? pinnedBetween(about, found.set) : undefined;
	for (const sentence of [told, pinned]) if (sentence !== undefined) work.hint(sentence);
	return found;
}

/** Its id. @throws ServiceError when the reference leads to no set, to several, or to another one than the event's */
export async function idOfSet(
	{ setId, reference, about, isFixed, written }: NamedSet,
	filters: SetFilters,
	pages: Paging,
	work: Work,
): Promise<string> {
	if (reference === undefined) return setId;
	const set = await setByReference(reference, filters, pages, work);
	const found = set.setId;
	if (isFixed) refuseOtherSet(about, found, reference);
	else {
		refuseOtherOfName(about, found, reference);
		refuseOfOtherEvent(about, { setId: found, reference, written });
	}
	refuseTypedInFront(about, { setId: found, references: [reference] });
	const isOfEvent = about.events.some((event) => event.setId !== null && idKey(event.setId) === idKey(found));
	if (!isOfEvent) await refuseOfAnyCustomer(reference, set, { filters, style: pages.style, work });
	return found;
}

/**
 * The parameter Set: an id, or a reference that leads to one.
 *
 * @throws ServiceError `invalidInput` for the set of a sample event, and for another set than the item's event is about
 */
export function readSet(parameters: Parameters): NamedSet {
	const written = parameters.written('setId') ?? '';
	const filledIn = (value: string): Filled => {
		if (parameters.isFixed('setId')) return 'typed';
		return isStandIn(written, value) ? 'standIn' : 'withItem';
	};
	const reference = parameters.reference('setId', 'Set');
	if (reference !== undefined) {
		const filled = filledIn(reference);
		const about = aboutRun(parameters, filled);
		if (filled !== 'withItem') refuseForFailures(about, reference);
		else refuseOfOtherRow(parameters, about, reference);
		refuseLeftOut(parameters, about, reference);
		return { setId: '', reference, about, isFixed: filled !== 'withItem', written };
	}
	const setId = parameters.id('setId', 'Set');
	if (setId === SAMPLE_SET_ID) throw noRealSet();
	const filled = filledIn(setId);
	const about = aboutRun(parameters, filled);
	const isFixed = filled !== 'withItem';
	if (isFixed) {
		refuseOtherSet(about, setId);
		refuseForFailures(about, setId);
	} else {
		refuseOfOtherEvent(about, { setId, written });
		refuseCrossed(about, setId, parameters.askedByLink);
		refuseOfOtherRow(parameters, about, setId);
	}
	refuseTypedInFront(about, { setId });
	refuseLeftOut(parameters, about, setId);
	return { setId, about, isFixed, written };
}

/**
 * Which set an operation is about, and where the search looks for it: the parameters Set, Lookup and Options.
 *
 * @throws ServiceError `invalidInput` for the set of a sample event: no search would ever show it
 */
export function readWanted(parameters: Parameters, wait: WholeNumber): WantedSet {
	const options = parameters.fields('options');
	return {
		...readSet(parameters),
		filters: readLookup(parameters),
		paging: paging(options),
		waitMs: waitMs(options, wait),
	};
}

/**
 * Empty fields are left out: behind a trigger they are filled in by expressions, elsewhere they have no value. So is the
 * customer of a sample event: who builds with one chooses a real set, which is another customer's.
 */
function readLookup(parameters: Parameters): SetFilters {
	const lookup = parameters.fields('lookup');
	const customerIds = filterTexts(lookup.customerId, 'Customer or Counterparty').filter(
		(id) => id !== SAMPLE_CUSTOMER_ID,
	);
	return {
		status: shortText(lookup.status, 'Status').toUpperCase() || undefined,
		instance: shortText(lookup.instance, 'Instance').toUpperCase() || undefined,
		customerIds:
			customerIds.length > 0 ? customerIds.map((id) => checkedId(id, 'Customer or Counterparty')) : undefined,
		shipmentRef: shortText(lookup.shipmentRef, 'Shipment Reference') || undefined,
	};
}

function noRealSet(): ServiceError {
	return new ServiceError('invalidInput', 'The set of a sample event does not exist', {
		remedy:
			'To build with a real one: press Fixed above Set, put it on From List and choose a set. Before you publish, put it back on By ID and press Expression: {{ $json.setId }}.',
	});
}
