import { BOUNDS } from '../../../service/queue/bounds';
import type { LaneOptions, RunOutcome } from '../../../service/queue/contract';
import type { Job, Unanswered } from '../../../service/queue/jobs';
import { verdictOn } from '../../../service/queue/verdict';

const [FIRST, SECOND] = BOUNDS.retryWaitsMs;
const LAST = BOUNDS.retryWaitsMs.at(-1);
const FAILED = { kind: 'failed', reason: 'the mail server is down' } as const;
const REFUSED = { kind: 'notStarted', reason: 'n8n is full' } as const;
const REJECTED = { fate: 'reject', well: false };

interface Run {
	events?: number;
	attempt?: number;
	attempts?: number;
	probe?: boolean;
	removeWhen?: LaneOptions['removeWhen'];
	othersSucceed?: boolean;
	othersStart?: boolean;
}

function verdict(result: RunOutcome | Unanswered, run: Run) {
	const { events = 1, attempt = 1, attempts = 5, probe = false, othersStart = false } = run;
	const { removeWhen = 'succeeded', othersSucceed = false } = run;
	const entries = Array.from({ length: events }, (_, index) => ({ event: `event ${index}` }));
	const job = { entries, attempt, probe, known: { othersSucceed } } as unknown as Job;
	return verdictOn(result, job, { removeWhen, attempts } as LaneOptions, { othersStart, bounds: BOUNDS });
}

it.each<[string, RunOutcome | Unanswered, Run, object]>([
	['succeeded is handled', { kind: 'succeeded' }, {}, { fate: 'remove', well: true }],
	['waits in n8n is handled', { kind: 'waiting' }, {}, { fate: 'remove', well: true }],
	[
		'was stopped by hand ends the event, and no other one like it',
		{ kind: 'stopped' },
		{},
		{ fate: 'remove', well: false },
	],
	['ended with its process comes again', { kind: 'shutdown' }, {}, { stays: true }],
	[
		'was never heard of again is told, and another one like it may run',
		{ kind: 'unanswered' },
		{},
		{ fate: 'remove', well: false, problem: { kind: 'unknownResult', events: ['event 0'] } },
	],
	['was refused by n8n waits until it starts runs', REFUSED, {}, { stays: true, wait: 'notStarting' }],
	['alone was refused by n8n is tried again', REFUSED, { othersStart: true }, { retryAfterMs: FIRST }],
	[
		'alone was refused by n8n counts, also where the event is removed whatever a run comes to',
		REFUSED,
		{ othersStart: true, attempts: 1, removeWhen: 'finished' },
		{ ...REJECTED, problem: { kind: 'gaveUp', attempts: 1, reason: 'n8n is full', events: ['event 0'] } },
	],
	[
		'failed is handled where that is enough',
		FAILED,
		{ removeWhen: 'finished' },
		{ fate: 'remove', well: true },
	],
	['failed is tried again', FAILED, {}, { retryAfterMs: FIRST }],
	['failed twice is tried again later', FAILED, { attempt: 2 }, { retryAfterMs: SECOND }],
	[
		'failed often is tried again as late as it gets',
		FAILED,
		{ attempt: 9, attempts: 10 },
		{ retryAfterMs: LAST },
	],
	['failed for the last time, with others, stays', FAILED, { attempt: 5 }, { stuck: true }],
	[
		'failed for the last time, where others succeed, is given up',
		FAILED,
		{ attempt: 5, othersSucceed: true },
		{ ...REJECTED, problem: { kind: 'gaveUp', attempts: 5, reason: FAILED.reason, events: ['event 0'] } },
	],
	[
		'failed while others succeed is tried again',
		FAILED,
		{ attempt: 4, othersSucceed: true },
		{ retryAfterMs: LAST },
	],
	[
		'failed is given up at once where one attempt is all, as a whole',
		FAILED,
		{ attempts: 1, events: 2, probe: true },
		{
			...REJECTED,
			problem: { kind: 'gaveUp', attempts: 1, reason: FAILED.reason, events: ['event 0', 'event 1'] },
		},
	],
	['was only a try does not count', FAILED, { probe: true, attempt: 5 }, { stays: true }],
	[
		'of a batch failed is tried again',
		FAILED,
		{ events: 2, attempt: 3 },
		{ retryAfterMs: BOUNDS.retryWaitsMs[2] },
	],
	[
		'of a batch failed before its last attempt goes apart',
		FAILED,
		{ events: 2, attempt: 4 },
		{ apart: true },
	],
	['of a batch with two attempts goes apart', FAILED, { events: 2, attempts: 2 }, { apart: true }],
	[
		'of a batch with many attempts goes apart when it waited longest',
		FAILED,
		{ events: 2, attempt: 4, attempts: 50 },
		{ apart: true },
	],
	['of one event never goes apart', FAILED, { attempt: 4 }, { retryAfterMs: LAST }],
])('a run that %s', (_, result, run, expected) => expect(verdict(result, run)).toEqual(expected));
