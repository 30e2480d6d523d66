import type { ServiceError } from '../../../service/errors';
import { oddBroker } from '../../support/oddSession';

const GONE = new Error("404 (NOT-FOUND) with message \"NOT_FOUND - no queue 'events' in vhost '/'\"");

/** An answer that comes when it is told to. */
function later() {
	let come!: () => void;
	const answer = new Promise<void>((resolve) => (come = resolve));
	return { answer, come };
}

describe('a connection that is lost', () => {
	it('is listened to no longer, and again when the next one stands', async () => {
		const { session, connections, clock, asked } = await oddBroker();
		expect([session.connected, session.listening]).toEqual([true, true]);
		connections[0]!.emit('close');
		expect([session.connected, session.listening]).toEqual([false, false]);
		expect(await session.look()).toBeUndefined();
		expect(await session.stopTaking()).toBe(false);
		await asked();
		expect([session.connected, session.listening]).toEqual([false, false]);
		await clock.advance(1_000);
		await asked();
		expect([session.connected, session.listening, connections.length]).toEqual([true, true, 2]);
		await session.close();
	});

	it('is told as lost where the channel that was asked for is refused, and why', async () => {
		const { session, queue, asked, logger } = await oddBroker();
		queue.refuses.consume = new Error('the node is down');
		session.renew();
		await asked();
		expect(session.connected).toBe(false);
		expect(logger.lines.filter((line) => line.includes('the node is down'))).toHaveLength(1);
		await session.close();
	});

	it('asks for nothing more over it', async () => {
		const { session, connections, channels, limits, returned, asked } = await oddBroker();
		const before = channels.length;
		session.renew();
		connections[0]!.emit('close');
		session.renew();
		await asked();
		expect([channels.length, limits, returned]).toEqual([before, [30], ['lost']]);
		await session.close();
	});

	it('is the end of all that was on it, and of nothing where the next one is not let in', async () => {
		const { session, connections, queue, returned, clock, asked } = await oddBroker();
		connections[0]!.emit('close');
		queue.refuses.check = GONE;
		await asked();
		await clock.advance(60_000);
		expect([connections.length > 2, returned]).toEqual([true, ['lost']]);
		await session.close();
	});

	it('is told as lost where the channel that was asked for does not come, and the next one is opened', async () => {
		const { session, queue, connections, clock, asked, logger } = await oddBroker();
		queue.until.consume = new Promise(() => {});
		session.renew();
		await asked();
		expect([session.connected, session.listening]).toEqual([true, false]);
		await clock.advance(30_000);
		expect(session.connected).toBe(false);
		expect(logger.lines.filter((line) => line.includes('trying again'))).toHaveLength(1);
		delete queue.until.consume;
		await clock.advance(1_000);
		await asked();
		expect([session.listening, connections.length]).toEqual([true, 2]);
		await session.close();
	});

	it('stays left alone where the queue was, when the next one stands', async () => {
		const { session, connections, channels, clock, asked } = await oddBroker();
		session.rest();
		await asked();
		connections[0]!.emit('close');
		await asked();
		await clock.advance(1_000);
		await asked();
		expect([session.listening, connections.length]).toEqual([true, 2]);
		expect(channels.at(-1)!.asked).toEqual(['close']);
		await session.close();
	});
});

describe('a connection that is being opened', () => {
	it('is asked nothing about the queue before that is read', async () => {
		const looks: unknown[] = [];
		const { session } = await oddBroker(
			30,
			(begun) => void begun.look().then((looked) => looks.push(looked)),
		);
		expect(looks).toEqual([undefined]);
		await session.close();
	});

	it('is not said to be listened to where the channel is refused that was asked for as it was let in', async () => {
		let connected = 0;
		const renewSecond = (begun: { renew(): void }) => void ((connected += 1) === 2 && begun.renew());
		const { session, connections, queue, clock, asked, logger } = await oddBroker(30, renewSecond);
		connections[0]!.emit('close');
		await asked();
		queue.refuses.consume = new Error('the node is down');
		const waiting = session.untilListening().catch((error: ServiceError) => error);
		await clock.advance(1_000);
		await asked();
		expect((await waiting)?.message).toContain('the node is down');
		expect(logger.lines.filter((line) => line.includes('listening again'))).toEqual([]);
		await session.close();
	});
});

describe('one channel after another', () => {
	it('follows no more than one change that is to come', async () => {
		const { session, channels, asked } = await oddBroker();
		const before = channels.length;
		for (let change = 0; change < 5; change += 1) session.renew();
		await asked();
		expect(channels).toHaveLength(before + 2);
		await session.close();
	});
});

describe('who waits until it listens', () => {
	it('waits for nothing where it does', async () => {
		const { session } = await oddBroker();
		await session.untilListening();
		await session.close();
	});

	it('has the next connection opened at once, and the one after a loss no sooner than otherwise', async () => {
		const { session, connections, clock, asked } = await oddBroker();
		await session.untilListening();
		connections[0]!.emit('close');
		await asked();
		expect(connections).toHaveLength(1);
		await session.untilListening();
		expect([session.listening, connections.length]).toEqual([true, 2]);
		connections[1]!.emit('close');
		await asked();
		expect(connections).toHaveLength(2);
		await clock.advance(2_000);
		expect(connections).toHaveLength(3);
		await session.close();
	});

	it('is told that it was closed', async () => {
		const { session, connections, asked } = await oddBroker();
		connections[0]!.emit('close');
		await asked();
		const waiting = session.untilListening().catch((error: ServiceError) => error);
		await session.close();
		expect(await waiting).toMatchObject({ code: 'cancelled', message: 'The session was closed' });
	});
});

describe('a session that is closed while it connects', () => {
	it('reads nothing when the broker answers at last', async () => {
		const { session, connections, channels, queue, clock, asked } = await oddBroker();
		const { answer, come } = later();
		queue.until.check = answer;
		connections[0]!.emit('close');
		await asked();
		await clock.advance(1_000);
		await asked();
		expect(connections).toHaveLength(2);
		await session.close();
		come();
		await asked();
		expect(channels.at(-1)!.asked).toEqual(['close']);
		expect([session.connected, session.listening]).toEqual([false, false]);
	});
});

describe('a session that is closed', () => {
	it('says nothing more, and gives nothing back a second time', async () => {
		const { session, logger, returned, clock, asked } = await oddBroker();
		const said = logger.lines.length;
		await session.close();
		await asked();
		expect([logger.lines.length, returned, clock.pending]).toEqual([said, [], 0]);
	});
});

describe('a queue of which nothing more is taken', () => {
	it('is not listened to, unless it is for a moment', async () => {
		const { session, current, asked } = await oddBroker();
		expect(await session.stopTaking(true)).toBe(true);
		expect([session.takesNothing, session.listening]).toEqual([true, true]);
		session.renew();
		await asked();
		expect(await session.stopTaking()).toBe(true);
		expect([session.takesNothing, session.listening]).toEqual([true, false]);
		expect(await session.look()).toBeUndefined();
		expect(current().asked).toEqual(['prefetch 30', 'cancel tag']);
		await session.close();
	});

	it('cannot be asked to give nothing more while it is left alone, and goes on as before', async () => {
		const { session, asked } = await oddBroker();
		session.rest();
		await asked();
		expect(await session.stopTaking(true)).toBe(false);
		session.renew();
		await asked();
		await session.stopTaking();
		expect(session.listening).toBe(false);
		await session.close();
	});

	it.each([undefined, new Error('Channel closed')])(
		'is read over another channel that was asked for before the answer came (refused: %s)',
		async (refusal) => {
			const { session, queue, connections, asked } = await oddBroker();
			const { answer, come } = later();
			queue.until.cancel = answer;
			queue.refuses.cancel = refusal;
			const stopped = session.stopTaking();
			session.renew();
			await asked();
			come();
			expect(await stopped).toBe(false);
			expect([session.listening, connections.length]).toEqual([true, 1]);
			await session.close();
		},
	);

	it('is read over the next connection where that is refused', async () => {
		const { session, queue, clock, connections, asked, logger } = await oddBroker();
		queue.until.cancel = Promise.reject(new Error('the node is down'));
		expect(await session.stopTaking()).toBe(false);
		expect(session.connected).toBe(false);
		await asked();
		expect(logger.lines.filter((line) => line.includes('the node is down'))).toHaveLength(1);
		await clock.advance(1_000);
		await asked();
		expect([session.listening, connections.length]).toEqual([true, 2]);
		await session.close();
	});
});

describe('what the broker says of the queue', () => {
	it('is what waits there, and who else reads it', async () => {
		const { session, queue } = await oddBroker();
		Object.assign(queue, { waiting: 7, readers: 3 });
		expect(await session.look()).toEqual({ ready: 7, otherReaders: 2 });
		await session.close();
	});

	it('shows that another reader is the active one where nothing has come and none may fetch', async () => {
		const { session, queue, current } = await oddBroker();
		const reading = current();
		queue.readers = 1;
		expect(await session.look()).toEqual({ ready: 0, otherReaders: 0 });
		queue.refuses.get = new Error(
			'405 (RESOURCE-LOCKED) with message "RESOURCE_LOCKED - cannot obtain access to locked queue"',
		);
		expect(await session.look()).toEqual({ ready: 0, otherReaders: 1 });
		reading.onMessage!({
			content: Buffer.from('{}'),
			fields: { redelivered: false, deliveryTag: 1 },
			properties: { headers: {} },
		} as never);
		expect(await session.look()).toEqual({ ready: 0, otherReaders: 0 });
		await session.close();
	});

	it('is no answer where it is refused, or where the channel was another one when it came', async () => {
		const { session, queue, channels, asked } = await oddBroker();
		queue.readers = 1;
		const { answer, come } = later();
		queue.until.check = answer;
		const looked = session.look();
		session.renew();
		await asked();
		come();
		expect(await looked).toBe('noAnswer');
		expect(channels.some((channel) => channel.asked.includes('get'))).toBe(false);
		queue.refuses.check = new Error('the node is down');
		expect(await session.look()).toBe('noAnswer');
		expect(session.connected).toBe(true);
		await session.close();
	});
});

describe('a queue that is left alone', () => {
	it('is looked at once a minute, and given up when it is no more', async () => {
		const { session, queue, clock, asked, outages } = await oddBroker();
		session.rest();
		await asked();
		queue.refuses.check = new Error('the node is down');
		await clock.advance(60_000);
		expect(session.connected).toBe(true);
		queue.refuses.check = GONE;
		await clock.advance(60_000);
		expect(session.connected).toBe(false);
		await asked();
		expect(outages).toEqual([]);
		await session.close();
	});

	it('is looked at no more when it is read again, or closed', async () => {
		const { session, clock, channels, asked } = await oddBroker();
		session.rest();
		await asked();
		session.renew();
		await asked();
		const reading = channels.length;
		await clock.advance(180_000);
		expect(channels).toHaveLength(reading);
		session.rest();
		await asked();
		await session.close();
		const closed = channels.length;
		await clock.advance(180_000);
		expect([channels.length, clock.pending]).toEqual([closed, 0]);
	});
});
