import type { Clock } from '../surroundings';
import type { Bounds } from './bounds';
import type { Subscription } from './contract';
import type { Lane } from './lane';

/**
 * Who is there, on one queue: who is here and gets events, who has started and is not let in yet, who left and may return.
 * What an absent one asks for is kept for it.
 */
export class Presence {
	private readonly present = new Set<Lane>();
	private readonly expected = new Set<Lane>();
	/** Each with the end of its time. */
	private readonly returning = new Map<Lane, () => void>();
	/** Nobody is here since then, where nobody is. */
	emptySince = -Infinity;

	constructor(
		private readonly clock: Clock,
		private readonly bounds: Bounds,
		/** Who left did not return in time. */
		private readonly onGone: (lane: Lane) => void,
	) {}

	get here(): Lane[] {
		return [...this.present];
	}

	get absent(): Lane[] {
		return [...this.expected, ...this.returning.keys()];
	}

	/** Somebody has started and is not let in. */
	get expectsAnyone(): boolean {
		return this.expected.size > 0;
	}

	/** It has started and is not let in. */
	expects(lane: Lane): boolean {
		return this.expected.has(lane);
	}

	/** Here, or it may come. */
	knows(lane: Lane): boolean {
		return this.present.has(lane) || this.expected.has(lane) || this.returning.has(lane);
	}

	came(lane: Lane): void {
		this.forget(lane);
		this.present.add(lane);
	}

	isExpected(lane: Lane): void {
		this.forget(lane);
		this.expected.add(lane);
	}

	left(lane: Lane): void {
		this.forget(lane);
		this.returning.set(
			lane,
			this.clock.after(this.bounds.returnMs, () => {
				this.returning.delete(lane);
				this.onGone(lane);
			}),
		);
	}

	/** It is not one of them. */
	forget(lane: Lane): void {
		if (this.present.delete(lane)) this.emptySince = this.clock.now();
		this.expected.delete(lane);
		this.returning.get(lane)?.();
		this.returning.delete(lane);
	}
}

/** Of the same trigger, on the same queue. */
export const isVersionOf = (one: Subscription, other: Subscription) =>
	one.key === other.key && one.queue === other.queue;

/**
 * Who left a moment ago and may return, whether it was let in or not: a connection that is opened meanwhile keeps events for
 * it as those do that were open when it left. Also one to another place: its credential may be changed meanwhile, and others
 * of its queue are published before it.
 */
export class LeftLately {
	private readonly all = new Map<Subscription, { at: number; isOwed: boolean }>();

	constructor(
		private readonly clock: Clock,
		private readonly bounds: Pick<Bounds, 'returnMs'>,
	) {}

	/** @param isOwed its host had started it, and it has not been told what it missed before */
	left(subscription: Subscription, isOwed: boolean): void {
		this.endOld();
		this.all.set(subscription, { at: this.clock.now(), isOwed });
	}

	/** Its next version is here. @returns it is owed what the one before was */
	came(subscription: Subscription): boolean {
		this.endOld();
		const before = [...this.all].filter(([each]) => isVersionOf(subscription, each));
		for (const [each] of before) this.all.delete(each);
		return before.some(([, { isOwed }]) => isOwed);
	}

	/** Those that may return to a queue of this name: where that is then, nobody knows before its credential is read. */
	to(queue: string): Subscription[] {
		this.endOld();
		return [...this.all.keys()].filter((each) => each.queue === queue);
	}

	private endOld(): void {
		const { clock, bounds } = this;
		for (const [each, { at }] of this.all) if (at + bounds.returnMs <= clock.now()) this.all.delete(each);
	}
}

/**
 * The first minutes of a process: its host brings its triggers up one by one, and nobody knows how many are to come.
 * Until three minutes after the last that came, and for fifteen minutes at most, events are kept for those.
 */
export class Start {
	private beganAt: number | undefined;
	private cancel = () => {};
	private over = false;
	private handledUntil = -Infinity;
	private cancelHandled = () => {};

	constructor(
		private readonly clock: Clock,
		private readonly bounds: Bounds,
		/** What others have handled is kept no longer, or nothing is. */
		private readonly onChange: () => void,
	) {}

	/** @param handled by somebody who is here: such an event is kept for a moment only, since a crash would have it handled again */
	keeps(handled: boolean): boolean {
		if (this.beganAt === undefined || this.over) return false;
		return !handled || this.clock.now() < this.handledUntil;
	}

	/** The host brought up a trigger. */
	joined(): void {
		if (this.over) return;
		const now = this.clock.now();
		this.beganAt ??= now;
		this.cancel();
		this.cancelHandled();
		this.handledUntil = now + this.bounds.startHandledMs;
		this.cancelHandled = this.clock.after(this.bounds.startHandledMs, this.onChange);
		const leftMs = this.beganAt + this.bounds.startLongestMs - now;
		this.cancel = this.clock.after(Math.max(0, Math.min(this.bounds.startGapMs, leftMs)), () => {
			this.over = true;
			this.onChange();
		});
	}

	/** A process that has no trigger any more keeps nothing. */
	end(): void {
		this.cancel();
		this.cancelHandled();
		this.beganAt = undefined;
		this.over = false;
	}
}
