import type { IDataObject, IExecuteFunctions, INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { refuseLost } from '../../nodes/ParcelDocumentExchange/actions/wouldBeLost';
import { startService, type Service } from '../../sandbox/service';
import { runAction } from '../support/actionNode';
import { mail, ofSet, pdfs, step, wired, type Step } from '../support/stepsBehind';

/** Runs that no trigger of ours started, and whose papers the steps behind would lose for certain: nothing is handed on. */

const LIST = '={{ $json.attachments }}';

describe('in n8n', () => {
	let service: Service;
	beforeAll(async () => void (service = await startService()));
	afterAll(() => service.close());

	interface Behind {
		/** The step behind the papers. */
		after?: [type: string, parameters: Record<string, string>];
		/** One behind that. */
		then?: [type: string, parameters: INodeParameters];
		own?: IDataObject;
		mode?: 'manual' | 'trigger';
		/** What kind of step stands in front. */
		type?: string;
	}
	const set = () => service.data.sets.find(({ documents }) => documents.length === 3)!;
	const run = async ({
		after = ['test.after', {}],
		then,
		own = {},
		mode = 'trigger',
		type = 'test.input',
	}: Behind) => {
		const { setId, parcelRef } = set();
		const { error, items } = await runAction(
			service.baseUrl,
			{
				...{ resource: 'document', operation: 'getAllPdfs', onePerSet: true, lookup: {}, ...own },
				setId: { __rl: true, mode: 'id', value: '={{ $json.setId }}' },
			},
			{
				...{ mode, typed: { type }, items: [{ json: { setId, parcelRef } }] },
				...{ afterType: after[0], after: after[1] },
				...(then && { behind: [{ name: 'Then', type: then[0], parameters: then[1] }] }),
			},
		);
		return error ? `${error.message} | ${error.description}` : items.length;
	};
	const MAIL = 'n8n-nodes-base.emailSend';
	const mailThen: Behind['then'] = [MAIL, { fileAttachments: LIST }];

	it.each<[string, Behind, RegExp]>([
		[
			'Aggregate lets go',
			{ after: ['n8n-nodes-base.aggregate', {}], then: mailThen },
			/The step "After" hands no files on, and "Then" would send/,
		],
		[
			'a chat lets go',
			{ after: ['n8n-nodes-base.slack', { operation: 'post' }], then: mailThen },
			/"Then" attaches files, and no step in front of it gets any/,
		],
		[
			'a Wait for a call lets go',
			{ after: ['n8n-nodes-base.wait', { resume: 'webhook' }], then: mailThen },
			/Put it in front of/,
		],
		['a mail does not attach', { after: [MAIL, { subject: 'a' }] }, /"After" attaches nothing/],
		[
			'a mail attaches by a wrong name',
			{ after: [MAIL, { fileAttachments: '={{ $json.papers }}' }] },
			/attaches the field papers/,
		],
	])('papers that %s are refused, but while a person builds', async (_, behind, sentence) => {
		const told = await run(behind);
		expect(told).toMatch(
			/^The papers came, and a mail behind would leave without them \| Nothing was handed on\. /,
		);
		expect(told).toMatch(sentence);
		expect(await run({ ...behind, mode: 'manual' })).toBe(1);
		// Whoever published it was told.
		expect(await run({ ...behind, type: 'x.parcelDocumentExchangeTrigger' })).toBe(1);
	});

	it.each<[string, Behind]>([
		['attaches them', { after: [MAIL, { fileAttachments: LIST }] }],
		[
			'attaches them behind a Wait',
			{ after: ['n8n-nodes-base.wait', { resume: 'timeInterval' }], then: mailThen },
		],
		['may get them from Code', { after: ['n8n-nodes-base.code', { jsCode: 'return []' }], then: mailThen }],
	])('a mail that %s is sent', async (_, behind) => expect(await run(behind)).toBe(1));

	const written = (fileName: string, then?: Behind['then']): Behind => ({
		after: ['n8n-nodes-base.readWriteFile', { operation: 'write', fileName }],
		own: { onePerSet: false },
		...(then && { then }),
	});

	it.each([
		'=/files/{{ $json.parcelRef }}.pdf',
		'=/files/{{ $("Input").item.json.parcelRef }}/papers.pdf',
		'/files/papers.pdf',
		"=/files/{{ $json['status'] }}.pdf",
	])('papers of a set that all go to %s are refused', async (fileName) => {
		const told = await run({ ...written(fileName), type: 'x.parcelDocumentExchangeTrigger' });
		expect(told).toMatch(
			/^The papers came, and one file would replace another \| .* Drag the field fileName into/,
		);
		expect(await run({ ...written(fileName), mode: 'manual' })).toBe(3);
	});

	it.each([
		'=/files/{{ $json.fileName }}',
		'=/files/{{ $json.parcelRef }} {{ $json.documentId }}.pdf',
		'=/files/{{ $json.parcelRef }} {{ $itemIndex }}.pdf',
		'=/files/{{ $binary.data.fileName }}',
	])('those that go to %s are written', async (fileName) => expect(await run(written(fileName))).toBe(3));

	it('those of which an If chooses some, or that are added to a file, are written', async () => {
		const one = '=/files/{{ $json.parcelRef }}.pdf';
		const drive: Behind['then'] = ['n8n-nodes-base.readWriteFile', { operation: 'write', fileName: one }];
		const own = { onePerSet: false };
		expect(await run({ after: ['n8n-nodes-base.if', {}], then: drive, own })).toBe(3);
		expect(await run({ after: ['n8n-nodes-base.set', {}], then: drive, own })).toBe(3);
		expect(
			await run({ after: ['n8n-nodes-base.googleDrive', { operation: 'upload', name: one }], own }),
		).toBe(3);
		expect(await run({ ...written(one), own: { onePerSet: true } })).toBe(1);
		expect(await run({ after: ['n8n-nodes-base.noOp', {}], then: drive, own })).toMatch(
			/^The papers came, and one file/,
		);
	});
});

const paper = (id: string): INodeExecutionData => ({
	json: { setId: 'a', parcelRef: 'P', vesselName: 'V', fileName: `${id}.pdf`, docType: 'Invoice' },
	binary: { data: { mimeType: '', data: '' } },
});
const refusal = (steps: Step[], items: INodeExecutionData[]) => {
	const getNode = () => steps.find(({ name }) => name === 'PDFs')!;
	const context = { ...wired(steps), getNode, getMode: () => 'trigger' } as unknown as IExecuteFunctions;
	try {
		refuseLost(context, items);
		return undefined;
	} catch (error) {
		return (error as { remedy?: string }).remedy;
	}
};
const toDrive = (type: string, parameters: INodeParameters, between: INodeParameters = {}) =>
	refusal(
		[
			step('Form', 'formTrigger', {}, ['PDFs']),
			pdfs(['Pause']),
			step('Pause', 'wait', between, ['Drive']),
			step('Drive', type, parameters),
		],
		[paper('1'), paper('2')],
	);

it.each<[string, string, INodeParameters]>([
	['by the field of the step', 'readWriteFile', { fileName: '=/f/{{ $("PDFs").item.json.fileName }}' }],
	['by the field of one between', 'readWriteFile', { fileName: "=/f/{{ $('Pause').item.json.fileName }}" }],
	['by the place of an item', 'readWriteFile', { fileName: '=/f/{{ $node["PDFs"].json.fileName }}' }],
	['by the name of the file', 's3', { operation: 'upload', fileName: '' }],
	['by that of OneDrive', 'microsoftOneDrive', { operation: 'upload', fileName: '' }],
	[
		'into a folder, which is made',
		'nextCloud',
		{ resource: 'folder', operation: 'create', path: '=/{{ $json.vesselName }}' },
	],
	[
		'into a folder, which is shared',
		'nextCloud',
		{ resource: 'file', operation: 'share', path: '=/{{ $json.vesselName }}' },
	],
	['as words', 's3', { operation: 'upload', binaryData: false, fileName: '={{ $json.parcelRef }}.txt' }],
])('papers that are filed %s go on', (_, type, parameters) => {
	expect(toDrive(type, parameters)).toBeUndefined();
});

it.each<[string, string, INodeParameters]>([
	['the same field of the step', 'readWriteFile', { fileName: '=/f/{{ $("PDFs").item.json.docType }}' }],
	['the first alone', 'readWriteFile', { fileName: '=/f/{{ $("PDFs").first().json.fileName }}' }],
	['the first that comes', 'readWriteFile', { fileName: '=/f/{{ $input.first().json.fileName }}' }],
	['the last', 'readWriteFile', { fileName: '=/f/{{ $("PDFs").last().json.fileName }}' }],
	['the form', 'readWriteFile', { fileName: '=/f/{{ $("Form").item.json.fileName }}' }],
	['no name on S3', 'awsS3', { operation: 'upload', fileName: '' }],
	['the parcel', 'dropbox', { resource: 'file', operation: 'upload', path: '=/{{ $json.parcelRef }}.pdf' }],
])('papers that are filed by %s are refused', (_, type, parameters) => {
	expect(toDrive(type, parameters)).toMatch(
		/^Nothing was handed on\. .*gives several PDFs of a set one name/,
	);
});

it('papers that go back to whoever called the workflow go on, with a notice beside them', () => {
	const notice = { ...mail(''), name: 'Notice' };
	const end = step('End', 'noOp');
	const called = (type: string, parameters: INodeParameters, ...rest: Step[]) =>
		refusal([step('Call', type, parameters, ['PDFs']), ...rest], [ofSet()]);
	const beside = [pdfs(['Notice', 'End']), notice, end];
	const answer = { responseMode: 'lastNode', responseData: 'firstEntryBinary' };
	expect(called('executeWorkflowTrigger', {}, ...beside)).toBeUndefined();
	expect(called('webhook', answer, ...beside)).toBeUndefined();
	expect(called('webhook', { responseMode: 'onReceived' }, ...beside)).toMatch(/"Notice" attaches nothing/);
	expect(called('executeWorkflowTrigger', {}, pdfs(['Notice']), notice)).toMatch(/attaches nothing/);
	expect(called('executeWorkflowTrigger', {}, pdfs(['Notice']), { ...notice, to: [['End']] }, end)).toMatch(
		/attaches nothing/,
	);
});
