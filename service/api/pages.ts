import { isServiceError, ServiceError } from '../errors';
import type { Logger } from '../surroundings';
import { isRoundCount, type Narrower } from './narrower';
import type { AskPage, PagingStyle, Row } from './page';
import { Reading } from './reading';
import { RowNames } from './rowNames';

export interface Paging {
	style: PagingStyle;
	/** Sets per page asked for. */
	pageSize: number;
	/** Stop after so many sets; undefined for all. */
	limit?: number;
	/** Looks at both ends of the list and its middle first: for who looks for one set, and not for their order. */
	endsFirst?: boolean;
	/** Gives what there is where others get an error: for a list to choose from, beside which the rest can be typed. */
	partIsFine?: boolean;
	/** Told once, when all came and the service speaks of another number: a sentence with both. */
	onDoubt?: (sentence: string) => void;
	/** Told with each page: how many pages of the list have not come yet, as far as the service says. */
	onPage?: (pagesLeft: number) => void;
}

/** How often a list is gone through at most, when what came of it contradicts what was said of it. */
const READINGS = 5;

/** The largest page that is asked for by ourselves, in rows and in bytes. */
const LARGEST_PAGE = { rows: 1_000, bytes: 8 * 1024 * 1024 };

/** Search engines count no further unless they are told to. */
const COUNTED_BY_ENGINES = 10_000;

/** A list that ends at such a number, and is refused beyond, may end there because nothing further is counted. */
const ROUND = 1_000;

/** The most sets that one search gives. */
const MOST_SETS = 1_000_000;

export interface SearchOptions extends Paging {
	/** How many pages are asked for side by side, at most. */
	width: number;
	logger: Logger;
	/** Searches that a list of a round number of sets is compared with. */
	narrower?: Narrower;
}

/**
 * Goes through a search page by page and gives every row once, in the service's order: all, or an error. Never a part
 * called all.
 *
 * A list is paged by offset, may move while it is read, and where rows tie, each page may sort them anew: then some come
 * twice and others never. So what came is compared with what was said, and each page begins with the last row of the one
 * before it. Where it is less, or pages do not meet, the list is read again with another page size; rows found then come last. Whether that is all, {@link verdictOn} decides.
 */
export async function* searchRows(
	askPage: AskPage,
	{
		limit = Infinity,
		logger,
		width,
		onDoubt,
		onPage,
		pageSize,
		endsFirst = false,
		partIsFine,
		narrower,
	}: SearchOptions,
): AsyncGenerator<Row[]> {
	const seen = new Set<string>();
	const names = new RowNames();
	const readings: Reading[] = [];
	/** The largest page that may be asked for. */
	let largest = LARGEST_PAGE.rows;
	while (readings.length < READINGS) {
		const reading = new Reading(askPage, {
			pageSize: Math.max(1, Math.min(nextPageSize(pageSize, readings, largest), limit)),
			width,
			endsFirst: endsFirst && readings.length === 0,
			exact: readings.length > 0,
			names,
			wanted: () => limit - seen.size,
		});
		const seenBefore = seen.size;
		try {
			for await (const rows of reading.pages()) {
				onPage?.(reading.pagesLeft);
				const fresh = rows.filter(({ key }) => !seen.has(key) && seen.add(key));
				const room = limit - (seen.size - fresh.length);
				if (fresh.length > 0) yield fresh.slice(0, room);
				if (seen.size >= limit) return;
				if (seen.size > MOST_SETS) throw tooMany();
			}
		} catch (error) {
			// A larger page than the user asked for, and the service takes none so large.
			const isOurs = readings.length > 0 && reading.options.pageSize > pageSize && reading.keys.size === 0;
			const isRefused = isServiceError(error) && error.code === 'rejected';
			if (!isOurs || !isRefused || largest === pageSize) throw error;
			largest = pageSize;
			continue;
		}
		reading.news = seen.size - seenBefore;
		readings.push(reading);
		const verdict = verdictOn(readings, seen.size);
		const isOnePage = verdict !== 'incomplete' && mayBeOnePage(readings);
		if (isOnePage && readings.length > 1) {
			if (partIsFine) return;
			throw onePage(totalsOf(readings).said, seen.size);
		}
		if (verdict !== 'incomplete' && !isOnePage) {
			const { most, said } = totalsOf(readings);
			const mayBeCut = seen.size === most && isRoundCount(most) && !reading.overfull;
			const isSteady = verdict !== 'changing';
			const leftOut = isSteady ? await narrower?.customerLeftOut(most, (id) => seen.has(id)) : undefined;
			if (leftOut !== undefined) {
				if (partIsFine) return;
				throw leavesOut(leftOut);
			}
			const goesOn = mayBeCut ? await narrower?.showMore(most, (id) => seen.has(id)) : 'no';
			if (goesOn === 'yes') {
				if (partIsFine) return;
				throw countsNoFurther(most);
			}
			if (verdict !== 'all') onDoubt?.(doubt(verdict, said, seen.size));
			else if (goesOn === 'unknown' || listMayGoOn(seen.size, reading.endsInRefusal))
				onDoubt?.(mayBeCapped(seen.size));
			return;
		}
		logger.debug(
			`The service says that ${totalsOf(readings).said} sets match, and ${seen.size} came; reading again (${readings.length} of ${READINGS}).`,
		);
	}
	if (!partIsFine) throw incomplete(totalsOf(readings).said, seen.size);
}

/** What came is all; is all though more was spoken of; is all as far as can be known of a list that changes; is not all. */
type Verdict = 'all' | 'same each time' | 'changing' | 'incomplete';

/**
 * Whether what came is all there is.
 *
 * @param seen different rows of all readings
 */
function verdictOn(readings: readonly Reading[], seen: number): Verdict {
	const last = readings[readings.length - 1];
	const fresh = last?.news ?? 0;
	const { most } = totalsOf(readings);
	// As many as were ever said, and it was always the same number: however they came, no more can be.
	if (last && seen > 0 && seen === most && readings.every((reading) => reading.least === most)) {
		if (readings.every((reading) => reading.isOfOnePiece)) return 'all';
		// A row may slip past pages that are not of one list; then another way through them brings it. Where places of the
		// list never came, rows may also have left it, and others come.
		if (isSettled(readings, seen)) return last.isCovered ? 'all' : 'changing';
	}
	if (!last?.ended || last.stuck) return 'incomplete';
	const count = last.keys.size;
	// As many as were said, in one go. More are fine where each came once; with repeats, the number says nothing.
	const isEnough =
		last.repeats === 0 ? count >= last.most : count === last.most && !last.shrank && !last.grew;
	if (isEnough && (last.isOfOnePiece || isSettled(readings, seen))) return 'all';
	if (readings.length === 1 || count === 0) return 'incomplete';
	// The same rows twice, whatever is said of their number.
	if (fresh === 0 && count === seen && readings.slice(0, -1).some((one) => isSame(one, last))) {
		return 'same each time';
	}
	// Enough each time, and other ones.
	if (isEnough && !last.grew && !last.shrank && readings.length === READINGS) return 'changing';
	// It got shorter, and another way through it brought nothing new.
	if (last.shrank && fresh === 0 && seen >= last.least && last.least > 0) return 'changing';
	// It only grew: what came twice made room for what came new, and nothing was skipped.
	if (last.grew && !last.shrank && count >= last.least && last.repeats <= last.most - last.least)
		return 'changing';
	return 'incomplete';
}

/** The last reading gave all that the others did and nothing else, or brought nothing new after another that did not. */
function isSettled(readings: readonly Reading[], seen: number): boolean {
	const [last, before] = [...readings].reverse();
	if (!last || !before || last.news > 0) return false;
	return last.keys.size === seen || before.news === 0 || readings.length === READINGS;
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
 * one: it is as large as was asked for, or a round number of rows whatever is asked for.
 */
function mayBeOnePage(readings: readonly Reading[]): boolean {
	const sizes = new Set(readings.map(({ largestPage }) => largestPage));
	return readings.every(({ ignoresPage, largestPage, keys, options }) => {
		const isFixed = sizes.size === 1 && largestPage % FIXED_PAGE === 0;
		return ignoresPage && keys.size === largestPage && (largestPage >= options.pageSize || isFixed);
	});
}

/** The largest total that was named, and all of them in words. */
function totalsOf(readings: readonly Reading[]): { most: number; said: string } {
	const most = Math.max(...readings.map((reading) => reading.most));
	const least = Math.min(...readings.map((reading) => reading.least));
	return { most, said: least === most ? String(most) : `${least} to ${most}` };
}

/**
 * Another page size for each reading: if it may be, one page for the whole list, in which no row can be skipped; otherwise
 * one that cuts the list at other places.
 */
function nextPageSize(pageSize: number, readings: readonly Reading[], largest: number): number {
	const last = readings[readings.length - 1];
	if (!last) return pageSize;
	const { options, largestPage, most, rowBytes } = last;
	const isCut = largestPage < Math.min(options.pageSize, most);
	const whole = Math.min(largest, Math.floor(LARGEST_PAGE.bytes / Math.max(1, rowBytes)));
	if (!isCut && whole > options.pageSize) return whole;
	const size = Math.floor(largestPage * 0.7);
	return size > 0 ? size : options.pageSize + 1;
}

function doubt(verdict: Verdict, said: string, count: number): string {
	return verdict === 'changing'
		? `The list changed while it was read: the service says that ${said} sets match, and gave ${count} different ones. One that came or went meanwhile may be missing.`
		: `The service says that ${said} sets match, and gives ${count} different ones however it is asked: these are all that it gives.`;
}

/**
 * Whether a list of so many rows may go on, since services that count no further end their lists so.
 *
 * @param isRefused the service refused what would follow
 */
export function listMayGoOn(count: number, isRefused: boolean): boolean {
	return count === COUNTED_BY_ENGINES || (isRefused && count > 0 && count % ROUND === 0);
}

function mayBeCapped(count: number): string {
	return `The service says that ${count} sets match, and gave ${count} different ones. Some services count no further than to such a number: there may be more. Filters that match fewer sets show it.`;
}

function incomplete(said: string, count: number): ServiceError {
	return new ServiceError(
		'unexpectedResponse',
		`The service says that ${said} sets match, and gave ${count} different ones in ${READINGS} readings.`,
		{
			remedy:
				'A part would look like all, so nothing is given. Try again; if it stays, choose filters that match fewer sets, or another way under Paging in the options, and tell the service.',
			incomplete: true,
		},
	);
}

function onePage(said: string, count: number): ServiceError {
	return new ServiceError(
		'unexpectedResponse',
		`The service says that ${said} sets match, and gave ${count} whichever page it was asked for: whether there are more cannot be seen.`,
		{
			remedy:
				'A part would look like all, so nothing is given. Choose filters that match fewer sets, or another way under Paging in the options, and tell the service that it does not go by the page asked for.',
			incomplete: true,
		},
	);
}

function countsNoFurther(count: number): ServiceError {
	return new ServiceError(
		'unexpectedResponse',
		`The service says that ${count} sets match, and gave ${count}, but a narrower search shows others: it counts no further than that.`,
		{
			remedy: 'A part would look like all, so nothing is given. Choose filters that match fewer sets.',
			incomplete: true,
		},
	);
}

function leavesOut(customerId: string): ServiceError {
	return new ServiceError(
		'unexpectedResponse',
		`The service shows sets of customer ${customerId} that it leaves out where several customers are asked for.`,
		{
			remedy:
				'A part would look like all, so nothing is given. Ask for one customer at a time, and tell the service.',
			incomplete: true,
		},
	);
}

function tooMany(): ServiceError {
	return new ServiceError('unexpectedResponse', `More than ${MOST_SETS.toLocaleString('en')} sets match.`, {
		remedy: 'Choose filters that match fewer sets, or set a limit.',
	});
}
