import type { AskPage, Page, Row } from '../api/page';
import { ServiceError } from '../errors';
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

/**
 * One look at a list of sets: both ends of it, on from the end where the newest changes stand, and a part of a pass
 * through all of it. Changes `progress`, and `memory` for what is remembered without a word; the changes that are given are
 * learnt by the caller, when it has passed them on.
 *
 * @throws ServiceError what a page answered; `rejected` where more sets match than are remembered
 */
export async function look(
	askPage: AskPage,
	memory: SetMemory,
	progress: Progress,
	options: LookOptions,
): Promise<Change[]> {
	const seen = new Seen(memory, progress, options);
	const page = async (offset: number, limit = options.pageSize): Promise<Page> => {
		const answer = await askPage(offset, limit);
		if (answer instanceof ServiceError) throw answer;
		return answer;
	};
	const hasTime = () => options.now() < options.until && !seen.full;

	const isFirst = progress.pass === 0;
	if (isFirst) progress.endedAt = options.now();
	const head = await page(0);
	const size = head.rows.length;
	const atHead = seen.rows(head.rows, isFirst ? 'pass' : 'end');
	if (size >= head.total || size === 0) {
		// Nobody can tell an order from one page, which is always read whole.
		beginPass(progress, 0);
		if (!seen.full) endPass(progress, options.now(), 'by no date');
		return seen.changes;
	}
	const tailOffset = Math.max(size, head.total - size);
	const atTail = seen.rows((await page(tailOffset, size)).rows, isFirst ? 'pass' : 'end');

	// On from the end where changes stand, for as long as there are some.
	const step = progress.order === 'newest first' ? size : -size;
	let more = progress.learnt && (progress.order === 'newest first' ? atHead : atTail);
	let at = progress.order === 'newest first' ? size : tailOffset - size;
	while (progress.order !== 'by no date' && more && at > 0 && at < tailOffset && hasTime()) {
		more = seen.rows((await page(at, size)).rows, 'end');
		at += step;
	}

	if (progress.offset === null) {
		const isOrdered = progress.order !== 'by no date';
		const everyMs = Math.max(PASS_EVERY_MS, (head.total / size) * PASS_EVERY_MS_A_PAGE);
		if (isOrdered && !seen.full && options.now() < progress.endedAt + everyMs) return seen.changes;
		beginPass(progress, size);
		seen.dates(head.rows);
	}
	const part = Math.ceil((head.total / size) * PART_A_LOOK);
	let left = progress.learnt ? Math.max(PAGES_A_LOOK, part) : Infinity;
	while (progress.offset !== null && left > 0 && hasTime()) {
		const from: number = progress.offset;
		const offsets = Array.from({ length: Math.min(options.width, left) }, (_, index) => from + index * size);
		const asked = offsets.filter((offset) => offset < head.total);
		left -= asked.length;
		if (asked.length === 0) endPass(progress, options.now(), orderOf(progress));
		for (const { rows, offset } of await Promise.all(asked.map((each) => page(each, size)))) {
			const any = seen.rows(rows, 'pass');
			if (seen.full) break;
			if (any && progress.learnt && progress.order !== 'by no date') progress.distrusted = true;
			seen.dates(rows);
			progress.offset = rows.length === 0 ? head.total : offset + rows.length;
			// Of a page that came short, what follows is asked for from where it ended.
			if (rows.length < size) break;
		}
	}
	// Where the others stand, only a whole pass finds out.
	if (seen.full) Object.assign(progress, { offset: null, endedAt: 0 });
	return seen.changes;
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
				if (this.changes.length >= this.options.mostChanges) {
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
