import type { INodeParameters, NodeTypeAndVersion } from 'n8n-workflow';
import { filesLost } from '../../nodes/ParcelDocumentExchange/actions/filesLost';
import { event, mail, pdfs, step as one, wired, type Step } from '../support/stepsBehind';

/** n8n's Send Email sends a mail without its attachments where the item has lost its files: green, and nobody is told. */

const step = (name: string, type: string, parameters: INodeParameters, typeVersion = 3.4) => ({
	...{ name, type: `n8n-nodes-base.${type}`, typeVersion, disabled: false, parameters },
});
const MAIL = step('Mail', 'emailSend', { options: { attachments: '={{ $json.attachments }}' } });

/** Steps in a row behind the node. */
const behind = (...steps: NodeTypeAndVersion[]) =>
	filesLost({
		getNode: () => ({ name: 'PDFs' }) as never,
		getChildNodes: () => steps,
		getParentNodes: (name) =>
			steps.slice(
				0,
				steps.findIndex((one) => one.name === name),
			),
	});

it.each<[string, NodeTypeAndVersion, RegExp]>([
	['Edit Fields', step('Edit', 'set', { options: {} }), /Include Other Input Fields/],
	[
		'Edit Fields that strips them',
		step('Edit', 'set', { includeOtherFields: true, options: { stripBinary: true } }),
		/Edit/,
	],
	['an older Edit Fields', step('Edit', 'set', { options: {} }, 3.2), /Edit/],
	['Aggregate', step('List', 'aggregate', {}, 1), /Include Binaries/],
	['Split Out', step('Split', 'splitOut', { options: {} }, 1), /Include Binary/],
	['Merge by SQL', step('Merge', 'merge', { mode: 'combineBySql' }, 3), /another mode/],
	['Date & Time', step('Date', 'dateTime', { options: {} }, 2), /Include Input Fields/],
	['the text of a PDF', step('Text', 'extractFromFile', { operation: 'pdf' }, 1), /Both for Keep Source/],
	[
		'an approval that is waited for',
		step('Ask', 'gmail', { operation: 'sendAndWait' }, 2),
		/line of its own/,
	],
	[
		'an approval in another place',
		step('Ask', 'discord', { operation: 'sendAndWait' }, 2),
		/line of its own/,
	],
	['a page of a form', step('Page', 'form', {}, 1), /line of its own/],
	['Markdown', step('Text', 'markdown', {}, 1), /line of its own/],
	['a model', { ...step('Ask', '', {}), type: '@n8n/n8n-nodes-langchain.agent' }, /line of its own/],
	...[
		'return $input.all().map((item) => ({ json: item.json }));',
		'for (const item of $input.all()) out.push({ json: { a: 1 } });\nreturn out;',
		'return [{ ...$json, a: 1 }];',
		'return { total: 1 };',
		'return items.map(i => i.json);',
	].map((jsCode): [string, NodeTypeAndVersion, RegExp] => [
		`Code: ${jsCode}`,
		step('Code', 'code', { jsCode }, 2),
		/binary: item\.binary/,
	]),
	[
		'Code in Python',
		step('Code', 'code', { pythonCode: 'return [{"json": {"a": 1}}]' }, 2),
		/binary: item\.binary/,
	],
])('%s in front of a mail with attachments is told', (_, dropping, remedy) => {
	const told = behind(dropping, MAIL);
	expect(told).toEqual([
		expect.stringContaining(`The step "${dropping.name}" hands no files on, and "Mail"`),
	]);
	expect(told[0]).toMatch(remedy);
});

it.each<[string, NodeTypeAndVersion]>([
	['an attachment by its newer name', step('Mail', 'emailSend', { options: { fileAttachments: 'data_0' } })],
	[
		'Gmail',
		step('Mail', 'gmail', { options: { attachmentsUi: { attachmentsBinary: [{ property: 'data' }] } } }),
	],
])('also to %s', (_, mail) => expect(behind(step('Edit', 'set', {}), mail)).toHaveLength(1));

it.each<[string, NodeTypeAndVersion[]]>([
	['a step that keeps them', [step('Edit', 'set', { includeOtherFields: true, options: {} }), MAIL]],
	['an older one that keeps them', [step('Edit', 'set', { options: { includeBinary: true } }, 3.2), MAIL]],
	['Aggregate that keeps them', [step('List', 'aggregate', { options: { includeBinaries: true } }, 1), MAIL]],
	['a step behind the mail', [MAIL, step('Edit', 'set', {})]],
	[
		'a mail without attachments',
		[step('Edit', 'set', {}), step('Mail', 'emailSend', { options: { attachments: '' } })],
	],
	['a step that is switched off', [{ ...step('Edit', 'set', {}), disabled: true }, MAIL]],
	['nothing behind', []],
	...[
		'for (const item of $input.all()) {\n  item.json.folder = 1;\n}\nreturn $input.all();',
		'return items.filter((i) => i.json.complete);',
		'return $input.all().map((item) => ({ ...item, json: { ...item.json, a: 1 } }));',
		'return $input.all().map((item) => ({ json: item.json, binary: item.binary }));',
		'$input.item.json.a = 1;\nreturn $input.item;',
	].map((jsCode): [string, NodeTypeAndVersion[]] => [
		`Code: ${jsCode}`,
		[step('Code', 'code', { jsCode }, 2), MAIL],
	]),
	['a step that gets files', [step('Get', 'googleDrive', { operation: 'download' }), MAIL]],
	['another workflow', [step('Sub', 'executeWorkflow', {}), MAIL]],
	['a step of somebody else', [{ ...step('Odd', '', {}), type: 'n8n-nodes-other.odd' }, MAIL]],
])('%s is not', (_, steps) => expect(behind(...steps)).toEqual([]));

describe('by another way', () => {
	const lost = (...steps: Step[]) =>
		filesLost({ getNode: () => ({ name: 'PDFs' }) as never, ...wired(steps) });
	const OURS = 'x.parcelDocumentExchange';
	const chat = (...to: string[]) => one('Chat', 'slack', { operation: 'post' }, to);
	const merge = (parameters: INodeParameters) => one('Merge', 'merge', parameters, ['Mail']);
	const beside = (parameters: INodeParameters, inputs = ['Merge', 'Merge#2']) =>
		lost(event('PDFs'), pdfs(['Chat', inputs[0]!]), chat(inputs[1]!), merge(parameters), mail());

	it.each<[string, () => string[]]>([
		[
			'a look at the set, in front of the papers in a loop',
			() =>
				lost(
					event('Loop'),
					one('Loop', 'splitInBatches', {}, [], ['Get']),
					one('Get', OURS, { operation: 'get' }, ['PDFs']),
					pdfs(),
					{ ...mail(), to: [['Loop']] },
				),
		],
		[
			'what stands in front of papers that are fetched anew',
			() =>
				lost(
					event('PDFs'),
					pdfs(['Drive']),
					one('Drive', 'nextCloud', { operation: 'upload' }, ['Again']),
					one('Again', OURS, { operation: 'getAllPdfs' }, ['Mail']),
					mail(),
				),
		],
		['a chat that Merge joins with the papers', () => beside({ mode: 'combine', combineBy: 'combineAll' })],
		['a chat that Merge waits for', () => beside({ mode: 'chooseBranch' })],
		[
			'the same at the other input',
			() => beside({ mode: 'chooseBranch', useDataOfInput: 2 }, ['Merge#2', 'Merge']),
		],
	])('%s is not told', (_, say) => expect(say()).toEqual([]));

	it.each<[string, () => string[]]>([
		['that Merge hands on beside the papers', () => beside({ mode: 'append' })],
		['that Merge hands on alone', () => beside({ mode: 'chooseBranch', useDataOfInput: 2 })],
		['that finds no papers', () => beside({ mode: 'combine', joinMode: 'keepEverything' })],
		['to which alone Merge adds', () => beside({ mode: 'combine', joinMode: 'enrichInput2' })],
		[
			'in the loop',
			() =>
				lost(event('PDFs'), pdfs(['Loop']), one('Loop', 'splitInBatches', {}, [], ['Chat']), chat('Mail'), {
					...mail(),
					to: [['Loop']],
				}),
		],
		[
			'in front of papers that are switched off',
			() =>
				lost(
					...[event('PDFs'), pdfs(['Chat']), chat('Again')],
					{ ...one('Again', OURS, { operation: 'getAllPdfs' }, ['Mail']), disabled: true },
					mail(),
				),
		],
	])('a chat %s is', (_, say) =>
		expect(say()).toEqual([expect.stringMatching(/^The step "Chat" hands no files on/)]),
	);
});
