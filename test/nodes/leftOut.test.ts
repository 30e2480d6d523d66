import type { IDataObject } from 'n8n-workflow';
import { move, startService, type ParcelSet, type Service } from '../../sandbox/service';
import type { NodeRun } from '../support/engine';
import { byTrigger, inPlace, OF_ONE_SET, runOfOneSet } from '../support/eventInFront';

/** Several events start a run, and one of them gets its papers: the others would be gone, and nothing be red. */

let service: Service;
let sets: ParcelSet[];
let events: IDataObject[];
beforeAll(async () => {
	service = await startService();
	sets = [service.data.sets[140]!, service.data.sets[50]!];
	events = sets.map(({ setId }) => byTrigger({ ...move(service.data, setId, 'sign', Date.now()) }));
});
afterAll(() => service.close());

const run = (operation: IDataObject, setId: string, given: NodeRun['items'], more: Partial<NodeRun> = {}) =>
	runOfOneSet(
		service.baseUrl,
		operation,
		{ setId, documentId: sets[0]!.documents[0]!.documentId },
		{ items: given, before: { items: inPlace(events) }, ...more },
	);
/** As Aggregate links its one item to all that it was made of. */
const together = (json: IDataObject) => [{ json, pairedItem: [{ item: 0 }, { item: 1 }] }];

const HELD = 'The input item holds the events of 2 sets, and Set gives one: the others would get no papers';
const ONCE = 'Execute Once is on, and events of 2 sets came: only the first would get its papers';

describe.each(OF_ONE_SET)('%j', (operation) => {
	it.each<[string, string, () => IDataObject]>([
		['all items in a list', '={{ $json.data[0].setId }}', () => ({ data: events })],
		['one field in a list', '={{ $json.setId[0] }}', () => ({ setId: sets.map(({ setId }) => setId) })],
		['the last of them', '={{ $json.data.at(-1).setId }}', () => ({ data: events })],
		['the bodies of a webhook', '={{ $json.body[0].setId }}', () => ({ body: events })],
	])('refuses one of those that were put together: %s', async (_, setId, json) => {
		const { error, items: gave } = await run(operation, setId, together(json()));
		expect(gave).toEqual([]);
		expect(error?.message).toBe(HELD);
	});

	it('refuses to run once where several came', async () => {
		const settings = { executeOnce: true };
		for (const setId of ['={{ $json.setId }}', '={{ $("Event").first().json.setId }}']) {
			const { error, items: gave } = await run(operation, setId, inPlace(events), { settings });
			expect(gave).toEqual([]);
			expect(error?.message).toBe(ONCE);
		}
	});

	it.each(['set', 'wait', 'noOp', 'emailSend'])(
		'refuses one that %s in front let through, run once',
		async (name) => {
			const [first] = inPlace(events);
			for (const setId of ['={{ $json.setId }}', '={{ $("Event").item.json.setId }}']) {
				const typed = { type: `n8n-nodes-base.${name}`, executeOnce: true };
				const { error, items: gave } = await run(operation, setId, [first!], { typed });
				expect(gave).toEqual([]);
				expect(error?.message).toBe(
					'Several sets came to "Input", and it took the first alone: the others would get no papers',
				);
			}
		},
	);

	it.each(['dataTable', 'httpRequest', 'googleSheets'])(
		'refuses one whose answer %s in front, run once, gave for all',
		async (name) => {
			const typed = { type: `n8n-nodes-base.${name}`, executeOnce: true };
			for (const answers of [[{ email: 'a' }], [{ email: 'a' }, { email: 'b' }]]) {
				const rows = answers.map((json) => ({ json, pairedItem: { item: 0 } }));
				const setId = '={{ $("Event").item.json.setId }}';
				const { error, items: gave } = await run(operation, setId, rows, { typed });
				expect(gave).toEqual([]);
				expect(error?.message).toBe(
					'Several sets came to "Input", and it took the first alone: the others would get no papers',
				);
			}
		},
	);

	it.each(['if', 'filter', 'switch', 'splitInBatches'])(
		'refuses one that a step behind %s, run once, took of several',
		async (type) => {
			const typed = { type: 'n8n-nodes-base.set', executeOnce: true };
			const before = { items: inPlace(events), type: `n8n-nodes-base.${type}` };
			const { error, items: gave } = await run(operation, '={{ $json.setId }}', inPlace(events).slice(0, 1), {
				typed,
				before,
			});
			expect(gave).toEqual([]);
			expect(error?.message).toMatch(/^Several sets came to "Input"/);
		},
	);

	it.each<[string, IDataObject]>([
		['an approval', { type: 'n8n-nodes-base.gmail', operation: 'sendAndWait' }],
		['a call', { type: 'n8n-nodes-base.wait', resume: 'webhook' }],
		['a form', { type: 'n8n-nodes-base.wait', resume: 'form' }],
	])('refuses one of several for which %s was waited for once', async (_, typed) => {
		const answer = [{ json: { data: { approved: true } }, pairedItem: { item: 0 } }];
		const setId = '={{ $("Event").item.json.setId }}';
		const { error, items: gave } = await run(operation, setId, answer, { typed });
		expect(gave).toEqual([]);
		expect(error).toMatchObject({
			message: 'Several sets came to "Input", and it took the first alone: the others would get no papers',
			description: expect.stringContaining(
				'"Input" asks once for all. Put it into a loop, Loop Over Items, by which it asks for each, or have',
			),
		});
		const [event] = inPlace(events);
		const one = { typed, before: { items: [event!] } };
		expect((await run(operation, setId, answer, one)).error).toBeUndefined();
	});

	it.each([
		['by an approval', { type: 'n8n-nodes-base.gmail', operation: 'sendAndWait' }, true],
		[
			'by Execute Once, which somebody chose: the newest may be meant',
			{ type: 'n8n-nodes-base.gmail', executeOnce: true },
			false,
		],
	])('of several sets that a search found takes one %s', async (_, typed, isRefused) => {
		const answer = [{ json: { data: { approved: true } }, pairedItem: { item: 0 } }];
		const found = inPlace(sets.map((set) => ({ ...set }) as unknown as IDataObject));
		const before = { items: found, type: 'x.parcelDocumentExchange' };
		const { error } = await run(operation, '={{ $("Event").item.json.setId }}', answer, { typed, before });
		const says = 'Several sets came to "Input", and it took the first alone: the others would get no papers';
		expect(error?.message).toBe(isRefused ? says : undefined);
		const one = { typed, before: { items: found.slice(0, 1), type: 'x.parcelDocumentExchange' } };
		expect((await run(operation, '={{ $("Event").item.json.setId }}', answer, one)).error).toBeUndefined();
	});

	describe.each([
		['events', () => inPlace(events), 'x.parcelDocumentExchangeTrigger'],
		[
			'sets that a search found',
			() => inPlace(sets.map((set) => ({ ...set }) as unknown as IDataObject)),
			'x.parcelDocumentExchange',
		],
	])('behind one question for several %s', (_, came, type) => {
		const asks = { type: 'n8n-nodes-base.gmail', operation: 'sendAndWait' };
		const behind = (setId: unknown, given: NodeRun['items'], typed: IDataObject = asks) =>
			run(operation, setId as string, given, { typed, before: { items: came(), type } });
		const answers = (all: IDataObject[]) => all.map((json) => ({ json, pairedItem: { item: 0 } }));
		const form = (more: IDataObject) => ({ type: 'n8n-nodes-base.wait', resume: 'form', ...more });
		const byReference = (value: string) => ({ __rl: true, mode: 'reference', value });

		it('gives all, by their IDs or references', async () => {
			const ids = answers(sets.map(({ setId: id }) => ({ id })));
			for (const [setId, given] of [
				['={{ $json.id }}', ids],
				[byReference('={{ $json.ref }}'), answers(sets.map(({ parcelRef: ref }) => ({ ref })))],
			] as const) {
				const { error } = await behind(setId, given);
				expect(error?.message ?? '').not.toMatch(/^Several sets came/);
			}
			const first = await behind('={{ $("Event").item.json.setId }}', answers([{ id: 'a' }]));
			expect(first.error?.message).toMatch(/^Several sets came to "Input"/);
		});

		it('gives the one that was chosen in it, also the first', async () => {
			for (const { setId, parcelRef } of operation.operation === 'getPdf' ? sets.slice(0, 1) : sets) {
				const byId = await behind('={{ $json.data.Which }}', answers([{ data: { Which: setId } }]));
				expect(byId.error).toBeUndefined();
				const chosen = answers([{ Which: parcelRef }]);
				expect((await behind(byReference('={{ $json.Which }}'), chosen, form({}))).error).toBeUndefined();
			}
		});

		const hidden = (fieldValue: string) => ({ fieldType: 'hiddenField', fieldName: 'set', fieldValue });
		it.each<[string, IDataObject, IDataObject, string]>([
			[
				'in a hidden field',
				form({ formFields: { values: [hidden('={{ $json.setId }}')] } }),
				{ set: 0 },
				'$json.set',
			],
			[
				'in a hidden field, of the first',
				form({ formFields: { values: [hidden('={{ $("Event").first().json.setId }}')] } }),
				{ set: 0 },
				'$json.set',
			],
			[
				'in a form that is made of JSON',
				form({ defineForm: 'json', jsonOutput: `=[${JSON.stringify(hidden('{{ $json.setId }}'))}]` }),
				{ set: 0 },
				'$json.set',
			],
			[
				'in its words, to be typed again',
				{ ...asks, message: '=Send {{ $json.parcelReference ?? $json.parcelRef }}? Type it again.' },
				{ data: { text: 0 } },
				'$json.data.text',
			],
			[
				'in one link for each',
				{ type: 'n8n-nodes-base.wait', resume: 'webhook' },
				{ query: { set: 1 } },
				'$json.query.set',
			],
		])('refuses the one that the question itself held %s', async (_, question, answer, path) => {
			const told = JSON.stringify(answer).replace(/\d/, (at) => JSON.stringify(sets[Number(at)]!.setId));
			const { error } = await behind(`={{ ${path} }}`, answers([JSON.parse(told)]), question);
			expect(error?.message).toMatch(/^Several sets came to "Input"/);
		});

		it('gives another one that was chosen where the question named the first', async () => {
			if (operation.operation === 'getPdf') return;
			const fieldValue = '={{ $json.parcelReference ?? $json.parcelRef }}';
			const fields = { values: [{ fieldLabel: 'Which', defaultValue: fieldValue }] };
			const typed = { ...asks, responseType: 'customForm', formFields: fields };
			const given = answers([{ data: { Which: sets[1]!.parcelRef } }]);
			const { error } = await behind(byReference('={{ $json.data.Which }}'), given, typed);
			expect(error).toBeUndefined();
		});

		it('refuses the first where another was chosen', async () => {
			for (const Which of [sets[1]!.setId, sets[1]!.parcelRef]) {
				for (const [json, typed] of [
					[{ Which }, form({})],
					[{ data: { Which } }, asks],
				] as const) {
					const { error } = await behind('={{ $("Event").item.json.setId }}', answers([json]), typed);
					expect(error?.message).toMatch(/^Several sets came to "Input"/);
				}
			}
		});
	});

	it('refuses the first of several for which was asked once, also where others came past the question', async () => {
		const three = [...sets, service.data.sets[60]!].map(({ setId }) =>
			byTrigger({ ...move(service.data, setId, 'sign', Date.now()) }),
		);
		const answer = [{ json: { data: { approved: true } }, pairedItem: { item: 0 } }];
		const past = (items: NodeRun['items'] = []) => ({
			typed: { type: 'n8n-nodes-base.gmail', operation: 'sendAndWait' },
			before: { items: inPlace(three) },
			merged: {
				items: [{ ...answer[0]!, pairedItem: { item: 0, input: 1 } }, ...items],
				typed: { mode: 'append' },
			},
		});
		const setId = '={{ $("Event").item.json.setId }}';
		const some = await run(operation, setId, answer, past(inPlace(three).slice(2)));
		expect(some.error?.message).toMatch(/^Several sets came to "Input"/);
		const all = await run(operation, setId, answer, past(inPlace(three)));
		expect(all.error?.message ?? '').not.toMatch(/^Several sets came/);
	});

	it('gives that of one event where others were shown beside it in a question', async () => {
		const found = inPlace(sets.map((set) => ({ ...set }) as unknown as IDataObject));
		const more = {
			before: { items: inPlace(events.slice(0, 1)) },
			typed: { type: 'x.parcelDocumentExchange' },
			merged: {
				items: [{ json: { data: { approved: true } }, pairedItem: { item: 0 } }],
				typed: { operation: 'sendAndWait' },
			},
		};
		const own = await run(operation, '={{ $("Event").first().json.setId }}', found, more);
		expect(own.error).toBeUndefined();
		const first = await run(operation, '={{ $("Input").first().json.setId }}', found, more);
		expect(first.error?.message).toMatch(/^Several sets came to "Merge"/);
	});

	it('refuses the first of several that came to a question by both ways of an If', async () => {
		const more = {
			typed: { type: 'n8n-nodes-base.if' },
			merged: {
				items: [{ json: { data: { approved: true } }, pairedItem: { item: 0 } }],
				typed: { operation: 'sendAndWait' },
			},
		};
		const setId = '={{ $("Input").first().json.setId }}';
		const { error } = await run(operation, setId, inPlace(events).slice(0, 1), more);
		expect(error?.message).toMatch(/^Several sets came to "Merge"/);
	});

	it('refuses one that a loop gave of several, to which nothing leads back', async () => {
		const loop = (batchSize: IDataObject[string] = 1) => ({
			typed: { type: 'n8n-nodes-base.splitInBatches', batchSize },
		});
		const [first] = inPlace(events);
		const { error, items: gave } = await run(operation, '={{ $json.setId }}', [first!], loop());
		expect(gave).toEqual([]);
		expect(error).toMatchObject({
			message: 'Several sets came to "Input", and it took the first alone: the others would get no papers',
			description: expect.stringContaining('Lead a line back to "Input"'),
		});
		const three = [0, 1, 2].map((at) =>
			byTrigger({ ...move(service.data, service.data.sets[at]!.setId, 'sign', Date.now()) }),
		);
		const ofThree = { ...loop(2), before: { items: inPlace(three) } };
		expect(
			(await run(operation, '={{ $json.setId }}', inPlace(three).slice(0, 2), ofThree)).error?.message,
		).toMatch(/^Several sets came to "Input", and it took the first 2 alone/);
		for (const batchSize of [2, '={{ 1 }}']) {
			expect((await run(operation, '={{ $json.setId }}', [first!], loop(batchSize))).error).toBeUndefined();
		}
	});

	it('refuses to run once where what came for several names none of them', async () => {
		const rows = inPlace([{ email: 'a' }, { email: 'b' }]);
		for (const typed of [{}, { type: 'n8n-nodes-base.googleSheets' }]) {
			const more = { typed, settings: { executeOnce: true } };
			const { error, items: gave } = await run(operation, '={{ $("Event").item.json.setId }}', rows, more);
			expect(gave).toEqual([]);
			expect(error?.message).toBe(ONCE);
		}
		const one = { settings: { executeOnce: true }, before: { items: inPlace(events.slice(0, 1)) } };
		const ofOne = [0, 1].map(() => ({ json: { email: 'a' }, pairedItem: { item: 0 } }));
		const { error } = await run(operation, '={{ $("Event").item.json.setId }}', ofOne, one);
		expect(error).toBeUndefined();
	});

	it('takes events that a table, read once, was merged with, though the first alone has a row', async () => {
		const typed = { type: 'n8n-nodes-base.googleSheets', executeOnce: true };
		const rows = [{ json: { email: 'a' }, pairedItem: { item: 0 } }];
		const merge = (how: IDataObject) => ({
			...{ typed, merged: { items: inPlace(events).slice(0, 1), typed: { mode: 'combine', ...how } } },
		});
		const byField = merge({ combineBy: 'combineByFields', fieldsToMatchString: 'customerId' });
		expect((await run(operation, '={{ $json.setId }}', rows, byField)).error).toBeUndefined();
		const byPlace = merge({ combineBy: 'combineByPosition' });
		const { error } = await run(operation, '={{ $json.setId }}', rows, byPlace);
		expect(error?.message).toMatch(/^Several sets came to "Input"/);
	});

	it.each(['aggregate', 'summarize'])(
		'refuses what %s left of several, whatever it is called',
		async (name) => {
			const typed = { type: `n8n-nodes-base.${name}` };
			const left = together({ min: sets[0]!.setId });
			const { error, items: gave } = await run(operation, '={{ $json.min }}', left, { typed });
			expect(gave).toEqual([]);
			expect(error?.message).toBe(HELD);
			const [first] = inPlace(events);
			const alone = await run(operation, '={{ $json.min }}', left, { typed, before: { items: [first!] } });
			expect(alone.error).toBeUndefined();
		},
	);

	it('takes sets that a step in front, run once, gave anew', async () => {
		const typed = { type: 'n8n-nodes-base.dataTable', executeOnce: true };
		const third = service.data.sets[60]!;
		const ofEvents = sets.map(({ setId }) => setId);
		for (const ids of operation.operation === 'getPdf'
			? []
			: [ofEvents, [ofEvents[0]!, third.setId], [third.setId]]) {
			const rows = ids.map((setId) => ({ json: { setId }, pairedItem: { item: 0 } }));
			expect((await run(operation, '={{ $json.setId }}', rows, { typed })).error).toBeUndefined();
		}
	});

	it.each(['limit', 'filter', 'code', 'sort'])('takes one that %s in front let through', async (name) => {
		const typed = { type: `n8n-nodes-base.${name}` };
		const { error } = await run(operation, '={{ $json.setId }}', inPlace(events).slice(0, 1), { typed });
		expect(error).toBeUndefined();
	});

	it('takes one where one came, or several of one set, and all of several', async () => {
		const typed = { type: 'n8n-nodes-base.set' };
		const own = inPlace(events.slice(0, 1));
		for (const before of [own, [...own, ...own]]) {
			const { error } = await run(operation, '={{ $json.setId }}', own, { typed, before: { items: before } });
			expect(error).toBeUndefined();
		}
		if (operation.operation === 'getPdf') return;
		expect((await run(operation, '={{ $json.setId }}', inPlace(events), { typed })).error).toBeUndefined();
	});

	it('runs once where one came, where others were left out on purpose, and for one set that is meant for all', async () => {
		const settings = { executeOnce: true };
		const [one] = inPlace(events);
		for (const [setId, given] of [
			['={{ $json.setId }}', [one!]],
			['={{ $json.setId }}', [one!, one!]],
			[`={{ "${sets[0]!.setId}" }}`, inPlace(events)],
		] as const) {
			expect((await run(operation, setId, [...given], { settings })).error).toBeUndefined();
		}
	});
});

const [, , getSet] = OF_ONE_SET;

it('takes a reference of something else that a row, read once for several, or an Aggregate in front, led to', async () => {
	const terms = service.data.sets[60]!;
	const setId = { __rl: true, mode: 'reference', value: '={{ $json.Reference }}' };
	for (const typed of [
		{ type: 'n8n-nodes-base.dataTable', executeOnce: true },
		{ type: 'n8n-nodes-base.aggregate' },
	]) {
		const asked = (Reference: string) =>
			runOfOneSet(
				service.baseUrl,
				getSet!,
				{ setId, documentId: '' },
				{
					...{ items: together({ Reference }), typed, before: { items: inPlace(events) } },
				},
			);
		expect((await asked(terms.parcelRef)).error).toBeUndefined();
		expect((await asked(sets[0]!.parcelRef)).error?.message).toMatch(/the others would get no papers$/);
	}
});

it('takes each of several where every item names all of them', async () => {
	const all = sets.map(({ setId }) => setId);
	const given = inPlace(events.map(({ setId }) => ({ setId, all, events })));
	const { error, items: gave } = await run(getSet!, '={{ $json.setId }}', given);
	expect(error).toBeUndefined();
	expect(gave.map(({ json }) => json.setId)).toEqual(all);
});

it('takes one of several sets of one event', async () => {
	const [event] = events;
	const json = { setIds: sets.map(({ setId }) => setId), ...event };
	const { error } = await run(getSet!, '={{ $json.setIds[0] }}', [{ json }], {
		before: { items: inPlace([event!]) },
	});
	expect(error).toBeUndefined();
});
