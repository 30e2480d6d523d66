import type { Clock } from '../surroundings';
import type { Bounds } from './bounds';
import { Memory } from './memory';

/** Words remembered. */
const MOST = 1_000;

/** What a subscriber was told lately, also before its newest version came: the same words once an hour are enough. */
export class Told {
	private readonly lately: Memory<true>;

	constructor(clock: Clock, { tellAgainMs }: Pick<Bounds, 'tellAgainMs'>) {
		this.lately = new Memory(clock, MOST, tellAgainMs);
	}

	/** @returns whether this is news for the subscriber, which it is not from now on */
	isNews(subscriber: string, words: string): boolean {
		const key = JSON.stringify([subscriber, words]);
		if (this.lately.look(key)) return false;
		this.lately.keep(key, true);
		return true;
	}
}
