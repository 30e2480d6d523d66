import type { Row } from '../api/page';
import { modifiedInstant } from '../model/modifiedDate';
import { idKey, isSet, shownStatus, shownText, type SetResult } from '../model/set';
import type { Progress } from './progress';
import type { SetMemory, Shown } from './setMemory';

/** A set that is new, or is shown otherwise than it is remembered. */
export interface Change {
	/** What tells sets apart in the memory. */
	key: string;
	/** What is remembered of it. */
	shown: Shown;
	set: SetResult;
}

export interface SeenOptions {
	/** Changes that one look gives at most: the others are found by the next one. */
	mostChanges: number;
	/** The zone of the service's dates. */
	zone: string;
	/** Whether a change starts a run; what does not is remembered without a word. */
	wanted: (set: SetResult) => boolean;
	/** Sets that changed at or after this time count as changed though nothing is remembered yet; undefined for none. */
	since?: number;
}

/** Text of the changed sets of one look, roughly. */
const MOST_BYTES = 8 * 1024 * 1024;
/** The zone of the service's dates may not be the one that was chosen. */
const ANY_ZONE_MS = 24 * 60 * 60 * 1000;

/** Where a page stands: what is not remembered yet and stands at an end has come there since the last look. */
export type Where = 'end' | 'pass';

/**
 * What one look has seen. A list may hold a set in several rows, with a transaction or a status each: the one with the
 * newest date counts, and the others are no change while it is shown.
 */
export class Seen {
	readonly changes: Change[] = [];
	/** True when more changed than a look gives. */
	full = false;
	/** True when a set came that cannot be remembered: it is passed over, and those that are remembered go on being compared. */
	noRoom = false;
	/** Sets that will be remembered when the changes are learnt. */
	private fresh = 0;
	private bytes = 0;
	/** The newest row of each set in this look, and its place among the changes where it is one. */
	private readonly newest = new Map<string, { instant: number | null; change?: number }>();

	constructor(
		private readonly memory: SetMemory,
		private readonly progress: Progress,
		private readonly options: SeenOptions,
	) {}

	/** @returns whether any of the rows was new or had changed */
	rows(rows: readonly Row[], where: Where): boolean {
		let any = false;
		for (const { value } of rows) {
			if (!isSet(value)) continue;
			any = this.row(value, where) || any;
			if (this.full) break;
		}
		return any;
	}

	private row(set: SetResult, where: Where): boolean {
		const { memory, progress, options } = this;
		const key = idKey(set.setId);
		// The same whatever zone is chosen, and later.
		const instant = modifiedInstant(set.modifiedDate, 'UTC');
		const earlier = this.newest.get(key);
		if (earlier && !(instant !== null && instant > (earlier.instant ?? -Infinity))) return false;

		const shown = shownOf(set, instant);
		const known = memory.knows(key, shown);
		if (known === 'new' && !earlier && !this.hasRoom) return false;
		if (known === 'other' && this.isOtherRow(key, shown, where)) return false;
		const isChange =
			known === 'other' ? !this.isFirstSight(key, where) : known === 'new' && this.isNew(set, where);
		let change: number | undefined;
		if (isChange && options.wanted(set)) {
			change = this.add({ key, shown, set }, earlier?.change);
			if (change === undefined) return true;
			if (known === 'new' && earlier?.change === undefined) this.fresh++;
		} else memory.learn(key, shown, progress.pass);
		this.newest.set(key, { instant, change });
		return isChange;
	}

	/** For one more. Looked for once in a look: where there is none, none comes. */
	private get hasRoom(): boolean {
		this.noRoom ||= !this.memory.makeRoom(this.progress.pass, this.fresh + 1);
		return !this.noRoom;
	}

	/** The first pass has met another row of the set before. */
	private isFirstSight(key: string, where: Where): boolean {
		const { learnt, pass } = this.progress;
		return !learnt && where === 'pass' && this.memory.passesSince(key, pass) <= 1;
	}

	/** One of several rows of a set, of which a newer one is remembered, and was shown lately. */
	private isOtherRow(key: string, shown: Shown, where: Where): boolean {
		const { memory, progress } = this;
		const passes = memory.passesSince(key, progress.pass);
		if (memory.isOlder(key, shown)) return passes <= 1;
		// Nobody can tell which of two is newer: the first one counts in each pass.
		return memory.isAsOld(key, shown) && where === 'pass' && passes === 0;
	}

	/** @returns its place; undefined when there are enough */
	private add(change: Change, inPlaceOf: number | undefined): number | undefined {
		if (inPlaceOf !== undefined) {
			this.changes[inPlaceOf] = change;
			return inPlaceOf;
		}
		this.bytes += JSON.stringify(change.set).length;
		const isTooMuch = this.bytes > MOST_BYTES && this.changes.length > 0;
		if (isTooMuch || this.changes.length >= this.options.mostChanges) {
			this.full = true;
			return undefined;
		}
		return this.changes.push(change) - 1;
	}

	private isNew(set: SetResult, where: Where): boolean {
		if (this.progress.learnt) return true;
		const { since, zone } = this.options;
		const changedAt = modifiedInstant(set.modifiedDate, zone);
		if (since !== undefined) return changedAt !== null && changedAt >= since;
		return where === 'end' && changedAt !== null && changedAt >= this.progress.endedAt - ANY_ZONE_MS;
	}
}

function shownOf(set: SetResult, instant: number | null): Shown {
	return {
		status: shownStatus(set) ?? '',
		transaction: idKey(shownText(set.transactionId) ?? ''),
		instant,
	};
}
