import type { Reading } from './reading';

/** How often a list is gone through, when what came of it contradicts what was said of it. */
export const READINGS = 5;

/** And at most, where each way through it may bring others. */
const MOST_READINGS = 15;

/** So likely may it be, at most, that a row which no reading brought is there. */
const UNLIKELY = 0.01;

/** One row of so many may be new in a reading that is worth another one. */
const FEW = 20;

/** What came is all; is all though more was spoken of; is all as far as can be known of a list that changes; is not all. */
export type Completeness = 'all' | 'same each time' | 'changing' | 'incomplete';

/**
 * Whether what came is all there is.
 *
 * @param seen different rows of all readings
 */
export function completenessOf(readings: readonly Reading[], seen: number): Completeness {
	const last = readings[readings.length - 1]!;
	const fresh = last.news;
	const { most } = totalsOf(readings);
	const isCount = !readings.some((reading) => reading.countsOtherwise);
	// As many as were ever said, and it was always the same number: however they came, no more can be.
	if (isCount && seen === most && readings.every((reading) => reading.least === most)) {
		if (readings.every((reading) => reading.isOfOnePiece)) return 'all';
		// A row may slip past pages that are not of one list; then another way through them brings it. Where places of the
		// list never came, rows may also have left it, and others come.
		if (isSettled(readings, seen)) return last.isCovered ? 'all' : 'changing';
	}
	if (!last.ended || last.stuck) return 'incomplete';
	const count = last.keys.size;
	// As many as were said, in one go. More are fine where each came once; with repeats, the number says nothing.
	const isEnough =
		last.repeats === 0 ? last.isAsMany : isCount && count === last.most && !last.shrank && !last.grew;
	// More were spoken of before, and did not come in any reading: they have left, or are held by another copy of the list.
	if (isEnough && (last.isOfOnePiece || isSettled(readings, seen))) return seen < most ? 'changing' : 'all';
	if (readings.length === 1 || count === 0) return 'incomplete';
	// The same rows twice, whatever is said of their number.
	if (count === seen && readings.slice(0, -1).some((one) => isSame(one, last))) return 'same each time';
	// Enough each time, and other ones.
	if (isEnough && !last.grew && !last.shrank && readings.length >= READINGS) return 'changing';
	// It got shorter, and another way through it brought nothing new.
	if (last.shrank && fresh === 0 && seen >= last.least && last.least > 0) return 'changing';
	// It only grew: what came twice made room for what came new, and nothing was skipped.
	if (last.grew && !last.shrank && count >= last.least && last.repeats <= last.most - last.least)
		return 'changing';
	const changes = readings.some((reading) => reading.least < most);
	if (isExhausted(readings, seen)) return changes ? 'changing' : 'same each time';
	// There is news each time, and not much of it.
	const isMoving = changes && readings.length === MOST_READINGS && isFew(slipped(readings, 1), seen);
	return isMoving ? 'changing' : 'incomplete';
}

/**
 * Whether it is worth going through the list once more: not where it changes faster than it can be read, nor where pages
 * beyond some place hold known rows alone, each time.
 *
 * @param seen different rows of all readings
 */
export function readsOn(readings: readonly Reading[], seen: number): boolean {
	if (readings.length < READINGS) return true;
	const { most } = totalsOf(readings);
	const isSlow = most < 2 * readings[0]!.most && isFew(slipped(readings, 1), seen);
	const leads = readings.some(({ ended, stuck }) => ended && !stuck);
	return seen > 0 && isSlow && leads && readings.length < MOST_READINGS;
}

const isFew = (news: number, seen: number) => news <= Math.max(1, seen / FEW);

/** Rows that are new in the last readings, beyond those that came to the list meanwhile: earlier readings missed them. */
function slipped(readings: readonly Reading[], times: number): number {
	const news = readings.slice(-times).reduce((sum, reading) => sum + reading.news, 0);
	const before = readings[readings.length - 1 - times]!.least;
	return news - Math.max(0, totalsOf(readings.slice(-times)).most - before);
}

/**
 * The last readings brought nothing that earlier ones missed. Of a list that is sorted anew for each page, each brings a
 * part of the rows, by chance: one that none of them brought is not there, most likely.
 */
function isExhausted(readings: readonly Reading[], seen: number): boolean {
	let missed = 1;
	for (let times = 1; times < readings.length && slipped(readings, times) <= 0; times++) {
		const { keys, ended, stuck, isShuffled } = readings[readings.length - times]!;
		// In one order, it missed nothing by chance: what it did not bring is out of its reach.
		if (ended && !stuck && isShuffled) missed *= 1 - keys.size / seen;
		if (times > 1 && missed < UNLIKELY) return true;
	}
	return false;
}

/** The last reading gave all that the others did and nothing else, or brought nothing new after another that did not. */
function isSettled(readings: readonly Reading[], seen: number): boolean {
	const [before, last] = readings.slice(-2);
	if (!last || last.news > 0) return false;
	return last.keys.size === seen || before!.news === 0 || readings.length >= READINGS;
}

/** The same rows, though the list was cut at other places, or at none. */
function isSame(one: Reading, other: Reading): boolean {
	if (!one.ended || one.stuck || one.keys.size !== other.keys.size) return false;
	return one.largestPage !== other.largestPage || one.keys.size <= one.largestPage;
}

/** Pages that nobody asked for in that size have so many rows, or some times as many. */
const FIXED_PAGE = 50;

/**
 * Whether what came may be the first page alone, since the service goes by no page asked for, and its total may count that
 * one: it is as large as was asked for, or as there was room for, or a round number of rows whatever is asked for.
 */
export function mayBeOnePage(readings: readonly Reading[]): boolean {
	const sizes = new Set(readings.map(({ largestPage }) => largestPage));
	return readings.every(({ ignoresPage, largestPage, keys, options, isCut }) => {
		const isFixed = sizes.size === 1 && largestPage % FIXED_PAGE === 0;
		const isFull = isCut || largestPage >= options.pageSize;
		return ignoresPage && keys.size === largestPage && (isFull || isFixed);
	});
}

/** The largest total that was named, and all of them in words. */
export function totalsOf(readings: readonly Reading[]): { most: number; said: string } {
	const most = Math.max(...readings.map((reading) => reading.most));
	const least = Math.min(...readings.map((reading) => reading.least));
	return { most, said: least === most ? String(most) : `${least} to ${most}` };
}
