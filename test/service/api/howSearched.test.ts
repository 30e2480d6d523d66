import { isPageLike } from '../../../service/api/gathered';
import type { AskPage, Page } from '../../../service/api/page';
import { listMayGoOn, searchRows } from '../../../service/api/pages';
import type { Narrower } from '../../../service/api/narrower';
import { isServiceError, ServiceError } from '../../../service/errors';

const MB = 1024 * 1024;

interface List {
	count: number;
	total?: number;
	/** The most rows of a page. */
	most?: number;
	/** Of a row. */
	bytes?: number;
	/** What comes in place of a page. */
	instead?: (offset: number, limit: number) => Page | ServiceError | undefined;
	otherTotal?: number;
}

type Options = Parameters<typeof searchRows>[1];

/** What a search through a list asks for, gives and tells. */
async function searched(
	{ count, total = count, most = Infinity, bytes = 10, instead, otherTotal }: List,
	options: Partial<Options> = {},
	isEnough: (found: string[]) => boolean = () => false,
	onRows: (values: unknown[]) => void = () => {},
) {
	const asked: [offset: number, limit: number][] = [];
	let underWay = 0;
	let abreast = 0;
	const ask: AskPage = async (offset, limit) => {
		asked.push([offset, limit]);
		abreast = Math.max(abreast, ++underWay);
		await new Promise((resolve) => setImmediate(resolve));
		underWay--;
		const other = instead?.(offset, limit);
		if (other !== undefined) {
			if (isServiceError(other) && other.code === 'unavailable') throw other;
			return other;
		}
		const length = Math.max(0, Math.min(limit, most, count - offset));
		const rows = Array.from({ length }, (_, index) => ({
			key: `${offset + index}`,
			value: { setId: `${offset + index}` },
		}));
		return { offset, total, rows, full: length >= Math.min(limit, most), bytes: length * bytes, otherTotal };
	};
	const lines: string[] = [];
	const told: unknown[] = [];
	const left: number[] = [];
	const log = (line: string) => void lines.push(line);
	const found: string[] = [];
	let error: unknown;
	try {
		for await (const rows of searchRows(ask, {
			...{
				style: 'query',
				pageSize: 100,
				width: 4,
				logger: { debug: log, info: log, warn: log, error: log },
			},
			onDoubt: (...doubt) => void told.push(doubt),
			onOtherTotal: (sentence) => void told.push(sentence),
			onPage: (pagesLeft) => void left.push(pagesLeft),
			...options,
		})) {
			found.push(...rows.map(({ key }) => key));
			onRows(rows.map(({ value }) => value));
			if (isEnough(found)) break;
		}
	} catch (thrown) {
		error = thrown;
	}
	return { asked, abreast, found, told, left, lines, error };
}

const all = (count: number) => Array.from({ length: count }, (_, index) => `${index}`);

describe('pages of large rows', () => {
	it('are asked for in as many rows as are fine side by side, one after the other', async () => {
		const { asked, abreast, found } = await searched({ count: 60, most: 20, bytes: MB });
		expect(found).toEqual(all(60));
		// Six megabytes: the last row of the page before, and five others.
		expect(asked.slice(0, 5).map(([, limit]) => limit)).toEqual([100, 20, 6, 6, 6]);
		expect(abreast).toBe(1);
	});

	it('have three rows at least', async () => {
		const { asked, found } = await searched({ count: 20, most: 10, bytes: 5 * MB });
		expect(found).toEqual(all(20));
		expect(asked.slice(2).map(([, limit]) => limit)).toContain(3);
		expect(Math.min(...asked.map(([, limit]) => limit))).toBeGreaterThanOrEqual(2);
	});

	it('are read side by side as far as they are small', async () => {
		const rows = { count: 2_000, most: 100 };
		expect((await searched({ ...rows, bytes: 20 * 1024 }, { width: 8 })).abreast).toBe(3);
		expect((await searched({ ...rows, bytes: 100 }, { width: 8 })).abreast).toBe(8);
	});
});

describe('who looks for one set', () => {
	const places = (asked: [number, number][]) => asked.map(([offset]) => offset);
	const PAGES = [0, 990, 495, 891, 594, 396, 99, 792, 693, 297, 198];

	it('sees both ends of the list and its middle first, then what is next to them', async () => {
		const { asked, found } = await searched({ count: 1_000 }, { endsFirst: true, width: 1 });
		expect(places(asked)).toEqual(PAGES);
		expect([...found].sort()).toEqual(all(1_000).sort());
	});

	it.each<[string, ServiceError, number[]]>([
		// Refused, it is asked for once more as a service takes it that goes by whole pages.
		['are refused', new ServiceError('rejected', 'No.'), [0, 990, 100, 200]],
		['cannot be had', new ServiceError('unavailable', 'No.'), [0, 990, 99, 198]],
	])('sees the pages in their order where those far down %s', async (_, refusal, order) => {
		const instead = (offset: number) => (offset > 800 ? refusal : undefined);
		const isEnough = (found: string[]) => found.includes('250');
		const options = { endsFirst: true, width: 1 };
		const { asked, error } = await searched({ count: 1_000, instead }, options, isEnough);
		expect(error).toBeUndefined();
		expect(places(asked).filter((offset) => offset !== 991)).toEqual(order);
	});

	it('reads a list in its order that a total calls too long to sort', async () => {
		const isEnough = () => true;
		const { asked } = await searched({ count: 20_000_000, total: 20_000_000 }, { endsFirst: true }, isEnough);
		expect(places(asked)).toEqual([0]);
		const second = (found: string[]) => found.length > 100;
		const long = { count: 20_000_000 };
		expect(places((await searched(long, { endsFirst: true, width: 1 }, second)).asked)).toEqual([0, 99]);
		const short = { count: 2_000 };
		expect(places((await searched(short, { endsFirst: true, width: 1 }, second)).asked)).toEqual([0, 1_980]);
	});

	it('stops where the run is stopped', async () => {
		const stopped = new ServiceError('cancelled', 'The run was stopped.');
		let calls = 0;
		const ask: AskPage = async (offset) => {
			if (++calls > 1) throw stopped;
			return { offset, total: 1_000, rows: [{ key: 'a', value: { setId: 'a' } }], full: true, bytes: 10 };
		};
		const reading = async () => {
			const quiet = { debug() {}, info() {}, warn() {}, error() {} };
			const options = { style: 'query', pageSize: 100, width: 1, endsFirst: true, logger: quiet } as const;
			for await (const rows of searchRows(ask, options)) expect(rows).toHaveLength(1);
		};
		await expect(reading()).rejects.toBe(stopped);
		expect(calls).toBe(2);
	});
});

describe('who searches is told', () => {
	it('with each page how many have not come yet', async () => {
		expect((await searched({ count: 250 })).left).toEqual([2, 1, 0]);
		expect((await searched({ count: 99 })).left).toEqual([0]);
	});

	it('what a list of 10,000 sets, or one that is refused behind a round number, may leave out', async () => {
		const { told } = await searched({ count: 10_000 }, { pageSize: 1_000 });
		const doubt = (count: number) => [
			`The service says that ${count} sets match, and gave ${count} different ones. Some services count no further than to such a number: there may be more.`,
			'Filters that match fewer sets show it.',
		];
		expect(told).toEqual([doubt(10_000)]);
		const instead = (offset: number, limit: number) =>
			offset + limit > 1_000 ? new ServiceError('rejected', 'No.', { httpStatus: 400 }) : undefined;
		expect((await searched({ count: 1_000, instead }, { pageSize: 1_000 })).told).toEqual([doubt(1_000)]);
	});

	it('of a larger total beside the one that its sets meet', async () => {
		expect((await searched({ count: 30, otherTotal: 70 })).told).toEqual([
			'The service says that 30 sets match, and in another place of its answer that there are 70. It gave 30 different ones, and nothing behind them.',
		]);
		expect((await searched({ count: 30, otherTotal: 30 })).told).toEqual([]);
		expect((await searched({ count: 30, otherTotal: 7 })).told).toEqual([]);
	});

	it.each([true, false])(
		'which rows were given and are past, and in doubt where that leaves it open (%s)',
		async (isOpen) => {
			const row = (id: string) => ({ key: id, value: { setId: id } });
			const page = (rows: string[], offset: number, limit: number) => {
				const part = rows.slice(offset, offset + limit).map(row);
				return { offset, total: rows.length, rows: part, full: part.length === limit, bytes: 10 };
			};
			// The second leaves the list after the first page.
			let pages = 0;
			const instead = (offset: number, limit: number) =>
				page(pages++ === 0 ? [...'abcdef'] : [...'acdef'], offset, limit);
			const past: unknown[] = [];
			const onPast = (isPast: (given: unknown) => boolean) => {
				past.push(...values.filter(isPast).map(({ setId }) => setId));
				expect(isPast({ no: 'set' })).toBe(false);
				return isOpen;
			};
			const values: { setId: string }[] = [];
			const options = { pageSize: 3, onPast };
			const collects = (rows: unknown[]) => void values.push(...(rows as { setId: string }[]));
			const { told, found } = await searched({ count: 6, instead }, options, undefined, collects);
			expect([...found].sort()).toEqual([...'abcdef']);
			expect(past).toEqual(['b']);
			const doubt =
				'The list changed while it was read: the service says that 5 to 6 sets match, and gave 6 different ones. One that came or went meanwhile may be missing.';
			expect(told).toEqual(isOpen ? [[doubt]] : []);
		},
	);

	it('nothing where as many came as there are', async () => {
		const { told, lines, error } = await searched({ count: 30 });
		expect({ told, lines, error }).toEqual({ told: [], lines: [], error: undefined });
	});

	it('of a total that counts more than it gives, and the administrator with each reading', async () => {
		const { told, lines, found } = await searched({ count: 30, total: 40 });
		expect(found).toEqual(all(30));
		expect(told).toEqual([
			[
				'The service says that 40 sets match, and gives 30 different ones however it is asked: these are all that it gives.',
			],
		]);
		expect(lines[0]).toBe('The service says that 40 sets match, and 30 came in 1 readings.');
	});
});

it.each([
	[10_000, false, true],
	[9_999, false, false],
	[1_000, true, true],
	[1_000, false, false],
	[3_000, true, true],
	[1_500, true, false],
	[0, true, false],
])('a list of %i sets, refused behind them (%s), may go on: %s', (count, isRefused, mayGoOn) => {
	expect(listMayGoOn(count, isRefused)).toBe(mayGoOn);
});

it('a page that is refused while as many match as before is an error at once', async () => {
	const refusal = new ServiceError('rejected', 'No.', { httpStatus: 400 });
	const instead = (offset: number) => (offset > 150 ? refusal : undefined);
	const { asked, error } = await searched({ count: 400, instead }, { width: 1 });
	expect(error).toBe(refusal);
	expect(asked.filter(([offset]) => offset === 0)).toEqual([
		[0, 100],
		[0, 1],
	]);
});

it('a list with news in each reading is asked for in one page, and cut at ever other places, in turn', async () => {
	let readings = 0;
	const instead = (offset: number, limit: number) => {
		if (offset === 0) readings++;
		const ids = [...all(19), `new ${readings}`].slice(offset, offset + Math.min(limit, 20));
		const rows = ids.map((id) => ({ key: id, value: { setId: id } }));
		return { offset, total: 25, rows, full: rows.length === limit, bytes: 10 };
	};
	const { asked, error } = await searched({ count: 20, instead }, { width: 1 });
	expect(error).toMatchObject({ incomplete: true });
	const sizes = asked.filter(([offset]) => offset === 0).map(([, limit]) => limit);
	expect(sizes).toEqual([100, 1_000, 14, 1_000, 14, 1_000, 19, 1_000, 17, 1_000, 15, 1_000, 13, 1_000, 11]);
});

describe('what may be a part', () => {
	const narrower = (given: Partial<Record<'showMore' | 'customerLeftOut', unknown>>) =>
		({
			begin: () => undefined,
			showMore: () => Promise.resolve(given.showMore ?? 'no'),
			customerLeftOut: () => Promise.resolve(given.customerLeftOut),
		}) as unknown as Narrower;
	const again = (offset: number): Page => ({
		...{ offset, total: 100, full: true, bytes: 10 },
		rows: all(100).map((key) => ({ key, value: { setId: key } })),
	});

	it.each<[string, List, Partial<Options>, RegExp, RegExp]>([
		[
			'whose total is never met',
			{ count: 0, total: 5 },
			{},
			/^The service says that 5 sets match, and gave 0 different ones in 5 readings\.$/,
			/^A part would look like all, so nothing is given\. Try again;.* or another way under Paging/,
		],
		[
			'that comes again whichever page is asked for',
			{ count: 100, instead: again },
			{},
			/^The service says that 100 sets match, and gave 100 whichever page it was asked for: whether there are more cannot be seen\.$/,
			/^A part would look like all, so nothing is given\. .*does not go by the page asked for\.$/,
		],
		[
			'that a narrower search goes beyond',
			{ count: 500 },
			{ narrower: narrower({ showMore: 'yes' }) },
			/^The service says that 500 sets match, and gave 500, but a narrower search shows others: it counts no further than that\.$/,
			/^A part would look like all, so nothing is given\. Choose filters that match fewer sets\.$/,
		],
		[
			'that leaves a customer out',
			{ count: 30 },
			{ narrower: narrower({ customerLeftOut: { customerId: 'c-7', key: 'x' } }) },
			/^The service shows sets of customer c-7 that it leaves out where several customers are asked for\.$/,
			/^A part would look like all, so nothing is given\. Ask for one customer at a time, and tell the service\.$/,
		],
	])(
		'is an error in a list %s, but for who can do with a part',
		async (_, list, options, message, remedy) => {
			const { error, found } = await searched(list, options);
			expect(error).toMatchObject({
				...{ code: 'unexpectedResponse', incomplete: true },
				...{ message: expect.stringMatching(message), remedy: expect.stringMatching(remedy) },
			});
			const part = await searched(list, { ...options, partIsFine: true });
			expect({ error: part.error, found: part.found, told: part.told }).toEqual({
				error: undefined,
				found,
				told: [],
			});
		},
	);

	it.each<[string, List, Partial<Options>, unknown[]]>([
		['while a list of a round number is read', { count: 500 }, {}, [[500, '0', 100]]],
		['not of another number', { count: 499 }, {}, []],
		['not where all comes at once', { count: 500 }, { pageSize: 1_000 }, []],
		['not for who wants a part', { count: 500 }, { limit: 300 }, []],
		['not for who can do with a part', { count: 500 }, { partIsFine: true }, []],
		['not for who looks for one set', { count: 500 }, { endsFirst: true }, []],
	])('narrower searches are asked for %s', async (_, list, options, begun) => {
		const begin = jest.fn();
		const { asked } = await searched(list, {
			...options,
			narrower: { ...narrower({}), begin } as unknown as Narrower,
		});
		expect(asked.length).toBeGreaterThan(0);
		expect(
			begin.mock.calls.map(([total, rows]: [number, { key: string }[]]) => [
				total,
				rows[0]?.key,
				rows.length,
			]),
		).toEqual(begun);
	});

	it('is doubted where nobody could be asked', async () => {
		const { told } = await searched({ count: 500 }, { narrower: narrower({ showMore: 'unknown' }) });
		expect(told).toEqual([[expect.stringContaining('500'), 'Filters that match fewer sets show it.']]);
	});
});

it.each<[string, number, number]>([
	['of small rows, in one page', 100, 1_000],
	['of rows of half a megabyte, in a page of eight megabytes', 512 * 1024, 16],
	['of larger rows, in pages that are cut elsewhere', 1024 * 1024, 7],
])('a list that is not whole is read again: %s', async (_, bytes, limit) => {
	const { asked } = await searched({ count: 30, total: 40, most: 1_000, bytes }, { pageSize: 10, width: 1 });
	const again = asked.findIndex(([offset], index) => index > 0 && offset === 0);
	expect(asked[again]).toEqual([0, limit]);
});

it('so many rows may be as many as a service gives at most: a multiple of five, or a power of two', () => {
	const like = Array.from({ length: 35 }, (_, count) => count).filter(isPageLike);
	expect(like).toEqual([5, 8, 10, 15, 16, 20, 25, 30, 32]);
});
