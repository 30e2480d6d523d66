import { EventEmitter } from 'node:events';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { linkOpener } from '../../../service/queue/link';
import { manualClock } from '../../support/manualClock';
import { oddConnections } from '../../support/oddChannel';
import { addressOf, recordingLogger } from '../../support/subscriber';

/** amqplib's own reading and writing of frames. */
const load = createRequire(__filename);
const inside = (file: string): unknown => load(join(dirname(load.resolve('amqplib')), 'lib', file));
const { encodeProperties, encodeMethod } = inside('defs') as {
	encodeProperties(id: number, channel: number, size: number, fields: object): Buffer;
	encodeMethod(id: number, channel: number, fields: object): Buffer;
};
const { parseFrame, decodeFrame } = inside('frame') as {
	parseFrame(bytes: Buffer, max: number): { rest: Buffer } | false;
	decodeFrame(frame: object): unknown;
};
const { BasicDeliver } = inside('defs') as { BasicDeliver: number };

const ADDRESS = addressOf({ port: 1 } as never);
const BASIC = 60;

interface Wire extends EventEmitter {
	connection: { rest: Buffer; recvFrame(): unknown; stream: { destroy(): void } };
	close(): Promise<void>;
}

/** A link, and what its broker does on request. */
async function world(bytes: Buffer = Buffer.alloc(0)) {
	const clock = manualClock();
	const logger = recordingLogger();
	const { connect, channels } = oddConnections();
	const seen = { destroyed: 0, order: [] as string[], closes: Promise.resolve() };
	let wire!: Wire;
	const connectTo = async () => {
		wire = await (connect as unknown as () => Promise<Wire>)();
		wire.connection = {
			rest: bytes,
			// As amqplib does it, whose socket has nothing more to read.
			recvFrame() {
				const frame = parseFrame(this.rest, 0);
				if (!frame) return false;
				this.rest = frame.rest;
				return decodeFrame(frame);
			},
			stream: { destroy: () => void (seen.destroyed += 1) },
		};
		wire.close = async () => {
			seen.order.push(`connection after ${channels.filter(({ asked }) => asked.includes('close')).length}`);
			await seen.closes;
		};
		return wire;
	};
	const link = await linkOpener(connectTo as never)(ADDRESS, 'Queue events', clock, logger);
	return { clock, logger, link, wire, channels, seen, receive: () => wire.connection.recvFrame() };
}

/** Headers of a message of 77 bytes. Those that are named hold what amqplib cannot read: their type is changed. */
function headers(fields: Record<string, unknown>, unreadable: string[] = [], type = 'F'): Buffer {
	const none = Buffer.from('\x01aZ', 'latin1');
	const own = { ...fields, ...Object.fromEntries(unreadable.map((name) => [name, none])) };
	const frame = encodeProperties(BASIC, 3, 77, { priority: 4, headers: own });
	for (let at = frame.indexOf(none); at >= 0; at = frame.indexOf(none, at + 1)) frame.write(type, at - 5);
	return frame;
}

describe('headers of a message', () => {
	const death = [{ queue: 'events', count: 3, reason: 'rejected' }];

	it.each<[string, Buffer, object]>([
		[
			'that can be read come as they are',
			headers({ one: [1], 'x-death': death }),
			{ priority: 4, headers: { one: [1], 'x-death': death } },
		],
		[
			'that cannot be read come without those',
			headers({ 'x-delivery-count': 3, one: [1], 'x-death': death }, ['deep']),
			{ priority: 4, headers: { 'x-delivery-count': 3, 'x-death': death } },
		],
		[
			'come without its dead letters where those cannot be read',
			headers({ 'x-delivery-count': 3 }, ['deep', 'x-death'], 'A'),
			{ priority: 4, headers: { 'x-delivery-count': 3 } },
		],
		['are none where nothing of them can be read', headers({ one: 1 }, ['deep'], 'Z'), {}],
	])('%s, and so do those behind it', async (_, frame, fields) => {
		const behind = headers({ two: 2 });
		const { receive } = await world(Buffer.concat([frame, behind]));
		expect(receive()).toMatchObject({ id: BASIC, channel: 3, size: 77, fields });
		expect((receive() as { fields: object }).fields).toMatchObject({ headers: { two: 2 } });
		expect(receive()).toBe(false);
	});

	it('that are read again leave nothing out', async () => {
		const { receive } = await world(headers({ one: 1 }, ['deep']));
		expect(Object.keys((receive() as { fields: { headers: object } }).fields.headers)).toEqual(['one']);
	});
});

it.each<[string, Buffer]>([
	[
		'is no headers',
		(() => {
			const frame = encodeMethod(BasicDeliver, 3, {
				...{ consumerTag: 'tag', deliveryTag: 1, redelivered: false, exchange: '', routingKey: 'x' },
			});
			frame.writeUInt32BE(0xffff, 7);
			return frame;
		})(),
	],
	['has no end', Buffer.concat([headers({ one: 1 }).subarray(0, -1), Buffer.from([0])])],
])('a frame that cannot be read and %s ends the connection, as amqplib does it', async (_, frame) => {
	const { receive } = await world(frame);
	expect(receive).toThrow();
});

describe('a link', () => {
	it('closes its channels before its connection, and destroys the socket once', async () => {
		const { link, seen } = await world();
		await link.openChannel();
		await link.openChannel();
		await Promise.all([link.close(), link.close()]);
		expect([seen.order, seen.destroyed, link.isLost]).toEqual([['connection after 2'], 1, true]);
	});

	it('is closed by force after two seconds', async () => {
		const { clock, link, seen } = await world();
		seen.closes = new Promise(() => {});
		let closed = false;
		const closing = link.close().then(() => (closed = true));
		await clock.advance(1_999);
		expect([closed, seen.destroyed]).toEqual([false, 0]);
		await clock.advance(1);
		await closing;
		expect([seen.destroyed, clock.pending]).toEqual([1, 0]);
	});

	it('is closed where the broker refuses even that, and no timer goes on', async () => {
		const { clock, link, seen } = await world();
		seen.closes = Promise.reject(new Error('Socket closed'));
		await link.close();
		expect([seen.destroyed, clock.pending]).toEqual([1, 0]);
	});

	it('is lost for the first reason, whatever follows', async () => {
		const { link, wire } = await world();
		wire.emit('error', new Error('Connection closed: 320 (CONNECTION-FORCED) for the night'));
		wire.emit('close');
		expect(await link.lost).toMatchObject({ message: expect.stringContaining('for the night') });
		const closed = await world();
		closed.wire.emit('close');
		expect(await closed.link.lost).toMatchObject({ message: expect.stringContaining('(closed)') });
	});

	it('is lost with a channel of its own, and not with one that is only tried', async () => {
		const { link, channels } = await world();
		await link.openTentative();
		channels[0]!.emit('error', new Error('refused'));
		channels[0]!.emit('close');
		expect(link.isLost).toBe(false);
		const own = await link.openChannel();
		await link.closeChannel(own);
		expect(link.isLost).toBe(false);
		await link.openChannel();
		channels[2]!.emit('close');
		expect(link.isLost).toBe(true);
		expect(await link.lost).toMatchObject({
			code: 'unavailable',
			message: 'The channel to the message queue was closed',
		});
	});

	it('is lost for what its channel was closed with', async () => {
		const { link, channels } = await world();
		await link.openChannel();
		channels[0]!.emit('error', new Error('404 (NOT-FOUND)'));
		channels[0]!.emit('close');
		expect(await link.lost).toMatchObject({ code: 'notFound' });
	});

	it('is lost over the announcement of a message of more than 128 MB, and says what to do', async () => {
		const { link, channels } = await world();
		await link.openChannel();
		const [channel] = channels;
		const most = 128 * 1024 * 1024;
		channel!.acceptMessageFrame({ size: most });
		expect([channel!.frames, link.isLost]).toEqual([[{ size: most }], false]);
		channel!.acceptMessageFrame({ size: most + 1 });
		expect([channel!.frames.length, link.isLost]).toEqual([1, true]);
		expect(await link.lost).toMatchObject({
			...{ code: 'unexpectedResponse', message: expect.stringContaining('more than 128 MB') },
			remedy: expect.stringContaining('Tell the service'),
		});
	});

	it('writes down that its broker blocks it, and why', async () => {
		const { logger, wire } = await world();
		wire.emit('blocked', 'low on memory');
		expect(logger.lines).toEqual([
			'warn Queue events: the message queue blocked the connection {"reason":"low on memory"}',
		]);
	});

	it('that opens after ten seconds is destroyed, and nobody gets it', async () => {
		const clock = manualClock();
		let destroyed = 0;
		let opens!: (connection: unknown) => void;
		const opening = new Promise((resolve) => (opens = resolve));
		const link = linkOpener((async () => await opening) as never)(ADDRESS, 'x', clock, recordingLogger());
		const ended = expect(link).rejects.toMatchObject({ code: 'timeout' });
		await clock.advance(10_000);
		await ended;
		expect(clock.pending).toBe(0);
		const stream = { destroy: () => void (destroyed += 1) };
		opens(Object.assign(new EventEmitter(), { connection: { stream } }));
		await clock.advance(0);
		expect(destroyed).toBe(1);
	});
});
