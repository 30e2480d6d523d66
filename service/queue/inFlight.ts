import type { Clock } from '../surroundings';
import type { Bounds } from './bounds';
import type { LaneOptions } from './contract';
import type { Lane } from './lane';
import { Lately } from './lately';
import type { Message } from './message';
import { MOST_PREFETCH, prefetchOf } from './prefetch';

interface InFlightOptions {
	clock: Clock;
	bounds: Bounds;
	/** What the channel of now delivered and is not settled. */
	messages: ReadonlySet<Message>;
	/** All that may have a share in those, and those of them that are here. */
	lanes(): { all: readonly Lane[]; here: readonly Lane[] };
	/** Delivered, and held by nobody but who is absent or waits. */
	kept(): number;
	/** The first minutes of a process. */
	starting(): boolean;
	/** The broker counts deliveries. */
	counted(): boolean;
	/** Given back, and not come again. */
	awaited(): number;
	/** How many of those, and of what goes back now, come first and may run at once; so many at most. */
	apart(most: number): number;
}

/** It tries now and then, and of what was delivered there is nothing else that it could run. */
const findsNothing = ({ waiting, quietUntil }: Lane) => waiting !== undefined || quietUntil !== undefined;

/** Events that run at once. Spared, an ordered lane runs one batch at a time: what more it took would wait, and be counted. */
const demandOf = ({ keepOrder, parallelRuns, batchSize }: LaneOptions, spared: boolean) =>
	spared && keepOrder && batchSize > 1 ? batchSize : parallelRuns * batchSize;

function some<T>(all: Iterable<T>, holds: (one: T) => boolean): boolean {
	for (const one of all) if (holds(one)) return true;
	return false;
}

/** A channel that is full, and yet not enough, is followed by one of so many times its size, where a step allows it. */
const WORTH_GROWING = 1.5;

/**
 * How many messages a channel may deliver before they are settled: what the lanes ask for, growing while they starve; and
 * never less than what goes back with the channel before, since to take less of that would change its order.
 */
export class InFlight {
	/** Of the channel of now. */
	private prefetch = 0;
	/** Step of growth. */
	private level = 0;
	private openedAt = -Infinity;
	/** When growing was thought of last, which looks through all that was delivered: changes come hundreds at a time where hundreds listen. */
	private thoughtAt = -Infinity;
	/** The broker may not have heard of these, and gives them back with the channel. */
	private readonly settledLately: Lately;
	/** More may be under way. */
	private readonly receivedLately: Lately;
	/** Given back and not delivered again yet. */
	private owedAgain = 0;
	/** Until a message comes for the first time, a process before this one may have given back what it held. */
	private heir = true;
	/** What waited on the queue when it was connected to last. */
	private ready = 0;
	/** Of one body. */
	private largestBytes = 0;
	/** What comes has come so often that the broker may soon drop it. */
	private comesOften = false;
	/** The channel of now delivers no more than can be run. */
	spares = false;
	/** Of what it delivered, something was done with. */
	private getsOn = false;
	/** Since the channel was opened, somebody has: it may have to deliver more. */
	private joined = false;

	constructor(private readonly options: InFlightOptions) {
		const { clock, bounds } = options;
		this.settledLately = new Lately(clock, bounds.silenceMs);
		this.receivedLately = new Lately(clock, bounds.silenceMs);
	}

	/** @param ready messages that wait on the queue */
	connected(ready: number): void {
		this.ready = ready;
	}

	somebodyJoined(): void {
		this.joined = true;
	}

	received({ bytes, delivery, returns = 0 }: Message): void {
		this.receivedLately.add();
		this.largestBytes = Math.max(this.largestBytes, bytes);
		if (this.isOften(returns)) this.comesOften = true;
		if (!delivery.redelivered) {
			// What was given back comes first: all of it is here now, or has ended. The oldest has come most often.
			this.comesOften &&= some(this.options.messages, (message) => this.isOften(message.returns));
			this.heir = false;
			this.owedAgain = 0;
		} else if (this.owedAgain > 0) this.owedAgain -= 1;
	}

	settled(): void {
		this.settledLately.add();
		this.getsOn = true;
	}

	/** All of it is back on the queue. */
	returned(): void {
		// Never more than it could hold: what another reader took is not waited for. And no less: some was under way.
		this.owedAgain = this.prefetch;
	}

	/** Another channel is asked for. */
	renewed(): void {
		this.openedAt = this.options.clock.now();
		this.joined = false;
	}

	/** The limit of a channel that is opened now. */
	limit(): number {
		// The first one, or one of another connection, was asked for by nobody here.
		this.renewed();
		// Where that one did not get on, what it held is in the way of what is behind it; where it did, all that it had may have
		// ended before this one is opened.
		this.spares = this.spares ? this.mayBeSpared && this.getsOn : this.sparing;
		this.getsOn = false;
		const asked = this.limitAt(this.level);
		if (this.spares) return (this.prefetch = this.keepsOrder ? this.options.apart(asked) : asked);
		return (this.prefetch = Math.max(asked, this.takesInOrder ? this.mayComeBack : 0));
	}

	/** The broker may not have heard of it yet, and would give that back, behind the rest. */
	get settledJustNow(): boolean {
		return this.settledLately.count > 0;
	}

	/** What is as full as before would grow again at once, and each growth costs a delivery of everything. */
	beginAnewIfNotFull(): void {
		if (this.options.messages.size < this.limitAt(0)) this.level = 0;
	}

	/**
	 * Whether the channel should deliver more.
	 * @returns 'now', and then the next one does; 'drain', and then when this one has ended what it has; or after so many
	 * milliseconds; undefined when it should not
	 */
	grows(): 'now' | 'drain' | { inMs: number } | undefined {
		const { bounds, clock, messages, lanes } = this.options;
		const isFull = messages.size >= this.prefetch;
		const starves = isFull && lanes().here.some((lane) => lane.starves);
		if (this.spares) {
			if (!starves) return undefined;
			const inMs = this.openedAt + bounds.growAgainMs - clock.now();
			if (inMs > 0) return { inMs };
			// Where nothing runs at all, an earlier event of what is here may be behind the rest. Else what is here waits for others
			// of its set, and what comes may, too: unrun, it would go back behind what follows it.
			if (!this.sparing) return 'now';
			return this.keepsOrder ? 'drain' : undefined;
		}
		// The next channel would be spared, and may leave on the queue for long what runs here: it would run again after a crash.
		// Run to its end, what is here would be followed by the same again, and each run of what fails would cost all of it a delivery.
		if (this.sparing && this.keepsOrder) return undefined;
		if (!starves && (!this.joined || this.inheritsMore)) return undefined;
		const againInMs =
			Math.max(starves ? this.openedAt : -Infinity, this.thoughtAt) + bounds.growAgainMs - clock.now();
		if (againInMs > 0) return { inMs: againInMs };
		this.thoughtAt = clock.now();
		const levels = [...bounds.prefetchSteps.keys()].slice(this.level);
		const larger = (starves ? levels : levels.slice(0, 1)).filter(
			(level) => this.limitAt(level) > this.prefetch,
		);
		// What was taken may be more than several steps already, where an earlier process gave back much; and what is held
		// for others grows with each channel, by a little.
		const worthIt = starves ? this.prefetch * WORTH_GROWING : 0;
		const wanted = larger.find((level) => this.limitAt(level) >= worthIt) ?? larger.at(-1);
		if (wanted === undefined) return undefined;
		// Each channel costs what comes along one of its deliveries, and many may join one after another.
		const gapMs = !starves && messages.size > 0 ? bounds.joinedGapMs : bounds.growAgainMs;
		const inMs = this.openedAt + gapMs - clock.now();
		if (inMs > 0) return { inMs };
		this.level = wanted;
		return 'now';
	}

	/**
	 * Runs are slow, and what cannot be run now is to stay on the queue, uncounted. What goes back is behind that then, and the
	 * lanes wait for it ({@link Share.overtakes}). Who only tries now and then chooses from all there is, and leaves the queue alone in between.
	 */
	get sparing(): boolean {
		return this.mayBeSpared && this.options.lanes().here.some((lane) => lane.running > 0);
	}

	private get mayBeSpared(): boolean {
		return this.comesOften && !this.allFindNothing && !this.somebodyIsBehind;
	}

	private isOften(returns = 0): boolean {
		return returns >= this.options.bounds.spareDeliveries;
	}

	/**
	 * Beside others it has a free place: what comes for it may be behind what they wait to run, and is not to wait for that.
	 * What one holds that the connection of another user serves may be in the way of all that are here.
	 */
	private get somebodyIsBehind(): boolean {
		const { all, here } = this.options.lanes();
		if (all.some((lane) => lane.isOpen && !here.includes(lane))) return true;
		return here.length > 1 && here.some(({ starves }) => starves);
	}

	private get allFindNothing(): boolean {
		const { here } = this.options.lanes();
		return here.length > 0 && here.every(findsNothing);
	}

	/** The broker's order of what comes back is kept by taking all of that; also for those who have not started yet. */
	private get takesInOrder(): boolean {
		return !this.spares && (this.keepsOrder || this.options.starting());
	}

	private get keepsOrder(): boolean {
		return this.options.lanes().all.some((lane) => lane.subscription.options.keepOrder);
	}

	/** More that was given back before may wait on the queue, and would come before what would be given back now. */
	private get inheritsMore(): boolean {
		const { size } = this.options.messages;
		return this.heir && size > 0 && size >= this.prefetch;
	}

	/** What goes back with the channel comes first, and to take less of it would change its order. */
	private get mayComeBack(): number {
		// For the broker too, no more of them are unsettled than it may deliver.
		const unsettled = Math.min(this.prefetch, this.options.messages.size + this.settledLately.count);
		const known =
			Math.max(this.options.messages.size, unsettled) + Math.max(this.owedAgain, this.options.awaited());
		// Also after a silence: the next may come just now, and one left behind would stand before all that goes back later.
		const underWay = this.receivedLately.count > 0 ? Infinity : this.limitAt(0);
		return Math.min(MOST_PREFETCH, Math.max(known, Math.min(this.prefetch, known + underWay)));
	}

	/**
	 * A workflow whose runs are slow holds what its runs have not come to, and what cannot be read waits for its turn to be
	 * told: that must keep nothing from one that has nothing to run.
	 */
	private get heldByOthers(): number {
		// Held for hours, it would come so often that such a queue may drop it: there the well one waits at its turn.
		if (this.options.counted()) return 0;
		const starving = this.options.lanes().here.filter(({ starves }) => starves);
		if (starving.length === 0) return 0;
		let count = 0;
		for (const message of this.options.messages) {
			if (!starving.some((lane) => message.isOpenFor(lane))) count += 1;
		}
		return count;
	}

	/** At this step of growth. */
	private limitAt(level: number): number {
		const { bounds, messages, lanes, kept, starting } = this.options;
		const { all } = lanes();
		const { spares, takesInOrder } = this;
		return prefetchOf({
			sparing: spares,
			demands: all.map(({ subscription }) => demandOf(subscription.options, spares)),
			step: spares ? 1 : (bounds.prefetchSteps[level] ?? 1),
			mostSteps: bounds.prefetchSteps.at(-1) ?? 1,
			inherited: this.heir && takesInOrder ? this.ready : 0,
			heldInAWait: bounds.lookThrough,
			kept: (this.heir && takesInOrder) || starting() ? bounds.keptEvents : kept(),
			heldByOthers: this.heldByOthers,
			heldAtMost: bounds.heldBesideEvents,
			lookThrough: this.allFindNothing ? bounds.lookThrough : 0,
			givenBack: takesInOrder ? messages.size + this.owedAgain : 0,
			largestBytes: this.largestBytes,
			bytes: bounds.prefetchBytes,
			delivered: { messages: messages.size, bytes: this.deliveredBytes },
		});
	}

	private get deliveredBytes(): number {
		let sum = 0;
		for (const { bytes } of this.options.messages) sum += bytes;
		return sum;
	}
}
