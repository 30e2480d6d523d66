import type { Narrower } from '../../../service/api/narrower';
import { searchRows, type Paging } from '../../../service/api/pages';
import { ServiceError } from '../../../service/errors';
import { numbers } from '../../support/numbers';
import { giverOf, rowOf, type List } from '../../support/oneReading';
import { silent } from '../../support/silent';

interface Search extends List, Partial<Paging> {
	narrower?: Pick<Narrower, 'begin' | 'showMore' | 'customerLeftOut'>;
}

const tenPerPage = { ...{ style: 'auto' as const, pageSize: 10, width: 1 }, logger: silent };

/** What a user gets of a list, and is told of it. */
async function searched({ narrower, ...search }: Search) {
	const { ask, asked } = giverOf(search);
	const told: string[] = [];
	const ids: string[] = [];
	const tell = (sentence: string) => void told.push(sentence);
	const telling = { onDoubt: tell, onOtherTotal: tell, onWarning: tell };
	let error: unknown;
	try {
		const options = { ...tenPerPage, ...telling, ...search, narrower: narrower as Narrower };
		for await (const rows of searchRows(ask, options)) ids.push(...rows.map(({ key }) => key));
	} catch (thrown) {
		error = thrown;
	}
	return { asked, ids, told, error };
}

const failing = (code: ServiceError['code'], httpStatus?: number) =>
	new ServiceError(code, 'No.', { httpStatus });
const refused = failing('rejected', 400);
const gone = failing('notFound', 404);
const another = failing('unexpectedResponse');
const stopped = failing('cancelled');

const changed = (said: string, gave: number) =>
	`The list changed while it was read: the service says that ${said} sets match, and gave ${gave} different ones. One that came or went meanwhile may be missing.`;
const allThatItGives = (said: number, gave: number) =>
	`The service says that ${said} sets match, and gives ${gave} different ones however it is asked: these are all that it gives.`;

/** Goes by what is known of the search. */
const showing = (...ids: string[]) => ({
	begin: () => undefined,
	showMore: async (_total: number, isKnown: (id: string) => boolean) =>
		isKnown('0') && ids.some((id) => !isKnown(id)) ? ('yes' as const) : ('no' as const),
	customerLeftOut: async () => undefined,
});
const leavingOut = (...ids: string[]) => ({
	begin: () => undefined,
	showMore: async () => 'no' as const,
	customerLeftOut: async (_total: number, isKnown: (id: string) => boolean) =>
		ids.filter((key) => isKnown('0') && !isKnown(key)).map((key) => ({ customerId: 'C-7', key }))[0],
});

describe('of a list', () => {
	it.each<[string, Search, number, string[]]>([
		['that stands still', { rows: numbers(35) }, 35, []],
		['of which twelve are wanted', { rows: numbers(35), limit: 12 }, 12, []],
		[
			'that warns',
			{ rows: numbers(35), instead: () => ({ warning: 'Old' }) },
			35,
			['The service warns: "Old"'],
		],
		[
			'of a thousand, behind which the service refuses to look',
			{ rows: numbers(1_000), pageSize: 1_000, instead: (offset) => (offset > 0 ? refused : undefined) },
			1_000,
			[
				'The service says that 1000 sets match, and gave 1000 different ones. Some services count no further than to such a number: there may be more.',
			],
		],
		[
			'of which the last page is not there, and which comes in one page',
			{ rows: numbers(35), instead: (offset) => (offset === 27 ? gone : undefined) },
			35,
			[],
		],
		[
			'that got shorter before its last page was asked for, which is refused',
			{
				rows: (call) => numbers(call > 3 ? 20 : 35),
				instead: (offset) => (offset > 20 ? refused : undefined),
			},
			28,
			[changed('20 to 35', 28)],
		],
		[
			'of as many sets as a page has, and no other pages',
			{ rows: numbers(10), instead: (offset) => (offset > 0 ? another : undefined) },
			10,
			[],
		],
		[
			'behind which more follow',
			{ rows: numbers(28), instead: (offset) => (offset >= 27 ? { more: true } : undefined) },
			28,
			[
				'The service says that 28 sets match, and behind the last of them that more follow. It gave 28 different ones, and nothing behind them.',
			],
		],
		[
			'of which one reading alone tells a larger total',
			{
				rows: numbers(35),
				short: { 3: 0, 4: 0 },
				instead: (_, call) => (call === 1 ? { otherTotal: 40 } : undefined),
			},
			35,
			[
				'The service says that 35 sets match, and in another place of its answer that there are 40. It gave 35 different ones, and nothing behind them.',
			],
		],
		[
			'that takes no pages larger than asked for',
			{
				...{ rows: numbers(35), total: 40 },
				instead: (_offset, _call, limit) => (limit > 10 ? refused : undefined),
			},
			35,
			[allThatItGives(40, 35)],
		],
		[
			'of which less than a round number come, though a narrower search shows others',
			{ rows: numbers(480), total: 500, pageSize: 100, narrower: showing('480') },
			480,
			[allThatItGives(500, 480)],
		],
		[
			'of no round number, of which a narrower search shows others',
			{ rows: numbers(35), narrower: showing('35') },
			35,
			[],
		],
		[
			'of a round number, which a narrower search goes not beyond',
			{ rows: numbers(500), pageSize: 500, narrower: showing('7', '8') },
			500,
			[],
		],
		['that leaves out no customer', { rows: numbers(35), narrower: leavingOut('7') }, 35, []],
		[
			'that changed, which may be why a customer is left out',
			{
				rows: (call) => numbers(call > 3 ? 20 : 35),
				instead: (offset) => (offset > 20 ? gone : undefined),
				narrower: leavingOut('36'),
			},
			28,
			[changed('20 to 35', 28)],
		],
	])('%s all come, and what is said of them', async (_, search, count, told) => {
		const given = await searched(search);
		expect({ error: given.error, told: given.told, count: given.ids.length }).toEqual({
			...{ error: undefined, told, count },
		});
		expect(new Set(given.ids).size).toBe(count);
		const nobody = { onDoubt: undefined, onOtherTotal: undefined, onWarning: undefined };
		expect(await searched({ ...search, ...nobody })).toEqual({ ...given, told: [] });
	});

	it.each<[string, Search, object]>([
		[
			'of which nothing comes, though a set matches, and which has no other pages',
			{ rows: [], total: 1, pageSize: 1, instead: (offset) => (offset > 0 ? another : undefined) },
			{ incomplete: true, message: expect.stringContaining('1 sets match, and gave 0 different ones') },
		],
		['that is refused', { rows: numbers(35), instead: () => refused }, refused],
		[
			'of which the second half is not there',
			{ rows: numbers(20), instead: (offset) => (offset > 0 ? gone : undefined) },
			gone,
		],
		[
			'of a round number, which a narrower search goes beyond',
			{ rows: numbers(500), pageSize: 500, narrower: showing('500') },
			{ incomplete: true, message: expect.stringContaining('a narrower search shows others') },
		],
		[
			'that leaves out a customer',
			{ rows: numbers(35), narrower: leavingOut('36') },
			{ incomplete: true, message: expect.stringContaining('customer C-7') },
		],
		[
			'that refuses what follows a larger page',
			{
				...{ rows: numbers(1_200), total: 1_300, most: 1_000 },
				instead: (offset, _, limit) => (offset > 0 && limit > 10 ? refused : undefined),
			},
			refused,
		],
		[
			'of nothing, though sets match, that takes no larger pages',
			{ rows: [], total: 5, instead: (_offset, _call, limit) => (limit > 10 ? refused : undefined) },
			refused,
		],
	])('%s comes an error', async (_, search, error) => {
		const given = await searched(search);
		expect(given.error).toMatchObject(error);
		expect(given.told).toEqual([]);
	});
});

it('a search that the service refuses is asked for once', async () => {
	const { asked, error } = await searched({ rows: numbers(35), instead: () => refused });
	expect({ asked, error }).toEqual({ asked: ['0+10'], error: refused });
});

it.each([2, 3, 4])('once the run is stopped, nothing more is asked: call %i', async (last) => {
	const search = { rows: [], total: 5 };
	const { asked, error } = await searched({
		...(last === 2 ? { rows: numbers(35) } : search),
		instead: (_, call) => (call >= last ? stopped : undefined),
	});
	expect(error).toBe(stopped);
	expect(asked).toHaveLength(last);
});

it('what came beyond what was asked for is not asked for again', async () => {
	const { asked, ids } = await searched({
		rows: numbers(35),
		instead: (offset) => (offset === 0 ? { rows: numbers(15).map(rowOf), full: true } : undefined),
	});
	expect(ids).toHaveLength(35);
	expect(Number.parseInt(asked[1]!, 10)).toBe(14);
});

it('who looks at both ends first has the list read again in its order', async () => {
	const { asked } = await searched({ rows: numbers(35), most: 10, total: 40, endsFirst: true });
	const places = asked.map((call) => Number.parseInt(call, 10));
	expect(places.slice(0, 2)).toEqual([0, 36]);
	const again = places.slice(places.lastIndexOf(0));
	expect(again).toEqual([...again].sort((a, b) => a - b));
});

it('a list of which rows are left out of pages is asked for in one', async () => {
	const { asked, ids } = await searched({
		...{ rows: [], pageSize: 20 },
		instead: (offset, _, limit) => ({
			rows: numbers(70)
				.slice(offset, offset + limit)
				.filter((id) => id % 2 > 0)
				.map(rowOf),
			...{ total: 70, full: false },
		}),
	});
	expect(ids).toHaveLength(35);
	expect(asked).toContain('0+1000');
});
