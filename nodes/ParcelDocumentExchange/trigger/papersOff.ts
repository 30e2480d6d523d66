import type { IPollFunctions, ITriggerFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { switchedOff } from '../parameters/switchedOff';

/**
 * Refuses to be published where a step that would get the papers is switched off and a mail behind it attaches them: n8n
 * would hand the event on, and each mail leave without papers. Only a person who publishes is refused, in a second try as
 * well, which n8n calls an update: what n8n starts by itself goes on, and the log says it.
 *
 * @throws NodeOperationError that names both steps
 */
export function refuseSwitchedOff(
	context: Pick<
		ITriggerFunctions | IPollFunctions,
		'getNode' | 'getChildNodes' | 'getActivationMode' | 'getWorkflow' | 'logger'
	>,
): void {
	const [told] = switchedOff(context);
	if (told === undefined) return;
	if (isByPerson(context)) throw new NodeOperationError(context.getNode(), told);
	const { name, id } = context.getWorkflow();
	context.logger.warn(`Workflow "${name ?? id}": ${told}`);
}

/** Whether a person publishes. */
export const isByPerson = (context: Pick<ITriggerFunctions | IPollFunctions, 'getActivationMode'>): boolean =>
	['activate', 'update'].includes(context.getActivationMode());
