import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { LIMIT } from './defaults';
import { optionsOf } from './options';

/** The properties, shown for those operations of a resource only. */
export function showing(
	resource: string,
	operations: string[],
	properties: INodeProperties[],
): INodeProperties[] {
	const displayOptions = { show: { resource: [resource], operation: operations } };
	return properties.map((property) => ({ ...property, displayOptions }));
}

/** The same for the options of one operation. */
export const optionsShowing = (resource: string, operation: string, options: INodeProperties[]) =>
	showing(resource, [operation], [optionsOf(options)]);

/** What can be done with a resource. */
export function operationsOf(
	resource: string,
	byDefault: string,
	options: INodePropertyOptions[],
): INodeProperties {
	return {
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: [resource] } },
		options,
		default: byDefault,
	};
}

/** Return All and Limit, in n8n's own words. */
export function listProperties(resource: string, operation: string): INodeProperties[] {
	const limit: INodeProperties = {
		displayName: 'Limit',
		name: 'limit',
		type: 'number',
		typeOptions: { minValue: LIMIT.least },
		default: 50,
		description: 'Max number of results to return',
		hint: 'There may be more than that. For a complete list, switch Return All on.',
		displayOptions: { show: { resource: [resource], operation: [operation], returnAll: [false] } },
	};
	const returnAll: INodeProperties = {
		displayName: 'Return All',
		name: 'returnAll',
		type: 'boolean',
		default: false,
		description: 'Whether to return all results or only up to a given limit',
	};
	return [...showing(resource, [operation], [returnAll]), limit];
}
