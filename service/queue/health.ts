import type { Clock, Logger } from '../surroundings';
import type { Bounds } from './bounds';
import type { RunOutcome, Subscription, WaitCause } from './contract';
import type { Entries } from './entries';
import { returnsOf, type Entry } from './entry';
import { Evidence } from './evidence';
import type { Job, Unanswered } from './jobs';
import { beginAnew, hasBegun } from './progress';
import { nextRoundAt, Wait } from './wait';
import { WaitReports } from './waitReports';

interface HealthOptions {
	clock: Clock;
	logger: Logger;
	bounds: Bounds;
	entries: Entries;
	/** The newest, and whether it is here. */
	subscriber(): { subscription: Subscription; isHere: boolean };
}

/** How a workflow does, by what its runs say: it is well; or some of its events are stuck; or it waits. */
export class Health {
	readonly evidence: Evidence;
	private wait: Wait | undefined;
	/** What failed last failed with these words. */
	private lastReason = '';
	/** The broker counts deliveries, and so each try costs what comes along. */
	private counted = false;
	private readonly reports: WaitReports;
	/** When its bad times ended last, or it came: what was away for others before that may be back since. */
	private worksSince: number;

	constructor(private readonly options: HealthOptions) {
		const { clock, bounds } = options;
		this.evidence = new Evidence(clock, bounds);
		this.worksSince = clock.now();
		this.reports = new WaitReports(
			clock,
			bounds,
			() => (options.subscriber().isHere ? this.waitsSince : undefined),
			(since) => this.report(since),
		);
	}

	/** It starts nothing but tries now and then. */
	get waiting(): Wait | undefined {
		return this.wait;
	}

	/** Since when something here waits for better times. */
	get waitsSince(): number | undefined {
		return this.wait?.since ?? this.options.entries.stuckSince;
	}

	/** Since when it runs what comes, as far as one knows; undefined where it waits, or its runs have begun to fail. */
	get wellSince(): number | undefined {
		const { clock, bounds } = this.options;
		const isWell = this.waitsSince === undefined && !this.evidence.failsSince(clock.now() - bounds.keptMs);
		return isWell ? this.worksSince : undefined;
	}

	get deliveriesAreCounted(): boolean {
		return this.counted;
	}

	/** @param returns how often its queue counted it back, of what is delivered again */
	deliveredAgain(returns: number | undefined): void {
		this.counted = returns !== undefined;
	}

	/** It comes back after a time in which it showed nobody how they fare. */
	comesBack(): void {
		this.worksSince = this.evidence.moment();
	}

	/** It was published again: whoever did that has perhaps mended what was wrong. */
	publishedAgain(): void {
		this.tryNow();
		this.show();
		// Its try says first whether there is anything to tell.
		this.reports.look(this.options.bounds.reportWaitAfterMs);
	}

	/** Whatever it waits with is tried at once. */
	tryNow(): void {
		if (this.wait) this.wait.nextTryAt = this.options.clock.now();
		this.options.entries.tryAllStuck();
	}

	left(): void {
		this.reports.cancel();
		this.wait?.breakOff();
	}

	/** What a run says of the workflow, beside what becomes of its events. */
	learn({ entries, startedAt }: Job, result: RunOutcome | Unanswered): void {
		const { evidence } = this;
		if ('reason' in result) this.lastReason = result.reason;
		if (result.kind === 'shutdown' || result.kind === 'stopped') return;
		if (result.kind === 'notStarted') return evidence.refused(entries);
		evidence.begun(startedAt);
		const works = result.kind === 'succeeded' || result.kind === 'waiting';
		if (works && (this.wait?.cause !== 'failing' || evidence.showsItWorks(startedAt))) this.works();
		else this.starts();
		if (result.kind === 'unanswered') return evidence.runLost(startedAt);
		if (!works) return evidence.runFailed(entries, startedAt);
		const { lastSucceededAt } = evidence;
		const failedSince = evidence.succeeded(entries, startedAt);
		// Others that wait try anew after each such end: that of a moment's failing says nothing to them.
		const failedLong = failedSince < this.options.clock.now() - this.options.bounds.probeEveryMs;
		if (failedLong || this.wasAway(lastSucceededAt)) this.worksSince = evidence.moment();
		const { entries: all } = this.options;
		const isFirstSince = (since: number) => lastSucceededAt < since && since < startedAt;
		// Else it would seem to have failed again since, and be given up untried where its queue may soon drop it.
		if (all.stuckSince !== undefined) all.tryStuckAway(isFirstSince);
		all.stuckSince = undefined;
		// The first success since may mean that what is stuck is well too, and so does one of its status, after which it is given
		// up; with each further one of others it would run again and again.
		all.tryStuck(
			(entry) => isFirstSince(entry.progress.stuck?.since ?? Infinity) || evidence.othersSucceed(entry),
		);
	}

	/** Few events were stuck, and nothing has succeeded beside: where others have, it is a part of the workflow that fails. */
	private wasAway(lastSucceededAt: number): boolean {
		const { entries } = this.options;
		if (entries.stuckSince === undefined) return false;
		return [...entries].some(
			({ progress: { stuck, failedAt = -Infinity } }) => stuck && failedAt > lastSucceededAt,
		);
	}

	/** The host did not refuse a run. */
	starts(): void {
		if (this.wait?.cause === 'notStarting') this.endWait();
	}

	/** Its attempts are used up, without a sign that others fare better. */
	becomesStuck(entry: Entry, { known }: Job): void {
		const { progress } = entry;
		const { clock, bounds, entries } = this.options;
		const now = clock.now();
		progress.stuck ??= { since: now };
		entries.becameStuck(now);
		const { since } = progress.stuck;
		// Where others have succeeded since, the queue is not left alone in between, and a rarer try would spare no delivery.
		const othersSucceeded = since < this.evidence.lastSucceededAt;
		// While it ran, one succeeded after which it is tried.
		const isDue = this.evidence.othersSucceed(entry) || (othersSucceeded && known.lastSucceededAt < since);
		const rarely = this.counted && !othersSucceeded;
		// They are stuck over one and the same, and each time of its own would cost all of them a delivery.
		const from = rarely ? Math.min(since, entries.stuckSince ?? since) : since;
		const returns = rarely ? Math.max(...[entry, ...entries.stuck].map(returnsOf)) : undefined;
		progress.notBefore = isDue ? now : nextRoundAt(from, now, returns, bounds);
	}

	/** It waits from now on, or goes on waiting. */
	waits(cause: WaitCause): void {
		const { clock, logger, bounds, subscriber, entries } = this.options;
		if (this.wait) {
			this.wait.reason = this.lastReason;
			return this.show();
		}
		this.wait = new Wait(cause, this.lastReason, clock.now(), bounds, this.counted, entries);
		const { title } = subscriber().subscription;
		logger.warn(`${title}: waits, its events stay on the queue: ${this.lastReason}`, { cause });
		this.show();
		this.reports.look();
	}

	/** A run is over: what is to be told has changed. */
	look(): void {
		this.reports.look();
	}

	private works(): void {
		if (!this.wait) return;
		this.endWait();
		// What runs too: it may be tried still, and fail over what was away when it began.
		for (const { progress } of this.options.entries) if (hasBegun(progress)) beginAnew(progress);
	}

	private endWait(): void {
		const { clock, logger, subscriber } = this.options;
		const { title } = subscriber().subscription;
		logger.info(`${title}: works again`, {
			afterSeconds: Math.round((clock.now() - (this.wait?.since ?? clock.now())) / 1000),
		});
		this.wait = undefined;
		this.worksSince = this.evidence.moment();
		this.show();
		this.evidence.beginAnew();
	}

	private show(): void {
		const { wait } = this;
		const { subscription } = this.options.subscriber();
		subscription.onWait?.(wait && { cause: wait.cause, reason: wait.reason, since: wait.since });
	}

	private report(since: number): void {
		const { clock, bounds, entries, subscriber } = this.options;
		const { wait } = this;
		const next = wait?.nextTryAt ?? entries.nextStuckAt;
		subscriber().subscription.report({
			kind: 'waits',
			cause: wait?.cause ?? 'failing',
			reason: wait?.reason ?? this.lastReason,
			since,
			nextTryInMs: Number.isFinite(next) ? Math.max(0, next - clock.now()) : bounds.probeEveryMs,
			countsDeliveries: this.counted,
		});
	}
}
