import { refusalOf } from '../support/publishing';
import { event, mail, ofSet, step, told, type Step } from '../support/stepsBehind';

/** Loops of one, in front of the papers and behind them: what is first there is what has its turn. */

const batch = (...to: string[]): Step => ({ ...event(...to), parameters: { options: { batchSize: 5 } } });
const loop = (...to: string[]) => step('Loop', 'splitInBatches', {}, [], to);
const papers = (...to: string[]) =>
	step('PDFs', 'x.parcelDocumentExchange', { operation: 'getAllPdfs', onePerSet: true }, to);
const back = (subject: string): Step => ({
	...mail('={{ $json.attachments }}', { subject }),
	to: [['Loop']],
});
const rows = step('Rows', 'googleSheets', { operation: 'read', filter: '={{ $json.customerId }}' }, [
	'Merge#2',
]);
const merged = step('Merge', 'merge', { mode: 'combine', combineBy: 'combineAll' }, ['Mail']);
const code = (jsCode: string, ...to: string[]) => step('C', 'code', { jsCode }, to);
const saysFor = (one: string) =>
	`return items.map((item) => ({ json: { ...item.json, to: ${one}.json.customerId }, binary: item.binary }));`;
const NAMED = '$("Event").item';

const inFront = (one: string) => [
	...[batch('Loop'), loop('PDFs'), papers('C'), code(saysFor(one), 'Mail')],
	back('={{ $json.to }}'),
];
const behind = (jsCode: string) => [
	...[batch('PDFs'), papers('Loop'), loop('C'), code(jsCode, 'Mail')],
	back('={{ $json.to }}'),
];

it.each<[string, Step[]]>([
	...['$("Event").item', '$("Loop").item', '$("PDFs").item', '$input.item', '$node["Loop"]'].map(
		(one): [string, Step[]] => [`Code that runs once for all, behind: ${one}`, inFront(one)],
	),
	['the same, in a loop behind the papers', behind(saysFor(NAMED))],
	[
		'the files of the item that has its turn',
		behind('return items.map((item) => ({ ...item, binary: $("PDFs").item.binary }));'),
	],
	[
		'Code in front of the papers',
		[
			...[batch('Loop'), loop('C'), code(saysFor(NAMED), 'PDFs'), papers('Mail')],
			back('={{ $("C").item.json.to }}'),
		],
	],
	[
		'all papers with all rows, of the one that has its turn',
		[batch('PDFs'), papers('Loop'), loop('Rows', 'Merge'), rows, merged, back('')],
	],
	[
		'what is the same for all, by its place',
		[batch('Loop'), loop('PDFs'), papers('Mail'), back('={{ $node["Event"].json.status }}')],
	],
	[
		'the one in turn, by its place',
		[batch('Loop'), loop('PDFs'), papers('Mail'), back('={{ $node["Loop"].json.customerId }}')],
	],
])('%s: published', (_, steps) => expect(refusalOf(steps)).toBeUndefined());

it('nor is it told beside the papers', () => {
	const [first, second] = [ofSet('a'), ofSet('b')];
	expect(told(behind(saysFor('$("PDFs").item')), { items: [first, second] })).toEqual([]);
});

it.each<[string, Step[]]>([
	...['$("Event").first()', '$node["Event"]', '$("Event").all()[$itemIndex]'].map((one): [string, Step[]] => [
		`Code that takes the same in each turn: ${one}`,
		inFront(one),
	]),
	...['$node["Event"].json.customerId', '$("Event").all()[$itemIndex].json.customerId'].map(
		(one): [string, Step[]] => [
			`a mail that takes the same in each turn: ${one}`,
			[batch('Loop'), loop('PDFs'), papers('Mail'), back(`={{ ${one} }}`)],
		],
	),
	[
		'Code behind a loop of several at a time',
		inFront(NAMED).map((one) => (one.name === 'Loop' ? { ...one, parameters: { batchSize: 5 } } : one)),
	],
])('%s: refused', (_, steps) =>
	expect(refusalOf(steps)).toMatch(/^The step "(C|Mail)" takes what it says from one item of "Event"/),
);
