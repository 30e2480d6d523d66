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
