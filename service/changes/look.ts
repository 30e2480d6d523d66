import { MOST_JSON_BYTES } from '../api/answer';
import type { AskPage, Page, Row } from '../api/page';
import { isServiceError, ServiceError } from '../errors';
import type { Doubts } from './doubts';
import {
	compareEnd,
	comparisonIsDue,
	forgetLeftOutOnceShown,
	isSuspected,
	learnEnd,
	leftOutInWords,
	type NarrowerSearches,
} from './leftOut';
import {
	ANY_ZONE_MS,
	beginAgain,
	beginPass,
	endPass,
	endPassOfOnePage,
	foundByPass,
	learnOrder,
	leaveChanges,
	type Progress,
} from './progress';
import { pagePrint, rowPrint } from './rowPrint';
import { Seen, type Change, type SeenOptions, type Where } from './seen';
import type { SetMemory } from './setMemory';
import { idKey, isSet, shownText } from '../model/set';

/** How a look reads the list of a service, and what it takes for a change. */
export interface LookOptions extends SeenOptions, NarrowerSearches {
	/** Sets per page. */
	pageSize: number;
	/** Pages that are asked for side by side. */
	width: number;
	/** Since the look before, in milliseconds; 0 where nobody knows. */
	sinceLastMs?: number;
	/** No page is asked for after this time, in milliseconds since 1970. */
	until: number;
}

/** A list in the order of its dates shows every change at one end; a pass then only looks whether that is so, after this time, … */
const PASS_EVERY_MS = 60 * 60 * 1000;
/** … or after so much for each page. */
const PASS_EVERY_MS_A_PAGE = 18 * 1000;
/** Of a list in any other order, each look reads at least so many pages … */
const PAGES_A_LOOK = 10;
/** … and so large a part of it, or all of it where the look before is so long ago: once a night, a change would be seen after a month. */
const PART_A_LOOK = 1 / 30;
const WHOLE_AFTER_MS = 30 * 60 * 1000;

/** A page is the last one when it comes again so many times in a row, … */
const LAST_AGAIN = 2;
/** … or so many times rows that are alike, or that all came before. */
const ALIKE_AGAIN = 10;

/** What a look came to. */
interface Looked {
	changes: Change[];
	/** More have changed than it gives. */
	isFull: boolean;
	/** What kept it from seeing all it should have: to be told when the changes are passed on. */
	trouble?: ServiceError;
}

/**
 * One look at a list of sets: both ends of it, on from the end where the newest changes stand, and a part of a pass
 * through all of it. Changes `progress`, and `memory` for what is remembered without a word; the changes that are given are
 * learnt by the caller, when it has passed them on.
 *
 * @throws ServiceError what the first page answered
 */
export async function look(
	askPage: AskPage,
	memory: SetMemory,
	progress: Progress,
	options: LookOptions,
): Promise<Looked> {
	const now = options.now();
	// Somebody set the clock back. What was there before the list was first read is still older than that.
	if (progress.endedAt > now) progress.endedAt = now;
	if (progress.comparedAt > now) progress.comparedAt = 0;
	const head = await askPage(0, options.pageSize);
	if (head instanceof ServiceError) throw head;
	const looking = new Look(askPage, memory, progress, options, head, now);
	if (looking.seen.wasThereBefore(head.rows, head.total))
		beginAgain(progress, progress.endedAt - ANY_ZONE_MS);
	// On the first look of all, what is there may have been there for ever.
	const ends: Where = progress.pass === 0 ? 'pass' : 'end';
	if (ends === 'pass') progress.endedAt = now;
	await looking.through(ends);
	await looking.atItsEnd();
	const { changes, full: isFull, noRoom } = looking.seen;
	const beyond = noRoom ? tooMany(memory.most) : leftOutInWords(progress);
	return { changes, isFull, trouble: looking.trouble ?? beyond };
}

class Look {
	readonly seen: Seen;
	trouble: ServiceError | undefined;
	/** Rows of a page, as the first one has shown. */
	private readonly size: number;
	/** Rows of the list; `Infinity` where nobody says so. */
	private total: number;
	/** The service refused what would follow on the last set. */
	private isRefusedAtEnd = false;
	/** A page could not be had: none is asked for any more. */
	private isCut = false;
	/** In the look before there was no time for the next page of the pass: this one asks for it at once. */
	private readonly hurries: boolean;
	/** Rows that the pass had behind it when this look began. */
	private readonly passedBefore: number | null;
	/** The page behind the first one, where it was asked for to see whether there is one. */
	private next: readonly Row[] | undefined;
	/** The service shows nothing where the list should end: it counts more sets than it shows. */
	private isEndEmpty = false;
	/** So many rows came before the end of the list, where a pass has come to it. */
	private ended: number | undefined;
	/** The pass under way began in a look before: what came since then may stand where it had been already. */
	private isOldPass: boolean;
	/** The list moved while it was read: a page counts other sets than the first one. */
	private hasMoved = false;
	/** The page that came before the next one of the pass. */
	private before: readonly Row[];
	/** Pages of which more should follow that could not be had: where such a one ends, nothing else does. */
	private readonly parts = new WeakSet<readonly Row[]>();

	constructor(
		private readonly askPage: AskPage,
		private readonly memory: SetMemory,
		private readonly progress: Progress,
		private readonly options: LookOptions,
		private readonly head: Page,
		private readonly now: number,
	) {
		this.seen = new Seen(memory, progress, options);
		this.size = head.rows.length;
		this.total = head.total;
		this.isOldPass = progress.offset !== null;
		this.hurries = progress.hurries && this.isOldPass;
		this.passedBefore = progress.offset;
		this.before = head.rows;
	}

	async through(ends: Where): Promise<void> {
		const { head, seen, size, progress } = this;
		const atHead = ends === 'end' ? seen.end(head.rows, 'down') : seen.rows(head.rows, ends);
		if (size === 0) return this.nothing();
		if (size >= this.total && !(await this.goesOn())) return;
		const tailOffset = this.total === Infinity ? size : Math.floor((this.total - 1) / size) * size;
		const tail = this.hurries ? [] : (this.next ?? (await this.rowsAt(tailOffset)));
		const atTail = ends === 'end' ? this.atTail(tail) : seen.rows(tail, 'pass');
		progress.endSeen ||= tail.length > 0 && !this.parts.has(tail);
		if (this.total !== Infinity && !this.hurries) this.before = tail;
		this.isEndEmpty = tail.length === 0 && !this.hurries && !this.isCut && this.total !== Infinity;
		if (progress.learnt && progress.order === 'newest first')
			await this.onFrom(head.rows, atHead, size, size, tailOffset);
		if (progress.learnt && progress.order === 'oldest first')
			await this.onFrom([...tail].reverse(), atTail, tailOffset - size, -size, tailOffset);
		progress.hurries = this.isCut && !this.isTime;
		if (seen.full) return leaveChanges(progress);
		if (progress.offset === null) {
			if (!this.passIsDue) return;
			beginPass(progress, size, this.total);
			// A first page that came short, though more follow, has left rows out: those of the next one stand further on.
			progress.uneven = !head.full && size < this.total && this.total !== Infinity;
			this.isOldPass = false;
			this.options.lately.atEnd.clear();
			this.options.lately.ofPass.clear();
			this.ofPassCame(head.rows);
			this.doubts.passBegins(this.total);
			this.doubts.came(head.rows);
			learnOrder(progress, head.rows, this.options.zone);
		}
		await this.pass();
	}

	/** Until the end was there once, and whole, what is not remembered may have stood there at first. */
	private atTail(tail: readonly Row[]): boolean {
		const { seen, memory, progress } = this;
		if (progress.endSeen || progress.learnt) return seen.end(tail, 'up');
		const isKnown = ({ value }: Row) => isSet(value) && memory.has(idKey(value.setId));
		const known = tail.filter(isKnown);
		seen.rows(
			tail.filter((row) => !isKnown(row)),
			'pass',
		);
		return seen.rows(known, 'end');
	}

	/** Whatever the service says of a list that was there a moment ago, it shows nothing of it. */
	private nothing(): void {
		const { memory, progress, total } = this;
		if (total > 0 || (memory.size > 0 && !progress.learnt)) this.trouble = nothingShown(total);
		else if (!progress.learnt) this.endOfOnePage();
		else this.ended = 0;
	}

	/** Whether there is more than the first page: a total may count the page alone, or stop at a round number. */
	private async goesOn(): Promise<boolean> {
		const next = this.head.full && !this.hurries ? await this.rowsAt(this.size) : [];
		const isKnownToGoOn = this.progress.rows > this.size;
		if (this.isCut && !isKnownToGoOn) return false;
		let follows = next.length > 0 || this.hurries || this.isCut;
		if (next.length > 0 && isRepeated(next, this.head.rows)) {
			// That is also how a list looks that grew by a page meanwhile: what follows tells.
			follows = !isRepeated(await this.rowsAt(2 * this.size), next);
			if (this.isCut) return false;
		}
		if (follows) {
			this.next = next;
			this.total = Infinity;
			return true;
		}
		beginPass(this.progress, 0);
		if (!this.seen.full) this.endOfOnePage();
		return false;
	}

	/**
	 * On from the end where changes stand, for as long as there are some or sets were modified, and through those of the
	 * newest minute: in which order they stand, no date tells.
	 *
	 * @param end its rows, the newest first
	 */
	private async onFrom(
		end: readonly Row[],
		atEnd: boolean,
		first: number,
		step: number,
		tailOffset: number,
	): Promise<void> {
		const newest = dateOf(end[0]);
		let goesOn = atEnd || (newest !== undefined && dateOf(end.at(-1)) === newest);
		let left = PAGES_A_LOOK;
		for (let at = first; goesOn && at > 0 && at < tailOffset; at += step) {
			const rows = this.mayGoOn && !this.hurries ? await this.page(at) : undefined;
			if (!rows || rows.length === 0) return leaveChanges(this.progress);
			const oldest = dateOf(step > 0 ? rows.at(-1) : rows[0]);
			const any = this.seen.rows(rows, 'end');
			// What did not come of it may have changed.
			if (this.parts.has(rows)) return leaveChanges(this.progress);
			goesOn = any || (newest !== undefined && oldest === newest && --left > 0);
		}
	}

	/** Every change comes to an end of it, where it can be seen. */
	private get isOrdered(): boolean {
		const { progress, total } = this;
		const isEndHidden = progress.order === 'oldest first' && this.isEndEmpty;
		return progress.order !== 'by no date' && total !== Infinity && !isEndHidden;
	}

	private get passIsDue(): boolean {
		const { progress, isOrdered, passEveryMs } = this;
		const isToFind = !isOrdered || progress.left || isSuspected(progress);
		return isToFind || this.now >= progress.endedAt + passEveryMs;
	}

	private get passEveryMs(): number {
		return Math.max(PASS_EVERY_MS, (this.total / this.size) * PASS_EVERY_MS_A_PAGE);
	}

	/** A part of a pass; all of it where the list is not known yet. */
	private async pass(): Promise<void> {
		const { progress, total, size, seen, options } = this;
		const pages = (total === Infinity ? this.rowsSoFar : total) / size;
		const isToFind = !this.isOrdered || progress.left || progress.catchesUp;
		// Where looks are rarer than passes should be, a pass in pieces would take days.
		const byTime = (options.sinceLastMs ?? 0) / (isToFind ? WHOLE_AFTER_MS : this.passEveryMs);
		const part = Math.ceil(pages * Math.max(PART_A_LOOK, byTime));
		let left = progress.learnt ? Math.max(PAGES_A_LOOK, part) : Infinity;
		// One page at least, however slow they come: otherwise a pass would stand still for ever. Also where the other end
		// cannot be had, while there is time.
		for (
			let isOn = !seen.full && (!this.isCut || this.isTime);
			isOn && progress.offset !== null && left > 0;
			isOn = this.mayGoOn
		) {
			const from = progress.offset;
			const asked = Array.from(
				{ length: Math.min(progress.uneven ? 1 : options.width, left) },
				(_, index) => from + index * size,
			).filter((offset) => offset === from || (total !== Infinity && offset < total));
			left -= asked.length;
			const pages = await Promise.all(asked.map(async (offset) => await this.page(offset)));
			if (!pages[0]) this.notHad(from);
			for (const [index, rows] of pages.entries()) {
				if (!rows || !this.passPage(rows, from + index * size)) break;
			}
		}
	}

	/**
	 * A page that the time ran out for, whenever it was asked for, had less of it than it may need: the next look asks for it
	 * before the other end. One that had all of it then is not waited for any more.
	 */
	private notHad(from: number): void {
		const { progress } = this;
		const isLate = !this.isTime;
		const hadAllTime = this.hurries && from === this.passedBefore;
		progress.hurries = isLate && !this.hurries;
		if ((!isLate || hadAllTime) && (progress.learnt || this.isEndInVain(from))) this.passOver(from);
	}

	/** Until a list is learnt, each page of it is waited for: but what should stand behind its end may never come. */
	private isEndInVain(from: number): boolean {
		return this.isBehindAll(from) && ++this.progress.again >= ALIKE_AGAIN;
	}

	/** Behind all that the service speaks of, where no more than that ever came. */
	private isBehindAll(from: number): boolean {
		return from >= this.total && this.rowsSoFar <= this.total;
	}

	/** Rows that a page is asked for: where some are left out, the first one may hold a few alone. */
	private get limit(): number {
		return this.progress.uneven ? this.options.pageSize : this.size;
	}

	/** A page that cannot be had keeps nobody from those behind it: where one is missing, another pass looks for it. */
	private passOver(from: number): void {
		const { progress, total, size, rowsSoFar } = this;
		const next = (progress.offset = from + size);
		if (!this.isBehindAll(from)) {
			progress.left = true;
			this.options.lately.missing.add(from);
		}
		// Where no total says so, the list is over where two pages behind all that ever came cannot be had.
		if (next >= (rowsSoFar > total || total === Infinity ? rowsSoFar + 2 * size : total)) this.end();
	}

	/** There may be more than a total says, and a set may stand in several. */
	private get rowsSoFar(): number {
		const { memory, progress, total } = this;
		return total === Infinity ? Math.max(memory.size, progress.rows) : progress.rows;
	}

	/** @returns whether the next page follows on this one */
	private passPage(page: readonly Row[], offset: number): boolean {
		const { progress, total, limit, seen } = this;
		const due = total === Infinity ? 0 : total;
		// The list may have grown since the look in which it came again.
		if (offset < due && page.length > 0) progress.again = 0;
		const isEnd = offset >= due && this.isLastAgain(page);
		const rows = isEnd ? [] : page;
		if (isEnd && total === Infinity) offset -= (progress.again - 1) * page.length;
		const any = seen.rows(rows, 'pass');
		this.doubts.came(rows);
		this.ofPassCame(rows);
		if (seen.full) return false;
		if (any) foundByPass(progress);
		learnOrder(progress, rows, this.options.zone);
		if (rows.length === 0 && total !== Infinity && offset < total) {
			if (this.isEndEmpty || !progress.uneven) this.trouble ??= nothingShown(total, offset);
			progress.offset = offset + limit;
			progress.again++;
			const isOver = !progress.uneven || progress.again >= ALIKE_AGAIN;
			// Neither here nor at the end: what is in between would take hours, and the list is looked at anew instead.
			if (progress.learnt && this.isEndEmpty && isOver) this.end();
			// All rows of a page may be left out, and others follow.
			else if (!this.isEndEmpty) progress.uneven = true;
			return false;
		}
		progress.offset = offset + rows.length;
		if (rows.length > 0) progress.rows = Math.max(progress.rows, progress.offset);
		// Where rows are left out, those that came before may be all that is shown of these places, and others follow on them.
		if (progress.uneven && progress.again > 0 && !isEnd && !this.isRefusedAtEnd) {
			progress.offset = offset + limit;
			return false;
		}
		const isShort = rows.length < limit && !this.parts.has(rows);
		if (isShort && rows.length > 0 && progress.offset < total && total !== Infinity) progress.uneven = true;
		const isLast = isShort && progress.offset >= due && !progress.uneven;
		// A list without end is left where all that is remembered should have come.
		const isEndless = seen.noRoom && progress.offset >= (total === Infinity ? 2 * this.memory.size : total);
		if (rows.length === 0 || isLast || isEndless) {
			this.ended = total === Infinity ? progress.offset : total;
			progress.rows = progress.offset;
			this.end();
			return false;
		}
		// Of a page that came short, what follows is asked for from where it ended.
		return rows.length === limit;
	}

	/**
	 * In place of what would follow the last page, some services show that one again; once, where the list grew meanwhile.
	 * By what is compared of its rows alone, one set may fill several pages too, where no total says that the list is over.
	 * Where sets of one date come in another order each time, no two of these pages are alike: then each row has come. Not only
	 * each set: it may stand in a row for each of its steps, and the newest one follow.
	 */
	private isLastAgain(page: readonly Row[]): boolean {
		const { progress, before, total } = this;
		const print = pagePrint(page);
		const isRepeat = isRepeated(page, before);
		const isAlike = print === progress.lastPage;
		const { atEnd } = this.options.lately;
		const prints = page.map(rowPrint);
		const isAgain = isRepeat || isAlike || prints.every((each) => atEnd.has(each));
		for (const each of prints) atEnd.add(each);
		progress.again = isAgain ? progress.again + 1 : 0;
		progress.lastPage = print;
		this.before = page;
		const isSure = !progress.uneven && (isRepeat || (isAlike && total !== Infinity));
		return progress.again >= (isSure ? LAST_AGAIN : ALIKE_AGAIN);
	}

	private end(): void {
		const { progress, now, seen, total } = this;
		this.options.lately.atEnd.clear();
		const mayPassOver = this.isOldPass || (this.hasMoved && total !== Infinity);
		const { ofPass } = this.options.lately;
		endPass(progress, now, { known: seen.known, rows: ofPass.count, total, mayPassOver });
		ofPass.clear();
		// Of what was left, nobody knows what it shows.
		if (progress.left) return;
		this.doubts.passEnds(total);
		// The list may have pages of another size by now, or fewer.
		this.options.lately.missing.clear();
	}

	/** Once the list is learnt, nobody needs them. */
	private ofPassCame(rows: readonly Row[]): void {
		if (!this.progress.learnt) this.options.lately.ofPass.came(rows);
	}

	private endOfOnePage(): void {
		endPassOfOnePage(this.progress, this.now);
		this.doubts.pageCame();
		this.options.lately.missing.clear();
		this.ended = this.size;
	}

	/** What the list leaves out, as narrower searches show: behind its end, or of some customers. */
	async atItsEnd(): Promise<void> {
		const { ended, progress, memory, seen, options, now } = this;
		const isShown = (key: string) =>
			memory.passesSince(key, progress.pass) <= 1 || seen.has(key) || this.doubts.has(key);
		forgetLeftOutOnceShown(progress, isShown);
		if (ended === undefined || !progress.learnt) return;
		const isKnown = (key: string) => memory.has(key) || seen.has(key);
		const { isRefusedAtEnd: isRefused, isOldPass } = this;
		const end = { rows: ended, isRefused, isOldPass, isKnown, isShown };
		learnEnd(progress, end);
		const isDue = comparisonIsDue(progress, now) && !seen.noRoom && this.isTime;
		if (isDue) await compareEnd(options, progress, end, now);
	}

	private get doubts(): Doubts {
		return this.options.lately.doubts;
	}

	private get mayGoOn(): boolean {
		return this.isTime && !this.seen.full && !this.isCut;
	}

	private get isTime(): boolean {
		return this.options.now() < this.options.until;
	}

	private async rowsAt(offset: number): Promise<readonly Row[]> {
		return (await this.page(offset)) ?? [];
	}

	/**
	 * A page whose rows are too large for one answer, in several: those that stand at its end may be the ones that changed.
	 * As many bytes as one answer may have. Where the rest cannot be had, such as a set that is too large for any answer, what
	 * came is no less true.
	 */
	private async withRest(first: Page, offset: number): Promise<readonly Row[]> {
		const rows = [...first.rows];
		let { bytes, isCut = false } = first;
		while (isCut && rows.length < this.limit && bytes < MOST_JSON_BYTES && this.isTime) {
			const rest = await this.orTrouble(this.askPage(offset + rows.length, this.limit - rows.length));
			if (rest === undefined) break;
			// The list ends there.
			if (rest instanceof ServiceError || rest.rows.length === 0) return rows;
			rows.push(...rest.rows);
			bytes += rest.bytes;
			isCut = rest.isCut === true;
		}
		if (isCut && rows.length < this.limit) this.parts.add(rows);
		return rows;
	}

	/** The rows of a page behind the first one, none where there is no such page; undefined where it could not be had. */
	private async page(offset: number): Promise<readonly Row[] | undefined> {
		const answer = await this.orTrouble(this.askPage(offset, this.limit));
		if (answer === undefined) return undefined;
		if (!(answer instanceof ServiceError)) {
			this.options.lately.missing.delete(offset);
			// Behind its end, and where a total counts a page alone, it tells nothing of the list.
			const isCount = this.total !== Infinity && answer.rows.length > 0;
			this.hasMoved ||= isCount && answer.total !== this.total;
			return answer.isCut ? await this.withRest(answer, offset) : answer.rows;
		}
		if (offset < this.total) this.trouble ??= answer;
		else this.isRefusedAtEnd = true;
		return [];
	}

	/** What is answered; undefined where it could not be had: then no page is asked for any more. */
	private async orTrouble<T>(answer: Promise<T>): Promise<T | undefined> {
		try {
			return await answer;
		} catch (error) {
			if (!isServiceError(error)) throw error;
			this.trouble ??= error;
			this.isCut = true;
			return undefined;
		}
	}
}

/** Row by row: one set may fill several pages, with a transaction or a status each. */
function isRepeated(rows: readonly Row[], before: readonly Row[]): boolean {
	const texts = new Set(before.map(({ value }) => JSON.stringify(value)));
	return rows.every(({ value }) => texts.has(JSON.stringify(value)));
}

/** When a row was modified, as the service writes it, which is to the minute: it is compared, and never read. */
function dateOf(row: Row | undefined): string | undefined {
	return row && isSet(row.value) ? (shownText(row.value.modifiedDate) ?? undefined) : undefined;
}

function tooMany(count: number): ServiceError {
	return new ServiceError('rejected', `More than ${count.toLocaleString('en')} sets match.`, {
		remedy:
			'Nothing is started for those beyond. Choose filters that match fewer sets: a customer, an instance, or a status.',
	});
}

function nothingShown(total: number, offset = 0): ServiceError {
	return new ServiceError(
		'unexpectedResponse',
		`The service says that ${total} sets match, and shows none from number ${offset + 1} on.`,
		{ remedy: 'A change there may not be seen. If it stays, tell the service.', incomplete: true },
	);
}
