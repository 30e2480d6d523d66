import * as z from 'zod';
import type { Row } from '../api/page';
import { modifiedInstant } from '../model/modifiedDate';
import { isSet } from '../model/set';

const Kept = z.object({
	/** The number of the pass that is under way, or of the next one. */
	pass: z.int().nonnegative(),
	/** Rows that this pass has behind it; null between two passes. */
	offset: z.int().nonnegative().nullable(),
	/** Rows up to the last one that came, of any pass since the one that came to the end of the list. */
	rows: z.int().nonnegative().default(0),
	/** Whether a pass has been through all of it: from then on, what is not remembered is new. */
	learnt: z.boolean(),
	/** Where the newest changes stand in the list, as the last whole pass has shown. */
	order: z.enum(['newest first', 'oldest first', 'by no date']),
	/** Sets that were remembered at the end of a pass, and the last pass at whose end they were more. */
	known: z.int().nonnegative(),
	grewIn: z.int().nonnegative(),
	/** A pass has found a change that stood at no end, though the list was in the order of its dates. */
	distrusted: z.boolean(),
	/** What the pass under way says of the order so far, and the first date of the page it has come to. */
	falls: z.boolean(),
	rises: z.boolean(),
	lastDate: z.number().nullable(),
	/** A page of it came short, and more followed: rows may be left out of pages that were cut before, and not counted. */
	uneven: z.boolean().default(false),
	/** Sets that the service spoke of when it began: those that came since may stand where it had been already. */
	due: z.number().nonnegative().nullable().default(null),
	/** The page of it that came last, as a fingerprint, and how often in a row that one was the one before it again. */
	lastPage: z.number().nullable().default(null),
	again: z.int().nonnegative().default(0),
	/** There was no time to wait for its next page, or for the other end before it: the next look asks for that page first. */
	hurries: z.boolean().default(false),
	/** When the last pass ended, or the first one began, in milliseconds since 1970. */
	endedAt: z.number(),
	/** Changes were left where only a pass finds them, and whether the pass under way is the one that does. */
	left: z.boolean(),
	catchesUp: z.boolean(),
	/** What is looked for was edited: until a whole pass has been through the list, sets are let in, and kept out, as they are. */
	edited: z.boolean().optional(),
	/**
	 * Changed sets that the look before had no time for, 0 where nobody has counted them, how many looks in a row left some,
	 * and when the first of these began, in milliseconds since 1970.
	 */
	waiting: z
		.object({ sets: z.int().nonnegative(), looks: z.int().nonnegative(), since: z.number() })
		.nullable()
		.default(null),
	/** Sets at which the last whole pass ended, where services stop to count: there may be more. Null for an end that is one. */
	countedTo: z.int().nonnegative().nullable(),
	/** When it was compared with narrower searches, in milliseconds since 1970. */
	comparedAt: z.number(),
	/**
	 * A set that the list leaves out, as a search for its customer alone has shown. Not sure yet where it may have come while
	 * the list was read: then the next pass should meet it. Null for none.
	 */
	leftOut: z
		.object({ customerId: z.string(), key: z.string(), isSure: z.boolean() })
		.nullable()
		.default(null),
	/** When the list showed nothing, though it was not empty; null for never: what changed since then, or in the day before, is told. */
	emptyAt: z.number().nullable().default(null),
	/** The end of the list was there once: until then, what stands at it may have stood there at first. */
	endSeen: z.boolean().default(true),
	/** The newest date of what was there at first; null for none, until that is read. */
	newestAtFirst: z.number().nullable().default(null),
	/** The first reading may have passed over sets that were there: until the next one has ended, they come for the first time. */
	passedOver: z.boolean().default(false),
});
/**
 * How far the passes through a list have come. Plain data: it is stored between two looks. An earlier version did not say
 * whether what is looked for was edited: where a pass has yet to find something, that may be it.
 */
export const Progress = Kept.transform((kept) => ({
	...kept,
	edited: kept.edited ?? (kept.left || (kept.catchesUp && kept.offset !== null)),
}));
export type Progress = z.infer<typeof Progress>;

/** Where a list stands of which nothing was read yet. */
export const BEGINNING: Readonly<Progress> = {
	...{ pass: 0, offset: null, rows: 0, learnt: false, order: 'by no date', endedAt: 0, distrusted: false },
	...{ known: 0, grewIn: 0, falls: true, rises: true, lastDate: null },
	...{
		left: false,
		catchesUp: false,
		edited: false,
		waiting: null,
		countedTo: null,
		comparedAt: 0,
		leftOut: null,
		emptyAt: null,
		endSeen: false,
		newestAtFirst: null,
		passedOver: false,
		uneven: false,
		due: null,
		hurries: false,
		lastPage: null,
		again: 0,
	},
};

/** Begins anew with a list that showed nothing the first time, and was not empty. */
export function beginAgain(progress: Progress, emptyAt: number): void {
	Object.assign(progress, { ...BEGINNING, emptyAt });
}

/** The zone of the service's dates may not be the one that was chosen. */
export const ANY_ZONE_MS = 24 * 60 * 60 * 1000;

/** A set was there before anything could be told of it. @param instant its date, in milliseconds since 1970 */
export function foundAtFirst(progress: Progress, instant: number | null): void {
	const { learnt, endedAt, newestAtFirst } = progress;
	// A date of years to come, written by mistake, is no measure.
	if (learnt || instant === null || instant > endedAt + ANY_ZONE_MS) return;
	progress.newestAtFirst = Math.max(newestAtFirst ?? instant, instant);
}

/** All is read that was there at first: where none of it had a date, whatever it is, it is not a newer one. */
function noneIsNewer(progress: Progress, now: number): void {
	progress.newestAtFirst ??= now + ANY_ZONE_MS;
}

/** A list that gives less than it says counts as learnt after so many passes that showed nothing new, … */
const PASSES_IN_VAIN = 3;
/** … or after so many in all. */
const PASSES_TO_LEARN = 20;

/** A pass through the list begins. @param offset of its first page, in sets @param total sets the service speaks of */
export function beginPass(progress: Progress, offset: number, total = Infinity): void {
	progress.pass++;
	const { left } = progress;
	Object.assign(progress, { offset, falls: true, rises: true, lastDate: null });
	Object.assign(progress, { uneven: false, lastPage: null, again: 0 });
	progress.due = total === Infinity ? null : total;
	Object.assign(progress, { catchesUp: left, left: false });
}

/**
 * A look ended before it had passed on all changes of an end: a pass has to find them. One that is under way may be beyond
 * them already, so another begins; but one that catches up comes to its end, or a list that never rests is never read.
 */
export function leaveChanges(progress: Progress): void {
	progress.left = true;
	if (progress.learnt && !progress.catchesUp) progress.offset = null;
}

/** Other sets are looked for: which these are, only a pass finds. */
export function lookForOthers(progress: Progress): void {
	progress.left = progress.edited = true;
}

/** A change that stands at no end says that the list is not in the order of its dates; not so one that was left there. */
export function foundByPass(progress: Progress): void {
	const { learnt, order, left, catchesUp } = progress;
	if (learnt && order !== 'by no date' && !left && !catchesUp) progress.distrusted = true;
}

/** A pass that shows no order, since it was one page or none. */
export function endPassOfOnePage(progress: Progress, now: number): void {
	Object.assign(progress, { passedOver: false, offset: null, rows: 0, learnt: true, edited: false });
	noneIsNewer(progress, now);
	Object.assign(progress, { order: 'by no date', endedAt: now });
}

/**
 * Ends a pass; all is learnt for the first time with as many sets as the service speaks of, or when no more of them come:
 * sets of one date may come in another order each time, and some on no page.
 *
 * @param known sets that are remembered now
 * @param rows different rows of the pass: of a set that stands in several, as many are due where the total counts rows
 * @param total sets the service speaks of; `Infinity` where it does not: then a set is due for each row of the pass
 * @param mayPassOver the pass began in a look before, or the list moved in this one: what left meanwhile moved others to
 * where the pass had been already
 */
export function endPass(
	progress: Progress,
	now: number,
	{ known, rows, total, mayPassOver }: { known: number; rows: number; total: number; mayPassOver: boolean },
): void {
	const isShort =
		Math.max(known, rows) <
		(total === Infinity ? (progress.offset ?? 0) : Math.min(total, progress.due ?? total));
	if (known > progress.known) Object.assign(progress, { known, grewIn: progress.pass });
	const { pass, grewIn } = progress;
	const mayShowMore = pass < grewIn + PASSES_IN_VAIN && pass < PASSES_TO_LEARN;
	if (!progress.learnt && isShort && mayShowMore) {
		progress.offset = null;
		return;
	}
	const passedOver = !progress.learnt && mayPassOver;
	progress.edited &&= progress.left;
	noneIsNewer(progress, now);
	Object.assign(progress, { passedOver, offset: null, learnt: true, order: orderOf(progress), endedAt: now });
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
