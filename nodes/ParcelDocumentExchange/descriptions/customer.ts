import type { INodeProperties } from 'n8n-workflow';
import { name } from './filters';
import { listProperties } from './list';
import { ignoreEmptyFilters, optionsOf, timeout } from './options';
import { showing } from './showing';

export const customerProperties: INodeProperties[] = [
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: ['customer'] } },
		options: [
			{
				name: 'Get Many',
				value: 'getAll',
				description: 'Get the customers your account acts for, with their signature templates',
				action: 'Get many customers',
			},
		],
		default: 'getAll',
	},
	...listProperties('customer', 'getAll'),
	...showing(
		'customer',
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
