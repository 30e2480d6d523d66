import type { INodeProperties } from 'n8n-workflow';
import { showing } from './showing';

export const queueProperties: INodeProperties[] = [
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: ['queue'] } },
		options: [
			{
				name: 'Get Status',
				value: 'getStatus',
				description:
					'See how many events wait, who reads them, and what the trigger does. Takes nothing off the queue.',
				action: 'Get the status of a queue',
			},
		],
		default: 'getStatus',
	},
	...showing(
		'queue',
		['getStatus'],
		[
			{
				displayName: 'Queue',
				name: 'queue',
				type: 'string',
				default: '',
				required: true,
				placeholder: 'e.g. parcel-events',
				description: 'The name of your event queue, as in the trigger',
			},
		],
	),
];
