import fc from 'fast-check';
import { JsonBounds } from '../../../service/api/jsonBounds';
import { membersIn } from '../../../service/model/wholeJson';

const counted = (json: string, ...cuts: number[]) => {
	const bounds = new JsonBounds();
	const bytes = Buffer.from(json);
	const ends = [...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
	let start = 0;
	let exceeded: string | undefined;
	for (const end of ends) {
		exceeded ??= bounds.exceededBy(bytes.subarray(start, end));
		start = end;
	}
	return { exceeded, members: bounds.members, hasLongNumber: bounds.hasLongNumber };
};

const nested = (open: string, close: string, levels: number) =>
	`${open.repeat(levels)}1${close.repeat(levels)}`;

it.each([
	['lists', '[', ']', 200],
	['objects', '{"a":', '}', 200],
	['both by turns', '[{"a":', '}]', 100],
])('200 levels of %s are read, one more is too many', (_, open, close, times) => {
	expect(counted(nested(open, close, times)).exceeded).toBeUndefined();
	expect(counted(`[${nested(open, close, times)}]`).exceeded).toBe('has more than 200 levels');
	expect(counted(`{"b":${nested(open, close, times)}}`).exceeded).toBe('has more than 200 levels');
});

it.each([
	['beside each other', `[${'[{}],'.repeat(500)}1]`],
	['within a text', JSON.stringify(['[{'.repeat(500)])],
	['within a text behind a quotation mark', JSON.stringify([`"${'[{'.repeat(500)}`])],
	['within a text behind a backslash', JSON.stringify(['\\', '[{'.repeat(500), '\\"['])],
])('lists and objects %s are no levels', (_, json) => {
	expect(counted(json).exceeded).toBeUndefined();
});

it('a million values are read, one more is too many', () => {
	const values = (commas: number) => `[${'1,'.repeat(commas)}1]`;
	expect(counted(values(999_999)).exceeded).toBeUndefined();
	expect(counted(values(1_000_000)).exceeded).toBe('holds more than 1,000,000 values');
	const lists = (count: number) => `${'[]'.repeat(count)}${'{}'.repeat(count)}`;
	expect(counted(lists(500_000)).exceeded).toBeUndefined();
	expect(counted(lists(500_001)).exceeded).toBe('holds more than 1,000,000 values');
	expect(counted(JSON.stringify([','.repeat(1_000_001)])).exceeded).toBeUndefined();
});

it('50,000 names of members are read, one more is too many', () => {
	const object = (count: number) =>
		JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, index) => [`name ${index}`, 1])));
	expect(counted(object(50_000)).exceeded).toBeUndefined();
	expect(counted(object(50_001)).exceeded).toBe('holds more than 50,000 names');
	expect(counted(`[${object(25_000)},${object(25_001)},${object(30_000)}]`).exceeded).toBeUndefined();
});

it('100,000 numbers of 16 digits and more are read, one more is too many', () => {
	const numbers = (count: number) => JSON.stringify({ a: Array(count).fill(1_234_567_890_123_456) });
	expect(counted(numbers(100_000)).exceeded).toBeUndefined();
	expect(counted(numbers(100_001)).exceeded).toBe('holds more than 100,000 numbers of 16 digits and more');
	expect(counted(JSON.stringify({ a: '1234567890123456,'.repeat(100_001) })).exceeded).toBeUndefined();
});

it.each<[string, boolean]>([
	['999999999999999', false],
	['1000000000000000', true],
	['-9007199254740993', true],
	['{"a":1234567890123456}', true],
	['[12345678,12345678]', false],
	['12345678.12345678', false],
	['"1234567890123456"', false],
	['["12345678",12345678]', false],
	['"\\"1234567890123456"', false],
	['[90000000000000000]', true],
])('%s may hold a number that JavaScript has none for: %s, wherever it is cut', (json, isLong) => {
	for (let cut = 0; cut <= json.length; cut++) expect(counted(json, cut).hasLongNumber).toBe(isLong);
});

it('members are counted as they are there, wherever the text is cut', () => {
	fc.assert(
		fc.property(fc.jsonValue(), fc.array(fc.nat(500), { maxLength: 4 }), (value, cuts) => {
			const json = JSON.stringify(value);
			expect(counted(json, ...cuts)).toMatchObject({
				...{ exceeded: undefined, members: membersIn(JSON.parse(json)) },
			});
		}),
	);
});
