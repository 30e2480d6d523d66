import type { INodeParameters } from 'n8n-workflow';
import { rowless } from '../../nodes/ParcelDocumentExchange/actions/rowless';
import { mail, step, wired, type Step } from '../support/stepsBehind';

/** A Merge behind the papers, with rows that have come already. */

const OURS = 'x.parcelDocumentExchange';
const BY_CUSTOMER = { mode: 'combine', combineBy: 'combineByFields', fieldsToMatchString: 'customerId' };

const BY_SET = {
	...{ advanced: true, mergeByFields: { values: [{ field1: 'setId', field2: 'customerId' }] } },
};

interface World {
	merge?: INodeParameters;
	rows?: string[];
	between?: Step[];
	papers?: boolean;
	swapped?: boolean;
	by?: string;
}

function hints({
	merge = {},
	rows = ['c1', 'c2'],
	between = [],
	papers = true,
	swapped = false,
	by = '',
}: World = {}) {
	const [first, second] = swapped ? ['Merge#2', 'Merge'] : ['Merge', 'Merge#2'];
	const steps = [
		step('Rows', 'dataTable', { operation: 'get', by }, [second]),
		step('PDFs', OURS, { operation: 'getAllPdfs', onePerSet: true }, [between[0]?.name ?? first]),
		...between.map((one) => ({ ...one, to: [[first]] })),
		step('Merge', 'merge', { ...BY_CUSTOMER, ...merge }, ['Mail']),
		mail(),
	];
	const ofSet = (setId: string, customerId?: string) => ({
		json: { setId, ...(customerId && { customerId, number: Number(customerId.slice(1)) }) },
		...(papers && { binary: { data: { mimeType: '', data: '' } } }),
	});
	const items = [ofSet('a', 'c1'), ofSet('a', 'c1'), ofSet('b', 'c2'), ofSet('c', 'c3'), ofSet('d')];
	const gave = rows.map((customerId) => ({ json: { customerId, number: customerId.slice(1) } }));
	return rowless(
		{
			...wired(steps),
			getNode: () => ({ name: 'PDFs', type: OURS, typeVersion: 1, parameters: {} }),
			runExecutionData: { resultData: { runData: { Rows: [{ data: { main: [gave] }, source: [] }] } } },
		} as never,
		items,
	);
}

const told = (count: number, input = 1) =>
	`${count} of 4 sets have no row in "Rows", and "Merge" keeps matches alone: their papers would go to nobody. If they are meant too, see that there is a row for each, or choose Enrich Input ${input} for Output Type there.`;

it('who builds is told of sets that have no row', () => {
	expect(hints()).toEqual([told(2)]);
	expect(hints({ rows: ['c2', 'c3', 'c3'] })).toEqual([told(2)]);
	expect(hints({ rows: ['c9'] })).toEqual([told(4)]);
	expect(hints({ swapped: true })).toEqual([told(2, 2)]);
	expect(hints({ merge: { joinMode: 'enrichInput2' } })).toEqual([told(2)]);
	expect(hints({ between: [step('Wait', 'wait')] })).toEqual([told(2)]);
	// A Merge may take a number for the text of it.
	expect(hints({ merge: { fieldsToMatchString: 'number' } })).toEqual([told(2)]);
	expect(hints({ merge: BY_SET })).toEqual([told(4)]);
});

it('so is who builds it while no rows have come, in case there are some', () => {
	const mayBe =
		'"Merge" keeps matches alone: the papers of a set that has no row in "Rows" would go to nobody. If all are meant, choose Enrich Input 1 for Output Type there: what is sent to nobody then fails, and you see it.';
	expect(hints({ rows: [] })).toEqual([mayBe]);
	expect(hints({ rows: [], merge: { joinMode: 'keepEverything' } })).toEqual([]);
});

it.each<[string, World]>([
	['each has one', { rows: ['a', 'b', 'c', 'd'], merge: BY_SET }],
	['all are kept', { merge: { joinMode: 'keepEverything' } }],
	['those of this input are kept', { merge: { joinMode: 'enrichInput1' } }],
	['those without one are meant', { merge: { joinMode: 'keepNonMatches' } }],
	['it goes by the place', { merge: { combineBy: 'combineByPosition' } }],
	['it adds one list to the other', { merge: { mode: 'append' } }],
	['small letters may stand for capitals', { merge: { options: { fuzzyCompare: true } } }],
	['a field in a field is asked for', { merge: { fieldsToMatchString: 'customer.id' } }],
	['no rows have come yet, and they are asked for by each', { rows: [], by: '={{ $json.customerId }}' }],
	['a Filter between leaves sets out', { between: [step('F', 'filter')] }],
	['there are no papers', { papers: false }],
])('nobody is told where %s', (_, world) => {
	expect(hints(world)).toEqual([]);
});
