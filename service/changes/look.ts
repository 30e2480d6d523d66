import type { AskPage, Page, Row } from '../api/page';
import { isServiceError, ServiceError } from '../errors';
import { modifiedInstant } from '../model/modifiedDate';
import { idKey, isSet, shownStatus, shownText, type SetResult } from '../model/set';
import type { SetMemory } from './setMemory';

/** Where the newest changes stand in a list, as the last whole pass has shown. */
export type ListOrder = 'newest first' | 'oldest first' | 'by no date';

/** How far the passes through a list have come. Plain data: it is stored between two looks. */
export interface Progress {
	/** The number of the pass that is under way, or of the next one. */
	pass: number;
	/** Rows that this pass has behind it; null between two passes. */
	offset: number | null;
	/** Whether a pass has been through all of it: from then on, what is not remembered is new. */
	learnt: boolean;
	order: ListOrder;
	/** A pass has found a change that stood at no end, though the list was in the order of its dates. */
	distrusted: boolean;
	/** What the pass under way says of the order so far, and the first date of the page it has come to. */
	falls: boolean;
	rises: boolean;
	lastDate: number | null;
	/** When the last pass ended, or the first one began, in milliseconds since 1970. */
	endedAt: number;
}

export const BEGINNING: Readonly<Progress> = {
	...{ pass: 0, offset: null, learnt: false, order: 'by no date', endedAt: 0, distrusted: false },
	...{ falls: true, rises: true, lastDate: null },
};

/** A set that is new, or whose status is not the one that is remembered. */
export interface Change {
	/** What tells sets apart in the memory. */
	key: string;
	/** Canonical; empty where the set has none. */
	status: string;
	set: SetResult;
}

export interface LookOptions {
	/** Sets per page. */
	pageSize: number;
	/** Changes that one look gives at most: the others are found by the next one. */
	mostChanges: number;
	/** Pages that are asked for side by side. */
	width: number;
	/** No page is asked for after this time, in milliseconds since 1970. */
	until: number;
	now: () => number;
	/** The zone of the service's dates. */
	zone: string;
	/** Whether a change starts a run; what does not is remembered without a word. */
	wanted: (set: SetResult) => boolean;
	/** Sets that changed at or after this time count as changed though nothing is remembered yet; undefined for none. */
	since?: number;
}

/** Text of the changed sets of one look, roughly. */
const MOST_BYTES = 8 * 1024 * 1024;
/** The zone of the service's dates may not be the one that was chosen. */
const ANY_ZONE_MS = 24 * 60 * 60 * 1000;
/** A list in the order of its dates shows every change at one end; a pass then only looks whether that is so, after this time, … */
const PASS_EVERY_MS = 60 * 60 * 1000;
/** … or after so much for each page. */
const PASS_EVERY_MS_A_PAGE = 18 * 1000;
/** Of a list in any other order, each look reads at least so many pages … */
const PAGES_A_LOOK = 10;
/** … and so large a part of it. */
const PART_A_LOOK = 1 / 30;

/** What a look came to. */
export interface Looked {
	changes: Change[];
	/** What kept it from seeing all it should have: to be told when the changes are passed on. */
	trouble?: ServiceError;
}

/**
 * One look at a list of sets: both ends of it, on from the end where the newest changes stand, and a part of a pass
 * through all of it. Changes `progress`, and `memory` for what is remembered without a word; the changes that are given are
 * learnt by the caller, when it has passed them on.
 *
 * @throws ServiceError what the first page answered; `rejected` where more sets match than are remembered
 */
export async function look(
	askPage: AskPage,
	memory: SetMemory,
	progress: Progress,
	options: LookOptions,
): Promise<Looked> {
	const seen = new Seen(memory, progress, options);
	const looked: Looked = { changes: seen.changes };
	const now = options.now();
	// Somebody set the clock back.
	if (progress.endedAt > now) progress.endedAt = 0;

	const isFirst = progress.pass === 0;
	if (isFirst) progress.endedAt = now;
	const head = await askPage(0, options.pageSize);
	if (head instanceof ServiceError) throw head;
	const size = head.rows.length;
	let { total } = head;

	let isCut = false;
	/** A page behind the first one, empty where there is none; undefined where it could not be had. */
	const page = async (offset: number): Promise<Page | undefined> => {
		try {
			const answer = await askPage(offset, size);
			if (!(answer instanceof ServiceError)) return answer;
			if (offset < total) looked.trouble ??= answer;
			return { ...head, offset, rows: [], full: false };
		} catch (error) {
			if (!isServiceError(error)) throw error;
			looked.trouble ??= error;
			isCut = true;
			return undefined;
		}
	};
	const hasTime = () => options.now() < options.until && !seen.full && !isCut;

	const atHead = seen.rows(head.rows, isFirst ? 'pass' : 'end');
	if (size === 0) {
		// Whatever it says of a list that was there a moment ago, it shows nothing of it.
		if (total > 0 || (memory.size > 0 && !progress.learnt)) looked.trouble = nothingShown(total);
		else if (!progress.learnt) endPass(progress, now, 'by no date');
		return looked;
	}
	if (size >= total) {
		// A total may count the page alone, or stop at a round number.
		const next = head.full ? await page(size) : undefined;
		if (isCut) return looked;
		if (!next || next.rows.length === 0) {
			// Nobody can tell an order from one page, which is always read whole.
			beginPass(progress, 0);
			if (!seen.full) endPass(progress, now, 'by no date');
			return looked;
		}
		total = Infinity;
	}
	const tailOffset = total === Infinity ? size : Math.floor((total - 1) / size) * size;
	const tail = await page(tailOffset);
	const atTail = seen.rows(tail?.rows ?? [], isFirst ? 'pass' : 'end');

	// On from the end where changes stand, for as long as there are some.
	const step = progress.order === 'newest first' ? size : -size;
	let more = progress.learnt && (progress.order === 'newest first' ? atHead : atTail);
	let at = progress.order === 'newest first' ? size : tailOffset - size;
	while (progress.order !== 'by no date' && more && at > 0 && at < tailOffset && hasTime()) {
		more = seen.rows((await page(at))?.rows ?? [], 'end');
		at += step;
	}

	if (progress.offset === null) {
		const isOrdered = progress.order !== 'by no date' && total !== Infinity;
		const everyMs = Math.max(PASS_EVERY_MS, (total / size) * PASS_EVERY_MS_A_PAGE);
		if (isOrdered && !seen.full && now < progress.endedAt + everyMs) return looked;
		beginPass(progress, size);
		seen.dates(head.rows);
	}
	const part = total === Infinity ? PAGES_A_LOOK : Math.ceil((total / size) * PART_A_LOOK);
	let left = progress.learnt ? Math.max(PAGES_A_LOOK, part) : Infinity;
	// One page at least, however slow they come: otherwise a pass would stand still for ever.
	for (let isOn = !seen.full && !isCut; isOn && progress.offset !== null && left > 0; isOn = hasTime()) {
		const from: number = progress.offset;
		const asked = Array.from(
			{ length: Math.min(options.width, left) },
			(_, index) => from + index * size,
		).filter((offset) => offset === from || (total !== Infinity && offset < total));
		left -= asked.length;
		for (const [index, answer] of (await Promise.all(asked.map(page))).entries()) {
			if (!answer) break;
			const { rows } = answer;
			const offset = from + index * size;
			const any = seen.rows(rows, 'pass');
			if (seen.full) break;
			if (any && progress.learnt && progress.order !== 'by no date') progress.distrusted = true;
			seen.dates(rows);
			progress.offset = offset + rows.length;
			if (rows.length === 0 && total !== Infinity && offset < total) {
				looked.trouble ??= nothingShown(total, offset);
				progress.offset = offset + size;
				break;
			}
			const reached = progress.offset >= (total === Infinity ? 0 : total);
			if (rows.length === 0 || (reached && rows.length < size)) {
				finishPass(memory, progress, now, total, seen.changes.length);
				break;
			}
			// Of a page that came short, what follows is asked for from where it ended.
			if (rows.length < size) break;
		}
	}
	// Where the others stand, only a whole pass finds out.
	if (seen.full) Object.assign(progress, { offset: null, endedAt: 0 });
	return looked;
}

/** Passes in which a list may give less than it says before that counts as all. */
const PASSES_TO_LEARN = 5;

/** Ends a pass; while all is learnt for the first time, it has to have shown as many sets as the service speaks of. */
function finishPass(
	memory: SetMemory,
	progress: Progress,
	now: number,
	total: number,
	changes: number,
): void {
	const isShort = total !== Infinity && memory.size + changes < total;
	if (!progress.learnt && isShort && progress.pass < PASSES_TO_LEARN) progress.offset = null;
	else endPass(progress, now, orderOf(progress));
}

function nothingShown(total: number, offset = 0): ServiceError {
	return new ServiceError(
		'unexpectedResponse',
		`The service says that ${total} sets match, and shows none from number ${offset + 1} on.`,
		{ remedy: 'A change there may not be seen. If it stays, tell the service.', incomplete: true },
	);
}

function beginPass(progress: Progress, offset: number): void {
	progress.pass++;
	Object.assign(progress, { offset, falls: true, rises: true, lastDate: null });
}

function endPass(progress: Progress, now: number, order: ListOrder): void {
	Object.assign(progress, { offset: null, learnt: true, order, endedAt: now });
}

function orderOf({ falls, rises, distrusted }: Progress): ListOrder {
	if (falls === rises || distrusted) return 'by no date';
	return falls ? 'newest first' : 'oldest first';
}

function keyOf({ setId, transactionId }: SetResult): string {
	return `${idKey(setId)} ${idKey(shownText(transactionId) ?? '')}`;
}

function tooMany(count: number): ServiceError {
	return new ServiceError('rejected', `More than ${count.toLocaleString('en')} sets match.`, {
		remedy: 'Choose filters that match fewer sets: a customer, an instance, or a status.',
	});
}

/** What one look has seen. */
class Seen {
	readonly changes: Change[] = [];
	/** True when more changed than a look gives. */
	full = false;
	private bytes = 0;
	private readonly inThisLook = new Set<string>();

	constructor(
		private readonly memory: SetMemory,
		private readonly progress: Progress,
		private readonly options: LookOptions,
	) {}

	/**
	 * @param where what is not remembered yet and stands at an end of the list has come there since the last look; on a
	 * pass before all was seen once, it may have been there for ever
	 * @returns whether any of them was new or had changed
	 */
	rows(rows: readonly Row[], where: 'end' | 'pass'): boolean {
		let any = false;
		for (const { value } of rows) {
			if (!isSet(value)) continue;
			const key = keyOf(value);
			// Shown twice, with two statuses: one of them would be a change in each look.
			if (this.inThisLook.has(key)) continue;
			const status = shownStatus(value) ?? '';
			const known = this.memory.knows(key, status);
			const isChange = known === 'other status' || (known === 'new' && this.isNew(value, where));
			any ||= isChange;
			if (isChange && this.options.wanted(value)) {
				this.bytes += JSON.stringify(value).length;
				const isTooMuch = this.bytes > MOST_BYTES && this.changes.length > 0;
				if (isTooMuch || this.changes.length >= this.options.mostChanges) {
					this.full = true;
					return true;
				}
				this.changes.push({ key, status, set: value });
			} else {
				if (known === 'new' && !this.memory.makeRoom(this.progress.pass)) throw tooMany(this.memory.size);
				this.memory.learn(key, status, this.progress.pass);
			}
			this.inThisLook.add(key);
		}
		return any;
	}

	private isNew(set: SetResult, where: 'end' | 'pass'): boolean {
		if (this.progress.learnt) return true;
		const { since, zone } = this.options;
		const changedAt = modifiedInstant(set.modifiedDate, zone);
		if (since !== undefined) return changedAt !== null && changedAt >= since;
		return where === 'end' && changedAt !== null && changedAt >= this.progress.endedAt - ANY_ZONE_MS;
	}

	/** What the dates of a page say of the list. From page to page only their beginnings are compared: the list may move meanwhile. */
	dates(rows: readonly Row[]): void {
		const { progress, options } = this;
		const dates = rows
			.map(({ value }) => (isSet(value) ? modifiedInstant(value.modifiedDate, options.zone) : null))
			.filter((date) => date !== null);
		for (const [index, date] of dates.entries()) {
			const before = index === 0 ? progress.lastDate : dates[index - 1];
			if (before === null || before === undefined) continue;
			if (date > before) progress.falls = false;
			if (date < before) progress.rises = false;
		}
		progress.lastDate = dates[0] ?? progress.lastDate;
	}
}
