import { hash } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';

/** How a set is shown by the row of it that counts. */
export interface Shown {
	/** Canonical; empty where the set has none. */
	status: string;
	/** Empty for none. */
	transaction: string;
	/** Its date, in milliseconds since 1970; null where it cannot be read. */
	instant: number | null;
}

/** What is remembered of a set: fingerprints, and the pass in which it was seen last. */
interface Remembered {
	status: number;
	/** One byte: it tells a status that came back with another transaction, in all but one of 256 cases. 0 for none. */
	transaction: number;
	/** Hours, see {@link hourOf}. */
	hour: number;
	/** Modulo 256. */
	pass: number;
}

/** Bytes of a set's key: among 100,000 sets, two share one once in 50,000 times. */
const KEY_BYTES = 6;
/** Behind the key: the index of its status in two, its transaction in one, its hour in two, its pass in one. */
const ROW_BYTES = KEY_BYTES + 6;
/** Different statuses that can be told apart. */
const MOST_STATUSES = 0xffff;

/**
 * Which sets were seen, and how they were shown: as fingerprints, so that 100,000 of them take less than 1 MB of text.
 */
export class SetMemory {
	private readonly sets = new Map<number, Remembered>();
	/** The text of just this; undefined once something has changed. */
	private text: string | undefined;

	/** @param most sets that are remembered, see {@link makeRoom} */
	constructor(readonly most: number) {}

	get size(): number {
		return this.sets.size;
	}

	/** Whether the set is remembered, and as shown with this status and transaction: one that is not shown is no other. */
	knows(key: string, { status, transaction }: Shown): 'new' | 'other' | 'same' {
		const known = this.sets.get(keyPrint(key));
		if (!known) return 'new';
		const print = transactionPrint(transaction);
		const isSameTransaction = print === known.transaction || print === NONE || known.transaction === NONE;
		const isSame = (status === '' || known.status === statusPrint(status)) && isSameTransaction;
		return isSame ? 'same' : 'other';
	}

	has(key: string): boolean {
		return this.sets.has(keyPrint(key));
	}

	/** How many passes ago the set was seen as it is remembered; modulo 256. */
	passesSince(key: string, pass: number): number {
		const known = this.sets.get(keyPrint(key));
		return known ? (pass - known.pass) & 0xff : 0xff;
	}

	/** Whether what is shown is older than what is remembered, by an hour or more. */
	isOlder(key: string, { instant }: Shown): boolean {
		const hours = this.hoursBehind(key, instant);
		return hours > 0 && hours < HOURS / 2;
	}

	/** Whether nobody can tell which of the two is newer. */
	isAsOld(key: string, { instant }: Shown): boolean {
		return this.hoursBehind(key, instant) === 0;
	}

	private hoursBehind(key: string, instant: number | null): number {
		const known = this.sets.get(keyPrint(key))?.hour ?? NO_HOUR;
		const hour = hourOf(instant);
		return hour === NO_HOUR || known === NO_HOUR ? 0 : (known - hour + HOURS) % HOURS;
	}

	/**
	 * What is not shown stays as it was.
	 *
	 * @param pass the number of the pass in which it was seen
	 */
	learn(key: string, { status, transaction, instant }: Shown, pass: number): void {
		const print = keyPrint(key);
		const known = this.sets.get(print);
		const shownStatus = status === '' && known ? known.status : statusPrint(status);
		// With another status, it may be another transaction too.
		const kept = known?.status === shownStatus ? known.transaction : NONE;
		const now: Remembered = {
			status: shownStatus,
			transaction: transactionPrint(transaction) || kept,
			hour: hourOf(instant),
			pass: pass & 0xff,
		};
		const isAsBefore =
			known?.status === now.status &&
			known.transaction === now.transaction &&
			known.hour === now.hour &&
			known.pass === now.pass;
		if (isAsBefore) return;
		this.sets.set(print, now);
		this.text = undefined;
	}

	/** The set counts as new from now on. @param print as {@link keyPrint} gives it */
	forget(print: number): void {
		if (this.sets.delete(print)) this.text = undefined;
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

	/** As text: columns of bytes, sorted, each key as its distance from the one before, so that most of what repeats is packed away. Packed again only where something changed. */
	packed(): string {
		return (this.text ??= this.pack());
	}

	private pack(): string {
		const rows = [...this.sets].sort(([a], [b]) => a - b);
		const statuses = [...new Set(rows.map(([, { status }]) => status))].slice(0, MOST_STATUSES);
		const indexes = new Map(statuses.map((status, index) => [status, index]));
		const count = rows.length;
		const head = 8 + statuses.length * 4;
		const bytes = Buffer.alloc(head + count * ROW_BYTES);
		bytes.writeUInt32BE(count, 0);
		bytes.writeUInt32BE(statuses.length, 4);
		statuses.forEach((status, index) => bytes.writeUInt32BE(status, 8 + index * 4));
		rows.forEach(([key, { status, transaction, hour, pass }], row) => {
			// What is beyond the table has the index after it: no status, so that the set counts as changed.
			const index = indexes.get(status) ?? MOST_STATUSES;
			let rest = key - (rows[row - 1]?.[0] ?? 0);
			for (let column = KEY_BYTES - 1; column >= 0; column--) {
				bytes[head + column * count + row] = rest % 256;
				rest = Math.floor(rest / 256);
			}
			const behind = [index >> 8, index & 0xff, transaction, hour >> 8, hour & 0xff, pass];
			behind.forEach((byte, column) => (bytes[head + (KEY_BYTES + column) * count + row] = byte));
		});
		return deflateRawSync(bytes).toString('base64');
	}

	/** The memory of a text; undefined for what is none, since what is stored may have been edited or cut. Never throws. */
	static unpacked(text: unknown, most: number): SetMemory | undefined {
		if (typeof text !== 'string') return undefined;
		try {
			const longest = 8 + MOST_STATUSES * 4 + most * ROW_BYTES;
			const bytes = inflateRawSync(Buffer.from(text, 'base64'), { maxOutputLength: longest });
			const count = bytes.readUInt32BE(0);
			const kinds = bytes.readUInt32BE(4);
			const head = 8 + kinds * 4;
			if (count > most || bytes.length !== head + count * ROW_BYTES) return undefined;
			const memory = new SetMemory(most);
			const at = (column: number, row: number) => bytes[head + column * count + row] ?? 0;
			let key = 0;
			for (let row = 0; row < count; row++) {
				let distance = 0;
				for (let column = 0; column < KEY_BYTES; column++) distance = distance * 256 + at(column, row);
				key += distance;
				const index = at(KEY_BYTES, row) * 256 + at(KEY_BYTES + 1, row);
				memory.sets.set(key, {
					status: index < kinds ? bytes.readUInt32BE(8 + index * 4) : -1,
					transaction: at(KEY_BYTES + 2, row),
					hour: at(KEY_BYTES + 3, row) * 256 + at(KEY_BYTES + 4, row),
					pass: at(KEY_BYTES + 5, row),
				});
			}
			memory.text = text;
			return memory;
		} catch {
			return undefined;
		}
	}
}

/** What a set's key is remembered as: a whole number. */
export function keyPrint(key: string): number {
	return hash('sha256', key, 'buffer').readUIntBE(0, KEY_BYTES);
}

function statusPrint(status: string): number {
	return hash('sha256', `status ${status}`, 'buffer').readUInt32BE(0);
}

/** In place of a transaction: none is shown. */
const NONE = 0;

function transactionPrint(transaction: string): number {
	if (transaction === '') return NONE;
	return hash('sha256', `transaction ${transaction}`, 'buffer').readUInt8(0) || 1;
}

/** In place of an hour: the date cannot be read. */
const NO_HOUR = 0xffff;
/** Hours that can be told apart: seven years. */
const HOURS = NO_HOUR;

function hourOf(instant: number | null): number {
	if (instant === null) return NO_HOUR;
	const hour = Math.floor(instant / (60 * 60 * 1000)) % HOURS;
	return hour < 0 ? hour + HOURS : hour;
}
