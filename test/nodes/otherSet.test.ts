import { refuseForFailures } from '../../nodes/ParcelDocumentExchange/actions/otherSet';
import type { IDataObject } from 'n8n-workflow';
import { sampleEvents } from '../../nodes/ParcelDocumentExchange/events/samples';
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

/** A set that was picked while building, and forgotten there: its papers would go out with every event to come. */

let { service, chosen, other, event } = {} as TwoSets;
beforeAll(async () => {
	({ service, chosen, other, event } = await startTwoSets());
});
afterAll(() => service.close());

const run = (operation: IDataObject, setId: unknown, item: IDataObject, more?: Partial<NodeRun>) =>
	runBeside({ service, chosen }, operation, setId, item, more);

const fixed: [string, () => unknown][] = [
	['picked', () => ({ __rl: true, mode: 'list', value: chosen.setId, cachedResultName: 'PCL' })],
	['typed', () => ({ __rl: true, mode: 'id', value: ` ${chosen.setId} ` })],
	['typed as a plain text', () => chosen.setId],
];
/** What stays in the field when Expression is pressed and nothing is dragged into it. */
const left: [string, () => unknown][] = [
	['put on Expression and left', () => ({ __rl: true, mode: 'id', value: `=${chosen.setId}` })],
	['put on Expression as a plain text', () => `=${chosen.setId}`],
];

describe.each(OF_ONE_SET)('%j', (operation) => {
	it.each(fixed)('refuses a set that was %s, behind the event of another, naming both', async (_, setId) => {
		const wrapped = [
			{ body: event, headers: {} },
			{ content: JSON.stringify(event), fields: {} },
			{ content: event },
			{ message: JSON.stringify(event), topic: 'parcels' },
			{ event: byTrigger(event) },
			{ Body: ` ${JSON.stringify(event)}`, MessageId: '1' },
			{ data: event },
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

	it.each([...fixed, ...left])(
		'refuses a set that was %s in an error workflow, which says it for each failure',
		async (_, setId) => {
			const failure = { execution: { id: '7', error: { message: 'down' } }, workflow: { id: 'a' } };
			const inErrorWorkflow = { typed: { type: 'n8n-nodes-base.errorTrigger' }, mode: 'trigger' as const };
			const { error, items } = await run(operation, setId(), failure, inErrorWorkflow);
			expect(items).toEqual([]);
			expect(error?.message).toBe(
				`Set is fixed to ${chosen.setId}, and "Input" starts this workflow for whatever failed`,
			);
			const tried = await run(operation, setId(), failure, { ...inErrorWorkflow, mode: 'manual' });
			expect(tried.error).toBeUndefined();
			const meant = await run(operation, `={{ "${chosen.setId}" }}`, failure, inErrorWorkflow);
			expect(meant.error).toBeUndefined();
			const ofEvent = { ...failure, setId: chosen.setId };
			expect((await run(operation, '={{ $json.setId }}', ofEvent, inErrorWorkflow)).error).toBeUndefined();
		},
	);

	it('takes one that is fixed beside an error trigger that did not start this run', () => {
		const starts = (items: IDataObject[]) => () =>
			refuseForFailures(
				{ steps: [{ name: 'E', type: 'n8n-nodes-base.errorTrigger', items } as never], isTried: false },
				chosen.setId,
			);
		expect(starts([])).not.toThrow();
		expect(starts([{}])).toThrow(/^Set is fixed to /);
	});

	it.each(fixed)('takes a set that was %s behind anything else', async (_, setId) => {
		const sample = sampleItem();
		const [rawSample] = sampleEvents(['SIGNED']).map(({ raw }) => raw as IDataObject);
		const items = [
			{},
			{ setId: event.setId },
			{ setId: 7, eventId: 'x' },
			{ eventId: 'x' },
			{ newStatus: 'Signed' },
			{ body: 'no event', content: [], message: '{', event: null },
			{ body: { newStatus: 'Signed', setId: chosen.setId } },
			...[sample, rawSample!],
			{
				...event,
				setId: ` ${chosen.setId.toUpperCase()} `,
				parcelReference: ` ${chosen.parcelRef.toLowerCase()}`,
			},
			{ newStatus: 'Signed', parcelReference: chosen.parcelRef },
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

describe.each(OF_ONE_SET)('%j', (operation) => {
	const fixedTo = (reference: string) =>
		`The event is about set ${reference}, but Set is fixed to ${chosen.parcelRef} (${chosen.setId})`;

	it.each(fixed)(
		'refuses a set that was %s, behind an event that names its parcel alone',
		async (_, setId) => {
			for (const setIdOfEvent of [undefined, null, '', ' ', 5]) {
				const nameless = { ...event, setId: setIdOfEvent } as IDataObject;
				for (const item of [
					nameless,
					byTrigger(nameless),
					{ body: nameless },
					{ ...byTrigger(nameless), raw: null },
				]) {
					const { error, items } = await run(operation, setId(), item);
					expect(items).toEqual([]);
					expect(error?.message).toBe(fixedTo(other.parcelRef));
				}
			}
		},
	);

	it('refuses a reference of the event that leads to another set', async () => {
		const setId = { __rl: true, mode: 'reference', value: '={{ $json.parcelReference }}' };
		const item = { ...byTrigger(event), setId: service.data.sets[50]!.setId };
		const { error, items } = await run(operation, setId, item);
		expect(items).toEqual([]);
		expect(error?.message).toContain(`The event is about set ${other.parcelRef} (${item.setId})`);
	});
});

it.each(OF_ONE_SET.filter(({ operation }) => operation !== 'getPdf'))(
	'%j refuses the set of an event that calls it another parcel',
	async (operation) => {
		for (const setId of ['={{ $json.setId }}', other.setId]) {
			const { error, items } = await run(operation, setId, {
				...byTrigger(event),
				parcelReference: 'PCL-777',
			});
			expect(items).toEqual([]);
			expect(error?.message).toBe(
				`The event is about parcel PCL-777, but its set ${other.setId} is parcel ${other.parcelRef}`,
			);
		}
		const alike = { ...byTrigger(event), parcelReference: ` ${other.parcelRef.toLowerCase()} ` };
		expect((await run(operation, '={{ $json.setId }}', alike)).error).toBeUndefined();
	},
);

describe.each(OF_ONE_SET)('%j behind steps that let the event go', (operation) => {
	const behind = (setId: unknown, event: IDataObject[], more: Partial<NodeRun> = {}) =>
		run(operation, setId, { note: 'sent' }, { before: { items: event.map((json) => ({ json })) }, ...more });

	it.each([...fixed, ...left])('refuses a set that was %s, and says where the event is', async (_, setId) => {
		const own = { ...event, setId: chosen.setId, parcelReference: chosen.parcelRef };
		for (const events of [[event], [byTrigger(event)], [own, event], [{ body: event }]]) {
			const { error, items } = await behind(setId(), events);
			expect(items).toEqual([]);
			expect(error?.message).toBe(
				`The event is about set ${other.parcelRef} (${other.setId}), but Set is fixed to ${chosen.setId}`,
			);
			expect(error?.description).toContain('{{ $("Event").item.json.setId }}');
		}
		const nameless = await behind(setId(), [{ ...event, setId: null }]);
		expect(nameless.error?.message).toContain(`The event is about set ${other.parcelRef}, but`);
	});

	it.each(['', '='])('refuses a reference that was typed: %j in front', async (sign) => {
		const setId = { __rl: true, mode: 'reference', value: `${sign}${chosen.parcelRef}` };
		const { error, items } = await behind(setId, [event]);
		expect(items).toEqual([]);
		expect(error?.message).toContain('but Set is fixed to');
	});

	it('refuses it behind a set as the poll trigger gives it unsimplified', async () => {
		const items = [{ json: { setId: other.setId, parcelRef: other.parcelRef, status: 'signed' } }];
		const type = 'test.parcelDocumentExchangePollTrigger';
		for (const json of [{ note: 'sent' }, items[0]!.json]) {
			const { error } = await run(operation, chosen.setId, json, { before: { items, type } });
			expect(error?.message).toContain(`The event is about set ${other.parcelRef} (${other.setId})`);
		}
		expect((await run(operation, chosen.setId, {}, { before: { items } })).error).toBeUndefined();
	});

	it('takes it behind its own event, a sample, and what is no event', async () => {
		const sample = sampleItem();
		const own = { ...event, setId: chosen.setId, parcelReference: chosen.parcelRef };
		for (const before of [own, byTrigger(own), sample, {}, { setId: other.setId }]) {
			expect((await behind(chosen.setId, [before])).error).toBeUndefined();
		}
		const followed = { __rl: true, mode: 'id', value: `={{ "${chosen.setId}" }}` };
		expect((await behind(followed, [event])).error).toBeUndefined();
		expect((await behind(chosen.setId, [event], { asTool: true })).error).toBeUndefined();
	});
});

describe('a document that was picked while building, behind sets that come with each item', () => {
	const getPdf = (
		document: IDataObject | string,
		item: IDataObject = byTrigger(event),
		more: Partial<NodeRun> = {},
	) =>
		runAction(
			service.baseUrl,
			{
				...{
					resource: 'document',
					operation: 'getPdf',
					setId: '={{ $json.setId }}',
					options: { waitSeconds: 0 },
				},
				documentId: document,
			},
			{ items: [{ json: item }], ...more },
		);

	it.each([
		['picked', (id: string) => ({ __rl: true, mode: 'list', value: id })],
		['typed', (id: string) => ({ __rl: true, mode: 'id', value: id })],
		['typed as a plain text', (id: string) => id],
		['put on Expression and left', (id: string) => ({ __rl: true, mode: 'id', value: `=${id}` })],
	])('is refused where it is of another set: %s', async (_, written) => {
		for (const item of [byTrigger(event), { setId: other.setId }]) {
			const { error, items } = await getPdf(written(chosen.documents[0]!.documentId), item);
			expect(items).toEqual([]);
			expect(error?.message).toContain(`is none of the documents of set ${other.setId}`);
		}
		const own = other.documents[0]!.documentId.toUpperCase();
		expect((await getPdf(written(own))).items).toHaveLength(1);
	});

	it('is not looked at where it comes with the item too', async () => {
		const before = service.counters.byRoute.search ?? 0;
		const item = { ...byTrigger(event), documentId: other.documents[0]!.documentId };
		expect((await getPdf('={{ $json.documentId }}', item)).items).toHaveLength(1);
		expect(service.counters.byRoute.search ?? 0).toBe(before);
	});
});

describe('a document of another item, behind lists of documents', () => {
	const rows = () =>
		[chosen, other].map(({ setId, documents }) => ({ setId, documentId: documents[0]!.documentId }));
	const getPdf = (parameters: IDataObject, given: IDataObject[], more: Partial<NodeRun> = {}) => {
		const items = given.map((json, item) => ({ json, pairedItem: { item } }));
		const operation = { resource: 'document', operation: 'getPdf' };
		return runAction(service.baseUrl, { ...operation, options: {}, ...parameters }, { items, ...more });
	};
	const own = { setId: '={{ $json.setId }}', documentId: '={{ $json.documentId }}' };

	it.each<[string, IDataObject]>([
		['the first of all', { ...own, documentId: '={{ $("Input").first().json.documentId }}' }],
		['one by its number', { ...own, documentId: '={{ $input.all()[0].json.documentId }}' }],
	])('is refused: %s', async (_, parameters) => {
		const { error, items } = await getPdf(parameters, rows());
		expect(items).toEqual([]);
		expect(error?.message).toBe(
			`Document ${chosen.documents[0]!.documentId} is none of the documents of set ${other.setId}, which the input is about`,
		);
	});

	it('is refused beside a set that was typed', async () => {
		const { error } = await getPdf({ ...own, setId: other.setId }, rows().slice(0, 1));
		expect(error?.message).toMatch(/is none of the documents of set/);
	});

	it.each<[string, IDataObject, () => IDataObject[]]>([
		['both from the item', own, rows],
		[
			'both by other names',
			{ setId: '={{ $json.set }}', documentId: '={{ $json.paper.id }}' },
			() => rows().map(({ setId, documentId }) => ({ set: setId, paper: { id: documentId } })),
		],
	])('is not looked at, which costs a search: %s', async (_, parameters, given) => {
		const before = service.counters.byRoute.search ?? 0;
		expect((await getPdf(parameters, given())).items).toHaveLength(2);
		expect(service.counters.byRoute.search ?? 0).toBe(before);
	});

	it('is not looked at either beside a set that was typed, where nothing names another', async () => {
		const before = service.counters.byRoute.search ?? 0;
		const given = other.documents.map(({ documentId }) => ({ documentId }));
		const { items } = await getPdf({ ...own, setId: other.setId }, given);
		expect(items).toHaveLength(given.length);
		expect(service.counters.byRoute.search ?? 0).toBe(before);
	});

	it('is not looked at either where both come from an item in front', async () => {
		const before = service.counters.byRoute.search ?? 0;
		const from = (name: string) => `={{ $("Event").item.json.${name} }}`;
		const { items } = await getPdf({ setId: from('setId'), documentId: from('documentId') }, [{}, {}], {
			before: { items: rows().map((json) => ({ json })) },
		});
		expect(items).toHaveLength(2);
		expect(service.counters.byRoute.search ?? 0).toBe(before);
	});
});

it('a failed item says so too, where the workflow goes on', async () => {
	const { items } = await run(OF_ONE_SET[0]!, chosen.setId, byTrigger(event), {
		settings: { onError: 'continueRegularOutput' },
	});
	expect(items).toEqual([
		{ json: { error: expect.stringMatching(/^The event is about set/) }, pairedItem: { item: 0 } },
	]);
});
