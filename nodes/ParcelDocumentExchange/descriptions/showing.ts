import type { INodeProperties } from 'n8n-workflow';

/** The properties, shown for those operations of a resource only. */
export function showing(
	resource: string,
	operations: string[],
	properties: INodeProperties[],
): INodeProperties[] {
	const displayOptions = { show: { resource: [resource], operation: operations } };
	return properties.map((property) => ({ ...property, displayOptions }));
}
