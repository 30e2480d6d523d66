import type { INode, INodeParameters } from 'n8n-workflow';
import { mailsBehind } from '../../nodes/ParcelDocumentExchange/actions/mailsBehind';
import { event, mail, ofPdf, ofSet, pdfs, poll, pollTo, step, told } from '../support/stepsBehind';

/** Mails of n8n that would leave without papers, or with those of another parcel, green: whoever builds them is told. */

const IF = (...to: string[][]) => step('If', 'if', {}, ...to);
const asks = (leftValue: string, operation = 'equals') => ({
	conditions: { conditions: [{ leftValue, operator: { type: 'string', operation } }] },
});
const drive = (more: INodeParameters = {}, type = 'googleDrive') =>
	step('Drive', type, { name: '={{ $json.fileName }}', ...more });
/** A folder by the first item of a step in front that gave several sets. */
const taken = (type: string) => {
	const between = step('Between', type, {}, ['PDFs']);
	const folder = { folderId: '={{ $("Between").first().json.folder }}' };
	const given = [{ ...between, setIds: new Set(['a', 'b']), items: [] }];
	return told([event('Between'), between, pdfs(['Drive']), drive(folder)], { ...several, given });
};
const addresses = (type = 'set') => step('Addresses', type, {}, ['Merge#2']);
const merge = (parameters: INodeParameters) => step('Merge', 'merge', parameters, ['Mail']);
const withMerge = (parameters: INodeParameters, type?: string) =>
	told([event('PDFs', 'Addresses'), pdfs(['Merge']), addresses(type), merge(parameters), mail()]);
const batch = (...to: string[]) => ({ ...event(...to), parameters: { options: { batchSize: 5 } } });
/** A Merge between what gave the sets and the step that gives their papers. */
const inFront = (how: INodeParameters = { combineBy: 'combineByPosition' }) =>
	step('Merge', 'merge', { mode: 'combine', ...how }, ['PDFs']);
const byVessel = { mode: 'combine', combineBy: 'combineByFields', fieldsToMatchString: 'vesselName' };
/** Rows that are read whatever comes. */
const ofVessels = (to: string[]) => [
	step('Start', 'manualTrigger', {}, ['Rows']),
	step('Rows', 'dataTable', { operation: 'get' }, to),
];
const loop = (done: string[], one: string[], batchSize?: number) =>
	step('Loop', 'splitInBatches', batchSize === undefined ? {} : { batchSize }, done, one);
const fromFirst = { subject: '={{ $("PDFs").first().json.parcelRef }}' };
const several = { items: [ofSet('a'), ofSet('b', 3)] };
/** Steps that send files by a chat, or to another service. */
const MESSAGES: [string, INodeParameters][] = [
	['telegram', { operation: 'sendDocument', binaryData: true }],
	['slack', { resource: 'file', operation: 'upload' }],
	['discord', { files: { values: [{ inputFieldName: 'data' }] } }],
	['whatsApp', { messageType: 'document', mediaPath: 'useMedian8n' }],
	['matrix', { resource: 'media' }],
	['ciscoWebex', { additionalFields: { fileUi: { fileValues: { fileLocation: 'binaryData' } } } }],
	['microsoftOutlook', { resource: 'messageAttachment', operation: 'add' }],
	['httpRequest', { sendBody: true, contentType: 'binaryData' }],
];
const message = (type: string, parameters: INodeParameters) => step('Mail', type, parameters);

const back = (one: ReturnType<typeof step>) => ({ ...one, to: [['Loop']] });
/** A step in a loop, in front of the papers. */
const inLoop = (one: ReturnType<typeof step>, first = pollTo('Loop')) => [
	...[first, loop([], [one.name], 10), one, pdfs(), back(mail())],
];
const switchOf = (fallbackOutput: string, ...to: string[][]) =>
	step('S', 'switch', { rules: { values: [{}, {}] }, options: { fallbackOutput } }, ...to);

it.each<[string, () => string[]]>([
	['an If', () => told(inLoop(step('S', 'if', {}, ['PDFs'], ['No'])))],
	['a Switch', () => told(inLoop(switchOf('1', ['PDFs'])))],
	[
		'a Switch that gives nothing where no rule matches',
		() => told(inLoop(switchOf('none', ['PDFs'], ['Loop']))),
	],
	[
		'a Switch that gives the rest elsewhere',
		() => told(inLoop(switchOf('extra', ['PDFs'], ['Loop'], ['No']))),
	],
	[
		'an If behind another, which leads the rest back',
		() =>
			told([
				...[pollTo('Loop'), loop([], ['First'], 10), step('First', 'if', {}, ['S'], ['Loop'])],
				...[step('S', 'if', {}, ['PDFs'], ['No']), pdfs(), back(mail())],
			]),
	],
	['a Filter', () => told(inLoop(step('S', 'filter', {}, ['PDFs'])))],
	[
		'a table',
		() =>
			told(
				inLoop(step('S', 'dataTable', { operation: 'get', filters: '={{ $json.customerId }}' }, ['PDFs'])),
			),
	],
	['a search', () => told(inLoop(step('S', 'x.parcelDocumentExchange', { operation: 'search' }, ['PDFs'])))],
	[
		'a Filter behind the papers',
		() => told([poll(), pdfs(['Loop']), loop([], ['S']), step('S', 'filter', {}, ['Mail']), back(mail())]),
	],
	[
		'an If behind the papers of a search',
		() => {
			const search = step('Search', 'x.parcelDocumentExchange', { operation: 'search', limit: 1 }, ['PDFs']);
			return told(
				[search, pdfs(['Loop']), loop([], ['S']), step('S', 'if', {}, ['Mail']), back(mail())],
				several,
			);
		},
	],
])('%s that may end a loop is told', (_, say) =>
	expect(say()).toContainEqual(expect.stringMatching(/^Where "S" gives no item .* the loop ends/)),
);

it('papers of chosen types that may end a loop are told', () => {
	const ofTypes = { ...pdfs(), parameters: { operation: 'getAllPdfs', documentTypes: ['Bill of lading'] } };
	expect(told([pollTo('Loop'), loop([], ['PDFs']), ofTypes, back(mail())])[0]).toMatch(
		/^Where "PDFs" gives no item/,
	);
});

it.each<[string, () => string[]]>([
	['an If, both outputs of which lead back', () => told(inLoop(step('S', 'if', {}, ['PDFs'], ['Loop'])))],
	['a Switch, all outputs of which do', () => told(inLoop(switchOf('1', ['PDFs'], ['Loop'])))],
	['a Switch that leads the rest back', () => told(inLoop(switchOf('extra', ['PDFs'], ['PDFs'], ['Loop'])))],
	[
		'one past which a line leads back',
		() =>
			told([
				pollTo('Loop'),
				loop([], ['S', 'Wait']),
				step('S', 'filter', {}, ['PDFs']),
				pdfs(),
				mail(),
				back(step('Wait', 'wait')),
			]),
	],
	['a Filter of one event', () => told(inLoop(step('S', 'filter', {}, ['PDFs']), event('Loop')))],
	['a Filter that is off', () => told(inLoop({ ...step('S', 'filter', {}, ['PDFs']), disabled: true }))],
	[
		'a Filter in front of the loop',
		() => told([pollTo('S'), step('S', 'filter', {}, ['Loop']), loop([], ['PDFs']), pdfs(), back(mail())]),
	],
])('of what stands in a loop, %s is not told to end it', (_, say) =>
	expect(say().filter((one) => one.includes('the loop ends'))).toEqual([]),
);

it.each<[string, () => string[], RegExp]>([
	[
		'the list of files, where each PDF is an item',
		() => told([event('PDFs'), pdfs(), mail()], { items: [ofPdf] }),
		/"Mail" attaches the field attachments, which these items do not have.*All PDFs of a Set in One Item/,
	],
	[
		'the same of one PDF',
		() =>
			told([event('PDFs'), { ...pdfs(), parameters: { operation: 'getPdf' } }, mail()], { items: [ofPdf] }),
		/Attach data there/,
	],
	[
		'names of files that were typed',
		() => told([event('PDFs'), pdfs(), mail('data_0')]),
		/"Mail" attaches data_0, as typed/,
	],
	[
		'the same behind a filter',
		() => told([event('PDFs'), pdfs(['If']), IF(['Mail']), mail('data_0, data_1')]),
		/data_0, data_1, as typed/,
	],
	[
		'Gmail, typed',
		() =>
			told([
				event('PDFs'),
				pdfs(),
				step('Mail', 'gmail', {
					options: { attachmentsUi: { attachmentsBinary: [{ property: 'data_0' }] } },
				}),
			]),
		/as typed/,
	],
	[
		'attachments of the first',
		() => told([event('PDFs'), pdfs(), mail('={{ $("PDFs").first().json.attachments }}')], several),
		/from one item of "PDFs"/,
	],
	[
		'the same between a search and the papers',
		() => {
			const search = step('Search', 'x.parcelDocumentExchange', { operation: 'search' }, ['Loop']);
			const given = [{ ...search, setIds: new Set(['a', 'b']), items: [] }];
			return told([search, loop([], ['PDFs']), pdfs(), mail()], { given });
		},
		/^Nothing leads back to the loop "Loop"/,
	],
	...['Edit', 'PDFs'].map((name): [string, () => string[], RegExp] => [
		`Execute Once of ${name} behind a search`,
		() => {
			const search = step('Search', 'x.parcelDocumentExchange', { operation: 'search' }, ['Edit']);
			const given = [{ ...search, setIds: new Set(['a', 'b']), items: [] }];
			return told([search, step('Edit', 'set', {}, ['PDFs']), pdfs(), mail()], { given, once: [name] });
		},
		/^Execute Once is on in the settings of/,
	]),
	[
		'the same with rounds of two',
		() => {
			const search = step('Search', 'x.parcelDocumentExchange', { operation: 'search' }, ['Loop']);
			const given = [{ ...search, setIds: new Set(['a', 'b']), items: [] }];
			return told([search, loop([], ['PDFs'], 2), pdfs(), mail()], { given });
		},
		/^Nothing leads back to the loop "Loop", which then gives the first 2 items alone/,
	],
	[
		'rounds of two behind the papers',
		() => told([poll(), pdfs(['Loop']), loop([], ['Mail'], 2), mail()]),
		/^Nothing leads back to the loop "Loop", which then gives the first 2 items alone/,
	],
	[
		'a loop to which nothing leads back',
		() => told([poll(), pdfs(['Loop']), loop([], ['Mail']), mail()]),
		/^Nothing leads back to the loop "Loop".*the papers of the others would go to nobody/,
	],
	[
		'what the first says, with the poll trigger',
		() => told([poll(), pdfs(), mail(undefined, { toEmail: "={{ $('Event').first().json.mail }}" })]),
		/from one item of "Event"/,
	],
	[
		'what one says by its number',
		() => told([poll(), pdfs(), mail(undefined, { subject: '={{ $items("Event")[0].json.status }}' })]),
		/from one item of "Event"/,
	],
	[
		'a folder of the first',
		() =>
			told([
				poll(),
				pdfs(['Drive', 'Mail']),
				step('Drive', 'googleDrive', { name: '={{ $("Event").all()[0].json.parcelReference }}' }),
				mail(),
			]),
		/^The step "Drive" takes/,
	],
	[
		'Merge by position',
		() =>
			told([
				poll(),
				pdfs(['Merge']),
				step('Merge', 'merge', { mode: 'combine', combineBy: 'combineByPosition' }, ['Mail']),
				mail(),
			]),
		/"Merge" does not look whether/,
	],
	[
		'Merge by the vessel with rows that are looked up for each',
		() =>
			told([
				...[batch('PDFs', 'Addresses'), pdfs(['Merge']), addresses('dataTable')],
				...[merge(byVessel), mail()],
			]),
		/"Merge" does not look whether/,
	],
	[
		'Merge by position with rows of a table, in front',
		() => told([batch('Merge', 'Addresses'), addresses('dataTable'), inFront(), pdfs(), mail()]),
		/"Merge" does not look whether its items belong together.*"Mail" may send/,
	],
	[
		'the same of a search by the clock, and a drive',
		() =>
			told(
				[
					step('Clock', 'scheduleTrigger', {}, ['Search', 'Addresses']),
					step('Search', 'x.parcelDocumentExchange', { operation: 'search', resource: 'set' }, ['Merge']),
					...[addresses('googleSheets'), inFront(), pdfs(['Drive']), drive()],
				],
				several,
			),
		/"Merge" does not look whether its items belong together.*"Drive" may file/,
	],
	[
		'Merge of all with all',
		() =>
			told(
				[
					event('PDFs'),
					pdfs(['Merge']),
					step('Merge', 'merge', { mode: 'combine', combineBy: 'combineAll' }, ['Mail']),
					mail(),
				],
				several,
			),
		/"Merge" does not look whether/,
	],
	[
		'an older Merge',
		() =>
			told(
				[
					event('PDFs'),
					pdfs(['Merge']),
					step('Merge', 'merge', { mode: 'combine', combinationMode: 'mergeByPosition' }, ['Mail']),
					mail(),
				],
				several,
			),
		/"Merge" does not look/,
	],
	[
		'Aggregate over several',
		() =>
			told([
				poll(),
				pdfs(['All']),
				step('All', 'aggregate', { options: { includeBinaries: true } }, ['Mail']),
				mail(),
			]),
		/"All" puts the files of all items into one/,
	],
	[
		'a run that goes on',
		() => told([event('PDFs'), pdfs(), mail()], { own: { onError: 'continueRegularOutput' } }),
		/On Error of this step is Continue/,
	],
	[
		'the error output',
		() =>
			told([event('PDFs'), pdfs(['Mail'], ['Mail']), mail()], { own: { onError: 'continueErrorOutput' } }),
		/The error output of this step leads to "Mail"/,
	],
	[
		'the error output, with a step between',
		() =>
			told([event('PDFs'), pdfs(['Mail'], ['Note']), step('Note', 'set', {}, ['Mail']), mail()], {
				own: { onError: 'continueErrorOutput' },
			}),
		/The error output of this step leads/,
	],
	[
		'an item of nothing',
		() => told([event('PDFs'), pdfs(), mail()], { own: { alwaysOutputData: true } }),
		/Always Output Data is on/,
	],
	[
		'a line past the step',
		() => told([event('If'), IF(['PDFs'], ['Mail']), pdfs(), mail()]),
		/"If" leads to "Mail" past this step/,
	],
	...(
		[
			['$("Event").first().json.parcelReference'],
			['$("Event").all()[0].json.parcelReference'],
			['$("PDFs").all().at(0).json.vesselName'],
			['$("Event").all().pop().json.parcelReference'],
			['$("Event").itemMatching(0).json.parcelReference'],
			['$node["Event"].json.parcelReference'],
			['$items("Event")[0].json.parcelReference'],
		] as const
	).flatMap(([code]): [string, () => string[], RegExp][] =>
		['mail', 'drive'].map((where) => [
			`a ${where} that goes by ${code}`,
			() =>
				where === 'mail'
					? told([poll(), pdfs(), mail(undefined, { subject: `={{ ${code} }}` })])
					: told([poll(), pdfs(['Drive']), drive({ folderId: `={{ ${code} }}` })], { items: [ofPdf] }),
			/takes what it says from one item of "(Event|PDFs)" for all others/,
		]),
	),
	[
		'a folder by the first of a list that was taken apart',
		() => taken('splitOut'),
		/"Drive" takes what it says from one item of "Between"/,
	],
	[
		'a folder by the first that comes',
		() => told([poll(), pdfs(['Drive']), drive({ folderId: '={{ $input.first().json.vesselName }}' })]),
		/"Drive" takes what it says from the first item that comes/,
	],
	[
		'a field that is written by the first that comes',
		() =>
			told([
				poll(),
				pdfs(['Edit']),
				step('Edit', 'set', { includeOtherFields: true, a: '={{ $input.all()[0].json.vesselName }}' }, [
					'Drive',
				]),
				drive(),
			]),
		/"Edit" takes what it says from the first item that comes/,
	],
	...['s3', 'ssh'].map((type): [string, () => string[], RegExp] => [
		`folders that are merged by position, by ${type}`,
		() =>
			told([
				poll(),
				pdfs(['Merge']),
				step('Merge', 'merge', { mode: 'combine', combineBy: 'combineByPosition' }, ['Drive']),
				drive({}, type),
			]),
		/"Drive" may file the papers of one as those of another/,
	]),
	...(
		[
			['Append', {}],
			['Append, chosen', { mode: 'append' }],
			['the other branch', { mode: 'chooseBranch', useDataOfInput: '2' }],
			['the other branch, as Merge 2 writes it', { mode: 'chooseBranch', output: 'input2' }],
			['Keep Everything', { mode: 'combine', fieldsToMatchString: 'setId', joinMode: 'keepEverything' }],
			['Keep Non-Matches', { mode: 'combine', fieldsToMatchString: 'setId', joinMode: 'keepNonMatches' }],
			['Enrich Input 2', { mode: 'combine', fieldsToMatchString: 'setId', joinMode: 'enrichInput2' }],
			['data of input 2 alone', { mode: 'combine', fieldsToMatchString: 'setId', outputDataFrom: 'input2' }],
		] as const
	).flatMap(([name, parameters]): [string, () => string[], RegExp][] =>
		['set', 'googleSheets'].map((type) => [
			`Merge by ${name}, with ${type}`,
			() => withMerge(parameters, type),
			/^"Merge" hands on what "Addresses" gives as it is: for that, "Mail" would send a mail without papers/,
		]),
	),
	[
		'a set that comes to the mail past this step, looked up',
		() =>
			told([
				event('Get'),
				step('Get', 'x.parcelDocumentExchange', { operation: 'get' }, ['PDFs', 'Mail']),
				pdfs(),
				mail(),
			]),
		/"Get" leads to "Mail" past this step/,
	],
	[
		'failures, where an If asks something else',
		() =>
			told(
				[event('PDFs'), pdfs(['If']), { ...IF(['Mail']), parameters: asks('={{ $json.status }}') }, mail()],
				{
					own: { onError: 'continueRegularOutput' },
				},
			),
		/^On Error of this step is Continue/,
	],
	[
		'the first of a loop, behind it',
		() => told([pollTo('Loop'), loop(['Mail'], ['PDFs']), pdfs(['Loop']), mail(undefined, fromFirst)]),
		/from one item of "PDFs"/,
	],
	[
		'the first of a loop of several',
		() =>
			told([
				pollTo('Loop'),
				loop([], ['PDFs'], 2),
				pdfs(),
				{ ...mail(undefined, fromFirst), to: [['Loop']] },
			]),
		/from one item of "PDFs"/,
	],
	[
		'the first of all, within a loop of one',
		() =>
			told([
				pollTo('Loop'),
				loop([], ['PDFs']),
				pdfs(),
				{ ...mail(undefined, { subject: '={{ $("Event").first().json.status }}' }), to: [['Loop']] },
			]),
		/from one item of "Event"/,
	],
	[
		'Merge by position behind a loop of one',
		() =>
			told([
				...[pollTo('Loop'), loop(['PDFs'], ['No']), step('No', 'noOp', {}, ['Loop']), pdfs(['Merge'])],
				step('Merge', 'merge', { mode: 'combine', combineBy: 'combineByPosition' }, ['Mail']),
				mail(),
			]),
		/does not look whether its items belong together/,
	],
	...MESSAGES.flatMap(([name, parameters]): [string, () => string[], RegExp][] => [
		[
			`${name} to whom the first event names`,
			() =>
				told([poll(), pdfs(), message(name, { ...parameters, to: '={{ $("Event").first().json.chat }}' })]),
			/^The step "Mail" takes what it says from one item of "Event"/,
		],
		[
			`${name} behind Merge by position`,
			() =>
				told([
					poll(),
					pdfs(['Merge']),
					merge({ mode: 'combine', combineBy: 'combineByPosition' }),
					message(name, parameters),
				]),
			/^The step "Merge" does not look .*"Mail" may send the papers of one/,
		],
		[
			`${name} behind Limit`,
			() => told([poll(), pdfs(['Limit']), step('Limit', 'limit', {}, ['Mail']), message(name, parameters)]),
			/^The step "Limit" lets no more items through than 1/,
		],
	]),
	...(
		[
			['the first alone', 'const one = $input.first(); return [{ json: one.json, binary: one.binary }]'],
			['the file of the first', 'return items.map((item) => ({ json: item.json, binary: items[0].binary }))'],
			['the file of one by its number', 'return [{ json: {}, binary: $input.all()[1].binary }]'],
			['the first, in Python', 'one = _input.first()\nreturn [{"json": {}, "binary": one.binary}]'],
		] as const
	).map(([name, jsCode]): [string, () => string[], RegExp] => [
		`Code that gives ${name}`,
		() => told([poll(), pdfs(['Code']), step('Code', 'code', { jsCode }, ['Mail']), mail()], several),
		/^The step "Code" takes what it says from the first item.*or to nobody.*Run Once for Each Item/,
	]),
	[
		'Code that writes what the first event says',
		() =>
			told(
				[
					poll(),
					pdfs(['Code']),
					step(
						'Code',
						'code',
						{ jsCode: 'for (const i of items) i.json.to = $("Event").first().json.to; return items' },
						['Mail'],
					),
					mail(),
				],
				several,
			),
		/^The step "Code" takes what it says from one item of "Event"/,
	],
])('%s is told', (_, say, words) => {
	const sentences = say();
	expect(sentences).toEqual([expect.stringMatching(words)]);
});

it.each<[string, () => string[]]>([
	[
		'a table that is read once, and merged with a search',
		() => {
			const search = step('Search', 'x.parcelDocumentExchange', { operation: 'search' }, [
				'Table',
				'Merge#2',
			]);
			const given = [{ ...search, setIds: new Set(['a', 'b']), items: [] }];
			const merge = inFront({ combineBy: 'combineByFields', fieldsToMatchString: 'customerId' });
			const steps = [search, step('Table', 'dataTable', {}, ['Merge']), merge, pdfs(), mail()];
			return told(steps, { given, once: ['Table'] });
		},
	],
	[
		'a loop to which nothing leads back, of as many as a search gives',
		() => {
			const found = { operation: 'search', limit: 2 };
			const search = step('Search', 'x.parcelDocumentExchange', found, ['Loop']);
			const given = [{ ...search, setIds: new Set(['a', 'b']), items: [] }];
			return told([search, loop([], ['PDFs'], 2), pdfs(), mail()], { given });
		},
	],
	['what is dragged', () => told([event('PDFs'), pdfs(), mail()], several)],
	['each PDF by its field', () => told([event('PDFs'), pdfs(), mail('data')], { items: [ofPdf] })],
	[
		'a list that a step between makes',
		() =>
			told([event('PDFs'), pdfs(['Code']), step('Code', 'code', {}, ['Mail']), mail()], { items: [ofPdf] }),
	],
	[
		'a file that a step between makes',
		() => told([event('PDFs'), pdfs(['Zip']), step('Zip', 'compression', {}, ['Mail']), mail('data_0')]),
	],
	[
		'the first of one',
		() => told([event('PDFs'), pdfs(), mail('={{ $("PDFs").first().json.attachments }}')]),
	],
	[
		'the first of a run for each set',
		() =>
			told([
				poll({ runs: 'oneForEachSet' }),
				pdfs(),
				mail(undefined, { subject: '={{ $("Event").first().json.status }}' }),
			]),
	],
	[
		'the first of a step that gives one for all',
		() => told([poll(), pdfs(), mail(undefined, { toEmail: '={{ $("Fill in").first().json.to }}' })]),
	],
	[
		'what belongs to each',
		() => told([poll(), pdfs(), mail(undefined, { subject: '={{ $("Event").item.json.status }}' })]),
	],
	[
		'Merge by fields',
		() =>
			told([
				poll(),
				pdfs(['Merge']),
				step('Merge', 'merge', { mode: 'combine', fieldsToMatchString: 'setId' }, ['Mail']),
				mail(),
			]),
	],
	[
		'Merge by position in front, of one',
		() => told([event('Merge', 'Addresses'), addresses('dataTable'), inFront(), pdfs(), mail()]),
	],
	[
		'Merge by fields in front',
		() =>
			told([
				...[batch('Merge', 'Addresses'), addresses('dataTable')],
				inFront({ combineBy: 'combineByFields', fieldsToMatchString: 'customerId' }),
				...[pdfs(), mail()],
			]),
	],
	[
		'Merge in front by what the rows of a table are known by',
		() =>
			told([
				...[batch('Merge', 'Addresses'), addresses('dataTable')],
				inFront({ combineBy: 'combineByFields', fieldsToMatchString: 'vesselName' }),
				...[pdfs(), mail()],
			]),
	],
	[
		'Merge behind by what the rows of a table are known by',
		() =>
			told([...[batch('PDFs'), pdfs(['Merge']), ...ofVessels(['Merge#2'])], ...[merge(byVessel), mail()]]),
	],
	[
		'Merge behind by that, with one of each',
		() =>
			told([
				...[batch('PDFs', 'Once'), pdfs(['Merge'])],
				step('Once', 'removeDuplicates', { compare: 'selectedFields', fieldsToCompare: 'vesselName' }, [
					'Merge#2',
				]),
				...[merge(byVessel), mail()],
			]),
	],
	[
		'Merge by position in front, switched off',
		() =>
			told([
				batch('Merge', 'Addresses'),
				addresses('dataTable'),
				{ ...inFront(), disabled: true },
				pdfs(),
				mail(),
			]),
	],
	[
		'Merge by position in front, in a loop of one',
		() =>
			told([
				batch('Loop'),
				loop([], ['Merge', 'Addresses']),
				addresses('dataTable'),
				inFront(),
				pdfs(),
				{ ...mail(), to: [['Loop']] },
			]),
	],
	[
		'Merge by position of one',
		() =>
			told([
				event('PDFs'),
				pdfs(['Merge']),
				step('Merge', 'merge', { mode: 'combine', combineBy: 'combineByPosition' }, ['Mail']),
				mail(),
			]),
	],
	[
		'Merge by position in a loop of one',
		() =>
			told([
				step('Event', 'x.parcelDocumentExchangePollTrigger', {}, ['Loop']),
				step('Loop', 'splitInBatches', {}, [], ['PDFs']),
				pdfs(['Merge']),
				step('Merge', 'merge', { combineBy: 'combineByPosition' }, ['Mail']),
				{ ...mail(), to: [['Loop']] },
			]),
	],
	[
		'failures that an If looks for',
		() =>
			told(
				[event('PDFs'), pdfs(['If']), { ...IF(['Mail']), parameters: asks('={{ $json.error }}') }, mail()],
				{
					own: { onError: 'continueRegularOutput' },
				},
			),
	],
	[
		'failures that an If finds by a field that they have not',
		() =>
			told(
				[
					event('PDFs'),
					pdfs(['If']),
					{ ...IF(['Mail']), parameters: asks('={{ $json.parcelRef }}', 'exists') },
					mail(),
				],
				{ own: { onError: 'continueRegularOutput', alwaysOutputData: true } },
			),
	],
	[
		'the first, in a loop of one',
		() =>
			told([
				pollTo('Loop'),
				loop([], ['PDFs']),
				pdfs(),
				{ ...mail(undefined, { ...fromFirst, text: '={{ $input.first().json.status }}' }), to: [['Loop']] },
			]),
	],
	[
		'the first of a step in the loop, and of what comes in one behind',
		() => [
			...told([
				pollTo('Loop'),
				loop([], ['Get']),
				step('Get', 'x.parcelDocumentExchange', { operation: 'get' }, ['PDFs']),
				pdfs(),
				{ ...mail(undefined, { text: '={{ $("Get").first().json.parcelRef }}' }), to: [['Loop']] },
			]),
			...told(
				[
					poll(),
					pdfs(['Loop']),
					loop([], ['Mail']),
					{ ...mail(undefined, { text: '={{ $input.first().json.parcelRef }}' }), to: [['Loop']] },
				],
				several,
			),
		],
	],
	[
		'the first, in a loop of one, where the mail leads nowhere',
		() => told([pollTo('Loop'), loop([], ['PDFs']), pdfs(['Mail', 'Loop']), mail(undefined, fromFirst)]),
	],
	[
		'Merge of matches',
		() => withMerge({ mode: 'combine', fieldsToMatchString: 'setId', joinMode: 'keepMatches' }),
	],
	[
		'Merge that adds to the files',
		() => withMerge({ mode: 'combine', fieldsToMatchString: 'setId', joinMode: 'enrichInput1' }),
	],
	['Merge that waits for the other branch', () => withMerge({ mode: 'chooseBranch' })],
	['Merge of what may have files', () => withMerge({ mode: 'append' }, 'readWriteFile')],
	['a folder by what Edit Fields gives for all', () => taken('set')],
	['a drive that goes by what comes', () => told([poll(), pdfs(['Drive']), drive()], { items: [ofPdf] })],
	[
		'a drive that is read, or switched off',
		() =>
			['download', 'upload'].flatMap((operation) =>
				told([
					poll(),
					pdfs(['Drive']),
					{
						...drive({ operation, folderId: '={{ $input.first().json.vesselName }}' }),
						disabled: operation === 'upload',
					},
				]),
			),
	],
	[
		'an error output that leads elsewhere',
		() =>
			told([event('PDFs'), pdfs(['Mail'], ['Alarm']), mail(), step('Alarm', 'emailSend', {})], {
				own: { onError: 'continueErrorOutput' },
			}),
	],
	[
		'two steps of files before one mail',
		() =>
			told([
				event('PDFs', 'More'),
				pdfs(),
				step('More', 'x.parcelDocumentExchange', { operation: 'getPdf' }, ['Mail']),
				mail(),
			]),
	],
	[
		'a mail without attachments',
		() => told([event('If'), IF(['PDFs'], ['Mail']), pdfs(['Mail', 'Drive']), mail(''), drive()], several),
	],
	['a mail that is switched off', () => told([event('PDFs'), pdfs(), { ...mail('data_0'), disabled: true }])],
	...MESSAGES.map(([name, parameters]): [string, () => string[]] => [
		`${name} to whom each event names`,
		() => told([poll(), pdfs(), message(name, { ...parameters, to: '={{ $json.chat }}' })]),
	]),
	[
		'a message of words by the first event',
		() => told([poll(), pdfs(), message('slack', { text: '={{ $("Event").first().json.status }}' })]),
	],
	...(
		[
			[
				'goes through all',
				{ jsCode: 'for (const item of items) item.json.to = item.json.mail; return items' },
			],
			['asks whether any came', { jsCode: 'if (!items[0]) return []; return items' }],
			['runs for each', { mode: 'runOnceForEachItem', jsCode: 'return { json: $json, binary: $binary }' }],
		] as const
	).map(([name, parameters]): [string, () => string[]] => [
		`Code that ${name}`,
		() => told([poll(), pdfs(['Code']), step('Code', 'code', { ...parameters }, ['Mail']), mail()], several),
	]),
	[
		'Code that gives the first, with one set in a run',
		() =>
			told([
				event('PDFs'),
				pdfs(['Code']),
				step('Code', 'code', { jsCode: 'return [$input.first()]' }, ['Mail']),
				mail(),
			]),
	],
])('%s is not', (_, say) => expect(say()).toEqual([]));

it('says nothing of the error output where n8n does not tell which output leads where', () => {
	const sentences = mailsBehind(
		{
			getNode: () => ({ name: 'PDFs', parameters: {}, onError: 'continueErrorOutput' }) as INode,
			getChildNodes: () => [mail()],
			getParentNodes: () => [],
		},
		[ofSet()],
	);
	expect(sentences).toEqual([]);
});
