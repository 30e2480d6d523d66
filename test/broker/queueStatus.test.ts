import { connect as connectTo, createServer, type AddressInfo } from 'node:net';
import { connect } from 'amqplib';
import type { IDataObject } from 'n8n-workflow';
import { waitUntil } from '../../sandbox/process/waitUntil';
import type { QueueAddress } from '../../service/queue/contract';
import { hubOfProcess } from '../../service/queue/hub';
import { watched } from '../../service/queue/watch';
import { ServiceError } from '../../service/errors';
import { systemClock } from '../../service/surroundings';
import { runAction } from '../support/actionNode';
import type { NodeRun } from '../support/engine';
import { eventBody } from '../support/events';
import { previewMismatch } from '../support/schemaPreview';
import { startTestQueue } from '../support/queue';
import { addressOf, recordingLogger, subscriber, type RecordingSubscriber } from '../support/subscriber';
import { forAll } from '../support/forAll';

jest.setTimeout(60_000);

const service = forAll(startTestQueue);

function statusOf(queue: unknown, account: Partial<QueueAddress> = {}, more: Partial<NodeRun> = {}) {
	const parcelDocumentExchangeQueueApi = { ...addressOf(service.broker, account) } as object as Record<
		string,
		string
	>;
	return runAction(
		'http://127.0.0.1:9',
		{ resource: 'queue', operation: 'getStatus', queue } as IDataObject,
		{ credentials: { parcelDocumentExchangeQueueApi }, ...more },
	);
}

/** A published trigger of this process. */
async function publish(queue: string, changes: Parameters<typeof subscriber>[2] = {}) {
	const own: RecordingSubscriber = subscriber(addressOf(service.broker), queue, { key: queue, ...changes });
	const { subscription, joined, end } = watched(own, systemClock);
	const membership = await hubOfProcess(recordingLogger()).subscribe(subscription, false);
	joined(membership);
	await membership.untilListening();
	return {
		own,
		subscription,
		async leave() {
			end();
			await membership.leave();
		},
	};
}

const reading = (queue: string) =>
	waitUntil('the queue is read', async () => (await service.broker.queueDepth(queue)).consumers > 0);

it('tells what waits on a queue that nobody reads, and leaves it there as it was', async () => {
	const queue = await service.declare('unread', { type: 'quorum' });
	await service.publish(queue, eventBody(1), eventBody(2), 'no event');
	const asked = { ...{ waiting: 3, readers: 0, listening: false, paused: false, otherReaders: null } };
	for (let times = 0; times < 3; times++) {
		expect((await statusOf(queue)).items.map(({ json }) => json)).toEqual([
			{ queue, ...asked, problem: null, lastEventAt: null, running: 0, resting: 0, triggers: [] },
		]);
	}
	// None of them was delivered: the first is as new as it came.
	const { own, leave } = await publish(queue);
	await waitUntil('the events came', () => own.runs.length === 2);
	expect(own.runs.flatMap(({ events }) => events).map(({ redelivered }) => redelivered)).toEqual([
		...[false, false],
	]);
	await leave();
});

it('tells of the trigger that listens in this process, while it listens', async () => {
	const queue = await service.declare('listened');
	let end = () => {};
	const trigger = await publish(queue, {
		title: 'Workflow "Papers", node "Trigger"',
		outcome: () => new Promise((resolve) => (end = () => resolve({ kind: 'succeeded' }))),
	});
	await service.publish(queue, eventBody(1));
	await waitUntil('it runs', () => trigger.own.running === 1);
	const [busy] = (await statusOf(queue)).items;
	expect(busy?.json).toMatchObject({
		...{ waiting: 0, readers: 1, otherReaders: 0, listening: true, paused: false, problem: null, running: 1 },
		resting: 0,
		triggers: [{ trigger: 'Workflow "Papers", node "Trigger"', running: 1, resting: 0, problem: null }],
	});
	expect(previewMismatch('queue', 'getStatus', busy?.json)).toEqual([]);
	expect(Date.parse(String(busy?.json.lastEventAt))).toBeGreaterThan(Date.now() - 60_000);
	end();
	await waitUntil('it ended', () => trigger.own.running === 0);
	expect((await statusOf(queue)).items[0]?.json).toMatchObject({ running: 0 });
	await trigger.leave();
	const gone = async () => (await service.broker.queueDepth(queue)).consumers === 0;
	await waitUntil('it left', gone);
	expect((await statusOf(queue)).items[0]?.json).toMatchObject({ listening: false, triggers: [] });
});

it('says when somebody else reads the queue too', async () => {
	const queue = await service.declare('shared');
	const connection = await connect(service.broker.url());
	await (await connection.createChannel()).consume(queue, () => undefined);
	const trigger = await publish(queue);
	await reading(queue);
	expect((await statusOf(queue)).items[0]?.json).toMatchObject({ readers: 2, otherReaders: 1 });
	await trigger.leave();
	await connection.close();
});

it('says that the runs of the trigger fail, that it waits and why, and when it works again', async () => {
	const queue = await service.declare('failing');
	let fails = true;
	const trigger = await publish(queue, {
		title: 'Workflow "Papers", node "Trigger"',
		outcome: () => (fails ? { kind: 'failed', reason: 'The ERP is away' } : { kind: 'succeeded' }),
	});
	await service.publish(queue, eventBody(1));
	await waitUntil('it failed', () => trigger.own.runs.length === 1 && trigger.own.running === 0);
	const problem = async () => (await statusOf(queue)).items[0]?.json;
	expect(await problem()).toMatchObject({
		// Off the queue, and not in a run: it is tried again in a few seconds.
		...{ waiting: 0, running: 0, resting: 1, triggers: [{ resting: 1 }] },
		paused: false,
		problem: expect.stringMatching(
			/^The runs of Workflow "Papers", node "Trigger" fail since \d{4}-.*Z: The ERP is away\.$/,
		),
	});
	const since = Date.UTC(2026, 5, 1);
	trigger.subscription.report({
		...{ kind: 'waits', cause: 'failing', reason: 'The ERP is away', since, nextTryInMs: 1 },
	});
	expect(await problem()).toMatchObject({
		...{ paused: true, otherReaders: null },
		problem: 'Workflow "Papers", node "Trigger" waits since 2026-06-01T00:00:00.000Z: The ERP is away.',
		triggers: [{ pausedSince: '2026-06-01T00:00:00.000Z' }],
	});
	fails = false;
	await service.publish(queue, eventBody(2));
	await waitUntil('it works', () => trigger.own.runs.length > 1 && trigger.own.running === 0);
	expect(await problem()).toMatchObject({ paused: false, problem: null });
	await trigger.leave();
});

describe('a trigger that could not listen', () => {
	const status = async (queue: string) => (await statusOf(queue)).items[0]?.json;

	it('is no problem any more once it listens again, though no event has come', async () => {
		const queue = await service.declare('away for a while');
		const trigger = await publish(queue);
		const connection = await connect(service.broker.url());
		await (await connection.createChannel()).deleteQueue(queue);
		const isSaid = () => trigger.own.problems.some(({ kind }) => kind === 'outage');
		await waitUntil('it is said', isSaid, { deadlineMs: 40_000 });
		await (await connection.createChannel()).assertQueue(queue, { durable: true });
		await reading(queue);
		await waitUntil('it listens', async () => (await status(queue))?.listening === true);
		expect(await status(queue)).toMatchObject({ listening: true, otherReaders: 0, problem: null });
		await trigger.leave();
		await connection.close();
	});

	it.each([
		['alone, while others of its account listen', false, 'Trigger B cannot listen: The login was refused.'],
		['of another account: who else reads is not known', true, null],
	])('%s', async (which, isOther, problem) => {
		const queue = await service.declare(which);
		const trigger = await publish(queue);
		const address = addressOf(service.broker, isOther ? { username: 'somebody' } : {});
		const other = watched(subscriber(address, queue, { key: 'other', title: 'Trigger B' }), systemClock);
		await other.subscription.readAddress();
		const error = new ServiceError('unauthorized', 'The login was refused');
		other.subscription.report({ kind: 'outage', error, othersListen: true });
		await reading(queue);
		expect(await status(queue)).toMatchObject({ otherReaders: isOther ? null : 0, problem });
		other.end();
		expect(await status(queue)).toMatchObject({ otherReaders: 0, problem: null });
		await trigger.leave();
	});
});

it('asks the broker once for all items of a run that mean the same queue, and leaves no connection', async () => {
	const queue = await service.declare('asked once');
	let came = 0;
	let open = 0;
	const between = createServer((socket) => {
		came++;
		open++;
		const broker = connectTo(service.broker.port, '127.0.0.1');
		for (const end of [socket, broker]) end.on('error', () => {});
		socket.on('close', () => open--);
		socket.pipe(broker).pipe(socket);
	});
	await new Promise<void>((resolve) => between.listen(0, '127.0.0.1', resolve));
	const { port } = between.address() as AddressInfo;
	const items = Array.from({ length: 50 }, () => ({ json: {} }));
	const { items: answers } = await statusOf(queue, { port }, { items });
	expect(answers).toHaveLength(50);
	expect(answers[49]?.pairedItem).toEqual({ item: 49 });
	expect(came).toBe(1);
	await waitUntil('nothing stays open', () => open === 0);
	between.close();
});

it('says nothing of the trigger in queue mode, where another process may have it', async () => {
	const queue = await service.declare('on a worker');
	process.env['EXECUTIONS_MODE'] = 'queue';
	try {
		const { items, hints } = await statusOf(queue);
		expect(items[0]?.json).toMatchObject({
			waiting: 0,
			readers: 0,
			listening: null,
			paused: null,
			running: null,
		});
		expect(hints.map(({ message }) => message)).toEqual([expect.stringContaining('on a worker')]);
	} finally {
		delete process.env['EXECUTIONS_MODE'];
	}
});

it.each<[string, unknown, Partial<QueueAddress>, RegExp]>([
	['a queue that is not there', 'nowhere', {}, /^The queue “nowhere” was not found/],
	['a name of odd signs', "a$&b$'c{code}", {}, /^The queue “a\$&b\$'c\{code\}” was not found/],
	['no name', ' ', {}, /^The queue name is empty/],
	['a name without end', 'x'.repeat(256), {}, /^The queue name is too long/],
	['a wrong password', 'x', { password: 'wrong' }, /^The message queue refused the user name or password/],
	['a port where nothing listens', 'x', { port: 9 }, /^Nothing answers at this host and port/],
	['a list', ['a', 'b'], {}, /^"Queue" cannot be \["a","b"\]/],
])('says in words what is wrong: %s', async (_, queue, account, words) => {
	const { error } = await statusOf(queue, account);
	expect(error?.message).toMatch(words);
	expect(error?.description).toMatch(/\w{3}/);
	expect(JSON.stringify(error)).not.toContain(addressOf(service.broker, account).password);
});

it('says in words that the account may not enter the virtual host', async () => {
	const stranger = { username: 'stranger', password: 'a-secret' };
	await service.broker.addUser(stranger.username, stranger.password, null);
	const { error } = await statusOf('x', stranger);
	expect(error?.message).toMatch(/^The login was accepted, but the virtual host was not found or is closed/);
	expect(JSON.stringify(error)).not.toContain(stranger.password);
});

it('tells of a queue to an account without rights on it, as the broker does', async () => {
	const guest = { username: 'without rights', password: 'a-secret' };
	await service.broker.addUser(guest.username, guest.password, null);
	await service.broker.setPermissions(guest.username, '/', { configure: '^$', write: '^$', read: '^$' });
	await service.broker.declareQueue('not for all');
	const { items, error } = await statusOf('not for all', guest);
	expect(error).toBeUndefined();
	expect(items[0]?.json).toMatchObject({ queue: 'not for all', waiting: 0, readers: 0, listening: false });
});

it('asks with the account that the credential comes to for each item', async () => {
	const places = ['/', 'of item 1'];
	await service.broker.addVhost(places[1]!);
	await service.broker.setPermissions(addressOf(service.broker).username, places[1]!);
	for (const vhost of places) await service.broker.declareQueue('of each item', { vhost });
	await service.publish('of each item', eventBody(1), eventBody(2));
	const run = async (vhostOf: (itemIndex: number) => string) => {
		const { items } = await statusOf(
			'of each item',
			{},
			{
				items: [{ json: {} }, { json: {} }, { json: {} }],
				credentials: {
					parcelDocumentExchangeQueueApi: (itemIndex) =>
						({ ...addressOf(service.broker, { vhost: vhostOf(itemIndex) }) }) as object as Record<
							string,
							string
						>,
				},
			},
		);
		return items.map(({ json }) => json['waiting']);
	};
	expect(await run((itemIndex) => places[itemIndex % 2]!)).toEqual([2, 0, 2]);
	expect(await run(() => places[1]!)).toEqual([0, 0, 0]);
});

it('tells a model what went wrong and what to do', async () => {
	const { error } = await statusOf('nowhere', {}, { asTool: true });
	expect(error?.message).toBe(
		'The queue “nowhere” was not found. Check the queue name and the virtual host.',
	);
});

it('ends at once when the run is stopped, however silent the broker is, and leaves no connection', async () => {
	let open = 0;
	const silent = createServer((socket) => {
		open++;
		socket.on('error', () => {}).resume();
		socket.on('close', () => open--);
	});
	await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
	const { port } = silent.address() as AddressInfo;
	const began = Date.now();
	const { ended } = await statusOf('x', { port }, { cancelAfterMs: 300 });
	expect(Date.now() - began).toBeLessThan(5_000);
	expect(ended).toEqual(['canceled']);
	await waitUntil('the connection is closed', () => open === 0, { deadlineMs: 20_000 });
	silent.close();
});
