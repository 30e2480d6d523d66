import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';
import { noPapers, papersLost } from '../../nodes/ParcelDocumentExchange/parameters/noPapers';
import { unattached } from '../../nodes/ParcelDocumentExchange/parameters/unattached';
import { refuseWithoutPapers } from '../../nodes/ParcelDocumentExchange/trigger/papersOff';
import { move, startService, type Service } from '../../sandbox/service';
import { runAction } from '../support/actionNode';
import { byTrigger } from '../support/eventInFront';
import { event, mail, pdfs, step, wired, type Step } from '../support/stepsBehind';
import { triggerContext } from '../support/triggerContext';

/** Mails that attach what no step gets: n8n sends them without papers, green. */

const OURS = 'x.parcelDocumentExchange';
const ours = (operation: string, ...to: string[]) => step('Step', OURS, { operation }, to);
const told = (from: string, ...steps: Step[]) =>
	noPapers({ getNode: () => ({ name: from }) as INode, ...wired(steps) });
const through = (type: string, parameters: INodeParameters = {}) =>
	told('Event', event('Between'), step('Between', type, parameters, ['Mail']), mail());
const off = (one: Step) => ({ ...one, disabled: true });

it.each<[string, string[]]>([
	['the list of documents', told('Step', event('Step'), ours('getAll', 'Mail'), mail())],
	['a set', told('Step', event('Step'), ours('get', 'Mail'), mail())],
	[
		'a search behind a form',
		told('Step', step('Form', 'formTrigger', {}, ['Step']), ours('search', 'Mail'), mail()),
	],
	['an event, where the step between was deleted', told('Event', event('Mail'), mail())],
	[
		'the poll trigger',
		told('Event', step('Event', 'x.parcelDocumentExchangePollTrigger', {}, ['Mail']), mail()),
	],
	['an event that is written anew', through('set', { includeOtherFields: true })],
	['an If', through('if')],
	[
		'a Code step that is switched off',
		told('Event', event('C'), off(step('C', 'code', {}, ['Mail'])), mail()),
	],
	[
		'what stands in front of the papers',
		told('PDFs', event('Mail'), { ...mail(), to: [['PDFs']] }, pdfs([])),
	],
	['what stands beside them', told('PDFs', event('PDFs', 'Mail'), pdfs([]), mail())],
	['the same, as the trigger sees it', told('Event', event('PDFs', 'Mail'), pdfs([]), mail())],
	[
		'two of those, merged',
		told(
			'Event',
			event('A', 'B'),
			step('A', 'set', {}, ['M']),
			step('B', 'googleSheets', {}, ['M']),
			step('M', 'merge', {}, ['Mail']),
			mail(),
		),
	],
	[
		'a loop',
		told('Event', event('L'), step('L', 'splitInBatches', {}, [], ['Mail']), { ...mail(), to: [['L']] }),
	],
])('a mail that attaches behind %s is told', (_, sentences) => {
	expect(sentences).toEqual([
		'The mail "Mail" attaches files, and no step in front of it gets any: its mails would leave without papers. Put Document, Get All PDFs in front of it, or take the attachments out.',
	]);
});

it.each<[string, string[]]>([
	['the papers', told('PDFs', event('PDFs'), pdfs(), mail())],
	['the papers, as the trigger sees it', told('Event', event('PDFs'), pdfs(), mail())],
	[
		'papers that are switched off, which is told otherwise',
		told('Event', event('PDFs'), off(pdfs()), mail()),
	],
	[
		'papers in a loop',
		told('PDFs', event('L'), step('L', 'splitInBatches', {}, ['Mail'], ['PDFs']), pdfs(['L']), mail()),
	],
	['a step of which nobody can tell', through('httpRequest')],
	['another workflow', through('executeWorkflow')],
	['Code', through('code')],
	['a file that is made', through('convertToFile')],
	['a form with a file', told('PDFs', step('Form', 'formTrigger', {}, ['PDFs', 'Mail']), pdfs([]), mail())],
	[
		'a workflow that calls with files',
		told('Step', step('Call', 'executeWorkflowTrigger', {}, ['Step', 'Mail']), ours('get'), mail()),
	],
	['nothing, a mail of words', told('Event', event('Mail'), mail(''))],
	['nothing, a mail that is switched off', told('Event', event('Mail'), off(mail()))],
	[
		'nothing, a chat with attachments of its own kind',
		told('Event', event('Chat'), step('Chat', 'slack', { attachments: [{ text: 'a' }] })),
	],
	[
		'nothing, mails that are read',
		told(
			'Event',
			event('Read'),
			step('Read', 'gmail', { operation: 'getAll', options: { downloadAttachments: true } }),
		),
	],
])('one behind %s is not', (_, sentences) => expect(sentences).toEqual([]));

describe('a mail behind papers', () => {
	const between = (type: string, parameters: INodeParameters = {}) => [
		event('PDFs'),
		pdfs(['Between']),
		{ ...step('Between', type, parameters, ['Mail']), typeVersion: 3.4 },
		mail(),
	];
	const around = (steps: Step[]) => ({ getNode: () => ({ name: 'Event' }) as INode, ...wired(steps) });
	const list = (onePerSet: unknown, ...to: string[]) =>
		step('PDFs', OURS, { operation: 'getAllPdfs', onePerSet } as INodeParameters, to);

	it.each<[string, Step[]]>([
		['Edit Fields', between('set', { includeOtherFields: false })],
		[
			'Edit Fields that strips the files',
			between('set', { includeOtherFields: true, options: { stripBinary: true } }),
		],
		['Aggregate', between('aggregate')],
		['Split Out', between('splitOut', { fieldToSplitOut: 'files' })],
		['Date & Time', between('dateTime')],
		['a Wait that goes on by a call', between('wait', { resume: 'webhook' })],
		['a text that is read of them', between('extractFromFile', { operation: 'pdf' })],
		['Code that makes items anew', between('code', { jsCode: 'return [{ json: {} }]' })],
		[
			'Code that makes each anew',
			between('code', {
				jsCode: 'return $input.all().map((item) => ({ json: { ...item.json, a: 1 } }));',
			}),
		],
	])('that %s lets go is told', (_, steps) => {
		expect(papersLost(around(steps))).toEqual([
			expect.stringMatching(
				/^The step "Between" hands no files on, and "Mail" would send its mail without them\. /,
			),
		]);
	});

	it.each<[string, Step]>([
		['another mail', step('Between', 'emailSend', {}, ['Mail'])],
		['a look at the set', step('Between', OURS, { operation: 'get' }, ['Mail'])],
		['rows that are written', step('Between', 'googleSheets', {}, ['Mail'])],
		['a drive', step('Between', 'googleDrive', { operation: 'upload' }, ['Mail'])],
		['a chat', step('Between', 'slack', { operation: 'post' }, ['Mail'])],
		['an approval that is waited for', step('Between', 'telegram', { operation: 'sendAndWait' }, ['Mail'])],
	])('that %s lets go is told by the name of that step', (_, between) => {
		expect(noPapers(around([event('PDFs'), pdfs(['Between']), between, mail()]))).toEqual([
			'The step "Between" hands no files on, and "Mail" would send its mail without them. Lead a line of its own from "PDFs" to "Mail".',
		]);
	});

	it.each([
		['a page of HTML', 'html', { operation: 'generateHtmlTemplate' }],
		['an agent', '@n8n/n8n-nodes-langchain.agent', {}],
		['a page of Notion', 'notion', { resource: 'databasePage', operation: 'create' }],
		['a ticket', 'hubspot', { resource: 'ticket', operation: 'create' }],
		['what another service answers', 'httpRequest', {}],
	])('that %s lets go is told, with both ways out', (_, type, parameters) => {
		expect(papersLost(around(between(type, parameters)))).toEqual([
			'The step "Between" hands no files on, and "Mail" would send its mail without them. Put "Between" in front of "PDFs", or lead a line of its own from "PDFs" to "Mail".',
		]);
	});

	it('that the step behind them lets go is told by its name, not by that of a form in front', () => {
		const steps = [step('Form', 'formTrigger', {}, ['PDFs']), ...between('html', {}).slice(1)];
		expect(papersLost(around(steps), [mail()])).toEqual([expect.stringMatching(/^The step "Between" /)]);
	});

	const withFile = (type: string, parameters: INodeParameters = {}) =>
		between(type, parameters).map((one) => (one.name === 'Mail' ? mail('data') : one));

	it.each<[string, Step[]]>([
		['HTTP Request may bring a file in place of', withFile('httpRequest')],
		['a picture is made in place of', withFile('@n8n/n8n-nodes-langchain.openAi', { resource: 'image' })],
		['a store of words hands on', between('redis', { operation: 'set' })],
		['a step that publishes a message hands on', between('mqtt')],
		['a form asks for a file in place of', withFile('form')],
		[
			'Code hands on with more fields',
			between('code', { jsCode: 'items.forEach((a) => (a.json.x = { json: 1 })); return items;' }),
		],
		[
			'Code hands on with what it asked for, written as json',
			between('code', {
				jsCode: 'const ask = { json: true }; return items.map((item) => named(item, ask));',
			}),
		],
		...[
			'Object.assign({}, item, { json: { ...item.json, a: 1 } })',
			'_.merge({}, item, { json: { a: 1 } })',
			'({ ...items[i], json: { ...item.json, a: 1 } })',
			'({ ...$input.item, json: { ...item.json, a: 1 } })',
			'({ ...$("PDFs").all()[i], json: { ...item.json, a: 1 } })',
			'((item.json.meta = { json: 1 }), item)',
			'item.json.attachments ? item : { json: { a: 1 } }',
		].map((made): [string, Step[]] => [
			`Code hands on as ${made}`,
			between('code', { jsCode: `return items.map((item, i) => ${made});` }),
		]),
		[
			'Code collects, which nobody can tell',
			between('code', { jsCode: 'const all = []; all.push({ json: {} }); return all;' }),
		],
		[
			'come beside the file of a form',
			[
				step('Form', 'formTrigger', {}, ['PDFs', 'Merge']),
				pdfs(['Merge']),
				step('Merge', 'merge', { mode: 'combine', combineBy: 'combineByPosition' }, ['Mail']),
				mail(),
			],
		],
		['Edit Fields hands on', between('set', { includeOtherFields: true })],
		['a drive may give', between('googleDrive', { operation: 'download' })],
		['a folder of n8n keeps', between('readWriteFile', { operation: 'write' })],
		['a server keeps', between('ftp', { operation: 'upload' })],
		['a Wait for a time hands on', between('wait', { resume: 'timeInterval' })],
		['Aggregate hands on', between('aggregate', { options: { includeBinaries: true } })],
		['Code hands on', between('code', { jsCode: 'return $input.all();' })],
		[
			'come by another way',
			[event('PDFs'), pdfs(['Between', 'Mail']), step('Between', 'set', {}, ['Mail']), mail()],
		],
		[
			'a step that is switched off hands on',
			between('aggregate').map((one) => (one.name === 'Between' ? off(one) : one)),
		],
		[
			'nobody gets, which is told otherwise',
			[event('Between'), step('Between', 'set', {}, ['Mail']), mail()],
		],
	])('that %s is not', (_, steps) =>
		expect([
			...papersLost(around(steps)),
			...noPapers(around(steps)).filter((told) => !/attaches files/.test(told)),
		]).toEqual([]),
	);

	it.each<[string, Step[], RegExp]>([
		[
			'attaches nothing',
			[event('PDFs'), list(true, 'Mail'), mail('')],
			/^The mail "Mail" attaches nothing, and no step behind "PDFs" takes .* drag the field attachments .* use Set, Get or Document, Get Many/,
		],
		[
			'attaches nothing, where each PDF is an item',
			[event('PDFs'), list(false, 'Mail'), mail('')],
			/ write data into the attachments\. /,
		],
		[
			'attaches the list that is not there',
			[event('PDFs'), list(false, 'Mail'), mail()],
			/^The mail "Mail" attaches the field attachments, .* Switch All PDFs of a Set in One Item on in "PDFs", and drag its field attachments there\.$/,
		],
		[
			'attaches a field that is misspelled',
			[event('PDFs'), list(true, 'Mail'), mail('={{ $json.attachment }}')],
			/^The mail "Mail" attaches the field attachment, which the items of "PDFs" do not have: .* Drag the field attachments there\.$/,
		],
		[
			'attaches a field of that kind, where each PDF is an item',
			[event('PDFs'), list(false, 'Mail'), mail('={{ $json.data }}')],
			/^The mail "Mail" attaches the field data, /,
		],
		[
			'attaches it behind an If',
			[event('PDFs'), list(false, 'If'), step('If', 'if', {}, ['Mail']), mail()],
			/^The mail "Mail" attaches the field attachments/,
		],
		[
			'attaches a field of the event, which has none',
			[event('PDFs'), list(true, 'Mail'), mail('={{ $("Event").item.json.attachments }}')],
			/^The mail "Mail" attaches the field attachments, which the items of "Event" do not have: .* Drag the field attachments there\.$/,
		],
		[
			'attaches a field in brackets that is misspelled',
			[event('PDFs'), list(true, 'Mail'), mail('={{ $json["attachment"] }}')],
			/^The mail "Mail" attaches the field attachment, which the items of "PDFs"/,
		],
		[
			'attaches it behind one PDF',
			[event('PDF'), step('PDF', OURS, { operation: 'getPdf' }, ['Mail']), mail()],
			/ Write data there\.$/,
		],
	])('that %s is told', (_, steps, sentence) => {
		expect(unattached(around(steps))).toEqual([expect.stringMatching(sentence)]);
	});

	it.each<[string, Step[]]>([
		['attaches the list', [event('PDFs'), list(true, 'Mail'), mail()]],
		[
			'attaches the list where an expression says whether there is one',
			[event('PDFs'), list('={{ $json.a }}', 'Mail'), mail()],
		],
		['attaches each PDF', [event('PDFs'), list(false, 'Mail'), mail('data')]],
		[
			'is of words, beside a drive',
			[event('PDFs'), list(false, 'Drive', 'Mail'), step('Drive', 's3', { operation: 'upload' }), mail('')],
		],
		[
			'is of words, beside one that attaches',
			[event('PDFs'), list(true, 'Mail', 'Words'), mail(), { ...mail(''), name: 'Words' }],
		],
		['is switched off', [event('PDFs'), list(true, 'Mail'), off(mail(''))]],
		[
			'attaches what an expression makes',
			[event('PDFs'), list(true, 'Mail'), mail('={{ $json.a || "data_0" }}')],
		],
		['attaches a field that the items have', [event('PDFs'), list(false, 'Mail'), mail('={{ $json.name }}')]],
		[
			'attaches a field that is renamed',
			[event('PDFs'), list(true, 'R'), step('R', 'renameKeys', {}, ['Mail']), mail('={{ $json.papers }}')],
		],
		['gets the list from Code', [event('PDFs'), list(false, 'C'), step('C', 'code', {}, ['Mail']), mail()]],
		[
			'gets it from another step as well',
			[event('PDFs', 'Form'), list(false, 'Mail'), step('Form', 'httpRequest', {}, ['Mail']), mail()],
		],
	])('that %s is not', (_, steps) => expect(unattached(around(steps))).toEqual([]));
});

describe('a trigger', () => {
	const publish = (mode: string, ...steps: Step[]) => {
		const { context, logger } = triggerContext();
		Object.assign(context, { ...wired(steps), getActivationMode: () => mode, getNode: () => steps[0] });
		refuseWithoutPapers(context);
		return logger.lines.filter((line) => line.startsWith('warn'));
	};

	it('refuses to be published in front of such a mail, and says it in the log where n8n starts it', () => {
		for (const mode of ['activate', 'update'])
			expect(() => publish(mode, event('Mail'), mail())).toThrow(
				/^The mail "Mail" attaches files, and no step/,
			);
		expect(publish('init', event('Mail'), mail())).toEqual([expect.stringContaining('no step in front')]);
		const list = { ...pdfs(), parameters: { operation: 'getAllPdfs', onePerSet: true } };
		expect(publish('activate', event('PDFs'), list, mail())).toEqual([]);
		expect(() => publish('activate', event('PDFs'), list, mail(''))).toThrow(
			/^The mail "Mail" attaches nothing/,
		);
		const lost = { ...list, to: [['Fields']] };
		const fields = step('Fields', 'set', {}, ['Mail']);
		expect(() => publish('activate', event('PDFs'), lost, fields, mail())).toThrow(
			/^The step "Fields" hands no/,
		);
	});
});

/** In n8n's own engine: its contexts tell the steps around. */
describe('in n8n', () => {
	let service: Service;
	beforeAll(async () => void (service = await startService()));
	afterAll(() => service.close());

	it('a mail in front of the papers is told beside them', async () => {
		const set = service.data.sets[3]!;
		const json = byTrigger({ ...move(service.data, set.setId, 'sign', Date.now()) } as IDataObject);
		const options = { fileAttachments: 'data' };
		const asked = (type: string) =>
			runAction(
				service.baseUrl,
				{
					resource: 'document',
					operation: 'getAllPdfs',
					lookup: {},
					setId: { __rl: true, mode: 'id', value: '={{ $("Event").item.json.setId }}' },
				},
				{
					...{ typed: { type, options }, items: [{ json: { accepted: [] }, pairedItem: { item: 0 } }] },
					before: { items: [{ json }], type: 'n8n-nodes-x.parcelDocumentExchangeTrigger' },
				},
			);
		const { hints, error } = await asked('n8n-nodes-base.emailSend');
		expect(error).toBeUndefined();
		expect(hints.map(({ message }) => message)).toEqual([
			expect.stringMatching(/^The mail "Input" attaches files, and no/),
		]);
		expect((await asked('n8n-nodes-base.noOp')).hints).toEqual([]);
	});
});
