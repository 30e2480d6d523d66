import type { IDataObject } from 'n8n-workflow';
import { move, startService, type ParcelSet, type Service } from '../../sandbox/service';
import type { NodeRun } from '../support/engine';
import { byTrigger, inPlace, OF_ONE_SET, runOfOneSet } from '../support/eventInFront';

/** Several events in one run: each item gets the papers of the event that it came from, and of no other. */

let service: Service;
let sets: [ParcelSet, ParcelSet];
let bodies: [IDataObject, IDataObject];
beforeAll(async () => {
	service = await startService();
	sets = [service.data.sets[140]!, service.data.sets[50]!];
	const [one, other] = sets.map(({ setId }) => ({ ...move(service.data, setId, 'sign', Date.now()) }));
	bodies = [one!, other!];
});
afterAll(() => service.close());

const run = (operation: IDataObject, setId: unknown, more: Partial<NodeRun>, lookup = {}) =>
	runOfOneSet(
		service.baseUrl,
		operation,
		{ setId, lookup, documentId: sets[0].documents[0]!.documentId },
		more,
	);
const byId = (expression: string) => ({ __rl: true, mode: 'id', value: `={{ ${expression} }}` });
const byReference = (expression: string) => ({
	__rl: true,
	mode: 'reference',
	value: `={{ ${expression} }}`,
});

describe.each(OF_ONE_SET)('%j', (operation) => {
	it.each([
		['the first', () => byId('$("Event").first().json.setId')],
		['one by its number', () => byId('$("Event").all()[0].json.setId')],
		['the first, as a plain text', () => '={{ $("Event").first().json.setId }}'],
		['the reference of the first', () => byReference('$("Event").first().json.parcelReference')],
	])('refuses for each event the papers of one of them: %s', async (_, setId) => {
		const events = bodies.map(byTrigger);
		for (const given of [events, events.map(() => ({ note: 'sent' }))]) {
			const { error, items: gave } = await run(operation, setId(), {
				...{ items: inPlace(given), before: { items: inPlace(events) } },
			});
			expect(gave).toEqual([]);
			expect(error?.message.replace(/[^ ]+ \(.{36}\)|[0-9a-f-]{36}/g, '…')).toBe(
				'The event is about set …, but Set gives …, that of another event in this run',
			);
			expect(error?.message).toContain(`${sets[1].parcelRef} (${sets[1].setId}), but`);
			expect(error?.message).toContain(sets[0].setId);
			expect(error?.description).toMatch(/\$\("(Event|Input)"\)\.item\.json\.setId|\$json\.setId/);
			expect(error?.context?.itemIndex).toBe(1);
		}
	});

	it('refuses them where a filter let another event through than the first', async () => {
		const { error } = await run(operation, byId('$("Event").first().json.setId'), {
			items: [{ json: { note: 'kept' }, pairedItem: { item: 1 } }],
			before: { items: inPlace(bodies.map(byTrigger)) },
		});
		expect(error?.message).toContain('that of another event in this run');
	});

	it.each(['n8n-nodes-base.gmail', 'n8n-nodes-base.form'])(
		'goes on with the one that was chosen in an answer, looked for among all: %s',
		async (type) => {
			const events = bodies.map(byTrigger);
			const of = (reference: unknown) => ({
				typed: { type, operation: type.endsWith('form') ? 'page' : 'sendAndWait' },
				items: [{ json: { Parcel: reference } as IDataObject, pairedItem: { item: 0 } }],
				before: { items: inPlace(events) },
			});
			const chosen = byId(
				'$("Event").all().find((event) => event.json.parcelReference !== $("Event").first().json.parcelReference).json.setId',
			);
			const { error } = await run(operation, chosen, of(events[1]!.parcelReference));
			const beside = await run(operation, chosen, of(`${String(events[1]!.parcelReference)} - urgent`));
			for (const one of [error, beside.error]) {
				// The document is one of the first.
				expect(one?.message ?? '').toMatch(/^$|^Document is fixed/);
			}
			const longer = `${String(events[1]!.parcelReference)}0`;
			for (const answer of ['fine', longer, String(events[0]!.parcelReference)]) {
				const other = await run(operation, chosen, of(answer));
				expect(other.error?.message).toContain('that of another event in this run');
			}
		},
	);

	it('refuses the parcel of the first, where events name their parcel alone', async () => {
		const events = bodies.map((body) => byTrigger({ ...body, setId: null }));
		for (const given of [events, [{}, {}]]) {
			const { error, items: gave } = await run(
				operation,
				byReference('$("Event").first().json.parcelReference'),
				{
					...{ items: inPlace(given), before: { items: inPlace(events) } },
				},
			);
			expect(gave).toEqual([]);
			expect(error?.message).toContain('that of another event in this run');
			expect(error?.context?.itemIndex).toBe(1);
		}
		const own = byReference('$("Event").item.json.parcelReference');
		const more = { items: inPlace([{}, {}]), before: { items: inPlace(events) } };
		if (operation.operation !== 'getPdf') expect((await run(operation, own, more)).error).toBeUndefined();
	});

	it.each([
		['first', '={{ $("Event").first().json.setId }}'],
		['last', '={{ $("Event").last().json.setId }}'],
		['all', '={{ $("Event").all()[0].json.setId }}'],
	])('refuses what a step between wrote into every item: %s', async (_, value) => {
		const events = bodies.map(byTrigger);
		const one = value.includes('last') ? sets[1] : sets[0];
		const { error, items: gave } = await run(operation, byId('$json.setId'), {
			items: inPlace([{ setId: one.setId }, { setId: one.setId }]),
			typed: { assignments: [{ name: 'setId', value }] },
			before: { items: inPlace(events) },
		});
		expect(gave).toEqual([]);
		expect(error?.message).toContain('that of another event in this run');
	});

	it.each<[string, NodeRun['typed']]>([
		[
			'Edit Fields, of the first that comes',
			{ assignments: [{ name: 'setId', value: '={{ $input.first().json.setId }}' }] },
		],
		[
			'Code, of the first that comes',
			{
				type: 'n8n-nodes-base.code',
				jsCode: 'const { setId } = $input.first().json; return items.map(() => ({ json: { setId } }))',
			},
		],
		[
			'Code, of the first of its items',
			{
				type: 'n8n-nodes-base.code',
				jsCode: 'return items.map(() => ({ json: { setId: items[0].json.setId } }))',
			},
		],
		[
			'Code, of the first event',
			{
				type: 'n8n-nodes-base.code',
				jsCode: 'for (const i of items) i.json.setId = $("Event").first().json.setId; return items',
			},
		],
	])('refuses what one of the run is written into every item by %s', async (_, typed) => {
		const { error, items: gave } = await run(operation, byId('$json.setId'), {
			...{ items: inPlace([{ setId: sets[0].setId }, { setId: sets[0].setId }]), typed },
			before: { items: inPlace(bodies.map(byTrigger)) },
		});
		expect(gave).toEqual([]);
		expect(error?.message).toContain('that of another event in this run');
		expect(error?.context?.itemIndex).toBe(1);
	});

	it.each([
		['n8n-nodes-base.executeWorkflowTrigger', 'what it was called with'],
		['test.parcelDocumentExchangePollTrigger', 'sets as the poll trigger gives them'],
	])('refuses them behind %s: %s', async (type) => {
		const asked = sets.map(({ setId, parcelRef }) => ({ setId, parcelRef }));
		const { error } = await run(operation, byId('$("Event").first().json.setId'), {
			items: inPlace([{}, {}]),
			before: { items: inPlace(asked), type },
		});
		expect(error?.message).toMatch(/that of another (event|item) in this run/);
	});
});

const [, , getSet] = OF_ONE_SET;

describe.each(OF_ONE_SET)('%j behind steps that look sets up', (operation) => {
	const search = 'test.parcelDocumentExchange';
	const OF_OTHER_ITEM = /^The input is about set .*, but Set gives .*, that of another item in this run$/;
	const found = () => sets.map(({ setId, parcelRef }) => ({ setId, parcelRef }));

	it.each([
		['the first of a search', () => byId('$("Event").first().json.setId')],
		['one by its number', () => byId('$("Event").all()[0].json.setId')],
		['the reference of the first', () => byReference('$("Event").first().json.parcelRef')],
	])('refuses for each set the papers of one of them: %s', async (_, setId) => {
		for (const [type, given] of [
			[search, found()],
			[search, [{}, {}]],
			['n8n-nodes-base.splitOut', [{ note: 'sent' }, { note: 'sent' }]],
		] as const) {
			const { error, items: gave } = await run(operation, setId(), {
				...{ items: inPlace(given as IDataObject[]), before: { items: inPlace(found()), type } },
			});
			expect(gave).toEqual([]);
			expect(error?.message).toMatch(OF_OTHER_ITEM);
			expect(error?.message).toContain(`${sets[1].parcelRef} (${sets[1].setId}), but`);
			expect(error?.context?.itemIndex).toBe(1);
		}
	});

	it('takes what belongs to each, and one that the item names', async () => {
		for (const [setId, given] of [
			[byId('$json.setId'), found()],
			[byId('$("Event").item.json.setId'), [{}, {}]],
			[byId('$json.master'), found().map((set) => ({ ...set, master: sets[0].setId }))],
		] as const) {
			const { error } = await run(getSet!, setId, {
				...{ items: inPlace(given as IDataObject[]), before: { items: inPlace(found()), type: search } },
			});
			expect(error).toBeUndefined();
		}
	});
});

describe('what was chosen for the item is taken', () => {
	const events = () => bodies.map(byTrigger);
	const refs = (all: IDataObject[]) => all.map(({ parcelRef }) => parcelRef);

	it.each([
		['its own event', () => byId('$("Event").item.json.setId'), () => [{}, {}], [0, 1]],
		['its own event, that is the item', () => byId('$json.setId'), events, [0, 1]],
		['the reference of its own', () => byReference('$("Event").item.json.parcelReference'), events, [0, 1]],
		[
			'another set of the customer, which is one of the run too',
			() => byId('$json.setId'),
			() => [...sets].reverse().map(({ setId }) => ({ setId })),
			[1, 0],
		],
		[
			'a master of each, from a table',
			() => byId('$json.row.master'),
			() => sets.map(() => ({ row: { master: sets[0].setId.toUpperCase() } })),
			[0, 0],
		],
		[
			'another parcel, by its reference',
			() => byReference('$json.master'),
			() => sets.map(() => ({ master: sets[0].parcelRef.toLowerCase() })),
			[0, 0],
		],
		['a master that is written there', () => byId(`"${sets[0].setId}"`), () => [{}, {}], [0, 0]],
	])('%s', async (_, setId, given, wanted) => {
		const { error, items: gave } = await run(getSet!, setId(), {
			...{ items: inPlace(given() as IDataObject[]), before: { items: inPlace(events()) } },
		});
		expect(error).toBeUndefined();
		expect(refs(gave.map(({ json }) => json))).toEqual(wanted.map((index) => sets[index]!.parcelRef));
	});

	it('its own, where a step between notes what the first one was', async () => {
		const events = bodies.map(byTrigger);
		const { error } = await run(getSet!, byId('$json.setId'), {
			items: inPlace(events.map(({ setId }) => ({ setId, first: sets[0].setId }))),
			typed: { assignments: [{ name: 'first', value: '={{ $("Event").first().json.setId }}' }] },
			before: { items: inPlace(events) },
		});
		expect(error).toBeUndefined();
	});

	it('its own, where Code looks at the first one', async () => {
		const events = bodies.map(byTrigger);
		const { error } = await run(getSet!, byId('$json.setId'), {
			items: inPlace(events.map(({ setId }) => ({ setId }))),
			typed: { type: 'n8n-nodes-base.code', jsCode: 'if (!items[0].json.setId) return []; return items' },
			before: { items: inPlace(events) },
		});
		expect(error).toBeUndefined();
	});

	it('one event, several of one set, items that n8n links to none, and a tool', async () => {
		const first = byId('$("Event").first().json.setId');
		const [one, other] = events();
		for (const more of [
			{ items: inPlace([{}]), before: { items: inPlace([one!]) } },
			{ items: inPlace([{}, {}]), before: { items: inPlace([one!, { ...one!, eventId: 'again' }]) } },
			{ items: [{ json: {} }, { json: {} }, { json: {} }], before: { items: inPlace([one!, other!]) } },
			{ items: inPlace([{}, {}]), before: { items: inPlace([one!, other!]) }, asTool: true },
		]) {
			expect((await run(getSet!, first, more)).error).toBeUndefined();
		}
	});
});

it('tells two customers with a parcel of one name from each other', async () => {
	const twin = service.data.sets.find(({ customerId }) => customerId !== sets[0].customerId)!;
	const own = twin.parcelRef;
	twin.parcelRef = sets[0].parcelRef;
	const events = [
		byTrigger(bodies[0]),
		{ ...byTrigger(bodies[0]), eventId: 'twin', setId: twin.setId, customerId: twin.customerId },
	];
	const given = (customers: string[]) =>
		inPlace(customers.map((customer) => ({ ref: twin.parcelRef, customer })));
	const asked = (customers: string[]) =>
		run(
			getSet!,
			byReference('$json.ref'),
			{ items: given(customers), before: { items: inPlace(events) } },
			{ customerId: '={{ $json.customer }}' },
		);
	const { error } = await asked([sets[0].customerId, twin.customerId]);
	const crossed = await asked([twin.customerId, sets[0].customerId]);
	twin.parcelRef = own;
	expect(error).toBeUndefined();
	expect(crossed.items).toEqual([]);
	expect(crossed.error?.message).toContain(`The event is about set ${sets[0].parcelRef}`);
});
