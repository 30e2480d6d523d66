import { isServiceError, ServiceError } from '../errors';
import { inOrder } from './inOrder';
import type { AskPage, Page, Row } from './page';

/** So many pages in a row without one new set: nothing more comes. */
const PAGES_WITHOUT_NEWS = 3;

/** The last page and the middle one are asked for alone, since either may be all that is wanted. */
const LOOKS = 2;

/** Pages are made smaller until one has about so many bytes. */
const PAGE_BYTES = 2 * 1024 * 1024;

/** Pages that are read side by side have about so many bytes together. */
const BYTES_SIDE_BY_SIDE = 4 * 1024 * 1024;

export interface ReadingOptions {
	/** Rows per page asked for. */
	pageSize: number;
	/** How many pages are asked for side by side, at most. */
	width: number;
	/** Both ends of the list and its middle first: for who looks for one set, and not for their order. */
	endsFirst: boolean;
	/** Whether pages are cut to the size asked for: where the list is cut is what matters. */
	exact: boolean;
	/** How many more sets are wanted. */
	wanted(): number;
}

/**
 * One way through a search, page by page to its end, which is where no more comes: what a service says about how many
 * there are may count this page alone, or be too small. It tells afterwards what it saw.
 */
export class Reading {
	/** The rows that came, each once. */
	readonly keys = new Set<string>();
	/** The smallest and the largest number of sets that match, of those that the answers named. */
	least = Infinity;
	most = 0;
	/** The totals went down on the way, or up. */
	shrank = false;
	grew = false;
	/** Rows that came more than once. */
	repeats = 0;
	/** Nothing came any more where something had to come if there was more. */
	ended = false;
	/** In place of rows that were due, a page held only known ones: the service may not go by the page asked for. */
	stuck = false;
	/** The most rows that came in one answer. */
	largestPage = 0;
	/** Bytes of a row, on average, as it comes. */
	rowBytes = 0;

	private total: number | undefined;
	private withoutNews = 0;
	private lastPageFull = false;

	constructor(
		private readonly askPage: AskPage,
		readonly options: ReadingOptions,
	) {}

	async *pages(): AsyncGenerator<readonly Row[]> {
		const { pageSize, wanted, endsFirst, exact } = this.options;
		const first = await this.ask(0, pageSize);
		yield first.rows;
		const count = first.rows.length;
		if (count >= this.most) {
			this.lastPageFull = first.full;
			if (count > 0) yield* this.beyond(count, count, first.full || isPageLike(count));
			else this.ended = true;
			return;
		}
		let next = (exact ? Math.min(count, pageSize) : count) || pageSize;
		if (endsFirst) yield* this.fromEnds(next);
		else if (next < this.most && wanted() > 0) {
			// Alone: it tells whether the service obeys the offset at all, and how many rows it gives at a time.
			const second = await this.window(next, first.full ? next : pageSize);
			yield second;
			next += second.length || pageSize;
			while (next < this.most && wanted() > 0 && !this.over) {
				const step = this.step;
				const end = Math.min(this.most, next + wanted());
				const offsets: number[] = [];
				for (; next < end && offsets.length < 1_000; next += step) offsets.push(next);
				yield* this.windows(offsets, step);
			}
		}
		if (this.over || wanted() <= 0) return;
		const end = Math.max(next, this.most);
		if (this.lastPageFull || this.keys.size < this.most) yield* this.beyond(end, this.step, true);
		else this.ended = true;
	}

	/** Rows per page from here on: as many as came, as long as they are small. */
	private get step(): number {
		const affordable = this.rowBytes > 0 ? Math.floor(PAGE_BYTES / this.rowBytes) : Infinity;
		return Math.max(1, Math.min(this.largestPage || this.options.pageSize, affordable));
	}

	private get over(): boolean {
		return this.withoutNews >= PAGES_WITHOUT_NEWS;
	}

	private async *windows(offsets: readonly number[], step: number): AsyncGenerator<readonly Row[]> {
		const abreast = Math.floor(BYTES_SIDE_BY_SIDE / (step * this.rowBytes || 1));
		const width = Math.max(1, Math.min(this.options.width, abreast));
		for await (const rows of inOrder(offsets, width, (offset) => this.window(offset, step))) {
			yield rows;
			if (this.over) return;
		}
	}

	/**
	 * The last page, the middle one, and on from there in both directions, as from the first. A set that somebody looks for
	 * was mostly changed a moment ago, and lists are sorted by that, one way or the other.
	 */
	private async *fromEnds(start: number): AsyncGenerator<readonly Row[]> {
		const step = this.step;
		const pages = outwards(Math.ceil((this.most - start) / step));
		const left = pages.map((page) => start + (page - 1) * step);
		try {
			for (let looks = 0; looks < LOOKS && left[0] !== undefined; looks++) {
				yield await this.window(left[0], step);
				left.shift();
			}
		} catch (error) {
			if (!isServiceError(error) || error.code === 'cancelled') throw error;
			// Some services refuse pages far down a list. In its order, the set may come before that.
			left.sort((a, b) => a - b);
		}
		yield* this.windows(left, step);
	}

	/**
	 * What follows the last page, one after the other, until nothing new comes. A service that has no such page has given
	 * all, unless it has given more than it spoke of before.
	 *
	 * @param isDue whether more must be expected: otherwise a failure of the service is as good as an end
	 */
	private async *beyond(start: number, size: number, isDue: boolean): AsyncGenerator<readonly Row[]> {
		const accountedFor = () => this.keys.size <= this.most;
		let page: Page | ServiceError | undefined;
		for (let next = start; isDue && this.options.wanted() > 0; next += page.rows.length) {
			try {
				page = await this.askPage(next, size);
			} catch (error) {
				if (this.lastPageFull || this.keys.size < this.most) throw error;
				break;
			}
			if (page instanceof ServiceError) {
				if (!accountedFor()) throw page;
				break;
			}
			if (page.rows.length === 0) break;
			const wasAccountedFor = accountedFor();
			if (this.noted(page.rows) === 0) {
				this.stuck ||= !wasAccountedFor;
				break;
			}
			this.noteTotal(page.total);
			yield page.rows;
			isDue = page.full || this.keys.size < this.most || isPageLike(page.rows.length);
		}
		this.ended = true;
	}

	/** A page of so many rows, in several calls when the service gives fewer at a time. */
	private async window(offset: number, size: number): Promise<readonly Row[]> {
		const { rows } = await this.ask(offset, size);
		const all = rows.slice(0, size);
		// Full is also what holds as many as any page did: a service may give fewer than asked for, and not say so.
		const most = Math.min(size, this.largestPage);
		if (offset + size >= this.most) this.lastPageFull ||= all.length >= most;
		while (all.length > 0 && all.length < size && offset + all.length < this.most) {
			const rest = await this.askPage(offset + all.length, size - all.length);
			if (rest instanceof ServiceError) throw rest;
			this.noteTotal(rest.total);
			// Where rows are hidden in a page, and not cut off at its end, they come a second time.
			const fresh = rest.rows.filter(({ key }) => !this.keys.has(key)).slice(0, size - all.length);
			if (fresh.length === 0) break;
			this.noted(fresh);
			all.push(...fresh);
		}
		return all;
	}

	/** Asks for a page and notes what it tells about the list. */
	private async ask(offset: number, limit: number): Promise<Page> {
		const page = await this.askPage(offset, limit);
		if (page instanceof ServiceError) throw page;
		const { rows, bytes } = page;
		this.noteTotal(page.total);
		this.largestPage = Math.max(this.largestPage, Math.min(rows.length, limit));
		if (rows.length > 0) this.rowBytes = Math.max(this.rowBytes, bytes / rows.length);
		// What is more than asked for comes with the next page as well; the first one is taken as it is.
		const fresh = this.noted(offset === 0 ? rows : rows.slice(0, limit));
		this.withoutNews = fresh === 0 ? this.withoutNews + 1 : 0;
		if (fresh === 0 && rows.length > 0) this.stuck = true;
		if (fresh === 0 && rows.length === 0 && this.over) this.ended = true;
		return page;
	}

	private noteTotal(total: number): void {
		this.shrank ||= this.total !== undefined && total < this.total;
		this.grew ||= this.total !== undefined && total > this.total;
		this.total = total;
		this.least = Math.min(this.least, total);
		this.most = Math.max(this.most, total);
	}

	/** @returns how many of them did not come before */
	private noted(rows: readonly Row[]): number {
		const before = this.keys.size;
		for (const { key } of rows) this.keys.add(key);
		const fresh = this.keys.size - before;
		this.repeats += rows.length - fresh;
		return fresh;
	}
}

/**
 * Whether a page that calls itself all has as many rows as a service may give at most without saying so: caps are round
 * numbers.
 */
function isPageLike(count: number): boolean {
	return (count >= 5 && count % 5 === 0) || (count >= 8 && Number.isInteger(Math.log2(count)));
}

/** More pages than that are read in their order: sorting them would take as long. */
const MOST_SORTED = 100_000;

/**
 * Pages 1 to `last`, by how far they are from the first page (0, which has been read), the last and the middle one: the
 * last and the middle come first.
 */
function outwards(last: number): number[] {
	const pages = Array.from({ length: last }, (_, index) => index + 1);
	if (last > MOST_SORTED) return pages;
	const middle = Math.ceil(last / 2);
	const distance = (page: number) => Math.min(page, last - page, Math.abs(middle - page));
	return pages.sort((a, b) => distance(a) - distance(b) || b - a);
}
