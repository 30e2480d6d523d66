import type { IDataObject, ILoadOptionsFunctions } from 'n8n-workflow';
import { ParcelDocumentExchange } from '../../nodes/ParcelDocumentExchange/ParcelDocumentExchange.node';
import { makeData, startService, type Service } from '../../sandbox/service';
import { apiCredential } from '../support/actionNode';
import { opening } from '../support/closing';

let service: Service;
beforeAll(async () => void (service = await startService({ documentsInSearch: 'narrow' })));
afterAll(() => service.close());

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
		logger: { debug() {}, info() {}, warn() {}, error() {} },
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

	it('are found by a part of their name, and by their id', async () => {
		const [party] = service.data.counterparties;
		for (const filter of [party!.customerName.slice(1, 8).toLowerCase(), party!.customerId]) {
			const { results } = await listSearch.searchParties.call(panel(), filter);
			expect(results.map(({ value }) => value)).toContain(party!.customerId);
			expect(results.length).toBeLessThan(5);
		}
	});
});

describe('sets', () => {
	it('are listed by reference, status and vessel', async () => {
		const { results } = await listSearch.searchSets.call(panel());
		const [set] = service.data.sets;
		expect(results).toHaveLength(200);
		expect(results[0]).toEqual({
			name: [set!.parcelRef, set!.status.toUpperCase(), set!.vesselName, set!.shipmentRef]
				.filter(Boolean)
				.join(' · '),
			value: set!.setId,
		});
	});

	it('are found by a part of what is shown, also beyond the list', async () => {
		const set = service.data.sets[290]!;
		for (const filter of [set.parcelRef.toLowerCase(), set.setId]) {
			const { results } = await listSearch.searchSets.call(panel(), filter);
			expect(results.map(({ value }) => value)).toContain(set.setId);
		}
	});

	it('are found by their whole shipment reference however many there are', async () => {
		const large = await opening(startService({ data: makeData({ sets: 1_100 }) }));
		const { setId, shipmentRef } = large.data.sets.at(-1)!;
		const { results } = await listSearch.searchSets.call(panel({}, large.baseUrl), shipmentRef);
		expect(results.map(({ value }) => value)).toContain(setId);
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
			message: expect.stringContaining('No set is chosen yet. Choose the set'),
			description: expect.stringContaining('By ID'),
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

describe('values that can be typed', () => {
	it.each([
		['all that are known', undefined, ['ACTIVE']],
		['a known one, once', 'act', ['ACTIVE', 'ACT']],
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
