import type { StatusEvent } from '../model/event';
import type { ServiceError } from '../errors';
import type { QueueAddress } from './address';
import type { EventFilter } from './filter';

/** An event as one delivery brought it. */
export interface DeliveredEvent {
	event: StatusEvent;
	/** The broker says it delivered this message before. */
	redelivered: boolean;
	/** When it was delivered, in milliseconds since 1970: the broker's own clock for a message starts here too. */
	deliveredAt: number;
}

/** How one run of a workflow ended, as far as a queue must know. */
export type RunOutcome =
	| { kind: 'succeeded' }
	/** The run waits for something and its end will never be reported. */
	| { kind: 'waiting' }
	/** It ran and failed. */
	| { kind: 'failed'; reason: string }
	/** It never began. */
	| { kind: 'notStarted'; reason: string }
	/** A person stopped it. */
	| { kind: 'stopped' }
	/** The host is going down and stopped it. */
	| { kind: 'shutdown' };

/** What a person must be told. One of these is one visible report. */
export type Problem =
	| { kind: 'unreadable'; reason: string; body: string }
	| { kind: 'gaveUp'; attempts: number; reason: string; events: readonly StatusEvent[] }
	| { kind: 'unknownResult'; events: readonly StatusEvent[] }
	| { kind: 'notStarted'; reason: string; events: readonly StatusEvent[] }
	| { kind: 'outage'; error: ServiceError };

/** When an event leaves the queue: after a run that succeeded, after any run, or as soon as its run has been handed over. */
export type RemoveWhen = 'succeeded' | 'finished' | 'received';

export interface LaneOptions {
	removeWhen: RemoveWhen;
	/** Runs (or batches) side by side, 1 and up. */
	parallelRuns: number;
	/** The next event of a set waits until the earlier one is settled. */
	keepOrder: boolean;
	/** Runs per event at most, the first included. */
	attempts: number;
	/** Events per run at most; 1 for a run per event. */
	batchSize: number;
	/** The longest wait for a batch to fill, in milliseconds. */
	batchWaitMs: number;
	/** An event that ended well lately is removed without a run. */
	skipRepeats: boolean;
	/** The longest one run is waited for, in milliseconds; undefined for the time the event has left. */
	runDeadlineMs?: number;
}

/** One workflow's trigger as the queue sees it. */
export interface Subscription {
	/** The same for every version of the same trigger in the same workflow: what it finished and where it stood survive a new version. */
	key: string;
	/** Names the subscriber in log lines. */
	title: string;
	queue: string;
	filter: EventFilter;
	options: LaneOptions;
	/** Asked before every connection, so that an edited credential is obeyed. Must answer or throw in time. */
	readAddress(): Promise<QueueAddress>;
	/** Starts one run with these events and answers how it ended. Must not throw. */
	run(events: readonly DeliveredEvent[], attempt: number): Promise<RunOutcome>;
	/** Its own account was refused while another's works: it is out, and may subscribe again. */
	onRefused(): void;
	/** Shows a problem to a person. Must not throw. */
	report(problem: Problem): void;
}
