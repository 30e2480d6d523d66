import type { IDataObject } from 'n8n-workflow';
import { eventItem } from '../../nodes/ParcelDocumentExchange/events/eventItem';
import { readStatusEvent } from '../../service/model/event';
import { runAction } from '../support/actionNode';
import { growsFaster, wall } from '../support/doubling';
import { quietMsOf } from '../support/work';

const body = {
	instance: 'Exchange',
	newStatus: 'Signed',
	parcelReference: 'P-1',
	customerId: '11111111-1111-4111-8111-111111111111',
	action: 'Sign',
	setId: '22222222-2222-4222-8222-222222222222',
	updatedDate: 'Fri Nov 20 09:48:18 UTC 2026',
	message: 'The status of the set has been updated',
	transactionId: '33333333-3333-4333-8333-333333333333',
	actor: 'Jane',
	actorCompany: 'A 5" \\ carrier } of { braces {',
};
const text = JSON.stringify(body);
const item = eventItem(readStatusEvent(body)!, { redelivered: true, attempt: 3, isSample: true }, true).json;
const live = { ...item, redelivered: false, attempt: 1, isSample: false };

/** Nothing listens there: parsing asks nobody. */
const parse = (json: IDataObject, event?: unknown) =>
	runAction(
		'http://127.0.0.1:1',
		{ resource: 'event', operation: 'parse', ...(event === undefined ? {} : { event: event as string }) },
		{ items: [{ json }], credentials: undefined },
	);

it('gives the fields of the trigger, in its order, without a credential', async () => {
	const { items, error } = await parse(body);
	expect(error).toBeUndefined();
	expect(items).toEqual([{ json: live, pairedItem: { item: 0 } }]);
	expect(Object.keys(items[0]!.json)).toEqual(Object.keys(item));
	expect(items[0]?.json.eventId).toBe(readStatusEvent(body)?.eventId);
});

it.each<[string, IDataObject]>([
	[
		"n8n's RabbitMQ Trigger, parsed",
		{ content: body, fields: { deliveryTag: 1, exchange: 'x' }, properties: { headers: {} } },
	],
	["n8n's RabbitMQ Trigger, as text", { content: text, fields: {}, properties: {} }],
	["n8n's RabbitMQ Trigger, only the content", { ...body }],
	[
		'a webhook',
		{ headers: { host: 'example.com' }, params: {}, query: {}, body, webhookUrl: 'https://example.com' },
	],
	['a webhook that got text', { headers: {}, body: text }],
	['a field of any name', { something: text }],
	['bytes as n8n writes them', { content: JSON.parse(JSON.stringify(Buffer.from(text))) as IDataObject }],
	['Base64', { data: Buffer.from(text).toString('base64') }],
	['text with a byte order mark', { content: `\uFEFF${text}` }],
	['text in a text', { content: JSON.stringify(text) }],
	['an item of the trigger whose raw body came as text', { raw: text }],
])('reads an event from %s', async (_, json) => {
	const { items, error } = await parse(json);
	expect(error).toBeUndefined();
	expect(items.map(({ json }) => json)).toEqual([live]);
});

it('keeps what an item of the trigger knows of its delivery', async () => {
	expect((await parse(item)).items[0]?.json).toEqual(item);
});

it('reads one field by an expression', async () => {
	expect((await parse({ deep: { er: body } }, '={{ $json.deep.er }}')).items[0]?.json).toEqual(live);
	expect((await parse({ line: text }, '={{ $json.line }}')).items[0]?.json).toEqual(live);
	expect((await parse({}, text)).items[0]?.json).toEqual(live);
});

describe('a report of the trigger', () => {
	const report = `The last time: it failed {again}. Mend the cause, then run the workflow again. The event as received:\n${JSON.stringify(body, null, 2)}`;

	it.each<[string, IDataObject]>([
		['its text', { description: report }],
		[
			'the item of an error workflow',
			{
				execution: {
					id: '1',
					error: { message: 'The workflow failed', description: report, stack: 'NodeOperationError: …' },
				},
				workflow: { id: '7' },
			},
		],
		[
			'the item of a trigger that failed',
			{
				trigger: { error: { message: 'x', context: {}, description: report }, mode: 'trigger' },
				workflow: {},
			},
		],
	])('is taken up again from %s', async (_, json) => {
		expect((await parse(json)).items.map(({ json }) => json)).toEqual([live]);
	});

	it('on a batch gives every event, each once', async () => {
		const other = { ...body, newStatus: 'ISSUED', action: 'ISSUE' };
		const batch = `The event as received:\n${JSON.stringify([body, other, body], null, 2)}`;
		const { items } = await parse({ execution: { error: { description: batch } } });
		expect(items.map(({ json }) => json.status)).toEqual(['SIGNED', 'ISSUED']);
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 0 }]);
	});
});

describe('many events at once', () => {
	const events = (count: number) =>
		Array.from({ length: count }, (_, index) => ({
			...body,
			parcelReference: `P-${index}`,
			setId: String(index),
		}));
	const others = (count: number) => Array.from({ length: count }, (_, index) => ({ index }));

	it.each<[string, unknown]>([
		['in a report on a batch', `It failed. The event as received:\n${JSON.stringify(events(100), null, 2)}`],
		[
			'on a line each',
			events(100)
				.map((event) => JSON.stringify(event))
				.join('\n'),
		],
		['in a list', events(100)],
		['in a list beside many other things', [...others(9_900), ...events(100)]],
		[
			'in a list as objects, texts, lists, messages and bytes in turn',
			events(100).map((event, index) =>
				[
					event,
					JSON.stringify(event),
					[event],
					{ content: event, fields: {} },
					{ body: JSON.stringify(event) },
					JSON.parse(JSON.stringify(Buffer.from(JSON.stringify(event)))),
					Buffer.from(JSON.stringify(event)).toString('base64'),
					`A line of a log: ${JSON.stringify(event)} and more`,
				].at(index % 8),
			),
		],
		['in a list beside one of them', { first: events(1)[0], others: events(100).slice(1) }],
		[
			'one deeper than the other',
			events(100).reduceRight<unknown>((inside, event) => ({ event, inside }), 0),
		],
		[
			'in a text in front of braces that close nowhere',
			`${events(100)
				.map((event) => JSON.stringify(event))
				.join('')}${'{'.repeat(15_000)}`,
		],
		[
			'behind a quotation mark and a brace',
			`He said "oops {: ${events(100)
				.map((event) => JSON.stringify(event))
				.join(' ')}`,
		],
	])('all come out, in their order: %s', async (_, given) => {
		const { items, error } = await parse({ given } as IDataObject);
		expect(error).toBeUndefined();
		expect(items.map(({ json }) => json.setId)).toEqual(events(100).map(({ setId }) => setId));
	});

	it('are not few because they are thousands', async () => {
		expect((await parse({ given: events(3_000) })).items).toHaveLength(3_000);
		expect((await parse({ given: JSON.stringify(events(3_000)) })).items).toHaveLength(3_000);
	});

	it.each<[string, unknown]>([
		['among a hundred thousand other things', [...events(1), ...others(100_001), ...events(1)]],
		['in a text of more than 40 MB', JSON.stringify(events(2)) + ' '.repeat(40 * 1024 * 1024)],
		['in objects in objects that are all broken', `${text}${'{"a":'.repeat(20_000)}x${'}'.repeat(20_000)}`],
	])('are an error where not all can be found, never a part of them: %s', async (_, given) => {
		const { items, error } = await parse({ given } as IDataObject);
		expect(items).toEqual([]);
		expect(error).toMatchObject({
			message: 'There is too much in "Event" to find every status event',
			description: expect.stringMatching(/^Give the events alone/),
			context: { itemIndex: 0 },
		});
	});

	it.each<[string, unknown]>([
		['a status of no text', { ...body, newStatus: 7 }],
		['an empty status', { ...body, newStatus: ' ' }],
		['a text that is cut', text.slice(0, -5)],
		['an event in the words of JavaScript', "{ newStatus: 'ISSUED', setId: '1' }"],
		[
			'more levels than n8n can store',
			{ ...body, deep: JSON.parse('['.repeat(600) + ']'.repeat(600)) as unknown },
		],
	])('are an error when one of them cannot be read, with its beginning: %s', async (_, odd) => {
		for (const given of [[...events(2), odd], { odd, events: events(2) }, [odd, JSON.stringify(events(2))]]) {
			const { items, error } = await parse({ given } as IDataObject);
			expect(items).toEqual([]);
			expect(error).toMatchObject({
				message: 'There is a status event in "Event" that cannot be read',
				description: expect.stringContaining('newStatus'),
			});
			expect(error!.description!.length).toBeLessThan(400);
		}
	});

	const base64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64');
	const bytes = (value: unknown) => JSON.stringify(Buffer.from(JSON.stringify(value)));

	it.each<[string, (event: unknown) => unknown]>([
		['as Base64 in a text of its own', (event) => JSON.stringify(base64(event))],
		['as Base64 for addresses', (event) => Buffer.from(JSON.stringify(event)).toString('base64url')],
		['as Base64 on a line of a log', (event) => `It failed: "${base64(event)}"\n${text}`],
		['as Base64 of Base64 in a sentence', (event) => `It failed: "${base64(base64(event))}"`],
		['as bytes in a text on a line of a log', (event) => `${text}\n${JSON.stringify(bytes(event))}`],
		['as Base64 that is cut, in lines', (event) => base64(event).slice(0, -9).replace(/.{30}/g, '$&\n')],
	])('are all given or none where one of them stands %s', async (_, written) => {
		// A letter that is written otherwise for addresses.
		const [first, last] = [body, { ...events(1)[0]!, message: '>>>???' }];
		for (const given of [
			[first, written(last)],
			[written(last), first],
		]) {
			const { items, error } = await parse({ given } as IDataObject);
			if (error) expect(error.message).toBe('There is a status event in "Event" that cannot be read');
			else expect(items.map(({ json }) => json.setId)).toContain(last.setId);
		}
	});

	it.each<[string, unknown]>([
		['an address', `https://service.example.com/${'a'.repeat(200)}`],
		['a sentence', 'They came in the night. '.repeat(20)],
		['a checksum', 'a1'.repeat(128)],
		['a token', `${base64({ alg: 'RS256' })}.${base64({ sub: 'x'.repeat(200) })}.${'aB3_'.repeat(80)}`],
		['a picture', `data:image/png;base64,${'iVBORw0K'.repeat(50)}`],
		['a file', Buffer.from(`%PDF-1.4\n${'x'.repeat(500)}`)],
		['a file as Base64', Buffer.from(`%PDF-1.4\n${'x'.repeat(500)}`).toString('base64')],
		['another message', Buffer.from(JSON.stringify({ heartbeat: 'x'.repeat(200) }))],
		['numbers', Array.from({ length: 90 }, (_, index) => index)],
	])('are given where something long stands in their list: %s', async (_, other) => {
		const { items, error } = await parse({ given: [...events(2), other] } as IDataObject);
		expect(error).toBeUndefined();
		expect(items).toHaveLength(2);
	});

	it.each([
		'{',
		'{"',
		'QUJD ',
		'12, ',
		'QUJD\n',
		'{"a":',
		'}{',
		'[{"newStatus":',
		'"{',
		'\\"{',
		'newStatus\\',
	])(
		'cost no work that grows faster than they do: %s',
		async (piece) => {
			expect(await growsFaster((size) => () => parse({ given: wall(piece, 12 * size) }))).toBeUndefined();
			expect(await quietMsOf(() => parse({ given: wall(piece, 400_000) }))).toBeLessThan(2_000);
		},
		60_000,
	);

	it('do not mind a large text beside them', async () => {
		expect((await parse({ event: body, file: 'QUJD'.repeat(1_000_000) })).items).toHaveLength(1);
	});
});

it.each([
	['on one line', text],
	['on a line for each field', JSON.stringify(body, null, 2)],
])('gives the event of an e-mail, which is there as text and as a web page, once: %s', async (_, written) => {
	const words = `Not handled. The event as received:\n${written}`;
	const page = words.replaceAll('"', '&quot;').replaceAll('\n', '<br/>');
	for (const html of [page, `<html><body><style>p { color: red; }</style><p>${page}</p></body></html>`]) {
		const { items, error } = await parse({ subject: 'Failed', text: words, textAsHtml: html });
		expect(error).toBeUndefined();
		expect(items.map(({ json }) => json)).toEqual([live]);
	}
});

it('takes an event, not one it quotes', async () => {
	const outer = { ...body, newStatus: 'ISSUED', previous: body };
	expect((await parse({ content: outer })).items.map(({ json }) => json.status)).toEqual(['ISSUED']);
});

it.each<[string, IDataObject, string]>([
	['an empty item', {}, '{}'],
	['an object of another kind', { orderId: 7 }, '{"orderId":7}'],
	['a status of no text', { newStatus: 7 }, '{"newStatus":7}'],
	['an empty status', { newStatus: ' ' }, '{"newStatus":" "}'],
	['text that is cut', { content: text.slice(0, -5) }, text.slice(0, 20).replaceAll('"', '\\"')],
	['a wall of braces', { content: '{'.repeat(5_000) }, '{{{'],
	['deep nesting', JSON.parse(`${'{"a":'.repeat(300)}1${'}'.repeat(300)}`) as IDataObject, '{"a":{"a":'],
])('says what it got when there is no event: %s', async (_, json, got) => {
	const { items, error } = await parse(json);
	expect(items).toEqual([]);
	expect(error).toMatchObject({
		name: 'NodeOperationError',
		message: 'There is no status event in "Event"',
		description: expect.stringContaining(`Got: `),
		context: { itemIndex: 0 },
	});
	expect(error?.description).toContain(got);
	expect(error!.description!.length).toBeLessThan(320);
});

describe('events that differ in what JavaScript cannot hold', () => {
	const numbered = (digits: string) => `${text.slice(0, -1)},"seq":${digits}}`;
	const doubled = (first: string) => `${text.slice(0, -1)},"by":"${first}","by":"Ben"}`;
	const pairs: [string, string, string][] = [
		['a long number', numbered('12345678901234567890'), numbered('12345678901234567891')],
		['a fraction', numbered('1.00000000000000000001'), numbered('1.00000000000000000002')],
		['a member that stands twice', doubled('Ann'), doubled('Zoe')],
	];
	const WAYS: [string, (first: string, second: string) => IDataObject][] = [
		['in a list', (first, second) => ({ body: `[${first},${second}]` })],
		['in a list in Base64', (...both) => ({ body: Buffer.from(`[${both.join()}]`).toString('base64') })],
		['in a sentence', (first, second) => ({ message: `Not handled: ${first} and ${second}.` })],
		['as two texts', (first, second) => ({ bodies: [first, second] })],
		['in an object', (first, second) => ({ body: `{"events":[${first},${second}]}` })],
		['in lists in an object', (first, second) => ({ body: `{"events":[[${first}],[${second}]],"n":2}` })],
	];

	describe.each(pairs)('%s', (_what, first, second) => {
		it.each(WAYS)('are two, or an error: %s', async (_way, given) => {
			const { items, error } = await parse(given(first, second));
			if (error) expect(error.message).toBe('There is a status event in "Event" that cannot be read');
			else expect(new Set(items.map(({ json }) => json.eventId)).size).toBe(2);
		});

		it('have the ID that the trigger gave them', async () => {
			const { items } = await parse({ body: `[${first}, ${second}]` });
			expect(items.map(({ json }) => json.eventId)).toEqual(
				[first, second].map((one) => readStatusEvent(JSON.parse(one), one)?.eventId),
			);
		});
	});

	it('are one where they are the same', async () => {
		for (const one of [text, numbered('12345678901234567890')]) {
			expect((await parse({ bodies: [one, one] })).items).toHaveLength(1);
			expect((await parse({ body: `[${one},${one}]` })).items).toHaveLength(1);
		}
	});
});
