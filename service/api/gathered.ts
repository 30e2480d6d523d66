import type { Page, Row } from './page';
import { contentId, rowId, type RowNames } from './rowNames';

/** So many pages in a row without one new set: nothing more comes. */
const PAGES_WITHOUT_NEWS = 3;

/**
 * Where each page begins with the last row of the one before, so many for each page that brought something new: in a list
 * that is sorted by customer, all sets come first in one row each, and then in a row for each other customer.
 */
const PAGES_FOR_EACH_OF_NEWS = 4;

/** Rows of the page before that come again where the list moved meanwhile. */
const MOST_MOVED = 3;

/** A row where one page ends and the next begins. */
interface Edge {
	id: string;
	key: string;
}

/** What came of one call. */
export interface Part {
	page: Page;
	/** With the one row of the page before, where it was asked for. */
	rows: readonly Row[];
	/** Places in the list that it covers, without that one. */
	places: number;
	/** Rows that had not come before. */
	fresh: number;
}

/**
 * What came of one way through a list, and what that tells of it: whether its pages are of one list, whether the service
 * goes by the page asked for, and how many more may come.
 */
export class Gathered {
	/** The rows that came, each once. */
	readonly keys = new Set<string>();
	/** The sets that they are rows of. */
	private readonly ids = new Set<string>();
	/** The smallest and the largest number of sets that match, of those that the answers named. */
	least = Infinity;
	most = 0;
	/** The totals went down on the way, or up. */
	shrank = false;
	grew = false;
	/** The largest number that match, as the answers say beside their totals; and what they warn of. */
	otherTotal = 0;
	warning: string | undefined;
	/** Nothing came any more where something had to come if there was more. */
	ended = false;
	/** What follows the last page was refused. */
	endsInRefusal = false;
	/** An empty page behind the last one says that more follows. */
	endsWithMore = false;
	/** In place of what would follow the last page, known rows came: the service may not go by the page asked for. */
	ignoresPage = false;
	/** The most rows that came in one answer. */
	largestPage = 0;
	/** Bytes of a row, on average, as it comes. */
	rowBytes = 0;
	/** Rows are left out of pages after those were cut: a page covers more places than it holds rows. */
	isThinned = false;
	/** A page came in fewer rows than it was to have, as large as those are. */
	isCut = false;
	/** More rows came at once than were asked for: the list is given whole, or in pages of the service's own. */
	overfull = false;
	/** Rows that no reading before it brought; noted by who keeps them all. */
	news = 0;

	/** Rows that a page has in common with the one before it. */
	protected lap = 1;
	/** Pages that were asked for behind another, and those that began with its last row. */
	private joints = 0;
	protected met = 0;
	private torn = false;
	/** The furthest places of pages that brought something new, and of those that held only known rows where others were due. */
	private freshAt = 0;
	private staleAt = 0;
	protected isStuck = false;
	/** The first row of the list, by its name, and by all that it holds. */
	private head: string | undefined;
	protected first: string | undefined;
	/** Rows by their place in the list, where one page ends and the next begins. */
	private readonly edges = new Map<number, Edge>();
	/** Places in the list of which the row came. */
	protected places = 0;
	/** Of those, the ones of a full page of known rows behind the end: the service sends some other page there. */
	protected anew = 0;
	/** Behind the last place of which a row came. */
	protected end = 0;
	protected total: number | undefined;
	private withoutNews = 0;
	private withNews = 0;
	private blank = 0;
	/** Rows of a page that held fewer than were asked for, though others follow; and whether such pages vary: a short one is no end. */
	private cap: number | undefined;
	protected isRagged = false;
	/** The last page that came says that more follows. */
	protected more = false;

	constructor(private readonly names: RowNames) {
		names.begin();
	}

	/** Places in the list that held a row which came from another place as well. */
	get repeats(): number {
		return Math.max(0, this.places - this.keys.size);
	}

	/**
	 * From some place on, pages held only known rows in place of those that were due: the service may not go by the page
	 * asked for. Where others come further down it does, and sorts the list anew for each page, or has some rows twice.
	 */
	get stuck(): boolean {
		return this.isStuck || (this.staleAt > this.freshAt && !(this.isStanding && this.isOfOnePiece));
	}

	/** The total counts neither the rows of the list nor its sets: as many of both together prove nothing. */
	get countsOtherwise(): boolean {
		return this.repeats > 0 && this.places - this.anew > this.most && this.names.sets < this.most;
	}

	/** Whether as many came as were spoken of; of sets, where there are more rows than that: then these are not what is counted. */
	get isAsMany(): boolean {
		return this.keys.size === this.most || this.ids.size >= this.most;
	}

	/** Whether a row came from each place in the list. */
	get isCovered(): boolean {
		return this.places >= this.most;
	}

	/**
	 * Whether all pages are of one list: each began with the last row of the one before it. Otherwise the list moved on the
	 * way, or is sorted anew for each page, and a row may have slipped from one page to another that was read already.
	 */
	get isOfOnePiece(): boolean {
		return this.joints === this.met;
	}

	/** Rows stood at other places for another page. */
	get isShuffled(): boolean {
		return this.torn || this.repeats > 0;
	}

	/** Pages that have not come yet, as far as the service says. */
	get pagesLeft(): number {
		const rowsLeft = Math.max(0, this.most - this.keys.size);
		return Math.ceil(rowsLeft / Math.max(1, this.largestPage - this.lap));
	}

	protected get over(): boolean {
		const most = this.isStanding ? this.withNews * PAGES_FOR_EACH_OF_NEWS : 0;
		return this.withoutNews >= Math.max(PAGES_WITHOUT_NEWS, most);
	}

	/** Whether the pages so far meet, and so the service goes by the page asked for. */
	private get isStanding(): boolean {
		return this.met > 0 && !this.torn && this.blank < PAGES_WITHOUT_NEWS;
	}

	/**
	 * Takes what came from that place on.
	 *
	 * @param lap how many of them came with the page before as well
	 */
	protected take(page: Page, came: readonly Row[], from: number, lap: number): Part {
		const { total } = page;
		this.shrank ||= this.total !== undefined && total < this.total;
		this.grew ||= this.total !== undefined && total > this.total;
		this.total = total;
		this.least = Math.min(this.least, total);
		this.most = Math.max(this.most, total);
		this.otherTotal = Math.max(this.otherTotal, page.otherTotal ?? 0);
		this.warning ??= page.warning;
		this.more = page.more === true;
		this.isCut ||= page.isCut === true;
		const rows = this.named(came, from);
		const before = this.keys.size;
		this.head ??= rows[0]?.key;
		this.first ??= rows[0] && contentId(rows[0]);
		for (const { key } of rows) this.keys.add(key);
		this.places += rows.length;
		this.end = Math.max(this.end, from + rows.length);
		if (from + lap > 0) this.joints++;
		if (lap > 0) this.note(from, rows[0]);
		if (rows.length > lap) this.note(from + rows.length - 1, rows[rows.length - 1]);
		if (!page.full && rows.length > 0 && from + rows.length < this.most) {
			this.cap ??= rows.length;
			this.isRagged ||= rows.length !== this.cap || !isPageLike(rows.length);
		}
		const fresh = this.keys.size - before;
		if (fresh > 0) {
			this.withNews++;
			this.freshAt = Math.max(this.freshAt, from + lap);
		}
		return { page, rows, places: Math.max(0, rows.length - lap), fresh };
	}

	/** What a part tells that was to be there. */
	protected weigh({ page, rows, places, fresh }: Part, place: number, size: number): void {
		this.largestPage = Math.max(this.largestPage, Math.min(rows.length, size + this.lap));
		if (page.rows.length > 0) this.rowBytes = Math.max(this.rowBytes, page.bytes / page.rows.length);
		// Where rows are left out, a page covers places of the next ones.
		const isCovered = this.isThinned && rows.length > 0;
		if (places === 0) this.blank++;
		if (fresh > 0) this.withoutNews = 0;
		else if (!isCovered) this.withoutNews++;
		if (fresh === 0 && places > 0 && !isCovered) this.staleAt = Math.max(this.staleAt, place);
		if (places === 0 && this.over) this.ended = true;
	}

	/**
	 * Whether a page shows that rows are left out of pages after those were cut: it has fewer than were asked for, and begins
	 * among those that came before, further up than where these ended by their number; and it goes by the place asked for,
	 * since it does not begin the list anew.
	 */
	protected showsThinning({ page, rows, fresh }: Omit<Part, 'places'>): boolean {
		if (page.full) return false;
		if (rows.length - fresh <= MOST_MOVED && fresh > 0) return false;
		return rows.length > 0 && rows.every(({ key }) => key !== this.head);
	}

	/**
	 * A row that comes again is another one of its set where it stands in the same page, or in a list that stood still so
	 * far, as pages that met show, at another place than where they meet.
	 */
	private named(rows: readonly Row[], place: number): Row[] {
		const ids = rows.map(rowId);
		const edges = rows.map((_, index) => this.edges.get(place + index));
		const isMeeting = edges.some((edge) => edge !== undefined);
		const isStill =
			(this.met > 0 || isMeeting || this.lap === 0) &&
			this.isOfOnePiece &&
			edges.every((edge, index) => edge === undefined || edge.id === ids[index]);
		const inPage = new Set<string>();
		const given = new Set<string>();
		/** By what tells rows of one page apart: two that hold the same are one. */
		const alike = new Map<string, string>();
		const nameOf = (row: Row, id: string, edge: Edge | undefined) => {
			// Where the list moved in between, another row of the set may stand there by now, whatever the totals say.
			if (edge?.id === id && this.names.hasPapersOf(row, edge.key)) {
				this.names.compare(row, id);
				return edge.key;
			}
			const isOther = inPage.has(id) ? 'here' : isStill && this.keys.has(id) && 'elsewhere';
			return alike.get(row.key) ?? this.names.name(row, isOther, given);
		};
		return rows.map((row, index) => {
			const id = ids[index]!;
			const key = nameOf(row, id, edges[index]);
			inPage.add(id);
			this.ids.add(id);
			given.add(key);
			alike.set(row.key, key);
			return key === row.key ? row : { ...row, key };
		});
	}

	/** The row at a place where two pages meet. */
	protected note(place: number, row: Row | undefined): void {
		if (!row) return;
		const known = this.edges.get(place);
		this.edges.set(place, { id: rowId(row), key: row.key });
		if (known === undefined) return;
		this.places--;
		if (known.key === row.key) this.met++;
		else this.torn = true;
	}
}

/**
 * Whether a page that calls itself all has as many rows as a service may give at most without saying so: caps are round
 * numbers.
 */
export function isPageLike(count: number): boolean {
	return (count >= 5 && count % 5 === 0) || (count >= 8 && Number.isInteger(Math.log2(count)));
}
