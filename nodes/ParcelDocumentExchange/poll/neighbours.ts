import type { IPollFunctions } from 'n8n-workflow';
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
		const at = staticData[`node:${name}`]?.at ?? -Infinity;
		if (latest && latest.at > at) staticData[`node:${name}`] = { ...latest };
	}
}

/** What n8n has beside its interface, in all versions: where it has it no more, each trigger stores what it has. */
interface OfWorkflow {
	workflow: { staticData?: Record<string, { at?: number } | undefined> };
}
