import type { Page } from '../../../service/api/page';
import { ServiceError } from '../../../service/errors';
import { world } from '../../support/changingList';

const KB = 1024;

/** Pages behind the first one are as large as they may be with a few rows. */
const cutTo =
	(most: number, rowBytes: number) =>
	(page: Page, offset: number): Page => {
		const rows = offset === 0 ? page.rows : page.rows.slice(0, most);
		const isCut = rows.length < page.rows.length;
		return { ...page, rows, bytes: rows.length * rowBytes, full: page.full || isCut, isCut };
	};

it.each(['newest first', 'oldest first', 'by creation'] as const)(
	'a list %s of which pages are too large for one answer is looked at like any other',
	async (order) => {
		const look = async (rowBytes?: number) => {
			const list = world(order, 405);
			if (rowBytes !== undefined) list.answeredBy(cutTo(3, rowBytes));
			const told: string[][] = [];
			for (let looks = 0; looks < 12; looks++) {
				if (looks % 3 === 2) for (let n = 0; n < 12; n++) list.change(30 * n + looks, `S${looks}`);
				told.push((await list.look()).sort());
			}
			return { told, uneven: list.progress.uneven, order: list.progress.order };
		};
		expect(await look(KB)).toEqual(await look());
	},
);

it.each(['newest first', 'oldest first', 'by creation'] as const)(
	'in a list %s, sets that stand before one which is too large for any answer are seen',
	async (order) => {
		const list = world(order, 55);
		const [SMALL, LARGE] = [51, 53];
		list.answeredBy((page, offset) => {
			const large = page.rows.findIndex(({ key }) => key === `set-${LARGE}`);
			if (large === 0) throw new ServiceError('unexpectedResponse', 'Too large');
			return large < 0 ? page : cutTo(Math.min(2, large), KB)(page, offset);
		});
		for (let looks = 0; looks < 20; looks++) await list.look();
		list.standsStill();
		list.change(SMALL, 'S1');
		const told: string[] = [];
		for (let looks = 0; looks < 20; looks++) told.push(...(await list.look()));
		expect(told).toEqual([`set-${SMALL} S1`]);
	},
);

it('a page that is asked for in fewer rows, and ends with the list, is whole: what comes to that end is told', async () => {
	const list = world('oldest first', 205);
	list.answeredBy((page, offset) => ({ ...cutTo(3, KB)(page, offset), isCut: offset > 0 }));
	list.cutAt((offset) => offset === 100);
	await list.look();
	expect(list.progress).toMatchObject({ learnt: false, endSeen: true });
	list.add('new');
	expect(await list.look()).toEqual(['new DRAFTED']);
});

it.each([
	['as many bytes as one answer may have', 9 * KB * KB, false, [200, 201, 202, 203]],
	['what there is time for', KB, true, [200, 201]],
])('of a page in several answers, %s is asked for at once', async (_label, rowBytes, isSlow, asked) => {
	const list = world('oldest first', 210);
	const places: number[] = [];
	list.answeredBy((page, offset) => {
		if (offset >= 200) places.push(offset);
		if (isSlow && offset === 201) list.pass(1);
		return cutTo(1, rowBytes)(page, offset);
	});
	list.cutAt((offset) => offset > 0 && offset < 200);
	await list.look();
	expect(places).toEqual(asked);
});

describe('where the rest of a page cannot be had for a moment', () => {
	/** Of the page from there on, three rows come, and the service is away for those behind them. */
	const awayBehind = (place: number) => (page: Page, offset: number) => {
		if (offset === place + 3) throw new ServiceError('unavailable', 'The service is away');
		return offset === place ? cutTo(3, KB)(page, offset) : page;
	};

	it.each([20, 30])(
		'a list of which no total tells the end has not ended there (number %i)',
		async (place) => {
			const list = world('by creation', 205);
			const counted = (page: Page) => ({ ...page, total: page.rows.length });
			list.answeredBy((page, offset) => counted(awayBehind(place)(page, offset)));
			await list.look();
			expect(list.troubles).toEqual(['The service is away']);
			list.answeredBy(counted);
			const told: string[] = [];
			for (let looks = 0; looks < 90; looks++) told.push(...(await list.look()));
			expect(told).toEqual([]);
			expect(list.remembered()).toBe(205);
		},
	);

	it.each(['newest first', 'oldest first', 'by creation'] as const)(
		'what stands at the end of a list %s was there before the first look',
		async (order) => {
			const list = world(order, 205);
			list.answeredBy(awayBehind(200));
			const told = await list.look();
			expect(list.troubles).toEqual(['The service is away']);
			list.answeredBy((page) => page);
			for (let looks = 0; looks < 40; looks++) told.push(...(await list.look()));
			expect(told).toEqual([]);
			expect(list.remembered()).toBe(205);
		},
	);

	it.each(['oldest first', 'by creation'] as const)(
		'a change of what came at the end of a list %s in the first look is told',
		async (order) => {
			const list = world(order, 205);
			list.answeredBy(awayBehind(200));
			await list.look();
			list.answeredBy((page) => page);
			list.standsStill();
			list.change(201, 'S1');
			const told: string[] = [];
			for (let looks = 0; looks < 40; looks++) told.push(...(await list.look()));
			expect(told).toEqual(['set-201 S1']);
		},
	);

	it('a change among them is looked for by a pass, as where none of the page comes', async () => {
		const list = world('oldest first', 205);
		for (let looks = 0; looks < 4; looks++) await list.look();
		// A minute each: the dates at the end alone would let the next look go on.
		for (let n = 0; n < 12; n++) {
			list.pass(1);
			list.change(0, 'S1');
			list.rows.push(list.rows.shift()!);
		}
		list.answeredBy(awayBehind(190));
		const told = await list.look();
		expect(list.troubles).toEqual(['The service is away']);
		list.answeredBy((page) => page);
		for (let looks = 0; looks < 5; looks++) told.push(...(await list.look()));
		expect(told.sort()).toEqual(Array.from({ length: 12 }, (_, n) => `set-${n} S1`).sort());
	});
});
