import type { IDataObject } from 'n8n-workflow';
import { startService, type ParcelSet, type Service } from '../../sandbox/service';
import { apiCredential, runAction } from '../support/actionNode';
import { opening } from '../support/closing';
import { reply, startFakeService } from '../support/fakeService';

/** What one input item has wrong fails that item alone, and what it asks for counts for it alone. */

let service: Service;
beforeEach(async () => void (service = await startService()));
afterEach(() => service.close());

const OPERATIONS: Array<[string, IDataObject]> = [
	['a list of customers', { resource: 'customer', operation: 'getAll', limit: 1 }],
	['a list of counterparties', { resource: 'counterparty', operation: 'getAll', limit: 1 }],
	['a search', { resource: 'set', operation: 'search', limit: 1 }],
	['a set', { resource: 'set', operation: 'get' }],
	['a PDF', { resource: 'document', operation: 'getPdf' }],
	['all PDFs', { resource: 'document', operation: 'getAllPdfs', documentTypes: ['Bill of lading'] }],
];

/** Values that an option cannot have, of those that all operations share and those that some have. */
const BAD: Array<[string, unknown, RegExp]> = [
	['timeout', 0, /./],
	['timeout', 'soon', /./],
	['timeout', 3601, /./],
	['timeout', 1.5, /./],
	['parallelDownloads', 33, /PDF/],
	['parallelDownloads', [8], /PDF/],
	['pageSize', 0, /search|a set|all PDFs/],
	['paging', 'cursor', /search|a set|all PDFs/],
	['timeZone', 'Mars/Olympus', /search|a set$/],
	['waitSeconds', -1, /a set$|PDF/],
	['fileName', '{nme}.pdf', /PDF/],
	['fileName', ['a.pdf'], /PDF/],
];
const CASES = BAD.flatMap(([option, value, of]) =>
	OPERATIONS.filter(([name]) => of.test(name)).map(
		([name, parameters]) =>
			[`${option} ${JSON.stringify(value)} for ${name}`, option, value, parameters] as const,
	),
);

const inputOf = (set: ParcelSet) => ({
	setId: set.setId,
	customerId: set.customerId,
	documentId: set.documents[0]!.documentId,
});

describe.each([0, 1])('an option that cannot be, of item %i', (bad) => {
	it.each(CASES)('%s', async (_, option, value, parameters) => {
		const inputs = service.data.sets.slice(0, 3).map((set, index) => ({
			...inputOf(set),
			option: index === bad ? value : { fileName: 'a.pdf', timeout: 60, waitSeconds: 0 }[option as 'timeout'],
		}));
		const { items, error } = await runAction(
			service.baseUrl,
			{ ...parameters, documentId: '={{ $json.documentId }}', options: { [option]: '={{ $json.option }}' } },
			{
				items: inputs.map((json) => ({ json: json as IDataObject })),
				settings: { onError: 'continueRegularOutput' },
			},
		);
		expect(error).toBeUndefined();
		const failed = items.filter(({ json }) => 'error' in json).map(({ pairedItem }) => pairedItem);
		expect(failed).toEqual([{ item: bad }]);
		const answered = new Set(items.map(({ pairedItem }) => (pairedItem as { item: number }).item));
		expect([...answered].sort()).toEqual([0, 1, 2]);
	});
});

describe('a credential whose fields are expressions', () => {
	const run = async (accountOf: (itemIndex: number) => string, parameters: IDataObject, count = 3) => {
		const services = await Promise.all(
			['one', 'two'].map((name) =>
				opening(
					startFakeService({
						ok: [{ customerId: `00000000-0000-4000-8000-00000000000${name.length}`, customerName: name }],
					}),
				),
			),
		);
		const credential = apiCredential('').parcelDocumentExchangeApi;
		const baseUrls = Object.fromEntries(
			['one', 'two'].map((name, index) => [name, services[index]!.baseUrl]),
		);
		return await runAction('', parameters, {
			items: Array.from({ length: count }, (_, index) => ({ json: { index } })),
			credentials: {
				parcelDocumentExchangeApi: (itemIndex) => ({
					...credential,
					baseUrl: baseUrls[accountOf(itemIndex)]!,
				}),
			},
		});
	};
	const outOfReach = (): never => {
		throw new Error('There is no such item');
	};

	it.each<[string, (itemIndex: number) => string, string[]]>([
		['the last item has another', (index) => (index === 2 ? 'two' : 'one'), ['one', 'one', 'two']],
		[
			'the middle one has another',
			(index) => (index > 2 ? outOfReach() : index === 1 ? 'two' : 'one'),
			['one', 'two', 'one'],
		],
		// An expression may have an answer where there is no item: text around it, a default, the item's number.
		[
			'one has another, and so would no item',
			(index) => (index === 1 ? 'two' : 'one'),
			['one', 'two', 'one'],
		],
		['all have the same', (index) => (index > 2 ? outOfReach() : 'two'), ['two', 'two', 'two']],
	])('each item is asked for with its own account: %s', async (_label, accountOf, names) => {
		for (const resource of ['customer', 'counterparty']) {
			const { items, error } = await run(accountOf, { resource, operation: 'getAll', returnAll: true });
			expect(error).toBeUndefined();
			expect(items.map(({ json }) => json.customerName)).toEqual(names);
		}
	});
});

it('a template for names that cannot be filled in is found before anybody is asked', async () => {
	for (const operation of ['getPdf', 'getAllPdfs']) {
		const { error } = await runAction(
			service.baseUrl,
			{
				...{ resource: 'document', operation, documentId: inputOf(service.data.sets[0]!).documentId },
				options: { fileName: '{parcelRef}_{nme}.pdf' },
			},
			{ items: [{ json: inputOf(service.data.sets[0]!) }] },
		);
		expect(error?.message).toMatch(/The file name uses \{(nme|parcelRef)\}/);
	}
	expect(service.counters.requests).toBe(0);
});

it('each item has the patience with a silent service that it asks for', async () => {
	const silent = await opening(
		startFakeService({
			calls: ({ path }) =>
				path.includes('customers')
					? ({ response }) => void setTimeout(() => response.end('[]'), 1_600)
					: 'ok',
		}),
	);
	const { items } = await runAction(
		silent.baseUrl,
		{ resource: 'customer', operation: 'getAll', options: { timeout: '={{ $json.seconds }}' } },
		{
			items: [{ json: { seconds: 1 } }, { json: { seconds: 10 } }],
			settings: { onError: 'continueRegularOutput', alwaysOutputData: true },
		},
	);
	expect(items.filter(({ json }) => 'error' in json).map(({ pairedItem }) => pairedItem)).toEqual([
		{ item: 0 },
	]);
}, 30_000);

it('no item has more downloads at the same time than it allows', async () => {
	const pdf = Buffer.from('%PDF-1.7\n%%EOF\n');
	let open = 0;
	const most: number[] = [];
	const slow = await opening(
		startFakeService({
			calls:
				() =>
				({ response }) => {
					most.push(++open);
					setTimeout(() => {
						open--;
						response.end(pdf);
					}, 20);
				},
		}),
	);
	const [set] = service.data.sets;
	const { items, error } = await runAction(
		slow.baseUrl,
		{
			...{ resource: 'document', operation: 'getPdf', documentId: '={{ $json.documentId }}' },
			options: { parallelDownloads: '={{ $json.parallel }}' },
		},
		{ items: Array.from({ length: 30 }, () => ({ json: { ...inputOf(set!), parallel: 1 } })) },
	);
	expect(error).toBeUndefined();
	expect(items).toHaveLength(30);
	expect(Math.max(...most)).toBe(1);
});

describe('waiting', () => {
	/** Answers late, each time with nothing. */
	const late = (delayMs: number, ready: () => boolean) =>
		opening(
			startFakeService({
				calls:
					({ path }) =>
					({ response }) => {
						const body = path.includes('search')
							? JSON.stringify({
									code: 200,
									status: 'OK',
									data: { offset: 0, limit: 100, total: 0, count: 0, results: [] },
								})
							: ready()
								? '%PDF-1.7\n%%EOF\n'
								: 'not yet';
						setTimeout(() => response.end(body), delayMs);
					},
			}),
		);

	it('for a set, a PDF or all PDFs, the calls count as much as the pauses', async () => {
		const slow = await late(900, () => false);
		const [set] = service.data.sets;
		// What is loaded at first use is no part of a wait.
		await runAction(service.baseUrl, { resource: 'customer', operation: 'getAll' });
		const waited = async (parameters: IDataObject) => {
			const begun = performance.now();
			const { error } = await runAction(
				slow.baseUrl,
				{
					...parameters,
					lookup: {},
					documentId: '={{ $json.documentId }}',
					options: { waitSeconds: 3, paging: 'query' },
				},
				{ items: [{ json: inputOf(set!) }] },
			);
			const took = performance.now() - begun;
			expect(error?.message).toMatch(/after waiting 3 seconds/);
			// One call that begins in time may end after it.
			expect(took).toBeGreaterThan(2_900);
			expect(took).toBeLessThan(3_000 + 900 + 1_600);
		};
		await Promise.all([
			waited({ resource: 'set', operation: 'get' }),
			waited({ resource: 'document', operation: 'getPdf' }),
			waited({ resource: 'document', operation: 'getAllPdfs' }),
		]);
	}, 20_000);
});

describe('names of files', () => {
	it('do not depend on which file comes first', async () => {
		const [set] = service.data.sets;
		const ids = Array.from({ length: 8 }, (_, index) => `00000000-0000-4000-8000-00000000000${index}`);
		const namesWith = async (delayOf: (index: number) => number) => {
			const server = await opening(
				startFakeService({
					calls:
						({ path }) =>
						({ response }) => {
							const index = Number(path.at(-1));
							setTimeout(() => response.end(`%PDF-${index}\n%%EOF\n`), delayOf(index));
						},
				}),
			);
			const { items } = await runAction(
				server.baseUrl,
				{
					...{ resource: 'document', operation: 'getPdf', documentId: '={{ $json.documentId }}' },
					options: { fileName: 'Bill.pdf' },
				},
				{ items: ids.map((documentId) => ({ json: { setId: set!.setId, documentId } })) },
			);
			for (const { json, binary } of items) expect(binary?.data?.fileName).toBe(json.fileName);
			return items.map(({ json }) => [json.documentId, json.fileName]);
		};
		const expected = ids.map((id, index) => [id, index === 0 ? 'Bill.pdf' : `Bill (${index + 1}).pdf`]);
		expect(await namesWith((index) => index * 10)).toEqual(expected);
		expect(await namesWith((index) => 80 - index * 10)).toEqual(expected);
	});

	it('are told apart inside an item that holds all files of a set', async () => {
		const sets = service.data.sets.slice(0, 2);
		const { items } = await runAction(
			service.baseUrl,
			{ resource: 'document', operation: 'getAllPdfs', onePerSet: true, options: { fileName: 'Copy.pdf' } },
			{ items: sets.map((set) => ({ json: inputOf(set) })) },
		);
		const names = items.flatMap(({ json, binary }) =>
			(json.files as IDataObject[]).map(({ binaryField, fileName }) => {
				expect(binary?.[String(binaryField)]?.fileName).toBe(fileName);
				return fileName;
			}),
		);
		const count = sets.flatMap(({ documents }) => documents).length;
		expect(new Set(names).size).toBe(count);
	});

	it('have one .pdf, also where the document is called so already', async () => {
		const [set] = service.data.sets;
		set!.documents = [{ ...set!.documents[0]!, name: 'Invoice.pdf' }];
		const { items } = await runAction(
			service.baseUrl,
			{ resource: 'document', operation: 'getAllPdfs' },
			{ items: [{ json: inputOf(set!) }] },
		);
		expect(items[0]?.json.fileName).toMatch(/ Invoice\.pdf$/);
	});
});

it('a document whose id stands twice in a set, in capitals and not, is one file', async () => {
	const setId = 'aaaaaaaa-2222-4222-8222-222222222222';
	const documentId = 'bbbbbbbb-4444-4444-8444-444444444444';
	const documents = [documentId, documentId.toUpperCase(), documentId].map((id) => ({ documentId: id }));
	const server = await opening(
		startFakeService({
			calls: ({ path }) =>
				path.includes('search')
					? reply(200, {
							code: 200,
							status: 'OK',
							data: { offset: 0, limit: 100, total: 1, count: 1, results: [{ setId, documents }] },
						})
					: reply(200, '%PDF-1.7\n%%EOF\n'),
		}),
	);
	const { items } = await runAction(
		server.baseUrl,
		{ resource: 'document', operation: 'getAllPdfs', lookup: {} },
		{ items: [{ json: { setId } }] },
	);
	expect(items.map(({ json }) => json.documentId)).toEqual([documentId]);
});

describe('the id of a set', () => {
	const get = (setId: unknown, json: IDataObject = {}) =>
		runAction(
			service.baseUrl,
			{ resource: 'set', operation: 'get', lookup: {}, setId: setId as string },
			{ items: [{ json }] },
		);
	const id = () => service.data.sets[3]!.setId;

	it.each<[string, (id: string) => [unknown, IDataObject?]]>([
		['a list of one', (id) => ['={{ $json.ids }}', { ids: [id] }]],
		[
			'a list of one in a picker',
			(id) => [{ __rl: true, mode: 'id', value: '={{ $json.ids }}' }, { ids: [id] }],
		],
		['blanks around it', (id) => [` ${id}\n`]],
		['capitals', (id) => [id.toUpperCase()]],
	])('can be %s', async (_, given) => {
		const { items, error } = await get(...given(id()));
		expect(error).toBeUndefined();
		expect(items.map(({ json }) => json.setId)).toEqual([id()]);
	});

	it.each<[string, unknown, IDataObject, RegExp]>([
		['nothing', '={{ $json.ids }}', {}, /^"Set" is empty$/],
		['an empty list', '={{ $json.ids }}', { ids: [] }, /^"Set" is empty$/],
		['a list of nothing', '={{ $json.ids }}', { ids: [null] }, /^"Set" is empty$/],
		['a list of two', '={{ $json.ids }}', { ids: ['a', 'b'] }, /^"Set" is a list of 2$/],
		['an object', '={{ $json.set }}', { set: { setId: 'x' } }, /^"Set" cannot be \{"setId":"x"\}$/],
		['yes or no', '={{ true }}', {}, /^"Set" cannot be true$/],
		['a word', 'SHIP-1', {}, /^"Set" is not an ID: "SHIP-1"$/],
	])('cannot be %s', async (_, setId, json, message) => {
		const { error } = await get(setId, json);
		expect(error?.message).toMatch(message);
		expect(error?.description).toBeTruthy();
		expect(service.counters.requests).toBe(0);
	});
});
