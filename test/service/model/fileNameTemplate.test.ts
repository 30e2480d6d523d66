import {
	checkTemplate,
	fileNameFacts,
	fillTemplate,
	PLACEHOLDERS,
} from '../../../service/model/fileNameTemplate';
import { growsFaster, wall } from '../../support/doubling';

const facts = {
	setId: '123e4567-e89b-42d3-a456-426614174000',
	documentId: 'abcdef01-e89b-42d3-a456-426614174000',
	parcelRef: 'P-1',
	shipmentRef: 'S-1',
	docType: 'BILL_OF_LADING',
	name: 'Bill of lading',
	status: 'SIGNED',
	billOfLadingDate: '2026-11-20',
	vesselName: null,
};

it.each([
	['every placeholder', '{setId}{documentId}', `${facts.setId}${facts.documentId}`],
	['text between', '{parcelRef} - {name}.pdf', 'P-1 - Bill of lading.pdf'],
	[
		'several, and the beginning of one',
		'{billOfLadingDate}_{parcelRef}_{docType}_{name}_{first 8 of documentId}.pdf',
		'2026-11-20_P-1_BILL_OF_LADING_Bill of lading_abcdef01.pdf',
	],
	['blanks and capitals', '{ ParcelRef }', 'P-1'],
	['no placeholder', 'copy.pdf', 'copy.pdf'],
	['the beginning of one in any spelling', '{ FIRST  3   Of  PARCELREF }', 'P-1'],
	['a beginning that is shorter', '{first 1 of parcelRef}', 'P'],
	['letters of several bytes as one each', '{first 3 of name}', 'Bil'],
	['all separators at the end, where a value is missing', '{parcelRef}_- {vesselName}', 'P-1'],
	['no separator in front of one that is there', '_{parcelRef}', '_P-1'],
	['one separator of two in front', '{vesselName}__{parcelRef}', '_P-1'],
	['a missing value in front, with its separator', '{vesselName}_{parcelRef}.pdf', 'P-1.pdf'],
	['a missing value in the middle', '{parcelRef}_{vesselName}_{name}.pdf', 'P-1_Bill of lading.pdf'],
	['a missing value at the end', '{parcelRef}_{vesselName}.pdf', 'P-1.pdf'],
	['nothing but a missing value', '{vesselName}.pdf', '.pdf'],
	['a dollar sign in a value is only a dollar sign', '$& {parcelRef}', '$& P-1'],
])('fills in %s', (_, template, expected) => {
	expect(fillTemplate(template, facts)).toBe(expected);
});

it('says what there is in place of a placeholder that is none, of a long one its beginning', () => {
	expect(() => fillTemplate('{parcel}', { parcelRef: 'P', name: null })).toThrow(
		expect.objectContaining({
			message: 'The file name uses {parcel}, which does not exist',
			remedy: 'Use these: {parcelRef} {name}, or the beginning of one, for example {first 8 of documentId}.',
		}),
	);
	expect(() => fillTemplate('{status}', { parcelRef: 'P' })).toThrow(
		'The file name uses {status}, which is not known from the IDs alone',
	);
	for (const [letters, shown] of [
		[58, `{${'x'.repeat(58)}}`],
		[59, `{${'x'.repeat(59)}…`],
	] as const)
		expect(() => fillTemplate(`{${'x'.repeat(letters)}}`, facts)).toThrow(`uses ${shown}, which`);
});

it.each([
	['{first 100 of name}', 80],
	['{first 80 of name}', 80],
	['{first 79 of name}', 79],
	['{name}', 80],
])('of a long value, %s takes so many letters: %i', (template, letters) => {
	expect(fillTemplate(template, { ...facts, name: '🚢'.repeat(200) })).toBe('🚢'.repeat(letters));
	expect(fillTemplate(template, { ...facts, name: `${' '.repeat(999)}a` })).toBe('a');
	expect(fillTemplate(template, { ...facts, name: `${' '.repeat(1_000)}a` })).toBe('');
});

it('the facts of a document are its own and those of its set', () => {
	const set = {
		...{
			setId: 's',
			parcelRef: 'P',
			shipmentRef: 'S',
			status: 'signed',
			billOfLadingDate: 'D',
			vesselName: 'V',
		},
	};
	expect(fileNameFacts(set, { documentId: 'd', name: ' Bill.pdf', docType: 'BL' })).toEqual({
		...{ setId: 's', documentId: 'd', parcelRef: 'P', shipmentRef: 'S', docType: 'BL', name: ' Bill.pdf' },
		...{ status: 'SIGNED', billOfLadingDate: 'D', vesselName: 'V' },
	});
	const none = {
		setId: 's',
		parcelRef: ' ',
		shipmentRef: null,
		status: '',
		billOfLadingDate: [],
		vesselName: '',
	};
	expect(fileNameFacts(none, { documentId: null, name: ' ', docType: {} })).toEqual({
		...{ setId: 's', documentId: null, parcelRef: null, shipmentRef: null, docType: null, name: null },
		...{ status: null, billOfLadingDate: null, vesselName: null },
	});
});

it.each([
	['{nmae}'],
	['{}'],
	['{first of name}'],
	['{first 1000 of name}'],
	['{xfirst 8 of name}'],
	['{first 8 of name x}'],
	['{first 8of name}'],
	['{first 8 of nothing}'],
	['{constructor}'],
])('refuses %s and says which there are', (template) => {
	expect(() => fillTemplate(`a ${template}`, facts)).toThrow(
		expect.objectContaining({
			code: 'invalidInput',
			message: expect.stringContaining(template),
			remedy: expect.stringContaining('{shipmentRef}'),
		}),
	);
});

it('does not fill in what a value holds', () => {
	expect(fillTemplate('{name}', { ...facts, name: '{setId} {nothing}' })).toBe('{setId} {nothing}');
});

it('keeps one long value from pushing the others out', () => {
	const name = fillTemplate('{name}_{first 8 of documentId}.pdf', { ...facts, name: 'x'.repeat(1000) });
	expect(name).toMatch(/^x{80}_abcdef01\.pdf$/);
});

it('takes the status of a set in its canonical form', () => {
	const { setId, documentId } = facts;
	expect(fileNameFacts({ setId, status: 'title held', quantity: null }, { documentId })).toMatchObject({
		status: 'TITLE_HELD',
		name: null,
	});
});

it.each([
	['Invoice.pdf', '{name}_{first 8 of documentId}.pdf', 'Invoice_abcdef01.pdf'],
	['Invoice.PDF ', '{name}.pdf', 'Invoice.pdf'],
	['Invoice.pdf', '{name}', 'Invoice'],
	['Invoice.pdf.pdf', '{parcelRef} {name}.pdf', 'P-1 Invoice.pdf'],
	['Invoice.pdf', '{first 20 of name}', 'Invoice'],
	['.pdf', '{parcelRef}_{name}.pdf', 'P-1.pdf'],
	['Invoice.pdf 2', '{name}.pdf', 'Invoice.pdf 2.pdf'],
	['Invoice.xml', '{name}.pdf', 'Invoice.xml.pdf'],
])('a document called %s has its extension once, at the end: %s', (name, template, expected) => {
	expect(fillTemplate(template, { ...facts, name })).toBe(expected);
});

it('finds what is wrong with a template before anything is known', () => {
	expect(() => checkTemplate('{parcelRef} {nme}.pdf', PLACEHOLDERS)).toThrow('{nme}');
	expect(() => checkTemplate('{parcelRef}.pdf', ['setId', 'documentId'])).toThrow('not known from the IDs');
	expect(() => checkTemplate('{first 3 of SetId} { documentid } {', ['setId', 'documentId'])).not.toThrow();
});

it.each([
	'{',
	'}',
	'_',
	'- ',
	'{a',
	'{}',
	'{first ',
	'{name}',
	'{name',
	'.pdf',
	'x_',
	'\u0000',
	'{vesselName}_',
])('takes no time that grows faster than the template: %j', async (piece) => {
	const template = (size: number) => wall(piece, size);
	expect(await growsFaster((size) => () => fillTemplate(template(size), facts))).toBeUndefined();
	const filled = (size: number) => () => fillTemplate('{name}x', { ...facts, name: template(size) });
	expect(await growsFaster(filled)).toBeUndefined();
});
