import * as fc from 'fast-check';
import { FileNames, safeFileName, withIdBehind } from '../../../service/model/fileName';
import { growsFaster } from '../../support/doubling';
import { cases } from '../../support/fuzz';

const safe = (name: string) => safeFileName(name, '.pdf');

it.each([
	['a plain name', 'Bill of lading.pdf', 'Bill of lading.pdf'],
	['a name without its extension', 'Bill of lading', 'Bill of lading.pdf'],
	['the extension in capitals', 'BILL.PDF', 'BILL.pdf'],
	['a path', '../../etc/passwd', '_.._etc_passwd.pdf'],
	['a Windows path', 'C:\\temp\\bill', 'C__temp_bill.pdf'],
	['what Windows refuses', 'a<b>c:d"e|f?g*h', 'a_b_c_d_e_f_g_h.pdf'],
	['line breaks and tabs', 'one\r\ntwo\tthree', 'one two three.pdf'],
	['a zero byte', 'bill\u0000.exe', 'bill.exe.pdf'],
	['text that reads backwards', 'bill\u202Efdp.exe', 'billfdp.exe.pdf'],
	['invisible characters', 'b\u200Bi\u2060l\uFEFFl', 'bill.pdf'],
	['half a surrogate pair', 'bill \uD83D', 'bill.pdf'],
	['a device of Windows', 'CON', '_CON.pdf'],
	['a device with an extension', 'nul.txt', '_nul.txt.pdf'],
	['a device with a raised digit', 'com¹', '_com¹.pdf'],
	['a name that only begins like a device', 'console', 'console.pdf'],
	['a name that only ends like a device', 'falcon', 'falcon.pdf'],
	['a device with a number', 'LPT9.txt', '_LPT9.txt.pdf'],
	['what is no device, with two digits', 'com10', 'com10.pdf'],
	['a device with blanks behind it', 'aux  .txt', '_aux .txt.pdf'],
	['a device behind blanks and dots', ' .prn', '_prn.pdf'],
	['a device for reading or writing', 'CONIN$', '_CONIN$.pdf'],
	['another one of these', 'conout$.x', '_conout$.x.pdf'],
	['the extension twice', 'bill.pdf.pdf', 'bill.pdf.pdf'],
	['an extension in the middle', 'bill.pdf 2', 'bill.pdf 2.pdf'],
	['a folder of web drives in capitals, twice', '_VTI_a_vti_', '_vti-a_vti-.pdf'],
	['several blanks', 'a   b\u00a0\u2003c', 'a b c.pdf'],
	['what stands behind 4,000 signs that nobody sees', `${'\u200b'.repeat(4_000)}bill`, 'document.pdf'],
	['dots and blanks at the end', 'bill. . .', 'bill.pdf'],
	['dots and blanks at the beginning', ' ..bill', 'bill.pdf'],
	['a temporary file of an office program', '~$bill', '$bill.pdf'],
	['a folder web drives keep for themselves', 'a_vti_b', 'a_vti-b.pdf'],
	['nothing', '', 'document.pdf'],
	['nothing but dots', '...', 'document.pdf'],
	['the extension alone', '.pdf', 'document.pdf'],
	['letters of other scripts', 'Коносамент 提单', 'Коносамент 提单.pdf'],
	['letters with their accents apart', 'Cafe\u0301', 'Café.pdf'],
	['letters with something invisible before their accents', 'Cafe\u200D\u0301', 'Café.pdf'],
	['a sign that is another one with its accent', 'a<\u0338b', 'a\u226Eb.pdf'],
])('makes %s safe', (_, name, expected) => {
	expect(safe(name)).toBe(expected);
});

it.each([
	['letters', 'x'.repeat(500)],
	['letters of three bytes', '提'.repeat(500)],
	['letters of four bytes', '😀'.repeat(500)],
	['letters with many marks', 'e\u0301\u0323'.repeat(500)],
	['one letter with endless marks', `a${'\u0301'.repeat(5000)}`],
])('cuts a long name of %s to what every drive takes', (_, name) => {
	const cut = safe(name);
	expect(cut.length).toBeLessThanOrEqual(150);
	expect(Buffer.byteLength(cut)).toBeLessThanOrEqual(255);
	expect(cut).not.toMatch(/\p{Cs}/u);
	expect(cut).toMatch(/.\.pdf$/u);
});

it.each([
	['a name that just fits', 'x'.repeat(146), 'x'.repeat(146)],
	['one that is a letter too long', 'x'.repeat(147), 'x'.repeat(146)],
	['one that ends in dots where it is cut', `${'x'.repeat(140)}.......y`, 'x'.repeat(140)],
	['one of as many bytes as there are', '提'.repeat(78), '提'.repeat(78)],
	['one of more bytes', '提'.repeat(79), '提'.repeat(78)],
	['one that is cut within a letter and its accents', `${'x'.repeat(145)}q\u0307\u0323`, 'x'.repeat(145)],
])('cuts %s where it must', (_, name, stem) => {
	expect(safe(name)).toBe(`${stem}.pdf`);
});

describe('a name with the id behind it', () => {
	const id = ' ABCDEF01-E89B-42d3-a456-426614174000 ';

	it('ends with the beginning of the id, in small letters', () => {
		expect(withIdBehind('Bill.pdf', id, '.pdf')).toMatch(/^Bill abcdef01[0-9a-f-]*\.pdf$/);
	});

	it('stays as short as any other, and keeps the id', () => {
		const named = withIdBehind(safe('x'.repeat(500)), id, '.pdf');
		expect(named).toMatch(/^x{50,} abcdef01[0-9a-f-]*\.pdf$/);
		expect(named).toHaveLength(150);
		const wide = withIdBehind(safe('提'.repeat(500)), id, '.pdf');
		expect(wide).toMatch(/^提{50,} abcdef01[0-9a-f-]*\.pdf$/);
		expect(Buffer.byteLength(wide)).toBeLessThanOrEqual(240);
		expect(Buffer.byteLength(wide)).toBeGreaterThan(236);
	});
});

it('is safe whatever the name', () => {
	fc.assert(
		fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (name) => {
			const made = safe(name);
			expect(made).not.toMatch(/[<>:"/\\|?*\p{Cc}\p{Cf}\p{Cs}]/u);
			expect(made).not.toMatch(/^[\s.~]/);
			expect(made).toMatch(/[^\s.]\.pdf$/u);
			expect(made.length).toBeLessThanOrEqual(150);
			expect(made).not.toMatch(/^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i);
		}),
		{ numRuns: cases(500) },
	);
});

describe('names of one run', () => {
	it.each([
		['one name three times', ['a.pdf', 'a.pdf', 'a.pdf'], ['a.pdf', 'a (2).pdf', 'a (3).pdf']],
		['names that differ by case only', ['Bill.pdf', 'BILL.pdf'], ['Bill.pdf', 'BILL (2).pdf']],
		['names some drives take for one', ['straße.pdf', 'STRASSE.pdf'], ['straße.pdf', 'STRASSE (2).pdf']],
		['the same, with the capital of ß', ['straße.pdf', 'STRAẞE.pdf'], ['straße.pdf', 'STRAẞE (2).pdf']],
		[
			'a name that looks like a second one',
			['a (2).pdf', 'a.pdf', 'a.pdf'],
			['a (2).pdf', 'a.pdf', 'a (3).pdf'],
		],
		['different names', ['a.pdf', 'b.pdf'], ['a.pdf', 'b.pdf']],
	])('are told apart: %s', (_, names, expected) => {
		const run = new FileNames();
		expect(names.map((name) => run.claim(name, '.pdf'))).toEqual(expected);
	});

	it('stay short when they get a number', () => {
		const run = new FileNames();
		const long = safe('x'.repeat(500));
		run.claim(long, '.pdf');
		const second = run.claim(long, '.pdf');
		expect(second).toMatch(/x \(2\)\.pdf$/);
		expect(second.length).toBeLessThanOrEqual(150);
	});

	it.each([
		['one long name', () => 'x'.repeat(200)],
		['long names that are alike but for their end', (index: number) => 'x'.repeat(136) + (index % 50)],
		['one short name', () => 'Copy'],
	])('are told apart in time that does not grow faster than their number: %s', async (_, nameOf) => {
		const claim = (count: number) => {
			const run = new FileNames();
			return Array.from({ length: count }, (_unused, index) => run.claim(safe(nameOf(index)), '.pdf'));
		};
		expect(await growsFaster((size) => () => claim(size / 16))).toBeUndefined();
		const names = claim(1_000);
		expect(new Set(names).size).toBe(1_000);
		for (const name of names) expect(name.length).toBeLessThanOrEqual(150);
	});
});
