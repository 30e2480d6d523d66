import type { IDataObject } from 'n8n-workflow';
import {
	names,
	rowsThatSay,
	sayBoth,
	textsOfTable,
} from '../../nodes/ParcelDocumentExchange/actions/rowsThatSay';
import type { StepOfRun } from '../../nodes/ParcelDocumentExchange/parameters/stepsInFront';
import { growsFaster } from '../support/doubling';

/** Rows of a table by what they say, in whatever shape a step gives them. */

const step = (...items: unknown[]) => ({ items: items as IDataObject[] }) as unknown as StepOfRun;
const saying = (text: string, ...items: unknown[]) => rowsThatSay(step(...items), names([text]));
const both = (one: string, other: string, ...items: unknown[]) =>
	sayBoth(step(...items), names([one]), names([other]));

const [A, B] = [
	{ customerId: 'A', email: 'a@x' },
	{ customerId: 'B', email: 'b@x' },
];

it('a table that comes once for each of a thousand events is looked through as if it had come once', () => {
	const often = Array.from({ length: 1_000 }, () => [A, B]).flat();
	expect(textsOfTable(step(...often))).toEqual(['a', 'a@x', 'b', 'b@x']);
});

it.each<[string, unknown]>([
	['in a list', { data: [A, B] }],
	['in a list of an object', { result: { page: { data: [A, B] } } }],
	['in lists of a list', { data: [{ rows: [A] }, { rows: [B] }] }],
	['in several lists', { active: [A], others: [B] }],
	['beside what an answer says of itself', { customerId: 'nobody', email: 'desk@x', data: [A, B] }],
])('a row that comes %s says what is its own, and not what is of another', (_, item) => {
	expect(saying('a@x', item)).toEqual([expect.objectContaining(A)]);
	expect(both('A', 'a@x', item)).toBe(true);
	expect(both('a@x', 'A', item)).toBe(true);
	expect(both('A', 'b@x', item)).toBe(false);
	expect(both('b@x', 'A', item)).toBe(false);
});

it('rows of a list of lists have their columns by number', () => {
	const item = { values: [Object.keys(A), Object.values(A), Object.values(B)] };
	expect(saying('b@x', item)).toEqual([{ 0: 'B', 1: 'b@x' }]);
	expect(both('A', 'b@x', item)).toBe(false);
});

it('what a row has in objects stands beside its own fields', () =>
	expect(saying('a@x', { id: 1, fields: A })).toEqual([
		{ id: 1, 'fields.customerId': 'A', 'fields.email': 'a@x' },
	]));

describe('what stands beside a list is said of each of its rows', () => {
	const item = { customerId: 'A', office: { city: 'Kiel' }, contacts: [{ email: '1@x' }, { email: '2@x' }] };

	it('by whichever of them it is asked for', () => {
		expect(saying('kiel', item).map(({ email }) => email)).toEqual(['1@x', '2@x']);
		for (const [one, other] of [
			['A', '2@x'],
			['2@x', 'kiel'],
			['A', 'kiel'],
		] as const)
			expect(both(one, other, item)).toBe(true);
	});

	it('but for those that say otherwise', () => {
		const more = { ...item, contacts: [...item.contacts, B] };
		expect(both('A', '2@x', more)).toBe(true);
		expect(both('A', 'b@x', more)).toBe(false);
		expect(saying('A', more).map(({ email }) => email)).toEqual(['1@x', '2@x']);
	});
});

it('of thousands that say the same, a few of all places are given', () => {
	const rows = Array.from({ length: 5_000 }, (_, n) => ({ n }));
	for (const items of [[{ all: 'A', rows }], rows.map((row) => ({ ...row, all: 'A' }))]) {
		const given = saying('A', ...items).map(({ n }) => Number(n));
		expect(given).toHaveLength(20);
		expect(Math.max(...given)).toBeGreaterThan(4_000);
	}
});

const many = <T>(size: number, make: (n: number) => T) => Array.from({ length: size }, (_, n) => make(n));
const row = (n: number) => ({ customerId: `c${n}`, email: `e${n}@x`, place: 'Kiel' });
const fields = (size: number, value: (n: number) => IDataObject[string]) =>
	Object.fromEntries(many(size, (n) => [`f${n}`, value(n)]));

it.each<[string, (size: number) => unknown]>([
	['rows beside a list of texts', (size) => ({ rows: many(size, row), texts: many(size, String) })],
	['rows beside as many fields', (size) => ({ rows: many(size, row), ...fields(size, String) })],
	['rows beside lists of rows', (size) => ({ rows: many(size, row), ...fields(size, (n) => [row(n)]) })],
	[
		'rows within rows',
		(size) => ({ texts: many(size, String), rows: many(size / 8, (n) => ({ n, rows: many(8, row) })) }),
	],
	['an object for each row', (size) => fields(size, row)],
])(
	'%s take time as they grow',
	async (_, item) => {
		const read = (size: number) => {
			const given = step(item(size));
			return () => {
				for (const text of ['kiel', '7', 'c7', 'e7@x', 'none']) {
					rowsThatSay(given, names([text]));
					sayBoth(given, names(['e7@x', 'kiel']), names([text, ...many(size, (n) => `c${n}`)]));
				}
			};
		};
		expect(await growsFaster(read)).toBeUndefined();
	},
	120_000,
);
