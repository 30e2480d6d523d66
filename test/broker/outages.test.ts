import { waitUntil } from '../../sandbox/process/waitUntil';
import { BOUNDS, type Bounds } from '../../service/queue/bounds';
import type { Membership, QueueAddress, RunOutcome } from '../../service/queue/contract';
import { createHub, hubOfProcess } from '../../service/queue/hub';
import { openLink } from '../../service/queue/link';
import { systemClock, type Clock } from '../../service/surroundings';
import { eventBody, setIdOf } from '../support/events';
import { startTestQueue } from '../support/queue';
import {
	addressOf,
	READER,
	recordingLogger,
	subscriber,
	type RecordingSubscriber,
} from '../support/subscriber';
import { watchedWire } from '../support/watchedWire';
import { numbers } from '../support/numbers';
import { forAll } from '../support/forAll';

jest.setTimeout(120_000);

const service = forAll(startTestQueue);
let number = 0;

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const OK: RunOutcome = { kind: 'succeeded' };
/** Long enough for a session's longest wait between two attempts to connect. */
const BACK = { deadlineMs: 60_000 };

async function listening(change: Parameters<typeof subscriber>[2] = {}) {
	const queue = await service.declare(`outage-${(number += 1)}`);
	const logger = recordingLogger();
	const address: QueueAddress = addressOf(service.broker);
	const recording = subscriber(address, queue, change);
	const hub = createHub(logger, systemClock);
	const member = await hub.subscribe(recording, false);
	await member.untilListening();
	return { queue, logger, hub, recording, member, address };
}

async function runsFor(recording: RecordingSubscriber, set: number) {
	await waitUntil(
		`an event of set ${set} runs`,
		() => recording.setIds.filter((id) => id === setIdOf(set)).length > 0,
		BACK,
	);
}

const reports = (recording: RecordingSubscriber) =>
	recording.problems.map((problem) => (problem.kind === 'outage' ? problem.error.code : problem.kind));

describe('without a person', () => {
	it('listens again when its consumer is cancelled because the queue was replaced', async () => {
		const { queue, recording, member, logger } = await listening();
		await service.broker.deleteQueue(queue);
		await service.declare(queue);
		await service.publish(queue, eventBody(1));
		await runsFor(recording, 1);
		expect(reports(recording)).toEqual([]);
		expect(logger.lines.filter((line) => line.startsWith('warn'))).toHaveLength(1);
		await member.leave();
	});

	it('listens again when the broker closes the channel over an event that takes too long, and runs it once', async () => {
		// The broker's own limit, 30 minutes by default, looked at once a minute.
		await service.broker.evaluate('application:set_env(rabbit, consumer_timeout, 1000)');
		await service.broker.evaluate('application:set_env(rabbit, channel_tick_interval, 500)');
		let end!: (outcome: RunOutcome) => void;
		const slow = new Promise<RunOutcome>((resolve) => (end = resolve));
		const { queue, recording, member, logger } = await listening({
			outcome: ({ events: [first] }) => (first!.event.setId === setIdOf(1) ? slow : OK),
		});
		await service.publish(queue, eventBody(1));
		const said = (words: string) => logger.lines.some((line) => line.includes(words));
		await waitUntil('the channel is closed', () => said('not listening'), BACK);
		await service.broker.evaluate('application:set_env(rabbit, consumer_timeout, 1800000)');
		await waitUntil('it listens again', () => said('listening again'), BACK);
		await service.publish(queue, eventBody(2));
		await runsFor(recording, 2);
		end(OK);
		await waitUntil('the queue is empty', async () => {
			const { ready, unacknowledged } = await service.broker.queueDepth(queue);
			return ready + unacknowledged === 0;
		});
		expect(recording.setIds.filter((id) => id === setIdOf(1))).toHaveLength(1);
		await service.broker.evaluate('application:set_env(rabbit, channel_tick_interval, 60000)');
		await member.leave();
	});

	it('gets over a broker that is frozen in the middle of the handshake', async () => {
		const queue = await service.declare(`outage-${(number += 1)}`);
		const recording = subscriber(addressOf(service.broker), queue);
		const logger = recordingLogger();
		service.broker.pause();
		const member = await createHub(logger, systemClock).subscribe(recording, false);
		const began = Date.now();
		await expect(member.untilListening()).rejects.toMatchObject({ code: 'timeout' });
		expect(Date.now() - began).toBeLessThan(15_000);
		service.broker.resume();
		await service.publish(queue, eventBody(1));
		await runsFor(recording, 1);
		expect(reports(recording)).toEqual([]);
		await member.leave();
	});

	it('does not wait for ever for a queue that does not answer, and listens when it does', async () => {
		const queue = await service.declare(`outage-${(number += 1)}`);
		const process = (verb: string) =>
			service.broker.evaluate(
				`{ok, Q} = rabbit_amqqueue:lookup(rabbit_misc:r(<<"/">>, queue, <<"${queue}">>)), sys:${verb}(amqqueue:get_pid(Q))`,
			);
		const recording = subscriber(addressOf(service.broker), queue);
		const fast: Clock = { now: systemClock.now, after: (ms, call) => systemClock.after(ms / 10, call) };
		await process('suspend');
		const member = await createHub(recordingLogger(), fast).subscribe(recording, false);
		const word = member.untilListening().catch((error: unknown) => error);
		const silence = sleep(10_000).then(() => 'silence');
		expect(await Promise.race([word, silence])).toMatchObject({ code: 'timeout' });
		await process('resume');
		await service.publish(queue, eventBody(1));
		await runsFor(recording, 1);
		await member.leave();
	});

	it('ends at once while the broker is frozen', async () => {
		const { member } = await listening();
		service.broker.pause();
		const began = Date.now();
		await member.leave();
		expect(Date.now() - began).toBeLessThan(4_000);
		service.broker.resume();
	});
});

describe('where a person must act', () => {
	it.each(['classic', 'quorum'] as const)(
		'tells once that the broker takes events of a %s queue back too soon, and what to set, and runs each once',
		async (type) => {
			const queue = await service.declare(`too-soon-${type}`, { type });
			const logger = recordingLogger();
			const recording = subscriber(addressOf(service.broker), queue, {
				options: { parallelRuns: 2 },
				outcome: async () => {
					await sleep(4_000);
					return OK;
				},
			});
			// A channel keeps what held when it was opened.
			await service.broker.evaluate('application:set_env(rabbit, consumer_timeout, 1000)');
			await service.broker.evaluate('application:set_env(rabbit, channel_tick_interval, 500)');
			const member = await createHub(logger, systemClock).subscribe(recording, false);
			await member.untilListening();
			try {
				await service.publish(queue, ...numbers(8).map((set) => eventBody(set)));
				await waitUntil(
					'the queue is empty',
					async () => {
						const { ready, unacknowledged } = await service.broker.queueDepth(queue);
						return recording.runs.length >= 8 && ready + unacknowledged === 0;
					},
					BACK,
				);
			} finally {
				await service.broker.evaluate('application:set_env(rabbit, consumer_timeout, 1800000)');
				await service.broker.evaluate('application:set_env(rabbit, channel_tick_interval, 60000)');
				await member.leave();
			}
			expect(logger.lines.filter((line) => line.includes('not listening')).length).toBeGreaterThan(1);
			expect([...recording.setIds].sort()).toEqual(numbers(8).map(setIdOf));
			expect(recording.problems).toMatchObject([
				{ kind: 'outage', error: { remedy: expect.stringContaining('consumer_timeout') } },
			]);
		},
	);

	it.each<[string, string, (queue: string) => Promise<void>, (queue: string) => Promise<unknown>]>([
		[
			'the queue is deleted, and made again later',
			'notFound',
			(queue) => service.broker.deleteQueue(queue),
			(queue) => service.declare(queue),
		],
		[
			'the right to read is withdrawn, and given back later',
			'unauthorized',
			async () => {
				await service.broker.setPermissions(READER.user, '/', { configure: '^$', write: '^$', read: '^$' });
				await service.broker.closeConnections();
			},
			() => service.broker.setPermissions(READER.user, '/', { configure: '^$', write: '^$', read: '.*' }),
		],
		[
			'all rights in the virtual host are withdrawn, and given back later',
			'notFound',
			async () => {
				await service.broker.clearPermissions(READER.user, '/');
				await service.broker.closeConnections();
			},
			() => service.broker.setPermissions(READER.user, '/', { configure: '^$', write: '^$', read: '.*' }),
		],
		[
			'the password is changed, and changed back later',
			'unauthorized',
			async () => {
				await service.broker.changePassword(READER.user, 'another');
				await service.broker.closeConnections();
			},
			() => service.broker.changePassword(READER.user, READER.password),
		],
	])('%s: one report, and then it listens again', async (_, code, take, give) => {
		const { queue, recording, member } = await listening();
		await take(queue);
		await waitUntil('it is reported', () => reports(recording).length > 0, BACK);
		await give(queue);
		await service.publish(queue, eventBody(1));
		await runsFor(recording, 1);
		expect(reports(recording)).toEqual([code]);
		await member.leave();
	});

	it('obeys a credential that was mended meanwhile', async () => {
		const { queue, recording, member, address } = await listening();
		await service.broker.changePassword(READER.user, 'another');
		await service.broker.closeConnections();
		await waitUntil('it is reported', () => reports(recording).length > 0, BACK);
		address.password = 'another';
		await service.publish(queue, eventBody(1));
		await runsFor(recording, 1);
		await service.broker.changePassword(READER.user, READER.password);
		await member.leave();
	});
});

describe('leaving', () => {
	it('removes what ends after it, down to the last event', async () => {
		const ends: Array<(outcome: RunOutcome) => void> = [];
		const { queue, recording, member } = await listening({
			outcome: () => new Promise((resolve) => ends.push(resolve)),
		});
		await service.publish(queue, ...numbers(20).map((n) => eventBody(n)));
		await waitUntil('five run', () => recording.running === 5);
		await member.leave();
		for (const end of ends) end(OK);
		await waitUntil('the rest is given back', async () => {
			const { ready, unacknowledged, consumers } = await service.broker.queueDepth(queue);
			return unacknowledged + consumers === 0 && ready <= 16;
		});
		expect(await service.broker.queueDepth(queue)).toMatchObject({ ready: 15 });
		expect(recording.runs).toHaveLength(5);
	});
});

describe('leaving and returning', () => {
	async function two(bounds: Partial<Bounds> = {}) {
		const queue = await service.declare(`outage-${(number += 1)}`);
		const hub = createHub(recordingLogger(), systemClock, openLink, { ...BOUNDS, ...bounds });
		const address = addressOf(service.broker);
		const [first, second] = ['first', 'second'].map((key) => subscriber(address, queue, { key: `${key}:n` }));
		const join = async (recording: RecordingSubscriber) => {
			const member = await hub.subscribe({ ...recording }, false);
			await member.untilListening();
			return member;
		};
		return { queue, first: first!, second: second!, join };
	}

	it('misses nothing when it leaves again ten seconds after it left first', async () => {
		const { queue, first, second, join } = await two();
		const stays = await join(first);
		let member = await join(second);
		await member.leave();
		member = await join(second);
		await sleep(9_000);
		await member.leave();
		await service.publish(queue, eventBody(1));
		await sleep(2_000);
		member = await join(second);
		await runsFor(second, 1);
		await member.leave();
		await stays.leave();
	});

	it('misses nothing when all leave and return one by one', async () => {
		const { queue, first, second, join } = await two();
		const members = [await join(first), await join(second)];
		await Promise.all(members.map((member) => member.leave()));
		members[0] = await join(first);
		await service.publish(queue, eventBody(1));
		await runsFor(first, 1);
		members[1] = await join(second);
		await runsFor(second, 1);
		expect(first.runs).toHaveLength(1);
		await Promise.all(members.map((member) => member.leave()));
	});

	it('runs no more side by side, and none before its turn, when it returns late', async () => {
		const ends: Array<(outcome: RunOutcome) => void> = [];
		const options = { parallelRuns: 2 };
		const { queue, recording, member, hub } = await listening({
			options,
			outcome: () => new Promise((resolve) => ends.push(resolve)),
		});
		await service.publish(queue, eventBody(1), eventBody(2), eventBody(1, { newStatus: 'TITLE_HELD' }));
		await waitUntil('two run', () => recording.running === 2);
		await member.leave();
		await sleep(11_000);
		const again = await hub.subscribe(recording, false);
		await again.untilListening();
		// A redelivery joins the run that goes on.
		await service.broker.closeConnections();
		await sleep(4_000);
		expect(recording.setIds).toEqual([setIdOf(1), setIdOf(2)]);
		ends[1]!(OK);
		await sleep(200);
		expect(recording.runs).toHaveLength(2);
		ends[0]!(OK);
		await waitUntil('the third runs', () => recording.runs.length === 3, BACK);
		ends[2]!(OK);
		await waitUntil('the queue is empty', async () => {
			const { ready, unacknowledged } = await service.broker.queueDepth(queue);
			return ready + unacknowledged === 0;
		});
		expect(recording).toMatchObject({ mostRunning: 2, runs: { length: 3 } });
		await again.leave();
	});

	it('no longer counts who did not return in time', async () => {
		const { queue, first, second, join } = await two({ returnMs: 3_000 });
		const stays = await join(first);
		await (await join(second)).leave();
		await service.publish(queue, eventBody(1));
		await waitUntil('the queue is empty', async () => {
			const { ready, unacknowledged } = await service.broker.queueDepth(queue);
			return ready + unacknowledged === 0;
		});
		expect(second.runs).toEqual([]);
		await stays.leave();
	});
});

describe('nothing is left over or doubled', () => {
	const readers = async () => (await service.broker.connections()).filter(({ user }) => user === READER.user);
	const nothingLeft = async (queue: string) => {
		await waitUntil('no connection is left', async () => (await readers()).length === 0);
		expect((await service.broker.consumers()).filter((consumer) => consumer.queue === queue)).toEqual([]);
	};

	it('when a subscriber joins and leaves 50 times', async () => {
		const queue = await service.declare(`outage-${(number += 1)}`);
		const hub = createHub(recordingLogger(), systemClock);
		const recording = subscriber(addressOf(service.broker), queue);
		for (const n of numbers(50)) {
			const member = await hub.subscribe({ ...recording }, false);
			// Every other one leaves in the middle of connecting.
			if (n % 2 === 0) await member.untilListening();
			await member.leave();
		}
		await nothingLeft(queue);
	});

	it('when it leaves just while the broker is asked for the queue', async () => {
		const queue = await service.declare(`outage-${(number += 1)}`);
		const members: Membership[] = [];
		// As the protocol writes a name where it asks for a queue; the connection carries it too, in a title.
		const asked = String.fromCharCode(queue.length) + queue;
		const wire = await watchedWire(service.broker.port, asked, async () => await members[0]?.leave());
		const recording = subscriber(addressOf(service.broker, { port: wire.port }), queue);
		members.push(await createHub(recordingLogger(), systemClock).subscribe(recording, false));
		await members[0]!.untilListening().catch(() => {});
		await members[0]!.leave();
		await nothingLeft(queue);
		wire.close();
	});

	it('when 20 subscribers join at once', async () => {
		const queue = await service.declare(`outage-${(number += 1)}`);
		const hub = createHub(recordingLogger(), systemClock);
		const recordings = numbers(20).map((n) =>
			subscriber(addressOf(service.broker), queue, { key: `w${n}:node` }),
		);
		const members = await Promise.all(recordings.map((each) => hub.subscribe(each, false)));
		await Promise.all(members.map((member) => member.untilListening()));
		await service.publish(queue, ...numbers(10).map((n) => eventBody(n)));
		await waitUntil('all have run', () => recordings.every(({ runs }) => runs.length === 10));
		expect(await readers()).toMatchObject([{ channels: 1 }]);
		expect((await service.broker.consumers()).filter((consumer) => consumer.queue === queue)).toHaveLength(1);
		await Promise.all(members.map((member) => member.leave()));
		await nothingLeft(queue);
	});

	it('when the code is loaded a second time while it listens, as an update of the package does', async () => {
		const queue = await service.declare(`outage-${(number += 1)}`);
		const address = addressOf(service.broker);
		const [first, second] = ['first', 'second'].map((key) => subscriber(address, queue, { key: `${key}:n` }));
		const old = await hubOfProcess(recordingLogger()).subscribe(first!, false);
		await old.untilListening();
		let copy!: typeof import('../../service/queue/hub');
		await jest.isolateModulesAsync(async () => {
			copy = await import('../../service/queue/hub');
		});
		expect(copy.hubOfProcess).not.toBe(hubOfProcess);
		const young = await copy.hubOfProcess(recordingLogger()).subscribe(second!, false);
		await young.untilListening();
		await service.publish(queue, ...numbers(10).map((n) => eventBody(n)));
		await waitUntil('both have run', () => [first!, second!].every(({ runs }) => runs.length === 10));
		expect(await readers()).toHaveLength(1);
		expect((await service.broker.consumers()).filter((consumer) => consumer.queue === queue)).toHaveLength(1);
		await old.leave();
		await young.leave();
		await nothingLeft(queue);
	});
});
