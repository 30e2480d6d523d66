import type { IDataObject } from 'n8n-workflow';
import { pdfBytes } from '../support/apiAccount';
import { runAction } from '../support/actionNode';
import { opening } from '../support/closing';
import { reply, startFakeService, type Reaction, type SeenRequest } from '../support/fakeService';
import { id } from '../support/ids';

/** More services that mislead: in the form of what they send, in how they cut a list, and in the words around it. */

const COUNT = 300;
const all: IDataObject[] = Array.from({ length: COUNT }, (_, index) => ({
	setId: id('a', index),
	parcelRef: `P-${index}`,
	shipmentRef: `S-${index}`,
	documents: [{ documentId: id('d', index), name: 'Bill', docType: 'BILL_OF_LADING' }],
}));

interface Asked {
	offset: number;
	limit: number;
	/** Counts the searches from 1. */
	number: number;
}

const rows = ({ offset, limit }: Asked, list: unknown[] = all) => list.slice(offset, offset + limit);
const answer = (offset: number, total: unknown, results: unknown, more: object = {}) =>
	reply(200, {
		...{ code: 200, status: 'OK', links: [] },
		data: { offset, limit: 100, total, count: Array.isArray(results) ? results.length : 1, results, ...more },
	});
const isSecond = ({ offset }: Asked) => offset > 90 && offset < 110;
const plain = (asked: Asked) => answer(asked.offset, COUNT, rows(asked));

/** What a search may come to: all without a word, all with a doubt that names numbers, or an error. */
type Outcome = 'all' | 'doubt' | 'error' | 'all or error';

const SERVICES: [string, Outcome, (asked: Asked) => Reaction][] = [
	[
		'the list is an object with numbers for names',
		'error',
		(asked) => answer(asked.offset, COUNT, Object.fromEntries(Object.entries(rows(asked)))),
	],
	['one set stands in place of the list', 'error', (asked) => answer(asked.offset, 1, all[0])],
	[
		'the page is a text of JSON',
		'error',
		(asked) => reply(200, { code: 200, data: JSON.stringify({ total: COUNT, results: rows(asked) }) }),
	],
	['the total is a text', 'error', (asked) => answer(asked.offset, '300', rows(asked))],
	['there is no total', 'error', (asked) => answer(asked.offset, undefined, rows(asked))],
	['the total is below nothing', 'error', (asked) => answer(asked.offset, -1, rows(asked))],
	['the total is beyond all measure', 'doubt', (asked) => answer(asked.offset, 2 ** 50, rows(asked))],
	[
		'the limit is ignored, and all the rest comes',
		'all',
		(asked) => answer(asked.offset, COUNT, all.slice(asked.offset)),
	],
	[
		'the offset counts pages',
		'all or error',
		({ offset, limit }) => answer(offset, COUNT, all.slice(offset * limit, offset * limit + limit)),
	],
	[
		'the list begins again behind its end',
		'all',
		({ offset, limit }) =>
			answer(
				offset,
				COUNT,
				Array.from({ length: Math.min(100, limit) }, (_, index) => all[(offset + index) % COUNT]),
			),
	],
	[
		'the order turns round with each page',
		'all',
		(asked) => answer(asked.offset, COUNT, rows(asked, asked.number % 2 ? all : [...all].reverse())),
	],
	[
		'each set comes twice, and the total counts both',
		'doubt',
		(asked) =>
			answer(
				asked.offset,
				2 * COUNT,
				rows(
					asked,
					all.flatMap((set) => [set, set]),
				),
			),
	],
	[
		'the total goes down with each page, and the list stays',
		'all or error',
		(asked) => answer(asked.offset, COUNT - asked.number, rows(asked)),
	],
	[
		'page 2 is a login page',
		'error',
		(asked) => (isSecond(asked) ? reply(200, '<html><title>Sign in</title></html>') : plain(asked)),
	],
	['page 2 is an empty list alone', 'error', (asked) => (isSecond(asked) ? reply(200, []) : plain(asked))],
	[
		'page 2 is an error without an envelope',
		'error',
		(asked) => (isSecond(asked) ? reply(200, { errorMessage: 'try later' }) : plain(asked)),
	],
	[
		'page 2 has an error beside its sets',
		'error',
		(asked) =>
			isSecond(asked)
				? reply(200, {
						...{ code: 'ERR_17', status: 'FAILED', errorMessage: 'shard 2 did not answer' },
						data: { offset: asked.offset, total: COUNT, results: rows(asked).slice(0, 40) },
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
			isSecond(asked)
				? answer(
						asked.offset,
						COUNT,
						rows(asked).map((set, index) => (index % 9 === 5 ? null : set)),
					)
				: plain(asked),
	],
	[
		'the last row of each page stands for the whole',
		'all or error',
		(asked) => answer(asked.offset, COUNT, rows({ ...asked, limit: Math.max(1, asked.limit - 1) })),
	],
];

async function start(searched: (asked: Asked) => Reaction) {
	let number = 0;
	const pdf = pdfBytes(300);
	return await opening(
		startFakeService({
			calls: ({ path }: SeenRequest): Reaction => {
				if (path.includes('get-single-pdf')) return reply(200, pdf);
				const query = new URL(path, 'http://x').searchParams;
				const [offset = 0, limit = 0] = ['offset', 'limit'].map((name) => Number(query.get(name)));
				return searched({ offset, limit, number: ++number });
			},
		}),
	);
}

describe.each(SERVICES)('a service where %s', (_label, outcome, searched) => {
	it(`is searched with this outcome: ${outcome}`, async () => {
		const { baseUrl, calls } = await start(searched);
		const { items, error, hints } = await runAction(baseUrl, {
			...{ resource: 'set', operation: 'search', returnAll: true },
		});
		expect(calls.length).toBeLessThan(150);
		const isError = error !== undefined;
		if (outcome !== 'all or error') expect(isError).toBe(outcome === 'error');
		if (isError) {
			expect(items).toEqual([]);
			expect(error.message).toMatch(/service|refused|HTTP|answer/i);
			return;
		}
		expect(items.map(({ json }) => json.setId).sort()).toEqual(all.map(({ setId }) => setId));
		if (outcome === 'doubt')
			expect(hints).toEqual([{ message: expect.stringMatching(/\d+.* 300 different/) }]);
		if (outcome === 'all') expect(hints).toEqual([]);
	});

	it('never gives another paper than that of the set, nor calls it absent', async () => {
		const { baseUrl } = await start(searched);
		const wanted = [0, 101, 150, COUNT - 1];
		const { items } = await runAction(
			baseUrl,
			{ resource: 'document', operation: 'getAllPdfs', lookup: {}, options: { waitSeconds: 0 } },
			{
				items: wanted.map((index) => ({ json: { setId: id('a', index) } })),
				settings: { onError: 'continueRegularOutput' },
			},
		);
		expect(items).toHaveLength(wanted.length);
		for (const [place, { json }] of items.entries()) {
			if (json.error === undefined) expect(json.documentId).toBe(id('d', wanted[place]!));
			else {
				expect(outcome).not.toBe('all');
				expect(json.error).not.toContain('does not show');
				expect(json.error).toMatch(/service|HTTP/i);
			}
		}
	});
});

describe('a service that counts to 10,000 and refuses what is beyond', () => {
	const start = async (held: number, refusal: number) => {
		const list = Array.from({ length: held }, (_, index) => ({
			...{ setId: id('a', index), parcelRef: `P-${index}`, shipmentRef: index % 5_000 === 7 ? 'TWICE' : 'S' },
		}));
		return await opening(
			startFakeService({
				calls: ({ path, body }: SeenRequest): Reaction => {
					const query = new URL(path, 'http://x').searchParams;
					const [offset = 0, limit = 0] = ['offset', 'limit'].map((name) => Number(query.get(name)));
					if (offset + limit > 10_000 && offset >= Math.min(held, 9_999))
						return reply(refusal, { message: 'Result window' });
					const { shipmentRef } = JSON.parse(body) as { shipmentRef?: string };
					if (shipmentRef !== undefined && shipmentRef !== 'S') return answer(offset, 0, []);
					return answer(offset, Math.min(held, 10_000), list.slice(offset, Math.min(10_000, offset + limit)));
				},
			}),
		);
	};
	const search = { resource: 'set', operation: 'search', returnAll: true, options: { pageSize: 1_000 } };

	it.each([400, 422, 404, 416])('never gives a part as all (HTTP %i)', async (refusal) => {
		const { baseUrl } = await start(12_000, refusal);
		const { items, error, hints } = await runAction(baseUrl, search);
		if (error) return;
		expect(items).toHaveLength(10_000);
		expect(hints).toEqual([
			{ message: expect.stringMatching(/there may be more\. Filters that match fewer sets/) },
		]);
	});

	it('is not suspected where fewer came', async () => {
		const { baseUrl } = await start(9_990, 400);
		const { items, hints } = await runAction(baseUrl, search);
		expect(items).toHaveLength(9_990);
		expect(hints).toEqual([]);
	});

	it('is never believed to have one set of a reference, or none', async () => {
		const { baseUrl } = await start(12_000, 400);
		for (const value of ['P-9', 'P-11000']) {
			const { items, error } = await runAction(baseUrl, {
				...{ resource: 'set', operation: 'get', setId: { mode: 'reference', value }, lookup: {} },
				options: { pageSize: 1_000 },
			});
			expect(items).toEqual([]);
			expect(error?.message).not.toContain('No set has');
		}
		const absent = await runAction(baseUrl, {
			...{ resource: 'set', operation: 'get', setId: id('a', 11_000), lookup: {} },
			options: { pageSize: 1_000 },
		});
		const told = `${absent.error?.message} ${absent.error?.description}`;
		expect(told).toMatch(/there may be more|refused the request/);
		// What to do about it is said once, where the search is narrowed.
		expect(told).not.toMatch(/filters that match fewer sets/i);
	});
});
