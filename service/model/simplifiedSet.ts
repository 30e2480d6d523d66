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
	/** As `{ documentId, name, docType }` each; as sent where that is no list. */
	documents: unknown;
	setId: unknown;
};

/** Made plain under their own or another name, or of no use to a person: the date as sent, and empty lists of the wire. */
const REPLACED = new Set([
	...['parcelRef', 'shipmentRef', 'status', 'modifiedDate', 'vesselName', 'billOfLadingDate', 'signature'],
	...['cargoName', 'quantity', 'loadPort', 'destinationName', 'destinationCountry'],
	...['consignorCompanyName', 'consigneeCompanyName', 'fromParty'],
	...['documents', 'setId', 'transactionId'],
	// No field of a service is called so: set on an object, it would give it other fields than are written in it.
	'__proto__',
]);

/** @param zone the zone the service's clocks are in: `modifiedDate` names none. */
export function simplifySet(set: SetRow, zone: string): SimplifiedSet {
	const sent = shownText(set.modifiedDate);
	const modifiedAt = modifiedIso(sent, zone);
	const signature = shownText(set.signature);
	// In one piece: grown field by field it takes five times as long, and a large search a fifth longer. Null where the service
	// has nothing, so that a table has the same columns for every set.
	const simple: SimplifiedSet = {
		parcelRef: asText(set.parcelRef),
		shipmentRef: asText(set.shipmentRef),
		status: shownStatus(set),
		modifiedAt,
		vesselName: asText(set.vesselName),
		billOfLadingDate: asText(set.billOfLadingDate),
		signature: signature ? signatureCount(signature) : null,
		cargoName: orNull(set.cargoName),
		quantity: orNull(set.quantity),
		loadPort: orNull(set.loadPort),
		destinationName: orNull(set.destinationName),
		destinationCountry: orNull(set.destinationCountry),
		consignorCompanyName: orNull(set.consignorCompanyName),
		consigneeCompanyName: orNull(set.consigneeCompanyName),
		fromParty: orNull(set.fromParty),
		documents:
			isNothing(set.documents) || Array.isArray(set.documents) ? simpleDocuments(set) : set.documents,
		setId: set.setId,
		transactionId: asText(set.transactionId),
	};
	// Nobody can read it but a person: better than no date at all.
	if (modifiedAt === null && sent !== null) simple.modifiedDate = sent;
	for (const name of Object.keys(set)) {
		if (REPLACED.has(name)) continue;
		const value = set[name];
		if (!isNothing(value)) simple[name] = value;
	}
	return simple;
}

/** Text where it can be read as one; what is something else is not lost. */
function asText(value: unknown): unknown {
	return shownText(value) ?? orNull(value);
}

const orNull = (value: unknown): unknown => (isNothing(value) ? null : value);

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
