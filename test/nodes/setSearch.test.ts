import type { IDataObject } from 'n8n-workflow';
import { makeData, resultOf, startService, type ParcelSet } from '../../sandbox/service';
import { runAction } from '../support/actionNode';
import { opening } from '../support/closing';
import { openFrontDoor } from '../support/frontDoor';
import { forAll } from '../support/forAll';

const service = forAll(startService);

const search = (parameters: IDataObject = {}, baseUrl = service.baseUrl) =>
	runAction(baseUrl, { resource: 'set', operation: 'search', returnAll: true, ...parameters });

const idsOf = (items: Array<{ json: IDataObject }>) => items.map(({ json }) => json.setId);
const idsWhere = (test: (set: ParcelSet) => boolean) =>
	service.data.sets.filter(test).map(({ setId }) => setId);
const partyOf = (set: ParcelSet) => [set.customerId, set.consignor.customerId, set.consignee.customerId];

describe('how many', () => {
	it('gives 50 sets unless told, in the order of the service', async () => {
		const { items, hints } = await runAction(service.baseUrl, { resource: 'set', operation: 'search' });
		expect(idsOf(items)).toEqual(idsWhere(() => true).slice(0, 50));
		// The editor says so itself where the output is as long as the limit.
		expect(hints).toEqual([]);
	});

	it('says for several items that there may be more', async () => {
		const { hints } = await runAction(
			service.baseUrl,
			{ resource: 'set', operation: 'search', limit: 2 },
			{ items: [{ json: {} }, { json: {} }] },
		);
		expect(hints).toEqual([
			{ message: 'The limit of 2 is reached; more sets may match. Raise Limit or use Return All. (2 items)' },
		]);
	});

	it('asks for no more pages than the limit needs', async () => {
		const before = service.counters.byRoute.search ?? 0;
		await search({ returnAll: false, limit: 100 });
		expect(service.counters.byRoute.search! - before).toBe(1);
	});

	it('asks for no more sets than the limit', async () => {
		const asked: string[] = [];
		const door = await opening(
			openFrontDoor(service, ({ path }) => {
				if (path.includes('/search')) asked.push(path.replace(/^.*\?/, ''));
				return undefined;
			}),
		);
		await search({ returnAll: false, limit: 2 }, door.baseUrl);
		expect(asked).toEqual(['limit=2&offset=0']);
	});

	it('gives all with Return All, each once', async () => {
		const { items, hints } = await search();
		expect(idsOf(items)).toEqual(idsWhere(() => true));
		expect(hints).toEqual([]);
	});

	it('gives all with small pages too', async () => {
		expect(idsOf((await search({ options: { pageSize: 7 } })).items)).toEqual(idsWhere(() => true));
	});
});

describe('what comes out', () => {
	it('is exactly what the service sent, without Simplify', async () => {
		const { items } = await search({ simplify: false, returnAll: false, limit: 3 });
		const sent = service.data.sets.slice(0, 3).map((set) => resultOf(set));
		expect(items.map(({ json }) => json)).toEqual(sent);
	});

	it('is not simplified when an expression says so as text', async () => {
		const { items } = await search({ simplify: '={{ "false" }}', returnAll: false, limit: 1 });
		expect(items[0]?.json).toEqual(resultOf(service.data.sets[0]!));
	});

	it('is plain with Simplify, in the zone asked for', async () => {
		const { items } = await search({ returnAll: false, limit: 1, options: { timeZone: 'Asia/Singapore' } });
		const sent = resultOf(service.data.sets[0]!);
		expect(items[0]?.json).toMatchObject({
			status: sent.status.toUpperCase(),
			modifiedAt: '2026-11-20T09:48:00.000+08:00',
			signature: { number: expect.any(Number), total: expect.any(Number), text: sent.signature },
			documents: sent.documents.map(({ documentId, name, docType }) => ({ documentId, name, docType })),
			vesselName: sent.vesselName,
		});
	});
});

describe('filters', () => {
	const some = () => service.data.sets[40]!;

	it.each<[string, (set: ParcelSet) => IDataObject, (set: ParcelSet) => (other: ParcelSet) => boolean]>([
		[
			'a status',
			() => ({ status: 'ACTIVE' }),
			() =>
				({ status }) =>
					status !== 'surrendered',
		],
		[
			'a status in lower case',
			() => ({ status: 'issued' }),
			() =>
				({ status }) =>
					status === 'issued',
		],
		[
			'a status of a picker',
			() => ({ status: { __rl: true, mode: 'value', value: 'Title_held' } }),
			() =>
				({ status }) =>
					status === 'title_held',
		],
		[
			'an instance',
			() => ({ instance: 'hub' }),
			() =>
				({ instance }) =>
					instance === 'HUB',
		],
		[
			'a shipment reference',
			({ shipmentRef }) => ({ shipmentRef }),
			({ shipmentRef }) =>
				(other) =>
					other.shipmentRef === shipmentRef,
		],
		[
			'customers as a list',
			({ customerId }) => ({ customerIds: [customerId, customerId] }),
			({ customerId }) =>
				(other) =>
					partyOf(other).includes(customerId),
		],
		[
			'customers as text with commas',
			({ customerId, consignee }) => ({ customerIds: `${customerId}, ${consignee.customerId}` }),
			({ customerId, consignee }) =>
				(other) =>
					[customerId, consignee.customerId].some((id) => partyOf(other).includes(id)),
		],
		[
			'other filters',
			({ parcelRef }) => ({ otherFilters: JSON.stringify({ parcelRef }) }),
			({ parcelRef }) =>
				(other) =>
					other.parcelRef === parcelRef,
		],
		[
			'other filters as an object',
			({ parcelRef }) => ({ otherFilters: { parcelRef } }),
			({ parcelRef }) =>
				(other) =>
					other.parcelRef === parcelRef,
		],
		[
			'the named filter rather than the other one',
			() => ({ status: 'SIGNED', otherFilters: '{ "status": "DRAFTED" }' }),
			() =>
				({ status }) =>
					status === 'signed',
		],
		[
			'all together',
			({ status, instance, customerId, shipmentRef, parcelRef }) => ({
				status,
				instance,
				customerIds: [customerId],
				shipmentRef,
				modifiedAfter: '2020-01-01',
				otherFilters: { parcelRef },
			}),
			({ setId }) =>
				(other) =>
					other.setId === setId,
		],
	])('sends %s', async (_, filtersOf, testOf) => {
		const { items, error } = await search({ filters: filtersOf(some()) });
		expect(error).toBeUndefined();
		expect(idsOf(items)).toEqual(idsWhere(testOf(some())));
		expect(items.length).toBeGreaterThan(0);
	});

	it('sends no status unless one is chosen', async () => {
		const { items } = await search();
		expect(items.some(({ json }) => json.status === 'SURRENDERED')).toBe(true);
	});
});

describe('modified after', () => {
	const cut = () => service.data.sets[20]!.modifiedAt;
	const since = (instant: number) =>
		idsWhere(({ modifiedAt }) => modifiedAt >= Math.floor(instant / 60_000) * 60_000);

	it('compares here, after paging, and counts the limit afterwards', async () => {
		const expected = since(cut());
		expect(expected).toHaveLength(21);
		const modifiedAfter = new Date(cut()).toISOString();
		expect(idsOf((await search({ filters: { modifiedAfter } })).items)).toEqual(expected);
		const limited = await search({ returnAll: false, limit: 5, filters: { modifiedAfter } });
		expect(idsOf(limited.items)).toEqual(expected.slice(0, 5));
	});

	it('finds those that come late in the list, however small the limit', async () => {
		const moved = await opening(startService());
		const late = moved.data.sets.slice(250, 253);
		for (const set of late) set.modifiedAt = Date.UTC(2027, 0, 1);
		const { items } = await search(
			{ returnAll: false, limit: 2, filters: { modifiedAfter: '2026-12-31' } },
			moved.baseUrl,
		);
		expect(idsOf(items)).toEqual(late.slice(0, 2).map(({ setId }) => setId));
	});

	it("reads a date without a zone in the workflow's zone, and the service's dates in theirs", async () => {
		// The workflow is in Amsterdam, an hour ahead of UTC in November; its clocks show this instant as 10:48.
		const { items } = await search({ filters: { modifiedAfter: '2026-11-20T10:48:00' } });
		expect(idsOf(items)).toEqual(since(Date.UTC(2026, 10, 20, 9, 48)));
		const elsewhere = await search({
			filters: { modifiedAfter: '2026-11-20T10:48:00' },
			options: { timeZone: 'America/New_York' },
		});
		expect(elsewhere.items.length).toBeGreaterThan(items.length);
	});

	it('takes the date object of an expression', async () => {
		const modifiedAfter = `={{ DateTime.fromMillis(${cut()}) }}`;
		expect(idsOf((await search({ filters: { modifiedAfter } })).items)).toEqual(since(cut()));
	});

	it('gives sets whose date cannot be read rather than lose them, and says so', async () => {
		const data = makeData({ sets: 4 });
		const [good, odd, ...more] = data.sets.map((set, index) => ({
			...resultOf(set),
			...(index > 0 && { modifiedDate: 'a while ago' }),
		}));
		const results = [good, odd!, ...more];
		const door = await opening(
			openFrontDoor(service, ({ path }) =>
				path.includes('/search')
					? {
							body: {
								code: 200,
								status: 'OK',
								data: { offset: 0, limit: 100, total: 4, count: 4, results },
								links: [],
							},
						}
					: undefined,
			),
		);
		const filters = { modifiedAfter: '2030-01-01' };
		const { items, hints } = await search({ filters }, door.baseUrl);
		expect(idsOf(items)).toEqual([odd, ...more].map((set) => set!.setId));
		expect(items[0]?.json).toMatchObject({ modifiedDate: 'a while ago', modifiedAt: null });
		expect(hints[0]?.message).toMatch(/^3 sets have a date that cannot be read/);
		// Of those that the limit keeps back, nothing is said.
		const first = await search({ filters, returnAll: false, limit: 1 }, door.baseUrl);
		expect(idsOf(first.items)).toEqual([odd!.setId]);
		expect(first.hints[0]?.message).toMatch(/^1 set has a date that cannot be read/);
	});
});

describe('says what is wrong', () => {
	it.each<[string, IDataObject, object]>([
		[
			'a customer that is no id',
			{ filters: { customerIds: ['Acme'] } },
			{ message: expect.stringContaining('"Customer or Counterparty Names or IDs" is not an ID: "Acme"') },
		],
		[
			'other filters that are no JSON',
			{ filters: { otherFilters: '{ vessel' } },
			{ message: '"Other Filters (JSON)" is not a JSON object' },
		],
		[
			'other filters that are a list',
			{ filters: { otherFilters: '[1]' } },
			{ message: '"Other Filters (JSON)" is not a JSON object' },
		],
		[
			'a date that is none',
			{ filters: { modifiedAfter: 'last week' } },
			{ message: expect.stringContaining('"Modified After" is not a date: "last week"') },
		],
		...['={{ true }}', '={{ [2026] }}', '={{ 1795168098 }}'].map(
			(modifiedAfter): [string, IDataObject, IDataObject] => [
				`a date of another type, ${modifiedAfter}`,
				{ filters: { modifiedAfter } },
				{ message: expect.stringContaining('"Modified After" is not a date: ') },
			],
		),
		...Object.entries({ status: 'Status', instance: 'Instance', shipmentRef: 'Shipment Reference' }).map(
			([field, label]): [string, IDataObject, IDataObject] => [
				`a list for the filter ${label}, which must not count as none`,
				{ filters: { [field]: '={{ ["SHIP-1"] }}' } },
				{
					message: `"${label}" cannot be ["SHIP-1"]`,
					description: expect.stringMatching(/^Use a text\. .* \{\{ \$json\.refs\[0\] \}\}\.$/),
				},
			],
		),
		[
			'a list of objects in place of customers',
			{ filters: { customerIds: '={{ [{ customerId: "1" }] }}' } },
			{ message: '"Customer or Counterparty Names or IDs" cannot be {"customerId":"1"}' },
		],
		[
			'a time zone that does not exist',
			{ options: { timeZone: 'Europe/Rotterdam' } },
			{ message: expect.stringContaining('"Time Zone" is not known') },
		],
		[
			'a page size of nothing',
			{ options: { pageSize: 0 } },
			{ message: '"Page Size" cannot be 0', description: 'Use a whole number from 1 to 1000.' },
		],
		[
			'a way of paging that does not exist',
			{ options: { paging: 'cursor' } },
			{ message: '"Paging" cannot be "cursor"' },
		],
		['a timeout of nothing', { options: { timeout: 0 } }, { message: '"Timeout" cannot be 0' }],
	])('%s', async (_, parameters, expected) => {
		const { error, items } = await search(parameters);
		expect(items).toEqual([]);
		expect(error).toMatchObject({ name: 'NodeOperationError', context: { itemIndex: 0 }, ...expected });
		expect(error?.description).toBeTruthy();
	});

	it('a filter the service refuses, in the words of the service', async () => {
		const { error } = await search({ filters: { otherFilters: { colour: 'red' } } });
		expect(error).toMatchObject({
			name: 'NodeApiError',
			httpCode: '400',
			message: expect.stringContaining('colour is not a filter of this search'),
		});
	});

	it('that nothing was found, as a hint and not as an error', async () => {
		const { items, error, hints } = await search({ filters: { shipmentRef: 'nowhere' } });
		expect({ items, error }).toEqual({ items: [], error: undefined });
		expect(hints).toEqual([{ message: 'No set matches these filters.' }]);
	});
});

describe('an account or an address that cannot be used', () => {
	it.each([
		['no address', '', 'NodeOperationError', /base URL/i],
		['words', 'the service', 'NodeOperationError', /base URL/i],
		['another protocol', 'ftp://example.com', 'NodeOperationError', /base URL|http/i],
		['a port where nobody listens', 'http://127.0.0.1:1', 'NodeApiError', /127\.0\.0\.1/],
	])(
		'%s',
		async (_, baseUrl, name, message) => {
			const { error } = await search({ options: { timeout: 2 } }, baseUrl);
			expect(error).toMatchObject({ name, message: expect.stringMatching(message) });
			expect(error?.description).toBeTruthy();
		},
		20_000,
	);

	it('takes an address with a slash at its end, and blanks around it', async () => {
		const { items } = await search({}, ` ${service.baseUrl}/ `);
		expect(items).toHaveLength(300);
	});

	it('says that the login was refused, once for all items', async () => {
		const before = service.counters.byRoute.token ?? 0;
		const { errorItems, items, error } = await runAction(
			service.baseUrl,
			{ resource: 'set', operation: 'search' },
			{
				items: [{ json: {} }, { json: {} }, { json: {} }],
				settings: { onError: 'continueRegularOutput' },
				credentials: {
					parcelDocumentExchangeApi: {
						baseUrl: service.baseUrl,
						loginStyle: 'basic',
						username: 'somebody',
						password: 'a wrong one',
					},
				},
			},
		);
		expect(error).toBeUndefined();
		expect(errorItems).toEqual([]);
		expect(items).toHaveLength(3);
		for (const item of items) expect(item.json.error).toMatch(/refused|401|password/i);
		expect(JSON.stringify(items)).not.toContain('a wrong one');
		expect(service.counters.byRoute.token! - before).toBe(1);
	});
});
