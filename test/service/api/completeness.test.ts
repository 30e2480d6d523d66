import {
	completenessOf,
	mayBeOnePage,
	readsOn,
	totalsOf,
	type Completeness,
} from '../../../service/api/completeness';
import type { Reading } from '../../../service/api/reading';
import { numbers } from '../../support/numbers';

/** What one way through a list saw: 40 sets, as many as were said, in pages of 10 that meet, unless told otherwise. */
interface Seen {
	/** Numbers of the sets that came. */
	came?: number[];
	news?: number;
	least?: number;
	most?: number;
	shrank?: boolean;
	grew?: boolean;
	repeats?: number;
	isOfOnePiece?: boolean;
	isCovered?: boolean;
	largestPage?: number;
	stuck?: boolean;
	ended?: boolean;
	ignoresPage?: boolean;
	isShuffled?: boolean;
	countsOtherwise?: boolean;
	isAsMany?: boolean;
	options?: { pageSize: number };
}

function read({ came = numbers(40), most = 40, least = most, news = 0, ...more }: Seen): Reading {
	const seen = {
		...{ ended: true, stuck: false, shrank: false, grew: false, repeats: 0, largestPage: 10 },
		...{ isOfOnePiece: true, isCovered: true, least, most, news, keys: new Set(came.map(String)) },
		...{ isAsMany: came.length >= most, ...more },
	};
	return seen as unknown as Reading;
}

const seenIn = (readings: readonly Reading[]) => new Set(readings.flatMap(({ keys }) => [...keys])).size;

/** Of 40 rows, each reading of a list that is sorted anew brings most; the total counts more. */
function sortedAnew(...last: Seen[]): Seen[] {
	const one = { most: 50, isOfOnePiece: false, isShuffled: true, repeats: 3 };
	return [
		...[
			{ came: numbers(35), news: 35 },
			{ came: numbers(40).slice(3), news: 5 },
		].map((seen) => ({ ...one, ...seen })),
		...last.map((seen) => ({ ...one, came: numbers(37), ...seen })),
	];
}

/** Of 40 rows, as many as were said, pages that do not meet brought so many new ones each time, and 38 in all at least. */
function movedApart(...news: number[]): Seen[] {
	let known = 0;
	return news.map((fresh) => {
		known += fresh;
		return { came: numbers(known).slice(-Math.max(38, fresh)), news: fresh, repeats: 2, isOfOnePiece: false };
	});
}

/** So many readings, each of which brings one row that is new. */
function moving(times: number, last: Seen): Seen[] {
	const one = { came: numbers(40), most: 60, least: 59, news: 1 };
	return [
		...Array.from({ length: times - 1 }, () => ({ ...one, least: last.least ?? 59 })),
		{ ...one, ...last },
	];
}

/** Each row: one reading after another of the same list. */
it.each<[string, Completeness, Seen[]]>([
	['as many as were said, in pages that meet', 'all', [{ news: 40 }]],
	['fewer than were said', 'incomplete', [{ came: numbers(39), news: 39 }]],
	['as many as were said, in pages that do not meet', 'incomplete', [{ isOfOnePiece: false, news: 40 }]],
	[
		'the same fewer, with pages that begin elsewhere',
		'same each time',
		[
			{ came: numbers(30), news: 30 },
			{ came: numbers(30), largestPage: 7 },
		],
	],
	[
		'the same fewer, cut at the same places',
		'incomplete',
		[
			{ came: numbers(30), news: 30 },
			{ came: numbers(30), largestPage: 10 },
		],
	],
	[
		'the same fewer, each time in one page, which skips none',
		'same each time',
		[
			{ came: numbers(30), news: 30, largestPage: 30 },
			{ came: numbers(30), largestPage: 30 },
		],
	],
	[
		'the same number, and others',
		'incomplete',
		[
			{ came: numbers(30), news: 30 },
			{ came: numbers(31).slice(1), news: 1, largestPage: 7 },
		],
	],
	[
		'a list that got shorter, and as many as it ever had at least',
		'changing',
		[
			{ came: numbers(40), most: 42, least: 38, shrank: true, news: 40 },
			{ came: numbers(38), most: 41, least: 38, shrank: true, largestPage: 7 },
		],
	],
	[
		'a list that got shorter, and fewer than it ever had',
		'incomplete',
		[
			{ came: numbers(36), most: 42, least: 38, shrank: true, news: 36 },
			{ came: numbers(35), most: 41, least: 38, shrank: true, largestPage: 7 },
		],
	],
	[
		'a list that got shorter, and more each time',
		'incomplete',
		[
			{ came: numbers(38), most: 42, least: 38, shrank: true, news: 38 },
			{ came: numbers(39), most: 42, least: 38, shrank: true, news: 1, largestPage: 7 },
		],
	],
	[
		'a list that got longer, by as many as came twice',
		'changing',
		[
			{ came: numbers(38), most: 42, least: 40, grew: true, news: 38 },
			{ came: numbers(40), most: 42, least: 40, grew: true, repeats: 2, news: 2, largestPage: 7 },
		],
	],
	[
		'a list that got longer, and more came twice',
		'incomplete',
		[
			{ came: numbers(38), most: 42, least: 40, grew: true, news: 38 },
			{ came: numbers(40), most: 42, least: 40, grew: true, repeats: 3, news: 2, largestPage: 7 },
		],
	],
	[
		'a page of known rows where others were due',
		'incomplete',
		[
			{ came: numbers(30), news: 30, stuck: true },
			{ came: numbers(30), stuck: true, largestPage: 7 },
		],
	],
	[
		'as many as were said, in pages that do not meet, twice the same',
		'all',
		[
			{ isOfOnePiece: false, news: 40 },
			{ isOfOnePiece: false, largestPage: 7 },
		],
	],
	[
		'the same, and of some places no row came',
		'changing',
		[
			{ isOfOnePiece: false, news: 40 },
			{ isOfOnePiece: false, largestPage: 7, isCovered: false },
		],
	],
	[
		'the same, and the second time others',
		'incomplete',
		[
			{ isOfOnePiece: false, news: 40 },
			{ isOfOnePiece: false, news: 1, came: numbers(41).slice(1), largestPage: 7 },
		],
	],
	[
		'as many as were said, where each came once and the total counts neither',
		'all',
		[{ countsOtherwise: true }],
	],
	[
		'as many as were said, where some came twice and the total counts neither',
		'incomplete',
		[{ countsOtherwise: true, repeats: 2 }],
	],
	['more rows than were said, of fewer sets', 'incomplete', [{ came: numbers(50), isAsMany: false }]],
	['as many as were said, where some came twice', 'all', [{ repeats: 2, least: 39 }]],
	['more than were said, where some came twice', 'incomplete', [{ came: numbers(41), repeats: 2 }]],
	['as many as were said last, and some came twice', 'incomplete', [{ repeats: 2, least: 39, grew: true }]],
	[
		'what fewer came before',
		'incomplete',
		[
			{ came: numbers(29), news: 29 },
			{ came: numbers(30), largestPage: 7 },
		],
	],
	['nothing of what was said', 'incomplete', [{ came: [] }, { came: [] }]],
	['nothing, as was said', 'all', [{ came: [], most: 0 }]],
	['a list that did not come to its end', 'incomplete', [{ ended: false, least: 39 }]],
	[
		'fewer than once were said',
		'changing',
		[{ most: 41 }, { most: 40 }].map((seen) => ({ ...seen, news: 0 })),
	],
	[
		'enough five times, and others each time',
		'changing',
		[0, 1, 2, 3, 4].map((from) => ({
			came: numbers(40 + from).slice(from),
			isOfOnePiece: false,
			news: from === 0 ? 40 : 1,
		})),
	],
	[
		'enough four times, and others each time',
		'incomplete',
		[0, 1, 2, 3].map((from) => ({
			came: numbers(40 + from).slice(from),
			isOfOnePiece: false,
			news: from === 0 ? 40 : 1,
		})),
	],
	['a list sorted anew, of which two more readings brought nothing', 'same each time', sortedAnew({}, {})],
	['the same, and its total changed', 'changing', sortedAnew({}, { least: 49 })],
	['a list sorted anew, of which one more reading brought nothing', 'incomplete', sortedAnew({}).slice(0, 3)],
	['the same twice, once in an order that stands', 'incomplete', sortedAnew({}, { isShuffled: false })],
	['the same twice, and once not to its end', 'incomplete', sortedAnew({ ended: false }, {})],
	['the same twice, and once stuck', 'incomplete', sortedAnew({ stuck: true }, {})],
	[
		'the same twice, with so few rows that one may never have come',
		'incomplete',
		sortedAnew({}, { came: numbers(30) }),
	],
	[
		'a list sorted anew, of which one more reading brought all that came before',
		'incomplete',
		sortedAnew({ came: numbers(40) }).slice(0, 3),
	],
	['as many as were said, in pages that meet, and no end was seen', 'all', [{ ended: false, news: 40 }]],
	[
		'as many as were said, in pages that meet the first time alone',
		'incomplete',
		[
			{ came: numbers(39), news: 39 },
			{ isOfOnePiece: false, news: 1, largestPage: 7 },
		],
	],
	[
		'as many as were said at most, where fewer were said before, and fewer came last',
		'incomplete',
		[{ least: 39, news: 40 }, { came: numbers(35) }],
	],
	[
		'as many as were said, twice, where some came twice and the total once counted neither',
		'same each time',
		[
			{ countsOtherwise: true, repeats: 2, news: 40 },
			{ repeats: 2, largestPage: 7 },
		],
	],
	[
		'a list that got longer, by as many as came twice, the first time',
		'incomplete',
		[{ most: 42, least: 40, grew: true, repeats: 2, news: 40 }],
	],
	[
		'a list that got longer, of which fewer came than there ever were',
		'incomplete',
		[
			{ came: numbers(38), most: 42, least: 40, grew: true, news: 38 },
			{ came: numbers(39), most: 42, least: 40, grew: true, repeats: 2, news: 1, largestPage: 7 },
		],
	],
	[
		'a list that got shorter, and just as many as it ever had at least',
		'changing',
		[38, 0].map((news) => ({ came: numbers(38), most: 41, least: 38, shrank: true, news })),
	],
	[
		'a list that was said to hold nothing in the end',
		'incomplete',
		[38, 0].map((news) => ({ came: numbers(38), most: 41, least: 0, shrank: true, news })),
	],
	[
		'as many fewer as before, and others in between',
		'incomplete',
		[
			{ came: numbers(30), news: 30 },
			{ came: numbers(31).slice(1), news: 1 },
			{ came: numbers(30), largestPage: 7 },
		],
	],
	[
		'the same fewer twice, after a reading that brought less',
		'same each time',
		[
			{ came: numbers(29), news: 29 },
			{ came: numbers(30), news: 1 },
			{ came: numbers(30), largestPage: 7 },
		],
	],
	[
		'fewer than were said, all in one page for the first time',
		'incomplete',
		[
			{ came: numbers(29), news: 29 },
			{ came: numbers(30), news: 1, largestPage: 30 },
		],
	],
	...(['ended', 'stuck'] as const).map((what): [string, Completeness, Seen[]] => [
		`the same fewer, of which a reading before was ${what === 'stuck' ? 'stuck' : 'not read to its end'}`,
		'incomplete',
		[
			{ came: numbers(30), news: 30, [what]: what === 'stuck' },
			{ came: numbers(30), largestPage: 7 },
		],
	]),
	[
		'as many as were said, of which the last reading brought a part, and the one before something new',
		'incomplete',
		movedApart(38, 2, 0),
	],
	[
		'as many as were said, of which the last two readings brought a part and nothing new',
		'all',
		movedApart(40, 0, 0),
	],
	[
		'as many as were said, of which the last of five readings brought a part and nothing new',
		'all',
		movedApart(37, 1, 1, 1, 0),
	],
	['a list that moves, with some news fifteen times', 'changing', moving(15, {})],
	['the same, fourteen times', 'incomplete', moving(14, {})],
	['the same, with much news', 'incomplete', moving(15, { news: 4 })],
	['the same, though the total stood', 'incomplete', moving(15, { least: 60 })],
])('%s: %s', (_what, expected, seen) => {
	const readings = seen.map(read);
	expect(completenessOf(readings, seenIn(readings))).toBe(expected);
});

describe('whether a list is gone through once more', () => {
	const times = (count: number, seen: Seen = {}) => Array.from({ length: count }, () => read(seen));

	it.each<[string, boolean, Reading[], number]>([
		['it was gone through four times, whatever came', true, times(4, { stuck: true, news: 40 }), 0],
		['five times, with no news', true, times(5), 40],
		['five times, and nothing came', false, times(5), 0],
		['fourteen times', true, times(14), 40],
		['fifteen times', false, times(15), 40],
		['and the last time brought one in twenty', true, [...times(4), read({ news: 2 })], 40],
		['and the last time brought more', false, [...times(4), read({ news: 3 })], 40],
		['and the last time brought one of a few', true, [...times(4), read({ news: 1 })], 5],
		['and what came is as many as the total grew by', true, [...times(4), read({ news: 12, most: 50 })], 50],
		['and more came than the total grew by', false, [...times(4), read({ news: 13, most: 50 })], 50],
		[
			'and as many came as it was longer by, before the last time',
			false,
			[...times(4, { most: 60, least: 40 }), read({ news: 3 })],
			40,
		],
		['and it is nearly twice as long by now', true, [...times(4), read({ most: 79 })], 40],
		['and it is twice as long by now', false, [...times(4), read({ most: 80 })], 40],
		['and never came to an end', false, times(5, { ended: false }), 40],
		['and was always stuck', false, times(5, { stuck: true }), 40],
		['and came to an end once', true, [...times(4, { ended: false }), read({})], 40],
		['and was not stuck once', true, [...times(4, { stuck: true }), read({})], 40],
		[
			'and came to no end where it was not stuck',
			false,
			[...times(4, { stuck: true }), read({ ended: false })],
			40,
		],
	])('since %s: %s', (_, expected, readings, seen) => {
		expect(readsOn(readings, seen)).toBe(expected);
	});
});

it.each<[string, boolean, Seen[]]>([
	['as many rows as were asked for', true, [{ ignoresPage: true }]],
	['more rows than were asked for', true, [{ ignoresPage: true, options: { pageSize: 30 } }]],
	['fewer, and no round number', false, [{ ignoresPage: true, options: { pageSize: 41 } }]],
	[
		'fifty rows, whatever is asked for',
		true,
		[100, 7].map((pageSize) => ({
			...{ came: numbers(50), most: 50, largestPage: 50 },
			ignoresPage: true,
			options: { pageSize },
		})),
	],
	[
		'fifty rows, and once another number',
		false,
		[
			{ came: numbers(50), most: 50, largestPage: 50, ignoresPage: true, options: { pageSize: 100 } },
			{ came: numbers(49), most: 50, largestPage: 49, ignoresPage: true, options: { pageSize: 49 } },
		],
	],
	['as many rows as were asked for by a service that goes by the page', false, [{}]],
	['rows of several pages', false, [{ ignoresPage: true, largestPage: 39 }]],
	['rows of two pages that are as large', false, [{ ignoresPage: true, came: numbers(80), most: 80 }]],
	['as many rows as were asked for, once of two times', false, [{ ignoresPage: true }, {}]],
])('%s may be the first page alone: %s', (_, expected, seen) => {
	const readings = seen.map((one) => read({ largestPage: 40, options: { pageSize: 40 }, ...one }));
	expect(mayBeOnePage(readings)).toBe(expected);
});

it('totals that differ are told from the least to the most', () => {
	expect(totalsOf([read({})])).toEqual({ most: 40, said: '40' });
	expect(totalsOf([read({ most: 40, least: 38 }), read({ most: 42, least: 41 })])).toEqual({
		most: 42,
		said: '38 to 42',
	});
});
