import type { Row } from '../../../service/api/page';
import { Doubts } from '../../../service/changes/doubts';

const MINUTE = 60_000;

const readTwice = (doubts: Doubts) => {
	for (let passes = 0; passes < 2; passes++) doubts.pageCame();
};

it('believes an older state after an hour, and when the list was read twice', () => {
	const doubts = new Doubts();
	expect(doubts.last('set', 0)).toBe(true);
	expect(doubts.last('set', 60 * MINUTE)).toBe(true);
	readTwice(doubts);
	expect(doubts.last('set', 59 * MINUTE)).toBe(true);
	expect(doubts.last('set', 60 * MINUTE)).toBe(false);
});

it('begins anew once the set has been shown as it is remembered', () => {
	const doubts = new Doubts();
	doubts.last('set', 0);
	readTwice(doubts);
	doubts.isOver('set');
	expect(doubts.last('set', 60 * MINUTE)).toBe(true);
});

it('goes on in the next process, whatever its clock says', () => {
	const doubts = new Doubts();
	doubts.last('set', 10 * MINUTE);
	doubts.pageCame();
	const stored = doubts.stored(40 * MINUTE);
	for (const now of [-10_000 * MINUTE, 0, 10_000 * MINUTE]) {
		const next = Doubts.of([[], [1], [1, 2], ...stored], now);
		expect(next.last('set', now + 30 * MINUTE)).toBe(true);
		next.pageCame();
		expect(next.last('set', now + 29 * MINUTE)).toBe(true);
		expect(next.last('set', now + 30 * MINUTE)).toBe(false);
	}
});

it('is bounded, however many sets are doubted', () => {
	const doubts = new Doubts();
	for (let n = 0; n < 12_000; n++) doubts.last(`set-${n}`, 0);
	readTwice(doubts);
	expect(doubts.last('set-1999', 60 * MINUTE)).toBe(true);
	expect(doubts.last('set-11999', 60 * MINUTE)).toBe(false);
	expect(JSON.stringify(doubts.stored(60 * MINUTE)).length).toBeLessThan(20_000);
});

describe('counts a pass whole', () => {
	const rows = (...ids: string[]): Row[] => ids.map((setId) => ({ key: setId, value: { setId } }));
	const believedAfterTwo = (come: (doubts: Doubts) => void) => {
		const doubts = new Doubts();
		doubts.last('set', 0);
		for (let passes = 0; passes < 2; passes++) {
			doubts.passBegins(4);
			come(doubts);
		}
		return !doubts.last('set', 60 * MINUTE);
	};

	it.each<[string, boolean, (doubts: Doubts) => void]>([
		[
			'of which all rows came',
			true,
			(doubts) => {
				doubts.came(rows('a', 'b'));
				doubts.came(rows('c', 'd'));
				doubts.passEnds(4);
			},
		],
		[
			'of which one row came twice, and another not',
			false,
			(doubts) => {
				doubts.came(rows('a', 'b'));
				doubts.came(rows('b', 'd'));
				doubts.passEnds(4);
			},
		],
		[
			'in which rows moved',
			false,
			(doubts) => {
				doubts.came(rows('a', 'b'));
				doubts.listMoved();
				doubts.came(rows('c', 'd'));
				doubts.passEnds(4);
			},
		],
		[
			'in which the list got longer',
			false,
			(doubts) => {
				doubts.came(rows('a', 'b', 'c', 'd', 'e'));
				doubts.passEnds(5);
			},
		],
	])('%s: %s', (_, isWhole, come) => {
		expect(believedAfterTwo(come)).toBe(isWhole);
	});

	it('or believes after many that were not', () => {
		const doubts = new Doubts();
		doubts.last('set', 0);
		for (let passes = 0; passes < 8; passes++) {
			expect(doubts.last('set', 60 * MINUTE)).toBe(true);
			doubts.passBegins(4);
			doubts.came(rows('a', 'b', 'c'));
			doubts.passEnds(4);
		}
		expect(doubts.last('set', 60 * MINUTE)).toBe(false);
	});
});
