import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { startService, type ParcelSet, type Service } from '../../sandbox/service';
import { runAction } from '../support/actionNode';
import type { NodeRun } from '../support/engine';

/** A search gives several sets, and steps between go on with some of them alone: green, and who builds it is told. */

let service: Service;
let sets: ParcelSet[];
beforeAll(async () => {
	service = await startService();
	sets = [3, 50, 140].map((index) => service.data.sets[index]!);
});
afterAll(() => service.close());

const found = ({ setId, parcelRef, documents }: ParcelSet): IDataObject => ({
	...{ setId, parcelRef, status: 'SIGNED' },
	documents: documents.map(({ documentId }) => ({ documentId })),
});
const linked = (all: IDataObject[]): INodeExecutionData[] =>
	all.map((json, item) => ({ json, pairedItem: { item } }));

/** What is told where a step of that type, behind the search, gives those items. */
async function hints(
	type: string,
	gave: IDataObject[],
	{ typed = {}, ...more }: IDataObject & { typed?: IDataObject } = {},
	settings: Partial<NodeRun> = {},
): Promise<string[]> {
	const run = await runAction(
		service.baseUrl,
		{
			...{ resource: 'document', operation: 'getAllPdfs', setId: '={{ $json.setId }}', lookup: {} },
			...{ options: { waitSeconds: 0 }, ...more },
		},
		{
			items: linked(gave),
			before: {
				...{ type: 'x.parcelDocumentExchange', typed: { operation: 'search', limit: 50 } },
				items: linked(sets.map(found)),
			},
			typed: { type: `n8n-nodes-base.${type}`, ...typed },
			...settings,
		},
	);
	expect(run.error).toBeUndefined();
	return run.hints.map(({ message }) => message);
}

const all = () => sets.map(found);
const first = () => all().slice(0, 1);
const wentOn = (what: string | number) =>
	`3 sets came to "Input", and it went on with ${what}: the papers of the others would go to nobody. If they are meant too, have it hand each on, or take it out.`;

const foundFor = (what: string | number) =>
	`3 sets came to "Input", and it found something for ${what}: the papers of the others would go to nobody. If they are meant too, see that there is a row for each.`;

it.each<[string, () => IDataObject[], IDataObject, RegExp | string]>([
	[
		'aggregate',
		() => [{ data: all() }],
		{ setId: '={{ $json.data[0].setId }}' },
		/^The input item holds 3 sets/,
	],
	[
		'aggregate',
		() => [{ setId: sets.map(({ setId }) => setId) }],
		{ setId: '={{ $json.setId[0] }}' },
		/^The input item holds 3 sets/,
	],
	['summarize', () => [{ min: sets[0]!.setId }], { setId: '={{ $json.min }}' }, wentOn(1)],
	['limit', first, { typed: { maxItems: 1 } }, /^The step "Input" lets no more items through than 1/],
	['itemLists', first, { typed: { operation: 'limit', maxItems: 1 } }, /lets no more items through than 1/],
	[
		'removeDuplicates',
		first,
		{ typed: { compare: 'selectedFields', fieldsToCompare: 'status' } },
		/takes items for the same by status/,
	],
	[
		'itemLists',
		first,
		{ typed: { operation: 'removeDuplicates', compare: 'selectedFields', fieldsToCompare: 'status' } },
		/takes items for the same by status/,
	],
	['code', first, { typed: { jsCode: 'return [$input.first()];' } }, wentOn(1)],
	['executeWorkflow', first, {}, wentOn(1)],
	['dataTable', first, { typed: { operation: 'get' } }, foundFor(1)],
	['googleSheets', () => [{ email: 'a' }], { setId: '={{ $("Event").item.json.setId }}' }, foundFor('fewer')],
	// Of what names none, there are fewer.
	[
		'gmail',
		() => [{ approved: true }],
		{ setId: '={{ $("Event").first().json.setId }}' },
		wentOn('fewer items'),
	],
])('of several sets, %s lets some go', async (type, gave, more, told) => {
	expect(await hints(type, gave(), more)).toEqual([
		typeof told === 'string' ? told : expect.stringMatching(told),
	]);
});

it.each<[string, string, () => IDataObject[], IDataObject]>([
	['a Filter', 'filter', first, {}],
	[
		'a table that is asked for whom there is a row',
		'dataTable',
		first,
		{ typed: { operation: 'rowExists' } },
	],
	[
		'what is in no list',
		'merge',
		first,
		{ typed: { mode: 'combine', fieldsToMatchString: 'setId', joinMode: 'keepNonMatches' } },
	],
	['Code that asks', 'code', first, { typed: { jsCode: 'return items.filter((one) => one.json.a);' } }],
	[
		'what came in earlier runs',
		'removeDuplicates',
		first,
		{ typed: { operation: 'removeItemsSeenInPreviousExecutions', dedupeValue: '={{ $json.setId }}' } },
	],
	['one that hands each on', 'noOp', all, {}],
	[
		'a row for each',
		'httpRequest',
		() => [{ email: 'a' }, { email: 'b' }, { email: 'c' }],
		{ setId: '={{ $("Event").item.json.setId }}' },
	],
	['a limit that is not reached', 'limit', all, { typed: { maxItems: 10 } }],
])('nothing is told of %s', async (_, type, gave, more) => {
	expect(await hints(type, gave(), more)).toEqual([]);
});

it('documents that are taken one by one, too', async () => {
	const getPdf = {
		...{ operation: 'getPdf', setId: '={{ $json.setId }}', documentId: '={{ $json.documentId }}' },
	};
	const [set] = sets;
	sets = [set!];
	try {
		const one = [{ setId: set!.setId, documentId: set!.documents[0]!.documentId }];
		expect(await hints('code', one, { ...getPdf, typed: { jsCode: 'return [items[0]];' } })).toEqual([
			expect.stringMatching(/^\d documents came to "Input", and it went on with 1/),
		]);
		expect(await hints('filter', one, getPdf)).toEqual([]);
		const byType = { assignments: '={{ $json.documents.find((one) => one.docType === "BILL").documentId }}' };
		expect(await hints('set', one, { ...getPdf, typed: byType })).toEqual([]);
	} finally {
		sets = [3, 50, 140].map((index) => service.data.sets[index]!);
	}
});

it('nothing is told of a list beside the one set that a run was asked for', async () => {
	const { hints: told, error } = await runAction(
		service.baseUrl,
		{
			...{ resource: 'document', operation: 'getAllPdfs', lookup: {}, options: { waitSeconds: 0 } },
			setId: '={{ $("Event").first().json.body.setId }}',
		},
		{
			items: linked(all()),
			before: { type: 'n8n-nodes-base.webhook', items: [{ json: { body: { setId: sets[0]!.setId } } }] },
			typed: { type: 'x.parcelDocumentExchange', resource: 'set', operation: 'search', limit: 50 },
			merged: { items: [{ json: { data: all() }, pairedItem: { item: 0, input: 1 } }] },
		},
	);
	expect(error).toBeUndefined();
	expect(told).toEqual([]);
});

it('nothing is told of a step past which the sets come, and of which a later one lets some go', async () => {
	const { hints: told } = await runAction(
		service.baseUrl,
		{
			...{ resource: 'document', operation: 'getAllPdfs', lookup: {}, options: { waitSeconds: 0 } },
			setId: '={{ $json.setId }}',
		},
		{
			items: [{ json: { sender: 'desk@example.com' }, pairedItem: { item: 0 } }],
			before: { type: 'x.parcelDocumentExchange', typed: { operation: 'search' }, items: linked(all()) },
			typed: { type: 'n8n-nodes-base.set', assignments: 'desk@example.com' },
			merged: { items: linked(first()), typed: { mode: 'combineBySql' } },
		},
	);
	expect(told.map(({ message }) => message).filter((message) => message.includes('"Input"'))).toEqual([]);
});

it('nothing is told of one address for several sets', async () => {
	const boss = all().map(() => ({ to: 'boss@example.com' }));
	expect(await hints('noOp', boss, { setId: '={{ $("Event").item.json.setId }}' })).toEqual([]);
});

it('items that came twice, alike in all', async () => {
	expect(await hints('noOp', [...all(), ...first()])).toEqual([
		expect.stringMatching(/^One item of the input came more than once/),
	]);
	const forTwo = ['a', 'b'].flatMap((to) => all().map((one) => ({ ...one, to })));
	expect(await hints('noOp', forTwo)).toEqual([]);
});

describe('a Merge in front', () => {
	const merged = (
		pairs: Array<[number, number]>,
		to: (index: number) => string,
		combineBy = 'combineByFields',
		typed: IDataObject = { type: 'n8n-nodes-base.set', assignments: '={{ $json.parcelRef }}' },
		more: (index: number) => IDataObject = () => ({}),
		count = sets.length,
		gave: (index: number) => IDataObject = () => ({}),
		how: IDataObject = {},
	) => {
		const addresses = sets.map((_, index) => ({ to: to(index), shipmentRef: 'S', ...more(index) }));
		return runAction(
			service.baseUrl,
			{
				...{ resource: 'document', operation: 'getAllPdfs', setId: '={{ $json.setId }}', lookup: {} },
				...{ options: { waitSeconds: 0 }, onePerSet: true },
			},
			{
				items: linked(addresses.slice(0, count)),
				before: {
					...{ type: 'x.parcelDocumentExchange', typed: { operation: 'search' } },
					items: linked(all().map((one, index) => ({ ...one, ...gave(index) }))),
				},
				typed,
				merged: {
					items: pairs.map(([set, address]) => ({
						// A row names the set that it is of, too.
						json: { ...addresses[address], row: all()[address]!.parcelRef, ...all()[set] },
						pairedItem: [
							{ item: set, input: 0 },
							{ item: address, input: 1 },
						],
					})),
					typed: { mode: 'combine', combineBy, fieldsToMatchString: 'shipmentRef', ...how },
				},
				afterType: 'n8n-nodes-base.emailSend',
				after: { toEmail: '={{ $("Merge").item.json.to }}', attachments: '={{ $json.attachments }}' },
			},
		);
	};
	const own: Array<[number, number]> = [0, 1, 2].map((index) => [index, index]);

	it('that brings together what came of different sets is refused where a mail goes by it', async () => {
		for (const [pairs, how] of [
			[[...own, [0, 1]], 'combineByFields'],
			[[[1, 2]], 'combineByPosition'],
		] as Array<[Array<[number, number]>, string]>) {
			const { error, items } = await merged(pairs, (index) => `${index}@example.com`, how);
			expect(items).toEqual([]);
			expect(error?.message).toBe(
				'"Merge" brought together what came of different sets, and what is sent goes by it',
			);
		}
	});

	it('that finds no match for a set is told, unless it is there for those that have none', async () => {
		const told = async (how: IDataObject = {}) => {
			const { error, hints } = await merged(
				own.slice(0, 2),
				(index) => `${index}@example.com`,
				...([undefined, undefined, undefined, 3, undefined, how] as const),
			);
			expect(error).toBeUndefined();
			return hints.map(({ message }) => message);
		};
		expect(await told()).toEqual([
			expect.stringMatching(/^3 sets came to "Merge", and it found something for 2/),
		]);
		expect(await told({ joinMode: 'keepNonMatches' })).toEqual([]);
	});

	it('is not where each set got its own, or the same', async () => {
		expect((await merged(own, (index) => `${index}@example.com`)).error).toBeUndefined();
		expect((await merged([...own, [0, 1]], () => 'agent@example.com')).error).toBeUndefined();
		// One row for both, of which Remove Duplicates left the other out.
		const forBoth: Array<[number, number]> = [own[0]!, [1, 0]];
		const of = (index: number) => `${index}@example.com`;
		const typed = { type: 'n8n-nodes-base.removeDuplicates', fieldsToCompare: 'shipmentRef' };
		const left = (gave?: (index: number) => IDataObject) =>
			merged(forBoth, of, undefined, typed, undefined, 1, gave);
		expect((await left()).error).toBeUndefined();
		expect((await left(() => ({ to: of(0) }))).error).toBeUndefined();
		expect((await left((index) => ({ to: of(index) }))).error).toBeDefined();
	});

	it('is where it took the first that matches, and the row of the set itself says otherwise', async () => {
		const first: Array<[number, number]> = [own[0]!, [1, 0], own[2]!];
		expect((await merged(first, (index) => `${index}@example.com`)).error).toBeDefined();
		expect((await merged(first, (index) => (index < 2 ? 'a' : 'b'))).error).toBeUndefined();
	});

	it('is not where Code gave a list of something else that is as long as the sets are many', async () => {
		const shipment = (index: number) => ({ shipmentRef: `S-${index}` });
		const list = (index: number) => shipment(2 - index);
		const turned: Array<[number, number]> = [0, 1, 2].map((index) => [index, 2 - index]);
		const code = { type: 'n8n-nodes-base.code', jsCode: 'return shipments' };
		const bring = (...more: [merge?: IDataObject, row?: (index: number) => IDataObject]) =>
			merged(
				turned,
				(index) => `${index}@example.com`,
				'combineByFields',
				code,
				more[1] ?? list,
				3,
				shipment,
				more[0],
			);
		expect((await bring()).error).toBeUndefined();
		const pairs = (field2: string) => ({
			advanced: true,
			mergeByFields: { values: [{ field1: 'shipmentRef', field2 }] },
		});
		expect((await bring(pairs('shipmentRef'))).error).toBeUndefined();
		expect((await bring(pairs('shipment'))).error).toBeDefined();
		const alike = () => ({ shipmentRef: 'S' });
		expect((await bring({}, alike)).error).toBeDefined();
	});

	it('is not where it brings what was typed for all to each', async () => {
		const once: Array<[number, number]> = [0, 1, 2].map((index) => [index, 0]);
		const ofEach = (typed?: IDataObject, count = 1) =>
			merged(once, () => 'desk@example.com', 'combineAll', typed, undefined, count);
		const typed = { type: 'n8n-nodes-base.set', assignments: 'desk@example.com' };
		const row = { type: 'n8n-nodes-base.dataTable', operation: 'get', filters: 'desk' };
		expect((await ofEach(typed)).error).toBeUndefined();
		expect((await ofEach(row)).error).toBeUndefined();
		expect((await ofEach(row, 2)).error).toBeDefined();
		expect((await ofEach()).error).toBeDefined();
	});

	it('is not where the row of a set names another set too', async () => {
		const other = (index: number) => ({ replaces: all()[(index + 1) % 3]!.parcelRef });
		const inOrder = (typed?: IDataObject) =>
			merged(own, (index) => `${index}@example.com`, 'combineByPosition', typed, other);
		expect((await inOrder()).error).toBeUndefined();
		// Code may have sorted them, and n8n links what it gives by the place.
		expect((await inOrder({ type: 'n8n-nodes-base.code', jsCode: 'return items' })).error).toBeDefined();
	});
});
