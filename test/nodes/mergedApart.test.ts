import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { refuseMergedApart } from '../../nodes/ParcelDocumentExchange/actions/mergedApart';
import { mail, step, wired } from '../support/stepsBehind';

/** A Merge in front with the rows of a table that are meant for several sets, though each names one of them. */

const OURS = 'x.parcelDocumentExchange';
const SETS = ['P-1', 'P-2'].map((parcelRef, index) => ({ setId: `set ${index}`, parcelRef }));
/** Of a shipment with both, and of another. */
const ROWS = [
	{ email: 's1', lead: 'P-1', made: '2026-11-25T10:00:00.000Z' },
	{ email: 's2', lead: 'P-9', made: '2026-11-25T10:00:00.001Z' },
];

type Pair = [set: number, row: number];
const EACH: Pair[] = [
	[0, 0],
	[1, 0],
	[0, 1],
	[1, 1],
];

interface Asked {
	how: INodeParameters;
	gave?: Pair[];
	/** Which of them a Filter lets through. */
	left?: number[];
	/** Which step stands behind that, and whether n8n links what it gives. */
	then?: string;
	isUnlinked?: boolean;
	field?: string;
	rows?: IDataObject[];
}

function refuse({ how, gave = [EACH[0]!, EACH[1]!], left, field = 'email', rows = ROWS, ...more }: Asked) {
	const { then, isUnlinked } = more;
	const filter = left ? 'Filter' : 'PDFs';
	const last = then ? 'Then' : 'PDFs';
	const steps = [
		step('Search', OURS, { operation: 'search' }, ['Merge']),
		step('Rows', 'code', {}, ['Merge#2']),
		step('Merge', 'merge', how, [filter]),
		...(left ? [step('Filter', 'filter', {}, [last])] : []),
		...(then ? [step('Then', then, {}, ['PDFs'])] : []),
		step('PDFs', OURS, { operation: 'getAllPdfs', onePerSet: true }, ['Mail']),
		mail(undefined, { toEmail: `={{ $("Merge").item.json.${field} }}` }),
	];
	const merged = gave.map(([set, row]): INodeExecutionData => ({
		json: { ...rows[row], ...SETS[set] },
		pairedItem: [
			{ item: set, input: 0 },
			{ item: row, input: 1 },
		],
	}));
	const ran = (items: INodeExecutionData[], ...from: string[]) => [
		{ data: { main: [items] }, source: from.map((previousNode) => ({ previousNode })) },
	];
	const runData = {
		Search: ran(SETS.map((json) => ({ json }))),
		Rows: ran(rows.map((json) => ({ json }))),
		Merge: ran(merged, 'Search', 'Rows'),
		...(left && {
			Filter: ran(
				left.map((item) => ({ ...merged[item]!, pairedItem: { item } })),
				'Merge',
			),
		}),
		...(then && {
			Then: ran(
				(then === 'splitInBatches' ? [0] : left!.map((_, index) => index)).map((item) => ({
					...merged[left![item]!]!,
					pairedItem: isUnlinked ? undefined : { item },
				})),
				'Filter',
			),
		}),
	};
	const context = {
		...wired(steps),
		getNode: () => ({ name: 'PDFs', type: OURS, typeVersion: 1, parameters: {} }),
		runExecutionData: { resultData: { runData } },
		executeData: { source: { main: [{ previousNode: then ? 'Then' : left ? 'Filter' : 'Merge' }] } },
	};
	const setIds = new Set(SETS.map(({ setId }) => setId));
	refuseMergedApart(
		context as never,
		[{ name: 'Search', type: OURS, items: SETS, setIds, events: [] }] as never,
	);
}

const REFUSED = /^"Merge" brought together what came of different sets/;
const sql = { mode: 'combineBySql' };
const combineAll = { mode: 'combine', combineBy: 'combineAll' };
const byPosition = { mode: 'combine', combineBy: 'combineByPosition' };

it('a Merge by SQL with one row for several sets is not refused', () => {
	expect(() => refuse({ how: sql })).not.toThrow();
	expect(() => refuse({ how: byPosition })).toThrow(REFUSED);
	const own = [ROWS[0]!, { ...ROWS[1]!, lead: 'P-2' }];
	expect(() => refuse({ how: sql, rows: own })).toThrow(REFUSED);
});

it('all possible combinations, of which a Filter chose those that belong together, are not', () => {
	expect(() => refuse({ how: combineAll, gave: EACH, left: [0, 1] })).not.toThrow();
	expect(() => refuse({ how: combineAll, gave: EACH })).toThrow(REFUSED);
	expect(() => refuse({ how: combineAll, gave: EACH, left: [0, 1, 2, 3] })).toThrow(REFUSED);
	const own = [ROWS[0]!, { ...ROWS[1]!, lead: 'P-2' }];
	expect(() => refuse({ how: combineAll, gave: EACH, left: [0, 3], rows: own })).not.toThrow();
	expect(() => refuse({ how: combineAll, gave: EACH, left: [0, 1], rows: own })).toThrow(REFUSED);
});

it.each(['sort', 'set', 'code'])('nor are those that came by %s from there', (type) => {
	expect(() => refuse({ how: combineAll, gave: EACH, left: [0, 1], then: type })).not.toThrow();
	expect(() => refuse({ how: combineAll, gave: EACH, left: [0, 1, 2, 3], then: type })).toThrow(REFUSED);
	const own = [ROWS[0]!, { ...ROWS[1]!, lead: 'P-2' }];
	expect(() => refuse({ how: combineAll, gave: EACH, left: [0, 1], rows: own, then: type })).toThrow(REFUSED);
	expect(() => refuse({ how: byPosition, left: [1], then: type })).toThrow(REFUSED);
});

it('nor is what a loop gives one by one, nor what was made anew', () => {
	const way = { how: combineAll, gave: EACH, left: [0, 1] };
	expect(() => refuse({ ...way, then: 'splitInBatches' })).not.toThrow();
	const own = [ROWS[0]!, { ...ROWS[1]!, lead: 'P-2' }];
	expect(() => refuse({ ...way, rows: own, then: 'splitInBatches' })).toThrow(REFUSED);
	expect(() => refuse({ ...way, then: 'code', isUnlinked: true })).not.toThrow();
	expect(() => refuse({ how: byPosition, left: [0, 1], then: 'code', isUnlinked: true })).toThrow(REFUSED);
});

it('a time that differs from row to row is no sign', () => {
	const own = [ROWS[0]!, { ...ROWS[1]!, lead: 'P-2' }];
	expect(() => refuse({ how: sql, rows: own, field: 'made' })).not.toThrow();
});
