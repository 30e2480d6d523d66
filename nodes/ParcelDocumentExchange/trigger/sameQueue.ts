import type { ITriggerFunctions, ITriggerResponse } from 'n8n-workflow';
import type { EventFilter } from '../../../service/queue/contract';
import { warnOfPublished } from '../adapters/publishedByPerson';
import { readSettings } from './settings';

/** A trigger that listens in this process. */
interface Listener {
	workflowId: string;
	node: string;
	queue: string;
	filter: EventFilter;
}

const listeners = new Set<Listener>();

/**
 * Warns when another trigger of the same workflow reads the same queue and asks for the same events: each of those starts
 * the workflow twice, and sends two mails. It can be meant, so nothing is refused: when a person publishes, one failed
 * execution says it; otherwise the log does.
 *
 * @param listening what `listen` answered; its listener counts until it is closed
 */
export function warnOfSameQueue(context: ITriggerFunctions, listening: ITriggerResponse): ITriggerResponse {
	const { queue, filter } = readSettings(context);
	const self = { workflowId: String(context.getWorkflow().id), node: context.getNode().name, queue, filter };
	const twin = [...listeners].find((other) => isTwin(self, other));
	if (twin) warn(context, self, twin);
	listeners.add(self);
	return {
		...listening,
		closeFunction: async () => {
			listeners.delete(self);
			await listening.closeFunction?.();
		},
	};
}

function isTwin(self: Listener, other: Listener): boolean {
	const { statuses, customerIds, instances } = self.filter;
	return (
		self.workflowId === other.workflowId &&
		self.node !== other.node &&
		self.queue === other.queue &&
		overlap(statuses, other.filter.statuses) &&
		overlap(customerIds, other.filter.customerIds) &&
		overlap(instances, other.filter.instances)
	);
}

/** An empty list asks for all. */
function overlap(ours: readonly string[], theirs: readonly string[]): boolean {
	return ours.length === 0 || theirs.length === 0 || ours.some((one) => theirs.includes(one));
}

function warn(context: ITriggerFunctions, self: Listener, twin: Listener): void {
	const text = {
		message: `Two triggers of this workflow read the queue ${self.queue}: "${twin.node}" and "${self.node}"`,
		description:
			'Each event that both ask for starts the workflow twice. Choose other statuses or customers in one of them, or remove it and connect what follows to the other. Nothing is wrong if it is meant: both are listening.',
	};
	warnOfPublished(context, text, (error) => context.saveFailedExecution?.(error));
}
