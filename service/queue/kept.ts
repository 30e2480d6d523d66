import { canonicalJson } from '../model/canonicalJson';
import type { StatusEvent } from '../model/event';
import type { Clock, Logger } from '../surroundings';
import type { Bounds } from './bounds';
import type { Problem } from './contract';
import { shownBody } from './decode';
import { bytesOf, returnsOf } from './entry';
import type { Lane } from './lane';
import type { Message } from './message';
import type { Noted } from './noted';
import { Pace } from './pace';

/** Bodies in one line of the log. */
const IN_A_LINE = 50;

/** The first ones that cannot be kept are seldom the only ones. */
const GATHER_MS = 60_000;

interface Count {
	why: Why;
	/** Not told yet. */
	events: number;
	toldAt: number | undefined;
	cancel(): void;
}

type Why = Extract<Problem, { kind: 'notKept' }>['why'];

const SAID: Record<Why, string> = {
	absent: 'could not be kept any longer',
	waiting: 'could not be kept any longer',
	left: 'could not be kept any longer',
	dropped: 'went back to the queue and do not come again',
	queueGone: 'went back to the queue, which is gone',
};

/** What is kept for who is absent or ill, its bounds, and what is said when they are met. */
export class Kept {
	private readonly ended: Pace<{ lane: Lane; why: Why; event: StatusEvent }>;
	/** Delivered often, and not in the log yet. */
	private readonly often: Message[] = [];
	/** Of those that were never let in. */
	private readonly counts = new Map<Lane, Count>();

	constructor(
		private readonly clock: Clock,
		private readonly bounds: Bounds,
		private readonly logger: Logger,
		private readonly title: string,
		private readonly noted: Noted,
	) {
		this.ended = new Pace(
			clock,
			// They are off the queue already, and their bodies in the log.
			{ ...bounds, reportedPerMinute: Infinity },
			(some) => {
				for (const [lane, why, events] of grouped(some))
					lane.subscription.report({ kind: 'notKept', why, events, count: events.length });
			},
			() => true,
		);
	}

	/** Ends the oldest shares of who is absent, or waits beside others, where they are too many, too large or too old. */
	limit(here: readonly Lane[], absent: readonly Lane[], counted: boolean): void {
		for (const lane of absent) {
			if (lane.absentSince + this.bounds.keptFreelyMs > this.clock.now()) continue;
			const since = (seenAt: number) => Math.max(seenAt, lane.absentSince);
			this.endBeyond(lane, 'absent', (seenAt) => since(seenAt) + this.bounds.keptMs <= this.clock.now());
		}
		const tooOften = (returns: number) => counted && returns >= this.bounds.keptDeliveries;
		for (const lane of here) {
			const stuck = counted && !lane.waiting ? lane.stuck : [];
			// Asked at every change, and nearly always there is nothing to end.
			if (!lane.waiting && stuck.length === 0) continue;
			// It pays for the others' sake only. Where the host is ill, they may only not have found out.
			const others = here.filter((other) => other !== lane && other.isWell);
			if (others.length === 0) continue;
			const startedAt = () => Math.max(...others.map((other) => other.lastStartedAt));
			if (lane.hostIsIll && !lane.isRefusedBeside(startedAt())) continue;
			if (lane.waiting) this.endBeyond(lane, 'waiting', (_seenAt, returns) => tooOften(returns));
			else {
				const ended = stuck.filter((entry) => tooOften(returnsOf(entry)));
				const events = ended.map((entry) => lane.giveUp(entry));
				this.report(
					lane,
					'waiting',
					events.filter((_event, index) => !ended[index]?.reportedBefore),
				);
			}
		}
	}

	/** When time alone may end a share of an absent one. */
	nextLimit(absent: readonly Lane[]): number | undefined {
		const { keptFreelyMs, keptMs } = this.bounds;
		const moments = absent.flatMap((lane) => {
			const [oldest] = lane.owed;
			if (!oldest) return [];
			const countedFrom = lane.absentSince + keptFreelyMs;
			if (countedFrom > this.clock.now()) return [countedFrom];
			return [Math.max(oldest.seenAt, lane.absentSince) + keptMs];
		});
		return moments.length > 0 ? Math.min(...moments) : undefined;
	}

	/** Messages that only somebody absent or waiting holds. */
	count(here: readonly Lane[], absent: readonly Lane[], messages: Iterable<Message>): number {
		const well = here.filter((lane) => !lane.waiting);
		if (well.length === 0 && absent.length === 0) return 0;
		const owedSince = absent.reduce((sum, lane) => sum + lane.owedSince.events, 0);
		let count = 0;
		for (const message of messages)
			if (message.event && !well.some((lane) => message.isOpenFor(lane))) count += 1;
		const lanes = here.length - well.length + absent.length + 1;
		return Math.min(count, this.bounds.keptEvents * lanes + owedSince);
	}

	/** In the first minutes of a process: which of the messages that nobody holds are not kept any longer. */
	forNewcomers(messages: Iterable<Message>): Message[] {
		const kept = [...messages].filter((message) => message.event && message.isDone);
		let events = kept.length;
		let bytes = kept.reduce((sum, message) => sum + message.bytes, 0);
		const released: Message[] = [];
		for (const message of kept) {
			if (events <= this.bounds.keptEvents && bytes <= this.bounds.keptBytes) break;
			released.push(message);
			events -= 1;
			bytes -= message.bytes;
		}
		if (released.length > 0) {
			this.write(
				'removed before every workflow had started, since more came than are kept for those',
				bodiesOf(released),
			);
		}
		return released;
	}

	report(lane: Lane, why: Why, events: readonly StatusEvent[]): void {
		for (const event of this.writeDown(lane, why, events)) this.ended.add({ lane, why, event });
	}

	/** To the log. @returns those to be reported: who was never let in is told their number only */
	writeDown(lane: Lane, why: Why, events: readonly StatusEvent[]): readonly StatusEvent[] {
		const { title, key } = lane.subscription;
		// What the broker delivers again, for others, one that was never let in did not get once more.
		const fresh = lane.wasLetIn
			? events
			: events.filter(({ eventId }) => this.noted.isFirst(JSON.stringify([key, eventId])));
		if (fresh.length === 0) return [];
		this.logger.warn(`${title}: ${fresh.length} events ${SAID[why]}`, {
			why,
			events: fresh.map(({ raw }) => canonicalJson(raw)),
		});
		if (lane.wasLetIn) return events;
		this.number(lane, why, fresh.length);
		return [];
	}

	/** Nobody is here any more: what was counted is told now. */
	end(): void {
		for (const lane of this.counts.keys()) this.tellNumber(lane);
		for (const { cancel } of this.counts.values()) cancel();
		this.counts.clear();
	}

	/** Whoever never showed its password is told how many there were, and not what they hold: once an hour is enough. */
	private number(lane: Lane, why: Why, events: number): void {
		const count = this.counts.get(lane);
		if (count?.events) {
			count.events += events;
			return;
		}
		const next = (count?.toldAt ?? -Infinity) + this.bounds.tellAgainMs - this.clock.now();
		const cancel = this.clock.after(Math.max(GATHER_MS, next), () => this.tellNumber(lane));
		this.counts.set(lane, { why, events, cancel, toldAt: count?.toldAt });
	}

	private tellNumber(lane: Lane): void {
		const count = this.counts.get(lane);
		if (!count?.events) return;
		lane.subscription.report({ kind: 'notKept', why: count.why, events: [], count: count.events });
		Object.assign(count, { events: 0, toldAt: this.clock.now() });
	}

	/** Handled by who was here, and kept for who might still have come. */
	noteReleased(messages: readonly Message[]): void {
		this.write(
			'handled and removed while the workflows stop; one that had not started yet does not get them',
			bodiesOf(messages),
		);
	}

	/**
	 * A broker that counts deliveries may drop what comes back too often, and whoever has it may be gone before it goes back:
	 * from its third delivery on its body stands in the log. Those of one moment share a line.
	 */
	noteReturns(message: Message): void {
		const { body, returns = 0 } = message.delivery;
		if (returns < 2 || !this.noted.isFirst(body.toString('latin1'))) return;
		this.often.push(message);
		if (this.often.length > 1) return;
		this.clock.after(0, () =>
			this.write(
				'delivered for the third time or more; the queue may drop what it gives out too often',
				bodiesOf(this.often.splice(0)),
			),
		);
	}

	/** Goes back to a queue that may drop it, unwatched: each body once. */
	noteUnwatched(bodies: readonly Buffer[]): void {
		const first = bodies.filter((body) => this.noted.isFirst(`unwatched ${body.toString('latin1')}`));
		this.write('went back to the queue, and nobody here would see it if they did not come again', first);
	}

	/** What is no event went back, and does not come again. */
	noteMissing(bodies: readonly Buffer[]): void {
		this.write('went back to the queue and do not come again, and are no status events', bodies);
	}

	/** Went back while somebody else read the queue too. */
	noteShared(bodies: readonly Buffer[]): void {
		this.write(
			'went back to the queue and do not come again; another reader of the queue may have them',
			bodies,
		);
	}

	/** True when a message was not reported before: dead letters come again. */
	isNew({ delivery }: Message, body: string): boolean {
		const first = this.noted.isFirst(JSON.stringify(['unreadable', body]));
		return delivery.deaths === 0 || first;
	}

	private endBeyond(lane: Lane, why: Why, tooOld: (seenAt: number, returns: number) => boolean): void {
		const owed = lane.owed;
		// A workflow that is only published again loses nothing of what was delivered while it was here.
		const before = why === 'absent' ? lane.owedSince : { events: 0, bytes: 0 };
		let events = owed.length - before.events;
		let bytes = owed.reduce((sum, entry) => sum + bytesOf(entry), 0) - before.bytes;
		const ended: StatusEvent[] = [];
		for (const entry of owed) {
			const full = events > this.bounds.keptEvents || bytes > this.bounds.keptBytes;
			if (!full && !tooOld(entry.seenAt, returnsOf(entry))) break;
			events -= 1;
			bytes -= bytesOf(entry);
			const event = lane.giveUp(entry);
			// A dead letter that came back was reported the first time.
			if (!entry.reportedBefore) ended.push(event);
		}
		this.report(lane, why, ended);
	}

	private write(what: string, bodies: readonly Buffer[]): void {
		for (let start = 0; start < bodies.length; start += IN_A_LINE) {
			const some = bodies.slice(start, start + IN_A_LINE);
			const events = some.map(shownBody);
			this.logger.warn(`${this.title}: ${some.length} events ${what}`, { events });
		}
	}
}

const bodiesOf = (messages: readonly Message[]) => messages.map(({ delivery }) => delivery.body);

function grouped(
	some: ReadonlyArray<{ lane: Lane; why: Why; event: StatusEvent }>,
): Array<[Lane, Why, StatusEvent[]]> {
	const groups = new Map<string, [Lane, Why, StatusEvent[]]>();
	for (const { lane, why, event } of some) {
		const key = `${lane.subscription.key} ${why}`;
		const group = groups.get(key);
		if (group) group[2].push(event);
		else groups.set(key, [lane, why, [event]]);
	}
	return [...groups.values()];
}
