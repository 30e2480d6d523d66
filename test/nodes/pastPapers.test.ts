import type { INodeParameters } from 'n8n-workflow';
import { refusalOf } from '../support/publishing';
import { event, mail, step, type Step } from '../support/stepsBehind';

/** Mails that get an event with its papers, and once more without: nobody publishes them, unless they may be meant. */

const papers = step('PDFs', 'x.parcelDocumentExchange', { operation: 'getAllPdfs', onePerSet: true }, [
	'Mail',
]);
const past = (type: string, parameters: INodeParameters = {}, ...to: string[][]) => [
	event('PDFs', 'Step'),
	papers,
	step('Step', type, parameters, ...(to.length > 0 ? to : [['Mail']])),
	mail(),
];
const appended = (parameters: INodeParameters) => [
	event('PDFs', 'Merge#2'),
	{ ...papers, to: [['Merge']] },
	step('Merge', 'merge', parameters, ['Mail']),
	mail(),
];

it.each<[string, Step[]]>([
	['by a line of its own', [event('PDFs', 'Mail'), papers, mail()]],
	['behind Edit Fields', past('set')],
	['behind a step that hands all on', past('sort')],
	['by a Merge that puts both one after the other', appended({ mode: 'append' })],
	['by a Merge as it comes', appended({})],
])('an event that comes to a mail past its papers %s is refused', (_, steps) => {
	expect(refusalOf(steps)).toBe(
		'"Event" leads to "Mail" past "PDFs" as well: each event would send one mail with its papers, and one without. Take that line out, or give it a mail of its own.',
	);
});

it.each<[string, Step[]]>([
	['what an If decides', past('if', {}, ['Mail'])],
	['an If for both ways', [event('If'), step('If', 'if', {}, ['PDFs'], ['Mail']), papers, mail()]],
	['a reminder after a Wait', past('wait')],
	['a form', [event('PDFs'), step('Form', 'formTrigger', {}, ['Mail']), papers, mail()]],
	['a Merge that combines', appended({ mode: 'combine' })],
	[
		'a mail that says otherwise without papers',
		[
			event('PDFs', 'Mail'),
			papers,
			mail('={{ $json.attachments || "" }}', { text: '={{ $json.attachments ? 1 : 2 }}' }),
		],
	],
	['a mail of words', [event('PDFs', 'Note'), papers, mail(), { ...mail(''), name: 'Note' }]],
])('%s is published', (_, steps) => expect(refusalOf(steps)).toBeUndefined());
