import type { DeliveredEvent, LaneOptions } from './subscription';
import type { Decision } from './verdict';

/** All attempts of an event together, from its delivery: five minutes under the broker's own limit of 30. */
export const EVENT_DEADLINE_MS = 25 * 60 * 1000;

/** A run that began later would have less than five minutes: the event is given back, and its clock starts anew. */
export const LATEST_START_MS = 20 * 60 * 1000;

/** An event in the lane, whatever number of deliveries brought it. */
export interface Entry extends DeliveredEvent {
	orderKey: string;
	arrivedAt: number;
	notBefore: number;
	/** Runs so far. */
	attempts: number;
	/** Told the decision: one for each delivery that waits for it. Emptied when told. */
	settlers: Array<(decision: Decision) => void>;
}

/** A run of one event or a batch, the rest after it failed, and the wait for a free place to run again. */
export interface Job {
	entries: Entry[];
	state: 'running' | 'resting' | 'due';
	cancelTimer: () => void;
}

/** The latest moment at which a run with these events may begin, in milliseconds since 1970. */
export function latestStart(entries: readonly Entry[]): number {
	return Math.min(...entries.map(({ deliveredAt }) => deliveredAt)) + LATEST_START_MS;
}

/** Those that may not begin any more. @param entries the oldest first */
export function tooLateToStart(entries: Iterable<Entry>, now: number): Entry[] {
	const found: Entry[] = [];
	for (const entry of entries) {
		if (latestStart([entry]) > now) break;
		found.push(entry);
	}
	return found;
}

/** How long a run with these events is waited for, in milliseconds: its own limit, and never beyond the events' deadline. */
export function runTimeMs(
	entries: readonly Entry[],
	{ removeWhen, runDeadlineMs = EVENT_DEADLINE_MS }: LaneOptions,
	now: number,
): number {
	// The broker's clock for a message that was removed already has stopped.
	if (removeWhen === 'received') return runDeadlineMs;
	const delivered = Math.min(...entries.map(({ deliveredAt }) => deliveredAt));
	return Math.max(0, Math.min(runDeadlineMs, delivered + EVENT_DEADLINE_MS - now));
}
