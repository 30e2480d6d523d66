import { messageOf } from '../errors';
import { canonicalJson } from '../model/canonicalJson';
import type { StatusEvent } from '../model/event';
import type { Clock, Logger } from '../surroundings';
import { chooseNext, chooseProbes } from './batch';
import type { Bounds } from './bounds';
import type { DeliveredEvent, RunOutcome, Subscription, WaitCause } from './contract';
import {
	bytesOf,
	hasFailed,
	restAfterDeathsMs,
	type Entry,
	type Fate,
	type Job,
	type Progress,
	type Share,
} from './entry';
import { passes } from './filter';
import { Multimap } from './multimap';
import type { Repeats } from './repeats';
import { verdictOn, type Unanswered } from './verdict';
import { Evidence, probeAfterMs, type Wait } from './wait';

export interface LaneOptions {
	subscription: Subscription;
	repeats: Repeats;
	clock: Clock;
	logger: Logger;
	bounds: Bounds;
}

/** A moment at which a run may begin that the host stopped while it went down, should it stay up after all. */
const AFTER_SHUTDOWN_MS = 30_000;

/** Bodies in one line of the log. */
const IN_A_LINE = 50;

/** Sets a waiting lane tries in a round, beside its oldest event, when each was tried before. */
const TRIED_AGAIN = 2;

/** Refusals of one event, with runs of others begun in between, that show it is the event: an illness that comes back meets one twice. */
const REFUSALS_THAT_TELL = 3;

/**
 * One subscriber's events: which is next, how many side by side, how often tried, how long waited for.
 *
 * An event waits → runs → is settled; or it runs again later, and holds its set until then, so that nothing of the set
 * overtakes it, but no place to run. When nothing that runs succeeds any more, or nothing can be started, the lane waits:
 * it tries a few events now and then, and settles none. The lane outlives its subscription: a workflow that is published
 * again finds its events where they were.
 */
export class Lane {
	/** The newest subscription of this key, here or not. */
	subscription: Subscription;
	/** What is not settled, in order of delivery. */
	private entries = new Set<Entry>();
	private lastNumber = 0;
	/** Something ended, began to wait or went on: a queue may have to deliver more, or less. */
	private readonly watchers = new Set<() => void>();
	private readonly byId = new Multimap<string, Entry>();
	private readonly jobs = new Set<Job>();
	/** Starts runs. */
	private open = false;
	/** It was let in once: it knows its password, and may see what it asks for. */
	wasLetIn = false;
	/** When it stopped starting runs, in milliseconds of the hub's clock. */
	absentSince: number;
	/** What it owed at that moment: its being away has not cost that yet. */
	owedSince = { events: 0, bytes: 0 };
	/** What it owed when the channel was closed last. */
	private wentBackWith = { events: 0, bytes: 0 };
	private wait: Wait | undefined;
	private evidence: Evidence;
	/** When an event of a status succeeded last. */
	private readonly successes = new Map<string, number>();
	/** When the newest run was handed over that is known to have begun, in milliseconds of the hub's clock. */
	lastStartedAt = -Infinity;
	/** When the host refused one last. */
	private lastRefusedAt = -Infinity;
	private lastMoment = -Infinity;
	private lastReason = '';
	/** Since when an event is {@link Progress.stuck}, with none succeeding. */
	private stuckSince: number | undefined;
	private lastReportAt = -Infinity;
	private counted = false;
	/** When time alone may bring the next start. */
	private lookAgainAt: number | undefined;
	private cancelLook = () => {};
	private cancelReport = () => {};

	constructor(private readonly options: LaneOptions) {
		this.subscription = options.subscription;
		this.evidence = new Evidence(options.bounds);
		this.absentSince = options.clock.now();
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

	/** It has a share in something this one delivered. */
	holds(from: object): boolean {
		return [...this.entries].some(({ shares }) => shares.some((share) => share.from === from));
	}

	/** A subscriber came (back), perhaps with another filter: what it does not ask for is not its business. */
	attach(subscription: Subscription): void {
		this.subscription = subscription;
		this.open = true;
		for (const entry of this.entries) {
			if (!entry.running && !passes(entry.event, subscription.filter)) this.settle(entry, 'remove');
		}
		// Whoever published again has perhaps mended what was wrong.
		if (this.wait) this.wait.nextTryAt = this.now;
		this.showWait();
		for (const entry of this.entries) if (entry.stuck) entry.notBefore = this.now;
		this.armReport();
		this.pump();
	}

	/** The subscriber left. Runs that are going end by their outcome; no other begins. */
	detach(): void {
		if (this.open) {
			this.absentSince = this.now;
			// At this moment, all of it may be on its way back here.
			const now = this.owedNow;
			this.owedSince = {
				events: Math.max(now.events, this.wentBackWith.events),
				bytes: Math.max(now.bytes, this.wentBackWith.bytes),
			};
		}
		this.open = false;
		this.cancelLook();
		this.cancelReport();
		if (this.wait) this.wait.chosen = [];
	}

	/** It will not come back. What had begun is reported by the caller, the rest is nobody's any more. */
	dissolve(): StatusEvent[] {
		const begun: StatusEvent[] = [];
		for (const entry of [...this.entries]) {
			if (entry.running || entry.shares.length === 0) continue;
			if (entry.attempts === 0 && entry.failedAt === undefined) this.settle(entry, 'remove');
			else {
				begun.push(entry.event);
				this.end(entry, 'reject', false);
			}
		}
		return begun;
	}

	get running(): number {
		return this.jobs.size;
	}

	/** Runs go on that decide about an event this one delivered, or did before its channel was closed. */
	isAwaited(from: object): boolean {
		return [...this.jobs].some(({ entries }) =>
			entries.some(
				({ removed, shares }) =>
					!removed && (shares.length === 0 || shares.some((share) => share.from === from)),
			),
		);
	}

	/** It runs what comes, as far as one knows. */
	get isWell(): boolean {
		return this.waitsSince === undefined;
	}

	/** It starts nothing but tries now and then. */
	get waiting(): Wait | undefined {
		return this.wait;
	}

	/** Its host cannot start runs, and so cannot store a report either. */
	get hostIsIll(): boolean {
		return this.wait?.cause === 'notStarting';
	}

	/**
	 * The host starts runs of others and refuses those of this one. When it started one lately, this one tries at once:
	 * only if it is refused again, the illness is its own.
	 * @param othersStartedAt see {@link lastStartedAt}
	 */
	isRefusedBeside(othersStartedAt: number): boolean {
		const { wait } = this;
		if (!wait || othersStartedAt <= this.lastRefusedAt) return false;
		if (wait.triedBesideAt !== undefined) return this.lastRefusedAt > wait.triedBesideAt;
		wait.triedBesideAt = this.moment();
		wait.nextTryAt = this.now;
		this.pump();
		return false;
	}

	/** It has a place to run and nothing to run in it. */
	get starves(): boolean {
		if (!this.open) return false;
		if (this.wait) return this.wait.gatherUntil !== undefined;
		return this.jobs.size < this.subscription.options.parallelRuns;
	}

	/**
	 * Until when nothing will start here, in milliseconds of the hub's clock; undefined when something runs, may start, or
	 * could come.
	 */
	get quietUntil(): number | undefined {
		if ([...this.jobs].some(({ entries }) => !entries.every(isRemoved))) return undefined;
		if (this.wait) return this.wait.gatherUntil === undefined ? this.wait.nextTryAt : undefined;
		return this.someIsStuck ? this.lookAgainAt : undefined;
	}

	/** Events that wait here, the oldest first. */
	get owed(): Entry[] {
		const owed: Entry[] = [];
		for (const entry of this.entries) if (!entry.running && entry.shares.length > 0) owed.push(entry);
		return owed;
	}

	wants(event: StatusEvent): boolean {
		return passes(event, this.subscription.filter);
	}

	/** Takes an event in. The share is settled once, or goes back with its channel. */
	offer(delivered: DeliveredEvent, share: Share): void {
		const { options } = this.subscription;
		const { eventId, setId } = delivered.event;
		const { repeats, logger, bounds } = this.options;
		if (share.returns !== undefined) this.counted = true;
		const again = delivered.redelivered;
		const ending = repeats.endingOf(eventId);
		if (ending && this.isDoneWith(delivered)) {
			// What the broker delivers again is news to nobody.
			logger[again ? 'debug' : 'info'](
				`${this.subscription.title}: a repeat of an event handled already is removed`,
				{ eventId },
			);
			return share.settle(ending.fate);
		}
		// Without skipRepeats only the broker's own word makes an event a repeat.
		const mayRepeat = options.skipRepeats || again;
		const same = mayRepeat ? this.sameAs(eventId, options.skipRepeats) : undefined;
		if (same) {
			same.shares.push(share);
			return this.pump();
		}
		const now = this.now;
		const fresh: Progress = {
			attempts: 0,
			notBefore: share.deaths > 0 ? now + restAfterDeathsMs(share.deaths) : 0,
			seenAt: now,
			suspect: false,
			alone: false,
		};
		const entry: Entry = Object.assign(
			{
				event: delivered.event,
				redelivered: delivered.redelivered,
				deliveredAt: delivered.deliveredAt,
				number: share.number,
				orderKey: setId?.trim().toLowerCase() || eventId,
				arrivedAt: now,
				running: false,
				removed: false,
				reportedBefore: share.deaths > 0 && ending?.fate === 'reject',
				shares: [share],
			},
			(mayRepeat && repeats.takeUp(eventId)) || fresh,
		);
		this.entries.add(entry);
		this.byId.add(eventId, entry);
		// A newer version may ask for what was delivered before, and an older one did not.
		if (share.number < this.lastNumber) this.entries = new Set([...this.entries].sort(byNumber));
		this.lastNumber = Math.max(share.number, this.lastNumber);
		if (this.entries.size > bounds.lookThrough && this.wait?.gatherUntil) this.wait.gatherUntil = now;
		this.pump();
	}

	/** It ended here before, and is not to run again. */
	isDoneWith({ event: { eventId }, redelivered }: DeliveredEvent): boolean {
		const ending = this.options.repeats.endingOf(eventId);
		if (!ending) return false;
		// What ended may have been another message with this content, and this one was sent anew and went back.
		return redelivered ? !this.owes(eventId) : this.subscription.options.skipRepeats && ending.well;
	}

	/** Of an event that went back: it runs still, it is done with or here again, or it has to come again. */
	whereIs({ eventId }: StatusEvent): 'runs' | 'here' | 'away' {
		const here = [...this.byId.all(eventId)];
		if (here.some(({ shares }) => shares.length > 0)) return 'here';
		if (here.some(({ running }) => running)) return 'runs';
		const { repeats } = this.options;
		return !repeats.isUnfinished(eventId) && repeats.endingOf(eventId) ? 'here' : 'away';
	}

	/** A run of it goes on, and decides what becomes of it. */
	runs({ eventId }: StatusEvent): boolean {
		return [...this.byId.all(eventId)].some(({ running, removed }) => running && !removed);
	}

	/**
	 * A channel is gone: what it delivered comes again, in order. What runs waits to be joined.
	 * @param stay numbers of deliveries that did not go back
	 */
	wentBack(from: object, stay: ReadonlySet<number> = new Set()): void {
		if (this.owed.length > 0) this.wentBackWith = this.owedNow;
		for (const entry of this.entries) {
			entry.shares = entry.shares.filter((share) => share.from !== from || stay.has(share.number));
		}
		for (const entry of [...this.entries]) if (entry.shares.length === 0 && !entry.running) this.drop(entry);
	}

	/** What failed for good, as long as nothing else of its kind succeeds, and what waits behind it. */
	get stuck(): Entry[] {
		if (!this.someIsStuck) return [];
		const sets = new Set<string>();
		const { keepOrder } = this.subscription.options;
		return this.owed.filter(({ stuck, orderKey }) => {
			if (stuck) sets.add(orderKey);
			return stuck || (keepOrder && sets.has(orderKey));
		});
	}

	/** The share of an event is ended for the others' sake. */
	giveUp(entry: Entry): StatusEvent {
		// What one asked for that was never let in is rejected for nobody's sake.
		if (this.wasLetIn) this.end(entry, 'reject', false);
		else this.settle(entry, 'remove');
		return entry.event;
	}

	/** Asked at every change: it must cost nothing where thousands of events wait. */
	private get someIsStuck(): boolean {
		for (const { stuck } of this.entries) if (stuck) return true;
		return false;
	}

	private changed(): void {
		for (const onChange of [...this.watchers]) onChange();
	}

	private get owedNow() {
		const { owed } = this;
		return { events: owed.length, bytes: owed.reduce((sum, entry) => sum + bytesOf(entry), 0) };
	}

	private get now(): number {
		return this.options.clock.now();
	}

	/** A time that tells apart what happens within one millisecond. */
	private moment(): number {
		this.lastMoment = Math.max(this.now, this.lastMoment + 1e-3);
		return this.lastMoment;
	}

	/** @param any also one that is here: without, a message of the same content is another event */
	private sameAs(eventId: string, any: boolean): Entry | undefined {
		const all = [...this.byId.all(eventId)].filter(({ removed }) => !removed);
		return all.find(({ shares }) => shares.length === 0) ?? (any ? all[0] : undefined);
	}

	/** It went back unsettled: what comes again is that, whatever ended before. */
	private owes(eventId: string): boolean {
		return this.options.repeats.isUnfinished(eventId) || this.sameAs(eventId, false) !== undefined;
	}

	/** Starts what may start now; looks again when time alone brings the next start. */
	private pump(): void {
		this.cancelLook();
		if (!this.open) return this.changed();
		const lookAgainAt = this.wait ? this.tryOut(this.wait) : this.startAll();
		this.lookAgainAt = lookAgainAt;
		if (lookAgainAt !== undefined && this.open) {
			this.cancelLook();
			this.cancelLook = this.options.clock.after(Math.max(0, lookAgainAt - this.now), () => this.pump());
		}
		this.changed();
	}

	private startAll(): number | undefined {
		const { options } = this.subscription;
		while (this.jobs.size < options.parallelRuns) {
			const batchRuns =
				options.batchSize > 1 && [...this.jobs].some(({ entries: [entry] }) => entry?.alone === false);
			const choice = chooseNext(this.entries, options, this.now, batchRuns);
			if (!choice) return undefined;
			if ('lookAgainAt' in choice) return choice.lookAgainAt;
			this.start(choice.start, false);
		}
		return undefined;
	}

	/** A round of tries of a lane that waits. @returns when to look again */
	private tryOut(wait: Wait): number | undefined {
		const { bounds } = this.options;
		const { options } = this.subscription;
		while (this.jobs.size < options.parallelRuns) {
			const next = wait.chosen.shift();
			if (!next) break;
			if (this.entries.has(next) && !next.running && next.shares.length > 0) this.start([next], true);
		}
		// A run from before, whose end is never told, says nothing and must not keep others from being tried.
		const undecided = [...this.jobs].some(({ probe, entries }) => probe && !entries.every(isRemoved));
		if (undecided || this.jobs.size >= options.parallelRuns) return undefined;
		if (this.now < wait.nextTryAt) return wait.nextTryAt;
		wait.gatherUntil ??= this.now + bounds.collectMs;
		if (this.now < wait.gatherUntil) return wait.gatherUntil;
		const choose = () =>
			chooseProbes(
				first(this.entries, bounds.lookThrough),
				options,
				wait.tried,
				wait.again ? TRIED_AGAIN : 2 ** (wait.rounds + 1),
			);
		wait.chosen = choose();
		if (wait.chosen.length === 1 && wait.tried.size > 1) {
			// The oldest may be the only bad one, and what failed by chance beside it must not wait for ever.
			wait.again = true;
			wait.tried.clear();
			wait.chosen = choose();
		}
		wait.gatherUntil = undefined;
		// An empty queue says nothing: the next events that come are tried.
		if (wait.chosen.length === 0) return this.entries.size > 0 ? this.now + bounds.collectMs : undefined;
		wait.rounds += 1;
		wait.nextTryAt = this.nextRoundAt(wait);
		for (const { orderKey } of wait.chosen) wait.tried.add(orderKey);
		return this.tryOut(wait);
	}

	private nextRoundAt({ since, rounds }: Pick<Wait, 'since' | 'rounds'>): number {
		const { bounds } = this.options;
		let round = rounds;
		// A wait that was woken by hand, or slept longer than it should, goes on with its next round to come.
		while (since + probeAfterMs(round, this.counted, bounds) <= this.now) round += 1;
		return since + probeAfterMs(round, this.counted, bounds);
	}

	/** One run, from its start to what follows from its outcome. */
	private start(entries: Entry[], probe: boolean): void {
		const { run } = this.subscription;
		const [first] = entries;
		// What a batch failed over may have been another one's fault, whatever ends the batch.
		if (first?.batched && entries.length === 1) {
			Object.assign(first, { batched: false, alone: true, attempts: 0, failedAt: undefined });
		}
		const attempt = Math.max(...entries.map(({ attempts }) => attempts)) + 1;
		const job: Job = { entries, startedAt: this.moment(), attempt, probe };
		for (const entry of entries) entry.running = true;
		this.jobs.add(job);
		const outcome = run(entries, attempt).catch((error): RunOutcome => ({
			kind: 'notStarted',
			reason: messageOf(error),
		}));
		void this.await(job, outcome);
	}

	private async await(job: Job, outcome: Promise<RunOutcome>): Promise<void> {
		const { clock, bounds } = this.options;
		const received = this.subscription.options.removeWhen === 'received';
		let cancel = () => {};
		const taken = received ? clock.after(bounds.takenMs, () => this.handOver(job)) : () => {};
		const late = new Promise<Unanswered>((resolve) => {
			const atMostMs = received ? bounds.heldMs : bounds.runWordMs;
			cancel = clock.after(atMostMs, () => resolve({ kind: 'unanswered' }));
		});
		const result = await Promise.race([outcome, late]);
		cancel();
		taken();
		this.conclude(job, result);
		if (result.kind === 'unanswered') void outcome.then((late) => this.hearLate(job, late));
		this.pump();
	}

	/** A word that came too late decides nothing any more; but the same content sent anew needs no run after a success. */
	private hearLate({ entries }: Job, { kind }: RunOutcome): void {
		if (kind !== 'succeeded' && kind !== 'waiting') return;
		const { repeats } = this.options;
		for (const { event } of entries) {
			const { eventId } = event;
			const again = [...this.byId.all(eventId)].some(({ running }) => !running);
			if (this.subscription.options.skipRepeats || (!again && !repeats.isUnfinished(eventId)))
				repeats.ended(eventId, { fate: 'remove', well: true });
		}
		if (this.subscription.options.skipRepeats) this.endAlike(entries);
		this.pump();
	}

	/** The same content needs no further run: a version before this one may have asked for one. */
	private endAlike(handled: readonly Entry[]): void {
		for (const { event } of handled) {
			for (const entry of [...this.byId.all(event.eventId)]) {
				if (!entry.running) this.end(entry, 'remove', true);
			}
		}
	}

	/** The host did not refuse the run: with "received" the queue is done with it, and its set is held until it ends. */
	private handOver({ entries, startedAt }: Job): void {
		this.lastStartedAt = Math.max(this.lastStartedAt, startedAt);
		for (const entry of entries) {
			this.remember(entry, 'remove', true);
			entry.removed = true;
			for (const share of entry.shares.splice(0)) share.settle('remove');
		}
		if (this.subscription.options.skipRepeats) this.endAlike(entries);
		// It was not refused, and that is all this lane asks of its host.
		if (this.wait?.cause === 'notStarting') this.endWait(false);
		this.pump();
	}

	private conclude(job: Job, result: RunOutcome | Unanswered): void {
		const { title, options, report } = this.subscription;
		const { logger, bounds } = this.options;
		this.jobs.delete(job);
		for (const entry of job.entries) entry.running = false;
		const begun = job.entries.filter(({ removed }) => !removed);
		if ('reason' in result) this.lastReason = result.reason;
		if (result.kind === 'notStarted' && begun.length < job.entries.length) {
			report({ kind: 'notStarted', reason: result.reason, events: job.entries.map(({ event }) => event) });
		}
		for (const entry of job.entries) if (entry.removed) this.forget(entry);
		this.learn(job, result);
		if (begun.length === 0) {
			if (result.kind === 'notStarted') this.beginWait('notStarting');
			return;
		}
		const verdict = verdictOn(result, job, options, { ...this.circumstances(begun), bounds });
		if (result.kind === 'stopped') {
			const eventIds = begun.map(({ event }) => event.eventId);
			logger.info(`${title}: the run was stopped by hand; its event is removed`, { eventIds });
		}
		if ('fate' in verdict) {
			if (verdict.problem && !begun.every(({ reportedBefore }) => reportedBefore)) report(verdict.problem);
			for (const entry of begun) this.end(entry, verdict.fate, verdict.well);
			if (verdict.well && options.skipRepeats) this.endAlike(begun);
		} else if ('wait' in verdict || 'stays' in verdict) {
			for (const entry of begun) {
				if (result.kind === 'shutdown') entry.notBefore = this.now + AFTER_SHUTDOWN_MS;
				if (result.kind === 'failed') entry.failedAt ??= this.moment();
			}
			if (verdict.wait) this.beginWait(verdict.wait);
		} else {
			for (const entry of begun) this.runAgain(entry, job, verdict);
		}
		const cause = this.evidence.verdict;
		if (cause && options.removeWhen === 'succeeded') this.beginWait(cause);
		// Its newest version may ask for less.
		for (const entry of begun) {
			if (this.entries.has(entry) && this.open && !this.wants(entry.event)) this.settle(entry, 'remove');
		}
		const kept = begun.filter((entry) => this.entries.has(entry));
		this.writeDown(kept);
		// Where the queue has it again, it comes again.
		for (const entry of kept) if (entry.shares.length === 0) this.drop(entry);
		this.armReport();
	}

	private runAgain(
		entry: Entry,
		job: Job,
		verdict: { retryAfterMs: number } | { apart: true } | { stuck: true },
	): void {
		entry.failedAt ??= this.moment();
		if ('apart' in verdict) {
			Object.assign(entry, { alone: true, batched: false, attempts: 0, failedAt: undefined, notBefore: 0 });
		} else if ('retryAfterMs' in verdict) {
			entry.attempts = job.attempt;
			entry.batched = job.entries.length > 1;
			entry.notBefore = this.now + verdict.retryAfterMs;
		} else {
			entry.attempts = job.attempt;
			const stuck = entry.stuck ?? { since: this.now, tries: 0 };
			entry.notBefore = this.nextRoundAt({ since: stuck.since, rounds: stuck.tries });
			entry.stuck = { since: stuck.since, tries: stuck.tries + 1 };
			this.stuckSince ??= this.now;
		}
	}

	/** What a run says of the workflow, beside what becomes of its events. */
	private learn({ entries, startedAt }: Job, result: RunOutcome | Unanswered): void {
		if (result.kind === 'shutdown' || result.kind === 'stopped') return;
		if (result.kind === 'notStarted') {
			this.lastRefusedAt = this.moment();
			for (const entry of entries) this.noteRefusal(entry);
			return;
		}
		this.lastStartedAt = Math.max(this.lastStartedAt, startedAt);
		const works = result.kind === 'succeeded' || result.kind === 'waiting';
		if (this.wait && (works || this.wait.cause === 'notStarting')) this.endWait(works);
		if (result.kind === 'unanswered') return this.evidence.runLost();
		if (!works) {
			const telling = entries.filter(({ suspect, stuck, event, failedAt }) => {
				const succeededAt = this.successes.get(event.status) ?? -Infinity;
				return !suspect && !stuck && !(succeededAt > (failedAt ?? Infinity));
			});
			if (telling.length > 0) this.evidence.runFailed(telling.map(({ orderKey }) => orderKey));
			return;
		}
		for (const { event } of entries) this.noteSuccess(event.status);
		this.evidence.succeeded();
		this.stuckSince = undefined;
		// What is stuck is tried while the workflow works: it may be well too.
		for (const entry of this.entries) if (entry.stuck) entry.notBefore = Math.min(entry.notBefore, this.now);
	}

	/** A refusal after which nothing began says no more than the one before. */
	private noteRefusal(entry: Entry): void {
		const { at, times } = entry.refused ?? { at: -Infinity, times: 0 };
		if (times > 0 && this.lastStartedAt <= at) return;
		entry.refused = { at: this.moment(), times: times + 1 };
	}

	private noteSuccess(status: string): void {
		this.successes.delete(status);
		this.successes.set(status, this.moment());
		// Statuses come from outside: their number is bounded by nobody.
		for (const [oldest] of this.successes) {
			if (this.successes.size <= 100) break;
			this.successes.delete(oldest);
		}
	}

	private circumstances(entries: readonly Entry[]) {
		const others = (entry: Entry) =>
			(this.successes.get(entry.event.status) ?? -Infinity) > (entry.failedAt ?? Infinity);
		return {
			othersSucceed: entries.some(others),
			othersStart: entries.every(({ refused }) => (refused?.times ?? 0) >= REFUSALS_THAT_TELL),
		};
	}

	private beginWait(cause: WaitCause): void {
		if (this.wait) {
			this.wait.reason = this.lastReason;
			return this.showWait();
		}
		const { logger } = this.options;
		this.wait = {
			cause,
			reason: this.lastReason,
			since: this.now,
			rounds: 0,
			nextTryAt: this.nextRoundAt({ since: this.now, rounds: 0 }),
			chosen: [],
			tried: new Set(),
			again: false,
		};
		logger.warn(`${this.subscription.title}: waits, its events stay on the queue: ${this.lastReason}`, {
			cause,
		});
		this.showWait();
		this.armReport();
	}

	/** What failed before the workflow worked begins its attempts anew, behind what did not: it may be to blame by itself. */
	private endWait(works: boolean): void {
		const { logger } = this.options;
		logger.info(`${this.subscription.title}: works again`, {
			afterSeconds: Math.round((this.now - (this.wait?.since ?? this.now)) / 1000),
		});
		this.wait = undefined;
		this.showWait();
		this.evidence = new Evidence(this.options.bounds);
		if (!works) return;
		for (const entry of this.entries) {
			if (entry.running || (entry.attempts === 0 && entry.failedAt === undefined)) continue;
			Object.assign(entry, {
				attempts: 0,
				notBefore: 0,
				stuck: undefined,
				failedAt: undefined,
				suspect: true,
			});
		}
	}

	private showWait(): void {
		const { wait } = this;
		this.subscription.onWait?.(wait && { cause: wait.cause, reason: wait.reason, since: wait.since });
	}

	/** Since when something here waits for better times. */
	private get waitsSince(): number | undefined {
		return this.wait?.since ?? this.stuckSince;
	}

	private armReport(): void {
		const { clock, bounds } = this.options;
		this.cancelReport();
		const since = this.waitsSince;
		if (since === undefined || !this.open) return;
		const first = this.lastReportAt < since;
		const dueAt = first
			? Math.max(since + bounds.reportWaitAfterMs, this.lastReportAt + bounds.reportWaitAtMostMs)
			: this.lastReportAt + bounds.reportWaitEveryMs;
		this.cancelReport = clock.after(Math.max(0, dueAt - this.now), () => {
			const waits = this.waitsSince;
			if (waits !== undefined && this.open) {
				this.lastReportAt = this.now;
				const next = this.wait?.nextTryAt ?? Math.min(...[...this.entries].map(({ notBefore }) => notBefore));
				this.subscription.report({
					kind: 'waits',
					cause: this.wait?.cause ?? 'failing',
					reason: this.wait?.reason ?? this.lastReason,
					since: waits,
					nextTryInMs: Number.isFinite(next) ? Math.max(0, next - this.now) : bounds.probeEveryMs,
				});
			}
			this.armReport();
		});
	}

	/** After a run, or without one for good. */
	private end(entry: Entry, fate: Fate, well: boolean): void {
		this.remember(entry, fate, well);
		this.settle(entry, fate);
	}

	/** An event that never ran here and is not asked for leaves no memory: it may yet be. */
	private settle(entry: Entry, fate: Fate): void {
		this.forget(entry);
		if (entry.stuck && !this.someIsStuck) this.stuckSince = undefined;
		for (const share of entry.shares.splice(0)) share.settle(fate);
	}

	private remember({ event: { eventId } }: Entry, fate: Fate, well: boolean): void {
		this.options.repeats.ended(eventId, { fate, well });
	}

	/**
	 * A queue may let expire what goes back to it, which nobody here can see, and this process may be killed before it says
	 * a word: what has failed stands in the log from then on, once.
	 */
	private writeDown(kept: readonly Entry[]): void {
		const fresh = kept.filter((entry) => !entry.written && hasFailed(entry));
		for (let start = 0; start < fresh.length; start += IN_A_LINE) {
			const some = fresh.slice(start, start + IN_A_LINE);
			this.options.logger.info(
				`${this.subscription.title}: the run failed for ${some.length === 1 ? 'an event' : `${some.length} events`}, to be run again`,
				{ events: some.map(({ event }) => canonicalJson(event.raw)) },
			);
			for (const entry of some) entry.written = true;
		}
	}

	private drop(entry: Entry): void {
		const { attempts, notBefore, seenAt, failedAt, refused, stuck, suspect, alone, batched, written } = entry;
		this.options.repeats.wentBack(entry.event.eventId, {
			...{ attempts, notBefore, seenAt, failedAt, refused, stuck, suspect, alone, batched, written },
		});
		this.forget(entry);
	}

	private forget(entry: Entry): void {
		this.entries.delete(entry);
		this.byId.delete(entry.event.eventId, entry);
	}
}

const byNumber = (a: Entry, b: Entry) => a.number - b.number;

const isRemoved = ({ removed }: Entry) => removed;

function* first<T>(all: Iterable<T>, count: number): Generator<T, void, undefined> {
	let left = count;
	for (const each of all) {
		if (left === 0) return;
		left -= 1;
		yield each;
	}
}
