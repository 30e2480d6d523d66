import type { IExecuteFunctions, INode } from 'n8n-workflow';
import { givesFiles, isAnswered, isLoop, isLoopOfOne, roundOf, type Step, type Steps } from './stepKinds';

/** What n8n's contexts tell a node of the steps around it. */
export type Around = Pick<IExecuteFunctions, 'getNode' | 'getChildNodes' | 'getParentNodes'> & Wired & Whole;

export type InFront = Pick<IExecuteFunctions, 'getParentNodes'>;

/** How n8n's contexts hold the settings of the other steps; no part of what they promise. */
export interface Whole {
	workflow?: {
		nodes?: Record<
			string,
			Pick<INode, 'executeOnce' | 'onError' | 'continueOnFail' | 'alwaysOutputData'> | undefined
		>;
	};
}

/** Whether a step runs for the first item alone, however many come. */
export const isOnce = (context: Whole, step: string): boolean =>
	context.workflow?.nodes?.[step]?.executeOnce === true;

/**
 * How many of the items that come a step goes on with: the first alone with Execute Once, or where it waits for an answer;
 * those of the first round, where nothing leads back to a loop.
 */
export function mostTaken(context: InFront & Whole, step: Step): number {
	if (isOnce(context, step.name) || isAnswered(step)) return 1;
	const isOpen = isLoop(step) && !step.disabled && !isClosed(context, step);
	return isOpen ? roundOf(step) || Infinity : Infinity;
}

/** Whether a line leads back to a loop; n8n counts no step among those in front of itself. */
export const isClosed = (context: InFront, { name }: Step) =>
	parentsOf(context, name).some((way) => leadsTo(context, name, way.name));

/** The node itself, as others see it. */
export function ownStep(context: Pick<Around, 'getNode'>): Step {
	const { name, type, typeVersion, parameters } = context.getNode();
	return { name, type, typeVersion, parameters, disabled: false } as Step;
}

/** Steps do not change under a context, and for each answer n8n walks through the workflow: it is asked the same once. */
const told = new WeakMap<object, Map<string, Step[]>>();

function toldOnce(context: object, question: string, ask: () => Step[]): Step[] {
	const known = told.get(context) ?? new Map<string, Step[]>();
	told.set(context, known);
	const steps = known.get(question) ?? ask();
	known.set(question, steps);
	return steps;
}

/** All steps behind one, or behind the node itself. */
export const behindOf = (
	context: Pick<Around, 'getNode' | 'getChildNodes'>,
	name = context.getNode().name,
): Step[] =>
	toldOnce(context, `behind ${name}`, () => context.getChildNodes(name, { includeNodeParameters: true }));

/** All steps in front of one. */
export const inFrontOf = (context: InFront, name: string): Step[] =>
	toldOnce(context, `in front of ${name}`, () =>
		context.getParentNodes(name, { includeNodeParameters: true }),
	);

/** The steps that lead to one without another between. */
export const parentsOf = (context: InFront, name: string): Step[] =>
	toldOnce(context, `next to ${name}`, () =>
		context.getParentNodes(name, { depth: 1, includeNodeParameters: true }),
	);

/** The steps behind a node that are on and give files. */
export const givingBehind = (context: Around): Step[] =>
	behindOf(context).filter((step) => givesFiles(step) && !step.disabled);

/**
 * Whether on one of the ways to a step stands such a one.
 *
 * @param isSuch undefined where the steps in front of that one are asked
 */
export function anyWay(
	context: InFront,
	{ name }: { name: string },
	isSuch: (step: Step) => boolean | undefined,
	seen = new Set<string>(),
): boolean {
	return parentsOf(context, name).some((parent) => {
		if (seen.has(parent.name)) return false;
		seen.add(parent.name);
		return isSuch(parent) ?? anyWay(context, parent, isSuch, seen);
	});
}

export type Passes = (step: Step) => boolean;

/** Whether one of the ways to a step comes from that one, by such steps alone. */
export const comesBy = (context: InFront, step: { name: string }, from: string, passes: Passes): boolean =>
	anyWay(context, step, (one) => one.name === from || (passes(one) ? undefined : false));

/** Whether each way to a step comes from that one, by such steps alone. */
export function comesOnlyFrom(
	context: InFront,
	name: string,
	from: string,
	passes: Passes,
	/** Each step once, however many ways lead over it. One that is being looked at leads back to itself. */
	seen = new Map<string, boolean>(),
	/** What comes back to a loop came from it: in the loop, the ways into it count. */
	parents: Steps = parentsOf(context, name),
): boolean {
	return (
		parents.length > 0 &&
		parents.every((parent) => {
			if (parent.name === from) return true;
			const isBack = isLoop(parent) && leadsTo(context, name, parent.name);
			const key = isBack ? `${parent.name} back` : parent.name;
			const known = seen.get(key);
			if (known !== undefined) return known;
			seen.set(key, false);
			const ways = isBack ? waysInto(context, parent) : parentsOf(context, parent.name);
			const comes = passes(parent) && comesOnlyFrom(context, parent.name, from, passes, seen, ways);
			seen.set(key, comes);
			return comes;
		})
	);
}

/** By whatever steps. */
export const leadsTo = (context: InFront, from: string, to: string) =>
	inFrontOf(context, to).some(({ name }) => name === from);

/** How n8n's contexts tell which output leads to a step, by the inputs of the step; no part of what they promise. */
export interface Wired {
	getConnections?(step: { name: string }, type: 'main'): ReadonlyArray<ReadonlyArray<Wire> | null>;
}
interface Wire {
	node: string;
	index: number;
}

/** Whether one of those outputs of a step leads to that one, without another between. */
export const isWired = (
	context: Wired,
	from: string,
	isOutput: (index: number) => boolean,
	{ name }: { name: string },
): boolean =>
	(context.getConnections?.({ name }, 'main') ?? []).some((input) =>
		(input ?? []).some(({ node, index }) => node === from && isOutput(index)),
	);

/** The names of the steps around one that gives files to which not all items come at once. */
interface Loops {
	/** Those that get one set after the other, together with that step: a loop of one leads to it, and it leads back there. */
	looped: ReadonlySet<string>;
	/** Those that get one item after the other: in their loop, what a step gave first is what it gave for that item. */
	alone: ReadonlySet<string>;
}

/** @param inFront of the step that gives the files; what comes behind a loop gets all at once */
export function loopsAround(context: InFront, own: string, inFront: Steps, behind: Steps): Loops {
	const back = new Set(behind.map(({ name }) => name));
	const around = inFront.filter((step) => isLoopOfOne(step) && back.has(step.name)).map(({ name }) => name);
	const comesFromOwn = (name: string) =>
		name === own ||
		(!around.includes(name) && comesBy(context, { name }, own, (one) => !around.includes(one.name)));
	const looped = new Set(around.length > 0 ? [own, ...[...back].filter(comesFromOwn)] : []);
	const toOwn = looped.size > 0 ? inFront.filter((step) => back.has(step.name) && !isLoop(step)) : [];
	const loops = behind.filter(
		(step) => isLoopOfOne(step) && isClosed(context, step) && !looped.has(step.name),
	);
	const within = loops.flatMap((loop) => insideOf(context, loop, behind));
	return {
		looped,
		alone: new Set([...looped, ...around, ...[...toOwn, ...within, ...loops].map(({ name }) => name)]),
	};
}

/** Of those steps, the ones that a loop leads to and that lead back to it. */
export const insideOf = (context: InFront, loop: Step, steps: Steps): Step[] =>
	steps.filter(
		({ name }) =>
			name !== loop.name && leadsTo(context, name, loop.name) && leadsTo(context, loop.name, name),
	);

/** The steps that lead to one; into a loop, those that do not come back from it. */
export function waysInto(context: InFront, step: Step): Step[] {
	const ways = parentsOf(context, step.name);
	if (!isLoop(step)) return ways;
	return ways.filter((way) => !leadsTo(context, step.name, way.name));
}

/** The names of steps, and of all to which these lead further on. */
export function reachedFrom(names: readonly string[], further: (name: string) => readonly string[]) {
	const reached = new Set(names);
	// Those that are found on the way are looked at too.
	for (const name of reached) for (const one of further(name)) reached.add(one);
	return reached;
}

/** Of the steps behind a node, those between it and that one: not those that come back to it, nor what gets other files anew. */
export function between<T extends { name: string }>(
	context: Pick<Around, 'getNode' | 'getParentNodes'>,
	steps: readonly T[],
	last: { name: string },
): T[] {
	const own = context.getNode().name;
	const inFront = reachedFrom([last.name], (name) =>
		parentsOf(context, name)
			.filter((step) => step.name !== own && (!givesFiles(step) || step.disabled))
			.map((step) => step.name),
	);
	return steps.filter(({ name }) => name !== last.name && inFront.has(name));
}
