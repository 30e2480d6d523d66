import { createRandom } from '../../../sandbox/service/random';
import { MINUTE, START, world, type ListedRow, type Order } from '../../support/changingList';

const ORDERS: Order[] = ['newest first', 'oldest first', 'by creation'];

/** How sets of one date stand among each other. */
const AMONG_EQUALS: Record<string, (rows: ListedRow[]) => ListedRow[]> = {
	'by their ids': (rows) => rows,
	'by their ids backwards': (rows) => rows.reverse(),
};

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

it('starts nothing for sets that the list showed on no page while it was learnt: of one date, they come in another order each time', async () => {
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
		const told: string[] = [];
		for (let looks = 0; looks < 40; looks++) told.push(...(await list.look()));
		expect(told).toEqual([]);
		expect(list.progress.learnt).toBe(true);
		list.change(7, 'SIGNED');
		for (let looks = 0; looks < 40; looks++) told.push(...(await list.look()));
		expect(told).toEqual(['set-7 SIGNED']);
	}
});
