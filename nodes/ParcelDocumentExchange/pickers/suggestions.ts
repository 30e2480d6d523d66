import type { INodeListSearchItems, INodeListSearchResult } from 'n8n-workflow';
import { statusOptions } from '../descriptions/statuses';

/** Values of the status filter: of the interface's example, and of a set's life. Others exist and can be typed. */
const STATUSES: INodeListSearchItems[] = [
	{ name: 'Active (in the Inbox)', value: 'ACTIVE' },
	...statusOptions.map(({ name, value }) => ({ name, value: String(value) })),
];

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

/**
 * The known values that match; what was typed only where none does: any value is allowed, but who types the beginning of
 * a known one means that.
 */
function suggesting(known: INodeListSearchItems[], filter = ''): INodeListSearchResult {
	const typed = filter.trim().toUpperCase();
	const letters = typed.replace(/[\s_-]+/g, ' ');
	const results = known.filter(({ name, value }) =>
		`${name} ${String(value).replaceAll('_', ' ')}`.toUpperCase().includes(letters),
	);
	return { results: results.length > 0 ? results : [{ name: `Use "${typed}"`, value: typed }] };
}
