import type { IDataObject } from 'n8n-workflow';
import { refuseMixedUp } from '../../nodes/ParcelDocumentExchange/actions/mixedUp';
import { comesOnlyFrom } from '../../nodes/ParcelDocumentExchange/parameters/ways';
import { startService, type Service } from '../../sandbox/service';
import { runAction } from '../support/actionNode';
import { refusalOf } from '../support/publishing';
import { event, mail, poll, pollTo, step, told, wired, type Step } from '../support/stepsBehind';

/** Mails behind several sets: those of which it is certain that they mix them up, and those that are meant. */

const OURS = 'x.parcelDocumentExchange';
const LIST = '={{ $json.attachments }}';
const papers = (to: string[], more: IDataObject = {}) =>
	step('PDFs', OURS, { operation: 'getAllPdfs', onePerSet: true, ...(more as object) }, to);
const uploads = (path: string) => step('Drive', 'ftp', { operation: 'upload', path });
/** Edit Fields that writes one field, and hands the others on. */
const writes = (name: string, value: string, ...to: string[]) =>
	step('Name', 'set', { includeOtherFields: true, assignments: { assignments: [{ name, value }] } }, to);
const drive = (folderId: string) => step('Drive', 'googleDrive', { operation: 'upload', folderId });
const batch = (...to: string[]): Step => ({ ...event(...to), parameters: { options: { batchSize: 5 } } });
const says = (subject: string) => mail(LIST, { subject });
const set = (...to: string[]): Step => ({
	...step('Set', 'set', { includeOtherFields: true }, to),
	typeVersion: 3.4,
});
const merge = (how: string, ...to: string[]) =>
	step('Merge', 'merge', { mode: 'combine', combineBy: how }, to);
const FIRST = '={{ $("Event").first().json.parcelReference }}';
const gmail = (sendTo: string) =>
	step('Mail', 'gmail', {
		operation: 'send',
		sendTo,
		options: { attachmentsUi: { a: [{ property: LIST }] } },
	});

const aggregate = step('Table', 'aggregate', { options: { includeBinaries: true } }, ['Mail']);

const likeFirst = {
	conditions: {
		conditions: [
			{
				leftValue: '={{ $json.vesselName }}',
				rightValue: '={{ $("PDFs").first().json.vesselName }}',
				operator: { type: 'string', operation: 'equals' },
			},
		],
	},
};
const once = (fieldsToCompare: string) =>
	step('Once', 'removeDuplicates', { compare: 'selectedFields', fieldsToCompare }, ['Merge#2']);
const matching = (fieldsToMatchString: string) =>
	step('Merge', 'merge', { mode: 'combine', combineBy: 'combineByFields', fieldsToMatchString }, ['Mail']);
const FIRST_OF_LIST =
	'const [event] = $("Event").all();\nreturn items.map((item) => ({ ...item, json: { ...item.json, to: event.json.customerId } }));';
/** As a model writes it: each list has a name. */
const NAMED_LISTS = [
	[
		'of another step',
		'const all = $("Event").all();',
		'{ ...item.json, to: all[0].json.customerId }',
		'item.binary',
	],
	[
		'in a name of its own',
		'const all = $("Event").all();\nconst first = all[0].json;',
		'{ ...item.json, to: first.customerId }',
		'item.binary',
	],
	[
		'taken apart',
		'const all = $("Event").all();\nconst [one] = all;',
		'{ ...item.json, to: one.json.customerId }',
		'item.binary',
	],
	[
		'of what comes',
		'const all = $input.all();',
		'{ ...item.json, to: all[0].json.parcelRef }',
		'item.binary',
	],
	['its files', 'const all = $input.all();', 'item.json', 'all[0].binary'],
].map(([how = '', first = '', json = '', binary = '']): [string, string] => [
	how,
	`${first}\nreturn $input.all().map((item) => ({ json: ${json}, binary: ${binary} }));`,
]);
const FILES_OF_PDFS = 'return items.map((item) => ({ json: item.json, binary: $("PDFs").first().binary }));';
const matchingFirst = (fieldsToMatchString: string) => {
	const { to, ...merge } = matching(fieldsToMatchString);
	return { ...merge, to, parameters: { ...merge.parameters, options: { multipleMatches: 'first' } } };
};
const VESSEL = '={{ $json.vesselName }}';
/** Fields that have two names. */
const matchingAs = (field1: string, field2: string) => {
	const { to, ...merge } = matchingFirst('');
	const mergeByFields = { values: [{ field1, field2 }] };
	return { ...merge, to, parameters: { ...merge.parameters, advanced: true, mergeByFields } };
};
/** What is asked by the vessel, and what is said behind it. */
const askedAndSaid = (to: string) => [
	step('Ask', 'httpRequest', { url: VESSEL }, ['Said']),
	step('Said', 'set', { assignments: { assignments: [{ name: 'to', value: to }] } }, ['Merge#2']),
];
/** Something that is told, or answered, of each event. */
const ask = (type: string, of = '={{ $json.customerId }}') => step('Ask', type, { text: of }, ['Merge#2']);

const MIXES =
	/^The step "Mail" takes what it says from one item of "(Event|PDFs|Search|Set data)" for all others/;
const PLACED = /^The step "Mail" takes what it says from the item of "Event" at the same place/;
const ONE_OF_STEP = /^The step "Mail" takes what it says from one item of "(Set|F)" for all others/;
const FIRST_OF_ALL = /^The step "Mail" takes what it says from the first item/;
const ONCE = /^Execute Once is on in the settings of "Mail"/;
const MERGES = /^The step "Merge" does not look whether its items belong together/;

it.each<[string, Step[], RegExp, string[]?]>([
	['the subject of the first event', [batch('PDFs'), papers(['Mail']), says(FIRST)], MIXES],
	['the same behind the poll trigger, as it comes', [poll(), papers(['Mail']), says(FIRST)], MIXES],
	[
		'the address of the first',
		[batch('PDFs'), papers(['Mail']), gmail('={{ $("Event").first().json.customerId }}@a.example')],
		MIXES,
	],
	...['$("Event").first()', '$("Event").all()[0]'].map((one): [string, Step[], RegExp] => [
		`papers that are filed in the folder of one: ${one}`,
		[batch('PDFs'), papers(['Drive']), drive(`={{ ${one}.json.parcelReference }}`)],
		/^The step "Drive" takes what it says from one item of "Event" for all others/,
	]),
	[
		'papers that are filed in a folder of all',
		[
			batch('PDFs'),
			papers(['Drive']),
			drive('={{ $("Event").all().map((one) => one.json.parcelReference).join() }}'),
		],
		/^The step "Drive" takes where it goes from all items of "Event"/,
	],
	[
		'a folder of one of them in the path of a file',
		[batch('PDFs'), papers(['Drive']), uploads(`${FIRST}/{{ $json.fileName }}`)],
		/^The step "Drive" takes what it says from one item of "Event"/,
	],
	...[
		'={{ "/a/" + $("Event").first().json.parcelReference + "/" + $json.fileName }}',
		'={{ `/a/${$("Event").first().json.parcelReference}/${$json.fileName}` }}',
		'={{ ["a", $("Event").first().json.parcelReference, $json.fileName].join("/") }}',
	].map((path): [string, Step[], RegExp] => [
		`the same in one expression: ${path}`,
		[batch('PDFs'), papers(['Drive']), uploads(path)],
		/^The step "Drive" takes what it says from one item of "Event"/,
	]),
	[
		'a folder of one of them where the server takes the folder alone',
		[
			...[batch('PDFs'), papers(['Drive'])],
			step('Drive', 'ssh', { resource: 'file', operation: 'upload', path: FIRST }),
		],
		/^The step "Drive" takes what it says from one item of "Event"/,
	],
	...[uploads('=/{{ $json.folder }}/{{ $json.fileName }}'), drive('={{ $json.folder }}')].map(
		(last): [string, Step[], RegExp] => [
			`a folder of one of them that is written behind the papers, for ${last.type}`,
			[batch('PDFs'), papers(['Name']), writes('folder', FIRST, 'Drive'), last],
			/^The step "Name" takes what it says from one item of "Event"/,
		],
	),
	[
		'a path that is written there',
		[
			...[batch('PDFs'), papers(['Name']), uploads('={{ $json.path }}')],
			writes('path', `${FIRST}/{{ $json.fileName }}`, 'Drive'),
		],
		/^The step "Name" takes what it says from one item of "Event"/,
	],
	...[
		uploads('=/{{ $("Name").item.json.folder }}/{{ $json.fileName }}'),
		drive('={{ $("Name").item.json.folder }}'),
	].map((last): [string, Step[], RegExp] => [
		`a folder of one of them that is written in front of the papers, for ${last.type}`,
		[batch('Name'), writes('folder', FIRST, 'PDFs'), papers(['Drive']), last],
		/^The step "Name" takes what it says from one item of "Event"/,
	]),
	['the last', [batch('PDFs'), papers(['Mail']), says('={{ $("Event").last().json.setId }}')], MIXES],
	[
		'one by its number',
		[batch('PDFs'), papers(['Mail']), says('={{ $("Event").all()[0].json["parcelReference"] }}')],
		MIXES,
	],
	[
		'one by its number, as older workflows say it',
		[batch('PDFs'), papers(['Mail']), says('={{ $items("Event", 0, 0)[0].json.parcelReference }}')],
		MIXES,
	],
	[
		'one by its number, in other words',
		[batch('PDFs'), papers(['Mail']), says('={{ $("Event").all().at(0).json.actor }}')],
		MIXES,
	],
	[
		'the first of what comes',
		[batch('PDFs'), papers(['Mail']), says('={{ $input.first().json.parcelRef }}')],
		FIRST_OF_ALL,
	],
	[
		'attachments of the first',
		[batch('PDFs'), papers(['Mail']), mail('={{ $("PDFs").first().json.attachments }}')],
		MIXES,
	],
	[
		'the same behind an If',
		[batch('PDFs'), papers(['If']), step('If', 'if', {}, ['Mail']), says(FIRST)],
		MIXES,
	],
	['the same behind Edit Fields', [batch('PDFs'), papers(['Set']), set('Mail'), says(FIRST)], MIXES],
	[
		'the first of a search',
		[
			pollTo('Search'),
			step('Search', OURS, { operation: 'search', resource: 'set' }, ['PDFs']),
			papers(['Mail']),
			says('={{ $("Search").first().json.vesselName }}'),
		],
		MIXES,
	],
	[
		'the first set that was looked up',
		[
			batch('Set data'),
			step('Set data', OURS, { operation: 'get', resource: 'set' }, ['PDFs']),
			papers(['Mail']),
			says('={{ $("Set data").first().json.parcelRef }}'),
		],
		MIXES,
	],
	[
		'each PDF, with the subject of the first',
		[batch('PDFs'), papers(['Mail'], { onePerSet: false }), mail('data', { subject: FIRST })],
		MIXES,
	],
	[
		'a chat of the first',
		[
			batch('PDFs'),
			papers(['Mail'], { onePerSet: false }),
			step('Mail', 'telegram', { binaryData: true, chatId: FIRST }),
		],
		MIXES,
	],
	[
		'a customer of several',
		[
			{ ...batch('PDFs'), parameters: { options: { batchSize: 5, customerIds: ['a', 'b'] } } },
			papers(['Mail']),
			says('={{ $("Event").first().json.customerId }}'),
		],
		MIXES,
	],
	[
		'whoever the first is of',
		[
			batch('PDFs'),
			papers(['Switch']),
			step('Switch', 'switch', { rules: { a: '={{ $("Event").first().json.customerId }}' } }, ['Mail']),
			mail(),
		],
		/^The step "Switch" takes what it says from one item of "Event"/,
	],
	[
		'the first of a Merge with other rows',
		[
			batch('PDFs', 'Rows'),
			papers(['Merge']),
			step('Rows', 'googleSheets', {}, ['Merge#2']),
			merge('combineByFields', 'Mail'),
			says(FIRST),
		],
		MIXES,
	],
	[
		'the first behind Code that hands each on',
		[
			batch('PDFs'),
			papers(['C']),
			step('C', 'code', { jsCode: 'return $input.all();' }, ['Mail']),
			says(FIRST),
		],
		MIXES,
	],
	...[
		'const e = $("Event").first().json;\nreturn items.map((i) => { i.json.to = e.customerId; return i; });',
		'const { customerId } = $("Event").first().json;\nreturn items.map((i) => ({ ...i, json: { ...i.json, customerId } }));',
		'const to = $("Event").all().map((i) => i.json.customerId).pop();\nreturn items.map((i) => ({ ...i, json: { to } }));',
		'const event = $("Event").first().json;\nconst row = $("Rows").all().find((r) => r.json.id === event.customerId);\nreturn items.map((i) => ({ ...i, json: { to: row.json.email } }));',
		'const one = $("Event").first();\nitems[1].json.to = one.json.customerId;\nreturn items;',
		'const addressOf = ({ customerId }) => customerId;\nconst to = addressOf($("Event").first().json);\nreturn items.map((i) => ({ ...i, json: { to } }));',
		'const event = () => $("Event").first().json;\nreturn items.map((i) => ({ ...i, json: { to: event().customerId } }));',
		'const e = $("Event").first().json;\nconst out = items.map((i) => ({ ...i, json: { ...i.json, ...e } }));\nreturn out;',
	].map((jsCode): [string, Step[], RegExp] => [
		`what Code took of the first: ${jsCode.slice(0, 20)}`,
		[batch('PDFs'), papers(['C']), step('C', 'code', { jsCode }, ['Mail']), mail()],
		/^The step "C" takes what it says from one item of "Event"/,
	]),
	[
		'all files, with what the first says, by Code',
		[
			batch('PDFs'),
			papers(['C']),
			step('C', 'code', { jsCode: 'return [{ json: $input.first().json, binary: all }];' }, ['Mail']),
			mail(),
		],
		/^The step "C" takes what it says from the first item that comes .* Run Once for Each Item/,
	],
	...[
		'return items.map((item) => ({ json: item.json, binary: $input.first().binary }));',
		'const first = $input.first();\nreturn items.map((item) => ({ json: item.json, binary: first.binary }));',
		'return items.map((item) => ({ ...items[0], json: item.json }));',
		'return items.map((item) => Object.assign({}, items[0], { json: item.json }));',
		'return items.map((item) => ({ json: item.json, binary: { data: $input.first().binary.data } }));',
	].map((jsCode): [string, Step[], RegExp] => [
		`the files of the first by Code: ${jsCode.slice(0, 70)}`,
		[batch('PDFs'), papers(['C']), step('C', 'code', { jsCode }, ['Mail']), mail()],
		/^The step "C" takes what it says from the first item that comes .* Run Once for Each Item/,
	]),
	[
		'the files of the first by Code, by the name of the step',
		[batch('PDFs'), papers(['C']), step('C', 'code', { jsCode: FILES_OF_PDFS }, ['Mail']), mail()],
		/^The step "C" takes what it says from one item of "PDFs"/,
	],
	...(['agent', 'httpRequest', 'html'] as const).flatMap((type): [string, Step[], RegExp][] => [
		[
			`all papers with all that came of ${type}`,
			[batch('PDFs', 'Ask'), papers(['Merge']), ask(type), merge('combineAll', 'Mail'), mail()],
			MERGES,
		],
		[
			`each PDF with what came of ${type}, by position`,
			[
				batch('PDFs', 'Ask'),
				papers(['Merge'], { onePerSet: false }),
				...[ask(type), merge('combineByPosition', 'Mail'), mail('data')],
			],
			MERGES,
		],
	]),
	[
		'all files to whom the first is of',
		[batch('PDFs'), papers(['Table']), aggregate, gmail(FIRST)],
		/^The step "Table" puts the files of all items into one: .*"Mail" sends the papers of several parcels together/,
	],
	[
		'all files to whom the first is of, by Code',
		[batch('PDFs'), papers(['C']), step('C', 'code', {}, ['Mail']), gmail(FIRST)],
		MIXES,
	],
	[
		'all that the first event says',
		[
			batch('PDFs'),
			papers(['Set']),
			{ ...set('Mail'), parameters: { includeOtherFields: true, a: '={{ $("Event").first().json }}' } },
			mail(),
		],
		/^The step "Set" takes what it says from one item of "Event"/,
	],
	[
		'the first of a loop of ten',
		[
			batch('Loop'),
			step('Loop', 'splitInBatches', { batchSize: 10 }, [], ['PDFs']),
			papers(['Mail']),
			{ ...says('={{ $("Loop").first().json.parcelReference }}'), to: [['Loop']] },
		],
		/from one item of "Loop"/,
	],
	[
		'the first of a loop, once it is done',
		[
			batch('Loop'),
			step('Loop', 'splitInBatches', {}, ['Mail'], ['PDFs']),
			papers(['Loop']),
			says('={{ $("Loop").first().json.parcelReference }}'),
		],
		/from one item of "Loop"/,
	],
	[
		'all papers with all sets that were looked up beside them',
		[
			batch('PDFs', 'Get'),
			papers(['Merge']),
			step('Get', OURS, { resource: 'set', operation: 'get', setId: '={{ $json.setId }}' }, ['Merge#2']),
			merge('combineAll', 'Mail'),
			mail(),
		],
		MERGES,
	],
	[
		'what Edit Fields took of the first',
		[
			batch('PDFs'),
			papers(['Set']),
			{ ...set('Mail'), parameters: { includeOtherFields: true, a: FIRST } },
			mail(),
		],
		/^The step "Set" takes what it says from one item of "Event"/,
	],
	[
		'Execute Once between',
		[batch('PDFs'), papers(['Set']), set('Mail'), mail()],
		/^Execute Once is on in the settings of "Set"/,
		['Set'],
	],
	[
		'a mail of another service, with the subject of the first',
		[
			batch('PDFs'),
			papers(['Mail']),
			step('Mail', 'mandrill', {
				subject: FIRST,
				options: { attachmentsUi: { attachmentsBinary: [{ property: LIST }] } },
			}),
		],
		MIXES,
	],
	[
		'the first of all, in a loop of one',
		[
			batch('Loop'),
			step('Loop', 'splitInBatches', {}, [], ['PDFs']),
			papers(['Mail']),
			{ ...says(FIRST), to: [['Loop']] },
		],
		MIXES,
	],
	...[1, 10].map((batchSize): [string, Step[], RegExp] => [
		`the first of all, in a loop of ${batchSize} between`,
		[
			batch('PDFs'),
			papers(['Loop']),
			step('Loop', 'splitInBatches', { batchSize }, [], ['Mail']),
			{ ...says(FIRST), to: [['Loop']] },
		],
		MIXES,
	]),
	[
		'the first of what comes, in a loop of ten between',
		[
			batch('PDFs'),
			papers(['Loop']),
			step('Loop', 'splitInBatches', { batchSize: 10 }, [], ['Mail']),
			{ ...says('={{ $input.first().json.parcelRef }}'), to: [['Loop']] },
		],
		FIRST_OF_ALL,
	],
	[
		'the first that a Filter let through',
		[
			batch('F'),
			step('F', 'filter', {}, ['PDFs']),
			papers(['Mail']),
			says('={{ $("F").first().json.parcelReference }}'),
		],
		ONE_OF_STEP,
	],
	...[
		{ assignments: [{ name: 'to', value: '={{ $json.customerId }}@a.example' }] },
		{ includeOtherFields: true },
	].map((parameters, index): [string, Step[], RegExp] => [
		`the first of Edit Fields in front, ${index}`,
		[
			batch('Set'),
			{ ...set('PDFs'), parameters },
			papers(['Mail']),
			says(`={{ $("Set").first().json.${['to', 'actor'][index]} }}`),
		],
		ONE_OF_STEP,
	]),
	[
		'the first of Edit Fields behind',
		[
			batch('PDFs'),
			papers(['Set']),
			{
				...set('Mail'),
				parameters: { includeOtherFields: true, a: [{ name: 'to', value: '={{ $json.parcelRef }}' }] },
			},
			says('={{ $("Set").first().json.to }}'),
		],
		ONE_OF_STEP,
	],
	['Execute Once', [batch('PDFs'), papers(['Mail']), mail()], ONCE, ['Mail']],
	[
		'a loop to which nothing leads back',
		[batch('PDFs'), papers(['Loop']), step('Loop', 'splitInBatches', {}, [], ['Mail']), mail()],
		/^Nothing leads back to the loop "Loop"/,
	],
	[
		'one whose rounds are smaller than what comes',
		[batch('PDFs'), papers(['Loop']), step('Loop', 'splitInBatches', { batchSize: 2 }, [], ['Mail']), mail()],
		/^Nothing leads back to the loop "Loop", which then gives the first 2 items alone/,
	],
	[
		'Execute Once behind the poll trigger and a Filter',
		[poll(), papers(['F']), step('F', 'filter', {}, ['Mail']), mail()],
		ONCE,
		['Mail'],
	],
	[
		'all events with all papers',
		[batch('PDFs', 'Merge#2'), papers(['Merge']), merge('combineAll', 'Mail'), mail()],
		MERGES,
	],
	...['$("Event").all()[$itemIndex]', '$items("Event")[$itemIndex]', '$node["Event"]'].flatMap(
		(of): [string, Step[], RegExp][] => [
			[
				`each PDF by its place: ${of}`,
				[
					batch('PDFs'),
					papers(['Mail'], { onePerSet: false }),
					mail('data', { to: `={{ ${of}.json.customerId }}` }),
				],
				PLACED,
			],
			[
				`papers by their place, put in order: ${of}`,
				[
					batch('Sort'),
					step('Sort', 'sort', {}, ['PDFs']),
					papers(['Mail']),
					says(`={{ ${of}.json.customerId }}`),
				],
				PLACED,
			],
			[
				`papers by their place, where a Filter leaves some out: ${of}`,
				[
					batch('F'),
					step('F', 'filter', {}, ['PDFs']),
					papers(['Mail']),
					says(`={{ ${of}.json.customerId }}`),
				],
				PLACED,
			],
		],
	),
	[
		'papers with all events of their status',
		[batch('PDFs', 'Merge#2'), papers(['Merge']), matching('status'), mail()],
		MERGES,
	],
	[
		'papers with all events of their vessel',
		[batch('PDFs', 'Merge#2'), papers(['Merge']), matching('vesselName, status'), mail()],
		MERGES,
	],
	[
		'papers with the events of their status, once for each vessel',
		[batch('PDFs', 'Once'), papers(['Merge']), once('vesselName'), matching('status'), mail()],
		MERGES,
	],
	...(['httpRequest', 'set'] as const).flatMap((type): [string, Step[], RegExp][] => [
		[
			`papers with the first of what goes by more than the vessel, by ${type}`,
			[
				batch('PDFs', 'Ask'),
				papers(['Merge']),
				ask(type, '={{ $json.vesselName + $json.setId }}'),
				matchingFirst('vesselName'),
				mail(),
			],
			MERGES,
		],
		[
			`papers with each of what goes by the vessel, by ${type}`,
			[batch('PDFs', 'Ask'), papers(['Merge']), ask(type, VESSEL), matching('vesselName'), mail()],
			MERGES,
		],
	]),
	[
		'papers with what is asked by the vessel, together with what a set says of itself',
		[
			batch('PDFs', 'Ask'),
			papers(['Merge']),
			...askedAndSaid('={{ $("Event").item.json.parcelReference }}'),
			matchingFirst('vesselName'),
			mail(),
		],
		MERGES,
	],
	[
		'papers with what a set says of itself, by the vessel under another name',
		[
			batch('PDFs', 'Ask'),
			papers(['Merge']),
			ask('httpRequest', '={{ $json.setId }}'),
			matchingAs('vesselName', 'vessel'),
			mail(),
		],
		MERGES,
	],
	[
		'the first event, as Code takes it apart',
		[
			batch('PDFs'),
			papers(['C']),
			step('C', 'code', { jsCode: FIRST_OF_LIST }, ['Mail']),
			says('={{ $json.to }}'),
		],
		/^The step "C" takes what it says from one item of "Event"/,
	],
	...NAMED_LISTS.map(([how, jsCode]): [string, Step[], RegExp] => [
		`the first of a list that Code gave a name, ${how}`,
		[batch('PDFs'), papers(['C']), step('C', 'code', { jsCode }, ['Mail']), says('={{ $json.to }}')],
		/^The step "C" takes what it says from (one item of "Event"|the first item that comes)/,
	]),
	...['$json', '$("Event").item.json', '$node["Event"].json', '$input.item.json'].map(
		(one): [string, Step[], RegExp] => [
			`what is of the first where Code runs once for all: ${one}`,
			[
				batch('PDFs'),
				papers(['C']),
				step(
					'C',
					'code',
					{
						mode: 'runOnceForAllItems',
						jsCode: `return items.map((item) => ({ json: { ...item.json, to: ${one}.customerId }, binary: item.binary }));`,
					},
					['Mail'],
				),
				says('={{ $json.to }}'),
			],
			/^The step "C" takes what it says from (one item of "Event"|the first item that comes)/,
		],
	),
	...[
		'{{ $input.all().map((item) => item.json.email).join(",") }}',
		'{{ $("Event").all().map((one) => one.json.customerId).join(",") }}',
		'{{ $("Event").all().map((one) => one.json.customerId)[0] }}',
		'{{ $("Event").all().filter((one) => one.json.status === "ISSUED")[0].json.customerId }}',
		'{{ $items("Event").map((one) => one.json.customerId) }}',
	].map((address): [string, Step[], RegExp] => [
		`the addresses of all: ${address}`,
		[batch('PDFs'), papers(['Mail']), mail('={{ $json.attachments }}', { toEmail: `=${address}` })],
		/^The step "Mail" takes where it goes from all items (that come|of "Event"): .* too\. (Drag|Write)/,
	]),
	[
		'the papers of all with the rows that were read for all of them',
		[
			batch('PDFs'),
			papers(['Rows', 'Merge']),
			step('Rows', 'googleSheets', { operation: 'read', filter: '={{ $json.customerId }}' }, ['Merge#2']),
			merge('combineAll', 'Mail'),
			mail(),
		],
		MERGES,
	],
	...[['PDFs', 'Rows'], ['Rows']].map((to): [string, Step[], RegExp] => [
		`the addresses of all rows that were read for each, ${to.length > 1 ? 'beside' : 'in front of'} the papers`,
		[
			batch(...to),
			step('Rows', 'googleSheets', { lookupValue: '={{ $json.customerId }}' }, to.length > 1 ? [] : ['PDFs']),
			papers(['Mail']),
			mail('={{ $json.attachments }}', {
				toEmail: '={{ $("Rows").all().map((one) => one.json.email).join(",") }}',
			}),
		],
		/^The step "Mail" takes where it goes from all items of "Rows": /,
	]),
	[
		'the same, of rewritten events',
		[batch('PDFs', 'Set'), papers(['Merge']), set('Merge#2'), merge('combineAll', 'Mail'), mail()],
		MERGES,
	],
	[
		'each PDF with an event, by position',
		[
			batch('PDFs', 'Merge#2'),
			papers(['Merge'], { onePerSet: false }),
			merge('combineByPosition', 'Mail'),
			mail('data'),
		],
		MERGES,
	],
	[
		'the same behind Edit Fields',
		[
			batch('PDFs', 'Merge#2'),
			papers(['Merge'], { onePerSet: false }),
			merge('combineByPosition', 'Set'),
			set('Mail'),
			mail('data'),
		],
		MERGES,
	],
])('%s is refused', (_, steps, sentence, once = []) => expect(refusalOf(steps, once)).toMatch(sentence));

it.each<[string, Step[], string[]?]>([
	[
		'a loop to which nothing leads back, of as many as come',
		[batch('PDFs'), papers(['Loop']), step('Loop', 'splitInBatches', { batchSize: 5 }, [], ['Mail']), mail()],
	],
	...[
		'{{ $("Event").all().find((one) => one.json.setId === $json.setId).json.customerId }}',
		'{{ $("Event").all().filter((one) => one.json.setId === $("PDFs").item.json.setId)[0].json.customerId }}',
		'{{ $("Rows").all().map((one) => one.json.email).join(",") }}',
		'{{ $("Event").all().map((one) => one.json.status).includes("ISSUED") ? "a@a.example" : "b@a.example" }}',
		'{{ $("Event").all().length > 1 ? "a@a.example" : "b@a.example" }}',
	].map((address): [string, Step[]] => [
		`an address: ${address}`,
		[
			batch('PDFs', 'Rows'),
			step('Rows', 'googleSheets'),
			papers(['Mail']),
			mail('={{ $json.attachments }}', { toEmail: `=${address}` }),
		],
	]),
	[
		'the name of the sender says how many vessels there are',
		[
			batch('PDFs'),
			papers(['Mail']),
			mail(LIST, {
				options: {
					fileAttachments: LIST,
					senderName: '={{ $input.all().map((one) => one.json.vesselName).unique().join() }}',
				},
			}),
		],
	],
	[
		'an address: what is the same for all, in brackets',
		[
			batch('PDFs'),
			papers(['Mail']),
			mail(LIST, {
				toEmail: `={{ $("Event").all().some((one) => one.json['isSample']) ? "a@a.example" : "b@a.example" }}`,
			}),
		],
	],
	[
		'the addresses of the one that a loop gives',
		[
			batch('Loop'),
			step('Loop', 'splitInBatches', {}, [], ['PDFs']),
			papers(['Mail']),
			{
				...mail('={{ $json.attachments }}', {
					toEmail: '={{ $input.all().map((item) => item.json.email).join() }}',
				}),
				to: [['Loop']],
			},
		],
	],
	...[
		step('S', 'googleSheets', { operation: 'read', filter: 'desk' }, ['Merge#2']),
		step('S', 'aggregate', {}, ['Merge#2']),
	].map((one): [string, Step[]] => [
		`the papers of all with one ${one.type}`,
		[batch('PDFs'), papers(['S', 'Merge']), one, merge('combineAll', 'Mail'), mail()],
	]),
	[
		'the papers of all with rows, of which a Filter chooses',
		[
			batch('PDFs'),
			papers(['S', 'Merge']),
			step('S', 'googleSheets', { operation: 'read', filter: '={{ $json.customerId }}' }, ['Merge#2']),
			merge('combineAll', 'F'),
			step('F', 'filter', { a: '={{ $json.setId }}' }, ['Mail']),
			mail(),
		],
	],
	['one event in a run', [event('PDFs'), papers(['Mail']), says(FIRST)]],
	['one set in a run', [poll({ runs: 'oneForEachSet' }), papers(['Mail']), says(FIRST)]],
	[
		'the event of each',
		[batch('PDFs'), papers(['Mail']), says('={{ $("Event").item.json.parcelReference }}')],
	],
	['what comes', [batch('PDFs'), papers(['Mail']), says('={{ $json.parcelRef }}')]],
	['one mail for all, which says the first', [batch('PDFs'), papers(['Table']), aggregate, says(FIRST)]],
	...[
		'if ($input.first().json.attachments === "") return [];\nreturn items;',
		'const found = { binary: $input.first().binary !== undefined };\nreturn items;',
		'const n = $("Event").all().length;\nreturn items;',
		'const { status } = $("Event").first().json;\nreturn items.map((i) => ({ ...i, json: { ...i.json, status } }));',
		'const { customerId } = $("Event").first().json;\nreturn items;',
		'return items.map((i) => { const event = $("Event").all().find((e) => e.json.setId === i.json.setId); return { ...i, json: { to: event.json.customerId } }; });',
		'const to = $("Config").first().json.to;\nreturn items;',
		'const config = { ...$("Config").first().json };\nreturn items.map((i) => ({ ...i, json: { to: config.to } }));',
		'console.log(JSON.stringify($("Event").first().json));\nreturn items;',
	].map((jsCode): [string, Step[]] => [
		`Code: ${jsCode.slice(0, 100)}`,
		[batch('PDFs'), papers(['C']), step('C', 'code', { jsCode }, ['Mail']), mail()],
	]),
	[
		'all files of a set, in a loop of one',
		[
			batch('Loop'),
			step('Loop', 'splitInBatches', {}, [], ['PDFs']),
			...[papers(['Table']), aggregate],
			{ ...gmail('={{ $("Loop").first().json.customerId }}'), to: [['Loop']] },
		],
	],
	['one mail for all, once', [batch('PDFs'), papers(['Table']), aggregate, mail()], ['Mail']],
	['one mail that Code makes', [batch('PDFs'), papers(['C']), step('C', 'code', {}, ['Mail']), says(FIRST)]],
	[
		'one event alone, as If asks',
		[
			batch('PDFs'),
			papers(['If']),
			step('If', 'if', { a: '={{ $("Event").all().length }}' }, ['Mail']),
			says(FIRST),
		],
	],
	[
		'the first alone, as Filter asks',
		[batch('PDFs'), papers(['F']), step('F', 'filter', { a: '={{ $itemIndex }}' }, ['Mail']), says(FIRST)],
	],
	[
		'a Switch by settings of another step',
		[
			batch('PDFs', 'Config'),
			step('Config', 'set'),
			papers(['Switch']),
			step('Switch', 'switch', { a: '={{ $("Config").first().json.to }}' }, ['Mail']),
			mail(),
		],
	],
	[
		'the time of the first, by Edit Fields',
		[
			batch('PDFs'),
			papers(['Set']),
			{
				...set('Mail'),
				parameters: { includeOtherFields: true, a: '={{ $("Event").first().json.updatedAt }}' },
			},
			mail(),
		],
	],
	[
		'a search that may find several for one event, once',
		[event('Search'), step('Search', OURS, { operation: 'search' }, ['PDFs']), papers(['Mail']), mail()],
		['Mail'],
	],
	[
		'papers that are meant for all, once',
		[batch('PDFs'), papers(['Mail'], { setId: { value: '={{ "terms" }}' } }), mail()],
		['Mail'],
	],
	[
		'the first of a set that is meant for all',
		[
			batch('Terms'),
			step('Terms', OURS, { operation: 'get', setId: { value: '={{ "terms" }}' } }, ['PDFs']),
			papers(['Mail']),
			says('={{ $("Terms").first().json.parcelRef }}'),
		],
	],
	['one of them, by Limit', [batch('PDFs'), papers(['L']), step('L', 'limit', {}, ['Mail']), says(FIRST)]],
	[
		'settings of another step',
		[
			batch('Config'),
			step('Config', 'set', {}, ['PDFs']),
			papers(['Mail']),
			says('={{ $("Config").first().json.to }}'),
		],
	],
	[
		'a row of a table',
		[
			batch('PDFs', 'Rows'),
			papers(['Mail']),
			step('Rows', 'googleSheets'),
			says('={{ $("Rows").first().json.to }}'),
		],
	],
	[
		'how many there are',
		[
			batch('PDFs'),
			papers(['Mail']),
			says('={{ $("Event").all().length }} of {{ $("Event").first().json.actor }}'),
		],
	],
	['what all have alike', [batch('PDFs'), papers(['Mail']), says('={{ $("Event").first().json.status }}')]],
	[
		'the only customer',
		[
			{ ...batch('PDFs'), parameters: { options: { batchSize: 5, customerIds: ['a'] } } },
			papers(['Mail']),
			says('={{ $("Event").first().json.customerId }}'),
		],
	],
	[
		'the only customer that the poll trigger filters by',
		[
			{ ...poll(), parameters: { filters: { customerIds: ['a'] } } },
			papers(['Mail']),
			says('={{ $("Event").first().json.customerId }}'),
		],
	],
	[
		'the only customer, from the list',
		[
			{
				...batch('PDFs'),
				parameters: {
					options: {
						batchSize: 5,
						customerIds: [
							{ customerId: { __rl: true, mode: 'list', value: 'a', cachedResultName: 'Customer A' } },
						],
					},
				},
			},
			papers(['Mail']),
			says('={{ $("Event").first().json.customerId }}'),
		],
	],
	[
		'papers in the folder of each',
		[batch('PDFs'), papers(['Drive']), drive('={{ $("Event").item.json.setId }}')],
	],
	['papers in one folder', [batch('PDFs'), papers(['Drive']), drive('2026')]],
	[
		'papers that are called by the first of them, in the folder of each',
		[
			batch('PDFs'),
			papers(['Drive']),
			uploads(`={{ $("Event").item.json.setId }}/${FIRST.slice(1)} {{ $json.fileName }}`),
		],
	],
	[
		'papers that are called by the first of them, in the folder of each, as it is written behind them',
		[
			...[batch('PDFs'), papers(['Name']), uploads('={{ $json.path }}')],
			writes('path', `={{ $("Event").item.json.setId }}/${FIRST.slice(1)} {{ $json.fileName }}`, 'Drive'),
		],
	],
	[
		'papers in a folder of each, beside what is written of the first',
		[
			...[batch('Name'), writes('first', FIRST, 'PDFs'), papers(['Drive'])],
			uploads('=/{{ $("Event").item.json.setId }}/{{ $json.fileName }}'),
		],
	],
	[
		'papers in a folder that was made once',
		[
			...[batch('Folder', 'PDFs'), papers(['Drive']), drive('={{ $("Folder").first().json.id }}')],
			step('Folder', 'googleDrive', { resource: 'folder', operation: 'create', name: '={{ $now }}' }),
		],
	],
	[
		'papers in a folder of the day',
		[batch('PDFs'), papers(['Drive']), drive('={{ $("Event").first().json.updatedAt }}')],
	],
	[
		'the papers of each set by its place',
		[batch('PDFs'), papers(['Mail']), says('={{ $("Event").all()[$itemIndex].json.customerId }}')],
	],
	[
		'each PDF by its own place',
		[
			batch('PDFs'),
			papers(['Mail'], { onePerSet: false }),
			mail('data', { subject: '={{ $("PDFs").all()[$itemIndex].json.name }}' }),
		],
	],
	[
		'those that are like the first',
		[batch('PDFs'), papers(['F']), step('F', 'filter', likeFirst, ['Mail']), mail()],
	],
	[
		'papers with what is told of their vessels',
		[
			batch('PDFs', 'Table'),
			papers(['Merge']),
			step('Table', 'googleSheets', { operation: 'read' }, ['Merge#2']),
			...[matching('vesselName'), mail()],
		],
	],
	[
		'papers with what each vessel was asked for once',
		[batch('PDFs', 'Once'), papers(['Merge']), once('vesselName'), matching('vesselName'), mail()],
	],
	[
		'papers with their events',
		[batch('PDFs', 'Merge#2'), papers(['Merge']), matching('status, setId'), mail()],
	],
	[
		'a customer that was looked up',
		[
			batch('Customer'),
			step('Customer', OURS, { resource: 'customer', operation: 'get' }, ['PDFs']),
			papers(['Mail']),
			says('={{ $("Customer").first().json.name }}'),
		],
	],
	[
		'the event of one, with the parcels of its shipment',
		[event('Search'), step('Search', OURS, { operation: 'search' }, ['PDFs']), papers(['Mail']), says(FIRST)],
	],
	[
		'a search for one',
		[
			event('Search'),
			step('Search', OURS, { operation: 'search', limit: 1 }, ['PDFs']),
			papers(['Mail']),
			says('={{ $("Search").first().json.parcelRef }}'),
		],
	],
	[
		'a note of words, once',
		[batch('PDFs'), papers(['Mail', 'Note']), mail(), { ...mail('', { subject: FIRST }), name: 'Note' }],
		['Note'],
	],
	[
		'a note of the first',
		[batch('PDFs', 'Note'), papers(['Mail']), mail(), { ...mail('', { subject: FIRST }), name: 'Note' }],
	],
	[
		'a loop of one',
		[
			batch('Loop'),
			step('Loop', 'splitInBatches', { batchSize: 1 }, [], ['PDFs']),
			papers(['Mail']),
			{ ...says('={{ $("PDFs").first().json.parcelRef }}'), to: [['Loop']] },
		],
	],
	[
		'the first of what comes, and Execute Once, in a loop of one between',
		[
			batch('PDFs'),
			papers(['Loop']),
			step('Loop', 'splitInBatches', { batchSize: 1 }, [], ['Mail']),
			{
				...says('={{ $input.first().json.parcelRef }} {{ $("Loop").first().json.parcelRef }}'),
				to: [['Loop']],
			},
		],
		['Mail'],
	],
	[
		'what a step of the loop gave first',
		[
			batch('Loop'),
			step('Loop', 'splitInBatches', {}, [], ['Set']),
			set('PDFs'),
			papers(['Mail']),
			{ ...says('={{ $("Set").first().json.parcelReference }}'), to: [['Loop']] },
		],
	],
	[
		'the event that Limit left',
		[batch('Limit'), step('Limit', 'limit', {}, ['PDFs']), papers(['Mail']), says(FIRST)],
	],
	[
		'the first of a table that Aggregate made',
		[batch('All'), step('All', 'aggregate', {}, ['PDFs']), papers(['Mail']), says(FIRST)],
	],
	...(
		[
			['what Edit Fields writes into all alike', { assignments: [{ name: 'to', value: 'desk@a.example' }] }],
			['the status that it writes', { assignments: [{ name: 'to', value: '={{ $json.status }}' }] }],
			['what it may write', { mode: 'raw', jsonOutput: '={{ $("Settings").first().json }}' }],
			['what it writes as JSON into all alike', { mode: 'raw', jsonOutput: '{ "to": "desk@a.example" }' }],
			['the status as JSON', { mode: 'raw', jsonOutput: '={ "to": "{{ $json.status }}" }' }],
			['a field that it does not have', {}],
		] as const
	).map(([name, parameters]): [string, Step[]] => [
		name,
		[
			batch('Set'),
			{ ...set('PDFs'), parameters: parameters as never },
			papers(['Mail']),
			says('={{ $("Set").first().json.to }}'),
		],
	]),
	...[
		'if (all.length === 0 || !all[0].json.setId) return [];',
		'const own = all.find((one) => one.json.setId === 1);',
		'const [count] = [all.length];',
	].map((line): [string, Step[]] => [
		`a list that Code gave a name: ${line}`,
		[
			batch('PDFs'),
			papers(['C']),
			step('C', 'code', { jsCode: `const all = $("Event").all();\n${line}\nreturn $input.all();` }, ['Mail']),
			mail(),
		],
	]),
	...(['httpRequest', 'set'] as const).map((type): [string, Step[]] => [
		`papers with the first of what goes by the vessel alone, by ${type}`,
		[batch('PDFs', 'Ask'), papers(['Merge']), ask(type, VESSEL), matchingFirst('vesselName'), mail()],
	]),
	[
		'papers with what goes by the vessel alone, and is said anew',
		[
			batch('PDFs', 'Ask'),
			papers(['Merge']),
			...askedAndSaid('={{ $json.email + $("Ask").item.json.name + $("Event").item.json.vesselName }}'),
			matchingFirst('vesselName'),
			mail(),
		],
	],
	[
		'papers with what goes by the vessel alone, under another name',
		[
			batch('PDFs', 'Ask'),
			papers(['Merge']),
			ask('httpRequest', VESSEL),
			matchingAs('vesselName', 'vessel'),
			mail(),
		],
	],
	[
		'papers with what goes by the set, under another name',
		[batch('PDFs', 'Ask'), papers(['Merge']), ask('httpRequest'), matchingAs('setId', 'id'), mail()],
	],
	...['items', 'list'].map((group): [string, Step[]] => [
		`papers that Code puts into groups, called ${group}`,
		[
			batch('PDFs'),
			papers(['C']),
			step(
				'C',
				'code',
				{
					jsCode: `const list = $input.all();\nconst groups = {};\nfor (const item of list) (groups[item.json.setId] ??= []).push(item);\nreturn Object.values(groups).map((${group}) => ({ json: ${group}[0].json, binary: ${group}[0].binary }));`,
				},
				['Mail'],
			),
			mail(),
		],
	]),
	[
		'papers with their event, by position',
		[batch('PDFs', 'Merge#2'), papers(['Merge']), merge('combineByPosition', 'Mail'), mail()],
	],
	[
		'papers of one type with their event, by position',
		[
			batch('PDFs', 'Merge#2'),
			papers(['Merge'], { onePerSet: false, documentTypes: ['Bill of lading'] }),
			merge('combineByPosition', 'Mail'),
			mail('data'),
		],
	],
	[
		'all papers with what is the same for all',
		[batch('PDFs', 'Ask'), papers(['Merge']), ask('httpRequest', 'a'), merge('combineAll', 'Mail'), mail()],
	],
	[
		'the list of each with its text, by position',
		[batch('PDFs', 'Ask'), papers(['Merge']), ask('agent'), merge('combineByPosition', 'Mail'), mail()],
	],
	[
		'the files of the only set, by Code',
		[event('PDFs'), papers(['C']), step('C', 'code', { jsCode: FILES_OF_PDFS }, ['Mail']), mail()],
	],
	[
		'a leaflet beside the papers of each, by Code',
		[
			batch('PDFs'),
			papers(['C']),
			step(
				'C',
				'code',
				{
					jsCode:
						'const { leaflet } = $("Terms").first().binary;\nreturn items.map((item) => ({ ...item, binary: { ...item.binary, leaflet } }));',
				},
				['Mail'],
			),
			mail(),
		],
	],
	[
		'all papers with one row',
		[
			batch('PDFs', 'Row'),
			papers(['Merge']),
			step('Row', 'googleSheets', {}, ['Merge#2']),
			merge('combineAll', 'Mail'),
			mail(),
		],
	],
	[
		'all with all, and a Filter that finds the pairs',
		[
			batch('PDFs', 'Merge#2'),
			papers(['Merge']),
			merge('combineAll', 'F'),
			step('F', 'filter', {}, ['Mail']),
			mail(),
		],
	],
	[
		'all papers with what one event said',
		[batch('PDFs', 'Set'), papers(['Merge']), set('Merge#2'), merge('combineAll', 'Mail'), mail()],
		['Set'],
	],
	['by their set', [batch('PDFs', 'Merge#2'), papers(['Merge']), merge('combineByFields', 'Mail'), mail()]],
	[
		'a mail that is switched off',
		[
			batch('PDFs'),
			papers(['Mail', 'Drive']),
			step('Drive', 'googleDrive'),
			{ ...says(FIRST), disabled: true },
		],
	],
	['a drive', [batch('PDFs'), papers(['Drive']), step('Drive', 'googleDrive', { name: FIRST })]],
	[
		'other papers in another workflow',
		[batch('Call'), step('Call', 'executeWorkflow', {}, ['Mail']), says(FIRST)],
	],
])('%s: published', (_, steps, once = []) => expect(refusalOf(steps, once)).toBeUndefined());

it('Limit in front of the papers is told beside them where a trigger brings several events', () => {
	const limit = (parameters: object = {}) => step('Limit', 'limit', parameters as never, ['PDFs']);
	const given = [{ name: 'Limit', type: 'n8n-nodes-base.limit', setIds: new Set(['a']), items: [] }];
	const beside = (trigger: Step, one = limit(), gave = given) =>
		told([trigger, one, papers(['Mail']), mail()], { given: gave });
	expect(beside(batch('Limit'))).toEqual([
		'The step "Limit" lets no more items through than 1: with several sets in one run, the papers of the others would go to nobody. Take it out.',
	]);
	expect(beside(pollTo('Limit'))).toHaveLength(1);
	expect(beside(batch('Limit'), limit({ maxItems: 5 }))).toEqual([]);
	expect(beside(event('Limit'))).toEqual([]);
	expect(beside(batch('Limit'), { ...limit(), disabled: true })).toEqual([]);
	expect(beside(batch('Limit'), limit(), [{ ...given[0]!, setIds: new Set<string>() }])).toEqual([]);
	expect(beside(step('Event', 'scheduleTrigger', {}, ['Limit']))).toEqual([]);
});

/** In n8n's own engine, behind a search of a workflow that starts at a time of day: no trigger of ours sees it. */
describe('in a run about several sets', () => {
	let service: Service;
	beforeAll(async () => void (service = await startService()));
	afterAll(() => service.close());

	const run = (count: number, subject: string, onError?: 'continueRegularOutput') =>
		runAction(
			service.baseUrl,
			{
				...{ resource: 'document', operation: 'getAllPdfs', onePerSet: true, lookup: {} },
				setId: { __rl: true, mode: 'id', value: '={{ $json.setId }}' },
			},
			{
				typed: { type: 'x.parcelDocumentExchange', operation: 'search' },
				items: service.data.sets
					.slice(0, count)
					.map(({ setId, parcelRef }) => ({ json: { setId, parcelRef, status: 'SIGNED' } })),
				afterType: 'n8n-nodes-base.emailSend',
				after: { subject, fileAttachments: LIST },
				...{ mode: 'trigger', ...(onError && { settings: { onError } }) },
			},
		);

	it('a mail that would mix them up is not sent', async () => {
		const { error, items, after } = await run(2, '={{ $("Input").first().json.parcelRef }}');
		expect([items, after]).toEqual([[], []]);
		expect(error?.message).toBe('The papers of 2 sets came, and a mail behind would not keep them apart');
		expect(error?.description).toMatch(
			/^Nothing was handed on\. The step "After" takes what it says from one item of "Input"/,
		);
		const failed = await run(2, '={{ $("Input").first().json.parcelRef }}', 'continueRegularOutput');
		expect(failed.items.map(({ binary, json }) => [binary, Object.keys(json)])).toEqual([
			[undefined, ['error']],
			[undefined, ['error']],
		]);
	});

	it.each<[string, IDataObject]>([
		['Code', { type: 'n8n-nodes-base.code' }],
		['Edit Fields', { type: 'n8n-nodes-base.set' }],
		['rows of a table', { type: 'n8n-nodes-base.googleSheets' }],
	])(
		'a mail that goes by the first item of %s is not sent; what is alike, or a time, is',
		async (_, typed) => {
			const two = service.data.sets.slice(0, 2);
			const sent = async (field: string) => {
				const { error, items } = await runAction(
					service.baseUrl,
					{
						...{ resource: 'document', operation: 'getAllPdfs', onePerSet: true, lookup: {} },
						setId: { __rl: true, mode: 'id', value: '={{ $json.set }}' },
					},
					{
						...{ typed, mode: 'trigger' },
						items: two.map(({ setId, parcelRef }, index) => ({
							json: { set: setId, ref: parcelRef, desk: 'a', at: `2026-11-23T15:00:00.00${index}Z` },
						})),
						afterType: 'n8n-nodes-base.emailSend',
						after: { subject: `={{ $("Input").first().json.${field} }}`, fileAttachments: LIST },
					},
				);
				return error?.message ?? items.length;
			};
			expect(await sent('ref')).toMatch(/^The papers of 2 sets came/);
			expect([await sent('desk'), await sent('at')]).toEqual([2, 2]);
		},
	);

	it.each<[string, number, string]>([
		['one set', 1, '={{ $("Input").first().json.parcelRef }}'],
		['what all have alike', 2, '={{ $("Input").first().json.status }}'],
		['the item of each', 2, '={{ $("Input").item.json.parcelRef }}'],
		['how many there are', 2, '={{ $("Input").all().length }}'],
	])('%s: sent', async (_, count, subject) => {
		const { error, items } = await run(count, subject);
		expect(error).toBeUndefined();
		expect(items).toHaveLength(count);
	});
});

describe('in a loop of one', () => {
	const item = (setId: string) => ({ json: { setId }, binary: { data_0: { data: '', mimeType: '' } } });
	const given = (name: string, type: string, ...items: IDataObject[]) => ({
		...{ name, type, items },
		setIds: new Set(items.flatMap(({ setId }) => (typeof setId === 'string' ? [setId] : []))),
	});
	const steps = (subject: string) => [
		step('Search', OURS, { operation: 'search' }, ['Loop']),
		step('Loop', 'splitInBatches', {}, [], ['PDFs']),
		papers(['Mail']),
		{ ...says(subject), to: [['Loop']] },
	];
	const refuse =
		(subject: string, ...gave: ReturnType<typeof given>[]) =>
		() =>
			refuseMixedUp(
				{
					...wired(steps(subject)),
					getNode: () => ({ name: 'PDFs', type: OURS, typeVersion: 1, parameters: {} }),
					getWorkflowDataProxy: () => ({ $: () => ({ item: { json: {} } }) }),
				} as never,
				[{ ...item('a'), pairedItem: { item: 0 } }],
				gave,
			);
	const search = (...refs: string[]) =>
		given('Search', OURS, ...refs.map((ref, index) => ({ setId: `set ${index}`, ref })));
	const SUBJECT = '={{ $("Search").first().json.ref }}';

	it('what a step in front of it gave first is refused before the first mail', () => {
		expect(refuse(SUBJECT, search('a', 'b'))).toThrow(/^The papers of 2 sets came/);
		expect(refuse(SUBJECT, search('a', 'a'))).not.toThrow();
		expect(refuse(SUBJECT, search('a'))).not.toThrow();
		expect(refuse('={{ $("PDFs").first().json.ref }}', search('a', 'b'))).not.toThrow();
		expect(
			refuse('={{ $("Loop").first().json.ref }}', search('a', 'b'), given('Loop', 'x', { a: 1 })),
		).not.toThrow();
	});
});

it('a Merge by what papers of the run have alike, such as the shipment, is refused', () => {
	const steps = [
		step('Search', OURS, { operation: 'search' }, ['PDFs', 'Addresses']),
		papers(['Merge']),
		step('Addresses', 'set', {}, ['Merge#2']),
		{ ...matching('shipmentRef') },
		says('Papers'),
	];
	const refuse = (...shipments: Array<string | null>) => {
		const sets = shipments.map((shipmentRef, index) => ({ setId: `set ${index}`, shipmentRef }));
		refuseMixedUp(
			{
				...wired(steps),
				getNode: () => ({ name: 'PDFs', type: OURS, typeVersion: 1, parameters: {} }),
				getWorkflowDataProxy: () => ({ $: () => ({ item: { json: {} } }) }),
			} as never,
			sets.map((json) => ({ json, binary: { data_0: { data: '', mimeType: '' } } })),
			[{ name: 'Search', type: OURS, items: sets, setIds: new Set(sets.map(({ setId }) => setId)) }],
		);
	};
	expect(() => refuse('S-1', 'S-1')).toThrow(/^The papers of 2 sets came/);
	expect(() => refuse('S-1', 'S-2')).not.toThrow();
	expect(() => refuse(null, null)).not.toThrow();
});

it('a Merge by what papers have alike, with rows that were read in front of a search that runs once, is not', () => {
	const rows = [{ vesselName: 'A' }, { vesselName: 'B' }];
	const sets = ['a', 'b'].map((setId) => ({ setId, vesselName: 'A' }));
	const refuse = (once: object) => {
		const steps = [
			step('Agents', 'dataTable', { operation: 'get' }, ['Search', 'Merge#2']),
			step('Search', OURS, { operation: 'search' }, ['PDFs']),
			papers(['Merge']),
			matching('vesselName'),
			says('Papers'),
		];
		refuseMixedUp(
			{
				...wired(steps),
				getNode: () => ({ name: 'PDFs', type: OURS, typeVersion: 1, parameters: {} }),
				getWorkflowDataProxy: () => ({ $: () => ({ item: { json: {} } }) }),
				workflow: { nodes: { Search: once } },
			} as never,
			sets.map((json) => ({ json, binary: { data_0: { data: '', mimeType: '' } } })),
			[
				{ name: 'Agents', type: 'n8n-nodes-base.dataTable', items: rows, setIds: new Set() },
				{ name: 'Search', type: OURS, items: sets, setIds: new Set(['a', 'b']) },
			],
		);
	};
	expect(() => refuse({ executeOnce: true })).not.toThrow();
	expect(() => refuse({})).toThrow(/^The papers of 2 sets came/);
});

it.each(['set', 'if'])(
	'what the first of %s says for all is refused also behind Aggregate and Split Out',
	(type) => {
		const sets = ['a', 'b'].map((setId) => ({ setId, email: `${setId}@example.com` }));
		const refuse = (...ids: string[]) =>
			refuseMixedUp(
				{
					...wired([
						step('Addresses', type, { includeOtherFields: true }, ['Aggregate']),
						step('Aggregate', 'aggregate', {}, ['Split Out']),
						step('Split Out', 'splitOut', {}, ['PDFs']),
						papers(['Mail']),
						says('={{ $("Addresses").first().json.email }}'),
					]),
					getNode: () => ({ name: 'PDFs', type: OURS, typeVersion: 1, parameters: {} }),
					getWorkflowDataProxy: () => ({ $: () => ({}) }),
				} as never,
				sets.map((json) => ({ json, binary: { data_0: { data: '', mimeType: '' } } })),
				[{ name: 'Addresses', type: `n8n-nodes-base.${type}`, items: sets, setIds: new Set(ids) }],
			);
		expect(() => refuse('a', 'b')).toThrow(/^The papers of 2 sets came/);
		expect(() => refuse()).not.toThrow();
	},
);

it('each step is looked at once, however many ways lead over it', () => {
	const diamonds = Array.from({ length: 30 }, (_, index) => [
		step(`If ${index}`, 'if', {}, [`A ${index}`], [`B ${index}`]),
		step(`A ${index}`, 'sort', {}, [`If ${index + 1}`]),
		step(`B ${index}`, 'sort', {}, [`If ${index + 1}`]),
	]).flat();
	const around = wired([papers(['If 0']), ...diamonds, step('If 30', 'if', {}, ['Mail']), mail(LIST)]);
	let looks = 0;
	const getParentNodes: typeof around.getParentNodes = (...asked) => {
		looks += 1;
		return around.getParentNodes(...asked);
	};
	expect(comesOnlyFrom({ getParentNodes }, 'Mail', 'PDFs', () => true)).toBe(true);
	expect(looks).toBe(1 + 1 + 3 * 30);
});
