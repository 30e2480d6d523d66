import type { INodeParameters } from 'n8n-workflow';
import { refusalOf } from '../support/publishing';
import { event, mail, step, type Step } from '../support/stepsBehind';

/** Workflows whose If waits for a status as no event has it, and those that send the failures of a step: nobody publishes them. */

const asks = (
	leftValue: string,
	rightValue: string,
	operation = 'equals',
	options: INodeParameters = {},
) => ({
	conditions: { options, conditions: [{ leftValue, rightValue, operator: { type: 'string', operation } }] },
});
const STATUS = '={{ $json.status }}';
const list = (...to: string[]) =>
	step('PDFs', 'x.parcelDocumentExchange', { operation: 'getAllPdfs', onePerSet: true }, to);
const before = (parameters: object, type = 'if', ...to: string[][]) => [
	event('Ask'),
	step('Ask', type, parameters as INodeParameters, ...(to.length > 0 ? to : [['PDFs']])),
	list('Mail'),
	mail(),
];
const simplify = (steps: Step[]) =>
	steps.map((one) => (one.name === 'Event' ? { ...one, parameters: { simplify: false } } : one));

it.each<[string, Step[], RegExp]>([
	[
		'in small letters',
		before(asks(STATUS, 'Signed')),
		/"Signed", and the events have it as "SIGNED".* Write "SIGNED" there\.$/,
	],
	['with a blank', before(asks(STATUS, 'title held'), 'filter'), /as "TITLE_HELD"/],
	[
		'that is to differ',
		before(asks(STATUS, 'signed', 'notEquals')),
		/^The step "Ask" compares status with "signed"/,
	],
	[
		'by the name of the trigger, behind the papers',
		[
			event('PDFs'),
			list('Ask'),
			step('Ask', 'if', asks("={{ $('Event').item.json.status }}", 'Issued') as never, ['Mail']),
			mail(),
		],
		/"Issued", and the events have it as "ISSUED"/,
	],
	[
		'in one rule of a Switch',
		before(
			{ rules: { values: [asks(STATUS, 'SIGNED'), asks(STATUS, 'Issued')] } },
			'switch',
			['PDFs'],
			['PDFs'],
		),
		/"Issued"/,
	],
	['in brackets', before(asks('={{ $json["status"] }}', 'Signed')), /"Signed", and the events have it as/],
	['by the first event', before(asks('={{ $("Event").first().json.status }}', 'signed')), /as "SIGNED"/],
	[
		'after it was made small',
		before(asks('={{ $json.status.toLowerCase() }}', 'Signed')),
		/"Signed", and there it comes as "signed": .* Write "signed" there\.$/,
	],
	['after it was made large', before(asks('={{ $json.status.toUpperCase() }}', 'Signed')), /as "SIGNED"/],
	['within', before(asks(STATUS, 'Sign', 'contains')), /"Sign", and the events have it as "SIGN"/],
	['in an expression', before(asks('={{ $json.status === "Signed" }}', '')), /"Signed"/],
	['in an expression, the other way round', before(asks('={{ "Signed" == $json.status }}', '')), /"Signed"/],
	[
		'in a list',
		before(asks('={{ ["SIGNED", "Issued"].includes($json.status) }}', '')),
		/compares status with "Issued"/,
	],
	[
		'in an If of old',
		before({ conditions: { string: [{ value1: STATUS, value2: 'Signed' }] } }),
		/"Signed", and the events have it as "SIGNED"/,
	],
	[
		'in a Switch of old',
		before({ value1: STATUS, rules: { rules: [{ value2: 'Signed' }] } }, 'switch'),
		/"Signed", and the events have it as "SIGNED"/,
	],
	[
		'in a Switch by expression',
		before({ mode: 'expression', output: '={{ $json.status === "signed" ? 0 : 1 }}' }, 'switch'),
		/"signed", and the events have it as "SIGNED"/,
	],
	[
		'by a field of the service',
		before(asks('={{ $json.newStatus }}', 'Signed')),
		/^The step "Ask" compares newStatus with "Signed", and the events have no such field.* Drag the field status there, and write "SIGNED"\.$/,
	],
])('a status %s is refused', (_, steps, sentence) => expect(refusalOf(steps)).toMatch(sentence));

it.each<[string, Step[]]>([
	['as the events have it', before(asks(STATUS, 'SIGNED'))],
	['in any letters', before(asks(STATUS, 'Signed', 'equals', { caseSensitive: false }))],
	['within', before(asks(STATUS, 'SIGN', 'contains'))],
	['made small', before(asks('={{ $json.status.toLowerCase() }}', 'signed'))],
	['in an expression', before(asks('={{ $json.status === "SIGNED" || "ISSUED" === $json.status }}', ''))],
	['in a list', before(asks('={{ ["SIGNED", "ISSUED"].includes($json.status) }}', ''))],
	['made large itself', before(asks('={{ $json.status === "Signed".toUpperCase() }}', ''))],
	[
		'made large itself, in a list',
		before(asks('={{ ["Signed".toUpperCase()].includes($json.status) }}', '')),
	],
	['by a pattern', before(asks(STATUS, '^Sign', 'regex'))],
	['as it was made', before(asks('={{ $json.status.toTitleCase() }}', 'Signed'))],
	['in an If of old', before({ conditions: { string: [{ value1: STATUS, value2: 'SIGNED' }] } })],
	['of a number in an If of old', before({ conditions: { number: [{ value1: STATUS, value2: 2 }] } })],
	['by expression', before(asks(STATUS, '={{ $json.wanted }}'))],
	[
		'in both ways',
		before({
			conditions: {
				conditions: ['Signed', 'SIGNED'].map((word) => asks(STATUS, word).conditions.conditions[0]),
			},
		}),
	],
	['as the service sent it', simplify(before(asks('={{ $json.newStatus }}', 'Signed')))],
	[
		'of a step that may write it anew',
		[event('Set'), step('Set', 'set', {}, ['Ask']), ...before(asks(STATUS, 'Signed')).slice(1)],
	],
	[
		'of the papers',
		[event('PDFs'), list('Ask'), step('Ask', 'if', asks(STATUS, 'x') as never, ['Mail']), mail()],
	],
	[
		'in a step that is switched off',
		before(asks(STATUS, 'Signed')).map((one) => ({ ...one, disabled: one.name === 'Ask' })),
	],
	[
		'for a note beside the papers',
		[event('PDFs', 'Ask'), list('Mail'), mail(), step('Ask', 'if', asks(STATUS, 'Signed') as never)],
	],
	['of another field', before(asks('={{ $json.actor }}', 'Clerk'))],
])('one %s is not', (_, steps) => expect(refusalOf(steps)).toBeUndefined());

describe('a step of papers that goes on where it fails', () => {
	const papers = (onError: string | undefined, steps: Step[], more = {}) =>
		refusalOf(steps, [], { PDFs: { onError, ...more } });
	const direct = [event('PDFs'), list('Mail'), mail()];
	const behind = (left: string, operation = 'notExists') => [
		event('PDFs'),
		list('Ask'),
		step('Ask', 'if', asks(left, '', operation) as never, ['Mail']),
		mail(),
	];
	const GOES_ON = 'continueRegularOutput';

	it('is refused in front of a mail that attaches them', () => {
		expect(papers(GOES_ON, direct)).toMatch(/^On Error of "PDFs" is Continue: .* Choose Stop Workflow there/);
		expect(papers(undefined, direct, { continueOnFail: true })).toMatch(/^On Error of "PDFs"/);
		expect(papers(GOES_ON, behind('={{ $json.parcelRef }}', 'equals'))).toMatch(/^On Error/);
	});

	it('is refused where its error output leads to that mail', () => {
		const failed = (to: string[], ...between: Step[]) =>
			papers('continueErrorOutput', [
				event('PDFs'),
				{ ...list('Mail'), to: [['Mail'], to] },
				...between,
				mail(),
			]);
		const told = /^The error output of "PDFs" leads to "Mail"/;
		expect(failed(['Mail'])).toMatch(told);
		expect(failed(['Later'], step('Later', 'wait', {}, ['Mail']))).toMatch(told);
		expect(failed(['Note'], step('Note', 'slack'))).toBeUndefined();
		expect(failed(['Words'], step('Words', 'set', { includeOtherFields: true }, ['Mail']))).toBeUndefined();
		const asked = step('Ask', 'if', asks('={{ $json.attachments }}', '', 'exists') as never, ['Mail']);
		expect(failed(['Ask'], asked)).toBeUndefined();
		expect(failed(['Again'], { ...list('Mail'), name: 'Again' })).toBeUndefined();
		const mailThatSays = mail(undefined, { text: '={{ $json.error ?? "Papers" }}' });
		expect(
			papers('continueErrorOutput', [
				event('PDFs'),
				{ ...list('Mail'), to: [['Mail'], ['Mail']] },
				mailThatSays,
			]),
		).toBeUndefined();
	});

	it('is published where the failure is looked for, or said, or goes elsewhere', () => {
		expect(papers(GOES_ON, behind('={{ $json.error }}'))).toBeUndefined();
		expect(
			papers(GOES_ON, [event('PDFs'), list('Mail'), mail(undefined, { text: '={{ $json.error }}' })]),
		).toBeUndefined();
		expect(
			papers(GOES_ON, [event('PDFs'), list('C'), step('C', 'code', {}, ['Mail']), mail()]),
		).toBeUndefined();
		expect(
			papers(GOES_ON, [event('PDFs'), list('Drive'), step('Drive', 's3', { operation: 'upload' })]),
		).toBeUndefined();
		expect(papers('stopWorkflow', direct, { continueOnFail: true })).toBeUndefined();
		expect(papers(undefined, direct)).toBeUndefined();
	});
});
