import { hash } from 'node:crypto';
import { ANY_ZONE_MS } from './progress';
import { KEY_BYTES, pack, unpackInto, type Remembered } from './packedSets';

/** How a set is shown by the row of it that counts. */
export interface Shown {
	/** Canonical; empty where the set has none. */
	status: string;
	/** Empty for none. */
	transaction: string;
	/** Its date, in milliseconds since 1970; null where it cannot be read. */
	instant: number | null;
}

/** Sets that changed since all was packed, and stand behind it in the text: 8 kB. */
const MOST_TOUCHED = 500;
/** No text of base64 holds it. */
const BEHIND = '.';

/**
 * Which sets were seen, and how they were shown: as fingerprints, so that 100,000 of them take less than 1 MB of text.
 */
export class SetMemory {
	private readonly sets = new Map<number, Remembered>();
	/** The text of just this; undefined once something has changed. */
	private text: string | undefined;
	/** The text of all as it was packed last; undefined once something was taken out. */
	private whole: string | undefined;
	/** What was put in or changed since then. */
	private readonly touched = new Set<number>();

	/** @param most sets that are remembered, see {@link makeRoom} */
	constructor(readonly most: number) {}

	get size(): number {
		return this.sets.size;
	}

	/**
	 * Whether the set is remembered, and as shown with this status and transaction: one that is not shown is no other, nor is
	 * one of the same status and minute. It comes late, or each row of the set has its own, and the `eventId` is the same.
	 */
	knows(key: string, { status, transaction, instant }: Shown): 'new' | 'other' | 'same' {
		const known = this.sets.get(keyPrint(key));
		if (!known) return 'new';
		// Whose transaction is another one, but of which status, is known once the status is shown.
		if (status === '' || this.isOfMinute(key, { status, instant })) return 'same';
		return isSameState(stateOf({ status, transaction }), known) ? 'same' : 'other';
	}

	/** Whether it is remembered with this status and minute. */
	isOfMinute(key: string, { status, instant }: Pick<Shown, 'status' | 'instant'>): boolean {
		const known = this.sets.get(keyPrint(key));
		return known !== undefined && isOfMinute(known, instant) && known.status === statusPrint(status);
	}

	/**
	 * Whether the set was never shown with a status, and this may be the one that it had: its date is the same, or its first.
	 *
	 * @param newestAtFirst the newest date of what was there at first, if any: a first date that is newer is that of a change
	 */
	mayHaveHadStatus(key: string, { instant }: Shown, newestAtFirst: number | null): boolean {
		const known = this.sets.get(keyPrint(key));
		if (known?.status !== NO_STATUS) return false;
		if (known.minute !== NO_MINUTE) return isOfMinute(known, instant);
		return instant !== null && instant <= (newestAtFirst ?? Infinity);
	}

	/** How the set is remembered, to be compared with what is shown; undefined for none. */
	stateOf(key: string): State | undefined {
		return this.sets.get(keyPrint(key));
	}

	/** Whether it is remembered as one that was not looked for. */
	isOfOthers(key: string): boolean {
		return this.sets.get(keyPrint(key))?.transaction === OTHERS;
	}

	has(key: string): boolean {
		return this.sets.has(keyPrint(key));
	}

	/** How many passes ago the set was seen as it is remembered; modulo 256. */
	passesSince(key: string, pass: number): number {
		const known = this.sets.get(keyPrint(key));
		return known ? (pass - known.pass) & 0xff : 0xff;
	}

	/** Whether what is shown is older than what is remembered. */
	isOlder(key: string, { instant }: Shown): boolean {
		const minutes = this.minutesBehind(key, instant);
		return minutes > 0 && minutes < MINUTES / 2;
	}

	/** Whether what is shown is newer than what is remembered. */
	isNewer(key: string, { instant }: Shown): boolean {
		return this.minutesBehind(key, instant) > MINUTES / 2;
	}

	/** Whether nobody can tell which of the two is newer. */
	isAsOld(key: string, { instant }: Shown): boolean {
		return this.minutesBehind(key, instant) === 0;
	}

	private minutesBehind(key: string, instant: number | null): number {
		const known = this.sets.get(keyPrint(key))?.minute ?? NO_MINUTE;
		const minute = minuteOf(instant);
		return minute === NO_MINUTE || known === NO_MINUTE ? 0 : (known - minute + MINUTES) % MINUTES;
	}

	/**
	 * What is not shown stays as it was, and so does the date, until it is known of which state a later one is.
	 *
	 * @param pass the number of the pass in which it was seen
	 */
	learn(key: string, shown: Shown, pass: number): void {
		const print = keyPrint(key);
		const known = this.sets.get(print);
		const { instant } = shown;
		const now: Remembered = {
			...(known && isPartOf(stateOf(shown), known)
				? known
				: { ...stateOf(shown), minute: instant === null && known ? known.minute : minuteOf(instant) }),
			pass: pass & 0xff,
		};
		const isAsBefore =
			known?.status === now.status &&
			known.transaction === now.transaction &&
			known.minute === now.minute &&
			known.pass === now.pass;
		if (isAsBefore) return;
		this.sets.set(print, now);
		this.touched.add(print);
		this.text = undefined;
	}

	/**
	 * As the set was told, nobody may have heard of it: however it is shown next, it has changed, unless that is older.
	 *
	 * @param print as {@link keyPrint} gives it
	 * @param pass the number of the pass under way, in which it counts as not seen
	 */
	untell(print: number, pass: number): void {
		const known = this.sets.get(print);
		if (!known) return;
		this.sets.set(print, { ...known, status: UNTOLD, transaction: NONE, pass: (pass - 2) & 0xff });
		this.touched.add(print);
		this.text = undefined;
	}

	private forget(print: number): void {
		if (this.sets.delete(print)) this.text = this.whole = undefined;
	}

	/**
	 * Remembers what another one knows besides: of the sets modified since a time, the newest ones that there is room for.
	 *
	 * @param since in milliseconds since 1970, however long ago
	 * @param now the same: what is remembered is within 15 years of it
	 */
	takeOver(other: SetMemory, since: number, now: number): void {
		const half = Math.floor(MINUTES / 2);
		const limit = Math.max((since - ANY_ZONE_MS - now) / MINUTE_MS, -half);
		// Of one without a date, nobody knows: it comes last.
		const fromNow = ({ minute }: Remembered) =>
			minute === NO_MINUTE ? limit : ((minute - minuteOf(now) + half + MINUTES) % MINUTES) - half;
		const others = [...other.sets]
			.filter(([print, set]) => !this.sets.has(print) && fromNow(set) >= limit)
			.sort(([, one], [, another]) => fromNow(another) - fromNow(one))
			.slice(0, this.most - this.sets.size);
		for (const [print, set] of others) this.sets.set(print, set);
		if (others.length > 0) this.text = this.whole = undefined;
	}

	/** Remembers a set as another one does: as one that was not shown lately. */
	adopt(key: string, other: SetMemory, pass: number): void {
		const print = keyPrint(key);
		const set = other.sets.get(print);
		if (!set) return;
		this.sets.set(print, { ...set, pass: (pass - 2) & 0xff });
		this.touched.add(print);
		this.text = undefined;
	}

	/**
	 * Forgets what neither this pass nor the one before has seen, once there is no more room: sets that the service no
	 * longer shows, and of these no more than it takes, since a list that was short for a while comes back.
	 *
	 * @param count for so many more
	 * @returns whether there is room
	 */
	makeRoom(pass: number, count = 1): boolean {
		const missing = this.sets.size + count - this.most;
		if (missing <= 0) return true;
		const unseen = [...this.sets]
			.map(([print, { pass: seen }]) => ({ print, passes: (pass - seen) & 0xff }))
			.filter(({ passes }) => passes > 1)
			.sort((a, b) => b.passes - a.passes);
		// Some more, so that they are not sorted for each new set.
		for (const { print } of unseen.slice(0, missing + this.most / 100)) this.forget(print);
		return unseen.length >= missing;
	}

	/**
	 * As text. All of it is packed only where much has changed: of 100,000 sets that takes a tenth of a second, in which n8n
	 * does nothing else. What changed since then stands behind it.
	 */
	packed(): string {
		if (this.text !== undefined) return this.text;
		if (this.whole === undefined || this.touched.size > MOST_TOUCHED) {
			this.whole = pack(this.sets);
			this.touched.clear();
			return (this.text = this.whole);
		}
		const touched = new Map<number, Remembered>();
		for (const print of this.touched) {
			const set = this.sets.get(print);
			if (set) touched.set(print, set);
		}
		return (this.text = `${this.whole}${BEHIND}${pack(touched)}`);
	}

	/** The memory of a text; undefined for what is none, since what is stored may have been edited or cut. Never throws. */
	static unpacked(text: unknown, most: number): SetMemory | undefined {
		if (typeof text !== 'string') return undefined;
		const [whole = '', behind, ...more] = text.split(BEHIND, 3);
		if (more.length > 0) return undefined;
		const memory = new SetMemory(most);
		const isRead =
			unpackInto(memory.sets, whole, most) &&
			(behind === undefined || unpackInto(memory.sets, behind, MOST_TOUCHED, memory.touched));
		if (!isRead || memory.size > most) return undefined;
		memory.whole = whole;
		memory.text = text;
		return memory;
	}
}

/** What a set's key is remembered as: a whole number. */
export function keyPrint(key: string): number {
	return hash('sha256', key, 'buffer').readUIntBE(0, KEY_BYTES);
}

function statusPrint(status: string): number {
	return hash('sha256', `status ${status}`, 'buffer').readUInt32BE(0);
}

/** Fingerprints of a status and a transaction. */
export type State = Readonly<Pick<Remembered, 'status' | 'transaction'>>;

/** What is remembered of the state in which a set is shown. */
export function stateOf({ status, transaction }: Omit<Shown, 'instant'>): State {
	return { status: statusPrint(status), transaction: transactionPrint(transaction) };
}

/** Whether both may be one state: a transaction that is not shown is no other. */
export function isSameState(one: State, other: State): boolean {
	const prints = [one.transaction, other.transaction];
	const isKnown = !prints.includes(NONE) && (!prints.includes(NO_OWN) || prints.includes(OTHERS));
	return one.status === other.status && (!isKnown || one.transaction === other.transaction);
}

/** The state, without saying of the set that it is not looked for. */
export function unsureOfOthers(state: State): State {
	return state.transaction === OTHERS ? { ...state, transaction: NONE } : state;
}

/** In place of a transaction: none is shown. */
const NONE = 0;
/** The one that all sets share that are not looked for: no service has one with a blank at its end. */
export const OF_OTHERS = 'of others ';
/** Its fingerprint, which no other has: whose own was the same would never come to be looked for. */
const OTHERS = 255;
/** The one of a set that has none and comes to be looked for: with none, it would be as those that are not. */
export const OF_NONE = 'of none ';
/** Its fingerprint, which no other has either: any transaction may be the one that it has later. */
const NO_OWN = 254;
/** In place of a status: the same. */
const NO_STATUS = statusPrint('');
/** In place of one that may not have been told. */
const UNTOLD = 0;

/** Whether it lacks what is remembered. Where no status ever was, a date alone is something, and the first one counts. */
function isPartOf(state: State, known: Remembered): boolean {
	if (state.status === NO_STATUS) return known.status !== NO_STATUS || known.minute !== NO_MINUTE;
	return state.status === known.status && state.transaction === NONE && known.transaction !== NONE;
}

function transactionPrint(transaction: string): number {
	if (transaction === '') return NONE;
	if (transaction === OF_OTHERS) return OTHERS;
	if (transaction === OF_NONE) return NO_OWN;
	const print = hash('sha256', `transaction ${transaction}`, 'buffer').readUInt8(0);
	return [NONE, NO_OWN, OTHERS].includes(print) ? 1 : print;
}

/** In place of a minute: the date cannot be read, or is so far from now that it stands for none. */
const NO_MINUTE = 0xffffff;
/** Minutes that can be told apart: 31 years. */
const MINUTES = NO_MINUTE;
const MINUTE_MS = 60 * 1000;
/** A date that is further from now could not be told to be older than a change that comes now, or newer. */
const FURTHEST_MS = (MINUTES / 2) * MINUTE_MS;

function isOfMinute({ minute }: Remembered, instant: number | null): boolean {
	return minute !== NO_MINUTE && minute === minuteOf(instant);
}

function minuteOf(instant: number | null): number {
	if (instant === null || Math.abs(instant - Date.now()) > FURTHEST_MS) return NO_MINUTE;
	const minute = Math.floor(instant / MINUTE_MS) % MINUTES;
	return minute < 0 ? minute + MINUTES : minute;
}
