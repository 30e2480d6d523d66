import type { IDataObject } from 'n8n-workflow';
import { pdfBytes } from '../support/apiAccount';
import { runAction } from '../support/actionNode';
import { opening } from '../support/closing';
import { reply, startFakeService, type Answer, type SeenRequest } from '../support/fakeService';
import { operationsWith } from '../support/panel';
import { id } from '../support/ids';

/** Services that do not go by a filter, or understand it in their own way: what was not asked for is never given without a word. */

const set = (index: number, more: IDataObject = {}): IDataObject => ({
	setId: id('a', index),
	parcelRef: `P-${index}`,
	shipmentRef: `S-${index}`,
	status: ['drafted', 'Signed', 'issued', 'Title held', 'TRANSFER-DRAFTED', 'archived'][index % 6],
	documents: [{ documentId: id('d', index), name: 'Bill', docType: 'BILL_OF_LADING' }],
	...more,
});
const SETS = Array.from({ length: 24 }, (_, index) => set(index));

/** Gives `kept` of the sets, whatever it is asked for; or an answer of its own. */
async function serviceOf(
	sets: IDataObject[],
	kept: (set: IDataObject, body: IDataObject) => boolean | Answer = () => true,
) {
	return await opening(
		startFakeService({
			calls: ({ path, body }: SeenRequest) => {
				if (path.includes('get-single-pdf')) return reply(200, pdfBytes(300));
				const query = new URL(path, 'http://x').searchParams;
				const [offset, limit] = ['offset', 'limit'].map((name) => Number(query.get(name)));
				const looks = sets.map((one) => kept(one, JSON.parse(body) as IDataObject));
				const own = looks.find((look) => typeof look !== 'boolean');
				if (own !== undefined) return own;
				const matching = sets.filter((_, index) => looks[index]);
				const results = matching.slice(offset, offset! + limit!);
				const data = { offset, limit, total: matching.length, count: results.length, results };
				return reply(200, { code: 200, status: 'OK', data });
			},
		}),
	);
}

async function search(
	filters: IDataObject,
	sets = SETS,
	more: IDataObject = {},
	kept?: Parameters<typeof serviceOf>[1],
) {
	const { baseUrl } = await serviceOf(sets, kept);
	const { items, error, hints } = await runAction(baseUrl, {
		...{ resource: 'set', operation: 'search', returnAll: true, filters, ...more },
	});
	return { error, refs: items.map(({ json }) => json.parcelRef), hints: hints.map(({ message }) => message) };
}

describe('what a set tells of a filter', () => {
	it.each<[string, IDataObject, string[], RegExp]>([
		['a shipment reference', { shipmentRef: 'S-7' }, ['P-7'], /gave 23 sets .*"Shipment Reference"/],
		['in other capitals', { shipmentRef: ' s-7 ' }, ['P-7'], /gave 23 sets/],
		['one that no set has', { shipmentRef: 'S-99' }, [], /gave 24 sets/],
		[
			'a status',
			{ status: 'signed' },
			['P-1', 'P-5', 'P-7', 'P-11', 'P-13', 'P-17', 'P-19', 'P-23'],
			/gave 16 sets .*"Status"/,
		],
		[
			'a status of two words',
			{ status: 'TITLE_HELD' },
			['P-3', 'P-5', 'P-9', 'P-11', 'P-15', 'P-17', 'P-21', 'P-23'],
			/gave 16 sets/,
		],
	])('leaves out what contradicts it, and says how many: %s', async (_label, filters, refs, hint) => {
		const found = await search(filters);
		expect(found.error).toBeUndefined();
		// "archived" is no status of the interface: it may be a part of any.
		expect(found.refs).toEqual(refs);
		expect(found.hints.join('\n')).toMatch(hint);
	});

	it('is compared where the service understands a part of the reference', async () => {
		const found = await search({ shipmentRef: 'S-2' }, SETS, {}, (one, { shipmentRef }) =>
			String(one.shipmentRef).startsWith(String(shipmentRef)),
		);
		expect(found.refs).toEqual(['P-2']);
		expect(found.hints).toEqual([expect.stringContaining('gave 4 sets')]);
	});

	it('counts towards the limit only what was asked for', async () => {
		const found = await search({ shipmentRef: 'S-20' }, SETS, { returnAll: false, limit: 1 });
		expect(found.refs).toEqual(['P-20']);
	});

	it.each<[string, IDataObject]>([
		['null', { shipmentRef: null }],
		['blank', { shipmentRef: ' ' }],
		['another form', { shipmentRef: { text: 'S-1' } }],
	])('is nothing where the reference is %s', async (_label, more) => {
		expect((await search({ shipmentRef: 'S-1' }, [set(1), set(2, more)])).refs).toEqual(['P-1']);
	});

	it.each<[string, IDataObject, IDataObject, RegExp]>([
		[
			'no reference',
			{ shipmentRef: 'S-1' },
			{ shipmentRef: undefined },
			/"Shipment Reference" cannot be seen/,
		],
		[
			'no customer',
			{ customerIds: [id('c', 1)] },
			{},
			/"Customer or Counterparty Names or IDs" cannot be seen/,
		],
		['no instance', { instance: 'HUB' }, {}, /"Instance" cannot be seen/],
		['an unknown status', { status: 'FILED' }, {}, /"Status" cannot be seen/],
		['no such field', { otherFilters: { port: 'Rotterdam' } }, {}, /"port" cannot be seen/],
		['another value', { otherFilters: { parcelRef: 'P-9' } }, {}, /1 set of 1 has another parcelRef/],
	])('is given with a word where it tells nothing: %s', async (_label, filters, more, hint) => {
		const { refs, hints } = await search(filters, [set(1, more)]);
		expect(refs).toEqual(['P-1']);
		expect(hints).toEqual([expect.stringMatching(hint)]);
	});

	it.each<[string, IDataObject, (body: IDataObject) => boolean]>([
		['a customer', { customerIds: [id('c', 1)] }, ({ customerIds }) => customerIds !== undefined],
		['an instance', { instance: 'HUB' }, ({ instance }) => instance === 'HUB'],
		['a status', { status: 'FILED' }, ({ status }) => status === 'FILED'],
		['another field', { otherFilters: { port: 'Rotterdam' } }, ({ port }) => port === 'Rotterdam'],
	])(
		'is given without a word where the service counts more sets without it: %s',
		async (_label, filters, isAsked) => {
			const found = await search(filters, SETS, {}, (one, body) => !isAsked(body) || one.parcelRef === 'P-4');
			expect(found).toEqual({ error: undefined, refs: ['P-4'], hints: [] });
		},
	);

	it('is doubted by its name alone, where another one is gone by', async () => {
		const filters = { instance: 'HUB', otherFilters: { port: 'Rotterdam' } };
		const { refs, hints } = await search(
			filters,
			SETS,
			{},
			(one, { instance }) => instance === undefined || one.parcelRef === 'P-4',
		);
		expect(refs).toEqual(['P-4']);
		expect(hints).toEqual([expect.stringMatching(/by "port" cannot be seen/)]);
	});

	it('is obeyed in an instance that a set names', async () => {
		const sets = [set(1, { instance: 'Hub' }), set(2, { instance: 'EXCHANGE' })];
		expect((await search({ instance: 'hub' }, sets)).refs).toEqual(['P-1']);
	});

	it.each<[string, IDataObject]>([
		['a shipment reference', { shipmentRef: 'S-7' }],
		['active ones', { status: 'ACTIVE' }],
		['a status', { status: 'Signed' }],
		['another field', { otherFilters: { parcelRef: 'P-7' } }],
	])('says nothing where all is as asked: %s', async (_label, filters) => {
		expect((await search(filters, [set(7)])).hints).toEqual([]);
	});
});

it.each(operationsWith('lookup'))(
	'%s %s gives nothing of a set that contradicts where to look',
	async (resource, operation) => {
		const { baseUrl } = await serviceOf(SETS);
		const get = (lookup: IDataObject) =>
			runAction(baseUrl, { resource, operation, setId: id('a', 7), lookup, options: { waitSeconds: 0 } });
		for (const lookup of [
			{ shipmentRef: 'S-8' },
			{ status: 'ISSUED' },
			{ shipmentRef: 'S-7', status: 'ISSUED' },
		]) {
			const { items, error } = await get(lookup);
			expect(items).toEqual([]);
			expect(error?.message).toContain('does not show set');
		}
		for (const lookup of [{ shipmentRef: 's-7' }, { status: 'SIGNED' }, { status: 'ACTIVE' }, {}]) {
			expect((await get(lookup)).items).toHaveLength(1);
		}
	},
);

describe('a set by its reference, of a customer', () => {
	const OTHER = id('c', 2);
	const held: IDataObject[] = [set(1, { of: id('c', 1) }), set(2, { of: OTHER })];
	const papers = (
		value: string,
		kept: Parameters<typeof serviceOf>[1],
		customerId: string,
		json: IDataObject = {},
	) =>
		serviceOf(held, kept).then(async (service) => {
			const run = await runAction(
				service.baseUrl,
				{
					...{ resource: 'document', operation: 'getAllPdfs', setId: { mode: 'reference', value } },
					...{ lookup: { customerId }, options: { waitSeconds: 0 } },
				},
				{ items: [{ json }] },
			);
			return { ...run, calls: service.calls };
		});
	const goesBy = (one: IDataObject, { customerIds, shipmentRef }: IDataObject) =>
		(customerIds as string[]).includes(String(one.of)) &&
		(shipmentRef ?? one.shipmentRef) === one.shipmentRef;

	it.each(['S-2', 'P-2'])('is given by a service that goes by customers: %s', async (reference) => {
		const { items, error, calls } = await papers(reference, goesBy, OTHER);
		expect(error).toBeUndefined();
		expect(items.map(({ json }) => json.documentId)).toEqual([id('d', 2)]);
		expect(calls.filter(({ path }) => path.includes('get-single-pdf'))).toHaveLength(1);
	});

	it.each<[string, Parameters<typeof serviceOf>[1]]>([
		['any filter', () => true],
		['customers', (one, { shipmentRef }) => (shipmentRef ?? one.shipmentRef) === one.shipmentRef],
	])('is refused where the service does not go by %s: it may be that of another', async (_label, kept) => {
		for (const reference of ['S-2', 'P-2']) {
			const { items, error, calls } = await papers(reference, kept, id('c', 1));
			expect(items).toEqual([]);
			expect(error?.message).toBe(
				`Whether the set with the reference "${reference}" is of that customer cannot be seen: the service gives sets of any customer`,
			);
			expect(calls.filter(({ path }) => path.includes('get-single-pdf'))).toEqual([]);
		}
	});

	it.each<[string, Answer]>([
		['it is in trouble', 'unavailable'],
		['it breaks', 'failed'],
		['it asks for a rest', 'rateLimited'],
		['the line breaks', 'resetBeforeHeaders'],
	])(
		'is refused where nobody can be asked whether it goes by customers, since %s',
		async (_label, trouble) => {
			const isOfNobody = ({ customerIds }: IDataObject) =>
				![id('c', 1), OTHER].includes(String((customerIds as string[])[0]));
			const { items, error } = await papers(
				'S-2',
				(one, body) => (isOfNobody(body) ? trouble : one.shipmentRef === 'S-2'),
				id('c', 1),
			);
			expect(items).toEqual([]);
			expect(error?.message).toMatch(/problem of its own|fewer calls|was lost/);
		},
	);

	it.each<[string, Answer]>([
		['of a customer that it does not know', reply(400, { message: 'No such customer' })],
		['of a customer of others', 'forbidden'],
		['of what is not there', 'missing'],
	])('is given by a service that refuses to be asked %s', async (_label, refusal) => {
		const { items, error } = await papers(
			'S-2',
			(one, body) => ((body.customerIds as string[])[0] === OTHER ? goesBy(one, body) : refusal),
			OTHER,
		);
		expect(error).toBeUndefined();
		expect(items.map(({ json }) => json.documentId)).toEqual([id('d', 2)]);
	});

	it('is no question where the event names that very set', async () => {
		const event = { setId: id('a', 2), newStatus: 'ISSUED', customerId: OTHER, parcelReference: 'P-2' };
		expect((await papers('P-2', () => true, OTHER, event)).error).toBeUndefined();
	});
});

it('the papers of a look-up are of the shipment that was typed', async () => {
	const { baseUrl } = await serviceOf(SETS);
	const found = await runAction(baseUrl, {
		...{ resource: 'set', operation: 'search', returnAll: true, filters: { shipmentRef: 'S-3' } },
	});
	const { items } = await runAction(
		baseUrl,
		{
			...{ resource: 'document', operation: 'getAllPdfs', setId: '={{ $json.setId }}', onePerSet: true },
			...{ lookup: { shipmentRef: '={{ $json.shipmentRef }}' }, options: { waitSeconds: 0 } },
		},
		{ items: found.items },
	);
	expect(items.map(({ json }) => json.parcelRef)).toEqual(['P-3']);
});

describe('a service that goes by one of several customers alone', () => {
	const customers = [1, 2, 3, 4, 5].map((index) => id('c', index));
	const sets = customers.flatMap((of, customer) =>
		[0, 1].map((index) => ({
			of,
			set: { setId: id('a', customer * 10 + index), parcelRef: `P-${customer}` },
		})),
	);
	const start = async (goneBy: (ids: readonly string[]) => readonly string[]) =>
		await opening(
			startFakeService({
				calls: ({ body }) => {
					const { customerIds } = JSON.parse(body) as { customerIds?: string[] };
					const ids = customerIds && goneBy(customerIds);
					const results = sets.filter(({ of }) => !ids || ids.includes(of)).map(({ set }) => set);
					const data = { offset: 0, total: results.length, results };
					return reply(200, { code: 200, status: 'OK', data });
				},
			}),
		);
	const WAYS: [string, (ids: readonly string[]) => readonly string[]][] = [
		['the first', (ids) => ids.slice(0, 1)],
		['the last', (ids) => ids.slice(-1)],
		['the first two', (ids) => ids.slice(0, 2)],
	];

	it.each(WAYS)('never gives a part as all: %s', async (_which, goneBy) => {
		const { baseUrl } = await start(goneBy);
		const { items, error } = await runAction(baseUrl, {
			...{ resource: 'set', operation: 'search', returnAll: true, filters: { customerIds: customers } },
		});
		expect(items).toEqual([]);
		expect(error?.message).toMatch(
			/^The service shows sets of customer \S+ that it leaves out where several customers are asked for\.$/,
		);
	});

	it.each([2, 3, 5])('is not suspected where it goes by all of %i', async (count) => {
		const { baseUrl, calls } = await start((ids) => ids);
		const { items, error } = await runAction(baseUrl, {
			...{ resource: 'set', operation: 'search', returnAll: true },
			filters: { customerIds: customers.slice(0, count) },
		});
		expect(error).toBeUndefined();
		expect(items).toHaveLength(2 * count);
		expect(calls.length).toBeLessThanOrEqual(10);
	});
});
