import type { INodeProperties } from 'n8n-workflow';
import { operationsOf, showing } from './showing';

const event: INodeProperties = {
	displayName: 'Event',
	name: 'event',
	type: 'json',
	default: '={{ $json }}',
	required: true,
	description:
		'The status event: its body as an object or as text, a message of another queue node, a webhook call, or a report of the trigger. The whole input item will do.',
};

export const eventProperties: INodeProperties[] = [
	operationsOf('event', 'parse', [
		{
			name: 'Parse',
			value: 'parse',
			description: 'Make the fields of the trigger from an event that came another way',
			action: 'Parse a status event',
		},
	]),
	...showing('event', ['parse'], [event]),
];
