import type { IExecuteFunctions, INodeParameters, NodeTypeAndVersion } from 'n8n-workflow';
import { runsOnce, type Whole } from './leftOver';
import { bringSeveral, isOfSets } from './severalSets';
import { ASKING, KEEPING, OURS, isLoop, parentsOf } from './stepKinds';
import { taken } from './taken';
import { textsIn, type Built } from './typedInto';
import { isExpression } from './values';

type Ways = Pick<IExecuteFunctions, 'getParentNodes'> & Whole;

/** Whether a step hands on an item for each that comes, or leaves some out by what they say themselves. */
export const passesEach = ({ type, disabled, parameters }: NodeTypeAndVersion): boolean => {
	if (disabled || /\.set$/.test(type)) return true;
	if (ASKING.test(type) && BY_NUMBER.test(JSON.stringify(parameters ?? {}))) return false;
	// A Wait that goes on by a call hands on what it was called with.
	if (/^(webhook|form)$/.test(String(parameters?.resume))) return false;
	return KEEPING.test(type) && !/\.limit$/.test(type);
};

/** Asks how many items there are, or which one it is. */
const BY_NUMBER = /\.all\(|\.length\b|\$itemIndex|\$runIndex/;

/** What this takes out is not one for each. */
const NOT_EACH = /\.removeDuplicates$/;

/** The names of those of the steps that may give items of several sets: ours, and what hands each of theirs on. */
export function namesOfEach(context: Ways, steps: readonly NodeTypeAndVersion[]): ReadonlySet<string> {
	const seen = new Map<string, boolean>();
	const givesEach = (step: NodeTypeAndVersion): boolean => {
		const known = seen.get(step.name);
		if (known !== undefined) return known;
		seen.set(step.name, false);
		const gives = OURS.test(step.type)
			? isOfSets(step) && isBroughtSeveral(context, step)
			: handsEachOn(context, step) && all(waysInto(context, step), givesEach);
		seen.set(step.name, gives);
		return gives;
	};
	return new Set(steps.filter(givesEach).map(({ name }) => name));
}

/** Of the steps behind one that gives files, those that have an item for each of its own. */
export function namesOfEachBehind(
	context: Ways,
	own: string,
	behind: readonly NodeTypeAndVersion[],
): string[] {
	const seen = new Set<string>();
	const comesFromOwn = (step: NodeTypeAndVersion): boolean => {
		if (step.name === own) return true;
		if (seen.has(step.name)) return false;
		seen.add(step.name);
		const comes = handsEachOn(context, step) && all(waysInto(context, step), comesFromOwn);
		seen.delete(step.name);
		return comes;
	};
	return behind.filter(comesFromOwn).map(({ name }) => name);
}

/** The steps that lead to one; into a loop, those that do not come back from it. */
export function waysInto(
	context: Pick<Ways, 'getParentNodes'>,
	step: NodeTypeAndVersion,
): NodeTypeAndVersion[] {
	const ways = parentsOf(context, step.name);
	if (!isLoop(step)) return ways;
	return ways.filter((way) => context.getParentNodes(way.name).every(({ name }) => name !== step.name));
}

const all = <T>(list: readonly T[], holds: (one: T) => boolean) => list.length > 0 && list.every(holds);

const handsEachOn = (context: Whole, step: NodeTypeAndVersion) =>
	passesEach(step) && !NOT_EACH.test(step.type) && runsOnce(context, step, false).length === 0;

/** Steps that make one item of all. */
const MAKES_ONE = /\.(aggregate|summarize)$/;

/** Whether a trigger of several sets leads to a step, and nothing on the way leaves one alone. */
function isBroughtSeveral(context: Ways, step: NodeTypeAndVersion): boolean {
	const seen = new Set<string>();
	const brings = (one: NodeTypeAndVersion): boolean => {
		if (seen.has(one.name)) return false;
		seen.add(one.name);
		if (/Trigger$/.test(one.type)) return bringSeveral([one]);
		if (!one.disabled && leavesOne(one)) return false;
		return parentsOf(context, one.name).some(brings);
	};
	return brings(step);
}

const leavesOne = ({ type, parameters }: NodeTypeAndVersion) =>
	MAKES_ONE.test(type) || (/\.limit$/.test(type) && Number(parameters?.maxItems ?? 1) === 1);

/**
 * Whether a step says the same in a field for all items.
 *
 * @param isSame of a field that it hands on
 */
export function saysSame(
	{ type, parameters = {} }: NodeTypeAndVersion,
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
export function handsOn(step: NodeTypeAndVersion, field: string): boolean {
	const { type, disabled, parameters = {} } = step;
	if (disabled || !/\.set$/.test(type)) return passesEach(step);
	return writtenInto(parameters, field) === undefined && handsOthersOn(parameters);
}

/** Of what stands in a step, that which may say what it gives in a field; all of it, where it asks elsewhere by that. */
export function saidOfField(step: NodeTypeAndVersion, field: string): Built[] {
	const { type, parameters = {} } = step;
	if (/\.set$/.test(type) && parameters.mode !== 'raw') {
		const written = writtenInto(parameters, field);
		return written === undefined ? [] : [{ type, parameters: { written } }];
	}
	// What is written there by hand names the field.
	const isWritten = /\.(set|code|function)$/.test(type);
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
