import type { IDataObject } from 'n8n-workflow';
import type { Paging, SetFilters } from '../../../service/api/client';
import { isoInstant, modifiedInstant, modifiedSince } from '../../../service/model/modifiedDate';
import { simplifySet } from '../../../service/model/simplifiedSet';
import { paging, timeZone } from './callOptions';
import { hintAtLimit, readLimit } from './limit';
import type { Operation } from './operation';
import { checkedId, filterText, filterTexts, plainValue, unusable, type Parameters } from './parameters';

interface SearchRequest {
	filters: SetFilters;
	paging: Paging;
	limit: number;
	/** Milliseconds since 1970. */
	modifiedAfter: number | null;
	simplify: boolean;
	zone: string;
}

/** One item per set that matches. */
export const setSearch: Operation<SearchRequest> = {
	read(parameters) {
		const options = parameters.fields('options');
		const fields = parameters.fields('filters');
		return {
			filters: readFilters(fields),
			paging: paging(options),
			limit: readLimit(parameters),
			modifiedAfter: readInstant(fields.modifiedAfter, parameters),
			simplify: parameters.flag('simplify', true),
			zone: timeZone(options),
		};
	},

	async answer(request, work) {
		const { filters, limit, modifiedAfter, simplify, zone } = request;
		const client = await work.client();
		// The service cannot compare dates (interface, 2.4): all pages are read, and the limit counts what is left here.
		const pages = client.searchSets(filters, {
			...request.paging,
			limit: modifiedAfter === null && limit !== Infinity ? limit : undefined,
			onDoubt: work.hint,
		});
		const items: IDataObject[] = [];
		let undated = 0;
		for await (const page of pages) {
			for (const set of page) {
				if (items.length >= limit) break;
				if (modifiedAfter !== null && !modifiedSince(set.modifiedDate, modifiedAfter, zone)) continue;
				if (modifiedAfter !== null && modifiedInstant(set.modifiedDate, zone) === null) undated++;
				// Now, and not in the end: what is left out of a set may be most of it, and all of them come by here.
				items.push((simplify ? simplifySet(set, zone) : { ...set }) as IDataObject);
			}
			if (items.length >= limit) break;
		}
		if (items.length === 0) work.hint('No set matches these filters.');
		if (items.length === limit) hintAtLimit(work, limit, 'more sets may match');
		if (undated > 0) {
			work.hint(
				undated === 1
					? '1 set has a date that cannot be read. It is given too, whatever Modified After says.'
					: `${undated} sets have a date that cannot be read. They are given too, whatever Modified After says.`,
			);
		}
		return items.map((json) => ({ json }));
	},
};

function readFilters(fields: IDataObject): SetFilters {
	const customers = 'Customer Names or IDs';
	const customerIds = filterTexts(fields.customerIds, customers).map((id) => checkedId(id, customers));
	return {
		status: filterText(fields.status, 'Status').toUpperCase() || undefined,
		instance: filterText(fields.instance, 'Instance').toUpperCase() || undefined,
		customerIds: customerIds.length > 0 ? [...new Set(customerIds)] : undefined,
		shipmentRef: filterText(fields.shipmentRef, 'Shipment Reference') || undefined,
		otherFilters: readOtherFilters(plainValue(fields.otherFilters)),
	};
}

function readOtherFilters(value: unknown): Record<string, unknown> | undefined {
	let parsed = value;
	if (typeof value === 'string') {
		if (value.trim() === '') return undefined;
		try {
			parsed = JSON.parse(value);
		} catch {
			parsed = undefined;
		}
	}
	if (parsed === undefined || parsed === null) {
		if (value === undefined || value === null) return undefined;
	} else if (typeof parsed === 'object' && !Array.isArray(parsed)) {
		return parsed as Record<string, unknown>;
	}
	throw unusable(
		'Other Filters (JSON)',
		'is not a JSON object',
		'Write field names and values between braces, for example { "vesselName": "Aurora" }.',
	);
}

/** A date as the editor stores it (no zone: the workflow's counts), as text with a zone, or as n8n's own date object. */
function readInstant(value: unknown, parameters: Parameters): number | null {
	const plain = plainValue(value);
	if (plain === undefined || plain === null || plain === '') return null;
	const instant =
		typeof plain === 'string' ? isoInstant(plain, parameters.workflowZone) : millisecondsOf(plain);
	if (instant !== null) return instant;
	throw unusable(
		'Modified After',
		`is not a date: ${JSON.stringify(plain)?.slice(0, 60)}`,
		'Use a date such as 2026-11-20 or 2026-11-20T09:30, or an expression such as {{ $now.minus({ days: 1 }) }}.',
	);
}

/** Milliseconds before 1973 are seconds, or what JavaScript makes of `true` and of a list. */
const FEWEST_MILLISECONDS = 100_000_000_000;

function millisecondsOf(value: unknown): number | null {
	const milliseconds = Number(value);
	return milliseconds >= FEWEST_MILLISECONDS && !Array.isArray(value) ? milliseconds : null;
}
