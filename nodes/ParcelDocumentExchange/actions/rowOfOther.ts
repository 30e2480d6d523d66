import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { ServiceError } from '../../../service/errors';
import { folded } from '../../../service/model/folded';
import { grouped } from '../../../service/model/grouped';
import { idKey, shownText, type SetRow } from '../../../service/model/set';
import { isId } from '../parameters/askedFor';
import { sending } from '../parameters/attaching';
import { saidOfField } from '../parameters/eachSet';
import { matchedAt } from '../parameters/mixedBehind';
import { addressOf } from '../parameters/othersPapers';
import { ASKING, isCode, KEEPING, OURS, type Items, type Steps } from '../parameters/stepKinds';
import { itemOfStep, type StepOfRun } from '../parameters/stepsInFront';
import { askedByName, codeIn, taken, takenIn, takesOfItems } from '../parameters/taken';
import { isExpression, textsIn, wordsIn } from '../parameters/values';
import {
	fieldsThatSay,
	ID_WITHIN,
	names,
	rowsThatSay,
	sayBoth,
	says,
	textsOf,
	type Names,
} from './rowsThatSay';
import { behindOf, inFrontOf, type Around } from '../parameters/ways';
import { OF_CUSTOMER } from './rowsOfAnybody';

type Context = Around & Parameters<typeof itemOfStep>[0] & Pick<IExecuteFunctions, 'evaluateExpression'>;

/** By which a set, or an event, says whose it is; and who did something, who may be meant as well. */
const WHOSE = /customer|party|consign|ref(erence)?$|^setId$/i;
const WHOSE_OR_WHO = new RegExp(`${WHOSE.source}|actor`, 'i');

/** Signs of an address, of a folder or of a chat; fewer stand in any row. */
const FEWEST = 3;

const CUSTOMER_ID = /(?:^|\.)customer[ ._-]?id$/i;

/**
 * Where papers go to an address, or into a folder, that a table in front, such as one that is read whole, gives in the row of
 * somebody else. The row is known by the address in it, whatever steps brought that on.
 *
 * @throws ServiceError `invalidInput`
 */
export function refuseRowOfOther(
	context: Context,
	papers: Items,
	given: readonly StepOfRun[],
	found: ReadonlyMap<string, SetRow>,
): void {
	const written = addressesIn(behindOf(context), given);
	if (written.length === 0) return;
	const inFront = inFrontOf(context, context.getNode().name);
	const tables = given.filter(({ events, setIds }) => events.length === 0 && setIds.size === 0);
	const asked = new Set([
		...inFront.flatMap(takenIn).map(({ field }) => field),
		...inFront.flatMap((one) => [0, 1].flatMap((input) => matchedAt(one, input))),
	]);
	const choosing = given.filter(({ name }) =>
		inFront.some((one) => one.name === name && (!isCode(one) || takesOfItems(codeIn(one)))),
	);
	const ours = given.filter(({ type, setIds }) => OURS.test(type) && setIds.size > 0);
	const ofSets = grouped(
		ours.flatMap(({ items }) => items.map((item) => [idKey(String(item.setId)), item] as const)),
	);
	const seen = new Set<string>();
	for (const { json, pairedItem } of papers) {
		const index = typeof pairedItem === 'object' && 'item' in pairedItem ? pairedItem.item : 0;
		const set = idKey(String(json.setId));
		const key = `${index} ${set}`;
		if (seen.has(key)) continue;
		seen.add(key);
		for (const address of new Set(written.flatMap((text) => workedOut(context, text, index)))) {
			const came = () =>
				given.flatMap((step) => {
					const [only, ...more] = step.items;
					const item = itemOfStep(context, index, step.name) ?? (more.length === 0 ? only : undefined);
					const isOfOther = ours.includes(step) || (step.setIds.size > 0 && !says(item, names([set])));
					return !item || isOfOther || says(item, names([address]))
						? []
						: [...textsIn(item), ...wordsAsked(item, asked)];
				});
			const itsOwn = [json, ...(ofSets.get(set) ?? []), found.get(set) ?? {}];
			const other = ownerOf(address, { itsOwn, came, given, tables, inFront, asked, choosing });
			if (other) throw ofOther(other, shownText(json.parcelRef) ?? set);
		}
	}
}

/** What tells where papers go by what steps in front gave: alone, or in what Edit Fields behind them wrote for it. */
function addressesIn(behind: Steps, given: readonly StepOfRun[]): string[] {
	const on = behind.filter(({ disabled }) => !disabled);
	const edits = on.filter(({ type }) => /\.set$/.test(type));
	const sent = sending(on).flatMap((mail) => textsIn(addressOf(mail).parameters));
	const written = sent.flatMap(taken).flatMap(({ step, field }) =>
		edits
			.filter(({ name }) => (step ?? name) === name)
			.flatMap((edit) => saidOfField(edit, field))
			.flatMap(textsIn),
	);
	return [...sent, ...written].filter((text) => {
		const steps = askedByName({ type: '', parameters: [text] }, '');
		const isGiven = steps.every((step) => given.some(({ name }) => name === step));
		return isExpression(text) && steps.length > 0 && isGiven && !OF_ITS_PLACE.test(text);
	});
}

/** What n8n works out anew behind the papers. */
const OF_ITS_PLACE = /\$(?:json|input|binary|node|itemIndex|runIndex)\b/;

/** The addresses that an expression comes to; a folder, or a chat, as a whole. */
function workedOut(context: Context, text: string, index: number): string[] {
	try {
		return textsIn(context.evaluateExpression(text.slice(1), index))
			.flatMap((value) => value.match(/[^\s,;<>]+@[^\s,;<>]+/g) ?? [value.trim()])
			.filter(({ length }) => length >= FEWEST);
	} catch {
		// n8n knows of no item that it came from.
		return [];
	}
}

interface Known {
	/** What says of the set whose it is. */
	itsOwn: readonly SetRow[];
	/** What else the papers came of says. */
	came: () => readonly string[];
	given: readonly StepOfRun[];
	/** Those that give neither events nor sets. */
	tables: readonly StepOfRun[];
	inFront: Steps;
	/** The fields that steps in front take of items, or match them by. */
	asked: ReadonlySet<string>;
	/** Those by which somebody may have chosen: a table may be written in Code, which then takes nothing that comes. */
	choosing: readonly StepOfRun[];
}

interface Owner {
	step: string;
	column: string;
	own: string;
}

/** Steps that hand on what came to them, in other words or another order; others give something of their own. */
const HANDS_ON = new RegExp(
	String.raw`${KEEPING.source}|\.(set|merge|code|function|aiTransform|aggregate|splitOut|summarize|itemLists|compareDatasets)$`,
);

/** The row of somebody else that an address is of; undefined where one says nothing of that, or was chosen for the set. */
function ownerOf(address: string, known: Known): Owner | undefined {
	const { itsOwn, came, tables, asked } = known;
	const isAddress = names([address]);
	const owners = tables.flatMap((step) => rowsThatSay(step, isAddress).map((row) => ({ step, row })));
	const witnesses = known.given.filter((step) => isSource(step, known));
	const whose = names(saidIn(itsOwn, WHOSE_OR_WHO));
	const isAsked = names([...whose.whole, ...itsOwn.flatMap((item) => wordsAsked(item, asked))]);
	if (owners.length === 0 || witnesses.some((step) => sayBoth(step, isAddress, isAsked))) return undefined;
	const isOwn = names(saidIn(itsOwn, WHOSE));
	const own = tables.flatMap((step) => rowsThatSay(step, isOwn));
	const columns = new Set(own.flatMap((row) => fieldsThatSay(row, isOwn)));
	const isKnown = itsOwn.some(({ customerId }) => isId(customerId));
	const fields = new Set(
		owners.flatMap(({ row }) => fieldsThatSay(row, isAddress)).map((path) => path.replace(/\..*/s, '')),
	);
	let other: Owner | undefined;
	for (const { step, row } of owners) {
		const said = Object.keys(row).filter((name) => columns.has(name) || (isKnown && CUSTOMER_ID.test(name)));
		// Asked for what came, it may give the contacts of several parties; the address of a desk, say, is nobody's.
		if ((said.length === 0 || goesByItems(step)) && isOfItself(step, fields, known)) return undefined;
		// What has no such column, such as Edit Fields, says nothing for it.
		if (said.length === 0) continue;
		const column = said.find(
			(name) => claimOf(row[name]) !== '' && (columns.has(name) || hasId(claimOf(row[name]))),
		);
		const claim = column === undefined ? '' : claimOf(row[column]);
		if (column === undefined || claim === '') return undefined;
		// Nor does one of a word among IDs, such as `default`.
		if (!hasId(claim) && own.some((one) => hasId(claimOf(one[column])))) return undefined;
		const isIts =
			says([row[column]], whose) || [...whose.whole].some((name) => areAlike(folded(claim), name));
		if (!goesByItems(step) && !isIts) other ??= { step: step.name, column, own: claim };
	}
	const isMeant =
		!other ||
		isBuiltIn(isAddress, known) ||
		tables.some((step) => sayBoth(step, isAddress, names(came()))) ||
		owners.some(({ step, row }) => witnesses.includes(step) && isPointedAt(row, own, isAddress, known));
	return isMeant ? undefined : other;
}

/** Whose a row says it is: in a list, several. */
const claimOf = (value: unknown) => wordsIn(value).join(', ').trim();

const goesByItems = ({ type, typed }: StepOfRun) => !typed.isConstant || /\.executeWorkflow$/.test(type);

const isSource = (step: StepOfRun, { choosing }: Known) =>
	!HANDS_ON.test(step.type) || (isCode(step) && !choosing.includes(step));

/** Whether a step gives an address that it was not given. */
const isOfItself = (step: StepOfRun, fields: ReadonlySet<string>, known: Known) =>
	isSource(step, known) &&
	!known.inFront.some((one) => one.name === step.name && takenIn(one).some(({ field }) => fields.has(field)));

/** Whether somebody chose it while building: typed it into Edit Fields, or made a way for the customer whose the papers are. */
function isBuiltIn(isAddress: Names, { itsOwn, choosing }: Known): boolean {
	const { ids } = names(saidIn(itsOwn, CUSTOMER_ID));
	return choosing.some(({ type, typed }) =>
		/\.set$/.test(type)
			? [...isAddress.whole].some((word) => typed.words.has(word))
			: (ASKING.test(type) || isCode({ type })) && ids.some((id) => typed.ids.has(id)),
	);
}

/**
 * Whether a word that stands in its rows alone was typed, such as that of a desk, or stands in the customer's own row, as that
 * of a forwarder. An ID, or the name of a customer, was typed to try it.
 */
function isPointedAt(
	row: IDataObject,
	own: readonly IDataObject[],
	isAddress: Names,
	{ choosing, tables }: Known,
): boolean {
	const inOwn = grouped(
		own
			.flatMap((one) => Object.entries(one))
			.flatMap(([field, value]) => [...textsOf([value])].map((text) => [text, field] as const)),
	);
	return Object.keys(row).some((name) => {
		const word = folded(shownText(row[name]) ?? '');
		const isWord = names([word]);
		if (word.length < FEWEST || says([word], isAddress)) return false;
		const mayBeTyped = !isId(word) && !OF_CUSTOMER.test(name);
		const isTyped = mayBeTyped && choosing.some(({ typed }) => typed.words.has(word));
		if (!isTyped && !inOwn.get(word)?.some((field) => field !== name)) return false;
		const rows = tables.flatMap((step) => rowsThatSay(step, isWord));
		return rows.every((one) => says(one, isAddress) || !says([one[name]], isWord));
	});
}

/** Whether two names begin alike, as spellings of one company do. */
function areAlike(name: string, other: string): boolean {
	const begins = (text: string, start: string) => `${text} `.startsWith(`${start} `);
	return !/\d/.test(name) && (begins(name, other) || begins(other, name));
}

const saidIn = (items: readonly SetRow[], which: RegExp) =>
	items.flatMap((item) => Object.keys(item).flatMap((name) => (which.test(name) ? textsIn(item[name]) : [])));

const wordsAsked = (item: SetRow, asked: ReadonlySet<string>) =>
	Object.keys(item).flatMap((name) => (asked.has(name) ? wordsIn(item[name]) : []));

const hasId = (text: string) => folded(text).search(ID_WITHIN) >= 0;

function ofOther({ step, column, own }: Owner, set: string): ServiceError {
	return new ServiceError(
		'invalidInput',
		`What is sent goes by the row of somebody else: in ${JSON.stringify(step)}, its ${column} is ${own}`,
		{
			remedy: `Nothing was handed on: these are the papers of ${set}. Have that step look for the row of each, by customerId of the event, say, or filter its rows by that. An address that is meant whosever the papers are is typed into the mail.`,
		},
	);
}
