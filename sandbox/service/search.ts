import { modifiedDate } from './dates';
import type { ServiceData } from './data';
import { isFinished, transactionIdOf, type ParcelDocument, type ParcelSet } from './parcel';
import { Refusal } from './refusal';

/** Where `limit` and `offset` are read from; the service's interface leaves it open (section 4.4). */
type PagingStyle = 'url' | 'body' | 'ignored';

export interface SearchOptions {
	pagingStyle: PagingStyle;
	/** Page size when none is asked for, and the largest one; a larger wish is cut to it. */
	pageDefault: number;
	pageMax: number;
	/** `narrow`: a search without `shipmentRef` gives the sets without their documents. */
	documents: 'always' | 'narrow';
	/** `part`: a shipment is found by a part of its reference; the interface does not say (section 2.4). */
	references: 'whole' | 'part';
}

type Fields = Record<string, unknown>;
type Test = (set: ParcelSet) => boolean;

const statuses = ['DRAFTED', 'SIGNED', 'ISSUED', 'TITLE_HELD', 'TRANSFER_DRAFTED', 'SURRENDERED'];

/** Answered lists kept for the next page; all are forgotten when the data change. */
const mostLists = 16;

/** The search of the service's interface, section 2.4 and 2.5: a body and the URL's parameters in, the envelope out. */
export function createSearch(data: ServiceData, options: SearchOptions) {
	let lists = new Map<string, ParcelSet[]>();
	let version = data.version;

	const matching = (filters: Fields): ParcelSet[] => {
		if (version !== data.version || lists.size >= mostLists) lists = new Map();
		version = data.version;
		const key = JSON.stringify(filters);
		const known = lists.get(key);
		if (known) return known;
		const tests = Object.entries(filters).map(([field, value]) => testOf(field, value, options));
		const list = data.sets.filter((set) => tests.every((test) => test(set)));
		lists.set(key, list);
		return list;
	};

	return (body: unknown, parameters: URLSearchParams) => {
		if (typeof body !== 'object' || body === null || Array.isArray(body)) {
			throw new Refusal(400, 'The request body must be a JSON object');
		}
		const { limit: bodyLimit, offset: bodyOffset, ...filters } = body as Fields;
		const asked = { url: [parameters.get('limit'), parameters.get('offset')], body: [bodyLimit, bodyOffset] };
		const [limitAsked, offsetAsked] = options.pagingStyle === 'ignored' ? [] : asked[options.pagingStyle];
		const limit = Math.min(wholeNumber('limit', limitAsked, 1) ?? options.pageDefault, options.pageMax);
		const offset = wholeNumber('offset', offsetAsked, 0) ?? 0;

		const list = matching(filters);
		const withDocuments = options.documents === 'always' || filters.shipmentRef !== undefined;
		const results = list.slice(offset, offset + limit).map((set) => resultOf(set, withDocuments));
		return {
			code: 200,
			status: 'OK',
			data: { offset, limit, total: list.length, count: results.length, results },
			links: [],
		};
	};
}

const withContent = (document: ParcelDocument) => ({ ...document, xmlContent: document.xmlContent ?? null });

/** A set as a search shows it (the service's interface, section 2.5). */
export function resultOf(set: ParcelSet, withDocuments = true) {
	return {
		setId: set.setId,
		transactionId: transactionIdOf(set),
		parcelRef: set.parcelRef,
		shipmentRef: set.shipmentRef,
		status: set.status,
		destinationName: set.destinationName,
		destinationCountry: set.destinationCountry,
		cargoName: set.cargoName,
		modifiedDate: modifiedDate(set.modifiedAt),
		fromParty: set.from?.customerName ?? null,
		fromPartyId: set.from?.customerId ?? null,
		documents: withDocuments ? set.documents.map(withContent) : [],
		actions: null,
		billOfLadingDate: set.billOfLadingDate,
		signature: `${set.signed} of ${set.signatures}`,
		quantity: set.quantity,
		consignorCompanyName: set.consignor.customerName,
		consigneeCompanyName: set.consignee.customerName,
		loadPort: set.loadPort,
		vesselName: set.vesselName,
		links: [],
	};
}

/** What a filter lets through. Throws a Refusal that names the field. */
function testOf(field: string, value: unknown, { references }: SearchOptions): Test {
	if (field === 'customerIds') return customersTest(value);
	if (typeof value !== 'string' || value === '')
		throw new Refusal(400, `${field} must be a text that is not empty`);
	switch (field) {
		case 'status':
			return statusTest(value);
		case 'instance':
			if (value !== 'HUB' && value !== 'EXCHANGE') throw new Refusal(400, 'instance must be HUB or EXCHANGE');
			return (set) => set.instance === value;
		case 'shipmentRef':
			return ({ shipmentRef }) =>
				references === 'part' ? shipmentRef.includes(value) : shipmentRef === value;
		// Not in the interface document, which says that its list is not the whole of them.
		case 'parcelRef':
			return (set) => set.parcelRef === value;
		case 'vesselName':
			return (set) => set.vesselName === value;
		case 'billOfLadingDate':
			return (set) => set.billOfLadingDate === value;
		default:
			throw new Refusal(400, `${field} is not a filter of this search`);
	}
}

function statusTest(value: string): Test {
	if (value === 'ALL') return () => true;
	if (value === 'ACTIVE') return (set) => !isFinished(set);
	if (!statuses.includes(value)) {
		throw new Refusal(400, `status must be ACTIVE, ALL or one of ${statuses.join(', ')}`);
	}
	return (set) => set.status.toUpperCase() === value;
}

function customersTest(value: unknown): Test {
	const isId = (id: unknown) => typeof id === 'string' && uuid.test(id);
	if (!Array.isArray(value) || !value.every(isId))
		throw new Refusal(400, 'customerIds must be a list of UUIDs');
	const ids = new Set((value as string[]).map((id) => id.toLowerCase()));
	return (set) =>
		ids.has(set.customerId) || ids.has(set.consignor.customerId) || ids.has(set.consignee.customerId);
}

function wholeNumber(field: string, value: unknown, least: number): number | undefined {
	if (value === undefined || value === null) return undefined;
	const isNumber = typeof value === 'number' || (typeof value === 'string' && /^\d{1,9}$/.test(value));
	const number = Number(value);
	if (!isNumber || !Number.isInteger(number) || number < least) {
		throw new Refusal(400, `${field} must be a whole number, ${least} or more`);
	}
	return number;
}

/** An id as the service writes it. */
export const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
