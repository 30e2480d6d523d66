import { startBench } from '../../support/apiAccount';
import { reply, type SeenRequest } from '../../support/fakeService';

/**
 * Services that hold all and page in a way of their own: pages of one size alone, as where offset and limit are made a
 * page number of; pages of which rows are taken out after they were cut, as where rights are looked at last; and two
 * copies of a list, of which one lags behind.
 */
interface Asked {
	offset: number;
	limit: number;
}

interface Shown {
	/** Where the page starts. */
	offset?: number;
	total: number;
	results: object[];
}

const list = (count: number) => Array.from({ length: count }, (_, index) => ({ setId: `set-${index}` }));

/** On the URL alone. */
const asked = ({ path }: SeenRequest): Asked => {
	const query = new URL(path, 'http://x').searchParams;
	return { offset: Number(query.get('offset') ?? 0), limit: Number(query.get('limit') ?? 50) };
};

const MANNERS = ['searchSets', 'lookThroughSets'] as const;

async function found(shown: (asked: Asked) => Shown, manner: (typeof MANNERS)[number], pageSize = 100) {
	const { client, service } = await startBench({
		calls: (seen) => {
			const { limit, ...rest } = asked(seen);
			const data = { limit, ...shown({ limit, ...rest }) };
			return reply(200, {
				code: 200,
				status: 'OK',
				data: { ...data, count: data.results.length },
				links: [],
			});
		},
	});
	const ids = new Set<unknown>();
	const hints: string[] = [];
	const paging = { style: 'auto', pageSize, onDoubt: (hint: string) => hints.push(hint) } as const;
	for await (const rows of client[manner]({}, paging)) for (const { setId } of rows) ids.add(setId);
	return { ids, hints, calls: service.calls.length };
}

describe.each(MANNERS)('%s', (manner) => {
	describe('of a service that goes by whole pages, and says where they start', () => {
		it.each([
			[101, 100],
			[250, 100],
			[300, 100],
			[1_203, 100],
			[57, 10],
			[2_500, 250],
		])('gives all %d sets, %d to a page', async (count, pageSize) => {
			const sets = list(count);
			const { ids, hints } = await found(
				({ offset: from, limit }) => {
					const offset = Math.floor(from / limit) * limit;
					return { offset, total: count, results: sets.slice(offset, offset + limit) };
				},
				manner,
				pageSize,
			);
			expect(ids.size).toBe(count);
			expect(hints).toEqual([]);
		});

		it('gives all of a list whose pages have 50 rows at most, and do not say so', async () => {
			const sets = list(1_203);
			const { ids } = await found(
				({ offset: from, limit }) => {
					const most = Math.min(limit, 50);
					const offset = Math.floor(from / most) * most;
					return { offset, total: 1_203, results: sets.slice(offset, offset + most) };
				},
				manner,
				50,
			);
			expect(ids.size).toBe(1_203);
		});
	});

	describe('of a service that goes by whole pages, does not say where they start, and has larger ones of its own', () => {
		it.each([
			[199, 20],
			[1_000, 30],
		])('gives all %d sets, %d to a page', async (count, pageSize) => {
			const sets = list(count);
			const { ids } = await found(
				({ offset: from, limit }) => {
					const offset = Math.floor(from / limit) * limit;
					return { total: count, results: sets.slice(offset, offset + limit) };
				},
				manner,
				pageSize,
			);
			expect(ids.size).toBe(count);
		});
	});

	describe('of a service that takes rows out of its pages, and counts them', () => {
		const isShown: [string, (index: number) => boolean][] = [
			['two of three', (index) => index % 3 === 0],
			['three of four', (index) => index % 4 === 0],
			['a run of them', (index) => index < 40 || index > 170],
			['the last two thirds', (index) => index % 5 === 0 && index < 70],
		];
		it.each(
			isShown.flatMap(([which, shows]) => [99, 199, 640].map((count) => [which, count, shows] as const)),
		)('gives all that are left, and both numbers: without %s of %d', async (_which, count, shows) => {
			const sets = list(count);
			const left = sets.filter((_, index) => shows(index)).length;
			const { ids, hints } = await found(
				({ offset, limit }) => ({
					offset,
					total: count,
					results: sets.slice(offset, offset + limit).filter((_, index) => shows(offset + index)),
				}),
				manner,
			);
			expect(ids.size).toBe(left);
			expect(hints.join()).toContain(`says that ${count} sets match, and gives ${left} different ones`);
		});
	});

	it('of two copies of a list, never gives what is in neither reading as all', async () => {
		const all = list(250);
		const behind = all.filter((_, index) => index % 20 !== 7);
		let sent = 0;
		const { ids, hints } = await found(({ offset, limit }) => {
			const copy = sent++ === 0 || limit > 200 ? behind : all;
			return { offset, total: copy.length, results: copy.slice(offset, offset + limit) };
		}, manner);
		expect(ids.size).toBeLessThan(250);
		expect(hints.join()).toMatch(/says that \d+ to 250 sets match, and gave \d+ different ones/);
	});
});
