import type { IDataObject } from 'n8n-workflow';
import type { Paging, SetFilters } from '../../../service/api/client';
import { simplifySet } from '../../../service/model/simplifiedSet';
import { isComparable } from '../../../service/api/contradiction';
import { AsAsked } from '../search/asAsked';
import { paging, timeZone } from '../parameters/callOptions';
import {
	comparesAnything,
	isUndated,
	fitsHere,
	readComparedHere,
	type ComparedHere,
} from '../search/comparedHere';
import { changingNothing } from '../search/goneBy';
import { hintAtLimit, readLimit, type Operation } from './operation';
import { readSetFilters } from '../search/setFilters';

interface SearchRequest {
	filters: SetFilters;
	paging: Paging;
	limit: number;
	compared: ComparedHere;
	simplify: boolean;
	zone: string;
}

export const setSearch: Operation<SearchRequest> = {
	read(parameters) {
		const options = parameters.fields('options');
		const filters = parameters.filters();
		return {
			filters: readSetFilters(filters),
			paging: paging(options),
			limit: readLimit(parameters),
			compared: readComparedHere(filters, Date.now()),
			simplify: parameters.flag('simplify', true),
			zone: timeZone(options),
		};
	},

	async answer(request, work) {
		const { filters, limit, compared, simplify, zone } = request;
		const client = await work.client();
		// Where something is compared here, the limit counts what is left.
		const isCounted = !comparesAnything(compared) && !isComparable(filters) && limit !== Infinity;
		const pages = client.searchSets(filters, {
			...request.paging,
			withoutXml: simplify,
			limit: isCounted ? limit : undefined,
			onOtherTotal: (sentence) => work.hint(sentence),
			onWarning: (sentence) => work.hint(sentence),
			onDoubt: (sentence, remedy) => work.hint([sentence, remedy].filter(Boolean).join(' ')),
		});
		const asAsked = new AsAsked(filters);
		const items: IDataObject[] = [];
		let undated = 0;
		for await (const page of pages) {
			for (const set of page) {
				if (items.length >= limit) break;
				if (!asAsked.fits(set) || !fitsHere(set, compared, zone)) continue;
				if (isUndated(set, compared, zone)) undated++;
				// Now, and not in the end: what is left out of a set may be most of it, and all of them come by here.
				items.push((simplify ? simplifySet(set, zone) : { ...set }) as IDataObject);
			}
			if (items.length >= limit) break;
		}
		if (items.length === 0) work.hint('No set matches these filters.');
		// First: of many hints, some are only counted.
		if (items.length === limit) hintAtLimit(work, limit, 'more sets may match');
		const { style } = request.paging;
		const unsure = await changingNothing(client, filters, style, asAsked.unseen);
		for (const sentence of asAsked.sentences(unsure)) work.hint(sentence);
		if (undated > 0) {
			work.hint(
				undated === 1
					? '1 set has a date that cannot be read. It is given too, whatever the filters by date say.'
					: `${undated} sets have a date that cannot be read. They are given too, whatever the filters by date say.`,
			);
		}
		return items.map((json) => ({ json }));
	},
};
