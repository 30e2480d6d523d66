import fc from 'fast-check';
import { decode, MAX_BODY_BYTES, MAX_SHOWN_BYTES } from '../../../service/queue/decode';
import { eventBody } from '../../support/events';

const json = (value: unknown) => Buffer.from(JSON.stringify(value));

describe('the body of a message', () => {
	it('is an event, with or without a byte order mark', () => {
		expect(decode(json(eventBody(1)))).toMatchObject({ event: { status: 'ISSUED' } });
		expect(decode(Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), json(eventBody(1))]))).toHaveProperty(
			'event',
		);
	});

	it.each<[string, Buffer, RegExp]>([
		['text that is no JSON', Buffer.from('hello'), /not JSON/],
		['nothing', Buffer.alloc(0), /not JSON/],
		['bytes that are no UTF-8', Buffer.from([0x7b, 0xff, 0xfe]), /not UTF-8/],
		['an array', json([1]), /not a JSON object/],
		['a number', json(42), /not a JSON object/],
		['null', json(null), /not a JSON object/],
		['a status that is an object', json({ newStatus: {} }), /newStatus/],
		['more than 1 MB', json(eventBody(1, { pad: 'x'.repeat(MAX_BODY_BYTES) })), /larger than 1 MB/],
	])('%s is unreadable, and says why', (_, body, reason) => {
		expect(decode(body)).toMatchObject({ unreadable: expect.stringMatching(reason) });
	});

	it('is shown to a person as it is, bytes that are no text as Base64, and never more than 1 MB of it', () => {
		expect(decode(Buffer.from('hello'))).toMatchObject({ shown: 'hello' });
		expect(decode(Buffer.from([0xff, 0x00, 0x01]))).toMatchObject({ shown: 'base64:/wAB' });
		const noise = decode(Buffer.alloc(5 * 1024 * 1024, 0xfe));
		expect('shown' in noise && noise.shown.length).toBeLessThan((MAX_SHOWN_BYTES * 4) / 3 + 100);
	});

	it.each([
		['text', Buffer.from(`{"history":"${'x'.repeat(200_000)}"}`)],
		['bytes', Buffer.alloc(200_000, 0xfe)],
		['two bytes', Buffer.from([0xff, 0xfe])],
		[
			'text with a last letter of another encoding',
			Buffer.from('{"newStatus":"ISSUED","actor":"Jan\u00e9', 'latin1'),
		],
	])('is shown whole, since it is gone from the queue: %s', (_, body) => {
		const decoded = decode(body);
		const shown = 'shown' in decoded ? decoded.shown : '';
		const read = shown.startsWith('base64:') ? Buffer.from(shown.slice(7), 'base64') : Buffer.from(shown);
		expect(read.equals(body)).toBe(true);
	});

	it('never throws, whatever comes', () => {
		fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => void decode(Buffer.from(bytes))));
		fc.assert(fc.property(fc.json(), (text) => void decode(Buffer.from(text))));
	});
});
