import type { Progress } from '../../../service/changes/progress';
import { ServiceError } from '../../../service/errors';

/** Of sets that nobody has counted, so many looks in a row may leave some: 2,000 changes at once are no more than a busy day. */
const FULL_LOOKS = 3;
/** Sets that wait no longer than this had a busy day, and the looks of the night come to them. Less than a day: looks are not that punctual. */
const BUSY_DAY_MS = 20 * 60 * 60 * 1000;

type Waiting = Progress['waiting'];

/**
 * What a look notes of changed sets that it leaves for the next one. However soon that follows: what is rare may also come
 * just after a restart of n8n, or after another look.
 *
 * @param sets that it had no time for; 0 where it only knows that there are more
 * @param began when the look began, in milliseconds since 1970
 */
export function waitingAfter(before: Waiting, sets: number, began: number): Waiting {
	return { sets, looks: (before?.looks ?? 0) + 1, since: Math.min(before?.since ?? began, began) };
}

/**
 * The error for changed sets that wait for their runs and do not become fewer: the looks never come to them.
 *
 * @param look sets that it started runs for, when it began, in milliseconds since 1970, and whether each set has a run of its own
 */
export function waitsInVain(
	before: Waiting,
	now: Waiting,
	{ started, began, oneRunPerSet }: { started: number; began: number; oneRunPerSet: boolean },
): ServiceError | undefined {
	if (!now || began < now.since + BUSY_DAY_MS) return undefined;
	const areCounted = now.sets > 0 && before !== null && before.sets > 0;
	if (areCounted ? now.sets < before.sets : now.looks <= FULL_LOOKS) return undefined;
	const orElse = oneRunPerSet
		? 'or, in the options under Runs, One for All Sets of a Look'
		: 'or filters that match fewer sets';
	return new ServiceError(
		'invalidInput',
		`More sets change from look to look than a look has time for: this one started runs for ${started}, and ${now.sets || 'more'} wait.`,
		{
			remedy: `They follow with the next looks, but some may start no run ever. Choose Poll Times that come more often ${orElse}.`,
		},
	);
}
