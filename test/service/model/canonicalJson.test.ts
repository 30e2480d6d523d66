import * as fc from 'fast-check';
import { canonicalJson } from '../../../service/model/canonicalJson';

it('says the same of a value, whatever the order of its members, and nothing else of another', () => {
	fc.assert(
		fc.property(fc.jsonValue(), (value) => {
			const text = canonicalJson(value);
			expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
			expect(canonicalJson(turnedAround(value))).toBe(text);
		}),
	);
});

function turnedAround(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(turnedAround);
	if (typeof value !== 'object' || value === null) return value;
	const members = Object.entries(value).map(([key, member]) => [key, turnedAround(member)] as const);
	return Object.fromEntries(members.reverse());
}

it('sorts members by their code units and leaves out blanks and what is undefined', () => {
	const value = {
		b: [],
		a: { z: undefined, '': null, ä: 1.5e30 },
		B: [{}, [undefined, 'é\n"']],
		'10': true,
		'9': false,
	};
	expect(canonicalJson(value)).toBe(
		'{"10":true,"9":false,"B":[{},[null,"é\\n\\""]],"a":{"":null,"ä":1.5e+30},"b":[]}',
	);
});

it('writes what lies deeper than a function can call itself', () => {
	const text = `${'[{"a":'.repeat(50_000)}1${'}]'.repeat(50_000)}`;
	expect(canonicalJson(JSON.parse(text)) === text).toBe(true);
});
