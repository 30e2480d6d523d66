import { SetResult, type SetRow } from '../../../service/model/set';
import { simplifySet } from '../../../service/model/simplifiedSet';

const setId = '123e4567-e89b-42d3-a456-426614174000';
const simplified = (fields: object) => simplifySet(SetResult.parse({ setId, ...fields }), 'UTC');

it('gives what a person uses, in the order of use, the awkward fields plain and nothing of the wire', () => {
	const set = simplified({
		...{ links: [], actions: null, fromPartyId: null, quantity: 'null null', newField: 'kept', empty: ' ' },
		status: 'title held',
		modifiedDate: '20 November 2026 09:48',
		signature: '2 of 3',
		vesselName: null,
		parcelRef: 'PCL-1',
		documents: [{ documentId: 'a', name: 'Bill', docType: 'BILL_OF_LADING', xmlContent: null }],
	});
	const none = { cargoName: null, quantity: null, loadPort: null, destinationName: null };
	expect(Object.entries(set)).toEqual(
		Object.entries({
			...{ parcelRef: 'PCL-1', shipmentRef: null, status: 'TITLE_HELD' },
			modifiedAt: '2026-11-20T09:48:00.000Z',
			...{ vesselName: null, billOfLadingDate: null },
			signature: { number: 2, total: 3, text: '2 of 3' },
			...none,
			...{
				destinationCountry: null,
				consignorCompanyName: null,
				consigneeCompanyName: null,
				fromParty: null,
			},
			documents: [{ documentId: 'a', name: 'Bill', docType: 'BILL_OF_LADING' }],
			...{ setId, transactionId: null, newField: 'kept' },
		}),
	);
});

it('keeps the date as sent where it cannot be read', () => {
	expect(simplified({ modifiedDate: 'tomorrow' })).toMatchObject({
		modifiedAt: null,
		modifiedDate: 'tomorrow',
	});
	expect(simplified({ modifiedDate: '20 November 2026 09:48' })).not.toHaveProperty('modifiedDate');
});

it.each([
	['two null words', 'null null', null],
	['one', 'NULL', null],
	['a real one', '120 bags', '120 bags'],
	['a word that only begins so', 'nullified', 'nullified'],
	['three of them, and blanks', '  null  NULL null ', null],
	['two words in one', 'nullnull', 'nullnull'],
	['something in front of one', '5 null', '5 null'],
	['something behind one', 'null bags', 'null bags'],
	['nothing but blanks', ' \n', null],
	['a list', ['a'], ['a']],
	['an empty list', [], null],
	['null', null, null],
	['zero', 0, 0],
	['a number', 7, 7],
	['none', undefined, null],
])('reads a quantity: %s', (_, quantity, expected) => {
	expect(simplified({ quantity }).quantity).toEqual(expected);
});

it.each([
	['the form of the interface', '1 of 2', { number: 1, total: 2, text: '1 of 2' }],
	['the same with blanks and capitals', ' 10  OF  12 ', { number: 10, total: 12, text: ' 10  OF  12 ' }],
	['more in front', 'x1 of 2', { number: null, total: null, text: 'x1 of 2' }],
	['more behind', '1 of 2x', { number: null, total: null, text: '1 of 2x' }],
	['no blanks', '1of2', { number: null, total: null, text: '1of2' }],
	['another form, kept as text', 'all signed', { number: null, total: null, text: 'all signed' }],
	['none', null, null],
	['an empty one', '', null],
])('reads a signature: %s', (_, signature, expected) => {
	expect(simplified({ signature }).signature).toEqual(expected);
});

it('gives an empty list for a set the search shows without documents', () => {
	expect(simplified({ documents: null }).documents).toEqual([]);
	expect(simplified({}).documents).toEqual([]);
});

it('gives null names for a document that has none', () => {
	expect(simplified({ documents: [{ documentId: 'a' }] }).documents).toEqual([
		{ documentId: 'a', name: null, docType: null },
	]);
});

it('shows what stands for a list of documents as it was sent', () => {
	expect(simplified({ documents: 'Bill' }).documents).toBe('Bill');
	expect(simplified({ documents: { a: 1 } }).documents).toEqual({ a: 1 });
	expect(simplified({ documents: ' ' }).documents).toEqual([]);
});

it('shows a name or a reference that is no text as it was sent, and none as null', () => {
	const names = ['parcelRef', 'shipmentRef', 'vesselName', 'billOfLadingDate', 'transactionId'];
	const each = (value: unknown) => Object.fromEntries(names.map((name) => [name, value]));
	expect(simplified(each({ a: 1 }))).toMatchObject(each({ a: 1 }));
	expect(simplified(each(7))).toMatchObject(each('7'));
	for (const none of [' ', [], null, undefined]) expect(simplified(each(none))).toMatchObject(each(null));
});

it('gives a set no other fields by one that is called __proto__', () => {
	const sent = JSON.parse(`{ "setId": "${setId}", "__proto__": { "modifiedBy": "nobody" } }`) as SetRow;
	const shown = simplifySet(sent, 'UTC');
	expect(shown.modifiedBy).toBeUndefined();
	expect(Object.keys(shown)).not.toContain('__proto__');
});
