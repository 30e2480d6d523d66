import type { IDataObject } from 'n8n-workflow';
import { folded } from '../../../service/model/folded';
import { grouped } from '../../../service/model/grouped';
import { shownText } from '../../../service/model/set';
import { isId } from '../parameters/askedFor';
import { comparesItems } from '../parameters/questions';
import { ASKING, isCode, type Step } from '../parameters/stepKinds';
import type { StepOfRun } from '../parameters/stepsInFront';
import { codeIn } from '../parameters/taken';
import { wordsIn } from '../parameters/values';
import { BY_CHANCE, names, rowsThatSay, says, textsOf, type Names } from './rowsThatSay';
import { FEWEST } from './whereSent';
import { CUSTOMER_ID, type RowFacts, OF_CUSTOMER, type Place, isTypedParcel, saidIn } from './whoseRow';

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

/** Whether a question left the row alone of several, Code or the address looks for it, or all rows get the papers. */
export function isChosen({ owners, isAddress }: Place, { chosenBy, given, inFront }: RowFacts): boolean {
	const steps = [...new Set(owners.map(({ step }) => step))];
	const cameTo = (step: StepOfRun) => {
		const parents = step.parents();
		return given.filter(({ name }) => parents.includes(name)).flatMap(({ items }) => items);
	};
	const isAlone = (step: StepOfRun) =>
		ASKING.test(step.type) &&
		step.items.every((row) => says(row, isAddress)) &&
		cameTo(step).some((row) => !says(row, isAddress));
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
	const tells = (part: string) => telling.some((name) => part.includes(name));
	const looksFor = (text: string) => {
		const held = [...text.matchAll(HELD)].flatMap(([, name = '', field = '']) =>
			tells(field) ? [name] : [],
		);
		const saysHeld = (part: string) => part.split(/[^\w$]+/).some((word) => held.includes(word));
		return text.split(PARTS).some((part) => LOOKS_FOR.test(part) && (tells(part) || saysHeld(part)));
	};
	const isLookedFor = ({ name }: StepOfRun) =>
		inFront.some((one) => one.name === name && isCode(one) && codeIn(one).some(looksFor));
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
