import { folded } from '../../../service/model/folded';

it.each([
	['capitals', 'ACME', 'acme'],
	['accents apart', 'Cafe\u0301', 'CAFÉ'],
	['the Turkish letters', 'İSTANBUL', 'istanbul'],
	['the Turkish letters in small', 'ıstanbul', 'ISTANBUL'],
	['a dotted letter apart', 'I\u0307stanbul', 'Istanbul'],
	['a sharp s', 'Straße', 'STRASSE'],
	['a capital sharp s', 'STRAẞE', 'Strasse'],
	['a final sigma', 'ΟΔΟΣ', 'οδος'],
	['a sigma in the middle of what is typed', 'οδοσ', 'ΟΔΟΣ'],
	['wide letters and ligatures', 'Ａcme ﬁsh', 'acme fish'],
	['wide letters, as many as are compared', 'Ａ'.repeat(4_000), 'a'.repeat(4_000)],
	['blanks of other kinds', 'Acme\u00A0\t Shipping ', 'acme shipping'],
	['characters that show nothing', 'Ac\u00ADme\u200B', 'acme'],
])('%s make no other name', (_, one, other) => {
	expect(folded(one)).toBe(folded(other));
});

it.each([
	['other letters', 'Ärger', 'Arger'],
	['other digits', 'T1', 'T2'],
	['other signs', 'A-B', 'A B'],
])('%s make another name', (_, one, other) => {
	expect(folded(one)).not.toBe(folded(other));
});
