import { makeData, move, type ParcelSet } from '../../sandbox/service';
import { startCaller, type Caller } from './caller';

interface Envelope {
	code: number;
	status: string;
	data: {
		offset: number;
		limit: number;
		total: number;
		count: number;
		results: Array<Record<string, unknown>>;
	};
	links: unknown[];
}

let caller: Caller;
let sets: ParcelSet[];
beforeAll(async () => {
	caller = await startCaller();
	({ sets } = caller.service.data);
});
afterAll(() => caller.close());

const found = async (body: unknown, parameters?: string, by = caller): Promise<Envelope> =>
	(await (await by.search(body, parameters)).json()) as Envelope;

test('the envelope and a set have the fields of the contract and no others', async () => {
	const { data, ...envelope } = await found({});
	expect(envelope).toEqual({ code: 200, status: 'OK', links: [] });
	expect(data).toEqual({ offset: 0, limit: 100, total: 300, count: 100, results: expect.any(Array) });
	const id = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
	const text = expect.stringMatching(/./);
	for (const set of data.results) {
		expect(set).toEqual({
			setId: id,
			transactionId: id,
			parcelRef: text,
			shipmentRef: text,
			status: expect.stringMatching(/^[a-z_]+$/),
			destinationName: text,
			destinationCountry: text,
			cargoName: text,
			modifiedDate: expect.stringMatching(/^\d{1,2} [A-Z][a-z]+ 20\d\d \d\d:\d\d$/),
			fromParty: set.status === 'drafted' ? null : text,
			fromPartyId: set.status === 'drafted' ? null : id,
			documents: expect.any(Array),
			actions: null,
			billOfLadingDate: expect.stringMatching(/^20\d\d-\d\d-\d\d$/),
			signature: expect.stringMatching(/^\d of \d$/),
			quantity: expect.stringMatching(/^(\d+ [A-Z]+|null null)$/),
			consignorCompanyName: text,
			consigneeCompanyName: text,
			loadPort: text,
			vesselName: set.vesselName === null ? null : text,
			links: [],
		});
		for (const document of set.documents as object[]) {
			const docType = expect.stringMatching(/^(BILL_OF_LADING|UPLOADABLE_DOCUMENT)$/);
			expect(document).toEqual({ documentId: id, name: text, docType, xmlContent: null });
		}
	}
	expect(data.results.filter((set) => set.quantity === 'null null').length).toBeGreaterThan(0);
	expect(data.results.filter((set) => set.vesselName === null).length).toBeGreaterThan(0);
});

test('the newest change comes first', async () => {
	const { data } = await found({});
	expect(data.results.map((set) => set.setId)).toEqual(sets.slice(0, 100).map((set) => set.setId));
	const times = sets.map((set) => set.modifiedAt);
	expect(times).toEqual([...times].sort((one, other) => other - one));
});

describe('filters', () => {
	const belongsTo = (set: ParcelSet, id: string) =>
		[set.customerId, set.consignor.customerId, set.consignee.customerId].includes(id);
	const first = () => sets[0] as ParcelSet;

	test.each<[string, () => object, (set: ParcelSet) => boolean]>([
		['ACTIVE leaves out finished sets', () => ({ status: 'ACTIVE' }), (set) => set.status !== 'surrendered'],
		['a status by name', () => ({ status: 'TITLE_HELD' }), (set) => set.status === 'title_held'],
		['ALL leaves out nothing', () => ({ status: 'ALL' }), () => true],
		['the instance', () => ({ instance: 'HUB' }), (set) => set.instance === 'HUB'],
		[
			'a customer',
			() => ({ customerIds: [caller.service.data.customers[1]?.customerId] }),
			(set) => belongsTo(set, caller.service.data.customers[1]?.customerId ?? ''),
		],
		[
			'a counterparty or a customer, in capitals',
			() => ({
				customerIds: [first().customerId.toUpperCase(), caller.service.data.counterparties[0]?.customerId],
			}),
			(set) =>
				belongsTo(set, first().customerId) ||
				belongsTo(set, caller.service.data.counterparties[0]?.customerId ?? ''),
		],
		['no party', () => ({ customerIds: [] }), () => false],
		[
			'the shipment',
			() => ({ shipmentRef: first().shipmentRef }),
			(set) => set.shipmentRef === first().shipmentRef,
		],
		['the parcel', () => ({ parcelRef: first().parcelRef }), (set) => set === first()],
		['the vessel', () => ({ vesselName: 'WHITE HERON' }), (set) => set.vesselName === 'WHITE HERON'],
		[
			'all four together',
			() => ({
				status: 'ACTIVE',
				instance: first().instance,
				customerIds: [first().customerId],
				shipmentRef: first().shipmentRef,
			}),
			(set) =>
				set.status !== 'surrendered' &&
				set.instance === first().instance &&
				belongsTo(set, first().customerId) &&
				set.shipmentRef === first().shipmentRef,
		],
	])('%s', async (_label, body, test) => {
		const expected = sets.filter(test).map((set) => set.setId);
		const ids: unknown[] = [];
		for (let offset = 0; offset === 0 || offset < expected.length; offset += 100) {
			const { data } = await found(body(), `?offset=${offset}`);
			expect(data.total).toBe(expected.length);
			ids.push(...data.results.map((set) => set.setId));
		}
		expect(ids).toEqual(expected);
	});

	test.each([
		['an unknown field', { setId: 'x' }, 'setId'],
		['an unknown status', { status: 'active' }, 'status'],
		['an instance in small letters', { instance: 'hub' }, 'instance'],
		['a single customer id', { customerIds: '11111111-1111-4111-8111-111111111111' }, 'customerIds'],
		['a customer by name', { customerIds: ['Harbour'] }, 'customerIds'],
		['an empty shipment', { shipmentRef: '' }, 'shipmentRef'],
		['a number for a shipment', { shipmentRef: 7 }, 'shipmentRef'],
		['null', { status: null }, 'status'],
		['a list for a body', [], 'JSON object'],
	])('%s is refused with a message that names it', async (_label, body, named) => {
		const response = await caller.search(body);
		expect(response.status).toBe(400);
		expect(((await response.json()) as { errorMessage: string }).errorMessage).toContain(named);
	});
});

describe('paging', () => {
	test.each([
		['url', '?limit=7&offset=14', {}, { offset: 14, limit: 7, count: 7 }],
		['url', '', { limit: 7, offset: 14 }, { offset: 0, limit: 20, count: 20 }],
		['body', '', { limit: 7, offset: 14 }, { offset: 14, limit: 7, count: 7 }],
		['body', '?limit=7&offset=14', {}, { offset: 0, limit: 20, count: 20 }],
		['ignored', '?limit=7&offset=14', { limit: 7, offset: 14 }, { offset: 0, limit: 20, count: 20 }],
		['url', '?limit=1000', {}, { offset: 0, limit: 50, count: 50 }],
		['url', '?offset=295', {}, { offset: 295, limit: 20, count: 5 }],
		['url', '?offset=5000', {}, { offset: 5000, limit: 20, count: 0 }],
	] as const)('in the style %s, %s and %j give %j', async (pagingStyle, parameters, body, expected) => {
		const paged = await startCaller({ pagingStyle, pageDefault: 20, pageMax: 50 });
		try {
			const { data } = await found(body, parameters, paged);
			expect(data).toMatchObject({ ...expected, total: 300 });
			expect(data.results).toHaveLength(expected.count);
		} finally {
			await paged.close();
		}
	});

	test.each(['?limit=0', '?limit=-1', '?limit=ten', '?offset=1.5', '?limit='])(
		'refuses %s',
		async (parameters) => {
			const response = await caller.search({}, parameters);
			expect(response.status).toBe(400);
			expect(await response.json()).toEqual({
				errorMessage: expect.stringMatching(/^(limit|offset) must be/),
			});
		},
	);
});

test('a search repeated after a change gives the changed list', async () => {
	const own = await startCaller({ data: makeData({ sets: 12 }) });
	try {
		const before = await found({ status: 'DRAFTED' }, '', own);
		move(own.service.data, String(before.data.results[0]?.setId), 'sign', Date.now());
		const after = await found({ status: 'DRAFTED' }, '', own);
		expect(after.data.total).toBe(before.data.total - 1);
	} finally {
		await own.close();
	}
});

test('documents can be kept for narrow searches', async () => {
	const narrow = await startCaller({ documentsInSearch: 'narrow', data: makeData({ sets: 5 }) });
	try {
		const wide = await found({}, '', narrow);
		expect(wide.data.results.map((set) => set.documents)).toEqual([[], [], [], [], []]);
		const near = await found({ shipmentRef: wide.data.results[0]?.shipmentRef }, '', narrow);
		expect(near.data.results[0]?.documents).not.toEqual([]);
	} finally {
		await narrow.close();
	}
});
