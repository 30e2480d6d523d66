import { endingBehind, neverDone } from '../../nodes/ParcelDocumentExchange/parameters/endingLoop';
import { calledOnce } from '../../nodes/ParcelDocumentExchange/parameters/leftOver';
import type { Around } from '../../nodes/ParcelDocumentExchange/parameters/ways';
import { event, mail, pdfs, step, wired, type Step } from '../support/stepsBehind';

/** Steps behind a trigger, or a search, that no set ever comes to, though several do: what would get the papers never runs. */

const around = (steps: Step[], once: string[] = []) =>
	({
		getNode: () => steps[0],
		...wired(steps),
		workflow: { nodes: Object.fromEntries(once.map((name) => [name, { executeOnce: true }])) },
	}) as unknown as Around;

const loop = (...to: string[][]) => step('Loop', 'splitInBatches', {}, ...to);
const note = (...to: string[]) => step('Note', 'set', {}, to);
const ofVersion2 = (...to: string[][]) => ({ ...loop(...to), typeVersion: 2 });

it.each<[string, Step[]]>([
	['and nothing by its rounds', [event('Loop'), loop(['PDFs']), pdfs(), mail()]],
	['and another step by its rounds', [event('Loop'), loop(['PDFs'], ['Note']), note(), pdfs(), mail()]],
	[
		'by the second output, as it once was',
		[event('Loop'), ofVersion2(['Note'], ['PDFs']), note(), pdfs(), mail()],
	],
])('a loop to which nothing leads back gives the papers’ step nothing: %s', (_, steps) => {
	expect(neverDone(around(steps))).toEqual([
		expect.stringMatching(/^Nothing leads back to the loop "Loop", .* Done: "PDFs" behind it gets no set/),
	]);
});

it.each<[string, Step[]]>([
	['a line leads back', [event('Loop'), loop(['PDFs'], ['Note']), note('Loop'), pdfs(), mail()]],
	['the papers come by its rounds', [event('Loop'), loop([], ['PDFs']), pdfs(), mail()]],
	['they come past it as well', [event('Loop', 'PDFs'), loop(['PDFs']), pdfs(), mail()]],
	['it is off', [event('Loop'), { ...loop(['PDFs']), disabled: true }, pdfs(), mail()]],
])('it does not where %s', (_, steps) => expect(neverDone(around(steps))).toEqual([]));

it('a loop that may end before its papers’ step runs is told by what is in front of it', () => {
	const rows = step('Rows', 'dataTable', { operation: 'get' }, ['PDFs']);
	const steps = [event('Loop'), loop([], ['Rows']), rows, pdfs(), { ...mail(), to: [['Loop']] }];
	expect(endingBehind(around(steps))).toEqual([expect.stringMatching(/^Where "Rows" gives no item/)]);
	expect(endingBehind(around([event('Loop'), loop([], ['Rows']), { ...rows, to: [['Loop']] }]))).toEqual([]);
});

it('a sub-workflow that is called for the first of several alone is told, where nothing else gets papers', () => {
	const sub = step('Sub', 'executeWorkflow');
	const told = (items: number, once: string[], ...more: Step[]) =>
		calledOnce(around([event('Sub', ...more.map(({ name }) => name)), sub, ...more], once), items);
	expect(told(3, ['Sub'])).toEqual([expect.stringMatching(/^Execute Once is on in the settings of "Sub"/)]);
	expect(told(1, ['Sub'])).toEqual([]);
	expect(told(3, [])).toEqual([]);
	expect(told(3, ['Sub'], pdfs([]))).toEqual([]);
});
