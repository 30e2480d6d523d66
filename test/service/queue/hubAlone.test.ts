import { ServiceError } from '../../../service/errors';
import { BOUNDS } from '../../../service/queue/bounds';
import type { RunOutcome } from '../../../service/queue/contract';
import { hubOfProcess } from '../../../service/queue/hub';
import { settled } from '../../support/manualClock';
import { silent } from '../../support/silent';
import { addressOf, subscriber } from '../../support/subscriber';
import { listening } from '../../support/withoutBroker';

const address = addressOf({ port: 1 } as never);

it('a process has one hub, also where this package is loaded a second time', async () => {
	const first = hubOfProcess(silent);
	let second: unknown;
	await jest.isolateModulesAsync(async () => {
		const again = await import('../../../service/queue/hub');
		expect(again.hubOfProcess).not.toBe(hubOfProcess);
		second = again.hubOfProcess(silent);
	});
	expect(second).toBe(first);
	// Where other versions of this package look for it.
	const place = Symbol.for('n8n-nodes-parcel-document-exchange/hub/1');
	expect((globalThis as { [at: symbol]: unknown })[place]).toBe(first);
	expect(first).toHaveProperty('subscribe');
});

it.each(['', '  '])('a queue without a name (%j) is refused, and what to fill in is told', async (queue) => {
	const { hub, clock } = listening();
	await expect(hub.subscribe(subscriber(address, queue), false)).rejects.toMatchObject({
		code: 'invalidInput',
		message: 'The queue name is empty',
		remedy: 'Fill in Queue with the name the service gave you.',
	});
	expect(clock.pending).toBe(0);
});

describe('a subscriber that is not let in', () => {
	const shut = new ServiceError('unavailable', 'The vault is shut');
	/** Its credential is read while nothing is set. */
	function inVault() {
		const vault: { error: Error | undefined } = { error: shut };
		const recording = subscriber(address, 'events', {
			readAddress: async () => {
				if (vault.error) throw vault.error;
				return address;
			},
		});
		return { vault, recording };
	}

	it('is gone where a person has to act, and tried no more', async () => {
		const { hub, clock } = listening();
		const { vault, recording } = inVault();
		vault.error = new ServiceError('unauthorized', 'A wrong password');
		await expect(hub.subscribe(recording, false)).rejects.toBe(vault.error);
		vault.error = undefined;
		await clock.advance(10 * 60_000);
		expect([recording.problems, clock.pending]).toEqual([[], 0]);
	});

	it('hears why, is tried again, and told no more of it than once', async () => {
		const { hub, clock, deliver } = listening();
		const { vault, recording } = inVault();
		const member = await hub.subscribe(recording, false);
		await expect(member.untilListening()).rejects.toBe(shut);
		await clock.advance(5 * 60_000);
		expect(recording.problems).toEqual([{ kind: 'outage', error: shut, othersListen: false }]);
		vault.error = undefined;
		await clock.advance(BOUNDS.admitAgainMs + 10_000);
		await member.untilListening();
		await deliver(1);
		expect(recording.runs).toHaveLength(1);
		await member.leave();
	});

	it('is tried in the background where its host is starting, and nobody waits for that', async () => {
		const { hub, clock } = listening();
		const { vault, recording } = inVault();
		vault.error = new ServiceError('unauthorized', 'A wrong password');
		const member = await hub.subscribe(recording, true);
		await member.untilListening();
		await clock.advance(1_000);
		expect(recording.problems).toHaveLength(1);
		await member.leave();
	});

	it('is tried no more when it has left, and leaves once', async () => {
		const { hub, clock } = listening();
		const { recording } = inVault();
		const member = await hub.subscribe(recording, false);
		await member.leave();
		await member.leave();
		await clock.advance(60_000);
		expect(clock.pending).toBe(0);
	});

	it('joins nothing where it left while its credential was read', async () => {
		const { hub, clock, channels } = listening();
		let come!: () => void;
		const read = new Promise<void>((resolve) => (come = resolve));
		const recording = subscriber(address, 'events', {
			readAddress: async () => {
				await read;
				return address;
			},
		});
		const member = await hub.subscribe(recording, true);
		await member.leave();
		come();
		await settled();
		await clock.advance(60_000);
		expect([channels, clock.pending]).toEqual([[], 0]);
	});
});

it('who is published right as the last run of who was unpublished ends has one connection with the next', async () => {
	const { hub, clock, deliver, reading } = listening();
	let end!: (outcome: RunOutcome) => void;
	const outcome = async () => await new Promise<RunOutcome>((resolve) => (end = resolve));
	const before = await hub.subscribe(subscriber(address, 'events', { outcome }), false);
	await clock.advance(2_000);
	await deliver(1);
	await before.leave();
	await clock.advance(BOUNDS.returnMs + 1_000);
	end({ kind: 'succeeded' });
	await settled();
	const members = [await hub.subscribe(subscriber(address, 'events'), false)];
	await clock.advance(5_000);
	members.push(await hub.subscribe(subscriber(address, 'events', { key: 'next:node' }), false));
	await clock.advance(5_000);
	expect(reading()).toHaveLength(1);
	for (const member of members) await member.leave();
});

it('of those that share a connection, only one whose password was edited is let in anew', async () => {
	const { hub, clock, channels } = listening();
	const wrong = { ...address, password: 'wrong' };
	let edited = address;
	const reads = { same: 0, edited: 0 };
	const same = subscriber(address, 'events', {
		key: 'same:node',
		readAddress: async () => ((reads.same += 1), address),
	});
	const other = subscriber(address, 'events', {
		key: 'edited:node',
		readAddress: async () => ((reads.edited += 1), edited),
	});
	const members = [await hub.subscribe(same, false), await hub.subscribe(other, false)];
	await clock.advance(2_000);
	edited = wrong;
	Object.assign(reads, { same: 0, edited: 0 });
	channels.findLast(({ onMessage }) => onMessage)?.emit('close');
	await clock.advance(10_000);
	expect(reads).toEqual({ same: 1, edited: 2 });
	expect([same.problems, other.problems.length]).toEqual([[], 1]);
	for (const member of members) await member.leave();
});

it('what waits in the lane of a subscriber is counted, and nothing before it is let in', async () => {
	const { hub, clock, deliver } = listening();
	const outcome = async () => await new Promise<never>(() => {});
	const member = await hub.subscribe(
		subscriber(address, 'events', { options: { parallelRuns: 1 }, outcome }),
		false,
	);
	expect(member.resting?.()).toBe(0);
	await clock.advance(2_000);
	for (const set of [1, 2, 3]) await deliver(set);
	expect(member.resting?.()).toBe(2);
	await member.leave();
});
