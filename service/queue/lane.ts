import { messageOf } from '../errors';
import type { StatusEvent } from '../model/event';
import type { Clock, Logger } from '../surroundings';
import { chooseNext } from './batch';
import { latestStart, runTimeMs, tooLateToStart, type Entry, type Job } from './entry';
import { passes } from './filter';
import { Multimap } from './multimap';
import type { Repeats } from './repeats';
import type { DeliveredEvent, RunOutcome, Subscription } from './subscription';
import { problemOf, verdictOn, type Decision, type Unanswered } from './verdict';

/**
 * One subscriber's events: which is next, how many side by side, how often tried, how long waited for.
 *
 * An event waits → runs → is settled; or it rests between two attempts: then it holds its set, so that nothing of the
 * set overtakes it, and no place to run. Every event in here has a deadline, so every message is settled in the end.
 * The lane outlives its subscription: a workflow that is published again finds its events where they were.
 */
export class Lane {
	/** Events without a run, in order of delivery, the oldest first. */
	private readonly waiting = new Set<Entry>();
	/** Events that are not settled, by their id. */
	private readonly unsettled = new Multimap<string, Entry>();
	/** Events that have a run or rest, by their set. */
	private readonly begun = new Multimap<string, Entry>();
	private readonly jobs = new Set<Job>();
	/** What becomes of events without a run: started, kept for a subscriber that may return, given back, or let go. */
	private idle: 'start' | 'keep' | 'giveBack' | 'done' = 'start';
	private cancelLook: () => void = () => {};

	constructor(
		/** The newest subscription of this key, attached or not. */
		public subscription: Subscription,
		private readonly repeats: Repeats,
		private readonly clock: Clock,
		private readonly logger: Logger,
	) {}

	get attached(): boolean {
		return this.idle === 'start';
	}

	get waitsForReturn(): boolean {
		return this.idle === 'keep';
	}

	/** A subscriber came (back), perhaps with another filter: what it does not ask for is not its business. */
	attach(subscription: Subscription): void {
		this.subscription = subscription;
		this.idle = 'start';
		for (const entry of this.waiting) if (!this.wants(entry.event)) this.settle(entry, 'done');
		this.pump();
	}

	/** The subscriber left. Runs that are going end by their outcome; events without a run are kept, given back, or let go. */
	detach(idle: 'keep' | 'giveBack' | 'done'): void {
		this.idle = idle;
		if (idle === 'keep') return;
		for (const job of [...this.jobs]) if (job.state !== 'running') this.settleJob(job, idle);
		for (const entry of this.waiting) this.settle(entry, idle);
	}

	wants(event: StatusEvent): boolean {
		return passes(event, this.subscription.filter);
	}

	/** Takes an event in. `settle` is called once, in time, with the decision. */
	offer(delivered: DeliveredEvent, settle: (decision: Decision) => void): void {
		const { eventId, setId } = delivered.event;
		// Without skipRepeats only the broker's own word makes an event a repeat.
		const mayRepeat = this.subscription.options.skipRepeats || delivered.redelivered;
		const ending = mayRepeat ? this.repeats.endingOf(eventId) : undefined;
		// An event that was given up and is sent anew, not delivered again, is somebody's second try.
		if (ending === 'done' || (ending === 'gaveUp' && delivered.redelivered)) {
			this.logger.info(`${this.subscription.title}: a repeat of an event handled already is removed`, {
				eventId,
			});
			return settle(ending);
		}
		const same = mayRepeat ? this.unsettled.first(eventId) : undefined;
		if (same) {
			same.settlers.push(settle);
			return;
		}
		const entry: Entry = {
			...delivered,
			orderKey: setId?.trim().toLowerCase() || eventId,
			arrivedAt: this.clock.now(),
			settlers: [settle],
			...((mayRepeat && this.repeats.takeUnfinished(eventId)) || { attempts: 0, notBefore: 0 }),
		};
		this.waiting.add(entry);
		this.unsettled.add(eventId, entry);
		this.pump();
	}

	/** The link is lost: the broker delivers again, in order, what has not begun. What has begun waits to be joined. */
	dropWaiting(): void {
		for (const entry of this.waiting) this.settle(entry, 'giveBack');
	}

	/** Starts what may start now; looks again when time alone brings the next start or makes an event too old for one. */
	private pump(): void {
		this.cancelLook();
		const now = this.clock.now();
		this.giveBackStale(now);
		const [oldest] = this.waiting;
		let lookAgainAt = oldest ? latestStart([oldest]) : Infinity;
		for (const { entries } of this.jobsThat('due')) lookAgainAt = Math.min(lookAgainAt, latestStart(entries));
		while (this.attached && this.jobsThat('running').length < this.subscription.options.parallelRuns) {
			const [due] = this.jobsThat('due');
			if (due) {
				void this.start(due);
				continue;
			}
			const choice = chooseNext(this.waiting, this.begun, this.subscription.options, now);
			if (choice && 'lookAgainAt' in choice) lookAgainAt = Math.min(lookAgainAt, choice.lookAgainAt);
			if (!choice || !('start' in choice)) break;
			for (const entry of choice.start) {
				this.waiting.delete(entry);
				this.begun.add(entry.orderKey, entry);
			}
			const job: Job = { entries: choice.start, state: 'due', cancelTimer: () => {} };
			this.jobs.add(job);
			void this.start(job);
		}
		this.cancelLook =
			lookAgainAt === Infinity ? () => {} : this.clock.after(lookAgainAt - now, () => this.pump());
	}

	private giveBackStale(now: number): void {
		for (const job of this.jobsThat('due')) {
			if (latestStart(job.entries) <= now) this.settleJob(job, 'giveBack');
		}
		this.settleInOrder(tooLateToStart(this.waiting, now), 'giveBack');
	}

	/** One attempt, from its start to what follows from its outcome. */
	private async start(job: Job): Promise<void> {
		const { run, options } = this.subscription;
		job.state = 'running';
		for (const entry of job.entries) entry.attempts += 1;
		const attempt = Math.max(...job.entries.map(({ attempts }) => attempts));
		const outcome = run(job.entries, attempt).catch((error): RunOutcome => ({
			kind: 'notStarted',
			reason: messageOf(error),
		}));
		if (options.removeWhen === 'received') for (const entry of job.entries) this.settle(entry, 'done');
		const unanswered = new Promise<Unanswered>((resolve) => {
			job.cancelTimer = this.clock.after(runTimeMs(job.entries, options, this.clock.now()), () =>
				resolve({ kind: 'unanswered' }),
			);
		});
		const result = await Promise.race([outcome, unanswered]);
		job.cancelTimer();
		this.conclude(job, result, attempt);
		this.pump();
	}

	private conclude(job: Job, result: RunOutcome | Unanswered, attempt: number): void {
		const { title, options, report } = this.subscription;
		const events = job.entries.map(({ event }) => event);
		const verdict = verdictOn(result, options, attempt);
		const problem = problemOf(verdict, result, events, attempt);
		if (problem) report(problem);
		if (verdict.tell === 'stopped') {
			const eventIds = events.map(({ eventId }) => eventId);
			this.logger.info(`${title}: the run was stopped by hand; its event is removed`, { eventIds });
		}
		if ('decision' in verdict) this.settleJob(job, verdict.decision);
		else this.rest(job, verdict.retryAfterMs);
	}

	/** Holds the events until the next attempt, in the process: exact counts and waits on every broker. */
	private rest(job: Job, waitMs: number): void {
		const nextAt = this.clock.now() + waitMs;
		for (const entry of job.entries) entry.notBefore = nextAt;
		if (this.idle === 'giveBack' || this.idle === 'done') return this.settleJob(job, this.idle);
		if (nextAt > latestStart(job.entries)) return this.settleJob(job, 'giveBack');
		job.state = 'resting';
		job.cancelTimer = this.clock.after(waitMs, () => {
			job.state = 'due';
			this.pump();
		});
	}

	private settleJob(job: Job, decision: Decision): void {
		job.cancelTimer();
		this.jobs.delete(job);
		for (const entry of job.entries) this.begun.delete(entry.orderKey, entry);
		this.settleInOrder(job.entries, decision);
	}

	/** An event that is given back takes along what waits behind it in its set, or it would be overtaken. */
	private settleInOrder(entries: readonly Entry[], decision: Decision): void {
		for (const entry of entries) this.settle(entry, decision);
		if (entries.length === 0 || decision !== 'giveBack' || !this.subscription.options.keepOrder) return;
		const keys = new Set(entries.map(({ orderKey }) => orderKey));
		for (const entry of this.waiting) if (keys.has(entry.orderKey)) this.settle(entry, 'giveBack');
	}

	private settle(entry: Entry, decision: Decision): void {
		const { eventId } = entry.event;
		this.waiting.delete(entry);
		this.unsettled.delete(eventId, entry);
		// An event that never ran here leaves no memory: it may yet be asked for.
		if (entry.attempts > 0 && entry.settlers.length > 0) {
			if (decision === 'giveBack')
				this.repeats.gaveBack(eventId, { attempts: entry.attempts, notBefore: entry.notBefore });
			else this.repeats.ended(eventId, decision);
		}
		for (const settle of entry.settlers.splice(0)) settle(decision);
	}

	/** What goes on at this moment. */
	jobsThat(state: Job['state']): Job[] {
		return [...this.jobs].filter((job) => job.state === state);
	}
}
