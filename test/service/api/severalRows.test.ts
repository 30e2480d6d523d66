import type { AskPage } from '../../../service/api/page';
import { searchRows } from '../../../service/api/pages';
import type { SetResult } from '../../../service/model/set';
import { silent } from '../../support/silent';

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
	const paging = { style: 'auto', pageSize: 100, width: 4, logger: silent, onDoubt } as const;
	for await (const page of searchRows(ask, paging)) found.push(...page.map(({ value }) => value));
	return { missing: list.filter((row) => !found.includes(row)), count: found.length, doubts };
}

const KINDS: Record<string, readonly [object, object]> = {
	'of different dates, the first without papers': [rowOf(0, 9, []), rowOf(0, 3)],
	'of two customers': [rowOf(0, 9), { ...rowOf(0, 9), customerId: 'C-2' }],
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

/** What comes of a list of rows that tie: where they stand is chosen by each page anew. */
async function searchedTies(
	order: (offset: number, call: number) => readonly object[],
	{ total, endsFirst }: { total: number; endsFirst: boolean },
) {
	let calls = 0;
	const ask: AskPage = (offset, limit) => {
		const rows = order(offset, ++calls)
			.slice(offset, offset + Math.min(limit, 100))
			.map((value) => ({ key: (value as SetResult).setId, value }));
		return Promise.resolve({ offset, total, rows, full: rows.length >= limit, bytes: 1_000 });
	};
	const found: string[] = [];
	const paging = {
		style: 'auto',
		pageSize: 100,
		width: 1,
		endsFirst,
		logger: silent,
		onDoubt: () => undefined,
	} as const;
	for await (const page of searchRows(ask, paging))
		found.push(...page.map(({ value }) => (value as SetResult).setId));
	return found;
}

it('where the total counts sets, the second row of one makes up for no set that never came', async () => {
	const two = [rowOf(0, 20, []), rowOf(0, 20)];
	const [last, ...rest] = [...others(1, 100)].reverse();
	// The first page shows both rows of a set, and the one behind it a row that was there.
	const order = (offset: number, call: number) =>
		call > 2 || offset === 0
			? [...two, ...rest, last!]
			: [...rest, last!, ...two].map((row, index) => (index === 99 ? rest[97]! : row));
	const found = await searchedTies(order, { total: 100, endsFirst: false });
	expect(new Set(found).size).toBe(100);
});

it('what a service writes anew into each answer makes no second row of a set that comes again at the other end of the list', async () => {
	const rows = others(0, 350);
	// Of the last page, one row is one of the first page in place of another.
	const order = (_offset: number, call: number) =>
		(call === 2 ? [...rows.slice(0, 349), rows[3]!] : rows).map((row) => ({ ...row, servedAt: call }));
	const found = await searchedTies(order, { total: 350, endsFirst: true });
	expect(new Set(found).size).toBe(350);
	expect(found).toHaveLength(350);
});

it('sets whose papers come in another order and with new links in each answer are read once, each in one row, and so are those without papers', async () => {
	// Pages meet at the one with three papers, and at the one without any.
	const three = rowOf(0, 20, ['one', 'two', 'three']);
	const list = [...others(1, 100), three, ...others(100, 198), rowOf(198, 20, []), rowOf(199, 20)];
	let calls = 0;
	const ask: AskPage = async (offset, limit) => {
		calls++;
		const rows = list.slice(offset, offset + Math.min(limit, 100)).map((row) => {
			const documents = row.documents.map((paper) => ({ ...paper, links: [{ href: `/paper?${calls}` }] }));
			const value = { ...row, documents: calls % 2 === 0 ? documents.reverse() : documents, links: [calls] };
			return { key: row.setId, value };
		});
		return { offset, total: list.length, rows, full: rows.length >= limit, bytes: 1_000 };
	};
	const found: string[] = [];
	const paging = { style: 'auto', pageSize: 100, width: 4, logger: silent } as const;
	for await (const page of searchRows(ask, paging))
		found.push(...page.map(({ value }) => (value as SetResult).setId));
	expect(found).toEqual(list.map(({ setId }) => setId));
	expect(calls).toBe(3);
});

it('a set in two rows, between which two pages meet, is given with both where another set leaves the list just then', async () => {
	let list: object[] = [
		...others(1, 100),
		...[rowOf(0, 20, ['one']), rowOf(0, 20, ['two'])],
		...others(101, 330),
	];
	const left = list[5]!;
	const staying = list.filter((row) => row !== left);
	let calls = 0;
	const ask: AskPage = (offset, limit) => {
		if (++calls === 2) list = staying;
		const rows = list
			.slice(offset, offset + Math.min(limit, 100))
			.map((value) => ({ key: (value as SetResult).setId, value }));
		// The two rows are one set.
		const total = list.length - 1;
		return Promise.resolve({ offset, total, rows, full: rows.length >= limit, bytes: 1_000 });
	};
	const found: unknown[] = [];
	const paging = { style: 'auto', pageSize: 100, width: 4, logger: silent } as const;
	for await (const page of searchRows(ask, paging)) found.push(...page.map(({ value }) => value));
	expect(staying.filter((row) => !found.includes(row))).toEqual([]);
});

it('sets in one to three rows each are all given, or with a doubt, whichever is changed just then and goes to the front, also while one of as many rows leaves, where the total counts sets', async () => {
	let whole = 0;
	const one = async (touched: number, leaving: number | undefined, at: number, pageSize: number) => {
		let sets = Array.from({ length: 6 }, (_, set) => {
			const papers = Array.from({ length: 1 + ((set + touched) % 3) }, (_, row) => `${set}/${row}`);
			return papers.map((paper) => rowOf(set, 20, [paper]));
		});
		const staying = sets.filter((_, set) => set !== leaving).flat();
		let calls = 0;
		const ask: AskPage = (offset, limit) => {
			if (++calls === at)
				sets = [sets[touched]!, ...sets.filter((_, set) => set !== touched && set !== leaving)];
			const values = sets.flat().slice(offset, offset + limit);
			const rows = values.map((value) => ({ key: JSON.stringify(value), value }));
			return Promise.resolve({ offset, total: sets.length, rows, full: rows.length >= limit, bytes: 1_000 });
		};
		const found: unknown[] = [];
		const doubts: string[] = [];
		const onDoubt = (sentence: string) => void doubts.push(sentence);
		const paging = { style: 'auto', pageSize, width: 2, logger: silent, onDoubt } as const;
		for await (const page of searchRows(ask, paging)) found.push(...page.map(({ value }) => value));
		if (doubts.length > 0) return;
		whole++;
		const missing = staying.filter((row) => !found.includes(row));
		const what = { touched, leaving, at, pageSize };
		expect({ ...what, missing }).toEqual({ ...what, missing: [] });
	};
	for (let touched = 0; touched < 6; touched++)
		for (const leaving of [undefined, (touched + 3) % 6])
			for (let at = 2; at < 8; at++)
				for (const pageSize of [2, 3, 4]) await one(touched, leaving, at, pageSize);
	expect(whole).toBeGreaterThan(100);
});
