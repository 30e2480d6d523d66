import { shownText, type DocumentEntry } from './set';

/**
 * What is left when two spellings of one document type are compared: `BILL_OF_LADING`, `Bill of lading`, `bill-of-lading`.
 * Empty for blanks only: a type without letters is told apart by what it has.
 */
function lettersOf(docType: string): string {
	const letters = docType
		.normalize('NFC')
		.toLowerCase()
		.replace(/[^\p{L}\p{M}]+/gu, '');
	return letters || docType.trim();
}

/**
 * The documents of the chosen types, in the service's order; no type chosen lets all through. Types are compared on
 * their letters only, since the service spells them in several ways.
 */
export function documentsOfTypes(
	documents: readonly DocumentEntry[],
	types: readonly string[],
): readonly DocumentEntry[] {
	const wanted = new Set(types.map(lettersOf).filter((letters) => letters !== ''));
	if (wanted.size === 0) return documents;
	return documents.filter(({ docType }) => wanted.has(lettersOf(shownText(docType) ?? '')));
}
