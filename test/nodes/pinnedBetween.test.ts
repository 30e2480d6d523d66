import type { IDataObject } from 'n8n-workflow';
import {
	byTrigger,
	OF_ONE_SET,
	runBeside,
	sampleItem,
	startTwoSets,
	type TwoSets,
} from '../support/eventInFront';

/** Data that was pinned between the event and the papers, and stays there from an earlier run: n8n does not tell. */

let { service, chosen, other, event } = {} as TwoSets;
beforeAll(async () => {
	({ service, chosen, other, event } = await startTwoSets());
});
afterAll(() => service.close());

const ALL_PDFS: IDataObject = OF_ONE_SET[0]!;
const GET_SET: IDataObject = OF_ONE_SET[2]!;
const FROM_ITEM = { __rl: true, mode: 'id', value: '={{ $json.setId }}' };

interface More {
	operation?: IDataObject;
	setId?: unknown;
	type?: string;
	mode?: 'trigger';
}

async function hintsOf(pinned: IDataObject[], before?: IDataObject, more: More = {}): Promise<string[]> {
	const { operation = ALL_PDFS, setId = FROM_ITEM, type = 'n8n-nodes-base.set', mode } = more;
	const run = {
		items: pinned.map((json) => ({ json })),
		before: { items: [{ json: before ?? byTrigger(event) }] },
		typed: { type },
		...(mode && { mode }),
	};
	const { error, hints } = await runBeside({ service, chosen }, operation, setId, {}, run);
	expect(error).toBeUndefined();
	return hints.map(({ message }) => message);
}

it.each([ALL_PDFS, GET_SET])(
	'%j: a set that a step between gave in place of the event’s is told',
	async (operation) => {
		for (const item of [
			{ setId: chosen.setId },
			{ setId: chosen.setId, parcelRef: chosen.parcelRef, status: 'signed' },
		]) {
			for (const type of ['n8n-nodes-base.set', 'x.parcelDocumentExchange']) {
				expect(await hintsOf([item], undefined, { operation, type })).toEqual([
					`The event is about ${other.parcelRef}, and these are the papers of ${chosen.parcelRef}, which "Input" gave. If that step is pinned, its data is of an earlier run: unpin it. If it looks for other sets, drag the setId of the event into Set.`,
				]);
			}
		}
		expect(await hintsOf([{ setId: chosen.setId }], event, { operation })).toHaveLength(1);
	},
);

it('nothing is told of the event’s own set, of more sets beside it, of a sample, where no event is, and in published runs', async () => {
	expect(await hintsOf([{ setId: other.setId }])).toEqual([]);
	expect(await hintsOf([{ setId: other.setId }, { setId: chosen.setId }])).toEqual([]);
	expect(await hintsOf([{ setId: chosen.setId }], sampleItem())).toEqual([]);
	expect(await hintsOf([{ setId: chosen.setId }], { setId: other.setId })).toEqual([]);
	expect(
		await hintsOf([{ setId: chosen.setId }], { ...event, setId: null, parcelReference: chosen.parcelRef }),
	).toEqual([]);
	expect(await hintsOf([{ setId: chosen.setId }], undefined, { mode: 'trigger' })).toEqual([]);
	const meant = { __rl: true, mode: 'id', value: `={{ "${chosen.setId}" }}` };
	expect(await hintsOf([{}], undefined, { setId: meant })).toEqual([]);
});

it('a search that goes by nothing of the event is told in one line, though it finds the event’s set among others', async () => {
	const asked = async (filters: IDataObject) => {
		const { error, hints } = await runBeside(
			{ service, chosen },
			GET_SET,
			FROM_ITEM,
			{},
			{
				items: [{ json: { setId: other.setId } }, { json: { setId: chosen.setId } }],
				before: { items: [{ json: byTrigger(event) }] },
				typed: { type: 'x.parcelDocumentExchange', operation: 'search', filters },
			},
		);
		expect(error).toBeUndefined();
		return hints.map(({ message }) => message);
	};
	expect(await asked({ status: 'SIGNED' })).toEqual([
		expect.stringMatching(
			/^The event is about .*, and "Input" looks for sets by nothing that the event says/,
		),
	]);
	expect(await asked({ customerId: '={{ $json.customerId }}' })).toEqual([]);
});
