import type { INodeListSearchItems, INodeListSearchResult } from 'n8n-workflow';

/** Values of the status filter. The interface shows only this one; others exist and can be typed. */
const STATUSES: INodeListSearchItems[] = [{ name: 'Active (in the Inbox)', value: 'ACTIVE' }];

/** The interface names two kinds and says they are sent in upper case, not how each is spelled. */
const INSTANCES: INodeListSearchItems[] = [
	{ name: 'Exchange', value: 'EXCHANGE' },
	{ name: 'Hub', value: 'HUB' },
];

export function suggestStatuses(filter?: string): INodeListSearchResult {
	return suggesting(STATUSES, filter);
}

export function suggestInstances(filter?: string): INodeListSearchResult {
	return suggesting(INSTANCES, filter);
}

/** The known values that match, and what was typed as one more: any value is allowed. */
function suggesting(known: INodeListSearchItems[], filter = ''): INodeListSearchResult {
	const typed = filter.trim().toUpperCase();
	const results = known.filter(({ name, value }) => `${name} ${String(value)}`.toUpperCase().includes(typed));
	if (typed !== '' && !known.some(({ value }) => value === typed)) {
		results.push({ name: `Use "${typed}"`, value: typed });
	}
	return { results };
}
