import type { Row } from '../api/page';
import { rowPrint } from './rowPrint';
import { keyPrint } from './setMemory';

/** An older state is believed after this time, … */
const BELIEVED_AFTER_MS = 60 * 60 * 1000;
/** … and after passes of so much weight: the newer row of the set stood on no page of them. */
const BELIEVED_AFTER = 8;
/** As many different rows came as there are. */
const COMPLETE = 4;
/** Each page came, but rows of one date may stand in another order on each, and the list may have moved: some came on none. */
const READ = 1;
/** Sets that are doubted at a time: of those beyond, the doubt begins anew. */
const MOST = 10_000;
/** Doubts that are stored, in 20 kB at most. */
const MOST_STORED = 500;

/**
 * Sets that are shown as they were before: by a cache that is behind, or by an older row, since the newer one comes on a
 * page that could not be had. One that stays so has gone back.
 */
export class Doubts {
	private readonly doubts = new Map<number, { since: number; weight: number }>();
	/** Of all passes that have ended. */
	private weight = 0;
	/** The rows of the pass that is under way; undefined where nobody needs them, or where they moved. */
	private rows: Set<number> | undefined;
	/** So many there are. */
	private count = 0;

	passBegins(count: number): void {
		this.count = count;
		this.rows = this.doubts.size > 0 ? new Set() : undefined;
	}

	/** The rows of a page of the pass. */
	came(rows: readonly Row[]): void {
		for (const row of rows) this.rows?.add(rowPrint(row));
	}

	/** A row stands in another place. */
	listMoved(): void {
		this.rows = undefined;
	}

	/** Every page of the list has come. */
	passEnds(count: number): void {
		const isComplete = this.rows?.size === count && this.count === count;
		this.weight += isComplete ? COMPLETE : READ;
		this.rows = undefined;
	}

	/** All of the list has come in one page. */
	pageCame(): void {
		this.weight += COMPLETE;
	}

	/** The set is shown as it is remembered. */
	isOver(key: string): void {
		if (this.doubts.size > 0) this.doubts.delete(keyPrint(key));
	}

	has(key: string): boolean {
		return this.doubts.has(keyPrint(key));
	}

	/** Whether an older state of the set is not believed yet. @param now milliseconds since 1970 */
	last(key: string, now: number): boolean {
		const print = keyPrint(key);
		let doubt = this.doubts.get(print);
		if (!doubt) {
			this.doubts.set(print, (doubt = { since: now, weight: this.weight }));
			for (const oldest of this.doubts.keys()) {
				if (this.doubts.size <= MOST) break;
				this.doubts.delete(oldest);
			}
		}
		return now < doubt.since + BELIEVED_AFTER_MS || this.weight < doubt.weight + BELIEVED_AFTER;
	}

	/** As numbers, for another process: how long they last, since its clock may be another. */
	stored(now: number): number[][] {
		return [...this.doubts]
			.slice(-MOST_STORED)
			.map(([print, { since, weight }]) => [print, now - since, this.weight - weight]);
	}

	/** @param stored as {@link stored} gave it; what is none is passed over */
	static of(stored: readonly (readonly number[])[], now: number): Doubts {
		const doubts = new Doubts();
		for (const [print, ms, weight] of stored.slice(-MOST_STORED)) {
			if (print === undefined || ms === undefined || weight === undefined) continue;
			doubts.doubts.set(print, { since: now - Math.max(0, ms), weight: -Math.max(0, weight) });
		}
		return doubts;
	}
}
