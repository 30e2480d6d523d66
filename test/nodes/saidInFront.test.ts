import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { refuseMixedUp } from '../../nodes/ParcelDocumentExchange/actions/mixedUp';
import { refusalOf } from '../support/publishing';
import { event, mail, ofSet, poll, pollTo, step, wired, type Step } from '../support/stepsBehind';

/** Steps in front of the one that gets the papers, which go for all sets by what the first says. */

const OURS = 'x.parcelDocumentExchange';
const LIST = '={{ $json.attachments }}';
const FIRST = '={{ $("Event").first().json.customerId }}';
const PLACED = '={{ $("Event").all()[$itemIndex].json.customerId }}';
const papers = (...to: string[]) =>
	step('PDFs', OURS, { operation: 'getAllPdfs', onePerSet: true }, to.length > 0 ? to : ['Mail']);
const asks = (url: string, to = 'PDFs') => step('Ask', 'httpRequest', { url }, [to]);
const mailTo = (toEmail: string) => mail(LIST, { toEmail });
const asked = mailTo('={{ $("Ask").item.json.email }}');
const question = (leftValue: string, operation = 'equals') => ({
	conditions: { conditions: [{ leftValue, rightValue: 'c1', operator: { type: 'string', operation } }] },
});
const choosing = (type: string, conditions: INodeParameters, to = 'PDFs') =>
	step('Ask', type, conditions, [to]);
const writes = (value: string) =>
	step('Ask', 'set', { includeOtherFields: true, assignments: { a: [{ name: 'email', value }] } }, ['PDFs']);
const code = (jsCode: string) => step('Ask', 'code', { jsCode }, ['PDFs']);
const CODE_OF_FIRST =
	'const first = $input.first();\nreturn $input.all().map((one) => ({ json: { ...one.json, email: first.json.customerId } }));';
const loop = (): Step => step('Loop', 'splitInBatches', {}, [], ['Ask']);
const backToLoop = (one: Step): Step => ({ ...one, to: [['Loop']] });

const ofEvent = mailTo('={{ $("Event").item.json.customerId }}@a.example');
const whether = (leftValue: string, operation: string, rightValue = '') => ({
	conditions: { conditions: [{ leftValue, rightValue, operator: { type: 'any', operation } }] },
});
const older = (value1: string, operation: string, value2 = '') => ({
	conditions: { string: [{ value1, operation, value2 }] },
});
const note = (value: string, to = 'Ask') =>
	step('Note', 'set', { includeOtherFields: true, assignments: { a: [{ name: 'note', value }] } }, [to]);
const withHeader = (url: string) =>
	step('Ask', 'httpRequest', { url, headerParameters: { parameters: [{ name: 'X-Run', value: FIRST }] } }, [
		'PDFs',
	]);
const guarded = (conditions: INodeParameters) => [
	pollTo('Ask'),
	choosing('if', conditions),
	papers(),
	ofEvent,
];
const OF_FIRST = '$("Event").first().json.setId';

const ONE_FOR_OTHERS = /^The step "Ask" takes what it says from one item of "Event" for all others/;
const PLACE_FOR_OTHERS =
	/^The step "Ask" takes what it says from the item of "Event" at the same place: .* \$\("Event"\)\.item/;
const FIRST_FOR_OTHERS = /^The step "Ask" takes what it says from the first item that comes/;

it.each<[string, Step[], RegExp]>([
	['the address is asked for by the first', [pollTo('Ask'), asks(FIRST), papers(), asked], ONE_FOR_OTHERS],
	[
		'by the first that comes',
		[pollTo('Ask'), asks('={{ $input.first().json.customerId }}'), papers(), asked],
		FIRST_FOR_OTHERS,
	],
	['it is written by the first', [pollTo('Ask'), writes(FIRST), papers(), asked], ONE_FOR_OTHERS],
	[
		'by its place, behind a Filter',
		[pollTo('F'), step('F', 'filter', {}, ['Ask']), writes(PLACED), papers(), asked],
		PLACE_FOR_OTHERS,
	],
	...[
		step('Rows', 'dataTable', { operation: 'get', key: '={{ $json.setId }}' }, ['Ask']),
		step('Rows', 'googleSheets', { operation: 'read', filtersUI: { a: '={{ $json.setId }}' } }, ['Ask']),
	].map((rows): [string, Step[], RegExp] => [
		`by its place in Code, behind ${rows.type}`,
		[
			...[pollTo('Rows'), rows],
			code(
				'const sets = $("Event").all();\nreturn $input.all().map((row, i) => ({ json: { ...sets[i].json, email: sets[i].json.customerId } }));',
			),
			...[papers(), asked],
		],
		PLACE_FOR_OTHERS,
	]),
	['in Code', [pollTo('Ask'), code(CODE_OF_FIRST), papers(), asked], FIRST_FOR_OTHERS],
	[
		'If goes by the first',
		[pollTo('Ask'), choosing('if', question(FIRST)), papers(), mailTo('c1@a.example')],
		ONE_FOR_OTHERS,
	],
	[
		'Filter by the first that comes',
		[
			pollTo('Ask'),
			choosing('filter', question('={{ $input.first().json.customerId }}')),
			...[papers(), mailTo('c1@a.example')],
		],
		FIRST_FOR_OTHERS,
	],
	[
		'in a loop, by the first of all',
		[pollTo('Loop'), loop(), asks(FIRST), papers(), backToLoop(asked)],
		ONE_FOR_OTHERS,
	],
	[
		'a question whether it is true of the first',
		[
			pollTo('Ask'),
			choosing('if', whether('={{ $("Event").first().json.customerId === "c1" }}', 'true')),
			...[papers(), mailTo('c1@a.example')],
		],
		ONE_FOR_OTHERS,
	],
	[
		'how many the first has',
		[
			pollTo('Ask'),
			choosing('if', whether('={{ $("Event").first().json.parts.length }}', 'gt', '3')),
			...[papers(), ofEvent],
		],
		ONE_FOR_OTHERS,
	],
	[
		'what an earlier step wrote of each',
		[
			pollTo('Note'),
			note('={{ $json.customerId }}'),
			asks('={{ $input.first().json.note }}'),
			papers(),
			asked,
		],
		FIRST_FOR_OTHERS,
	],
	[
		'an answer that was asked for by each',
		[
			pollTo('Rate'),
			{ ...asks('={{ $json.customerId }}', 'Ask'), name: 'Rate' },
			asks('={{ $input.first().json.key }}'),
			papers(),
			asked,
		],
		FIRST_FOR_OTHERS,
	],
	[
		'headers alone, by the first',
		[pollTo('Ask'), withHeader('https://a.example'), papers(), asked],
		ONE_FOR_OTHERS,
	],
])('is no workflow to publish: %s', (_, steps, told) => {
	expect(refusalOf(steps)).toMatch(told);
});

it.each<[string, Step[], string[]?]>([
	['one event in a run', [event('Ask'), asks(FIRST), papers(), asked]],
	['what each says by its place', [pollTo('Ask'), writes(PLACED), papers(), asked]],
	[
		'the same behind an answer for each',
		[pollTo('Rows'), { ...asks('={{ $json.setId }}', 'Ask'), name: 'Rows' }, writes(PLACED), papers(), asked],
	],
	[
		'the same behind rows that are written',
		[
			pollTo('Rows'),
			step('Rows', 'dataTable', { operation: 'insert', columns: { a: '={{ $json.setId }}' } }, ['Ask']),
			...[writes(PLACED), papers(), asked],
		],
	],
	[
		'a run for each set',
		[{ ...poll({ runs: 'oneForEachSet' }), to: [['Ask']] }, asks(FIRST), papers(), asked],
	],
	[
		'events of one customer',
		[{ ...pollTo('Ask'), parameters: { filters: { customerIds: ['c1'] } } }, asks(FIRST), papers(), asked],
	],
	['an answer that no mail goes by', [pollTo('Ask'), asks(FIRST), papers(), ofEvent]],
	['what each says', [pollTo('Ask'), asks('={{ $json.customerId }}'), papers(), asked]],
	[
		'what is the same for all',
		[pollTo('Ask'), asks('={{ $("Event").first().json.instance }}'), papers(), asked],
	],
	['a step that runs once', [pollTo('Ask'), asks(FIRST), papers(), asked], ['Ask']],
	[
		'in a loop, by the first of the loop',
		[pollTo('Loop'), loop(), asks('={{ $("Loop").first().json.customerId }}'), papers(), backToLoop(asked)],
	],
	[
		'whether anything came is asked of the first',
		[pollTo('Ask'), choosing('if', question(FIRST, 'exists')), papers(), ofEvent],
	],
	[
		'the same behind the papers',
		[pollTo('PDFs'), papers('Ask'), choosing('if', question(FIRST, 'notEmpty'), 'Mail'), ofEvent],
	],
	[
		'the first in another field',
		[pollTo('Ask'), writes(FIRST), papers(), mailTo('={{ $("Ask").item.json.customerId }}@a.example')],
	],
	[
		'the first in Code, for something else',
		[pollTo('Ask'), code('console.log($input.first().json.setId);\nreturn $input.all();'), papers(), asked],
	],
	[
		'what an earlier step says, handed on',
		[
			pollTo('Note'),
			note('desk@a.example', 'Ask'),
			writes('={{ $now }}'),
			papers(),
			mailTo('={{ $("Ask").first().json.note }}'),
		],
	],
	[
		'the same of the first that comes',
		[pollTo('Note'), note('north'), asks('={{ $input.first().json.note }}'), papers(), asked],
	],
	[
		'asked in a Switch',
		[
			pollTo('Note'),
			note('north'),
			choosing('switch', question('={{ $input.first().json.note }}')),
			papers(),
			ofEvent,
		],
	],
	[
		'what a Filter in front asked of each',
		[
			pollTo('Note'),
			step('Note', 'filter', question('={{ $json.customerId }}'), ['Ask']),
			...[asks('={{ $input.first().json.customerId }}'), papers(), asked],
		],
	],
	[
		'an answer that is the same for each',
		[
			pollTo('Token'),
			{ ...asks('https://a.example/token', 'Ask'), name: 'Token' },
			asks('={{ $input.first().json.token }}'),
			papers(),
			asked,
		],
	],
	[
		'a header, where each is asked for',
		[pollTo('Ask'), withHeader('={{ $json.customerId }}'), papers(), asked],
	],
	...[
		whether(`={{ ${OF_FIRST} !== undefined }}`, 'true'),
		whether(`={{ !!${OF_FIRST} }}`, 'true'),
		whether(`={{ ${OF_FIRST}.isEmpty() }}`, 'false'),
		whether(`={{ ${OF_FIRST}.length > 0 }}`, 'true'),
		whether(`={{ ${OF_FIRST}.length }}`, 'gt', '0'),
		whether('={{ Object.keys($("Event").first().json).length }}', 'gt', '0'),
		whether(`={{ ${OF_FIRST} }}`, 'notEquals'),
		older(`={{ ${OF_FIRST} }}`, 'isNotEmpty'),
		older('={{ $json.customerId }}', 'equal', FIRST),
	].map((conditions): [string, Step[]] => [
		`whether anything came: ${JSON.stringify(conditions)}`,
		guarded(conditions),
	]),
	[
		'the first in the log, and of each what it says',
		[
			pollTo('Ask'),
			code(
				'console.log($input.first().json.setId);\nreturn $input.all().map((one) => ({ json: { ...one.json, email: one.json.customerId } }));',
			),
			...[papers(), asked],
		],
	],
	[
		'the same behind the papers',
		[
			pollTo('PDFs'),
			papers('Ask'),
			{ ...code(`console.log("run of", ${OF_FIRST});\nreturn $input.all();`), to: [['Mail']] },
			ofEvent,
		],
	],
])('is meant: %s', (_, steps, ...[once]) => {
	expect(refusalOf(steps, once)).toBeUndefined();
});

it('is seen at the run too, where a search gave the sets', () => {
	const steps = [
		step('Clock', 'scheduleTrigger', {}, ['Search']),
		step('Search', OURS, { operation: 'search' }, ['Ask']),
		asks('={{ $("Search").first().json.company }}'),
		papers(),
		asked,
	];
	const found = [
		{ setId: 'a', company: 'One' },
		{ setId: 'b', company: 'Two' },
	];
	const given = [
		{ name: 'Search', type: OURS, items: found, setIds: new Set(['a', 'b']) },
		{
			name: 'Ask',
			type: 'n8n-nodes-base.httpRequest',
			items: [{ email: 'x' }, { email: 'x' }],
			setIds: new Set<string>(),
		},
	];
	const context = {
		...wired(steps),
		getNode: () => ({ ...steps[3], id: '', position: [0, 0] }),
		getWorkflowDataProxy: () => ({}),
	} as unknown as Parameters<typeof refuseMixedUp>[0];
	expect(() => refuseMixedUp(context, [ofSet('a'), ofSet('b')], given)).toThrow('would not keep them apart');
});

/** What stands behind Done of a loop that gets the papers of one set after the other. */
function refuseDone(toEmail: string, items: IDataObject[], back: Step[] = []) {
	const steps = [
		step('Start', 'manualTrigger', {}, ['Search']),
		step('Search', OURS, { operation: 'search' }, ['Loop']),
		step('Loop', 'splitInBatches', {}, ['Mail'], ['PDFs']),
		papers(back[0]?.name ?? 'Loop'),
		...back,
		mailTo(toEmail),
	];
	const given = [
		{ ...{ name: 'Search', type: OURS, items }, setIds: new Set(['a', 'b']) },
		{
			...{ name: 'Loop', type: 'n8n-nodes-base.splitInBatches' },
			setIds: new Set(['a']),
			items: items.slice(0, 1),
		},
	];
	const context = {
		...wired(steps),
		getNode: () => ({ ...steps[3], id: '', position: [0, 0] }),
		getWorkflowDataProxy: () => ({
			$: (name: string) => ({ item: { json: name === 'Search' ? items[0] : {} } }),
		}),
	} as unknown as Parameters<typeof refuseMixedUp>[0];
	const paper = { ...ofSet('a'), pairedItem: { item: 0 } };
	refuseMixedUp(context, [{ ...paper, json: { ...paper.json, ...items[0] } }], given);
}

const TWO = [
	{ setId: 'a', parcelRef: 'A', customerId: 'c1' },
	{ setId: 'b', parcelRef: 'B', customerId: 'c1' },
];

it.each(['$("Loop").first()', '$("PDFs").first()', '$("Loop").last()'])(
	'behind Done of a loop of one, no mail goes to whom %s says of one set',
	(first) => {
		expect(() => refuseDone(`={{ ${first}.json.parcelRef }}@a.example`, TWO)).toThrow(
			'would not keep them apart',
		);
		// What all of them have alike is that of each.
		expect(() => refuseDone(`={{ ${first}.json.customerId }}@a.example`, TWO)).not.toThrow();
	},
);

it('what is sent in the loop, of one set, goes by that', () => {
	const back = { ...mailTo('={{ $("Loop").first().json.parcelRef }}@a.example'), name: 'In', to: [['Loop']] };
	expect(() => refuseDone('={{ $json.parcelRef }}@a.example', TWO, [back])).not.toThrow();
});
