import { canonicalJson } from '../model/canonicalJson';
import type { StatusEvent } from '../model/event';
import { grouped } from '../model/grouped';
import type { Clock, Logger } from '../surroundings';
import type { Bounds } from './bounds';
import type { Problem } from './contract';
import type { Lane } from './lane';
import type { Noted } from './noted';
import { Pace, type Singles } from './pace';

/** The first ones that cannot be kept are seldom the only ones. */
const GATHER_MS = 60_000;

/** Why a workflow does not get an event that it asked for. */
type Why = Extract<Problem, { kind: 'notKept' }>['why'];

const SAID: Record<Why, string> = {
	absent: 'could not be kept any longer',
	waiting: 'could not be kept any longer',
	left: 'could not be kept any longer',
	late: 'were off the queue when it started',
	dropped: 'went back to the queue and do not come again',
	queueGone: 'went back to the queue, which is gone',
};

interface Count {
	why: Why;
	/** Not told yet. */
	events: number;
	toldAt: number | undefined;
	cancel(): void;
}

/**
 * Says which events a workflow does not get: in the log at once, to a person at a {@link Pace}. One that was never let in
 * is told their number alone.
 */
export class NotKept {
	private readonly ended: Pace<{ lane: Lane; why: Why; event: StatusEvent }>;
	/** Of those that were never let in. */
	private readonly counts = new Map<Lane, Count>();

	constructor(
		private readonly clock: Clock,
		private readonly bounds: Bounds,
		private readonly logger: Logger,
		/** What was told once, by all connections. */
		private readonly noted: Noted,
		/** Of all connections to this queue. */
		singles?: Singles,
		/** {@link placeOf} the queue. */
		private readonly place?: string,
		/** It may come back here, or to a queue of that name elsewhere: it is told nothing of one that may never be its own. */
		private readonly hasLeft: (lane: Lane) => boolean = () => false,
	) {
		this.ended = new Pace(
			clock,
			// They are off the queue already, and their bodies in the log.
			{ ...bounds, reportedPerMinute: Infinity },
			(some) => {
				const same = grouped(some.map((one) => [`${one.lane.subscription.key} ${one.why}`, one]));
				for (const all of same.values()) {
					const [{ lane, why }] = all;
					const events = all.map(({ event }) => event);
					lane.subscription.report({ kind: 'notKept', why, events, count: events.length });
				}
			},
			() => true,
			singles,
		);
	}

	report(lane: Lane, why: Why, events: readonly StatusEvent[]): void {
		for (const event of this.writeDown(lane, why, events)) this.ended.add({ lane, why, event });
	}

	/** To the log. @returns those to be reported: who was never let in is told their number only */
	writeDown(lane: Lane, why: Why, events: readonly StatusEvent[]): readonly StatusEvent[] {
		const { title, key } = lane.subscription;
		// What the broker delivers again, for others, one that was never let in did not get once more.
		const wasLetIn = lane.wasLetIn(this.place);
		const fresh = wasLetIn
			? events
			: events.filter(({ eventId }) => this.noted.isFirst(JSON.stringify([key, eventId])));
		if (fresh.length === 0) return [];
		this.logger.warn(`${title}: ${fresh.length} events ${SAID[why]}`, {
			why,
			events: fresh.map(({ raw }) => canonicalJson(raw)),
		});
		if (wasLetIn) return events;
		this.number(lane, why, fresh.length);
		return [];
	}

	/** Nobody is here any more: what was counted is told now. */
	end(): void {
		for (const lane of this.counts.keys()) {
			if (!this.hasLeft(lane)) this.tellNumber(lane);
			this.forget(lane);
		}
	}

	/** Whoever never showed its password is told how many there were, and not what they hold: once an hour is enough. */
	private number(lane: Lane, why: Why, events: number): void {
		const count = this.counts.get(lane);
		if (count?.events) {
			count.events += events;
			return;
		}
		const next = (count?.toldAt ?? -Infinity) + this.bounds.tellAgainMs - this.clock.now();
		const counted: Count = { why, events, cancel: () => {}, toldAt: count?.toldAt };
		this.counts.set(lane, counted);
		this.tellIn(Math.max(GATHER_MS, next), lane, counted);
	}

	private tellIn(waitMs: number, lane: Lane, count: Count): void {
		count.cancel = this.clock.after(waitMs, () =>
			this.hasLeft(lane) ? this.tellIn(GATHER_MS, lane, count) : this.tellNumber(lane),
		);
	}

	/** This queue is not its own, or it did not return in time. */
	forget(lane: Lane): void {
		this.counts.get(lane)?.cancel();
		this.counts.delete(lane);
	}

	/** What was counted until now, if anything was. */
	tellNumber(lane: Lane): void {
		const count = this.counts.get(lane);
		if (!count?.events) return;
		count.cancel();
		lane.subscription.report({ kind: 'notKept', why: count.why, events: [], count: count.events });
		Object.assign(count, { events: 0, toldAt: this.clock.now() });
	}
}
