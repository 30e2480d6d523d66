import { completenessOf, type Completeness } from '../../../service/api/completeness';
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
}

function read({ came = numbers(40), most = 40, least = most, news = 0, ...more }: Seen): Reading {
	const seen = {
		...{ ended: true, stuck: false, shrank: false, grew: false, repeats: 0, largestPage: 10 },
		...{ isOfOnePiece: true, isCovered: true, least, most, news, keys: new Set(came.map(String)), ...more },
	};
	return seen as unknown as Reading;
}

const seenIn = (readings: readonly Reading[]) => new Set(readings.flatMap(({ keys }) => [...keys])).size;

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
])('%s: %s', (_what, expected, seen) => {
	const readings = seen.map(read);
	expect(completenessOf(readings, seenIn(readings))).toBe(expected);
});
