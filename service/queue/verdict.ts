import type { Bounds } from './bounds';
import type { LaneOptions, Problem, RunOutcome, WaitCause } from './contract';
import type { Fate } from './entry';
import type { Job, Unanswered } from './jobs';

/** What follows from a run for its events. */
export type Verdict =
	| { fate: Fate; well: boolean; problem?: Problem }
	/** Tried again after so long, and the run counts. */
	| { retryAfterMs: number }
	/** Its events go on one by one. */
	| { apart: true }
	/** Attempts are used up, and nothing shows that it is the event: it stays, and is tried now and then. */
	| { stuck: true }
	/** The run does not count; the lane waits for this reason, or goes on where there is none. */
	| { stays: true; wait?: WaitCause };

/** What a lane knows beside the outcome of a run. */
interface Circumstances {
	/** Runs of others have begun between its refusals: so often that the host itself is not ill. */
	othersStart: boolean;
	bounds: Bounds;
}

/** The table of outcomes. */
export function verdictOn(
	result: RunOutcome | Unanswered,
	{ entries, attempt, probe, known }: Job,
	{ removeWhen, attempts }: LaneOptions,
	{ othersStart, bounds: { retryWaitsMs } }: Circumstances,
): Verdict {
	const events = entries.map(({ event }) => event);
	switch (result.kind) {
		case 'succeeded':
		case 'waiting':
			return { fate: 'remove', well: true };
		case 'stopped':
			return { fate: 'remove', well: false };
		case 'shutdown':
			return { stays: true };
		case 'unanswered':
			// Starting it again could do its work twice.
			return { fate: 'remove', well: false, problem: { kind: 'unknownResult', events } };
		case 'notStarted':
			if (!othersStart) return { stays: true, wait: 'notStarting' };
			break;
		case 'failed':
			// A run that failed stands in the host's own list of runs.
			if (removeWhen !== 'succeeded') return { fate: 'remove', well: true };
	}
	if (attempts === 1) return givenUp(result.reason);
	if (probe) return { stays: true };
	// Many attempts must not keep the good ones of a batch waiting for longer.
	if (entries.length > 1 && attempt >= Math.min(attempts - 1, retryWaitsMs.length)) return { apart: true };
	if (attempt < attempts) {
		return { retryAfterMs: retryWaitsMs[Math.min(attempt, retryWaitsMs.length) - 1] ?? 0 };
	}
	return known.othersSucceed ? givenUp(result.reason) : { stuck: true };

	function givenUp(reason: string): Verdict {
		return { fate: 'reject', well: false, problem: { kind: 'gaveUp', attempts: attempt, reason, events } };
	}
}
