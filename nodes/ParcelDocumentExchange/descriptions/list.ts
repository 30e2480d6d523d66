import type { INodeProperties } from 'n8n-workflow';
import { LIMIT } from './defaults';

/** Return All and Limit, in n8n's own words. */
export function listProperties(resource: string, operation: string): INodeProperties[] {
	return [
		{
			displayName: 'Return All',
			name: 'returnAll',
			type: 'boolean',
			default: false,
			description: 'Whether to return all results or only up to a given limit',
			displayOptions: { show: { resource: [resource], operation: [operation] } },
		},
		{
			displayName: 'Limit',
			name: 'limit',
			type: 'number',
			typeOptions: { minValue: LIMIT.least },
			default: 50,
			description: 'Max number of results to return',
			hint: 'There may be more than that. For a complete list, switch Return All on.',
			displayOptions: { show: { resource: [resource], operation: [operation], returnAll: [false] } },
		},
	];
}
