import type { IDataObject } from 'n8n-workflow';
import { ParcelDocumentExchange } from '../../nodes/ParcelDocumentExchange/ParcelDocumentExchange.node';
import { move, startService, type ParcelSet, type Service } from '../../sandbox/service';
import { runAction } from '../support/actionNode';

let service: Service;
let sets: ParcelSet[];
beforeEach(async () => {
	service = await startService();
	sets = service.data.sets.slice(0, 4);
	sets.forEach((set, index) =>
		Object.assign(set, { shipmentRef: `SHIP ${index}`, parcelRef: `PCL-${index}` }),
	);
});
afterEach(() => service.close());

const by = (reference: unknown) => ({ __rl: true, mode: 'reference', value: reference }) as IDataObject;
const run = (operation: string, reference: unknown, item: IDataObject = {}, more: IDataObject = {}) =>
	runAction(
		service.baseUrl,
		{
			...{ resource: operation === 'get' ? 'set' : 'document', operation, setId: by(reference), lookup: {} },
			...{ documentId: sets[1]!.documents[0]?.documentId, options: { waitSeconds: 0 }, ...more },
		},
		{ items: [{ json: item }] },
	);

/** Every operation that asks for a set. */
const ON_A_SET = new ParcelDocumentExchange().description.properties
	.filter(({ name }) => name === 'setId')
	.flatMap(({ displayOptions }) => displayOptions?.show?.operation as string[]);

it.each(ON_A_SET)('%s takes a whole reference in place of an id', async (operation) => {
	for (const reference of ['SHIP 1', ' ship  1', 'pcl-1', '={{ $json.ref }}']) {
		const { items, error } = await run(operation, reference, { ref: 'PCL-1' });
		expect({ reference, error }).toEqual({ reference, error: undefined });
		expect(new Set(items.map(({ json }) => json.setId))).toEqual(new Set([sets[1]!.setId]));
	}
});

it.each(ON_A_SET)('%s never guesses', async (operation) => {
	sets[2]!.shipmentRef = 'SHIP 1';
	const several = await run(operation, 'SHIP 1');
	expect(several.items).toEqual([]);
	expect(several.error?.message).toMatch(/^2 sets have the reference "SHIP 1": /);
	for (const set of [sets[1]!, sets[2]!])
		expect(several.error?.message).toContain(`${set.parcelRef} (${set.setId})`);
	const none = await run(operation, 'SHIP');
	expect(none.error?.message).toBe('No set has the reference "SHIP"');
	const empty = await run(operation, '={{ $json.missing }}');
	expect(empty.error?.message).toMatch(/^"Set" is empty/);
	expect([none.items, empty.items]).toEqual([[], []]);
});

it.each([' ', '\u200b', '\u2060 \ufeff', '={{ String($json.missing) }}'])(
	'refuses what nobody sees, though a set has no reference: %j',
	async (reference) => {
		sets[2]!.shipmentRef = '';
		const { error, items } = await run('getAllPdfs', reference);
		expect(items).toEqual([]);
		expect(error?.message).toBe('"Set" is empty');
	},
);

it('refuses a reference that a set without an ID has, too', async () => {
	Object.assign(sets[2]!, { parcelRef: 'PCL-1', setId: null });
	const { error, items } = await run('getAllPdfs', 'PCL-1');
	expect(items).toEqual([]);
	expect(error?.message).toBe('The service shows a set with the reference "PCL-1" that has no ID');
});

it('takes a text that is the shipment of one set and the parcel of another for two sets', async () => {
	sets[2]!.parcelRef = 'SHIP 1';
	const { error, items } = await run('getAllPdfs', 'SHIP 1');
	expect(items).toEqual([]);
	expect(error?.message).toMatch(/^2 sets have the reference "SHIP 1": /);
});

it.each(ON_A_SET)('%s refuses a typed one behind the event of another set', async (operation) => {
	const event = { ...move(service.data, sets[3]!.setId, 'sign', Date.now()) };
	const { error, items } = await run(operation, 'PCL-1', event);
	expect(items).toEqual([]);
	expect(error?.message).toBe(
		`The event is about set PCL-3 (${sets[3]!.setId}), but Set is fixed to PCL-1 (${sets[1]!.setId})`,
	);
	expect(
		(await run(operation, 'PCL-3', event, { documentId: sets[3]!.documents[0]!.documentId })).error,
	).toBeUndefined();
});

it('lists the documents of a set without getting one', async () => {
	const { items } = await run('getAll', 'PCL-1');
	expect(items.map(({ json, binary }) => ({ json, binary }))).toEqual(
		sets[1]!.documents.map(({ documentId, name, docType }) => ({
			json: {
				...{
					name,
					docType,
					parcelRef: 'PCL-1',
					shipmentRef: 'SHIP 1',
					status: sets[1]!.status.toUpperCase().replace(' ', '_'),
				},
				...{ vesselName: sets[1]!.vesselName, billOfLadingDate: sets[1]!.billOfLadingDate },
				...{ setId: sets[1]!.setId, documentId },
			},
			binary: undefined,
		})),
	);
	sets[1]!.documents = [];
	expect((await run('getAll', 'PCL-1')).error?.message).toBe(
		`The search shows no document of set ${sets[1]!.setId}`,
	);
});
