import type { Reading } from '../../../service/api/reading';
import { isServiceError, ServiceError } from '../../../service/errors';
import { numbers } from '../../support/numbers';
import { read, rowOf, type List } from '../../support/oneReading';

const gone = new ServiceError('notFound', 'No.', { httpStatus: 404 });
const away = new ServiceError('unavailable', 'Away.');
const another = new ServiceError('unexpectedResponse', 'Another page came.');

const LISTS: Record<string, List & Partial<Reading['options']>> = {
	'that stands still': { rows: numbers(35) },
	'of nothing': { rows: [] },
	'of one short page': { rows: numbers(7) },
	'of one full page': { rows: numbers(10) },
	'that is longer than its total says': { rows: numbers(35), total: 20 },
	'that is shorter than its total says': { rows: numbers(35), total: 50 },
	'that is sorted anew for each page': {
		rows: (call) => [...numbers(35).slice(7 * call), ...numbers(35).slice(0, 7 * call)],
	},
	'that loses a row on the way': { rows: (call) => numbers(35).slice(call > 2 ? 1 : 0) },
	'that gets a row on the way': { rows: (call) => (call > 2 ? [99, ...numbers(35)] : numbers(35)) },
	'that begins anew on each page': {
		rows: numbers(35),
		instead: () => ({ rows: numbers(10).map(rowOf), full: true }),
	},
	'that begins anew from its third page on': {
		rows: numbers(35),
		instead: (_, call) => (call > 2 ? { rows: numbers(10).map(rowOf), full: true } : undefined),
	},
	'that begins anew behind its end': {
		rows: numbers(28),
		instead: (offset) => (offset >= 27 ? { rows: numbers(10).map(rowOf), full: true } : undefined),
	},
	'of which what is behind the end is refused': {
		rows: numbers(28),
		instead: (offset) => (offset >= 27 ? gone : undefined),
	},
	'of which the last page is refused': {
		rows: numbers(35),
		instead: (offset) => (offset > 20 ? gone : undefined),
	},
	'behind the end of which comes the word that more follow': {
		rows: numbers(28),
		instead: (offset) => (offset >= 27 ? { rows: [], more: true } : undefined),
	},
	'that is given whole': { rows: numbers(35), instead: () => ({ rows: numbers(35).map(rowOf), full: true }) },
	'in smaller pages than asked for': { rows: numbers(35), most: 4 },
	'of which each row stands twice, and the total counts neither': {
		rows: numbers(34).map((id) => id >> 1),
		total: 30,
	},
	'of which a row stands twice, pages apart': { rows: [...numbers(20), 3, ...numbers(35).slice(20)] },
	'without pages that overlap': {
		rows: numbers(35),
		instead: (offset) => (offset % 10 > 0 ? another : undefined),
	},
	'with other totals and warnings': {
		rows: numbers(35),
		instead: (_, call) => ({
			otherTotal: [40, 50, 45][call],
			...(call > 1 && { warning: `warning ${call}` }),
		}),
	},
	'that fails behind its end': {
		rows: numbers(28),
		instead: (offset) => (offset >= 27 ? away : undefined),
	},
	'of which the last page is refused, and that may be its end': {
		rows: numbers(35),
		instead: (offset) => (offset > 20 ? gone : undefined),
		endsEarly: true,
	},
	'that is given whole, and cut to what was asked for': {
		rows: numbers(35),
		instead: (offset) => ({ rows: numbers(35).slice(offset).map(rowOf), full: true }),
		exact: true,
	},
	'of pages of one row': { rows: numbers(4), most: 1 },
	'of which one page is short': {
		rows: numbers(35),
		instead: (_, call) =>
			call === 2 ? { rows: numbers(35).slice(9, 15).map(rowOf), full: false } : undefined,
	},
	'of which all pages are cut to four rows, and it does not say so': {
		rows: numbers(35),
		instead: (offset) => ({
			rows: numbers(35)
				.slice(offset, offset + 4)
				.map(rowOf),
			full: false,
		}),
	},
	'that lost all but a page on the way': { rows: (call) => numbers(call > 1 ? 10 : 35) },
	'of which two rows stand twice, and one is another place by then': {
		rows: (call) => [...numbers(20), 3, 4, ...numbers(33).slice(call > 2 ? 21 : 20)],
	},
	'of one full page, and then of others that do not overlap': {
		rows: numbers(30),
		total: 10,
		instead: (offset) => (offset % 10 > 0 ? another : undefined),
	},
	'of one full page, behind which another page comes': {
		rows: numbers(10),
		instead: (offset) => (offset > 0 ? another : undefined),
	},
	'of which more is to follow, and another page comes': {
		rows: numbers(28),
		instead: (offset) => (offset >= 27 ? another : { more: true }),
	},
	'that is longer than its total says, and refused further on': {
		rows: numbers(35),
		total: 20,
		instead: (offset) => (offset >= 27 ? gone : undefined),
	},
	'that is longer than its total says, and fails further on': {
		rows: numbers(35),
		total: 20,
		instead: (offset) => (offset >= 27 ? away : undefined),
	},
	'that is longer than its total says, and begins anew further on': {
		rows: numbers(35),
		total: 20,
		instead: (offset) => (offset >= 27 ? { rows: numbers(10).map(rowOf), full: true } : undefined),
	},
	'that begins anew behind its end, with the word that more follow': {
		rows: numbers(28),
		instead: (offset) =>
			offset >= 27 ? { rows: numbers(10).map(rowOf), full: true, more: true } : undefined,
	},
	'that begins anew behind its end, in a short page': {
		rows: numbers(28),
		instead: (offset) => (offset >= 27 ? { rows: numbers(5).map(rowOf), full: false } : undefined),
	},
	'of which both ends and the middle are wanted first': { rows: numbers(65), endsFirst: true },
	'of which a page has but the row that it shares with the one before': {
		rows: numbers(35),
		instead: (_, call) => (call === 2 ? { rows: [rowOf(9)], full: false } : undefined),
	},
	'of which a page has but that row, and begins anew where the rest is asked for': {
		rows: numbers(35),
		instead: (_, call) => {
			if (call === 2) return { rows: [rowOf(9)], full: false };
			return call === 3 ? { rows: numbers(9).map(rowOf) } : undefined;
		},
	},
	'of large rows': { rows: numbers(35), instead: () => ({ bytes: 16_000_000 }) },
	'of rows of several sizes': {
		rows: numbers(35),
		instead: (offset) => (offset === 9 ? { bytes: 1_000 } : undefined),
	},
};

/** What is told of the first of them; of each other one, what is told otherwise. */
const STANDS_STILL = {
	asked: '0+10 9+10 18+10 27+10',
	left: '3 2 1 0',
	found: 38,
	keys: 35,
	least: 35,
	most: 35,
	repeats: 0,
	largestPage: 10,
	rowBytes: 10,
	otherTotal: 0,
	is: 'ended isCovered isOfOnePiece',
	warning: undefined as string | undefined,
};

const TOLD: Record<string, Partial<typeof STANDS_STILL> | ServiceError> = {
	'that stands still': {},
	'of nothing': {
		asked: '0+10',
		left: '0',
		found: 0,
		keys: 0,
		least: 0,
		most: 0,
		largestPage: 0,
		rowBytes: 0,
	},
	'of one short page': { asked: '0+10', left: '0', found: 7, keys: 7, least: 7, most: 7, largestPage: 7 },
	'of one full page': { asked: '0+10 9+10', left: '0', found: 10, keys: 10, least: 10, most: 10 },
	'that is longer than its total says': {
		asked: '0+10 9+10 18+10 27+10 34+10',
		left: '2 1 0 0',
		least: 20,
		most: 20,
	},
	'that is shorter than its total says': {
		asked: '0+10 9+10 18+10 27+10 34+3 35+2 36+10 45+10 49+10',
		left: '5 4 3 2',
		least: 50,
		most: 50,
		is: 'ended isThinned',
	},
	'that is sorted anew for each page': {
		asked: '0+10 9+10 18+10 27+10 34+10',
		left: '3 2 2 1 1',
		found: 39,
		keys: 27,
		repeats: 8,
		is: 'ended isThinned isCovered isShuffled',
	},
	'that loses a row on the way': {
		asked: '0+10 9+10 18+10 27+10 33+4 34+3 34+10',
		found: 37,
		least: 34,
		is: 'shrank ended isThinned isShuffled',
	},
	'that gets a row on the way': {
		asked: '0+10 9+10 18+10 27+10 35+10',
		left: '3 2 1 1',
		found: 39,
		most: 36,
		repeats: 1,
		is: 'grew ended isCovered isShuffled',
	},
	'that begins anew on each page': {
		asked: '0+10 9+10 10+10 20+10 30+10',
		left: '3 3 3 3',
		found: 40,
		keys: 10,
		repeats: 39,
		is: 'stuck countsOtherwise isCovered isShuffled',
	},
	'that begins anew from its third page on': {
		asked: '0+10 9+10 18+10 27+10 36+10',
		left: '3 2 2 2',
		found: 40,
		keys: 19,
		repeats: 27,
		is: 'ended stuck ignoresPage countsOtherwise isCovered isShuffled',
	},
	'that begins anew behind its end': {
		left: '2 1 0',
		found: 30,
		keys: 28,
		least: 28,
		most: 28,
		repeats: 9,
		is: 'ended ignoresPage isCovered isShuffled',
	},
	'of which what is behind the end is refused': {
		left: '2 1 0',
		found: 30,
		keys: 28,
		least: 28,
		most: 28,
		is: 'ended endsInRefusal isCovered isOfOnePiece',
	},
	'of which the last page is refused': gone,
	'behind the end of which comes the word that more follow': {
		left: '2 1 0',
		found: 30,
		keys: 28,
		least: 28,
		most: 28,
		is: 'ended endsWithMore isCovered',
	},
	'that is given whole': {
		asked: '0+10 34+35',
		left: '0',
		found: 35,
		repeats: 34,
		largestPage: 11,
		rowBytes: 3,
		is: 'ended ignoresPage overfull isCovered isShuffled',
	},
	'in smaller pages than asked for': {
		asked: '0+10 3+4 6+4 9+4 12+4 15+4 18+4 21+4 24+4 27+4 30+4 33+4',
		left: '11 10 9 8 7 6 5 4 3 2 1 0',
		found: 46,
		largestPage: 4,
	},
	'of which each row stands twice, and the total counts neither': {
		asked: '0+10 9+10 18+10 27+10 33+10',
		left: '3 3 2 2',
		found: 37,
		keys: 17,
		least: 30,
		most: 30,
		repeats: 17,
		is: 'ended isThinned countsOtherwise isCovered isOfOnePiece isShuffled',
	},
	'of which a row stands twice, pages apart': {
		asked: '0+10 9+10 18+10 27+10 35+10',
		left: '3 2 1 1',
		found: 39,
		least: 36,
		most: 36,
		repeats: 1,
		is: 'ended isCovered isOfOnePiece isShuffled',
	},
	'without pages that overlap': { asked: '0+10 9+10 10+10 20+10 30+10', found: 35, is: 'ended isCovered' },
	'with other totals and warnings': { otherTotal: 50, warning: 'warning 2' },
	'that fails behind its end': away,
	'of which the last page is refused, and that may be its end': {
		asked: '0+10 9+10 18+10 27+10 34+10',
		left: '3 2 1',
		found: 30,
		keys: 28,
		is: 'ended endsInRefusal isOfOnePiece',
	},
	'that is given whole, and cut to what was asked for': {
		asked: '0+10 34+35 35+34',
		left: '0',
		found: 35,
		largestPage: 11,
		rowBytes: 3,
		is: 'ended overfull isCovered isOfOnePiece',
	},
	'of pages of one row': {
		asked: '0+10 1+1 2+1 3+1 4+1',
		found: 4,
		keys: 4,
		least: 4,
		most: 4,
		largestPage: 1,
		is: 'ended isCovered',
	},
	'of which one page is short': { asked: '0+10 9+10 14+5 18+10 27+10 34+10 35+9', found: 39, rowBytes: 17 },
	'of which all pages are cut to four rows, and it does not say so': {
		asked: '0+10 3+10 6+7 9+4 12+4 15+4 18+4 21+4 24+4 27+4 30+4 33+4 34+4 35+3',
		left: '11 8 7 6 5 4 3 2 1 0',
		found: 46,
		largestPage: 4,
		rowBytes: 25,
	},
	'that lost all but a page on the way': {
		asked: '0+10 9+10 10+9 19+10 28+10 34+10',
		left: '3 3',
		found: 11,
		keys: 10,
		least: 10,
		is: 'shrank ended isThinned',
	},
	'of which two rows stand twice, and one is another place by then': {
		asked: '0+10 9+10 18+10 27+10 33+4 34+3 34+10',
		left: '3 2 1 1',
		found: 37,
		keys: 32,
		least: 34,
		repeats: 2,
		is: 'shrank ended isThinned isShuffled',
	},
	'of one full page, and then of others that do not overlap': {
		asked: '0+10 9+10 10+10 20+10 30+10',
		found: 30,
		is: 'ended isCovered',
		keys: 30,
		least: 10,
		left: '0 0 0',
		most: 10,
	},
	'of one full page, behind which another page comes': {
		asked: '0+10 9+10 10+10',
		left: '0',
		found: 10,
		keys: 10,
		least: 10,
		most: 10,
		is: 'ended endsInRefusal ignoresPage isCovered isOfOnePiece',
	},
	'of which more is to follow, and another page comes': another,
	'that is longer than its total says, and refused further on': gone,
	'that is longer than its total says, and fails further on': away,
	'that is longer than its total says, and begins anew further on': {
		left: '2 1 0',
		found: 30,
		keys: 28,
		least: 20,
		most: 20,
		repeats: 9,
		is: 'ended stuck ignoresPage isCovered isShuffled',
	},
	'that begins anew behind its end, with the word that more follow': {
		left: '2 1 0',
		found: 30,
		keys: 28,
		least: 28,
		most: 28,
		repeats: 9,
		is: 'ended stuck ignoresPage isCovered isShuffled',
	},
	'that begins anew behind its end, in a short page': {
		left: '2 1 0',
		found: 30,
		keys: 28,
		least: 28,
		most: 28,
		repeats: 4,
		is: 'ended ignoresPage isCovered isShuffled',
	},
	'of which both ends and the middle are wanted first': {
		asked: '0+10 63+10 36+10 54+10 45+10 27+10 9+10 18+10',
		left: '7 6 5 4 3 2 1 0',
		found: 72,
		keys: 65,
		least: 65,
		most: 65,
	},
	'of which a page has but the row that it shares with the one before': {
		asked: '0+10 9+10 10+9 18+10 27+10 34+10 35+9',
		is: 'ended isThinned isCovered isOfOnePiece',
	},
	'of which a page has but that row, and begins anew where the rest is asked for': {
		asked: '0+10 9+10 10+9 19+10 28+10 34+10 35+9',
		left: '3 3 2 1',
		found: 28,
		keys: 26,
		rowBytes: 100,
		is: 'ended isThinned',
	},
	'of large rows': {
		asked: '0+10 9+10 18+3 20+3 22+3 24+3 26+3 28+3 30+3 32+3 34+3',
		left: '3 2 2 2 2 1 1 1 1 0',
		found: 44,
		rowBytes: 5333333,
	},
	'of rows of several sizes': { rowBytes: 100 },
};

it.each(Object.keys(LISTS))('a list %s is told from others', async (name) => {
	const reading = read(LISTS[name]!, LISTS[name]!);
	const told = TOLD[name]!;
	if (isServiceError(told)) await expect(reading).rejects.toBe(told);
	else expect(await reading).toEqual({ ...STANDS_STILL, ...told });
});
