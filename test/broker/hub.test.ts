import { waitUntil } from '../../sandbox/process/waitUntil';
import type { Membership } from '../../service/queue/contract';
import { BOUNDS } from '../../service/queue/bounds';
import { createHub } from '../../service/queue/hub';
import { openLink } from '../../service/queue/link';
import { systemClock } from '../../service/surroundings';
import { eventBody, setIdOf } from '../support/events';
import { startTestQueue } from '../support/queue';
import { addressOf, READER, recordingLogger, subscriber } from '../support/subscriber';
import { numbers } from '../support/numbers';
import { forAll } from '../support/forAll';

jest.setTimeout(120_000);

const service = forAll(startTestQueue);
let number = 0;

// One that is left goes back a moment after its last event: the next test would count it among its own.
afterEach(() =>
	waitUntil('no connection is left', async () =>
		(await service.broker.connections()).every(({ user }) => ![READER.user, 'second'].includes(user)),
	),
);

async function listening(...changes: Parameters<typeof subscriber>[2][]) {
	const queue = await service.declare(`events-${(number += 1)}`);
	const logger = recordingLogger();
	const hub = createHub(logger, systemClock);
	const subscribers = changes.map((change, index) =>
		subscriber(addressOf(service.broker), queue, { key: `w${index}:n`, ...change }),
	);
	const members: Membership[] = [];
	for (const each of subscribers) {
		const member = await hub.subscribe(each, false);
		await member.untilListening();
		members.push(member);
	}
	const leave = () => Promise.all(members.map((member) => member.leave()));
	const empty = () =>
		waitUntil('the queue is empty', async () => {
			const depth = await service.broker.queueDepth(queue);
			return depth.ready + depth.unacknowledged === 0;
		});
	return { queue, hub, logger, subscribers, members, leave, empty };
}

describe('one subscriber on a queue', () => {
	it('gets every event once and leaves nothing on the queue', async () => {
		const { queue, subscribers, leave, empty } = await listening({});
		await service.publish(queue, ...numbers(200).map((n) => eventBody(n)));
		await waitUntil('all have run', () => subscribers[0]!.runs.length >= 200);
		await empty();
		expect(subscribers[0]!.setIds).toEqual(numbers(200).map(setIdOf));
		expect(subscribers[0]!.mostRunning).toBeLessThanOrEqual(5);
		await leave();
	});

	it('removes events it does not ask for', async () => {
		const { queue, subscribers, leave, empty } = await listening({
			filter: { statuses: ['SIGNED'], customerIds: [], instances: [] },
		});
		await service.publish(queue, eventBody(1), eventBody(2, { newStatus: 'Signed' }));
		await waitUntil('the signed one ran', () => subscribers[0]!.runs.length > 0);
		await empty();
		expect(subscribers[0]!.setIds).toEqual([setIdOf(2)]);
		await leave();
	});

	it('reports what it cannot read and goes on', async () => {
		const { queue, subscribers, leave, empty } = await listening({});
		await service.publish(
			queue,
			Buffer.from('not json'),
			Buffer.from([0xff, 0xfe, 0xfd]),
			[1, 2],
			42,
			eventBody(1, { newStatus: { is: 'an object' } }),
			Buffer.alloc(5 * 1024 * 1024, 0x41),
			eventBody(7),
		);
		await waitUntil('the readable one ran', () => subscribers[0]!.runs.length > 0);
		await empty();
		expect(subscribers[0]!.problems.map((problem) => problem.kind)).toEqual(
			numbers(6).map(() => 'unreadable'),
		);
		expect(subscribers[0]!.problems[0]).toMatchObject({ messages: [{ body: 'not json' }] });
		await leave();
	});
});

describe('many messages that cannot be read', () => {
	it('do not hold up an event behind them for longer than it takes to look past them', async () => {
		const { queue, subscribers, leave } = await listening({});
		await service.publish(queue, ...numbers(100).map((n) => [n]), eventBody(1));
		await waitUntil('the event runs', () => subscribers[0]!.runs.length === 1);
		await leave();
	});

	it('do not hold up events between thousands of them either', async () => {
		const { queue, subscribers, leave } = await listening({});
		for (const n of numbers(10))
			await service.publish(queue, eventBody(n), ...numbers(400).map((m) => [n, m]));
		const allHaveRun = () => subscribers[0]!.runs.length === 10;
		await waitUntil('all events run', allHaveRun, { deadlineMs: 40_000 });
		await leave();
	});
});

describe('several subscribers on a queue', () => {
	it('each get every event they ask for, over one connection and one consumer', async () => {
		const { queue, subscribers, leave, empty } = await listening(
			{ filter: { statuses: ['SIGNED', 'ISSUED'], customerIds: [], instances: [] } },
			{ filter: { statuses: ['ISSUED'], customerIds: [], instances: [] } },
			{},
		);
		const bodies = numbers(60).map((n) =>
			eventBody(n, { newStatus: ['Signed', 'ISSUED', 'DRAFTED'][n % 3] }),
		);
		await service.publish(queue, ...bodies);
		await waitUntil('all have run', () => subscribers[2]!.runs.length >= 60);
		await empty();
		expect(subscribers.map(({ runs }) => runs.length)).toEqual([40, 20, 60]);
		expect((await service.broker.connections()).filter(({ user }) => user === 'reader')).toHaveLength(1);
		expect((await service.broker.consumers()).filter((consumer) => consumer.queue === queue)).toHaveLength(1);
		await leave();
	});

	it('miss nothing while one of them leaves and returns 20 times', async () => {
		const { queue, hub, subscribers, members, leave, empty } = await listening({}, {});
		const publishing = (async () => {
			for (const n of numbers(20))
				await service.publish(queue, ...numbers(10).map((m) => eventBody(n * 10 + m)));
		})();
		let member = members[1]!;
		for (let times = 0; times < 20; times += 1) {
			await member.leave();
			await new Promise((resolve) => setTimeout(resolve, 10));
			member = await hub.subscribe({ ...subscribers[1]! }, false);
		}
		await publishing;
		await waitUntil('all have run', () => subscribers.every(({ runs }) => runs.length >= 200));
		await empty();
		for (const { setIds } of subscribers)
			expect([...setIds].sort()).toEqual(numbers(200).map(setIdOf).sort());
		await member.leave();
		await leave();
	});
});

describe('one of several subscribers is away', () => {
	it('for a moment, and loses nothing of a backlog larger than what is kept for an absent one', async () => {
		const queue = await service.declare(`events-${(number += 1)}`);
		const bounds = { ...BOUNDS, keptEvents: 5 };
		const hub = createHub(recordingLogger(), systemClock, openLink, bounds);
		let slow = true;
		const outcome = async () => {
			while (slow) await new Promise((resolve) => setTimeout(resolve, 20));
			return { kind: 'succeeded' } as const;
		};
		const quick = subscriber(addressOf(service.broker), queue, { key: 'quick' });
		const busy = subscriber(addressOf(service.broker), queue, { key: 'busy', outcome });
		const members = [await hub.subscribe(quick, false), await hub.subscribe(busy, false)];
		await members[0]!.untilListening();
		await service.publish(queue, ...numbers(40).map((n) => eventBody(n)));
		await waitUntil('the quick one is through', () => quick.runs.length >= 40);
		await members[1]!.leave();
		await new Promise((resolve) => setTimeout(resolve, 200));
		members[1] = await hub.subscribe({ ...busy }, false);
		slow = false;
		await waitUntil('the busy one is through', () => busy.runs.length >= 40);
		expect(busy.problems).toEqual([]);
		expect([...busy.setIds].sort()).toEqual(numbers(40).map(setIdOf).sort());
		for (const member of members) await member.leave();
	});

	it('from the start, and is told when another begins to take events off the queue', async () => {
		const queue = await service.declare(`events-${(number += 1)}`);
		const bounds = { ...BOUNDS, admitAgainMs: 200 };
		const hub = createHub(recordingLogger(), systemClock, openLink, bounds);
		const readAddress = async () => await Promise.reject(new Error('not readable'));
		const out = subscriber(addressOf(service.broker), queue, { key: 'out', readAddress });
		const others = () =>
			out.problems.map((problem) => problem.kind === 'outage' && problem.othersListen === true);
		const members = [await hub.subscribe(out, false, true)];
		await waitUntil('it is told', () => out.problems.length > 0);
		expect(others()).toEqual([false]);
		members.push(await hub.subscribe(subscriber(addressOf(service.broker), queue, { key: 'in' }), false));
		await members[1]!.untilListening();
		await waitUntil('it is told more', () => out.problems.length > 1);
		await new Promise((resolve) => setTimeout(resolve, 600));
		expect(others()).toEqual([false, true]);
		for (const member of members) await member.leave();
	});
});

describe('a version that took the place of the one before', () => {
	it('goes on when that one leaves late and another user begins to read the queue', async () => {
		const { queue, hub, subscribers, members, leave } = await listening({});
		const [before] = subscribers;
		const newer = subscriber(addressOf(service.broker), queue, { key: before!.key });
		members.push(await hub.subscribe(newer, false));
		await members[0]!.leave();
		await service.broker.addUser('beside', 'beside');
		const beside = addressOf(service.broker, { username: 'beside', password: 'beside' });
		const other = subscriber(beside, queue, { key: 'other:n' });
		members.push(await hub.subscribe(other, false));
		await members.at(-1)!.untilListening();
		await service.publish(queue, ...numbers(20).map((n) => eventBody(n)));
		await waitUntil('both have all', () => newer.runs.length + other.runs.length >= 40);
		expect([before, newer, other].map((each) => each!.runs.length)).toEqual([0, 20, 20]);
		await leave();
	});
});

describe('when the broker goes', () => {
	it('comes back by itself and repeats no run that had ended well', async () => {
		const { queue, subscribers, leave, empty, logger } = await listening({
			outcome: () => new Promise((resolve) => setTimeout(() => resolve({ kind: 'succeeded' }), 30)),
		});
		await service.publish(queue, ...numbers(100).map((n) => eventBody(n)));
		await waitUntil('some have run', () => subscribers[0]!.runs.length > 20);
		await service.broker.kill();
		await service.broker.start();
		const allHaveRun = () => new Set(subscribers[0]!.setIds).size >= 100;
		await waitUntil('all have run', allHaveRun, { deadlineMs: 90_000 }).catch(async (error: Error) => {
			// It failed once on a busy machine and left no trace.
			const depth = JSON.stringify(await service.broker.queueDepth(queue));
			throw new Error([error.message, depth, ...logger.lines].join('\n'));
		});
		await empty();
		expect(subscribers[0]!.setIds).toHaveLength(100);
		expect(logger.lines.filter((line) => line.includes('listening again'))).toHaveLength(1);
		await leave();
	});
});

describe('an edited credential', () => {
	it('is obeyed at the next connection, another user or host included, and the old connection goes', async () => {
		const queue = await service.declare('moved');
		await service.broker.addUser('second', 'second');
		const hub = createHub(recordingLogger(), systemClock);
		let address = addressOf(service.broker);
		const [one, two] = ['w0:n', 'w1:n'].map((key) =>
			subscriber(address, queue, { key, readAddress: async () => address }),
		);
		const members = [await hub.subscribe(one!, false), await hub.subscribe(two!, false)];
		await members[1]!.untilListening();
		address = { ...address, username: 'second', password: 'second' };
		await service.broker.closeConnections();
		await waitUntil(
			'the new user reads the queue',
			async () => {
				const users = (await service.broker.connections()).map(({ user }) => user);
				return users.includes('second') && !users.includes(READER.user);
			},
			{ deadlineMs: 30_000 },
		);
		await service.publish(queue, eventBody(1));
		await waitUntil('both have it', () => one!.runs.length + two!.runs.length === 2);
		expect((await service.broker.consumers()).filter((consumer) => consumer.queue === queue)).toHaveLength(1);
		await Promise.all(members.map((member) => member.leave()));
	});
});

describe('two accounts that differ in the password alone', () => {
	const wrong = () => addressOf(service.broker, { password: 'guessed' });

	it('a wrong one is refused although the queue is listened to already', async () => {
		const { queue, hub, subscribers, leave } = await listening({});
		const intruder = subscriber(wrong(), queue, { key: 'intruder:n' });
		await expect(hub.subscribe(intruder, false)).rejects.toMatchObject({ code: 'unauthorized' });
		await service.publish(queue, eventBody(1));
		await waitUntil('the rightful one has it', () => subscribers[0]!.runs.length === 1);
		expect(intruder.runs).toHaveLength(0);
		await leave();
	});

	it('a wrong one that came first gets nothing, and does not keep the right one from listening', async () => {
		const queue = await service.declare('two-passwords');
		const hub = createHub(recordingLogger(), systemClock);
		const intruder = subscriber(wrong(), queue, { key: 'intruder:n' });
		const rightful = subscriber(addressOf(service.broker), queue, { key: 'rightful:n' });
		const members = [await hub.subscribe(intruder, false), await hub.subscribe(rightful, false)];
		await waitUntil(
			'the right one listens',
			async () => (await service.broker.queueDepth(queue)).consumers === 1,
		);
		await service.publish(queue, ...numbers(3).map((n) => eventBody(n)));
		await waitUntil('the rightful one has them', () => rightful.runs.length === 3, { deadlineMs: 20_000 });
		expect(intruder).toMatchObject({ runs: [], problems: [{ kind: 'outage' }] });
		await Promise.all(members.map((member) => member.leave()));
	});

	it('a password that turns wrong later does not stop the other at the next connection', async () => {
		const queue = await service.declare('password-turns-wrong');
		const hub = createHub(recordingLogger(), systemClock);
		let address = addressOf(service.broker);
		const changed = subscriber(address, queue, { key: 'changed:n', readAddress: async () => address });
		const steady = subscriber(addressOf(service.broker), queue, { key: 'steady:n' });
		const members = [await hub.subscribe(steady, false), await hub.subscribe(changed, false)];
		await members[0]!.untilListening();
		address = wrong();
		await service.broker.closeConnections();
		await service.publish(queue, eventBody(1));
		await waitUntil('the steady one has it', () => steady.runs.length === 1, { deadlineMs: 30_000 });
		await waitUntil('the other is told', () => changed.problems.length === 1);
		await Promise.all(members.map((member) => member.leave()));
	});
});
