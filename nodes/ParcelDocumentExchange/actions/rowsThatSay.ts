import type { IDataObject } from 'n8n-workflow';
import { folded } from '../../../service/model/folded';
import { grouped } from '../../../service/model/grouped';
import { isId } from '../parameters/askedFor';
import type { StepOfRun } from '../parameters/stepsInFront';
import { isObject, wordsIn } from '../parameters/values';

/** What a row of a table says, in whatever field and spelling. */

export interface Names {
	whole: ReadonlySet<string>;
	/** They may stand among others. */
	ids: readonly string[];
}

export function names(texts: readonly string[]): Names {
	const whole = new Set(texts.filter((text) => text.trim() !== '').map(folded));
	return { whole, ids: [...whole].filter(isId) };
}

export function says(item: object | undefined, { whole, ids }: Names): boolean {
	return wordsIn(item)
		.map(folded)
		.some((text) => whole.has(text) || ids.some((id) => text.includes(id)));
}

export const fieldsThatSay = (row: IDataObject, which: Names) =>
	Object.keys(row).filter((name) => says([row[name]], which));

/** A table may have thousands of rows, and each paper asks for some of them. */
const rowsByText = new WeakMap<StepOfRun, ReadonlyMap<string, IDataObject[]>>();
export const ID_WITHIN = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g;

/** An answer, or what Aggregate gives, holds them in a list; what stands beside that is said of each. */
function rowsIn(item: IDataObject): IDataObject[] {
	const lists = Object.entries(item).filter(([, value]) => isListOfRows(value));
	const beside = Object.fromEntries(Object.entries(item).filter(([, value]) => !isListOfRows(value)));
	const rows = lists.flatMap(([, list]) => list as IDataObject[]);
	return lists.length === 0 ? [item] : rows.flatMap((row) => rowsIn({ ...beside, ...row }));
}

const isListOfRows = (value: unknown) => Array.isArray(value) && value.length > 0 && value.every(isObject);

/** The rows of a whole table, which is read once, by each text. */
function listsThatSay(step: StepOfRun, { whole }: Names): IDataObject[][] {
	const rows =
		rowsByText.get(step) ??
		grouped(step.items.flatMap(rowsIn).flatMap((row) => textsOfRow(row).map((text) => [text, row])));
	rowsByText.set(step, rows);
	return [...whole].flatMap((text) => (rows.has(text) ? [rows.get(text)!] : []));
}

/** Of thousands that say the same, so many are looked at, of all places of the table. */
const MOST = 20;

export function rowsThatSay(step: StepOfRun, which: Names): IDataObject[] {
	const spread = (rows: IDataObject[]) => {
		if (rows.length <= MOST) return rows;
		return Array.from({ length: MOST }, (_, n) => rows[Math.floor((n * rows.length) / MOST)]!);
	};
	return [...new Set(listsThatSay(step, which).flatMap(spread))];
}

/** Whether one row says the one and the other. */
export function sayBoth(step: StepOfRun, one: Names, other: Names): boolean {
	const lists = listsThatSay(step, one);
	const others = listsThatSay(step, other);
	const isShort = countOf(lists) <= countOf(others);
	return (isShort ? lists : others).some((rows) => rows.some((row) => says(row, isShort ? other : one)));
}

const countOf = (lists: IDataObject[][]) => lists.reduce((sum, { length }) => sum + length, 0);

function textsOfRow(row: IDataObject): string[] {
	const texts = wordsIn(row).map(folded);
	return [...new Set([...texts, ...texts.flatMap((text) => text.match(ID_WITHIN) ?? [])])];
}
