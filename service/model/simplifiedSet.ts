import { modifiedIso } from './modifiedDate';
import { documentsOf, shownStatus, shownText, type SetRow } from './set';

/** `<n> of <m>` (interface, 2.5). The interface does not say what is counted, so the names here do not either. */
export interface SignatureCount {
	number: number | null;
	total: number | null;
	/** As sent. */
	text: string;
}

/** A set in the form people work with: the service's fields, with the awkward ones made plain. */
export type SimplifiedSet = Record<string, unknown> & {
	status: string | null;
	modifiedDate: string | null;
	/** ISO 8601 in the zone asked for; null when the date cannot be read. */
	modifiedAt: string | null;
	quantity: unknown;
	signature: SignatureCount | null;
	/** As `{ documentId, name, docType }` each; as sent where that is no list. */
	documents: unknown;
};

/** @param zone the zone the service's clocks are in: `modifiedDate` names none. */
export function simplifySet(set: SetRow, zone: string): SimplifiedSet {
	const { quantity, documents } = set;
	const modifiedDate = shownText(set.modifiedDate);
	const signature = shownText(set.signature);
	return {
		...set,
		status: shownStatus(set),
		modifiedDate,
		modifiedAt: modifiedIso(modifiedDate, zone),
		quantity: isNullText(quantity) ? null : quantity,
		signature: signature ? signatureCount(signature) : null,
		documents:
			documents === undefined || documents === null || Array.isArray(documents)
				? simpleDocuments(set)
				: documents,
	};
}

function simpleDocuments(set: SetRow) {
	return documentsOf(set).map(({ documentId, name, docType }) => ({
		documentId,
		name: shownText(name),
		docType: shownText(docType),
	}));
}

/** The service fills an empty quantity and an empty unit into a text: `null null` (interface, 2.5). */
function isNullText(quantity: unknown): boolean {
	return quantity === undefined || (typeof quantity === 'string' && /^(\s*null\b)+\s*$/i.test(quantity));
}

function signatureCount(text: string): SignatureCount {
	const match = /^\s*(\d+)\s+of\s+(\d+)\s*$/i.exec(text);
	return match
		? { number: Number(match[1]), total: Number(match[2]), text }
		: { number: null, total: null, text };
}
