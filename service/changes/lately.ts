import { Doubts } from './doubts';
import { RowsOfPass } from './rowsOfPass';
import { isSameState, keyPrint, stateOf, unsureOfOthers, type Shown, type State } from './setMemory';

/** Sets of which the last change is known: of those that changed before, an hour is what is remembered. */
const MOST_SETS = 10_000;

/** Of one minute, so many states of a set are known. */
const MOST_STATES = 8;

/** Changes that are stored, in 40 kB at most, of this time: in the first minutes after a restart, a service may still be behind. */
const MOST_STORED = 500;
const STORED_MS = 60 * 60 * 1000;

/** As the service writes dates. */
const MINUTE_MS = 60 * 1000;

interface Changed {
	/** The date of its last change. */
	instant: number;
	/** How it was shown with this date, the last one last. */
	states: State[];
	/** When this process heard of it. */
	knownAt: number;
}

/**
 * When the sets that changed in the life of this process, and lately in the one before, were modified, to the minute, and what they became in it. Behind one address may stand
 * several services, or a cache, and one that is behind shows a set for a while as it was before.
 */
export class Lately {
	private readonly changes = new Map<number, Changed>();
	/** Rows of the pass that is under way, of pages behind which the list may be over. */
	readonly atEnd = new Set<number>();
	/** All of its rows, until the list is learnt. */
	readonly ofPass = new RowsOfPass();
	/** Pages that a pass went on without, by their offsets, and that have not come since. */
	readonly missing = new Set<number>();

	constructor(readonly doubts = new Doubts()) {}

	/**
	 * @param shown how the set is shown now
	 * @param now milliseconds since 1970, as below
	 * @param remembered how it may have been shown before in the same minute: of a set that did not change in the life of this process
	 */
	changed(key: string, shown: Shown, now: number, remembered?: State): void {
		const print = keyPrint(key);
		const before = this.changes.get(print);
		this.changes.delete(print);
		this.doubts.isOver(key);
		const { instant } = shown;
		if (instant === null) return;
		const state = stateOf(shown);
		const earlier = before ? before.states : remembered ? [remembered] : [];
		const isOneMinute = !before || before.instant === instant;
		const others = isOneMinute ? earlier.filter((each) => !isSameState(each, state)) : [];
		this.changes.set(print, { instant, states: [...others, state].slice(-MOST_STATES), knownAt: now });
		for (const oldest of this.changes.keys()) {
			if (this.changes.size <= MOST_SETS) break;
			this.changes.delete(oldest);
		}
	}

	/** Whether a change of the set is known. */
	has(key: string): boolean {
		return this.changes.has(keyPrint(key));
	}

	/** Whether the set came to be as it is shown here in the minute of its date, and has not changed since. */
	isLast(key: string, shown: Shown): boolean {
		const change = this.changes.get(keyPrint(key));
		if (!change || shown.instant === null) return false;
		const { status, transaction } = stateOf(shown);
		const last = change.states.at(-1);
		const isSame = last?.status === status && last.transaction === transaction;
		return isSame && minute(change.instant) === minute(shown.instant);
	}

	/** Other sets are looked for: what came as one of the others may be let in as it is. */
	forgetOthers(): void {
		for (const change of this.changes.values()) change.states = change.states.map(unsureOfOthers);
	}

	/** Whether what is shown of a set is from before its last change: until it has been shown so for long. */
	isBehind(key: string, shown: Shown, now: number): boolean {
		const change = this.changes.get(keyPrint(key));
		const { instant } = shown;
		if (!change || instant === null) return false;
		const state = stateOf(shown);
		const isBefore =
			instant === change.instant
				? change.states.slice(0, -1).some((each) => isSameState(each, state))
				: instant < change.instant;
		return isBefore && this.doubts.last(key, now);
	}

	/** As numbers, for the next process: what may still be shown as it was before. */
	stored(now: number): number[][] {
		const recent = [...this.changes].filter(([, { knownAt }]) => now < knownAt + STORED_MS);
		return recent
			.slice(-MOST_STORED)
			.map(([print, { instant, states }]) => [
				...[print, instant],
				...states.flatMap(({ status, transaction }) => [status, transaction]),
			]);
	}

	/** @param stored as {@link stored} gave it; what is none is passed over */
	static of(stored: readonly (readonly number[])[], doubts: Doubts, now: number): Lately {
		const lately = new Lately(doubts);
		for (const [print, instant, ...prints] of stored.slice(-MOST_STORED)) {
			const states: State[] = [];
			for (let at = 0; at + 1 < prints.length && states.length < MOST_STATES; at += 2)
				states.push({ status: prints[at] ?? 0, transaction: prints[at + 1] ?? 0 });
			if (print === undefined || instant === undefined) continue;
			lately.changes.set(print, { instant, knownAt: now, states });
		}
		return lately;
	}

	/** Whether the last change had a newer date. */
	isOlder(key: string, { instant }: Shown): boolean {
		const change = this.changes.get(keyPrint(key));
		return change !== undefined && instant !== null && instant < change.instant;
	}
}

function minute(instant: number): number {
	return Math.floor(instant / MINUTE_MS);
}
