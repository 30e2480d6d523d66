import type { IRun } from 'n8n-workflow';
import type { Clock } from '../../../service/surroundings';
import { fractionOf } from '../history/random';
import type { History, RunEnd, WorkflowPlan } from '../history/history';
import type { RunRecord } from '../ledger';
import type { Deferred } from './deferred';

/** What runs meet beside themselves. */
export interface RunWeather {
	databaseAway: boolean;
	/** Workflows whose mail server, drive or web service is away. */
	readonly downstreamAway: Set<string>;
	/** How the next runs of a workflow end, by the history's word. */
	mishaps: Map<string, RunEnd[]>;
}

interface Going {
	record: RunRecord;
	plan: WorkflowPlan;
	done?: Deferred<IRun>;
	cancelTimer: () => void;
}

const STARTING_MS = 40;

/**
 * The runs of one n8n process: started, or kept waiting for a free place, or refused; ended as the events, the weather
 * and the history's mishaps have it; and told, or not told, to the trigger.
 */
export class Runs {
	private readonly going = new Set<Going>();
	private readonly queued: Going[] = [];
	private readonly counts = new Map<string, number>();

	private readonly poison: ReadonlySet<number>;

	constructor(
		private readonly history: History,
		private readonly clock: Clock,
		private readonly now: () => number,
		private readonly weather: RunWeather,
	) {
		this.poison = new Set(history.events.filter(({ poison }) => poison).map(({ number }) => number));
	}

	/** Runs that have begun or wait for a place. */
	get count(): number {
		return this.going.size + this.queued.length;
	}

	/** Those that are to end begun runs. */
	get timers(): number {
		return [...this.going].filter(({ record }) => record.outcome !== 'hangs').length;
	}

	/** The how manieth run of these events for this workflow in this process it is, whatever the trigger says. */
	countOf({ workflow, events }: RunRecord): number {
		const key = `${workflow} ${events.join()}`;
		const count = (this.counts.get(key) ?? 0) + 1;
		this.counts.set(key, count);
		return count;
	}

	/** Nothing runs or waits, but for runs that will never end. */
	get isIdle(): boolean {
		return this.queued.length === 0 && [...this.going].every(({ record }) => record.outcome === 'hangs');
	}

	/** n8n's emit: it answers nothing, and promises the end. */
	hand(record: RunRecord, plan: WorkflowPlan, done?: Deferred<IRun>): void {
		const run: Going = { record, plan, done, cancelTimer: () => {} };
		this.clock.after(STARTING_MS, () => this.begin(run));
	}

	/** The process is about to end: what waits for a place is dropped from memory, as n8n does. */
	dropQueued(): void {
		for (const { record } of this.queued) {
			record.endedAt = this.now();
			record.outcome = 'endedWithProcess';
			record.mishap = true;
		}
		this.queued.length = 0;
	}

	/** The process is about to end: what runs is cut off, and its end is told. */
	cutOff(): void {
		for (const run of [...this.going]) {
			const { record, done } = run;
			if (record.outcome === 'hangs') continue;
			run.cancelTimer();
			this.going.delete(run);
			Object.assign(record, { endedAt: this.now(), toldAt: this.now(), mishap: true });
			record.outcome = 'endedWithProcess';
			done?.reject(new SystemShutdownExecutionCancelledError());
		}
	}

	/** The process ended with these runs in it. */
	end(): void {
		for (const { record } of [...this.going, ...this.queued]) {
			record.endedAt ??= this.now();
			record.outcome ??= 'endedWithProcess';
			record.mishap = true;
		}
		this.going.clear();
		this.queued.length = 0;
	}

	private begin(run: Going): void {
		if (this.weather.databaseAway) return this.refuse(run);
		const { concurrency } = this.history.host;
		if (concurrency > 0 && this.going.size >= concurrency) {
			this.queued.push(run);
			return;
		}
		this.start(run);
	}

	private refuse({ record, done }: Going): void {
		record.endedAt = this.now();
		record.outcome = 'cannotStart';
		record.mishap = true;
		const { startFailure } = this.history.host;
		if (startFailure === 'never') return;
		record.toldAt = this.now();
		if (startFailure === 'undefined') done?.resolve(undefined as unknown as IRun);
		else done?.reject(new Error('SQLITE_BUSY: database is locked'));
	}

	private start(run: Going): void {
		const { record, plan } = run;
		this.going.add(run);
		record.startedAt = this.now();
		const mishap = this.weather.mishaps.get(plan.name)?.shift();
		const planned = mishap ?? this.plannedEnd(record);
		record.mishap = mishap !== undefined;
		if (planned === 'hangs') {
			record.outcome = planned;
			return;
		}
		const takes = this.duration(record, plan);
		const limitMs = (plan.executionTimeout ?? Infinity) * 1000;
		run.cancelTimer = this.clock.after(Math.min(takes, limitMs), () => {
			const away = this.weather.downstreamAway.has(plan.name);
			if (away) record.mishap = true;
			this.finish(run, takes > limitMs || (away && planned === 'succeeded') ? 'fails' : planned);
		});
	}

	/** A poison event fails whenever it is run; nothing else fails by itself. */
	private plannedEnd({ events }: RunRecord): RunEnd | 'succeeded' {
		const poisoned = events.some((number) => this.poison.has(number));
		return poisoned ? 'fails' : 'succeeded';
	}

	private duration({ events, attempt }: RunRecord, { name, runMs: [low, high] }: WorkflowPlan): number {
		const share = fractionOf(this.history.seed, 'duration', name, attempt, ...events);
		return Math.round(low + share * (high - low));
	}

	private finish(run: Going, end: RunEnd | 'succeeded'): void {
		const { record, done } = run;
		this.going.delete(run);
		record.endedAt = this.now();
		record.outcome = end;
		if (end !== 'losesItsResult') {
			record.toldAt = this.now();
			if (end === 'isStopped') done?.reject(new ManualExecutionCancelledError());
			else done?.resolve(resultOf(end));
		}
		const next = this.queued.shift();
		if (next) this.start(next);
	}
}

/** As n8n names it: the trigger goes by the name and the reason. */
class ManualExecutionCancelledError extends Error {
	readonly reason = 'manual';
	override readonly name = 'ManualExecutionCancelledError';
}

class SystemShutdownExecutionCancelledError extends Error {
	readonly reason = 'shutdown';
	override readonly name = 'SystemShutdownExecutionCancelledError';
}

function resultOf(end: RunEnd | 'succeeded'): IRun {
	const failed = end === 'fails' || end === 'crashes';
	// One that crashed on a worker comes back without what it failed over.
	const error =
		end === 'fails' ? { name: 'NodeOperationError', message: 'The mail server refused' } : undefined;
	return {
		mode: 'trigger',
		startedAt: new Date(0),
		status: end === 'waits' ? 'waiting' : end === 'crashes' ? 'crashed' : failed ? 'error' : 'success',
		data: { resultData: { runData: {}, ...(error ? { error, lastNodeExecuted: 'Send Email' } : {}) } },
	} as unknown as IRun;
}
