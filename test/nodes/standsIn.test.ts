import type { IDataObject } from 'n8n-workflow';
import type { NodeRun } from '../support/engine';
import { byTrigger, OF_ONE_SET, runBeside, startTwoSets, type TwoSets } from '../support/eventInFront';

/** A set that an expression takes where the event has none, or where its field was misspelled: it is as fixed as a typed one. */

let { service, chosen, other, event } = {} as TwoSets;
beforeAll(async () => {
	({ service, chosen, other, event } = await startTwoSets());
});
afterAll(() => service.close());

const run = (operation: IDataObject, setId: unknown, item: IDataObject, more?: Partial<NodeRun>) =>
	runBeside({ service, chosen }, operation, setId, item, more);
const written = (mode: string, expression: string) => ({ __rl: true, mode, value: `={{ ${expression} }}` });
const id = () => chosen.setId;
const name = () => chosen.parcelRef;

const standIns: [string, () => unknown][] = [
	['||', () => written('id', `$json.setId || "${id()}"`)],
	['??', () => written('id', `$json.setId ?? '${id()}'`)],
	['a question', () => written('id', `$json.setId ? $json.setId : "${id().toUpperCase()}"`)],
	['a question, the other way round', () => written('id', `!$json.setId ? "${id()}" : $json.setId`)],
	['a question about nothing', () => written('id', `($json.setId ?? "") === "" ? "${id()}" : $json.setId`)],
	['$if', () => written('id', `$if($json.setId, $json.setId, "${id()}")`)],
	['$ifEmpty', () => written('id', `$ifEmpty($json.setId, "${id()}")`)],
	['a field of that step', () => written('id', `$("Event").item.json.setId || "${id()}"`)],
	['a plain text', () => `={{ $json.setId || "${id()}" }}`],
	['a reference', () => written('reference', `$json.parcelRef || "${name()}"`)],
	['a reference in small letters', () => written('reference', `$json.ref ?? '${name().toLowerCase()}'`)],
	['a misspelled field', () => written('id', `$json.setid || "${id()}"`)],
];

describe.each(OF_ONE_SET)('%j', (operation) => {
	it.each(standIns)('refuses it beside an event of another parcel, naming both: %s', async (_, setId) => {
		const nameless = { ...event, setId: null };
		for (const json of [nameless, byTrigger(nameless), { note: 'sent' }]) {
			const { error, items } = await run(operation, setId(), json, {
				before: { items: [{ json: nameless }] },
			});
			expect(items).toEqual([]);
			expect(error?.message).toMatch(/^The event is about set .*, but Set gives .*, which is written there/);
			expect(error?.message).toContain(other.parcelRef);
			expect(error?.message).toContain(id());
		}
	});

	it.each(standIns)('takes it beside its own event, and where no event is: %s', async (_, setId) => {
		for (const json of [{ ...event, setId: null, parcelReference: name() }, {}]) {
			const { error } = await run(operation, setId(), json, { before: { items: [{ json }] } });
			expect(error).toBeUndefined();
		}
	});

	it('refuses it where the event names its set, under another name than was written', async () => {
		const { error, items } = await run(
			operation,
			written('id', `$json.set_id || "${id()}"`),
			byTrigger(event),
		);
		expect(items).toEqual([]);
		expect(error?.message).toContain(`The event is about set ${other.parcelRef} (${other.setId}), but Set`);
	});
});

const [, , getSet] = OF_ONE_SET;

it.each<[string, () => string]>([
	['one set for all', () => `"${id()}"`],
	['one set of a customer', () => `$json.customerId === "nobody" ? $json.setId : "${id()}"`],
	['one set where something is so', () => `$json.isTerms ? $json.setId : "${id()}"`],
	['a list by customer', () => `({ one: "1", two: "${id()}" })[$json.status ? "two" : "one"]`],
	['what several say', () => `$json.status === "X" || $json.status !== "Y" ? "${id()}" : $json.setId`],
])('takes what was chosen on purpose: %s', async (_, expression) => {
	for (const json of [byTrigger(event), byTrigger({ ...event, setId: null })]) {
		const { error, items } = await run(getSet!, written('id', expression()), json);
		expect(error).toBeUndefined();
		expect(items[0]?.json.parcelRef).toBe(name());
	}
});
