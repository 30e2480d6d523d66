import { isServiceError, ServiceError } from '../errors';
import { isSet } from '../model/set';
import type { Logger } from '../surroundings';
import { isRoundCount, leavesOut, type Narrower } from './narrower';
import {
	isBehindEnd,
	LARGEST_PAGE_BYTES,
	refusesPage,
	type AskPage,
	type PageWanted,
	type PagingStyle,
	type Row,
} from './page';
import { pageOrFailure } from './question';
import { Reading } from './reading';
import { RowNames } from './rowNames';
import { completenessOf, mayBeOnePage, READINGS, readsOn, totalsOf, type Completeness } from './completeness';

/** How a list is asked for: page by page (interface, 2.5). */
export interface Paging extends PageWanted {
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

/** Rows of the largest page that is asked for by ourselves. */
const LARGEST_PAGE_ROWS = 1_000;

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
export async function* searchRows(askPage: AskPage, options: SearchOptions): AsyncGenerator<Row[]> {
	const search = new Search(askPage, options);
	while (search.readsOn) {
		const reading = search.nextReading();
		try {
			for await (const rows of reading.pages()) {
				const fresh = search.take(reading, rows);
				if (fresh.length > 0) yield fresh;
				if (search.hasEnough) return;
				if (search.hasTooMany) throw tooMany();
			}
		} catch (error) {
			await search.brokeOff(reading, error);
			continue;
		}
		if (await search.endsWith(reading)) return;
	}
	if (!options.partIsFine) throw search.incomplete();
}

/** What came of a search so far, in all its readings. */
class Search {
	private readonly seen = new Set<string>();
	/** What each row is called, where somebody asks for those that are past. */
	private readonly given = new WeakMap<object, string>();
	private readonly names = new RowNames();
	private readonly readings: Reading[] = [];
	/** Readings that ended at a page which was there when they began. */
	private readonly broken: Reading[] = [];
	private isWarned = false;
	/** The largest page that may be asked for. */
	private largest = LARGEST_PAGE_ROWS;
	/** Behind its end, which comes before its total says, the list has no pages. */
	private endsEarly = false;
	private readonly limit: number;

	constructor(
		private readonly askPage: AskPage,
		private readonly options: SearchOptions,
	) {
		this.limit = options.limit ?? Infinity;
	}

	get readsOn(): boolean {
		return readsOn(this.readings, this.seen.size);
	}

	get hasEnough(): boolean {
		return this.seen.size >= this.limit;
	}

	get hasTooMany(): boolean {
		return this.seen.size > MOST_SETS;
	}

	/** Nobody stops on the way, or can do with a part. */
	private get isForAll(): boolean {
		return this.limit === Infinity && !this.options.endsFirst && !this.options.partIsFine;
	}

	nextReading(): Reading {
		const { pageSize, width, endsFirst = false } = this.options;
		const size = Math.min(nextPageSize(pageSize, this.readings, this.largest), this.limit);
		return new Reading(this.askPage, {
			pageSize: Math.max(1, size),
			width,
			endsFirst: endsFirst && this.readings.length === 0,
			exact: this.readings.length > 0,
			endsEarly: this.endsEarly,
			names: this.names,
			wanted: () => this.limit - this.seen.size,
		});
	}

	/** The rows of a page that are wanted and had not come. */
	take(reading: Reading, rows: readonly Row[]): Row[] {
		const { seen, options } = this;
		options.onPage?.(reading.pagesLeft);
		if (reading.warning !== undefined && !this.isWarned) {
			options.onWarning?.(`The service warns: "${reading.warning}"`);
			this.isWarned = true;
		}
		if (seen.size === 0 && this.isForAll && rows.length < reading.most && isRoundCount(reading.most))
			options.narrower?.begin(reading.most, rows);
		const room = this.limit - seen.size;
		const fresh = rows.filter(({ key }) => !seen.has(key) && seen.add(key));
		reading.news += fresh.length;
		if (options.onPast) for (const { key, value } of fresh) if (isSet(value)) this.given.set(value, key);
		return fresh.slice(0, room);
	}

	/** Does nothing where it is worth reading the list again after a page that did not come. @throws the error otherwise */
	async brokeOff(reading: Reading, error: unknown): Promise<void> {
		const { pageSize } = this.options;
		// A larger page than the user asked for, and the service takes none so large.
		const isOurs = reading.options.pageSize > pageSize && reading.keys.size === 0;
		const isRefused = isServiceError(error) && error.code === 'rejected';
		if (isOurs && isRefused && this.largest !== pageSize) {
			this.largest = pageSize;
			return;
		}
		// What was the last page is refused where sets have left the list meanwhile, or it counts more than it shows.
		const isBehind = reading.keys.size > 0 && isServiceError(error) && refusesPage(error, 1);
		if (!isBehind || this.broken.push(reading) === READINGS) throw error;
		const isGone = await isShorter(this.askPage, reading.most);
		const mayBeEnd = isBehindEnd(error) && reading.keys.size * 2 > reading.most;
		if (!isGone && (this.endsEarly || !mayBeEnd)) throw error;
		this.endsEarly ||= mayBeEnd;
	}

	/**
	 * Whether nothing is to be read after this reading; tells what is in doubt then.
	 *
	 * @throws ServiceError when what came is a part, or may be one, and reading again would not show it
	 */
	async endsWith(reading: Reading): Promise<boolean> {
		this.readings.push(reading);
		const completeness = this.completenessAfter(reading);
		const isComplete = completeness !== 'incomplete';
		const isOnePage = isComplete && mayBeOnePage(this.readings);
		if (!isComplete || (isOnePage && this.readings.length === 1)) {
			this.options.logger.debug(
				`The service says that ${this.totals.said} sets match, and ${this.seen.size} came in ${this.readings.length} readings.`,
			);
			return false;
		}
		const { error, mayGoOn = false } = isOnePage
			? { error: onePage(this.totals.said, this.seen.size) }
			: await this.comparedWithNarrower(reading, completeness);
		if (error && !this.options.partIsFine) throw error;
		if (!error) this.tellDoubts(reading, completeness, mayGoOn);
		return true;
	}

	incomplete(): ServiceError {
		return incomplete(this.totals.said, this.seen.size, this.readings.length);
	}

	/** Of all readings, also of those that broke off: what came of them was given, so what was said then counts as well. */
	private get totals() {
		return totalsOf([...this.broken, ...this.readings]);
	}

	private completenessAfter(reading: Reading): Completeness {
		const { most } = this.totals;
		const { size } = this.seen;
		// A service that has lost its list for a while, or makes it anew, says the same as one whose list got so short; where
		// all is still there that came, the larger number was wrong.
		if (reading.most * 2 < most && reading.keys.size < size) return 'incomplete';
		const found = completenessOf(this.readings, size);
		return found === 'all' && size < most ? 'changing' : found;
	}

	/** What searches with narrower filters show that this one does not: then it is an error. */
	private async comparedWithNarrower(
		{ overfull, endsInRefusal }: Reading,
		completeness: Completeness,
	): Promise<{ error?: ServiceError; mayGoOn?: boolean }> {
		const { narrower } = this.options;
		const { most } = this.totals;
		const { size } = this.seen;
		const has = (id: string) => this.seen.has(id);
		const leftOut = completeness === 'changing' ? undefined : await narrower?.customerLeftOut(most, has);
		if (leftOut !== undefined) return { error: leavesOut(leftOut.customerId, ONE_CUSTOMER) };
		const mayBeCut = size === most && isRoundCount(most) && !overfull;
		const goesOn = mayBeCut ? await narrower?.showMore(most, has) : undefined;
		if (goesOn === 'yes') return { error: countsNoFurther(most) };
		return { mayGoOn: goesOn === 'unknown' || listMayGoOn(size, endsInRefusal) };
	}

	private tellDoubts(reading: Reading, completeness: Completeness, mayGoOn: boolean): void {
		const { onDoubt, onOtherTotal, onPast } = this.options;
		const { said } = this.totals;
		const { size } = this.seen;
		const otherTotal = Math.max(...[...this.broken, ...this.readings].map((one) => one.otherTotal));
		const isPast = (row: unknown) => isSet(row) && !reading.keys.has(this.given.get(row) ?? '');
		// A row that a reading which is all by itself did not show is there no more.
		const isOpen = completenessOf([reading], reading.keys.size) === 'all' && onPast?.(isPast) === true;
		if (completeness !== 'all' || isOpen) onDoubt?.(doubt(isOpen ? 'changing' : completeness, said, size));
		else if (mayGoOn) onDoubt?.(mayBeCapped(size), 'Filters that match fewer sets show it.');
		else if (otherTotal > size) onOtherTotal?.(contradictingTotals(otherTotal, said, size));
		else if (reading.endsWithMore) onOtherTotal?.(moreWithoutEnd(said, size));
	}
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
	const whole = Math.min(largest, Math.floor(LARGEST_PAGE_BYTES / Math.max(1, rowBytes)));
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
