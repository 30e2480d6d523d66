import { chooseProbes } from './batch';
import type { Bounds } from './bounds';
import type { LaneOptions, WaitCause } from './contract';
import type { Entries } from './entries';
import { returnsOf, type Entry } from './entry';
import { comesLast } from './progress';

/** Sets a waiting lane tries in a round, beside its oldest event, when each was tried before, … */
const TRIED_AGAIN = 2;
/** … and where the broker counts deliveries, since there hours may pass between two rounds. */
const TRIED_AGAIN_COUNTED = 8;

/** Those of one outage were given out so many times more, or less, than one another. */
const FEW_RETURNS = 3;

/** A lane whose workflow is in bad times tries a few events now and then, in rounds, and starts nothing else. */
export class Wait {
	nextTryAt: number;
	/** Events are gathered to choose from until then; undefined between two rounds. */
	gatherUntil?: number;
	/** A try was due when the growing times between tries were over, and there was nothing to try. */
	foundNothing = false;
	/** When it tried because its host had started a run of another lane. */
	triedBesideAt?: number;
	/** Rounds of tries so far. */
	private rounds = 0;
	/** Of this round, and not begun. */
	private chosen: Entry[] = [];
	private breakOffAt = Infinity;
	private begun = 0;
	/** Sets tried in this wait, or since all of them were. */
	private readonly tried = new Set<string>();
	/** Every set was tried once: from then on, a few at a time take their turns again. */
	private again = false;

	constructor(
		readonly cause: WaitCause,
		/** What was said last. */
		public reason: string,
		/** In milliseconds of the hub's clock. */
		readonly since: number,
		private readonly bounds: Bounds,
		counted: boolean,
		/** What is there. */
		entries: Entries,
	) {
		this.nextTryAt = this.nextAfter(since, counted, entries);
	}

	/**
	 * The next of this round, which is to end before what was delivered goes back where that is counted: it would cost two. The
	 * oldest may be bad by itself, and is not tried alone.
	 */
	next(now: number): Entry | undefined {
		if (this.begun > 1 && now >= this.breakOffAt) this.breakOff();
		const next = this.chosen.shift();
		if (next) this.tried.add(next.orderKey);
		this.begun += 1;
		return next;
	}

	/** Nothing more is tried of this round. */
	breakOff(): void {
		this.chosen = [];
	}

	/** There is enough to choose from. */
	gathered(now: number): void {
		if (this.gatherUntil) this.gatherUntil = now;
	}

	/**
	 * Chooses a round when it is due and enough was gathered for it.
	 * @returns else when to look again; undefined where only another event can bring it
	 */
	chooseRound(
		entries: Entries,
		options: LaneOptions,
		now: number,
		counted: boolean,
	): { lookAgainAt: number | undefined } | 'chosen' {
		const { bounds, tried } = this;
		if (now < this.nextTryAt) return { lookAgainAt: this.nextTryAt };
		this.gatherUntil ??= now + bounds.collectMs;
		if (now < this.gatherUntil) return { lookAgainAt: this.gatherUntil };
		const choose = () => {
			const again = counted ? TRIED_AGAIN_COUNTED : TRIED_AGAIN;
			const more = this.again ? again : 2 ** (this.rounds + 1);
			return chooseProbes(entries.first(bounds.lookThrough), options, tried, more);
		};
		this.chosen = choose();
		if (this.chosen.length === 1 && tried.size > 1) {
			// The oldest may be the only bad one, and what failed by chance beside it must not wait for ever.
			this.again = true;
			tried.clear();
			this.chosen = choose();
		}
		this.gatherUntil = undefined;
		if (this.chosen.length === 0) {
			if (entries.count > 0) return { lookAgainAt: now + bounds.collectMs };
			// An empty queue says nothing: the next events that come are tried.
			const longEnoughAt = this.since + (bounds.probesMs.at(-1) ?? 0);
			this.foundNothing = longEnoughAt <= now;
			return { lookAgainAt: this.foundNothing ? undefined : longEnoughAt };
		}
		this.foundNothing = false;
		this.rounds += 1;
		this.nextTryAt = this.nextAfter(now, counted, entries);
		this.breakOffAt = counted ? now + bounds.tryForMs : Infinity;
		this.begun = 0;
		return 'chosen';
	}

	private nextAfter(now: number, counted: boolean, entries: Entries): number {
		const returns = counted ? returnsOfSome(entries, this.bounds) : undefined;
		return nextRoundAt(this.since, now, returns, this.bounds);
	}
}

/**
 * When the next round of tries is due, of a lane or of an event that is stuck. Where the broker counts deliveries, each
 * round costs what comes along one, and their count is the clock: it knows of the tries of a process before this one, and of
 * those that a person asked for.
 * @param since when its bad times began here
 * @param returns how often it was counted back; undefined where the broker does not count
 */
export function nextRoundAt(since: number, now: number, returns: number | undefined, bounds: Bounds): number {
	const counted = returns !== undefined;
	// By the time alone: a round that a person asked for, by publishing again, puts none off.
	const growing = counted ? bounds.countedProbesMs : bounds.probesMs;
	const next = growing.find((afterMs) => since + afterMs > now);
	if (next !== undefined) return since + next;
	if (!counted) return nextOf(bounds.probeEveryMs, now, since + (growing.at(-1) ?? 0));
	const restMs = bounds.countedRestsMs[returns];
	if (restMs !== undefined) return now + restMs;
	const rarely = bounds.countedRarely.findLast(({ from }) => returns >= from);
	// What such a queue gives out for one of them, all may try; and one that came by itself takes the place of the next mark.
	const { everyMs } = rarely ?? { everyMs: bounds.countedProbeEveryMs };
	return nextOf(everyMs, now + everyMs / 2, 0);
}

/**
 * How often so many at least came back as tell of a workflow: those that fail by themselves come often without. Where some may
 * be dropped soon, by the first of them: what fails over one and the same came one after another, and a few times apart.
 */
function returnsOfSome(entries: Entries, { lookThrough, streakSets, countedRarely }: Bounds): number {
	const telling = [...entries.first(lookThrough)].filter(({ progress }) => !comesLast(progress));
	const most = telling.map(returnsOf).sort((a, b) => b - a);
	const some = most[Math.min(streakSets, most.length) - 1] ?? 0;
	const first = Math.min(most[0] ?? 0, some + FEW_RETURNS);
	return countedRarely.some(({ from }) => first >= from) ? first : some;
}

/** Of moments that follow one another from a first one on, the next. */
const nextOf = (everyMs: number, now: number, from: number) =>
	from + (Math.floor((now - from) / everyMs) + 1) * everyMs;
