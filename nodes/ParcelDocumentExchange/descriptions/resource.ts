import type { INodeProperties } from 'n8n-workflow';

export const resource: INodeProperties = {
	displayName: 'Resource',
	name: 'resource',
	type: 'options',
	noDataExpression: true,
	options: [
		{ name: 'Counterparty', value: 'counterparty' },
		{ name: 'Customer', value: 'customer' },
		{ name: 'Document', value: 'document' },
		{ name: 'Event', value: 'event' },
		{ name: 'Set', value: 'set' },
	],
	default: 'document',
};
