import type { IDataObject } from 'n8n-workflow';
import { pdfBytes } from '../support/apiAccount';
import { runAction } from '../support/actionNode';
import { opening } from '../support/closing';
import { reply, startFakeService, type SeenRequest } from '../support/fakeService';
import { operationsWith } from '../support/panel';
import { id } from '../support/ids';

/** Sets that a service lists in several rows, the papers split between them, on pages far apart. */

const papers = (...numbers: number[]) =>
	numbers.map((of) => ({ documentId: id('d', of), name: `Bill ${of}` }));
const row = (index: number, documents: number[] = [1_000 + index], more: IDataObject = {}): IDataObject => ({
	...{ setId: id('a', index), parcelRef: `P-${index}`, shipmentRef: `S-${index}` },
	...{ documents: papers(...documents), ...more },
});
const SPLIT = 5;
const first = row(SPLIT, [1, 2], { transactionId: id('b', 1) });

/** The first row of the split set, `others` sets, the second row of it, and `behind` more sets. */
const list = (second: IDataObject, others: number, behind = 0, one = first) => [
	one,
	...Array.from({ length: others }, (_, index) => row(100 + index)),
	second,
	...Array.from({ length: behind }, (_, index) => row(50_000 + index)),
];

/** What a service makes of the shipment reference that is asked for. */
type Filtering = 'obeyed' | 'ignored' | 'refused' | 'part';

async function serviceOf(
	listed: IDataObject[] | ((call: number) => IDataObject[]),
	filtering: Filtering,
	most = 100,
) {
	const calls: string[] = [];
	const { baseUrl } = await opening(
		startFakeService({
			calls: ({ path, body }: SeenRequest) => {
				if (path.includes('get-single-pdf')) return reply(200, pdfBytes(300));
				const { shipmentRef } = JSON.parse(body) as { shipmentRef?: string };
				calls.push(shipmentRef ?? 'all');
				const rows = typeof listed === 'function' ? listed(calls.length) : listed;
				if (shipmentRef && filtering === 'refused') return reply(400, { errorMessage: 'shipmentRef' });
				const matches = ({ shipmentRef: own }: IDataObject) =>
					filtering === 'part'
						? String(own).toUpperCase().startsWith(String(shipmentRef).toUpperCase())
						: String(own).toUpperCase() === shipmentRef?.toUpperCase();
				const isNarrow = shipmentRef !== undefined && filtering !== 'ignored';
				const matching = isNarrow ? rows.filter(matches) : rows;
				const query = new URL(path, 'http://x').searchParams;
				const [offset = 0, limit = 0] = ['offset', 'limit'].map((name) => Number(query.get(name)));
				const results = matching.slice(offset, offset + Math.min(limit, most));
				const data = { offset, limit: Math.min(limit, most), total: matching.length, results };
				return reply(200, { code: 200, status: 'OK', data: { ...data, count: results.length } });
			},
		}),
	);
	return { baseUrl, calls };
}

const others: [string, IDataObject][] = [
	['as it is', row(SPLIT, [3, 4], { transactionId: id('b', 2) })],
	['its id in capitals and blanks', row(SPLIT, [3, 4], { setId: ` ${id('a', SPLIT).toUpperCase()}  ` })],
	['its reference in small letters', row(SPLIT, [3, 4], { shipmentRef: `s-${SPLIT}` })],
	['one paper in both', row(SPLIT, [2, 3, 4])],
	['without a parcel reference', row(SPLIT, [3, 4], { parcelRef: null })],
];
const sizes: [number, number][] = [
	[150, 0],
	[250, 20],
	[450, 0],
	[1_200, 300],
];
const WAYS: [string, IDataObject, IDataObject][] = [
	['by its id', { setId: id('a', SPLIT) }, {}],
	['by its reference', { setId: { __rl: true, mode: 'reference', value: `P-${SPLIT}` } }, {}],
	['by an event', {}, { setId: id('a', SPLIT), parcelReference: `P-${SPLIT}`, newStatus: 'SIGNED' }],
	['by its id, narrowed', { setId: id('a', SPLIT), lookup: { shipmentRef: `S-${SPLIT}` } }, {}],
];

describe.each(others)('a set of which another row stands on another page, %s', (_row, second) => {
	describe.each<Filtering>(['obeyed', 'ignored', 'refused', 'part'])('(a reference is %s)', (filtering) => {
		it.each(sizes)('gives the papers of both, or an error: %i sets between, %i behind', async (...size) => {
			const { baseUrl } = await serviceOf(list(second, ...size), filtering);
			for (const [way, parameters, item] of WAYS) {
				for (const operation of ['getAll', 'getAllPdfs']) {
					const { items, error } = await runAction(
						baseUrl,
						{
							...{ resource: 'document', operation, lookup: {}, options: { waitSeconds: 0 } },
							...parameters,
						},
						{ items: [{ json: item }] },
					);
					const got = items.map(({ json }) => json.documentId).sort();
					const isRefused =
						filtering === 'refused' && (way.includes('reference') || way.includes('narrowed'));
					if (isRefused) expect(error?.message).toMatch(/shipmentRef/);
					else
						expect({ way, operation, error, got }).toMatchObject({
							...{ way, operation, error: undefined },
							got: [1, 2, 3, 4].map((of) => id('d', of)),
						});
				}
			}
		});
	});
});

describe('a paper that is replaced between two looks', () => {
	const early = { modifiedDate: '9 March 2026 09:59', transactionId: id('b', 1) };
	const late = { modifiedDate: '9 March 2026 10:00', transactionId: id('b', 1) };
	const became = (one: IDataObject, second?: IDataObject) => (call: number) => {
		const others = Array.from({ length: 450 }, (_, index) => row(100 + index));
		return call === 1
			? [row(SPLIT, [1, 2], early), ...others]
			: [one, ...others, ...(second ? [second] : [])];
	};
	const got = async (listed: (call: number) => IDataObject[], filtering: Filtering) => {
		const { baseUrl } = await serviceOf(listed, filtering);
		const { items, error } = await runAction(baseUrl, {
			...{ resource: 'document', operation: 'getAllPdfs', setId: id('a', SPLIT), lookup: {} },
			options: { waitSeconds: 0 },
		});
		expect(error).toBeUndefined();
		return items.map(({ json }) => json.documentId).sort();
	};
	const ids = (...numbers: number[]) => numbers.map((of) => id('d', of));

	describe.each<Filtering>(['obeyed', 'ignored', 'refused', 'part'])('(a reference is %s)', (filtering) => {
		it('is not handed out beside the new one', async () => {
			expect(await got(became(row(SPLIT, [2, 3], late)), filtering)).toEqual(ids(2, 3));
		});

		it('is not handed out either where the set is in another row by now as well', async () => {
			const second = row(SPLIT, [4], { ...late, transactionId: id('b', 2) });
			expect(await got(became(row(SPLIT, [2, 3], late), second), filtering)).toEqual(ids(2, 3, 4));
		});

		it.each<[string, IDataObject]>([
			['at the same time', { ...late, modifiedDate: early.modifiedDate }],
			['at a time that cannot be read', { ...late, modifiedDate: 'just now' }],
			['in another transaction', { ...late, transactionId: id('b', 2) }],
			['at an earlier time', { ...late, modifiedDate: '9 March 2026 09:58' }],
		])('is not handed out either where its row does not say so: %s', async (_label, more) => {
			expect(await got(became(row(SPLIT, [2, 3], more)), filtering)).toEqual(ids(2, 3));
		});

		it('is neither handed out nor left out where the service shows other papers each time', async () => {
			const { baseUrl } = await serviceOf((call) => became(row(SPLIT, [call], early))(2), filtering);
			const { items, error } = await runAction(baseUrl, {
				...{ resource: 'document', operation: 'getAllPdfs', setId: id('a', SPLIT), lookup: {} },
				options: { waitSeconds: 0 },
			});
			expect(items).toEqual([]);
			expect(error?.message).toBe(`The service shows other papers of set ${id('a', SPLIT)} each time`);
		});
	});
});

describe('what it costs to know all rows of a set', () => {
	const second = row(SPLIT, [3, 4]);
	const getAll = { resource: 'document', operation: 'getAll', lookup: {} };

	it.each<[string, Filtering, number, number]>([
		['the rest of a list of three pages', 'obeyed', 250, 3],
		['one search for the set alone, in a long list', 'obeyed', 5_000, 2],
		['the whole list where the service goes by no reference', 'ignored', 1_000, 2 + 12],
	])('%s', async (_label, filtering, between, most) => {
		const { baseUrl, calls } = await serviceOf(list(second, between), filtering);
		const { items } = await runAction(baseUrl, { ...getAll, setId: id('a', SPLIT) });
		expect(items).toHaveLength(4);
		expect(calls.length).toBeLessThanOrEqual(most);
	});

	it('the whole list once for twenty sets, where the service goes by no reference', async () => {
		const { baseUrl, calls } = await serviceOf(list(second, 3_000), 'ignored');
		const wanted = [SPLIT, ...Array.from({ length: 19 }, (_, index) => 100 + index)];
		const { items } = await runAction(baseUrl, getAll, {
			items: wanted.map((index) => ({ json: { setId: id('a', index) } })),
		});
		expect(items).toHaveLength(4 + 19);
		expect(calls.filter((asked) => asked === 'all').length).toBeLessThanOrEqual(1 + 32);
		expect(calls.length).toBeLessThanOrEqual(1 + 32 + 20);
	});

	it('no more than the pages of the list for many sets of it', async () => {
		const { baseUrl, calls } = await serviceOf(list(second, 1_000), 'obeyed');
		const wanted = [SPLIT, ...Array.from({ length: 59 }, (_, index) => 100 + index)];
		await runAction(baseUrl, getAll, { items: wanted.map((index) => ({ json: { setId: id('a', index) } })) });
		expect(calls.length).toBeLessThanOrEqual(12);
	});

	it('nothing for Set, Get, which says that it does not know', async () => {
		const { baseUrl, calls } = await serviceOf(list(second, 5_000), 'ignored');
		const get = { resource: 'set', operation: 'get', lookup: {}, setId: id('a', SPLIT) };
		const { items, hints } = await runAction(baseUrl, get);
		expect(items).toHaveLength(1);
		expect(calls).toHaveLength(2);
		expect(hints).toEqual([{ message: expect.stringContaining('more than one row is not certain') }]);
	});
});

describe('rows of one set that contradict each other', () => {
	it.each<[string, IDataObject, RegExp]>([
		['in the parcel', { parcelRef: 'P-9' }, /lists set .* as parcel P-5 and as parcel P-9/],
		['in the shipment', { shipmentRef: 'S-9' }, /lists set .* as shipment S-5 and as shipment S-9/],
	])('are an error %s, where they are seen', async (_label, more, message) => {
		for (const between of [10, 250]) {
			const { baseUrl } = await serviceOf(list(row(SPLIT, [3], more), between), 'obeyed');
			for (const [resource, operation] of operationsWith('lookup')) {
				const { items, error } = await runAction(baseUrl, {
					...{ resource, operation, setId: id('a', SPLIT), lookup: {}, options: { waitSeconds: 0 } },
				});
				expect(items).toEqual([]);
				expect(error?.message).toMatch(message);
			}
		}
	});
});

describe('a search of all sets', () => {
	const search = async (rows: IDataObject[]) => {
		const { baseUrl } = await serviceOf(rows, 'obeyed');
		return await runAction(baseUrl, { resource: 'set', operation: 'search', returnAll: true });
	};

	it.each<[string, IDataObject]>([
		['other papers', row(SPLIT, [3, 4])],
		['another status alone', { ...first, status: 'ISSUED' }],
		['another transaction', { ...first, transactionId: id('b', 2) }],
	])('gives each row of a set, on whatever page: %s', async (_label, second) => {
		const { items, error, hints } = await search(list(second, 250, 120));
		expect({ error, hints }).toEqual({ error: undefined, hints: [] });
		expect(items.filter(({ json }) => json.parcelRef === `P-${SPLIT}`)).toHaveLength(2);
		expect(items).toHaveLength(1 + 250 + 1 + 120);
	});

	it.each<[string, IDataObject]>([
		['as it was', first],
		['with other links', { ...first, links: [{ href: '?at=1' }] }],
		['its id in capitals', { ...first, setId: id('a', SPLIT).toUpperCase() }],
	])('gives a row once that comes twice, %s', async (_label, second) => {
		const { items } = await search(list(second, 250));
		expect(items).toHaveLength(1 + 250);
	});
});
