import type { IDataObject } from 'n8n-workflow';
import { startService, type ParcelSet, type Service } from '../../sandbox/service';
import type { NodeRun } from '../support/engine';
import { inPlace, OF_ONE_SET, runOfOneSet } from '../support/eventInFront';

/** Rows of a spreadsheet, which name their parcels in a field of any name: each item gets the papers of its own row. */

let service: Service;
let sets: ParcelSet[];
beforeAll(async () => {
	service = await startService();
	sets = [140, 50, 60].map((n) => service.data.sets[n]!);
});
afterAll(() => service.close());

const by = (mode: string, expression: string) => ({ __rl: true, mode, value: `={{ ${expression} }}` });
const rows = (more: (n: number) => IDataObject = () => ({})) =>
	sets.map(({ parcelRef, setId }, n) => ({ Parcel: parcelRef, Id: setId, Email: `c${n}@x`, ...more(n) }));
const sheet = { type: 'n8n-nodes-base.googleSheets', operation: 'read' };
const ofRow = (...all: number[]) => all.map((item) => ({ json: { note: 'sent' }, pairedItem: { item } }));
const run = (setId: unknown, more: Partial<NodeRun>, operation: IDataObject = OF_ONE_SET[0]!) =>
	runOfOneSet(
		service.baseUrl,
		operation,
		{ setId, documentId: sets[0]!.documents[0]!.documentId },
		{ typed: sheet, ...more },
	);
const given = async (...asked: Parameters<typeof run>) => {
	const { error, items } = await run(...asked);
	return error?.message ?? [...new Set(items.map(({ json }) => json.parcelRef))].join();
};
const refs = (...all: number[]) => all.map((n) => sets[n]!.parcelRef).join();
const REFUSED = /^The item says .* in "(Parcel|Id)", but Set gives .*, that of another item in this run$/;

describe.each(OF_ONE_SET)('%j', (operation) => {
	it.each([
		['the first', () => by('reference', '$("Input").first().json.Parcel')],
		['the ID of the first', () => by('id', '$("Input").first().json.Id')],
		['the first that comes', () => by('reference', '$input.first().json.Parcel')],
		['one by its number', () => by('reference', '$("Input").all()[0].json["Parcel"].trim()')],
		['the first, made of it', () => by('reference', '$("Input").first().json.Parcel.replace("No. ", "")')],
	])('refuses for each row the papers of one of them: %s', async (_, setId) => {
		const { error, items } = await run(setId(), { items: inPlace(rows()) }, operation);
		expect(items).toEqual([]);
		expect(error?.message).toMatch(REFUSED);
		expect(error?.description).toMatch(/\{\{ (\$\("Input"\)\.item\.json|\$json)\["(Parcel|Id)"\] \}\}/);
		expect(error?.context?.itemIndex).toBe(1);
	});
});

it('refuses them behind a step that says nothing of them, and where a filter let another row through', async () => {
	const setId = by('reference', '$("Event").first().json.Parcel');
	const before = { items: inPlace(rows()), type: 'n8n-nodes-base.googleSheets' };
	const typed = { type: 'n8n-nodes-base.slack' };
	expect(await given(setId, { items: ofRow(0, 1, 2), before, typed })).toMatch(REFUSED);
	expect(await given(setId, { items: ofRow(1), before, typed })).toMatch(REFUSED);
});

describe('what a step between wrote into all items', () => {
	const before = () => ({ items: inPlace(rows()), type: 'n8n-nodes-base.googleSheets' });
	const writes = (value: string) => ({ type: 'n8n-nodes-base.set', assignments: { ref: `={{ ${value} }}` } });
	const wrote = (say: (n: number) => IDataObject) => inPlace(rows().map((_, n) => say(n)));
	const ofFirst = () => ({ ref: sets[0]!.parcelRef });

	it.each(['$("Event").first().json.Parcel', '$input.first().json.Parcel'])(
		'is refused: %s',
		async (value) => {
			const more = { before: before(), items: wrote(ofFirst), typed: writes(value) };
			expect(await given(by('reference', '$json.ref'), more)).toMatch(REFUSED);
		},
	);

	it.each([
		['to be refused, where the mail goes by the row at their place', 'Event', REFUSED],
		['that goes by what it gave itself', 'Input', ''],
	])('another order, of Code: %s', async (_, asked, told) => {
		const jsCode = 'return $input.all().map((item) => ({ json: { ...item.json } })).reverse();';
		const more = { before: before(), items: inPlace(rows().reverse()) };
		const typed = { type: 'n8n-nodes-base.code', jsCode };
		const after = { to: `={{ $("${asked}").item.json.Email }}` };
		const { error } = await run(by('reference', '$json.Parcel'), { ...more, typed, after });
		expect(error?.message ?? '').toMatch(told === '' ? /^$/ : told);
	});

	it('goes on where each has its own, and something else is that of the first', async () => {
		const own = (n: number) => ({ Parcel: sets[n]!.parcelRef, desk: 'c0@x' });
		const more = { before: before(), items: wrote(own), typed: writes('$("Event").first().json.Email') };
		expect(await given(by('reference', '$json.Parcel'), more)).toBe(refs(0, 1, 2));
	});

	it('goes on where the row names the other one itself', async () => {
		const items = inPlace(rows(() => ({ Master: sets[0]!.parcelRef })));
		const more = { before: { ...before(), items }, items: wrote(ofFirst) };
		expect(
			await given(by('reference', '$json.ref'), { ...more, typed: writes('$("Event").first().json.Parcel') }),
		).toBe(refs(0));
	});
});

describe('goes on', () => {
	it.each<[string, () => [unknown, Partial<NodeRun>], number[]]>([
		['each its own', () => [by('reference', '$json.Parcel'), { items: inPlace(rows()) }], [0, 1, 2]],
		[
			'each its own, by the name of the step',
			() => [by('reference', '$("Input").item.json.Parcel'), { items: inPlace(rows()) }],
			[0, 1, 2],
		],
		[
			'one parcel to several addresses',
			() => [
				by('reference', '$("Input").first().json.Parcel'),
				{ items: inPlace(rows((n) => ({ Parcel: n === 0 ? sets[0]!.parcelRef : '' }))) },
			],
			[0],
		],
		[
			'one parcel, in other letters',
			() => [
				by('reference', '$("Input").first().json.Parcel'),
				{
					items: inPlace(
						rows((n) => ({ Parcel: n === 0 ? sets[0]!.parcelRef : ` ${sets[0]!.parcelRef.toLowerCase()} ` })),
					),
				},
			],
			[0],
		],
		[
			'a row that names the other one itself',
			() => [
				by('reference', '$("Input").first().json.Parcel'),
				{ items: inPlace(rows(() => ({ Master: sets[0]!.parcelRef }))) },
			],
			[0],
		],
		[
			'what a form asked for, beside rows of addresses',
			() => [
				by('reference', '$("Event").first().json.Parcel'),
				{
					before: { items: inPlace(rows().slice(0, 1)), type: 'n8n-nodes-base.formTrigger' },
					items: [0, 1].map((n) => ({ json: { Email: `c${n}@x` }, pairedItem: { item: 0 } })),
				},
			],
			[0],
		],
		[
			'the last, where one item goes on for all',
			() => [
				by('reference', '$("Event").last().json.Parcel'),
				{ before: { items: inPlace(rows()) }, items: ofRow(0), typed: { type: 'n8n-nodes-base.slack' } },
			],
			[2],
		],
		[
			'the last, with Execute Once',
			() => [
				by('reference', '$("Input").last().json.Parcel'),
				{ items: inPlace(rows()), settings: { executeOnce: true } },
			],
			[2],
		],
		[
			'one that was looked for among all',
			() => [
				by('reference', '$("Input").all().find((row) => row.json.Email === "c1@x").json.Parcel'),
				{ items: inPlace(rows()) },
			],
			[1],
		],
		[
			'where n8n knows of no row that it came from',
			() => [
				by('reference', '$("Event").first().json.Parcel'),
				{
					before: { items: inPlace(rows()) },
					items: [0, 1].map((n) => ({ json: { Email: `c${n}@x` }, pairedItem: [{ item: 0 }, { item: 1 }] })),
				},
			],
			[0],
		],
	])('%s', async (_, asked, all) => {
		expect(await given(...asked())).toBe(refs(...all));
	});
});
