import type { IPollFunctions } from 'n8n-workflow';
import { isServiceError, ServiceError } from '../../../service/errors';

/** Milliseconds n8n gives a look; it says so since 2.36. */
export function budgetMs(context: IPollFunctions): number {
	return context.getPollBudgetMs?.() ?? Infinity;
}

/** In words: a call that there was no time to wait for was stopped by no person. */
export function outOfTime(error: unknown, remedy: string): unknown {
	if (!isServiceError(error) || error.code !== 'cancelled') return error;
	return new ServiceError('timeout', 'The service took too long for a look at its sets.', {
		remedy,
		call: error.call,
	});
}
