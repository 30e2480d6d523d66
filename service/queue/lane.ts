import { messageOf } from '../errors';
import { canonicalJson } from '../model/canonicalJson';
import type { StatusEvent } from '../model/event';
import type { Clock, Logger } from '../surroundings';
import { chooseNext } from './batch';
import type { Bounds } from './bounds';
import type { DeliveredEvent, RunOutcome, Subscription } from './contract';
import { Entries } from './entries';
import type { Entry, Share } from './entry';
import { isAskedFor } from './filter';
import { Health } from './health';
import { Jobs, type Job, type Unanswered } from './jobs';
import { inLines } from './logLines';
import { comesLast, hasBegun, hasFailed, takeApart } from './progress';
import type { Repeats } from './repeats';
import { verdictOn, type Verdict } from './verdict';
import type { Wait } from './wait';
import { WaitReports } from './waitReports';

interface LaneOptions {
	subscription: Subscription;
	repeats: Repeats;
	clock: Clock;
	logger: Logger;
	bounds: Bounds;
}

/** A moment at which a run may begin that the host stopped while it went down, should it stay up after all. */
const AFTER_SHUTDOWN_MS = 30_000;

/** Where it was let in before that, it comes as one that never was. */
const MOST_PLACES = 20;

/** To choose a run looks through all that waits. Thousands come at once: beyond so many, those of one moment are looked at together. */
const LOOKED_AT_EACH = 100;
const MOMENT_MS = 50;

/**
 * One subscriber's events: which is next, how many side by side, and what follows from a run.
 *
 * An event waits → runs → is settled; or it runs again later, and holds its set until then, so that nothing of the set
 * overtakes it, but no place to run. When nothing that runs succeeds any more, or nothing can be started, the lane waits:
 * it tries a few events now and then, and settles none. The lane outlives its subscription: a workflow that is published
 * again finds its events where they were.
 */
export class Lane {
	/** The newest subscription of this key, here or not. */
	subscription: Subscription;
	private readonly entries: Entries;
	private readonly jobs: Jobs;
	private readonly health: Health;
	private readonly fullReports: WaitReports;
	/** Since when it {@link isFull}, with something that waits for a place; told to nobody who is not here. */
	private fullSince: number | undefined;
	/** Something ended, began to wait or went on: a queue may have to deliver more, or less. */
	private readonly watchers = new Set<() => void>();
	/** Starts runs. */
	private open = false;
	/** What it started last was a further attempt. */
	private again = false;
	/** What it started last comes last, and nothing has come since. */
	private nothingBetter = false;
	/** Of the queue, the last one last: it was let in there once, knows its password, and may see what it asks for. */
	private readonly letInAt = new Set<string | undefined>();
	/** Nobody well is beside it: its queue is left alone between two tries, where each delivery counts. Else a rarer try spares none. */
	isLeftAlone = true;
	/** When it stopped starting runs, in milliseconds of the hub's clock. */
	absentSince: number;
	/** What it owed at that moment: its being away has not cost that yet. */
	owedSince = { events: 0, bytes: 0 };
	/** When it was here last; {@link absentSince} begins anew where it is expected. */
	private leftAt: number;
	/** The connection that serves it stands: without, nobody knows whether its password still holds. */
	private served = false;
	/** What it owed when the channel was closed last. */
	private wentBackWith = { events: 0, bytes: 0 };
	/** It tried because others had become well at that moment. */
	private triedBeside = -Infinity;
	/** When time alone may bring the next start. */
	private lookAgainAt: number | undefined;
	private cancelLook = () => {};
	/** Many came just now, and are looked at together. */
	private cancelMoment: (() => void) | undefined;

	constructor(private readonly options: LaneOptions) {
		const { subscription, repeats, clock, bounds } = options;
		this.subscription = subscription;
		this.entries = new Entries(clock, repeats);
		this.jobs = new Jobs(clock, bounds);
		this.health = new Health({
			...options,
			entries: this.entries,
			subscriber: () => ({ subscription: this.subscription, isHere: this.open }),
		});
		this.fullReports = new WaitReports(
			clock,
			// Slow runs may take all places again and again: each time is no news.
			{
				...bounds,
				reportWaitAfterMs: bounds.reportFullAfterMs,
				reportWaitAtMostMs: bounds.reportWaitEveryMs,
			},
			() => (this.open ? this.fullSince : undefined),
			(since) => this.reportFull(since),
		);
		this.absentSince = clock.now();
		this.leftAt = clock.now();
	}

	/** @returns stops it */
	watch(onChange: () => void): () => void {
		this.watchers.add(onChange);
		return () => this.watchers.delete(onChange);
	}

	get isWatched(): boolean {
		return this.watchers.size > 0;
	}

	/** It is let in, by whatever connection, and starts runs. */
	get isOpen(): boolean {
		return this.open;
	}

	/** The connection of its own account stands, and brings what it is to get. */
	get isReached(): boolean {
		return this.open && this.served;
	}

	/** It has a share in something this one delivered. */
	holds(from: object): boolean {
		return this.entries.holdSomeOf(from);
	}

	/** @param place see {@link Source.place} */
	letIn(place: string | undefined): void {
		this.letInAt.delete(place);
		this.letInAt.add(place);
		const [oldest] = this.letInAt;
		if (this.letInAt.size > MOST_PLACES) this.letInAt.delete(oldest);
	}

	/** It was let in elsewhere since: where it has nothing from here any more, it comes as one that never was. */
	comesBackTo(place: string | undefined): void {
		if (place !== [...this.letInAt].at(-1) && ![...this.entries].some((entry) => isFrom(place, entry)))
			this.letInAt.delete(place);
	}

	wasLetIn(place: string | undefined): boolean {
		return this.letInAt.has(place);
	}

	/** A subscriber came (back), perhaps with another filter: what it does not ask for is not its business. */
	attach(subscription: Subscription, served = true): void {
		this.subscription = subscription;
		if (!this.open && this.now - this.leftAt >= this.options.bounds.returnMs) this.health.comesBack();
		this.open = true;
		this.served = served;
		for (const entry of this.entries) {
			if (!entry.running && !this.wants(entry.event)) this.entries.settle(entry, 'remove');
		}
		this.health.publishedAgain();
		this.fullReports.look();
		this.pump();
	}

	/** The connection of its own account was let in, or was lost: what another user's connection brings meanwhile waits for it. */
	isServed(served: boolean): void {
		this.served = served;
		this.pump();
	}

	/** The subscriber left. Runs that are going end by their outcome; no other begins. */
	detach(): void {
		if (this.open) {
			this.absentSince = this.now;
			this.leftAt = this.now;
			// At this moment, all of it may be on its way back here.
			const now = this.entries.owedSize;
			this.owedSince = {
				events: Math.max(now.events, this.wentBackWith.events),
				bytes: Math.max(now.bytes, this.wentBackWith.bytes),
			};
		}
		this.open = false;
		this.endMoment();
		this.cancelLook();
		this.health.left();
		this.fullReports.cancel();
	}

	/**
	 * It will not come back. What had begun is reported by the caller, the rest is nobody's any more.
	 * @param from what this one delivered; what others did as well still waits for those
	 */
	dissolve(from: object): StatusEvent[] {
		return this.entries.dissolve(from);
	}

	/** What this one delivered is not for it, and what it had begun is not ended by that. */
	forgo(from: object): void {
		this.entries.forgo(from);
	}

	get running(): number {
		return this.jobs.count;
	}

	/** Events that wait here: for their next try, or for their turn. */
	get resting(): number {
		return this.entries.owedSize.events;
	}

	/** Runs go on that decide about an event this one delivered, or did before its channel was closed. */
	isAwaited(from: object): boolean {
		return this.jobs.decideFor(from);
	}

	/** See {@link Health.wellSince}. */
	get wellSince(): number | undefined {
		return this.health.wellSince;
	}

	/** Since when something here waits for better times. */
	get waitsSince(): number | undefined {
		return this.health.waitsSince;
	}

	/**
	 * What another one fails over since that moment may be away for it too: its runs go on, and none that began later has
	 * succeeded. Where they take long, others are not held up by that for longer than by one that is absent.
	 */
	mayFailSince(moment: number): boolean {
		if (this.health.evidence.lastSucceededAt > moment) return false;
		return this.jobs.decidingSince > this.now - this.options.bounds.keptMs;
	}

	/** It starts nothing but tries now and then. */
	get waiting(): Wait | undefined {
		return this.health.waiting;
	}

	/** Its host cannot start runs, and so cannot store a report either. Without anything to try, that is not believed for ever. */
	get hostIsIll(): boolean {
		if (this.waiting?.cause !== 'notStarting') return false;
		return this.entries.count > 0 || !this.waiting.foundNothing;
	}

	/** When the newest run was handed over that is known to have begun, in milliseconds of the hub's clock. */
	get lastStartedAt(): number {
		return this.health.evidence.lastStartedAt;
	}

	/** When its host refused to start a run last, in milliseconds of the hub's clock. */
	get lastRefusedAt(): number {
		return this.health.evidence.lastRefusedAt;
	}

	/**
	 * The host starts runs of others and refuses those of this one. When it started one lately, this one tries at once:
	 * only if it is refused again, the illness is its own.
	 * @param othersStartedAt see {@link lastStartedAt}
	 */
	isRefusedBeside(othersStartedAt: number): boolean {
		const { waiting, evidence } = this.health;
		if (!waiting || othersStartedAt <= evidence.lastRefusedAt) return false;
		if (waiting.triedBesideAt !== undefined) return evidence.lastRefusedAt > waiting.triedBesideAt;
		waiting.triedBesideAt = evidence.moment();
		waiting.nextTryAt = this.now;
		this.pump();
		return false;
	}

	/**
	 * What it waits over is its own, and not what all need. It tries at once where it has not since the others are well: only
	 * if it fails again, nothing has come back for it.
	 */
	failsBeside(othersWellSince: number): boolean {
		const { waitsSince = Infinity, evidence } = this.health;
		if (waitsSince > othersWellSince) return true;
		// Where a round of tries takes long, others are not held up by it for longer than by one that is absent.
		if (this.jobs.someTry && this.now <= othersWellSince + this.options.bounds.keptMs) return false;
		if (evidence.lastFailedAt > othersWellSince) return true;
		if (this.triedBeside < othersWellSince) {
			this.triedBeside = othersWellSince;
			this.health.tryNow();
			this.pump();
		}
		return false;
	}

	/** It has a place to run and nothing to run in it, but what failed for good, which would run there again and again. */
	get starves(): boolean {
		if (!this.open || !this.served) return false;
		if (this.waiting) return this.waiting.gatherUntil !== undefined;
		return this.nothingBetter || this.jobs.count < this.subscription.options.parallelRuns;
	}

	/**
	 * Until when nothing will start here, in milliseconds of the hub's clock; undefined when something runs, may start, or
	 * could come.
	 */
	get quietUntil(): number | undefined {
		if (this.jobs.someDecide) return undefined;
		if (this.waiting) return this.waiting.gatherUntil === undefined ? this.waiting.nextTryAt : undefined;
		// Where others succeed since, what comes next may too, and is not to wait for the bad one's next try.
		return this.entries.becameStuckAfter(this.health.evidence.lastSucceededAt) ? this.lookAgainAt : undefined;
	}

	/** Runs that decide nothing any more, since their events are off the queue, have all places: nothing starts until one ends. */
	get isFull(): boolean {
		const { options } = this.subscription;
		return !this.waiting && !this.jobs.someDecide && this.jobs.count >= options.parallelRuns;
	}

	/** When the last run began that succeeded, in milliseconds of the hub's clock; -Infinity for none. */
	get lastSucceededAt(): number {
		return this.health.evidence.lastSucceededAt;
	}

	/** Events that wait here, the oldest first. */
	get owed(): Entry[] {
		return this.entries.owed;
	}

	/** Those of them that came from a queue at this place. */
	owedAt(place: string | undefined): Entry[] {
		return this.owed.filter((entry) => isFrom(place, entry));
	}

	/** The oldest of those. */
	firstOwedAt(place: string | undefined): Entry | undefined {
		return this.entries.firstOwed((entry) => isFrom(place, entry));
	}

	/** What failed for good, as long as nothing else of its kind succeeds. */
	get stuck(): Entry[] {
		return this.entries.stuck;
	}

	/** Others have succeeded since this one failed for good, and it failed once more after that. */
	succeedsBeside({ progress: { stuck, notBefore } }: Entry): boolean {
		return stuck !== undefined && stuck.since < this.health.evidence.lastSucceededAt && notBefore > this.now;
	}

	wants(event: StatusEvent): boolean {
		return isAskedFor(event, this.subscription.filter);
	}

	/** Takes an event in. The share is settled once, or goes back with its channel. */
	offer(delivered: DeliveredEvent, share: Share): void {
		const { options, title } = this.subscription;
		const { entries } = this;
		const { eventId } = delivered.event;
		const again = delivered.redelivered;
		if (again) this.health.deliveredAgain(share.returns);
		const ending = entries.endingOf(eventId);
		if (ending && (this.isDoneWith(delivered) || entries.diedFor(share, ending))) {
			entries.cameAgain(eventId);
			// What the broker delivers again is news to nobody.
			this.options.logger[again ? 'debug' : 'info'](
				`${title}: a repeat of an event handled already is removed`,
				{ eventId },
			);
			return share.settle(ending.fate);
		}
		// Without skipRepeats only the broker's own word makes an event a repeat.
		const mayRepeat = options.skipRepeats || again;
		const same = mayRepeat
			? entries.sameAs(eventId, options.skipRepeats, again ? share.from : undefined)
			: undefined;
		if (same) entries.join(same, share);
		else {
			entries.add(delivered, share, mayRepeat);
			this.nothingBetter = false;
			// There is enough to choose from.
			if (entries.count > this.options.bounds.lookThrough) this.waiting?.gathered(this.now);
		}
		if (entries.count <= LOOKED_AT_EACH) this.pump();
		else this.cancelMoment ??= this.options.clock.after(MOMENT_MS, () => this.pump());
	}

	/** It ended here before, and is not to run again. */
	isDoneWith(delivered: DeliveredEvent): boolean {
		return this.entries.areDoneWith(delivered, this.subscription.options.skipRepeats);
	}

	/** Of an event that went back: it runs still, it is done with or here again, or it has to come again. */
	whereIs(event: Pick<StatusEvent, 'eventId'>): 'runs' | 'here' | 'away' {
		return this.entries.whereIs(event);
	}

	/** Of an event that went back: a run of it had failed, and it was to be tried again. */
	hadBegun(eventId: string): boolean {
		return this.entries.hasFailedBefore(eventId);
	}

	/** Some of what has not ended had failed. */
	get someHadFailed(): boolean {
		return this.entries.someHadFailed;
	}

	/** A run of it goes on, and decides what becomes of it. */
	runs(event: StatusEvent): boolean {
		return this.entries.run(event);
	}

	/** It goes in no batch. */
	runsAlone(event: Pick<StatusEvent, 'eventId'>): boolean {
		return this.subscription.options.batchSize === 1 || this.entries.isAlone(event);
	}

	/**
	 * A channel is gone: what it delivered comes again, in order. What runs waits to be joined.
	 * @param stay numbers of deliveries that did not go back
	 */
	wentBack(from: object, stay: ReadonlySet<number> = new Set()): void {
		const owed = this.entries.owedSize;
		if (owed.events > 0) this.wentBackWith = owed;
		this.entries.wentBack(from, stay);
	}

	/** The share of an event is ended for the others' sake. */
	giveUp(entry: Entry): void {
		// What one asked for that was never let in is rejected for nobody's sake.
		const isItsOwn = entry.shares.some(({ from }) => this.wasLetIn(from.place));
		this.entries.end(entry, isItsOwn ? 'reject' : 'remove', false);
	}

	/** It went back to the queue, which has it no longer. */
	gone({ eventId }: StatusEvent): void {
		this.entries.gone(eventId);
	}

	/** It was told that it does not get the event, which another connection had: its own need not look for it, and tell it again. */
	missed(event: StatusEvent): void {
		this.entries.missed(event);
	}

	private changed(): void {
		const before = this.fullSince;
		// What waits may go back to the queue meanwhile, and waits there.
		if (!this.isFull) this.fullSince = undefined;
		else if (this.resting > 0) this.fullSince ??= this.now;
		if (this.fullSince !== before) this.fullReports.look();
		for (const onChange of [...this.watchers]) onChange();
	}

	private reportFull(since: number): void {
		const { subscription, jobs } = this;
		subscription.report({
			kind: 'waits',
			cause: 'unknown',
			reason: `all places for runs are taken (${jobs.count})`,
			since,
			nextTryInMs: Math.max(0, jobs.oldestStartedAt + this.options.bounds.heldMs - this.now),
			placesTaken: jobs.count,
		});
	}

	private get now(): number {
		return this.options.clock.now();
	}

	/** Starts what may start now; looks again when time alone brings the next start. */
	private pump(): void {
		this.endMoment();
		this.cancelLook();
		if (!this.open || !this.served) return this.changed();
		const lookAgainAt = this.waiting ? this.tryOut(this.waiting) : this.startAll();
		this.lookAgainAt = lookAgainAt;
		if (lookAgainAt !== undefined) {
			this.cancelLook = this.options.clock.after(Math.max(0, lookAgainAt - this.now), () => this.pump());
		}
		this.changed();
	}

	private endMoment(): void {
		this.cancelMoment?.();
		this.cancelMoment = undefined;
	}

	private startAll(): number | undefined {
		const { options } = this.subscription;
		while (this.jobs.count < options.parallelRuns) {
			const started = { batchRuns: this.jobs.batchGoes, again: this.again };
			const choice = chooseNext(this.entries, options, this.now, started);
			if (!choice) return undefined;
			if ('lookAgainAt' in choice) return choice.lookAgainAt;
			// Such a one runs by itself.
			this.nothingBetter = comesLast(choice.start[0]!.progress);
			this.start(choice.start, false);
		}
		return undefined;
	}

	/** Rounds of tries of a lane that waits. @returns when to look again */
	private tryOut(wait: Wait): number | undefined {
		const { entries, jobs } = this;
		const { options } = this.subscription;
		for (;;) {
			while (jobs.count < options.parallelRuns) {
				const next = wait.next(this.now);
				if (!next) break;
				if (entries.has(next)) this.start([next], true);
			}
			if (jobs.someTry || jobs.count >= options.parallelRuns) return undefined;
			const counted = this.health.deliveriesAreCounted && this.isLeftAlone;
			const round = wait.chooseRound(entries, options, this.now, counted);
			if (round !== 'chosen') return round.lookAgainAt;
		}
	}

	/** One run, from its start to what follows from its outcome. */
	private start(entries: Entry[], probe: boolean): void {
		const { run, options } = this.subscription;
		// Those of a batch have as many attempts behind them.
		const { progress } = entries[0]!;
		this.again = hasBegun(progress);
		// Whatever ended its batch.
		if (entries.length === 1 && progress.batched) takeApart(progress);
		const attempt = progress.attempts + 1;
		const { evidence } = this.health;
		const known = evidence.knownOf(entries);
		const job: Job = { entries, startedAt: evidence.moment(), attempt, probe, known };
		this.entries.setRunning(entries, true);
		this.jobs.begins(job);
		const outcome = run(entries, attempt).catch((error): RunOutcome => ({
			kind: 'notStarted',
			reason: messageOf(error),
		}));
		void this.jobs.follow(outcome, options.removeWhen, {
			taken: () => this.handOver(job),
			over: (result) => {
				this.conclude(job, result);
				this.pump();
			},
			late: (word) => this.hearLate(job, word),
		});
	}

	/** A word that came too late decides nothing any more; but the same content sent anew needs no run after a success. */
	private hearLate({ entries }: Job, { kind }: RunOutcome): void {
		if (kind !== 'succeeded' && kind !== 'waiting') return;
		const { skipRepeats } = this.subscription.options;
		for (const entry of entries) this.entries.wasHandled(entry, skipRepeats);
		if (skipRepeats) this.entries.endAlike(entries);
		this.pump();
	}

	/** The host did not refuse the run: with "received" the queue is done with it, and its set is held until it ends. */
	private handOver({ entries, startedAt }: Job): void {
		this.health.evidence.begun(startedAt);
		for (const entry of entries) this.entries.handOver(entry);
		if (this.subscription.options.skipRepeats) this.entries.endAlike(entries);
		this.health.starts();
		this.pump();
	}

	private conclude(job: Job, result: RunOutcome | Unanswered): void {
		const { title, options, report } = this.subscription;
		const { entries, health } = this;
		entries.setRunning(job.entries, false);
		this.jobs.ends(job);
		const begun = job.entries.filter(({ removed }) => !removed);
		if (result.kind === 'notStarted' && begun.length < job.entries.length) {
			report({ kind: 'notStarted', reason: result.reason, events: job.entries.map(({ event }) => event) });
		}
		for (const entry of job.entries) if (entry.removed) entries.forget(entry);
		health.learn(job, result);
		if (begun.length === 0) {
			if (result.kind === 'notStarted') health.waits('notStarting');
			return;
		}
		if (result.kind === 'stopped') {
			const eventIds = begun.map(({ event }) => event.eventId);
			this.options.logger.info(`${title}: the run was stopped by hand; its event is removed`, { eventIds });
		}
		this.follow(this.verdict(job, result, begun), job, result, begun);
		const cause = health.evidence.verdict;
		if (cause && options.removeWhen === 'succeeded') health.waits(cause);
		// Its newest version may ask for less.
		for (const entry of begun) {
			if (this.open && !this.wants(entry.event)) entries.settle(entry, 'remove');
		}
		const kept = begun.filter((entry) => entries.has(entry));
		this.writeDown(kept);
		// Where the queue has it again, it comes again.
		entries.drop(kept.filter(({ shares }) => shares.length === 0));
		health.look();
	}

	private verdict(job: Job, result: RunOutcome | Unanswered, begun: readonly Entry[]): Verdict {
		const { evidence } = this.health;
		return verdictOn(result, job, this.subscription.options, {
			othersStart: begun.every((entry) => evidence.othersStart(entry)),
			bounds: this.options.bounds,
		});
	}

	/** What follows from a run for its events. */
	private follow(verdict: Verdict, job: Job, result: RunOutcome | Unanswered, begun: readonly Entry[]): void {
		const { report, options } = this.subscription;
		if ('fate' in verdict) {
			if (verdict.problem && !begun.every(({ reportedBefore }) => reportedBefore)) report(verdict.problem);
			for (const entry of begun) this.entries.end(entry, verdict.fate, verdict.well);
			if (verdict.well && options.skipRepeats) this.entries.endAlike(begun);
			return;
		}
		if ('stays' in verdict) {
			for (const { progress } of begun) {
				if (result.kind === 'shutdown') progress.notBefore = this.now + AFTER_SHUTDOWN_MS;
				if (result.kind === 'failed') progress.failedAt ??= this.health.evidence.moment();
			}
			if (verdict.wait) this.health.waits(verdict.wait);
			return;
		}
		for (const entry of begun) this.runAgain(entry, job, verdict);
	}

	private runAgain(
		entry: Entry,
		job: Job,
		verdict: { retryAfterMs: number } | { apart: true } | { stuck: true },
	): void {
		const { progress } = entry;
		if ('apart' in verdict) return takeApart(progress);
		progress.failedAt ??= this.health.evidence.moment();
		progress.attempts = job.attempt;
		if ('stuck' in verdict) return this.health.becomesStuck(entry, job);
		progress.batched = job.entries.length > 1;
		progress.notBefore = this.now + verdict.retryAfterMs;
	}

	/**
	 * A queue may let expire what goes back to it, which nobody here can see, and this process may be killed before it says
	 * a word: what has failed stands in the log from then on, once.
	 */
	private writeDown(kept: readonly Entry[]): void {
		const { logger } = this.options;
		const fresh = kept.filter(({ progress }) => !progress.written && hasFailed(progress));
		for (const some of inLines(fresh)) {
			const what = some.length === 1 ? 'an event' : `${some.length} events`;
			logger.info(`${this.subscription.title}: the run failed for ${what}, to be run again`, {
				events: some.map(({ event }) => canonicalJson(event.raw)),
			});
			for (const { progress } of some) progress.written = true;
		}
	}
}

const isFrom = (place: string | undefined, { shares }: Entry) =>
	shares.some(({ from }) => from.place === place);
