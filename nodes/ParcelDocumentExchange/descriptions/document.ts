import type { INodeProperties } from 'n8n-workflow';
import {
	BINARY_FIELD,
	FILE_NAME_OF_ONE,
	FILE_NAME_OF_SET,
	WAIT_BEHIND_EVENT,
	WAIT_FOR_ONE,
} from './defaults';
import { lookup, picker, setId } from './lookup';
import {
	fileName,
	ignoreEmptyFilters,
	onePerSet,
	pageSize,
	paging,
	parallelDownloads,
	timeout,
	waitSeconds,
} from './options';
import { pickerList } from './pickerList';
import { operationsOf, optionsShowing, showing } from './showing';

const binaryPropertyName: INodeProperties = {
	displayName: 'Put Output File in Field',
	name: 'binaryPropertyName',
	type: 'string',
	default: BINARY_FIELD,
	required: true,
	placeholder: 'e.g. data',
	hint: 'The name of the output binary field to put the file in',
};

const documentId = picker(
	{
		displayName: 'Document',
		name: 'documentId',
		required: true,
		default: { mode: 'list', value: '' },
		description: 'The document, one of those the set lists',
	},
	'searchDocuments',
);

const documentTypes = pickerList(
	{
		displayName: 'Document Types',
		name: 'documentTypes',
		description:
			'Only documents of these types; leave it empty for all types. Only letters and numbers are compared, so BILL_OF_LADING and Bill of lading are the same.',
	},
	'Add Document Type',
	{
		displayName: 'Document Type',
		name: 'documentType',
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		description: 'The list shows the types of the set, or of the newest sets',
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				placeholder: 'Choose…',
				typeOptions: { searchListMethod: 'searchDocumentTypes', searchable: true },
			},
			{ displayName: 'By Name', name: 'name', type: 'string', placeholder: 'e.g. Bill of lading' },
		],
	},
);

export const documentProperties: INodeProperties[] = [
	operationsOf('document', 'getAllPdfs', [
		{
			name: 'Get All PDFs',
			value: 'getAllPdfs',
			description: 'Get all PDFs of a set, straight from an event or a set',
			action: 'Get all PDFs of a set',
		},
		{
			name: 'Get Many',
			value: 'getAll',
			description: 'List the documents of a set, without their PDFs',
			action: 'Get many documents of a set',
		},
		{
			name: 'Get PDF',
			value: 'getPdf',
			description: 'Get the PDF of one document',
			action: 'Get one PDF of a set',
		},
	]),
	...showing('document', ['getAllPdfs'], [setId, lookup, documentTypes, onePerSet]),
	...showing('document', ['getAll'], [setId, lookup]),
	...showing('document', ['getPdf'], [setId, documentId]),
	...showing('document', ['getAllPdfs', 'getPdf'], [binaryPropertyName]),
	...optionsShowing('document', 'getAllPdfs', [
		fileName(
			FILE_NAME_OF_SET,
			'{shipmentRef} {docType}.pdf',
			'{setId} {documentId} {parcelRef} {shipmentRef} {docType} {name} {status} {billOfLadingDate} {vesselName}',
		),
		ignoreEmptyFilters,
		pageSize,
		paging,
		parallelDownloads,
		timeout,
		waitSeconds(
			WAIT_BEHIND_EVENT,
			'a set the search does not show yet, for its documents, and for a PDF that is not ready',
		),
	]),
	...optionsShowing('document', 'getAll', [
		pageSize,
		paging,
		timeout,
		waitSeconds(WAIT_FOR_ONE, 'a set the search does not show yet, and for its documents'),
	]),
	...optionsShowing('document', 'getPdf', [
		fileName(
			FILE_NAME_OF_ONE,
			'Bill {first 8 of documentId}.pdf',
			'{setId} and {documentId} (anything else as an expression)',
		),
		parallelDownloads,
		timeout,
		waitSeconds(WAIT_FOR_ONE, 'a PDF that is not ready'),
	]),
];
