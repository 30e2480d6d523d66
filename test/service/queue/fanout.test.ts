import type { RunOutcome } from '../../../service/queue/contract';
import { BOUNDS } from '../../../service/queue/bounds';
import { settled } from '../../support/manualClock';
import { setIdOf } from '../../support/events';
import { addressOf, subscriber } from '../../support/subscriber';
import { listening } from '../../support/withoutBroker';

const address = addressOf({ port: 1 } as never);

it('who left while its run went on, and did not return, is told what it does not get when that has ended', async () => {
	const { clock, hub, deliver } = listening();
	const ends: Array<(outcome: RunOutcome) => void> = [];
	const leaver = subscriber(address, 'events', {
		key: 'leaver:node',
		outcome: ({ events: [first] }) =>
			first!.event.setId === setIdOf(1)
				? new Promise((end) => ends.push(end))
				: { kind: 'failed', reason: 'the mail server is down' },
	});
	const stays = subscriber(address, 'events', { key: 'stays:node' });
	const member = await hub.subscribe(leaver, false);
	const other = await hub.subscribe(stays, false);
	await clock.advance(2_000);
	await deliver(1);
	await deliver(2);
	await member.leave();
	await clock.advance(BOUNDS.returnMs);
	expect(leaver.problems).toEqual([]);
	ends[0]?.({ kind: 'succeeded' });
	await settled();
	await clock.advance(60_000);
	expect(leaver.problems).toMatchObject([{ kind: 'notKept', events: [{ setId: setIdOf(2) }] }]);
	expect(stays.runs).toHaveLength(2);
	await other.leave();
});

it('what goes back to the queue beyond what can be remembered stands in the log, since nobody would miss it', async () => {
	const { clock, hub, deliver, channels, lines } = listening({ ...BOUNDS, givenBackEvents: 1 });
	const slow = subscriber(address, 'events', { outcome: () => new Promise(() => {}) });
	const member = await hub.subscribe(slow, false);
	await clock.advance(2_000);
	await deliver(1);
	await deliver(2);
	channels.findLast(({ onMessage }) => onMessage)?.emit('close');
	await clock.advance(100);
	const told = lines.filter((line) => line.includes('nobody here would see it'));
	expect(told).toHaveLength(1);
	expect(told[0]).toContain(setIdOf(2));
	expect(told[0]).not.toContain(setIdOf(1));
	await member.leave();
});

describe('what one workflow runs, and another that left over an outage had not handled', () => {
	/** @returns what the broker is told when the run has ended, after both are away, and what the one that left is told */
	async function comesAgain(leave: 'one before the other' | 'both at once') {
		const { clock, hub, deliver, channels } = listening();
		const ends: Array<(outcome: RunOutcome) => void> = [];
		const runs = subscriber(address, 'events', {
			key: 'runs:node',
			outcome: () => new Promise((end) => ends.push(end)),
		});
		const leaver = subscriber(address, 'events', {
			key: 'leaver:node',
			outcome: () => ({ kind: 'failed', reason: 'the mail server is down' }),
		});
		const stays = await hub.subscribe(runs, false);
		const leaves = await hub.subscribe(leaver, false);
		await clock.advance(2_000);
		await deliver(1);
		channels.findLast(({ onMessage }) => onMessage)?.emit('close');
		await leaves.leave();
		if (leave === 'both at once') await stays.leave();
		await clock.advance(BOUNDS.returnMs + 1_000);
		await deliver(1);
		if (leave === 'one before the other') await stays.leave();
		ends[0]?.({ kind: 'succeeded' });
		await settled();
		const { asked } = channels.findLast(({ onMessage }) => onMessage)!;
		const told = asked.filter((each) => each === 'ack' || each === 'nack false');
		await clock.advance(BOUNDS.keepAtMostMs);
		return [told, leaver.problems];
	}

	it('is taken off the queue by that run, where the other one had its time while somebody was here, and that one is told', async () =>
		expect(await comesAgain('one before the other')).toMatchObject([
			// It was given up by one of the two.
			['nack false'],
			[{ kind: 'notKept', why: 'left', events: [{ setId: setIdOf(1) }] }],
		]));

	it('stays on the queue where it came again while nobody was here', async () =>
		expect(await comesAgain('both at once')).toEqual([[], []]));
});

it('who returns after its time, while a run of another one goes on, goes on with what it had before what comes later', async () => {
	const { clock, hub, deliver } = listening();
	const longRun = subscriber(address, 'events', { key: 'runs:node', outcome: () => new Promise(() => {}) });
	const left = subscriber(address, 'events', {
		key: 'left:node',
		outcome: () => ({ kind: 'failed', reason: 'the mail server is down' }),
	});
	const back = subscriber(address, 'events', { key: 'left:node' });
	const members = [await hub.subscribe(longRun, false), await hub.subscribe(left, false)];
	await clock.advance(2_000);
	await deliver(1);
	for (const member of members) await member.leave();
	await clock.advance(BOUNDS.returnMs + 1_000);
	const member = await hub.subscribe(back, false);
	await deliver(2);
	await clock.advance(1_000);
	expect(back.runs.map(({ events: [first] }) => first?.event.setId)).toEqual([setIdOf(1), setIdOf(2)]);
	await member.leave();
});

describe('all of a queue are unpublished over an outage, and one is published when it is over, long after', () => {
	async function publishedAgain({
		asked = [] as string[],
		isShutOut = false,
		/** Until the first one is published again. */
		awayMs = 10 * BOUNDS.returnMs,
		/** From then until the event comes again. */
		comesAfterMs = 2_000,
		newcomer = undefined as string | undefined,
		newcomersVhost = address.vhost,
	} = {}) {
		const { clock, hub, deliver, reading } = listening();
		let isAway = true;
		const outcome = (): RunOutcome =>
			isAway ? { kind: 'failed', reason: 'refused' } : { kind: 'succeeded' };
		let isReadable = false;
		const published = async (key: string, statuses: string[] = [], readable = true) => {
			const filter = { statuses, customerIds: [], instances: [] };
			const readAddress = async () => {
				if (readable || isReadable) return address;
				throw new Error('External secrets provider not ready');
			};
			const subscription = subscriber(address, 'events', { key, outcome, filter, readAddress });
			return { subscription, member: await hub.subscribe(subscription, false, !readable) };
		};
		const first = await published('first:node');
		const second = await published('second:node', asked);
		await clock.advance(2_000);
		await deliver(1);
		for (const { member } of [first, second]) await member.leave();
		await clock.advance(awayMs);
		isAway = false;
		const shutOut = isShutOut ? (await published('second:node', asked, false)).subscription : undefined;
		const newcomersAddress = { ...address, vhost: newcomersVhost };
		if (newcomer)
			await hub.subscribe(subscriber(newcomersAddress, newcomer, { key: 'newcomer:node' }), false);
		let { subscription, member } = await published('first:node');
		const saveFirst = async () => {
			await member.leave();
			await clock.advance(500);
			({ subscription, member } = await published('first:node'));
		};
		await clock.advance(comesAfterMs);
		await deliver(1, undefined, {}, true);
		expect(subscription.setIds).toEqual([setIdOf(1)]);
		const over = reading().at(-1)!;
		return {
			clock,
			second: second.subscription,
			shutOut,
			saveFirst,
			mend: () => (isReadable = true),
			comesBack: async () => (await published('second:node', asked)).subscription,
			settledAs: () => over.asked.filter((each) => each === 'ack' || each === 'nack false'),
		};
	}

	it('what another one had failed with runs for that, too, where it comes back within three minutes from then', async () => {
		const { clock, comesBack } = await publishedAgain();
		await clock.advance(BOUNDS.returnMs - 10_000);
		const back = await comesBack();
		await clock.advance(2_000);
		expect([back.setIds, back.problems]).toEqual([[setIdOf(1)], []]);
	});

	it('else it is told', async () => {
		const { clock, second, settledAs } = await publishedAgain();
		await clock.advance(BOUNDS.returnMs);
		expect(second.problems).toMatchObject([
			{ kind: 'notKept', why: 'left', events: [{ setId: setIdOf(1) }] },
		]);
		expect(settledAs()).toEqual(['nack false']);
	});

	it('so it is where that comes later than these three minutes', async () => {
		const { clock, second, settledAs } = await publishedAgain({ comesAfterMs: BOUNDS.returnMs + 10_000 });
		await clock.advance(1_000);
		expect(second.problems).toMatchObject([
			{ kind: 'notKept', why: 'left', events: [{ setId: setIdOf(1) }] },
		]);
		expect(settledAs()).toEqual(['nack false']);
	});

	it.each(['events', 'others'])(
		'so it is where one that never was is published before, on the queue %s',
		async (newcomer) => {
			const { clock, second, comesBack } = await publishedAgain({ newcomer });
			await clock.advance(60_000);
			const back = await comesBack();
			await clock.advance(2_000);
			expect([back.setIds, second.problems]).toEqual([[setIdOf(1)], []]);
		},
	);

	it('so they do where one that reads a queue of that name elsewhere is published right before', async () => {
		const { clock, second, comesBack } = await publishedAgain({
			awayMs: BOUNDS.returnMs - 3_000,
			newcomer: 'events',
			newcomersVhost: 'theirs',
		});
		await clock.advance(60_000);
		const back = await comesBack();
		await clock.advance(2_000);
		expect([back.setIds, second.problems]).toEqual([[setIdOf(1)], []]);
	});

	it('its three minutes begin anew where the first one is back just before they are over', async () => {
		const { clock, second, comesBack } = await publishedAgain({ awayMs: BOUNDS.returnMs - 3_000 });
		await clock.advance(60_000);
		const back = await comesBack();
		await clock.advance(2_000);
		expect([back.setIds, second.problems]).toEqual([[setIdOf(1)], []]);
	});

	it('they do not where the first one is only published again, as by each save of it', async () => {
		const { clock, second, saveFirst } = await publishedAgain();
		for (let saves = 0; saves < 3; saves += 1) {
			await clock.advance(BOUNDS.returnMs / 4);
			await saveFirst();
		}
		await clock.advance(BOUNDS.returnMs / 4);
		expect(second.problems).toMatchObject([{ kind: 'notKept', why: 'left' }]);
	});

	it('one that has been published by then, and whose credential cannot be read, is waited for as ever', async () => {
		const { clock, shutOut, mend } = await publishedAgain({ isShutOut: true });
		await clock.advance(2 * BOUNDS.returnMs);
		mend();
		await clock.advance(BOUNDS.admitAgainMs + 2_000);
		expect(shutOut!.setIds).toEqual([setIdOf(1)]);
	});

	it('nothing is kept for one that had not failed', async () => {
		const { settledAs } = await publishedAgain({ asked: ['TITLE_HELD'] });
		expect(settledAs()).toEqual(['ack']);
	});
});

it.each([
	['that never was there', false],
	['that had been away', true],
])('what one waits with is tried before any of it is given up for another one %s', async (_, wasThere) => {
	const { clock, hub, deliver, queue } = listening({ ...BOUNDS, keptEvents: 2 });
	queue.waiting = 12;
	let isAway = true;
	const outcome = (): RunOutcome => (isAway ? { kind: 'failed', reason: 'refused' } : { kind: 'succeeded' });
	const waits = subscriber(address, 'events', { key: 'waits:node', outcome });
	const other = subscriber(address, 'events', { key: 'other:node' });
	const twelve = Array.from({ length: 12 }, (_set, index) => index + 1);
	const members = [await hub.subscribe(waits, false)];
	if (wasThere) await (await hub.subscribe(other, false)).leave();
	await clock.advance(BOUNDS.returnMs);
	for (const set of twelve) await deliver(set);
	await clock.advance(30 * 60_000);
	isAway = false;
	members.push(await hub.subscribe(other, false));
	await clock.advance(2_000);
	for (const set of twelve) await deliver(set, undefined, {}, true);
	await clock.advance(60_000);
	expect(waits.problems.filter(({ kind }) => kind === 'notKept')).toEqual([]);
	expect(new Set(waits.setIds.slice(-12)).size).toBe(12);
	expect(other.setIds).toHaveLength(12);
	for (const member of members) await member.leave();
});
