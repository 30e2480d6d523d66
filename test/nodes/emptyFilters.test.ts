import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { ParcelDocumentExchange } from '../../nodes/ParcelDocumentExchange/ParcelDocumentExchange.node';
import { OPERATIONS } from '../../nodes/ParcelDocumentExchange/actions/table';
import { draftSet, startService } from '../../sandbox/service';
import { runAction } from '../support/actionNode';
import type { NodeRun } from '../support/engine';
import { forAll } from '../support/forAll';

/** A filter that was chosen and comes out empty never means "everything", in any operation. */

/** What decides nothing about how much comes; whatever else an operation shows is a filter. */
const NO_FILTERS = [
	...['resource', 'operation', 'returnAll', 'limit', 'simplify', 'options'],
	...['setId', 'documentId', 'lookup', 'onePerSet', 'binaryPropertyName', 'event'],
];

interface FilterParameter {
	resource: string;
	operation: string;
	property: INodeProperties;
	/** The parameters of the node with this value for the filter. */
	holding(value: unknown): IDataObject;
}

const { properties } = new ParcelDocumentExchange().description;
const FILTERS: FilterParameter[] = Object.entries(OPERATIONS).flatMap(([resource, named]) =>
	Object.keys(named).flatMap((operation) => {
		const shown = properties.filter(({ name, required, displayOptions: { show = {} } = {} }) => {
			return (
				!required &&
				!NO_FILTERS.includes(name) &&
				show.resource?.includes(resource) &&
				show.operation?.includes(operation)
			);
		});
		return shown.flatMap((property) => {
			if (property.name !== 'filters') {
				const holding = (value: unknown) => ({ [property.name]: value }) as IDataObject;
				return [{ resource, operation, property, holding }];
			}
			return ((property.options ?? []) as INodeProperties[]).map((filter) => ({
				...{ resource, operation, property: filter },
				holding: (value: unknown) => ({ filters: { [filter.name]: value } }) as IDataObject,
			}));
		});
	}),
);

/** What a step before may hand on where a field has nothing. */
const INPUT = { none: null, blank: '  ', list: [], blanks: ['', ' '], nested: [[], [null]], none2: [null] };

/** Ways in which what a clerk drags, types or calculates comes out empty. */
const EMPTY: Array<[string, unknown]> = [
	['a field that is missing', '={{ $json.missing }}'],
	['a field of a field that is missing', '={{ $json.missing.deeper }}'],
	['a field that is null', '={{ $json.none }}'],
	['a field that is blank', '={{ $json.blank }}'],
	['a missing field with a blank behind it', '={{ $json.missing }} '],
	['two missing fields with a comma', '={{ $json.missing }}, {{ $json.none }}'],
	['a missing field made a text', '={{ String($json.missing) }}'],
	['null made a text', '={{ `${$json.none}` }}'],
	['a missing field that is trimmed', '={{ $json.missing.trim() }}'],
	['a default that is empty', '={{ $json.missing ?? "" }}'],
	['an empty list', '={{ $json.list }}'],
	['an empty list, joined', '={{ $json.list.join(",") }}'],
	['a list of blanks', '={{ $json.blanks }}'],
	['a list of blanks, joined', '={{ $json.blanks.join(",") }}'],
	['a list of a missing field', '={{ [$json.missing] }}'],
	['a list of null', '={{ $json.none2 }}'],
	['lists in lists of nothing', '={{ $json.nested }}'],
	['an empty object', '={{ {} }}'],
	['a number that is none', '={{ Number($json.missing) }}'],
	['characters that show nothing', '\u200B\uFEFF\u00A0\u2060'],
	['a picker with nothing in it', { __rl: true, mode: 'id', value: '' }],
	['a picker with a missing field', { __rl: true, mode: 'id', value: '={{ $json.missing }}' }],
	['a picker without a value', { __rl: true, mode: 'list' }],
];
const LISTS: Array<[string, unknown]> = [
	['a list with a missing field', ['={{ $json.missing }}']],
	['a list with a blank', ['', ' ']],
	['a list with an empty picker', [{ __rl: true, mode: 'list', value: '' }]],
];

const service = forAll(startService);

/** Runs the operation behind an event. */
async function run(
	{ resource, operation }: FilterParameter,
	parameters: IDataObject,
	more?: Partial<NodeRun>,
) {
	const { event } = draftSet(service.data, Date.now());
	const before = service.counters.requests;
	const items = [{ json: { ...event, ...INPUT } as IDataObject }];
	const ran = await runAction(service.baseUrl, { resource, operation, ...parameters }, { items, ...more });
	return { ...ran, calls: service.counters.requests - before };
}

it('finds the filters by what the panel shows', () => {
	const names = FILTERS.map(
		({ resource, operation, property }) => `${resource} ${operation} ${property.name}`,
	);
	expect(names).toEqual(
		expect.arrayContaining([
			'counterparty getAll name',
			'customer getAll name',
			...['status', 'instance', 'customerIds', 'shipmentRef', 'modifiedAfter', 'otherFilters'].map(
				(name) => `set search ${name}`,
			),
			'document getAllPdfs documentTypes',
		]),
	);
});

describe.each(
	FILTERS.map(
		(filter) => [`${filter.resource} ${filter.operation}: ${filter.property.displayName}`, filter] as const,
	),
)('%s', (_, filter) => {
	it.each([...EMPTY, ...LISTS])('is an error that names it and asks nobody: %s', async (_way, value) => {
		const { items, error, calls } = await run(filter, filter.holding(value));
		expect({ items, calls }).toEqual({ items: [], calls: 0 });
		expect(error?.message).toContain(`"${filter.property.displayName}"`);
		expect(error?.description).toMatch(/Ignore Empty Filters/);
	});

	it('is as if it had not been chosen, when the options say so', async () => {
		for (const [way, value] of [...EMPTY, ...LISTS]) {
			const options = { ignoreEmptyFilters: true };
			const { items, error } = await run(filter, { ...filter.holding(value), options });
			expect({ way, error, gives: items.length > 0 }).toEqual({ way, error: undefined, gives: true });
		}
	});

	it.each<[string, unknown]>([
		['an empty text', ''],
		['a blank', ' '],
		['an empty text of the model', "={{ $fromAI('field', 'what it is', 'string', '') }}"],
		['a list of an empty text', ['']],
	])('is left out by a model with %s', async (_way, value) => {
		const { error } = await run(filter, filter.holding(value), { asTool: true });
		expect(error).toBeUndefined();
	});

	it('is an error for a model, too, when a field is missing', async () => {
		const { error, calls } = await run(filter, filter.holding('={{ $json.missing }}'), { asTool: true });
		expect(calls).toBe(0);
		expect(error?.message).toContain(`"${filter.property.displayName}"`);
	});
});

it('a date says how one is typed, since n8n stores nothing of 18.06.2026; no other filter does', async () => {
	const told = new Map<string, boolean>();
	for (const filter of FILTERS) {
		const { error } = await run(filter, filter.holding(''));
		told.set(filter.property.name, /typed as 2026-11-20 09:30:00/.test(error?.description ?? ''));
	}
	expect([...told].filter(([, isTold]) => isTold).map(([name]) => name)).toEqual([
		'modifiedAfter',
		'modifiedBefore',
	]);
});

describe('other filters', () => {
	const search = FILTERS.find(({ operation }) => operation === 'search')!;

	it.each<[string, unknown, string]>([
		['of a field that is missing', '={{ { vesselName: $json.missing } }}', 'vesselName'],
		['of a JSON text', '={ "vesselName": "{{ $json.missing }}" }', 'vesselName'],
		['that is null', '{ "vesselName": null }', 'vesselName'],
		['that lies deeper', '={{ { ship: { name: $json.blank, flag: "NL" } } }}', 'ship: name'],
		['of a list', '={{ { or: [{ vesselName: $json.missing }] } }}', 'or: vesselName'],
		['beside others', '={ "cargoName": "Steel", "vesselName": "{{ $json.blank }}" }', 'vesselName'],
	])('name the empty field %s', async (_, otherFilters, field) => {
		const { error, calls } = await run(search, { filters: { otherFilters } } as IDataObject);
		expect(calls).toBe(0);
		expect(error?.message).toBe(`"Other Filters (JSON): ${field}" was chosen and is empty`);
	});
});

describe('a list with an entry that is empty', () => {
	const filled: Record<string, unknown> = {
		customerIds: '123e4567-e89b-42d3-a456-426614174000',
		documentTypes: 'Bill of lading',
	};
	const lists = FILTERS.filter(({ property }) => property.name in filled);

	it.each<[string, unknown]>([
		['a missing field', '={{ $json.missing }}'],
		['a blank', ' '],
		['a missing field made a text', '={{ String($json.missing) }}'],
	])('is an error, since less would come: %s', async (_way, gap) => {
		expect(lists).toHaveLength(2);
		for (const list of lists) {
			const value = [filled[list.property.name], gap];
			const { items, error, calls } = await run(list, list.holding(value));
			expect({ items, calls }).toEqual({ items: [], calls: 0 });
			expect(error?.message).toBe(`"${list.property.displayName}" holds an entry that is empty`);
			const options = { ignoreEmptyFilters: true };
			expect((await run(list, { ...list.holding(value), options })).error).toBeUndefined();
		}
	});
});

it('a list of types that nobody touched is no filter', async () => {
	const types = FILTERS.find(({ property }) => property.name === 'documentTypes')!;
	const { error, items } = await run(types, types.holding([]));
	expect(error).toBeUndefined();
	expect(items.length).toBeGreaterThan(0);
});
