import { createHash } from 'node:crypto';
import { Memory } from './memory';

/** Bodies, and who missed them. */
const MOST = 10_000;

/** What this process has written down or told once, over whatever connection it came: a fingerprint of each. */
export class Noted {
	private readonly seen = new Memory<true>({ now: () => 0 }, MOST, Infinity);

	/** @returns whether these words come for the first time */
	isFirst(words: string): boolean {
		const key = createHash('sha256').update(words).digest('base64');
		if (this.seen.look(key)) return false;
		this.seen.keep(key, true);
		return true;
	}
}
