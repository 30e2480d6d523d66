import { createHash } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';

/** What is remembered of a set: a fingerprint of its status, and the pass in which it was seen last. */
interface Remembered {
	status: number;
	/** Modulo 256. */
	pass: number;
}

/** Bytes of a set's key: among 100,000 sets, two share one once in 50,000 times. */
const KEY_BYTES = 6;
/** The same and the index of its status, and its pass. */
const ROW_BYTES = KEY_BYTES + 3;
/** Different statuses that can be told apart. */
const MOST_STATUSES = 0xffff;

/**
 * Which sets were seen, and with which status: as fingerprints, so that 100,000 of them take less than 1 MB of text.
 */
export class SetMemory {
	private readonly sets = new Map<number, Remembered>();

	/** @param most sets that are remembered, see {@link makeRoom} */
	constructor(private readonly most: number) {}

	get size(): number {
		return this.sets.size;
	}

	/** Whether the set is remembered, and with this status. */
	knows(key: string, status: string): 'new' | 'other status' | 'same' {
		const known = this.sets.get(keyPrint(key));
		if (!known) return 'new';
		return known.status === statusPrint(status) ? 'same' : 'other status';
	}

	/** @param pass the number of the pass in which it was seen */
	learn(key: string, status: string, pass: number): void {
		this.sets.set(keyPrint(key), { status: statusPrint(status), pass: pass & 0xff });
	}

	/** The set counts as new from now on. @param print as {@link keyPrint} gives it */
	forget(print: number): void {
		this.sets.delete(print);
	}

	/**
	 * Forgets what neither this pass nor the one before has seen, once there is no more room: sets that the service no
	 * longer shows. @returns whether there is room
	 */
	makeRoom(pass: number): boolean {
		if (this.sets.size < this.most) return true;
		for (const [print, { pass: seen }] of this.sets) {
			if (((pass - seen) & 0xff) > 1) this.sets.delete(print);
		}
		return this.sets.size < this.most;
	}

	/** As text: columns of bytes, sorted, so that most of what repeats is packed away. */
	packed(): string {
		const rows = [...this.sets].sort(([a], [b]) => a - b);
		const statuses = [...new Set(rows.map(([, { status }]) => status))].slice(0, MOST_STATUSES);
		const indexes = new Map(statuses.map((status, index) => [status, index]));
		const count = rows.length;
		const head = 8 + statuses.length * 4;
		const bytes = Buffer.alloc(head + count * ROW_BYTES);
		bytes.writeUInt32BE(count, 0);
		bytes.writeUInt32BE(statuses.length, 4);
		statuses.forEach((status, index) => bytes.writeUInt32BE(status, 8 + index * 4));
		rows.forEach(([key, { status, pass }], row) => {
			// What is beyond the table has the index after it: no status, so that the set counts as changed.
			const index = indexes.get(status) ?? MOST_STATUSES;
			let rest = key;
			for (let column = KEY_BYTES - 1; column >= 0; column--) {
				bytes[head + column * count + row] = rest % 256;
				rest = Math.floor(rest / 256);
			}
			bytes[head + KEY_BYTES * count + row] = index >> 8;
			bytes[head + (KEY_BYTES + 1) * count + row] = index & 0xff;
			bytes[head + (KEY_BYTES + 2) * count + row] = pass;
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
			for (let row = 0; row < count; row++) {
				let key = 0;
				for (let column = 0; column < KEY_BYTES; column++) key = key * 256 + at(column, row);
				const index = at(KEY_BYTES, row) * 256 + at(KEY_BYTES + 1, row);
				const status = index < kinds ? bytes.readUInt32BE(8 + index * 4) : -1;
				memory.sets.set(key, { status, pass: at(KEY_BYTES + 2, row) });
			}
			return memory;
		} catch {
			return undefined;
		}
	}
}

/** What a set's key is remembered as: a whole number. */
export function keyPrint(key: string): number {
	return createHash('sha256').update(key).digest().readUIntBE(0, KEY_BYTES);
}

function statusPrint(status: string): number {
	return createHash('sha256').update(`status ${status}`).digest().readUInt32BE(0);
}
