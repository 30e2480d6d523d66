import { ServiceError } from '../../../service/errors';
import type { AskPage } from '../../../service/api/page';
import { searchRows } from '../../../service/api/pages';
import type { SetResult } from '../../../service/model/set';

const logger = { debug() {}, info() {}, warn() {}, error() {} };

const setAt = (index: number) => ({
	...{ setId: `set-${index}`, parcelRef: `P-${index}` },
	documents: [{ documentId: `paper-${index}` }],
});

interface Service {
	total: number;
	/** Rows of the list. */
	rows: number;
	/** Which set stands at a place. */
	at: (place: number) => number;
	/** Which of its parcels: a set may stand in a row for each. */
	partAt?: (place: number) => string;
	/** The most rows of a page, whatever is asked for. */
	most: (offset: number) => number;
	/** From which place on it fails, or behind its end. */
	failsFrom?: number | 'end';
	/** A set leaves it after so many answers: the first one, or that at a place. */
	leavesAfter?: number;
	leavesAt?: number;
	/** It names the length of each page, as if no more could be asked for. */
	saysMost?: boolean;
	/** Behind its end it sends its first page. */
	beginsAnew?: boolean;
}

async function searched(service: Service, endsFirst = false) {
	const { at, most, failsFrom = Infinity, saysMost = false, partAt } = service;
	const { leavesAfter = Infinity, leavesAt = 0 } = service;
	let calls = 0;
	const ask: AskPage = (place, limit) => {
		const left = calls++ < leavesAfter ? 0 : 1;
		const [total, length] = [service.total - left, service.rows - left];
		const offset = service.beginsAnew && place >= length ? 0 : place;
		if (offset >= (failsFrom === 'end' ? length : failsFrom))
			return Promise.reject(new ServiceError('network', 'It is down.', { remedy: 'Wait.' }));
		const longest = Math.min(limit, most(offset));
		const count = Math.max(0, Math.min(longest, length - offset));
		const rows = Array.from({ length: count }, (_, index) => {
			const parcelRef = partAt?.(offset + index);
			const value: SetResult = {
				...setAt(at(offset + index + (offset + index < leavesAt ? 0 : left))),
				...(parcelRef !== undefined && { parcelRef }),
			};
			return { key: value.setId, value };
		});
		return Promise.resolve({
			offset: place,
			total,
			rows,
			full: count >= (saysMost ? longest : limit),
			bytes: 1_000,
		});
	};
	const found = new Set<string>();
	const doubts: string[] = [];
	const onDoubt = (sentence: string) => void doubts.push(sentence);
	const paging = { style: 'auto', pageSize: 100, width: 8, endsFirst, logger, onDoubt } as const;
	let failure = '';
	try {
		for await (const page of searchRows(ask, paging)) for (const { key } of page) found.add(key);
	} catch (error) {
		failure = (error as Error).message;
	}
	return { found: found.size, doubts, failure, calls };
}

/** Sorted by customer: each set once for the first of its customers, and once more for each other. */
const sortedByCustomer = (sets: number, customers: number, most: number): Service => ({
	total: sets * customers,
	rows: sets * customers,
	at: (place) => place % sets,
	most: () => most,
});

const kinds = [5, 7, 10, 100].flatMap((most) =>
	[2, 4].flatMap((customers) => [false, true].map((endsFirst) => ({ most, customers, endsFirst }))),
);

it.each(kinds)(
	'a list that stands still, sorted by $customers customers of each set, in pages of $most, is given with both numbers (both ends first: $endsFirst)',
	async ({ most, customers, endsFirst }) => {
		const sets = 40 * Math.min(most, 20);
		const answer = await searched(sortedByCustomer(sets, customers, most), endsFirst);
		expect(answer).toMatchObject({ found: sets, failure: '' });
		expect(answer.doubts).toEqual([
			`The service says that ${sets * customers} sets match, and gives ${sets} different ones however it is asked: these are all that it gives.`,
		]);
	},
);

it.each([20, 1_000])('a list of %s sets that comes again and again, without end, ends', async (sets) => {
	const endless = { ...sortedByCustomer(sets, 50_000_000, 100), total: 1_000_000_000 };
	const answer = await searched(endless);
	expect(answer.failure).toBe(
		`The service says that 1000000000 sets match, and gave ${sets} different ones in 5 readings.`,
	);
	// As many pages as bring something new, and some times as many.
	expect(answer.calls).toBeLessThan(500);
});

it.each([
	['the second shorter than the first', 20, [13, 8]],
	['the last two as long as each other', 21, [11, 6]],
	['of which the second is the longest', 20, [7, 14, 9]],
] as const)(
	'a total that is too low, and is met by pages of varying length, %s, is no end',
	async (_how, total, lengths) => {
		let asked = 0;
		const most = () => lengths[Math.min(asked++, lengths.length - 1)]!;
		const answer = await searched({ total, rows: 35, at: (place) => place, most });
		expect(answer).toMatchObject({ found: 35, failure: '' });
	},
);

it('a total that is too low, and is met behind its own last page, by one of varying pages, is no end', async () => {
	// Each third set stands in two rows in a row, so that fewer sets than rows come up to where the total says.
	const lengths = [5, 2, 5, 5, 3, 3, 4];
	let asked = 0;
	const most = () => lengths[Math.min(asked++, lengths.length - 1)]!;
	const at = (place: number) => place - Math.ceil(Math.floor(place / 2) / 2);
	const answer = await searched({ total: 12, rows: 35, at, most });
	expect(answer).toMatchObject({ found: at(34) + 1, failure: '' });
});

it.each([false, true])(
	'behind a total that is too low, a page of varying length that holds but the row before it is no end (it names its length: %s)',
	async (saysMost) => {
		const lengths = [5, 2, 5, 1, 4, 1, 6, 3];
		let asked = 0;
		const most = () => lengths[asked++ % lengths.length]!;
		const answer = await searched({ total: 9, rows: 60, at: (place) => place, most, saysMost });
		expect(answer).toMatchObject({ found: 60, failure: '' });
	},
);

describe('answers that may have so many bytes, of which one large row takes nearly all', () => {
	const weight = (place: number) => (place < 6 || place % 3 === 0 ? 1 : 9);
	const most = (offset: number) => {
		let count = 1;
		for (let bytes = weight(offset); (bytes += weight(offset + count)) <= 10; count++);
		return count;
	};

	it.each([60, 20])('are read to the end (a total of %d)', async (total) => {
		const answer = await searched({ total, rows: 60, at: (place) => place, most });
		expect(answer).toMatchObject({ found: 60, failure: '', doubts: [] });
	});

	it.each([60, 20])('are, where sets have two rows each (a total of %d)', async (total) => {
		const at = (place: number) => (place < 6 ? place : 6 + Math.floor((place - 6) / 2));
		const partAt = (place: number) => String(place);
		// Two rows of one set never come in one answer.
		const alone = (offset: number) => (offset < 6 ? Math.min(most(offset), 7 - offset) : 1);
		const answer = await searched({ total, rows: 60, at, partAt, most: alone });
		expect(answer).toMatchObject({ found: 60, failure: '', doubts: [] });
	});
});

it('a page of the last row alone shows where the list ends before those behind it are judged', async () => {
	const answer = await searched({
		total: 67,
		rows: 50,
		at: (place) => place,
		most: () => 7,
		beginsAnew: true,
	});
	expect(answer).toMatchObject({ found: 50, failure: '', doubts: [expect.stringContaining('67')] });
});

it('where a set leaves while the list is read, such a page is its end also where the service fails behind that', async () => {
	const service: Service = { total: 200, rows: 200, at: (place) => place, most: () => 100, failsFrom: 'end' };
	// One page of the first reading alone was asked for by then: the set that left had come.
	const answer = await searched({ ...service, leavesAfter: 1 });
	expect(answer).toMatchObject({ found: 200, failure: '' });
});

it('nor does a search fail there where the set that left had not come, and a longer page is the last', async () => {
	const service: Service = { total: 201, rows: 201, at: (place) => place, most: () => 100, failsFrom: 'end' };
	const answer = await searched({ ...service, leavesAfter: 2, leavesAt: 200 });
	expect(answer).toMatchObject({ found: 200, failure: '', doubts: [expect.stringContaining('201')] });
});

it('nor is one behind which other parts of sets that came before follow', async () => {
	const lengths = [5, 2, 5, 5, 4, 5, 5, 1, 4, 6, 3];
	let asked = 0;
	const most = () => lengths[Math.min(asked++, lengths.length - 1)]!;
	const partAt = (place: number) => (place < 20 ? 'A' : 'B');
	const answer = await searched({ total: 9, rows: 40, at: (place) => place % 20, partAt, most });
	expect(answer).toMatchObject({ found: 40, failure: '' });
});

it.each([
	[15, [13, 8]],
	[20, [11, 6]],
	[21, [9, 3, 8]],
	[27, [14, 13, 12, 11, 9]],
] as const)(
	'a list of which more came than its total of %s, in pages of varying length, is refused when the next page cannot be had',
	async (total, lengths) => {
		let asked = 0;
		const most = () => lengths[asked++ % lengths.length]!;
		const answer = await searched({ total, rows: 90, at: (place) => place, most, failsFrom: 40 });
		expect(answer.failure).toBe('It is down.');
	},
);

it('a service that gives fewer rows than asked for, the same number each time, is asked no more for it', async () => {
	const answer = await searched({ total: 330, rows: 330, at: (place) => place, most: () => 50 });
	expect(answer).toEqual({ found: 330, doubts: [], failure: '', calls: 8 });
});
