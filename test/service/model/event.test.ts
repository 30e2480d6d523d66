import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { readStatusEvent } from '../../../service/model/event';
import { eventInstant } from '../../../service/model/eventDate';
import { instanceKind } from '../../../service/model/instance';
import { isChosenStatus } from '../../../service/model/status';
import { canonicalWord } from '../../../service/model/canonicalWord';
import { eventBody } from '../../support/events';

describe('a status event', () => {
	it.each<[string, Record<string, unknown>, string]>([
		[
			'DRAFTED',
			{ newStatus: 'DRAFTED', action: 'APPROVE_COLLAB', actor: undefined, user: 'Clerk' },
			'APPROVE_COLLAB',
		],
		['SIGNED', { newStatus: 'Signed', action: 'Sign' }, 'SIGN'],
		['SIGNED', { newStatus: 'SIGNED', action: 'SIGN' }, 'SIGN'],
		['ISSUED', { newStatus: 'ISSUED', action: 'ISSUE' }, 'ISSUE'],
		['TITLE_HELD', { newStatus: 'TITLE_HELD', action: 'ISSUE' }, 'ISSUE'],
		['TITLE_HELD', { newStatus: ' title held ', action: 'issue' }, 'ISSUE'],
		[
			'TRANSFER_DRAFTED',
			{ newStatus: 'Transfer-Drafted', action: 'DRAFT_TRANSFER', actor: null, user: 'Clerk' },
			'DRAFT_TRANSFER',
		],
	])('%s is read whatever its spelling: %j', (status, sent, action) => {
		const event = readStatusEvent(eventBody(1, sent));
		expect(event).toMatchObject({ status, action, actor: expect.stringMatching(/Clerk|desk/) });
	});

	it('takes the person from actor or user, whatever the kind', () => {
		expect(readStatusEvent(eventBody(1, { newStatus: 'DRAFTED', actor: 'A' }))?.actor).toBe('A');
		expect(readStatusEvent(eventBody(1, { newStatus: 'Signed', actor: '', user: 'U' }))?.actor).toBe('U');
		expect(readStatusEvent(eventBody(1, { actor: undefined }))?.actor).toBeNull();
	});

	it('keeps the body as sent, fields we do not know included', () => {
		const body = eventBody(1, { shipmentReference: 'SHP-1', documents: [{ documentId: 'x' }] });
		expect(readStatusEvent(body)?.raw).toBe(body);
	});

	it('has each field under its own name', () => {
		const body = {
			...{ newStatus: 'Signed', action: 'Sign', instance: 'My Hub', parcelReference: 'PCL-1', setId: 's' },
			...{ transactionId: 't', customerId: 'c', actor: 'a', user: 'u', actorCompany: 'ac', message: 'm' },
			updatedDate: 'Fri Nov 20 09:48:18 UTC 2026',
		};
		expect(readStatusEvent(body)).toEqual({
			...{ eventId: expect.stringMatching(/^[0-9a-f]{32}$/), status: 'SIGNED', action: 'SIGN' },
			...{ instance: 'hub', parcelReference: 'PCL-1', setId: 's', transactionId: 't', customerId: 'c' },
			...{ actor: 'a', actorCompany: 'ac', updatedAt: '2026-11-20T09:48:18.000Z', message: 'm', raw: body },
		});
	});

	it('turns missing fields and fields of a wrong type into null', () => {
		const event = readStatusEvent({
			newStatus: 'Signed',
			setId: 5,
			action: {},
			updatedDate: [],
			customerId: null,
		});
		expect(event).toMatchObject({
			setId: null,
			action: null,
			updatedAt: null,
			customerId: null,
			instance: null,
			message: null,
			parcelReference: null,
			transactionId: null,
			actorCompany: null,
		});
	});

	it.each<[string, unknown]>([
		['null', null],
		['a text', 'ISSUED'],
		['a number', 42],
		['an array', [eventBody(1)]],
		['no status', eventBody(1, { newStatus: undefined })],
		['an empty status', eventBody(1, { newStatus: '  ' })],
		['a status that is an object', eventBody(1, { newStatus: { name: 'Signed' } })],
	])('%s is no event', (_, body) => {
		expect(readStatusEvent(body)).toBeUndefined();
	});

	it('never throws, whatever comes', () => {
		fc.assert(fc.property(fc.anything(), (body) => void readStatusEvent(body)));
		const bodies = fc.record({ newStatus: fc.anything(), actor: fc.anything(), updatedDate: fc.anything() });
		fc.assert(fc.property(bodies, (body) => void readStatusEvent(body)));
	});
});

describe('the identity of an event', () => {
	const VECTOR =
		'{"newStatus":"Signed","action":"Sign","setId":"22222222-2222-4222-8222-222222222222","parcelReference":"PCL-1","actor":"Jané","n":[1,2.50,{"b":null,"a":true}]}';
	const identity = (text: string) => readStatusEvent(JSON.parse(text), text)?.eventId;
	const changed = (changes: object) => identity(JSON.stringify({ ...JSON.parse(VECTOR), ...changes }));

	it('is fixed for ever by this vector', () => {
		expect(identity(VECTOR)).toBe('c9d4db43d9932c92b04523a5fd07740f');
	});

	it('is the same however the same content came', () => {
		const turned =
			'{ "n": [1, 25e-1, {"a": true, "b": null}],\n"actor": "Jan\\u00e9", "parcelReference": "PCL-1", ';
		const rest = '"setId": "22222222-2222-4222-8222-222222222222", "action": "Sign", "newStatus": "Signed" }';
		expect(identity(turned + rest)).toBe(identity(VECTOR));
		expect(changed({ nothing: undefined })).toBe(identity(VECTOR));
	});

	it.each([
		['the parcel reference alone', { parcelReference: 'PCL-2' }],
		['a date that is a number', { updatedDate: 1 }],
		['another date that is a number', { updatedDate: 2 }],
		['the company of the actor', { actorCompany: 'Other' }],
		['the user beside the same actor', { user: 'John' }],
		['the instance', { instance: 'HUB' }],
		['a field we do not know', { version: 2 }],
		['an id that is a number', { setId: 7 }],
		['the order of a list', { n: [2.5, 1, { b: null, a: true }] }],
		['a text in place of a number', { n: ['1', 2.5, { b: null, a: true }] }],
	])('depends on %s', (_, changes) => {
		expect(changed(changes)).not.toBe(identity(VECTOR));
	});

	it.each([
		['a number with more digits than JavaScript holds', '9007199254740992', '9007199254740993'],
		['a number beyond all bounds', '1e400', 'null'],
		['one beyond all bounds below', '1e-400', '0'],
		['a fraction with more digits than JavaScript holds', '0.12345678901234567', '0.123456789012345671'],
		['a member that stands twice', '{"a":1,"a":2}', '{"a":2}'],
		['its first value', '{"a":1,"a":2}', '{"a":3,"a":2}'],
	])('depends on %s, which parsing loses', (_, one, other) => {
		const of = (value: string) => identity(`{"newStatus":"SIGNED","n":${value}}`);
		expect(of(one)).not.toBe(of(other));
	});

	it.each([
		'1.0',
		'10e2',
		'-0',
		'0.1',
		'0.00000000000000012',
		'120000000000000000000',
		'123456789012345',
		'1e300',
		'"a\\":1"',
		'"\\u00e9 \\" : 1"',
		'[]',
		'{"":{"":[]}}',
	])('does not depend on how %s is spelled and spaced', (value) => {
		const text = `{"newStatus":"SIGNED","n":${value}}`;
		const spelled = JSON.stringify(JSON.parse(text), null, 2);
		expect(identity(text)).toBe(identity(spelled));
		expect(identity(text)).toBe(readStatusEvent(JSON.parse(text))?.eventId);
	});

	it('tells any two different contents apart, and no two equal ones', () => {
		fc.assert(
			fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
				const same = JSON.stringify(one) === JSON.stringify(other);
				const read = (value: unknown) => changed({ value });
				if (same) expect(read(one)).toBe(read(other));
				else if (!isDeepStrictEqual(JSON.parse(JSON.stringify(one)), JSON.parse(JSON.stringify(other)))) {
					expect(read(one)).not.toBe(read(other));
				}
			}),
		);
	});

	it('is had from any depth', () => {
		const depth = 200_000;
		expect(identity(`{"newStatus":"Signed","deep":${'['.repeat(depth)}${']'.repeat(depth)}}`)).toMatch(
			/^[0-9a-f]{32}$/,
		);
	});
});

describe('fields that a body only pretends to have', () => {
	it.each(['__proto__', 'constructor', 'prototype'])('%s gives nothing away and stops nothing', (key) => {
		for (const value of [{ action: 5 }, { setId: 'x', customerId: 'x' }, 'x', null, [1]]) {
			const text = `{"newStatus":"SIGNED",${JSON.stringify(key)}:${JSON.stringify(value)}}`;
			const event = readStatusEvent(JSON.parse(text));
			expect(event).toMatchObject({ status: 'SIGNED', action: null, setId: null, customerId: null });
		}
	});
});

describe('the instant of an event', () => {
	it.each<[string, string | null]>([
		['Fri Nov 20 09:48:18 UTC 2026', '2026-11-20T09:48:18.000Z'],
		['Fri Nov 20 09:48:18 GMT 2026', '2026-11-20T09:48:18.000Z'],
		['Fri Nov 20 09:48:18 +0100 2026', '2026-11-20T08:48:18.000Z'],
		['Fri Nov 20 09:48:18 GMT-05:30 2026', '2026-11-20T15:18:18.000Z'],
		['Tue Feb 29 23:59:59 UTC 2028', '2028-02-29T23:59:59.000Z'],
		['2026-11-20T09:48:18Z', '2026-11-20T09:48:18.000Z'],
		['2026-11-20T09:48:18+01:00', '2026-11-20T08:48:18.000Z'],
		['Fri Nov 20 09:48:18 CET 2026', null],
		['Fri Nov 20 09:48:18 BST 2026', null],
		['Mon Feb 31 09:48:18 UTC 2026', null],
		['Fri Nox 20 09:48:18 UTC 2026', null],
		['2026-11-20T09:48:18', null],
		['2026-11-20', null],
		['2026-11-20Z', null],
		['2026-02-30T09:48:18Z', null],
		['  Fri, November  20 9:48:18 utc+0130 2026 ', '2026-11-20T08:18:18.000Z'],
		['Fri Nov 20 09:48:18 Z 2026', '2026-11-20T09:48:18.000Z'],
		['Fri Nov 20 09:48:18 -14:00 2026', '2026-11-20T23:48:18.000Z'],
		['Fri Nov 20 09:48:18 +14:30 2026', null],
		['Fri Nov 20 09:48:18 +01:75 2026', null],
		['Fri Nov 20 09:48:18 XUTC 2026', null],
		['Fri Nov 20 09:48:18 UTCX 2026', null],
		['Fri Nov 20 09:48:61 UTC 2026', null],
		['Fri Nov 20 25:48:18 UTC 2026', null],
		['Fri Nov 20 09:48:18 UTC 2026 or later', null],
		['since Fri Nov 20 09:48:18 UTC 2026', null],
		[`Fri Nov 20 09:48:18 UTC ${' '.repeat(64)}2026`, null],
		['20 November 2026', null],
		['', null],
	])('%s → %s', (sent, instant) => {
		expect(eventInstant(sent)).toBe(instant);
	});

	it('never throws and gives ISO or nothing', () => {
		fc.assert(fc.property(fc.string(), (text) => /^\d{4}|null/.test(String(eventInstant(text)))));
	});
});

describe('words of the service', () => {
	it.each([
		['Signed', 'SIGNED'],
		[' title  held ', 'TITLE_HELD'],
		['transfer-drafted', 'TRANSFER_DRAFTED'],
		['TITLE__HELD', 'TITLE_HELD'],
	])('the canonical form of "%s" is %s', (text, canonical) => {
		expect(canonicalWord(text)).toBe(canonical);
	});

	it.each([
		['HUB', 'hub'],
		['My Hub', 'hub'],
		['Exchange', 'exchange'],
		['EX', 'exchange'],
		['other', 'other'],
	])('instance %s is %s', (sent, kind) => {
		expect(instanceKind(sent)).toBe(kind);
	});

	it.each([
		['ISSUED', [], true],
		['ISSUED', ['ISSUED'], true],
		['ISSUED', ['SIGNED'], false],
		['RETURNED', ['SIGNED'], false],
		['RETURNED', ['OTHER'], true],
		['ISSUED', ['OTHER'], false],
	])('status %s with %j chosen: %s', (status, chosen, passes) => {
		expect(isChosenStatus(status, chosen)).toBe(passes);
	});
});
