import { types } from 'node:util';
import type { IDataObject, INode, IPollFunctions } from 'n8n-workflow';
import { warnOfPublished } from '../adapters/publishedByPerson';

/** Whether n8n stores what the node remembers with that of all others, and before a run: a snapshot is committed together with it. */
export function isLive(data: IDataObject): boolean {
	return types.isProxy(data);
}

/**
 * Warns of a step that stores what all nodes of the workflow remember as it was when the workflow was published: after a
 * restart, what was told since then is told again. When a person publishes, one failed execution says it; otherwise the log
 * does.
 */
export function warnOfWritingBack(context: IPollFunctions): void {
	if (!isLive(context.getWorkflowStaticData('node'))) return;
	const { nodes = {} } = (context as Partial<OfWorkflow>).workflow ?? {};
	const step = Object.values(nodes).find(
		({ disabled, parameters }) => !disabled && WRITES.test(JSON.stringify(parameters ?? {})),
	);
	if (!step) return;
	const text = {
		message: `"${step.name}" writes with getWorkflowStaticData over what the poll trigger remembers`,
		description:
			'After a restart of n8n, sets that were told since the workflow was published start runs again. Keep the list of that step in a data table or a database. Until then, the trigger looks for changes all the same.',
	};
	warnOfPublished(context, text, (error) => context.__emitError(error));
}

const WRITES = /getWorkflowStaticData\(/;

/** What n8n has beside its interface, in all versions. */
interface OfWorkflow {
	workflow: { nodes?: Record<string, INode> };
}
