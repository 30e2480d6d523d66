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
	['a form in German', 'n8n-nodes-base.formTrigger', () => ({ Sendungsnummer: other.shipmentRef })],
	['a form with an ID', 'n8n-nodes-base.formTrigger', () => ({ ID: other.setId })],
	['a webhook with an ID', 'n8n-nodes-base.webhook', () => ({ headers: {}, query: { id: other.setId } })],
	['a chat', '@n8n/n8n-nodes-langchain.chatTrigger', () => ({ parcel: other.parcelRef })],
])('%s that came with another reference is told', async (_, type, asked) => {
	const { error, hints } = await run(chosen.setId, asked(), type);
	expect(error).toBeUndefined();
	expect(hints.map(({ message }) => message)).toEqual([
		expect.stringMatching(/^Set is fixed to .*, and "Event" came with .*By (Reference|ID)/),
	]);
});

it.each<[string, () => IDataObject]>([
	['the reference of another', () => ({ Reference: other.parcelRef, email: 'desk@example.com' })],
	['another set, no event', () => ({ setId: other.setId, parcelRef: other.parcelRef })],
	['an ID that is of nothing else', () => ({ id: other.setId, customerId: other.customerId })],
])('a row of a table with %s is told', async (_, row) => {
	const { error, hints } = await run(chosen.setId, row(), 'n8n-nodes-base.googleSheets');
	expect(error).toBeUndefined();
	expect(hints.map(({ message }) => message)).toEqual([
		expect.stringMatching(/^Set is fixed to .*, and the input came with .*By (Reference|ID)/),
	]);
});

it('nothing is told where the reference is the same, where the set comes with it, and where nothing names a parcel', async () => {
	const byReference = { __rl: true, mode: 'reference', value: '={{ $json.Reference }}' };
	for (const [setId, asked] of [
		[chosen.setId, { Reference: ` ${chosen.parcelRef.toLowerCase()}` }],
		[chosen.setId, { Shipment: chosen.shipmentRef }],
		[chosen.setId, { Email: 'desk@example.com', submittedAt: '2026-11-22' }],
		[chosen.setId, { Reference: ' ' }],
		[byReference, { Reference: other.parcelRef }],
		[
			chosen.setId,
			{ customerReference: '', refreshed: 'today', href: 'https://example.com', preference: 'none' },
		],
		[chosen.setId, { customerId: other.customerId, documentId: other.documents[0]?.documentId }],
		[chosen.setId, { 'Old reference': other.parcelRef, Reference: chosen.parcelRef }],
		[chosen.setId, { parcelReference: other.parcelRef, isSample: true }],
	] as const) {
		const type = 'isSample' in asked ? 'n8n-nodes-base.set' : 'n8n-nodes-base.formTrigger';
		const { error, hints } = await run(setId, asked as IDataObject, type);
		expect(error).toBeUndefined();
		expect(hints).toEqual([]);
	}
});

/** The parcel was typed into a step between, and what was asked for goes nowhere. */
const typedBetween = (typed: IDataObject, asked: IDataObject, found = chosen) =>
	runOfOneSet(
		service.baseUrl,
		OF_ONE_SET[0]!,
		{ setId: { __rl: true, mode: 'id', value: '={{ $json.setId }}' }, documentId: '' },
		{
			items: [{ json: { setId: found.setId, parcelRef: found.parcelRef, shipmentRef: found.shipmentRef } }],
			before: { items: [{ json: asked }], type: 'n8n-nodes-base.formTrigger' },
			typed,
		},
	);

it.each<[string, () => IDataObject]>([
	[
		'a search by a reference',
		() => ({
			type: 'x.parcelDocumentExchange',
			operation: 'search',
			filters: { referenceContains: chosen.parcelRef },
		}),
	],
	[
		'a search by a status alone',
		() => ({
			type: 'x.parcelDocumentExchange',
			operation: 'search',
			filters: { status: 'SIGNED', modifiedAfter: '={{ $now.minus({ days: 1 }) }}' },
		}),
	],
	['Edit Fields with a reference', () => ({ type: 'n8n-nodes-base.set', value: chosen.parcelRef })],
	['Edit Fields with an ID', () => ({ type: 'n8n-nodes-base.set', value: chosen.setId })],
])('%s that goes by nothing that comes is told behind a form that asks for another', async (_, typed) => {
	const { error, hints } = await typedBetween(typed(), { Reference: other.parcelRef });
	expect(error).toBeUndefined();
	expect(hints.map(({ message }) => message)).toEqual([
		expect.stringMatching(/^"Input" gives .* whatever comes to it, and "Event" came with Reference/),
	]);
	expect((await typedBetween(typed(), { Reference: chosen.parcelRef })).hints).toEqual([]);
	expect((await typedBetween(typed(), { Email: 'desk@example.com' })).hints).toEqual([]);
});

it('a search by what the form asks for is not told, though it is by a part of the reference', async () => {
	const typed = {
		type: 'x.parcelDocumentExchange',
		operation: 'search',
		filters: { referenceContains: '={{ $json.Reference }}', status: 'SIGNED' },
	};
	expect((await typedBetween(typed, { Reference: chosen.parcelRef.slice(0, 6) })).hints).toEqual([]);
});

it.each<[string, string, (id: string) => IDataObject[]]>([
	[
		'a call',
		'n8n-nodes-base.executeWorkflowTrigger',
		(id) =>
			['setId', 'set', 'Set ID', 'set_id', 'id', 'uuid', 'parcel', 'papersOf'].map((name) => ({
				[name]: id,
			})),
	],
	[
		'a call with more',
		'n8n-nodes-base.executeWorkflowTrigger',
		(id) => [{ set: { setId: id } }, { customerId: id.replace(/./, '0'), id }],
	],
	[
		'a form',
		'n8n-nodes-base.formTrigger',
		(id) => [{ 'Set ID': id }, { 'The set': ` ${id.toUpperCase()} ` }],
	],
	[
		'a webhook',
		'n8n-nodes-base.webhook',
		(id) => [{ body: { setId: id } }, { body: {}, query: { set: id } }, { params: { parcelSetId: id } }],
	],
])('%s that names another set by its ID is refused, whatever the field is called', async (_, type, asked) => {
	for (const item of asked(other.setId)) {
		const { error } = await run(chosen.setId, item, type);
		expect(error?.message.toLowerCase()).toContain(
			`the input is about set ${other.setId}, but set is fixed to`,
		);
	}
	for (const item of asked(chosen.setId)) expect((await run(chosen.setId, item, type)).error).toBeUndefined();
});

it.each<[string, IDataObject, string]>([
	['formTrigger', { 'Set ID': '' }, '["Set ID"]'],
	['webhook', { body: { setId: '' } }, '.body.setId'],
	['executeWorkflowTrigger', { id: '' }, '.id'],
	['executeWorkflowTrigger', { setId: '' }, '.setId'],
])('the refusal of what %s gave names the field to drag: %j', async (type, item, field) => {
	const asked = JSON.parse(JSON.stringify(item).replace('""', JSON.stringify(other.setId))) as IDataObject;
	const { error } = await run(chosen.setId, asked, `n8n-nodes-base.${type}`);
	expect(error?.description).toContain(`into it: {{ $("Event").item.json${field} }}.`);
});

it('IDs of something else are no set that was asked for', async () => {
	for (const item of [
		{ customerId: other.customerId },
		{ documentId: other.documents[0]?.documentId, user_id: other.customerId },
		{ assetId: other.setId, body: { requestId: other.setId } },
	]) {
		const type = 'assetId' in item ? 'n8n-nodes-base.webhook' : 'n8n-nodes-base.executeWorkflowTrigger';
		const { error } = await run(chosen.setId, item as IDataObject, type);
		expect(error).toBeUndefined();
	}
});
