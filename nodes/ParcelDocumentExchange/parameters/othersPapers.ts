import type { IExecuteFunctions, NodeTypeAndVersion } from 'n8n-workflow';
import { attaching, isMail, messaging } from './attaching';
import { runsOnce, type Whole } from './leftOver';
import { firstForOthers, inLoopOfOne, mixed, oneForOthers } from './mixedBehind';
import { bringSeveral, givesSeveral } from './severalSets';
import { ASKING, KEEPING, givesFiles } from './stepKinds';
import { taken } from './taken';
import { textsIn } from './typedInto';

type Around = Pick<IExecuteFunctions, 'getNode' | 'getChildNodes' | 'getParentNodes'> & Whole;

/** Of an event, what one may say for others: a mail that says it is no other parcel's. */
const SAME = /^(status|action|instance|updatedAt|isSample)$/;

/** What is known of the steps that give an item for each set. */
interface Sets {
	/** Their names. */
	names: ReadonlySet<string>;
	/** Whether all items of such a step, or all that come, say the same there. */
	isSame(step: string | undefined, field: string): boolean;
}

/**
 * Mails behind that send the papers of one set as those of another, or those of the first alone, whenever several sets come
 * in one run, and several may: in words. What is not so for certain is told beside the output.
 */
export function othersPapers(context: Around): string[] {
	const steps = context.getChildNodes(context.getNode().name, { includeNodeParameters: true });
	return steps
		.filter((step) => givesFiles(step) && !step.disabled)
		.flatMap((giving) => {
			const inFront = context.getParentNodes(giving.name, { includeNodeParameters: true });
			if (!bringSeveral(inFront)) return [];
			return othersPapersBehind(context, giving, {
				names: namesOfSeveral(context, [giving, ...inFront]),
				isSame: (_, field) => SAME.test(field) || (field === 'customerId' && isOfOneCustomer(inFront)),
			});
		});
}

/** The names of the steps that may give items of several sets. */
export function namesOfSeveral(
	context: Pick<Around, 'getParentNodes'>,
	steps: readonly NodeTypeAndVersion[],
): ReadonlySet<string> {
	const inFrontOf = ({ name }: NodeTypeAndVersion) =>
		context.getParentNodes(name, { includeNodeParameters: true });
	return new Set(steps.filter((step) => givesSeveral(step, inFrontOf(step))).map(({ name }) => name));
}

/** The same behind one step that gives files. */
export function othersPapersBehind(context: Around, giving: NodeTypeAndVersion, sets: Sets): string[] {
	const inFront = context.getParentNodes(giving.name, { includeNodeParameters: true });
	const behind = context
		.getChildNodes(giving.name, { includeNodeParameters: true })
		.filter(({ disabled, name }) => !disabled && name !== giving.name);
	const looped = inLoopOfOne(context, giving.name, inFront, behind);
	return [...attaching(behind).filter(isMail), ...messaging(behind)]
		.filter(({ name }) => !looped.has(name))
		.flatMap((mail) => {
			const comesBy = (passes: Passes) => comesOnlyFrom(context, mail.name, giving.name, passes);
			const oneByOne = comesBy((step) => passesEach(context, step));
			return [
				...(oneByOne ? saidForOthers(context, mail, sets) : []),
				...crossMerged(context, { giving, mail, behind, sets }),
			];
		});
}

/** A mail to which an item of each set comes: it takes the first alone, or says for all what one of them says. */
function saidForOthers(context: Around, mail: NodeTypeAndVersion, { names, isSame }: Sets): string[] {
	const once = runsOnce(context, mail, false);
	if (once.length > 0) return once;
	const wrong = textsIn(mail.parameters).flatMap(taken);
	const ofStep = wrong.find(
		({ step, field }) => step !== undefined && names.has(step) && !isSame(step, field),
	);
	if (ofStep?.step !== undefined) return [oneForOthers(mail, ofStep.step)];
	const ofFirst = wrong.find(({ step, field }) => step === undefined && !isSame(step, field));
	return ofFirst ? [firstForOthers(mail)] : [];
}

interface Merged {
	giving: NodeTypeAndVersion;
	mail: NodeTypeAndVersion;
	behind: readonly NodeTypeAndVersion[];
	sets: Sets;
}

/** Merges of papers with an item for each set: of all with all; by position, where a set has several papers. */
function crossMerged(context: Around, { giving, mail, behind, sets }: Merged): string[] {
	const inside = new Set([giving.name, ...behind.map(({ name }) => name)]);
	const comesOn = ({ name, type }: NodeTypeAndVersion) =>
		!ASKING.test(type) && passesEach(context, { name, type } as NodeTypeAndVersion);
	const isOfEach = (step: NodeTypeAndVersion, seen: readonly string[] = []): boolean => {
		if (inside.has(step.name) || seen.includes(step.name)) return false;
		if (sets.names.has(step.name)) return true;
		const parents = context.getParentNodes(step.name, { depth: 1, includeNodeParameters: true });
		return passesEach(context, step) && parents.some((one) => isOfEach(one, [...seen, step.name]));
	};
	return behind
		.filter(({ type }) => /\.merge$/.test(type))
		.filter((merge) => {
			const how = JSON.stringify(merge.parameters ?? {});
			const isOfAll = /combineAll"|multiplex"/.test(how);
			if (!isOfAll && !(givesEachPaper(giving) && /ByPosition"|mergeByIndex"/.test(how))) return false;
			if (!comesOnlyFrom(context, mail.name, merge.name, comesOn)) return false;
			const parents = context.getParentNodes(merge.name, { depth: 1, includeNodeParameters: true });
			return parents.some((step) => isOfEach(step));
		})
		.flatMap((merge) => mixed(mail, [merge], 'mail'));
}

/** Whether it gives an item for each paper, whatever its type. */
const givesEachPaper = ({ parameters = {} }: NodeTypeAndVersion) =>
	parameters.operation === 'getAllPdfs' &&
	parameters.onePerSet !== true &&
	typeof parameters.onePerSet !== 'string' &&
	textsIn(parameters.documentTypes).length === 0;

type Passes = (step: NodeTypeAndVersion) => boolean;

/** Whether a step hands on an item for each that comes, or leaves some out by what they say. */
const passesEach = (context: Whole, step: NodeTypeAndVersion): boolean =>
	(step.disabled || /\.set$/.test(step.type) || (KEEPING.test(step.type) && !/\.limit$/.test(step.type))) &&
	(step.disabled || runsOnce(context, step, false).length === 0);

/** Whether each way to a step comes from that one, by such steps alone. */
export function comesOnlyFrom(
	context: Pick<Around, 'getParentNodes'>,
	name: string,
	from: string,
	passes: Passes,
	seen: ReadonlySet<string> = new Set(),
): boolean {
	const parents = context.getParentNodes(name, { depth: 1, includeNodeParameters: true });
	return (
		parents.length > 0 &&
		parents.every((parent) => {
			if (parent.name === from) return true;
			if (seen.has(parent.name) || !passes(parent)) return false;
			return comesOnlyFrom(context, parent.name, from, passes, new Set([...seen, parent.name]));
		})
	);
}

const isOfOneCustomer = (steps: readonly NodeTypeAndVersion[]) =>
	steps.every(({ type, parameters }) => {
		if (!/Trigger$/.test(type)) return true;
		const options = (parameters?.options ?? {}) as { customerIds?: unknown };
		return textsIn(options.customerIds).length === 1;
	});
