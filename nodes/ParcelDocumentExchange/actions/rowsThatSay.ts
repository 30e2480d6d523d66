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

export const ID_WITHIN = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g;

/** A yes, a date, or a row's place in a list: two rows say the same, and have nothing to do with each other. */
export const BY_CHANCE =
	/^(true|false|yes|wahr|falsch|nein|vrai|faux|oui|non|(in)?acti(ve|f)|(in)?aktiv|\d+\.0{5,}|((19|20)\d\d[-/.]\d\d?[-/.]\d\d?|\d\d?[-/.]\d\d?[-/.](19|20)?\d\d)([t ,][\d:.+zapmutc -]*)?)$/;

/** A row; or what stands beside a list of rows, in an answer or in what Aggregate gives: said of each, and kept once. */
interface Part {
	fields: IDataObject;
	texts: ReadonlySet<string>;
	beside: Part | undefined;
	/** The rows that it is said of, by their places in the table: a row, of itself. */
	first: number;
	end: number;
}

interface Table {
	rows: readonly Part[];
	/** A table may have thousands of rows, and each paper asks for some of them. */
	byText: ReadonlyMap<string, readonly Part[]>;
}

/** An item as a row: what it holds in objects stands beside its own fields, and the rows of its lists apart. */
interface Flat {
	fields: IDataObject;
	rows: object[];
}

function flat(item: object, path = '', into: Flat = { fields: {}, rows: [] }): Flat {
	for (const [name, value] of Object.entries(item) as Array<[string, IDataObject[string]]>) {
		if (isListOfRows(value)) for (const row of value) into.rows.push(row);
		else if (isObject(value)) flat(value, `${path}${name}.`, into);
		else into.fields[path + name] = value;
	}
	return into;
}

const isListOfRows = (value: unknown): value is object[] =>
	Array.isArray(value) && value.length > 0 && value.every((row) => isObject(row) || Array.isArray(row));

function readTable({ items }: StepOfRun): Table {
	const rows: Part[] = [];
	const parts: Part[] = [];
	const read = ({ fields, rows: inside }: Flat, beside?: Part) => {
		const own = inside.map((row) => flat(row));
		const names = new Set(own.flatMap((row) => Object.keys(row.fields)));
		// What some of them say themselves, it says of the others.
		const isOfOthers = ([name, value]: [string, unknown]) => names.has(name) && !Array.isArray(value);
		const all = Object.entries(fields);
		const common = Object.fromEntries(all.filter((one) => !isOfOthers(one)));
		const ofOthers = Object.fromEntries(all.filter(isOfOthers));
		const part = { fields: common, texts: textsOf(common), beside, first: rows.length, end: 0 };
		parts.push(part);
		if (own.length === 0) rows.push(part);
		for (const row of own) read({ ...row, fields: { ...ofOthers, ...row.fields } }, part);
		part.end = rows.length;
	};
	for (const item of items) read(flat(item));
	const said = parts.flatMap((part) => [...part.texts].map((text) => [text, part] as const));
	return { rows, byText: grouped(said) };
}

export function textsOf(fields: object): ReadonlySet<string> {
	const texts = wordsIn(fields).map(folded);
	return new Set([...texts, ...texts.flatMap((text) => text.match(ID_WITHIN) ?? [])]);
}

const tables = new WeakMap<StepOfRun, Table>();

function tableOf(step: StepOfRun): Table {
	const table = tables.get(step) ?? readTable(step);
	tables.set(step, table);
	return table;
}

/** All that its rows say, each text once: behind several events, a list of colleagues comes as often. */
export const textsOfTable = (step: StepOfRun): string[] => [...tableOf(step).byText.keys()];

/** Of thousands that say the same, so many are looked at, of all places of the table. */
const MOST = 20;

function spread<T>(list: readonly T[], first = 0, end = list.length): T[] {
	const count = Math.min(end - first, MOST);
	return Array.from({ length: count }, (_, n) => list[first + Math.floor((n * (end - first)) / count)]!);
}

export function rowsThatSay(step: StepOfRun, { whole }: Names): IDataObject[] {
	const { rows, byText } = tableOf(step);
	const ofText = (text: string) =>
		spread(spread(byText.get(text) ?? []).flatMap(({ first, end }) => spread(rows, first, end)));
	return [...new Set([...whole].flatMap(ofText))].map(wholeRow);
}

/** More rows of one company, in a table of several, would be those of whoever works there. */
const FEW = 5;

/** Whether a text tells a few rows of a table from most. Behind several events, each row comes as often. */
export function isOfFew(step: StepOfRun, text: string): boolean {
	const parts = tableOf(step).byText.get(text) ?? [];
	const count = parts.reduce((sum, { first, end }) => sum + end - first, 0);
	const different = new Set(rowsThatSay(step, names([text])).map((row) => JSON.stringify(row)));
	return count * 2 <= tableOf(step).rows.length && different.size <= FEW;
}

const wholeRow = ({ fields, beside }: Part): IDataObject => ({ ...(beside && wholeRow(beside)), ...fields });

/** Whether one row says the one and the other. */
export function sayBoth(step: StepOfRun, one: Names, other: Names): boolean {
	const { rows, byText } = tableOf(step);
	const said = [one, other].map((which) => {
		return { which, parts: [...which.whole].flatMap((text) => byText.get(text) ?? []) };
	});
	const [few, more] = said.sort((a, b) => a.parts.length - b.parts.length);
	const areRows = few!.parts.every((part) => rows[part.first] === part);
	const isIn =
		({ which }: typeof few & object) =>
		(part: Part) =>
			isSaidIn(part, which);
	return few!.parts.some(isIn(more!)) || (!areRows && more!.parts.some(isIn(few!)));
}

function isSaidIn({ texts, beside }: Part, which: Names): boolean {
	const [few, more] = texts.size < which.whole.size ? [texts, which.whole] : [which.whole, texts];
	return [...few].some((text) => more.has(text)) || (beside !== undefined && isSaidIn(beside, which));
}
