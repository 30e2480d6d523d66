import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { ParcelDocumentExchange } from '../../nodes/ParcelDocumentExchange/ParcelDocumentExchange.node';
import { OPERATIONS } from '../../nodes/ParcelDocumentExchange/actions/table';
import { withoutStackTalk } from '../../nodes/ParcelDocumentExchange/adapters/errors';
import { startService, type Service } from '../../sandbox/service';
import { runAction } from '../support/actionNode';
import { quietMsOf } from '../support/work';

/** Whatever an expression puts into whatever field, a person reads an error in words, soon, or gets what was asked for. */

const { properties } = new ParcelDocumentExchange().description;

/** Every field of every operation, with the way to put a value into it. */
const FIELDS = Object.entries(OPERATIONS).flatMap(([resource, named]) =>
	Object.keys(named).flatMap((operation) =>
		properties
			.filter(
				({ name, displayOptions: { show = {} } = {} }) =>
					!['resource', 'operation'].includes(name) &&
					show.resource?.includes(resource) &&
					show.operation?.includes(operation),
			)
			.flatMap(({ name, type, options = [] }): Array<[string, (value: unknown) => IDataObject]> =>
				type === 'collection'
					? (options as INodeProperties[]).map((field) => [
							`${name}.${field.name}`,
							(value) => ({ [name]: { [field.name]: value } }) as IDataObject,
						])
					: [[name, (value) => ({ [name]: value }) as IDataObject]],
			)
			.map(
				([name, holding]) => [`${resource} ${operation} ${name}`, { resource, operation }, holding] as const,
			),
	),
);

const deepList = (levels: number) => JSON.parse('['.repeat(levels) + ']'.repeat(levels)) as unknown;
const deepObject = (levels: number) =>
	JSON.parse(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`) as unknown;

const ODD: Array<[string, unknown]> = [
	['a list of many levels', deepList(1_500)],
	['an object of many levels', deepObject(1_500)],
	['the JSON of a list of many levels', '['.repeat(100_000) + ']'.repeat(100_000)],
	['the JSON of an object of many levels', `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`],
	['a long text', 'x'.repeat(1_000_000)],
	['braces that close nowhere', '{'.repeat(200_000)],
	['a long row of blanks', `a${' '.repeat(300_000)}b`],
	['a long row of commas', `a${','.repeat(300_000)}b`],
	['not a number', NaN],
	['endlessly much', Infinity],
	['less than nothing', -0],
	['yes', true],
	['fields of every object', { constructor: 'x', toString: 1, valueOf: 2, then: 3 }],
	['an object that looks like a picker', { mode: { mode: 'id' }, value: { value: [] } }],
	['half a character', '\uD83D'],
];

let service: Service;
beforeAll(async () => {
	service = await startService();
	// What is loaded at first use is no matter of a value.
	await runAction(service.baseUrl, { resource: 'customer', operation: 'getAll' });
});
afterAll(() => service.close());

it.each(FIELDS)(
	'%s',
	async (_, operation, holding) => {
		const [set] = service.data.sets;
		const documentId = set!.documents[0]!.documentId;
		for (const [name, odd] of ODD) {
			const json = { setId: set!.setId, customerId: set!.customerId, odd } as IDataObject;
			const given = { ...operation, name: 'N', documentId, options: { waitSeconds: 0 } };
			let outcome: Awaited<ReturnType<typeof runAction>>;
			const ms = await quietMsOf(async () => {
				const parameters = { ...given, ...holding('={{ $json.odd }}') };
				outcome = await runAction(service.baseUrl, parameters, { items: [{ json }] });
			});
			const { error, run } = outcome!;
			const told = `${error?.message} ${error?.description}`;
			expect({ name, error: error?.name ?? 'none' }).toEqual({
				name,
				error: expect.stringMatching(/^(none|NodeOperationError|NodeApiError)$/),
			});
			expect({ name, told }).toEqual({
				name,
				told: expect.not.stringMatching(
					/call stack|is not a function|Cannot (read|convert)|undefined \(|circular|Invalid string/,
				),
			});
			expect({ name, short: told.length < 2_000 }).toEqual({ name, short: true });
			expect({ name, quick: ms < 3_000 }).toEqual({ name, quick: true });
			expect(run).toBeDefined();
		}
	},
	60_000,
);

it('the end of the stack is told in words, and other errors as they are', () => {
	const deep = () => JSON.stringify(deepList(1_000_000));
	let thrown: unknown;
	try {
		deep();
	} catch (error) {
		thrown = error;
	}
	expect(withoutStackTalk(thrown)).toMatchObject({
		code: 'invalidInput',
		message: 'The input item has too many lists and objects in each other',
		remedy: expect.stringContaining('Edit Fields'),
	});
	const other = new RangeError('Invalid array length');
	expect(withoutStackTalk(other)).toBe(other);
});
