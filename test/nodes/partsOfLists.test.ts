import type { IDataObject } from 'n8n-workflow';
import { runAction } from '../support/actionNode';
import { opening } from '../support/closing';
import {
	reply,
	startFakeService,
	type Headers,
	type Reaction,
	type SeenRequest,
} from '../support/fakeService';
import { id } from '../support/ids';

/** Services that give a part of a list and say so, in other ways than the interface's total. */

const COUNT = 137;
const sets = Array.from({ length: COUNT }, (_, index) => ({
	setId: id('a', index),
	parcelRef: `P-${index}`,
}));

interface Told {
	headers?: Headers;
	inEnvelope?: object;
	inData?: object;
}

/** As many as fit, which is no round number, and a total that counts these alone. */
async function start(told: (next: number) => Told, obeysOffset: boolean, isAlwaysTold = false) {
	return await opening(
		startFakeService({
			calls: ({ path }: SeenRequest) => {
				const asked = Number(new URL(path, 'http://x').searchParams.get('offset'));
				const offset = obeysOffset ? asked : 0;
				const results = sets.slice(offset, offset + 37);
				const next = offset + 37;
				const goesOn = next < COUNT || isAlwaysTold;
				const { headers = {}, inEnvelope = {}, inData = {} } = goesOn ? told(next) : {};
				const data = { offset, limit: 100, total: results.length, count: results.length, results, ...inData };
				return reply(200, { code: 200, status: 'OK', links: [], data, ...inEnvelope }, headers);
			},
		}),
	);
}

const search = { resource: 'set', operation: 'search', returnAll: true };
const href = (next: number) => `/v3/common/sets/search?offset=${next}`;
const WAYS: [string, (next: number) => Told][] = [
	['the header Link', (next) => ({ headers: { link: `<${href(next)}>; rel="next", <x>; rel=first` } })],
	[
		'another line of it',
		(next) => ({ headers: { link: ['<x>; rel=first', `<${href(next)}>; rel="next"`] } }),
	],
	[
		'a link in the envelope',
		(next) => ({
			inEnvelope: {
				links: [
					{ rel: 'self', href: '/' },
					{ rel: 'next', href: href(next) },
				],
			},
		}),
	],
	['links by relation', (next) => ({ inEnvelope: { links: { self: '/', next: { href: href(next) } } } })],
	['links by relation, as texts', (next) => ({ inEnvelope: { links: { next: href(next) } } })],
	['hasMore', () => ({ inData: { hasMore: true } })],
	['hasMore as a text', () => ({ inData: { hasMore: 'true' } })],
	['has_next as a number', () => ({ inData: { has_next: 1 } })],
	['has_next_page', () => ({ inEnvelope: { has_next_page: true } })],
	['a cursor', () => ({ inData: { nextCursor: 'b64==' } })],
	['an offset', (next) => ({ inData: { nextOffset: next } })],
	['last: false', () => ({ inData: { last: false } })],
	['last: "false"', () => ({ inData: { last: 'false' } })],
	['isLastPage: false', () => ({ inData: { isLastPage: false } })],
	['done: false', () => ({ inData: { done: false } })],
];

describe.each(WAYS)('a page that says by %s that more follows', (_way, told) => {
	it('is not the last one', async () => {
		const { items, error } = await runAction((await start(told, true)).baseUrl, search);
		expect(error).toBeUndefined();
		expect(items.map(({ json }) => json.setId)).toEqual(sets.map(({ setId }) => setId));
	});

	it('is an error where what follows cannot be had by its position', async () => {
		const { items, error } = await runAction((await start(told, false)).baseUrl, search);
		expect(items).toEqual([]);
		expect(error?.message).toContain('it does not go by the page asked for');
	});

	it('is not believed where nothing follows', async () => {
		const { items, error } = await runAction((await start(told, true, true)).baseUrl, search);
		expect(error).toBeUndefined();
		expect(items).toHaveLength(COUNT);
	});
});

it.each(['x-total-count', 'x-total', 'total-count'])(
	'a total in a header counts as one: %s',
	async (name) => {
		const { baseUrl } = await start(() => ({ headers: { [name]: String(COUNT) } }), true);
		expect((await runAction(baseUrl, search)).items).toHaveLength(COUNT);
	},
);

it('a page of known sets that says that more follows is never the end', async () => {
	const count = 3 * 37;
	const { baseUrl } = await opening(
		startFakeService({
			calls: ({ path }: SeenRequest) => {
				const offset = Number(new URL(path, 'http://x').searchParams.get('offset'));
				// Behind its end, the last page comes again.
				const from = offset < count ? offset : count - 37;
				const results = sets.slice(from, Math.min(count, from + 37));
				const data = { offset, limit: 37, total: count + 9, count: results.length, results, hasMore: true };
				return reply(200, { code: 200, status: 'OK', links: [], data });
			},
		}),
	);
	const { items, error } = await runAction(baseUrl, search);
	expect(items).toEqual([]);
	expect(error?.message).toMatch(/The service says that 120 sets match, and gave 111/);
});

it.each<[string, object]>([
	['links that lead nowhere', { links: [{ rel: 'next', href: null }, { rel: 'next' }, 'next', null] }],
	[
		'links of other kinds',
		{
			links: [
				{ rel: 'prev', href: '/' },
				{ rel: 'nextgen', href: '/' },
			],
		},
	],
	['links that are no list', { links: 'next' }],
	['fields that say no', { hasMore: false, next: null, nextPage: '', nextOffset: 0, last: true }],
	['the number of the last page', { lastPage: 0, has_more: 'false', more: 0 }],
])('%s are no word of more', async (_label, inEnvelope) => {
	const { baseUrl, calls } = await opening(
		startFakeService({
			ok: {
				code: 200,
				status: 'OK',
				data: { offset: 0, total: 3, results: sets.slice(0, 3) },
				...inEnvelope,
			},
		}),
	);
	const { items, hints } = await runAction(baseUrl, search);
	expect([items.length, calls.length, hints]).toEqual([3, 1, []]);
});

/** Pages as they are asked for, of a list that ends where its total says. */
async function startWith(count: number, told: (isLast: boolean) => Told, beyond?: Reaction) {
	return await opening(
		startFakeService({
			calls: ({ path, body }: SeenRequest) => {
				const query = new URL(path, 'http://x').searchParams;
				const [offset = 0, limit = 0] = ['offset', 'limit'].map((name) => Number(query.get(name)));
				const { shipmentRef } = JSON.parse(body) as { shipmentRef?: string };
				const shown = shipmentRef === undefined ? sets.slice(0, count) : [];
				if (beyond && offset > 0 && offset >= shown.length) return beyond;
				const results = shown.slice(offset, offset + limit);
				const { headers = {}, inEnvelope = {}, inData = {} } = told(offset + limit >= shown.length);
				const data = { offset, limit, total: shown.length, count: results.length, results, ...inData };
				return reply(200, { code: 200, status: 'OK', links: [], data, ...inEnvelope }, headers);
			},
		}),
	);
}

describe.each<[string, (isLast: boolean) => object]>([
	['isTruncated: true', (isLast) => ({ isTruncated: !isLast })],
	['complete: false', (isLast) => ({ complete: isLast })],
	['is_complete: "no"', (isLast) => ({ is_complete: isLast ? 'yes' : 'no' })],
])('%s', (_word, told) => {
	it('on a page that others follow says no more than that', async () => {
		const { baseUrl } = await startWith(COUNT, (isLast) => ({ inData: told(isLast) }));
		for (const pageSize of [30, 100]) {
			const { items, error, hints } = await runAction(baseUrl, { ...search, options: { pageSize } });
			expect(error).toBeUndefined();
			expect([items.length, hints]).toEqual([COUNT, []]);
		}
	});

	it('on the last page is an error', async () => {
		const { baseUrl } = await startWith(COUNT, () => ({ inData: told(false) }));
		const { items, error } = await runAction(baseUrl, search);
		expect(items).toEqual([]);
		expect(error?.message).toContain('an error that came as a success');
	});
});

describe.each<[string, (total: number) => Told]>([
	['totalCount', (totalCount) => ({ inData: { totalCount } })],
	['total_results as a text', (total) => ({ inEnvelope: { total_results: String(total) } })],
	['page.totalElements', (totalElements) => ({ inEnvelope: { page: { totalElements } } })],
	['pagination.total', (total) => ({ inData: { pagination: { total } } })],
])('a larger number of sets beside the total: %s', (_where, told) => {
	const said =
		'The service says that 100 sets match, and in another place of its answer that there are 137. It gave 100 different ones, and nothing behind them.';

	it('is a hint with both where nothing follows, and hides no set', async () => {
		for (const beyond of [undefined, reply(404, {}), reply(400, {})]) {
			const { baseUrl } = await startWith(100, () => told(COUNT), beyond);
			const { items, error, hints } = await runAction(baseUrl, { ...search, options: { pageSize: 70 } });
			expect(error).toBeUndefined();
			expect([items.length, hints]).toEqual([100, [{ message: said }]]);
		}
	});

	it('is a reason to look behind the end', async () => {
		const { baseUrl } = await start(() => told(COUNT), true);
		const { items, error, hints } = await runAction(baseUrl, search);
		expect(error).toBeUndefined();
		expect([items.length, hints]).toEqual([COUNT, []]);
	});

	it('is told where a set is said to be absent, and hides none by its reference', async () => {
		const { baseUrl } = await startWith(100, () => told(COUNT));
		const get = (setId: unknown) =>
			runAction(baseUrl, {
				...{ resource: 'set', operation: 'get', setId, lookup: {}, options: { waitSeconds: 0 } },
			} as IDataObject);
		const absent = await get(id('a', 120));
		expect(absent.error?.message).toContain('does not show set');
		expect(absent.error?.description).toContain('in another place of its answer that there are 137');
		const found = await get({ mode: 'reference', value: 'P-7' });
		expect(found.items).toHaveLength(1);
		expect(found.hints).toEqual([{ message: expect.stringContaining('that there are 137') }]);
		const none = await get({ mode: 'reference', value: 'P-120' });
		expect(none.error?.message).toMatch(/Which set has the reference "P-120" is not certain\. .* 137/);
	});
});

it('as many sets beside the total, or fewer, are nothing to speak of', async () => {
	const inData = { totalCount: COUNT, totalRows: 5, total_hits: null, totalPages: 500, numFound: 'many' };
	const { baseUrl, calls } = await startWith(COUNT, () => ({
		inData,
		inEnvelope: { meta: { total: COUNT } },
	}));
	const { items, hints } = await runAction(baseUrl, search);
	expect([items.length, calls.length, hints]).toEqual([COUNT, 2, []]);
});

it.each<[unknown, string[]]>([
	[['shard 3 did not answer'], ['The service warns: "shard 3 did not answer"']],
	[[{ message: 'old address' }, null, 'x'], ['The service warns: "old address; x"']],
	['some sets are left out', ['The service warns: "some sets are left out"']],
	[[], []],
	[['', null], []],
	['none', []],
])('a warning is told once, and refuses nothing: %j', async (warnings, said) => {
	const { baseUrl } = await startWith(COUNT, () => ({ inEnvelope: { warnings } }));
	const { items, error, hints } = await runAction(baseUrl, search);
	expect(error).toBeUndefined();
	expect(items).toHaveLength(COUNT);
	expect(hints).toEqual(said.map((message) => ({ message })));
});

describe('a list of companies that says that it is a part', () => {
	const companies = Array.from({ length: 100 }, (_, index) => ({
		...{ customerId: id('c', index), customerName: `Company ${index}` },
	}));
	const HEADERS: [string, Headers, string][] = [
		[
			'Link',
			{ link: '</v3/common/counterparties?page=2>; rel="next"' },
			'The service gives the first 100 companies, and says that there are more.',
		],
		[
			'X-Total-Count',
			{ 'x-total-count': '250' },
			'The service gives 100 of 250 companies, and says that there are more.',
		],
		[
			'Content-Range',
			{ 'content-range': 'items 0-99/250' },
			'The service gives 100 of 250 companies, and says that there are more.',
		],
		[
			'Link in two lines',
			{ link: ['</v3/common/counterparties?page=1>; rel="first"', '<?page=2>; rel="next"'] },
			'The service gives the first 100 companies, and says that there are more.',
		],
		[
			'X-Total-Count of two',
			{ 'x-total-count': ['100', '250'] },
			'The service gives 100 of 250 companies, and says that there are more.',
		],
		[
			'X-Total-Count of two in one line',
			{ 'x-total-count': '250, 250' },
			'The service gives 100 of 250 companies, and says that there are more.',
		],
		[
			'Content-Range in two lines',
			{ 'content-range': ['items 0-99/100', 'items 0-99/250'] },
			'The service gives 100 of 250 companies, and says that there are more.',
		],
	];

	it.each(HEADERS)('by %s is an error', async (_header, headers, said) => {
		const { baseUrl } = await opening(startFakeService({ calls: () => reply(200, companies, headers) }));
		for (const more of [
			{ operation: 'getAll', returnAll: true },
			{ operation: 'get', name: 'Company 7' },
		]) {
			for (const resource of ['counterparty', 'customer']) {
				const { items, error } = await runAction(baseUrl, { resource, ...more } as IDataObject);
				expect(items).toEqual([]);
				expect(error?.message).toBe(said);
				expect(error?.description).toContain('the ID of a company can be typed');
			}
		}
	});

	it.each<[string, Headers]>([
		['another relation', { link: '<x>; rel="prev"; title="next"' }],
		['as many as came', { 'x-total-count': '100', 'content-range': 'items 0-99/100' }],
		[
			'as many as came, twice',
			{ 'x-total-count': ['100', '100'], link: ['<x>; rel=first', '<x>; rel=last'] },
		],
		['no number', { 'x-total-count': 'many', 'content-range': 'items */250' }],
	])('and none with headers of %s', async (_label, headers) => {
		const { baseUrl } = await opening(startFakeService({ calls: () => reply(200, companies, headers) }));
		const { items } = await runAction(baseUrl, {
			resource: 'customer',
			operation: 'getAll',
			returnAll: true,
		});
		expect(items).toHaveLength(100);
	});
});
