import type { IDataObject } from 'n8n-workflow';
import { draftSet, move, resultOf, startService, type Service } from '../../sandbox/service';
import { runAction } from '../support/actionNode';
import { sampleEvents } from '../../nodes/ParcelDocumentExchange/events/samples';
import type { NodeRun } from '../support/engine';

let service: Service;
beforeEach(async () => void (service = await startService()));
afterEach(() => service.close());

const get = (parameters: IDataObject = {}, more: Partial<NodeRun> = {}) =>
	runAction(service.baseUrl, { resource: 'set', operation: 'get', ...parameters }, more);

const searches = () => service.counters.byRoute.search ?? 0;

it('works straight from an event, with nothing typed in', async () => {
	const { event } = draftSet(service.data, Date.now());
	const { items, error } = await get({}, { items: [{ json: { ...event } }] });
	expect(error).toBeUndefined();
	expect(items).toEqual([
		{ json: expect.objectContaining({ setId: event.setId, status: 'DRAFTED' }), pairedItem: { item: 0 } },
	]);
});

it('searches by the customer of the event, and by no status', async () => {
	const { event } = draftSet(service.data, Date.now());
	await get({}, { items: [{ json: { ...event } }] });
	// All pages of that customer: a set may be listed in two rows.
	expect(searches()).toBe(3);
	expect(
		(await get({ lookup: { status: 'surrendered' } }, { items: [{ json: { ...event } }] })).error,
	).toMatchObject({
		message: `The search for status SURRENDERED does not show set ${event.setId}`,
	});
});

describe('behind a sample event', () => {
	const sample = { json: { ...sampleEvents(['SIGNED'])[0] } };
	const getAllPdfs = { resource: 'document', operation: 'getAllPdfs' };

	it('finds a set that was chosen from the list: the customer of the sample is nobody', async () => {
		const { setId } = service.data.sets[0]!;
		const { items, error } = await get({ setId }, { items: [sample] });
		expect(error).toBeUndefined();
		expect(items[0]?.json).toMatchObject({ setId });
	});

	it.each([
		['Set, Get', {}],
		['Get All PDFs, which waits for sets', getAllPdfs],
	])('says at once that its set is none: %s', async (_, parameters) => {
		expect((await get(parameters, { items: [sample] })).error).toMatchObject({
			message: 'The set of a sample event does not exist',
			description: expect.stringContaining('put it on From List'),
		});
		expect(searches()).toBe(0);
	});
});

it.each<[string, (id: string) => unknown]>([
	['a plain text', (id) => id],
	['an expression', (id) => `={{ "${id}" }}`],
	['a picker, from the list', (id) => ({ __rl: true, mode: 'list', value: id, cachedResultName: 'P-1' })],
	['a picker, by id', (id) => ({ __rl: true, mode: 'id', value: ` ${id} ` })],
	['capitals', (id) => id.toUpperCase()],
])('takes the id as %s', async (_, write) => {
	const set = service.data.sets[250]!;
	const { items } = await get({ setId: write(set.setId) as IDataObject, simplify: false });
	expect(items[0]?.json).toEqual(resultOf(set));
});

it('reads no further than the page that shows the set, and asks for the set alone: it may be listed in two rows', async () => {
	await get({ setId: service.data.sets[3]!.setId });
	expect(searches()).toBe(2);
});

it('scans once for many events, by customer, however many there are', async () => {
	const events = service.data.sets.slice(0, 120).map(({ setId, customerId }) => ({ setId, customerId }));
	const { items } = await get({}, { items: events.map((json) => ({ json })) });
	expect(items.map(({ json }) => json.setId)).toEqual(events.map(({ setId }) => setId));
	expect(items.map(({ pairedItem }) => pairedItem)).toEqual(events.map((_, item) => ({ item })));
	const customers = new Set(events.map(({ customerId }) => customerId));
	const pages = [...customers].map((customerId) =>
		Math.ceil(
			service.data.sets.filter((set) =>
				[set.customerId, set.consignor.customerId, set.consignee.customerId].includes(customerId),
			).length / 100,
		),
	);
	expect(searches()).toBeLessThanOrEqual(pages.reduce((sum, count) => sum + count, 0));
});

it('gives both items when two events are of one set', async () => {
	const { setId, customerId } = service.data.sets[7]!;
	const { items } = await get(
		{},
		{ items: [{ json: { setId, customerId } }, { json: { setId } }, { json: { setId, customerId } }] },
	);
	expect(items.map(({ json, pairedItem }) => [json.setId, pairedItem])).toEqual(
		[0, 1, 2].map((item) => [setId, { item }]),
	);
});

it('leaves a trace to the input item for later nodes', async () => {
	const [one, two] = service.data.sets;
	const { after } = await get(
		{},
		{
			items: [{ json: { setId: two!.setId, mark: 'two' } }, { json: { setId: one!.setId, mark: 'one' } }],
			after: { mark: '={{ $("Input").item.json.mark }}', setId: '={{ $json.setId }}' },
		},
	);
	expect(after).toEqual([
		{ mark: 'two', setId: two!.setId },
		{ mark: 'one', setId: one!.setId },
	]);
});

describe('documents', () => {
	it('are searched for again by the shipment reference when a broad search leaves them out', async () => {
		await service.close();
		service = await startService({ documentsInSearch: 'narrow' });
		const set = service.data.sets[60]!;
		const { items } = await get({ setId: set.setId });
		expect(items[0]?.json.documents).toHaveLength(set.documents.length);
		expect(searches()).toBe(2);
	});

	it('may be none: the set is given as it is', async () => {
		const set = service.data.sets[60]!;
		set.documents = [];
		const { items, error } = await get({ setId: set.setId });
		expect(error).toBeUndefined();
		expect(items[0]?.json.documents).toEqual([]);
	});
});

describe('says what is wrong', () => {
	it('when the input has no such field, and what to do', async () => {
		const { error } = await get();
		expect(error).toMatchObject({
			name: 'NodeOperationError',
			message: '"Set" is empty',
			description: expect.stringContaining('put this node behind the trigger'),
		});
		expect(searches()).toBe(0);
	});

	it('when the id is none', async () => {
		const { error } = await get({ setId: 'P-2026-1' });
		expect(error).toMatchObject({ message: '"Set" is not an ID: "P-2026-1"' });
		expect(searches()).toBe(0);
	});

	it('when the customer id is none', async () => {
		const { error } = await get({ setId: service.data.sets[0]!.setId, lookup: { customerId: 'Acme' } });
		expect(error).toMatchObject({ message: '"Customer or Counterparty" is not an ID: "Acme"' });
	});

	it('when no set has that id', async () => {
		const setId = '00000000-0000-4000-8000-00000000abcd';
		const { error } = await get({ setId });
		expect(error).toMatchObject({
			name: 'NodeApiError',
			message: `The search does not show set ${setId}`,
			description: expect.stringContaining('Wait Up To'),
			context: { itemIndex: 0 },
		});
	});

	it('when the customer is unknown, naming it', async () => {
		const customerId = '00000000-0000-4000-8000-00000000abcd';
		const { setId } = service.data.sets[0]!;
		const { error } = await get({}, { items: [{ json: { setId, customerId } }] });
		expect(error).toMatchObject({
			message: `The search for customer ${customerId} does not show set ${setId}`,
			description: expect.stringContaining('Narrow the Search'),
		});
	});
});

it('waits for a set the search does not show yet, as long as it may', async () => {
	const started = Date.now();
	const missing = await get({ setId: '00000000-0000-4000-8000-00000000abcd', options: { waitSeconds: 1 } });
	expect(missing.error).toMatchObject({
		message: expect.stringContaining('also not after waiting 1 second'),
	});
	expect(Date.now() - started).toBeGreaterThanOrEqual(1_000);
	expect(searches()).toBeGreaterThan(3);
});

it('gives a set that moves while it is looked for', async () => {
	const { setId, customerId } = service.data.sets[150]!;
	move(service.data, setId, 'sign', Date.now());
	const { items } = await get({}, { items: [{ json: { setId, customerId } }] });
	expect(items[0]?.json.status).toBe('SIGNED');
});
