import type { Row } from '../api/page';
import { modifiedInstant } from '../model/modifiedDate';
import { idKey, isSet, shownStatus, shownText, type SetResult } from '../model/set';
import type { Lately } from './lately';
import { ANY_ZONE_MS, foundAtFirst, type Progress } from './progress';
import { OF_NONE, OF_OTHERS, type SetMemory, type Shown } from './setMemory';

/** A set that is new, or is shown otherwise than it is remembered. */
export interface Change {
	/** What tells sets apart in the memory. */
	key: string;
	/** What is remembered of it. */
	shown: Shown;
	set: SetResult;
}

/**
 * A change counts as known once it is told, or is no matter for a run: one that a look had no time for, the next one has to
 * find as this one did.
 *
 * @param now milliseconds since 1970
 */
export function learnChange(
	{ key, shown }: Omit<Change, 'set'>,
	memory: SetMemory,
	lately: Lately,
	pass: number,
	now: number,
): void {
	lately.changed(key, shown, now, memory.isAsOld(key, shown) ? memory.stateOf(key) : undefined);
	memory.learn(key, shown, pass);
}

/** What a look goes by when it compares what is shown with what is remembered. */
export interface SeenOptions {
	/** Changes that one look gives at most: the others are found by the next one. */
	mostChanges: number;
	/** The zone of the service's dates. */
	zone: string;
	/** What this process knows of the changes before. */
	lately: Lately;
	/** Milliseconds since 1970. */
	now: () => number;
	/** Whether a change starts a run; what does not is remembered without a word. */
	wanted: (set: SetResult) => boolean;
	/**
	 * Whether the set is one of those that are looked for, whatever its status: one that comes to be has changed, as if it had
	 * come into the list. Undefined where all are looked for.
	 */
	among?: (set: SetResult) => boolean;
	/** Sets that changed at or after this time count as changed though nothing is remembered yet; undefined for none. */
	since?: number;
	/** Of these, the ones that are no change as they are here: they were looked at with other filters. */
	before?: SetMemory;
}

/** Text of the changed sets of one look, roughly. */
const MOST_BYTES = 8 * 1024 * 1024;
const MINUTE_MS = 60 * 1000;

/** Sets of before that an empty list may come to hold between two looks. */
const MOST_OLD_AT_ONCE = 10;

/** Where a page stands: what is not remembered yet and stands at an end has come there since the last look. */
export type Where = 'end' | 'pass';

/**
 * What one look has seen. A list may hold a set in several rows, with a transaction or a status each: the one with the
 * newest date counts, and the others are no change while it is shown.
 */
export class Seen {
	/** True when more changed than a look gives. */
	full = false;
	/** True when a set came that cannot be remembered: it is passed over, and those that are remembered go on being compared. */
	noRoom = false;
	private readonly changed = new Map<string, Change>();
	/** Of these, the sets that are not remembered yet. */
	private readonly fresh = new Set<string>();
	/** New sets that are shown without a status: neither remembered nor a change. */
	private readonly withoutStatus = new Set<string>();
	private bytes = 0;
	/** The date of the newest row of each set in this look. */
	private readonly newest = new Map<string, number | null>();

	constructor(
		private readonly memory: SetMemory,
		private readonly progress: Progress,
		private readonly options: SeenOptions,
	) {}

	get changes(): Change[] {
		return [...this.changed.values()];
	}

	/** Whether the set is among the changes, or waits for its status. */
	has(key: string): boolean {
		return this.changed.has(key) || this.withoutStatus.has(key);
	}

	/** Sets that are remembered when the changes are learnt. */
	get known(): number {
		return this.memory.size + this.fresh.size;
	}

	/**
	 * Rows at an end of the list.
	 *
	 * @param inwards in which direction the middle of the list is
	 * @returns whether any of them was new, had changed, or was modified
	 */
	end(rows: readonly Row[], inwards: 'down' | 'up'): boolean {
		if (this.progress.learnt) return this.rows(rows, 'end');
		// While the list is not known yet, what stands inside of all that is known has moved up as others left.
		const isKnown = rows.map(({ value }) => isSet(value) && this.memory.has(idKey(value.setId)));
		const [first, last] = [isKnown.indexOf(true), isKnown.lastIndexOf(true)];
		if (first < 0) return this.rows(rows, 'end');
		const [from, to] = inwards === 'down' ? [0, last + 1] : [first, rows.length];
		this.rows([...rows.slice(0, from), ...rows.slice(to)], 'pass');
		return this.rows(rows.slice(from, to), 'end');
	}

	/** @returns whether any of the rows was new or had changed; at an end, or was modified: behind it may stand a change */
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
		if (earlier !== undefined && (instant ?? -Infinity) <= (earlier ?? -Infinity)) return false;

		const shown = this.shownOf(set, key, instant);
		if (memory.isNewer(key, shown)) options.lately.ofPass.cameNewer(key);
		const known = this.knows(key, shown);
		const isNewer = where === 'end' && known === 'same' && memory.isNewer(key, shown);
		if (known === 'same') {
			options.lately.doubts.isOver(key);
			if (!memory.isAsOld(key, shown)) options.lately.doubts.listMoved();
		}
		if (known !== 'same' && options.lately.isBehind(key, shown, options.now())) return false;
		if (known === 'new' && earlier === undefined && !this.hasRoom) return false;
		const isNew = known === 'new' && this.isNew(set, { key, shown }, where);
		// Whatever a run would be told of it, it has not come to a status yet.
		if (isNew && shown.status === '') {
			this.withoutStatus.add(key);
			return false;
		}
		if (known === 'other' && this.isOtherRow(key, shown, where, earlier !== undefined)) return false;
		const mayHaveHad = memory.mayHaveHadStatus(key, shown, progress.newestAtFirst);
		const wasThere = mayHaveHad || this.isFirstSight(set, { key, shown }, where);
		const isOther = known === 'other' && !wasThere;
		const isChange = isOther || isNew;
		const isLate = isOther && (memory.isOlder(key, shown) || options.lately.isOlder(key, shown));
		const isModifiedOther = shown.transaction === OF_OTHERS && memory.isNewer(key, shown);
		if (isChange && options.wanted(set)) {
			if (!this.add({ key, shown, set })) return true;
			if (known === 'new') this.fresh.add(key);
		} else {
			// An older row of the set was a change, and this one counts.
			this.changed.delete(key);
			this.fresh.delete(key);
			if (isChange || isModifiedOther)
				learnChange({ key, shown }, memory, options.lately, progress.pass, options.now());
			else memory.learn(key, shown, progress.pass);
			// Of a set with several rows, the newest one may be the last that comes.
			const wasThereAtFirst = known === 'new' || (where === 'pass' && progress.pass < 2);
			if (wasThereAtFirst && !isChange) foundAtFirst(progress, instant);
		}
		if (isChange || isModifiedOther) options.lately.doubts.listMoved();
		this.newest.set(key, instant);
		// Not where its date was not learnt, since not all of the row is shown: each look would go on from here.
		if (isNewer && memory.isAsOld(key, shown)) return true;
		// Of a change that was not believed at first, its place in the list says nothing.
		return isChange && !isLate;
	}

	/**
	 * Whether the list showed nothing at first because the service was ill: many sets came at once that had been there long
	 * before. One or a few may have come to the account, or to what is asked for, as they are.
	 *
	 * @param rows the first page
	 * @param total sets the service speaks of
	 */
	wasThereBefore(rows: readonly Row[], total: number): boolean {
		const { memory, progress, options } = this;
		if (!progress.learnt || memory.size > 0 || total <= MOST_OLD_AT_ONCE) return false;
		const isOld = ({ value }: Row) => {
			const instant = isSet(value) ? modifiedInstant(value.modifiedDate, options.zone) : null;
			return instant !== null && instant < progress.endedAt - ANY_ZONE_MS;
		};
		return 2 * rows.filter(isOld).length > rows.length;
	}

	/** For one more. Looked for once in a look: where there is none, none comes. */
	private get hasRoom(): boolean {
		this.noRoom ||= !this.memory.makeRoom(this.progress.pass, this.fresh.size + 1);
		return !this.noRoom;
	}

	/**
	 * The pass that learns the list has met another row of the set before, or the look in which the first one began. Also at
	 * an end, to which other sets may have moved it: there, a change is no older than what was there at first. From the second
	 * pass on, what is newer than that is a change anywhere: it moves a set to where the pass comes to it once more.
	 */
	private isFirstSight(set: SetResult, { key, shown }: Omit<Change, 'set'>, where: Where): boolean {
		const { learnt, pass, newestAtFirst } = this.progress;
		if (learnt || this.isAskedForSince(set)) return false;
		const newest = newestAtFirst ?? -Infinity;
		if (where === 'end') return shown.instant !== null && shown.instant < newest;
		if (pass < 2) return this.memory.passesSince(key, pass) <= 1;
		const isNewer = shown.instant !== null && shown.instant > newest;
		return !isNewer && this.memory.passesSince(key, pass) === 0;
	}

	/** Whether it changed since the time that the first look is to begin with; undefined where there is none. */
	private isAskedForSince(set: SetResult): boolean | undefined {
		const since = this.options.since ?? this.progress.emptyAt ?? undefined;
		if (since === undefined) return undefined;
		const changedAt = modifiedInstant(set.modifiedDate, this.options.zone);
		// The service's dates have no seconds, so the bound has none either.
		return changedAt !== null && changedAt >= Math.floor(since / MINUTE_MS) * MINUTE_MS;
	}

	/** One of several rows of a set, of which a newer one is remembered, and was shown lately: in passes that each page came in. */
	private isOtherRow(key: string, shown: Shown, where: Where, isNewest: boolean): boolean {
		const { memory, progress, options } = this;
		const passes = memory.passesSince(key, progress.pass);
		if (memory.isOlder(key, shown)) return passes <= 1 || options.lately.doubts.last(key, options.now());
		// What the first look finds at the ends, the next one finds there too.
		if (isNewest && progress.pass === 0) return false;
		// Nobody can tell which of two is newer: the first one counts in each pass.
		return memory.isAsOld(key, shown) && where === 'pass' && passes === 0;
	}

	/** Shown as it was when it was looked at with other filters, or before, a set is no other than it was then. */
	private knows(key: string, shown: Shown): ReturnType<SetMemory['knows']> {
		const { memory, progress, options } = this;
		const known = memory.knows(key, shown);
		if (known === 'same' && this.comesToBeLookedFor(key, shown)) return 'other';
		const { before } = options;
		if (known !== 'new' || !before) return known;
		const then = before.knows(key, shown);
		const isKnown = then === 'same' || (then === 'other' && before.isOlder(key, shown));
		if (!isKnown || !this.hasRoom) return known;
		memory.adopt(key, before, progress.pass);
		return memory.knows(key, shown);
	}

	/** @returns whether there was room for it */
	private add(change: Change): boolean {
		if (!this.changed.has(change.key)) {
			this.bytes += JSON.stringify(change.set).length;
			const isTooMuch = this.bytes > MOST_BYTES && this.changed.size > 0;
			this.full ||= isTooMuch || this.changed.size >= this.options.mostChanges;
			if (this.full) return false;
		}
		this.changed.set(change.key, change);
		return true;
	}

	/**
	 * Whether it stood in the list while that was read for the first time, and moved to where that had been read already:
	 * that may be an end by now.
	 */
	private wasPassedOver(set: SetResult, key: string): boolean {
		const { passedOver, endedAt } = this.progress;
		if (!passedOver) return false;
		const changedAt = modifiedInstant(set.modifiedDate, this.options.zone);
		const isOld = changedAt !== null && changedAt < endedAt - ANY_ZONE_MS;
		return isOld && !this.isAskedForSince(set) && !this.options.lately.has(key);
	}

	private isNew(set: SetResult, { key, shown }: Omit<Change, 'set'>, where: Where): boolean {
		const { zone, before } = this.options;
		if (this.wasPassedOver(set, key)) return false;
		// With no date, all that tells of a change is that it was otherwise with the filters before.
		const wasOther = shown.instant === null && before?.knows(key, shown) === 'other';
		if (this.progress.learnt || wasOther) return true;
		const isAskedFor = this.isAskedForSince(set);
		if (isAskedFor !== undefined) return isAskedFor;
		const { instant } = shown;
		const changedAt = modifiedInstant(set.modifiedDate, zone);
		if (changedAt === null || instant === null) return false;
		// While the list is read for the first time, what stands in its middle may have stood there all the time.
		if (where !== 'end' && this.progress.pass < 2) return false;
		// What is older than a set that was there at first was there too, and stood on no page that came. So was what is as
		// old, unless that minute was not over when the first look began.
		const { endedAt, newestAtFirst } = this.progress;
		const newest = newestAtFirst ?? -Infinity;
		if (changedAt < endedAt - ANY_ZONE_MS || instant < newest) return false;
		return instant > newest || (where === 'end' && changedAt + MINUTE_MS > endedAt);
	}

	/**
	 * Whether a set that came, or was modified, in this minute without what is looked for has it by now: it was filled in
	 * within the minute, with no newer date.
	 */
	private comesToBeLookedFor(key: string, shown: Shown): boolean {
		const { memory, options } = this;
		const hasCome = memory.isOfOthers(key) && shown.transaction !== '' && shown.transaction !== OF_OTHERS;
		const asOneOfOthers = { ...shown, transaction: OF_OTHERS };
		return hasCome && options.lately.isLast(key, asOneOfOthers);
	}

	/**
	 * A set that is not looked for has no transaction of its own, but one that all of these share. Other filters let it in
	 * without a change, unless it was modified: one of the same minute is the same. Without a date nobody can tell. Nor does
	 * one that was looked for cease to be in the same minute: what a filter compares was not shown for a moment.
	 */
	private shownOf(set: SetResult, key: string, instant: number | null): Shown {
		const { memory, progress, options } = this;
		const { among, before } = options;
		const isOfOthers = among?.(set) === false;
		const wasOfOthers = memory.isOfOthers(key) || before?.isOfOthers(key) === true;
		const own = idKey(shownText(set.transactionId) ?? '') || (wasOfOthers ? OF_NONE : '');
		const status = shownStatus(set) ?? '';
		// Until a pass has been through the list, filters that were edited keep others out as they are.
		const isHidden = isOfOthers && !progress.edited && !memory.isOfOthers(key);
		const isUnsure =
			instant === null ? isOfOthers || wasOfOthers : isHidden && memory.isOfMinute(key, { status, instant });
		return { status, transaction: isUnsure ? '' : isOfOthers ? OF_OTHERS : own, instant };
	}
}
