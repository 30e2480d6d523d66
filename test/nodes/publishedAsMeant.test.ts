import { refusalOf } from '../support/publishing';
import { event, mail, poll, step, type Step } from '../support/stepsBehind';

/** Workflows that are meant as they are: nobody may be kept from publishing them. */

const OURS = 'x.parcelDocumentExchange';
const papers = (onePerSet: boolean, ...to: string[]) =>
	step('PDFs', OURS, { operation: 'getAllPdfs', onePerSet }, to);
const off = (one: Step): Step => ({ ...one, disabled: true });
const words = (name: string, ...to: string[]): Step => ({ ...mail(''), name, to: [to] });
const old = (typeVersion: number, one: Step): Step => ({ ...one, typeVersion });
const gmail = (property: string, ...to: string[]) =>
	step(
		'Mail',
		'gmail',
		{
			resource: 'message',
			operation: 'send',
			options: { attachmentsUi: { attachmentsBinary: [{ property }] } },
		},
		to,
	);
const outlook = (binaryPropertyName: string, operation = 'send') =>
	step('Mail', 'microsoftOutlook', {
		...{ resource: operation === 'create' ? 'draft' : 'message', operation },
		additionalFields: { attachments: { attachments: [{ binaryPropertyName }] } },
	});
const LIST = '={{ $json.attachments }}';

it.each<[string, Step[]]>([
	['papers to a mail, and a note', [event('PDFs', 'Note'), papers(true, 'Mail'), mail(), words('Note')]],
	[
		'a note behind the papers, beside the mail',
		[event('PDFs'), papers(true, 'Mail', 'Note'), mail(), words('Note')],
	],
	[
		'a note behind the mail',
		[event('PDFs'), papers(true, 'Mail'), { ...mail(), to: [['Note']] }, words('Note')],
	],
	['Gmail with the list', [event('PDFs'), papers(true, 'Mail'), gmail(LIST)]],
	['Gmail with each PDF', [event('PDFs'), papers(false, 'Mail'), gmail('data')]],
	['Outlook with the list', [event('PDFs'), papers(true, 'Mail'), outlook(LIST)]],
	['a draft with the list', [event('PDFs'), papers(true, 'Mail'), outlook(LIST, 'create')]],
	[
		'papers to a drive, and a note behind it',
		[event('PDFs'), papers(false, 'Drive'), step('Drive', 'googleDrive', {}, ['Note']), words('Note')],
	],
	[
		'one PDF to a drive, and a note',
		[
			event('PDF'),
			step('PDF', OURS, { operation: 'getPdf' }, ['Drive', 'Note']),
			...[step('Drive', 'googleDrive'), words('Note')],
		],
	],
	[
		'papers to a drive that is switched off for now, and a note',
		[event('PDFs'), papers(false, 'Drive', 'Note'), off(step('Drive', 'googleDrive')), words('Note')],
	],
	[
		'papers to a mail that is switched off for now, and a note',
		[event('PDFs'), papers(true, 'Mail', 'Note'), off(mail()), words('Note')],
	],
	[
		'papers to a chat, and a note',
		[event('PDFs'), papers(false, 'Chat', 'Note'), step('Chat', 'telegram'), words('Note')],
	],
	['a chat of words behind papers', [event('PDFs'), papers(false, 'Chat'), step('Chat', 'slack')]],
	['papers to another workflow', [event('PDFs'), papers(true, 'Call'), step('Call', 'executeWorkflow')]],
	[
		'a table of the papers',
		[event('PDFs'), papers(false, 'Table'), step('Table', 'aggregate', {}, ['Note']), words('Note')],
	],
	[
		'a mail of the sums of the files',
		[event('PDFs'), papers(false, 'Note'), { ...words('Note'), parameters: { text: '={{ $json.sha256 }}' } }],
	],
	[
		'a mail of words once the papers are complete',
		[
			event('PDFs'),
			papers(false, 'Whole'),
			step('Whole', 'if', { conditions: { a: '={{ $json.complete }}' } }, ['Note']),
			words('Note'),
		],
	],
	[
		'papers marked in Gmail',
		[
			event('PDFs'),
			papers(true, 'Label'),
			step('Label', 'gmail', { resource: 'label', operation: 'create' }),
		],
	],
	[
		'an entry in a calendar',
		[
			event('PDFs'),
			papers(true, 'Day'),
			step('Day', 'microsoftOutlook', { resource: 'event', operation: 'create' }),
		],
	],
	['attachments that were taken out, and left an expression', [event('Mail'), mail('=')]],
	['attachments that were opened, and left empty', [event('Mail'), gmail('')]],
	[
		'mails whose attachments are read',
		[
			event('PDFs'),
			off(papers(true, 'Read')),
			step('Read', 'gmail', { operation: 'getAll', options: { dataPropertyAttachmentsPrefixName: 'a_' } }),
		],
	],
	[
		'papers that are switched off, in front of a chat with attachments of its own kind',
		[event('PDFs'), off(papers(true, 'Chat')), step('Chat', 'slack', { attachments: [{ text: 'a' }] })],
	],
	[
		'papers that are switched off, where HTTP Request gets them',
		[event('PDFs'), off(papers(true, 'Get')), step('Get', 'httpRequest', {}, ['Mail']), mail('data')],
	],
	[
		'papers that are switched off beside a step that gets them',
		[event('PDFs', 'Get'), off(papers(true, 'Mail')), step('Get', 'httpRequest', {}, ['Mail']), mail('data')],
	],
	...[1, 2].map((version): [string, Step[]] => [
		`papers behind Edit Fields as it was in version ${version}, which hands files on`,
		[
			event('PDFs'),
			papers(true, 'Set'),
			old(version, step('Set', 'set', { keepOnlySet: false }, ['Mail'])),
			mail(),
		],
	]),
	[
		'papers behind Edit Fields that takes the file along',
		[
			event('PDFs'),
			papers(false, 'Set'),
			old(
				3.4,
				step('Set', 'set', { assignments: { assignments: [{ name: 'data', type: 'binary' }] } }, ['Mail']),
			),
			mail('data'),
		],
	],
	[
		'papers behind a switch that is an expression',
		[
			event('PDFs'),
			papers(true, 'Set'),
			old(3.4, step('Set', 'set', { includeOtherFields: '={{ true }}' }, ['Mail'])),
			mail(),
		],
	],
	[
		'files split out of an item',
		[
			event('PDFs'),
			papers(true, 'Split'),
			step('Split', 'splitOut', { fieldToSplitOut: '$binary' }, ['Mail']),
			mail('data'),
		],
	],
	[
		'papers behind Sort, Filter, Switch and a wait',
		[
			event('PDFs'),
			papers(true, 'Sort'),
			step('Sort', 'sort', {}, ['Filter']),
			step('Filter', 'filter', {}, ['Switch']),
			step('Switch', 'switch', {}, ['Mail'], ['Wait']),
			step('Wait', 'wait', {}, ['Mail']),
			mail(),
		],
	],
	[
		'papers in a loop',
		[
			poll(),
			step('PDFs', 'splitInBatches', {}, ['Note'], ['Each']),
			{ ...papers(true, 'Mail'), name: 'Each' },
			{ ...mail(), to: [['PDFs']] },
			words('Note'),
		],
	],
	[
		'Code that adds fields',
		[event('Code'), step('Code', 'code', {}, ['PDFs']), papers(true, 'Mail'), mail()],
	],
	[
		'rows merged by their set',
		[
			event('PDFs', 'Rows'),
			papers(true, 'Merge'),
			step('Rows', 'googleSheets', {}, ['Merge#2']),
			step('Merge', 'merge', { mode: 'combine', combineBy: 'combineByFields' }, ['Mail']),
			mail(),
		],
	],
	[
		'a file that a form asks for in between',
		[
			event('Wait'),
			step('Wait', 'wait', { resume: 'form', formFields: { values: [{ fieldType: 'file' }] } }, ['Mail']),
			mail('Invoice'),
		],
	],
	[
		'papers that another service signs, and sends back',
		[
			event('PDFs'),
			papers(false, 'Sign'),
			step('Sign', 'httpRequest', {}, ['Wait']),
			step('Wait', 'wait', { resume: 'webhook', httpMethod: 'POST' }, ['Mail']),
			mail('data'),
		],
	],
	[
		'what all sets of a poll trigger say',
		[poll(), papers(true, 'Mail'), mail(LIST, { text: '={{ $("Event").first().json.seenBy }}' })],
	],
])('%s', (_, steps) => expect(refusalOf(steps)).toBeUndefined());

it.each([
	'={{ $json.attachments ? "Attached" : "To follow" }}',
	'={{ $json["files"] ?? "none" }}{{ $json.files || "none" }}',
	'={{ $if($json.attachments, "Attached", "To follow") }}',
	'={{ $json.attachments.isEmpty() }}',
])('where a step goes on when it fails, a mail that says %s', (text) => {
	const publish = (more: object) =>
		refusalOf([event('PDFs'), papers(true, 'Mail'), mail(LIST, { text, ...more })], [], {
			PDFs: { onError: 'continueRegularOutput' },
		});
	expect(publish({})).toBeUndefined();
	expect(publish({ text: '={{ $json.attachments?.length }}, {{ $json.parcelRef || "none" }}' })).toMatch(
		/is Continue/,
	);
});

it.each([
	{ resume: 'webhook', httpMethod: 'GET' },
	{ resume: 'form', formFields: { values: [{ fieldType: 'text' }] } },
])('papers in front of a Wait that goes on without a file are refused', (parameters) => {
	const steps = [event('PDFs'), papers(false, 'Wait'), step('Wait', 'wait', parameters, ['Mail'])];
	expect(refusalOf([...steps, mail('data')])).toMatch(/"Wait" hands no files on/);
});

it('the list of the papers is not among what a form brings', () => {
	const asks = { resume: 'form', formFields: { values: [{ fieldType: 'file' }] } };
	const steps = [event('PDFs'), papers(true, 'Wait'), step('Wait', 'wait', asks, ['Mail'])];
	expect(refusalOf([...steps, mail(LIST)])).toMatch(/"Wait" hands no files on/);
	expect(refusalOf([...steps, mail('Invoice')])).toBeUndefined();
});
