import type { Clock } from '../surroundings';
import type { Bounds } from './bounds';

/** Words remembered. */
const MOST = 1_000;

/** What a subscriber was told lately, also before its newest version came: the same words once an hour are enough. */
export class Told {
	private readonly lately = new Map<string, number>();

	constructor(
		private readonly clock: Clock,
		private readonly bounds: Pick<Bounds, 'tellAgainMs'>,
	) {}

	/** @returns whether this is news for the subscriber, which it is not from now on */
	isNews(subscriber: string, words: string): boolean {
		const key = JSON.stringify([subscriber, words]);
		const now = this.clock.now();
		const before = this.lately.get(key);
		if (before !== undefined && now - before < this.bounds.tellAgainMs) return false;
		this.lately.delete(key);
		this.lately.set(key, now);
		for (const oldest of this.lately.keys()) {
			if (this.lately.size <= MOST) break;
			this.lately.delete(oldest);
		}
		return true;
	}
}
