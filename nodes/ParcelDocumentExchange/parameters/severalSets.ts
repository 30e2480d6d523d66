import type { NodeTypeAndVersion } from 'n8n-workflow';
import { isObject } from './shape';
import { OURS } from './stepKinds';
import { textsIn } from './typedInto';

/** Whether one of the steps may bring several sets into one run. */
export const bringSeveral = (steps: readonly NodeTypeAndVersion[]): boolean =>
	steps.some(({ type, parameters = {} }) => {
		const options: Record<string, unknown> = isObject(parameters.options) ? parameters.options : {};
		if (/\.parcelDocumentExchangePollTrigger$/.test(type)) return options.runs !== 'oneForEachSet';
		if (/\.parcelDocumentExchangeTrigger$/.test(type)) return Number(options.batchSize ?? 1) > 1;
		if (!OURS.test(type) || parameters.operation !== 'search') return false;
		return parameters.returnAll === true || Number(parameters.limit ?? 50) !== 1;
	});

/** How many sets a trigger may bring into one run. */
export const mostSets = ({ type, parameters = {} }: NodeTypeAndVersion): number => {
	const options: Record<string, unknown> = isObject(parameters.options) ? parameters.options : {};
	return /\.parcelDocumentExchangeTrigger$/.test(type) ? Number(options.batchSize ?? 1) : Infinity;
};

const OF_PARTIES = /^(customer|counterparty|queue)$/;

/** Whether a step of ours gives items of the sets that come to it: not of companies, nor of one set that is meant for all of them, such as general terms. */
export const isOfSets = ({ parameters = {} }: NodeTypeAndVersion): boolean =>
	!OF_PARTIES.test(String(parameters.resource)) &&
	(parameters.setId === undefined || textsIn(parameters.setId).join().includes('$'));
