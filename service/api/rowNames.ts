import { createHash } from 'node:crypto';
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
	/** By id, the prints of its rows one after the other, each of the whole and then of its papers: there may be a million. */
	private readonly prints = new Map<string, string>();

	/**
	 * @param isOther whether this row stands at another place than those of that id that came before
	 */
	name({ key, value }: Row, isOther: boolean): string {
		if (!isSet(value)) return key;
		const id = rowId({ key, value });
		const [whole, papers] = [print(wholeOf(value)), print(papersOf(value))];
		const known = this.prints.get(id);
		if (known === undefined) {
			this.prints.set(id, whole + papers);
			return id;
		}
		for (let at = 0; at < known.length; at += 2 * PRINT) {
			if (known.startsWith(whole, at)) return at === 0 ? id : `${id} ${whole}`;
		}
		if (!isOther && !this.showsNew(known, papers, value)) return id;
		this.prints.set(id, known + whole + papers);
		return `${id} ${whole}`;
	}

	/** Whether it shows what none of the rows with these prints does. One without documents shows nothing new. */
	private showsNew(known: string, papers: string, value: SetRow): boolean {
		if (documentsOf(value).length === 0) return false;
		for (let at = PRINT; at < known.length; at += 2 * PRINT) if (known.startsWith(papers, at)) return false;
		return true;
	}
}

/** What rows of one set have in common: its id; of a row without one, all that it holds. */
export function rowId({ key, value }: Row): string {
	return isSet(value) ? idKey(value.setId) : key;
}

function print(text: string): string {
	return createHash('sha256').update(text).digest('base64').slice(0, PRINT);
}

/** All that it holds but its links, which may be made for each answer. */
function wholeOf(row: SetRow): string {
	return JSON.stringify(row, (name, value: unknown) => {
		if (name === 'setId' || name === 'links') return undefined;
		const isLong = typeof value === 'string' && value.length > MOST_COMPARED;
		return isLong ? [value.length, value.slice(0, MOST_COMPARED)] : value;
	});
}

/** What tells papers and parcels apart. */
function papersOf(row: SetRow): string {
	const documents = documentsOf(row).map(({ documentId, name, docType }) =>
		documentId === null ? `- ${shownText(name)} ${shownText(docType)}` : idKey(documentId),
	);
	const parcel = [row.parcelRef, row.shipmentRef, row.transactionId].map(shownText);
	return JSON.stringify([parcel, documents.sort()]);
}
