import type { INodeProperties } from 'n8n-workflow';
import { partyParameters } from './party';

export const customerProperties: INodeProperties[] = [
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: ['customer'] } },
		options: [
			{
				name: 'Get',
				value: 'get',
				description: 'Get one customer by its whole name, for example to get its ID',
				action: 'Get a customer',
			},
			{
				name: 'Get Many',
				value: 'getAll',
				description: 'Get the customers your account acts for, with their signature templates',
				action: 'Get many customers',
			},
		],
		default: 'getAll',
	},
	...partyParameters('customer'),
];
