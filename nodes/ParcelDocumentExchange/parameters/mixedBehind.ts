import {
	ASKING,
	builtOf,
	isCode,
	joinsFiles,
	OURS,
	quoted,
	readsRows,
	type Step,
	type Steps,
} from './stepKinds';
import { codeIn, inItsTurn, oneForAll, takenIn, takenOfOne, takesFirst, type Taken } from './taken';
import { isObject, textsIn } from './values';
import { saidOfField, saysItsOwn } from './eachSet';
import { asked, asksEach } from './questions';
import { comesBy, inFrontOf, leadsTo, mostTaken, type InFront, type Whole } from './ways';

/** What papers of different sets have alike. */
const ALIKE = /^(status|vesselName|billOfLadingDate|docType|action|instance)$/;

/**
 * Whether a Merge takes items for the same by what those of different sets have alike.
 *
 * @param isShared whether those of different sets of this run say the same in all of the fields
 */
export function matchesOthers(
	merge: { parameters?: Record<string, unknown> },
	isShared: (fields: readonly string[]) => boolean = () => false,
): boolean {
	const { mode, combineBy, joinMode = 'keepMatches' } = merge.parameters ?? {};
	if (mode !== 'combine' || combineBy !== 'combineByFields' || joinMode === 'keepNonMatches') return false;
	return [0, 1].some((input) => {
		const fields = matchedAt(merge, input);
		return fields.length > 0 && (fields.every((field) => ALIKE.test(field)) || isShared(fields));
	});
}

const fieldsIn = (list: unknown): string[] =>
	textsIn(list)
		.join()
		.split(',')
		.map((field) => field.trim());

/** The fields of one of its inputs by which a Merge matches. */
export function matchedAt(
	{ parameters = {} }: { parameters?: Record<string, unknown> },
	input: number,
): string[] {
	const { advanced, fieldsToMatchString, mergeByFields } = parameters;
	if (advanced !== true && fieldsToMatchString !== undefined) return fieldsIn(fieldsToMatchString);
	const { values } = { ...(mergeByFields as { values?: unknown }) };
	const pairs: unknown[] = Array.isArray(values) ? values : [];
	return pairs.flatMap((pair) => (isObject(pair) ? textsIn(pair[`field${input + 1}`]) : []));
}

/**
 * Whether a step gives the same for each value that a Merge matches by: Remove Duplicates leaves one, and what goes by that
 * value alone is alike. Of these, the Merge is to take the first: with all of them, the papers would go as often.
 */
export function isOfMatched(context: InFront, step: Step, merge: Step): boolean {
	const { type, disabled, parameters = {} } = step;
	if (disabled) return false;
	const matched = [0, 1].flatMap((input) => matchedAt(merge, input));
	const takesMatched = ({ field }: Taken) => matched.includes(field);
	/** What stands behind may say what came past it, by its name, such as the parcel of which the vessel was asked for. */
	const isTakenPast = inFrontOf(context, merge.name)
		.filter((one) => leadsTo(context, step.name, one.name))
		.flatMap(takenIn)
		.some((one) => one.step !== undefined && !takesMatched(one) && leadsTo(context, one.step, step.name));
	if (isTakenPast) return false;
	if (/\.removeDuplicates$/.test(type)) {
		return fieldsIn(parameters.fieldsToCompare).every((field) => matched.includes(field));
	}
	const { multipleMatches } = { ...(merge.parameters?.options as { multipleMatches?: unknown }) };
	if (multipleMatches !== 'first' || !saysItsOwn(step)) return false;
	const by = takenIn(step);
	return by.length > 0 && by.every((one) => one.which === 'linked' && takesMatched(one));
}

type Merge = Parameters<typeof builtOf>[0];

/** Whether a Merge puts items together by the place at which they came. */
export const isByPosition = (merge: Merge): boolean => /ByPosition"|mergeByIndex"/.test(builtOf(merge));

/** Whether a Merge gives all that may belong together, of which a step behind it chooses. */
export const isOfAll = (merge: Merge): boolean => /combineAll"|multiplex"/.test(builtOf(merge));

/** Whether a Merge does not look whether its items belong together. */
export const isBlind = (step: { type: string; parameters?: Record<string, unknown> }): boolean =>
	/\.merge$/.test(step.type) && (isByPosition(step) || isOfAll(step) || matchesOthers(step));

/** Steps on the way to a mail, or a drive, that bring together what belongs to several sets. */
export function mixed(last: Step, way: Steps, kind: 'mail' | 'drive'): string[] {
	const joins =
		kind === 'mail'
			? `sends the papers of several parcels together`
			: `files the papers of several parcels as those of one`;
	return way.flatMap((step) => {
		if (isBlind(step)) return [mixes(step, last, kind)];
		if (joinsFiles(step)) {
			return [
				`The step ${quoted(step)} puts the files of all items into one: with several sets in one run, ${quoted(last)} ${joins}. Leave it out: All PDFs of a Set in One Item makes one item of each set.`,
			];
		}
		return [];
	});
}

/** Of a step that brings together what belongs to several sets, in words. */
export function mixes(step: Step, last: Step, kind: 'mail' | 'drive'): string {
	const swaps =
		kind === 'mail'
			? 'may send the papers of one to whoever is to get those of another'
			: 'may file the papers of one as those of another';
	return `The step ${quoted(step)} does not look whether its items belong together: with several sets in one run, ${quoted(last)} ${swaps}. Combine by Matching Fields there, by a field that both have, such as setId.`;
}

/**
 * Steps that say for all sets of a run what one of them gave.
 *
 * @param ofSets the names of the steps that give an item for each set
 * @param looped the names of those that get one set after the other
 */
export function takenFromOne(
	steps: Steps,
	ofSets: ReadonlySet<string>,
	looped: ReadonlySet<string>,
): string[] {
	return steps
		.filter(({ type }) => !OURS.test(type))
		.flatMap((step) => {
			const isLooped = looped.has(step.name);
			const taken = oneForAll(codeIn(isLooped ? inItsTurn(step) : step));
			const name = [...ofSets].find((one) => taken.has(one) && !(isLooped && looped.has(one)));
			if (name !== undefined) return [oneForOthers(step, name)];
			return isLooped || !takesFirst(step) ? [] : [firstForOthers(step)];
		});
}

/** A step says for all items what one item of another says. */
export const oneForOthers = (step: Pick<Step, 'name' | 'type'>, name: string): string =>
	`The step ${quoted(step)} takes what it says from one item of ${JSON.stringify(name)} for all others: with several sets in one run, the papers of one would go by what another says. ${remedyBy(step, name)}`;

/** A mail goes for each item to what all say. */
export function allForEach(step: Pick<Step, 'name' | 'type'>, name: string | undefined): string {
	const told = `The step ${quoted(step)} takes where it goes from all items ${name === undefined ? 'that come' : `of ${JSON.stringify(name)}`}: with several sets in one run, the papers of each would go to whoever is to get those of the others, too`;
	return name === undefined
		? `${told}. Drag the field there: n8n then writes $json.`
		: `${told}. ${remedyBy(step, name)}`;
}

/** A step says what another says at the same place, and what stands there is another set's. */
export const placeForOthers = (step: Pick<Step, 'name' | 'type'>, name: string): string =>
	`The step ${quoted(step)} takes what it says from the item of ${JSON.stringify(name)} at the same place: with several sets in one run, steps between leave some out, or move them, and the papers of one would go by what another says. ${remedyBy(step, name)}`;

const remedyBy = (step: Pick<Step, 'type'>, name: string) =>
	isCode(step)
		? `Choose Run Once for Each Item there, and write $(${JSON.stringify(name)}).item.`
		: `Write $(${JSON.stringify(name)}).item there, as n8n does when a field is dragged.`;

/** A step says for all items what the first that comes says. */
export function firstForOthers(step: { name: string; type: string }): string {
	const told = `The step ${quoted(step)} takes what it says from the first item that comes for all others: with several sets in one run, the papers of one would go by what another says`;
	return isCode(step)
		? `${told}, or to nobody. Choose Run Once for Each Item there, with $json and $binary.`
		: `${told}. Drag the field there once more: n8n then writes $json.`;
}

/** What is known of the steps that give an item for each set. */
export interface OfEach {
	names: ReadonlySet<string>;
	/** Whether all items of such a step, or all that come to that one, say the same there. */
	isSame(step: string | undefined, field: string, to: Step): boolean;
	/** The names of those that get one after the other. */
	alone: ReadonlySet<string>;
}

/**
 * Steps in front of the one that gives the papers, or beside it, which go for all sets by what one of them says: they choose
 * who is to get any, or a mail goes by what they give. In words.
 *
 * @param steps behind it, up to the mail
 * @param isBeside whether they lead to the mail past it: what comes there may be theirs, too
 */
export function saidInFront(
	context: InFront & Whole,
	inFront: Steps,
	steps: Steps,
	{ names, isSame, alone }: OfEach,
	isBeside = false,
): string[] {
	const comes = (name?: string) => name === undefined || steps.some((one) => one.name === name);
	const all = steps.flatMap(takenIn);
	const usedOf = (step: Step) => all.filter((one) => one.step === step.name || (isBeside && comes(one.step)));
	const getsEach = (step: Step) =>
		[...names].some((name) =>
			comesBy(context, step, name, ({ disabled, type }) => disabled || !LEAVES_FEW.test(type)),
		);
	return inFront.flatMap((step) => {
		if (step.disabled || OURS.test(step.type) || mostTaken(context, step) === 1) return [];
		const isAlone = alone.has(step.name);
		const parts = partsThatCount(isAlone ? inItsTurn(step) : step, usedOf(step));
		const ofOne = parts.flatMap(takenOfOne).filter((one) => !isSame(one.step, one.field, step));
		const placed = isAlone
			? []
			: parts.flatMap(takenIn).filter((one) => one.which === 'place' && mayBeMoved(context, one.step, step));
		const namedIn = (list: readonly Taken[]) =>
			list.find((one) => one.step !== undefined && names.has(one.step) && !(isAlone && alone.has(one.step)))
				?.step;
		const named = namedIn(ofOne);
		const moved = namedIn(placed.filter((one) => !isSame(one.step, one.field, step)));
		const isFirst = !isAlone && ofOne.some((one) => one.step === undefined);
		if (!getsEach(step)) return [];
		if (named !== undefined) return [oneForOthers(step, named)];
		if (moved !== undefined) return [placeForOthers(step, moved)];
		return isFirst ? [firstForOthers(step)] : [];
	});
}

/** Steps behind which an item may have another place than the one that it came from. */
export const MOVING = /\.(sort|if|filter|switch|removeDuplicates)$/;

/** Whether the items of a step may not stand where those stand that came from them. */
export const mayBeMoved = (context: InFront, name: string | undefined, step: Step): boolean =>
	name !== undefined &&
	inFrontOf(context, step.name).some(
		(one) => (MOVING.test(one.type) || readsRows(one)) && !one.disabled && leadsTo(context, name, one.name),
	);

/** Steps that give one item of many, or a few. */
const LEAVES_FEW = /\.(aggregate|summarize|limit)$/;

/** Of a step in front, what it asks; of one that says something, what is taken of that behind the papers. */
function partsThatCount(step: Step, used: readonly Taken[]) {
	if (ASKING.test(step.type)) return [asked(step)];
	return used.flatMap(({ field }) => saidOfField(asksFor(step), field));
}

/** A call without its headers, where it asks for each by something else: those say who asks, and in which run. */
function asksFor(step: Step): Step {
	if (!/\.httpRequest$/.test(step.type)) return step;
	const { headerParameters, ...parameters } = step.parameters ?? {};
	return headerParameters === undefined || !asksEach(parameters) ? step : { ...step, parameters };
}
