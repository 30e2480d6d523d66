import { canonicalJson } from '../model/canonicalJson';
import type { StatusEvent } from '../model/event';
import type { Clock } from '../surroundings';
import type { BodyLog } from './bodyLog';
import type { Bounds } from './bounds';
import type { Missing } from './givenBack';
import type { Lane } from './lane';
import type { NotKept } from './notKept';

type Why = Exclude<Missing['why'], 'otherReader'>;

/**
 * Says what went back to the queue and does not come again: in the log at once; to a person in one report for each
 * workflow, with all that is missed by then, and no sooner after the one before than {@link Bounds.missingEveryMs}.
 */
export class MissingReports {
	private readonly waiting = new Map<Lane, Map<Why, StatusEvent[]>>();
	private count = 0;
	private toldAt = -Infinity;
	private cancel = () => {};
	/** The queue has dropped something before: it may do so again. */
	queueDrops = false;

	constructor(
		private readonly clock: Clock,
		private readonly bounds: Bounds,
		private readonly notKept: NotKept,
		private readonly log: BodyLog,
	) {}

	add({ events, bodies, why }: Missing): void {
		if (why === 'otherReader') return this.log.shared([...bodies, ...bodiesOf(events)]);
		this.queueDrops = true;
		if (bodies.length > 0) this.log.missing(bodies);
		for (const [lane, own] of events) {
			for (const event of this.notKept.writeDown(lane, why, own)) this.wait(lane, why, event);
		}
		if (this.waiting.size === 0) return;
		this.cancel();
		const dueAt = this.toldAt + this.bounds.missingEveryMs;
		this.cancel = this.clock.after(Math.max(0, dueAt - this.clock.now()), () => this.tell());
	}

	/** Tells what waits to be told. */
	tell(): void {
		this.cancel();
		if (this.waiting.size > 0) this.toldAt = this.clock.now();
		for (const [lane, reports] of this.waiting) {
			for (const [why, missed] of reports) {
				// A queue may have it again after a while, by its way of dead letters.
				const events = missed.filter((event) => lane.whereIs(event) === 'away');
				if (events.length === 0) continue;
				lane.subscription.report({ kind: 'notKept', why, events, count: events.length });
			}
		}
		this.waiting.clear();
		this.count = 0;
	}

	private wait(lane: Lane, why: Why, event: StatusEvent): void {
		// The log has all of them.
		if (this.count >= this.bounds.givenBackEvents) return;
		this.count += 1;
		const reports = this.waiting.get(lane) ?? new Map<Why, StatusEvent[]>();
		this.waiting.set(lane, reports);
		const events = reports.get(why);
		if (events) events.push(event);
		else reports.set(why, [event]);
	}
}

/** Each once, whoever missed it. */
function bodiesOf(events: Missing['events']): Buffer[] {
	const texts = [...events.values()].flatMap((own) => own.map(({ raw }) => canonicalJson(raw)));
	return [...new Set(texts)].map((text) => Buffer.from(text));
}
