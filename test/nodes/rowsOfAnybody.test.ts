import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { event, mail, pdfs, step, told, type Step } from '../support/stepsBehind';

/** A table in front that gives addresses of customers, whosever the event is: n8n sends everybody's papers there, green. */

const SET = { setId: 'a', customerId: 'c-1', vesselName: 'FAIR WIND', status: 'SIGNED' };
const CUSTOMER = 'customerId';
const toRow = (name = 'Table') => mail(undefined, { toEmail: `={{ $("${name}").item.json.email }}` });
const table = (filter: string | undefined, next = 'PDFs', type = 'dataTable') =>
	step('Table', type, filter === undefined ? {} : { filters: { keyName: CUSTOMER, keyValue: filter } }, [
		next,
	]);
const rows = [{ customerId: 'c-2', email: 'x@example.com' }];

const hints = (steps: Step[], items: IDataObject[] = rows, setIds: string[] = []) =>
	told(steps, {
		given: [
			{ ...steps[0]!, setIds: new Set(['a']), items: [SET] },
			{ ...steps[1]!, setIds: new Set(setIds), items },
		],
	}).filter((hint) => hint.includes('looks an address up'));
const asking = (value: string) => step('If', 'if', { conditions: { rightValue: value } }, ['Table']);
const edit = (parameters: INodeParameters) => step('Edit', 'set', parameters, ['PDFs']);

it.each<[string, () => string[]]>([
	['a customer that was typed', () => hints([event('Table'), table('c-2'), pdfs(), toRow()])],
	[
		'no filter, in a spreadsheet',
		() => hints([event('Table'), table(undefined, 'PDFs', 'googleSheets'), pdfs(), toRow()]),
	],
	[
		'a column of another name, while the event is of that customer',
		() => hints([event('Table'), table('c-1'), pdfs(), toRow()], [{ Firma: 'c-1', email: 'x@example.com' }]),
	],
	[
		'the vessel of the event, which was typed',
		() =>
			hints(
				[event('Table'), table('FAIR WIND'), pdfs(), toRow()],
				[{ ship: 'FAIR WIND', email: 'x@example.com' }],
			),
	],
	[
		'no filter behind an If that asks for something else',
		() => hints([event('If'), table(undefined), asking('SIGNED'), pdfs(), toRow()]),
	],
	[
		'an address that Edit Fields hands on',
		() =>
			hints([
				event('Table'),
				table('c-2', 'Edit'),
				edit({ email: '={{ $json.email }}' }),
				pdfs(),
				toRow('Edit'),
			]),
	],
])('%s is told', (_, run) => {
	expect(run()).toEqual([expect.stringMatching(/^"Table" looks an address up by nothing that came to it/)]);
});

it.each<[string, () => string[]]>([
	['a field of the event', () => hints([event('Table'), table('={{ $json.customerId }}'), pdfs(), toRow()])],
	[
		'the address of a desk',
		() => hints([event('Table'), table(undefined), pdfs(), toRow()], [{ email: 'x', customerService: 'y' }]),
	],
	['a mail that goes by something else', () => hints([event('Table'), table('c-2'), pdfs(), mail()])],
	[
		'rows among which a Filter chooses',
		() =>
			hints([
				event('Table'),
				table(undefined, 'Filter'),
				step('Filter', 'filter', {}, ['PDFs']),
				pdfs(),
				toRow(),
			]),
	],
	['rows that name the sets', () => hints([event('Table'), table(undefined), pdfs(), toRow()], rows, ['b'])],
	[
		'the row of a customer for which an If asks in front',
		() => hints([event('If'), table('c-2'), asking('c-2'), pdfs(), toRow()]),
	],
	[
		'the desk for a status',
		() =>
			hints([event('Table'), table(undefined), pdfs(), toRow()], [{ on: 'SIGNED', email: 'x@example.com' }]),
	],
	[
		'a table that comes first',
		() =>
			told([step('Clock', 'scheduleTrigger', {}, ['Table']), table(undefined), pdfs(), toRow()], {
				given: [{ ...table(undefined), setIds: new Set<string>(), items: rows }],
			}),
	],
	[
		'events of the one customer that was chosen',
		() =>
			hints([
				{ ...event('Table'), parameters: { options: { customerIds: ['c-2'] } } },
				...[table('c-2'), pdfs(), toRow()],
			]),
	],
])('%s is not', (_, run) => {
	expect(run()).toEqual([]);
});

describe('a sub-workflow that is called with an address alone', () => {
	const called = step('Called', 'executeWorkflowTrigger', {}, ['Search']);
	const search = (filters: INodeParameters, next = 'PDFs') =>
		step('Search', 'x.parcelDocumentExchange', { operation: 'search', limit: 1, filters }, [next]);
	const toCalled = mail(undefined, { toEmail: '={{ $("Called").first().json.to }}' });
	const said = (...steps: Step[]) =>
		told([called, ...steps, pdfs(), toCalled]).filter((one) => one.includes('goes by nothing that came'));

	it('and finds sets by nothing that came is told', () =>
		expect(said(search({}))).toEqual([
			expect.stringMatching(/^"Search" goes by nothing that came with "Called", and what is sent/),
		]));

	it('is not told where it asks for what came', () => {
		const asks = '={{ $("Called").first().json.reference }}';
		expect(said(search({ referenceContains: '={{ $json.reference }}' }))).toEqual([]);
		expect(
			said(search({}, 'Filter'), step('Filter', 'filter', { conditions: { rightValue: asks } }, ['PDFs'])),
		).toEqual([]);
	});
});
