import type { IDataObject } from 'n8n-workflow';
import { pdfBytes } from '../support/apiAccount';
import { runAction } from '../support/actionNode';
import { opening } from '../support/closing';
import { reply, startFakeService, type Reaction, type SeenRequest } from '../support/fakeService';
import { id } from '../support/ids';

/** Services that page, count and answer in ways that a client takes for a whole list when it is none. */

const COUNT = 300;
const all = Array.from({ length: COUNT }, (_, index) => ({
	setId: id('a', index),
	parcelRef: `P-${index}`,
	// The service's dates have minutes only: a hundred sets share one.
	modifiedDate: `20 November 2026 09:${48 - Math.floor(index / 100)}`,
	documents: [{ documentId: id('d', index), name: 'Bill', docType: 'BILL_OF_LADING' }],
}));

interface Asked {
	offset: number;
	limit: number;
	/** Counts the searches from 1. */
	number: number;
}

type Searched = (asked: Asked) => Reaction;

const page = (offset: number, total: number, results: object[], envelope: object = {}) =>
	reply(200, {
		...{ code: 200, status: 'OK', ...envelope },
		data: { offset, limit: 100, total, count: results.length, results },
		links: [],
	});
/** Pages may share a row or two. */
const isPage = (number: number, { offset }: Asked) => Math.abs(offset - (number - 1) * 100) < 5;
const rows = ({ offset, limit }: Asked, list = all) => list.slice(offset, offset + limit);

/** The list anew, with ties in another order, the same for the same number. */
function tied(number: number): typeof all {
	const weight = (index: number) => Math.sin((index + 1) * number * 12.9898) * 43758.5453;
	const fraction = (index: number) => weight(index) - Math.floor(weight(index));
	return all
		.map((set, index) => ({ set, minute: set.modifiedDate, order: fraction(index) }))
		.sort((a, b) => b.minute.localeCompare(a.minute) || a.order - b.order)
		.map(({ set }) => set);
}

/** What a search may come to: all, all with a hint that names both numbers, or an error. */
type Outcome = 'all' | 'hint' | 'error';

const SERVICES: [string, Outcome, Searched][] = [
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
					? [...all.slice(97, 100), ...all.slice(103, 200)]
					: rows(asked),
			),
	],
	[
		'positions are counted from one',
		'all',
		({ offset, limit }) =>
			page(Math.max(1, offset), COUNT, rows({ offset: Math.max(0, offset - 1), limit, number: 0 })),
	],
	['the total is capped at 200', 'all', (asked) => page(asked.offset, 200, rows(asked))],
	['the total is what is left', 'all', (asked) => page(asked.offset, COUNT - asked.offset, rows(asked))],
	[
		'30 sets to a page, which the total counts',
		'all',
		(asked) => {
			const results = rows({ ...asked, limit: Math.min(30, asked.limit) });
			return page(asked.offset, results.length, results);
		},
	],
	[
		'page 3 is always empty',
		'all',
		(asked) => page(asked.offset, COUNT, isPage(3, asked) ? [] : rows(asked)),
	],
	[
		'the total counts 11 sets that are hidden',
		'hint',
		(asked) => page(asked.offset, COUNT + 11, rows(asked)),
	],
	[
		'pages beyond the second are empty however they are cut',
		'error',
		(asked) => page(asked.offset, COUNT, asked.offset >= 190 || asked.limit > 100 ? [] : rows(asked)),
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
			(asked) => page(asked.offset, COUNT, rows(asked), isPage(2, asked) ? envelope : {}),
		],
	]),
	[
		'page 3 is an empty 500 in an envelope, and the total 0',
		'error',
		(asked) =>
			isPage(3, asked)
				? page(asked.offset, 0, [], { code: 500, status: 'ERROR' })
				: page(asked.offset, COUNT, rows(asked)),
	],
];

async function start(searched: Searched) {
	let number = 0;
	const pdf = pdfBytes(300);
	const react = ({ path }: SeenRequest): Reaction => {
		if (path.includes('get-single-pdf')) return reply(200, pdf);
		const query = new URL(path, 'http://x').searchParams;
		const [offset, limit] = ['offset', 'limit'].map((name) => Number(query.get(name))) as [number, number];
		return searched({ offset, limit, number: ++number });
	};
	return await opening(startFakeService({ calls: react }));
}

describe.each(SERVICES)('a service where %s', (_label, outcome, searched) => {
	it(`is searched with this outcome: ${outcome}`, async () => {
		const { baseUrl } = await start(searched);
		const { items, error, hints } = await runAction(baseUrl, {
			...{ resource: 'set', operation: 'search', returnAll: true },
		});
		if (outcome === 'error') {
			expect(items).toEqual([]);
			expect(error?.message).toBeTruthy();
			return;
		}
		expect(error).toBeUndefined();
		expect(items.map(({ json }) => json.setId).sort()).toEqual(all.map(({ setId }) => setId));
		const said = hints.map(({ message }) => message);
		if (outcome === 'all') expect(said).toEqual([]);
		else expect(said).toEqual([expect.stringMatching(/311 sets match.* 300 different/)]);
	});

	const wanted = [0, 101, 150, COUNT - 1];
	const each = async (operation: IDataObject): Promise<IDataObject[]> => {
		const { baseUrl } = await start(searched);
		const { items } = await runAction(
			baseUrl,
			{ ...operation, lookup: {}, options: { waitSeconds: 0 } },
			{
				items: wanted.map((index) => ({ json: { setId: id('a', index) } })),
				settings: { onError: 'continueRegularOutput' },
			},
		);
		return items.map(({ json }) => json);
	};

	it.each([
		['set', 'get'],
		['document', 'getAllPdfs'],
	])(
		'gives every set that it holds to %s %s, or an error, and never calls one absent',
		async (resource, operation) => {
			const given = await each({ resource, operation });
			expect(given).toHaveLength(wanted.length);
			for (const [place, json] of given.entries()) {
				if (outcome !== 'error') expect(json.error).toBeUndefined();
				if (json.error === undefined) expect(json.setId).toBe(id('a', wanted[place]!));
				else expect(json.error).not.toContain('does not show');
			}
		},
	);
});

describe('a list of which some leave and as many come while it is read', () => {
	const left = [900, 901, 902].map((index) => ({ ...all[0]!, setId: id('e', index) }));
	const MOVES: [string, typeof all][] = [
		['one at the head, one at the end', [left[0]!, ...all.slice(0, -1)]],
		['three in the middle of page 1, three at the end', [...all.slice(0, 40), ...left, ...all.slice(40, -3)]],
		[
			'one in the middle of page 2, one in page 3',
			[...all.slice(0, 150), left[0]!, ...all.slice(150, 260), ...all.slice(261)],
		],
	];
	const MANNERS: [string, (asked: Asked) => Asked][] = [
		['any page', (asked) => asked],
		['100 to a page at most', (asked) => ({ ...asked, limit: Math.min(100, asked.limit) })],
		[
			'whole pages alone',
			({ offset, limit, number }) => ({ offset: Math.floor(offset / limit) * limit, limit, number }),
		],
	];
	it.each(
		MOVES.flatMap(([move, before]) =>
			MANNERS.flatMap(([manner, given]) =>
				[1, 2, 3].map((after) => [move, after, manner, before, given] as const),
			),
		),
	)(
		'gives all that were there all the time, or a doubt with the number: %s, after search %i, %s',
		async (_move, after, _manner, before, given) => {
			const { baseUrl } = await start((asked) =>
				page(asked.offset, COUNT, rows(given(asked), asked.number <= after ? before : all)),
			);
			const { items, error, hints } = await runAction(baseUrl, {
				...{ resource: 'set', operation: 'search', returnAll: true },
			});
			expect(error).toBeUndefined();
			const found = new Set(items.map(({ json }) => json.setId));
			const missing = before.filter((set) => all.includes(set) && !found.has(set.setId));
			if (hints.length === 0) expect(missing).toEqual([]);
			else expect(hints[0]?.message).toMatch(/changed while it was read/);
			expect(found.size).toBe(items.length);
		},
	);
});

describe('a set that is not there', () => {
	it.each<[string, boolean, Searched]>([
		['is called absent where the list is complete', true, (asked) => page(asked.offset, COUNT, rows(asked))],
		[
			'is not called absent where it is not',
			false,
			(asked) => page(asked.offset, COUNT, asked.offset >= 190 || asked.limit > 100 ? [] : rows(asked)),
		],
	])('%s', async (_label, absent, searched) => {
		const { baseUrl } = await start(searched);
		const { error } = await runAction(baseUrl, {
			...{ resource: 'set', operation: 'get', setId: id('b', 1), lookup: {}, options: { waitSeconds: 0 } },
		});
		expect(error?.message).toMatch(
			absent ? /does not show set/ : /says that 300 sets match, and gave 280 different ones in 12 readings/,
		);
	});
});
