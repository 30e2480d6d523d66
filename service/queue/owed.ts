import { bytesOf, type Entry } from './entry';

/** What waits in a lane, counted as it changes: hundreds of workflows that end at once would each look through all of it. */
export class Owed {
	private events = 0;
	private bytes = 0;

	get size(): { events: number; bytes: number } {
		return { events: this.events, bytes: this.bytes };
	}

	/** Its shares, its run or its place have changed. */
	changed(entry: Entry, isHere: boolean): void {
		if (entry.owedBytes !== undefined) {
			this.events -= 1;
			this.bytes -= entry.owedBytes;
		}
		const waits = isHere && !entry.running && entry.shares.length > 0;
		entry.owedBytes = waits ? bytesOf(entry) : undefined;
		if (entry.owedBytes === undefined) return;
		this.events += 1;
		this.bytes += entry.owedBytes;
	}
}
