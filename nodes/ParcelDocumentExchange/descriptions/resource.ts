import type { INodeProperties } from 'n8n-workflow';

export const resource: INodeProperties = {
	displayName: 'Resource',
	name: 'resource',
	type: 'options',
	noDataExpression: true,
	options: [
		{
			name: 'Counterparty',
			value: 'counterparty',
			description: 'A company your account exchanges documents with',
		},
		{ name: 'Customer', value: 'customer', description: 'A company your account acts for' },
		{ name: 'Document', value: 'document', description: 'The PDFs of a set' },
		{
			name: 'Event',
			value: 'event',
			description: 'A status event that came another way than through the trigger',
		},
		{
			name: 'Queue',
			value: 'queue',
			description: 'The queue on which the service puts status events',
		},
		{ name: 'Set', value: 'set', description: 'A parcel: the trade documents of one shipment' },
	],
	default: 'document',
};
