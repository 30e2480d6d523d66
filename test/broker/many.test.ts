import { waitUntil } from '../../sandbox/process/waitUntil';
import { createHub } from '../../service/queue/hub';
import { Entries } from '../../service/queue/entries';
import { Message } from '../../service/queue/message';
import { systemClock } from '../../service/surroundings';
import { eventBody } from '../support/events';
import { startTestQueue } from '../support/queue';
import { addressOf, recordingLogger, subscriber } from '../support/subscriber';
import { forAll } from '../support/forAll';

jest.setTimeout(120_000);

const service = forAll(startTestQueue);

const WORKFLOWS = 100;
const EVENTS = 100;

/** A queue full of events, and workflows for it whose runs go on until `end` is called. */
async function world(name: string, parallelRuns: number) {
	const queue = await service.declare(name);
	await service.publish(
		queue,
		...Array.from({ length: EVENTS }, (_, index) => eventBody(index, { step: index })),
	);
	let end = () => {};
	const ended = new Promise<void>((resolve) => (end = resolve));
	const workflows = Array.from({ length: WORKFLOWS }, (_, index) =>
		subscriber(addressOf(service.broker), queue, {
			key: `${name}-${index}:node`,
			options: { parallelRuns },
			outcome: async () => {
				await ended;
				return { kind: 'succeeded' };
			},
		}),
	);
	return { workflows, end };
}

it('looks at all workflows of a queue once for each event, not once for each workflow that gets it', async () => {
	const { workflows, end } = await world('many', EVENTS);
	const [first] = workflows;
	// Whoever looks at a workflow reads its options.
	let looks = 0;
	const { options } = first!;
	Object.defineProperty(first!, 'options', { get: () => ((looks += 1), options) });
	const hub = createHub(recordingLogger(), systemClock);
	const members = await Promise.all(workflows.map(async (workflow) => await hub.subscribe(workflow, false)));
	await members[0]!.untilListening();
	await waitUntil('all run', () => workflows.every(({ runs }) => runs.length === EVENTS), {
		deadlineMs: 60_000,
	});
	expect(looks).toBeLessThan(20 * (EVENTS + WORKFLOWS));
	end();
	await waitUntil('all are handled', () => workflows.every(({ running }) => running === 0));
	for (const member of members) await member.leave();
});

it('neither looks through all workflows for each that returns, nor through all events for each that leaves', async () => {
	const { workflows, end } = await world('returning', 1);
	const hub = createHub(recordingLogger(), systemClock);
	const joinAll = async () =>
		await Promise.all(workflows.map(async (workflow) => await hub.subscribe({ ...workflow }, false)));
	const members = await joinAll();
	await members[0]!.untilListening();
	await waitUntil('all run one', () => workflows.every(({ runs }) => runs.length === 1), {
		deadlineMs: 60_000,
	});
	const eventsSeen = jest.spyOn(Entries.prototype, 'owed', 'get');
	for (const member of members) await member.leave();
	expect(eventsSeen.mock.calls.length).toBeLessThan(WORKFLOWS / 2);
	const workflowsSeen = jest.spyOn(Message.prototype, 'hasShare');
	const again = await joinAll();
	// Each is expected first, and let in then.
	expect(workflowsSeen.mock.calls.length).toBeLessThan(4 * EVENTS * WORKFLOWS);
	end();
	for (const member of again) await member.leave();
	jest.restoreAllMocks();
});
