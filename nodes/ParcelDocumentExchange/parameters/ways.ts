import type { IExecuteFunctions, NodeTypeAndVersion } from 'n8n-workflow';
import { isLoop, parentsOf } from './stepKinds';

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
