import { modifiedIso } from './modifiedDate';
import { documentsOf, shownStatus, shownText, type SetRow } from './set';

/** `<n> of <m>` (interface, 2.5). The interface does not say what is counted, so the names here do not either. */
interface SignatureCount {
	number: number | null;
	total: number | null;
	/** As sent. */
	text: string;
}

/** A set in the form people work with: the service's fields in the order of their use, the awkward ones made plain. */
type SimplifiedSet = Record<string, unknown> & {
	status: string | null;
	/** ISO 8601 in the zone asked for; null when the date cannot be read. */
	modifiedAt: string | null;
	signature: SignatureCount | null;
	// Always there, and set one by one behind others: a table shows fields in the order in which they are set.
	/** As `{ documentId, name, docType }` each; as sent where that is no list. */
	documents?: unknown;
	setId?: unknown;
};

/** Always there, so that a table has the same columns for every set: null where the service has nothing. */
const SHOWN = [
	...['cargoName', 'quantity', 'loadPort', 'destinationName', 'destinationCountry'],
	...['consignorCompanyName', 'consigneeCompanyName', 'fromParty'],
];

/** Made plain under their own or another name, or of no use to a person: the date as sent, and empty lists of the wire. */
const REPLACED = new Set([
	...['parcelRef', 'shipmentRef', 'status', 'modifiedDate', 'vesselName', 'billOfLadingDate', 'signature'],
	...['documents', 'setId', 'transactionId', ...SHOWN],
	// No field of a service is called so: set on an object, it would give it other fields than are written in it.
	'__proto__',
]);

/** @param zone the zone the service's clocks are in: `modifiedDate` names none. */
export function simplifySet(set: SetRow, zone: string): SimplifiedSet {
	const sent = shownText(set.modifiedDate);
	const modifiedAt = modifiedIso(sent, zone);
	const signature = shownText(set.signature);
	const simple: SimplifiedSet = {
		parcelRef: asText(set.parcelRef),
		shipmentRef: asText(set.shipmentRef),
		status: shownStatus(set),
		modifiedAt,
		// Nobody can read it but a person: better than no date at all.
		...(modifiedAt === null && sent !== null && { modifiedDate: sent }),
		vesselName: asText(set.vesselName),
		billOfLadingDate: asText(set.billOfLadingDate),
		signature: signature ? signatureCount(signature) : null,
	};
	// One by one: copied from other objects, they would take as long as all else of a large search does here.
	for (const name of SHOWN) simple[name] = isNothing(set[name]) ? null : set[name];
	simple.documents =
		isNothing(set.documents) || Array.isArray(set.documents) ? simpleDocuments(set) : set.documents;
	for (const name of Object.keys(set)) {
		const value = set[name];
		if (!REPLACED.has(name) && !isNothing(value)) simple[name] = value;
	}
	simple.setId = set.setId;
	simple.transactionId = asText(set.transactionId);
	return simple;
}

/** Text where it can be read as one; what is something else is not lost. */
function asText(value: unknown): unknown {
	return shownText(value) ?? (isNothing(value) ? null : value);
}

/** Characters of words for nothing. */
const LONGEST_NOTHING = 100;

/** The service fills an empty quantity and an empty unit into a text: `null null` (interface, 2.5). */
function isNothing(value: unknown): boolean {
	if (Array.isArray(value)) return value.length === 0;
	if (typeof value === 'string')
		return value.trim() === '' || (value.length <= LONGEST_NOTHING && /^(\s*null\b)+\s*$/i.test(value));
	return value === undefined || value === null;
}

function signatureCount(text: string): SignatureCount {
	const match = /^\s*(\d+)\s+of\s+(\d+)\s*$/i.exec(text);
	return match
		? { number: Number(match[1]), total: Number(match[2]), text }
		: { number: null, total: null, text };
}

function simpleDocuments(set: SetRow) {
	return documentsOf(set).map(({ documentId, name, docType }) => ({
		documentId,
		name: shownText(name),
		docType: shownText(docType),
	}));
}
