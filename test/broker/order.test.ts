import { setTimeout as sleep } from 'node:timers/promises';
import { waitUntil } from '../../sandbox/process/waitUntil';
import { createHub } from '../../service/queue/hub';
import { systemClock } from '../../service/surroundings';
import { eventBody, setIdOf } from '../support/events';
import { startTestQueue } from '../support/queue';
import { addressOf, recordingLogger, subscriber, type Run } from '../support/subscriber';
import { numbers } from '../support/numbers';
import { forAll } from '../support/forAll';

jest.setTimeout(60_000);

const service = forAll(startTestQueue);

const stepOf = ({ events: [first] }: Run) => first!.event.raw['step'] as number;
const setOf = ({ events: [first] }: Run) => first!.event.setId ?? '';

it('keeps the order of each of 200 interleaved sets, with runs of random length side by side', async () => {
	const [sets, steps] = [200, 5];
	const queue = await service.declare('interleaved');
	const ended: Run[] = [];
	const many = subscriber(addressOf(service.broker), queue, {
		options: { parallelRuns: 20 },
		outcome: async (run) => {
			await sleep(Math.random() * 30);
			ended.push(run);
			return { kind: 'succeeded' };
		},
	});
	const member = await createHub(recordingLogger(), systemClock).subscribe(many, false);
	await member.untilListening();
	const bodies = numbers(sets * steps).map((n) =>
		eventBody(n % sets, { step: Math.floor(n / sets), updatedDate: `step ${Math.floor(n / sets)}` }),
	);
	await service.publish(queue, ...bodies);
	await waitUntil('all have ended', () => ended.length === sets * steps, { deadlineMs: 30_000 });
	for (const runs of [many.runs, ended]) {
		for (const set of numbers(sets).map(setIdOf)) {
			expect(runs.filter((run) => setOf(run) === set).map(stepOf)).toEqual(numbers(steps));
		}
	}
	expect(many.mostRunning).toBe(20);
	await member.leave();
});

it('lets a fast workflow finish while a slow one on the same queue still runs', async () => {
	const queue = await service.declare('slow-and-fast');
	const hub = createHub(recordingLogger(), systemClock);
	const slow = subscriber(addressOf(service.broker), queue, {
		key: 'slow:node',
		outcome: () => sleep(20_000, { kind: 'succeeded' as const }, { ref: false }),
	});
	const fast = subscriber(addressOf(service.broker), queue, { key: 'fast:node' });
	const members = [await hub.subscribe(slow, false), await hub.subscribe(fast, false)];
	await Promise.all(members.map((member) => member.untilListening()));
	await service.publish(queue, ...numbers(40).map((n) => eventBody(n)));
	await waitUntil('the fast one is done', () => fast.runs.length === 40, { deadlineMs: 10_000 });
	expect(slow.runs).toHaveLength(5);
	await Promise.all(members.map((member) => member.leave()));
});
