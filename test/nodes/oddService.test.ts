import type { IDataObject } from 'n8n-workflow';
import { resultOf, startService, type Service } from '../../sandbox/service';
import type { SetRow } from '../../service/model/set';
import { pdfBytes } from '../support/apiAccount';
import { runAction } from '../support/actionNode';
import { opening } from '../support/closing';
import { openFrontDoor } from '../support/frontDoor';
import { reply, startFakeService, type Answer } from '../support/fakeService';

const goOn = { settings: { onError: 'continueRegularOutput' } } as const;
const options = { waitSeconds: 0 };
const document = (index: number) => ({
	setId: '22222222-2222-4222-8222-222222222222',
	documentId: `44444444-4444-4444-8444-${String(index).padStart(12, '0')}`,
});
const getPdf = { resource: 'document', operation: 'getPdf', options };

it.each<[string, Record<string, string>]>([
	['with a range', { 'content-range': 'bytes 0-2999/9000' }],
	['without a word', {}],
])('a whole PDF under HTTP 206 is a part, and no file: %s', async (_label, headers) => {
	const part = reply(206, pdfBytes(3_000), headers);
	const { baseUrl } = await opening(startFakeService({ calls: () => part }));
	const { items, error } = await runAction(baseUrl, { ...getPdf, ...document(1) });
	expect(items).toEqual([]);
	expect(error?.message).toContain('sent a part of the answer as if a part had been asked for');
});

it.each<[string, Answer]>([
	['HTTP 403', 'forbidden'],
	['a redirect to another server', reply(302, '', { location: 'https://login.example/' })],
	['the words of OAuth', reply(400, { error: 'invalid_token' })],
])('500 items that are forbidden cost one login more: %s', async (_label, refusal) => {
	const service = await opening(
		startFakeService({ calls: ({ path }) => (path.endsWith('0') ? reply(200, pdfBytes(300)) : refusal) }),
	);
	const { items } = await runAction(
		service.baseUrl,
		{ ...getPdf, setId: '={{ $json.setId }}', documentId: '={{ $json.documentId }}' },
		{ ...goOn, items: Array.from({ length: 500 }, (_, index) => ({ json: document(index) })) },
	);
	expect(items).toHaveLength(500);
	expect(items.filter(({ json }) => json.error === undefined)).toHaveLength(50);
	expect(service.logins).toHaveLength(2);
});

describe('a set of which something is odd', () => {
	let service: Service;
	let baseUrl: string;
	let sets: SetRow[];
	beforeAll(async () => void (service = await startService()));
	afterAll(() => service.close());
	beforeEach(async () => {
		sets = service.data.sets.slice(0, 3).map((set) => structuredClone(resultOf(set)) as unknown as SetRow);
		const found = (path: string) => {
			const offset = Number(new URL(path, 'http://x').searchParams.get('offset'));
			const results = sets.slice(offset);
			return { code: 200, status: 'OK', data: { offset, total: sets.length, results } };
		};
		const door = openFrontDoor(service, ({ path }) =>
			path.includes('/search') ? { body: found(path) } : undefined,
		);
		({ baseUrl } = await opening(door));
	});

	const odd: [string, (documents: unknown[]) => unknown, RegExp][] = [
		['documents are a text', () => 'none', /no document of set/],
		['documents are an object', () => ({}), /no document of set/],
		['documents are null', () => null, /no document of set/],
		['a document is a number', (documents) => [...documents, 5], /a document without an ID \(5\)/],
		[
			'a document is null',
			(documents) => [null, ...documents],
			/a document without an ID \(without a name\)/,
		],
		[
			'a document has no id',
			(documents) => [...documents, { name: 'Draft', docType: 'DRAFT' }],
			/a document without an ID \(Draft, DRAFT\)/,
		],
		[
			'the id of a document is a number',
			(documents) => [{ documentId: 7, name: 'Bill' }, ...documents],
			/a document without an ID \(Bill\)/,
		],
		[
			'the id of a document is none of the service',
			(documents) => [...documents, { documentId: '../x', name: 'Bill' }],
			/document "Bill".*The document ID is not an ID of the service: "..\/x"/,
		],
	];
	const idsOf = ({ documents }: SetRow) =>
		(documents as Array<{ documentId: string }>).map(({ documentId }) => documentId);
	const run = (parameters: IDataObject, wanted: readonly SetRow[]) =>
		runAction(
			baseUrl,
			{ lookup: {}, options, ...parameters },
			{ ...goOn, items: wanted.map(({ setId }) => ({ json: { setId: String(setId) } })) },
		);

	it.each(odd)(
		'hides nothing from who asks for another, and is an error that names it for its own item: %s',
		async (_label, change, error) => {
			const [first, own, last] = sets as [SetRow, SetRow, SetRow];
			const ids = [first, last].map(idsOf);
			own.documents = change(own.documents as unknown[]);
			const { items } = await run({ resource: 'document', operation: 'getAllPdfs' }, [first, own, last]);
			const given = [0, 1, 2].map((item) =>
				items
					.filter(({ pairedItem }) => (pairedItem as { item: number }).item === item)
					.map(({ json }) => json),
			);
			expect([given[0], given[2]].map((some) => some?.map((json) => json.documentId))).toEqual(ids);
			expect(given[1]).toEqual([expect.objectContaining({ error: expect.stringMatching(error) })]);
			expect(String(given[1]?.[0]?.error)).toContain(
				/no document of set|No PDF/.test(error.source) ? own.setId : '',
			);
		},
	);

	it.each(odd)('is shown as it was sent, among the others: %s', async (_label, change) => {
		const [, own] = sets as [SetRow, SetRow];
		own.documents = change(own.documents as unknown[]);
		const search = { resource: 'set', operation: 'search', returnAll: true, simplify: false };
		const { items, error } = await runAction(baseUrl, search);
		expect(error).toBeUndefined();
		expect(items).toHaveLength(sets.length);
		expect(items[1]?.json.documents).toEqual(own.documents);
		const got = await run({ resource: 'set', operation: 'get', simplify: false }, [own]);
		expect(got.items[0]?.json).toMatchObject({ setId: own.setId, documents: own.documents });
	});

	it.each([
		['without an id', { setId: undefined }],
		['with an id of null', { setId: null }],
		['with a number for an id', { setId: 5 }],
	])('is no set that hides others: %s', async (_label, change) => {
		const [own, other] = sets as [SetRow, SetRow];
		Object.assign(own, change);
		const pdfs = await run({ resource: 'document', operation: 'getAllPdfs' }, [other]);
		expect(pdfs.items.map(({ json }) => json.documentId)).toEqual(idsOf(other));
		const all = await runAction(baseUrl, { resource: 'set', operation: 'search', returnAll: true });
		expect(all.items).toHaveLength(sets.length);
	});

	it.each<[string, object]>([
		['without an id', { customerName: 'Nobody' }],
		['with a number for an id', { customerId: 5, customerName: 'Five' }],
		['with a list for a name', { customerId: '33333333-3333-4333-8333-333333333333', customerName: [] }],
	])('a party %s hides no other, and is shown as it was sent', async (_label, party) => {
		const [first] = service.data.customers;
		for (const [resource, path] of [
			['customer', 'customers'],
			['counterparty', 'counterparties'],
		] as const) {
			const door = await opening(
				openFrontDoor(service, (call) =>
					call.path.endsWith(path) ? { body: [party, { ...first }] } : undefined,
				),
			);
			const many = { resource, operation: 'getAll', returnAll: true };
			const { items, error } = await runAction(door.baseUrl, many);
			expect(error).toBeUndefined();
			expect(items.map(({ json }) => json)).toEqual([party, { ...first }]);
			const one = { resource, operation: 'get', name: first?.customerName };
			expect((await runAction(door.baseUrl, one)).items.map(({ json }) => json)).toEqual([{ ...first }]);
		}
	});
});

it.each([
	['none of them has one', [null, ' '], 'No document of these sets has a type: take the types away.'],
	['one of them has one', [null, 'BILL'], 'The types there are: BILL. Choose'],
])('a type that no set has is an error that offers types alone: %s', async (_label, types, remedy) => {
	const documents = types.map((docType, index) => ({
		documentId: document(index).documentId,
		name: 'x',
		docType,
	}));
	const results = [{ setId: document(1).setId, documents }];
	const { baseUrl } = await opening(
		startFakeService({ calls: () => reply(200, { data: { total: 1, results } }) }),
	);
	const { items, error } = await runAction(baseUrl, {
		...{ resource: 'document', operation: 'getAllPdfs', setId: document(1).setId, lookup: {} },
		...{ documentTypes: ['INVOICE'], options },
	});
	expect(items).toEqual([]);
	expect(error?.description).toContain(remedy);
});
