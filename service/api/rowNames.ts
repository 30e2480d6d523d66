import { setImmediate as nextTurn } from 'node:timers/promises';
import { documentsOf, idKey, isSet, shownText, type SetRow } from '../model/set';
import { LARGE_BYTES } from './answer';
import type { Row } from './page';
import { PRINT, printOf } from './print';

/** Characters of a date that is kept as it is written. */
const LONGEST_DATE = 32;

/** Rows of one set by the prints of all that they hold, and by those of their papers. */
interface Known {
	byWhole: Map<string, string>;
	byPapers: Map<string, string[]>;
}

/**
 * Names the rows of a search, the same row by the same name however often it comes: a set that is listed in several rows,
 * its papers split between them, has a name for each. One that comes again with other contents may as well have been
 * changed in between, and is the same row then, unless it shows other papers, or another parcel.
 *
 * Some services write something into each row that is new in each answer, such as the time of it. Once that was seen,
 * contents of two answers tell no rows apart: taken for another one, a repeated row would make up, in number, for one
 * that never came.
 */
export class RowNames {
	/** By id, the print of its first row, that of its papers and that of its date: there may be a million. */
	private readonly firsts = new Map<string, string>();
	/** By id, the rows of a set that has several. */
	private readonly several = new Map<string, Known>();
	/** Rows that may be one that came before, and has changed since; by name, the reading in which each came first. */
	private readonly moved = new Map<string, number>();
	private readings = 0;
	/** Whether a row came again with other contents. */
	private changes = false;
	/** Names that a page has given, and how many of those alike it has gone past: all of its rows may be of one set. */
	private page: ReadonlySet<string> | undefined;
	private readonly past = new Map<readonly string[], number>();

	/** How many sets have come, however many rows each has. */
	get sets(): number {
		return this.firsts.size;
	}

	/** To be told when the list is gone through once more. */
	begin(): void {
		this.readings++;
	}

	/** Whether a row shows the papers of the one that has this name. */
	hasPapersOf(row: Row, name: string): boolean {
		const { value } = row;
		if (!isSet(value)) return true;
		const { papers } = printsOf(value);
		const id = rowId(row);
		const named = this.several.get(id)?.byPapers.get(papers);
		return named?.includes(name) ?? this.firsts.get(id)?.startsWith(papers, PRINT) === true;
	}

	/** Looks whether a row that is known to be one that came before has other contents by now. */
	compare({ value }: Row, id: string): void {
		if (!isSet(value) || this.changes) return;
		const { whole } = printsOf(value);
		const isKnown = this.firsts.get(id)?.startsWith(whole) || this.several.get(id)?.byWhole.has(whole);
		this.changes = !isKnown && !this.moved.has(nameOf(id, whole));
	}

	/**
	 * @param isOther whether this row stands at another place than those of that id that came before: in the same page, or
	 * in another one, where it may have gone since it came; then its date tells
	 * @param given names of other rows of the same page
	 */
	name(row: Row, isOther: 'here' | 'elsewhere' | false, given: ReadonlySet<string>): string {
		const { value } = row;
		const id = rowId(row);
		if (!isSet(value)) return id;
		const { whole, papers, date } = printsOf(value);
		const first = this.firsts.get(id);
		if (first === undefined) {
			this.firsts.set(id, whole + papers + date);
			return id;
		}
		if (first.startsWith(whole)) return id;
		const known = this.several.get(id) ?? {
			byWhole: new Map([[first.slice(0, PRINT), id]]),
			byPapers: new Map([[first.slice(PRINT, 2 * PRINT), [id]]]),
		};
		const name = known.byWhole.get(whole);
		if (name !== undefined) return name;
		const alike = known.byPapers.get(papers) ?? [];
		const [same] = alike;
		const another = nameOf(id, whole);
		if (same !== undefined && !isOther) {
			this.changes ||= !this.moved.has(another);
			return same;
		}
		if (
			same !== undefined &&
			isOther === 'elsewhere' &&
			first.slice(2 * PRINT) !== date &&
			this.mayHaveMoved(another)
		)
			return same;
		const other = this.changes ? this.firstOf(alike, given) : undefined;
		if (other !== undefined) return other;
		known.byWhole.set(whole, another);
		alike.push(another);
		known.byPapers.set(papers, alike);
		this.several.set(id, known);
		return another;
	}

	/** The first that the page has not given. It gives ever more, and is looked through once. */
	private firstOf(alike: readonly string[], given: ReadonlySet<string>): string | undefined {
		if (this.page !== given) this.past.clear();
		this.page = given;
		let at = this.past.get(alike) ?? 0;
		while (given.has(alike[at] ?? '')) at++;
		this.past.set(alike, at);
		return alike[at];
	}

	/** A row that has changed since does not come again as it was: where both do, in another reading, they are two. */
	private mayHaveMoved(name: string): boolean {
		const since = this.moved.get(name) ?? this.readings;
		this.moved.set(name, since);
		return since === this.readings;
	}
}

const nameOf = (id: string, whole: string) => `${id} ${whole}`;

/** What rows of one set have in common: its id; of a row without one, all that it holds. */
export function rowId({ key, value }: Row): string {
	return isSet(value) ? idKey(value.setId) : key;
}

/** By what a row is known to be the same in another answer. */
export function contentId(row: Row): string {
	return isSet(row.value) ? nameOf(rowId(row), printsOf(row.value).whole) : row.key;
}

/**
 * Makes the prints of the rows of a large answer before they are named by them. That takes long: between some of them,
 * others have their turn.
 *
 * @param bytes of each row, on average
 */
export async function makePrints(rows: readonly Row[], bytes: number): Promise<void> {
	const atOnce = Math.ceil(LARGE_BYTES / bytes);
	for (const [index, { value }] of rows.entries()) {
		if (index > 0 && index % atOnce === 0) await nextTurn();
		if (isSet(value)) made.set(value, newPrints(value));
	}
}

interface Prints {
	whole: string;
	papers: string;
	date: string;
}

/** Of rows of large answers alone: what is known of a small one, for as long as it is kept, takes as much as it does. */
const made = new WeakMap<SetRow, Prints>();

function printsOf(row: SetRow): Prints {
	return made.get(row) ?? newPrints(row);
}

function newPrints(row: SetRow): Prints {
	return { whole: printOf(row), papers: printOf(papersOf(row)), date: dateOf(row) };
}

/** As it is written, where that takes no more than a print of it does. */
function dateOf({ modifiedDate }: SetRow): string {
	const text = JSON.stringify(modifiedDate) ?? '';
	return text.length > LONGEST_DATE ? printOf(text) : text;
}

/** What tells papers, parcels, and the customers that a set is listed for apart. */
function papersOf(row: SetRow): unknown[] {
	const documents = documentsOf(row).map(({ documentId, name, docType }) =>
		documentId === null ? `- ${shownText(name)} ${shownText(docType)}` : idKey(documentId),
	);
	const parcel = [row.parcelRef, row.shipmentRef, row.transactionId, row.customerId].map(shownText);
	return [parcel, documents.sort()];
}
