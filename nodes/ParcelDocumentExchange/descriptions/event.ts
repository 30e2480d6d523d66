import type { INodeProperties } from 'n8n-workflow';
import { showing } from './showing';

export const eventProperties: INodeProperties[] = [
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: ['event'] } },
		options: [
			{
				name: 'Parse',
				value: 'parse',
				description: 'Make the fields of the trigger from an event that came another way',
				action: 'Parse a status event',
			},
		],
		default: 'parse',
	},
	...showing(
		'event',
		['parse'],
		[
			{
				displayName: 'Event',
				name: 'event',
				type: 'json',
				default: '={{ $json }}',
				required: true,
				description:
					'The status event: its body as an object or as text, a message of another queue node, a webhook call, or a report of the trigger. The whole input item will do.',
			},
		],
	),
];
