import { deflateRawSync, inflateRawSync } from 'node:zlib';

/** What is remembered of a set: fingerprints, and the pass in which it was seen last. */
export interface Remembered {
	status: number;
	/** One byte: it tells a status that came back with another transaction, in all but one of 256 cases. 0 for none. */
	transaction: number;
	/** Minutes, modulo those that can be told apart. */
	minute: number;
	/** Modulo 256. */
	pass: number;
}

/**
 * Bytes of a set's key: among 100,000 sets, two share one once in 200 times. They then count as rows of one set: each change
 * of either has the newest date of the two, and is told.
 */
export const KEY_BYTES = 5;
/** Behind the key: the index of its status in two, its transaction in one, its minute in three, its pass in one. */
const ROW_BYTES = KEY_BYTES + 7;
/** Different statuses that can be told apart. */
const MOST_STATUSES = 0xffff;

/**
 * Sets as text: columns of bytes, sorted, each key as its distance from the one before, so that most of what repeats is
 * packed away.
 */
export function pack(sets: ReadonlyMap<number, Remembered>): string {
	const keys = Float64Array.from(sets.keys()).sort();
	const count = keys.length;
	const indexes = new Map<number, number>();
	for (const { status } of sets.values()) {
		if (indexes.size < MOST_STATUSES && !indexes.has(status)) indexes.set(status, indexes.size);
	}
	const head = 8 + indexes.size * 4;
	const bytes = Buffer.alloc(head + count * ROW_BYTES);
	bytes.writeUInt32BE(count, 0);
	bytes.writeUInt32BE(indexes.size, 4);
	for (const [status, index] of indexes) bytes.writeUInt32BE(status, 8 + index * 4);
	let before = 0;
	for (let row = 0; row < count; row++) {
		const key = keys[row] ?? 0;
		const set = sets.get(key);
		if (!set) continue;
		let rest = key - before;
		before = key;
		for (let column = KEY_BYTES - 1; column >= 0; column--) {
			bytes[head + column * count + row] = rest % 256;
			rest = Math.floor(rest / 256);
		}
		// What is beyond the table has the index after it: no status, so that the set counts as changed.
		const index = indexes.get(set.status) ?? MOST_STATUSES;
		const at = head + KEY_BYTES * count + row;
		bytes[at] = index >> 8;
		bytes[at + count] = index & 0xff;
		bytes[at + 2 * count] = set.transaction;
		bytes[at + 3 * count] = set.minute >> 16;
		bytes[at + 4 * count] = (set.minute >> 8) & 0xff;
		bytes[at + 5 * count] = set.minute & 0xff;
		bytes[at + 6 * count] = set.pass;
	}
	return deflateRawSync(bytes).toString('base64');
}

/**
 * Puts the sets of a text into a map. Never throws.
 *
 * @param most sets that it may hold
 * @param keys where those that came are named too
 * @returns whether it is such a text
 */
export function unpackInto(
	sets: Map<number, Remembered>,
	text: string,
	most: number,
	keys?: Set<number>,
): boolean {
	try {
		const longest = 8 + MOST_STATUSES * 4 + most * ROW_BYTES;
		const bytes = inflateRawSync(Buffer.from(text, 'base64'), { maxOutputLength: longest });
		const count = bytes.readUInt32BE(0);
		const kinds = bytes.readUInt32BE(4);
		const head = 8 + kinds * 4;
		if (count > most || bytes.length !== head + count * ROW_BYTES) return false;
		const at = (column: number, row: number) => bytes[head + column * count + row] ?? 0;
		let key = 0;
		for (let row = 0; row < count; row++) {
			let distance = 0;
			for (let column = 0; column < KEY_BYTES; column++) distance = distance * 256 + at(column, row);
			key += distance;
			const index = at(KEY_BYTES, row) * 256 + at(KEY_BYTES + 1, row);
			sets.set(key, {
				status: index < kinds ? bytes.readUInt32BE(8 + index * 4) : -1,
				transaction: at(KEY_BYTES + 2, row),
				minute: [3, 4, 5].reduce((minute, column) => minute * 256 + at(KEY_BYTES + column, row), 0),
				pass: at(KEY_BYTES + 6, row),
			});
			keys?.add(key);
		}
		return true;
	} catch {
		return false;
	}
}
