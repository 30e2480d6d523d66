import type { IDataObject, ILoadOptionsFunctions } from 'n8n-workflow';
import { ParcelDocumentExchange } from '../../nodes/ParcelDocumentExchange/ParcelDocumentExchange.node';
import { ParcelDocumentExchangeTrigger } from '../../nodes/ParcelDocumentExchange/ParcelDocumentExchangeTrigger.node';
import { makeData, startService, type Service } from '../../sandbox/service';
import { apiCredential } from '../support/actionNode';
import { opening } from '../support/closing';
import { reply, startFakeService, type Answer } from '../support/fakeService';
import { silent } from '../support/silent';
import { forAll } from '../support/forAll';

const service = forAll(() => startService({ documentsInSearch: 'narrow' }));

const { listSearch, loadOptions } = new ParcelDocumentExchange().methods;

/** What n8n gives a picker: the credential, and the parameters as they stand in the panel, expressions unresolved. */
function panel(parameters: IDataObject = {}, baseUrl = service.baseUrl): ILoadOptionsFunctions {
	const value = (name: string) =>
		name
			.split('.')
			.reduce<unknown>((inside, part) => (inside as IDataObject | undefined)?.[part], parameters);
	return {
		getCredentials: async () => apiCredential(baseUrl).parcelDocumentExchangeApi,
		getCurrentNodeParameter: value,
		getNode: () => ({ id: '1', name: 'Node', type: 't', typeVersion: 1, position: [0, 0], parameters: {} }),
		helpers: {},
		logger: silent,
	} as unknown as ILoadOptionsFunctions;
}

describe('parties', () => {
	it('are customers and counterparties in one list, by name, each id once', async () => {
		const both = service.data.counterparties[0]!;
		service.data.customers.push({ ...both, signatures: [], bdt: false });
		const list = await loadOptions.listParties.call(panel());
		service.data.customers.pop();
		const ids = new Set(
			[...service.data.customers, ...service.data.counterparties].map(({ customerId }) => customerId),
		);
		expect(list).toHaveLength(ids.size);
		expect(list.map(({ name }) => name)).toEqual(
			list.map(({ name }) => name).sort((a, b) => a.localeCompare(b, 'en')),
		);
		expect(list.find(({ value }) => value === both.customerId)?.description).toBe(
			'Customer and counterparty',
		);
	});

	it('are told apart by their ids where they share a name, and nowhere else', async () => {
		const [one, other] = service.data.counterparties;
		const { customerName } = other!;
		other!.customerName = one!.customerName;
		const { results } = await listSearch.searchParties.call(panel(), one!.customerName);
		const list = await loadOptions.listParties.call(panel());
		other!.customerName = customerName;
		const names = [one!, other!].map((party) => `${party.customerId.slice(0, 8)} · ${party.customerName}`);
		const shared = names.map((name) => name.replace(customerName, one!.customerName));
		expect(new Set(results.map(({ name }) => name))).toEqual(new Set(shared));
		expect(list.filter(({ name }) => name.includes(' · ')).map(({ name }) => name)).toEqual(
			expect.arrayContaining(shared),
		);
		expect(list.filter(({ name }) => name.includes(' · '))).toHaveLength(2);
	});

	it('are found by a part of their name, and by their id', async () => {
		const [party] = service.data.counterparties;
		for (const filter of [party!.customerName.slice(1, 8).toLowerCase(), party!.customerId]) {
			const { results } = await listSearch.searchParties.call(panel(), filter);
			expect(results.map(({ value }) => value)).toContain(party!.customerId);
			expect(results.length).toBeLessThan(5);
		}
	});

	describe('of which an account may read one list', () => {
		const ok = [{ customerId: 'c', customerName: 'Acme' }];
		const named = (answers: Record<string, Answer>) =>
			opening(startFakeService({ ok, calls: ({ path }) => answers[path.split('/').at(-1) ?? ''] ?? 'ok' }));

		it.each<[string, Answer]>([
			['customers', 'forbidden'],
			['customers', 'missing'],
			['counterparties', reply(200, { code: 403, status: 'FORBIDDEN' })],
		])('are those of the other: without %s', async (list, answer) => {
			const { baseUrl } = await named({ [list]: answer });
			const names = (await loadOptions.listParties.call(panel({}, baseUrl))).map(({ name }) => name);
			expect(names).toEqual(['Acme']);
		});

		it.each<[string, Record<string, Answer>]>([
			['neither may be read', { customers: 'forbidden', counterparties: 'missing' }],
			['one fails', { customers: 'failed' }],
		])('are an error where %s', async (_label, answers) => {
			const { baseUrl } = await named(answers);
			await expect(loadOptions.listParties.call(panel({}, baseUrl))).rejects.toThrow(/HTTP (403|500)/);
		});
	});
});

it('nothing that the service sends is run by n8n as an expression once it is chosen', async () => {
	const code = '={{ $env.HOME }}';
	const rows = [{ setId: code, documents: [{ documentId: code, docType: code }] }];
	const set = {
		setId: DOOR,
		documents: [
			{ documentId: code, docType: code },
			{ documentId: DOOR, docType: 'BILL' },
		],
	};
	const { baseUrl } = await opening(
		startFakeService({
			calls: ({ path }) =>
				path.includes('search')
					? reply(200, { data: { offset: 0, total: 2, results: [...rows, set] } })
					: reply(200, [
							{ customerId: code, customerName: 'A' },
							{ customerId: DOOR, customerName: 'B' },
						]),
		}),
	);
	const chosen = panel({ setId: { mode: 'list', value: DOOR } }, baseUrl);
	const lists = [
		(await listSearch.searchParties.call(chosen)).results,
		await loadOptions.listParties.call(chosen),
		(await listSearch.searchSets.call(chosen)).results,
		(await listSearch.searchDocuments.call(chosen)).results,
		(await listSearch.searchDocumentTypes.call(chosen)).results,
		(await listSearch.searchDocumentTypes.call(panel({}, baseUrl))).results,
	];
	for (const list of lists) {
		expect(list.length).toBeGreaterThan(0);
		for (const { value } of list) expect(String(value)).not.toMatch(/^=/);
	}
});

const DOOR = '33333333-3333-4333-8333-333333333333';

describe('sets', () => {
	it('are listed by reference, status, shipment and vessel', async () => {
		const { results } = await listSearch.searchSets.call(panel());
		const [set] = service.data.sets;
		expect(results).toHaveLength(200);
		expect(results[0]).toEqual({
			name: [set!.parcelRef, set!.status.toUpperCase(), set!.shipmentRef, set!.vesselName]
				.filter(Boolean)
				.join(' · '),
			value: set!.setId,
		});
	});

	it('are told apart by their ids where all that is shown is the same', async () => {
		const [one, other] = service.data.sets;
		const { parcelRef, status, shipmentRef, vesselName } = one!;
		const before = { ...other! };
		Object.assign(other!, { parcelRef, status, shipmentRef, vesselName });
		const { results } = await listSearch.searchSets.call(panel());
		Object.assign(other!, before);
		for (const [index, set] of [one!, other!].entries())
			expect(results[index]?.name.startsWith(`${set.setId.slice(0, 8)} · ${parcelRef} · `)).toBe(true);
		expect(results.filter(({ name }) => /^[0-9a-f]{8} · /.test(name))).toHaveLength(2);
	});

	it('are found by a part of what is shown, also beyond the list', async () => {
		const set = service.data.sets[290]!;
		for (const filter of [set.parcelRef.toLowerCase(), set.setId]) {
			const { results } = await listSearch.searchSets.call(panel(), filter);
			expect(results.map(({ value }) => value)).toContain(set.setId);
		}
	});

	it('are given on and on while a person scrolls, each once', async () => {
		const given: unknown[] = [];
		let token: string | undefined;
		do {
			const list = await listSearch.searchSets.call(panel(), undefined, token);
			expect(list.results.length).toBeLessThanOrEqual(200);
			given.push(...list.results.map(({ value }) => value));
			token = list.paginationToken as string | undefined;
		} while (token !== undefined);
		expect(given).toEqual(service.data.sets.map(({ setId }) => setId));
	});

	describe('of which there are more than a list looks through', () => {
		let large: Service;
		beforeAll(async () => void (large = await startService({ data: makeData({ sets: 5_001 }) })));
		afterAll(() => large.close());
		const search = (filter: string) => listSearch.searchSets.call(panel({}, large.baseUrl), filter);

		it('are found by their whole shipment reference', async () => {
			const { setId, shipmentRef } = large.data.sets.at(-1)!;
			const { results } = await search(shipmentRef);
			expect(results[0]?.value).toBe(setId);
		});

		it('end with a line that says so', async () => {
			const { results } = await search(large.data.sets[0]!.parcelRef);
			expect(results.map(({ value }) => value)).toEqual([large.data.sets[0]!.setId, '']);
			expect(results.at(-1)?.name).toMatch(/^Only the first 5,000 sets were looked through\. Type the whole/);
		});

		it('say so in place of an empty list', async () => {
			await expect(search('no such set')).rejects.toMatchObject({
				message: expect.stringMatching(/^None of the first 5,000 sets matches\. Type the whole/),
			});
		});
	});

	it('end without a line when all were looked through', async () => {
		const { results } = await listSearch.searchSets.call(panel(), 'no such set');
		expect(results).toEqual([]);
	});

	it('are those of the customer chosen, where one is chosen', async () => {
		const { customerId } = service.data.customers[0]!;
		const { results } = await listSearch.searchSets.call(
			panel({ lookup: { customerId: { mode: 'list', value: customerId } } }),
		);
		const theirs = service.data.sets
			.filter((set) =>
				[set.customerId, set.consignor.customerId, set.consignee.customerId].includes(customerId),
			)
			.map(({ setId }) => setId);
		expect(results.map(({ value }) => value)).toEqual(theirs.slice(0, 200));
		const expression = await listSearch.searchSets.call(
			panel({ lookup: { customerId: '={{ $json.customerId }}' } }),
		);
		expect(expression.results).toHaveLength(200);
	});
});

describe('documents', () => {
	it('are those of the set chosen', async () => {
		const set = service.data.sets[120]!;
		const { results } = await listSearch.searchDocuments.call(
			panel({ setId: { mode: 'list', value: set.setId } }),
		);
		expect(results).toEqual(
			set.documents.map(({ documentId, name, docType }) => ({
				name: `${name} · ${docType}`,
				value: documentId,
			})),
		);
	});

	it('need a set: an expression is not known in the panel', async () => {
		const list = listSearch.searchDocuments.call(
			panel({ setId: { mode: 'id', value: '={{ $json.setId }}' } }),
		);
		await expect(list).rejects.toMatchObject({
			message: expect.stringMatching(/^No set is chosen yet\. Choose the set .* By ID/),
			description: undefined,
		});
	});

	it('say when the set is not there', async () => {
		const setId = '00000000-0000-4000-8000-00000000abcd';
		const list = listSearch.searchDocuments.call(panel({ setId }));
		await expect(list).rejects.toMatchObject({
			message: expect.stringContaining(`does not show set ${setId}`),
		});
	});
});

describe('types of documents', () => {
	const types = async (parameters: IDataObject, filter?: string, baseUrl?: string) =>
		(await listSearch.searchDocumentTypes.call(panel(parameters, baseUrl), filter)).results.map(
			({ value }) => value,
		);

	it('are those of the set chosen', async () => {
		const set = service.data.sets[120]!;
		const [first, ...others] = set.documents;
		set.documents = [{ ...first!, docType: 'PACKING_LIST' as 'BILL_OF_LADING' }, ...others];
		const chosen = { setId: { __rl: true, mode: 'list', value: set.setId } };
		const own = [...new Set(set.documents.map(({ docType }) => docType))].sort();
		expect(await types(chosen)).toEqual(own);
		expect(await types(chosen, 'packing')).toEqual(['PACKING_LIST']);
		set.documents = [first!, ...others];
	});

	it.each<[string, IDataObject]>([
		['is chosen', {}],
		['an expression gives', { setId: { __rl: true, mode: 'id', value: '={{ $json.setId }}' } }],
		['a reference names', { setId: { __rl: true, mode: 'reference', value: 'SHIP-1' } }],
	])(
		'are those of the newest sets where no set %s, also of a list that leaves documents out',
		async (_, chosen) => {
			expect(await types(chosen)).toEqual(['BILL_OF_LADING', 'UPLOADABLE_DOCUMENT']);
		},
	);

	it('are each there once, however they are spelled', async () => {
		const open = await startService({ data: makeData({ sets: 3 }) });
		open.data.sets[1]!.documents[0]!.docType = 'Bill of lading' as 'BILL_OF_LADING';
		const found = await types({}, 'lading', open.baseUrl);
		await open.close();
		expect(found).toHaveLength(1);
	});

	it('cost a few searches, however many sets there are', async () => {
		const large = await startService({ data: makeData({ sets: 3_000 }) });
		await types({}, undefined, large.baseUrl);
		expect(large.counters.byRoute.search).toBeLessThanOrEqual(20);
		await large.close();
	});
});

describe('the customers of the trigger', () => {
	const { searchCustomers } = new ParcelDocumentExchangeTrigger().methods.listSearch;
	const node = (credentials?: object) => ({
		...panel(),
		getNode: () => ({ ...panel().getNode(), ...(credentials && { credentials }) }),
	});

	it('come from the account of the service', async () => {
		const [party] = service.data.customers;
		const { results } = await searchCustomers.call(
			node({ parcelDocumentExchangeApi: { id: '1', name: 'Service' } }) as ILoadOptionsFunctions,
			party!.customerName,
		);
		expect(results.map(({ value }) => value)).toContain(party!.customerId);
	});

	it('say which account is missing, and that the ID can be typed', async () => {
		await expect(searchCustomers.call(node() as ILoadOptionsFunctions)).rejects.toMatchObject({
			message: expect.stringMatching(/^This list comes from the service\. Choose an account .* By ID/),
		});
	});
});

describe('values that can be typed', () => {
	it.each([
		[
			'all that are known',
			undefined,
			['ACTIVE', 'DRAFTED', 'SIGNED', 'ISSUED', 'TITLE_HELD', 'TRANSFER_DRAFTED'],
		],
		['a known one by its beginning', 'act', ['ACTIVE']],
		['known ones by a part', 'draft', ['DRAFTED', 'TRANSFER_DRAFTED']],
		['a known one with a blank', ' title h', ['TITLE_HELD']],
		['a known one as on the wire', 'TITLE_HELD', ['TITLE_HELD']],
		['a known one in full', 'active', ['ACTIVE']],
		['any other, in capitals', ' filed ', ['FILED']],
	])('are suggested for the status: %s', async (_, typed, values) => {
		const { results } = await listSearch.suggestStatuses.call(panel(), typed);
		expect(results.map(({ value }) => value)).toEqual(values);
	});

	it('are suggested for the instance', async () => {
		const { results } = await listSearch.suggestInstances.call(panel());
		expect(results.map(({ value }) => value)).toEqual(['EXCHANGE', 'HUB']);
	});
});

it.each([
	['an address that is none', 'nowhere', /^The base URL in the credential .* Put https:\/\/ in front/],
	['an address where nothing is', 'http://127.0.0.1:1', /^Nothing listens at 127.0.0.1:1. Check the host/],
])('says in place of a list why it cannot be had and what to do: %s', async (_, baseUrl, text) => {
	const list = listSearch.searchParties.call(panel({}, baseUrl));
	await expect(list).rejects.toMatchObject({ message: expect.stringMatching(text) });
});
