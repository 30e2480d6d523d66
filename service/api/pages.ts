import { ServiceError } from '../errors';
import type { SetResult } from '../model/set';
import type { Logger } from '../surroundings';
import { inOrder } from './inOrder';
import type { AskPage, Page, PagingStyle } from './page';

export interface Paging {
	style: PagingStyle;
	/** Sets per page asked for. */
	pageSize: number;
	/** Stop after so many sets; undefined for all. */
	limit?: number;
}

/** How often a list that moves while it is read is gone through. */
const PASSES = 3;

/** The most sets that one search gives. */
const MOST_SETS = 1_000_000;

/** So many pages in a row without one new set: the service repeats itself. */
const PAGES_OF_REPEATS = 3;

export interface ScanOptions extends Paging {
	/** How many pages are asked for side by side. */
	width: number;
	logger: Logger;
}

/**
 * Goes through a search page by page and gives every set once, in the service's order.
 *
 * The list is paged by offset and may move while it is read: a set that leaves it makes the next page skip one. So a
 * list that got shorter, or that repeated itself, is gone through again for what was missed, up to three times; the
 * sets found then come last. Never a part called all: what cannot be had completely is an error.
 */
export async function* scanSets(askPage: AskPage, options: ScanOptions): AsyncGenerator<SetResult[]> {
	const { limit = Infinity, logger } = options;
	const seen = new Set<string>();
	for (let pass = 1; pass <= PASSES; pass++) {
		const seenBefore = seen.size;
		const scan = new Scan(askPage, options);
		for await (const sets of scan.pages(() => limit - seen.size)) {
			const fresh = sets.filter(({ setId }) => !seen.has(setId) && seen.add(setId));
			const room = limit - (seen.size - fresh.length);
			if (fresh.length > 0) yield fresh.slice(0, room);
			if (seen.size >= limit) return;
			if (seen.size > MOST_SETS) throw tooMany();
		}
		const complete = seen.size >= scan.total || !scan.hadOnlyRepeats;
		if (!scan.moved || (pass > 1 && seen.size === seenBefore && complete)) return;
		if (pass > 1 && seen.size === seenBefore) throw onlyRepeats({ offset: seen.size, total: scan.total });
		logger.debug(`The list of sets changed while it was read; reading it again (${pass} of ${PASSES}).`);
	}
	throw new ServiceError('unexpectedResponse', 'The list of sets kept changing while it was read.', {
		remedy: 'Try again, or choose filters that match fewer sets.',
	});
}

/** One way through the list. */
class Scan {
	private readonly ids = new Set<string>();
	/** As the newest answer says. */
	total = 0;
	/** A page came that held not one new set. */
	hadOnlyRepeats = false;
	private firstTotal: number | undefined;
	private shrank = false;
	private repeated = false;
	private pagesOfRepeats = 0;

	constructor(
		private readonly askPage: AskPage,
		private readonly options: ScanOptions,
	) {}

	/**
	 * Whether sets may have been skipped. A list that only grew gives some sets twice and skips none of those that were
	 * there at the start.
	 */
	get moved(): boolean {
		return this.shrank || (this.repeated && this.total <= (this.firstTotal ?? 0));
	}

	/** @param wanted how many more sets the reader takes */
	async *pages(wanted: () => number): AsyncGenerator<SetResult[]> {
		const { pageSize, limit = Infinity, width } = this.options;
		const first = await this.ask(0, Math.max(1, Math.min(pageSize, limit)));
		yield first.sets;
		if (first.full && first.sets.length >= first.total) {
			yield* this.beyond(first.sets.length, wanted);
			return;
		}
		// A service may give smaller pages than asked for: what it gave is the step.
		const step = first.sets.length;
		let next = step;
		// Alone: it tells whether the service obeys the offset at all.
		if (next < this.total) {
			yield await this.whole(next, step);
			next += step;
		}
		while (next < this.total && wanted() > 0) {
			const end = Math.min(this.total, next + wanted());
			const offsets: number[] = [];
			for (; next < end && offsets.length < 1_000; next += step) offsets.push(next);
			yield* inOrder(offsets, width, (offset) => this.whole(offset, step));
		}
	}

	/**
	 * What follows a full first page that calls itself all. `total` may count the sets of that page alone, so the next page is
	 * asked for: one after the other, until nothing new comes. A service that has no next page has given all.
	 */
	private async *beyond(firstPage: number, wanted: () => number): AsyncGenerator<SetResult[]> {
		for (let next = firstPage; wanted() > 0;) {
			const page = await this.askPage(next, firstPage);
			const isSecond = next === firstPage;
			if (page instanceof ServiceError) {
				if (isSecond) return;
				throw page;
			}
			if (page.sets.length === 0 || (isSecond && page.sets.every(({ setId }) => this.ids.has(setId)))) return;
			if (this.noted(page.sets) === 0) throw onlyRepeats(page);
			yield page.sets;
			next += page.sets.length;
		}
	}

	/** A page of so many sets, in several calls when the service gives fewer at a time. */
	private async whole(offset: number, size: number): Promise<SetResult[]> {
		const { sets } = await this.ask(offset, size);
		const all = sets.slice(0, size);
		while (all.length < size && offset + all.length < this.total) {
			const rest = await this.ask(offset + all.length, size - all.length);
			all.push(...rest.sets.slice(0, size - all.length));
		}
		return all;
	}

	/** Asks for a page and notes what it tells about the list. */
	private async ask(offset: number, limit: number): Promise<Page> {
		const page = await this.askPage(offset, limit);
		if (page instanceof ServiceError) throw page;
		this.firstTotal ??= page.total;
		this.shrank ||= page.total < this.total;
		this.total = page.total;
		if (page.sets.length === 0 && offset < page.total) throw emptyPage(page);
		// What is more than asked for comes with the next page as well; the first one is taken as it is.
		const fresh = this.noted(offset === 0 ? page.sets : page.sets.slice(0, limit));
		this.pagesOfRepeats = fresh === 0 && page.sets.length > 0 ? this.pagesOfRepeats + 1 : 0;
		this.hadOnlyRepeats ||= this.pagesOfRepeats > 0;
		if (this.pagesOfRepeats >= PAGES_OF_REPEATS) throw onlyRepeats(page);
		return page;
	}

	/** @returns how many of them did not come before */
	private noted(sets: readonly SetResult[]): number {
		const before = this.ids.size;
		for (const { setId } of sets) this.ids.add(setId);
		const fresh = this.ids.size - before;
		this.repeated ||= fresh < sets.length;
		return fresh;
	}
}

function emptyPage({ offset, total }: Pick<Page, 'offset' | 'total'>): ServiceError {
	return new ServiceError(
		'unexpectedResponse',
		`The service says that ${total} sets match and sent none from number ${offset + 1} on.`,
		{ remedy: 'Try again. If it stays, choose filters that match fewer sets, and tell the service.' },
	);
}

function onlyRepeats({ offset, total }: Pick<Page, 'offset' | 'total'>): ServiceError {
	return new ServiceError(
		'unexpectedResponse',
		`The service says that ${total} sets match and sent only sets it had sent before, up to number ${offset + 1}.`,
		{
			remedy:
				'Choose another way under Paging in the options, or filters that match fewer sets, and tell the service.',
		},
	);
}

function tooMany(): ServiceError {
	return new ServiceError('unexpectedResponse', `More than ${MOST_SETS.toLocaleString('en')} sets match.`, {
		remedy: 'Choose filters that match fewer sets, or set a limit.',
	});
}
