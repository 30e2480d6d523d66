import type { LaneOptions } from './contract';
import { overtakes, type Entry } from './entry';
import { comesLast, hasBegun, hasFailed } from './progress';

/** An event that came before an earlier one of its set is looked at so often: that may have been missed or have ended meanwhile. */
const OVERTAKING_LOOK_MS = 5_000;

/** What to start now, or when to look again; nothing when only a change of the lane can bring the next start. */
type Choice = { start: Entry[] } | { lookAgainAt: number } | undefined;

/** What the lane has started so far. */
interface Started {
	/** A batch is under way: with order kept, they go one at a time. */
	batchRuns: boolean;
	/** The last one was a further attempt. */
	again: boolean;
}

/**
 * The next run of a lane: one event, or a batch. An event waits for the earlier ones of its set, whatever these wait for.
 * What failed where others succeeded, or has used up its attempts, comes last: it must not take their places. Nor must
 * further attempts take all of them: after each comes the turn of what was never tried.
 * @param entries what is not settled, in order of delivery
 */
export function chooseNext(
	entries: Iterable<Entry>,
	options: LaneOptions,
	now: number,
	{ batchRuns, again }: Started,
): Choice {
	const fresh = again ? chooseAmong(entries, options, now, batchRuns, true) : undefined;
	if (fresh && 'start' in fresh) return fresh;
	return chooseAmong(entries, options, now, batchRuns, false);
}

function chooseAmong(
	entries: Iterable<Entry>,
	{ keepOrder, batchSize, batchWaitMs }: LaneOptions,
	now: number,
	batchRuns: boolean,
	freshOnly: boolean,
): Choice {
	let lookAgainAt = Infinity;
	let suspect: Entry | undefined;
	const batch: Entry[] = [];
	/** Sets that an earlier event holds up, and sets of the batch. */
	const held = new Set<string>();
	const gathered = new Set<string>();
	for (const entry of entries) {
		const { orderKey, progress } = entry;
		if (keepOrder && held.has(orderKey)) continue;
		const single = batchSize === 1 || progress.alone;
		if (entry.running || entry.shares.length === 0) held.add(orderKey);
		else if (keepOrder && overtakes(entry)) {
			lookAgainAt = Math.min(lookAgainAt, now + OVERTAKING_LOOK_MS);
			held.add(orderKey);
		} else if (progress.notBefore > now) {
			lookAgainAt = Math.min(lookAgainAt, progress.notBefore);
			held.add(orderKey);
		} else if (freshOnly && hasBegun(progress)) held.add(orderKey);
		else if (comesLast(progress)) {
			// Those due first: the first ones on the queue would take the place again and again where they fail for long.
			if (!freshOnly && progress.notBefore < (suspect?.progress.notBefore ?? Infinity)) suspect = entry;
			held.add(orderKey);
		} else if (single) {
			if (!keepOrder || !gathered.has(orderKey)) return { start: [entry] };
			held.add(orderKey);
		} else if (batch.length < batchSize && progress.attempts === (batch[0] ?? entry).progress.attempts) {
			batch.push(entry);
			gathered.add(orderKey);
		} else held.add(orderKey);
	}
	const [first] = batch;
	if (first && !(keepOrder && batchRuns)) {
		const ripeAt = first.arrivedAt + batchWaitMs;
		if (batch.length === batchSize || first.progress.attempts > 0 || ripeAt <= now) return { start: batch };
		lookAgainAt = Math.min(lookAgainAt, ripeAt);
	}
	if (suspect) return { start: [suspect] };
	return lookAgainAt === Infinity ? undefined : { lookAgainAt };
}

/**
 * What a lane that waits tries out: its oldest event, and so many more, each of another set: those that never failed, then
 * the first ones of sets that it did not try yet, the least often failed first.
 * @param entries the first events looked through
 */
export function chooseProbes(
	entries: Iterable<Entry>,
	{ keepOrder }: LaneOptions,
	tried: ReadonlySet<string>,
	more: number,
): Entry[] {
	let oldest: Entry | undefined;
	const fresh: Entry[] = [];
	const failed: Entry[] = [];
	const passed = new Set<string>();
	const taken = new Set<string>();
	for (const entry of entries) {
		if (fresh.length >= more) break;
		const { orderKey, progress } = entry;
		const blocked = passed.has(orderKey) && (keepOrder || taken.has(orderKey));
		passed.add(orderKey);
		if (entry.running || blocked || entry.shares.length === 0) continue;
		if (keepOrder && overtakes(entry)) continue;
		const isFresh = !hasFailed(progress) && progress.refused === undefined;
		if (!oldest) oldest = entry;
		else if (isFresh) fresh.push(entry);
		else if (!tried.has(orderKey)) failed.push(entry);
		else continue;
		taken.add(orderKey);
	}
	failed.sort((a, b) => blame(a) - blame(b));
	return oldest ? [oldest, ...[...fresh, ...failed].slice(0, more)] : [];
}

/** What failed in a wait alone may have done so over what was away then; what failed while others succeeded is bad by itself. */
const blame = ({ progress }: Entry) => (progress.suspect ? Number.MAX_SAFE_INTEGER : progress.attempts);
