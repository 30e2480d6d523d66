import type { StatusEvent } from '../model/event';
import type { Clock } from '../surroundings';
import { ByNumber } from './byNumber';
import type { DeliveredEvent } from './contract';
import { orderKeyOf, restAfterDeathsMs, type Entry, type Fate, type Share } from './entry';
import { Multimap } from './multimap';
import { Owed } from './owed';
import { freshProgress, hasFailed, type Progress } from './progress';
import type { Ending, Repeats } from './repeats';

/**
 * The events of one lane, in order of delivery: how each comes in, joins one of the same content, goes back to the queue
 * and ends. What went back or ended is remembered.
 */
export class Entries implements Iterable<Entry> {
	private readonly inOrder = new ByNumber();
	private readonly byId = new Multimap<string, Entry>();
	private readonly byOrderKey = new Multimap<string, Entry>();
	private readonly waiting = new Owed();
	/** Asked at every change: nothing is looked through where none was. */
	private mayBeStuck = false;
	/** Since when an event is {@link Progress.stuck}, with none succeeding. */
	stuckSince: number | undefined;

	constructor(
		private readonly clock: Clock,
		private readonly repeats: Repeats,
	) {}

	get count(): number {
		return this.inOrder.size;
	}

	[Symbol.iterator](): Iterator<Entry> {
		return this.inOrder[Symbol.iterator]();
	}

	*first(count: number): Generator<Entry, void, undefined> {
		let left = count;
		for (const entry of this.inOrder) {
			if (left === 0) return;
			left -= 1;
			yield entry;
		}
	}

	has(entry: Entry): boolean {
		return this.inOrder.has(entry);
	}

	/** One has a share in something this one delivered. */
	holdSomeOf(from: object): boolean {
		for (const { shares } of this.inOrder) if (shares.some((share) => share.from === from)) return true;
		return false;
	}

	/** Those that wait, the oldest first. */
	get owed(): Entry[] {
		return [...this.waitingOnes()];
	}

	get owedSize(): { events: number; bytes: number } {
		return this.waiting.size;
	}

	/** The oldest that waits, of these. */
	firstOwed(isOne: (entry: Entry) => boolean): Entry | undefined {
		for (const entry of this.waitingOnes()) if (isOne(entry)) return entry;
		return undefined;
	}

	private *waitingOnes(): Generator<Entry, void, undefined> {
		for (const entry of this.inOrder) if (entry.owedBytes !== undefined) yield entry;
	}

	get someIsStuck(): boolean {
		return this.becameStuckAfter(-Infinity);
	}

	/** One of them is, from now on. */
	becameStuck(now: number): void {
		this.mayBeStuck = true;
		this.stuckSince ??= now;
	}

	becameStuckAfter(moment: number): boolean {
		if (!this.mayBeStuck) return false;
		for (const { progress } of this.inOrder) if (progress.stuck && progress.stuck.since > moment) return true;
		return false;
	}

	/** What failed for good, as long as nothing else of its kind succeeds. */
	get stuck(): Entry[] {
		return this.someIsStuck ? this.owed.filter(({ progress }) => progress.stuck) : [];
	}

	/** Of what is stuck, these are tried now. */
	tryStuck(isTried: (entry: Entry) => boolean): void {
		this.mayBeStuck = this.someIsStuck;
		if (!this.mayBeStuck) return;
		const now = this.clock.now();
		for (const entry of this.inOrder) {
			const { progress } = entry;
			if (progress.stuck && isTried(entry)) progress.notBefore = Math.min(progress.notBefore, now);
		}
	}

	/** So is what is back on the queue, as soon as that gives it out again. */
	tryStuckAway(isTried: (since: number) => boolean): void {
		const now = this.clock.now();
		for (const progress of this.repeats.unfinishedOnes()) {
			const { stuck, notBefore } = progress;
			if (stuck && isTried(stuck.since)) progress.notBefore = Math.min(notBefore, now);
		}
	}

	/** When the next of them is tried, here or as soon as the queue gives it out again. */
	get nextStuckAt(): number {
		return Math.min(...[...this.allStuck()].map(({ notBefore }) => notBefore));
	}

	/** Also what went back to the queue. */
	private *allStuck(): Generator<Progress, void, undefined> {
		for (const { progress } of this.inOrder) if (progress.stuck) yield progress;
		for (const progress of this.repeats.unfinishedOnes()) if (progress.stuck) yield progress;
	}

	/** One that was stuck is gone: the bad times of others are their own. */
	private noLongerStuck(): void {
		if (this.allStuck().next().done) this.stuckSince = undefined;
	}

	/** Whatever is stuck is tried now, or as soon as the queue gives it out again. */
	tryAllStuck(): void {
		const now = this.clock.now();
		for (const progress of this.allStuck()) progress.notBefore = now;
	}

	/** @param mayRepeat an event of this content may have been here before, and goes on where it stood */
	add(delivered: DeliveredEvent, share: Share, mayRepeat: boolean): void {
		const { event, redelivered, deliveredAt } = delivered;
		const { eventId } = event;
		const now = this.clock.now();
		const notBefore = now + restAfterDeathsMs(share.deaths);
		const entry: Entry = {
			...{ event, redelivered, deliveredAt },
			progress: (mayRepeat && this.repeats.takeUp(eventId)) || freshProgress(now, notBefore),
			number: share.number,
			orderKey: orderKeyOf(event),
			arrivedAt: now,
			running: false,
			removed: false,
			reportedBefore: share.deaths > 0 && this.endingOf(eventId)?.fate === 'reject',
			shares: [share],
		};
		this.inOrder.add(entry);
		this.byId.add(eventId, entry);
		this.byOrderKey.add(entry.orderKey, entry);
		this.changed(entry);
		if (entry.progress.stuck) this.mayBeStuck = true;
	}

	/** Another delivery brought it. */
	join(entry: Entry, share: Share): void {
		entry.shares.push(share);
		this.changed(entry);
	}

	/** A run of these begins, or is over. */
	setRunning(entries: readonly Entry[], running: boolean): void {
		for (const entry of entries) {
			entry.running = running;
			this.changed(entry);
		}
	}

	/**
	 * @param any also one that is here: without, a message of the same content is another event
	 * @param from what gives it out again now: a connection that had it before is dead, though nobody may know yet
	 */
	sameAs(eventId: string, any: boolean, from?: object): Entry | undefined {
		const all = [...this.byId.all(eventId)].filter(({ removed }) => !removed);
		const isBack = ({ shares }: Entry) =>
			shares.length === 0 || (from !== undefined && shares.every((share) => share.from !== from));
		return all.find(isBack) ?? (any ? all[0] : undefined);
	}

	endingOf(eventId: string): Ending | undefined {
		return this.repeats.endingOf(eventId);
	}

	/** What ended here came again. */
	cameAgain(eventId: string): void {
		this.repeats.cameAgain(eventId);
	}

	/** It ended here before, and is not to run again. */
	areDoneWith({ event: { eventId }, redelivered }: DeliveredEvent, skipRepeats: boolean): boolean {
		const ending = this.endingOf(eventId);
		if (!ending) return false;
		// What ended may have been another message with this content, and this one was sent anew and went back.
		return redelivered ? !this.owe(eventId) : skipRepeats && ending.well;
	}

	/** What ended here was rejected for another one's sake, and came back by the broker's way of dead letters. */
	diedFor({ deaths }: Share, { fate }: Ending): boolean {
		return deaths > 0 && fate === 'remove';
	}

	/** It went back unsettled: what comes again is that, whatever ended before. */
	private owe(eventId: string): boolean {
		return this.repeats.isUnfinished(eventId) || this.sameAs(eventId, false) !== undefined;
	}

	/** Of an event that went back: it runs still, it is done with or here again, or it has to come again. */
	whereIs({ eventId }: Pick<StatusEvent, 'eventId'>): 'runs' | 'here' | 'away' {
		const here = [...this.byId.all(eventId)];
		if (here.some(({ shares }) => shares.length > 0)) return 'here';
		if (here.some(({ running }) => running)) return 'runs';
		return !this.repeats.isUnfinished(eventId) && this.endingOf(eventId) ? 'here' : 'away';
	}

	/** A run of it goes on, and decides what becomes of it. */
	run({ eventId }: StatusEvent): boolean {
		return [...this.byId.all(eventId)].some(({ running, removed }) => running && !removed);
	}

	/** It went back, after a run that had failed. */
	hasFailedBefore(eventId: string): boolean {
		return this.repeats.hasFailed(eventId);
	}

	/** Some that have not ended had, here or back on the queue. */
	get someHadFailed(): boolean {
		for (const { progress } of this.inOrder) if (hasFailed(progress)) return true;
		for (const progress of this.repeats.unfinishedOnes()) if (hasFailed(progress)) return true;
		return false;
	}

	/** Its batch was taken apart. */
	isAlone({ eventId }: Pick<StatusEvent, 'eventId'>): boolean {
		const here = [...this.byId.all(eventId)].some(({ progress }) => progress.alone);
		return here || this.repeats.isAlone(eventId);
	}

	/** A channel is gone: see {@link Lane.wentBack}. */
	wentBack(from: object, stay: ReadonlySet<number>): void {
		for (const entry of this.inOrder) {
			entry.shares = entry.shares.filter((share) => share.from !== from || stay.has(share.number));
			this.changed(entry);
		}
		this.drop([...this.inOrder].filter(({ shares, running }) => shares.length === 0 && !running));
	}

	/** The queue has them again. @param entries in order */
	drop(entries: readonly Entry[]): void {
		const progress = new Map<string, Progress[]>();
		for (const entry of entries) {
			const { eventId } = entry.event;
			const alike = progress.get(eventId);
			if (alike) alike.push(entry.progress);
			else progress.set(eventId, [entry.progress]);
			this.forget(entry);
		}
		for (const [eventId, alike] of progress) this.repeats.wentBack(eventId, alike);
	}

	/** What waits here is nobody's any more. @returns those that had failed */
	dissolve(from: object): StatusEvent[] {
		const failed = this.owed.filter(
			({ progress, shares }) => hasFailed(progress) && shares.every((share) => share.from === from),
		);
		const told: StatusEvent[] = [];
		for (const entry of failed) {
			// At the end of the one before, others may have found this lane gone, and told of the rest.
			if (!this.has(entry)) continue;
			told.push(entry.event);
			this.end(entry, 'reject', false);
		}
		this.forgo(from);
		return told;
	}

	/** It has no part in what waits here from this one. What had begun goes on where it stood, should it come to it after all. */
	forgo(from: object): void {
		const { owed } = this;
		const forgone: Share[] = [];
		for (const entry of owed) {
			forgone.push(...entry.shares.filter((share) => share.from === from));
			entry.shares = entry.shares.filter((share) => share.from !== from);
			this.changed(entry);
		}
		this.drop(owed.filter(({ shares }) => shares.length === 0));
		for (const share of forgone) share.settle('remove');
	}

	/** After a run, or without one for good. */
	end(entry: Entry, fate: Fate, well: boolean): void {
		this.remember(entry, fate, well);
		this.settle(entry, fate);
	}

	/** An event that never ran here and is not asked for leaves no memory: it may yet be. */
	settle(entry: Entry, fate: Fate): void {
		this.forget(entry);
		if (entry.progress.stuck) this.noLongerStuck();
		for (const share of entry.shares.splice(0)) share.settle(fate);
	}

	/** The queue is done with it, and its set is held until its run ends. */
	handOver(entry: Entry): void {
		this.remember(entry, 'remove', true);
		entry.removed = true;
		const shares = entry.shares.splice(0);
		this.changed(entry);
		for (const share of shares) share.settle('remove');
	}

	/** The same content needs no further run: a version before this one may have asked for one. */
	endAlike(handled: readonly Entry[]): void {
		for (const { event } of handled) {
			for (const entry of [...this.byId.all(event.eventId)]) {
				if (!entry.running) this.end(entry, 'remove', true);
			}
		}
	}

	/** It was handled, as a word says that came too late to decide; a message of this content that is not, is another event. */
	wasHandled({ event: { eventId } }: Entry, skipRepeats: boolean): void {
		const again = [...this.byId.all(eventId)].some(({ running }) => !running);
		if (skipRepeats || (!again && !this.repeats.isUnfinished(eventId)))
			this.repeats.ended(eventId, { fate: 'remove', well: true });
	}

	/** It was told as not got: what waits for it over another connection waits in vain. */
	missed({ eventId }: StatusEvent): void {
		this.gone(eventId);
		this.repeats.ended(eventId, { fate: 'remove', well: false });
	}

	/** The queue has it no longer. Should it come again after all, it goes on where it stood. */
	gone(eventId: string): void {
		if (this.repeats.unstick(eventId)) this.noLongerStuck();
	}

	forget(entry: Entry): void {
		this.inOrder.delete(entry);
		this.byId.delete(entry.event.eventId, entry);
		this.byOrderKey.delete(entry.orderKey, entry);
		this.changed(entry);
	}

	private changed(entry: Entry): void {
		this.waiting.changed(entry, this.has(entry));
	}

	private remember({ event: { eventId } }: Entry, fate: Fate, well: boolean): void {
		this.repeats.ended(eventId, { fate, well });
	}
}
