import type { GetMessage } from 'amqplib';
import { linkOpener } from '../../../service/queue/link';
import { peek } from '../../../service/queue/peek';
import { eventBody, setIdOf } from '../../support/events';
import { manualClock, settled } from '../../support/manualClock';
import { oddConnections } from '../../support/oddChannel';
import { addressOf, recordingLogger } from '../../support/subscriber';

const SECONDS = 1_000;
const MINUTES = 60 * SECONDS;
const HOURS = 60 * MINUTES;

let queues = 0;

/** A queue of its own, of which a person looks for a signed set. */
function world() {
	const clock = manualClock();
	const logger = recordingLogger();
	const { connect, channels, queue, connections } = oddConnections();
	const stop = new AbortController();
	const name = `events-${(queues += 1)}`;
	const seen = { ended: 0, takenOver: false };
	const waits = (number: number, status: string, returns?: number, body = eventBody(number)) =>
		queue.messages.push({
			content: Buffer.from(JSON.stringify({ ...body, newStatus: status })),
			fields: { redelivered: returns !== undefined, deliveryTag: number },
			properties: { headers: { 'x-delivery-count': returns } },
		} as unknown as GetMessage);
	const look = () =>
		peek({
			address: addressOf({ port: 1 } as never),
			...{ queue: name, clock, logger },
			filter: { statuses: ['SIGNED'], customerIds: [], instances: [] },
			signal: stop.signal,
			takenOver: async () => seen.takenOver,
			open: linkOpener(connect),
		});
	const fetched = () => channels.flatMap(({ asked }) => asked).filter((asked) => asked === 'get').length;
	const isClosed = () => channels.at(-1)!.asked.at(-1) === 'close';
	return { clock, logger, queue, channels, connections, stop, name, seen, waits, look, fetched, isClosed };
}

it('shows the first event that passes, as it was delivered, and gives all back by closing', async () => {
	const { clock, waits, look, fetched, isClosed } = world();
	waits(1, 'ISSUED');
	waits(2, 'Signed', 1);
	waits(3, 'Signed');
	expect(await look()).toMatchObject({
		event: { setId: setIdOf(2) },
		redelivered: true,
		deliveredAt: clock.now(),
	});
	expect([fetched(), isClosed()]).toEqual([2, true]);
});

it('passes over what is no event', async () => {
	const { waits, look, queue } = world();
	waits(1, 'Signed');
	queue.messages[0]!.content = Buffer.from('nonsense');
	waits(2, 'Signed');
	expect(await look()).toMatchObject({ event: { setId: setIdOf(2) } });
});

it.each([
	[20, 'shown'],
	[21, 'not shown'],
])('holds 20 at most: the first that passes as number %d is %s', async (at, what) => {
	const { waits, look, fetched } = world();
	for (let number = 1; number < at; number += 1) waits(number, 'ISSUED');
	waits(at, 'Signed');
	const looked = look();
	if (what === 'shown') expect(await looked).toMatchObject({ event: { setId: setIdOf(at) } });
	else {
		await expect(looked).rejects.toMatchObject({
			code: 'notFound',
			message: 'None of the first 20 events on the queue is of a chosen kind',
			remedy: expect.stringContaining('They stay on the queue'),
		});
	}
	expect(fetched()).toBe(20);
});

it('looks every two seconds while nothing comes, for 15 minutes', async () => {
	const { clock, look, fetched, isClosed } = world();
	const ended = expect(look()).rejects.toMatchObject({ message: 'No event came within 15 minutes' });
	await clock.advance(4 * SECONDS - 1);
	expect(fetched()).toBe(2);
	await clock.advance(15 * MINUTES - 4 * SECONDS);
	expect([fetched(), isClosed()]).toEqual([450, false]);
	await clock.advance(1);
	await ended;
	expect([fetched(), isClosed()]).toEqual([450, true]);
});

it('shows what comes meanwhile', async () => {
	const { clock, waits, look } = world();
	const looked = look();
	await clock.advance(MINUTES);
	waits(1, 'Signed');
	await clock.advance(2 * SECONDS);
	expect(await looked).toMatchObject({ event: { setId: setIdOf(1) } });
});

it.each<[string, (here: ReturnType<typeof world>) => void]>([
	['a person stops it', ({ stop }) => stop.abort()],
	['the workflow was published meanwhile, and gets the events', ({ seen }) => (seen.takenOver = true)],
])('ends without an event when %s', async (_, happens) => {
	const here = world();
	const looked = here.look();
	await here.clock.advance(SECONDS);
	happens(here);
	here.waits(1, 'Signed');
	await here.clock.advance(SECONDS);
	expect(await looked).toBeUndefined();
	expect([here.fetched(), here.isClosed(), here.clock.pending]).toEqual([1, true, 0]);
});

it('is no failure where it was stopped before the broker refused', async () => {
	const { queue, stop, look } = world();
	queue.refuses.get = new Error('Channel closed by server: 404 (NOT-FOUND)');
	queue.until.get = settled();
	const looked = look();
	stop.abort();
	expect(await looked).toBeUndefined();
});

it('names a queue that is not there', async () => {
	const { queue, name, look } = world();
	queue.refuses.check = new Error('Operation failed: QueueDeclare; 404 (NOT-FOUND) with message "NOT_FOUND"');
	await expect(look()).rejects.toMatchObject({ message: `The queue “${name}” was not found` });
});

it.each([
	['while it waits for an event', undefined],
	['while it waits for an answer', new Error('Channel ended, no reply will be forthcoming')],
])('says with what words the broker closed the connection %s', async (_, unanswered) => {
	const { clock, connections, queue, look } = world();
	const ended = expect(look()).rejects.toMatchObject({ message: expect.stringContaining('for the night') });
	await clock.advance(SECONDS);
	const close = () => connections[0]!.emit('error', new Error('closed for the night'));
	if (unanswered) {
		queue.refuses.get = unanswered;
		queue.until.get = Promise.resolve().then(close as () => void);
		await clock.advance(2 * SECONDS);
	} else close();
	await ended;
});

describe('on a queue that counts how often it gives an event out', () => {
	const LEFT_ALONE = 'were given out 5 times, and tests leave them alone now';

	/** Three wait, the second of which passes and was given out so often. */
	async function looksAt(here: ReturnType<typeof world>, returns: number | undefined) {
		here.queue.messages.length = 0;
		here.waits(1, 'ISSUED');
		here.waits(2, 'Signed', returns);
		return await here.look();
	}
	async function lookedOften() {
		const here = world();
		here.queue.waiting = 3;
		for (const returns of [undefined, 1, 2, 3, 4]) await looksAt(here, returns);
		await here.clock.advance(0);
		return here;
	}

	it('leaves alone for a day what was given out five times, says so, and writes it down before', async () => {
		const here = await lookedOften();
		await expect(here.look()).rejects.toMatchObject({
			code: 'invalidInput',
			message: `Of the first events of the queue “${here.name}”, one or more ${LEFT_ALONE}`,
			remedy: expect.stringContaining('Pin the data'),
		});
		expect(here.logger.lines).toEqual([expect.stringContaining(`Queue ${here.name}: 1 events delivered`)]);
		await here.clock.advance(24 * HOURS - 1);
		await expect(here.look()).rejects.toMatchObject({ message: expect.stringContaining(LEFT_ALONE) });
		await here.clock.advance(1);
		expect(await looksAt(here, undefined)).toBeDefined();
		expect(await looksAt(here, undefined)).toBeDefined();
	});

	it('looks again where as much is gone as it had looked at', async () => {
		const here = await lookedOften();
		here.queue.waiting = 2;
		await expect(here.look()).rejects.toMatchObject({ message: expect.stringContaining(LEFT_ALONE) });
		here.queue.waiting = 1;
		expect(await looksAt(here, undefined)).toBeDefined();
	});

	it('looks at other queues', async () => {
		await lookedOften();
		const other = world();
		other.queue.waiting = 3;
		expect(await looksAt(other, 4)).toBeDefined();
	});
});

it('looks as often as one likes where the queue counts nothing', async () => {
	const { queue, waits, look, logger, clock } = world();
	queue.waiting = 1;
	for (let times = 0; times < 10; times += 1) {
		waits(1, 'Signed');
		queue.messages[0]!.fields.redelivered = times > 0;
		expect(await look()).toBeDefined();
	}
	await clock.advance(0);
	expect(logger.lines).toEqual([]);
});
