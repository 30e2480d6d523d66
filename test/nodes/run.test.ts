import type { IDataObject, INode } from 'n8n-workflow';
import { startService } from '../../sandbox/service';
import { systemClock } from '../../service/surroundings';
import { runAction } from '../support/actionNode';
import { opening } from '../support/closing';
import type { NodeRun } from '../support/engine';
import { startFakeService } from '../support/fakeService';
import { openFrontDoor } from '../support/frontDoor';
import { forAll } from '../support/forAll';

const service = forAll(startService);

const unknownId = '00000000-0000-4000-8000-00000000abcd';

/** Three items of which the middle one fails. */
const threeItems = () => [
	{ json: { setId: service.data.sets[0]!.setId, mark: 'first' } },
	{ json: { setId: unknownId, mark: 'middle' } },
	{ json: { setId: service.data.sets[1]!.setId, mark: 'last' } },
];
const getSets = (settings: Partial<INode>, more: Partial<NodeRun> = {}) =>
	runAction(
		service.baseUrl,
		{ resource: 'set', operation: 'get' },
		{ items: threeItems(), settings, ...more },
	);

const shown = (list: Array<{ json: IDataObject; pairedItem?: unknown }>) =>
	list.map(({ json, pairedItem }) => [json.setId ?? json.error, pairedItem]);
const notShown = `The search does not show set ${unknownId}`;
const withRemedy = expect.stringMatching(new RegExp(`^${notShown}\\. Check the set ID\\.`));

describe('an item that fails', () => {
	it('stops the run, and is named', async () => {
		const { error, items } = await getSets({});
		expect(items).toEqual([]);
		expect(error).toMatchObject({ name: 'NodeApiError', message: notShown, context: { itemIndex: 1 } });
	});

	it.each<[string, Partial<INode>]>([
		['the old switch', { continueOnFail: true }],
		['the regular output', { onError: 'continueRegularOutput' }],
	])('becomes an item with its error, in its place: %s', async (_, settings) => {
		const { error, items } = await getSets(settings);
		expect(error).toBeUndefined();
		expect(shown(items)).toEqual([
			[service.data.sets[0]!.setId, { item: 0 }],
			[withRemedy, { item: 1 }],
			[service.data.sets[1]!.setId, { item: 2 }],
		]);
		expect(items[1]?.json).toEqual({ error: withRemedy });
	});

	it('goes to the error output, with its input', async () => {
		const { error, items, errorItems } = await getSets({ onError: 'continueErrorOutput' });
		expect(error).toBeUndefined();
		expect(shown(items)).toEqual([
			[service.data.sets[0]!.setId, { item: 0 }],
			[service.data.sets[1]!.setId, { item: 2 }],
		]);
		expect(errorItems).toHaveLength(1);
		expect(errorItems[0]?.json).toEqual({ mark: 'middle', setId: unknownId, error: withRemedy });
	});

	it.each([
		[
			'a search',
			{
				resource: 'set',
				operation: 'search',
				limit: 1,
				filters: { status: 'ACTIVE', otherFilters: '={{ $json.others }}' },
			},
			[{ others: '{ "instance": "HUB" }' }, { others: 'HUB' }, { others: { instance: 'HUB' } }],
		],
		[
			'a list',
			{ resource: 'customer', operation: 'getAll', limit: '={{ $json.limit }}' },
			[{ limit: 1 }, { limit: 0 }, { limit: 1 }],
		],
		[
			'an event',
			{ resource: 'event', operation: 'parse' },
			[{ newStatus: 'A' }, { newStatus: 1 }, { newStatus: 'B' }],
		],
	])('does not hold up the others: %s', async (_, parameters, inputs) => {
		const { error, items } = await runAction(service.baseUrl, parameters, {
			items: inputs.map((json) => ({ json })),
			settings: { onError: 'continueRegularOutput' },
		});
		expect(error).toBeUndefined();
		const failed = items.filter(({ json }) => 'error' in json);
		expect(failed.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 1 }]);
		expect(new Set(items.map(({ pairedItem }) => (pairedItem as { item: number }).item))).toEqual(
			new Set([0, 1, 2]),
		);
	});
});

it.each<[string, IDataObject]>([
	['an option', { options: { timeZone: "={{ $('Nowhere').item.json.zone }}" } }],
	['a filter', { lookup: { shipmentRef: "={{ $('Nowhere').item.json.ref }}" } }],
])('gives no input for output when an expression of %s cannot be resolved', async (_, parameters) => {
	const { items, errorItems } = await runAction(
		service.baseUrl,
		{ resource: 'set', operation: 'get', ...parameters },
		{ items: threeItems(), settings: { onError: 'continueErrorOutput' } },
	);
	expect(items).toEqual([]);
	expect(errorItems.map(({ json }) => [json.mark, json.error])).toEqual(
		['first', 'middle', 'last'].map((mark) => [mark, expect.stringContaining("doesn't exist")]),
	);
});

it('leaves nothing running behind a run that failed', async () => {
	const slow = await opening(startService({ latencyMs: 20 }));
	const set = slow.data.sets[0]!;
	const inputs = Array.from({ length: 30 }, (_, index) => ({
		json: { documentId: index === 3 ? unknownId : set.documents[0]!.documentId },
	}));
	const { error } = await runAction(
		slow.baseUrl,
		{
			resource: 'document',
			operation: 'getPdf',
			setId: set.setId,
			documentId: '={{ $json.documentId }}',
			options: { parallelDownloads: 2 },
		},
		{ items: inputs },
	);
	expect(error).toMatchObject({ httpCode: '404', context: { itemIndex: 3 } });
	const sent = slow.counters.byRoute.pdf!;
	expect(sent).toBeLessThan(10);
	await new Promise((resolve) => setTimeout(resolve, 60));
	expect(slow.counters.byRoute.pdf).toBe(sent);
});

it('does not wait for a silent service once another item has failed', async () => {
	const half = await opening(
		startFakeService({ calls: ({ path }) => (path.endsWith(unknownId) ? 'missing' : 'silence') }),
	);
	const documentIds = ['44444444-4444-4444-8444-444444444444', unknownId];
	const started = performance.now();
	const { error } = await runAction(
		half.baseUrl,
		{
			resource: 'document',
			operation: 'getPdf',
			setId: unknownId,
			documentId: '={{ $json.documentId }}',
			options: { timeout: 60 },
		},
		{ items: documentIds.map((documentId) => ({ json: { documentId } })) },
	);
	expect(error).toMatchObject({ httpCode: '404', context: { itemIndex: 1 } });
	expect(performance.now() - started).toBeLessThan(30_000);
});

it('is run again as a whole when n8n retries, and not because a good item holds a field named error', async () => {
	const result = {
		...({} as IDataObject),
		customerId: unknownId,
		customerName: 'A party',
		error: 'not one of ours',
	};
	let asked = 0;
	const door = await opening(
		openFrontDoor(service, ({ path }) => {
			if (!path.includes('counterparties')) return undefined;
			asked++;
			return { body: [result] };
		}),
	);
	const { items } = await runAction(
		door.baseUrl,
		{ resource: 'counterparty', operation: 'getAll' },
		{ settings: { retryOnFail: true, maxTries: 3, waitBetweenTries: 0 } },
	);
	expect(asked).toBe(1);
	expect(items[0]?.json).toEqual({
		customerId: unknownId,
		customerName: 'A party',
		errorField: 'not one of ours',
	});
});

it('ends soon when a person stops it, also in the middle of a wait', async () => {
	// A wait that is not cut short outlasts the test.
	const after = systemClock.after.bind(systemClock);
	const spy = jest.spyOn(systemClock, 'after').mockImplementation((ms, callback) => after(ms * 60, callback));
	const { ended } = await runAction(
		service.baseUrl,
		{ resource: 'set', operation: 'get', setId: unknownId, options: { waitSeconds: 600 } },
		{ cancelAfterMs: 300, settings: { onError: 'continueRegularOutput' } },
	);
	spy.mockRestore();
	expect(ended).toEqual(['canceled']);
});

it('refuses an operation it does not know', async () => {
	for (const [resource, operation] of [
		['set', 'delete'],
		['toString', 'call'],
		['set', 'constructor'],
	]) {
		const { error } = await runAction(service.baseUrl, { resource, operation });
		expect(error?.message).toMatch(/^There is no operation/);
	}
});

it.each([
	{ resource: '__CUSTOM_API_CALL__', operation: 'search' },
	{ resource: 'set', operation: '__CUSTOM_API_CALL__' },
	{ resource: 'event', operation: '__CUSTOM_API_CALL__' },
])('leads from the custom API call that n8n offers to the node that makes one: %j', async (chosen) => {
	const { error } = await runAction(service.baseUrl, chosen);
	expect(error?.message).toMatch(/made by the HTTP Request node/);
	expect(error?.description).toMatch(/Predefined Credential Type, then Parcel Document Exchange API/);
});

it('reads a credential that is missing as an error of the item', async () => {
	const { error } = await runAction(
		service.baseUrl,
		{ resource: 'customer', operation: 'getAll' },
		{ credentials: {} },
	);
	expect(error?.message).toMatch(/credential/i);
});
