import { waitingAfter, waitsInVain } from '../../nodes/ParcelDocumentExchange/poll/waiting';

const DAY = 24 * 60 * 60_000;

/** @param left sets that each look has no time for, 0 where nobody has counted them, undefined for none */
function told(left: (number | undefined)[], sinceLastMs = DAY): boolean[] {
	let before: ReturnType<typeof waitingAfter> = null;
	return left.map((sets) => {
		const now = sets === undefined ? null : waitingAfter(before, sets, sinceLastMs);
		const error = waitsInVain(before, now, 32);
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
