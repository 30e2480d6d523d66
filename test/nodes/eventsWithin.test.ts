import type { IDataObject } from 'n8n-workflow';
import { move, startService, type ParcelSet, type Service } from '../../sandbox/service';
import { byTrigger, OF_ONE_SET, runOfOneSet } from '../support/eventInFront';
import { quietMsOf } from '../support/work';

/** Events as clouds, webhooks and n8n's own Aggregate wrap them: a set that was picked is refused beside each. */

let service: Service;
let chosen: ParcelSet;
let event: IDataObject;
beforeAll(async () => {
	service = await startService();
	chosen = service.data.sets[3]!;
	event = { ...move(service.data, service.data.sets[140]!.setId, 'sign', Date.now()) };
});
afterAll(() => service.close());

const run = (setId: unknown, item: IDataObject, before: IDataObject = {}) =>
	runOfOneSet(
		service.baseUrl,
		OF_ONE_SET[0]!,
		{ setId, documentId: '' },
		{ items: [{ json: item }], before: { items: [{ json: before }] } },
	);
const text = (value: unknown) => JSON.stringify(value);
const base64 = (value: unknown) => Buffer.from(text(value)).toString('base64');

const wrapped: [string, () => IDataObject][] = [
	['an object in the body', () => ({ headers: {}, body: { event } })],
	['a list', () => ({ body: [event] })],
	['a list in the body', () => ({ body: { events: [{ event }] } })],
	['a text in the body', () => ({ body: { Type: 'Notification', Message: text(event) } })],
	['a text of a list', () => ({ body: text([event]) })],
	['Base64', () => ({ body: { message: { data: base64(event), messageId: '1' } } })],
	['a text of texts', () => ({ Records: [{ body: text({ Message: text(event) }) }] })],
	['several in one item', () => ({ data: [{ ...event, setId: chosen.setId }, byTrigger(event)] })],
	['bytes', () => ({ content: { type: 'Buffer', data: [...Buffer.from(text(event))] } })],
];

it.each(wrapped)('%s', async (_, item) => {
	for (const [json, before] of [
		[item(), {}],
		[{ note: 'sent' }, item()],
	] as const) {
		const { error, items } = await run(chosen.setId, json, before);
		expect(items).toEqual([]);
		expect(error?.message).toContain(`but Set is fixed to ${chosen.setId}`);
	}
});

it('takes it beside its own event, and beside what is none, however it is wrapped', async () => {
	const own = { ...event, setId: chosen.setId, parcelReference: chosen.parcelRef };
	for (const item of [
		{ body: { event: own } },
		{ body: { message: { data: base64(own) } } },
		{ body: { rows: [{ setId: event.setId }, 'Issued', null, 7, '{', 'eyJ'] } },
		{ body: { message: { data: base64({ isSample: true, raw: event }) } } },
	]) {
		expect((await run(chosen.setId, item as IDataObject)).error).toBeUndefined();
	}
});

it('gives up on an item of any size', async () => {
	const rows = Array.from({ length: 200_000 }, (_, index) => ({ index, rows: [[index]] }));
	const ms = await quietMsOf(async () => expect((await run(chosen.setId, { rows })).error).toBeUndefined());
	expect(ms).toBeLessThan(5_000);
});
