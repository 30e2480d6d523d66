import type { IDataObject } from 'n8n-workflow';
import { folded } from '../../../service/model/folded';
import type { SetRow } from '../../../service/model/set';
import { isId } from '../parameters/askedFor';
import { isCode, KEEPING, OURS, type Steps } from '../parameters/stepKinds';
import type { StepOfRun } from '../parameters/stepsInFront';
import { takenIn } from '../parameters/taken';
import { textsIn, wordsIn } from '../parameters/values';
import { ID_WITHIN, type Names } from './rowsThatSay';
import type { Companies } from './companies';

/** What tells whose a row of a table is, and what is known of those that hold an address. */

/** By which a set, or an event, says whose it is; and who did something, who may be meant as well. */
export const WHOSE = /customer|party|consign|ref(erence)?$|^setId$/i;
export const WHOSE_OR_WHO = new RegExp(`${WHOSE.source}|actor`, 'i');

export const CUSTOMER_ID = /(?:^|\.|^property_)customer[ ._-]?id$/i;

/** What a row of a customer calls it. */
export const OF_CUSTOMER =
	/(?:^|\.)(customer|counterparty|client|company|consignee|consignor|shipper|exporter|importer|buyer|seller|organi[sz]ation|debitor|kunden?|firma)s?[ ._-]?(id|no|nr|number|nummer|name|ref)?$/i;

/** The column of a reference, which was typed to try it. */
const PARCEL = /(?:^|\.)(parcel|shipment|set)[ ._-]?(id|ref|reference|no|nr|number)?$/i;

/** What tells whose a row is, or who chose it. */
export interface RowFacts {
	companies: () => Promise<Companies>;
	/** What comes to the address, with all that it comes to. */
	chosenBy: ReadonlyArray<{ text: string; all: readonly string[] }>;
	/** What says of the set whose it is. */
	itsOwn: readonly SetRow[];
	/** What else the papers came of, and does not hold the address. */
	cameFrom: () => ReadonlyArray<{ item: IDataObject }>;
	/** What that says: what was asked for, and the IDs that tell of one alone in the rows of a step. */
	came: (of: StepOfRun, column: string) => readonly string[];
	given: readonly StepOfRun[];
	/** Those that give neither events nor sets. */
	tables: readonly StepOfRun[];
	inFront: Steps;
	/**
	 * The fields that a table, a step behind it, or the address, reads of anything, or matches items by. What stands in front
	 * of a table, such as an If, chooses none of its rows.
	 */
	asked: (table: string) => ReadonlySet<string>;
	/** Those by which somebody may have chosen: a table may be written in Code, which then takes nothing that comes. */
	choosing: readonly StepOfRun[];
	/** What was typed into those. */
	typed: Names;
	/** The names of those that may give other rows for another set. */
	byItems: ReadonlySet<string>;
	/** Of those, the ones that go by what sets have alike alone, such as a status. */
	byMany: ReadonlySet<string>;
	/** The names of the tables that are read whole. */
	whole: ReadonlySet<string>;
}

export interface Owner {
	step: string;
	column: string;
	own: string;
	/** Whether the papers are known to be of another. */
	isSure: boolean;
}

/** Steps that say what comes in other words, or make one item of several, or several of one. */
export const IN_OTHER_WORDS = /\.(set|aggregate|splitOut|summarize|itemLists)$/;

/** Steps that hand on what came to them, in other words or another order; others give something of their own. */
export const HANDS_ON = new RegExp(
	String.raw`${KEEPING.source}|${IN_OTHER_WORDS.source}|\.(merge|code|function|aiTransform|compareDatasets)$`,
);

/** Where an address stands, and whose the papers are. */
export interface Place {
	isAddress: Names;
	owners: ReadonlyArray<{ step: StepOfRun; row: IDataObject }>;
	/** What says whose the set is, or who did something; and the first of that alone. */
	whose: Names;
	isOwn: Names;
	/** The rows that say the latter. */
	own: readonly IDataObject[];
}

/** Whether the set was looked for by what a row says. */
export const isSought = (step: StepOfRun, row: IDataObject, { inFront }: RowFacts) =>
	inFront
		.filter(({ type }) => OURS.test(type))
		.flatMap(takenIn)
		.some((one) => (one.step ?? step.name) === step.name && Object.hasOwn(row, one.field));

export const isTypedParcel = (row: IDataObject, name: string, typed: Names) => {
	const word = folded(claimOf(row[name]));
	return PARCEL.test(name) && /\d/.test(word) && typed.whole.has(word);
};

/** Whose a row says it is: in a list, several. */
export const claimOf = (value: unknown) => wordsIn(value).join(', ').trim();

export const isSource = (step: StepOfRun, { choosing }: RowFacts) =>
	!HANDS_ON.test(step.type) || (isCode(step) && !choosing.includes(step));

/** Whether two names begin alike, as spellings of one company do. */
export function isSpelling(text: string, { whole }: Names): boolean {
	const name = folded(text);
	const begins = (one: string, start: string) => `${one} `.startsWith(`${start} `);
	return !/\d/.test(name) && [...whole].some((other) => begins(name, other) || begins(other, name));
}

export const saidIn = (items: readonly SetRow[], which: RegExp) =>
	items.flatMap((item) => Object.keys(item).flatMap((name) => (which.test(name) ? textsIn(item[name]) : [])));

export const namesCustomer = (items: readonly SetRow[]) => saidIn(items, /customer/i).some(isId);

export const hasId = (text: string) => folded(text).search(ID_WITHIN) >= 0;
