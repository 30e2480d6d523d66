import fc from 'fast-check';
import { ServiceError } from '../../../service/errors';
import { MINUTE, START, world, type Answering, type Order } from '../../support/changingList';

const ORDERS: Order[] = ['newest first', 'oldest first', 'by creation'];

describe.each(ORDERS)('a list %s', (order) => {
	it.each([0, 1, 9, 10, 11, 35, 400])(
		'of %d sets: the first look starts nothing, the next one tells what changed',
		async (count) => {
			const list = world(order, count);
			expect(await list.look()).toEqual([]);
			if (count > 0) list.change(Math.floor(count / 2), 'SIGNED');
			list.add('late');
			const told: string[] = [];
			for (let looks = 0; looks < 40; looks++) told.push(...(await list.look()));
			expect(told.sort()).toEqual(
				count > 0 ? ['late DRAFTED', `set-${Math.floor(count / 2)} SIGNED`] : ['late DRAFTED'],
			);
		},
	);
});

it.each(['newest first', 'oldest first'] as const)(
	'costs two searches a look once the list is known to be %s, and tells at once',
	async (order) => {
		const list = world(order, 400);
		await list.look();
		await list.look();
		expect(list.progress.order).toBe(order);
		const before = list.searches();
		expect(await list.look()).toEqual([]);
		expect(list.searches() - before).toBe(2);
		list.change(200, 'SIGNED');
		expect(await list.look()).toEqual(['set-200 SIGNED']);
	},
);

it.each(['newest first', 'oldest first'] as const)(
	'tells at once, of a list %s, what changed behind sets that were modified alone, and goes no further than those',
	async (order) => {
		// The last page holds two sets.
		const list = world(order, 402);
		for (let looks = 0; looks < 2; looks++) await list.look();
		list.change(200, 'SIGNED');
		for (let n = 100; n < 125; n++) {
			list.pass(1);
			list.change(n, 'DRAFTED');
		}
		const before = list.searches();
		expect(await list.look()).toEqual(['set-200 SIGNED']);
		expect(list.searches() - before).toBeLessThanOrEqual(2 + 4);
		const then = list.searches();
		expect(await list.look()).toEqual([]);
		expect(list.searches() - then).toBe(2);
	},
);

it('trusts no more in dates that happened to be in order, once a change stood in the middle', async () => {
	const list = world('newest first', 400);
	await list.look();
	await list.look();
	expect(list.progress.order).toBe('newest first');
	// From now on the list stands still, whatever its dates.
	const stood = [...list.rows].reverse();
	list.rows.splice(0, Infinity, ...stood);
	list.standsStill();
	list.change(200, 'SIGNED');
	expect(await list.look()).toEqual([]);
	list.pass(60);
	const told: string[] = [];
	for (let looks = 0; looks < 5; looks++) told.push(...(await list.look()));
	expect(told).toEqual([`${stood[200]!.setId} SIGNED`]);
	expect(list.progress.distrusted).toBe(true);
	list.change(150, 'SIGNED');
	for (let looks = 0; looks < 9; looks++) told.push(...(await list.look()));
	expect(told).toHaveLength(2);
});

it('tells all of more changes than two pages hold at once, from the end where they stand', async () => {
	for (const order of ['newest first', 'oldest first'] as const) {
		const list = world(order, 400);
		await list.look();
		await list.look();
		for (let n = 100; n < 135; n++) list.change(n, 'ISSUED');
		expect(await list.look()).toHaveLength(35);
	}
});

describe('looks that are far apart', () => {
	/** Looks that a change in the middle waits for, at worst, and searches a look. */
	const waited = async (order: Order, apart: number) => {
		const list = world(order, 1_000);
		const before = { looks: 0, searches: 0 };
		let [looks, worst] = [0, 0];
		for (let n = 0; n < 12; n++) {
			list.pass(apart - 1);
			await list.look();
			if (n === 2) before.searches = list.searches();
			if (n > 2) looks++;
		}
		const searches = (list.searches() - before.searches) / looks;
		for (const n of [5, 250, 500, 777, 995]) {
			list.change(n, `STEP_${n}`);
			for (let look = 1; look <= 40; look++) {
				list.pass(apart - 1);
				if ((await list.look()).length === 0) continue;
				worst = Math.max(worst, look);
				break;
			}
		}
		return { worst, searches };
	};

	it.each([60, 24 * 60, 7 * 24 * 60])(
		'each read a whole list that has no order (%d minutes)',
		async (apart) => {
			expect(await waited('by creation', apart)).toMatchObject({ worst: 1 });
		},
	);

	it('ask no more in an hour than those of each minute, and of a list in order little', async () => {
		expect((await waited('by creation', 1)).searches).toBeLessThanOrEqual(12);
		expect((await waited('by creation', 15)).searches).toBeLessThanOrEqual(15 * 12);
		// Both ends, and a quarter of the pass that each minute's looks make in an hour.
		expect((await waited('newest first', 15)).searches).toBeLessThanOrEqual(2 + 25);
		expect((await waited('newest first', 60)).searches).toBeLessThanOrEqual(2 + 100);
	});

	it.each([2 * 60, 24 * 60])(
		'see at once what stands in the middle of a list whose dates happened to be in order (%d minutes)',
		async (apart) => {
			const list = world('newest first', 1_000);
			const next = () => (list.pass(apart - 1), list.look());
			for (let looks = 0; looks < 3; looks++) await next();
			expect(list.progress.order).toBe('newest first');
			list.rows.reverse();
			list.standsStill();
			list.change(777, 'SIGNED');
			expect(await next()).toHaveLength(1);
		},
	);
});

describe('a list that is read for the first time in several looks, and moves meanwhile', () => {
	const read = async (count: number) => {
		const list = world('by creation', count);
		list.pass(3 * 24 * 60);
		list.cutAt((offset) => offset >= 200 && offset < 390);
		expect(await list.look()).toEqual([]);
		return list;
	};
	const rest = async (list: Awaited<ReturnType<typeof read>>) => {
		const told: string[] = [];
		for (let looks = 0; looks < 20; looks++) told.push(...(await list.look()));
		return told;
	};

	it('starts nothing for sets that moved to where it had been, though as many were counted as came', async () => {
		const list = await read(400);
		for (let n = 0; n < 3; n++) {
			list.remove(5);
			list.add(`late-${n}`);
		}
		list.cutAt(() => false);
		const told = await rest(list);
		expect(told.sort()).toEqual(['late-0 DRAFTED', 'late-1 DRAFTED', 'late-2 DRAFTED']);
		// They are remembered.
		list.change(198, 'SIGNED');
		expect(await rest(list)).toEqual([`${list.rows[198]!.setId} SIGNED`]);
	});

	it('starts a run for those of them that changed, and later for old ones that come into view', async () => {
		const list = await read(400);
		list.remove(5);
		list.add('late');
		list.change(199, 'SIGNED');
		list.cutAt(() => false);
		expect((await rest(list)).sort()).toEqual(['late DRAFTED', `${list.rows[199]!.setId} SIGNED`].sort());
		list.rows.splice(100, 0, { ...list.rows[0]!, setId: 'old' });
		expect(await rest(list)).toEqual(['old DRAFTED']);
	});
});

/** Something happens to the list right behind the page of an offset, once. */
function moves(list: ReturnType<typeof world>, behind: Record<number, () => void>): void {
	list.answeredBy((page, offset) => {
		behind[offset]?.();
		delete behind[offset];
		return page;
	});
}

it('starts nothing, later, for a set that was passed over in the first look, since another left and one came between two pages', async () => {
	const list = world('by creation', 60);
	list.pass(3 * 24 * 60);
	moves(list, { 20: () => list.add('late'), 30: () => list.remove(5) });
	const passedOver = list.rows[40]!.setId;
	expect(await list.look()).toEqual([]);
	const told: string[] = [];
	for (let looks = 0; looks < 10; looks++) told.push(...(await list.look()));
	expect(told).toEqual([]);
	list.change(
		list.rows.findIndex(({ setId }) => setId === passedOver),
		'SIGNED',
	);
	for (let looks = 0; looks < 10; looks++) told.push(...(await list.look()));
	expect(told).toEqual([`${passedOver} SIGNED`]);
});

it.each(['by creation', 'oldest first'] as const)(
	'%s: starts nothing, later, for a set that was passed over in the first look and stands at an end by then',
	async (order) => {
		const list = world(order, 60);
		list.pass(3 * 24 * 60);
		moves(list, { 0: () => list.remove(5), 20: () => list.add('late') });
		const passedOver = list.rows[10]!.setId;
		expect(await list.look()).toEqual([]);
		const told: string[] = [];
		for (let looks = 0; looks < 10; looks++) told.push(...(await list.look()));
		expect(told).not.toContain(`${passedOver} DRAFTED`);
		list.change(
			list.rows.findIndex(({ setId }) => setId === passedOver),
			'SIGNED',
		);
		for (let looks = 0; looks < 10; looks++) told.push(...(await list.look()));
		expect(told).toContain(`${passedOver} SIGNED`);
	},
);

it.each(ORDERS)(
	'%s: starts a run for an old set that comes into view at an end after the reading behind the first one',
	async (order) => {
		const list = world(order, 60);
		list.pass(3 * 24 * 60);
		const [away] = list.remove(0);
		moves(list, { 20: () => list.add('late') });
		await list.look();
		list.pass(90);
		await list.look();
		expect(list.progress.pass).toBe(2);
		expect(list.progress.offset).toBeNull();
		list.rows.unshift(away!);
		const told: string[] = [];
		for (let looks = 0; looks < 10; looks++) told.push(...(await list.look()));
		expect(told).toEqual(['set-0 DRAFTED']);
	},
);

it('tells a set that came days ago, and stood on a page that the reading behind the first one could not have', async () => {
	const list = world('by creation', 60);
	moves(list, { 20: () => list.add('late') });
	await list.look();
	list.add('new');
	list.pass(2 * 24 * 60);
	list.cutAt((offset) => offset >= 60);
	const told: string[] = [];
	do told.push(...(await list.look()));
	while (list.progress.offset !== null);
	expect(list.progress.pass).toBe(2);
	list.cutAt(() => false);
	for (let looks = 0; looks < 10; looks++) told.push(...(await list.look()));
	expect(told).toEqual(['new DRAFTED']);
});

it('gives no more changes than were asked for, and the others with the next looks', async () => {
	const list = world('newest first', 400, { mostChanges: 20 });
	await list.look();
	await list.look();
	for (let n = 0; n < 90; n++) list.change(n, 'ISSUED');
	const counts: number[] = [];
	for (let looks = 0; looks < 6; looks++) counts.push((await list.look()).length);
	expect(counts).toEqual([20, 20, 20, 20, 10, 0]);
});

describe('more changes than a look gives', () => {
	it.each(ORDERS)('%s: come with the next looks, and cost no more than one pass', async (order) => {
		const list = world(order, 1_500);
		for (let looks = 0; looks < 3; looks++) await list.look();
		const learning = list.searches();
		for (let n = 0; n < 1_500; n++) list.change(n, 'ISSUED');
		const told: string[] = [];
		for (let looks = 0; looks < 50; looks++) told.push(...(await list.look()));
		expect(told).toHaveLength(1_500);
		expect(new Set(told).size).toBe(1_500);
		// A pass is 150 searches; each look has its ends, and up to ten pages of the newest minute.
		expect(list.searches() - learning).toBeLessThan(150 + 50 * 16);
	});

	it.each(['newest first', 'oldest first'] as const)(
		'%s: say nothing against the order of the list',
		async (order) => {
			const list = world(order, 400, { mostChanges: 20 });
			for (let looks = 0; looks < 3; looks++) await list.look();
			for (let n = 0; n < 95; n++) {
				list.pass(1);
				list.change(n, 'ISSUED');
			}
			for (let looks = 0; looks < 12; looks++) await list.look();
			const before = list.searches();
			await list.look();
			expect(list.searches() - before).toBe(2);
			expect(list.progress.order).toBe(order);
			expect(list.progress.distrusted).toBe(false);
		},
	);
});

it.each(['newest first', 'oldest first'] as const)(
	'a list %s, of which the service gave the first page of changes alone: the others are told as soon as it gives them',
	async (order) => {
		const list = world(order, 400);
		for (let looks = 0; looks < 3; looks++) await list.look();
		for (let n = 100; n < 135; n++) {
			list.pass(1);
			list.change(n, 'ISSUED');
		}
		list.cutAt((offset) => offset > 0 && offset < 390);
		const told = await list.look();
		list.cutAt(() => false);
		for (let looks = 0; looks < 5; looks++) told.push(...(await list.look()));
		expect(told).toHaveLength(35);
		expect(list.progress.distrusted).toBe(false);
	},
);

describe.each(ORDERS)('a list %s, of which a part cannot be had, for good', (order) => {
	it.each<[string, (offset: number) => boolean]>([
		['a page', (offset) => offset === 30],
		['its end', (offset) => offset >= 370],
		['a page and its end', (offset) => offset === 30 || offset >= 390],
	])('%s: the changes in the rest are told, once, and those there when it comes back', async (_, which) => {
		const list = world(order, 400);
		for (let looks = 0; looks < 40; looks++) await list.look();
		list.standsStill();
		if (order === 'newest first') list.rows.reverse();
		list.cutAt(which);
		for (const n of [70, 200, 395]) list.rows[n]!.status = 'SIGNED';
		const told: string[] = [];
		const looks = async () => {
			for (let hours = 0; hours < 3; hours++) {
				for (let n = 0; n < 40; n++) told.push(...(await list.look()));
				list.pass(60);
			}
		};
		await looks();
		const lines = [70, 200, 395].map((n) => `${list.rows[n]!.setId} SIGNED`);
		expect(told).toEqual(expect.arrayContaining(lines.slice(0, 2)));
		expect(list.troubles.at(-1)).toBe('The service is away');
		list.cutAt(() => false);
		await looks();
		expect(told.sort()).toEqual(lines.sort());
	});
});

it('catches up through the whole list, though each look finds more at an end than it has time for', async () => {
	const list = world('newest first', 400, { until: 0 });
	for (let looks = 0; looks < 60; looks++) await list.look();
	list.standsStill();
	list.rows.sort((a, b) => b.at - a.at);
	list.change(300, 'SIGNED');
	const told: string[] = [];
	for (let looks = 0; looks < 90; looks++) {
		for (let n = 0; n < 10; n++) list.change(n, `STEP_${looks}`);
		told.push(...(await list.look()));
	}
	expect(told.some((line) => line.endsWith(' SIGNED'))).toBe(true);
});

it('starts runs for sets that changed since a time, when that was asked for', async () => {
	const list = world('by creation', 100, { since: START - 5.5 * MINUTE });
	for (const n of [95, 96, 97, 98, 99]) list.rows[n]!.at = START - (100 - n) * MINUTE;
	expect((await list.look()).filter((line) => /set-9[5-9]/.test(line)).sort()).toEqual(
		[95, 96, 97, 98, 99].map((n) => `set-${n} DRAFTED`),
	);
	expect(await list.look()).toEqual([]);
});

it('starts a run for a set that changed since then while the list was read for the first time', async () => {
	const list = world('oldest first', 30, { since: START - 5.5 * MINUTE });
	list.cutAt((offset) => offset >= 20);
	expect(await list.look()).toEqual([]);
	list.cutAt(() => false);
	list.change(12, 'SIGNED');
	const told: string[] = [];
	for (let looks = 0; looks < 5; looks++) told.push(...(await list.look()));
	expect(told.filter((line) => line.startsWith('set-12 '))).toEqual(['set-12 SIGNED']);
});

it.each(ORDERS)(
	'a list %s: a time with seconds begins with the whole minute, as the dates of the service have none',
	async (order) => {
		const list = world(order, 40, { since: START + 30_000 });
		list.rows[5]!.at = START + 45_000;
		list.rows[6]!.at = START - 45_000;
		const told: string[] = [];
		for (let looks = 0; looks < 5; looks++) told.push(...(await list.look()));
		const of = (...ids: number[]) => told.filter((line) => ids.some((n) => line === `set-${n} DRAFTED`));
		expect(of(5, 6)).toEqual(['set-5 DRAFTED']);
	},
);

it('remembers without a word what is not asked for, and tells it when it comes to a status that is', async () => {
	const list = world('newest first', 40, { wanted: (set) => set.status === 'ISSUED' });
	await list.look();
	list.change(3, 'SIGNED');
	expect(await list.look()).toEqual([]);
	list.change(3, 'ISSUED');
	expect(await list.look()).toEqual(['set-3 ISSUED']);
});

it('passes an error on, and remembers what it saw before', async () => {
	const list = world('newest first', 40);
	await list.look();
	list.cutAt(() => true);
	await expect(list.look()).rejects.toThrow('The service is away');
	list.cutAt(() => false);
	expect(await list.look()).toEqual([]);
});

it('says that more sets match than can be remembered', async () => {
	const list = world('by creation', 100, {}, 50);
	await list.look();
	expect(list.troubles).toEqual(['More than 50 sets match.']);
});

describe.each(ORDERS)('a list %s, with a set in two rows', (order) => {
	/** Where the second row is put, and how old it is beside the first one. */
	const places = [3, 25, 57, 99, 150, 201, 399].flatMap((at) => [-90, 0, 90].map((minutes) => [at, minutes]));

	it.each(places)('the second at %d and %d minutes newer: none of them is a change', async (at, minutes) => {
		const list = world(order, 400);
		const first = list.rows[120]!;
		list.again(120, at!, { status: 'SIGNED', at: first.at + minutes! * MINUTE });
		const told: string[] = [];
		for (let looks = 0; looks < 150; looks++) {
			told.push(...(await list.look()));
			if (looks % 20 === 0) list.change(300 + (looks % 7), `STEP_${looks}`);
		}
		// What one of them was learnt by, the other may correct once.
		expect(told.filter((line) => line.startsWith(`${first.setId} `)).length).toBeLessThanOrEqual(
			minutes === 0 ? 1 : 0,
		);
	});

	it.each([3, 99, 201])('the second at %d: a change of either is told, once', async (at) => {
		const list = world(order, 400);
		const { setId } = list.rows[120]!;
		list.again(120, at, { status: 'TITLE_HELD', transactionId: 'T2' });
		for (let looks = 0; looks < 30; looks++) await list.look();
		list.pass(60);
		const told: string[] = [];
		for (const status of ['ISSUED', 'TRANSFER_DRAFTED']) {
			list.change(
				list.rows.findIndex((row) => row.setId === setId),
				status,
			);
			for (let looks = 0; looks < 80; looks++) told.push(...(await list.look()));
			list.pass(120);
		}
		expect(told).toEqual([`${setId} ISSUED`, `${setId} TRANSFER_DRAFTED`]);
	});
});

it.each(ORDERS)(
	'a list %s: tells a set that came back to its status, with its transaction or another',
	async (order) => {
		const list = world(order, 400);
		for (const row of list.rows) row.transactionId = 'T1';
		for (let looks = 0; looks < 3; looks++) await list.look();
		const told: string[] = [];
		const become = async (status: string, transactionId: string, minutes: number) => {
			list.change(200, status);
			list.rows[200]!.transactionId = transactionId;
			list.pass(minutes);
			for (let looks = 0; looks < 10; looks++) told.push(...(await list.look()));
		};
		await become('TITLE_HELD', 'T2', 0);
		await become('DRAFTED', 'T1', 70);
		await become('DRAFTED', 'T3', 70);
		expect(told.map((line) => line.split(' ')[1])).toEqual(['TITLE_HELD', 'DRAFTED', 'DRAFTED']);
	},
);

it.each(ORDERS)('a list %s: tells a change to which the service gives an older date', async (order) => {
	const list = world(order, 40);
	for (let looks = 0; looks < 3; looks++) await list.look();
	Object.assign(list.rows[20]!, { status: 'RETURNED', at: START - 10_000 * MINUTE });
	const told: string[] = [];
	for (let hours = 0; hours < 5; hours++) {
		for (let looks = 0; looks < 3; looks++) told.push(...(await list.look()));
		list.pass(60);
	}
	expect(told).toEqual(['set-20 RETURNED']);
});

/** Services that are odd, each in its own way. */
const ODD: Record<string, Answering> = {
	'counts the page alone': (page) => ({ ...page, total: page.rows.length }),
	'caps its total': (page) => ({ ...page, total: Math.min(page.total, 20) }),
	'says more than there is, and has no page there': (page, offset) =>
		page.rows.length === 0 && offset > 0 ? new ServiceError('notFound', 'none') : { ...page, total: 95 },
	'gives seven at a time': (page) => ({ ...page, rows: page.rows.slice(0, 7), full: true }),
};

it.each(Object.entries(ODD))('sees a change at a service that %s', async (_, odd) => {
	const list = world('by creation', 60);
	list.answeredBy(odd);
	const told: string[] = [];
	for (let looks = 0; looks < 12; looks++) told.push(...(await list.look()));
	expect(told).toEqual([]);
	list.change(35, 'SIGNED');
	for (let looks = 0; looks < 12; looks++) told.push(...(await list.look()));
	expect(told).toEqual(['set-35 SIGNED']);
});

it('goes on with its pass, however slow the pages come', async () => {
	const list = world('by creation', 100, { until: 0 });
	for (let looks = 0; looks < 12; looks++) await list.look();
	expect(list.progress.learnt).toBe(true);
});

it('passes on what it saw, and says what it was not shown', async () => {
	const list = world('by creation', 3, { pageSize: 1 });
	for (let looks = 0; looks < 3; looks++) await list.look();
	list.answeredBy((page, offset) => (offset === 0 ? page : { ...page, rows: [] }));
	list.change(0, 'SIGNED');
	expect(await list.look()).toEqual(['set-0 SIGNED']);
	expect(list.troubles).toEqual(['The service says that 3 sets match, and shows none from number 2 on.']);
});

it('takes an answer with nothing in it for no list', async () => {
	const list = world('by creation', 400, { until: 0 });
	await list.look();
	const rows = list.rows.splice(0);
	expect(await list.look()).toEqual([]);
	list.rows.push(...rows);
	for (let looks = 0; looks < 60; looks++) expect(await list.look()).toEqual([]);
});

it('tells every last status once, and nothing that did not change, whatever moves between two looks', async () => {
	const step = fc.oneof(
		{
			weight: 6,
			arbitrary: fc.record({
				kind: fc.constant('change' as const),
				n: fc.nat(),
				status: fc.constantFrom('SIGNED', 'ISSUED', 'TITLE_HELD'),
			}),
		},
		{ weight: 2, arbitrary: fc.record({ kind: fc.constant('add' as const) }) },
		{ weight: 1, arbitrary: fc.record({ kind: fc.constant('remove' as const), n: fc.nat() }) },
		{ weight: 4, arbitrary: fc.record({ kind: fc.constant('look' as const) }) },
	);
	await fc.assert(
		fc.asyncProperty(
			fc.constantFrom(...ORDERS),
			fc.integer({ min: 1, max: 150 }),
			fc.array(step, { maxLength: 60 }),
			async (order, count, steps) => {
				const list = world(order, count);
				await list.look();
				await list.look();
				const known = new Map(list.rows.map(({ setId, status }) => [setId, status]));
				const told: string[] = [];
				let added = 0;
				for (const each of steps) {
					if (each.kind === 'look') told.push(...(await list.look()));
					else if (each.kind === 'add') list.add(`added-${added++}`);
					else if (list.rows.length === 0) continue;
					else if (each.kind === 'change') list.change(each.n % list.rows.length, each.status);
					else list.remove(each.n % list.rows.length);
				}
				list.pass(7 * 60);
				for (let looks = 0; looks < 6; looks++) told.push(...(await list.look()));
				// What is there now was told with the status it has now, unless it is the one it had at first.
				for (const { setId, status } of list.rows) {
					const last = told.filter((line) => line.startsWith(`${setId} `)).pop();
					expect([setId, last ?? `${setId} ${known.get(setId)}`]).toEqual([setId, `${setId} ${status}`]);
				}
				// The same is never told twice in a row.
				for (const line of new Set(told)) {
					const ofSet = told.filter((each) => each.startsWith(`${line.split(' ')[0]} `));
					expect(ofSet.every((each, index) => each !== ofSet[index - 1])).toBe(true);
				}
			},
		),
		{ numRuns: 300 },
	);
});
