import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from 'amqplib';
import type { QueueOptions } from '../../sandbox/broker/administration';
import { waitUntil } from '../../sandbox/process/waitUntil';
import { BOUNDS } from '../../service/queue/bounds';
import type { Membership } from '../../service/queue/contract';
import { createHub } from '../../service/queue/hub';
import { openLink } from '../../service/queue/link';
import { systemClock } from '../../service/surroundings';
import { eventBody, setIdOf } from '../support/events';
import { startTestQueue } from '../support/queue';
import { addressOf, recordingLogger, subscriber, type Run } from '../support/subscriber';
import { numbers } from '../support/numbers';
import { forAll } from '../support/forAll';

jest.setTimeout(120_000);

const service = forAll(startTestQueue);
let queues = 0;

const SETS = 6;
const bodies = (count: number) => numbers(count).map((n) => eventBody(n % SETS, { step: n }));
const stepsOf = (runs: readonly Run[], set: number) =>
	runs.flatMap(({ events }) =>
		events.filter(({ event }) => event.setId === setIdOf(set)).map(({ event }) => event.raw.step),
	);

/** Later starts of an earlier event of the same set. */
function inversions(runs: readonly Run[]): number {
	return numbers(SETS).reduce((sum, set) => {
		const steps = stepsOf(runs, set) as number[];
		return sum + steps.filter((step, index) => index > 0 && step < steps[index - 1]!).length;
	}, 0);
}

describe.each<[string, QueueOptions]>([
	['classic', {}],
	['quorum', { type: 'quorum' }],
	['quorum with a limit of 20', { type: 'quorum', deliveryLimit: 20 }],
])('a queue of the type %s', (_, options) => {
	const newQueue = () => service.declare(`typed-${(queues += 1)}`, options);
	const empty = (queue: string) =>
		waitUntil('the queue is empty', async () => {
			const { ready, unacknowledged } = await service.broker.queueDepth(queue);
			return ready + unacknowledged === 0;
		});
	const slow = async (): Promise<{ kind: 'succeeded' }> => {
		await sleep(20);
		return { kind: 'succeeded' };
	};

	it('lets another process have what it does not run, while a run goes on after its workflow left', async () => {
		const queue = await newQueue();
		const bounds = { ...BOUNDS, successorLookMs: 200, successorSureMs: 1_000 };
		let endRun = () => {};
		const long = new Promise<{ kind: 'succeeded' }>((resolve) => {
			endRun = () => resolve({ kind: 'succeeded' });
		});
		const before = subscriber(addressOf(service.broker), queue, {
			options: { parallelRuns: 1 },
			outcome: () => long,
		});
		const left = await createHub(recordingLogger(), systemClock, openLink, bounds).subscribe(before, false);
		await left.untilListening();
		await service.publish(queue, ...bodies(10));
		await waitUntil('it runs one', () => before.runs.length === 1);
		const now = subscriber(addressOf(service.broker), queue);
		const leads = await createHub(recordingLogger(), systemClock).subscribe(now, false);
		await leads.untilListening();
		await left.leave();
		await service.publish(queue, ...numbers(10).map((n) => eventBody(n, { step: 10 + n })));
		await waitUntil('the others have run', () => now.runs.length >= 19);
		endRun();
		await empty(queue);
		const steps = [...before.runs, ...now.runs].map(({ events: [event] }) => Number(event?.event.raw.step));
		expect(steps.sort((a, b) => a - b)).toEqual(numbers(20));
		await leads.leave();
	});

	it('keeps the order of each set, and runs nothing twice, while its workflow is published again and again', async () => {
		const queue = await newQueue();
		const hub = createHub(recordingLogger(), systemClock);
		const one = subscriber(addressOf(service.broker), queue, { outcome: slow });
		let member: Membership = await hub.subscribe(one, false);
		await member.untilListening();
		await service.publish(queue, ...bodies(120));
		for (let times = 0; times < 4; times += 1) {
			await sleep(120);
			await member.leave();
			await sleep(30);
			member = await hub.subscribe({ ...one }, false);
		}
		await waitUntil('all have run', () => one.setIds.length >= 120);
		await empty(queue);
		expect({ runs: one.setIds.length, inversions: inversions(one.runs) }).toEqual({
			runs: 120,
			inversions: 0,
		});
		await member.leave();
	});

	it('keeps the order of each set over lost connections', async () => {
		const queue = await newQueue();
		const hub = createHub(recordingLogger(), systemClock);
		const one = subscriber(addressOf(service.broker), queue, { outcome: slow });
		const member = await hub.subscribe(one, false);
		await member.untilListening();
		await service.publish(queue, ...bodies(120));
		await waitUntil('some have run', () => one.runs.length > 20);
		await service.broker.closeConnections();
		await waitUntil('all have run', () => one.setIds.length >= 120, { deadlineMs: 60_000 });
		await empty(queue);
		expect({ runs: one.setIds.length, inversions: inversions(one.runs) }).toEqual({
			runs: 120,
			inversions: 0,
		});
		await member.leave();
	});

	it('gives everything back in its place when its workflow is unpublished with events at rest', async () => {
		const queue = await newQueue();
		const hub = createHub(recordingLogger(), systemClock);
		const away = subscriber(addressOf(service.broker), queue, {
			outcome: () => ({ kind: 'failed', reason: 'the mail server is away' }),
		});
		const member = await hub.subscribe(away, false);
		await member.untilListening();
		await service.publish(queue, ...bodies(60));
		await waitUntil('it has tried', () => away.runs.length >= 6);
		await member.leave();
		await waitUntil('all is back', async () => (await service.broker.queueDepth(queue)).ready === 60);
		const well = subscriber(addressOf(service.broker), queue, { key: 'another:node' });
		const another = await createHub(recordingLogger(), systemClock).subscribe(well, false);
		await waitUntil('all have run', () => well.setIds.length === 60);
		await empty(queue);
		expect(inversions(well.runs)).toBe(0);
		await another.leave();
	});
});

describe.each(['classic', 'quorum'])(
	'a %s queue with a single active consumer, on which events wait',
	(type) => {
		it('is published on at once, and every event runs', async () => {
			const queue = `alone-${(queues += 1)}`;
			const connection = await connect(service.broker.url());
			const channel = await connection.createChannel();
			await channel.assertQueue(queue, {
				arguments: { 'x-queue-type': type, 'x-single-active-consumer': true },
			});
			await connection.close();
			await service.publish(queue, ...bodies(12));
			const hub = createHub(recordingLogger(), systemClock);
			const one = subscriber(addressOf(service.broker), queue);
			const member = await hub.subscribe(one, false);
			await member.untilListening();
			await waitUntil('all have run', () => one.setIds.length >= 12);
			expect(one.setIds).toHaveLength(12);
			expect(one.problems).toEqual([]);
			await member.leave();
		});
	},
);
