import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { withoutTables } from '../../../service/queue/headerFrame';

type Fields = { fields: { headers?: Record<string, unknown>; priority?: number } };
/** amqplib's own reading and writing of frames. */
const load = createRequire(__filename);
const inside = (file: string): unknown => load(join(dirname(load.resolve('amqplib')), 'lib', file));
const { encodeProperties } = inside('defs') as {
	encodeProperties(id: number, channel: number, size: number, fields: object): Buffer;
};
const { parseFrame, decodeFrame } = inside('frame') as {
	parseFrame(bytes: Buffer, max: number): object;
	decodeFrame(frame: object): Fields & { size: number };
};

const BASIC = 60;
const NO_TABLE = Buffer.from('\x01aZ', 'latin1');

/** The named header holds what amqplib cannot read: it writes bytes, and their type is changed. */
function frameOf(headers: Record<string, unknown>, unreadable: string, type = 'F'): Buffer {
	const frame = encodeProperties(BASIC, 1, 77, {
		...{ contentType: 'application/json', priority: 4, messageId: 'one' },
		headers: { ...headers, [unreadable]: NO_TABLE },
	});
	frame.write(type, frame.indexOf(NO_TABLE) - 5);
	return frame;
}

const read = (frame: Buffer | undefined) => decodeFrame(parseFrame(frame!, 0));

it.each(['F', 'A'])('leaves out what cannot be read, and nothing else of the message (%s)', (type) => {
	const death = [{ queue: 'events', count: 3, reason: 'rejected' }];
	const frame = frameOf({ 'x-delivery-count': 3, text: 'é', list: [1], 'x-death': death }, 'deep', type);
	expect(() => read(frame)).toThrow();
	expect(read(withoutTables(frame, true))).toMatchObject({
		size: 77,
		fields: {
			...{ contentType: 'application/json', priority: 4, messageId: 'one' },
			headers: { 'x-delivery-count': 3, text: 'é', 'x-death': death },
		},
	});
});

it('leaves out the dead letters too, which anybody may have written', () => {
	const frame = frameOf({ 'x-delivery-count': 3 }, 'x-death', 'A');
	expect(() => read(withoutTables(frame, true))).toThrow();
	expect(read(withoutTables(frame, false)).fields.headers).toEqual({ 'x-delivery-count': 3 });
});

it('answers nothing for what is no such frame', () => {
	const frame = frameOf({}, 'deep');
	expect(withoutTables(frame.subarray(0, 30), true)).toBeUndefined();
	expect(withoutTables(encodeProperties(BASIC, 1, 77, { priority: 4 }), true)).toBeUndefined();
	expect(withoutTables(frameOf({}, 'deep', 'Z'), true)).toBeUndefined();
});
