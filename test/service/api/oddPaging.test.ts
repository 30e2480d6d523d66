import { errorOf, startBench, type Bench } from '../../support/apiAccount';
import { reply, type SeenRequest } from '../../support/fakeService';
import type { PagingStyle } from '../../../service/api/client';

/** Services that page as the interface allows and nobody expects. Each holds `count` sets. */
const list = (count: number) => Array.from({ length: count }, (_, index) => ({ setId: `set-${index}` }));
const refusal = reply(400, { errorMessage: 'Unknown field: limit' });

interface Asked {
	limit?: number;
	offset?: number;
	where: 'url' | 'body' | 'nowhere';
}

function asked({ path, body }: SeenRequest): Asked {
	const query = new URL(path, 'http://x').searchParams;
	const inBody = JSON.parse(body) as { limit?: number; offset?: number };
	if (query.has('limit')) {
		return { where: 'url', limit: Number(query.get('limit')), offset: Number(query.get('offset')) };
	}
	return inBody.limit === undefined ? { where: 'nowhere' } : { where: 'body', ...inBody };
}

const answer = (data: object) => reply(200, { code: 200, status: 'OK', data, links: [] });

async function search({ client }: Pick<Bench, 'client'>, style: PagingStyle = 'auto'): Promise<string[]> {
	const found: string[] = [];
	for await (const some of client.searchSets({}, { style, pageSize: 100 })) {
		found.push(...some.map(({ setId }) => String(setId)));
	}
	return found;
}

const startService = (react: (asked: Asked) => ReturnType<typeof reply>) =>
	startBench({ calls: (seen) => react(asked(seen)) });

describe('a service that refuses page parameters wherever they are', () => {
	const refusing = (count: number) =>
		startService(({ where }) =>
			where === 'nowhere'
				? answer({
						offset: 0,
						limit: 100,
						total: count,
						count: Math.min(count, 100),
						results: list(count).slice(0, 100),
					})
				: refusal,
		);

	it('is asked without them, and gives all that fits into one page', async () => {
		expect(await search(await refusing(7))).toHaveLength(7);
	});

	it('is an error when more match: never a part called all', async () => {
		expect(await errorOf(search(await refusing(101)))).toMatchObject({ code: 'rejected' });
	});
});

describe('a service that says the right offset and sends the same rows again', () => {
	const echoing = (obeysBody: boolean) =>
		startService(({ where, offset = 0, limit = 100 }) => {
			const start = where === 'body' && obeysBody ? offset : 0;
			return answer({
				offset,
				limit,
				total: 250,
				count: 100,
				results: list(250).slice(start, start + limit),
			});
		});

	it('is asked in the body instead', async () => {
		expect(await search(await echoing(true))).toHaveLength(250);
	});

	it('is an error when nothing helps', async () => {
		expect(await errorOf(search(await echoing(false)))).toMatchObject({ code: 'unexpectedResponse' });
	});

	it.each<PagingStyle>(['query', 'body'])(
		'is asked for all in one page when told where (%s)',
		async (style) => {
			expect(await search(await echoing(false), style)).toHaveLength(250);
		},
	);

	it.each<PagingStyle>(['auto', 'query', 'body'])(
		'and never more than 100, is an error (%s)',
		async (style) => {
			const bench = await startService(({ offset = 0 }) =>
				answer({ offset, limit: 100, total: 250, count: 100, results: list(100) }),
			);
			expect(await errorOf(search(bench, style))).toMatchObject({ code: 'unexpectedResponse' });
		},
	);
});

describe('a service that counts from one', () => {
	it.each([5, 250])('gives all of its %i sets', async (count) => {
		const bench = await startService(({ offset = 0, limit = 100 }) =>
			answer({
				offset: offset + 1,
				limit,
				total: count,
				count: 0,
				results: list(count).slice(offset, offset + limit),
			}),
		);
		expect(await search(bench)).toEqual(list(count).map(({ setId }) => setId));
	});
});

describe('a service that leaves out what it could say', () => {
	it('gives all when offset and limit are missing', async () => {
		const bench = await startService(({ offset = 0, limit = 100 }) =>
			answer({ total: 250, results: list(250).slice(offset, offset + limit) }),
		);
		expect(await search(bench)).toHaveLength(250);
	});

	it('gives nothing when nothing matches and results is null', async () => {
		expect(await search(await startService(() => answer({ offset: 0, total: 0, results: null })))).toEqual(
			[],
		);
	});
});

describe('a service whose total counts the sets of the page alone', () => {
	const counting = (count: number, most = 100) =>
		startService(({ offset = 0, limit = 100 }) => {
			const results = list(count).slice(offset, offset + Math.min(limit, most));
			return answer({
				offset,
				limit: Math.min(limit, most),
				total: results.length,
				count: results.length,
				results,
			});
		});

	it.each([0, 1, 99, 100, 101, 200, 250])('gives all of its %i sets', async (count) => {
		expect(await search(await counting(count))).toEqual(list(count).map(({ setId }) => setId));
	});

	it('gives all although its pages are smaller than asked for', async () => {
		expect(await search(await counting(130, 30))).toHaveLength(130);
	});

	it('is an error when it gives no more from some page on: never a part called all', async () => {
		const bench = await startService(({ offset = 0 }) =>
			offset < 200
				? answer({
						offset,
						limit: 100,
						total: 100,
						count: 100,
						results: list(500).slice(offset, offset + 100),
					})
				: reply(400, { errorMessage: 'offset is at most 199' }),
		);
		expect((await errorOf(search(bench))).message).toContain('offset is at most 199');
	});
});

describe('a service that counts fewer sets than it gives', () => {
	const counting = (
		total: number,
		count: number,
		sizes: number[],
		beyond = answer({ total, results: [] }),
	) => {
		let pages = 0;
		return startService(({ offset = 0, limit = 100 }) => {
			const size = Math.min(limit, sizes[pages++ % sizes.length] ?? limit);
			const results = list(count).slice(offset, offset + size);
			return results.length > 0 ? answer({ offset, total, results }) : beyond;
		});
	};

	it.each<[string, number, number, number[]]>([
		['a page shows more than that', 30, 100, [33]],
		['its pages vary', 200, 450, [97, 88, 79]],
		['its pages vary, and the first shows more', 20, 450, [21, 39, 17, 28]],
	])('gives all where it has more pages than that: %s', async (_label, total, count, sizes) => {
		expect(await search(await counting(total, count, sizes))).toHaveLength(count);
	});

	it.each([400, 404, 416, 500])('gives all where it ends with HTTP %i', async (status) => {
		expect(await search(await counting(5, 7, [], reply(status)))).toHaveLength(7);
	});
});

describe('a service with as many sets as a page takes', () => {
	it.each<[string, ReturnType<typeof reply>]>([
		['has no page behind it', reply(404, { errorMessage: 'No such page' })],
		['refuses an offset that large', reply(400, { errorMessage: 'offset is too large' })],
		['answers HTTP 416', reply(416)],
		['sends an empty one', answer({ offset: 100, limit: 100, total: 100, results: [] })],
	])('gives them when it %s', async (_label, beyond) => {
		const bench = await startService(({ offset = 0 }) =>
			offset > 0 ? beyond : answer({ offset: 0, limit: 100, total: 100, count: 100, results: list(100) }),
		);
		expect(await search(bench)).toHaveLength(100);
	});

	it('gives them when it sends the last page again', async () => {
		const bench = await startService(({ offset = 0, limit = 100 }) => {
			const start = offset < 100 ? offset : Math.max(0, 100 - limit);
			return answer({ offset: start, limit, total: 100, results: list(100).slice(start, start + limit) });
		});
		expect(await search(bench)).toHaveLength(100);
	});

	it('gives them when it goes by whole pages', async () => {
		const bench = await startService(({ offset = 0, limit = 100 }) => {
			const start = Math.floor(offset / limit) * limit;
			return answer({ offset: start, limit, total: 100, results: list(100).slice(start, start + limit) });
		});
		expect(await search(bench)).toHaveLength(100);
	});

	it('is an error when the next page fails: it might hold more', async () => {
		const bench = await startService(({ offset = 0 }) =>
			offset > 0 ? reply(500) : answer({ offset: 0, limit: 100, total: 100, count: 100, results: list(100) }),
		);
		expect(await errorOf(search(bench))).toMatchObject({ code: 'unavailable' });
	});
});

describe('a service that goes by no offset, and whose total counts its page alone', () => {
	const first = (count: number, rowsOf: (limit: number) => number, saysOffset = true) =>
		startService(({ offset = 0, limit = 100 }) => {
			const results = list(count).slice(0, rowsOf(limit));
			return answer({ offset: saysOffset ? offset : 0, limit, total: results.length, results });
		});

	it.each<[string, number, (limit: number) => number]>([
		['100 sets at most', 250, () => 100],
		['as many as are asked for', 2_500, (limit) => limit],
		['50 sets at most', 70, () => 50],
		['100 sets at most, and has no more', 100, (limit) => Math.min(limit, 100)],
	])('never gives a part as all: %s', async (_label, count, rowsOf) => {
		for (const saysOffset of [true, false]) {
			for (const style of ['auto', 'query', 'body'] as const) {
				const error = await errorOf(search(await first(count, rowsOf, saysOffset), style));
				expect(error.message).toMatch(
					/The service says that .+ sets match, and gave \d+ whichever page it was asked for: whether there are more cannot be seen/,
				);
			}
		}
	});

	it.each<[number, (limit: number) => number]>([
		[250, (limit) => limit],
		[7, () => 7],
		[45, () => 45],
		[120, () => 120],
	])('gives all of its %i sets where one page shows them', async (count, rowsOf) => {
		expect(await search(await first(count, rowsOf))).toHaveLength(count);
	});
});

it('a service that reads offsets from one gives every set once', async () => {
	const bench = await startService(({ offset = 0, limit = 100 }) => {
		const start = Math.max(0, offset - 1);
		const results = list(250).slice(start, start + limit);
		return answer({ offset: start + 1, limit, total: 250, count: results.length, results });
	});
	expect((await search(bench)).sort()).toEqual(
		list(250)
			.map(({ setId }) => setId)
			.sort(),
	);
});

it("a page size above the service's limit is an error in the service's own words", async () => {
	const bench = await startService(({ where, limit = 0 }) =>
		where === 'url' && limit > 50
			? reply(400, { errorMessage: 'limit is at most 50' })
			: answer({ offset: 0, limit: 50, total: 120, count: 50, results: list(50) }),
	);
	expect((await errorOf(search(bench))).message).toContain('limit is at most 50');
});

it.each([400, 422])(
	"larger pages than were asked for are none of the user's business (HTTP %i)",
	async (refused) => {
		const doubts: string[] = [];
		const bench = await startService(({ limit = 0, offset = 0 }) => {
			if (limit > 100) return reply(refused, { errorMessage: 'limit is at most 100' });
			const results = list(240).slice(offset, offset + limit);
			return answer({ offset, limit, total: 250, count: results.length, results });
		});
		const found: unknown[] = [];
		const paging = {
			style: 'auto' as const,
			pageSize: 100,
			onDoubt: (doubt: string) => void doubts.push(doubt),
		};
		for await (const some of bench.client.searchSets({}, paging)) found.push(...some);
		expect(found).toHaveLength(240);
		expect(doubts).toEqual([expect.stringMatching(/250 sets match, and gives 240/)]);
	},
);

it('a refusal under HTTP 200 is read as the status its envelope mirrors', async () => {
	const bench = await startBench({
		calls: () =>
			reply(200, { code: 403, status: 'FORBIDDEN', errorMessage: 'customer not permitted', data: null }),
	});
	expect(await errorOf(search(bench))).toMatchObject({
		code: 'unauthorized',
		message: expect.stringContaining('customer not permitted'),
	});
});

describe.each([204, 404, 416])('a service that answers HTTP %i behind the end of its list', (status) => {
	/** Counts some more than it gives. */
	const ending = (count: number, hidden = 0) =>
		startService(({ limit = 0, offset = 0 }) => {
			const results = list(count).slice(offset, offset + limit);
			if (results.length === 0) return reply(status);
			const data = { offset, limit, total: count + hidden, count: results.length, results };
			return answer(data);
		});

	it.each([100, 200])('has given all with the last full page: %i', async (count) => {
		expect(await search(await ending(count))).toHaveLength(count);
	});

	it('has given all where its total counts what it hides', async () => {
		expect(await search(await ending(17, 3))).toHaveLength(17);
		expect(await search(await ending(217, 130))).toHaveLength(217);
	});

	it('is an error where that is all it answers', async () => {
		const empty = await startService(() => reply(status));
		expect(await errorOf(search(empty))).toMatchObject({ httpStatus: status });
	});
});

it('a service that answers HTTP 204 to all is an error that says so', async () => {
	const error = await errorOf(search(await startService(() => reply(204))));
	expect(error).toMatchObject({
		code: 'notFound',
		message: expect.stringContaining('The answer is empty') as string,
	});
});

describe('a service that says that more follow, behind the last set it counts', () => {
	const counting = (more: (offset: number, count: number) => object) =>
		startService(({ limit = 0, offset = 0 }) => {
			const results = list(66).slice(offset, offset + limit);
			const data = { offset, limit, total: 66, count: results.length, results };
			return answer({ ...data, ...more(offset, results.length) });
		});
	const doubts = async ({ client }: Pick<Bench, 'client'>) => {
		const told: string[] = [];
		const onOtherTotal = (sentence: string) => void told.push(sentence);
		let found = 0;
		for await (const some of client.searchSets({}, { style: 'auto', pageSize: 20, onOtherTotal }))
			found += some.length;
		return { found, told };
	};

	it.each([{ hasMore: true }, { nextPageToken: 'abc' }])(
		'and gives nothing: a hint with both: %j',
		async (more) => {
			expect(await doubts(await counting(() => more))).toEqual({
				found: 66,
				told: [
					'The service says that 66 sets match, and behind the last of them that more follow. It gave 66 different ones, and nothing behind them.',
				],
			});
		},
	);

	it.each([{ hasMore: true }, { totalCount: 70 }])(
		'gives what there is to who does not ask to be told: %j',
		async (more) => {
			expect(await search(await counting(() => more))).toHaveLength(66);
		},
	);

	it('and not where the end says that it is one', async () => {
		const service = await counting((offset, count) => ({ hasMore: offset + count < 66 }));
		expect(await doubts(service)).toEqual({ found: 66, told: [] });
		const late = await counting((_, count) => ({ hasMore: count > 1 }));
		expect(await doubts(late)).toEqual({ found: 66, told: [] });
	});
});
