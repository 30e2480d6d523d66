import { connect } from 'amqplib';
import { ADMINISTRATOR } from '../../sandbox/broker/installation';
import { waitUntil } from '../../sandbox/process/waitUntil';
import { BOUNDS } from '../../service/queue/bounds';
import type { QueueAddress } from '../../service/queue/contract';
import { createHub } from '../../service/queue/hub';
import { openLink } from '../../service/queue/link';
import { pause, systemClock } from '../../service/surroundings';
import { eventBody, setIdOf } from '../support/events';
import { forAll } from '../support/forAll';
import { startTestQueue } from '../support/queue';
import { addressOf, READER, recordingLogger, subscriber } from '../support/subscriber';

jest.setTimeout(240_000);

const service = forAll(startTestQueue);

const OURS = '/';
const TRIAL = 'trial';
const HANDLED = { deadlineMs: 90_000 };

beforeAll(async () => {
	const { broker } = service;
	await broker.addVhost(TRIAL);
	await broker.setPermissions(ADMINISTRATOR, TRIAL);
	await openTrial();
});

const openTrial = () =>
	service.broker.setPermissions(READER.user, TRIAL, { configure: '^$', write: '^$', read: '.*' });

async function send(queue: string, vhost: string, sets: readonly number[]) {
	const connection = await connect(service.broker.url({ vhost }));
	const channel = await connection.createConfirmChannel();
	for (const set of sets) {
		channel.sendToQueue(queue, Buffer.from(JSON.stringify(eventBody(set))), { persistent: true });
	}
	await channel.waitForConfirms();
	await connection.close();
}

/** Two queues of one name; on each a workflow that stays, and one that is pointed from the first to the second. */
async function twoQueues(queue: string, type: 'classic' | 'quorum', runMs: number, bounds = BOUNDS) {
	const { broker } = service;
	for (const vhost of [OURS, TRIAL]) await broker.declareQueue(queue, { type, vhost });
	const hub = createHub(recordingLogger(), systemClock, openLink, bounds);
	const problems: unknown[] = [];
	const workflow = (key: string, address: () => QueueAddress, ms: number) => {
		const began: string[] = [];
		const ended: string[] = [];
		const publish = async () => {
			const member = await hub.subscribe(
				subscriber(address(), queue, {
					key: `${key}:node`,
					readAddress: async () => address(),
					options: { parallelRuns: 2 },
					outcome: async ({ events: [first] }) => {
						began.push(first!.event.setId!);
						await pause(systemClock, ms);
						ended.push(first!.event.setId!);
						return { kind: 'succeeded' };
					},
					// That the broker is away is told, and no more than that.
					report: (problem) => void (problem.kind === 'outage' || problems.push(problem)),
				}),
				false,
			);
			await member.untilListening();
			return member;
		};
		return { began, ended, publish };
	};
	let own = OURS;
	const moves = workflow('moves', () => addressOf(broker, { vhost: own }), runMs);
	const ours = workflow('ours', () => addressOf(broker), 0);
	const trial = workflow('trial', () => addressOf(broker, { vhost: TRIAL }), 0);
	const isEmpty = async (vhost: string) => {
		const { ready, unacknowledged } = await broker.queueDepth(queue, vhost);
		return ready + unacknowledged === 0;
	};
	return {
		...{ moves, ours, trial, problems },
		point: (vhost: string) => (own = vhost),
		send: (vhost: string, ...sets: number[]) => send(queue, vhost, sets),
		until: (who: typeof moves, sets: readonly number[]) =>
			waitUntil(`${sets.length} ran`, () => sets.every((set) => who.ended.includes(setIdOf(set))), HANDLED),
		/** Both queues are, and a while later nobody has got any more. */
		untilAllIsOver: async () => {
			await waitUntil(
				'all are off both',
				async () => (await isEmpty(OURS)) && (await isEmpty(TRIAL)),
				HANDLED,
			);
			await pause(systemClock, 3_000);
		},
	};
}

const sorted = (sets: readonly string[]) => sets.toSorted();
const idsOf = (...sets: number[]) => sets.map(setIdOf);

describe.each(['classic', 'quorum'] as const)('two %s queues of one name on two virtual hosts', (type) => {
	it('a workflow that is pointed from one to the other and back ends what it had, and has each once', async () => {
		const { moves, ours, trial, problems, ...both } = await twoQueues(`pointed-${type}`, type, 1_000, {
			...BOUNDS,
			// Over by the time when all it had is.
			returnMs: 2_000,
		});
		const stay = [await ours.publish(), await trial.publish()];
		let member = await moves.publish();
		await both.send(OURS, 1, 2, 3, 4, 5, 6, 7, 8);
		await both.send(TRIAL, 101, 102);
		await both.until(trial, [101, 102]);
		await waitUntil('runs go on', () => moves.began.length >= 2, HANDLED);
		await member.leave();
		both.point(TRIAL);
		member = await moves.publish();
		await both.send(TRIAL, 103, 104);
		await both.send(OURS, 9, 10);
		await both.until(moves, [1, 2, 3, 4, 5, 6, 7, 8, 103, 104]);
		await both.untilAllIsOver();
		await both.send(TRIAL, 105, 106, 107, 108);
		await waitUntil('runs go on there', () => moves.began.length >= 12, HANDLED);
		await member.leave();
		both.point(OURS);
		member = await moves.publish();
		await both.send(OURS, 11, 12);
		await both.send(TRIAL, 109);
		await both.until(moves, [105, 106, 107, 108, 11, 12]);
		await both.untilAllIsOver();
		for (const each of [...stay, member]) await each.leave();
		expect(sorted(moves.began)).toEqual(idsOf(1, 2, 3, 4, 5, 6, 7, 8, 11, 12, 103, 104, 105, 106, 107, 108));
		expect(sorted(ours.began)).toEqual(idsOf(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12));
		expect(sorted(trial.began)).toEqual(idsOf(101, 102, 103, 104, 105, 106, 107, 108, 109));
		expect(problems).toEqual([]);
	});

	it('so it does where the broker is started anew, and the credential names the other by then', async () => {
		const { moves, ours, trial, problems, ...both } = await twoQueues(`restarted-${type}`, type, 4_000);
		const stay = [await ours.publish(), await trial.publish()];
		let member = await moves.publish();
		await both.send(OURS, 1, 2, 3, 4, 5, 6);
		await both.until(ours, [1, 2, 3, 4, 5, 6]);
		await waitUntil('runs go on', () => moves.began.length >= 2, HANDLED);
		await service.broker.stop();
		both.point(TRIAL);
		await service.broker.start();
		await both.until(moves, [1, 2, 3, 4, 5, 6]);
		await both.untilAllIsOver();
		await both.send(OURS, 7);
		await both.send(TRIAL, 101, 102, 103, 104);
		await waitUntil('runs go on there', () => moves.began.length >= 8, HANDLED);
		// Both connections are lost once more, and that which serves it comes back much later.
		await service.broker.clearPermissions(READER.user, TRIAL);
		await service.broker.stop();
		await service.broker.start();
		await both.send(OURS, 8);
		await both.until(ours, [7, 8]);
		await openTrial();
		await both.until(moves, [101, 102, 103, 104]);
		await member.leave();
		both.point(OURS);
		member = await moves.publish();
		await both.send(OURS, 9);
		await both.send(TRIAL, 105);
		await both.until(moves, [9]);
		await both.untilAllIsOver();
		for (const each of [...stay, member]) await each.leave();
		expect(sorted(moves.began)).toEqual(idsOf(1, 2, 3, 4, 5, 6, 9, 101, 102, 103, 104));
		expect(sorted(ours.began)).toEqual(idsOf(1, 2, 3, 4, 5, 6, 7, 8, 9));
		expect(sorted(trial.began)).toEqual(idsOf(101, 102, 103, 104, 105));
		expect(problems).toEqual([]);
	});
});
