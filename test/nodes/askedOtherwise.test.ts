import type { IDataObject } from 'n8n-workflow';
import { startService, type ParcelSet, type Service } from '../../sandbox/service';
import { OF_ONE_SET, runOfOneSet } from '../support/eventInFront';

/** A form asks for a parcel, and the set was left as it was picked while building: everybody gets the papers of one. */

let service: Service;
let chosen: ParcelSet;
let other: ParcelSet;
beforeAll(async () => {
	service = await startService();
	[chosen, other] = [service.data.sets[3]!, service.data.sets[140]!];
});
afterAll(() => service.close());

const run = (setId: unknown, asked: IDataObject, type = 'n8n-nodes-base.formTrigger') =>
	runOfOneSet(
		service.baseUrl,
		OF_ONE_SET[0]!,
		{ setId, documentId: '' },
		{ items: [{ json: asked }], before: { items: [{ json: asked }], type } },
	);

it.each<[string, string, () => IDataObject]>([
	['a form', 'n8n-nodes-base.formTrigger', () => ({ 'Your reference': other.parcelRef })],
	['a form of a shipment', 'n8n-nodes-base.formTrigger', () => ({ Shipment: 'S-1' })],
	['a webhook', 'n8n-nodes-base.webhook', () => ({ headers: {}, query: { ref: other.parcelRef } })],
	['a call', 'n8n-nodes-base.executeWorkflowTrigger', () => ({ reference: other.shipmentRef })],
])('%s that came with another reference is told', async (_, type, asked) => {
	const { error, hints } = await run(chosen.setId, asked(), type);
	expect(error).toBeUndefined();
	expect(hints.map(({ message }) => message)).toEqual([
		expect.stringMatching(/^Set is fixed to .*, and "Event" came with .*By Reference/),
	]);
});

it('is not told where it is the same, where the set comes with it, and where nothing names a parcel', async () => {
	const byReference = { __rl: true, mode: 'reference', value: '={{ $json.Reference }}' };
	for (const [setId, asked] of [
		[chosen.setId, { Reference: ` ${chosen.parcelRef.toLowerCase()}` }],
		[chosen.setId, { Shipment: chosen.shipmentRef }],
		[chosen.setId, { Email: 'desk@example.com', submittedAt: '2026-11-22' }],
		[chosen.setId, { Reference: ' ' }],
		[byReference, { Reference: other.parcelRef }],
	] as const) {
		const { error, hints } = await run(setId, asked as IDataObject);
		expect(error).toBeUndefined();
		expect(hints).toEqual([]);
	}
});

it('a call that names another set by its ID is refused, whatever the field is called', async () => {
	for (const field of ['setId', 'set', 'Set ID', 'set_id']) {
		const { error } = await run(
			chosen.setId,
			{ [field]: other.setId },
			'n8n-nodes-base.executeWorkflowTrigger',
		);
		expect(error?.message).toContain(`The input is about set ${other.setId}, but Set is fixed to`);
	}
});
