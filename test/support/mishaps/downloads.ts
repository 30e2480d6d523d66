import { reply, type FakeServiceOptions } from '../fakeService';
import type { Mishaps } from '../mishap';
import { endless } from './answers';

const SET = '22222222-2222-4222-8222-222222222222';
const DOCUMENT = '44444444-4444-4444-8444-444444444444';
const PDF = { resource: 'document', operation: 'getPdf', setId: SET, documentId: DOCUMENT };
const ALL_PDFS = { resource: 'document', operation: 'getAllPdfs', setId: SET, options: { waitSeconds: 0 } };
const NO_PDF = `No PDF of document ${DOCUMENT} of set ${SET}`;

/** A service that finds one set with these documents. */
function withDocuments(documents: object[]): FakeServiceOptions {
	return { ok: { data: { offset: 0, total: 1, results: [{ setId: SET, documents }] } } };
}

/** What can be wrong with the documents of a set and their files. */
export const DOWNLOADS: Mishaps = {
	'a file with nothing in it': {
		instead: () => ({ calls: () => reply(200) }),
		parameters: () => PDF,
		says: `${NO_PDF}: The answer is empty where a PDF was expected.`,
		remedy: 'Try again later, or ask the service about the document.',
	},
	'a web page in place of a file': {
		instead: () => ({ calls: () => reply(200, '<html><title>Sign in</title></html>') }),
		parameters: () => PDF,
		says: `${NO_PDF}: The answer is no PDF. It says: "Sign in"`,
		remedy: 'Check the base URL in the credential: a gateway or another service may be answering there.',
	},
	'a message in place of a file': {
		instead: () => ({ calls: () => reply(200, { message: 'The document is being prepared' }) }),
		parameters: () => PDF,
		says: `${NO_PDF}: The answer is no PDF. It says: "The document is being prepared"`,
		remedy: 'Try again later, or ask the service about the document.',
	},
	'a file without end': {
		instead: () => ({ calls: () => endless('%PDF-1.7\n') }),
		parameters: () => PDF,
		says: `${NO_PDF}: The PDF is larger than 1 GB.`,
		remedy: 'Ask the service about this document.',
	},
	'a type of documents that is misspelled': {
		instead: () => withDocuments([{ documentId: DOCUMENT, docType: 'BILL_OF_LADING' }]),
		parameters: () => ({ ...ALL_PDFS, documentTypes: ['Bill of landing'] }),
		says: '"Document Types" holds a type that no set of the input has: Bill of landing',
		remedy: 'The types there are: BILL_OF_LADING. Choose among them, or take the type away.',
	},
	'a set without documents': {
		instead: () => withDocuments([]),
		parameters: () => ALL_PDFS,
		says: `The search shows no document of set ${SET}`,
		remedy: 'The set may have no documents yet: raise Wait Up To in the options',
	},
	'a document whose ID is none': {
		instead: () => withDocuments([{ documentId: '4711', name: 'Bill of lading' }]),
		parameters: () => ALL_PDFS,
		says: `No PDF of document "Bill of lading" (4711) of set ${SET}: The document ID is not an ID of the service: "4711".`,
		remedy: 'If the ID came from the service, tell the service.',
	},
};
