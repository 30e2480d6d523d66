import { hash } from 'node:crypto';
import { documentsOf, idKey, isSet, shownText, type SetRow } from '../model/set';
import type { Row } from './page';

/** Characters of a print. */
const PRINT = 16;

/** Of longer texts, the beginning and the length tell them apart. */
const MOST_COMPARED = 1_000;

/**
 * Names the rows of a search, the same row by the same name however often it comes: a set that is listed in several rows,
 * its papers split between them, has a name for each. One that comes again with other contents may as well have been
 * changed in between, and is the same row then, unless it shows other papers, or another parcel.
 */
export class RowNames {
	/** By id, the print of its first row and that of its papers: there may be a million. */
	private readonly firsts = new Map<string, string>();
	/** By id, the prints of all rows of a set that has several. */
	private readonly several = new Map<string, { wholes: Set<string>; papers: Set<string> }>();

	/**
	 * @param isOther whether this row stands at another place than those of that id that came before
	 */
	name(row: Row, isOther: boolean): string {
		const { value } = row;
		const id = rowId(row);
		if (!isSet(value)) return id;
		const [whole, papers] = [print(wholeOf(value)), print(papersOf(value))];
		const first = this.firsts.get(id);
		if (first === undefined) {
			this.firsts.set(id, whole + papers);
			return id;
		}
		if (first.startsWith(whole)) return id;
		const known = this.several.get(id) ?? {
			wholes: new Set([first.slice(0, PRINT)]),
			papers: new Set([first.slice(PRINT)]),
		};
		// Without documents it shows nothing new.
		const showsNew = documentsOf(value).length > 0 && !known.papers.has(papers);
		if (!known.wholes.has(whole) && !isOther && !showsNew) return id;
		known.wholes.add(whole);
		known.papers.add(papers);
		this.several.set(id, known);
		return `${id} ${whole}`;
	}
}

/** What rows of one set have in common: its id; of a row without one, all that it holds. */
export function rowId({ key, value }: Row): string {
	return isSet(value) ? idKey(value.setId) : key;
}

function print(text: string): string {
	return hash('sha256', text, 'base64').slice(0, PRINT);
}

/** All that it holds but its links, which may be made for each answer. */
function wholeOf(row: SetRow): string {
	return JSON.stringify(compared(row));
}

/** A copy for each row costs less than a function that JSON asks for each value. */
function compared(value: unknown): unknown {
	if (typeof value === 'string')
		return value.length > MOST_COMPARED ? [value.length, value.slice(0, MOST_COMPARED)] : value;
	if (typeof value !== 'object' || value === null) return value;
	if (Array.isArray(value)) return value.map(compared);
	const fields = value as Record<string, unknown>;
	const rest = Object.create(null) as Record<string, unknown>;
	for (const name of Object.keys(fields)) {
		if (name !== 'setId' && name !== 'links') rest[name] = compared(fields[name]);
	}
	return rest;
}

/** What tells papers and parcels apart. */
function papersOf(row: SetRow): string {
	const documents = documentsOf(row).map(({ documentId, name, docType }) =>
		documentId === null ? `- ${shownText(name)} ${shownText(docType)}` : idKey(documentId),
	);
	const parcel = [row.parcelRef, row.shipmentRef, row.transactionId].map(shownText);
	return JSON.stringify([parcel, documents.sort()]);
}
