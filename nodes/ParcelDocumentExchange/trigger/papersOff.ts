import type { IPollFunctions, ITriggerFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { isPublishedByPerson } from '../adapters/publishedByPerson';
import { askedInVain } from '../parameters/askedInVain';
import { mostSets } from '../parameters/eachSet';
import { neverDone } from '../parameters/endingLoop';
import { failuresSent } from '../parameters/failuresSent';
import { calledOnce } from '../parameters/leftOver';
import { noPapers, papersLost } from '../parameters/noPapers';
import { othersPapers } from '../parameters/othersPapers';
import { pastPapers } from '../parameters/pastPapers';
import { switchedOff } from '../parameters/switchedOff';
import { unattached } from '../parameters/unattached';
import { ownStep } from '../parameters/ways';

/**
 * Refuses to be published where each mail would leave without papers, green: a step that would get them is switched off, no
 * step in front of the mail gets what it attaches, one between lets it go, the mail does not attach what comes, or a step
 * asks for a status as no event has it. Only a
 * person who publishes is refused, in a second try as well, which n8n calls an update: what n8n starts by itself goes on, and
 * the log says it.
 *
 * @throws NodeOperationError that names both steps
 */
export function refuseWithoutPapers(
	context: Pick<
		ITriggerFunctions | IPollFunctions,
		'getNode' | 'getChildNodes' | 'getParentNodes' | 'getActivationMode' | 'getWorkflow' | 'logger'
	>,
): void {
	const [told] = [
		...switchedOff(context),
		...noPapers(context),
		...papersLost(context),
		...unattached(context),
		...othersPapers(context),
		...pastPapers(context),
		...failuresSent(context),
		...askedInVain(context),
		...neverDone(context),
		...calledOnce(context, mostSets([ownStep(context)])),
	];
	if (told === undefined) return;
	if (isPublishedByPerson(context)) throw new NodeOperationError(context.getNode(), told);
	const { name, id } = context.getWorkflow();
	context.logger.warn(`Workflow "${name ?? id}": ${told}`);
}
