import { otherTotalIn } from '../../../service/api/otherTotals';

it.each<[string, object, number]>([
	...[
		...['totalCount', 'total_count', 'totalElements', 'totalElement', 'totalResults', 'totalResult'],
		...['total_hits', 'totalItems', 'totalRecords', 'TOTALROWS', 'totalSets', 'totalEntries'],
		...['totalMatches', 'totalFound', 'numFound', 'num_found', 'resultsTotal', 'items_total'],
		...['setsTotal', 'hitsTotal'],
	].map((name): [string, object, number] => [name, { [name]: 7 }, 7]),
	['a number as a text', { totalCount: '137' }, 137],
	['the largest of several', { totalCount: 3, numFound: 250, totalHits: 40 }, 250],
	...['meta', 'metadata', 'page', 'paging', 'pagination'].map((place): [string, object, number] => [
		`the total in ${place}`,
		{ [place]: { total: 7 } },
		7,
	]),
	['another name in such a place', { page: { totalElements: 7, Total: 6 } }, 7],
	['the number of pages', { totalPages: 7, page: { totalPages: 8 } }, 0],
	['a name that holds one of them', { mytotalCount: 7, totalCounts: 7, grandTotalHitsSoFar: 7 }, 0],
	['a total beside the data, which is the interface’s own', { total: 7 }, 0],
	['a total in another place', { links: { total: 7 }, meta: [{ total: 7 }], page: 'total 7' }, 0],
	['places that hold nothing', { meta: null, page: undefined }, 0],
	['no whole number', { totalCount: 7.5, totalHits: -7, numFound: '7 sets', totalRows: '' }, 0],
	['no number', { totalCount: [7], totalHits: { value: 7 }, numFound: true, totalRows: null }, 0],
	['more digits than a list has', { totalCount: 1_234_567_890, numFound: '1234567890' }, 0],
])('a list is said to have as many sets as it says in %s', (_, object, total) => {
	expect(otherTotalIn(object)).toBe(total);
});

it('of several parts of an answer, the largest counts', () => {
	expect(otherTotalIn({ totalCount: 3 }, { page: { total: 5 } }, {})).toBe(5);
	expect(otherTotalIn()).toBe(0);
});
