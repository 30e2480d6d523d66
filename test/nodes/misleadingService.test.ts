import type { IDataObject } from 'n8n-workflow';
import { runAction } from '../support/actionNode';
import { opening } from '../support/closing';
import { reply, startFakeService, type Reaction, type SeenRequest } from '../support/fakeService';
import { id } from '../support/ids';
import {
	held,
	MISLEADING,
	page,
	rows,
	startMisleading,
	type Asked,
	type Searched,
} from '../support/misleadingServices';

const COUNT = held.length;
const start = async (searched: Searched) => await opening(startMisleading(searched));

describe.each(MISLEADING)('a service where %s', (_label, outcome, searched) => {
	it(`is searched with this outcome: ${outcome}`, async () => {
		const { baseUrl, calls } = await start(searched);
		const { items, error, hints } = await runAction(baseUrl, {
			...{ resource: 'set', operation: 'search', returnAll: true },
		});
		expect(calls.length).toBeLessThan(150);
		const isError = error !== undefined;
		if (outcome !== 'all or error') expect(isError).toBe(outcome === 'error');
		if (isError) {
			expect(items).toEqual([]);
			expect(error.message).toMatch(/service|refused|HTTP|answer/i);
			return;
		}
		expect(items.map(({ json }) => json.setId).sort()).toEqual(held.map(({ setId }) => setId));
		expect(hints).toEqual(
			outcome === 'hint' ? [{ message: expect.stringMatching(/\d+.* 300 different/) }] : [],
		);
	});

	const wanted = [0, 101, 150, COUNT - 1];
	const each = async (operation: IDataObject): Promise<IDataObject[]> => {
		const { baseUrl } = await start(searched);
		const { items } = await runAction(
			baseUrl,
			{ ...operation, lookup: {}, options: { waitSeconds: 0 } },
			{
				items: wanted.map((index) => ({ json: { setId: id('a', index) } })),
				settings: { onError: 'continueRegularOutput' },
			},
		);
		return items.map(({ json }) => json);
	};

	it.each([
		['set', 'get'],
		['document', 'getAllPdfs'],
	])(
		'gives every set that it holds to %s %s, or an error, and never calls one absent',
		async (resource, operation) => {
			const given = await each({ resource, operation });
			expect(given).toHaveLength(wanted.length);
			for (const [place, json] of given.entries()) {
				if (!outcome.includes('error')) expect(json.error).toBeUndefined();
				if (json.error === undefined) expect(json.setId).toBe(id('a', wanted[place]!));
				else {
					expect(json.error).not.toContain('does not show');
					expect(json.error).toMatch(/service|HTTP|answer/i);
				}
				if (json.documentId !== undefined) expect(json.documentId).toBe(id('d', wanted[place]!));
			}
		},
	);
});

describe('a list of which some leave and as many come while it is read', () => {
	const left = [900, 901, 902].map((index) => ({ ...held[0]!, setId: id('e', index) }));
	const MOVES: [string, typeof held][] = [
		['one at the head, one at the end', [left[0]!, ...held.slice(0, -1)]],
		[
			'three in the middle of page 1, three at the end',
			[...held.slice(0, 40), ...left, ...held.slice(40, -3)],
		],
		[
			'one in the middle of page 2, one in page 3',
			[...held.slice(0, 150), left[0]!, ...held.slice(150, 260), ...held.slice(261)],
		],
	];
	const MANNERS: [string, (asked: Asked) => Asked][] = [
		['any page', (asked) => asked],
		['100 to a page at most', (asked) => ({ ...asked, limit: Math.min(100, asked.limit) })],
		[
			'whole pages alone',
			({ offset, limit, number }) => ({ offset: Math.floor(offset / limit) * limit, limit, number }),
		],
	];
	it.each(
		MOVES.flatMap(([move, before]) =>
			MANNERS.flatMap(([manner, given]) =>
				[1, 2, 3].map((after) => [move, after, manner, before, given] as const),
			),
		),
	)(
		'gives all that were there all the time, or a doubt with the number: %s, after search %i, %s',
		async (_move, after, _manner, before, given) => {
			const { baseUrl } = await start((asked) =>
				page(asked.offset, COUNT, rows(given(asked), asked.number <= after ? before : held)),
			);
			const { items, error, hints } = await runAction(baseUrl, {
				...{ resource: 'set', operation: 'search', returnAll: true },
			});
			expect(error).toBeUndefined();
			const found = new Set(items.map(({ json }) => json.setId));
			const missing = before.filter((set) => held.includes(set) && !found.has(set.setId));
			if (hints.length === 0) expect(missing).toEqual([]);
			else expect(hints[0]?.message).toMatch(/changed while it was read/);
			expect(found.size).toBe(items.length);
		},
	);
});

describe('a set that is not there', () => {
	it.each<[string, boolean, Searched]>([
		[
			'is called absent where the list is complete',
			true,
			(asked) => page(asked.offset, COUNT, rows(asked, held)),
		],
		[
			'is not called absent where it is not',
			false,
			(asked) => page(asked.offset, COUNT, asked.offset >= 190 || asked.limit > 100 ? [] : rows(asked, held)),
		],
	])('%s', async (_label, absent, searched) => {
		const { baseUrl } = await start(searched);
		const { error } = await runAction(baseUrl, {
			...{ resource: 'set', operation: 'get', setId: id('b', 1), lookup: {}, options: { waitSeconds: 0 } },
		});
		expect(error?.message).toMatch(
			absent ? /does not show set/ : /says that 300 sets match, and gave 280 different ones in 12 readings/,
		);
	});
});

describe('a service that counts to 10,000 and refuses what is beyond', () => {
	const start = async (count: number, refusal: number) => {
		const list = Array.from({ length: count }, (_, index) => ({
			...{ setId: id('a', index), parcelRef: `P-${index}`, shipmentRef: index % 5_000 === 7 ? 'TWICE' : 'S' },
		}));
		return await opening(
			startFakeService({
				calls: ({ path, body }: SeenRequest): Reaction => {
					const query = new URL(path, 'http://x').searchParams;
					const [offset = 0, limit = 0] = ['offset', 'limit'].map((name) => Number(query.get(name)));
					if (offset + limit > 10_000 && offset >= Math.min(count, 9_999))
						return reply(refusal, { message: 'Result window' });
					const { shipmentRef } = JSON.parse(body) as { shipmentRef?: string };
					if (shipmentRef !== undefined && shipmentRef !== 'S') return page(offset, 0, []);
					return page(offset, Math.min(count, 10_000), list.slice(offset, Math.min(10_000, offset + limit)));
				},
			}),
		);
	};
	const search = { resource: 'set', operation: 'search', returnAll: true, options: { pageSize: 1_000 } };

	it.each([400, 422, 404, 416])('never gives a part as all (HTTP %i)', async (refusal) => {
		const { baseUrl } = await start(12_000, refusal);
		const { items, error, hints } = await runAction(baseUrl, search);
		if (error) return;
		expect(items).toHaveLength(10_000);
		expect(hints).toEqual([
			{ message: expect.stringMatching(/there may be more\. Filters that match fewer sets/) },
		]);
	});

	it('is not suspected where fewer came', async () => {
		const { baseUrl } = await start(9_990, 400);
		const { items, hints } = await runAction(baseUrl, search);
		expect(items).toHaveLength(9_990);
		expect(hints).toEqual([]);
	});

	it('is never believed to have one set of a reference, or none', async () => {
		const { baseUrl } = await start(12_000, 400);
		for (const value of ['P-9', 'P-11000']) {
			const { items, error } = await runAction(baseUrl, {
				...{ resource: 'set', operation: 'get', setId: { mode: 'reference', value }, lookup: {} },
				options: { pageSize: 1_000 },
			});
			expect(items).toEqual([]);
			expect(error?.message).not.toContain('No set has');
		}
		const absent = await runAction(baseUrl, {
			...{ resource: 'set', operation: 'get', setId: id('a', 11_000), lookup: {} },
			options: { pageSize: 1_000 },
		});
		const told = `${absent.error?.message} ${absent.error?.description}`;
		expect(told).toMatch(/there may be more|refused the request/);
		// What to do about it is said once, where the search is narrowed.
		expect(told).not.toMatch(/filters that match fewer sets/i);
	});
});
