import type { Clock } from '../surroundings';
import type { Bounds } from './bounds';
import type { InFlight } from './inFlight';
import type { Lane } from './lane';
import type { Message } from './message';

interface RenewalOptions {
	clock: Clock;
	bounds: Bounds;
	inFlight: InFlight;
	/** What the channel of now delivered and is not settled, in order. */
	messages: ReadonlySet<Message>;
	here(): readonly Lane[];
	/** The broker counts deliveries. */
	counted(): boolean;
	/** The channel is to deliver nothing more, and keeps what it has; {@link Renewal.drained} when it does so. */
	onDrain(): void;
	/** Another process leads: this one keeps what it runs still, and what it gave back would run there beside. */
	takesNothing(): boolean;
	/** Another channel is opened on the same connection. */
	onRenew(): void;
	/** The channel is closed, and the queue left alone. */
	onRest(): void;
	/** What waits there then. */
	waitsThere(): number;
}

/**
 * When what was delivered goes back and comes again on another channel: for a larger limit, before the broker takes it back
 * itself, or after a time in which nothing would run and the queue was left alone.
 */
export class Renewal {
	/** While the queue is left alone: those whose places were all taken when that began. */
	private full: readonly Lane[] | undefined;
	/** What was delivered is run to its end before another channel is opened: nothing goes back by that, and nothing is counted. */
	private drain: 'begins' | 'goesOn' | undefined;
	/** When it was taken again last for what had come behind what failed … */
	private lookedAt = -Infinity;
	/** … and how often in a row none of that succeeded: each time costs all that goes back a delivery. */
	private looksInVain = 0;
	private cancelAge = () => {};
	private cancelRest = () => {};
	private cancelSilence = () => {};

	constructor(private readonly options: RenewalOptions) {}

	get rests(): boolean {
		return this.full !== undefined;
	}

	renew(): void {
		this.end();
		this.drain = undefined;
		this.options.inFlight.renewed();
		this.options.onRenew();
	}

	/** The oldest of the channel of now came just now. */
	begins(): void {
		this.cancelAge();
		const [oldest] = this.options.messages;
		if (!oldest) return;
		const { clock } = this.options;
		this.cancelAge = clock.after(Math.max(0, this.dueAt - clock.now()), () => this.becomesOld());
	}

	/** What the channel delivered is back on the queue. */
	returned(): void {
		this.drain = undefined;
		this.cancelSilence();
		this.cancelAge();
	}

	/** @param stopped the channel delivers nothing more; else it was just being opened, or is gone */
	drained(stopped: boolean): void {
		if (!this.drain) return;
		this.drain = stopped ? 'goesOn' : undefined;
		// All may have ended before the broker had answered.
		this.renewIfDrained();
	}

	private renewIfDrained(): void {
		const { messages, inFlight, clock, bounds } = this.options;
		if (this.drain !== 'goesOn' || (messages.size > 0 && inFlight.sparing)) return;
		if (!inFlight.settledJustNow) return this.renew();
		this.cancelSilence();
		this.cancelSilence = clock.after(bounds.silenceMs, () => this.renewIfDrained());
	}

	/** No rest goes on. */
	end(): void {
		this.cancelRest();
		this.full = undefined;
	}

	/**
	 * Something changed here: rests, or grows, where it should.
	 * @returns in how many milliseconds it may grow
	 */
	look(isRead: boolean): number | undefined {
		const { here, inFlight, clock } = this.options;
		if (this.full) {
			const isTried = here().some(({ waiting }) => waiting?.gatherUntil !== undefined);
			if (isTried || this.full.some(({ isFull }) => !isFull)) this.renew();
			return undefined;
		}
		if (this.drain) {
			this.renewIfDrained();
			return undefined;
		}
		if (!isRead) return undefined;
		// Asked at every change, and nearly always one is well.
		const until = here().every(({ waiting }) => waiting) ? this.quietUntil : -Infinity;
		if (until > clock.now() && until >= this.dueAt) {
			this.rest(until);
			return undefined;
		}
		const grows = inFlight.grows();
		if (grows === 'now') this.renew();
		if (grows === 'drain') this.beginDrain();
		return typeof grows === 'object' ? grows.inMs : undefined;
	}

	/** When the oldest of now is to go back. */
	private get dueAt(): number {
		const { messages, bounds, takesNothing, here } = this.options;
		const [oldest] = messages;
		const afterMs = takesNothing() && here().length === 0 ? bounds.keepAtMostMs : bounds.renewAfterMs;
		return (oldest?.receivedAt ?? Infinity) + afterMs - (this.isToDrain ? bounds.drainMs : 0);
	}

	/** What goes back costs one of few deliveries. */
	private get isToDrain(): boolean {
		const { here, inFlight, takesNothing } = this.options;
		return inFlight.spares && here().length > 0 && !this.drain && !takesNothing();
	}

	/** Until when nothing starts. */
	private get quietUntil(): number {
		const { here, clock, bounds } = this.options;
		const untilOf = ({ isFull, quietUntil }: Lane) => (isFull ? clock.now() + bounds.heldMs : quietUntil);
		return Math.min(...here().map((lane) => untilOf(lane) ?? -Infinity));
	}

	private becomesOld(): void {
		const { clock, here, counted, inFlight } = this.options;
		if (this.dueAt > clock.now()) return this.begins();
		if (counted() && here().length > 0 && this.quietUntil > clock.now()) return this.rest(this.quietUntil);
		if (this.isToDrain) return this.beginDrain();
		inFlight.beginAnewIfNotFull();
		this.renew();
	}

	private beginDrain(): void {
		this.drain = 'begins';
		this.options.onDrain();
		this.begins();
	}

	/** Nothing is taken that nobody would run. It ends before then where one whose places are all taken has a free one. */
	private rest(until: number): void {
		const { here, messages, bounds } = this.options;
		this.full = here().filter(({ isFull }) => isFull);
		const left = messages.size;
		const returns = Math.max(...[...messages].map((message) => message.returns ?? 0));
		const { othersPay } = this;
		this.options.onRest();
		if (here().some(({ lastSucceededAt }) => lastSucceededAt >= this.lookedAt)) this.looksInVain = 0;
		const first = bounds.countedRarely.some(({ from }) => returns >= from) ? 1 : 0;
		const lookAfterMs = bounds.lookBehindMs[Math.max(first, this.looksInVain)] ?? Infinity;
		this.restOn(until, left, othersPay ? Infinity : lookAfterMs);
	}

	/** What a workflow holds that starts nothing would come once more for what comes behind that of others. */
	private get othersPay(): boolean {
		const { messages } = this.options;
		return [...messages].some(({ openLanes }) => openLanes.some(({ waiting, isFull }) => waiting ?? isFull));
	}

	/** A few that are stuck show no outage: what comes behind them is not left there as they are. */
	private restOn(until: number, left: number, lookEveryMs: number): void {
		const { clock, here, waitsThere } = this.options;
		const restMs = Math.max(0, until - clock.now());
		this.cancelRest();
		this.cancelRest = clock.after(Math.min(restMs, lookEveryMs), () => {
			const mayRun = here().some(({ waiting, isFull }) => !waiting && !isFull);
			const looks = mayRun && waitsThere() > left;
			if (until > clock.now() && !looks) return this.restOn(until, left, lookEveryMs);
			if (until > clock.now()) {
				this.lookedAt = clock.now();
				this.looksInVain += 1;
			}
			this.renew();
		});
	}
}
