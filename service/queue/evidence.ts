import type { Clock } from '../surroundings';
import type { Bounds } from './bounds';
import type { WaitCause } from './contract';
import type { Entry } from './entry';
import type { Job } from './jobs';
import type { Progress } from './progress';

/** Refusals of one event, with runs of others begun in between, that show it is the event: an illness that comes back meets one twice. */
const REFUSALS_THAT_TELL = 3;

/** Statuses come from outside: their number is bounded by nobody. */
const STATUSES = 100;

/** What the runs of a lane have said so far: of its workflow, of its host, and of a single event. */
export class Evidence {
	/** Order keys of the last runs that failed in a row. */
	private failed: string[][] = [];
	/** When the first of them did. */
	private failingSince = Infinity;
	/** Runs in a row whose end nobody told. */
	private unknown = 0;
	/** When the newest run was handed over in which an event of a status succeeded. */
	private readonly successes = new Map<string, number>();
	/** When the newest run was handed over that is known to have begun, in milliseconds of the hub's clock. */
	lastStartedAt = -Infinity;
	/** When the newest run was handed over that succeeded. */
	lastSucceededAt = -Infinity;
	/** When the host refused one last. */
	lastRefusedAt = -Infinity;
	/** When the newest run was handed over that failed, or whose end nobody told. */
	lastFailedAt = -Infinity;
	private lastMoment = -Infinity;

	constructor(
		private readonly clock: Clock,
		private readonly bounds: Bounds,
	) {}

	/** A time that tells apart what happens within one millisecond. */
	moment(): number {
		this.lastMoment = Math.max(this.clock.now(), this.lastMoment + 1e-3);
		return this.lastMoment;
	}

	/** The workflow is given another chance. */
	beginAnew(): void {
		this.failed = [];
		this.failingSince = Infinity;
		this.unknown = 0;
	}

	/** Whether a success says that the workflow works: one that began before others failed says nothing of what is away since. */
	showsItWorks(startedAt: number): boolean {
		return this.failed.length === 0 || startedAt > this.failingSince;
	}

	/** @param startedAt when the run was handed over */
	begun(startedAt: number): void {
		this.lastStartedAt = Math.max(this.lastStartedAt, startedAt);
	}

	/**
	 * @param startedAt when the run was handed over: one that began before others failed may have been past what is away since
	 * @returns since when it had failed, where that is over; else Infinity
	 */
	succeeded(entries: readonly Entry[], startedAt: number): number {
		this.lastSucceededAt = Math.max(this.lastSucceededAt, startedAt);
		for (const { event } of entries) {
			const before = this.successes.get(event.status) ?? -Infinity;
			this.successes.delete(event.status);
			this.successes.set(event.status, Math.max(before, startedAt));
			for (const [oldest] of this.successes) {
				if (this.successes.size <= STATUSES) break;
				this.successes.delete(oldest);
			}
		}
		this.unknown = 0;
		if (!this.showsItWorks(startedAt)) return Infinity;
		const { failingSince } = this;
		this.beginAnew();
		return failingSince;
	}

	/** It has failed since that moment or later, and never succeeded since. */
	failsSince(moment: number): boolean {
		return this.failed.length > 0 && this.failingSince >= moment;
	}

	/** A run that failed says something of the workflow only by events that are not to blame themselves. */
	runFailed(entries: readonly Entry[], startedAt: number): void {
		this.lastFailedAt = Math.max(this.lastFailedAt, startedAt);
		const telling = entries.filter(
			(entry) => !entry.progress.suspect && !entry.progress.stuck && !this.othersSucceed(entry),
		);
		if (telling.length === 0) return;
		if (this.failed.length === 0) this.failingSince = this.moment();
		const sets = telling.map(({ orderKey }) => orderKey);
		this.failed = [...this.failed, sets].slice(-this.bounds.streakRuns);
	}

	runLost(startedAt: number): void {
		this.lastFailedAt = Math.max(this.lastFailedAt, startedAt);
		this.unknown += 1;
	}

	/** The host could not start a run of these. */
	refused(entries: readonly Entry[]): void {
		this.lastRefusedAt = this.moment();
		for (const { progress } of entries) this.noteRefusal(progress);
	}

	/** An event of the same status has succeeded, in a run that began since this one first failed. */
	othersSucceed({ event, progress: { failedAt } }: Entry): boolean {
		return (this.successes.get(event.status) ?? -Infinity) > (failedAt ?? Infinity);
	}

	/** What is known when a run of these begins. */
	knownOf(entries: readonly Entry[]): Job['known'] {
		return {
			othersSucceed: entries.some((entry) => this.othersSucceed(entry)),
			lastSucceededAt: this.lastSucceededAt,
		};
	}

	/** Runs of others have begun between its refusals. */
	othersStart({ progress: { refused } }: Entry): boolean {
		return (refused?.times ?? 0) >= REFUSALS_THAT_TELL;
	}

	/** Why the lane should wait, if it should. */
	get verdict(): WaitCause | undefined {
		const { streakRuns, streakSets, streakUnknown } = this.bounds;
		if (this.unknown >= streakUnknown) return 'unknown';
		const sets = new Set(this.failed.flat());
		return this.failed.length >= streakRuns && sets.size >= streakSets ? 'failing' : undefined;
	}

	/** A refusal after which nothing began says no more than the one before. */
	private noteRefusal(progress: Progress): void {
		const { at, times } = progress.refused ?? { at: -Infinity, times: 0 };
		if (times > 0 && this.lastStartedAt <= at) return;
		progress.refused = { at: this.moment(), times: times + 1 };
	}
}
