import type { INodeParameters } from 'n8n-workflow';
import { ASKING, builtOf, isCode, KEEPING, MAKES_ONE, OURS, TABLE, type Step, type Steps } from './stepKinds';
import { taken, takesOfItems, type Built } from './taken';
import { isExpression, isObject, textsIn } from './values';
import { anyWay, mostTaken, waysInto, type InFront, type Whole } from './ways';

/** Whether a step hands on an item for each that comes, or leaves some out by what they say themselves. */
export const passesEach = ({ type, disabled, parameters }: Step): boolean => {
	if (disabled || /\.set$/.test(type)) return true;
	if (ASKING.test(type) && BY_NUMBER.test(builtOf({ parameters }))) return false;
	// A Wait that goes on by a call hands on what it was called with.
	if (/^(webhook|form)$/.test(String(parameters?.resume))) return false;
	return KEEPING.test(type) && !/\.limit$/.test(type);
};

/** Asks how many items there are, or which one it is. */
const BY_NUMBER = /\.all\(|\.length\b|\$itemIndex|\$runIndex/;

/** What this takes out is not one for each. */
const NOT_EACH = /\.removeDuplicates$/;

/** The names of those of the steps that may give items of several sets: ours, and what hands each of theirs on. */
export const namesOfEach = (context: InFront & Whole, steps: Steps): ReadonlySet<string> =>
	new Set(
		givingEach(context, steps, (step) =>
			OURS.test(step.type) ? isOfSets(step) && isBroughtSeveral(context, step) : undefined,
		),
	);

/** Of the steps behind one that gives files, those that have an item for each of its own. */
export const namesOfEachBehind = (context: InFront & Whole, own: string, behind: Steps): string[] =>
	givingEach(context, behind, (step) => (step.name === own ? true : undefined));

/** @param isFirst undefined for a step that may hand on an item for each that comes to it */
function givingEach(
	context: InFront & Whole,
	steps: Steps,
	isFirst: (step: Step) => boolean | undefined,
): string[] {
	const seen = new Map<string, boolean>();
	const gives = (step: Step): boolean => {
		const known = seen.get(step.name);
		if (known !== undefined) return known;
		seen.set(step.name, false);
		const each = isFirst(step) ?? (handsEachOn(context, step) && all(waysInto(context, step), gives));
		seen.set(step.name, each);
		return each;
	};
	return steps.filter(gives).map(({ name }) => name);
}

const all = <T>(list: readonly T[], holds: (one: T) => boolean) => list.length > 0 && list.every(holds);

const handsEachOn = (context: InFront & Whole, step: Step) =>
	passesEach(step) && !NOT_EACH.test(step.type) && mostTaken(context, step) !== 1;

/** Whether a trigger of several sets leads to a step, and nothing on the way leaves one alone. */
function isBroughtSeveral(context: InFront, step: Step): boolean {
	const brings = (one: Step) => {
		if (/Trigger$/.test(one.type)) return bringSeveral([one]);
		return !one.disabled && leavesOne(one) ? false : undefined;
	};
	return brings(step) ?? anyWay(context, step, brings);
}

/** Whether one item is left of all that come to a step. */
export const leavesOne = ({ type, parameters }: Step) =>
	MAKES_ONE.test(type) || (/\.limit$/.test(type) && Number(parameters?.maxItems ?? 1) === 1);

/**
 * Whether a step says the same in a field for all items.
 *
 * @param isSame of a field that it hands on
 */
function saysSame(
	{ type, parameters = {} }: Step,
	field: string,
	isSame: (field: string) => boolean,
): boolean {
	// What a Filter asks of a field may leave one value.
	if (ASKING.test(type) && JSON.stringify(parameters).includes(`.${field}`)) return true;
	if (!/\.set$/.test(type)) return isSame(field);
	if (parameters.mode === 'raw') return true;
	const written = writtenInto(parameters, field);
	if (written === undefined) return !handsOthersOn(parameters) || isSame(field);
	const ofEach = taken(written).filter(({ which }) => which !== 'one');
	return !isExpression(written) || ofEach.every((one) => isSame(one.field));
}

/** Whether a step hands on what came in a field. */
export function handsOn(step: Step, field: string): boolean {
	const { type, disabled, parameters = {} } = step;
	if (disabled || !/\.set$/.test(type)) return passesEach(step);
	return writtenInto(parameters, field) === undefined && handsOthersOn(parameters);
}

/** Of what stands in a step, that which may say what it gives in a field; all of it, where it asks elsewhere by that. */
export function saidOfField(step: Step, field: string): Built[] {
	const { type, parameters = {} } = step;
	if (/\.set$/.test(type) && parameters.mode !== 'raw') {
		const written = writtenInto(parameters, field);
		return written === undefined ? [] : [{ type, parameters: { written } }];
	}
	// What is written there by hand names the field.
	const isWritten = /\.set$/.test(type) || isCode(step);
	return isWritten && !JSON.stringify(parameters).includes(field) ? [] : [step];
}

const handsOthersOn = ({ includeOtherFields, include, keepOnlySet }: INodeParameters) =>
	includeOtherFields === true || (include !== undefined && include !== 'none') || keepOnlySet === false;

/** What Edit Fields writes into a field, whatever its version. */
function writtenInto(value: unknown, field: string): string | undefined {
	if (value === null || typeof value !== 'object') return undefined;
	const { name, ...rest } = value as { name?: unknown };
	if (name === field) return textsIn(rest).find(isExpression) ?? textsIn(rest).join(' ');
	for (const inner of Object.values(value)) {
		const found = writtenInto(inner, field);
		if (found !== undefined) return found;
	}
	return undefined;
}

/** Whether one of the steps may bring several sets into one run. */
const bringSeveral = (steps: Steps): boolean => mostSets(steps) > 1;

/** How many sets one of the steps may bring into one run. */
export const mostSets = (steps: Steps): number =>
	Math.max(
		1,
		...steps.map(({ type, parameters = {} }) => {
			const { runs, batchSize = 1 } = chosen(parameters);
			if (/\.parcelDocumentExchangePollTrigger$/.test(type)) return runs === 'oneForEachSet' ? 1 : Infinity;
			if (/\.parcelDocumentExchangeTrigger$/.test(type)) return Number(batchSize) || 1;
			if (!OURS.test(type) || parameters.operation !== 'search') return 1;
			return parameters.returnAll === true ? Infinity : Number(parameters.limit ?? 50) || Infinity;
		}),
	);

const chosen = ({ options }: INodeParameters): Record<string, unknown> => (isObject(options) ? options : {});

const OF_PARTIES = /^(customer|counterparty|queue)$/;

/** Whether a step of ours gives items of the sets that come to it: not of companies, nor of one set that is meant for all of them, such as general terms. */
const isOfSets = ({ parameters = {} }: Step): boolean =>
	!OF_PARTIES.test(String(parameters.resource)) &&
	(parameters.setId === undefined || textsIn(parameters.setId).join().includes('$'));

/**
 * Whether all items that a step gives say the same in a field, whatever set they are of: it says so itself, or hands on what
 * steps in front of it said so.
 *
 * @param isSame of a field that our triggers and actions give
 */
export function givesAlike(
	context: InFront,
	step: Step,
	field: string,
	isSame: (field: string) => boolean,
	seen: ReadonlySet<string> = new Set(),
): boolean {
	if (saysSame(step, field, isSame) || asksForNoItem(step)) return true;
	if (seen.has(step.name) || !handsOn(step, field)) return false;
	return comesAlike(context, step, field, isSame, new Set([...seen, step.name]));
}

/** The same of the items that come to a step. */
export function comesAlike(
	context: InFront,
	step: Step,
	field: string,
	isSame: (field: string) => boolean,
	seen?: ReadonlySet<string>,
): boolean {
	const ways = waysInto(context, step);
	return ways.length > 0 && ways.every((way) => givesAlike(context, way, field, isSame, seen));
}

/** Whether a step asks the same for each item, and so gets the same. */
export const asksForNoItem = (step: Step) =>
	!/\.set$/.test(step.type) && !step.disabled && saysItsOwn(step) && !takesOfItems(step.parameters);

/** Whether a step hands on nothing that came: what it gives goes by what is written in it. */
export const saysItsOwn = ({ type, parameters = {} }: Step) =>
	/\.set$/.test(type)
		? !handsOthersOn(parameters) && parameters.mode !== 'raw'
		: (TABLE.test(type) || /\.httpRequest$/.test(type)) && !builtOf({ parameters }).includes('autoMap');

/** Edit Fields that gives what is typed there alone. */
export const typedAlone = ({ type, disabled, parameters = {} }: Step) =>
	/\.set$/.test(type) && !disabled && !handsOthersOn(parameters) && !takesOfItems(parameters);
