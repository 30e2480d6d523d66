import type { IPollFunctions, ITriggerFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { isPublishedByPerson } from '../adapters/publishedByPerson';
import { noPapers } from '../parameters/noPapers';
import { switchedOff } from '../parameters/switchedOff';

/**
 * Refuses to be published where a step that would get the papers is switched off and a mail behind it attaches them: n8n
 * would hand the event on, and each mail leave without papers; and where no step in front of a mail gets what it attaches. Only a person who publishes is refused, in a second try as
 * well, which n8n calls an update: what n8n starts by itself goes on, and the log says it.
 *
 * @throws NodeOperationError that names both steps
 */
export function refuseWithoutPapers(
	context: Pick<
		ITriggerFunctions | IPollFunctions,
		'getNode' | 'getChildNodes' | 'getParentNodes' | 'getActivationMode' | 'getWorkflow' | 'logger'
	>,
): void {
	const [told] = [...switchedOff(context), ...noPapers(context)];
	if (told === undefined) return;
	if (isPublishedByPerson(context)) throw new NodeOperationError(context.getNode(), told);
	const { name, id } = context.getWorkflow();
	context.logger.warn(`Workflow "${name ?? id}": ${told}`);
}
