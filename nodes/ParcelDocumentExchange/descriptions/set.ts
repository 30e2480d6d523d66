import type { INodeProperties } from 'n8n-workflow';
import { WAIT_FOR_ONE } from './defaults';
import { instance, shipmentRef, status, typed } from './filters';
import { lookup, setId } from './lookup';
import {
	filtersOf,
	ignoreEmptyFilters,
	pageSize,
	paging,
	simplify,
	timeout,
	timeZone,
	waitSeconds,
} from './options';
import { listProperties, operationsOf, optionsShowing, showing } from './showing';

/** In the order in which a desk asks. */
const setFilters: INodeProperties[] = [
	status,
	{
		displayName: 'Customer or Counterparty Names or IDs',
		name: 'customerIds',
		type: 'multiOptions',
		typeOptions: { loadOptionsMethod: 'listParties' },
		default: [],
		description:
			'Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
	},
	shipmentRef,
	typed(
		'Reference Contains',
		'referenceContains',
		'e.g. 2026-01',
		'Only sets with this text in their shipment or parcel reference, in capitals or not. All matching sets are read and compared here.',
	),
	{
		displayName: 'Older Than (Days)',
		name: 'olderThanDays',
		// n8n's field for numbers drops a comma and makes 25 of 2,5; a text is refused in words.
		type: 'string',
		default: '3',
		placeholder: 'e.g. 3',
		description: 'Only sets that were last modified more than this many days ago',
	},
	{
		displayName: 'Modified After',
		name: 'modifiedAfter',
		type: 'dateTime',
		default: '',
		description:
			'Only sets that were last modified at this time or later, in the time zone of the workflow. The service cannot filter by date: all matching sets are read and compared here.',
	},
	{
		displayName: 'Modified Before',
		name: 'modifiedBefore',
		type: 'dateTime',
		default: '',
		description: 'Only sets that were last modified before this time, in the time zone of the workflow',
	},
	typed(
		'Vessel',
		'vesselName',
		'e.g. Aurora',
		'Only sets with this text in the name of their vessel, in capitals or not',
	),
	typed(
		'Company',
		'company',
		'e.g. Shipping',
		'Only sets with this text in the name of their consignor, consignee, counterparty or destination, in capitals or not',
	),
	instance,
	{
		displayName: 'Other Filters (JSON)',
		name: 'otherFilters',
		type: 'json',
		default: '{}',
		description:
			'More fields of the search, as a JSON object such as { "cargoName": "Coffee" }. A filter of the same field above wins.',
	},
];

/** The filters of these names, in this order. */
export function searchFilters(names: readonly string[]): INodeProperties[] {
	return names.flatMap((name) => setFilters.filter((field) => field.name === name));
}

const filters = filtersOf(setFilters, { description: 'Several filters together narrow the search' });

export const setProperties: INodeProperties[] = [
	operationsOf('set', 'search', [
		{
			name: 'Get',
			value: 'get',
			description: 'Get one set by its ID or reference, with its list of documents',
			action: 'Get a set with its list of documents',
		},
		{
			name: 'Search',
			value: 'search',
			description: 'Find sets by status, customer, reference, date, vessel or company',
			action: 'Search sets of trade documents',
		},
	]),
	...showing('set', ['get'], [setId, lookup]),
	...listProperties('set', 'search'),
	...showing('set', ['search'], [filters]),
	...showing('set', ['get', 'search'], [simplify]),
	...optionsShowing('set', 'get', [
		pageSize,
		paging,
		timeout,
		timeZone,
		waitSeconds(WAIT_FOR_ONE, 'a set the search does not show yet, and for its documents'),
	]),
	...optionsShowing('set', 'search', [ignoreEmptyFilters, pageSize, paging, timeout, timeZone]),
];
