import { canonicalJson } from '../model/canonicalJson';
import type { StatusEvent } from '../model/event';
import type { Clock } from '../surroundings';
import type { BodyLog } from './bodyLog';
import type { Bounds } from './bounds';
import type { Missing } from './givenBack';
import type { Lane } from './lane';
import type { GoneWhy } from './latecomers';
import type { NotKept } from './notKept';

type Why = Exclude<GoneWhy, 'otherReader'>;

/** What tells of events that are gone, and when. */
interface MissingReportsOptions {
	clock: Clock;
	bounds: Pick<Bounds, 'givenBackEvents'>;
	notKept: NotKept;
	log: BodyLog;
	/** It may come again until so long after. */
	afterMs: number;
	/** Between two reports. */
	everyMs: number;
	/** The queue is read: what it has still comes. */
	isRead(): boolean;
}

/**
 * Says what a workflow does not get though it was on the queue: in the log at once; to a person in one report for each
 * workflow, with all that is missed by then and has not come after all, and some time after the one before.
 */
export class MissingReports {
	private readonly waiting = new Map<Lane, Map<Why, StatusEvent[]>>();
	private count = 0;
	private toldAt = -Infinity;
	private cancel = () => {};
	/** The queue has dropped something before: it may do so again. */
	queueDrops = false;

	constructor(private readonly options: MissingReportsOptions) {}

	add({ events, bodies, why }: Omit<Missing, 'why'> & { why: GoneWhy }): void {
		const { log, notKept } = this.options;
		if (why === 'otherReader') return log.shared([...bodies, ...bodiesOf(events)]);
		this.queueDrops = true;
		if (bodies.length > 0) log.missing(bodies);
		for (const [lane, own] of events) {
			for (const event of own) lane.gone(event);
			for (const event of notKept.writeDown(lane, why, own)) this.wait(lane, why, event);
		}
		if (this.waiting.size > 0) this.tellLater();
	}

	/** Tells what waits to be told. */
	tell(): void {
		this.cancel();
		if (this.waiting.size > 0) this.toldAt = this.options.clock.now();
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

	private tellLater(): void {
		const { clock, afterMs, everyMs, isRead } = this.options;
		this.cancel();
		const waitMs = Math.max(afterMs, this.toldAt + everyMs - clock.now());
		this.cancel = clock.after(waitMs, () => (isRead() ? this.tell() : this.tellLater()));
	}

	private wait(lane: Lane, why: Why, event: StatusEvent): void {
		// The log has all of them.
		if (this.count >= this.options.bounds.givenBackEvents) return;
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
