import type { LaneOptions } from './subscription';

/** What the choice of the next run looks at. */
export interface Choosable {
	/** Events with the same key go one after another. */
	orderKey: string;
	/** When it came to the lane, in milliseconds since 1970. */
	arrivedAt: number;
	/** Not before this moment, in milliseconds since 1970. */
	notBefore: number;
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

/** A batch is full, or its first event has waited long enough. With order kept, batches go one at a time. */
function chooseBatch<T extends Choosable>(
	waiting: ReadonlySet<T>,
	begun: Begun,
	options: LaneOptions,
	now: number,
): Choice<T> {
	const [first] = waiting;
	if (!first || (options.keepOrder && begun.size > 0)) return undefined;
	const ripeAt = Math.max(first.arrivedAt + options.batchWaitMs, first.notBefore);
	if (waiting.size < options.batchSize && ripeAt > now) return { lookAgainAt: ripeAt };
	return { start: [...waiting].slice(0, options.batchSize) };
}
