import type { IExecuteFunctions, NodeTypeAndVersion } from 'n8n-workflow';
import { saidOfField } from './eachSet';
import { runsOnce, type Whole } from './leftOver';
import { firstForOthers, oneForOthers } from './mixedBehind';
import { asked, asksEach } from './questions';
import { ASKING, OURS } from './stepKinds';
import { takenIn, takenOfOne, type Taken } from './taken';
import { comesBy } from './ways';

type Around = Pick<IExecuteFunctions, 'getParentNodes'> & Whole;

/** What is known of the steps that give an item for each set. */
export interface OfEach {
	/** Their names. */
	names: ReadonlySet<string>;
	/** Whether all items of such a step, or all that come to that one, say the same there. */
	isSame(step: string | undefined, field: string, to: NodeTypeAndVersion): boolean;
	/** The names of those that get one after the other. */
	alone: ReadonlySet<string>;
}

/**
 * Steps in front of the one that gives the papers which go for all sets by what one of them says: they choose who is to get
 * any, or a mail goes by what they give. In words.
 *
 * @param steps behind it, up to the mail
 */
export function saidInFront(
	context: Around,
	inFront: readonly NodeTypeAndVersion[],
	steps: readonly NodeTypeAndVersion[],
	{ names, isSame, alone }: OfEach,
): string[] {
	const used = steps.flatMap(takenIn);
	const getsEach = (step: NodeTypeAndVersion) =>
		[...names].some((name) =>
			comesBy(context, step, name, ({ disabled, type }) => disabled || !LEAVES_FEW.test(type)),
		);
	return inFront.flatMap((step) => {
		if (step.disabled || OURS.test(step.type) || runsOnce(context, step, false).length > 0) return [];
		const isAlone = alone.has(step.name);
		const ofOne = partsThatCount(step, used)
			.flatMap(takenOfOne)
			.filter((one) => !isSame(one.step, one.field, step));
		const named = ofOne.find(
			(one) => one.step !== undefined && names.has(one.step) && !(isAlone && alone.has(one.step)),
		)?.step;
		const isFirst = !isAlone && ofOne.some((one) => one.step === undefined);
		if ((named === undefined && !isFirst) || !getsEach(step)) return [];
		return [named === undefined ? firstForOthers(step) : oneForOthers(step, named)];
	});
}

/** Steps that give one item of many, or a few. */
const LEAVES_FEW = /\.(aggregate|summarize|limit)$/;

/** Of a step in front, what it asks; of one that says something, what is taken of that behind the papers. */
function partsThatCount(step: NodeTypeAndVersion, used: readonly Taken[]) {
	if (ASKING.test(step.type)) return [asked(step)];
	return used
		.filter((one) => one.step === step.name)
		.flatMap(({ field }) => saidOfField(asksFor(step), field));
}

/** A call without its headers, where it asks for each by something else: those say who asks, and in which run. */
function asksFor(step: NodeTypeAndVersion): NodeTypeAndVersion {
	if (!/\.httpRequest$/.test(step.type)) return step;
	const { headerParameters, ...parameters } = step.parameters ?? {};
	return headerParameters === undefined || !asksEach(parameters) ? step : { ...step, parameters };
}
