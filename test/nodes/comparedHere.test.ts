import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { ParcelDocumentExchange } from '../../nodes/ParcelDocumentExchange/ParcelDocumentExchange.node';
import { makeData, resultOf, startService, type ParcelSet } from '../../sandbox/service';
import { runAction } from '../support/actionNode';
import { forAll } from '../support/forAll';

/** Filters that the service does not have: compared here, over all pages. */

const DAY = 24 * 60 * 60 * 1000;
const now = Date.now();
const service = forAll(() => startService({ data: makeData({ now }) }));

const search = (filters: IDataObject) =>
	runAction(service.baseUrl, { resource: 'set', operation: 'search', returnAll: true, filters });
const idsWhere = (is: (set: ParcelSet) => boolean) => service.data.sets.filter(is).map(({ setId }) => setId);
/** Small letters of a company that stands in a set. */
const lettersOfConsignor = () =>
	String(resultOf(service.data.sets[0]!).consignorCompanyName).slice(0, 6).trim().toLowerCase();
const holds = (part: string) => (text: unknown) =>
	String(text ?? '')
		.toLowerCase()
		.includes(part);

it.each<[string, () => IDataObject, (set: ParcelSet) => boolean]>([
	['older than days', () => ({ olderThanDays: 3 }), (set) => set.modifiedAt < now - 3 * DAY],
	[
		'modified before',
		() => ({ modifiedBefore: new Date(now - 5 * DAY).toISOString() }),
		(set) => set.modifiedAt < now - 5 * DAY,
	],
	[
		'both ends',
		() => ({ modifiedAfter: new Date(now - 9 * DAY).toISOString(), olderThanDays: 5 }),
		(set) => set.modifiedAt >= now - 9 * DAY && set.modifiedAt < now - 5 * DAY,
	],
	['a part of the vessel', () => ({ vesselName: 'A' }), ({ vesselName }) => holds('a')(vesselName)],
	[
		'a part of a company',
		() => ({ company: ` ${lettersOfConsignor().toUpperCase()}` }),
		(set) => {
			const { consignorCompanyName, consigneeCompanyName, fromParty, destinationName } = resultOf(set);
			return [consignorCompanyName, consigneeCompanyName, fromParty, destinationName].some(
				holds(lettersOfConsignor()),
			);
		},
	],
	[
		'a part of a reference',
		() => ({ referenceContains: 'segot' }),
		(set) => [set.shipmentRef, set.parcelRef].some(holds('segot')),
	],
])('%s', async (_, filters, is) => {
	const wanted = idsWhere(is);
	expect(wanted.length).toBeGreaterThan(0);
	expect(wanted.length).toBeLessThan(service.data.sets.length);
	const { items, error } = await search(filters());
	expect(error).toBeUndefined();
	expect(items.map(({ json }) => json.setId).sort()).toEqual(wanted.sort());
});

it('two ends of one time are an error that names both', async () => {
	const { error } = await search({ modifiedBefore: '2026-11-20', olderThanDays: 3 });
	expect(error?.message).toBe('"Older Than (Days)" cannot stand beside "Modified Before"');
});

it('days are typed as a text: n8n’s field for numbers makes 25 of 2,5', async () => {
	const filters = new ParcelDocumentExchange().description.properties.find(
		({ name, displayOptions }) => name === 'filters' && displayOptions?.show?.['resource']?.includes('set'),
	);
	const field = (filters?.options as INodeProperties[]).find(({ name }) => name === 'olderThanDays');
	expect(field).toMatchObject({ type: 'string', default: '3' });
	const ofNumber = await search({ olderThanDays: 3 });
	expect((await search({ olderThanDays: ' 3 ' })).items).toEqual(ofNumber.items);
});

it.each([0, -1, 1.5, 'soon', 1e9, '2,5', '2.5', '3 days', '1.000', '-3'])(
	'%s days are none',
	async (olderThanDays) => {
		expect((await search({ olderThanDays })).error?.message).toMatch(/^"Older Than \(Days\)" cannot be/);
	},
);
