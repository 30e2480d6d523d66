import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { refuseRowOfOther } from '../../nodes/ParcelDocumentExchange/actions/rowOfOther';
import type { StepOfRun } from '../../nodes/ParcelDocumentExchange/parameters/stepsInFront';
import { event, mail, ofSet, step, wired, type Step } from '../support/stepsBehind';

/** A Merge behind the papers that puts them together with rows of customers, and looks at none of them. */

const OURS = 'x.parcelDocumentExchange';
const SET = '33333333-3333-4333-8333-333333333333';
const CUSTOMERS = ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222'] as const;
const [OTHER, OWN] = [
	{ customerId: CUSTOMERS[0], email: 'c0@x' },
	{ customerId: CUSTOMERS[1], email: 'c1@x' },
];

interface World {
	how?: 'combineByPosition' | 'combineAll';
	/** What the table gave; nothing where it has not run. */
	rows?: IDataObject[];
	asked?: INodeParameters;
	/** Steps between the Merge and the mail. */
	between?: Step[];
	to?: string;
	/** What a table in front of the papers gave. */
	front?: IDataObject[];
	/** Whether the table stands behind the papers. */
	isBehind?: boolean;
	/** A step between the event and the rows. */
	past?: Step;
	/** How often the papers were asked for before, in a loop. */
	rounds?: number;
}

const BY_CUSTOMER = { lookup: '={{ $("Event").item.json.customerId }}' };

async function told({
	how = 'combineByPosition',
	rows = [OTHER, OWN],
	asked = {},
	between = [],
	to = '={{ $json.email }}',
	front = [],
	isBehind = false,
	past,
	rounds = 0,
}: World = {}): Promise<string[]> {
	const ofEvent = { eventId: 'e', setId: SET, customerId: OWN.customerId, status: 'SIGNED' };
	const steps = [
		event('Table', ...(isBehind ? [] : [past?.name ?? 'Rows'])),
		...(past ? [past] : []),
		step('Table', 'googleSheets', { operation: 'read' }, ['PDFs']),
		step('PDFs', OURS, { operation: 'getAllPdfs', onePerSet: true }, [
			'Merge',
			...(isBehind ? ['Rows'] : []),
		]),
		step('Rows', 'googleSheets', { operation: 'read', ...asked }, ['Merge#2']),
		step('Merge', 'merge', { mode: 'combine', combineBy: how }, [between[0]?.name ?? 'Mail']),
		...between,
		mail('={{ $json.attachments }}', { toEmail: to }),
	];
	const gave: Record<string, IDataObject[]> = { Event: [ofEvent], Table: front, Rows: rows };
	const itemsOf = (name: string) => (gave[name] ?? []).map((json) => ({ json }));
	const gaveOnce = [{ data: { main: [itemsOf('Rows')] } }];
	const inFront = { name: 'Event', type: 'x.parcelDocumentExchangeTrigger', items: [ofEvent] };
	const context = {
		...wired(steps),
		getNode: () => ({ name: 'PDFs', type: OURS, typeVersion: 1, parameters: {} }),
		getWorkflowDataProxy: () => ({
			$: (name: string) => ({ item: itemsOf(name)[0], all: () => itemsOf(name) }),
		}),
		runExecutionData: {
			resultData: { runData: { Rows: gaveOnce, PDFs: Array.from({ length: rounds }, () => gaveOnce[0]) } },
		},
		evaluateExpression: (text: string) =>
			new Function('$', `return ${text.replaceAll(/^=?\{\{|\}\}$/g, '')}`)((name: string) => ({
				first: () => itemsOf(name)[0],
			})) as unknown,
	};
	const ofRun = {
		...{
			...inFront,
			events: [],
			eventIds: new Set(),
			setIds: new Set([SET]),
			mostTaken: 1,
			parents: () => [],
		},
		typed: { ids: new Set(), words: new Set() },
	} as unknown as StepOfRun;
	const table = { name: 'Table', type: 'n8n-nodes-base.googleSheets', items: front, setIds: new Set() };
	const given = [ofRun, { ...ofRun, ...table } as unknown as StepOfRun];
	return await refuseRowOfOther(context as never, [ofSet(SET)], given, new Map(), async () => new Map());
}

const HINT =
	/^"Merge" puts the papers together with (each|a) row of "Rows", whosever they are, and "Mail" goes by that\. /;
const REFUSED = /^What is sent goes by the row of somebody else: in "Rows", its customerId is 1111/;

it.each<[string, World]>([
	['the first row of a table', {}],
	['all rows of it', { how: 'combineAll' }],
	['the one that was typed to try it', { rows: [OTHER], asked: { lookup: CUSTOMERS[0] } }],
	['the first row behind a Wait', { between: [step('Wait', 'wait', {}, ['Mail'])] }],
])('refuses %s that is put together with papers of another', async (_, world) => {
	await expect(told(world)).rejects.toThrow(REFUSED);
});

it('refuses the row of a table in front, whatever such a Merge is to bring, and has not brought yet', async () => {
	const to = '={{ $("Table").first().json.email }}';
	for (const how of ['combineByPosition', 'combineAll'] as const)
		await expect(told({ how, rows: [], front: [OTHER, OWN], to })).rejects.toThrow(
			/^What is sent .* "Table"/,
		);
});

it('looks at no rows that came for the papers before, in a loop', async () => {
	expect(await told({ rows: [OTHER], rounds: 1 })).toEqual([expect.stringMatching(HINT)]);
	expect(await told({ rows: [OTHER], rounds: 1, asked: BY_CUSTOMER })).toEqual([]);
});

it('hints at it where the rows have not come yet, or the first of several is nobody’s', async () => {
	for (const how of ['combineByPosition', 'combineAll'] as const) {
		expect(await told({ how, rows: [] })).toEqual([expect.stringMatching(HINT)]);
		expect(await told({ how, rows: [], asked: BY_CUSTOMER })).toEqual([]);
		expect(await told({ how, rows: [], to: 'desk@x' })).toEqual([]);
	}
	const past = step('Set', OURS, { operation: 'get', setId: '={{ $json.setId }}' }, ['Rows']);
	expect(await told({ past, rows: [] })).toEqual([expect.stringMatching(HINT)]);
	expect(await told({ past, rows: [], asked: BY_CUSTOMER })).toEqual([]);
	expect(await told({ isBehind: true, rows: [] })).toEqual([expect.stringMatching(HINT)]);
	expect(await told({ isBehind: true, rows: [], asked: BY_CUSTOMER })).toEqual([]);
	const team = ['Kim', 'Lee'].map((name) => ({ name, email: `${name}@x` }));
	expect(await told({ rows: team })).toEqual([expect.stringMatching(HINT)]);
	expect(await told({ rows: team, how: 'combineAll' })).toEqual([]);
});

it.each<[string, World]>([
	['the own row', { rows: [OWN], asked: BY_CUSTOMER }],
	['what a table has for the customer', { rows: [OTHER], asked: BY_CUSTOMER, how: 'combineAll' }],
	['the one row of a table, of nobody', { rows: [{ email: 'desk@x' }] }],
	[
		'all rows, of which a Filter leaves the own',
		{
			how: 'combineAll',
			between: [step('F', 'filter', { own: '={{ $("Event").item.json.customerId }}' }, ['Mail'])],
		},
	],
])('goes on with %s', async (_, world) => expect(await told(world)).toEqual([]));
