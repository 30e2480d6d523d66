import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { ParcelDocumentExchange } from '../../nodes/ParcelDocumentExchange/ParcelDocumentExchange.node';

const { properties } = new ParcelDocumentExchange().description;

export const resources = properties.find(({ name }) => name === 'resource')!
	.options as INodePropertyOptions[];

/** Every operation that the panel offers. */
export const offered = resources.flatMap((resource) =>
	properties
		.filter(
			({ name, displayOptions }) =>
				name === 'operation' && displayOptions?.show?.resource?.[0] === resource.value,
		)
		.flatMap(({ options }) => options as INodePropertyOptions[])
		// n8n's own entry leads to the HTTP Request node.
		.filter(({ value }) => value !== '__CUSTOM_API_CALL__')
		.map(({ name, value }) => ({ resource, name, value: String(value) })),
);

/** The properties that a person sees for an operation. */
export function shown(resource: string, operation: string): INodeProperties[] {
	return properties.filter(({ displayOptions: { show = {} } = {} }) => {
		const isOfOperation = show.operation?.includes(operation) ?? !('operation' in show);
		return (show.resource?.includes(resource) ?? true) && isOfOperation;
	});
}

/** The options of an operation. */
export function optionsOf(resource: string, operation: string): INodeProperties[] {
	const options = shown(resource, operation).find(({ name }) => name === 'options')?.options;
	return (options ?? []) as INodeProperties[];
}

/** The operations with that field, or that option: what holds for one of them is tried for all, also for a new one. */
export function operationsWith(field: string): [resource: string, operation: string][] {
	return offered
		.map(({ resource, value }): [string, string] => [String(resource.value), value])
		.filter((names) => [...shown(...names), ...optionsOf(...names)].some(({ name }) => name === field));
}
