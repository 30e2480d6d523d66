import { waitingAfter, waitsInVain } from '../../nodes/ParcelDocumentExchange/poll/waiting';

const HOUR = 60 * 60_000;
const DAY = 24 * HOUR;

/** @param left sets that each look has no time for, 0 where nobody has counted them, undefined for none */
function told(left: (number | undefined)[], sinceLastMs = DAY): boolean[] {
	let before: ReturnType<typeof waitingAfter> = null;
	return left.map((sets, look) => {
		const began = look * sinceLastMs;
		const now = sets === undefined ? null : waitingAfter(before, sets, began);
		const error = waitsInVain(before, now, { started: 32, began, oneRunPerSet: true });
		before = now;
		return error !== undefined;
	});
}

it('what becomes less is caught up with', () =>
	expect(told([68, 36, 4, undefined, 68])).toEqual([false, false, false, false, false]));

it('what becomes no less is told from the second look on', () =>
	expect(told([28, 28, 56, 55])).toEqual([false, true, true, false]));

it('2,000 changes at once are caught up with, more from look to look than a look tells are not', () => {
	expect(told([0, 0, 0, undefined, 0])).toEqual([false, false, false, false, false]);
	expect(told([0, 0, 0, 0, 0])).toEqual([false, false, false, true, true]);
});

it('looks that are not rare catch up soon', () => expect(told([28, 28, 28, 28], 60_000)).not.toContain(true));

it('what has been counted is not compared with what has not', () =>
	expect(told([0, 468, 436, 0])).toEqual([false, false, false, true]));

it('a busy day of which none wait at night is not told, with a look an hour', () => {
	const busy = [
		...Array.from({ length: 12 }, (_, hour) => 8 + 9 * hour),
		60,
		28,
		...Array(11).fill(undefined),
	];
	expect(told([...busy, ...busy, ...busy], HOUR)).not.toContain(true);
});

it('2,500 changes at once are caught up with in some hours', () =>
	expect(told([0, 0, 0, 0, 0, undefined], HOUR)).not.toContain(true));

it('what waits day and night is told, with a look an hour as well', () => {
	const hourly = told(Array(48).fill(28), HOUR);
	expect(hourly.indexOf(true)).toBe(20);
	expect(hourly.slice(20)).not.toContain(false);
});

it('a clock that was set back makes nobody wait for longer than a day', () => {
	const before = waitingAfter(null, 28, 100 * DAY);
	const now = waitingAfter(before, 28, DAY);
	const look = { started: 32, began: 2 * DAY, oneRunPerSet: true };
	expect(waitsInVain(now, waitingAfter(now, 28, look.began), look)).toBeDefined();
});

it('how many runs were started, and how many sets wait', () => {
	const before = waitingAfter(null, 28, 0);
	const look = { started: 16, began: DAY, oneRunPerSet: true };
	expect(waitsInVain(before, waitingAfter(before, 44, DAY), look)?.message).toBe(
		'More sets change from look to look than a look has time for: this one started runs for 16, and 44 wait.',
	);
});
