import { isSameState, keyPrint, stateOf, type Shown, type State } from './setMemory';

/** Sets of which the last change is known: of those that changed before, an hour is what is remembered. */
const MOST_SETS = 10_000;
/** An older date is believed after this time: a service that shows an old state for so long has gone back to it. */
const BELIEVED_AFTER_MS = 60 * 60 * 1000;

/** Of one minute, so many states of a set are known. */
const MOST_STATES = 8;

/** Changes that are stored, in 40 kB at most: in the first minutes after a restart, a service may still be behind. */
const MOST_STORED = 500;

interface Changed {
	/** The date of its last change. */
	instant: number;
	/** How it was shown with this date, the last one last. */
	states: State[];
	/** When it was shown last as it is remembered. */
	seenAt: number;
}

/**
 * When the sets that changed in the life of this process, and lately in the one before, were modified, to the minute, and what they became in it. Behind one address may stand
 * several services, or a cache, and one that is behind shows a set for a while as it was before.
 */
export class Lately {
	private readonly changes = new Map<number, Changed>();

	/**
	 * @param shown how the set is shown now
	 * @param now milliseconds since 1970, as below
	 * @param remembered how it may have been shown before in the same minute: of a set that did not change in the life of this process
	 */
	changed(key: string, shown: Shown, now: number, remembered?: State): void {
		const print = keyPrint(key);
		const before = this.changes.get(print);
		this.changes.delete(print);
		const { instant } = shown;
		if (instant === null) return;
		const state = stateOf(shown);
		const earlier = before ? before.states : remembered ? [remembered] : [];
		const isOneMinute = !before || before.instant === instant;
		const others = isOneMinute ? earlier.filter((each) => !isSameState(each, state)) : [];
		this.changes.set(print, { instant, states: [...others, state].slice(-MOST_STATES), seenAt: now });
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
	isBehind(key: string, shown: Shown, now: number): boolean {
		const change = this.changes.get(keyPrint(key));
		const { instant } = shown;
		if (!change || instant === null || now >= change.seenAt + BELIEVED_AFTER_MS) return false;
		if (instant !== change.instant) return instant < change.instant;
		const state = stateOf(shown);
		return change.states.slice(0, -1).some((each) => isSameState(each, state));
	}

	/**
	 * Whether the set came to this status in this very minute, and was learnt so: it is its transaction alone that differs.
	 *
	 * @param remembered how the set is remembered
	 */
	isSameBut(key: string, shown: Shown, remembered: State | undefined): boolean {
		const change = this.changes.get(keyPrint(key));
		const last = change?.states.at(-1);
		if (!last || !remembered || change?.instant !== shown.instant) return false;
		return isSameState(last, remembered) && last.status === stateOf(shown).status;
	}

	/** As numbers, for the next process: what an hour may still show as it was before. */
	stored(now: number): number[][] {
		const recent = [...this.changes].filter(([, { seenAt }]) => now < seenAt + BELIEVED_AFTER_MS);
		return recent
			.slice(-MOST_STORED)
			.map(([print, { instant, seenAt, states }]) => [
				...[print, instant, seenAt],
				...states.flatMap(({ status, transaction }) => [status, transaction]),
			]);
	}

	/** @param stored as {@link stored} gave it; what is none is passed over */
	static of(stored: readonly (readonly number[])[]): Lately {
		const lately = new Lately();
		for (const [print, instant, seenAt, ...prints] of stored.slice(-MOST_STORED)) {
			const states: State[] = [];
			for (let at = 0; at + 1 < prints.length && states.length < MOST_STATES; at += 2)
				states.push({ status: prints[at] ?? 0, transaction: prints[at + 1] ?? 0 });
			if (print === undefined || instant === undefined || seenAt === undefined) continue;
			lately.changes.set(print, { instant, seenAt, states });
		}
		return lately;
	}

	/** Whether the last change had a newer date. */
	isOlder(key: string, { instant }: Shown): boolean {
		const change = this.changes.get(keyPrint(key));
		return change !== undefined && instant !== null && instant < change.instant;
	}
}
