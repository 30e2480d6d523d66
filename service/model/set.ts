import * as z from 'zod';
import { ServiceError } from '../errors';
import { canonicalWord } from './canonicalWord';

/** A row of a search, as it came: an odd one hides nothing, and is an error only for who needs what is odd in it. */
export type SetRow = Record<string, unknown>;

/** Characters of an id. Those of a whole list are remembered while it is read. */
const LONGEST_ID = 200;

/** Characters of a status. */
const LONGEST_STATUS = 1_000;

/**
 * Interface, 2.5, Set result. Strict about the id by which it is found, and nothing else: all other fields are shown to
 * people, or made into a file name, or looked at by who needs them.
 */
export const SetResult = z.looseObject({
	setId: z
		.string()
		.refine((id) => id.trim() !== '', 'setId is empty')
		.refine((id) => id.length <= LONGEST_ID, 'setId is too long'),
});
export type SetResult = z.infer<typeof SetResult>;

/** Interface, 2.5, Document entry, as far as it can be read. */
export interface DocumentEntry {
	/** Null when there is none that could be asked for. */
	documentId: string | null;
	name?: unknown;
	docType?: unknown;
}

/** The fields of a row; undefined for what is no object at all. */
export function asRow(value: unknown): SetRow | undefined {
	return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as SetRow) : undefined;
}

/** True for a row that can be found by its id. */
export function isSet(value: unknown): value is SetResult {
	const setId = asRow(value)?.setId;
	return typeof setId === 'string' && setId.length <= LONGEST_ID && setId.trim() !== '';
}

/** What tells two ids apart: services write them in both cases. */
export function idKey(id: string): string {
	return id.trim().toLowerCase();
}

/**
 * The documents of a set, in the service's order. What is no entry at all is one without an id, called what it says:
 * passed over, the others would look like all there are.
 */
export function documentsOf({ documents }: SetRow): DocumentEntry[] {
	const entries = Array.isArray(documents) ? documents : [];
	return entries.map((entry: unknown) => {
		const fields = asRow(entry) ?? { name: entry };
		const { documentId } = fields;
		return {
			documentId: typeof documentId === 'string' && documentId.trim() !== '' ? documentId : null,
			name: fields.name,
			docType: fields.docType,
		};
	});
}

/**
 * One set of all rows that carry its id, with the documents of each, since none may be left out. Its other fields are
 * those of the first row.
 *
 * @param rows at least one, unless there are older ones
 * @param older from a look before, which may show documents without an id that have one by now
 */
export function mergedSet(rows: readonly SetResult[], older: readonly SetResult[] = []): SetResult {
	const [first, ...others] = [...rows, ...older] as [SetResult, ...SetResult[]];
	const known = new Set(entriesOf(first).map(idOfEntry));
	const news = others.flatMap((row, index) =>
		entriesOf(row).filter((entry) => {
			const id = idOfEntry(entry);
			if (id === undefined) return index + 1 < rows.length;
			return !known.has(id) && known.add(id);
		}),
	);
	return news.length > 0 ? { ...first, documents: [...entriesOf(first), ...news] } : first;
}

function entriesOf({ documents }: SetRow): unknown[] {
	return Array.isArray(documents) ? (documents as unknown[]) : [];
}

function idOfEntry(entry: unknown): string | undefined {
	const id = asRow(entry)?.documentId;
	return typeof id === 'string' && id.trim() !== '' ? idKey(id) : undefined;
}

/**
 * The id by which a document is asked for.
 *
 * @throws ServiceError `unexpectedResponse` that names the document
 */
export function documentIdOf({ documentId, name, docType }: DocumentEntry): string {
	if (documentId !== null) return documentId;
	const which = [name, docType].map(shownText).filter(Boolean).join(', ') || 'without a name';
	throw new ServiceError('unexpectedResponse', `The service shows a document without an ID (${which}).`, {
		remedy: 'It may not be there yet: try again later, or choose document types that leave it out.',
	});
}

/** A field that people read, as text; null when it is absent, blank or nothing that can be read as one. */
export function shownText(value: unknown): string | null {
	if (typeof value === 'number' || typeof value === 'boolean') return String(value);
	return typeof value === 'string' && value.trim() !== '' ? value : null;
}

/** The canonical status of a set, null when it has none. */
export function shownStatus({ status }: SetRow): string | null {
	const text = shownText(status);
	return text === null ? null : canonicalWord(text.slice(0, LONGEST_STATUS));
}
