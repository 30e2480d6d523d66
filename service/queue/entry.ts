import type { DeliveredEvent } from './contract';

/** What becomes of a message: removed, or rejected (dead-lettered where the broker does that). It goes back with its channel. */
export type Fate = 'remove' | 'reject';

/** How far one workflow got with an event; it goes on from there when the event comes again. */
export interface Progress {
	/** Runs so far, of this round. */
	attempts: number;
	/** Not run before this moment, in milliseconds of the hub's clock. */
	notBefore: number;
	/** When it came first. */
	seenAt: number;
	/** When its first run of this round failed. */
	failedAt?: number;
	/** How often the host could not start its run, where runs of others began in between, and when it was so last. */
	refused?: { at: number; times: number };
	/** Since when its attempts are used up without a sign that others fare better, and how often it was tried since. */
	stuck?: { since: number; tries: number };
	/** It failed before a success of another showed that the workflow works: its failures say nothing of the workflow. */
	suspect: boolean;
	/** Its batch was taken apart: it runs by itself. */
	alone: boolean;
	/** It failed last in a batch, for which another of its events may be to blame. */
	batched?: boolean;
	/** It failed, and the log shows its body. */
	written?: boolean;
}

/** A run of it has failed, in this round or before. */
export const hasFailed = ({ attempts, failedAt, suspect, alone }: Progress) =>
	attempts > 0 || failedAt !== undefined || suspect || alone;

/** A subscriber's part in one delivered message. */
export interface Share {
	/** Of the body. */
	bytes: number;
	/** How often the broker counted the message back; undefined where it does not count. */
	returns: number | undefined;
	/** How often the message was rejected and came back as a dead letter. */
	deaths: number;
	/** Later deliveries have higher ones. */
	number: number;
	/** Who delivered it: it goes back together with what else that one delivered. */
	from: object;
	settle(fate: Fate): void;
}

/** An event in a lane, whatever number of deliveries brought it. */
export interface Entry extends DeliveredEvent, Progress {
	/** Events of one set have the same. */
	orderKey: string;
	/** Of its first delivery that is open: events go in this order. */
	number: number;
	/** When it came to the lane, in milliseconds of the hub's clock. */
	arrivedAt: number;
	running: boolean;
	/** Its run was handed over, and the queue was told. */
	removed: boolean;
	/** Told its fate: one for each delivery that waits for it. Empty while it is back on the queue. */
	shares: Share[];
	/** It was given up once and came back as a dead letter: its report stands already. */
	reportedBefore: boolean;
}

/** A run of one event or a batch. */
export interface Job {
	entries: readonly Entry[];
	startedAt: number;
	attempt: number;
	/** Tried out by a lane that waits. */
	probe: boolean;
}

/** A dead letter that comes back rests a minute for each time, and ten at most. In milliseconds. */
export const restAfterDeathsMs = (deaths: number) => Math.min(deaths, 10) * 60_000;

/** Of the body. */
export function bytesOf({ shares }: Entry): number {
	let most = 0;
	for (const { bytes } of shares) if (bytes > most) most = bytes;
	return most;
}

/** How often the broker counted it back. */
export function returnsOf({ shares }: Entry): number {
	let most = 0;
	for (const { returns = 0 } of shares) if (returns > most) most = returns;
	return most;
}
