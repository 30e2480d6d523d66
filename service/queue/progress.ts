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
	/** Since when its attempts are used up without a sign that others fare better. */
	stuck?: { since: number };
	/** It failed before a success of another showed that the workflow works: its failures say nothing of the workflow. */
	suspect: boolean;
	/** Its batch was taken apart: it runs by itself. */
	alone: boolean;
	/** It failed last in a batch, for which another of its events may be to blame. */
	batched?: boolean;
	/** It failed, and the log shows its body. */
	written?: boolean;
}

/** Of an event that was never run. @param now, notBefore in milliseconds since 1970 */
export function freshProgress(now: number, notBefore: number): Progress {
	return { attempts: 0, notBefore, seenAt: now, suspect: false, alone: false };
}

/** A run of it has begun that did not end well, in this round. */
export const hasBegun = ({ attempts, failedAt }: Progress) => attempts > 0 || failedAt !== undefined;

/** It failed where others succeeded, or has used up its attempts: it must not take their places. */
export const comesLast = ({ suspect, stuck }: Progress) => suspect || stuck !== undefined;

/** A run of it has failed, in this round or before. */
export const hasFailed = (progress: Progress) => hasBegun(progress) || progress.suspect || progress.alone;

/** What its batch failed over may have been another one's fault: from now on it runs by itself, with attempts of its own. */
export function takeApart(progress: Progress): void {
	Object.assign(progress, { alone: true, batched: false, attempts: 0, notBefore: 0, failedAt: undefined });
}

/** The workflow works again: what failed before has its attempts anew, behind what did not. It may be to blame by itself. */
export function beginAnew(progress: Progress): void {
	Object.assign(progress, {
		attempts: 0,
		notBefore: 0,
		stuck: undefined,
		failedAt: undefined,
		suspect: true,
	});
}
