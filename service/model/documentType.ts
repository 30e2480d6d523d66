import { folded } from './folded';
import { shownText, type DocumentEntry } from './set';

/**
 * What is left when two spellings of one document type are compared, its letters and numbers: `BILL_OF_LADING`,
 * `Bill of lading`, `bill-of-lading`. Two numbers stay two: `Annex 1.1` is not `Annex 11`. Empty for blanks only: a type
 * without any is told apart by what it has.
 */
export function documentTypeKey(docType: unknown): string {
	const text = folded(shownText(docType) ?? '');
	const words = text.replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ').trim();
	return words.replace(/(?<!\p{N}) | (?!\p{N})/gu, '') || text;
}

/** The documents of the chosen types, in the service's order; no type chosen lets all through. */
export function documentsOfTypes(
	documents: readonly DocumentEntry[],
	types: readonly string[],
): readonly DocumentEntry[] {
	const wanted = new Set(types.map(documentTypeKey).filter((key) => key !== ''));
	if (wanted.size === 0) return documents;
	return documents.filter(({ docType }) => wanted.has(documentTypeKey(docType)));
}
