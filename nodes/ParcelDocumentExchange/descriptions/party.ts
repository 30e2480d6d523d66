import type { INodeProperties } from 'n8n-workflow';
import { name, wholeName } from './filters';
import { listProperties } from './list';
import { ignoreEmptyFilters, optionsOf, timeout } from './options';
import { showing } from './showing';

/** What customers and counterparties are looked for by: one by its whole name, or the list of them. */
export function partyParameters(resource: 'counterparty' | 'customer'): INodeProperties[] {
	return [
		...showing(resource, ['get'], [wholeName, optionsOf([timeout])]),
		...listProperties(resource, 'getAll'),
		...showing(
			resource,
			['getAll'],
			[
				{
					displayName: 'Filters',
					name: 'filters',
					type: 'collection',
					placeholder: 'Add filter',
					default: {},
					options: [name],
				},
				optionsOf([ignoreEmptyFilters, timeout]),
			],
		),
	];
}
