import type { ITriggerFunctions } from 'n8n-workflow';

/** Not started by n8n itself, as after a restart. A second try of what was refused, n8n calls an update. */
export function isPublishedByPerson(context: Pick<ITriggerFunctions, 'getActivationMode'>): boolean {
	return ['activate', 'update'].includes(context.getActivationMode());
}
