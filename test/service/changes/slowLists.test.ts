import type { Page } from '../../../service/api/page';
import { ServiceError } from '../../../service/errors';
import { world, type Order } from '../../support/changingList';

const ORDERS: Order[] = ['newest first', 'oldest first', 'by creation'];
/** A look waits for no answer any longer. */
const ANSWERED_MS = 28_000;
const NEVER = 60;

/** @param secondsOf how long the service takes for a page */
function slowList(order: Order, secondsOf: (page: Page) => number, isCounted: boolean) {
	const list = world(order, 60);
	let began = 0;
	list.answeredBy((page, offset) => {
		const seconds = Math.min(secondsOf(page), (began + ANSWERED_MS - list.now()) / 1_000);
		list.pass(seconds / 60);
		if (list.now() >= began + ANSWERED_MS) throw new ServiceError('cancelled', 'There was no time for it');
		if (page.rows.length === 0 && offset > 0) return new ServiceError('rejected', 'no such page');
		return isCounted ? page : { ...page, total: page.rows.length };
	});
	const looks = async (count: number) => {
		const told: string[] = [];
		for (let n = 0; n < count; n++) {
			// A look begins a minute after the one before.
			began = list.now() + 60_000;
			told.push(...(await list.look()));
		}
		return told;
	};
	return { ...list, looks };
}

describe.each(ORDERS)('a list %s', (order) => {
	describe.each([
		['with a total', true],
		['without one', false],
	])('%s', (_, isCounted) => {
		// At 9.6, there is still time to ask for a third page, and too little for its answer.
		it.each([3, 6.5, 9.6, 12])(
			'of which each page takes %d seconds: it is learnt, and what changes anywhere is told',
			async (seconds) => {
				const list = slowList(order, () => seconds, isCounted);
				expect(await list.looks(30)).toEqual([]);
				const row = list.rows[34]!;
				// Of the same date: it stands where it stood.
				row.status = 'SIGNED';
				list.add('late');
				list.pass(60);
				expect((await list.looks(60)).sort()).toEqual(['late DRAFTED', `${row.setId} SIGNED`]);
			},
		);

		it.each([
			['the last page', 50],
			['the page behind the first one', 10],
			['one in the middle', 20],
		])('of which %s is never answered: what changes behind that one is told', async (_, silent) => {
			let isSilent = false;
			const list = slowList(order, ({ offset }) => (isSilent && offset === silent ? NEVER : 1), isCounted);
			expect(await list.looks(5)).toEqual([]);
			isSilent = true;
			const row = list.rows[order === 'newest first' ? 25 : 34]!;
			// Of the same date: it stands where it stood.
			row.status = 'SIGNED';
			list.pass(60);
			expect(await list.looks(60)).toEqual([`${row.setId} SIGNED`]);
		});
	});
});

describe.each(ORDERS)(
	'a list %s that fills its pages, of which the service fails behind the last one,',
	(order) => {
		const BEHIND = 60;

		it('is learnt, and what changes in its middle is told', async () => {
			const list = world(order, BEHIND);
			list.cutAt((offset) => offset >= BEHIND);
			for (let looks = 0; looks < 12; looks++) expect(await list.look()).toEqual([]);
			expect(list.progress.learnt).toBe(true);
			const row = list.rows[34]!;
			row.status = 'SIGNED';
			list.pass(60);
			const told: string[] = [];
			for (let looks = 0; looks < 20; looks++) told.push(...(await list.look()));
			expect(told).toEqual([`${row.setId} SIGNED`]);
		});

		it('and no page is waited for in vain: passes are as rare as for others', async () => {
			const searchesOf = async (fails: boolean) => {
				const list = world(order, BEHIND);
				for (let looks = 0; looks < 3; looks++) await list.look();
				list.cutAt((offset) => fails && offset >= BEHIND);
				const before = list.searches();
				for (let looks = 0; looks < 100; looks++) expect(await list.look()).toEqual([]);
				return list.searches() - before;
			};
			expect(await searchesOf(true)).toBeLessThanOrEqual(await searchesOf(false));
		});

		it('and whose total is too low is not taken for learnt since one page was away', async () => {
			const list = world(order, 2 * BEHIND);
			list.answeredBy((page) => ({ ...page, total: BEHIND }));
			let looks = 0;
			list.cutAt((offset) => offset >= BEHIND && looks < 6);
			for (; looks < 30; looks++) expect(await list.look()).toEqual([]);
			expect(list.remembered()).toBe(2 * BEHIND);
		});
	},
);

it.each([
	['a row', 1],
	['rows for its steps', 4],
])(
	'a list in no order, with %s for each set, to which sets come all the time, is learnt in one pass: those that come later are told',
	async (_, rowsOfEach) => {
		const list = world('by creation', Math.floor(200 / rowsOfEach));
		const stepsOf = (row: (typeof list.rows)[number]) =>
			Array.from({ length: rowsOfEach }, (_, step) =>
				step === 0 ? row : { ...row, status: `STEP_${step}`, at: row.at - step * 90 * 60_000 },
			);
		list.rows.splice(0, list.rows.length, ...list.rows.flatMap(stepsOf));
		// Where the pass has been already.
		let made = 0;
		const come = () =>
			list.rows.splice(12 + (made % 5), 0, {
				setId: `late-${made++}`,
				status: 'DRAFTED',
				at: list.now(),
			});
		let left = 0;
		list.answeredBy((page) => {
			// There is time for three pages in a look.
			if (--left === 0) list.pass(1);
			return page;
		});
		const told: string[] = [];
		const look = async () => {
			left = 3;
			told.push(...(await list.look()));
		};
		for (let looks = 0; looks < 15; looks++) {
			await look();
			come();
		}
		expect(list.progress.learnt).toBe(true);
		const before = made;
		for (let looks = 0; looks < 20; looks++) {
			await look();
			come();
		}
		for (let looks = 0; looks < 40; looks++) await look();
		const later = Array.from({ length: made - before }, (_, n) => `late-${before + n} DRAFTED`);
		expect(told).toEqual(expect.arrayContaining(later));
		expect(told.filter((line) => line.startsWith('set-'))).toEqual([]);
		expect(new Set(told).size).toBe(told.length);
	},
);

it('a set that an older row of it at the end of the list is known by starts no run while the list is learnt, when others move its newer row there', async () => {
	const list = world('by creation', 200);
	const row = list.rows[189]!;
	list.rows.splice(190, 1, { ...row, status: 'STEP_1', at: row.at - 90 * 60_000 });
	let left = 0;
	list.answeredBy((page) => {
		if (--left === 0) list.pass(1);
		return page;
	});
	const look = async () => {
		left = 2;
		return await list.look();
	};
	expect(await look()).toEqual([]);
	list.rows.splice(5, 0, { setId: 'new', status: 'DRAFTED', at: list.now() });
	list.rows.pop();
	const told: string[] = [];
	for (let looks = 0; looks < 15; looks++) told.push(...(await look()));
	expect(list.progress.learnt).toBe(true);
	expect(told).toEqual(['new DRAFTED']);
});

it('of a list in no order that is learnt slowly, since the service counts sets that it shows nobody, sets that come are told', async () => {
	const list = world('by creation', 60);
	list.answeredBy((page) => ({ ...page, total: page.total + 3 }));
	// Sets of before that were hidden come into view, too: they are no news.
	const old = list.rows.splice(30, 6);
	const told: string[] = [];
	expect(await list.look()).toEqual([]);
	for (let looks = 0; looks < 6; looks++) {
		list.rows.splice(25, 0, { setId: `late-${looks}`, status: 'DRAFTED', at: list.now() });
		list.rows.splice(20, 0, old[looks]!);
		told.push(...(await list.look()));
		expect(list.progress.learnt).toBe(false);
	}
	for (let looks = 0; looks < 30; looks++) told.push(...(await list.look()));
	expect(list.progress.learnt).toBe(true);
	expect(told).toEqual(Array.from({ length: 6 }, (_, n) => `late-${n} DRAFTED`));
});

/** The service counts sets that it shows nobody, so it is read again and again. @param pages that there is time for in a look */
function neverWhole(order: Order, count: number, pages: number) {
	const list = world(order, count);
	let left = 0;
	list.answeredBy((page) => {
		if (--left === 0) list.pass(1);
		return { ...page, total: page.total + 3 };
	});
	const told: string[] = [];
	const look = async () => {
		left = pages;
		told.push(...(await list.look()));
	};
	const looks = async (until: () => boolean) => {
		for (let n = 0; n < 200 && !until(); n++) await look();
		expect(until()).toBe(true);
	};
	return { ...list, told, look, looks };
}

it('more changes than the end of a list shows are told while it is learnt slowly, though the reading under way comes to these sets once more', async () => {
	const list = neverWhole('oldest first', 150, 5);
	const { progress } = list;
	await list.looks(() => progress.pass === 2 && (progress.offset ?? 0) > 50 && (progress.offset ?? 0) < 100);
	const changed = list.rows.slice(0, 25);
	for (const row of changed) Object.assign(row, { status: 'SIGNED', at: list.now() });
	await list.looks(() => progress.learnt);
	expect(list.told.sort()).toEqual(changed.map(({ setId }) => `${setId} SIGNED`).sort());
});

it('where a set has several rows, and the newest ones come last, an old set that comes while the list is learnt slowly starts no run', async () => {
	const list = neverWhole('oldest first', 60, 50);
	const steps = list.rows.map((row) => ({ ...row, status: 'SIGNED' }));
	for (const row of list.rows) row.at -= 2 * 60 * 60_000;
	list.rows.push(...steps);
	const old = { setId: 'old', status: 'DRAFTED', at: list.now() - 70 * 60_000 };
	await list.look();
	list.rows.push(old);
	await list.looks(() => list.progress.learnt);
	expect(list.remembered()).toBe(61);
	expect(list.told).toEqual([]);
});

it('where the clock is set back while a list is learnt slowly, old sets that come into view start no runs', async () => {
	const list = neverWhole('by creation', 300, 8);
	const old = list.rows.splice(200, 6);
	await list.look();
	list.pass(-10);
	await list.looks(() => list.progress.pass === 2);
	list.rows.splice(200, 0, ...old);
	await list.looks(() => list.progress.learnt);
	expect(list.remembered()).toBe(300);
	expect(list.told).toEqual([]);
});
