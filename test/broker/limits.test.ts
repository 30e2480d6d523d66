import { setTimeout as sleep } from 'node:timers/promises';
import { connect, type Options } from 'amqplib';
import { waitUntil } from '../../sandbox/process/waitUntil';
import { BOUNDS, type Bounds } from '../../service/queue/bounds';
import { createHub } from '../../service/queue/hub';
import { openLink } from '../../service/queue/link';
import { systemClock } from '../../service/surroundings';
import { eventBody } from '../support/events';
import { startTestQueue } from '../support/queue';
import { addressOf, recordingLogger, subscriber, type RecordingSubscriber } from '../support/subscriber';
import { numbers } from '../support/numbers';
import { forAll } from '../support/forAll';

jest.setTimeout(120_000);

const service = forAll(startTestQueue);
let queues = 0;

const steps = (from: number, to: number) => numbers(to - from).map((index) => from + index);

async function declare(options: Options.AssertQueue): Promise<string> {
	const queue = `limited-${(queues += 1)}`;
	const connection = await connect(service.broker.url());
	const channel = await connection.createChannel();
	await channel.assertQueue(queue, options);
	await connection.close();
	return queue;
}

/** A workflow that runs its events one after another; each run waits until `open` is called. */
async function slowWorkflow(queue: string, bounds: Partial<Bounds> = {}) {
	const logger = recordingLogger();
	const hub = createHub(logger, systemClock, openLink, { ...BOUNDS, noneWaitsMs: 5_000, ...bounds });
	let open = () => {};
	const opened = new Promise<void>((resolve) => (open = resolve));
	const one = subscriber(addressOf(service.broker), queue, {
		options: { parallelRuns: 1 },
		outcome: async () => {
			await opened;
			return { kind: 'succeeded' };
		},
	});
	const member = await hub.subscribe(one, false);
	await member.untilListening();
	return { hub, one, member, logger, open };
}

const ran = ({ runs }: RecordingSubscriber) => runs.flatMap(({ events }) => events.map(stepOf));
const missed = ({ problems }: RecordingSubscriber) =>
	problems.flatMap((problem) => (problem.kind === 'notKept' ? problem.events.map(stepOfEvent) : []));
const stepOfEvent = ({ raw }: { raw: Record<string, unknown> }) => raw['step'] as number;
const stepOf = ({ event }: { event: { raw: Record<string, unknown> } }) => stepOfEvent(event);
const sorted = (some: readonly number[]) => [...new Set(some)].sort((a, b) => a - b);
const bodies = (from: number, to: number) => steps(from, to).map((step) => eventBody(step, { step }));

/** Everything is delivered, and the first of it runs. */
const holdsAll = async ({ one }: { one: RecordingSubscriber }, queue: string) => {
	await waitUntil('it holds them', async () => one.runs.length > 0 && (await service.ready(queue)) === 0);
};

/** Every event has run or stands in the one report, none in both, and the log has what is in the report. */
async function allAccountedFor(
	{ one, logger }: { one: RecordingSubscriber; logger: { lines: string[] } },
	sent: number[],
	why: string,
): Promise<void> {
	await waitUntil('all have run or are reported', () => ran(one).length + missed(one).length >= sent.length, {
		deadlineMs: 60_000,
	}).catch(() => {});
	expect(sorted([...ran(one), ...missed(one)])).toEqual(sent);
	expect(ran(one).filter((step) => missed(one).includes(step))).toEqual([]);
	expect(one.problems.filter(({ kind }) => kind === 'notKept')).toEqual([
		expect.objectContaining({ why, count: missed(one).length }),
	]);
	for (const step of missed(one)) {
		expect(logger.lines.some((line) => line.startsWith('warn') && line.includes(`\\"step\\":${step},`))).toBe(
			true,
		);
	}
}

describe.each(['classic', 'quorum'])('a %s queue', (type) => {
	it('with a maximum length drops what is given back when a workflow is published again: one report has it', async () => {
		const queue = await declare({ arguments: { 'x-queue-type': type, 'x-max-length': 30 } });
		const workflow = await slowWorkflow(queue);
		await service.publish(queue, ...bodies(0, 25));
		await holdsAll(workflow, queue);
		await service.publish(queue, ...bodies(25, 50));
		await holdsAll(workflow, queue);
		await workflow.member.leave();
		workflow.open();
		await waitUntil('it is all back', async () => (await service.ready(queue)) === 30);
		const member = await workflow.hub.subscribe({ ...workflow.one }, false);
		await allAccountedFor(workflow, steps(0, 50), 'dropped');
		expect(missed(workflow.one)).toHaveLength(19);
		await member.leave();
	});

	it('with a time to live drops what is given back after a while: one report has it', async () => {
		const queue = await declare({ arguments: { 'x-queue-type': type, 'x-message-ttl': 2_000 } });
		const workflow = await slowWorkflow(queue, { renewAfterMs: 3_000 });
		await service.publish(queue, ...bodies(0, 20));
		await holdsAll(workflow, queue);
		await sleep(4_000);
		workflow.open();
		await allAccountedFor(workflow, steps(0, 20), 'dropped');
		expect(missed(workflow.one)).toHaveLength(19);
		await workflow.member.leave();
	});
});

it('the log has what went back to a queue that drops events, where the last workflow stops before it is missed', async () => {
	const queue = await declare({ arguments: { 'x-message-ttl': 2_000 } });
	const workflow = await slowWorkflow(queue, { renewAfterMs: 3_000 });
	await service.publish(queue, ...bodies(0, 5));
	await waitUntil('it is reported', () => missed(workflow.one).length === 4, { deadlineMs: 60_000 });
	await service.publish(queue, ...bodies(5, 10));
	await sleep(4_500);
	await workflow.member.leave();
	for (const step of steps(5, 10)) {
		const named = new RegExp(`\\\\"step\\\\":${step}[,}]`);
		expect(workflow.logger.lines.filter((line) => named.test(line))).toHaveLength(1);
	}
	workflow.open();
});

it('a classic queue that deletes itself goes when a channel is renewed: one report has what was given back', async () => {
	const queue = await declare({ autoDelete: true });
	const workflow = await slowWorkflow(queue, { renewAfterMs: 1_000 });
	await service.publish(queue, ...bodies(0, 20));
	await waitUntil('it runs', () => workflow.one.runs.length > 0);
	await sleep(1_500);
	workflow.open();
	await allAccountedFor(workflow, steps(0, 20), 'queueGone');
	await workflow.member.leave();
});

it('a quorum queue with a limit of one return drops what is given back twice: one report has it', async () => {
	const queue = await declare({ arguments: { 'x-queue-type': 'quorum', 'x-delivery-limit': 1 } });
	const workflow = await slowWorkflow(queue, { renewAfterMs: 1_000 });
	await service.publish(queue, ...bodies(0, 20));
	await holdsAll(workflow, queue);
	await sleep(4_000);
	workflow.open();
	await allAccountedFor(workflow, steps(0, 20), 'dropped');
	await workflow.member.leave();
});

it('nothing is reported of what comes again, however often it is given back', async () => {
	const queue = await declare({ arguments: { 'x-queue-type': 'quorum' } });
	const workflow = await slowWorkflow(queue, { renewAfterMs: 1_000 });
	await service.publish(queue, ...bodies(0, 20));
	await sleep(12_000);
	workflow.open();
	await waitUntil('all have run', () => workflow.one.runs.length === 20);
	await service.publish(queue, ...bodies(20, 21));
	await sleep(12_000);
	expect(workflow.one.problems).toEqual([]);
	await workflow.member.leave();
});

it('nothing is reported of what comes again where every message has a priority', async () => {
	const queue = await declare({ maxPriority: 10 });
	const workflow = await slowWorkflow(queue, { renewAfterMs: 1_000 });
	const connection = await connect(service.broker.url());
	const channel = await connection.createConfirmChannel();
	const publish = async (step: number, priority: number) => {
		channel.sendToQueue(queue, Buffer.from(JSON.stringify(eventBody(step, { step }))), { priority });
		await channel.waitForConfirms();
	};
	for (const step of steps(0, 20)) await publish(step, 4 + (step % 3));
	for (const step of steps(20, 60)) {
		await sleep(300);
		await publish(step, 4 + (step % 3));
	}
	workflow.open();
	await waitUntil('all have run', () => workflow.one.runs.length === 60, { deadlineMs: 60_000 });
	await sleep(6_000);
	expect(workflow.one.problems).toEqual([]);
	expect(sorted(ran(workflow.one))).toEqual(steps(0, 60));
	await connection.close();
	await workflow.member.leave();
});

it.each(['classic', 'quorum'])(
	'what the standby of a %s queue with a single active consumer takes over is not reported as dropped',
	async (type) => {
		const queue = await declare({ arguments: { 'x-queue-type': type, 'x-single-active-consumer': true } });
		const workflow = await slowWorkflow(queue, { renewAfterMs: 1_000 });
		const standby = subscriber(addressOf(service.broker), queue);
		const member = await createHub(recordingLogger(), systemClock, openLink).subscribe(standby, false);
		await member.untilListening();
		await service.publish(queue, ...bodies(0, 20));
		await waitUntil('the standby has run them', () => standby.runs.length === 20);
		const told = () => workflow.logger.lines.filter((line) => line.includes('another reader of the queue'));
		await waitUntil('the log has them', () => told().length > 0, { deadlineMs: 30_000 });
		await sleep(6_000);
		expect(workflow.one.problems).toEqual([]);
		await workflow.member.leave();
		await member.leave();
		workflow.open();
	},
);

describe('a queue that is deleted when nobody uses it (expires)', () => {
	const waiting = async (type: string) => {
		const queue = await declare({ arguments: { 'x-queue-type': type, 'x-expires': 4_000 } });
		const logger = recordingLogger();
		const away = { retryWaitsMs: [50], probesMs: [30_000], countedProbesMs: [30_000], collectMs: 50 };
		const bounds = { ...BOUNDS, ...away, renewAfterMs: 1_000, leaseMs: 500 };
		const one = subscriber(addressOf(service.broker), queue, {
			outcome: () => ({ kind: 'failed', reason: 'the mail server is away' }),
		});
		// All are there before the first runs fail: what comes later may find the queue left alone already.
		await service.publish(queue, ...bodies(0, 12));
		const member = await createHub(logger, systemClock, openLink, bounds).subscribe(one, false);
		await member.untilListening();
		await waitUntil('it waits', () => logger.lines.some((line) => line.includes('waits, its events stay')));
		return { queue, one, member };
	};
	const isRead = async (queue: string) =>
		(await service.broker.consumers()).some((reader) => reader.queue === queue);

	it('stays while its workflow waits, though nothing is read meanwhile', async () => {
		const { queue, one, member } = await waiting('classic');
		await waitUntil('nobody reads', async () => !(await isRead(queue)));
		await sleep(9_000);
		expect(await isRead(queue)).toBe(false);
		expect(await service.ready(queue)).toBe(12);
		expect(one.problems.filter(({ kind }) => kind === 'outage')).toEqual([]);
		await member.leave();
	});

	it('goes where it is a quorum queue, which being looked at does not keep: one report has what was on it', async () => {
		const { one, member } = await waiting('quorum');
		await waitUntil('it is reported', () => missed(one).length > 0, { deadlineMs: 30_000 });
		expect(sorted(missed(one))).toEqual(steps(0, 12));
		expect(one.problems.filter(({ kind }) => kind === 'notKept')).toEqual([
			expect.objectContaining({ why: 'queueGone', count: 12 }),
		]);
		await member.leave();
	});
});

it('what comes behind two that fail for ever is run soon, where the queue is left alone because of them', async () => {
	const queue = await declare({ arguments: { 'x-queue-type': 'quorum', 'x-delivery-limit': 20 } });
	const away = { retryWaitsMs: [50], countedProbesMs: [60_000], collectMs: 50 };
	const bounds = { ...BOUNDS, ...away, renewAfterMs: 1_000, leaseMs: 500, lookBehindMs: [1_000] };
	const one = subscriber(addressOf(service.broker), queue, {
		outcome: (run) =>
			run.events.some((event) => stepOf(event) < 2)
				? { kind: 'failed', reason: 'these two are bad' }
				: { kind: 'succeeded' },
	});
	const member = await createHub(recordingLogger(), systemClock, openLink, bounds).subscribe(one, false);
	await member.untilListening();
	const isRead = async () => (await service.broker.consumers()).some((reader) => reader.queue === queue);
	await service.publish(queue, ...bodies(0, 2));
	// A moment in which another channel is opened is no rest.
	await waitUntil('nobody reads', async () => {
		if (await isRead()) return false;
		await sleep(2_000);
		return !(await isRead());
	});
	await service.publish(queue, ...bodies(5, 6));
	await waitUntil('it has run', () => ran(one).includes(5), { deadlineMs: 10_000 });
	await member.leave();
});
