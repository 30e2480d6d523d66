import { isRoundCount, leavesOut, type GoesOn, type LeftOut } from '../api/narrower';
import { listMayGoOn } from '../api/pages';
import { isServiceError, ServiceError } from '../errors';
import type { Progress } from './progress';

/** Searches that match fewer sets: they show what a list leaves out. */
export interface NarrowerSearches {
	/** Whether a list of a round number of sets goes on behind its end: searches that give fewer sets show it. */
	showMore?: (count: number, isKnown: (key: string) => boolean) => Promise<GoesOn>;
	/** A set that the list leaves out, since the service goes by some of several customers alone. */
	customerLeftOut?: (count: number, isKnown: (key: string) => boolean) => Promise<LeftOut | undefined>;
}

/** What a look has seen of the end of a list. */
interface ListEnd {
	/** Rows that came before it. */
	rows: number;
	/** The service refused what would follow on the last set. */
	isRefused: boolean;
	/** The pass that came to it began in a look before: what came since then may stand where it had been already. */
	isOldPass: boolean;
	/** Whether a set was remembered before this look, or is among its changes. */
	isKnown: (key: string) => boolean;
	/** Whether the list has shown it lately. Not only remembered: that may be what is left out by now. */
	isShown: (key: string) => boolean;
}

/** The end of a list is compared again after this time. */
const EVERY_MS = 60 * 60 * 1000;
/** Where a narrower search could not be had, after this time: it may never be. */
const AFTER_FAILURE_MS = 10 * 60 * 1000;

const ONE_CUSTOMER =
	'Nothing is started for those. Choose one customer, and a poll trigger for each, and tell the service.';

/** Behind one address may stand a service that was behind. */
export function forgetLeftOutOnceShown(progress: Progress, isShown: (key: string) => boolean): void {
	if (progress.leftOut && isShown(progress.leftOut.key)) progress.leftOut = null;
}

/** Where it ends as services do that count no further, there may be more. */
export function learnEnd(progress: Progress, { rows, isRefused }: ListEnd): void {
	if (progress.countedTo !== rows) progress.countedTo = null;
	if (listMayGoOn(rows, isRefused)) progress.countedTo = rows;
}

/** What may be left out of the list was seen once: the next look makes sure of it. */
export function isSuspected({ leftOut }: Progress): boolean {
	return leftOut?.isSure === false;
}

/** Whether the end of the list is to be compared in this look: once an hour, and while something is suspected. */
export function comparisonIsDue(progress: Progress, now: number): boolean {
	return now >= progress.comparedAt + EVERY_MS || isSuspected(progress);
}

/** Compares the end of a list with narrower searches, and remembers in `progress` what they show. */
export async function compareEnd(
	narrower: NarrowerSearches,
	progress: Progress,
	end: ListEnd,
	now: number,
): Promise<void> {
	progress.comparedAt = now - EVERY_MS + AFTER_FAILURE_MS;
	try {
		await compareCustomers(narrower, progress, end);
		if ((await compareCount(narrower, progress, end)) !== 'unknown') progress.comparedAt = now;
	} catch (error) {
		// There was no time for it: what the look has seen is told all the same.
		if (!isServiceError(error)) throw error;
	}
}

async function compareCustomers(
	{ customerLeftOut }: NarrowerSearches,
	progress: Progress,
	{ rows, isOldPass, isShown }: ListEnd,
): Promise<void> {
	const before = progress.leftOut;
	const leftOut = await customerLeftOut?.(rows, isShown);
	const isSame = before !== null && before.customerId === leftOut?.customerId;
	progress.leftOut = leftOut ? { ...leftOut, isSure: isSame || !isOldPass } : null;
}

/** Where it ends at a round number, the service may count no further. */
async function compareCount(
	{ showMore }: NarrowerSearches,
	progress: Progress,
	{ rows, isRefused, isKnown }: ListEnd,
): Promise<GoesOn> {
	const isOpen = isRoundCount(rows) && !listMayGoOn(rows, isRefused);
	if (!isOpen || progress.order === 'newest first' || !showMore) return 'no';
	const goesOn = await showMore(rows, isKnown);
	if (goesOn !== 'unknown') progress.countedTo = goesOn === 'yes' ? rows : null;
	return goesOn;
}

/** What is to be told of sets that the list leaves out; undefined for none. */
export function leftOutInWords({ countedTo, leftOut, order }: Progress): ServiceError | undefined {
	if (leftOut?.isSure) return leavesOut(leftOut.customerId, ONE_CUSTOMER);
	return countedTo !== null && order !== 'newest first' ? mayBeMore(countedTo) : undefined;
}

function mayBeMore(count: number): ServiceError {
	return new ServiceError(
		'unexpectedResponse',
		`The service shows ${count.toLocaleString('en')} sets and may count no further: there may be more.`,
		{
			remedy:
				'Nothing is started for those beyond. Choose filters that match fewer sets: a customer, an instance, or a status.',
			incomplete: true,
		},
	);
}
