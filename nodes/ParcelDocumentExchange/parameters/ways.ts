import type { IExecuteFunctions, NodeTypeAndVersion } from 'n8n-workflow';
import { isLoop, parentsOf, isLoopOfOne, givesFiles } from './stepKinds';
import type { Ways } from './eachSet';

type Around = Pick<IExecuteFunctions, 'getParentNodes'>;

export type Passes = (step: NodeTypeAndVersion) => boolean;

/** Whether each way to a step comes from that one, by such steps alone. */
export function comesOnlyFrom(
	context: Around,
	name: string,
	from: string,
	passes: Passes,
	/** Each step once, however many ways lead over it. One that is being looked at leads back to itself. */
	seen = new Map<string, boolean>(),
	/** What comes back to a loop came from it: in the loop, the ways into it count. */
	parents: readonly NodeTypeAndVersion[] = parentsOf(context, name),
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
			const ways = parentsOf(context, parent.name).filter(
				(way) => !isBack || !leadsTo(context, parent.name, way.name),
			);
			const comes = passes(parent) && comesOnlyFrom(context, parent.name, from, passes, seen, ways);
			seen.set(key, comes);
			return comes;
		})
	);
}

/** Whether one of the ways to a step comes from that one, by such steps alone. */
export function comesBy(
	context: Around,
	step: { name: string },
	from: string,
	passes: Passes,
	seen = new Set<string>(),
): boolean {
	return parentsOf(context, step.name).some((parent) => {
		if (parent.name === from) return true;
		if (seen.has(parent.name) || !passes(parent)) return false;
		seen.add(parent.name);
		return comesBy(context, parent, from, passes, seen);
	});
}

/** By whatever steps. */
export const leadsTo = (context: Around, from: string, to: string) =>
	context.getParentNodes(to).some(({ name }) => name === from);

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

/**
 * The names of the steps that get one item after the other, in a loop of one: in it, what a step gave first is what it gave
 * for that item.
 *
 * @param looped those of a loop around the step that gives the files, by `inLoopOfOne`
 * @param inFront of that step
 * @param behind it
 */
export function oneByOne(
	context: Pick<IExecuteFunctions, 'getParentNodes'>,
	looped: ReadonlySet<string>,
	inFront: readonly NodeTypeAndVersion[],
	behind: readonly NodeTypeAndVersion[],
): ReadonlySet<string> {
	const isBehind = new Set(behind.map(({ name }) => name));
	// Between the loop and that step.
	const before = looped.size > 0 ? inFront.filter((step) => isBehind.has(step.name) && !isLoop(step)) : [];
	const loops = behind.filter((step) => isLoopOfOne(step) && !looped.has(step.name));
	const inFrontOf = (name: string) => new Set(context.getParentNodes(name).map((step) => step.name));
	const within = loops.flatMap((loop) => {
		const leading = inFrontOf(loop.name);
		return behind.filter(
			({ name }) => leading.has(name) && name !== loop.name && inFrontOf(name).has(loop.name),
		);
	});
	return new Set([...looped, ...[...before, ...within, ...loops].map(({ name }) => name)]);
}

/**
 * The names of the steps that get one set after the other, together with that step: where a loop of one leads to it, and it
 * leads back there. What comes behind the loop gets all at once.
 */
export function inLoopOfOne(
	context: Pick<IExecuteFunctions, 'getParentNodes'>,
	own: string,
	inFront: readonly NodeTypeAndVersion[],
	behind: readonly NodeTypeAndVersion[],
): ReadonlySet<string> {
	const back = new Set(behind.map(({ name }) => name));
	const loops = inFront.filter((step) => isLoopOfOne(step) && back.has(step.name)).map(({ name }) => name);
	if (loops.length === 0) return new Set();
	const comesFromOwn = (name: string, seen: Set<string>): boolean => {
		if (name === own) return true;
		if (seen.has(name) || loops.includes(name)) return false;
		seen.add(name);
		return context.getParentNodes(name, { depth: 1 }).some((step) => comesFromOwn(step.name, seen));
	};
	return new Set([own, ...[...back].filter((name) => comesFromOwn(name, new Set()))]);
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

/** Of the steps behind a node, those between it and that one: not those that come back to it, nor what gets other files anew. */
export function between<T extends { name: string }>(
	context: Pick<IExecuteFunctions, 'getNode' | 'getParentNodes'>,
	steps: readonly T[],
	last: { name: string },
): T[] {
	const own = context.getNode().name;
	const inFront = new Set<string>();
	const names = [last.name];
	// Those that are found on the way are looked at too.
	for (const name of names) {
		for (const step of parentsOf(context, name)) {
			if (step.name === own || inFront.has(step.name) || (givesFiles(step) && !step.disabled)) continue;
			inFront.add(step.name);
			names.push(step.name);
		}
	}
	return steps.filter(({ name }) => name !== last.name && inFront.has(name));
}
