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
		return read({ value: answer({ offset, limit }), bytes, came: bytes, secrets: [], headers });
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

	it('has what it counts for its total where that is more than it holds', async () => {
		const totalOf = async (count: unknown) => (await pageOf({ total: 5, results: rows(10), count })).total;
		expect(await totalOf(12)).toBe(12);
		for (const count of [8, 10, '12', 12.5, null]) expect(await totalOf(count)).toBe(5);
	});

	it('is read where its first row is no set, and others are', async () => {
		expect((await pageOf({ results: [{ x: 1 }, { setId: 'a' }] })).rows).toHaveLength(2);
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

	it('is asked for in four times fewer rows, and again, then in three, then in one', async () => {
		expect(await sized(25)(0)).toEqual({ rows: 25, limits: [100, 25] });
		expect(await sized(24)(0)).toEqual({ rows: 6, limits: [100, 25, 6] });
		expect(await sized(5)(0)).toEqual({ rows: 3, limits: [100, 25, 6, 3] });
		expect(await sized(2)(0)).toEqual({ rows: 1, limits: [100, 25, 6, 3, 1] });
		expect(await sized(3)(0, 4)).toEqual({ rows: 3, limits: [4, 3] });
		expect(await sized(2)(0, 3)).toEqual({ rows: 1, limits: [3, 1] });
		expect(await sized(100)(0)).toEqual({ rows: 100, limits: [100] });
	});

	it('makes those behind it small, and where they hold little, ever larger again', async () => {
		const small = sized((offset) => (offset === 0 ? 3 : 1_000));
		expect((await small(0)).limits).toEqual([100, 25, 6, 3]);
		for (const limit of [6, 12, 24, 48, 96, 100, 100]) expect((await small(3)).limits).toEqual([limit]);
		const large = sized((offset) => (offset === 0 ? 3 : 1_000), 4 * MB);
		expect((await large(0)).limits).toEqual([100, 25, 6, 3]);
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

describe('where a service reads which page is asked for is found out by what it gives:', () => {
	type Where = 'address' | 'body' | 'nowhere';
	const no = new ServiceError('rejected', 'No.', { httpStatus: 400 });

	/** The first page of ten rows of 35, and then each of others, with where each was asked for. */
	async function pagesOf(
		answer: (where: Where, offset: number, limit: number) => object | ServiceError,
		...pages: [offset: number, limit: number][]
	) {
		const asked: Where[] = [];
		const json: Calls['json'] = async ({ path, body }, read) => {
			const query = new URL(path, 'http://x').searchParams;
			const sent = { ...(body as object), ...Object.fromEntries(query) } as Record<string, unknown>;
			const where = query.has('limit') ? 'address' : 'limit' in sent ? 'body' : 'nowhere';
			asked.push(where);
			const data = answer(where, Number(sent.offset ?? 0), Number(sent.limit ?? 10));
			if (isServiceError(data)) throw data;
			return read({
				value: { data: { total: 35, ...data } },
				bytes: 100,
				came: 100,
				secrets: [],
				headers: {},
			});
		};
		const ask = pageAsker({ json }, {}, 'auto');
		await ask(0, 10);
		const came = [];
		for (const [offset, limit] of pages) {
			const page = await ask(offset, limit);
			came.push(isServiceError(page) ? page.message : page.rows.map(({ key }) => key).join(' '));
		}
		return { asked: asked.join(' '), came };
	}

	const begun = (limit: number) => ({ results: rows(limit) });
	const right = (offset: number, limit: number) => ({ offset, results: rows(limit, offset) });
	const ANEW = /^Asked for the sets from number \d+ on, the service sent /;

	it('in the address, though some rows of the first page come again at the end of the list', async () => {
		expect(await pagesOf((_, offset, limit) => right(offset, limit), [7, 3])).toEqual({
			asked: 'address address',
			came: ['s-7 s-8 s-9'],
		});
	});

	it('in the address, though the first row was changed and is the last one by now', async () => {
		const answer = (_: Where, offset: number) =>
			offset === 0 ? begun(10) : { results: [...rows(1, 9), ...rows(1)] };
		expect(await pagesOf(answer, [9, 10])).toEqual({ asked: 'address address', came: ['s-9 s-0'] });
	});

	it.each([3, 10])('in the body, where the list begins anew in place of %i rows', async (limit) => {
		const answer = (where: Where, offset: number, count: number) =>
			where === 'body' ? right(offset, count) : begun(count);
		const { asked, came } = await pagesOf(answer, [20, limit]);
		expect(asked).toBe('address address body');
		expect(came[0]).toMatch(/^s-20 s-21 s-22/);
	});

	it('in the body, though an empty page came by the address before', async () => {
		const answer = (where: Where, offset: number, count: number) => {
			if (offset === 50) return { results: [] };
			return where === 'body' ? right(offset, count) : begun(count);
		};
		const { asked, came } = await pagesOf(answer, [50, 10], [7, 3]);
		expect(asked).toBe('address address address body');
		expect(came).toEqual(['', 's-7 s-8 s-9']);
	});

	it('in the body, where the first page by the address begins elsewhere', async () => {
		const answer = (where: Where, offset: number, count: number) =>
			where === 'body' ? right(offset, count) : { offset: 5, results: rows(10, 5) };
		expect((await pagesOf(answer)).asked).toBe('address body');
	});

	it('in the address, where all came at once, whatever is said of where it begins', async () => {
		const answer = () => ({ offset: 5, total: 10, results: rows(10) });
		expect((await pagesOf(answer)).asked).toBe('address');
	});

	it.each<[string, object, string]>([
		['with more rows than were asked for', { results: rows(15, 20) }, 's-20 s-21'],
		['with the first row, which stands there by now', { results: [...rows(1), ...rows(9, 21)] }, 's-0 s-21'],
	])('in the body, %s', async (_label, page, came) => {
		const answer = (where: Where, offset: number, count: number) =>
			where === 'body' && offset > 0 ? { offset, ...page } : begun(count);
		const outcome = await pagesOf(answer, [20, 10]);
		expect(outcome.asked).toBe('address address body');
		expect(outcome.came[0]).toMatch(new RegExp(`^${came}`));
	});

	it('nowhere, where the body gives the whole list from its beginning', async () => {
		const answer = (where: Where, _: number, count: number) => begun(where === 'body' ? 35 : count);
		expect((await pagesOf(answer, [20, 10])).came[0]).toMatch(ANEW);
	});

	it('nowhere, where a page says that it begins one further than asked for, and the first said 0', async () => {
		const answer = (_: Where, offset: number, count: number) => ({
			...right(offset, count),
			offset: offset === 0 ? 0 : offset + 1,
		});
		expect((await pagesOf(answer, [20, 10])).came[0]).toMatch(ANEW);
	});

	it('nowhere, where it is refused in both places, and without it a part comes', async () => {
		const { asked, came } = await pagesOf((where) => (where === 'nowhere' ? begun(10) : no), [0, 10]);
		expect(asked).toBe('address body nowhere address body nowhere');
		expect(came).toEqual(['No.']);
	});
});
