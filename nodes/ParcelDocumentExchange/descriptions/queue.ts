import type { INodeProperties } from 'n8n-workflow';
import { operationsOf, showing } from './showing';

const queue: INodeProperties = {
	displayName: 'Queue',
	name: 'queue',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. parcel-events',
	description: 'The name of your event queue, as in the trigger',
};

export const queueProperties: INodeProperties[] = [
	operationsOf('queue', 'getStatus', [
		{
			name: 'Get Status',
			value: 'getStatus',
			description:
				'See how many events wait, who reads them, and what the trigger does. Takes nothing off the queue.',
			action: 'Get the status of a queue',
		},
	]),
	...showing('queue', ['getStatus'], [queue]),
];
