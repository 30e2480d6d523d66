/** A lane's next event is here before its place is free. */
const SPARE = 20;

/** Growth of the prefetch over what others hold. */
const HELD_TIMES = 4;

/** Growth over what is delivered and small, where a large body was seen before. */
const KNOWN_TIMES = 4;

/** The protocol counts in 16 bits. */
export const MOST_PREFETCH = 65_535;

/** What is asked for, and what is delivered already, of one channel. */
export interface Demand {
	/** Events each lane runs side by side. */
	demands: readonly number[];
	/** Each delivery counts: none has its next event here before its place is free. */
	sparing: boolean;
	/** Times of that, where many of the delivered ones may not run yet. */
	step: number;
	/** The most times of that. */
	mostSteps: number;
	/** May have been given back by the process before this one. */
	inherited: number;
	/** So many of that at least, if one of its workflows waited. */
	heldInAWait: number;
	/** Delivered, and kept for somebody who is absent or waits. */
	kept: number;
	/** Delivered, and held by others than those that have nothing to run. */
	heldByOthers: number;
	/** So many are delivered for their sake at most. */
	heldAtMost: number;
	/** At least so many are to be looked through. */
	lookThrough: number;
	/** What goes back comes again first: fewer would be delivered in another order. */
	givenBack: number;
	/** Of one body. */
	largestBytes: number;
	/** Of all bodies in flight. */
	bytes: number;
	/** Delivered, and how large it is. */
	delivered: { messages: number; bytes: number };
}

/** How many messages a channel may deliver before they are settled. */
export function prefetchOf(demand: Demand): number {
	const asked = demand.demands.reduce((sum, each) => sum + each, 0);
	const usual = demand.sparing ? asked : Math.min(2 * asked + SPARE, 12 * asked);
	const inherited = Math.min(demand.inherited, Math.max(usual * demand.mostSteps, demand.heldInAWait));
	const wanted = Math.max(usual * demand.step, inherited, demand.lookThrough, beside(demand)) + demand.kept;
	return Math.min(MOST_PREFETCH, Math.max(1, Math.min(wanted, room(demand)), demand.givenBack));
}

/**
 * Any that comes may be as large as the largest seen. But one such that is long gone must not hold up, for ever, whoever is
 * well beside what is held: while that is small, by what it is itself, some times as many may come.
 */
function room({ bytes, largestBytes, delivered }: Demand): number {
	const known = KNOWN_TIMES * delivered.bytes <= bytes ? KNOWN_TIMES * delivered.messages : 0;
	return Math.max(1, Math.floor(bytes / Math.max(1, largestBytes)), known);
}

/** Who has nothing to run is to have its own beside all that others hold; by far more at a time, since all of it comes anew. */
function beside({ heldByOthers, heldAtMost }: Demand): number {
	return Math.min(HELD_TIMES * heldByOthers, heldAtMost);
}
