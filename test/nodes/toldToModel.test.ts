import type { IDataObject } from 'n8n-workflow';
import { startService, type Service } from '../../sandbox/service';
import { systemClock } from '../../service/surroundings';
import { runAction } from '../support/actionNode';
import { opening } from '../support/closing';
import { reply, startFakeService } from '../support/fakeService';
import { operationsWith } from '../support/panel';

/** A model is handed the items and nothing else: without a word beside them it would take a part of a list for all of it. */

let service: Service | undefined;
afterEach(async () => {
	jest.restoreAllMocks();
	await service?.close();
});

const CUT_OFF = Buffer.from('%PDF-1.7\nwithout an end');

/** Each is told of in the editor. */
const TOLD: Record<string, (one: Service) => IDataObject> = {
	'sets beyond the limit': () => ({ resource: 'set', operation: 'search', limit: 5 }),
	'sets beyond the limit, of those that pass a filter': () => ({
		...{ resource: 'set', operation: 'search', limit: 2 },
		filters: { modifiedAfter: '2000-01-01' },
	}),
	'counterparties beyond the limit': () => ({ resource: 'counterparty', operation: 'getAll', limit: 3 }),
	'customers beyond the limit': () => ({ resource: 'customer', operation: 'getAll', limit: 1 }),
	'a name that nobody has': () => ({
		...{ resource: 'customer', operation: 'getAll', limit: 50 },
		filters: { name: 'zzz' },
	}),
	'sets that nothing matches': () => ({
		...{ resource: 'set', operation: 'search', limit: 5 },
		filters: { shipmentRef: 'no such reference' },
	}),
	'a PDF that may be cut': ({ data }) => ({
		...{ resource: 'document', operation: 'getPdf', setId: data.sets[0]!.setId },
		documentId: data.sets[0]!.documents[0]!.documentId,
	}),
	'PDFs that may be cut': ({ data }) => ({
		...{ resource: 'document', operation: 'getAllPdfs', setId: data.sets[0]!.setId },
	}),
};

async function ask(parameters: (one: Service) => IDataObject, asTool: boolean) {
	const makePdf = async () => CUT_OFF;
	service = await startService({ makePdf });
	// Of two items the node says itself what the editor says of one.
	const items = asTool ? [{ json: {} }] : [{ json: {} }, { json: {} }];
	const {
		items: given,
		hints,
		error,
	} = await runAction(service.baseUrl, parameters(service), { items, asTool });
	await service.close();
	expect(error).toBeUndefined();
	return { given: given.map(({ json }) => json), hints: hints.map(({ message }) => message) };
}

it.each(Object.entries(TOLD))('a model is told of %s, behind what was found', async (_, parameters) => {
	const editor = await ask(parameters, false);
	expect(editor.hints.length).toBeGreaterThan(0);
	const model = await ask(parameters, true);
	const told = model.given.flatMap(({ hint }) => (typeof hint === 'string' ? [hint] : []));
	const ofOne = editor.hints.filter((hint) => !hint.includes('(2).pdf'));
	expect(told).toEqual(ofOne.map((hint) => hint.replace(/ \(\d+ items\)$/, '')));
	const found = model.given.slice(0, -told.length);
	expect(found.every((json) => !('hint' in json))).toBe(true);
	expect(found.length).toBeGreaterThan(0);
});

it('a model is told nothing more where there is nothing to be told', async () => {
	for (const resource of ['customer', 'counterparty']) {
		const { given } = await ask(() => ({ resource, operation: 'getAll', returnAll: true }), true);
		expect(given.filter((json) => 'hint' in json)).toEqual([]);
	}
});

it('a model is told all of it, and the limit that was reached first', async () => {
	const names = ['one', 'two', 'three', 'four', 'five', 'six'];
	const row = (index: number) => ({
		...{ setId: `aaaaaaaa-0000-4000-8000-${String(index).padStart(12, '0')}`, status: 'SIGNED' },
		...Object.fromEntries(names.map((name) => [name, 'other'])),
	});
	const results = Array.from({ length: 9 }, (_, index) => row(index));
	const data = { offset: 0, limit: 9, total: 9, count: 9, results };
	const { baseUrl } = await opening(
		startFakeService({ calls: () => reply(200, { code: 200, status: 'OK', data }) }),
	);
	const otherFilters = Object.fromEntries(names.map((name) => [name, 'wanted']));
	const { items, error } = await runAction(
		baseUrl,
		{ resource: 'set', operation: 'search', limit: 3, filters: { otherFilters } },
		{ asTool: true },
	);
	expect(error).toBeUndefined();
	const hints = items.flatMap(({ json }) => (typeof json.hint === 'string' ? [json.hint] : []));
	expect(hints[0]).toContain('The limit of 3 is reached');
	const others = names.map((name) => expect.stringContaining(`have another ${name} than`));
	expect(hints.slice(1)).toEqual(others);
});

/** Lets pauses pass at once; the deadlines of calls are longer, and stay. @returns how many milliseconds were waited */
function skipPauses(): () => number {
	const { now, after } = systemClock;
	let waitedMs = 0;
	const skip = (delayMs: number, callback: () => void) => () => {
		waitedMs += delayMs;
		callback();
	};
	jest.spyOn(systemClock, 'now').mockImplementation(() => now() + waitedMs);
	jest
		.spyOn(systemClock, 'after')
		.mockImplementation((delayMs, callback) =>
			delayMs > 15_000 ? after(delayMs, callback) : after(0, skip(delayMs, callback)),
		);
	return () => waitedMs;
}

it.each(operationsWith('waitSeconds'))(
	'a model is told that a set is not there before its client gives up: %s %s',
	async (resource, operation) => {
		service = await startService();
		const waitedMs = skipPauses();
		const setId = '00000000-0000-4000-8000-000000000000';
		const parameters = { resource, operation, setId, documentId: setId };
		const lookup = { customerId: service.data.customers[0]!.customerId, shipmentRef: 'X' };
		for (const more of [{}, { lookup }]) {
			const { error } = await runAction(service.baseUrl, { ...parameters, ...more }, { asTool: true });
			expect(error?.message).toContain(setId);
		}
		// Each of both: half of the minute that a client of the Model Context Protocol waits unless told.
		expect(waitedMs() / 2).toBeLessThan(30_000);
	},
);

it('a model is waited for as long as a person chose', async () => {
	service = await startService();
	const waitedMs = skipPauses();
	const setId = '00000000-0000-4000-8000-000000000000';
	const options = { waitSeconds: 90 };
	const parameters = { resource: 'document', operation: 'getAllPdfs', setId, options };
	const { error } = await runAction(service.baseUrl, parameters, { asTool: true });
	expect(error?.message).toContain('also not after waiting 90 seconds');
	expect(waitedMs()).toBeGreaterThan(80_000);
});
