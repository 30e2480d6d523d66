import type { IDataObject } from 'n8n-workflow';
import type { ParcelSet } from '../../sandbox/service';
import { runAction } from '../support/actionNode';
import type { NodeRun } from '../support/engine';
import {
	byTrigger,
	OF_ONE_SET,
	sampleItem,
	runBeside,
	startTwoSets,
	type TwoSets,
} from '../support/eventInFront';

/** What people type or pick to try a workflow, and forget there, where it is not the parameter Set itself. */

let { service, chosen, other, event } = {} as TwoSets;
beforeAll(async () => {
	({ service, chosen, other, event } = await startTwoSets());
});
afterAll(() => service.close());

const run = (operation: IDataObject, setId: unknown, item: IDataObject, more?: Partial<NodeRun>) =>
	runBeside({ service, chosen }, operation, setId, item, more);

const fixed: [string, () => unknown][] = [
	['picked', () => ({ __rl: true, mode: 'list', value: chosen.setId, cachedResultName: 'PCL' })],
	['put on Expression and left', () => ({ __rl: true, mode: 'id', value: `=${chosen.setId}` })],
];

const EVENT_IS_OF = () => `The event is about set ${other.parcelRef} (${other.setId}), but`;

describe.each(OF_ONE_SET)('%j behind a step into which a set was typed', (operation) => {
	const byId = { __rl: true, mode: 'id', value: '={{ $json.setId }}' };
	const byName = { __rl: true, mode: 'reference', value: '={{ $json.ref }}' };
	const steps: [string, () => { typed: NodeRun['typed']; json: IDataObject; setId: IDataObject }][] = [
		[
			'Edit Fields, its ID',
			() => ({
				typed: { assignments: [{ name: 'setId', value: chosen.setId.toUpperCase() }] },
				json: { setId: chosen.setId },
				setId: byId,
			}),
		],
		[
			'Edit Fields, its parcel reference',
			() => ({
				typed: { assignments: [{ name: 'ref', value: ` ${chosen.parcelRef.toLowerCase()}` }] },
				json: { ref: chosen.parcelRef },
				setId: byName,
			}),
		],
		[
			'Edit Fields, its reference put on Expression',
			() => ({
				typed: { assignments: [{ name: 'ref', value: `=${chosen.parcelRef}` }] },
				json: { ref: chosen.parcelRef },
				setId: byName,
			}),
		],
		[
			'Code',
			() => ({
				typed: { jsCode: `const id = '${chosen.setId}'; return [{ json: { setId: id } }]` },
				json: { setId: chosen.setId },
				setId: byId,
			}),
		],
		[
			'Code, its reference',
			() => ({
				typed: { jsCode: `return [{ json: { ref: "${chosen.parcelRef}" } }]` },
				json: { ref: chosen.parcelRef },
				setId: byName,
			}),
		],
		[
			'Parse, a whole event',
			() => {
				const pasted = { ...event, setId: chosen.setId, parcelReference: chosen.parcelRef };
				return { typed: { event: JSON.stringify(pasted) }, json: byTrigger(pasted), setId: byId };
			},
		],
	];

	it.each(steps)('refuses it, and says which step: %s', async (_, step) => {
		const { typed, json, setId } = step();
		for (const before of [byTrigger(event), { ...event, setId: null }]) {
			const { error, items } = await run(operation, setId, json, {
				typed,
				before: { items: [{ json: before as IDataObject }] },
			});
			expect(items).toEqual([]);
			expect(error?.message).toContain('is what was typed into the step "Input"');
			expect(error?.message).toContain(`The event is about set ${other.parcelRef}`);
			expect(error?.description).toContain('{{ $("Event").item.json.setId }}');
		}
	});

	it.each(steps)('takes it behind its own event, a sample, and where no event is: %s', async (_, step) => {
		const { typed, json, setId } = step();
		const own = { ...event, setId: chosen.setId, parcelReference: chosen.parcelRef };
		const sample = sampleItem();
		for (const before of [own, sample, {}]) {
			const { error } = await run(operation, setId, json, { typed, before: { items: [{ json: before }] } });
			expect(error).toBeUndefined();
		}
		const asTool = await run(operation, setId, json, {
			...{ typed, asTool: true },
			before: { items: [{ json: event }] },
		});
		expect(asTool.error).toBeUndefined();
	});

	it('tells the items of a run with several events from each other', async () => {
		const own = byTrigger({ ...event, setId: chosen.setId, parcelReference: chosen.parcelRef });
		const sent = (links: boolean) =>
			[own, byTrigger(event)].map((_, item) => ({
				json: { setId: chosen.setId },
				...(links && { pairedItem: { item } }),
			}));
		const typed = { assignments: [{ name: 'setId', value: chosen.setId }] };
		const before = { items: [own, byTrigger(event)].map((json) => ({ json })) };
		const several = await run(operation, byId, {}, { items: sent(true), typed, before });
		expect(several.items).toEqual([]);
		expect(several.error?.message).toContain('is what was typed into the step "Input"');
		expect(several.error?.context?.itemIndex).toBe(1);
		const first = await run(operation, byId, {}, { items: sent(true).slice(0, 1), typed, before });
		expect(first.error).toBeUndefined();
		// n8n links as many items as came by their place, and three where two came not at all.
		const items = [sent(false), sent(false).slice(1)].flat();
		const unlinked = await run(operation, byId, {}, { items, typed, before });
		expect(unlinked.items).toEqual([]);
	});

	it.each(['if', 'switch', 'filter'])('takes a set that %s compares with', async (type) => {
		const { error } = await run(
			operation,
			byId,
			{ setId: chosen.setId },
			{
				typed: { type: `n8n-nodes-base.${type}`, conditions: { rightValue: chosen.parcelRef } },
				before: { items: [{ json: event }] },
			},
		);
		expect(error).toBeUndefined();
	});
});

describe.each(OF_ONE_SET)('%j behind a search', (operation) => {
	const search = (filters: IDataObject) => ({
		...{ type: 'test.parcelDocumentExchange', resource: 'set', operation: 'search', filters },
	});
	const found = (set: ParcelSet) => ({ json: { setId: set.setId, parcelRef: set.parcelRef } });
	const byId = { __rl: true, mode: 'id', value: '={{ $json.setId }}' };
	const behind = (filters: IDataObject, sets: ParcelSet[], setId: unknown, more: Partial<NodeRun> = {}) =>
		run(operation, setId, {}, { typed: search(filters), items: sets.map(found), ...more });

	it.each(['shipmentRef', 'referenceContains'])(
		'refuses what a typed %s found in place of the event',
		async (filter) => {
			const before = { items: [{ json: event }] };
			for (const typed of [chosen.shipmentRef, `=${chosen.shipmentRef}`, chosen.shipmentRef.slice(0, 4)]) {
				const { error, items } = await behind({ [filter]: typed }, [chosen], byId, { before });
				expect(items).toEqual([]);
				expect(error?.message).toMatch(EVENT_IS_OF());
				expect(error?.message).toContain('is what was typed into the step "Input"');
			}
		},
	);

	it('takes what it found with the event, by what the event says, and by no reference', async () => {
		const before = { items: [{ json: event }] };
		const document = { documentId: chosen.documents[0]!.documentId };
		for (const [filters, sets] of [
			[{ shipmentRef: chosen.shipmentRef }, [chosen, other]],
			[{ shipmentRef: '={{ $json.ref }}' }, [chosen]],
			[{ shipmentRef: '' }, [chosen]],
			[{ status: 'ACTIVE', vesselName: 'AURORA' }, [chosen]],
		] as const) {
			const { error } = await behind({ ...filters }, [...sets], byId, {
				...{ before, parameters: { ...operation, setId: byId, documentId: document.documentId } },
				...(sets.length > 1 && { settings: { executeOnce: true } }),
			});
			expect({ filters, error }).toEqual({ filters, error: undefined });
		}
	});

	it.each(fixed)('refuses a set that was %s, though no event is there', async (_, setId) => {
		const { error, items } = await behind({}, [chosen, other], setId());
		expect(items).toEqual([]);
		expect(error?.message).toBe(
			`The input is about set ${other.parcelRef} (${other.setId}), but Set is fixed to ${chosen.setId}`,
		);
		expect((await behind({}, [chosen], setId())).error).toBeUndefined();
		expect((await run(operation, setId(), { note: 'sent' }, { typed: search({}) })).error).toBeUndefined();
	});
});

describe.each(OF_ONE_SET)('%j behind a step that looked a set up', (operation) => {
	const byId = { __rl: true, mode: 'id', value: '={{ $json.id }}' };
	const lookUp = (asked: IDataObject) => ({ type: 'test.parcelDocumentExchange', ...asked });
	const found = () => ({ json: { setId: other.setId, parcelRef: other.parcelRef } });

	it.each(fixed)('refuses a set that was %s, though no event is there', async (_, setId) => {
		for (const asked of [
			{ resource: 'set', operation: 'search', filters: {} },
			{ resource: 'set', operation: 'get', setId: byId },
			{ resource: 'set', operation: 'get', setId: { ...byId, mode: 'reference' } },
			{ resource: 'document', operation: 'getAll', setId: byId },
		]) {
			const { error, items } = await run(operation, setId(), {}, { typed: lookUp(asked), items: [found()] });
			expect(items).toEqual([]);
			expect(error?.message).toMatch(/^The input is about set .*, but Set is fixed to/);
		}
	});

	it.each(fixed)('refuses it where steps between let the set go: %s', async (_, setId) => {
		const before = { items: [found()], ...lookUp({}), typed: { resource: 'set', operation: 'search' } };
		const { error, items } = await run(operation, setId(), { note: 'sent' }, { before });
		expect(items).toEqual([]);
		expect(error?.message).toMatch(/^The input is about set .*, but Set is fixed to/);
		expect(error?.description).toContain('{{ $("Event").item.json.setId }}');
	});

	it.each(fixed)(
		'takes it behind another set that was picked, as people collect papers: %s',
		async (_, setId) => {
			const asked = { resource: 'document', operation: 'getAllPdfs', setId: other.setId };
			const { error } = await run(operation, setId(), {}, { typed: lookUp(asked), items: [found()] });
			expect(error).toBeUndefined();
		},
	);
});

describe.each(OF_ONE_SET)('%j in a workflow that another one calls', (operation) => {
	const type = 'n8n-nodes-base.executeWorkflowTrigger';

	it.each(fixed)('refuses a set that was %s where it was asked for another', async (_, setId) => {
		for (const asked of [
			{ setId: other.setId },
			{ setId: other.setId, parcelReference: other.parcelRef },
			{ setId: other.setId, parcelRef: other.parcelRef },
		]) {
			for (const json of [asked, { note: 'sent' }]) {
				const { error, items } = await run(operation, setId(), json, {
					before: { items: [{ json: asked }], type },
				});
				expect(items).toEqual([]);
				expect(error?.message).toMatch(/^The input is about set .*, but Set is fixed to/);
			}
		}
		const own = { setId: chosen.setId };
		const { error } = await run(operation, setId(), own, { before: { items: [{ json: own }], type } });
		expect(error).toBeUndefined();
	});
});

it.each(OF_ONE_SET)(
	'%j refuses a reference of the event that a narrowed search takes for another',
	async (operation) => {
		const twin = service.data.sets.find(({ customerId }) => customerId !== other.customerId)!;
		const setId = { __rl: true, mode: 'reference', value: '={{ $json.parcelReference }}' };
		const own = twin.parcelRef;
		twin.parcelRef = other.parcelRef;
		const asked = (customerId: string) =>
			runAction(
				service.baseUrl,
				{
					...{ ...operation, setId, options: { waitSeconds: 0 }, lookup: { customerId } },
					documentId: twin.documents[0]!.documentId,
				},
				{
					items: [{ json: { parcelReference: other.parcelRef } }],
					before: { items: [{ json: event }] },
				},
			);
		if (operation.operation !== 'getPdf') {
			const { error, items } = await asked(twin.customerId);
			expect(items).toEqual([]);
			expect(error?.message).toContain(EVENT_IS_OF());
			expect((await asked(other.customerId)).error).toBeUndefined();
		}
		twin.parcelRef = own;
	},
);

describe('a document that was typed into a step in front', () => {
	const getPdf = (typed: string) =>
		runAction(
			service.baseUrl,
			{
				...{ resource: 'document', operation: 'getPdf', setId: '={{ $json.setId }}' },
				...{ documentId: '={{ $json.documentId }}', options: { waitSeconds: 0 } },
			},
			{
				items: [{ json: { ...byTrigger(event), documentId: typed } }],
				typed: { assignments: [{ name: 'documentId', value: typed }] },
			},
		);

	it('is refused where it is of another set', async () => {
		const { error, items } = await getPdf(chosen.documents[0]!.documentId);
		expect(items).toEqual([]);
		expect(error?.message).toContain(`is none of the documents of set ${other.setId}`);
		expect((await getPdf(other.documents[0]!.documentId)).items).toHaveLength(1);
	});
});

describe('behind a search', () => {
	const byId = { __rl: true, mode: 'id', value: '={{ $json.setId }}' };
	const search = 'test.parcelDocumentExchange';
	const found = (sets: ParcelSet[]) =>
		sets.map(({ setId, parcelRef }, item) => ({ json: { setId, parcelRef }, pairedItem: { item } }));
	const ran = (sets: ParcelSet[], value: string) =>
		run(
			OF_ONE_SET[0]!,
			byId,
			{ setId: chosen.setId },
			{
				typed: { assignments: [{ name: 'setId', value }] },
				before: { items: found(sets), type: search, typed: { operation: 'search' } },
			},
		);

	it('the set that was typed into Edit Fields is refused, where another was found', async () => {
		const { error, items } = await ran([other], chosen.setId);
		expect(items).toEqual([]);
		expect(error?.message).toBe(
			`The input is about set ${other.parcelRef} (${other.setId}), but set ${chosen.setId} is what was typed into the step "Input"`,
		);
	});

	it('is taken where it was found, or was not typed', async () => {
		expect((await ran([chosen], chosen.setId)).error).toBeUndefined();
		expect((await ran([other], '={{ $json.master }}')).error).toBeUndefined();
	});
});
