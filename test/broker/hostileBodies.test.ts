import { connect, type Options } from 'amqplib';
import { waitUntil } from '../../sandbox/process/waitUntil';
import { BOUNDS } from '../../service/queue/bounds';
import { createHub } from '../../service/queue/hub';
import { openLink } from '../../service/queue/link';
import { systemClock } from '../../service/surroundings';
import { eventBody, setIdOf } from '../support/events';
import { startTestQueue } from '../support/queue';
import { addressOf, recordingLogger, subscriber } from '../support/subscriber';
import { forAll } from '../support/forAll';

jest.setTimeout(120_000);

const service = forAll(startTestQueue);

interface Hostile {
	body: Buffer;
	properties?: Options.Publish;
}

const text = (value: string, properties?: Options.Publish): Hostile => ({
	body: Buffer.from(value),
	properties,
});
const json = (value: unknown, properties?: Options.Publish) => text(JSON.stringify(value), properties);
const nested = (levels: number, open: string, close: string) => open.repeat(levels) + close.repeat(levels);
/** The usual event with more behind its fields. */
const own = (number: number, more: string, changes: Record<string, unknown> = {}) =>
	text(`${JSON.stringify(eventBody(number, changes)).slice(0, -1)},${more}}`);
const without = (number: number, ...keys: string[]) =>
	Object.fromEntries(Object.entries(eventBody(number)).filter(([key]) => !keys.includes(key)));

/** No events: each is reported once. */
const UNREADABLE: Record<string, Hostile> = {
	nothing: text(''),
	blanks: text(' \n\t '),
	'a zero byte': { body: Buffer.from([0]) },
	null: text('null'),
	true: text('true'),
	'a number beyond range': text('1e999'),
	'minus zero': text('-0'),
	NaN: text('{"newStatus":NaN}'),
	'a text': json(JSON.stringify(eventBody(900))),
	'an array of events': json([eventBody(900)]),
	'an array with names': json([['newStatus', 'ISSUED']]),
	'only a prototype': text('{"__proto__":{"newStatus":"ISSUED"}}'),
	'a prototype of a prototype': text('{"__proto__":{"__proto__":{"newStatus":"ISSUED"}}}'),
	'a constructor': text('{"constructor":{"prototype":{"newStatus":"ISSUED"}}}'),
	'status null': json(eventBody(900, { newStatus: null })),
	'status a list': json(eventBody(900, { newStatus: ['ISSUED'] })),
	'status blank': json(eventBody(900, { newStatus: ' \u00a0\u2003 ' })),
	'status empty': json(eventBody(900, { newStatus: '' })),
	'status overwritten by a number': own(900, '"newStatus":1'),
	'status in another case of the name': json({ ...without(900, 'newStatus'), NewStatus: 'ISSUED' }),
	'two events': text(JSON.stringify(eventBody(900)) + JSON.stringify(eventBody(901))),
	'lines of events': text(`${JSON.stringify(eventBody(900))}\n${JSON.stringify(eventBody(901))}`),
	'cut off': text(JSON.stringify(eventBody(900)).slice(0, -2)),
	'with comments': text(`// hello\n${JSON.stringify(eventBody(900))}`),
	'single quotes': text("{'newStatus':'ISSUED'}"),
	'a raw line end in a text': text('{"newStatus":"ISS\nUED"}'),
	'UTF-16 with a mark': { body: Buffer.from(`\uFEFF${JSON.stringify(eventBody(900))}`, 'utf16le') },
	'UTF-16 without': { body: Buffer.from(JSON.stringify(eventBody(901)), 'utf16le') },
	'Latin-1': { body: Buffer.from('{"newStatus":"ISSUED","actor":"J\u00fcrgen"}', 'latin1') },
	'overlong UTF-8': {
		body: Buffer.concat([Buffer.from('{"newStatus":"'), Buffer.from([0xc0, 0xaf]), Buffer.from('"}')]),
	},
	'a half surrogate as bytes': {
		body: Buffer.concat([Buffer.from('{"newStatus":"'), Buffer.from([0xed, 0xa0, 0x80]), Buffer.from('"}')]),
	},
	gzip: { body: Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0]), properties: { contentEncoding: 'gzip' } },
	'deep and no object': text(nested(200_000, '[', ']')),
	'deep and no status': text('{"a":'.repeat(50_000) + '1' + '}'.repeat(50_000)),
	'deep and never closed': text('['.repeat(500_000)),
	'deep status': text(`{"newStatus":${nested(100_000, '[', ']')}}`),
	'larger than 1 MB': own(900, `"note":"${'x'.repeat(1024 * 1024)}"`),
	XML: text('<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "b">]><x>&a;</x>'),
	'two marks': text(`\uFEFF\uFEFF${JSON.stringify(eventBody(900))}`),
};

const HEADERS = Object.fromEntries(Array.from({ length: 900 }, (_, index) => [`x-${index}`, 'y'.repeat(40)]));

/** Events all the same: each is run once. */
const READABLE: ReadonlyArray<(number: number) => Hostile> = [
	(n) => text(`\uFEFF${JSON.stringify(eventBody(n))}`),
	(n) => text(`\r\n\t ${JSON.stringify(eventBody(n), null, '\t')} \n\n`),
	(n) => own(n, '"__proto__":null'),
	(n) => own(n, '"__proto__":{"setId":5,"toString":1,"toJSON":1,"newStatus":7}'),
	(n) =>
		own(n, '"constructor":{"prototype":{"polluted":true}},"toString":1,"valueOf":null,"hasOwnProperty":1'),
	(n) => own(n, '"toJSON":"x","then":{"then":1},"length":-1,"json":{},"binary":{"a":1},"pairedItem":7'),
	(n) => own(n, '"more":{"__proto__":{"__proto__":{"a":1}},"list":[{"__proto__":null}]}'),
	(n) => own(n, `"more":${nested(100_000, '[', ']')}`),
	(n) => own(n, `"more":${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`),
	(n) => own(n, `"more":${'{"__proto__":'.repeat(20_000)}1${'}'.repeat(20_000)}`),
	(n) => own(n, '"newStatus":"SIGNED","newStatus":"ISSUED"'),
	(n) =>
		own(n, '"weight":1e999,"less":-1e999,"small":1e-999,"zero":-0,"many":123456789012345678901234567890'),
	(n) => own(n, `"number":${'9'.repeat(100_000)}`),
	(n) => own(n, '"a\\u0000b":"\\u0000","half":"\\ud800","\\udc00":"\\ud800"'),
	(n) => own(n, '"actor":"\\u202e\\u2066 <script>alert(1)</script> {{ $json }} ={{ 1 }}"'),
	(n) => own(n, Array.from({ length: 20_000 }, (_, index) => `"k${index}":${index}`).join(',')),
	(n) => own(n, Array.from({ length: 5_000 }, (_, index) => `"${index}":1`).join(',')),
	(n) => own(n, `"${'k'.repeat(500_000)}":1`),
	(n) => own(n, '"":1," ":2,"__defineGetter__":3,"__lookupGetter__":4'),
	(n) => json(eventBody(n, { action: 5, customerId: { a: 1 }, actor: [], instance: null, message: false })),
	(n) =>
		json(
			eventBody(n, { parcelReference: '', customerId: '', transactionId: 'not-an-id', updatedDate: 'never' }),
		),
	(n) => json(eventBody(n, { updatedDate: '+275760-09-13T00:00:00.001Z', actor: 'x'.repeat(900_000) })),
	(n) => json(eventBody(n, { newStatus: ` ${'S'.repeat(100_000)} ` })),
	(n) => json(eventBody(n), { contentEncoding: 'gzip', contentType: 'application/octet-stream' }),
	(n) => json(eventBody(n), { contentEncoding: '\u0000', contentType: 'text/xml; charset=utf-16' }),
	(n) => json(eventBody(n), { priority: 255 }),
	(n) => json(eventBody(n), { expiration: '3600000' }),
	(n) => json(eventBody(n), { messageId: 'the same', correlationId: 'the same', type: '__proto__' }),
	(n) =>
		json(eventBody(n), {
			messageId: 'the same',
			correlationId: 'the same',
			replyTo: 'amq.rabbitmq.reply-to.x',
		}),
	(n) => json(eventBody(n), { headers: HEADERS }),
	(n) => json(eventBody(n), { headers: { __proto__: null, constructor: 1, toString: 2, hasOwnProperty: 3 } }),
	(n) => json(eventBody(n), { headers: { 'x-death': 'never', 'x-delivery-count': -1 } }),
	(n) =>
		json(eventBody(n), {
			headers: { 'x-death': [null, 1, { queue: 5, count: 'x' }], 'x-delivery-count': 'many' },
		}),
	(n) =>
		json(eventBody(n), {
			headers: { 'x-delivery-count': 1e300, 'x-first-death-queue': {}, CC: [], BCC: [] },
		}),
	(n) =>
		json(eventBody(n), {
			headers: { a: { '!': 'decimal', value: { digits: 4, places: 255 } }, b: true, c: null },
		}),
	(n) => json(eventBody(n), { timestamp: 2 ** 53 - 1, appId: 'x'.repeat(255), persistent: false }),
];

it.each(['classic', 'quorum'] as const)(
	'a %s queue of hostile bodies among good events: each event runs once, what is none is reported once, and the link stays',
	async (type) => {
		const queue = await service.declare(`hostile-${type}`, { type });
		const bad = Object.values(UNREADABLE);
		const connection = await connect(service.broker.url());
		const channel = await connection.createConfirmChannel();
		let good = 0;
		const expected: string[] = [];
		const send = ({ body, properties }: Hostile) => channel.sendToQueue(queue, body, properties);
		const sendGood = (make: (number: number) => Hostile) => {
			good += 1;
			expected.push(setIdOf(good));
			send(make(good));
		};
		for (let index = 0; index < Math.max(bad.length, READABLE.length); index += 1) {
			sendGood((number) => json(eventBody(number)));
			const [noEvent, odd] = [bad[index], READABLE[index]];
			if (noEvent) send(noEvent);
			if (odd) sendGood(odd);
		}
		await channel.waitForConfirms();
		await connection.close();
		const logger = recordingLogger();
		const one = subscriber(addressOf(service.broker), queue);
		const member = await createHub(logger, systemClock, openLink, {
			...BOUNDS,
			singleReports: 1_000,
		}).subscribe(one, false);
		await member.untilListening();
		await waitUntil('all have run', () => one.runs.length >= expected.length, { deadlineMs: 60_000 }).catch(
			() => {},
		);
		expect(expected.filter((id) => !one.setIds.includes(id)).map((id) => expected.indexOf(id))).toEqual([]);
		expect([...one.setIds].sort()).toEqual([...expected].sort());
		const told = () =>
			one.problems.flatMap((problem) => (problem.kind === 'unreadable' ? problem.messages : []));
		await waitUntil('all are reported', () => told().length >= bad.length, { deadlineMs: 75_000 }).catch(
			() => {},
		);
		expect(told()).toHaveLength(bad.length);
		expect(one.problems.filter(({ kind }) => kind !== 'unreadable')).toEqual([]);
		expect(logger.lines.filter((line) => /not listening|failed:|lost/.test(line))).toEqual([]);
		expect(logger.lines.filter((line) => line.includes(': listening'))).toHaveLength(1);
		expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
		await member.leave();
	},
);
