import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { ServiceError } from '../../../service/errors';
import { folded } from '../../../service/model/folded';
import { grouped } from '../../../service/model/grouped';
import { idKey, shownText, type SetRow } from '../../../service/model/set';
import { isId } from '../parameters/askedFor';
import { sending } from '../parameters/attaching';
import type { OfOwnRun } from '../parameters/came';
import { asksAlike } from '../parameters/eachSet';
import { SAME } from '../parameters/othersPapers';
import { isCode, KEEPING, OURS, type Items, type Step } from '../parameters/stepKinds';
import { gave, itemOfStep, stepsOfRun, type StepOfRun } from '../parameters/stepsInFront';
import { askedByName, codeIn, takenIn, takesOfItems } from '../parameters/taken';
import { textsIn } from '../parameters/values';
import {
	BY_CHANCE,
	fieldsThatSay,
	names,
	rowsThatSay,
	sayBoth,
	says,
	textsOf,
	textsOfTable,
	type Names,
} from './rowsThatSay';
import { besideOf, blindBehind, rowsOfAnybody } from './rowsBeside';
import { comesOnlyFrom, inFrontOf, leadsTo, waysInto, type Around } from '../parameters/ways';
import type { Companies } from './companies';
import { addressesIn, FEWEST, inItsPlace, workedOut } from './whereSent';
import {
	CUSTOMER_ID,
	HANDS_ON,
	IN_OTHER_WORDS,
	type RowFacts,
	OF_CUSTOMER,
	type Owner,
	type Place,
	WHOSE,
	WHOSE_OR_WHO,
	claimOf,
	hasId,
	isSought,
	isSource,
	isSpelling,
	isTypedParcel,
	namesCustomer,
	saidIn,
} from './whoseRow';
import { asksWhatWasTyped, isBuiltIn, isChosen, isFound, isPointedAt, mayChoose } from './chosenRow';
import { ofCompany } from './rowOfCompany';
import { fieldsAsked, fieldsRead, goesByItems, isWhole, wordsAsked } from './askedRows';

type Context = Around &
	OfOwnRun &
	Parameters<typeof itemOfStep>[0] &
	Pick<IExecuteFunctions, 'evaluateExpression'>;

/** What starts a run may say whose the set is that it names. */
const SAYS_OF_SET = new RegExp(`${OURS.source}|Trigger$`);

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
	cameBy: readonly StepOfRun[],
	found: ReadonlyMap<string, SetRow>,
	companies: () => Promise<Companies>,
): Promise<string[]> {
	const blind = blindBehind(context);
	const beside = besideOf(context, blind);
	const given = [...cameBy, ...stepsOfRun(context, beside)];
	const written = addressesIn(context, given, blind);
	if (written.length === 0) return [];
	const inFront = [...inFrontOf(context, context.getNode().name), ...beside];
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
	const sources = tables.filter(({ type }) => !HANDS_ON.test(type));
	const isCell = (value: string) => sources.some((step) => rowsThatSay(step, names([value])).length > 0);
	const writtenInFront = textsIn(
		inFront.filter(({ type }) => /\.set$/.test(type)).map(({ parameters }) => parameters),
	);
	/** A folder as a table has it; of several, those that are not written there. */
	const foldersIn = (text: string) => (value: string) => {
		if (!value.includes('/') || isCell(value)) return [value];
		return value.split('/').filter((part) => ![text, ...writtenInFront].some((one) => one.includes(part)));
	};
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
	const byMany = new Set(
		inFront.filter((step) => asksAlike(context, step, (field) => SAME.test(field))).map(({ name }) => name),
	);
	const seen = new Set<string>();
	const told = new Set(rowsOfAnybody(context, blind));
	for (const [place, { json, pairedItem }] of papers.entries()) {
		const index = typeof pairedItem === 'object' && 'item' in pairedItem ? pairedItem.item : 0;
		const set = idKey(String(json.setId));
		const texts = written.flatMap(({ text, comes }) =>
			comes ? comes(json, place).map((item) => inItsPlace(text, item, place)) : [text],
		);
		const key = [index, set, ...texts].join('\n');
		if (seen.has(key)) continue;
		seen.add(key);
		const addresses = texts.map((text) => ({ text, all: workedOut(context, text, index, foldersIn(text)) }));
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
				byMany,
				whole,
			});
			const called = shownText(json.parcelRef) ?? set;
			if (other?.isSure) throw ofOther(other, called);
			if (other) told.add(ofAnybody(other, called));
		}
	}
	return [...told];
}

/** The row of somebody else that an address is of; undefined where one says nothing of that, or was chosen for the set. */
async function ownerOf(address: string, known: RowFacts): Promise<Owner | undefined> {
	const { itsOwn, came, tables, asked } = known;
	const isAddress = names([address]);
	const owners = tables.flatMap((step) => rowsThatSay(step, isAddress).map((row) => ({ step, row })));
	const witnesses = known.given.filter((step) => isSource(step, known));
	const whose = names(saidIn(itsOwn, WHOSE_OR_WHO));
	const isOwn = names(saidIn(itsOwn, WHOSE));
	/** Where the customer has a row of its own, one of another is not chosen by what both say, and sets have alike, such as a status. */
	const isBesideOwn = (step: StepOfRun, row: IDataObject) =>
		rowsThatSay(step, isOwn).length > 0 &&
		saidIn([row], CUSTOMER_ID).some((text) => hasId(text) && !says([text], whose));
	const alike = names(saidIn(itsOwn, SAME));
	const isTied = (step: StepOfRun) => {
		const isBeside = owners.some((one) => one.step === step && isBesideOwn(step, one.row));
		const ofBoth = isBeside ? textsOf(rowsThatSay(step, isOwn)) : new Set<string>();
		const words = itsOwn
			.flatMap((item) => wordsAsked(item, asked(step.name)))
			.filter((word) => !says([word], alike) || !ofBoth.has(folded(word)));
		return sayBoth(step, isAddress, names([...whose.whole, ...words]));
	};
	if (owners.length === 0 || witnesses.some(isTied)) return undefined;
	const own = tables.flatMap((step) => rowsThatSay(step, isOwn));
	const place: Place = { isAddress, owners, whose, isOwn, own };
	const isMeant =
		isBuiltIn(isAddress, known) ||
		isFound(place, known) ||
		owners.some(
			({ step, row }) => witnesses.includes(step) && isPointedAt({ step, row }, own, isAddress, known),
		);
	if (isMeant) return undefined;
	const isOfMany = owners.some(({ step, row }) => known.byMany.has(step.name) && isBesideOwn(step, row));
	const byItems = isOfMany
		? new Set([...known.byItems].filter((name) => !known.byMany.has(name)))
		: known.byItems;
	const byRows = claimedBy(place, { ...known, byItems });
	const other = byRows?.isSure ? byRows : ((await ofCompany(place, known)) ?? byRows);
	return other && tables.some((step) => sayBoth(step, isAddress, names(came(step, other.column))))
		? undefined
		: other;
}

/** The row of somebody else by what the columns say in which the own row names the customer. */
function claimedBy(place: Place, known: RowFacts): Owner | undefined {
	const { isAddress, owners, whose, isOwn, own } = place;
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
			const isOfOne = owners.filter((one) => isSource(one.step, known)).length === 1;
			if (byItems.has(step.name) || !isOfOne || isChosen(place, known)) return undefined;
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
 * Whether an address is given by lists of others alone, such as colleagues: `name` there is that of one of them. Such a list
 * says nothing that the own row says, and calls no customer by an ID, a number or a name of its own.
 */
function areOfOthers(
	owners: ReadonlyArray<{ step: StepOfRun; row: IDataObject }>,
	ofName: readonly string[],
	ofOwn: Names,
	whose: Names,
	known: RowFacts,
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

/** Whether a step gives an address that it was not given. */
const isOfItself = (step: StepOfRun, fields: ReadonlySet<string>, known: RowFacts) =>
	isSource(step, known) &&
	!known.inFront.some((one) => one.name === step.name && takenIn(one).some(({ field }) => fields.has(field)));

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
