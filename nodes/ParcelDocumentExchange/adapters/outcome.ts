import type { IRun } from 'n8n-workflow';
import { messageOf } from '../../../service/errors';
import type { RunOutcome } from '../../../service/queue/subscription';

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
