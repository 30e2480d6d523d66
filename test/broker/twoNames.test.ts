import { pause, systemClock } from '../../service/surroundings';
import type { QueueAddress } from '../../service/queue/contract';
import { createHub } from '../../service/queue/hub';
import { waitUntil } from '../../sandbox/process/waitUntil';
import { eventBody, setIdOf } from '../support/events';
import { forAll } from '../support/forAll';
import { numbers } from '../support/numbers';
import { startTestQueue } from '../support/queue';
import { addressOf, recordingLogger, subscriber } from '../support/subscriber';

jest.setTimeout(240_000);

const service = forAll(startTestQueue);

/** Longer than it takes to be let in anew. */
const RUN_MS = 7_000;

/** A workflow on one queue, which is reached under two names of its host. */
async function moving(queue: string) {
	await service.declare(queue, { type: 'quorum' });
	const hub = createHub(recordingLogger(), systemClock);
	const ended: string[] = [];
	let own: QueueAddress = addressOf(service.broker);
	const workflow = () =>
		subscriber(own, queue, {
			readAddress: async () => own,
			options: { parallelRuns: 4 },
			outcome: async ({ events }) => {
				await pause(systemClock, RUN_MS);
				ended.push(...events.map(({ event }) => `${event.setId} ${event.status}`));
				return { kind: 'succeeded' };
			},
		});
	const move = (host: string) => (own = { ...own, host });
	const isEmpty = async () => {
		const { ready, unacknowledged } = await service.broker.queueDepth(queue);
		return ready + unacknowledged === 0;
	};
	const send = (...statuses: string[]) =>
		service.publish(
			queue,
			...statuses.flatMap((newStatus) => numbers(4).map((set) => eventBody(set, { newStatus }))),
		);
	const expected = (...statuses: string[]) =>
		statuses.flatMap((status) => numbers(4).map((set) => `${setIdOf(set)} ${status}`));
	return { hub, ended, workflow, move, isEmpty, send, expected };
}

it('what runs when the connections are closed runs once, where the credential names the same broker otherwise by then', async () => {
	const { hub, ended, workflow, move, isEmpty, send, expected } = await moving('edited');
	const member = await hub.subscribe(workflow(), false);
	await member.untilListening();
	await send('DRAFTED', 'SIGNED');
	await pause(systemClock, 2_000);
	move('localhost');
	await service.broker.closeConnections('moved');
	await waitUntil('all are handled', async () => ended.length >= 8 && (await isEmpty()), {
		deadlineMs: 120_000,
	});
	await member.leave();
	const bySet = (all: string[]) => all.toSorted((a, b) => a.split(' ')[0]!.localeCompare(b.split(' ')[0]!));
	expect(bySet(ended)).toEqual(bySet(expected('DRAFTED', 'SIGNED')));
});
