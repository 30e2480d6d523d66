import { NodeOperationError, type IPollFunctions, type ITriggerFunctions } from 'n8n-workflow';

/** Not started by n8n itself, as after a restart. A second try of what was refused, n8n calls an update. */
export function isPublishedByPerson(context: Pick<ITriggerFunctions, 'getActivationMode'>): boolean {
	return ['activate', 'update'].includes(context.getActivationMode());
}

/**
 * Warns of a workflow that is published all the same: the log always does, and a failed execution does when a person
 * publishes. N8n starts triggers by itself as well, and nobody waits for a word then.
 * @param emit stores the failed execution
 */
export function warnOfPublished(
	context: ITriggerFunctions | IPollFunctions,
	{ message, description }: { message: string; description: string },
	emit: (error: NodeOperationError) => void,
): void {
	const { name, id } = context.getWorkflow();
	context.logger.warn(`Workflow "${name ?? id}": ${message}. ${description}`);
	if (!isPublishedByPerson(context)) return;
	emit(new NodeOperationError(context.getNode(), message, { description, level: 'warning' }));
}
