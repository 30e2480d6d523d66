import type { INodeParameters } from 'n8n-workflow';
import { BATCH_SIZE, LIMIT } from '../descriptions/defaults';
import {
	ASKING,
	builtOf,
	isAnswered,
	isCode,
	KEEPING,
	MAKES_ONE,
	OURS,
	TABLE,
	type Step,
	type Steps,
} from './stepKinds';
import { givesOfEach, taken, takesOfItems, writesAlike, type Built, type Taken } from './taken';
import { isExpression, isObject, textsIn } from './values';
import { anyWay, inFrontOf, mostTaken, waysInto, type InFront, type Whole } from './ways';

/** Whether a step hands on an item for each that comes, or leaves some out by what they say themselves. */
export const passesEach = (step: Step): boolean => {
	const { type, disabled, parameters } = step;
	if (disabled || /\.set$/.test(type)) return true;
	if (ASKING.test(type) && BY_NUMBER.test(builtOf({ parameters }))) return false;
	return !isAnswered(step) && KEEPING.test(type) && !/\.limit$/.test(type);
};

/** Asks how many items there are, or which one it is. */
const BY_NUMBER = /\.all\(|\.length\b|\$itemIndex|\$runIndex/;

/** What this takes out is not one for each. */
const NOT_EACH = /\.removeDuplicates$/;

/** The names of those of the steps that may give items of several sets: ours, and what hands each of theirs on, or gives something of each. */
export const namesOfEach = (context: InFront & Whole, steps: Steps): ReadonlySet<string> =>
	new Set(
		givingEach(context, steps, (step) =>
			OURS.test(step.type) ? isOfSets(step) && isBroughtSeveral(context, step) : undefined,
		),
	);

/** Of the steps around those that have an item for each set, those that have one, too. */
export const namesOfEachAround = (
	context: InFront & Whole,
	names: ReadonlySet<string>,
	around: Steps,
): string[] => givingEach(context, around, (step) => (names.has(step.name) ? true : undefined), names);

/**
 * @param isFirst undefined for a step that may give an item for each that comes to it
 * @param known the names of others that give items of several sets
 */
function givingEach(
	context: InFront & Whole,
	steps: Steps,
	isFirst: (step: Step) => boolean | undefined,
	known: ReadonlySet<string> = new Set(),
): string[] {
	const seen = new Map<string, boolean>();
	const gives = (step: Step): boolean => {
		const known = seen.get(step.name);
		if (known !== undefined) return known;
		seen.set(step.name, false);
		const each = isFirst(step) ?? (mostTaken(context, step) !== 1 && makesEach(step));
		seen.set(step.name, each);
		return each;
	};
	const makesEach = (step: Step) => {
		const ways = waysInto(context, step);
		if (passesEach(step)) return !NOT_EACH.test(step.type) && all(ways, gives);
		if (isCode(step)) return givesOfEach(step) && all(ways, gives);
		if (/\.merge$/.test(step.type)) return builtOf(step).includes('ByFields"') && ways.some(gives);
		if (leavesOne(step) || GIVES_ONE.test(step.type) || WRITES.test(String(step.parameters?.operation)))
			return false;
		return takenBy(step).some(
			({ which, step: name }) =>
				which === 'linked' &&
				((name !== undefined && known.has(name)) ||
					(name === undefined ? ways : steps.filter((one) => one.name === name)).some(gives)),
		);
	};
	return steps.filter(gives).map(({ name }) => name);
}

/** Makes one item of all, or starts a run. */
const GIVES_ONE = /\.(convertToFile|form)$|Trigger$/;

/** Writes a row, which says where more than what. */
const WRITES = /append|insert/i;

const takenBy = ({ parameters }: Step) => textsIn(parameters).filter(isExpression).flatMap(taken);

const all = <T>(list: readonly T[], holds: (one: T) => boolean) => list.length > 0 && list.every(holds);

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
	if (isCode({ type })) return isSame(field) || writesAlike({ type, parameters }, field);
	if (!/\.set$/.test(type)) return isSame(field);
	const written = writtenInto(parameters, field);
	if (written === undefined) return !handsOthersOn(parameters) || isSame(field);
	const ofEach = taken(written).filter(({ which }) => which !== 'one');
	return !isExpression(written) || ofEach.every((one) => isSame(one.field));
}

/** Whether a step hands on what came in a field. */
function handsOn(step: Step, field: string): boolean {
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

/** What Edit Fields writes into a field, whatever its version; as JSON, what stands behind its name there. */
const writtenInto = (parameters: INodeParameters, field: string): string | undefined =>
	parameters.mode === 'raw' ? writtenAsJson(parameters.jsonOutput, field) : writtenAsField(parameters, field);

function writtenAsJson(json: unknown, field: string): string | undefined {
	if (typeof json !== 'string') return undefined;
	const name = field.replace(/\W/g, '\\$&');
	// Without quotation marks, as in an expression, the same may stand in a text.
	const values = [String.raw`(["'])${name}\1`, String.raw`(?<![\w$.-])${name}`]
		.map((named) => [...json.matchAll(new RegExp(String.raw`${named}\s*:(?<value>${VALUE})`, 'gs'))])
		.find((found) => found.length > 0)
		?.map(({ groups: { value = '' } = {} }) => value);
	return values && `={{ ${values.join(' ')} }}`;
}

/** A value in JSON, as it begins a text: a comma stands in a text or an expression, or behind it. */
const VALUE = String.raw`(?:\{\{(?:(?!\{\{|\}\}).)*\}\}|"(?:\{\{(?:(?!\{\{|\}\}).)*\}\}|\\.|(?!\{\{)[^"\\])*"|'(?:\\.|[^'\\])*'|(?!\{\{)[^,"}])*`;

function writtenAsField(value: unknown, field: string): string | undefined {
	if (value === null || typeof value !== 'object') return undefined;
	const { name, ...rest } = value as { name?: unknown };
	if (name === field) return textsIn(rest).find(isExpression) ?? textsIn(rest).join(' ');
	for (const inner of Object.values(value)) {
		const found = writtenAsField(inner, field);
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
			const { runs, batchSize = BATCH_SIZE.missing } = chosen(parameters);
			if (/\.parcelDocumentExchangePollTrigger$/.test(type)) return runs === 'oneForEachSet' ? 1 : Infinity;
			if (/\.parcelDocumentExchangeTrigger$/.test(type)) return Number(batchSize) || 1;
			if (!OURS.test(type) || parameters.operation !== 'search') return 1;
			return parameters.returnAll === true ? Infinity : Number(parameters.limit ?? LIMIT.missing) || Infinity;
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
	/** Each field of a step once, however many ways lead over it. */
	known = new Map<string, boolean>(),
): boolean {
	const handsAlikeOn = () => handsOn(step, field) && comesAlike(context, step, field, isSame, known);
	return once(
		known,
		`${step.name}\n${field}`,
		() => saysSame(step, field, isSame) || asksAlike(context, step, isSame, known) || handsAlikeOn(),
	);
}

/** The same of the items that come to a step. */
export function comesAlike(
	context: InFront,
	step: Step,
	field: string,
	isSame: (field: string) => boolean,
	known?: Map<string, boolean>,
): boolean {
	const ways = waysInto(context, step);
	return ways.length > 0 && ways.every((way) => givesAlike(context, way, field, isSame, known));
}

/** What leads back to itself, while it is being looked at, is not so. */
function once(known: Map<string, boolean>, key: string, holds: () => boolean): boolean {
	const before = known.get(key);
	if (before !== undefined) return before;
	known.set(key, false);
	const now = holds();
	known.set(key, now);
	return now;
}

/** Whether what a step asks for each item goes by what all of them say alike, such as a team that is typed in front, or by nothing. */
export function asksAlike(
	context: InFront,
	step: Step,
	isSame: (field: string) => boolean,
	known = new Map<string, boolean>(),
): boolean {
	if (passesEach(step) || !saysItsOwn(step)) return false;
	const isTakenAlike = ({ step: name, field }: Taken) => {
		if (name === undefined) return comesAlike(context, step, field, isSame, known);
		const named = inFrontOf(context, step.name).find((one) => one.name === name);
		return named ? givesAlike(context, named, field, isSame, known) : isSame(field);
	};
	const isAlike = (text: string) => {
		const fields = taken(text);
		return fields.length > 0 ? fields.every(isTakenAlike) : !takesOfItems([text]);
	};
	return once(known, step.name, () => textsIn(step.parameters).filter(isExpression).every(isAlike));
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
