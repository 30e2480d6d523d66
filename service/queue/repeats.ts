import type { Clock } from '../surroundings';
import type { Bounds } from './bounds';
import type { Fate } from './entry';
import { Memory } from './memory';
import { hasFailed, type Progress } from './progress';

/** How a subscriber's share in an event ended for good. */
export interface Ending {
	fate: Fate;
	/** It was handled: the same content sent anew needs no run either. What ended otherwise is barred from a redelivery only. */
	well: boolean;
}

/** Messages of one content that are told apart. */
const MOST_ALIKE = 100;

/**
 * What one workflow remembers of its events, in memory: the newest 10,000 of the last 24 hours. The broker delivers again
 * whatever it was not told about in time, so an event that has ended must be known when it returns, and one that has not
 * goes on where it stood.
 */
export class Repeats {
	private readonly endings: Memory<Ending>;
	/** Of one content, in the order in which the queue has them: it may have been sent several times. */
	private readonly unfinished: Memory<readonly Progress[]>;

	constructor(clock: Clock, { remembered, rememberedMs }: Bounds) {
		this.endings = new Memory(clock, remembered, rememberedMs);
		this.unfinished = new Memory(clock, remembered, rememberedMs);
	}

	ended(eventId: string, ending: Ending): void {
		this.takeUp(eventId);
		this.endings.keep(eventId, ending);
	}

	/** It came again, and may do so for days where another workflow cannot handle it: its time begins anew. */
	cameAgain(eventId: string): void {
		this.endings.renew(eventId);
	}

	/** How the event ended, or undefined when it did not, or too long ago. */
	endingOf(eventId: string): Ending | undefined {
		return this.endings.look(eventId);
	}

	/** @param progress of all that went back at once, in order: what went back before and has not come is behind them */
	wentBack(eventId: string, progress: readonly Progress[]): void {
		const all = [...progress, ...(this.unfinished.look(eventId) ?? [])];
		this.unfinished.keep(eventId, all.slice(0, MOST_ALIKE));
	}

	isUnfinished(eventId: string): boolean {
		return this.unfinished.look(eventId) !== undefined;
	}

	isAlone(eventId: string): boolean {
		return this.unfinished.look(eventId)?.some(({ alone }) => alone) === true;
	}

	/** A run of it had failed when it went back. */
	hasFailed(eventId: string): boolean {
		return this.unfinished.look(eventId)?.some(hasFailed) === true;
	}

	/** @returns whether some of this content were stuck */
	unstick(eventId: string): boolean {
		const stuck = this.unfinished.look(eventId)?.filter((progress) => progress.stuck) ?? [];
		for (const progress of stuck) progress.stuck = undefined;
		return stuck.length > 0;
	}

	/** How far each got that went back to the queue and has not come again. */
	*unfinishedOnes(): Generator<Progress, void, undefined> {
		for (const progress of this.unfinished.values()) yield* progress;
	}

	/** Where the event stood when it went back to the queue; the caller has it from now on. */
	takeUp(eventId: string): Progress | undefined {
		const [first, ...others] = this.unfinished.take(eventId) ?? [];
		if (others.length > 0) this.unfinished.keep(eventId, others);
		return first;
	}
}
