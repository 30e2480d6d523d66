import type { Ending } from './repeats';
import type { LaneOptions, Problem, RunOutcome } from './subscription';

/** What is said of a share in a message: handled, given up after the last attempt, or to be delivered again. */
export type Decision = Ending | 'giveBack';

/** Waits before the second, third, … attempt; the last one repeats. */
export const RETRY_WAITS_MS = [5_000, 30_000, 120_000, 600_000] as const;

/** What follows from an attempt: a decision, or the wait before the next; and what a person is told. */
export type Verdict = ({ decision: Decision } | { retryAfterMs: number }) & {
	tell?: 'unknownResult' | 'notStarted' | 'gaveUp' | 'stopped';
};

/** No answer came in time: the run may still be going, or its end was never reported by the host. */
export type Unanswered = { kind: 'unanswered' };

/**
 * The table of outcomes.
 * @param attempt the number of the attempt that just ended, from 1
 */
export function verdictOn(
	result: RunOutcome | Unanswered,
	{ removeWhen, attempts }: LaneOptions,
	attempt: number,
): Verdict {
	switch (result.kind) {
		case 'succeeded':
		case 'waiting':
			return { decision: 'done' };
		case 'stopped':
			return { decision: 'done', tell: 'stopped' };
		case 'shutdown':
			return { decision: 'giveBack' };
		case 'unanswered':
			// Starting it again could do its work twice.
			return { decision: 'done', tell: 'unknownResult' };
		case 'failed':
		case 'notStarted':
			break;
	}
	if (removeWhen !== 'succeeded') {
		// A run that failed stands in the host's own list of runs; one that never began stands nowhere.
		return { decision: 'done', tell: result.kind === 'notStarted' ? 'notStarted' : undefined };
	}
	if (attempt >= attempts) return { decision: 'gaveUp', tell: 'gaveUp' };
	return { retryAfterMs: RETRY_WAITS_MS[Math.min(attempt, RETRY_WAITS_MS.length) - 1] ?? 0 };
}

/** The problem a person is told of, or undefined when a log line is enough. */
export function problemOf(
	{ tell }: Verdict,
	result: RunOutcome | Unanswered,
	events: Extract<Problem, { kind: 'gaveUp' }>['events'],
	attempt: number,
): Problem | undefined {
	const reason = 'reason' in result ? result.reason : '';
	if (tell === 'unknownResult') return { kind: tell, events };
	if (tell === 'notStarted') return { kind: tell, reason, events };
	if (tell === 'gaveUp') return { kind: tell, attempts: attempt, reason, events };
	return undefined;
}
