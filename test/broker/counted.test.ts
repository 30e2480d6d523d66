import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from 'amqplib';
import { waitUntil } from '../../sandbox/process/waitUntil';
import { BOUNDS, type Bounds } from '../../service/queue/bounds';
import { createHub } from '../../service/queue/hub';
import { openLink } from '../../service/queue/link';
import { systemClock } from '../../service/surroundings';
import { eventBody, setIdOf } from '../support/events';
import { startTestQueue } from '../support/queue';
import { addressOf, recordingLogger, subscriber } from '../support/subscriber';
import { forAll } from '../support/forAll';

/** A queue that counts how often it gave an event out is read otherwise, since its limit may drop what comes often. */

jest.setTimeout(120_000);

const service = forAll(startTestQueue);

const newHub = (bounds: Partial<Bounds> = {}) =>
	createHub(recordingLogger(), systemClock, openLink, { ...BOUNDS, ...bounds });

/** A workflow that asks for this status; its runs end when they are let. */
function workflow(queue: string, status: string) {
	let endRuns = () => {};
	const long = new Promise<{ kind: 'succeeded' }>((resolve) => {
		endRuns = () => resolve({ kind: 'succeeded' });
	});
	const one = subscriber(addressOf(service.broker), queue, {
		key: `${status}:node`,
		filter: { statuses: [status], customerIds: [], instances: [] },
		options: { parallelRuns: 1 },
		outcome: () => long,
	});
	return { one, endRuns };
}

it('a queue made anew as a classic one keeps a workflow no longer from what stands behind the events of a slow one', async () => {
	const queue = await service.declare('anew', { type: 'quorum' });
	const hub = newHub({ renewAfterMs: 2_000 });
	const slow = workflow(queue, 'SIGNED');
	const quick = workflow(queue, 'ISSUED');
	const members = [await hub.subscribe(slow.one, false)];
	await members[0]!.untilListening();
	await service.publish(queue, eventBody(0, { newStatus: 'Signed' }));
	await waitUntil('it runs', () => slow.one.runs.length === 1);
	// It comes again over another channel, counted.
	members.push(await hub.subscribe(quick.one, false));
	await sleep(3_000);
	await service.broker.deleteQueue(queue);
	await service.declare(queue, { type: 'classic' });
	await members[0]!.untilListening();
	const many = Array.from({ length: 600 }, (_, index) => eventBody(index + 1, { newStatus: 'Signed' }));
	await service.publish(queue, ...many, eventBody(601, { newStatus: 'Issued' }));
	await waitUntil('the other workflow has its event', () => quick.one.runs.length === 1, {
		deadlineMs: 30_000,
	});
	for (const { endRuns } of [slow, quick]) endRuns();
	for (const member of members) await member.leave();
});

it.each(['classic', 'quorum'] as const)(
	'a count that an event brings along, as a shovel leaves it there, is not taken for one of its %s queue',
	async (type) => {
		const queue = await service.declare(`shovelled-${type}`, { type });
		const hub = newHub({ streakRuns: 2, streakSets: 1, retryWaitsMs: [0], probesMs: [600_000] });
		const well = subscriber(addressOf(service.broker), queue, { key: 'well:node' });
		const failing = subscriber(addressOf(service.broker), queue, {
			key: 'failing:node',
			options: { attempts: 20 },
			outcome: () => ({ kind: 'failed', reason: 'away' }),
		});
		const members = [await hub.subscribe(well, false), await hub.subscribe(failing, false)];
		for (const member of members) await member.untilListening();
		const connection = await connect(service.broker.url());
		const channel = await connection.createConfirmChannel();
		const headers = { 'x-delivery-count': 17 };
		for (const step of [1, 2, 3])
			channel.sendToQueue(queue, Buffer.from(JSON.stringify(eventBody(step))), { headers });
		await channel.waitForConfirms();
		await connection.close();
		await waitUntil('the other workflow has run them', () => well.runs.length === 3);
		await sleep(500);
		expect(failing.problems).toEqual([]);
		for (const member of members) await member.leave();
	},
);

it('an event that alone of its status fails is reported before its quorum queue drops it, and what waits behind it runs', async () => {
	const queue = await service.declare('stuck', { type: 'quorum', deliveryLimit: 10 });
	const logger = recordingLogger();
	const short = { retryWaitsMs: [50], renewAfterMs: 1_000, keptDeliveries: 4, noneWaitsMs: 5_000 };
	const hub = createHub(logger, systemClock, openLink, { ...BOUNDS, ...short });
	const one = subscriber(addressOf(service.broker), queue, {
		options: { attempts: 3 },
		outcome: ({ events: [first] }) =>
			first!.event.status === 'TITLE_HELD'
				? { kind: 'failed', reason: 'no such title' }
				: { kind: 'succeeded' },
	});
	const member = await hub.subscribe(one, false);
	await member.untilListening();
	const behind = [1, 2, 3].map((step) => eventBody(0, { step }));
	await service.publish(queue, eventBody(0, { newStatus: 'TITLE_HELD' }), ...behind);
	for (let number = 1; number <= 16; number += 1) {
		await service.publish(queue, eventBody(number));
		await sleep(1_000);
	}
	const ran = one.setIds.filter((id) => id === setIdOf(0)).length;
	const failed = one.runs.filter(({ events }) => events[0]!.event.status === 'TITLE_HELD').length;
	expect(ran - failed).toBe(3);
	expect(one.problems.filter(({ kind }) => kind !== 'waits')).toEqual([
		expect.objectContaining({
			kind: 'notKept',
			why: 'waiting',
			events: [expect.objectContaining({ status: 'TITLE_HELD' })],
		}),
	]);
	await member.leave();
});

it.each([
	{ sets: 12, count: 48, runMs: 800 },
	{ sets: 1, count: 30, runMs: 600 },
])(
	'a backlog of $sets sets behind slow runs keeps its order, and its quorum queue drops none of it',
	async (its) => {
		const { sets, count, runMs } = its;
		const queue = await service.declare(`backlog-${sets}`, { type: 'quorum', deliveryLimit: 8 });
		const hub = newHub({ renewAfterMs: 1_000, drainMs: 400, spareDeliveries: 4 });
		const setOf = (step: number) => step % sets;
		const bodies = Array.from({ length: count }, (_, step) => eventBody(setOf(step), { step }));
		await service.publish(queue, ...bodies);
		const one = subscriber(addressOf(service.broker), queue, {
			options: { parallelRuns: 2 },
			outcome: async () => {
				await sleep(runMs);
				return { kind: 'succeeded' };
			},
		});
		const member = await hub.subscribe(one, false);
		await member.untilListening();
		await waitUntil('all have run', () => one.runs.length >= count, { deadlineMs: 60_000 });
		const steps = one.runs.map(({ events }) => events[0]!.event.raw['step'] as number);
		expect([...steps].sort((a, b) => a - b)).toEqual(Array.from({ length: count }, (_, step) => step));
		for (let set = 0; set < sets; set += 1) {
			const own = steps.filter((step) => setOf(step) === set);
			expect(own).toEqual([...own].sort((a, b) => a - b));
		}
		expect(one.problems).toEqual([]);
		await member.leave();
	},
);
