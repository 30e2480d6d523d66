import { readFlatted } from '../../sandbox/n8n/flatted';

it.each([
	['a plain object', '[{"a":"1","b":2},"text"]', { a: 'text', b: 2 }],
	['text that looks like a place', '[{"a":"1"},"0"]', { a: '0' }],
	['lists in lists', '[["1"],["2",3],"x"]', [['x', 3]]],
	['null, false and empty text', '[{"a":null,"b":false,"c":"1"},""]', { a: null, b: false, c: '' }],
	['a value alone', '["text"]', 'text'],
])('reads %s', (_label, stored, value) => expect(readFlatted(stored)).toEqual(value));

it('gives one object where several places name the same, and circles', () => {
	const { left, right, self } = readFlatted('[{"left":"1","right":"1","self":"0"},{}]') as Record<
		string,
		unknown
	>;
	expect(left).toBe(right);
	expect((self as Record<string, unknown>)['left']).toBe(left);
});
