import { keyPrint } from './setMemory';

/** Sets of which the last change is known: of those that changed before, an hour is what is remembered. */
const MOST_SETS = 10_000;
/** An older date is believed after this time: a service that shows an old state for so long has gone back to it. */
const BELIEVED_AFTER_MS = 60 * 60 * 1000;

/**
 * When the sets that changed in the life of this process were modified, to the minute. Behind one address may stand
 * several services, or a cache, and one that is behind shows a set for a while as it was before.
 */
export class Lately {
	private readonly changes = new Map<number, { instant: number; seenAt: number }>();

	/**
	 * @param instant its new date, in milliseconds since 1970; null where it cannot be read
	 * @param now milliseconds since 1970, as below
	 */
	changed(key: string, instant: number | null, now: number): void {
		const print = keyPrint(key);
		this.changes.delete(print);
		if (instant === null) return;
		this.changes.set(print, { instant, seenAt: now });
		for (const oldest of this.changes.keys()) {
			if (this.changes.size <= MOST_SETS) break;
			this.changes.delete(oldest);
		}
	}

	/** The set is shown as it is remembered. */
	seen(key: string, now: number): void {
		const change = this.changes.size > 0 ? this.changes.get(keyPrint(key)) : undefined;
		if (change) change.seenAt = now;
	}

	/** Whether what is shown of a set is from before its last change: until it has been shown so for an hour. */
	isBehind(key: string, instant: number | null, now: number): boolean {
		const change = this.changes.get(keyPrint(key));
		if (!change || instant === null) return false;
		return instant < change.instant && now < change.seenAt + BELIEVED_AFTER_MS;
	}
}
