import type { IDataObject } from 'n8n-workflow';
import { eventItem } from '../../nodes/ParcelDocumentExchange/trigger/eventItem';
import { sampleEvents } from '../../nodes/ParcelDocumentExchange/trigger/samples';
import { move, startService, type ParcelSet, type Service } from '../../sandbox/service';
import { readStatusEvent } from '../../service/model/event';
import { runAction } from '../support/actionNode';
import type { NodeRun } from '../support/engine';

/** A set that was picked while building, and forgotten there: its papers would go out with every event to come. */

let service: Service;
let chosen: ParcelSet;
let other: ParcelSet;
let event: IDataObject;
beforeAll(async () => {
	service = await startService();
	chosen = service.data.sets[3]!;
	other = service.data.sets[140]!;
	event = { ...move(service.data, other.setId, 'sign', Date.now()) };
});
afterAll(() => service.close());

const OPERATIONS = [
	{ resource: 'document', operation: 'getAllPdfs' },
	{ resource: 'document', operation: 'getPdf' },
	{ resource: 'set', operation: 'get' },
];
const facts = { redelivered: false, attempt: 1, isSample: false };
const byTrigger = (body: IDataObject) => eventItem(readStatusEvent(body)!, facts, true).json;

const run = (operation: IDataObject, setId: unknown, item: IDataObject, more: Partial<NodeRun> = {}) =>
	runAction(
		service.baseUrl,
		{
			...{ ...operation, setId, lookup: {}, options: { waitSeconds: 0 } },
			documentId: chosen.documents[0]!.documentId,
		} as IDataObject,
		{ items: [{ json: item }], ...more },
	);

const fixed: [string, () => unknown][] = [
	['picked', () => ({ __rl: true, mode: 'list', value: chosen.setId, cachedResultName: 'PCL' })],
	['typed', () => ({ __rl: true, mode: 'id', value: ` ${chosen.setId} ` })],
	['typed as a plain text', () => chosen.setId],
];

describe.each(OPERATIONS)('%j', (operation) => {
	it.each(fixed)('refuses a set that was %s, behind the event of another, naming both', async (_, setId) => {
		const wrapped = [
			{ body: event, headers: {} },
			{ content: JSON.stringify(event), fields: {} },
			{ content: event },
			{ message: JSON.stringify(event), topic: 'parcels' },
			{ event: byTrigger(event) },
		];
		for (const item of [byTrigger(event), event, { ...byTrigger(event), more: 'fields' }, ...wrapped]) {
			const { error, items } = await run(operation, setId(), item);
			expect(items).toEqual([]);
			expect(error?.message).toBe(
				`The event is about set ${other.parcelRef} (${other.setId}), but Set is fixed to ${chosen.setId}`,
			);
			expect(error?.description).toMatch(/\{\{ \$json\.setId \}\}/);
		}
	});

	it.each(fixed)('takes a set that was %s behind anything else', async (_, setId) => {
		const [sample] = sampleEvents(['SIGNED']).map(
			(it) => eventItem(it, { ...facts, isSample: true }, true).json,
		);
		const [rawSample] = sampleEvents(['SIGNED']).map(({ raw }) => raw as IDataObject);
		const items = [
			{},
			{ setId: event.setId },
			{ setId: 7, eventId: 'x' },
			{ eventId: 'x' },
			{ newStatus: 'Signed' },
			{ body: 'no event', content: [], message: '{', event: null },
			{ body: { newStatus: 'Signed', setId: chosen.setId } },
			...[sample!, rawSample!],
			{ ...event, setId: chosen.setId.toUpperCase() },
		];
		for (const item of items) {
			const { error, items: given } = await run(operation, setId(), item);
			expect({ item, error }).toEqual({ item, error: undefined });
			expect(given.length).toBeGreaterThan(0);
		}
	});

	it('follows an expression wherever it leads', async () => {
		const setId = { __rl: true, mode: 'id', value: `={{ "${chosen.setId}" }}` };
		expect((await run(operation, setId, byTrigger(event))).error).toBeUndefined();
	});
});

it('a failed item says so too, where the workflow goes on', async () => {
	const { items } = await run(OPERATIONS[0]!, chosen.setId, byTrigger(event), {
		settings: { onError: 'continueRegularOutput' },
	});
	expect(items).toEqual([
		{ json: { error: expect.stringMatching(/^The event is about set/) }, pairedItem: { item: 0 } },
	]);
});
