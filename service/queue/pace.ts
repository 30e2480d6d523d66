import type { Clock } from '../surroundings';
import type { Bounds } from './bounds';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** When things were handed on one by one: all that tell of one queue have the same, whichever connection they tell of. */
export class Singles {
	private moments: number[] = [];

	constructor(private readonly clock: Clock) {}

	/** Within the last hour. */
	get count(): number {
		const now = this.clock.now();
		this.moments = this.moments.filter((at) => now - at < HOUR_MS);
		return this.moments.length;
	}

	add(): void {
		this.moments.push(this.clock.now());
	}
}

/**
 * Hands things on one by one while they are few, and a minute's worth at a time when they are many: 20 in an hour, then
 * 200 a minute at most. The rest waits where it is.
 */
export class Pace<T> {
	private readonly waiting: T[] = [];
	private cancel: (() => void) | undefined;

	constructor(
		private readonly clock: Clock,
		private readonly bounds: Pick<Bounds, 'singleReports' | 'reportedPerMinute'>,
		private readonly handOn: (things: readonly T[]) => void,
		/** False while there is nobody to hand on to. */
		private readonly ready: () => boolean,
		private readonly singles = new Singles(clock),
	) {}

	add(thing: T): void {
		this.waiting.push(thing);
		this.look();
	}

	/** Looks again whether anybody is ready. */
	look(): void {
		while (!this.cancel && this.ready() && this.singles.count < this.bounds.singleReports) {
			const [next] = this.waiting.splice(0, 1);
			if (next === undefined) return;
			this.singles.add();
			this.handOn([next]);
		}
		if (this.waiting.length > 0) this.arm();
	}

	/** What waits is gone: its messages went back. */
	clear(): void {
		this.waiting.length = 0;
		this.cancel?.();
		this.cancel = undefined;
	}

	private arm(): void {
		this.cancel ??= this.clock.after(MINUTE_MS, () => {
			this.cancel = undefined;
			if (this.ready()) {
				const some = this.waiting.splice(0, this.bounds.reportedPerMinute);
				if (some.length > 0) this.handOn(some);
			}
			if (this.waiting.length > 0) this.arm();
		});
	}
}
