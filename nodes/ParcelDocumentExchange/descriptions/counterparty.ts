import type { INodeProperties } from 'n8n-workflow';
import { partyParameters } from './party';

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
				description: 'Get one counterparty by its whole name, for example to get its ID',
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
	...partyParameters('counterparty'),
];
