import type { IRun } from 'n8n-workflow';
import { messageOf } from '../../../service/errors';
import type { RunOutcome } from '../../../service/queue/contract';
import { pause, type Clock } from '../../../service/surroundings';

/** How long the promise of a run is waited for once a worker has said that the run ended: it comes at once, or never. */
const PROMISE_AFTER_WORD_MS = 5_000;

/**
 * How an n8n execution ended, in the queue's words. n8n settles the promise in many ways (its full result, a partial one
 * from a worker, nothing, or a rejection), so only the status and the names of errors are looked at, never `instanceof`
 * and never `finished`, which lies in queue mode. A promise that never settles is the caller's to bound.
 */
export async function outcomeOf(done: Promise<IRun | undefined>): Promise<RunOutcome> {
	let run: IRun | undefined;
	try {
		run = await done;
	} catch (error) {
		return cancellation(error) ?? { kind: 'notStarted', reason: messageOf(error) };
	}
	if (!run) return { kind: 'notStarted', reason: 'n8n could not start the execution' };
	const error = run.data?.resultData?.error;
	if (run.status === 'success' && !error) return { kind: 'succeeded' };
	// A Wait node: n8n reports the wait and never the end.
	if (run.status === 'waiting' && !error) return { kind: 'waiting' };
	if (run.status === 'canceled') return cancellation(error) ?? { kind: 'stopped' };
	const at = run.data?.resultData?.lastNodeExecuted;
	const reason = error?.message ?? `status ${run.status}`;
	return { kind: 'failed', reason: at ? `${reason} (in node “${at}”)` : reason };
}

/**
 * How an execution on a worker ended, where n8n tells it twice: by the worker's word, which answers the promise of a
 * response, and by the end of the job, which settles `done`. Redis forgets a job that has ended: when it has before the
 * main process begins to wait for it (now and then, on a busy machine), `done` stays open for ever, and the word counts.
 */
export async function outcomeOnWorker(
	done: Promise<IRun | undefined>,
	response: Promise<unknown>,
	clock: Clock,
): Promise<RunOutcome> {
	const settled = new AbortController();
	const outcome = outcomeOf(done).finally(() => settled.abort());
	// A rejected response says no more than `done`, which is rejected as well.
	const word = response.then(wordOf, () => undefined);
	const late = word.then(async (told) => {
		if (!told) return await outcome;
		await pause(clock, PROMISE_AFTER_WORD_MS, settled.signal);
		return told;
	});
	return await Promise.race([outcome, late]);
}

/** The two answers n8n itself gives for a run that ended; any other is from a node that responds in the middle of it. */
function wordOf(response: unknown): RunOutcome | undefined {
	if (typeof response !== 'object' || response === null) return undefined;
	if (Object.keys(response).length === 0) return { kind: 'succeeded' };
	const { statusCode, body } = response as { statusCode?: unknown; body?: { message?: unknown } };
	const failed = statusCode === 500 && body?.message === 'Workflow execution failed';
	return failed ? { kind: 'failed', reason: 'n8n says only that the execution failed' } : undefined;
}

/** n8n's cancellations carry why: by hand, by the execution's time limit, or because n8n is going down. */
function cancellation(error: unknown): RunOutcome | undefined {
	if (typeof error !== 'object' || error === null) return undefined;
	const { name, reason } = error as { name?: unknown; reason?: unknown };
	const kind = `${String(name ?? '')} ${error.constructor?.name ?? ''}`;
	if (!/ExecutionCancelledError/.test(kind)) return undefined;
	if (reason === 'timeout' || /Timeout/.test(kind)) {
		return { kind: 'failed', reason: 'The execution took longer than its time limit and was stopped' };
	}
	if (reason === 'shutdown' || /System|Shutdown/.test(kind)) return { kind: 'shutdown' };
	return { kind: 'stopped' };
}
