import { settled } from '../../support/manualClock';
import { oddBroker } from '../../support/oddSession';

const lines = (all: string[], part: string) => all.filter((line) => line.includes(part));

it('ends a connection over which four times as much is delivered as was asked for', async () => {
	const { deliver, deliveries, logger, session, clock, outages } = await oddBroker(30);
	for (let count = 0; count < 200; count += 1) deliver();
	await settled();
	expect(deliveries).toHaveLength(120);
	await clock.advance(0);
	expect(
		lines(logger.lines, 'The message queue delivered more than 4 times the 30 messages it was asked for'),
	).toHaveLength(1);
	expect(outages).toHaveLength(1);
	await session.close();
});

it('does not count what was settled among what a connection delivers at once', async () => {
	const { deliver, deliveries, logger, session } = await oddBroker(30);
	for (let count = 0; count < 200; count += 1) {
		deliver();
		deliveries.at(-1)!.settle('remove');
	}
	await settled();
	expect(deliveries).toHaveLength(200);
	expect(lines(logger.lines, 'not listening')).toEqual([]);
	await session.close();
});

it('ends a connection over which a message of more than 128 MB is announced, before it is gathered', async () => {
	const { current, logger, session, clock, outages } = await oddBroker();
	const channel = current();
	channel.acceptMessageFrame({ size: 128 * 1024 * 1024 });
	expect(channel.frames).toHaveLength(1);
	channel.acceptMessageFrame({ size: 2 ** 62 });
	expect(channel.frames).toHaveLength(1);
	await clock.advance(0);
	expect(lines(logger.lines, 'The message queue announced a message of more than 128 MB')).toHaveLength(1);
	// A person is told: nothing behind it comes.
	expect(outages).toHaveLength(1);
	await session.close();
});

it('gives events back in one way: the channel is closed, its consumer never cancelled, and another is opened', async () => {
	const { session, channels, current, deliver, deliveries, returned } = await oddBroker();
	const first = current();
	deliver();
	session.renew();
	for (let turn = 0; turn < 5; turn += 1) await settled();
	expect(first.asked).toEqual(['prefetch 30', 'close']);
	expect(channels.at(-1)).not.toBe(first);
	expect(current().asked).toEqual(['prefetch 30']);
	expect(returned).toEqual(['closed']);
	deliveries[0]!.settle('remove');
	expect(first.asked).toEqual(['prefetch 30', 'close']);
	await session.close();
});

it('gives those back one by one, before the rest, that came behind a later one, and takes nothing more before that', async () => {
	const { session, current, deliver, deliveries, first, returned } = await oddBroker();
	const before = current();
	deliver();
	deliver();
	first.push(...deliveries.slice(1));
	session.renew();
	for (let turn = 0; turn < 10; turn += 1) await settled();
	expect(before.asked).toEqual(['prefetch 30', 'cancel tag', 'nack true', 'close']);
	expect([current() === before, returned]).toEqual([false, ['closed']]);
	await session.close();
});

it('leaves the events on the queue while it rests, and listens all the same', async () => {
	const { session, channels } = await oddBroker();
	const before = channels.length;
	session.rest();
	for (let turn = 0; turn < 5; turn += 1) await settled();
	expect(channels).toHaveLength(before);
	expect(channels.at(-1)!.asked).toContain('close');
	expect(session.listening).toBe(true);
	session.renew();
	for (let turn = 0; turn < 5; turn += 1) await settled();
	expect(channels).toHaveLength(before + 1);
	await session.close();
});

it('knows what waits on the queue while it rests, and only then', async () => {
	const { session, clock, queue } = await oddBroker();
	queue.waiting = 7;
	session.rest();
	for (let turn = 0; turn < 5; turn += 1) await settled();
	expect(session.waitsThere).toBe(0);
	await clock.advance(60_000);
	expect(session.waitsThere).toBe(7);
	session.renew();
	expect(session.waitsThere).toBe(0);
	session.rest();
	expect(session.waitsThere).toBe(0);
	await session.close();
});

it('asks about the queue while it rests, and believes that nothing waits there where one may fetch', async () => {
	const { session, queue } = await oddBroker();
	session.rest();
	for (let turn = 0; turn < 5; turn += 1) await settled();
	expect(await session.look()).toEqual({ ready: 0, otherReaders: 0 });
	queue.refuses.get = new Error('the leader of the queue is away');
	expect(await session.look()).toBe('noAnswer');
	queue.waiting = 7;
	expect(await session.look()).toEqual({ ready: 7, otherReaders: 0 });
	await session.close();
});

it.each<[string, Record<string, unknown>, { returns?: number; deaths: number }]>([
	['nothing', {}, { returns: undefined, deaths: 0 }],
	['a count of deliveries', { 'x-delivery-count': 3 }, { returns: 3, deaths: 0 }],
	['a count that is none', { 'x-delivery-count': 'many' }, { returns: undefined, deaths: 0 }],
	['a negative count', { 'x-delivery-count': -1 }, { returns: undefined, deaths: 0 }],
	[
		'dead letters of this queue and another',
		{
			'x-death': [
				{ queue: 'events', count: 2 },
				{ queue: 'other', count: 9 },
				{ queue: 'events', count: 1 },
			],
		},
		{ deaths: 3 },
	],
	['a record that is none', { 'x-death': { queue: 'events', count: 2 } }, { deaths: 0 }],
	[
		'a record of odd entries',
		{ 'x-death': [null, 7, { queue: 'events' }, { queue: 'events', count: 'x' }] },
		{ deaths: 0 },
	],
])('tells how often an event was delivered and died, from headers with %s', async (_, headers, read) => {
	const { deliver, deliveries, session } = await oddBroker();
	deliver(headers);
	expect(deliveries[0]).toMatchObject(read);
	await session.close();
});

it('reads the queue over one channel, also where another is asked for at the moment it is let in', async () => {
	const { session, channels } = await oddBroker(30, (begun) => begun.renew());
	const consuming = channels.filter(({ asked }) => asked.includes('prefetch 30') && !asked.includes('close'));
	expect(consuming).toHaveLength(1);
	expect(session.listening).toBe(true);
	await session.close();
});

describe('a session that takes nothing more', () => {
	it('settles what it has, gives the rest back one by one, and is not listening', async () => {
		const { session, current, deliver, deliveries } = await oddBroker();
		deliver();
		deliver();
		expect(await session.stopTaking()).toBe(true);
		expect([session.listening, session.takesNothing]).toEqual([false, true]);
		expect(await session.look()).toBeUndefined();
		deliveries[0]!.settle('remove');
		deliveries[1]!.giveBack();
		expect(current().asked).toEqual(['prefetch 30', 'cancel tag', 'ack', 'nack true']);
		await session.close();
	});

	it('reads the queue again over another channel when it is renewed', async () => {
		const { session, channels, current, deliver, deliveries } = await oddBroker();
		const first = current();
		deliver();
		await session.stopTaking();
		session.renew();
		for (let turn = 0; turn < 5; turn += 1) await settled();
		expect(channels.at(-1)).not.toBe(first);
		expect([session.listening, session.takesNothing]).toEqual([true, false]);
		deliveries[0]!.giveBack();
		expect(first.asked).toEqual(['prefetch 30', 'cancel tag', 'close']);
		await session.close();
	});

	it('has nothing to stop while it is not connected', async () => {
		const { session } = await oddBroker();
		await session.close();
		for (let turn = 0; turn < 5; turn += 1) await settled();
		expect(await session.stopTaking()).toBe(false);
	});
});

describe('a connection that is lost again and again', () => {
	/** Lost as often, so long after it began to listen; answers how often it listened meanwhile. */
	async function lost(times: number, afterMs: number, withinMs: number): Promise<number> {
		const { session, logger, current, clock } = await oddBroker(30, undefined, () => 0.99);
		const end = clock.now() + withinMs;
		for (let count = 0; count < times && clock.now() < end; count += 1) {
			const channel = current();
			await clock.advance(afterMs);
			channel.emit('close');
			while (current() === channel && clock.now() < end) await clock.advance(250);
		}
		await session.close();
		return lines(logger.lines, 'listening again').length;
	}

	it('is opened at a pace that slows down, where the broker lets in and throws out at once', async () => {
		// 1, 2, 4, 8, 16 seconds, and then half a minute each.
		expect(await lost(100, 10, 5 * 60_000)).toBeLessThan(16);
	});

	it('is opened after a second each time, where it held for half a minute', async () => {
		expect(await lost(100, 30_000, 320_000)).toBeGreaterThanOrEqual(10);
	});
});
