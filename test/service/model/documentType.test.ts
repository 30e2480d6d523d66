import { documentsOfTypes } from '../../../service/model/documentType';

const documents = [
	{ documentId: '1', docType: 'BILL_OF_LADING' },
	{ documentId: '2', docType: 'Uploadable document' },
	{ documentId: '3', docType: null },
	{ documentId: '4', docType: 'Facture émise' },
	{ documentId: '5', docType: 'T1' },
	{ documentId: '6', docType: 'T-2' },
	{ documentId: '7', docType: '***' },
	{ documentId: '8', docType: 'SİGORTA' },
	{ documentId: '9', docType: 'Annex 1.1' },
];

it.each([
	['no type lets all through', [], '123456789'],
	['the spelling of the service', ['BILL_OF_LADING'], '1'],
	['another spelling', ['bill of-lading '], '1'],
	['two types', ['uploadable_document', 'Bill Of Lading'], '12'],
	['letters beyond ASCII, however composed', ['FACTURE E\u0301MISE'], '4'],
	['part of a type is not the type', ['Bill'], ''],
	['a type that is not there', ['Invoice'], ''],
	['a type without letters is a choice too', ['4711'], ''],
	['empty ones are no choice', ['', '  '], '123456789'],
	['a digit more is another type', ['T2'], '6'],
	['a digit fewer is another type', ['T'], ''],
	['a type of signs alone', ['***'], '7'],
	['letters in capitals that are none elsewhere', ['sigorta'], '8'],
	['numbers with another sign between them', ['ANNEX_1-1'], '9'],
	['numbers with several signs between them', ['Annex - 1 . 1'], '9'],
	['numbers that are one without the sign between them', ['Annex 11'], ''],
	['wide letters', ['Ｔ１'], '5'],
])('%s', (_, types, ids) => {
	expect(
		documentsOfTypes(documents, types)
			.map(({ documentId }) => documentId)
			.join(''),
	).toBe(ids);
});
