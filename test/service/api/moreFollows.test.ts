import type { IncomingHttpHeaders } from 'node:http';
import { moreFollows, otherTotalIn, totalInHeaders } from '../../../service/api/moreFollows';

const says = (object: object, headers: IncomingHttpHeaders = {}) => moreFollows(headers, object);

const GOES_ON = [
	...['hasMore', 'has_more', 'HASMORE', 'hasNext', 'has_next', 'more', 'More'],
	...['hasMorePage', 'has_more_pages', 'hasNextPage', 'has_next_pages', 'hasMorePages'],
	...['hasMoreResult', 'has_more_results', 'hasNextResults', 'moreResults', 'more_results'],
];
const IS_LAST = [
	...['last', 'isLast', 'is_last', 'lastPage', 'last_page', 'isLastPage', 'is_last_page'],
	...['done', 'isDone', 'is_done', 'DONE'],
];
const LEADS_ON = [
	...['next', 'nextPage', 'next_page', 'nextOffset', 'next_offset', 'nextCursor', 'next_cursor', 'NEXT'],
	...['nextLink', 'next_link', 'nextUrl', 'next_url', 'nextToken', 'next_token'],
	...['nextPageToken', 'next_page_token', 'nextpage_token'],
];

it.each(GOES_ON)('a list goes on where the answer says yes to "%s"', (name) => {
	for (const yes of [true, 'true', 'Yes', 1, '1']) expect(says({ [name]: yes })).toBe(true);
	for (const no of [false, 'no', 0, null, '', 'true so far', '1 of 1', [true], { value: true }])
		expect(says({ [name]: no })).toBe(false);
});

it.each(IS_LAST)('a list goes on where the answer says no to "%s"', (name) => {
	for (const no of [false, 'false', 'No', '0']) expect(says({ [name]: no })).toBe(true);
	// A number is that of the last page.
	for (const yes of [true, 'yes', 'no more', 0, 7, null, '', [false]])
		expect(says({ [name]: yes })).toBe(false);
});

it.each(LEADS_ON)('a list goes on where something stands in "%s"', (name) => {
	for (const there of ['abc', '0', 1, 7]) expect(says({ [name]: there })).toBe(true);
	for (const none of ['', ' \n', 0, -1, null, false, true, {}, ['abc']])
		expect(says({ [name]: none })).toBe(false);
});

it.each([
	...[
		'thereIsMore',
		'hasMoreover',
		'hasMoreToShow',
		'moreResultsOf',
		'evermore',
		'has__more',
		'hasMore__pages',
	],
	...['lastModified', 'atLast', 'lastPages', 'isLast_', 'doneBy', 'undone', 'isis_last', 'last__page'],
	...['nextOfKin', 'theNext', 'nextPageTokens', 'next__page', 'next_page__token', 'nextPageOffset'],
])('a list does not go on for a name that only holds such a word: "%s"', (name) => {
	for (const value of [true, false, 'abc', 'yes', 'no', 7]) expect(says({ [name]: value })).toBe(false);
});

it.each<[string, unknown, boolean]>([
	['by relation', { self: '/', next: '/2' }, true],
	['by relation, as an object', { next: { href: '/2' } }, true],
	['by relation, with nothing in it', { next: ' ' }, false],
	['by relation, with null', { next: null }, false],
	['by relation, with an empty object', { next: { href: null } }, false],
	['to the page before', { prev: '/1', first: { href: '/0' } }, false],
	...['href', 'url', 'uri', 'link'].map((place): [string, unknown, boolean] => [
		`in a list, in "${place}"`,
		[
			{ rel: 'self', [place]: '/1' },
			{ rel: 'next', [place]: '/2' },
		],
		true,
	]),
	['in a list, to a number', [{ rel: 'next', href: 2 }], true],
	['in a list, with the whole word', [{ relation: 'NEXT', href: '/2' }], true],
	['in a list, with several words', [{ rel: 'last next', href: '/2' }], true],
	['in a list, with several other words behind it', [{ rel: 'next\tlast', href: '/2' }], true],
	['in a list, with a word that ends with it', [{ rel: 'stepnext', href: '/2' }], false],
	['in a list, of itself alone', [{ rel: 'self', href: '/1' }], false],
	['in a list, without a place', [{ rel: 'next' }], false],
	['in a list, to nothing', [{ rel: 'next', href: '' }], false],
	['in a list, with a word that holds it', [{ rel: 'nextstep', href: '/2' }], false],
	['in a list, with a relation that is no text', [{ rel: ['next'], href: '/2' }], false],
	['in a list of other things', [null, 'next', 7], false],
	['as null', null, false],
	['as a text', 'next', false],
])('a list goes on, or not, by its links: %s', (_, links, goesOn) => {
	expect(says({ links })).toBe(goesOn);
	expect(moreFollows({}, {}, { links })).toBe(goesOn);
});

it.each<[string | undefined, boolean]>([
	['</2>; rel="next"', true],
	['</2>;rel=next', true],
	['</2>; REL = "Next"', true],
	['</0>; rel="first", </2>; rel="next"', true],
	['</2>; rel="prefetch next"', true],
	['</2>; title="2"; rel="next"', true],
	['</1>; rel="prev"', false],
	['</2>; rel="nextstep"', false],
	['</2>; title="next"', false],
	['</2>; rel', false],
	['</?rel=next>', false],
	['', false],
	[undefined, false],
])('a list goes on, or not, by its header Link: %j', (link, goesOn) => {
	expect(says({ results: [] }, { link })).toBe(goesOn);
});

it('one of several objects of an answer is enough, and without any word a list ends', () => {
	expect(moreFollows({}, { hasMore: false }, { hasMore: true })).toBe(true);
	expect(moreFollows({}, {}, {})).toBe(false);
	expect(moreFollows({})).toBe(false);
});

it.each<[Record<string, string | string[]>, number]>([
	[{ 'x-total-count': '137' }, 137],
	[{ 'x-total': '7' }, 7],
	[{ 'total-count': ' 7 ' }, 7],
	[{ 'content-range': 'items 0-36/137' }, 137],
	[{ 'content-range': 'my-items_1  10-19/20' }, 20],
	[{ 'x-total-count': '7, 9 , 8' }, 9],
	[{ 'x-total-count': ['7', '9'] }, 9],
	[{ 'content-range': 'items 0-9/10,items 0-9/12' }, 12],
	[{ 'x-total-count': '5', 'x-total': '6', 'total-count': '4', 'content-range': 'items 0-1/3' }, 6],
	[{ 'x-total-count': '123456789' }, 123_456_789],
	[{ 'x-total-count': '1234567890' }, 0],
	[{ 'x-total-count': 'seven' }, 0],
	[{ 'x-total-count': '7 sets' }, 0],
	[{ 'x-total-count': 'of 7' }, 0],
	[{ 'x-total-count': '' }, 0],
	[{ 'content-range': 'items 0-36/*' }, 0],
	[{ 'content-range': 'items */137' }, 0],
	[{ 'content-range': 'items 0-36/137 of it' }, 0],
	[{ 'content-range': 'of items 0-36/137' }, 0],
	[{ 'content-range': '0-36/137' }, 0],
	[{ 'content-range': 'items 0-1234567890/2' }, 0],
	[{ 'content-range': 'items 1234567890-1/2' }, 0],
	[{ 'content-range': 'items 0-1/1234567890' }, 0],
	[{ 'x-count': '7' }, 0],
	[{}, 0],
])('the headers %j speak of so many entries: %s', (headers, total) => {
	expect(totalInHeaders(headers as IncomingHttpHeaders)).toBe(total);
});

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
