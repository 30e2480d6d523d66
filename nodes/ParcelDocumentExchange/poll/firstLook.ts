import type { IPollFunctions } from 'n8n-workflow';
import { isServiceError, messageOf } from '../../../service/errors';
import { isPublishedByPerson } from '../adapters/publishedByPerson';
import { budgetMs } from './budget';
import { lasts } from './trouble';

/** Those that have looked before: the first look of one runs while n8n publishes its workflow. */
const lookedBefore = new WeakSet<IPollFunctions>();
/** What publishes a workflow has this time, n8n's tasks have another. */
const UNBOUND_MS = 300 * 1_000;

export function isFirstLook(context: IPollFunctions): boolean {
	const isTask = ![UNBOUND_MS, Infinity].includes(budgetMs(context));
	if (isTask || lookedBefore.has(context)) return false;
	lookedBefore.add(context);
	return true;
}

/** What a person who publishes has typed wrong. What may be right again in a minute refuses nothing, nor does anything at n8n's start. */
export function refusesPublishing(context: IPollFunctions, error: unknown): boolean {
	return isPublishedByPerson(context) && (!isServiceError(error) || lasts(error));
}

/** Where n8n has durable cursors, it keeps nothing of a look in publishing: n8n ended before the next one, all would begin anew. */
export async function commitFirstLook(context: IPollFunctions): Promise<void> {
	try {
		await context.__commitCursor?.();
	} catch (error) {
		context.logger.warn(
			`Parcel Document Exchange Poll Trigger: n8n could not keep what the first look saw: ${messageOf(error)}`,
		);
	}
}
