import type { INodeProperties } from 'n8n-workflow';
import { name, wholeName } from './filters';
import { listProperties } from './list';
import { ignoreEmptyFilters, optionsOf, timeout } from './options';
import { showing } from './showing';

export const counterpartyProperties: INodeProperties[] = [
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: ['counterparty'] } },
		options: [
			{
				name: 'Get',
				value: 'get',
				description: 'Get one counterparty by its whole name, for example to have its ID',
				action: 'Get a counterparty',
			},
			{
				name: 'Get Many',
				value: 'getAll',
				description: 'Get the companies your account exchanges documents with',
				action: 'Get many counterparties',
			},
		],
		default: 'getAll',
	},
	...showing('counterparty', ['get'], [wholeName, optionsOf([timeout])]),
	...listProperties('counterparty', 'getAll'),
	...showing(
		'counterparty',
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
