import { z } from 'zod';
import { canonicalToken } from './token';

/** A field that is shown to people or made into a file name, and decides nothing. */
const shown = z.unknown().optional();

/**
 * Interface, 2.5, Document entry. Strict about what we rely on, the id. Everything else is shown to people or made into a
 * file name: whatever it is, it must not keep anybody from the PDF.
 */
export const DocumentEntry = z.looseObject({
	documentId: z.string(),
	name: shown,
	docType: shown,
});
export type DocumentEntry = z.infer<typeof DocumentEntry>;

/** Interface, 2.5, Set result. Strict about the ids and the documents; one odd field must not hide all other sets. */
export const SetResult = z.looseObject({
	setId: z.string(),
	parcelRef: shown,
	shipmentRef: shown,
	status: shown,
	modifiedDate: shown,
	billOfLadingDate: shown,
	vesselName: shown,
	signature: shown,
	quantity: shown,
	documents: z.array(DocumentEntry).nullish(),
});
export type SetResult = z.infer<typeof SetResult>;

/** A field that people read, as text; null when it is absent, blank or nothing that can be read as one. */
export function shownText(value: unknown): string | null {
	if (typeof value === 'number' || typeof value === 'boolean') return String(value);
	return typeof value === 'string' && value.trim() !== '' ? value : null;
}

/** The canonical status of a set, null when it has none. */
export function shownStatus({ status }: Pick<SetResult, 'status'>): string | null {
	const text = shownText(status);
	return text === null ? null : canonicalToken(text);
}
