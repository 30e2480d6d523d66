import { Doubts } from '../../../service/changes/doubts';
import { Lately } from '../../../service/changes/lately';

const MINUTE = 60_000;
const at = (instant: number | null, status = 'SIGNED') => ({ status, transaction: '', instant });

/** All of the list, twice. */
const read = ({ doubts }: Lately) => {
	for (let passes = 0; passes < 2; passes++) doubts.pageCame();
};

it('knows the newest changes alone, however many there are', () => {
	const lately = new Lately();
	for (let n = 0; n < 12_000; n++) lately.changed(`set-${n}`, at(10 * MINUTE), 0);
	expect(lately.isBehind('set-1999', at(5 * MINUTE), 0)).toBe(false);
	expect(lately.isBehind('set-2000', at(5 * MINUTE), 0)).toBe(true);
	expect(lately.isBehind('set-11999', at(5 * MINUTE), 0)).toBe(true);
});

it('doubts an older date for an hour, and no date that is as new, newer or cannot be read', () => {
	const lately = new Lately();
	lately.changed('set', at(10 * MINUTE), 0);
	for (const instant of [10 * MINUTE, 11 * MINUTE, null]) {
		expect(lately.isBehind('set', at(instant), 0)).toBe(false);
	}
	expect(lately.isBehind('set', at(9 * MINUTE), 30 * MINUTE)).toBe(true);
	read(lately);
	expect(lately.isBehind('set', at(9 * MINUTE), 89 * MINUTE)).toBe(true);
	expect(lately.isBehind('set', at(9 * MINUTE), 90 * MINUTE)).toBe(false);
	lately.changed('set', at(null), 90 * MINUTE);
	expect(lately.isBehind('set', at(9 * MINUTE), 90 * MINUTE)).toBe(false);
});

it('doubts what a set was before in the same minute, and nothing else of that minute', () => {
	const lately = new Lately();
	const behind = (status: string, now: number) => lately.isBehind('set', at(10 * MINUTE, status), now);
	lately.changed('set', at(9 * MINUTE, 'DRAFTED'), 0);
	for (const status of ['SIGNED', 'ISSUED']) lately.changed('set', at(10 * MINUTE, status), 0);
	expect(['DRAFTED', 'SIGNED', 'ISSUED', 'TITLE_HELD'].map((status) => behind(status, 0))).toEqual([
		...[false, true, false, false],
	]);
	read(lately);
	expect(behind('SIGNED', 60 * MINUTE)).toBe(false);
	lately.changed('set', at(10 * MINUTE, 'SIGNED'), 60 * MINUTE);
	expect(['SIGNED', 'ISSUED'].map((status) => behind(status, 61 * MINUTE))).toEqual([false, true]);
});

it('goes on in the next process with the newest changes of the last hour, and with none of what is no change', () => {
	const lately = new Lately();
	lately.changed('long ago', at(5 * MINUTE), 0);
	for (let n = 0; n < 600; n++) lately.changed(`set-${n}`, at(70 * MINUTE), 70 * MINUTE);
	lately.changed('set-599', at(70 * MINUTE, 'ISSUED'), 70 * MINUTE);
	const stored = lately.stored(71 * MINUTE);
	expect(JSON.stringify(stored).length).toBeLessThan(40_000);
	const next = Lately.of([[], [1], ...stored], new Doubts(), 72 * MINUTE);
	const behind = ['long ago', 'set-99', 'set-100', 'set-599'].filter((key) =>
		next.isBehind(key, at(4 * MINUTE), 72 * MINUTE),
	);
	expect(behind).toEqual(['set-100', 'set-599']);
	expect(next.isBehind('set-599', at(70 * MINUTE), 72 * MINUTE)).toBe(true);
});
