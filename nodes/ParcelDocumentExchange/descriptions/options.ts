import type { INodeProperties } from 'n8n-workflow';

const byName = (a: INodeProperties, b: INodeProperties) => a.displayName.localeCompare(b.displayName, 'en');

/** The options of an operation, in the order of their names. */
export function optionsOf(options: INodeProperties[]): INodeProperties {
	return {
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: [...options].sort(byName),
	};
}

export const timeout: INodeProperties = {
	displayName: 'Timeout (Seconds)',
	name: 'timeout',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: 3600 },
	default: 60,
	description: 'How long the service may be silent before a call is given up',
};

export const parallelDownloads: INodeProperties = {
	displayName: 'Parallel Downloads',
	name: 'parallelDownloads',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: 32 },
	default: 8,
	description: 'How many PDFs are downloaded at the same time, from 1 to 32, over all input items together',
};

export const ignoreEmptyFilters: INodeProperties = {
	displayName: 'Ignore Empty Filters',
	name: 'ignoreEmptyFilters',
	type: 'boolean',
	default: false,
	description:
		'Whether a filter with nothing in it lets everything through. Otherwise it is an error: more would come than was asked for.',
};

export const paging: INodeProperties = {
	displayName: 'Paging',
	name: 'paging',
	type: 'options',
	options: [
		{
			name: 'Automatic',
			value: 'auto',
			description: 'Try the address first, then the request body',
		},
		{ name: 'In the Address', value: 'query', description: 'Ask for pages with ?limit=…&offset=…' },
		{
			name: 'In the Request Body',
			value: 'body',
			description: 'Ask for pages with limit and offset in the body',
		},
	],
	default: 'auto',
	description: 'How the service is asked for the next page of a search. Change it only if a search says so.',
};

export const pageSize: INodeProperties = {
	displayName: 'Page Size',
	name: 'pageSize',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: 1000 },
	default: 100,
	description: 'How many sets the service is asked for at a time',
};

export const timeZone: INodeProperties = {
	displayName: 'Time Zone',
	name: 'timeZone',
	type: 'string',
	default: 'UTC',
	placeholder: 'e.g. Europe/Amsterdam',
	description: "The time zone of the service's dates. It sends them without one.",
};

export const onePerSet: INodeProperties = {
	displayName: 'All PDFs of a Set in One Item',
	name: 'onePerSet',
	type: 'boolean',
	default: false,
	description:
		'Whether to give one item per set with all its PDFs, for one email, instead of one item per PDF. The PDFs are in the fields data_0, data_1 and so on; the field attachments names them all, in the form the email nodes take.',
};

/** @param byDefault as documented by the operation */
export function fileName(byDefault: string, example: string, placeholders: string): INodeProperties {
	return {
		displayName: 'File Name',
		name: 'fileName',
		type: 'string',
		default: byDefault,
		placeholder: `e.g. ${example}`,
		description: `The name of each PDF file. It can use ${placeholders}, and the beginning of one, such as {first 8 of documentId}. Characters a drive refuses are replaced, and a name that is taken gets a number.`,
	};
}

/** @param what it waits for */
export function waitSeconds(byDefault: number, what: string): INodeProperties {
	return {
		displayName: 'Wait Up To (Seconds)',
		name: 'waitSeconds',
		type: 'number',
		typeOptions: { minValue: 0, maxValue: 3600 },
		default: byDefault,
		description: `How long to wait for ${what}. 0 does not wait.`,
	};
}
