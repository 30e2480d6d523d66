import fc from 'fast-check';
import { anyOf } from '../../../service/api/anyOf';
import { cases } from '../../support/fuzz';

/** Few letters, so that beginnings of what is looked for stand everywhere. */
const LETTERS = ['a', 'A', 'b', 'ö', 'Ö', 'ſ', '7', '+', '[', ' ', '\ud83d', '\u212a'];
const texts = (least: number, most: number) =>
	fc.string({ unit: fc.constantFrom(...LETTERS), minLength: least, maxLength: most });

it('finds what a pattern of all of them finds', () => {
	let found = 0;
	fc.assert(
		fc.property(fc.array(texts(2, 3), { minLength: 1, maxLength: 4 }), texts(0, 120), (sought, text) => {
			const codes = (one: string) =>
				[...Array(one.length).keys()].map((at) => `\\u${one.charCodeAt(at).toString(16).padStart(4, '0')}`);
			const expected = new RegExp(sought.map((one) => codes(one).join('')).join('|'), 'i').test(text);
			found += Number(expected);
			expect(anyOf(sought)(text)).toBe(expected);
		}),
		{ numRuns: cases(3_000) },
	);
	expect(found).toBeGreaterThan(cases(100));
});

it.each<[string, string]>([
	['at the beginning', `desk-77${'x'.repeat(100)}`],
	['at the end', `${'x'.repeat(100)}desk-77`],
	['in capitals', `${'x'.repeat(101)}DESK-77`],
	['behind beginnings of it', `${'desk-7'.repeat(100)}7`],
	['behind as many ends of it', `${'-77'.repeat(1_000)}desk-77`],
	['behind letters beyond ASCII', `${'荷揚港'.repeat(50)}desk-77`],
])('finds it %s', (_, text) => {
	const isThere = anyOf(['desk-77', 'a much longer one: 7']);
	expect(isThere(text)).toBe(true);
	expect(isThere(text.replace(/k-77/i, 'k-78'))).toBe(false);
});
