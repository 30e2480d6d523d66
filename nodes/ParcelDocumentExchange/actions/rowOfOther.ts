import type { IDataObject } from 'n8n-workflow';
import { ServiceError } from '../../../service/errors';
import { folded } from '../../../service/model/folded';
import { grouped } from '../../../service/model/grouped';
import { idKey, shownText } from '../../../service/model/set';
import { isId } from '../parameters/askedFor';
import { sending } from '../parameters/attaching';
import { saidOfField } from '../parameters/eachSet';
import { addressOf } from '../parameters/othersPapers';
import { builtOf, OURS, type Items, type Steps } from '../parameters/stepKinds';
import { itemOfStep, type StepOfRun } from '../parameters/stepsInFront';
import { takenAlone, takenIn, type Taken } from '../parameters/taken';
import { textsIn } from '../parameters/values';
import { behindOf, inFrontOf, type Around } from '../parameters/ways';

type Context = Around & Parameters<typeof itemOfStep>[0];

/** By which a set, or an event, says whose it is; and who did something, who may be meant as well. */
const WHOSE = /customer|party|consign|ref(erence)?$|^setId$/i;
const WHOSE_OR_WHO = new RegExp(`${WHOSE.source}|actor`, 'i');

/** Signs of an address, of a folder or of a chat; fewer stand in any row. */
const FEWEST = 3;

const CUSTOMER_ID = /^customer[ _-]?id$/i;

/**
 * Where papers go to an address, or into a folder, that a table in front, such as one that is read whole, gives in the row of
 * somebody else. The row is known by the address in it, whatever steps brought that on.
 *
 * @throws ServiceError `invalidInput`
 */
export function refuseRowOfOther(context: Context, papers: Items, given: readonly StepOfRun[]): void {
	const addresses = addressesOf(behindOf(context)).filter(({ step }) =>
		given.some(({ name }) => name === step),
	);
	if (addresses.length === 0) return;
	const inFront = inFrontOf(context, context.getNode().name);
	const tables = given.filter(({ events, setIds }) => events.length === 0 && setIds.size === 0);
	const asked = new Set(inFront.flatMap(takenIn).map(({ field }) => field));
	const ours = given.filter(({ type, setIds }) => OURS.test(type) && setIds.size > 0);
	const ofSets = grouped(
		ours.flatMap(({ items }) => items.map((item) => [idKey(String(item.setId)), item] as const)),
	);
	const seen = new Set<string>();
	for (const { json, pairedItem } of papers) {
		const index = typeof pairedItem === 'object' && 'item' in pairedItem ? pairedItem.item : 0;
		const set = idKey(String(json.setId));
		for (const taken of addresses) {
			const address = addressTaken(context, index, taken, given);
			const key = JSON.stringify([index, set, address]);
			if (address === undefined || seen.has(key)) continue;
			seen.add(key);
			const came = () =>
				given.flatMap((step) => {
					const [only, ...more] = step.items;
					const item = itemOfStep(context, index, step.name) ?? (more.length === 0 ? only : undefined);
					const isOfOther = ours.includes(step) || (step.setIds.size > 0 && !says(item, names([set])));
					return isOfOther || says(item, names([address])) ? [] : textsIn(item);
				});
			const itsOwn = [json, ...(ofSets.get(set) ?? [])];
			const other = ownerOf(address, { itsOwn, came, tables, asked, inFront });
			if (other) throw ofOther(other, shownText(json.parcelRef) ?? set);
		}
	}
}

/** What tells where papers go, alone or in what Edit Fields behind them wrote for it. */
function addressesOf(behind: Steps): Taken[] {
	const on = behind.filter(({ disabled }) => !disabled);
	const edits = on.filter(({ type }) => /\.set$/.test(type));
	const alone = (value: unknown) => textsIn(value).flatMap((text) => takenAlone(text) ?? []);
	const sent = sending(on).flatMap((mail) => alone(addressOf(mail).parameters));
	const written = sent.flatMap(({ step, field }) =>
		edits.filter(({ name }) => (step ?? name) === name).flatMap((edit) => saidOfField(edit, field)),
	);
	return [...sent, ...alone(written)];
}

function addressTaken(
	context: Context,
	index: number,
	{ step = '', which, field, text }: Taken,
	given: readonly StepOfRun[],
): string | undefined {
	if (which === 'place') return undefined;
	const items = given.find(({ name }) => name === step)?.items ?? [];
	const [, number] = /[[(]\s*(-?\d+)\s*[\])]\s*\??\.\s*json\b/.exec(text) ?? [];
	const place = number === undefined ? (/\.\s*(?:last|pop)\s*\(/.test(text) ? -1 : 0) : Number(number);
	const value = (which === 'one' ? items.at(place) : itemOfStep(context, index, step))?.[field];
	return typeof value === 'string' && value.trim().length >= FEWEST ? value : undefined;
}

interface Known {
	/** What says of the set whose it is. */
	itsOwn: readonly IDataObject[];
	/** What else the papers came of says. */
	came: () => readonly string[];
	tables: readonly StepOfRun[];
	/** The fields that steps in front take of items. */
	asked: ReadonlySet<string>;
	inFront: Steps;
}

interface Owner {
	step: string;
	column: string;
	own: string;
}

/** The row of somebody else that an address is of; undefined where one says nothing of that, or was chosen for the set. */
function ownerOf(address: string, known: Known): Owner | undefined {
	const { itsOwn, came, tables, asked, inFront } = known;
	const isAddress = names([address]);
	const owners = tables.flatMap((step) => rowsThatSay(step, isAddress).map((row) => ({ step, row })));
	if (owners.length === 0) return undefined;
	const isOwn = names(saidIn(itsOwn, WHOSE));
	const own = tables.flatMap((step) => rowsThatSay(step, isOwn));
	const columns = new Set(own.flatMap((row) => Object.keys(row).filter((name) => says([row[name]], isOwn))));
	const isKnown = itsOwn.some(({ customerId }) => isId(customerId));
	const askedOfOwn = own.flatMap((row) =>
		Object.keys(row).flatMap((name) => (asked.has(name) ? textsIn(row[name]) : [])),
	);
	const chosenBy = () => [...saidIn(itsOwn, WHOSE_OR_WHO), ...askedOfOwn, ...came()];
	let isChosen: Names | undefined;
	let other: Owner | undefined;
	for (const { step, row } of owners) {
		const said = Object.keys(row).filter((name) => columns.has(name) || (isKnown && CUSTOMER_ID.test(name)));
		// What has no such column, such as Edit Fields, says nothing for it.
		if (said.length === 0) continue;
		const column = said.find(
			(name) => shownText(row[name]) !== null && (columns.has(name) || isId(row[name])),
		);
		const claim = column === undefined ? null : shownText(row[column]);
		if (column === undefined || claim === null) return undefined;
		isChosen ??= names(chosenBy());
		if (says(row, isChosen)) return undefined;
		// An office, say, that was typed is meant for all; a customer's ID was typed to try it.
		if (!isId(claim) && inFront.some((one) => builtOf(one).includes(claim))) return undefined;
		// Asked for what came, it may give the contacts of several parties.
		if (step.typed.isConstant) other ??= { step: step.name, column, own: claim };
	}
	return other;
}

const saidIn = (items: readonly IDataObject[], which: RegExp) =>
	items.flatMap((item) => Object.keys(item).flatMap((name) => (which.test(name) ? textsIn(item[name]) : [])));

interface Names {
	whole: ReadonlySet<string>;
	/** They may stand among others. */
	ids: readonly string[];
}

function names(texts: readonly string[]): Names {
	const whole = new Set(texts.filter((text) => text.trim() !== '').map(folded));
	return { whole, ids: [...whole].filter(isId) };
}

function says(item: object | undefined, { whole, ids }: Names): boolean {
	return textsIn(item)
		.map(folded)
		.some((text) => whole.has(text) || ids.some((id) => text.includes(id)));
}

/** A table may have thousands of rows, and each paper asks for some of them. */
const rowsByText = new WeakMap<StepOfRun, ReadonlyMap<string, IDataObject[]>>();
const ID_WITHIN = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g;

/** The same, of a whole table, which is read once. */
function rowsThatSay(step: StepOfRun, { whole }: Names): IDataObject[] {
	const rows =
		rowsByText.get(step) ?? grouped(step.items.flatMap((row) => textsOfRow(row).map((text) => [text, row])));
	rowsByText.set(step, rows);
	return [...new Set([...whole].flatMap((text) => rows.get(text) ?? []))];
}

function textsOfRow(row: IDataObject): string[] {
	const texts = textsIn(row).map(folded);
	return [...new Set([...texts, ...texts.flatMap((text) => text.match(ID_WITHIN) ?? [])])];
}

function ofOther({ step, column, own }: Owner, set: string): ServiceError {
	return new ServiceError(
		'invalidInput',
		`What is sent goes by the row of somebody else: in ${JSON.stringify(step)}, its ${column} is ${own}`,
		{
			remedy: `Nothing was handed on: these are the papers of ${set}. Have that step look for the row of each, by customerId of the event, say, or filter its rows by that. An address that is meant whosever the papers are is typed into the mail.`,
		},
	);
}
