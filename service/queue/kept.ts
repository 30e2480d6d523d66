import type { Clock } from '../surroundings';
import type { BodyLog } from './bodyLog';
import type { Bounds } from './bounds';
import { bytesOf, returnsOf, type Entry } from './entry';
import type { Lane } from './lane';
import type { Message } from './message';
import type { NotKept } from './notKept';

/** What is kept for who is absent or ill, and its bounds. */
export class Kept {
	/** The host could start nothing until then, as far as one knows. */
	private illUntil = -Infinity;
	private wasIll = false;

	constructor(
		private readonly clock: Clock,
		private readonly bounds: Bounds,
		private readonly notKept: NotKept,
		private readonly log: BodyLog,
		/** Of this process, whatever queue and connection they have: one host runs them all. */
		private readonly openLanes: () => readonly Lane[],
		/** {@link placeOf} the queue: what a lane has from elsewhere is not this one's. */
		private readonly place?: string,
	) {}

	/** Ends the oldest shares of who is absent, or waits beside others, where they are too many, too large or too old. */
	limit(here: readonly Lane[], absent: readonly Lane[], counted: boolean): void {
		const now = this.clock.now();
		const ill = hostIsIll(this.openLanes());
		// Its time begins anew: while its host was ill, it could not come.
		if (ill || this.wasIll) this.illUntil = now;
		this.wasIll = ill;
		for (const lane of absent) {
			if (ill || lane.absentSince + this.bounds.keptFreelyMs > now) continue;
			this.endBeyond(lane, 'absent', (seenAt) => this.countedFrom(lane, seenAt) + this.bounds.keptMs <= now);
		}
		const tooOften = (returns: number) => counted && returns >= this.bounds.keptDeliveries;
		for (const lane of here) {
			// What waits behind it can run then.
			const stuck = counted && !lane.waiting ? lane.stuck.filter((entry) => tooOften(returnsOf(entry))) : [];
			lane.isLeftAlone = true;
			// Asked at every change, and nearly always there is nothing to end.
			if (!lane.waiting && stuck.length === 0) continue;
			// It pays for the others' sake only. Where the host is ill, they may only not have found out.
			const beside = here.filter((other) => other !== lane);
			const { waitsSince = now } = lane;
			const others = beside.filter(
				(other) => other.wellSince !== undefined && !other.mayFailSince(waitsSince),
			);
			if (others.length === 0) {
				// The queue is not left alone while others of its own succeed, and may drop it unseen with all that waits behind it.
				const besideOwn = stuck.filter((entry) => lane.succeedsBeside(entry));
				if (besideOwn.length > 0) this.giveUp(lane, 'waiting', besideOwn);
				continue;
			}
			lane.isLeftAlone = false;
			if (hostIsIll(beside)) continue;
			const startedAt = Math.max(...others.map((other) => other.lastStartedAt));
			// It may wait over its own failures, and its newest try was refused.
			const isRefused = lane.hostIsIll || (lane.waiting && lane.lastRefusedAt > lane.lastStartedAt);
			const wellSince = Math.min(...others.map((other) => other.wellSince ?? Infinity));
			if (!(isRefused ? lane.isRefusedBeside(startedAt) : lane.failsBeside(wellSince))) continue;
			if (lane.waiting) this.endBeyond(lane, 'waiting', (_seenAt, returns) => tooOften(returns));
			else this.giveUp(lane, 'waiting', stuck);
		}
	}

	/** When time alone may end a share of an absent one; Infinity for never. */
	nextLimit(absent: readonly Lane[]): number {
		if (this.wasIll) return Infinity;
		const { keptFreelyMs, keptMs } = this.bounds;
		const moments = absent.flatMap((lane) => {
			const firstOwed = lane.firstOwedAt(this.place);
			if (!firstOwed) return [];
			const countedFrom = lane.absentSince + keptFreelyMs;
			if (countedFrom > this.clock.now()) return [countedFrom];
			return [this.countedFrom(lane, firstOwed.progress.seenAt) + keptMs];
		});
		return Math.min(...moments);
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
		if (released.length > 0) this.log.notKept(released);
		return released;
	}

	/** From when on the time of a share counts that is kept for an absent one. */
	private countedFrom(lane: Lane, seenAt: number): number {
		return Math.max(seenAt, lane.absentSince, this.illUntil);
	}

	private endBeyond(
		lane: Lane,
		why: 'absent' | 'waiting',
		tooOld: (seenAt: number, returns: number) => boolean,
	): void {
		const owed = lane.owedAt(this.place);
		// A workflow that is only published again loses nothing of what was delivered while it was here.
		const before = why === 'absent' ? lane.owedSince : { events: 0, bytes: 0 };
		let events = owed.length - before.events;
		let bytes = owed.reduce((sum, entry) => sum + bytesOf(entry), 0) - before.bytes;
		const ended = new Set<Entry>();
		// A dead letter that came back was told of already: it must not push out the next one, which would come back too.
		for (const entry of owed) {
			if (events <= this.bounds.keptEvents && bytes <= this.bounds.keptBytes) break;
			if (!entry.reportedBefore) continue;
			events -= 1;
			bytes -= bytesOf(entry);
			ended.add(entry);
		}
		for (const entry of owed) {
			if (ended.has(entry)) continue;
			const full = events > this.bounds.keptEvents || bytes > this.bounds.keptBytes;
			if (!full && !tooOld(entry.progress.seenAt, returnsOf(entry))) break;
			events -= 1;
			bytes -= bytesOf(entry);
			ended.add(entry);
		}
		this.giveUp(lane, why, [...ended]);
	}

	private giveUp(lane: Lane, why: 'absent' | 'waiting', ended: readonly Entry[]): void {
		for (const entry of ended) lane.giveUp(entry);
		// A dead letter that came back was reported the first time.
		const fresh = ended.filter(({ reportedBefore }) => !reportedBefore);
		this.notKept.report(
			lane,
			why,
			fresh.map(({ event }) => event),
		);
	}
}

/**
 * The newest word of the host was a refusal. Then nobody is spared anything by the end of a share, and a report of it could
 * not be stored.
 */
export function hostIsIll(here: readonly Lane[]): boolean {
	const refusedAt = Math.max(...here.map(({ lastRefusedAt }) => lastRefusedAt));
	return refusedAt > Math.max(...here.map(({ lastStartedAt }) => lastStartedAt));
}
