import { isServiceError, ServiceError } from '../errors';
import { LARGE_BYTES } from './answer';
import { Gathered, isPageLike, type Part } from './gathered';
import { inOrder } from './inOrder';
import { isBehindEnd, type AskPage, type Page, type Row } from './page';
import { pageOrFailure } from './question';
import { contentId, makePrints, rowId, type RowNames } from './rowNames';

/** The last page and the middle one are asked for alone, since either may be all that is wanted. */
const LOOKS = 2;

/**
 * Pages that are read side by side have about so many bytes together. Each costs some four times that in memory until it
 * has been read: as it comes, in one piece, as text, and what is made of it.
 */
const BYTES_SIDE_BY_SIDE = 6 * 1024 * 1024;

/** Rows of a page however large they are: one to meet the page before, and two to get on. */
const LEAST_ROWS = 3;

interface ReadingOptions {
	/** Rows per page asked for. */
	pageSize: number;
	/** How many pages are asked for side by side, at most. */
	width: number;
	/** Both ends of the list and its middle first: for who looks for one set, and not for their order. */
	endsFirst: boolean;
	/** Whether pages are cut to the size asked for: where the list is cut is what matters. */
	exact: boolean;
	/** Whether a page that is not there is the end of the list, though more should follow. */
	endsEarly: boolean;
	/** What the rows of the search are called, in all readings. */
	names: RowNames;
	/** How many more sets are wanted. Who has them all stops reading. */
	wanted(): number;
}

/** What came of as many calls as it took, or of the first of them. */
interface Window {
	place: number;
	size: number;
	rows: Row[];
	/** That it covers so far. */
	places: number;
	/** Nothing new comes of it any more. */
	isOver: boolean;
}

/**
 * One way through a search, page by page to its end, which is where no more comes: what a service says about how many
 * there are may count this page alone, or be too small.
 */
export class Reading extends Gathered {
	private wholePages = false;
	private lastPageFull = false;
	private isRead = true;

	constructor(
		private readonly askPage: AskPage,
		readonly options: ReadingOptions,
	) {
		super(options.names);
	}

	/** Pages that wait for a connection when the reader stops are not asked for. */
	async *pages(): AsyncGenerator<readonly Row[]> {
		try {
			yield* this.allPages();
		} finally {
			this.isRead = false;
		}
	}

	private async *allPages(): AsyncGenerator<readonly Row[]> {
		const { pageSize, wanted, endsFirst, exact } = this.options;
		let first: Part | undefined = await this.ask(0, pageSize);
		const { full } = first.page;
		const count = first.rows.length;
		this.overfull = count > pageSize;
		let next = (exact ? Math.min(count, pageSize) : count) || pageSize;
		if (next < count) this.note(next - 1, first.rows[next - 1]);
		yield first.rows;
		// A generator keeps what it has a name for, and pages may be large.
		first = undefined;
		if (count >= this.most) {
			this.lastPageFull = full;
			if (count > 0) yield* this.beyond(count, count, full || isPageLike(count));
			else this.ended = true;
			return;
		}
		const pagesLeft = (this.most - next) / this.stride(this.step);
		if (endsFirst && pagesLeft <= MOST_SORTED) yield* this.fromEnds(next);
		else if (next < this.most) {
			// Alone: it tells whether the service obeys the offset at all, and how many rows it gives at a time.
			const second = await this.window(next, this.stride(full ? next : pageSize));
			yield* this.rowsOf(second);
			next += second.places || pageSize;
			while (next < this.most && !this.over) {
				const { step } = this;
				const stride = this.stride(step);
				const end = Math.min(this.most, next + wanted());
				const isStep = () => this.step >= step && !this.over;
				// Each is taken when it is asked for: from where rows turn out to be larger, pages are smaller.
				const places = (function* () {
					for (; next < end && isStep(); next += stride) yield next;
				})();
				yield* this.windows(places, stride);
			}
		}
		if (this.over) return;
		const isDue = this.lastPageFull || this.isRagged || this.keys.size < this.most;
		yield* this.beyond(isDue ? Math.max(this.end, this.most) : this.end, this.step, isDue);
	}

	/** Rows per page from here on: as many as came, as long as they are small. */
	private get step(): number {
		const affordable = Math.floor(BYTES_SIDE_BY_SIDE / this.rowBytes);
		return Math.min(this.largestPage || this.options.pageSize, Math.max(LEAST_ROWS, affordable));
	}

	/** How far a page of so many rows gets on: its first row is the last one of the page before. */
	private stride(size: number): number {
		if (Math.min(size, this.largestPage) <= 1) this.lap = 0;
		return size - this.lap;
	}

	/** Some services do, whatever the offset: in pages of one size alone, of which none overlaps with another. */
	private goByWholePages(): void {
		this.lap = 0;
		this.wholePages = true;
	}

	private async *windows(offsets: Iterable<number>, size: number): AsyncGenerator<readonly Row[]> {
		// What came is given, though the pages behind it, which came meanwhile, show that nothing follows.
		const ask = async (place: number) => (this.over ? undefined : await this.window(place, size));
		for await (const window of inOrder(offsets, () => this.abreast(size), ask))
			if (window && window.rows.length > 0) yield* this.rowsOf(window);
	}

	/** How many pages of so many rows are read side by side. */
	private abreast(size: number): number {
		const affordable = Math.floor(BYTES_SIDE_BY_SIDE / ((size + this.lap) * this.rowBytes || 1));
		return Math.max(1, Math.min(this.options.width, affordable));
	}

	/**
	 * The last page, the middle one, and on from there in both directions, as from the first. A set that somebody looks for
	 * was mostly changed a moment ago, and lists are sorted by that, one way or the other.
	 */
	private async *fromEnds(start: number): AsyncGenerator<readonly Row[]> {
		let stride = this.stride(this.step);
		const placesOfPages = () =>
			outwards(Math.ceil((this.most - start) / stride)).map((page) => start + (page - 1) * stride);
		let left = placesOfPages();
		try {
			for (let looks = 0; looks < LOOKS && left[0] !== undefined; looks++) {
				yield* this.rowsOf(await this.window(left[0], stride));
				left.shift();
			}
		} catch (error) {
			if (!isServiceError(error) || error.code === 'cancelled') throw error;
			// Where pages do not overlap after all, they lie at other places.
			const other = this.stride(this.step);
			if (other !== stride) {
				stride = other;
				left = placesOfPages();
			}
			// Some services refuse pages far down a list. In its order, the set may come before that.
			left.sort((a, b) => a - b);
		}
		yield* this.windows(left, stride);
	}

	/**
	 * What follows the last page, one after the other, until nothing new comes: where more may be due, and where more came
	 * than the service spoke of, since that number may be wrong for what follows as well. A service that has no such page
	 * has given all, unless it has given more than it spoke of before in pages as full as can be.
	 *
	 * @param isDue whether more must be expected: otherwise, or where just as many came as it spoke of, a failure of the
	 * service is as good as an end
	 */
	private async *beyond(start: number, size: number, isDue: boolean): AsyncGenerator<readonly Row[]> {
		const isMore = () => this.keys.size > this.most;
		let next = start;
		while (isDue || isMore()) {
			let part: Part | ServiceError;
			try {
				part = await this.part(next, Math.max(1, this.stride(size)));
				const isFirst = this.lap > 0 && this.met === 0 && this.places <= this.options.pageSize;
				if (isFirst && isAnotherPage(part)) {
					this.goByWholePages();
					part = await this.part(next, size);
				}
			} catch (error) {
				if (isServiceError(error) && (error.code === 'cancelled' || error.tooLarge)) throw error;
				// Sets that left meanwhile are not due any more.
				if (this.lastPageFull || next < (this.total ?? 0) || (isDue && isMore())) throw error;
				break;
			}
			if (part instanceof ServiceError) {
				this.ignoresPage = isAnotherPage(part);
				if ((isDue && isMore()) || (this.more && this.ignoresPage)) throw part;
				this.endsInRefusal = true;
				break;
			}
			// Also where nothing comes but the row by which two pages are known to meet: it may be another one.
			if (part.fresh > 0) yield part.rows;
			if (part.places === 0) {
				this.endsWithMore = part.page.more === true;
				break;
			}
			if (part.fresh === 0) {
				this.isStuck ||= (isDue && isMore()) || part.page.more === true;
				this.ignoresPage = true;
				if (part.page.full) this.anew = part.rows.length;
				break;
			}
			next += part.places;
			isDue = part.page.full || this.isRagged || this.keys.size < this.most || isPageLike(part.places);
		}
		this.ended = true;
	}

	/** So many rows from a place on, in several calls when the service gives fewer at a time; of large ones, what the first gave. */
	private async window(place: number, size: number): Promise<Window> {
		const { page, rows, places } = await this.ask(place, size);
		const window: Window = { place, size, rows: [...rows], places, isOver: false };
		// Full is also what holds as many as any page did: a service may give fewer than asked for, and not say so.
		const most = Math.min(size, this.largestPage - this.lap);
		if (place + size >= this.most) this.lastPageFull ||= places >= most || page.full;
		while (this.goesOn(window) && this.abreast(size) === this.options.width)
			window.rows.push(...(await this.restOf(window)));
		return window;
	}

	/** Its rows; those that have not come are asked for when the ones before have been read. */
	private async *rowsOf(window: Window): AsyncGenerator<readonly Row[]> {
		yield window.rows.splice(0);
		while (this.goesOn(window)) yield await this.restOf(window);
	}

	private goesOn({ place, size, places, isOver }: Window): boolean {
		return !isOver && !this.wholePages && places > 0 && places < size && place + places < this.most;
	}

	private async restOf(window: Window): Promise<readonly Row[]> {
		const { place, size, places } = window;
		const rest = this.orNothing(await this.part(place + places, size - places));
		// Where rows are hidden in a page, and not cut off at its end, they come a second time.
		window.isOver = rest.fresh === 0;
		if (window.isOver) return [];
		window.places += rest.places;
		return rest.rows;
	}

	/** Asks for a part that must be there, and notes what it tells about the list. */
	private async ask(place: number, size: number): Promise<Part> {
		let part = await this.part(place, size);
		if (!(part instanceof ServiceError)) this.isThinned ||= this.showsThinning(part);
		const isLapped = place > 0 && this.lap > 0 && this.met === 0;
		if (isLapped && (part instanceof ServiceError || (part.fresh === 0 && !this.isThinned))) {
			size += this.lap;
			this.goByWholePages();
			part = await this.part(place, size);
		}
		part = this.orNothing(part);
		this.weigh(part, place, size);
		return part;
	}

	/** @throws ServiceError a refusal that is not the end of the list */
	private orNothing(part: Part | ServiceError): Part {
		if (!(part instanceof ServiceError)) return part;
		if (!this.options.endsEarly || this.keys.size === 0 || !isBehindEnd(part)) throw part;
		const page = { offset: 0, total: this.most, rows: [], full: false, bytes: 0 };
		return { page, rows: [], places: 0, fresh: 0 };
	}

	/** The rows from a place on, and the one before them, by which the two pages are known to be of one list. */
	private async part(place: number, size: number): Promise<Part | ServiceError> {
		const lap = place > 0 ? this.lap : 0;
		const page = await this.wholePage(place, size, lap);
		if (page instanceof ServiceError) return page;
		// What is more than asked for comes with the next page as well; the first one is taken as it is.
		const came = place === 0 ? page.rows : page.rows.slice(0, size + lap);
		if (page.bytes > LARGE_BYTES) await makePrints(came, page.bytes / page.rows.length);
		return this.take(page, came, place - lap, lap);
	}

	/**
	 * Where pages vary, as where answers may have so many bytes, one may hold no more than the row by which it is known to
	 * meet the one before, as behind the end of the list: what follows that row is asked for by itself.
	 */
	private async wholePage(place: number, size: number, lap: number): Promise<Page | ServiceError> {
		const isWanted = () => this.isRead;
		const page = await this.askPage(place - lap, size + lap, isWanted);
		if (page instanceof ServiceError || lap === 0 || page.rows.length !== lap) return page;
		const isDue = place < this.most;
		if (!isDue && !this.isRagged && !page.full) return page;
		// Pages further down come before the answer, and are judged by what this one shows.
		this.isThinned ||= isDue && this.showsThinning({ page, rows: page.rows, fresh: 0 });
		const asked = this.askPage(place, size, isWanted);
		// As many as the answer speaks of have come where sets left meanwhile: behind the end, some services fail.
		const rest = await (isDue && place < page.total ? asked : pageOrFailure(asked));
		// What is too large is there.
		if (rest instanceof ServiceError && rest.tooLarge) throw rest;
		if (rest instanceof ServiceError || rest.rows.length === 0) return page;
		const ids = page.rows.map(rowId);
		const isNew = rest.rows.map(rowId).some((id) => !this.keys.has(id) && !ids.includes(id));
		// Behind the end, some services send the first page or the last one.
		const ends = [this.first, ...page.rows.map(contentId)];
		const isEnd = rest.rows.map(contentId).some((row) => ends.includes(row));
		if (isEnd && !isNew) return page;
		this.isRagged = true;
		// Another row of the same set is told apart within one answer alone.
		const others = rest.rows.map((row) => (ids.includes(row.key) ? { ...row, key: contentId(row) } : row));
		return { ...rest, rows: [...page.rows, ...others] };
	}
}

/** Whether it is the word that another page came than the one asked for, and no refusal. */
function isAnotherPage(part: Part | ServiceError): boolean {
	return part instanceof ServiceError && part.code === 'unexpectedResponse';
}

/** More pages than that are read in their order: a total that names so many may be nonsense. */
const MOST_SORTED = 100_000;

/**
 * Pages 1 to `last`, by how far they are from the first page (0, which has been read), the last and the middle one: the
 * last and the middle come first.
 */
function outwards(last: number): number[] {
	const pages = Array.from({ length: last }, (_, index) => index + 1);
	const middle = Math.ceil(last / 2);
	const distance = (page: number) => Math.min(page, last - page, Math.abs(middle - page));
	return pages.sort((a, b) => distance(a) - distance(b) || b - a);
}
