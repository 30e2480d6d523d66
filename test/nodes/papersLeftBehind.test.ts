import type { INodeParameters } from 'n8n-workflow';
import { event, mail, ofPdf, ofSet, pdfs, poll, step, told } from '../support/stepsBehind';

/** Steps of n8n behind the papers that lose some of them, or all: green, and nobody is told but whoever builds them. */

const zip = step('Zip', 'compression', { binaryPropertyName: '={{ $json.attachments }}' }, ['Disk']);
const fileNamed = (fileName: string, more: INodeParameters = {}) =>
	step('Disk', 'readWriteFile', { operation: 'write', fileName, ...more });
const between = (type: string, parameters: INodeParameters, attachments?: string) => [
	event('PDFs'),
	pdfs(['Between']),
	step('Between', type, parameters, ['Mail']),
	mail(attachments),
];
const eachPdf = { items: [ofPdf] };
const several = { items: [ofSet('a'), ofSet('b', 3)] };
const DUPLICATES = { compare: 'selectedFields' };
const compare = (resolve: string, to: string[][]) => [
	event('PDFs', 'Other'),
	pdfs(['Compare']),
	step('Other', 'googleSheets', {}, ['Compare#2']),
	step('Compare', 'compareDatasets', { resolve }, ...to),
	mail(),
];
const own = (fileName: string) => ({
	...eachPdf,
	own: { parameters: { operation: 'getAllPdfs', options: { fileName } } },
});

const ending = step('End', 'form', { operation: 'completion', respondWith: 'returnBinary' });

it.each<[string, () => string[], RegExp]>([
	[
		'a misspelled field',
		() => told([event('PDFs'), pdfs(), mail('={{ $json.atachments }}')]),
		/attaches the field atachments, which these items do not have/,
	],
	[
		'the same in brackets',
		() => told([event('PDFs'), pdfs(), mail('={{ $json["papers"] }}')]),
		/the field papers/,
	],
	[
		'the same of the step by its name',
		() => told([event('PDFs'), pdfs(), mail('={{ $("PDFs").item.json.files_list }}')]),
		/the field files_list/,
	],
	[
		'a field of the event that it has not',
		() =>
			told([event('PDFs'), pdfs(), mail("={{ $('Event').item.json.attachments }}")], {
				given: [{ name: 'Event', type: '', setIds: new Set(), items: [{ setId: 'a' }] }],
			}),
		/which the items of "Event" do not have/,
	],
	[
		'a field that is renamed',
		() => told(between('renameKeys', { keys: { key: [{ currentKey: 'attachments', newKey: 'papers' }] } })),
		/the field attachments, which "Between" does not hand on.*of "PDFs" there/,
	],
	[
		'a field that Edit Fields leaves out',
		() =>
			told(between('set', { includeOtherFields: true, include: 'selected', includeFields: 'setId, status' })),
		/which "Between" does not hand on/,
	],
	[
		'a field that Edit Fields takes away',
		() => told(between('set', { includeOtherFields: true, include: 'except', excludeFields: 'attachments' })),
		/which "Between" does not hand on/,
	],
	[
		'a file made of the item',
		() => told(between('convertToFile', {})),
		/does not hand on.*Lead a line of its own/,
	],
	[
		'one by an expression',
		() => told([event('PDFs'), pdfs(), mail('={{ $json.files[0].binaryField }}')]),
		/picks out of the files/,
	],
	[
		'the first of the names',
		() => told([event('PDFs'), pdfs(), mail('={{ $json.attachments.split(",")[0] }}')]),
		/picks out of/,
	],
	[
		'the first of the files there are',
		() => told([event('PDFs'), pdfs(), mail('={{ Object.keys($binary)[0] }}')]),
		/picks out of/,
	],
	[
		'a name in an expression',
		() => told([event('PDFs'), pdfs(), mail('={{ "data_0" }}')]),
		/data_0, as typed/,
	],
	[
		'a name where Expression was pressed',
		() => told([event('PDFs'), pdfs(), mail('=data_0')]),
		/data_0, as typed/,
	],
	[
		'a name behind Edit Fields',
		() => told(between('set', { includeOtherFields: true }, 'data_0,data_1')),
		/data_0, data_1, as typed/,
	],
	[
		'names that are packed',
		() => told(between('compression', { binaryPropertyName: 'data_0, data_1' }, 'zip')),
		/"Between" takes data_0, data_1, as typed.*Drag the field attachments/,
	],
	[
		'a name that is filed',
		() =>
			told([event('PDFs'), pdfs(['Drive']), step('Drive', 'googleDrive', { inputDataFieldName: 'data_0' })]),
		/"Drive" takes data_0, as typed/,
	],
	[
		'an empty field for attachments',
		() => told([event('PDFs'), pdfs(), mail('')]),
		/"Mail" attaches nothing, and no step.*drag the field attachments/,
	],
	[
		'no field for attachments',
		() => told([event('PDFs'), pdfs(), step('Mail', 'gmail', {})], eachPdf),
		/attaches nothing.*write data/,
	],
	[
		'Execute Once on a mail',
		() => told([poll(), pdfs(), mail()], { once: ['Mail'] }),
		/Execute Once is on in the settings of "Mail".*with several sets/,
	],
	[
		'Execute Once on a mail of each PDF',
		() => told([event('PDFs'), pdfs(), mail('data')], { ...eachPdf, once: ['Mail'] }),
		/Execute Once .* "Mail".*the other papers would go to nobody/,
	],
	[
		'Execute Once on a drive',
		() =>
			told([event('PDFs'), pdfs(['Drive']), step('Drive', 'googleDrive')], { ...eachPdf, once: ['Drive'] }),
		/Execute Once .* "Drive"/,
	],
	[
		'Execute Once between',
		() => told(between('set', { includeOtherFields: true }), { ...several, once: ['Between'] }),
		/Execute Once .* "Between"/,
	],
	['Limit', () => told(between('limit', {}), several), /"Between" lets no more items through than 1/],
	[
		'Limit of each PDF',
		() => told(between('limit', { maxItems: 2 }, 'data'), eachPdf),
		/no more items through than 2: the other papers/,
	],
	[
		'Remove Duplicates by status',
		() => told(between('removeDuplicates', { ...DUPLICATES, fieldsToCompare: 'status' }), several),
		/for the same by status.*Compare setId/,
	],
	[
		'Remove Duplicates by the set, of each PDF',
		() => told(between('removeDuplicates', { ...DUPLICATES, fieldsToCompare: 'setId' }, 'data'), eachPdf),
		/for the same by setId.*Compare fileName/,
	],
	[
		'what was seen in runs before, by the parcel, of each PDF',
		() =>
			told(
				between(
					'removeDuplicates',
					{ operation: 'removeItemsSeenInPreviousExecutions', dedupeValue: '={{ $json.parcelRef }}' },
					'data',
				),
				eachPdf,
			),
		/for the same by \$json\.parcelRef,/,
	],
	[
		'an answer with one file',
		() =>
			told([
				event('PDFs'),
				pdfs(['Respond']),
				step('Respond', 'respondToWebhook', { respondWith: 'binary' }),
			]),
		/"Respond" answers with the first file alone/,
	],
	[
		'the same by the webhook itself',
		() =>
			told(
				[
					step('Hook', 'webhook', { responseMode: 'lastNode', responseData: 'firstEntryBinary' }, ['PDFs']),
					pdfs([]),
				],
				eachPdf,
			),
		/"Hook" answers with the first file alone/,
	],
	[
		'a form that ends with one file',
		() => told([event('PDFs'), pdfs(['End']), ending], eachPdf),
		/"End" gives the first file alone/,
	],
	[
		'a file of one name',
		() => told([event('PDFs'), pdfs(['Disk']), fileNamed('/files/bill.pdf')], eachPdf),
		/"Disk" gives several PDFs one name/,
	],
	[
		'a file by the parcel',
		() => told([event('PDFs'), pdfs(['Disk']), fileNamed('=/files/{{ $json.parcelRef }}.pdf')], eachPdf),
		/"Disk" gives several PDFs one name/,
	],
	[
		'file names that say nothing of the parcel',
		() => told([event('PDFs'), pdfs(['Disk']), fileNamed('=/files/{{ $json.fileName }}')], own('{name}.pdf')),
		/says nothing of the parcel, and neither does "Disk"/,
	],
	[
		'an archive of one name for all parcels',
		() => told([event('PDFs'), pdfs(['Zip']), zip, fileNamed('/files/papers.zip')]),
		/"Disk" gives the packed papers of each parcel one name/,
	],
	[
		'the Different of Compare Datasets',
		() => told(compare('includeBoth', [[], ['Mail'], ['Mail'], []])),
		/"Compare" gives no files by its outputs Different/,
	],
	[
		'the other side of Compare Datasets, by a step between',
		() => told([...compare('mix', [[], [], [], ['No']]), step('No', 'noOp', {}, ['Mail'])]),
		/"Compare" gives no files/,
	],
])('%s is told', (_, say, words) => {
	expect(say()).toEqual([expect.stringMatching(words)]);
});

it.each<[string, () => string[]]>([
	['a form that ends with all of them', () => told([event('PDFs'), pdfs(['End']), ending])],
	[
		'a form that ends with the one that was asked for',
		() =>
			told([event('PDFs'), pdfs(['End']), ending], {
				...eachPdf,
				own: { parameters: { operation: 'getAllPdfs', documentTypes: ['BILL_OF_LADING'] } },
			}),
	],
	[
		'a form that ends with one that was packed of them',
		() => told([event('PDFs'), pdfs(['Zip']), step('Zip', 'compression', {}, ['End']), ending], eachPdf),
	],
	['all names, joined', () => told([event('PDFs'), pdfs(), mail('={{ Object.keys($binary).join(",") }}')])],
	[
		'the list by the name of the step',
		() => told([event('PDFs'), pdfs(), mail('={{ $("PDFs").item.json.attachments }}')]),
	],
	[
		'the list, and something else where there is none',
		() => told([event('PDFs'), pdfs(), mail('={{ $json.attachments || $json.other }}')]),
	],
	[
		'a field that Edit Fields writes',
		() =>
			told(
				between(
					'set',
					{
						includeOtherFields: true,
						include: 'selected',
						includeFields: 'setId',
						assignments: { assignments: [{ name: 'papers' }] },
					},
					'={{ $json.papers }}',
				),
			),
	],
	[
		'a field that Edit Fields hands on',
		() =>
			told(between('set', { includeOtherFields: true, include: 'selected', includeFields: 'attachments' })),
	],
	[
		'a field of a step that has not run',
		() =>
			told([event('PDFs'), pdfs(), mail('={{ $("Event").item.json.attachments }}')], {
				given: [{ name: 'Event', type: '', setIds: new Set(), items: [] }],
			}),
	],
	[
		'all of them packed',
		() => told(between('compression', { binaryPropertyName: '={{ $json.attachments }}' }, 'zip')),
	],
	[
		'a number in a name of something else',
		() => told([event('PDFs'), pdfs(), mail(undefined, { subject: 'parcel_0' })]),
	],
	[
		'a mail of words beside a drive',
		() => told([event('PDFs'), pdfs(['Drive', 'Mail']), step('Drive', 'googleDrive'), mail('')], eachPdf),
	],
	[
		'a mail of words beside one that attaches',
		() => told([event('PDFs'), pdfs(['Mail', 'Note']), mail(), step('Note', 'gmail', {})]),
	],
	[
		'a mail that is read',
		() => told([event('PDFs'), pdfs(['Read']), step('Read', 'gmail', { operation: 'getAll' })]),
	],
	['Execute Once with one set in a run', () => told([event('PDFs'), pdfs(), mail()], { once: ['Mail'] })],
	[
		'Execute Once on what leads to no mail',
		() => told([poll(), pdfs(['Mail', 'Log']), mail(), step('Log', 'noOp')], { once: ['Log'] }),
	],
	['Limit with one set in a run', () => told(between('limit', {}))],
	['Remove Duplicates by all', () => told(between('removeDuplicates', {}), several)],
	[
		'Remove Duplicates by the set',
		() => told(between('removeDuplicates', { ...DUPLICATES, fieldsToCompare: 'setId' }), several),
	],
	[
		'Remove Duplicates by the file',
		() => told(between('removeDuplicates', { ...DUPLICATES, fieldsToCompare: 'fileName' }, 'data'), eachPdf),
	],
	[
		'an answer with all in one',
		() =>
			told([
				event('PDFs'),
				pdfs(['Zip']),
				step('Zip', 'compression', { binaryPropertyName: '={{ $json.attachments }}' }, ['Respond']),
				step('Respond', 'respondToWebhook', { respondWith: 'binary' }),
			]),
	],
	[
		'an answer of words',
		() =>
			told([event('PDFs'), pdfs(['Respond']), step('Respond', 'respondToWebhook', { respondWith: 'json' })]),
	],
	[
		'a file by its name',
		() => told([event('PDFs'), pdfs(['Disk']), fileNamed('=/files/{{ $json.fileName }}')], eachPdf),
	],
	[
		'a file by a path that a step between makes',
		() =>
			told(
				[
					event('PDFs'),
					pdfs(['Edit']),
					step(
						'Edit',
						'set',
						{
							includeOtherFields: true,
							assignments: { assignments: [{ name: 'path', value: '={{ $json.fileName }}' }] },
						},
						['Disk'],
					),
					fileNamed('={{ $json.path }}'),
				],
				eachPdf,
			),
	],
	[
		'short names in a folder of the parcel',
		() =>
			told(
				[event('PDFs'), pdfs(['Disk']), fileNamed('=/files/{{ $json.parcelRef }}/{{ $json.fileName }}')],
				own('{name}.pdf'),
			),
	],
	[
		'names with the parcel',
		() =>
			told(
				[event('PDFs'), pdfs(['Disk']), fileNamed('=/files/{{ $json.fileName }}')],
				own('{shipmentRef} {name}.pdf'),
			),
	],
	[
		'an archive that is called by the parcel',
		() => told([event('PDFs'), pdfs(['Zip']), zip, fileNamed('=/files/{{ $json.parcelRef }}.zip')]),
	],
	[
		'an archive that is called by the parcel where it is packed, and put away as it is called',
		() => {
			const parameters = { ...zip.parameters, fileName: '={{ $json.parcelRef }}.zip' };
			return told([
				event('PDFs'),
				pdfs(['Zip']),
				{ ...zip, parameters },
				step('Disk', 'awsS3', { fileName: '' }),
			]);
		},
	],
	[
		'a drive that keeps files of one name apart',
		() => told([event('PDFs'), pdfs(['Drive']), step('Drive', 'googleDrive', { name: 'Bill' })], eachPdf),
	],
	['what Compare Datasets finds the same', () => told(compare('includeBoth', [['Mail'], ['Mail'], [], []]))],
	[
		'what it finds different, as it came from here',
		() => told(compare('preferInput1', [[], ['Mail'], ['Mail'], []])),
	],
])('%s is not', (_, say) => expect(say()).toEqual([]));
