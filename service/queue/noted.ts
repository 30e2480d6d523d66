import { createHash } from 'node:crypto';

/** Bodies, and who missed them. */
const MOST = 10_000;

/** What this process has written down or told once, over whatever connection it came: a fingerprint of each. */
export class Noted {
	private readonly seen = new Set<string>();

	/** @returns whether these words come for the first time */
	isFirst(words: string): boolean {
		const key = createHash('sha256').update(words).digest('base64');
		if (this.seen.has(key)) return false;
		this.seen.add(key);
		for (const oldest of this.seen) {
			if (this.seen.size <= MOST) break;
			this.seen.delete(oldest);
		}
		return true;
	}
}
