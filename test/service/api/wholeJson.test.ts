import fc from 'fast-check';
import { membersIn, memberTwice, withLongNumbersAsText } from '../../../service/model/wholeJson';
import { errorOf, startBench } from '../../support/apiAccount';
import { reply } from '../../support/fakeService';

/** What JSON says and `JSON.parse` drops without a word. */

async function partiesOf(json: string) {
	const { client } = await startBench({ calls: () => reply(200, json) });
	return await client.counterparties();
}

const PARTY = '"customerId":"a","customerName":"A"';

describe('a field that stands twice', () => {
	it.each([
		`[{${PARTY},"customerName":"B"}]`,
		`[{${PARTY}},{"customerId":"b","customerId":"c"}]`,
		`[{${PARTY},"signatures":[{"signatureId":"1"}],"signatures":[{"signatureId":"2"}]}]`,
		`[{${PARTY},"x":{"y":[1,{"z":"a]}\\"","z":"b"}]}}]`,
		`[{${PARTY},"customer\\u004eame":"B"}]`,
		`[{${PARTY},"__proto__":1,"__proto__":2}]`,
	])('with two values is an error that names it: %s', async (json) => {
		const { message, code } = await errorOf(partiesOf(json));
		expect(code).toBe('unexpectedResponse');
		const name = /"(customerName|customerId|signatures|z|__proto__)"/.exec(message)?.[1] ?? 'none';
		expect(message).toBe(`The answer holds the field "${name}" twice, with two values.`);
	});

	it.each([
		`[{${PARTY}, "customerName": "A" }]`,
		`[{${PARTY},"signatures":[{"a":"}"}],"signatures":[{"a":"}"}]}]`,
		`[{${PARTY}},{${PARTY}}]`,
		`[{${PARTY},"x":{"customerId":"other"},"a:b":":,{"}]`,
	])('with one value, or in two objects, is none: %s', async (json) => {
		expect((await partiesOf(json))[0]).toMatchObject({ customerId: 'a', customerName: 'A' });
	});
});

describe('a whole number that JavaScript has none for', () => {
	it.each(['20261122000000012345', '9007199254740993', '-9007199254740993', `${'9'.repeat(400)}`])(
		'is kept as it was written: %s',
		async (digits) => {
			expect(await partiesOf(`[{${PARTY},"n":${digits},"list":[${digits}]}]`)).toMatchObject([
				{ n: digits, list: [digits] },
			]);
		},
	);

	it.each([
		'9007199254740992',
		'10000000000000000000',
		'1234567890.1234567',
		'1e400',
		'0.30000000000000004',
		'0.12345678901234567',
	])('but a number stays one where it is the same, or a fraction: %s', async (written) => {
		const text = `"${'1'.repeat(20)}","\\"${'1'.repeat(20)}"`;
		expect(await partiesOf(`[{${PARTY},"n":${written},"texts":[${text}]}]`)).toMatchObject([
			{ n: Number(written), texts: ['1'.repeat(20), `"${'1'.repeat(20)}`] },
		]);
	});
});

it('nothing is changed or suspected in JSON that loses nothing', () => {
	fc.assert(
		fc.property(fc.jsonValue(), fc.constantFrom(0, 1, '\t'), (value, blanks) => {
			const json = JSON.stringify(value, null, blanks);
			expect(memberTwice(json)).toBeUndefined();
			expect(JSON.parse(withLongNumbersAsText(json))).toEqual(JSON.parse(json));
			expect(membersIn(JSON.parse(json))).toBe(
				[...json.replace(/"(?:[^"\\]|\\.)*"/g, '""')].filter((sign) => sign === ':').length,
			);
		}),
	);
});
