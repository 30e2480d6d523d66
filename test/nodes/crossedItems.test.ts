import type { IDataObject } from 'n8n-workflow';
import type { About } from '../../nodes/ParcelDocumentExchange/actions/aboutRun';
import { refuseCrossed } from '../../nodes/ParcelDocumentExchange/actions/crossedItems';
import type { StepOfRun } from '../../nodes/ParcelDocumentExchange/parameters/stepsInFront';
import { idKey } from '../../service/model/set';
import { move, startService, type ParcelSet, type Service } from '../../sandbox/service';
import { runAction } from '../support/actionNode';
import type { NodeRun } from '../support/engine';
import { byTrigger, inPlace, OF_ONE_SET, runOfOneSet } from '../support/eventInFront';

/** Code that changes the order of its items, and does not say which is which: to n8n, each is the one that came in its place. */

let service: Service;
let sets: [ParcelSet, ParcelSet];
let events: IDataObject[];
beforeAll(async () => {
	service = await startService();
	sets = [service.data.sets[140]!, service.data.sets[50]!];
	events = sets.map(({ setId }) => byTrigger({ ...move(service.data, setId, 'sign', Date.now()) }));
});
afterAll(() => service.close());

const CODE = 'n8n-nodes-base.code';
const OF_EVENT = { subject: '={{ $("Event").item.json.parcelReference }}' };

/** A step between the events and the node gives these items; a mail behind goes by what `after` says. */
const run = (operation: IDataObject, more: Partial<NodeRun>, setId = '={{ $json.setId }}') =>
	runOfOneSet(
		service.baseUrl,
		operation,
		{ setId, documentId: sets[0].documents[0]!.documentId },
		{ before: { items: inPlace(events) }, after: OF_EVENT, typed: { type: CODE }, ...more },
	);

describe.each(OF_ONE_SET)('%j', (operation) => {
	it.each([
		['a mail says what the event of the item holds', OF_EVENT],
		['it does so in a longer text', { text: "=Of {{ $('Event').item.json.actor }}, as {{ $json.status }}" }],
	])('refuses items in another order where %s', async (_, after) => {
		const ran = await run(operation, { items: inPlace([...events].reverse()), after });
		expect(ran.items).toEqual([]);
		expect(ran.error?.message).toBe(
			`The item is about set ${sets[1].setId}, but n8n takes it for that of set ${sets[0].setId}: the step "Input" changed the order of the items`,
		);
		expect(ran.error?.description).toContain('"After" goes by $("Event").item');
	});

	it('refuses them where the set comes from the event, and a mail goes by the item of the step between', async () => {
		const { error, items } = await run(
			operation,
			{ items: inPlace([...events].reverse()), after: { to: '={{ $("Input").item.json.actor }}' } },
			'={{ $("Event").item.json.setId }}',
		);
		expect(items).toEqual([]);
		expect(error?.message).toContain('the step "Input" changed the order of the items');
		expect(error?.description).toContain('"After" goes by $("Input").item');
	});
});

describe('All PDFs of a set', () => {
	const operation = { resource: 'document', operation: 'getAllPdfs', onePerSet: true };

	it.each<[string, () => Partial<NodeRun>]>([
		['nothing behind goes by the item of the event', () => ({ after: { to: '={{ $json.parcelRef }}' } })],
		['the items are in their order', () => ({ items: inPlace(events) })],
		[
			'the step says which is which',
			() => ({ items: [1, 0].map((item) => ({ json: events[item]!, pairedItem: { item } })) }),
		],
		['it is a step of n8n that keeps them apart', () => ({ typed: { type: 'n8n-nodes-base.sort' } })],
		[
			'a search found the other parcels of a shipment for one event',
			() => ({
				items: sets.map(({ setId, parcelRef }) => ({ json: { setId, parcelRef }, pairedItem: { item: 0 } })),
				typed: { type: 'x.parcelDocumentExchange', operation: 'search' },
			}),
		],
	])('come as ever where %s', async (_, more) => {
		const { error, items } = await run(operation, { items: inPlace([...events].reverse()), ...more() });
		expect(error?.message).toBeUndefined();
		expect(items).toHaveLength(2);
	});

	it('are refused where the name of the file goes by the event', async () => {
		const fileName = '={{ $("Event").item.json.parcelReference }} {name}.pdf';
		const parameters = { ...operation, setId: '={{ $json.setId }}', lookup: {}, options: { fileName } };
		const { error, items } = await runAction(service.baseUrl, parameters, {
			...{ before: { items: inPlace(events) }, items: inPlace([...events].reverse()), typed: { type: CODE } },
		});
		expect(items).toEqual([]);
		expect(error?.description).toContain('"Node" goes by $("Event").item');
	});
});

it('rows in front of Code that changed the order count where they differ', () => {
	const one = (name: string, type: string, items: IDataObject[], parents: string[]) =>
		({
			...{ name, type, items, events: [], eventIds: new Set(), typed: {}, parents: () => [...parents] },
			setIds: new Set(items.flatMap(({ setId }) => (setId ? [idKey(String(setId))] : []))),
		}) as unknown as StepOfRun;
	const [a, b] = [{ setId: sets[0].setId }, { setId: sets[1].setId }];
	const asking = (rows: IDataObject[]) => () =>
		refuseCrossed(
			{
				steps: [
					one('Search', 'x.parcelDocumentExchange', [a, b], []),
					one('Rows', 'n8n-nodes-base.googleSheets', rows, ['Search']),
					one('Code', CODE, [b, a], ['Rows']),
				],
				behindItem: () => [],
				setsBehindItem: () =>
					[
						['Search', a],
						['Code', b],
					].map(([name, set]) => ({ step: { name }, set }) as never),
			} as unknown as About,
			b.setId,
			new Map([['Rows', 'Mail']]),
		);
	expect(asking([{ to: 'a' }, { to: 'b' }])).toThrow(/changed the order/);
	expect(asking([{ to: 'a' }, { to: 'a' }])).not.toThrow();
});
