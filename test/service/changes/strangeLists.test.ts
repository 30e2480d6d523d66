import type { Page, Row } from '../../../service/api/page';
import { ServiceError } from '../../../service/errors';
import { createRandom } from '../../../sandbox/service/random';
import { MINUTE, START, world, written, type ListedRow, type Order } from '../../support/changingList';

const ORDERS: Order[] = ['newest first', 'oldest first', 'by creation'];

/** How sets of one date stand among each other. */
const AMONG_EQUALS: Record<string, (rows: ListedRow[]) => ListedRow[]> = {
	'by their ids': (rows) => rows,
	'by their ids backwards': (rows) => rows.reverse(),
};

/** Its fourth set changed once, and is shown in those looks as it was before. */
async function isToldOnce(
	list: ReturnType<typeof world>,
	behind: readonly number[],
	before: Readonly<ListedRow>,
	after: Readonly<ListedRow>,
) {
	const told: string[] = [];
	for (let n = 0; n < 15; n++) {
		Object.assign(list.rows[3]!, behind.includes(n) ? before : after);
		told.push(...(await list.look()));
	}
	expect(told).toEqual(['set-3 SIGNED']);
	// What comes then has a date of its own.
	list.change(3, 'DRAFTED');
	for (let n = 0; n < 9; n++) told.push(...(await list.look()));
	expect(told.slice(1)).toEqual(['set-3 DRAFTED']);
}

describe.each(['newest first', 'oldest first'] as const)('a list %s, in one minute', (order) => {
	it.each(
		Object.entries(AMONG_EQUALS).flatMap(([how, mix]) =>
			[8, 25, 70].map((first) => [first, how, mix] as const),
		),
	)(
		'%d sets change before a look and some after it, and stand %s: all are told by the next look',
		async (first, _, mix) => {
			const list = world(order, 300);
			list.mixedBy(mix);
			for (let looks = 0; looks < 3; looks++) await list.look();
			const at = list.now();
			for (let n = 0; n < first; n++) Object.assign(list.rows[n]!, { status: 'SIGNED', at });
			const told = [...(await list.look()), ...(await list.look())];
			for (const n of [first, first + 1, 299]) Object.assign(list.rows[n]!, { status: 'SIGNED', at });
			told.push(...(await list.look()));
			expect(told).toHaveLength(first + 3);
			expect(new Set(told).size).toBe(first + 3);
			expect(list.progress.distrusted).toBe(false);
		},
	);
});

it.each(ORDERS)(
	'a list %s with more sets than are remembered: those it knows are told, and room is made',
	async (order) => {
		const list = world(order, 90, {}, 100);
		for (let looks = 0; looks < 3; looks++) await list.look();
		for (let n = 0; n < 20; n++) list.add(`more-${n}`);
		list.change(40, 'SIGNED');
		const told: string[] = [];
		const looks = async (count: number) => {
			for (let n = 0; n < count; n++) told.push(...(await list.look()));
			expect(list.remembered()).toBeLessThanOrEqual(100);
		};
		await looks(10);
		expect(told).toContain('set-40 SIGNED');
		expect(list.troubles[0]).toBe('More than 100 sets match.');
		for (let gone = 0; gone < 60; gone++) list.remove(41);
		list.troubles.length = 0;
		list.pass(120);
		await looks(90);
		list.pass(120);
		await looks(90);
		list.pass(120);
		await looks(90);
		for (let n = 0; n < 20; n++) {
			if (list.rows.some(({ setId }) => setId === `more-${n}`)) expect(told).toContain(`more-${n} DRAFTED`);
		}
		expect(new Set(told).size).toBe(told.length);
	},
);

it.each<[string, Partial<ListedRow>]>([
	['transaction', { transactionId: undefined }],
	['status', { status: '' }],
])('a set that is shown without its %s for a while has not changed', async (_, partial) => {
	const list = world('newest first', 30);
	for (const row of list.rows) row.transactionId = 'T1';
	for (let looks = 0; looks < 3; looks++) await list.look();
	const whole = { ...list.rows[3]! };
	Object.assign(list.rows[3]!, partial);
	expect(await list.look()).toEqual([]);
	Object.assign(list.rows[3]!, whole);
	expect(await list.look()).toEqual([]);
	list.change(3, 'SIGNED');
	expect(await list.look()).toEqual([`${whole.setId} SIGNED`]);
});

it.each(ORDERS)('a list %s: a set without a status is told once it has one', async (order) => {
	const list = world(order, 30);
	list.rows[7]!.status = '';
	for (let looks = 0; looks < 3; looks++) expect(await list.look()).toEqual([]);
	list.add('new');
	list.rows[30]!.status = '';
	const told: string[] = [];
	for (let looks = 0; looks < 9; looks++) told.push(...(await list.look()));
	expect(told).toEqual([]);
	// It had that one at first: its date is the same.
	list.rows[7]!.status = 'DRAFTED';
	list.rows[30]!.status = 'DRAFTED';
	for (let looks = 0; looks < 9; looks++) told.push(...(await list.look()));
	expect(told).toEqual(['new DRAFTED']);
});

it('tells of a set that came to a status since the first look showed it without one', async () => {
	const list = world('newest first', 30);
	list.rows[7]!.status = '';
	for (let looks = 0; looks < 3; looks++) await list.look();
	list.change(7, 'SIGNED');
	expect(await list.look()).toEqual(['set-7 SIGNED']);
});

it.each(ORDERS)(
	'a list %s: tells of a set that was shown with a newer date before its status was shown for the first time',
	async (order) => {
		const list = world(order, 30);
		list.rows[7]!.status = '';
		for (let looks = 0; looks < 3; looks++) await list.look();
		list.change(7, '');
		const told: string[] = [];
		for (let looks = 0; looks < 9; looks++) told.push(...(await list.look()));
		list.rows[7]!.status = 'SIGNED';
		for (let looks = 0; looks < 9; looks++) told.push(...(await list.look()));
		expect(told).toEqual(['set-7 SIGNED']);
	},
);

it.each([
	['then with its date, and then with both', ['at', 'status']],
	['and then with both', ['both']],
])('says nothing of a set that was shown without a status and a date, %s', async (_, steps) => {
	const list = world('newest first', 30);
	const { at, status } = list.rows[7]!;
	const shown = { at: { at }, status: { status }, both: { at, status } };
	Object.assign(list.rows[7]!, { status: '', at: NaN });
	await list.look();
	for (const step of steps) {
		Object.assign(list.rows[7]!, shown[step as keyof typeof shown]);
		expect(await list.look()).toEqual([]);
	}
});

it.each([
	['still has no date', NaN],
	['has a date by then', START + 9 * MINUTE],
])(
	'tells of a set that had neither a status nor a date at first, and came to a status: it %s',
	async (_, at) => {
		const list = world('newest first', 30);
		Object.assign(list.rows[7]!, { status: '', at: NaN });
		await list.look();
		Object.assign(list.rows[7]!, { status: 'SIGNED', at });
		expect(await list.look()).toEqual(['set-7 SIGNED']);
	},
);

it.each([1, 30])(
	'a list of %d that shows no status and no date at first: what was there is silent, what changes is told',
	async (count) => {
		const list = world('newest first', count);
		const shown = list.rows.map((row) => ({ ...row }));
		for (const row of list.rows) Object.assign(row, { status: '', at: NaN });
		await list.look();
		const told = [];
		list.pass(3 * 24 * 60);
		list.change(0, 'SIGNED');
		told.push(...(await list.look()));
		for (const [n, row] of [...shown.entries()].slice(1)) Object.assign(list.rows[n]!, row);
		for (let looks = 0; looks < 5; looks++) told.push(...(await list.look()));
		expect(told).toEqual(['set-0 SIGNED']);
	},
);

it.each(['newest first', 'oldest first'] as const)(
	'costs two searches a look, of a list %s, also where sets that were modified are shown without their transaction',
	async (order) => {
		const list = world(order, 400);
		for (const row of list.rows) row.transactionId = 'T1';
		for (let looks = 0; looks < 2; looks++) await list.look();
		for (const row of list.rows) row.transactionId = undefined;
		for (let n = 0; n < 100; n++) {
			list.pass(1);
			list.change(n, 'DRAFTED');
		}
		for (let looks = 0; looks < 2; looks++) await list.look();
		const before = list.searches();
		for (let looks = 0; looks < 9; looks++) await list.look();
		expect(list.searches() - before).toBe(18);
		list.change(200, 'SIGNED');
		expect(await list.look()).toEqual(['set-200 SIGNED']);
	},
);

it('tells of a set with another transaction once its status is shown', async () => {
	const list = world('newest first', 30);
	for (const row of list.rows) row.transactionId = 'T1';
	for (let looks = 0; looks < 3; looks++) await list.look();
	list.change(3, '');
	list.rows[3]!.transactionId = 'T2';
	expect(await list.look()).toEqual([]);
	list.rows[3]!.status = 'DRAFTED';
	expect(await list.look()).toEqual(['set-3 DRAFTED']);
	expect(await list.look()).toEqual([]);
});

it('tells once of a set that is shown with its new transaction later than with its new status', async () => {
	const list = world('newest first', 30);
	for (const row of list.rows) row.transactionId = 'T1';
	for (let looks = 0; looks < 3; looks++) await list.look();
	const told: string[] = [];
	for (const transactionId of [undefined, 'T2', undefined, 'T2']) {
		list.change(3, 'TITLE_HELD');
		list.rows[3]!.transactionId = transactionId;
		told.push(...(await list.look()));
	}
	expect(told).toEqual(['set-3 TITLE_HELD']);
});

it.each(ORDERS)(
	'a list %s: tells once of a set whose new transaction comes later in the same minute, and of one that comes later',
	async (order) => {
		const list = world(order, 40);
		for (const row of list.rows) row.transactionId = 'T1';
		for (let looks = 0; looks < 9; looks++) await list.look();
		const told: string[] = [];
		const shows = async (transactionId: string) => {
			list.rows[3]!.transactionId = transactionId;
			for (let looks = 0; looks < 9; looks++) told.push(...(await list.look()));
		};
		list.change(3, 'TITLE_HELD');
		for (const transactionId of ['T1', 'T2', 'T1', 'T2', 'T3']) await shows(transactionId);
		expect(told).toEqual(['set-3 TITLE_HELD']);
		list.change(3, 'TITLE_HELD');
		await shows('T4');
		expect(told).toEqual(['set-3 TITLE_HELD', 'set-3 TITLE_HELD']);
	},
);

describe.each(ORDERS)('a list %s that shows nothing at first', (order) => {
	const DAYS = 24 * 60 * MINUTE;

	it.each([11, 40, 300])('and then %d sets of before: tells those that changed since then', async (count) => {
		const list = world(order, count);
		for (const row of list.rows) row.at -= 3 * DAYS;
		const rows = list.rows.splice(0);
		for (let looks = 0; looks < 5; looks++) await list.look();
		list.rows.push(...rows);
		list.change(4, 'SIGNED');
		const told: string[] = [];
		for (let looks = 0; looks < 60; looks++) told.push(...(await list.look()));
		expect(told).toEqual(['set-4 SIGNED']);
		list.change(2, 'SIGNED');
		list.add('new');
		for (let looks = 0; looks < 60; looks++) told.push(...(await list.look()));
		expect(told.slice(1).sort()).toEqual(['new DRAFTED', 'set-2 SIGNED']);
	});

	it.each([1, 5, 30])(
		'and then %d new ones: tells them all, also when nobody looked for a month',
		async (count) => {
			const list = world(order, 0);
			await list.look();
			list.pass(30 * 24 * 60);
			for (let n = 0; n < count; n++) {
				list.add(`new-${n}`);
				list.pass(3);
			}
			const told: string[] = [];
			for (let looks = 0; looks < 9; looks++) told.push(...(await list.look()));
			expect(new Set(told).size).toBe(count);
			expect(told).toHaveLength(count);
		},
	);

	it('and then a few of before: they have come to the account as they are', async () => {
		const list = world(order, 3);
		for (const row of list.rows) row.at -= 3 * DAYS;
		const rows = list.rows.splice(0);
		await list.look();
		list.rows.push(...rows);
		expect(await list.look()).toHaveLength(3);
	});
});

it.each([
	['all', false],
	['those of each page', true],
])(
	'starts nothing for sets that the list showed on no page while it was learnt: of one date, they come in another order each time, and it counts %s',
	async (_, ofPage) => {
		for (let seed = 1; seed <= 6; seed++) {
			const random = createRandom(seed);
			const list = world('by creation', 60);
			for (const row of list.rows) row.at = START - 3 * 24 * 60 * MINUTE;
			list.mixedBy((rows) =>
				rows
					.map((row) => ({ row, place: random.next() }))
					.sort((a, b) => a.place - b.place)
					.map(({ row }) => row),
			);
			if (ofPage) list.answeredBy((page) => ({ ...page, total: page.rows.length }));
			const told: string[] = [];
			for (let looks = 0; looks < 40; looks++) told.push(...(await list.look()));
			expect(told).toEqual([]);
			expect(list.progress.learnt).toBe(true);
			list.change(7, 'SIGNED');
			for (let looks = 0; looks < 40; looks++) told.push(...(await list.look()));
			expect(told).toEqual(['set-7 SIGNED']);
		}
	},
);

describe('two sets of the newest minute that change places, of which the first look shows one', () => {
	it('start nothing, where that minute was over', async () => {
		const list = world('oldest first', 11);
		list.rows[10]!.at = list.rows[9]!.at;
		let first: Row | undefined;
		// The second page begins with what the first one ended with.
		list.answeredBy((page, offset) => {
			if (offset === 0) first = page.rows.at(-1);
			return offset === 10 && first ? { ...page, rows: [first] } : page;
		});
		expect(await list.look()).toEqual([]);
		expect(list.progress.learnt).toBe(false);
		list.answeredBy((page) => page);
		for (let looks = 0; looks < 4; looks++) expect(await list.look()).toEqual([]);
	});

	it('are told where one may have come since then', async () => {
		const list = world('oldest first', 11);
		list.rows[10]!.at = START + MINUTE;
		list.cutAt((offset) => offset > 0 && offset < 10);
		await list.look();
		list.rows.push({ setId: 'new', status: 'DRAFTED', at: START + MINUTE + 30_000 });
		expect(await list.look()).toEqual(['new DRAFTED']);
	});
});

describe.each(ORDERS)('a list %s, with a set in two rows of one hour', (order) => {
	it.each([
		[9, 1, 2],
		[9, 2, 1],
		[10, 1, 8],
		[10, 8, 1],
		[60, 1, 58],
		[60, 58, 1],
		[400, 1, 398],
		[400, 5, 200],
	])(
		'of %d sets, one in the rows %d and %d: none of them is a change, in any look',
		async (count, at, of) => {
			const list = world(order, count);
			for (const row of list.rows) row.at = START - 600 * MINUTE;
			list.again(of, at, { status: 'SIGNED', at: START - 570 * MINUTE });
			const told: string[] = [];
			for (let looks = 0; looks < 60; looks++) told.push(...(await list.look()));
			expect(told).toEqual([]);
		},
	);

	it('starts nothing for the older one, where the newer one is not asked for', async () => {
		const list = world(order, 8, { wanted: (set) => set.status === 'SIGNED' });
		await list.look();
		list.change(3, 'SIGNED');
		list.pass(1);
		list.again(3, 2, { status: 'ISSUED', at: list.now() });
		const told: string[] = [];
		for (let looks = 0; looks < 10; looks++) told.push(...(await list.look()));
		expect(told).toEqual([]);
	});
});

it.each(ORDERS)(
	'a list %s, with sets in two rows of one minute, a transaction each: none is a change where an end shows but one of them',
	async (order) => {
		const list = world(order, 30);
		for (let n = 28; n >= 0; n -= 2) {
			list.rows[n]!.transactionId = 'T1';
			list.again(n, n, { transactionId: 'T2' });
		}
		const told: string[] = [];
		for (let looks = 0; looks < 40; looks++) {
			if (looks % 4 === 3) list.add(`new-${looks}`);
			told.push(...(await list.look()));
		}
		for (let looks = 0; looks < 9; looks++) told.push(...(await list.look()));
		expect(told).toEqual([3, 7, 11, 15, 19, 23, 27, 31, 35, 39].map((look) => `new-${look} DRAFTED`));
	},
);

describe.each(ORDERS)('a list %s, with a set in two rows, and a page that cannot be had', (order) => {
	it.each([20, 90])('the older one by %d minutes: none of them is a change', async (minutes) => {
		const list = world(order, 60);
		const row = list.rows[20]!;
		list.again(20, 40, { status: 'OLDER', at: row.at - minutes * MINUTE });
		const told: string[] = [];
		const looks = async (count: number) => {
			for (let n = 0; n < count; n++) told.push(...(await list.look()));
		};
		await looks(5);
		for (let page = 1; page < 7; page++) {
			list.cutAt((offset) => offset === page * 10);
			await looks(70);
			list.cutAt(() => false);
			await looks(5);
			list.pass(60);
		}
		expect(told).toEqual([]);
	});
});

it.each(ORDERS)('a list %s that gets shorter while it is learnt: nothing has changed', async (order) => {
	const list = world(order, 401, { until: 0 });
	const told: string[] = [];
	for (let looks = 0; looks < 60; looks++) {
		told.push(...(await list.look()));
		if (looks === 2 || looks === 9) for (let gone = 0; gone < 2; gone++) list.remove(200);
	}
	expect(told).toEqual([]);
});

describe.each(ORDERS)('a list %s, of which the first look does not see all', (order) => {
	it('gets its other end with a later look: nothing has changed there', async () => {
		const list = world(order, 40);
		list.cutAt((offset) => offset > 0);
		await list.look();
		await list.look();
		list.cutAt(() => false);
		const told: string[] = [];
		for (let looks = 0; looks < 5; looks++) told.push(...(await list.look()));
		expect(told).toEqual([]);
		list.add('new');
		list.change(20, 'SIGNED');
		for (let looks = 0; looks < 9; looks++) told.push(...(await list.look()));
		expect(told.sort()).toEqual(['new DRAFTED', 'set-20 SIGNED']);
	});

	it.each([2, 3, 4])(
		'since it has a set in two rows: look %d tells what changed before it',
		async (which) => {
			const list = world(order, 60);
			list.again(20, 21, { status: 'SIGNED', at: list.rows[20]!.at - 90 * MINUTE });
			for (let looks = 1; looks < which; looks++) expect(await list.look()).toEqual([]);
			list.change(35, 'ISSUED');
			const { setId } = list.rows[35]!;
			expect(await list.look()).toEqual([`${setId} ISSUED`]);
			for (let looks = 0; looks < 9; looks++) expect(await list.look()).toEqual([]);
		},
	);
});

it('a list that is short for a while, with no room for more: what comes back is not new', async () => {
	const list = world('newest first', 90, {}, 100);
	const looks = async (count: number) => {
		const told: string[] = [];
		for (let n = 0; n < count; n++) told.push(...(await list.look()));
		return told;
	};
	await looks(3);
	for (let gone = 0; gone < 40; gone++) list.remove(0);
	for (let hours = 0; hours < 2; hours++) {
		list.pass(70);
		await looks(8);
	}
	const hidden = list.rows.splice(0, 49);
	const told: string[] = [];
	for (let n = 0; n < 15; n++) {
		list.add(`new-${n}`);
		told.push(...(await looks(2)));
	}
	list.rows.push(...hidden);
	for (let hours = 0; hours < 5; hours++) {
		told.push(...(await looks(12)));
		list.pass(60);
	}
	expect(told).toEqual(Array.from({ length: 15 }, (_, n) => `new-${n} DRAFTED`));
});

it.each(ORDERS)(
	'a list %s, of which a service counts many more sets than it shows: a change is told by the next look, of a few searches',
	async (order) => {
		const list = world(order, 60);
		list.answeredBy((page) => ({ ...page, total: 10_000 }));
		for (let looks = 0; looks < 30; looks++) await list.look();
		list.change(33, 'SIGNED');
		const before = list.searches();
		expect(await list.look()).toEqual(['set-33 SIGNED']);
		expect(list.searches() - before).toBeLessThan(13);
		for (let looks = 0; looks < 30; looks++) expect(await list.look()).toEqual([]);
	},
);

describe('a service that shows no more sets than it counts', () => {
	const looksAt = async (order: Order, count: number, countedTo: number) => {
		const list = world(order, count, { pageSize: 100 });
		list.countedTo(countedTo);
		for (let looks = 0; looks < 6; looks++) await list.look();
		return list.troubles;
	};

	it.each(['oldest first', 'by creation'] as const)('says so in each look, %s', async (order) => {
		const troubles = await looksAt(order, 1_250, 1_000);
		expect(troubles.slice(-5)).toEqual(
			Array(5).fill('The service shows 1,000 sets and may count no further: there may be more.'),
		);
	});

	it.each([
		['the list goes on, as a narrower search shows', 500, 'yes', true],
		['none shows that it goes on', 500, 'no', false],
		['nobody knows', 500, 'unknown', false],
		['it ends at no round number', 501, 'yes', false],
	] as const)('asks for no page behind the end, %s: %d sets', async (_, count, goesOn, isSaid) => {
		let compared = 0;
		const showMore = async () => {
			compared++;
			return goesOn;
		};
		const list = world('by creation', 600, { pageSize: 100, showMore });
		list.answeredBy((page) => page);
		list.countedTo(count);
		for (let looks = 0; looks < 50; looks++) await list.look();
		expect(list.troubles.length > 0).toBe(isSaid);
		// Once an hour; where nothing came of it, every ten minutes.
		expect(compared).toBe(count !== 500 ? 0 : goesOn === 'unknown' ? 5 : 1);
	});

	it('tells what it saw, though there is no time to compare', async () => {
		const showMore = jest.fn(() => Promise.reject(new ServiceError('cancelled', 'stopped')));
		const list = world('by creation', 500, { pageSize: 100, showMore });
		for (let looks = 0; looks < 3; looks++) await list.look();
		list.change(250, 'SIGNED');
		expect(await list.look()).toEqual(['set-250 SIGNED']);
		expect(showMore).toHaveBeenCalledTimes(1);
	});

	it('is none whose changes all come to the first page: nothing is compared', async () => {
		const showMore = jest.fn(async () => 'yes' as const);
		const list = world('newest first', 600, { pageSize: 100, showMore });
		list.answeredBy((page) => page);
		list.countedTo(500);
		for (let looks = 0; looks < 20; looks++) await list.look();
		expect(list.troubles).toEqual([]);
		expect(showMore).not.toHaveBeenCalled();
	});

	it('says so no more when the list has become shorter than a page', async () => {
		const list = world('by creation', 1_250, { pageSize: 100 });
		list.countedTo(1_000);
		for (let looks = 0; looks < 6; looks++) await list.look();
		list.rows.splice(40);
		list.troubles.length = 0;
		for (let looks = 0; looks < 6; looks++) await list.look();
		expect(list.troubles.slice(1)).toEqual([]);
	});

	it('says nothing where every change comes to the first page, nor of a list that is all there', async () => {
		expect(await looksAt('newest first', 1_250, 1_000)).toEqual([]);
		expect(await looksAt('by creation', 1_250, Infinity)).toEqual([]);
	});
});

describe('a set that a search for its customer alone shows', () => {
	const SAID =
		'The service shows sets of customer B that it leaves out where several customers are asked for.';
	/** Looks at a list of 400 sets every half an hour, each pass through which takes four looks. */
	const looksAt = async (looks: number, shownFrom: number, isShown: boolean) => {
		const key = 'of-b';
		let isThere = false;
		let asked = 0;
		const list = world('by creation', 400, {
			sinceLastMs: 0,
			customerLeftOut: async (_count, isKnown) => {
				asked++;
				return isThere && !isKnown(key) ? { customerId: 'B', key } : undefined;
			},
		});
		for (let look = 0; look < looks; look++) {
			list.pass(30);
			// The pass under way has been there.
			if (look === shownFrom && isShown)
				list.rows.splice(15, 0, { setId: key, status: 'DRAFTED', at: list.now() });
			isThere ||= look === shownFrom;
			await list.look();
		}
		return { troubles: list.troubles, asked };
	};

	it.each([3, 4, 5, 6])(
		'and that no pass meets is left out: it is said in each look (from %d on)',
		async (n) => {
			const { troubles, asked } = await looksAt(30, n, false);
			expect(troubles.length).toBeGreaterThan(15);
			expect(new Set(troubles)).toEqual(new Set([SAID]));
			expect(asked).toBeLessThan(10);
		},
	);

	it.each([3, 4, 5, 6])(
		'and that the next pass meets has come meanwhile: nothing is said (%d)',
		async (n) => {
			const { troubles } = await looksAt(30, n, true);
			expect(troubles).toEqual([]);
		},
	);

	it('and that the next look shows came late from a service that was behind: it is said once', async () => {
		const shown = { customerId: 'B', key: 'of-b' };
		const list = world('by creation', 8, {
			customerLeftOut: async (_count, isKnown) => (isKnown(shown.key) ? undefined : shown),
		});
		await list.look();
		list.add(shown.key);
		for (let look = 0; look < 5; look++) await list.look();
		expect(list.troubles).toEqual([SAID]);
	});

	it.each(ORDERS.flatMap((order) => [8, 60, 400].map((count) => [order, count] as const)))(
		'and that the list %s, of %d sets, shows as well, without a status, is not left out',
		async (order, count) => {
			const shown = { customerId: 'B', key: 'of-b' };
			let isThere = false;
			const list = world(order, count, {
				customerLeftOut: async (_count, isKnown) => (isThere && !isKnown(shown.key) ? shown : undefined),
			});
			for (let look = 0; look < 3; look++) await list.look();
			list.rows.splice(1, 0, { setId: shown.key, status: '', at: list.now() });
			isThere = true;
			for (let look = 0; look < 150; look++) await list.look();
			expect(list.troubles).toEqual([]);
		},
	);

	it('is told of at once where the list is read in one look', async () => {
		const { troubles } = await looksAt(1, 0, false);
		expect(troubles).toEqual([SAID]);
	});
});

describe.each(ORDERS)('a list %s, of a service that shows an old state for a while', (order) => {
	/** One page, and several: the row stands where its date puts it. */
	const COUNTS = [8, 40];
	/** How long before the change the set was modified, in minutes. */
	const AGES = [1, 5, 50, 200];
	/** In which looks it shows the old state. */
	const WHEN = [[1], [1, 2, 3, 4, 5], [1, 3, 5, 7, 9]];
	const cases = COUNTS.flatMap((count) =>
		AGES.flatMap((age) => WHEN.map((looks) => [count, age, looks] as const)),
	);

	it.each(cases)('of %d sets, %d minutes old, in the looks %j: the change is told once', async (...which) => {
		const [count, age, looks] = which;
		const list = world(order, count);
		await list.look();
		const row = list.rows[3]!;
		row.at = list.now() - age * MINUTE;
		for (let n = 0; n < 9; n++) await list.look();
		const before = { ...row };
		list.change(3, 'SIGNED');
		const after = { ...row };
		await isToldOnce(list, looks, before, after);
	});

	it.each(COUNTS)('of %d sets, one twice changed in a minute: each change is told once', async (count) => {
		const list = world(order, count);
		for (let n = 0; n < 9; n++) await list.look();
		const told: string[] = [];
		list.add('new');
		const row = list.rows.at(-1)!;
		told.push(...(await list.look()));
		const before = { ...row };
		row.status = 'SIGNED';
		const after = { ...row };
		for (let n = 0; n < 15; n++) {
			Object.assign(row, [2, 5, 6].includes(n) ? before : after);
			told.push(...(await list.look()));
		}
		expect(told).toEqual(['new DRAFTED', 'new SIGNED']);
		Object.assign(row, before);
		for (let n = 0; n < 200; n++) told.push(...(await list.look()));
		expect(told.slice(2)).toEqual(['new DRAFTED']);
	});

	/** In which looks it shows the old state, and how the set came to have it. */
	it.each(COUNTS.flatMap((count) => WHEN.map((looks) => [count, looks] as const)))(
		'of %d sets, one that changed in the very minute in which it was learnt, in the looks %j: told once',
		async (count, looks) => {
			const list = world(order, count);
			const row = list.rows[3]!;
			row.at = list.now() + MINUTE;
			for (let n = 0; n < 3; n++) await list.look();
			const before = { ...row };
			row.status = 'SIGNED';
			const after = { ...row };
			await isToldOnce(list, looks, before, after);
		},
	);

	it('trusts the order of the list on, where it believed an older date after all', async () => {
		if (order === 'by creation') return;
		const list = world(order, 120);
		for (let n = 0; n < 5; n++) await list.look();
		list.change(3, 'SIGNED');
		const told = await list.look();
		// The clock of the service goes back by an hour, and other sets change.
		const at = list.now() - 50 * MINUTE;
		Object.assign(list.rows[3]!, { status: 'ISSUED', at });
		for (let n = 20; n < 60; n++)
			Object.assign(list.rows[n]!, { status: 'SIGNED', at: at + (n - 19) * MINUTE });
		for (let hours = 0; hours < 6; hours++) {
			for (let n = 0; n < 3; n++) told.push(...(await list.look()));
			list.pass(60);
		}
		expect(told).toHaveLength(42);
		expect(told).toContain('set-3 ISSUED');
		expect(list.progress.distrusted).toBe(false);
	});

	it('tells what it went back to, once it has stayed so for an hour', async () => {
		const list = world(order, 40);
		for (let n = 0; n < 9; n++) await list.look();
		const before = { ...list.rows[3]! };
		list.change(3, 'SIGNED');
		const told: string[] = [];
		for (let n = 0; n < 9; n++) told.push(...(await list.look()));
		Object.assign(list.rows[3]!, before);
		for (let n = 0; n < 50; n++) told.push(...(await list.look()));
		expect(told).toEqual(['set-3 SIGNED']);
		for (let n = 0; n < 200; n++) told.push(...(await list.look()));
		expect(told).toEqual(['set-3 SIGNED', 'set-3 DRAFTED']);
	});

	it('starts nothing for the old state, where the new one is not asked for', async () => {
		const list = world(order, 40, { wanted: (set) => set.status === 'DRAFTED' });
		for (let n = 0; n < 9; n++) await list.look();
		const before = { ...list.rows[3]! };
		list.change(3, 'SIGNED');
		const after = { ...list.rows[3]! };
		const told: string[] = [];
		for (let n = 0; n < 9; n++) {
			told.push(...(await list.look()));
			Object.assign(list.rows[3]!, n % 2 === 0 ? before : after);
		}
		expect(told).toEqual([]);
	});
});

describe.each(ORDERS)('a list %s, of a service with pages of its own', (order) => {
	it.each([10, 20, 40, 300])(
		'that shows the last one again behind it: of %d sets, changes are told, and few searches asked',
		async (count) => {
			const list = world(order, count);
			let last: Page | undefined;
			list.answeredBy((page, offset) => {
				if (page.rows.length > 0 && offset >= (last?.offset ?? 0)) last = page;
				return page.rows.length > 0 ? page : { ...last!, offset };
			});
			for (let looks = 0; looks < 5; looks++) await list.look();
			list.change(0, 'SIGNED');
			list.change(count - 1, 'ISSUED');
			const told: string[] = [];
			const before = list.searches();
			for (let looks = 0; looks < 40; looks++) told.push(...(await list.look()));
			expect(told.sort()).toEqual(['set-0 SIGNED', `set-${count - 1} ISSUED`]);
			expect(list.searches() - before).toBeLessThan(40 * (2 + 11));
			expect(list.troubles).toEqual([]);
		},
	);

	it.each([
		['slowly, and counts all', 0.15, false],
		['slowly, and counts those of each page', 0.15, true],
		['so slowly that one page comes in a look, and counts all', 0.3, false],
		['so slowly that one page comes in a look, and counts those of each page', 0.3, true],
		['with fields that are never the same, and counts all', 0.01, false],
		['with fields that are never the same, and counts those of each page', 0.01, true],
	])(
		'that shows the last one again behind it, %s: passes end, and changes are told',
		async (_, minutes, ofPage) => {
			const list = world(order, 60);
			let furthest = 0;
			list.answeredBy((page, offset) => {
				list.pass(minutes);
				furthest = Math.max(furthest, offset);
				const rows = page.rows.length > 0 ? page.rows : last;
				if (page.rows.length > 0 && offset > 0) last = page.rows;
				const shown = rows.map(({ key, value }) => ({
					key,
					value: minutes < 0.1 ? { ...(value as object), shownAs: list.searches() } : value,
				}));
				return { ...page, rows: shown, full: true, total: ofPage ? rows.length : page.total };
			});
			let last: Row[] = [];
			for (let looks = 0; looks < 40; looks++) await list.look();
			expect(list.progress.learnt).toBe(true);
			list.change(5, 'SIGNED');
			const told: string[] = [];
			for (let looks = 0; looks < 40; looks++) told.push(...(await list.look()));
			list.change(35, 'ISSUED');
			for (let looks = 0; looks < 40; looks++) told.push(...(await list.look()));
			expect(told).toEqual(['set-5 SIGNED', 'set-35 ISSUED']);
			expect(furthest).toBeLessThan(300);
		},
	);

	it.each([
		['all', false],
		['those of each page', true],
	])(
		'that shows the last one again behind it, sorts sets of one date anew for each page, and counts %s: passes end, and changes are told',
		async (_, ofPage) => {
			const list = world(order, 60);
			for (const row of list.rows) row.at = START - MINUTE;
			const random = createRandom(3);
			const mixed = (all: ListedRow[]) => {
				const places = all.map((row) => ({ row, place: random.next() }));
				return places.sort((a, b) => a.place - b.place).map(({ row }) => row);
			};
			list.mixedBy(mixed);
			const last = () =>
				mixed(list.rows)
					.slice(0, 10)
					.map(({ setId, status, at }) => ({
						key: setId,
						value: { setId, status, modifiedDate: written(at) },
					}));
			list.answeredBy((page) => {
				list.pass(0.01);
				const rows = page.rows.length > 0 ? page.rows : last();
				return { ...page, rows, full: true, total: ofPage ? rows.length : page.total };
			});
			for (let looks = 0; looks < 20; looks++) await list.look();
			expect(list.progress.learnt).toBe(true);
			list.change(35, 'ISSUED');
			const told: string[] = [];
			const before = list.searches();
			for (let looks = 0; looks < 40; looks++) told.push(...(await list.look()));
			expect(told).toEqual(['set-35 ISSUED']);
			expect(list.searches() - before).toBeLessThan(40 * 30);
		},
	);

	it('that shows the last one again behind it, and sorts sets of one date anew: passes end, also once a date has gone back', async () => {
		const list = world(order, 60);
		for (const row of list.rows) row.at = START - MINUTE;
		const random = createRandom(3);
		list.mixedBy((all) => {
			const places = all.map((row) => ({ row, place: random.next() }));
			return places.sort((a, b) => a.place - b.place).map(({ row }) => row);
		});
		const isOldLast = order === 'newest first';
		list.answeredBy((page) => {
			list.pass(0.01);
			if (page.rows.length > 0) return page;
			const old = list.rows.filter(({ at }) => isOldLast && at < START - MINUTE);
			const others = list.rows.filter((row) => !old.includes(row)).sort(() => random.next() - 0.5);
			const last = [...others.slice(0, 10 - old.length), ...old];
			const rows = last.map(({ setId, status, at }) => ({
				key: setId,
				value: { setId, status, modifiedDate: written(at) },
			}));
			return { ...page, rows, full: true };
		});
		for (let looks = 0; looks < 20; looks++) await list.look();
		Object.assign(list.rows[5]!, { status: 'ISSUED', at: START - 60 * MINUTE });
		const { pass } = list.progress;
		for (let looks = 0; looks < 150; looks++) await list.look();
		expect(list.progress.pass).toBeGreaterThan(pass + 1);
	});

	it.each([
		['sets', false],
		['rows of each page', true],
	])('that shows a row for each step of a set, and counts %s: every step is told', async (_, ofPage) => {
		const list = world(order, 40);
		list.answeredBy((page) => ({ ...page, total: ofPage ? page.rows.length : 40 }));
		for (let looks = 0; looks < 5; looks++) await list.look();
		for (let step = 1; step <= 4; step++) {
			const steps = Array.from({ length: 40 }, (_, n) => ({ setId: `set-${n}`, status: `STEP_${step}` }));
			for (const each of steps) list.rows.push({ ...each, at: list.now() });
			const told: string[] = [];
			// What stands behind all that is counted, is found once an hour.
			for (let looks = 0; looks < 70; looks++) told.push(...(await list.look()));
			expect(told.sort()).toEqual(steps.map(({ setId, status }) => `${setId} ${status}`).sort());
		}
	});

	it('that shows the last one again behind it, and counts too many: one that grew since a look came to its end is read on', async () => {
		const list = world(order, 60);
		let last: Row[] = [];
		list.answeredBy((page) => {
			if (page.rows.length > 0 && page.offset > 0) last = page.rows;
			return { ...page, rows: page.rows.length > 0 ? page.rows : last, total: list.rows.length + 3 };
		});
		for (let looks = 0; looks < 5; looks++) await list.look();
		for (let n = 0; n < 10; n++) list.add(`more-${n}`);
		Object.assign(list.progress, { offset: 60, again: 1 });
		for (let looks = 0; looks < 9; looks++) await list.look();
		expect(list.troubles).toEqual([]);
		expect(list.progress.offset).toBeNull();
	});

	it.each<[string, (page: Page) => number]>([
		['the sets of each page alone', ({ rows }) => rows.length],
		['no more than 20 sets', () => 20],
	])(
		'that counts %s: behind a set of many rows, which fill several pages, changes are told',
		async (_, totalOf) => {
			const list = world(order, 60);
			for (let row = 0; row < 30; row++) list.again(11, 12, { transactionId: `T${row}` });
			list.answeredBy((page) => ({ ...page, total: totalOf(page) }));
			for (let looks = 0; looks < 5; looks++) expect(await list.look()).toEqual([]);
			expect(list.remembered()).toBe(60);
			list.change(85, 'SIGNED');
			list.change(0, 'ISSUED');
			const told: string[] = [];
			for (let looks = 0; looks < 80; looks++) told.push(...(await list.look()));
			expect(told.sort()).toEqual(['set-0 ISSUED', 'set-55 SIGNED']);
		},
	);

	it.each([2, 3, 4])(
		'that counts the sets of each page alone, before search %d of the first look a page of sets is made: old ones start no run',
		async (nth) => {
			const list = world(order, 60);
			list.answeredBy((page) => {
				if (list.searches() === nth - 1) for (let n = 0; n < 10; n++) list.add(`more-${n}`);
				return { ...page, total: page.rows.length };
			});
			const told: string[] = [];
			for (let looks = 0; looks < 30; looks++) told.push(...(await list.look()));
			expect(told.filter((line) => line.startsWith('set-'))).toEqual([]);
		},
	);

	it.each([3, 5, 8])(
		'that leaves each set number %d out after it has cut them, and does not count it: of few sets, those at its end are told too',
		async (nth) => {
			const wrong: object[] = [];
			for (let count = 9; count < 40; count++) {
				const list = world(order, count);
				const isShown = ({ setId }: ListedRow) => Number(setId.split('-')[1]) % nth !== 1;
				list.answeredBy((page) => {
					const rows = page.rows.filter(({ value }) => isShown(value as ListedRow));
					return { ...page, rows, full: rows.length === 10, total: list.rows.filter(isShown).length };
				});
				for (let looks = 0; looks < 5; looks++) await list.look();
				const last = list.rows.findLastIndex(isShown);
				list.change(0, 'SIGNED');
				list.change(last, 'ISSUED');
				const told: string[] = [];
				for (let looks = 0; looks < 70; looks++) told.push(...(await list.look()));
				if (told.sort().join() !== `set-0 SIGNED,set-${last} ISSUED`) wrong.push({ count, told });
			}
			expect(wrong).toEqual([]);
		},
	);

	it.each([3, 5, 8])(
		'that leaves each set number %d out after it has cut them, and does not count it: those at its end are told too',
		async (nth) => {
			const list = world(order, 300);
			list.answeredBy((page) => {
				const isShown = ({ key }: Row) => Number(key.split('-')[1]) % nth !== 1;
				return { ...page, rows: page.rows.filter(isShown), total: list.rows.length - 300 / nth };
			});
			for (let looks = 0; looks < 5; looks++) await list.look();
			list.change(0, 'SIGNED');
			list.change(298 - (298 % nth), 'ISSUED');
			const told: string[] = [];
			for (let looks = 0; looks < 180; looks++) told.push(...(await list.look()));
			expect(told.sort()).toEqual(['set-0 SIGNED', `set-${298 - (298 % nth)} ISSUED`]);
		},
	);
});

describe.each(ORDERS)('a list %s without a total, in which each set has three rows', (order) => {
	const NEVER = 'a page that can never be had';

	/** @param isBroken which pages the service fails at */
	const withRows = (isBroken: (offset: number) => boolean) => {
		const list = world(order, 20);
		for (let n = 19; n >= 0; n--) {
			const { at } = list.rows[n]!;
			for (const days of [2, 1])
				list.again(n, n, { status: 'OLDER', transactionId: `T${days}`, at: at - days * 24 * 60 * MINUTE });
		}
		list.standsStill();
		list.answeredBy((page) => ({ ...page, total: page.rows.length }));
		return {
			...list,
			/** The service fails at these pages from now on. */
			fails: () => list.cutAt(isBroken),
			looks: async (count: number) => {
				const told: string[] = [];
				for (let n = 0; n < count; n++) told.push(...(await list.look()));
				return told;
			},
		};
	};

	it.each([[[10]], [[20]], [[30]], [[20, 30]], [[40]]])(
		`and %j is ${NEVER}: what changes behind it is told`,
		async (pages) => {
			const list = withRows((offset) => pages.includes(offset));
			expect(await list.looks(5)).toEqual([]);
			list.fails();
			expect(await list.looks(20)).toEqual([]);
			list.change(57, 'SIGNED');
			expect(await list.looks(20)).toEqual([`${list.rows[57]!.setId} SIGNED`]);
			// The pages that fail are where the list ended once, and it has grown behind them.
			list.add('late');
			expect(await list.looks(20)).toEqual(['late DRAFTED']);
		},
	);

	it(`and the last one is ${NEVER}: what is made behind it is told`, async () => {
		const list = withRows((offset) => offset === 60);
		expect(await list.looks(5)).toEqual([]);
		list.fails();
		for (let n = 0; n < 14; n++) list.add(`late-${n}`);
		expect(await list.looks(40)).toEqual([
			'late-10 DRAFTED',
			'late-11 DRAFTED',
			'late-12 DRAFTED',
			'late-13 DRAFTED',
		]);
	});

	it('and the service fails behind its end: passes end, and changes are told', async () => {
		const list = withRows((offset) => offset >= 60);
		expect(await list.looks(5)).toEqual([]);
		list.fails();
		expect(await list.looks(30)).toEqual([]);
		const { pass } = list.progress;
		const before = list.searches();
		list.change(57, 'SIGNED');
		expect(await list.looks(20)).toEqual([`${list.rows[57]!.setId} SIGNED`]);
		expect(list.progress.pass).toBeGreaterThan(pass + 5);
		expect(list.searches() - before).toBeLessThan(20 * 12);
	});
});

describe.each(ORDERS)('a list %s from whose pages sets are left out after they were cut', (order) => {
	it.each(
		(['of those shown', 'of all'] as const).flatMap((total) => [0.4, 0.7].map((share) => ({ total, share }))),
	)(
		'is read to its end, and its changes alone are told: $share of them, with a total $total',
		async (left) => {
			for (let seed = 1; seed <= 5; seed++) {
				const random = createRandom(seed);
				const count = random.between(50, 120);
				const list = world(order, count);
				const sets = list.rows.map(({ setId }) => setId);
				const out = new Set(sets.filter(() => random.next() < left.share));
				const isShown = (setId: string) => !out.has(setId);
				list.answeredBy((page) => {
					const rows = page.rows.filter(({ key }) => isShown(key));
					const total = left.total === 'of all' ? page.total : sets.length - out.size;
					return { ...page, rows, full: rows.length === 10, total };
				});
				const looks = async () => {
					const told: string[] = [];
					for (let look = 0; look < 8; look++) told.push(...(await list.look()));
					return told;
				};
				expect(await looks()).toEqual([]);
				expect(list.remembered()).toBe(sets.length - out.size);
				const n = random.pick(sets.map((_, each) => each).filter((each) => isShown(sets[each]!)));
				list.change(n, 'SIGNED');
				list.pass(61);
				expect(await looks()).toEqual([`${sets[n]} SIGNED`]);
			}
		},
	);
});

it('a list from which all sets of a page are left out, and one of a page behind as many as are counted, is read to its end', async () => {
	const list = world('by creation', 65);
	const isLeftOut = (n: number) => n === 52 || (n >= 20 && n < 30);
	list.answeredBy((page, offset) => {
		const rows = page.rows.filter((_, n) => !isLeftOut(offset + n));
		return { ...page, rows, full: rows.length === 10, total: 54 };
	});
	for (let looks = 0; looks < 5; looks++) expect(await list.look()).toEqual([]);
	expect(list.remembered()).toBe(54);
	list.change(62, 'SIGNED');
	list.pass(61);
	const told: string[] = [];
	for (let looks = 0; looks < 8; looks++) told.push(...(await list.look()));
	expect(told).toEqual(['set-62 SIGNED']);
});

it('a list of pages from which sets are left out is not asked for page upon page in vain', async () => {
	const list = world('by creation', 1_000);
	list.answeredBy((page) => ({ ...page, rows: page.rows.filter((_, index) => index % 5 !== 3) }));
	await list.look();
	expect(list.remembered()).toBeGreaterThan(700);
	expect(list.searches()).toBeLessThan(200);
});
