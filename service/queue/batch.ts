import type { LaneOptions } from './subscription';

/** What the choice of the next run looks at. */
export interface Choosable {
	/** Events with the same key go one after another. */
	orderKey: string;
	/** When it came to the lane, in milliseconds since 1970. */
	arrivedAt: number;
	/** Not before this moment, in milliseconds since 1970. */
	notBefore: number;
	/** Runs so far. */
	attempts: number;
}

/** Order keys of the events that have a run, or wait for their next attempt. */
export interface Begun {
	readonly size: number;
	has(orderKey: string): boolean;
}

/** What to start now, or when to look again; nothing when only a change of the lane can bring the next start. */
export type Choice<T> = { start: T[] } | { lookAgainAt: number } | undefined;

/**
 * The next run of a lane: one event, or a batch.
 * @param waiting events without a run, in order of arrival
 */
export function chooseNext<T extends Choosable>(
	waiting: ReadonlySet<T>,
	begun: Begun,
	options: LaneOptions,
	now: number,
): Choice<T> {
	return options.batchSize > 1
		? chooseBatch(waiting, begun, options, now)
		: chooseOne(waiting, begun, options, now);
}

function chooseOne<T extends Choosable>(
	waiting: ReadonlySet<T>,
	begun: Begun,
	options: LaneOptions,
	now: number,
): Choice<T> {
	const passed = new Set<string>();
	let lookAgainAt = Infinity;
	for (const entry of waiting) {
		const blocked = options.keepOrder && (begun.has(entry.orderKey) || passed.has(entry.orderKey));
		passed.add(entry.orderKey);
		if (blocked) continue;
		if (entry.notBefore <= now) return { start: [entry] };
		lookAgainAt = Math.min(lookAgainAt, entry.notBefore);
	}
	return lookAgainAt === Infinity ? undefined : { lookAgainAt };
}

/**
 * A batch is full, or its first event has waited long enough. With order kept, batches go one at a time; without, an event
 * that may not run yet lets the others pass. Events side by side in a batch have had as many runs: it is given up as a whole,
 * and a fresh one beside one before its last attempt would have that attempt only.
 */
function chooseBatch<T extends Choosable>(
	waiting: ReadonlySet<T>,
	begun: Begun,
	{ keepOrder, batchSize, batchWaitMs }: LaneOptions,
	now: number,
): Choice<T> {
	if (waiting.size === 0 || (keepOrder && begun.size > 0)) return undefined;
	const open = keepOrder ? [...waiting] : [...waiting].filter(({ notBefore }) => notBefore <= now);
	const [first] = open;
	if (!first) return { lookAgainAt: Math.min(...[...waiting].map(({ notBefore }) => notBefore)) };
	if (first.notBefore > now) return { lookAgainAt: first.notBefore };
	const stranger = open.findIndex(
		({ attempts, notBefore }) => attempts !== first.attempts || notBefore > now,
	);
	const alike = stranger === -1 ? open : open.slice(0, stranger);
	const ripeAt = first.arrivedAt + batchWaitMs;
	// What stands behind a stranger cannot fill this batch: there is nothing to wait for.
	if (stranger === -1 && alike.length < batchSize && ripeAt > now) return { lookAgainAt: ripeAt };
	return { start: alike.slice(0, batchSize) };
}
