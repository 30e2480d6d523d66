import type { IDataObject } from 'n8n-workflow';
import { pdfBytes } from '../support/apiAccount';
import { runAction } from '../support/actionNode';
import { opening } from '../support/closing';
import { reply, startFakeService, type SeenRequest } from '../support/fakeService';
import { id } from '../support/ids';

/** Lists in which something stands twice, or that count more than they hold. */

const set = (index: number, documents: number[] = [index], more: IDataObject = {}): IDataObject => ({
	...{ setId: id('a', index), parcelRef: `P-${index}`, shipmentRef: `S-${index}` },
	documents: documents.map((of) => ({ documentId: id('d', of), name: `Bill ${of}`, docType: 'BILL' })),
	...more,
});

async function serviceOf(
	sets: IDataObject[],
	said: (rows: number, total: number) => IDataObject = () => ({}),
) {
	return await opening(
		startFakeService({
			calls: ({ path }: SeenRequest) => {
				if (path.includes('get-single-pdf')) return reply(200, pdfBytes(300));
				const query = new URL(path, 'http://x').searchParams;
				const [offset = 0, limit = 0] = ['offset', 'limit'].map((name) => Number(query.get(name)));
				const results = sets.slice(offset, offset + limit);
				const data = { offset, limit, total: sets.length, results, ...said(results.length, sets.length) };
				return reply(200, { code: 200, status: 'OK', data });
			},
		}),
	);
}

describe('a set that stands in a search twice', () => {
	const twice = [
		set(1, [1]),
		set(2, [5, 6], { transactionId: id('b', 1) }),
		set(2, [6, 7], { transactionId: id('b', 2), setId: id('a', 2).toUpperCase() }),
		set(3, [3]),
	];

	it.each<[string, IDataObject]>([
		['by its id', { setId: id('a', 2) }],
		['by its reference', { setId: { __rl: true, mode: 'reference', value: 'P-2' } }],
	])('has the papers of all its rows, %s', async (_label, which) => {
		const { baseUrl } = await serviceOf(twice);
		for (const operation of ['getAll', 'getAllPdfs']) {
			const { items, error } = await runAction(baseUrl, {
				...{ resource: 'document', operation, lookup: {}, options: { waitSeconds: 0 }, ...which },
			});
			expect(error).toBeUndefined();
			expect([...new Set(items.map(({ json }) => json.documentId))]).toEqual(
				[5, 6, 7].map((of) => id('d', of)),
			);
		}
	});

	it('is shown as often as it stands there, with other contents', async () => {
		const { baseUrl } = await serviceOf([...twice, twice[3]!]);
		const { items, hints } = await runAction(baseUrl, {
			resource: 'set',
			operation: 'search',
			returnAll: true,
		});
		expect(items.map(({ json }) => json.parcelRef)).toEqual(['P-1', 'P-2', 'P-2', 'P-3']);
		expect(hints).toEqual([{ message: expect.stringContaining('5 sets match, and gives 4') }]);
	});
});

describe('a page that counts more sets than it holds', () => {
	const some = Array.from({ length: 12 }, (_, index) => set(index));
	const search = async (baseUrl: string) => {
		const { items, hints, error } = await runAction(baseUrl, {
			...{ resource: 'set', operation: 'search', returnAll: true },
		});
		return { items, hints: hints.map(({ message }) => message), error };
	};

	it('is followed by what it keeps back', async () => {
		const { baseUrl } = await opening(
			startFakeService({
				calls: ({ path }: SeenRequest) => {
					const offset = Number(new URL(path, 'http://x').searchParams.get('offset'));
					const results = some.slice(offset, offset + 7);
					return reply(200, { data: { offset, limit: 100, total: 7, count: 12, results } });
				},
			}),
		);
		const { items, error } = await search(baseUrl);
		expect(error).toBeUndefined();
		expect(items).toHaveLength(12);
	});

	it('is an error, or a doubt with both numbers, where nothing more comes', async () => {
		const { baseUrl } = await serviceOf(some, () => ({ count: 20 }));
		const { items, hints } = await search(baseUrl);
		expect(items).toHaveLength(12);
		expect(hints).toEqual([expect.stringMatching(/12 to 20 sets match|20 sets match.* 12 different/)]);
	});

	it.each<[string, (rows: number, total: number) => IDataObject]>([
		['of this page', (count) => ({ count })],
		['of all', (_, count) => ({ count })],
		['of fewer', () => ({ count: 1 })],
		['that is none', () => ({ count: 'many' })],
	])('is believed with a count %s', async (_label, said) => {
		const { baseUrl } = await serviceOf(some, said);
		const { items, hints } = await search(baseUrl);
		expect({ count: items.length, hints }).toEqual({ count: 12, hints: [] });
	});
});

describe('a reference in a list that may be short', () => {
	it.each<[string, string]>([
		['of a set that shows', 'P-2'],
		['of none that shows', 'P-9'],
	])('leads to no set: %s', async (_label, value) => {
		const { baseUrl } = await serviceOf([set(1), set(2), set(3)], (_, total) => ({ total: total + 1 }));
		const { items, error } = await runAction(baseUrl, {
			...{ resource: 'set', operation: 'get', setId: { __rl: true, mode: 'reference', value }, lookup: {} },
		});
		expect(items).toEqual([]);
		expect(error?.message).toMatch(/reference "P-\d" is not certain\. The service says that 4 sets match/);
	});
});

describe.each([
	['customer', 'customers'],
	['counterparty', 'counterparties'],
])('a list of %s entries', (resource, list) => {
	const parties = async (entries: unknown[], operation: string, more: IDataObject = {}) => {
		const { baseUrl } = await opening(
			startFakeService({
				calls: ({ path }: SeenRequest) => (path.endsWith(list) ? reply(200, entries) : reply(404, '')),
			}),
		);
		return await runAction(baseUrl, { resource, operation, returnAll: true, ...more });
	};
	const acme = { customerId: id('c', 1), customerName: 'Acme' };

	it('has one company that stands there twice', async () => {
		const upper = { ...acme, customerId: acme.customerId.toUpperCase(), customerName: 'ACME' };
		const { items, error } = await parties([acme, { ...acme }, upper], 'get', { name: 'acme' });
		expect(error).toBeUndefined();
		expect(items).toHaveLength(1);
	});

	it('has one company with the signatures of all its entries', async () => {
		const signed = (...numbers: number[]) => ({
			...acme,
			signatures: numbers.map((of) => ({ signatureId: id('e', of), signatureText: `Signed ${of}` })),
		});
		const { items } = await parties([signed(1, 2), acme, signed(2, 3)], 'get', { name: 'acme' });
		expect(items.map(({ json }) => json)).toEqual([signed(1, 2, 3)]);
	});

	it('has two companies of one name', async () => {
		const other = { ...acme, customerId: id('c', 2) };
		expect((await parties([acme, other, acme], 'get', { name: 'acme' })).error?.message).toContain(
			`are called "acme": ${acme.customerId}, ${other.customerId}`,
		);
	});

	it('shows what is no company as well', async () => {
		const { items } = await parties([acme, 'Beta', null, 5, ['x']], 'getAll');
		expect(items.map(({ json }) => json.customerName)).toEqual(['Acme', 'Beta', null, 5, ['x']]);
	});
});
