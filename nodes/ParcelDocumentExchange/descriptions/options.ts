import type { INodeProperties } from 'n8n-workflow';
import { PAGE_SIZE, PAGING, PARALLEL_DOWNLOADS, TIME_ZONE, TIMEOUT, type WholeNumber } from './defaults';

/** The options of an operation, in the order in which people need them: what technicians set stands last. */
export function optionsOf(options: INodeProperties[]): INodeProperties {
	return {
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: [...options].sort((a, b) => ORDER.indexOf(a.name) - ORDER.indexOf(b.name)),
	};
}

/** What narrows a list. */
export function filtersOf(
	options: INodeProperties[],
	more: Pick<INodeProperties, 'description'> = {},
): INodeProperties {
	return {
		displayName: 'Filters',
		name: 'filters',
		type: 'collection',
		placeholder: 'Add filter',
		default: {},
		...more,
		options,
	};
}

const ORDER = [
	...['fileName', 'waitSeconds', 'timeZone', 'ignoreEmptyFilters'],
	...['parallelDownloads', 'timeout', 'pageSize', 'paging'],
];

/** A field for a whole number, with its bounds and its default as the code goes by them. */
export function numberField(
	field: Pick<INodeProperties, 'displayName' | 'name' | 'description'>,
	{ least, most, missing: byDefault }: WholeNumber,
): INodeProperties {
	return {
		...field,
		type: 'number',
		typeOptions: { minValue: least, maxValue: most },
		default: byDefault,
	};
}

export const timeout = numberField(
	{
		displayName: 'Timeout (Seconds)',
		name: 'timeout',
		description: 'How long the service may be silent before a call is given up',
	},
	TIMEOUT,
);

export const parallelDownloads = numberField(
	{
		displayName: 'Parallel Downloads',
		name: 'parallelDownloads',
		description: `How many PDFs are downloaded at the same time, from ${PARALLEL_DOWNLOADS.least} to ${PARALLEL_DOWNLOADS.most}, over all input items together`,
	},
	PARALLEL_DOWNLOADS,
);

export const ignoreEmptyFilters: INodeProperties = {
	displayName: 'Ignore Empty Filters',
	name: 'ignoreEmptyFilters',
	type: 'boolean',
	default: false,
	description:
		'Whether a filter that is empty, as when its expression gives nothing, is left out: then more comes than was asked for. While this is off, it is an error.',
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
	default: PAGING,
	description: 'How the service is asked for the next page of a search. Change it only if a search says so.',
};

export const pageSize = numberField(
	{
		displayName: 'Page Size',
		name: 'pageSize',
		description: 'How many sets the service is asked for at a time',
	},
	PAGE_SIZE,
);

export const timeZone: INodeProperties = {
	displayName: 'Time Zone',
	name: 'timeZone',
	type: 'string',
	default: TIME_ZONE,
	placeholder: 'e.g. Europe/Amsterdam',
	description: "The time zone of the service's dates. It sends them without one.",
};

export const onePerSet: INodeProperties = {
	displayName: 'All PDFs of a Set in One Item',
	name: 'onePerSet',
	type: 'boolean',
	default: false,
	description:
		'Whether to give one item per set with all its PDFs, for one e-mail, instead of one item per PDF. The PDFs are in the fields data_0, data_1 and so on; the field attachments names them all, in the form the e-mail nodes take.',
};

/** @param byDefault as documented by the operation */
export function fileName(byDefault: string, example: string, placeholders: string): INodeProperties {
	return {
		displayName: 'File Name',
		name: 'fileName',
		type: 'string',
		default: byDefault,
		placeholder: `e.g. ${example}`,
		description: `The name of each PDF file. It can use ${placeholders}, and the beginning of one, such as {first 8 of documentId}. Characters a drive refuses are replaced, and no two files of a run get one name.`,
	};
}

/** @param what it waits for */
export function waitSeconds(bounds: WholeNumber, what: string): INodeProperties {
	return numberField(
		{
			displayName: 'Wait Up To (Seconds)',
			name: 'waitSeconds',
			description: `How long to wait for ${what}. 0 does not wait.`,
		},
		bounds,
	);
}

export const simplify: INodeProperties = {
	displayName: 'Simplify',
	name: 'simplify',
	type: 'boolean',
	default: true,
	description: 'Whether to return a simplified version of the response instead of the raw data',
};
