import type { IPollFunctions } from 'n8n-workflow';

/** Milliseconds n8n gives a look; it says so since 2.36. */
export function budgetMs(context: IPollFunctions): number {
	return context.getPollBudgetMs?.() ?? Infinity;
}
