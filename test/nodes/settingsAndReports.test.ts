import type { ITriggerFunctions } from 'n8n-workflow';
import { eventParse } from '../../nodes/ParcelDocumentExchange/actions/eventParse';
import { listenOnce } from '../../nodes/ParcelDocumentExchange/trigger/listenOnce';
import { reportTo } from '../../nodes/ParcelDocumentExchange/trigger/report';
import { sampleEvents } from '../../nodes/ParcelDocumentExchange/events/samples';
import { readSettings } from '../../nodes/ParcelDocumentExchange/trigger/settings';
import { ServiceError } from '../../service/errors';
import { readStatusEvent } from '../../service/model/event';
import { decode } from '../../service/queue/decode';
import type { Problem } from '../../service/queue/contract';
import { eventBody } from '../support/events';
import { manualClock, settled } from '../support/manualClock';
import { triggerContext } from '../support/triggerContext';

describe('sample events', () => {
	it('are one of each known status when none is chosen', () => {
		expect(sampleEvents([]).map(({ status, action, actor }) => [status, action, actor !== null])).toEqual([
			['DRAFTED', 'APPROVE_COLLAB', true],
			['SIGNED', 'SIGN', true],
			['ISSUED', 'ISSUE', true],
			['TITLE_HELD', 'ISSUE', true],
			['TRANSFER_DRAFTED', 'DRAFT_TRANSFER', true],
		]);
	});

	it('are one of each chosen status, another status included', () => {
		expect(sampleEvents(['OTHER', 'ISSUED']).map(({ status }) => status)).toEqual([
			'ISSUED',
			'SAMPLE_STATUS',
		]);
	});

	it('change the transaction with the title, as the service does', () => {
		const [drafted, signed, issued, held, transfer] = sampleEvents([]).map(
			({ transactionId }) => transactionId,
		);
		expect([signed, issued]).toEqual([drafted, drafted]);
		expect(held).not.toBe(drafted);
		expect(transfer).toBe(held);
	});

	it('have the fields of a live event, none of them null but the ones its kind does not carry', () => {
		const [, signed] = sampleEvents([]);
		expect(Object.entries(signed!).filter(([, value]) => value === null)).toEqual([]);
	});

	it.each([true, false])(
		'are shown by "Execute step" without a queue, with Simplify %s',
		async (simplify) => {
			const { context, emitted } = triggerContext({
				testWith: 'sampleEvent',
				statuses: ['SIGNED', 'ISSUED'],
				simplify,
			});
			await listenOnce(context).manualTriggerFunction!();
			expect(emitted).toHaveLength(1);
			const items = emitted[0]![0]!;
			expect(items).toHaveLength(2);
			expect(items[0]!.json).toMatchObject(
				simplify ? { status: 'SIGNED', isSample: true, attempt: 1 } : { newStatus: 'Signed' },
			);
		},
	);
});

describe('the settings of the trigger', () => {
	it('have the defaults of the panel', () => {
		expect(readSettings(triggerContext({ queue: ' events ' }).context)).toEqual({
			queue: 'events',
			testWith: 'nextEvent',
			simplify: true,
			filter: { statuses: [], customerIds: [], instances: [] },
			options: {
				removeWhen: 'succeeded',
				parallelRuns: 5,
				keepOrder: true,
				attempts: 5,
				batchSize: 1,
				batchWaitMs: 2000,
				skipRepeats: true,
			},
		});
	});

	it('take filters as people write them', () => {
		const options = {
			customerIds: [' ABC ', ''],
			instances: ['HUB', 'Exchange', ' Other '],
			parallelRuns: '7',
		};
		const settings = readSettings(triggerContext({ queue: 'events', options }).context);
		expect(settings.filter).toMatchObject({ customerIds: ['abc'], instances: ['hub', 'exchange', 'other'] });
		expect(settings.options).toMatchObject({ parallelRuns: 7 });
	});

	it.each<[string, unknown]>([
		['pickers', [{ customerId: { __rl: true, mode: 'list', value: ' ABC ', cachedResultName: 'Abc' } }]],
		['pickers and texts', ['ABC', { customerId: 'ABC' }]],
		['texts', ['ABC']],
		['one text', 'ABC,'],
	])('take customers as a list of %s', (_, customerIds) => {
		const { filter } = readSettings(triggerContext({ queue: 'events', options: { customerIds } }).context);
		expect([...new Set(filter.customerIds)]).toEqual(['abc']);
	});

	it.each<[string, unknown]>([
		['parallelRuns', 0],
		['parallelRuns', 'many'],
		['attempts', 99],
		['attempts', 2.5],
		['batchSize', 'x'],
		['batchSeconds', -1],
		['customerIds', [['a']]],
		['customerIds', { a: 1 }],
		['customerIds', [{ customerId: { __rl: true, mode: 'list', value: '' } }]],
		['customerIds', [{}]],
		['customerIds', [' ']],
		['customerIds', [{ customerId: { mode: 'id', value: ['a'] } }]],
		['instances', [{ name: 'hub' }]],
	])('refuse %s %j instead of guessing', (name, value) => {
		const { context } = triggerContext({ queue: 'events', options: { [name]: value } });
		expect(() => readSettings(context)).toThrow(expect.objectContaining({ code: 'invalidInput' }));
	});

	it.each(['later', '', 7, {}, ['succeeded']])('refuse %j as the time to remove an event', (removeWhen) => {
		const { context } = triggerContext({ queue: 'events', options: { removeWhen } });
		expect(() => readSettings(context)).toThrow('Remove From Queue holds none of its three choices');
	});

	it.each([
		['an empty queue name', ''],
		['a queue name of 256 characters', 'x'.repeat(256)],
	])('refuse %s before anything is sent, saying what to do', (_, queue) => {
		expect(() => readSettings(triggerContext({ queue }).context)).toThrow(
			expect.objectContaining({ code: 'invalidInput', remedy: expect.stringMatching(/queue name|Queue/) }),
		);
	});
});

describe('reports', () => {
	const reported = async (context: ITriggerFunctions, problem: Problem) => {
		reportTo(context, 'Papers', problem, manualClock());
		await settled();
	};

	const event = readStatusEvent(eventBody(1))!;
	const problems: Array<[string, Problem, RegExp]> = [
		[
			'an unreadable message',
			{ kind: 'unreadable', messages: [{ reason: 'it is not JSON', body: '{"newStatus": oops' }] },
			/not a status event: it is not JSON/,
		],
		[
			'an event given up',
			{ kind: 'gaveUp', attempts: 5, reason: 'No such mailbox', events: [event] },
			/failed 5 times for the event ISSUED of PRC-1/,
		],
		[
			'a batch given up',
			{ kind: 'gaveUp', attempts: 1, reason: 'x', events: [event, event] },
			/failed once for 2 events/,
		],
		[
			'an unknown result',
			{ kind: 'unknownResult', events: [event] },
			/^n8n did not say how the run for the event ISSUED of PRC-1 ended$/,
		],
		[
			'a run that did not start',
			{ kind: 'notStarted', reason: 'x', events: [event] },
			/^n8n could not start a run for the event ISSUED of PRC-1$/,
		],
		[
			'many unreadable messages',
			{ kind: 'unreadable', messages: Array(21).fill({ reason: 'it is not JSON', body: '{' }) },
			/^21 messages on the queue are not status events$/,
		],
		...(
			[
				['absent', 'it was away, or could not be let in to the queue, for too long'],
				['waiting', 'it waited for too long while others went on'],
				['left', 'it was unpublished before the event was done'],
				['late', 'n8n started it when the event was off the queue already'],
				['dropped', 'what went back to the queue did not come again'],
				['queueGone', 'the queue was deleted with it'],
			] as const
		).map(([why, reason]): [string, Problem, RegExp] => [
			`an event that was not kept (${why})`,
			{ kind: 'notKept', why, events: [event], count: 1 },
			new RegExp(`^This workflow did not get the event ISSUED of PRC-1: ${reason}$`),
		]),
		...(
			[
				['failing', 'its runs fail'],
				['notStarting', 'n8n cannot start its runs'],
				['unknown', 'n8n does not say how its runs end'],
			] as const
		).map(([cause, what]): [string, Problem, RegExp] => [
			`a workflow that waits (${cause})`,
			{ kind: 'waits', cause, reason: 'No mail server', since: 0, nextTryInMs: 60_000 },
			new RegExp(`^The workflow waits, since ${what}: No mail server$`),
		]),
		[
			'a workflow of which all places are taken',
			{ kind: 'waits', cause: 'unknown', reason: '', since: 0, nextTryInMs: 60_000, placesTaken: 5 },
			/^The workflow starts nothing more, since all its places for runs are taken \(5\)$/,
		],
		[
			'an outage',
			{
				kind: 'outage',
				error: new ServiceError('notFound', 'The queue “events” was not found', { remedy: 'Check it.' }),
			},
			/cannot listen to the queue: The queue “events” was not found/,
		],
	];

	it.each(problems)('%s becomes a failed execution with a plain message', async (_, problem, message) => {
		const { context, stored, logger } = triggerContext();
		await reported(context, problem);
		expect(stored).toHaveLength(1);
		expect(stored[0]!.message).toMatch(message);
		expect(logger.lines).toHaveLength(1);
	});

	it.each([
		[true, /with its content\. A queue with a limit of deliveries drops in the end/],
		[false, /No event is lost: .* with its content\. It waits since/],
	])(
		'do not promise a workflow that waits more than the queue keeps (it counts: %s)',
		async (countsDeliveries, words) => {
			const { context, stored } = triggerContext();
			const nextTryInMs = 12 * 3_600_000;
			await reported(context, {
				...{
					kind: 'waits',
					cause: 'failing',
					reason: 'No mail server',
					since: 0,
					nextTryInMs,
					countsDeliveries,
				},
			});
			const { description } = stored[0]!;
			expect(description).toMatch(words);
			expect(description).toContain('To try at once, unpublish the workflow and publish it again');
			expect(description).toMatch(/the next time in (720 minutes|12 hours)/);
		},
	);

	it.each([
		['unauthorized', true],
		['notFound', false],
	] as const)('on an outage (%s) promise that nothing is lost: %s', async (code, promised) => {
		const { context, stored } = triggerContext();
		await reported(context, { kind: 'outage', error: new ServiceError(code, 'Away', { remedy: 'Go.' }) });
		expect(stored[0]!.description?.includes('No event is lost')).toBe(promised);
	});

	it('stand in the log, body included, where n8n cannot store them', async () => {
		const { context, logger } = triggerContext({}, { storesFailures: false });
		await reported(context, {
			kind: 'unreadable',
			messages: [{ reason: 'it is not JSON', body: 'the body' }],
		});
		expect(logger.lines.join('\n')).toContain('the body');
	});

	it('carry the event, ready for Parse Event', async () => {
		const { context, stored } = triggerContext();
		await reported(context, { kind: 'gaveUp', attempts: 5, reason: 'x', events: [event] });
		const [item] = await eventParse.answer(
			{ execution: { error: { description: stored[0]!.description } } } as never,
			{} as never,
		);
		expect(item!.json).toMatchObject({ eventId: event.eventId, status: 'ISSUED' });
	});

	it('on a batch carry every event, ready for Parse Event', async () => {
		const { context, stored } = triggerContext();
		const events = Array.from({ length: 500 }, (_, number) => readStatusEvent(eventBody(number))!);
		await reported(context, { kind: 'gaveUp', attempts: 5, reason: 'x', events });
		const items = await eventParse.answer(
			{ execution: { error: { description: stored[0]!.description } } } as never,
			{} as never,
		);
		expect(items.map(({ json }) => json.eventId)).toEqual(events.map(({ eventId }) => eventId));
	});

	it('carry the fields of an event that is nested too deep to be written', async () => {
		const { context, stored } = triggerContext();
		const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
		const body = JSON.stringify(eventBody(1)).replace('{', `{"more":${deep},`);
		const decoded = decode(Buffer.from(body));
		expect(decoded).toHaveProperty('event');
		const events = 'event' in decoded ? [decoded.event] : [];
		await reported(context, { kind: 'gaveUp', attempts: 5, reason: 'x', events });
		expect(stored[0]!.description).toContain('PRC-1');
	});

	it('carry a large event whole, ready for Parse Event, where it is legible in more room only', async () => {
		const { context, stored } = triggerContext();
		const large = readStatusEvent(eventBody(1, { pages: Array(400_000).fill(1) }))!;
		await reported(context, { kind: 'gaveUp', attempts: 1, reason: 'x', events: [large] });
		const [item] = await eventParse.answer(
			{ execution: { error: { description: stored[0]!.description } } } as never,
			{} as never,
		);
		expect(item!.json).toMatchObject({ eventId: large.eventId });
	});

	it('have a first line that can be read, whatever the sender wrote into an event', async () => {
		const { context, stored } = triggerContext();
		const long = 'x'.repeat(300_000);
		const odd = readStatusEvent(eventBody(1, { newStatus: long, parcelReference: long }))!;
		await reported(context, { kind: 'gaveUp', attempts: 5, reason: 'x', events: [odd] });
		expect(stored[0]!.message.length).toBeLessThan(400);
		expect(stored[0]!.description).toContain(long);
	});

	const largeBodies = Array.from({ length: 12 }, (_, number) => `${number}:${'x'.repeat(1024 * 1024)}`);
	const largeEvents = largeBodies.map((papers, number) => readStatusEvent(eventBody(number, { papers }))!);
	const deepEvents = () => {
		const deep = `${'['.repeat(100_000)}"0:x"${']'.repeat(100_000)}`;
		const body = JSON.stringify(eventBody(1)).replace('{', `{"more":${deep},`);
		const decoded = decode(Buffer.from(body));
		return 'event' in decoded ? [decoded.event] : [];
	};
	it.each<[string, Problem, number]>([
		['events of a batch', { kind: 'gaveUp', attempts: 1, reason: 'x', events: largeEvents }, 12],
		['events of unknown end', { kind: 'unknownResult', events: largeEvents }, 12],
		['events not started', { kind: 'notStarted', reason: 'x', events: largeEvents }, 12],
		['a deep event', { kind: 'gaveUp', attempts: 1, reason: 'x', events: deepEvents() }, 1],
		[
			'unreadable messages',
			{ kind: 'unreadable', messages: largeBodies.map((body) => ({ reason: 'it is not JSON', body })) },
			12,
		],
	])('leave nothing out that the log has not: %s', async (_, problem, count) => {
		const { context, logger, stored } = triggerContext();
		await reported(context, problem);
		expect(stored[0]!.description!.length).toBeLessThan(9 * 1024 * 1024);
		const log = logger.lines.join('\n');
		for (let number = 0; number < count; number += 1) expect(log).toContain(`${number}:x`);
	});

	it('never throw, even when n8n does', async () => {
		const { context, logger } = triggerContext();
		Object.assign(context, {
			saveFailedExecution: () => {
				throw new Error('no database');
			},
		});
		await reported(context, problems[1]![1]);
		expect(logger.lines.join('\n')).toContain('PRC-1');
	});
});
