import { ServiceError } from '../../../service/errors';
import { BOUNDS } from '../../../service/queue/bounds';
import type { DeliveredEvent, EventFilter, Problem } from '../../../service/queue/contract';
import { addressOf, subscriber } from '../../support/subscriber';
import { listening } from '../../support/withoutBroker';

const address = addressOf({ port: 1 } as never);
const anything: EventFilter = { statuses: [], customerIds: [], instances: [] };

describe('whoever is let in', () => {
	it('listens when the queue is read, and hears why where it cannot be', async () => {
		const { clock, hub, broker } = listening();
		const member = await hub.subscribe(subscriber(address, 'events'), false);
		let heard: unknown;
		member.untilListening().then(
			() => (heard = 'listens'),
			(error: Error) => (heard = error.message),
		);
		broker.isAway = true;
		await clock.advance(1_400);
		expect(heard).toBeUndefined();
		await clock.advance(200);
		expect(heard).toBe('The broker is away');
		broker.isAway = false;
		await member.untilListening();
		await member.leave();
	});

	it('has shown its own password, where another user reads a queue of that name', async () => {
		const { clock, hub } = listening();
		const member = await hub.subscribe(subscriber(address, 'events'), false);
		await clock.advance(2_000);
		const other = { ...address, username: 'other', password: 'wrong' };
		const second = subscriber(other, 'events', { key: 'other:node' });
		await expect(hub.subscribe(second, false)).rejects.toMatchObject({ message: 'A wrong password' });
		await member.leave();
	});

	it('is told each cause that keeps it out while others listen, and each once', async () => {
		const { clock, hub } = listening();
		const member = await hub.subscribe(subscriber(address, 'events'), false);
		await clock.advance(2_000);
		const causes = ['The vault is locked', 'The vault is locked', 'The vault is gone'];
		const told: Problem[] = [];
		const kept = await hub.subscribe(
			subscriber(address, 'events', {
				key: 'other:node',
				report: (problem) => void told.push(problem),
				readAddress: async () => {
					throw new ServiceError('unavailable', causes.shift() ?? 'The vault is gone');
				},
			}),
			true,
		);
		await clock.advance(10 * 60_000);
		expect(told).toMatchObject([
			{ kind: 'outage', error: { message: 'The vault is locked' }, othersListen: true },
			{ kind: 'outage', error: { message: 'The vault is gone' }, othersListen: true },
		]);
		await Promise.all([member.leave(), kept.leave()]);
	});
});

it('who never was let in is told the number of what could not be kept for it when it leaves, once', async () => {
	const { clock, hub, deliver } = listening({ ...BOUNDS, keptEvents: 1 });
	const stays = await hub.subscribe(subscriber(address, 'events'), false);
	await clock.advance(2_000);
	const keptOut = subscriber({ ...address, password: 'wrong' }, 'events', { key: 'other:node' });
	const member = await hub.subscribe(keptOut, false, true);
	for (const set of [1, 2, 3]) await deliver(set);
	await clock.advance(BOUNDS.keptFreelyMs + 1_000);
	const told = () => keptOut.problems.filter(({ kind }) => kind === 'notKept');
	expect(told()).toEqual([]);
	await member.leave();
	expect(told()).toMatchObject([{ events: [], count: 2 }]);
	// It is kept for three minutes more, and what comes then is nobody's if it does not return.
	for (const set of [4, 5]) await deliver(set);
	await clock.advance(10 * 60_000);
	expect(told()).toHaveLength(1);
	await stays.leave();
	await clock.advance(10 * 60_000);
	expect(clock.pending).toBe(0);
});

describe('whoever looks on', () => {
	it('gets a copy of each event that passes, while the queue is listened to, over the same connection', async () => {
		const { clock, hub, deliver, connections } = listening();
		const recording = subscriber(address, 'events');
		const copies: DeliveredEvent[] = [];
		const lookOn = async () => await hub.tap(address, 'events', anything, (copy) => void copies.push(copy));
		expect(await lookOn()).toBeUndefined();
		const member = await hub.subscribe(recording, false);
		expect(await lookOn()).toBeUndefined();
		await clock.advance(2_000);
		const stop = await lookOn();
		expect(connections).toHaveLength(1);
		await deliver(1);
		stop?.();
		await deliver(2);
		expect([copies.length, recording.runs.length]).toEqual([1, 2]);
		await member.leave();
	});

	it('has shown its own password', async () => {
		const { clock, hub } = listening();
		const member = await hub.subscribe(subscriber(address, 'events'), false);
		await clock.advance(2_000);
		const wrong = { ...address, password: 'wrong' };
		await expect(hub.tap(wrong, 'events', anything, () => {})).rejects.toMatchObject({
			message: 'A wrong password',
		});
		await member.leave();
	});
});
