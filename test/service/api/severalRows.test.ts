import type { AskPage } from '../../../service/api/page';
import { searchRows } from '../../../service/api/pages';
import type { SetResult } from '../../../service/model/set';

const logger = { debug() {}, info() {}, warn() {}, error() {} };

const rowOf = (set: number, day: number, documents: string[] = [`paper-${set}`]) => ({
	...{ setId: `set-${set}`, parcelRef: `P-${set}`, modifiedDate: `${day} March 2026 10:00` },
	documents: documents.map((documentId) => ({ documentId })),
});

const others = (from: number, to: number) =>
	Array.from({ length: to - from }, (_, index) => rowOf(from + index, 20));

/** What comes of a list in which a set stands in two rows, on pages far apart. */
async function searched(
	[one, two]: readonly [object, object],
	counted: 'rows' | 'sets',
	isLate: (offset: number) => boolean,
) {
	const list = [...others(1, 251), one, ...others(251, 350), two, ...others(350, 449)];
	const total = counted === 'rows' ? list.length : list.length - 1;
	const ask: AskPage = async (offset, limit) => {
		await new Promise((resolve) => setTimeout(resolve, isLate(offset) ? 10 : 0));
		const rows = list
			.slice(offset, offset + Math.min(limit, 100))
			.map((value) => ({ key: (value as SetResult).setId, value }));
		return { offset, total, rows, full: rows.length >= limit, bytes: 1_000 };
	};
	const found: unknown[] = [];
	const doubts: string[] = [];
	const onDoubt = (sentence: string) => void doubts.push(sentence);
	const paging = { style: 'auto', pageSize: 100, width: 4, logger, onDoubt } as const;
	for await (const page of searchRows(ask, paging)) found.push(...page.map(({ value }) => value));
	return { missing: list.filter((row) => !found.includes(row)), count: found.length, doubts };
}

const KINDS: Record<string, readonly [object, object]> = {
	'of different dates, the first without papers': [rowOf(0, 9, []), rowOf(0, 3)],
	'of one date, the first without papers': [rowOf(0, 9, []), rowOf(0, 9)],
	'of different dates, the second without papers': [rowOf(0, 9), rowOf(0, 3, [])],
};

const LATE: Record<string, (offset: number) => boolean> = {
	'in turn': () => false,
	'the first row later than the second': (offset) => offset > 150 && offset < 280,
};

const cases = Object.entries(KINDS).flatMap(([what, rows]) =>
	Object.entries(LATE).flatMap(([when, isLate]) =>
		(['rows', 'sets'] as const).map((counted) => ({ what, rows, when, isLate, counted })),
	),
);

it.each(cases)(
	'a set in two rows $what, that come $when, is given with both where $counted are counted',
	async ({ rows, isLate, counted }) => {
		expect(await searched(rows, counted, isLate)).toEqual({ missing: [], count: 450, doubts: [] });
	},
);

it('a set in two rows of the same papers and different dates is given with both, and the list without a doubt', async () => {
	const rows = [rowOf(0, 9), rowOf(0, 3)] as const;
	expect(await searched(rows, 'rows', () => false)).toEqual({ missing: [], count: 450, doubts: [] });
});
