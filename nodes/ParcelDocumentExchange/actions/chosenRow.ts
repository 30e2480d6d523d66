import type { IDataObject } from 'n8n-workflow';
import { folded } from '../../../service/model/folded';
import { grouped } from '../../../service/model/grouped';
import { shownText } from '../../../service/model/set';
import { isId } from '../parameters/askedFor';
import { SAME } from '../parameters/othersPapers';
import { comparesItems, comparisonsIn } from '../parameters/questions';
import { ASKING, builtOf, isCode, type Step } from '../parameters/stepKinds';
import type { StepOfRun } from '../parameters/stepsInFront';
import { askedByName, codeIn, takenIn, type Built } from '../parameters/taken';
import { textsIn, wordsIn } from '../parameters/values';
import { BY_CHANCE, names, rowsThatSay, says, textsOf, type Names } from './rowsThatSay';
import { FEWEST } from './whereSent';
import {
	CUSTOMER_ID,
	type RowFacts,
	OF_CUSTOMER,
	type Place,
	isTypedParcel,
	saidIn,
	WHOSE,
} from './whoseRow';

/** Whether somebody chose a row while building, by what else it says. */

/** Whether a step asks of each item, or of the event, what was typed: a status, say, which chooses no row for the set. */
export const asksWhatWasTyped = ({ type, parameters }: Step) =>
	ASKING.test(type) && !comparesItems(parameters);

/** Whether a step may leave out an item for what it says. */
export const mayChoose = (step: Step) =>
	/\.(if|filter|switch|textClassifier)$/.test(step.type) ||
	(isCode(step) && codeIn(step).some((text) => LOOKS_FOR.test(text)));

/** What looks for a row among others: `.find(…)`, `.startsWith(…)`, `if (…)`, `a === b`, `byPort[port]`. */
const LOOKS_FOR =
	/\.\s*(?:find\w*|filter|get|(?:starts|ends)With|includes|match|test)\s*\(|\bif\b|[!=]==?|[\w)\]]\[\s*[\p{L}_]/u;

/** What holds one field of a row from there on: `const port = row.json.Port;`, and no object of several. */
const HELD = /\b(?:const|let|var)\s+([\w$]+)\s*=([^;\n{,]*)(?=[;\n])/g;

/** A condition, and what is done where it comes true. */
const PARTS = /;|\)\s*\{/;

/** Compares one thing with another that is not written there: `a === b`, `ref.startsWith(begins)`, `byPort[port]`. */
const COMPARES =
	/(?<![!=])===?(?!=)\s*(?!["'`\d]|null|undefined|true|false)|\.\s*(?:get|(?:starts|ends)With|includes|indexOf|match|test)\s*\(\s*(?!["'`/])|[\w)\]]\[\s*[\p{L}_][\w$]*\s*\??\./u;

/** Takes one by its place where none is found: `rows.find(…) ?? rows[0]`, `row ? row : $("Rows").first()`; not `{ to: few[0] }`. */
const OR_BY_PLACE =
	/(?:\|\||\?\?|\?(?![.?])[^?:;]*:)[\w$.()"'`\s]*(?:\[\s*\d|\.\s*(?:at|pop|shift)\s*\(|\.\s*(?:first|last)\s*\(\s*\))/;

/** Whether a text looks for a row in such words, by one of its columns. */
function looksFor(text: string, how: RegExp, columns: readonly string[]): boolean {
	const tells = (part: string) => columns.some((name) => part.includes(name));
	const held = [...text.matchAll(HELD)].flatMap(([, name = '', field = '']) => (tells(field) ? [name] : []));
	const saysHeld = (part: string) => part.split(/[^\w$]+/).some((word) => held.includes(word));
	return text.split(PARTS).some((part) => how.test(part) && (tells(part) || saysHeld(part)));
}

/** The columns by which an address is told from others: a word that stands in its rows alone; not that there is one, nor a `yes`. */
const tellingOf = (
	{ owners, isAddress }: Place,
	mayTell: (step: StepOfRun, name: string, words: Names) => boolean,
) =>
	owners.flatMap(({ step, row }) =>
		step.items.length < 2
			? []
			: Object.keys(row).filter((name) => {
					const words = names(wordsIn(row[name]));
					if (words.whole.size === 0 || says([row[name]], isAddress)) return false;
					return (
						mayTell(step, name, words) &&
						step.items.every((one) => says(one, isAddress) || !says([one[name]], words))
					);
				}),
	);

/** Whether of several rows a step left those of an address alone. */
function leftAlone(step: StepOfRun, isAddress: Names, given: readonly StepOfRun[]): boolean {
	const parents = step.parents();
	const came = given.filter(({ name }) => parents.includes(name)).flatMap(({ items }) => items);
	return step.items.every((row) => says(row, isAddress)) && came.some((row) => !says(row, isAddress));
}

/** Whether a question left the row alone of several, Code or the address looks for it, or all rows get the papers. */
export function isChosen(place: Place, { chosenBy, given, inFront }: RowFacts): boolean {
	const { owners, isAddress } = place;
	const steps = [...new Set(owners.map(({ step }) => step))];
	const telling = tellingOf(place, () => true);
	const isAlone = (step: StepOfRun) => ASKING.test(step.type) && leftAlone(step, isAddress, given);
	const looks = (text: string) => looksFor(text, LOOKS_FOR, telling);
	const isLookedFor = ({ name }: StepOfRun) =>
		inFront.some((one) => one.name === name && isCode(one) && codeIn(one).some(looks));
	const isList = ({ items }: StepOfRun, all: readonly string[]) => {
		// Not what stands in each of them, such as an address for copies.
		const apart = all.filter((one) => !items.every((row) => says(row, names([one]))));
		return apart.length > 0 && items.every((row) => says(row, names(apart)));
	};
	return (
		steps.some((step) => isAlone(step) || isLookedFor(step)) ||
		chosenBy.some(({ text, all }) => looks(text) || steps.some((step) => isList(step, all)))
	);
}

/** Where one of several conditions is enough. */
const EITHER = /"comb\w+":"(or|any)"/i;

/** What is unlike comes on. */
const UNLIKE = /"operation":"not/;

/**
 * Whether the row was looked for by what a step in front says of the set, though the two are not one word: a port among several,
 * the beginning of a reference, a deputy. Not by what was typed to try it.
 */
export function isFound(place: Place, { chosenBy, given, inFront, byItems, typed }: RowFacts): boolean {
	const { owners, isAddress, isOwn } = place;
	const isOfSet = (name: string | undefined) =>
		given.some(
			(one) => one.name === name && (one.events.length > 0 || one.setIds.size > 0 || byItems.has(one.name)),
		);
	const goesBySet = (step: Built) => {
		const fields = takenIn(step).filter((one) => isOfSet(one.step));
		const isOfOne = fields.length === 0 || fields.some(({ field }) => !SAME.test(field));
		return isOfOne && askedByName(step, '').some(isOfSet);
	};
	const saysWhose = (step: Built) => takenIn(step).some((one) => isOfSet(one.step) && WHOSE.test(one.field));
	// By what says whose the set is, a row would have been found that says so in such a column.
	const isOfOwn = (step: StepOfRun, name: string) =>
		rowsThatSay(step, isOwn).some((row) => says([row[name]], isOwn));
	// An ID is one word: it is that of the set, or the row was not looked for by it.
	const tellingBy = (mayBeOfOwn: boolean) =>
		tellingOf(
			place,
			(step, name, { whole, ids }) =>
				ids.length === 0 &&
				![...whole].some((word) => typed.whole.has(word)) &&
				!(mayBeOfOwn && isOfOwn(step, name)),
		);
	const compares = (built: Built) => {
		const telling = tellingBy(true);
		return (
			goesBySet(built) &&
			textsIn(built.parameters).some((text) => !OR_BY_PLACE.test(text) && looksFor(text, COMPARES, telling))
		);
	};
	const isCompared = (question: unknown) => {
		const built = { type: '', parameters: question };
		if (typeof question === 'string') return compares(built);
		const asked = builtOf(built);
		return (
			goesBySet(built) &&
			!UNLIKE.test(asked) &&
			tellingBy(saysWhose(built)).some((name) => asked.includes(name))
		);
	};
	const isAsked = (step: Step) =>
		ASKING.test(step.type) && !EITHER.test(builtOf(step)) && comparisonsIn(step.parameters).some(isCompared);
	const leaving = owners.flatMap(({ step }) =>
		leftAlone(step, isAddress, given) ? inFront.filter(({ name }) => name === step.name) : [],
	);
	return (
		leaving.some((step) => isAsked(step) || (isCode(step) && compares(step))) ||
		chosenBy.some(({ text }) => compares({ type: '', parameters: text }))
	);
}

/** Whether somebody chose it while building: typed it into Edit Fields, or made a way for the customer whose the papers are. */
export function isBuiltIn(isAddress: Names, { itsOwn, choosing }: RowFacts): boolean {
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
export function isPointedAt(
	{ step: { name: table }, row }: Place['owners'][number],
	own: readonly IDataObject[],
	isAddress: Names,
	{ typed, tables, asked }: RowFacts,
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
