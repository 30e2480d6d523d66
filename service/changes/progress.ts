import { z } from 'zod';
import type { Row } from '../api/page';
import { modifiedInstant } from '../model/modifiedDate';
import { isSet } from '../model/set';

/** How far the passes through a list have come. Plain data: it is stored between two looks. */
export const Progress = z.object({
	/** The number of the pass that is under way, or of the next one. */
	pass: z.int().nonnegative(),
	/** Rows that this pass has behind it; null between two passes. */
	offset: z.int().nonnegative().nullable(),
	/** Whether a pass has been through all of it: from then on, what is not remembered is new. */
	learnt: z.boolean(),
	/** Where the newest changes stand in the list, as the last whole pass has shown. */
	order: z.enum(['newest first', 'oldest first', 'by no date']),
	/** A pass has found a change that stood at no end, though the list was in the order of its dates. */
	distrusted: z.boolean(),
	/** What the pass under way says of the order so far, and the first date of the page it has come to. */
	falls: z.boolean(),
	rises: z.boolean(),
	lastDate: z.number().nullable(),
	/** When the last pass ended, or the first one began, in milliseconds since 1970. */
	endedAt: z.number(),
});
export type Progress = z.infer<typeof Progress>;

export const BEGINNING: Readonly<Progress> = {
	...{ pass: 0, offset: null, learnt: false, order: 'by no date', endedAt: 0, distrusted: false },
	...{ falls: true, rises: true, lastDate: null },
};

/** Passes in which a list may give less than it says before that counts as all. */
const PASSES_TO_LEARN = 5;

export function beginPass(progress: Progress, offset: number): void {
	progress.pass++;
	Object.assign(progress, { offset, falls: true, rises: true, lastDate: null });
}

/** A pass that shows no order, since it was one page or none. */
export function endPassOfOnePage(progress: Progress, now: number): void {
	Object.assign(progress, { offset: null, learnt: true, order: 'by no date', endedAt: now });
}

/**
 * Ends a pass; while all is learnt for the first time, it has to have shown as many sets as the service speaks of.
 *
 * @param isShort whether it has shown fewer
 */
export function endPass(progress: Progress, now: number, isShort: boolean): void {
	if (!progress.learnt && isShort && progress.pass < PASSES_TO_LEARN) progress.offset = null;
	else Object.assign(progress, { offset: null, learnt: true, order: orderOf(progress), endedAt: now });
}

function orderOf({ falls, rises, distrusted }: Progress): Progress['order'] {
	if (falls === rises || distrusted) return 'by no date';
	return falls ? 'newest first' : 'oldest first';
}

/**
 * What the dates of a page say of the order of the list. From page to page only their beginnings are compared: the list may
 * move meanwhile.
 *
 * @param zone the zone of the service's dates
 */
export function learnOrder(progress: Progress, rows: readonly Row[], zone: string): void {
	const dates = rows
		.map(({ value }) => (isSet(value) ? modifiedInstant(value.modifiedDate, zone) : null))
		.filter((date) => date !== null);
	for (const [index, date] of dates.entries()) {
		const before = index === 0 ? progress.lastDate : dates[index - 1];
		if (before === null || before === undefined) continue;
		if (date > before) progress.falls = false;
		if (date < before) progress.rises = false;
	}
	progress.lastDate = dates[0] ?? progress.lastDate;
}
