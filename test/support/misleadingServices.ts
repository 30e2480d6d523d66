import { pdfBytes } from './apiAccount';
import { reply, startFakeService, type FakeService, type Reaction, type SeenRequest } from './fakeService';
import { id } from './ids';

/** Services that page, count and answer in ways that a client takes for a whole list when it is none. */

const COUNT = 300;

/** What each of them holds. */
export const held = Array.from({ length: COUNT }, (_, index) => ({
	setId: id('a', index),
	parcelRef: `P-${index}`,
	shipmentRef: `S-${index}`,
	// The service's dates have minutes only: a hundred sets share one.
	modifiedDate: `20 November 2026 09:${48 - Math.floor(index / 100)}`,
	documents: [{ documentId: id('d', index), name: 'Bill', docType: 'BILL_OF_LADING' }],
}));

export interface Asked {
	offset: number;
	limit: number;
	/** Counts the searches from 1. */
	number: number;
}

export type Searched = (asked: Asked) => Reaction;

/** What a search may come to: all without a word, all with a hint that names both numbers, or an error. */
type Outcome = 'all' | 'hint' | 'error' | 'all or error';

export const page = (offset: number, total: unknown, results: unknown, envelope: object = {}) =>
	reply(200, {
		...{ code: 200, status: 'OK', ...envelope },
		data: { offset, limit: 100, total, count: Array.isArray(results) ? results.length : 1, results },
		links: [],
	});
/** Pages may share a row or two. */
const isPage = (number: number, { offset }: Asked) => Math.abs(offset - (number - 1) * 100) < 10;
export const rows = <T>({ offset, limit }: Asked, list: readonly T[]) => list.slice(offset, offset + limit);
const plain = (asked: Asked) => page(asked.offset, COUNT, rows(asked, held));

/** The list anew, with ties in another order, the same for the same number. */
function tied(number: number): typeof held {
	const weight = (index: number) => Math.sin((index + 1) * number * 12.9898) * 43758.5453;
	const fraction = (index: number) => weight(index) - Math.floor(weight(index));
	return held
		.map((set, index) => ({ set, minute: set.modifiedDate, order: fraction(index) }))
		.sort((a, b) => b.minute.localeCompare(a.minute) || a.order - b.order)
		.map(({ set }) => set);
}

export const MISLEADING: [string, Outcome, Searched][] = [
	[
		'ties fall differently on each page',
		'all',
		(asked) => page(asked.offset, COUNT, rows(asked, tied(asked.number))),
	],
	[
		'ties fall differently, and a page holds 60 at most, which is not said',
		'all',
		(asked) =>
			page(asked.offset, COUNT, rows({ ...asked, limit: Math.min(60, asked.limit) }, tied(asked.number))),
	],
	[
		'page 2 repeats 3 sets and leaves 3 out',
		'all',
		(asked) =>
			page(
				asked.offset,
				COUNT,
				isPage(2, asked) && asked.limit === 100
					? [...held.slice(97, 100), ...held.slice(103, 200)]
					: rows(asked, held),
			),
	],
	[
		'positions are counted from one',
		'all',
		({ offset, limit }) =>
			page(Math.max(1, offset), COUNT, rows({ offset: Math.max(0, offset - 1), limit, number: 0 }, held)),
	],
	['the total is capped at 200', 'all', (asked) => page(asked.offset, 200, rows(asked, held))],
	[
		'the total is what is left',
		'all',
		(asked) => page(asked.offset, COUNT - asked.offset, rows(asked, held)),
	],
	[
		'30 sets to a page, which the total counts',
		'all',
		(asked) => {
			const results = rows({ ...asked, limit: Math.min(30, asked.limit) }, held);
			return page(asked.offset, results.length, results);
		},
	],
	[
		'page 3 is always empty',
		'all',
		(asked) => page(asked.offset, COUNT, isPage(3, asked) ? [] : rows(asked, held)),
	],
	[
		'the total counts 11 sets that are hidden',
		'hint',
		(asked) => page(asked.offset, COUNT + 11, rows(asked, held)),
	],
	[
		'pages beyond the second are empty however they are cut',
		'error',
		(asked) => page(asked.offset, COUNT, asked.offset >= 190 || asked.limit > 100 ? [] : rows(asked, held)),
	],
	...[
		{ code: 500, status: 'INTERNAL_SERVER_ERROR', errorMessage: 'index not available' },
		{ code: '500', status: 'ERROR' },
		{ code: 401, status: 'UNAUTHORIZED' },
		{ code: 206, status: 'PARTIAL_CONTENT' },
		{ code: 200, status: 'ERROR', errorMessage: 'boom' },
	].flatMap((envelope): [string, Outcome, Searched][] => [
		[`HTTP 200 around ${JSON.stringify(envelope)} without sets`, 'error', () => page(0, 0, [], envelope)],
		[
			`page 2 is HTTP 200 around ${JSON.stringify(envelope)}`,
			'error',
			(asked) => page(asked.offset, COUNT, rows(asked, held), isPage(2, asked) ? envelope : {}),
		],
	]),
	[
		'page 3 is an empty 500 in an envelope, and the total 0',
		'error',
		(asked) =>
			isPage(3, asked)
				? page(asked.offset, 0, [], { code: 500, status: 'ERROR' })
				: page(asked.offset, COUNT, rows(asked, held)),
	],
	[
		'the list is an object with numbers for names',
		'error',
		(asked) => page(asked.offset, COUNT, Object.fromEntries(Object.entries(rows(asked, held)))),
	],
	['one set stands in place of the list', 'error', (asked) => page(asked.offset, 1, held[0])],
	[
		'the page is a text of JSON',
		'error',
		(asked) => reply(200, { code: 200, data: JSON.stringify({ total: COUNT, results: rows(asked, held) }) }),
	],
	['the total is a text', 'error', (asked) => page(asked.offset, '300', rows(asked, held))],
	['there is no total', 'error', (asked) => page(asked.offset, undefined, rows(asked, held))],
	['the total is below nothing', 'error', (asked) => page(asked.offset, -1, rows(asked, held))],
	['the total is beyond all measure', 'hint', (asked) => page(asked.offset, 2 ** 50, rows(asked, held))],
	[
		'the limit is ignored, and all the rest comes',
		'all',
		(asked) => page(asked.offset, COUNT, held.slice(asked.offset)),
	],
	[
		'the offset counts pages',
		'all or error',
		({ offset, limit }) => page(offset, COUNT, held.slice(offset * limit, offset * limit + limit)),
	],
	[
		'the list begins again behind its end',
		'all',
		({ offset, limit }) =>
			page(
				offset,
				COUNT,
				Array.from({ length: Math.min(100, limit) }, (_, index) => held[(offset + index) % COUNT]),
			),
	],
	[
		'the order turns round with each page',
		'all',
		(asked) => page(asked.offset, COUNT, rows(asked, asked.number % 2 ? held : [...held].reverse())),
	],
	[
		'each set comes twice, and the total counts both',
		'hint',
		(asked) =>
			page(
				asked.offset,
				2 * COUNT,
				rows(
					asked,
					held.flatMap((set) => [set, set]),
				),
			),
	],
	[
		'the total goes down with each page, and the list stays',
		'all or error',
		(asked) => page(asked.offset, COUNT - asked.number, rows(asked, held)),
	],
	[
		'page 2 is a login page',
		'error',
		(asked) => (isPage(2, asked) ? reply(200, '<html><title>Sign in</title></html>') : plain(asked)),
	],
	['page 2 is an empty list alone', 'error', (asked) => (isPage(2, asked) ? reply(200, []) : plain(asked))],
	[
		'page 2 is an error without an envelope',
		'error',
		(asked) => (isPage(2, asked) ? reply(200, { errorMessage: 'try later' }) : plain(asked)),
	],
	[
		'page 2 has an error beside its sets',
		'error',
		(asked) =>
			isPage(2, asked)
				? reply(200, {
						...{ code: 'ERR_17', status: 'FAILED', errorMessage: 'shard 2 did not answer' },
						data: { offset: asked.offset, total: COUNT, results: rows(asked, held).slice(0, 40) },
					})
				: plain(asked),
	],
	[
		'pages far down are refused',
		'error',
		(asked) =>
			asked.offset + asked.limit > 220 ? reply(400, { errorMessage: 'window too large' }) : plain(asked),
	],
	[
		'page 2 has nothing in places',
		'error',
		(asked) =>
			isPage(2, asked)
				? page(
						asked.offset,
						COUNT,
						rows(asked, held).map((set, index) => (index % 9 === 5 ? null : set)),
					)
				: plain(asked),
	],
	[
		'the last row of each page stands for the whole',
		'all or error',
		(asked) => page(asked.offset, COUNT, rows({ ...asked, limit: Math.max(1, asked.limit - 1) }, held)),
	],
];

/** To be closed by who starts it. */
export async function startMisleading(searched: Searched): Promise<FakeService> {
	let number = 0;
	const pdf = pdfBytes(300);
	const calls = ({ path }: SeenRequest): Reaction => {
		if (path.includes('get-single-pdf')) return reply(200, pdf);
		const query = new URL(path, 'http://x').searchParams;
		const [offset = 0, limit = 0] = ['offset', 'limit'].map((name) => Number(query.get(name)));
		return searched({ offset, limit, number: ++number });
	};
	return await startFakeService({ calls });
}
