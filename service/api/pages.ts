import { isServiceError, ServiceError } from '../errors';
import { isSet } from '../model/set';
import type { Logger } from '../surroundings';
import { isRoundCount, leavesOut, type Narrower } from './narrower';
import { isBehindEnd, refusesPage, type AskPage, type PagingStyle, type Row } from './page';
import { pageOrFailure } from './question';
import { Reading } from './reading';
import { RowNames } from './rowNames';
import { completenessOf, mayBeOnePage, READINGS, readsOn, totalsOf, type Completeness } from './completeness';

/** How a list is asked for: page by page (interface, 2.5). */
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
	/** Told once, when all came and the service speaks of another number: a sentence with both; and what a search can do. */
	onDoubt?: (sentence: string, remedy?: string) => void;
	/** Told once, when all came that can be had by the total, and the answers name a larger one beside it, or more that follow: a sentence with both. */
	onOtherTotal?: (sentence: string) => void;
	/** Told once of what the service warns of, in a sentence. */
	onWarning?: (sentence: string) => void;
	/**
	 * Told once, when all came: which rows were given before the list changed, and were there no more when it was read again.
	 * Its answer is whether that leaves it open which of them are past.
	 */
	onPast?: (isPast: (row: unknown) => boolean) => boolean;
	/** Told with each page: how many pages of the list have not come yet, as far as the service says. */
	onPage?: (pagesLeft: number) => void;
}

/** The largest page that is asked for by ourselves, in rows and in bytes. */
const LARGEST_PAGE = { rows: 1_000, bytes: 8 * 1024 * 1024 };

/** Search engines count no further unless they are told to. */
const COUNTED_BY_ENGINES = 10_000;

/** A list that ends at such a number, and is refused beyond, may end there because nothing further is counted. */
const ROUND = 1_000;

/** The most sets that one search gives. */
const MOST_SETS = 1_000_000;

const ONE_CUSTOMER =
	'A part would look like all, so nothing is given. Ask for one customer at a time, and tell the service.';

interface SearchOptions extends Paging {
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
 * before it. Where it is less, or pages do not meet, the list is read again with another page size; rows found then come
 * last. One page: {@link ./page pageAsker}; one way through: {@link Reading}; whether that is all: {@link completenessOf}.
 */
export async function* searchRows(
	askPage: AskPage,
	{
		limit = Infinity,
		logger,
		width,
		onDoubt,
		onOtherTotal,
		onWarning,
		onPage,
		onPast,
		pageSize,
		endsFirst = false,
		partIsFine,
		narrower,
	}: SearchOptions,
): AsyncGenerator<Row[]> {
	const seen = new Set<string>();
	/** What each row is called, where somebody asks for those that are past. */
	const given = new WeakMap<object, string>();
	const names = new RowNames();
	const readings: Reading[] = [];
	let isWarned = false;
	/** The largest page that may be asked for. */
	let largest = LARGEST_PAGE.rows;
	/** Readings that ended at a page which was there when they began. */
	const broken: Reading[] = [];
	/** Behind its end, which comes before its total says, the list has no pages. */
	let endsEarly = false;
	while (readsOn(readings, seen.size)) {
		const reading: Reading = new Reading(askPage, {
			pageSize: Math.max(1, Math.min(nextPageSize(pageSize, readings, largest), limit)),
			width,
			endsFirst: endsFirst && readings.length === 0,
			exact: readings.length > 0,
			endsEarly,
			names,
			wanted: () => limit - seen.size,
		});
		const seenBefore = seen.size;
		try {
			for await (const rows of reading.pages()) {
				onPage?.(reading.pagesLeft);
				if (reading.warning !== undefined && !isWarned)
					onWarning?.(`The service warns: "${reading.warning}"`);
				isWarned ||= reading.warning !== undefined;
				const fresh = rows.filter(({ key }) => !seen.has(key) && seen.add(key));
				if (onPast) for (const { key, value } of fresh) if (isSet(value)) given.set(value, key);
				const room = limit - (seen.size - fresh.length);
				if (fresh.length > 0) yield fresh.slice(0, room);
				if (seen.size >= limit) return;
				if (seen.size > MOST_SETS) throw tooMany();
			}
		} catch (error) {
			// A larger page than the user asked for, and the service takes none so large.
			const isOurs = reading.options.pageSize > pageSize && reading.keys.size === 0;
			const isRefused = isServiceError(error) && error.code === 'rejected';
			if (isOurs && isRefused && largest !== pageSize) {
				largest = pageSize;
				continue;
			}
			// What was the last page is refused where sets have left the list meanwhile, or it counts more than it shows.
			const isBehind = reading.keys.size > 0 && isServiceError(error) && refusesPage(error, 1);
			if (!isBehind || broken.push(reading) === READINGS) throw error;
			const isGone = await isShorter(askPage, reading.most);
			const mayBeEnd = isBehindEnd(error) && reading.keys.size * 2 > reading.most;
			if (!isGone && (endsEarly || !mayBeEnd)) throw error;
			endsEarly ||= mayBeEnd;
			continue;
		}
		reading.news = seen.size - seenBefore;
		readings.push(reading);
		const all = [...broken, ...readings];
		const { most, said } = totalsOf(all);
		// A service that has lost its list for a while, or makes it anew, says the same as one whose list got so short; where
		// all is still there that came, the larger number was wrong.
		const isLost = reading.most * 2 < most && reading.keys.size < seen.size;
		const found = isLost ? 'incomplete' : completenessOf(readings, seen.size);
		// What came of a reading that broke off was given, so what was said then counts as well.
		const completeness = found === 'all' && seen.size < most ? 'changing' : found;
		const isOnePage = completeness !== 'incomplete' && mayBeOnePage(readings);
		if (isOnePage && readings.length > 1) {
			if (partIsFine) return;
			throw onePage(said, seen.size);
		}
		if (completeness !== 'incomplete' && !isOnePage) {
			const otherTotal = Math.max(...all.map((one) => one.otherTotal));
			const mayBeCut = seen.size === most && isRoundCount(most) && !reading.overfull;
			const isSteady = completeness !== 'changing';
			const leftOut = isSteady ? await narrower?.customerLeftOut(most, (id) => seen.has(id)) : undefined;
			if (leftOut !== undefined) {
				if (partIsFine) return;
				throw leavesOut(leftOut.customerId, ONE_CUSTOMER);
			}
			const goesOn = mayBeCut ? await narrower?.showMore(most, (id) => seen.has(id)) : undefined;
			if (goesOn === 'yes') {
				if (partIsFine) return;
				throw countsNoFurther(most);
			}
			const isPast = (row: unknown) => isSet(row) && !reading.keys.has(given.get(row) ?? '');
			// A row that a reading which is all by itself did not show is there no more.
			const isOpen = completenessOf([reading], reading.keys.size) === 'all' && onPast?.(isPast) === true;
			if (completeness !== 'all' || isOpen)
				onDoubt?.(doubt(isOpen ? 'changing' : completeness, said, seen.size));
			else if (goesOn === 'unknown' || listMayGoOn(seen.size, reading.endsInRefusal))
				onDoubt?.(mayBeCapped(seen.size), 'Filters that match fewer sets show it.');
			else if (otherTotal > seen.size) onOtherTotal?.(contradictingTotals(otherTotal, said, seen.size));
			else if (reading.endsWithMore) onOtherTotal?.(moreWithoutEnd(said, seen.size));
			return;
		}
		logger.debug(
			`The service says that ${said} sets match, and ${seen.size} came in ${readings.length} readings.`,
		);
	}
	if (!partIsFine) throw incomplete(totalsOf([...broken, ...readings]).said, seen.size, readings.length);
}

/** Whether fewer sets match by now. */
async function isShorter(askPage: AskPage, most: number): Promise<boolean> {
	const first = await pageOrFailure(askPage(0, 1));
	return !isServiceError(first) && first.total < most;
}

/**
 * Another page size for each reading: if it may be, one page for the whole list, in which no row can be skipped; otherwise
 * one that cuts the list at other places.
 */
function nextPageSize(pageSize: number, readings: readonly Reading[], largest: number): number {
	const last = readings[readings.length - 1];
	if (!last) return pageSize;
	const { options, largestPage, most, rowBytes, isThinned } = last;
	const whole = Math.min(largest, Math.floor(LARGEST_PAGE.bytes / Math.max(1, rowBytes)));
	const isCut = largestPage < Math.min(options.pageSize, most);
	const isNew = readings.every((reading) => reading.options.pageSize < whole);
	if (isCut ? isThinned && isNew : whole > options.pageSize) return whole;
	const further = readings.length - READINGS;
	if (further >= 0) {
		// Ever smaller ones would cost ever more.
		const page = Math.max(1, ...readings.map((reading) => reading.largestPage));
		return page - (further % page);
	}
	const size = Math.floor(largestPage * 0.7);
	return size > 0 ? size : options.pageSize + 1;
}

function doubt(completeness: Completeness, said: string, count: number): string {
	return completeness === 'changing'
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
	return `The service says that ${count} sets match, and gave ${count} different ones. Some services count no further than to such a number: there may be more.`;
}

function contradictingTotals(other: number, said: string, count: number): string {
	return `The service says that ${said} sets match, and in another place of its answer that there are ${other}. It gave ${count} different ones, and nothing behind them.`;
}

function moreWithoutEnd(said: string, count: number): string {
	return `The service says that ${said} sets match, and behind the last of them that more follow. It gave ${count} different ones, and nothing behind them.`;
}

function incomplete(said: string, count: number, times: number): ServiceError {
	return new ServiceError(
		'unexpectedResponse',
		`The service says that ${said} sets match, and gave ${count} different ones in ${times} readings.`,
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

function tooMany(): ServiceError {
	return new ServiceError('unexpectedResponse', `More than ${MOST_SETS.toLocaleString('en')} sets match.`, {
		remedy: 'Choose filters that match fewer sets, or set a limit.',
	});
}
