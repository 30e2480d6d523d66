import type { IRun } from 'n8n-workflow';
import {
	ManualExecutionCancelledError,
	SystemShutdownExecutionCancelledError,
	TimeoutExecutionCancelledError,
} from 'n8n-workflow';
import { outcomeOf, outcomeOnWorker } from '../../nodes/ParcelDocumentExchange/adapters/outcome';
import { manualClock, settled } from '../support/manualClock';

const run = (status: string, resultData: object = { runData: {} }) =>
	({ status, data: { resultData } }) as unknown as IRun;

describe('how an execution of n8n ended', () => {
	it.each<[string, () => Promise<IRun | undefined>, object]>([
		['success', () => Promise.resolve(run('success')), { kind: 'succeeded' }],
		['a wait', () => Promise.resolve(run('waiting')), { kind: 'waiting' }],
		[
			'a wait in queue mode, where finished is true',
			() => Promise.resolve({ ...run('waiting'), finished: true }),
			{ kind: 'waiting' },
		],
		[
			'a failed node',
			() =>
				Promise.resolve(
					run('error', { error: { message: 'No such mailbox' }, lastNodeExecuted: 'Send Email' }),
				),
			{ kind: 'failed', reason: 'No such mailbox (in node “Send Email”)' },
		],
		[
			'an error beside a good status',
			() => Promise.resolve(run('success', { error: { message: 'x' } })),
			{ kind: 'failed', reason: 'x' },
		],
		['a crash', () => Promise.resolve(run('crashed')), { kind: 'failed', reason: 'status crashed' }],
		[
			'a crash without data',
			() => Promise.resolve({ status: 'crashed' } as IRun),
			{ kind: 'failed', reason: 'status crashed' },
		],
		['a cancelled status', () => Promise.resolve(run('canceled')), { kind: 'stopped' }],
		[
			'a cancelled status by the time limit',
			() =>
				Promise.resolve(run('canceled', { error: { name: 'TimeoutExecutionCancelledError', message: 'x' } })),
			expect.objectContaining({ kind: 'failed' }),
		],
		['nothing', () => Promise.resolve(undefined), expect.objectContaining({ kind: 'notStarted' })],
		['a stop by hand', () => Promise.reject(new ManualExecutionCancelledError('1')), { kind: 'stopped' }],
		[
			'the time limit',
			() => Promise.reject(new TimeoutExecutionCancelledError('1')),
			expect.objectContaining({ kind: 'failed' }),
		],
		[
			'a shutdown',
			() => Promise.reject(new SystemShutdownExecutionCancelledError('1')),
			{ kind: 'shutdown' },
		],
		[
			'a shutdown, told by its reason alone',
			() =>
				Promise.resolve(run('canceled', { error: { name: 'ExecutionCancelledError', reason: 'shutdown' } })),
			{ kind: 'shutdown' },
		],
		[
			'the time limit, told by its reason alone',
			() =>
				Promise.resolve(run('canceled', { error: { name: 'ExecutionCancelledError', reason: 'timeout' } })),
			expect.objectContaining({ kind: 'failed' }),
		],
		[
			'any other rejection',
			() => Promise.reject(new Error('database is locked')),
			{ kind: 'notStarted', reason: 'database is locked' },
		],
	])('%s', async (_, done, outcome) => {
		expect(await outcomeOf(done())).toEqual(outcome);
	});
});

describe('how an execution on a worker ended', () => {
	const never = new Promise<undefined>(() => {});
	const failedWord = { statusCode: 500, body: { message: 'Workflow execution failed' } };

	async function outcomeWith(done: Promise<IRun | undefined>, response: Promise<unknown>, passedMs = 0) {
		const clock = manualClock();
		let outcome: unknown = 'none yet';
		void outcomeOnWorker(done, response, clock).then((result) => (outcome = result));
		await clock.advance(passedMs);
		await settled();
		return outcome;
	}

	it('is what the end of the job says, when it comes in time', async () => {
		const done = Promise.resolve(run('waiting'));
		expect(await outcomeWith(done, Promise.resolve({}))).toEqual({ kind: 'waiting' });
		expect(await outcomeWith(done, never)).toEqual({ kind: 'waiting' });
	});

	it('is what the worker says, when the end of the job stays away', async () => {
		expect(await outcomeWith(never, Promise.resolve({}), 4_999)).toBe('none yet');
		expect(await outcomeWith(never, Promise.resolve({}), 5_000)).toEqual({ kind: 'succeeded' });
		expect(await outcomeWith(never, Promise.resolve(failedWord), 5_000)).toMatchObject({ kind: 'failed' });
	});

	it('is not what a node answers in the middle of the run, nor a rejected response', async () => {
		const answers = [{ statusCode: 200, body: 'x' }, { statusCode: 500, body: { message: 'No' } }, null, 'x'];
		for (const answer of answers) {
			expect(await outcomeWith(never, Promise.resolve(answer), 60_000)).toBe('none yet');
		}
		expect(await outcomeWith(never, Promise.reject(new Error('x')), 60_000)).toBe('none yet');
	});
});
