import type { IPollFunctions } from 'n8n-workflow';
import { earlierIn } from '../../../service/changes/before';
import type { Stored } from '../../../service/changes/stored';

/** What another poll trigger of the workflow remembered last, and its name. */
interface Neighbour {
	name: string;
	latest?: Stored;
}

/**
 * What all nodes of a workflow remember, n8n stores as one text, and where it has no durable cursors, a trigger that was
 * published after the others holds a copy of it by itself, from then. Stored as it is, it would undo what the others
 * remembered since.
 */
export function keepNeighbours(context: IPollFunctions, neighbours: readonly Neighbour[]): void {
	const { staticData } = (context as Partial<OfWorkflow>).workflow ?? {};
	if (!staticData) return;
	for (const { name, latest } of neighbours) {
		const at = staticData[NODE + name]?.at ?? -Infinity;
		if (latest && latest.at > at) staticData[NODE + name] = { ...latest };
	}
}

/**
 * Drops what poll triggers remembered under names that no node of the workflow has any more: with such a name again, a node
 * begins anew as with any other, and tells nothing of what it told in between.
 *
 * @returns whether a node of the workflow has this name
 */
export function forgetFormerNames(context: IPollFunctions): (name: string) => boolean {
	const { staticData = {}, nodes = {} } = (context as Partial<OfWorkflow>).workflow ?? {};
	const names = new Set(Object.values(nodes).map(({ name }) => name));
	// What is no list of all nodes tells nothing.
	if (!names.has(context.getNode().name)) return () => true;
	for (const [key, data] of Object.entries(staticData)) {
		const isFormer = key.startsWith(NODE) && !names.has(key.slice(NODE.length));
		if (isFormer && earlierIn(data)) delete staticData[key];
	}
	return (name) => names.has(name);
}

const NODE = 'node:';

/** What n8n has beside its interface, in all versions: where it has it no more, each trigger stores what it has. */
interface OfWorkflow {
	workflow: {
		staticData?: Record<string, { at?: number } | undefined>;
		nodes?: Record<string, { name: string }>;
	};
}
