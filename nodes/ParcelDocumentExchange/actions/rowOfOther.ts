import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { ServiceError } from '../../../service/errors';
import { folded } from '../../../service/model/folded';
import { grouped } from '../../../service/model/grouped';
import { idKey, shownText, type SetRow } from '../../../service/model/set';
import { isId } from '../parameters/askedFor';
import { sending } from '../parameters/attaching';
import { asksAlike } from '../parameters/eachSet';
import { matchedAt } from '../parameters/mixedBehind';
import { comparesItems, questionsIn } from '../parameters/questions';
import {
	ASKING,
	builtOf,
	isCode,
	KEEPING,
	OURS,
	type Items,
	type Step,
	type Steps,
} from '../parameters/stepKinds';
import { gave, itemOfStep, type StepOfRun } from '../parameters/stepsInFront';
import { askedByName, codeIn, inTodaysWords, takenIn, takesOfItems } from '../parameters/taken';
import { isObject, plainText, textsIn, wordsIn } from '../parameters/values';
import {
	BY_CHANCE,
	fieldsThatSay,
	ID_WITHIN,
	isOfFew,
	names,
	rowsThatSay,
	sayBoth,
	says,
	textsOf,
	textsOfTable,
	type Names,
} from './rowsThatSay';
import { comesOnlyFrom, inFrontOf, leadsTo, waysInto, type Around } from '../parameters/ways';
import type { Companies } from './companies';
import { addressesIn, FEWEST, inItsPlace, workedOut } from './whereSent';

type Context = Around & Parameters<typeof itemOfStep>[0] & Pick<IExecuteFunctions, 'evaluateExpression'>;

/** By which a set, or an event, says whose it is; and who did something, who may be meant as well. */
const WHOSE = /customer|party|consign|ref(erence)?$|^setId$/i;
const WHOSE_OR_WHO = new RegExp(`${WHOSE.source}|actor`, 'i');

const CUSTOMER_ID = /(?:^|\.|^property_)customer[ ._-]?id$/i;

/** `own.agent`, `own["Agent No."]`, `own.get("agent")` */
const READS_FIELD = /\.\s*([\p{L}_$][\p{L}\d_$]*)|[[(]\s*(["'`])([^"'`]+)\2\s*[\]),]/gu;

/** What a row of a customer calls it. */
const OF_CUSTOMER =
	/(?:^|\.)(customer|counterparty|client|company|consignee|consignor|kunden?|firma)s?[ ._-]?(id|no|nr|number|nummer|name|ref)?$/i;

/** What starts a run may say whose the set is that it names. */
const SAYS_OF_SET = new RegExp(`${OURS.source}|Trigger$`);

/** The column of a reference, which was typed to try it. */
const PARCEL = /(?:^|\.)(parcel|shipment|set)[ ._-]?(id|ref|reference|no|nr|number)?$/i;

/**
 * Where papers go to an address, or into a folder, that a table in front, such as one that is read whole, gives in the row of
 * somebody else. The row is known by the address in it, whatever steps brought that on.
 *
 * @param companies asked where the rows alone do not tell
 * @returns hints at rows of which nothing says whether they are those of the papers
 * @throws ServiceError `invalidInput`
 */
export async function refuseRowOfOther(
	context: Context,
	papers: Items,
	given: readonly StepOfRun[],
	found: ReadonlyMap<string, SetRow>,
	companies: () => Promise<Companies>,
): Promise<string[]> {
	const written = addressesIn(context, given);
	if (written.length === 0) return [];
	const inFront = inFrontOf(context, context.getNode().name);
	// What a mail answers, such as that of the round before in a loop, says where others went.
	const sent = new Set(sending(inFront).map(({ name }) => name));
	const tables = given.filter(
		({ name, events, setIds }) => events.length === 0 && setIds.size === 0 && !sent.has(name),
	);
	const ofAddress = written.flatMap(({ text }) => fieldsRead(text));
	const askedOf = new Map<string, ReadonlySet<string>>();
	const asked = (table: string) => {
		const reading = () => inFront.filter(({ name }) => name === table || leadsTo(context, table, name));
		const fields = askedOf.get(table) ?? new Set([...ofAddress, ...reading().flatMap(fieldsAsked)]);
		askedOf.set(table, fields);
		return fields;
	};
	const choosing = given.filter(({ name }) =>
		inFront.some((one) => one.name === name && (!isCode(one) || takesOfItems(codeIn(one)))),
	);
	const typed = names(choosing.flatMap((step) => [...step.typed.words]));
	const ours = given.filter(({ type, setIds }) => OURS.test(type) && setIds.size > 0);
	const ofSets = grouped(
		given
			.filter(({ type }) => SAYS_OF_SET.test(type))
			.flatMap(({ items }) => items.map((item) => [idKey(String(item.setId)), item] as const)),
	);
	const several = tables.filter(({ items }) => items.length > 1);
	const whole = new Set(several.filter((step) => isWhole(step, inFront)).map(({ name }) => name));
	// One row alone may be left because somebody asked for it; not by a loop, which gives one after the other, nor by Limit.
	const onlyHandsOn = (step: Step) =>
		(!mayChoose(step) || several.some(({ name }) => name === step.name)) &&
		(KEEPING.test(step.type) || IN_OTHER_WORDS.test(step.type) || isCode(step)) &&
		(asksWhatWasTyped(step) || askedByName(step, '').every((name) => whole.has(name)));
	const comesOfWhole = (step: Step) =>
		[...whole].some((table) =>
			comesOnlyFrom(context, step.name, table, onlyHandsOn, undefined, waysInto(context, step)),
		);
	const ofWhole = new Set([
		...whole,
		...inFront.filter((step) => onlyHandsOn(step) && comesOfWhole(step)).map(({ name }) => name),
	]);
	const asksOfWhole = (step: Step) =>
		(asksWhatWasTyped(step) && comesOfWhole(step)) ||
		takenIn(step).every(({ step: name }) => (name === undefined ? comesOfWhole(step) : ofWhole.has(name)));
	const byItems = new Set(
		inFront.filter((step) => goesByItems(context, step, asksOfWhole)).map(({ name }) => name),
	);
	const seen = new Set<string>();
	const told = new Set<string>();
	for (const [place, { json, pairedItem }] of papers.entries()) {
		const index = typeof pairedItem === 'object' && 'item' in pairedItem ? pairedItem.item : 0;
		const set = idKey(String(json.setId));
		const texts = written.map(({ text, isNext }) => (isNext ? inItsPlace(text, json, place) : text));
		const key = [index, set, ...texts].join('\n');
		if (seen.has(key)) continue;
		seen.add(key);
		const addresses = texts.map((text) => ({ text, all: workedOut(context, text, index) }));
		for (const address of new Set(addresses.flatMap(({ all }) => all))) {
			const cameFrom = () =>
				given.flatMap((step) => {
					const [only, ...more] = step.items;
					const item = itemOfStep(context, index, step.name) ?? (more.length === 0 ? only : undefined);
					const isOfOther = ours.includes(step) || (step.setIds.size > 0 && !says(item, names([set])));
					// Of a table that is read whole, the own row alone may tell of an agent, say.
					const isAnybodys = ofWhole.has(step.name) && !says(item, names(saidIn(itsOwn, WHOSE)));
					if (!item || isOfOther || isAnybodys || says(item, names([address]))) return [];
					return [{ step, item }];
				});
			const came = (of: StepOfRun, column: string) =>
				cameFrom().flatMap(({ step, item }) => {
					const isTyped = (text: string) => /\.set$/.test(step.type) && step.typed.words.has(folded(text));
					const words = [
						...textsIn(item).filter((text) => isId(text) && isOfOne(of, column, text)),
						...wordsAsked(item, asked(of.name)),
					];
					return words.filter((text) => !isTyped(text));
				});
			const asking = ours.filter((step) => gave(step, set)).flatMap(({ typed }) => [...typed.ids]);
			const { customerIds, ...ofSet } = found.get(set) ?? {};
			const said = [json, ...(ofSets.get(set) ?? []), ofSet];
			// Of several customers that were asked for, an event says which one it is.
			const wasAsked = { customerIds: [customerIds, asking.filter((id) => id !== set)] };
			const itsOwn = namesCustomer(said) ? said : [...said, wasAsked];
			const other = await ownerOf(address, {
				companies,
				chosenBy: addresses.filter(({ all }) => all.includes(address)),
				itsOwn,
				cameFrom,
				came,
				given,
				tables,
				inFront,
				asked,
				choosing,
				typed,
				byItems,
				whole,
			});
			const called = shownText(json.parcelRef) ?? set;
			if (other?.isSure) throw ofOther(other, called);
			if (other) told.add(ofAnybody(other, called));
		}
	}
	return [...told];
}

interface Known {
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
	/** The names of the tables that are read whole. */
	whole: ReadonlySet<string>;
}

interface Owner {
	step: string;
	column: string;
	own: string;
	/** Whether the papers are known to be of another. */
	isSure: boolean;
}

/** Steps that hand on what came to them, in other words or another order; others give something of their own. */
const HANDS_ON = new RegExp(
	String.raw`${KEEPING.source}|\.(set|merge|code|function|aiTransform|aggregate|splitOut|summarize|itemLists|compareDatasets)$`,
);

/** The row of somebody else that an address is of; undefined where one says nothing of that, or was chosen for the set. */
async function ownerOf(address: string, known: Known): Promise<Owner | undefined> {
	const { itsOwn, came, tables, asked } = known;
	const isAddress = names([address]);
	const owners = tables.flatMap((step) => rowsThatSay(step, isAddress).map((row) => ({ step, row })));
	const witnesses = known.given.filter((step) => isSource(step, known));
	const whose = names(saidIn(itsOwn, WHOSE_OR_WHO));
	const isTied = (step: StepOfRun) => {
		const words = itsOwn.flatMap((item) => wordsAsked(item, asked(step.name)));
		return sayBoth(step, isAddress, names([...whose.whole, ...words]));
	};
	if (owners.length === 0 || witnesses.some(isTied)) return undefined;
	const isOwn = names(saidIn(itsOwn, WHOSE));
	const own = tables.flatMap((step) => rowsThatSay(step, isOwn));
	const place: Place = { isAddress, owners, whose, isOwn, own };
	const isMeant =
		isBuiltIn(isAddress, known) ||
		owners.some(
			({ step, row }) => witnesses.includes(step) && isPointedAt({ step, row }, own, isAddress, known),
		);
	if (isMeant) return undefined;
	const byRows = claimedBy(place, known);
	const other = byRows?.isSure ? byRows : ((await ofCompany(place, known)) ?? byRows);
	return other && tables.some((step) => sayBoth(step, isAddress, names(came(step, other.column))))
		? undefined
		: other;
}

/** Where an address stands, and whose the papers are. */
interface Place {
	isAddress: Names;
	owners: ReadonlyArray<{ step: StepOfRun; row: IDataObject }>;
	/** What says whose the set is, or who did something; and the first of that alone. */
	whose: Names;
	isOwn: Names;
	/** The rows that say the latter. */
	own: readonly IDataObject[];
}

/** The row of somebody else by what the columns say in which the own row names the customer. */
function claimedBy({ isAddress, owners, whose, isOwn, own }: Place, known: Known): Owner | undefined {
	const { itsOwn, typed, byItems, whole } = known;
	const ofOwn = names(own.flatMap((row) => [...textsOf({ ...row, row_number: null })]));
	// A word that was typed, and that the own row has, too, tells of all of them: `active`, say.
	const isApart = names([...typed.whole].filter((word) => !ofOwn.whole.has(word)));
	const ofName = own.flatMap((row) => fieldsThatSay(row, isOwn));
	const columns = new Set(areOfOthers(owners, ofName, ofOwn, whose, known) ? [] : ofName);
	const isKnown = namesCustomer(itsOwn);
	const fields = new Set(
		owners.flatMap(({ row }) => fieldsThatSay(row, isAddress)).map((path) => path.replace(/\..*/s, '')),
	);
	let other: Owner | undefined;
	for (const { step, row } of owners) {
		const said = Object.keys(row).filter(
			(name) => columns.has(name) || (isKnown && CUSTOMER_ID.test(name)) || isTypedParcel(row, name, typed),
		);
		// Asked for what came, it may give the contacts of several parties; the address of a desk, say, is nobody's.
		if ((said.length === 0 || byItems.has(step.name)) && isOfItself(step, fields, known)) {
			if (byItems.has(step.name) || owners.length > 1) return undefined;
			const [column, value] = Object.entries(row).find(
				([name, one]) => OF_CUSTOMER.test(name) && claimOf(one) !== '',
			) ?? [undefined];
			if (column === undefined || isSought(step, row, known)) return undefined;
			other = { step: step.name, column, own: claimOf(value), isSure: false };
			continue;
		}
		// What has no such column, such as Edit Fields, says nothing for it.
		if (said.length === 0) continue;
		// One that was asked for and leaves the customer's ID empty, where the own has it, is of a desk or a bank; where it came
		// of a table that is read whole, or says a word that was typed, by such a word that the own row does not say.
		const isOwnId = (name: string) => /customer/i.test(name) && own.some((one) => hasId(claimOf(one[name])));
		const isOfDesk = said.some(isOwnId) && !said.some((name) => hasId(claimOf(row[name])));
		const isAskedFor = !whole.has(step.name) && !says(row, typed);
		if (isOfDesk && (isAskedFor || says(row, isApart))) continue;
		const column = said.find(
			(name) =>
				claimOf(row[name]) !== '' &&
				(!CUSTOMER_ID.test(name) || columns.has(name) || hasId(claimOf(row[name]))),
		);
		if (column === undefined) return undefined;
		const claim = claimOf(row[column]);
		// Nor does one of a word among IDs, such as `default`.
		if (!hasId(claim) && own.some((one) => hasId(claimOf(one[column])))) return undefined;
		const isIts = says([row[column]], whose) || isSpelling(claim, whose);
		if (!byItems.has(step.name) && !isIts) other ??= { step: step.name, column, own: claim, isSure: true };
	}
	return other;
}

/**
 * The row of another company that the service knows, in whatever column: beside an own row, in a table that has a few rows
 * of that one among others. Not where an own row names that company, too, or something else that the papers came of; nor
 * where somebody chose the row, such as that of a desk, by whatever it says.
 */
async function ofCompany(place: Place, known: Known): Promise<Owner | undefined> {
	const { owners, isOwn, own } = place;
	const { itsOwn, tables, typed, byItems } = known;
	const sources = owners.filter(({ step }) => isSource(step, known));
	const isMeant = owners.some(({ step, row }) => byItems.has(step.name) || isSought(step, row, known));
	if (sources.length === 0 || isMeant || isChosen(place, known)) return undefined;
	const companies = await known.companies();
	const ofSet = [...textsOf({ itsOwn })].flatMap((text) => companies.get(text) ?? []);
	const isIts = names([...isOwn.whole, ...ofSet.flat()]);
	const ownRows = [...own, ...tables.flatMap((step) => rowsThatSay(step, isIts))];
	// A row may call the customer by less than its whole name.
	const isOfOwn = sources.some(({ row }) => [...textsOf(row)].some((text) => isSpelling(text, isIts)));
	if (ownRows.length === 0 || isOfOwn) return undefined;
	const around = textsOf({ ownRows, came: known.cameFrom().map(({ item }) => item) });
	const named = names([...isIts.whole, ...typed.whole, ...around]);
	const isNamed = (word: string) =>
		isSpelling(word, named) || [...named.whole].some((text) => text.includes(word));
	const isOther = (text: string) => companies.get(text)?.every((words) => !words.some(isNamed));
	const others = sources.map(({ step, row }) =>
		[...textsOf(row)].filter((text) => isOther(text) && isOfFew(step, text)),
	);
	const other = others[0]!.find((text) => others.every((texts) => texts.includes(text)));
	if (other === undefined) return undefined;
	const { step, row } = sources[0]!;
	const [column = ''] = fieldsThatSay(row, names([other]));
	return { step: step.name, column, own: claimOf(row[column]), isSure: true };
}

/** Steps that say what comes in other words, or make one item of several, or several of one. */
const IN_OTHER_WORDS = /\.(set|aggregate|splitOut|summarize|itemLists)$/;

/** Whether a step asks of each item, or of the event, what was typed: a status, say, which chooses no row for the set. */
const asksWhatWasTyped = ({ type, parameters }: Step) => ASKING.test(type) && !comparesItems(parameters);

/** Whether a step may leave out an item for what it says. */
const mayChoose = (step: Step) =>
	/\.(if|filter|switch|textClassifier)$/.test(step.type) ||
	(isCode(step) && codeIn(step).some((text) => LOOKS_FOR.test(text)));

/** What looks for a row among others: `.find(…)`, `if (…)`, `a === b`, `byPort[port]`. */
const LOOKS_FOR = /\.\s*(?:find\w*|filter|get)\s*\(|\bif\b|[!=]==?|[\w)\]]\[\s*[\p{L}_]/u;

/** A condition, and what is done where it comes true. */
const PARTS = /;|\)\s*\{/;

/** Whether a question left the row alone of several, Code or the address looks for it, or all rows get the papers. */
function isChosen({ owners, isAddress }: Place, { chosenBy, given, inFront }: Known): boolean {
	const steps = [...new Set(owners.map(({ step }) => step))];
	const cameTo = (step: StepOfRun) => {
		const parents = step.parents();
		return given.filter(({ name }) => parents.includes(name)).flatMap(({ items }) => items);
	};
	const isAlone = (step: StepOfRun) =>
		ASKING.test(step.type) &&
		step.items.every((row) => says(row, isAddress)) &&
		cameTo(step).some((row) => !says(row, isAddress));
	const isOfCode = ({ name }: StepOfRun) => inFront.filter((one) => one.name === name && isCode(one));
	// A word that stands in its rows alone tells it from the others; that there is an address in it, or a `yes`, does not.
	const telling = owners.flatMap(({ step, row }) =>
		step.items.length < 2
			? []
			: Object.keys(row).filter((name) => {
					const words = names(wordsIn(row[name]));
					if (words.whole.size === 0 || says([row[name]], isAddress)) return false;
					return step.items.every((one) => says(one, isAddress) || !says([one[name]], words));
				}),
	);
	const looksFor = (text: string) =>
		text.split(PARTS).some((part) => LOOKS_FOR.test(part) && telling.some((name) => part.includes(name)));
	const isLookedFor = (step: StepOfRun) => isOfCode(step).flatMap(codeIn).some(looksFor);
	const isList = ({ items }: StepOfRun, all: readonly string[]) => {
		// Not what stands in each of them, such as an address for copies.
		const apart = all.filter((one) => !items.every((row) => says(row, names([one]))));
		return apart.length > 0 && items.every((row) => says(row, names(apart)));
	};
	return (
		steps.some((step) => isAlone(step) || isLookedFor(step)) ||
		chosenBy.some(({ text, all }) => looksFor(text) || steps.some((step) => isList(step, all)))
	);
}

/** Whether the set was looked for by what a row says. */
const isSought = (step: StepOfRun, row: IDataObject, { inFront }: Known) =>
	inFront
		.filter(({ type }) => OURS.test(type))
		.flatMap(takenIn)
		.some((one) => (one.step ?? step.name) === step.name && Object.hasOwn(row, one.field));

/**
 * Whether an address is given by lists of others alone, such as colleagues: `name` there is that of one of them. Such a list
 * says nothing that the own row says, and calls no customer by an ID, a number or a name of its own.
 */
function areOfOthers(
	owners: ReadonlyArray<{ step: StepOfRun; row: IDataObject }>,
	ofName: readonly string[],
	ofOwn: Names,
	whose: Names,
	known: Known,
): boolean {
	const { typed } = known;
	const mayTie = (word: string) => word.length >= FEWEST && !typed.whole.has(word) && !BY_CHANCE.test(word);
	const isTied = names([...ofOwn.whole].filter(mayTie));
	const callsCustomer = ([field, value]: [string, unknown]) =>
		ofName.includes(field)
			? hasId(claimOf(value)) || says([value], typed)
			: OF_CUSTOMER.test(field) && claimOf(value) !== '';
	const sources = owners.filter(({ step }) => isSource(step, known));
	return (
		sources.length > 0 &&
		!sources.some(({ row }) => Object.entries(row).some(callsCustomer)) &&
		[...new Set(sources.map(({ step }) => step))].every(
			(step) =>
				isWhole(step, known.inFront) &&
				rowsThatSay(step, isTied).length === 0 &&
				!textsOfTable(step).some((text) => isSpelling(text, whose)),
		)
	);
}

const isOfOne = (step: StepOfRun, column: string, text: string) =>
	new Set(rowsThatSay(step, names([text])).map((row) => claimOf(row[column]))).size < 2;

const isTypedParcel = (row: IDataObject, name: string, typed: Names) => {
	const word = folded(claimOf(row[name]));
	return PARCEL.test(name) && /\d/.test(word) && typed.whole.has(word);
};

/** Whose a row says it is: in a list, several. */
const claimOf = (value: unknown) => wordsIn(value).join(', ').trim();

/** Whether a table gives the same rows whatever comes to it. */
const isWhole = ({ name, type }: StepOfRun, inFront: Steps) =>
	!HANDS_ON.test(type) &&
	!/(Trigger|\.(webhook|executeWorkflow))$/.test(type) &&
	inFront.some((step) => step.name === name && !takesOfItems(step.parameters));

/** Where one of several conditions is enough: so n8n has it, unless told otherwise, for its data tables. */
const ANY = /"((match|filter)Type|combine(Filters|Conditions))":"(any\w*|OR)"|"filterGroupsValues"/;

/** Whether a table gives the rows of anybody, too: those of which a condition alone comes true that was typed, or tells of nobody. */
const givesAnybodys = ({ type, parameters = {} }: Step) =>
	ANY.test(builtOf({ parameters })) &&
	listsIn(parameters).some((all) =>
		[
			takesOfItems,
			(one: unknown) => takenIn({ type, parameters: one }).some(({ field }) => WHOSE.test(field)),
		].some((isSuch) => all.some(isSuch) && !all.every(isSuch)),
	);

const listsIn = (value: unknown): unknown[][] =>
	Array.isArray(value) ? [value] : isObject(value) ? Object.values(value).flatMap(listsIn) : [];

/**
 * Not where it asks by what was typed into a step in front, or is called with that; nor by the rows of a table that is read
 * whole, whatever loop or order they come in.
 */
function goesByItems(context: Context, step: Step, asksOfWhole: (step: Step) => boolean): boolean {
	const { workflowInputs = {} } = step.parameters ?? {};
	const called = isObject(workflowInputs) && 'value' in workflowInputs ? workflowInputs.value : undefined;
	const isCalled = /\.executeWorkflow$/.test(step.type) && textsIn(called).length === 0;
	if (isCalled) return true;
	if (!takesOfItems(step.parameters) || givesAnybodys(step)) return false;
	return !(takenIn(step).length > 0 && asksOfWhole(step)) && !asksAlike(context, step, () => false);
}

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
 * of a forwarder: there, in a column that something reads, for a language or a currency is alike by chance. An ID, or the name
 * of a customer, was typed to try it.
 */
function isPointedAt(
	{ step: { name: table }, row }: Place['owners'][number],
	own: readonly IDataObject[],
	isAddress: Names,
	{ typed, tables, asked }: Known,
): boolean {
	const inOwn = grouped(
		own
			.flatMap((one) => Object.entries(one))
			.flatMap(([field, value]) => [...textsOf([value])].map((text) => [text, field] as const)),
	);
	// A record of a customer was picked to try it; that of a desk is meant.
	const hasCustomer = saidIn([row], OF_CUSTOMER).filter(isId).length === 1;
	return Object.keys(row).some((name) => {
		const word = folded(shownText(row[name]) ?? '');
		const isWord = names([word]);
		if (word.length < FEWEST || says([word], isAddress)) return false;
		const isOfRecord = /^id$/i.test(name) && hasCustomer;
		const mayBeTyped =
			!isId(word) && !OF_CUSTOMER.test(name) && !isOfRecord && !isTypedParcel(row, name, typed);
		const isTyped = mayBeTyped && typed.whole.has(word);
		const mayTell = (field: string) =>
			isId(word) || [field, field.replace(/^.*\./s, '')].some((one) => asked(table).has(one));
		const isOfOwn =
			!BY_CHANCE.test(word) && inOwn.get(word)?.some((field) => field !== name && mayTell(field));
		if (!isTyped && !isOfOwn) return false;
		const rows = tables.flatMap((step) => rowsThatSay(step, isWord));
		return rows.length > 0 && rows.every((one) => says(one, isAddress) || !says([one[name]], isWord));
	});
}

/** Whether two names begin alike, as spellings of one company do. */
function isSpelling(text: string, { whole }: Names): boolean {
	const name = folded(text);
	const begins = (one: string, start: string) => `${one} `.startsWith(`${start} `);
	return !/\d/.test(name) && [...whole].some((other) => begins(name, other) || begins(other, name));
}

const saidIn = (items: readonly SetRow[], which: RegExp) =>
	items.flatMap((item) => Object.keys(item).flatMap((name) => (which.test(name) ? textsIn(item[name]) : [])));

const namesCustomer = (items: readonly SetRow[]) => saidIn(items, /customer/i).some(isId);

const fieldsRead = (text: string) =>
	[...text.matchAll(READS_FIELD)].map(([, dotted, , bracketed]) => dotted ?? bracketed!);

/** Fields by which a step may choose; not one that an If compares with what was typed, such as a status. */
function fieldsAsked(step: Step): string[] {
	const { type, parameters } = step;
	const compared = ASKING.test(type) ? questionsIn(parameters).map(({ leftValue }) => leftValue) : [];
	const isCompared = new Set(compared.map(inTodaysWords));
	const built = givesAnybodys(step) ? [] : codeIn(step).filter((text) => !isCompared.has(text));
	return [
		...built.flatMap(fieldsRead),
		...[0, 1].flatMap((input) => matchedAt(step, input)),
		...(/\.merge$/.test(type) ? namesInSql(parameters?.query) : []),
	];
}

/** `Agent`, "Agent No.", [Agent No.] */
const SQL_NAME = /[\p{L}_$][\p{L}\d_$]*|(["'`])(.+?)\1|\[(.+?)\]/gu;

/** A query may call columns by their names alone. */
const namesInSql = (query: unknown) =>
	[...plainText(query).matchAll(SQL_NAME)].map(
		([whole, , quoted, bracketed]) => quoted ?? bracketed ?? whole,
	);

const wordsAsked = (item: SetRow, asked: ReadonlySet<string>) =>
	Object.keys(item).flatMap((name) => (asked.has(name) ? wordsIn(item[name]) : []));

const hasId = (text: string) => folded(text).search(ID_WITHIN) >= 0;

const ofAnybody = ({ step, column, own }: Owner, set: string) =>
	`What is sent goes by a row of ${JSON.stringify(step)} whose ${column} is ${own}, and nothing says that the papers of ${set} are for that one: drag a field that tells whose they are into its filter, such as customerId of the event.`;

function ofOther({ step, column, own }: Owner, set: string): ServiceError {
	return new ServiceError(
		'invalidInput',
		`What is sent goes by the row of somebody else: in ${JSON.stringify(step)}, its ${column} is ${own}`,
		{
			remedy: `Nothing was handed on: these are the papers of ${set}. Have that step look for the row of each, by customerId of the event, say, or filter its rows by that; where it has several conditions, have all of them come true. An address that is meant whosever the papers are is typed into the mail.`,
		},
	);
}
