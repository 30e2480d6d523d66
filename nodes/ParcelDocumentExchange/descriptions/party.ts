import type { INodeProperties } from 'n8n-workflow';
import { name, wholeName } from './filters';
import { filtersOf, ignoreEmptyFilters, timeout } from './options';
import { listProperties, operationsOf, optionsShowing, showing } from './showing';

/** Customers and counterparties are asked for alike: one by its whole name, or the list of them. */
function partyProperties(resource: string, many: string, description: string): INodeProperties[] {
	return [
		operationsOf(resource, 'getAll', [
			{
				name: 'Get',
				value: 'get',
				description: `Get one ${resource} by its whole name, for example to get its ID`,
				action: `Get a ${resource}`,
			},
			{ name: 'Get Many', value: 'getAll', description, action: `Get many ${many}` },
		]),
		...showing(resource, ['get'], [wholeName]),
		...optionsShowing(resource, 'get', [timeout]),
		...listProperties(resource, 'getAll'),
		...showing(resource, ['getAll'], [filtersOf([name])]),
		...optionsShowing(resource, 'getAll', [ignoreEmptyFilters, timeout]),
	];
}

export const counterpartyProperties = partyProperties(
	'counterparty',
	'counterparties',
	'Get the companies your account exchanges documents with',
);
export const customerProperties = partyProperties(
	'customer',
	'customers',
	'Get the customers your account acts for, with their signature templates',
);
