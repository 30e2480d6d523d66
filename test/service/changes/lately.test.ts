import { Lately } from '../../../service/changes/lately';

const MINUTE = 60_000;

it('knows the newest changes alone, however many there are', () => {
	const lately = new Lately();
	for (let n = 0; n < 12_000; n++) lately.changed(`set-${n}`, 10 * MINUTE, 0);
	expect(lately.isBehind('set-1999', 5 * MINUTE, 0)).toBe(false);
	expect(lately.isBehind('set-2000', 5 * MINUTE, 0)).toBe(true);
	expect(lately.isBehind('set-11999', 5 * MINUTE, 0)).toBe(true);
});

it('doubts an older date for an hour, and no date that is as new, newer or cannot be read', () => {
	const lately = new Lately();
	lately.changed('set', 10 * MINUTE, 0);
	for (const instant of [10 * MINUTE, 11 * MINUTE, null]) {
		expect(lately.isBehind('set', instant, 0)).toBe(false);
	}
	lately.seen('set', 30 * MINUTE);
	expect(lately.isBehind('set', 9 * MINUTE, 89 * MINUTE)).toBe(true);
	expect(lately.isBehind('set', 9 * MINUTE, 90 * MINUTE)).toBe(false);
	lately.changed('set', null, 90 * MINUTE);
	expect(lately.isBehind('set', 9 * MINUTE, 90 * MINUTE)).toBe(false);
});
