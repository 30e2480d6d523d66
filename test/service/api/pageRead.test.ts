import type { IncomingHttpHeaders } from 'node:http';
import type { Call, Calls } from '../../../service/api/calls';
import { isBehindEnd, pageAsker, refusesPage, type Page } from '../../../service/api/page';
import { isServiceError, ServiceError } from '../../../service/errors';

const MB = 1024 * 1024;

/** What a service answers, and what it was asked. */
function serviceOf(
	answer: (asked: { offset: number; limit: number }) => object,
	bytes = 100,
	headers: IncomingHttpHeaders = {},
) {
	const asked: Call[] = [];
	const json: Calls['json'] = async (call, read) => {
		asked.push(call);
		const query = new URL(call.path, 'http://x').searchParams;
		const [offset, limit] = [Number(query.get('offset')), Number(query.get('limit'))];
		return read({ value: answer({ offset, limit }), bytes, secrets: [], headers });
	};
	return { calls: { json }, asked };
}

const rows = (count: number, from = 0) =>
	Array.from({ length: count }, (_, index) => ({ setId: `S-${from + index}` }));

async function pageOf(
	data: object,
	{ envelope = {}, headers = {}, offset = 0, limit = 10 } = {},
): Promise<Page> {
	const { calls } = serviceOf(() => ({ ...envelope, data: { total: 10, ...data } }), 100, headers);
	const page = await pageAsker(calls, {}, 'query')(offset, limit);
	if (isServiceError(page)) throw page;
	return page;
}

describe('a page', () => {
	it('has its rows by their ids, and what is said of them', async () => {
		expect(
			await pageOf({ offset: 0, results: [{ setId: ' A-1 ' }, { setId: 'b' }], warning: 'Old' }),
		).toEqual({
			...{ offset: 0, saidOffset: 0, total: 10, bytes: 100, full: false, more: false, otherTotal: 0 },
			...{
				rows: [
					{ key: 'a-1', value: { setId: ' A-1 ' } },
					{ key: 'b', value: { setId: 'b' } },
				],
				warning: 'Old',
			},
		});
	});

	it.each<[string, boolean, object, object]>([
		['as many rows as were asked for', true, { results: rows(10) }, {}],
		['one fewer', false, { results: rows(9) }, {}],
		['as many as it says that it gives', true, { results: rows(5), limit: 5 }, {}],
		['fewer than it says that it gives', false, { results: rows(4), limit: 5 }, {}],
		['as many as were asked for, and could give more', true, { results: rows(10), limit: 50 }, {}],
		['fewer, and a text for what it gives', false, { results: rows(5), limit: '5' }, {}],
		['fewer, and nothing that it gives', false, { results: rows(5), limit: 0 }, {}],
		['fewer, and less than nothing that it gives', false, { results: rows(5), limit: -1 }, {}],
		['fewer, and says that more follow', true, { results: rows(5), hasMore: true }, {}],
		['fewer, and the envelope says that more follow', true, { results: rows(5) }, { hasMore: true }],
		['fewer, and another total is larger', true, { results: rows(5), totalCount: 6 }, {}],
		['fewer, and another total in the envelope is larger', true, { results: rows(5) }, { totalCount: 6 }],
		['fewer, and another total is as large', false, { results: rows(5), totalCount: 5 }, {}],
		['none', false, { results: null }, {}],
	])('with %s is full: %s', async (_, full, data, envelope) => {
		expect((await pageOf(data, { envelope })).full).toBe(full);
	});

	it('behind others is full where another total is larger than both have', async () => {
		const said = (totalCount: number) => pageOf({ offset: 3, results: rows(5), totalCount }, { offset: 3 });
		expect((await said(9)).full).toBe(true);
		expect((await said(8)).full).toBe(false);
	});

	it('has the larger total of those in its data and in its headers', async () => {
		expect((await pageOf({ results: [] }, { headers: { 'x-total-count': '12' } })).total).toBe(12);
		expect((await pageOf({ results: [] }, { headers: { 'x-total-count': '9' } })).total).toBe(10);
	});

	it('tells rows apart that are no sets, and rows of one set that hold different things', async () => {
		const keysOf = async (...results: unknown[]) => (await pageOf({ results })).rows.map(({ key }) => key);
		const [set, odd, same, other] = await keysOf({ setId: 'a' }, { x: 1 }, { x: 1 }, { x: 2 });
		expect([set, odd, same === odd, other === odd]).toEqual([
			'a',
			expect.stringMatching(/^row \S{44}$/),
			true,
			false,
		]);
		expect(await keysOf({ setId: 'a', n: 1 }, { setId: 'A', n: 1 }, { setId: 'b' })).toEqual([
			...[expect.stringMatching(/^a row /), expect.stringMatching(/^a row /), 'b'],
		]);
		const [first, again, second, next] = await keysOf(
			{ setId: 'a', n: 1 },
			{ setId: 'a', n: 1 },
			{ setId: 'a', n: 2 },
			{ setId: 'b' },
		);
		expect([again === first, second === first, next]).toEqual([true, false, 'b']);
		expect(await keysOf({ setId: 'a' }, { setId: 'a' })).toEqual(['a', 'a']);
	});

	it('of 50,000 rows is read, and one of more is an error that says so', async () => {
		expect((await pageOf({ results: rows(50_000) })).rows).toHaveLength(50_000);
		await expect(pageOf({ results: rows(50_001) })).rejects.toMatchObject({
			code: 'unexpectedResponse',
			message: 'The answer holds more than 50,000 rows.',
			remedy:
				'Choose filters that match fewer sets, and tell the service that it sends more than it was asked for.',
		});
	});
});

describe('a page that is larger than an answer can be', () => {
	/** A service whose answers hold so many rows at most, and which it was asked for. */
	const sized = (most: number | ((offset: number) => number), bytes = 100) => {
		const limits: number[] = [];
		const { calls } = serviceOf(({ offset, limit }) => {
			limits.push(limit);
			if (limit > (typeof most === 'number' ? most : most(offset)))
				throw new ServiceError('unexpectedResponse', 'It is too large.', {
					tooLarge: true,
					remedy: 'Ask.',
					call: 'POST /x',
				});
			return { data: { offset, limit, total: 1_000, results: rows(limit, offset) } };
		}, bytes);
		const ask = pageAsker(calls, {}, 'query');
		return async (offset: number, limit = 100) => {
			limits.length = 0;
			const page = await ask(offset, limit);
			if (isServiceError(page)) throw page;
			return { rows: page.rows.length, limits: [...limits] };
		};
	};

	it('is asked for in eight times fewer rows, then in three, then in one', async () => {
		expect(await sized(12)(0)).toEqual({ rows: 12, limits: [100, 12] });
		expect(await sized(11)(0)).toEqual({ rows: 3, limits: [100, 12, 3] });
		expect(await sized(2)(0)).toEqual({ rows: 1, limits: [100, 12, 3, 1] });
		expect(await sized(3)(0, 4)).toEqual({ rows: 3, limits: [4, 3] });
		expect(await sized(2)(0, 3)).toEqual({ rows: 1, limits: [3, 1] });
		expect(await sized(100)(0)).toEqual({ rows: 100, limits: [100] });
	});

	it('makes those behind it small, and where they hold little, ever larger again', async () => {
		const small = sized((offset) => (offset === 0 ? 3 : 1_000));
		expect((await small(0)).limits).toEqual([100, 12, 3]);
		for (const limit of [6, 12, 24, 48, 96, 100, 100]) expect((await small(3)).limits).toEqual([limit]);
		const large = sized((offset) => (offset === 0 ? 3 : 1_000), 4 * MB);
		expect((await large(0)).limits).toEqual([100, 12, 3]);
		for (const limit of [3, 3]) expect((await large(3)).limits).toEqual([limit]);
		const nearly = sized((offset) => (offset === 0 ? 3 : 1_000), 4 * MB - 1);
		await nearly(0);
		expect((await nearly(3)).limits).toEqual([6]);
		// What was asked for in fewer rows anyway says nothing of more.
		await nearly(3, 2);
		expect((await nearly(3)).limits).toEqual([12]);
	});

	it('of one row is an error that says which one', async () => {
		await expect(sized(0)(6)).rejects.toMatchObject({
			code: 'unexpectedResponse',
			message: 'Set number 7 of the list alone is too large to read.',
			remedy: 'Choose filters that leave it out, and tell the service.',
			call: 'POST /x',
		});
	});
});

it('where the service takes no parameters, a page that is too large is not asked for again', async () => {
	let calls = 0;
	const json: Calls['json'] = ({ path, body }) => {
		calls++;
		const isPlain = !path.includes('?') && Object.keys(body as object).length === 0;
		return Promise.reject(
			isPlain
				? new ServiceError('unexpectedResponse', 'It is too large.', { tooLarge: true })
				: new ServiceError('rejected', 'No.', { httpStatus: 400 }),
		);
	};
	await expect(pageAsker({ json }, {}, 'auto')(0, 100)).rejects.toMatchObject({
		message: 'It is too large.',
	});
	expect(calls).toBe(3);
});

it.each<[number | undefined, boolean, boolean]>([
	[400, true, true],
	[422, true, true],
	[204, false, true],
	[404, false, true],
	[416, false, true],
	[401, false, false],
	[403, false, false],
	[500, false, false],
	[undefined, false, false],
])('HTTP %s may be about the first page: %s, about a later one: %s', (httpStatus, first, later) => {
	const error = new ServiceError('rejected', 'No.', { httpStatus });
	expect([refusesPage(error, 0), refusesPage(error, 1)]).toEqual([first, later]);
});

it('that there is no such page is said by HTTP 416, and by what was not found', () => {
	expect(isBehindEnd(new ServiceError('rejected', 'No.', { httpStatus: 416 }))).toBe(true);
	expect(isBehindEnd(new ServiceError('notFound', 'No.', { httpStatus: 404 }))).toBe(true);
	expect(isBehindEnd(new ServiceError('rejected', 'No.', { httpStatus: 400 }))).toBe(false);
});
