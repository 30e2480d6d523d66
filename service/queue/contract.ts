import type { LookupFunction } from 'node:net';
import type { ServiceError } from '../errors';
import type { StatusEvent } from '../model/event';

/**
 * Version 1 of what two copies of this package say to each other in one process: an update loads the second copy beside
 * the first, and both meet at one hub. Everything here may grow by fields that may be missing, and never changes otherwise.
 */

/** Where the broker is and who we are there, as the user filled it in. */
export interface QueueAddress {
	host: string;
	/** 5672 plain, 5671 with TLS, unless the service said otherwise. */
	port: number;
	vhost: string;
	username: string;
	password: string;
	tls: boolean;
	/** PEM; empty for none. */
	caCertificate: string;
	/** PEM; empty for none. */
	clientCertificate: string;
	/** PEM; empty for none. */
	clientKey: string;
	/** Opens the client key; empty for none. */
	passphrase: string;
	/** The host name the broker's certificate carries when it is not `host`; empty for the same. */
	serverName: string;
	/** A DNS lookup that refuses forbidden addresses (the host's egress protection). */
	lookup?: LookupFunction;
}

/** Which events a subscriber asks for. An empty list asks for all. */
export interface EventFilter {
	/** Canonical statuses, `OTHER` for the ones not known. */
	statuses: readonly string[];
	/** Ids, lower case. */
	customerIds: readonly string[];
	/** `hub`, `exchange`, or another text as sent. */
	instances: readonly string[];
}

/** An event as one delivery brought it. */
export interface DeliveredEvent {
	event: StatusEvent;
	/** The broker says it delivered this message before. */
	redelivered: boolean;
	/** When it was delivered, in milliseconds of the hub's clock. */
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

/** Why a workflow waits instead of running. */
export type WaitCause =
	/** Its runs fail. */
	| 'failing'
	/** The host cannot start them. */
	| 'notStarting'
	/** The host does not say how they end. */
	| 'unknown';

/** What a person must be told. One of these is one visible report. */
export type Problem =
	/** Messages that are no events. They are rejected. */
	| { kind: 'unreadable'; messages: readonly UnreadableMessage[] }
	| { kind: 'gaveUp'; attempts: number; reason: string; events: readonly StatusEvent[] }
	| { kind: 'unknownResult'; events: readonly StatusEvent[] }
	/** Removed already when the host said so. */
	| { kind: 'notStarted'; reason: string; events: readonly StatusEvent[] }
	/**
	 * The workflow was away, or waits, for longer than its events could be kept beside those of the others; or the queue
	 * itself dropped what went back to it, or was deleted with it.
	 */
	| {
			kind: 'notKept';
			why: 'absent' | 'waiting' | 'left' | 'late' | 'dropped' | 'queueGone';
			/** None for who never showed its password: their content is not for it. */
			events: readonly StatusEvent[];
			/** How many there were. */
			count: number;
	  }
	/** The workflow waits; its events stay on the queue. */
	| {
			kind: 'waits';
			cause: WaitCause;
			reason: string;
			since: number;
			nextTryInMs: number;
			/** The queue counts how often it gives an event out, and may drop what it gave out too often. */
			countsDeliveries?: boolean;
			/** Runs whose events are off the queue have all of so many places: none of them has ended since. */
			placesTaken?: number;
	  }
	| {
			kind: 'outage';
			error: ServiceError;
			/** Another workflow goes on taking events off the queue meanwhile. */
			othersListen?: boolean;
	  };

interface UnreadableMessage {
	/** A sentence without a full stop. */
	reason: string;
	/** As text, else as base64. */
	body: string;
}

/** When an event leaves the queue: after a run that succeeded, after any run, or when its run has been handed over. */
export type RemoveWhen = 'succeeded' | 'finished' | 'received';

/** How a subscriber wants its events, as its panel says. */
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
	/** Shows a problem to a person. Must not throw. */
	report(problem: Problem): void;
	/**
	 * Hears at once when it begins to wait, goes on waiting or works again, for who looks at it; a person is told later, by
	 * `report`. Must not throw.
	 * @param wait undefined when it does not wait
	 */
	onWait?(wait: { cause: WaitCause; reason: string; since: number } | undefined): void;
}

/** One subscriber's place at the hub. */
export interface Membership {
	/** Resolves when events flow; rejects with the first reason why they cannot, while it goes on being tried. */
	untilListening(): Promise<void>;
	/** No further event starts a run from here on; what runs is settled in the background. Safe to call twice. */
	leave(): Promise<void>;
	/** Events that it has in hand and does not run now: between two tries, behind one of their set, or for want of a place. */
	resting?(): number;
}

/** Where all triggers of a process meet. */
export interface Hub {
	/**
	 * Lets a subscriber in. Subscribers of one queue share one connection and each get every event they ask for.
	 * @param patient the host is starting: consume when no other subscriber has joined for a while
	 * @param tolerant go on trying whatever the broker says; as `patient` where it is left out
	 * @throws {ServiceError} for what a person must mend, unless tolerant
	 */
	subscribe(subscription: Subscription, patient: boolean, tolerant?: boolean): Promise<Membership>;
	/**
	 * A copy of each further event of a queue that is listened to in this process; undefined when none listens.
	 * @throws {ServiceError} when its own account is refused
	 */
	tap(
		address: QueueAddress,
		queue: string,
		filter: EventFilter,
		onEvent: (event: DeliveredEvent) => void,
	): Promise<(() => void) | undefined>;
}
