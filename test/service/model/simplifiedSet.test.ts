import { SetResult } from '../../../service/model/set';
import { simplifySet } from '../../../service/model/simplifiedSet';

const setId = '123e4567-e89b-42d3-a456-426614174000';
const simplified = (fields: object) => simplifySet(SetResult.parse({ setId, ...fields }), 'UTC');

it('keeps what the service sent and makes the awkward fields plain', () => {
	const set = simplified({
		status: 'title held',
		modifiedDate: '20 November 2026 09:48',
		quantity: 'null null',
		signature: '2 of 3',
		vesselName: null,
		links: [{ rel: 'self' }],
		documents: [{ documentId: 'a', name: 'Bill', docType: 'BILL_OF_LADING', xmlContent: null }],
	});
	expect(set).toEqual({
		setId,
		status: 'TITLE_HELD',
		modifiedDate: '20 November 2026 09:48',
		modifiedAt: '2026-11-20T09:48:00.000Z',
		quantity: null,
		signature: { number: 2, total: 3, text: '2 of 3' },
		vesselName: null,
		links: [{ rel: 'self' }],
		documents: [{ documentId: 'a', name: 'Bill', docType: 'BILL_OF_LADING' }],
	});
});

it.each([
	['two null words', 'null null', null],
	['one', 'NULL', null],
	['a real one', '120 bags', '120 bags'],
	['a word that only begins so', 'nullified', 'nullified'],
	['a number', 7, 7],
	['none', undefined, null],
])('reads a quantity: %s', (_, quantity, expected) => {
	expect(simplified({ quantity }).quantity).toEqual(expected);
});

it.each([
	['the form of the interface', '1 of 2', { number: 1, total: 2, text: '1 of 2' }],
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
