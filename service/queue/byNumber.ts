import type { Entry } from './entry';

/**
 * Entries in the order of their numbers. Most come in that order. A newer version of a workflow may ask for what was
 * delivered before, and then thousands come behind their turn, in order among themselves: none of them costs a look at
 * the others.
 */
export class ByNumber implements Iterable<Entry> {
	private inTurn = new Set<Entry>();
	private lastInTurn = 0;
	private behindTurn = new Set<Entry>();
	private lastBehindTurn = 0;

	get size(): number {
		return this.inTurn.size + this.behindTurn.size;
	}

	[Symbol.iterator](): Iterator<Entry> {
		return this.behindTurn.size === 0 ? this.inTurn.values() : this.merged();
	}

	has(entry: Entry): boolean {
		return this.inTurn.has(entry) || this.behindTurn.has(entry);
	}

	add(entry: Entry): void {
		const { number } = entry;
		if (number >= this.lastInTurn) {
			this.inTurn.add(entry);
			this.lastInTurn = number;
			return;
		}
		if (this.behindTurn.size > 0 && number < this.lastBehindTurn) {
			this.inTurn = new Set(this);
			this.behindTurn = new Set();
		}
		this.behindTurn.add(entry);
		this.lastBehindTurn = number;
	}

	delete(entry: Entry): void {
		this.inTurn.delete(entry);
		this.behindTurn.delete(entry);
	}

	private *merged(): Generator<Entry, void, undefined> {
		const late = this.behindTurn.values();
		let next = late.next();
		for (const entry of this.inTurn) {
			for (; !next.done && next.value.number < entry.number; next = late.next()) yield next.value;
			yield entry;
		}
		for (; !next.done; next = late.next()) yield next.value;
	}
}
