import { contentId, rowId, RowNames } from '../../../service/api/rowNames';

const rowOf = (value: object, key = 'k') => ({ key, value: { setId: ' A ', ...value } });
const paper = (documentId: string, more: object = {}) => ({ documentId, ...more });

it.each<[string, object, object]>([
	['links', { links: [1] }, { links: [2] }],
	[
		'links of its papers',
		{ documents: [paper('a', { links: [1] })] },
		{ documents: [paper('a', { links: [2] })] },
	],
	['links deeper in it', { x: [[{ y: { links: 1, z: 2 } }]] }, { x: [[{ y: { links: 2, z: 2 } }]] }],
	['the spelling of its id', { setId: 'a' }, { setId: 'A ' }],
	[
		'what stands behind the beginning of a long text',
		{ x: `${'x'.repeat(1_000)}a` },
		{ x: `${'x'.repeat(1_000)}b` },
	],
])('a row is the same in another answer whatever its %s', (_, one, other) => {
	expect(contentId(rowOf(one))).toBe(contentId(rowOf(other)));
});

it.each<[string, object, object]>([
	['status', { status: 'A' }, { status: 'B' }],
	['id', { setId: 'a' }, { setId: 'b' }],
	['papers', { documents: [paper('a')] }, { documents: [paper('a'), paper('b')] }],
	[
		'what one of its papers says',
		{ documents: [paper('a', { name: 'x' })] },
		{ documents: [paper('a', { name: 'y' })] },
	],
	['a text to its last letter', { x: `${'x'.repeat(999)}a` }, { x: `${'x'.repeat(999)}b` }],
	['the length of a long text', { x: 'x'.repeat(1_001) }, { x: 'x'.repeat(1_002) }],
	['a number', { x: 1 }, { x: 2 }],
	['nothing and null', { x: null }, {}],
])('a row is another one by its %s', (_, one, other) => {
	expect(contentId(rowOf(one))).not.toBe(contentId(rowOf(other)));
});

it('the rows of a set have its id in common, and what is no set its own key', () => {
	expect(rowId(rowOf({}))).toBe('a');
	expect(rowId({ key: 'k', value: { setId: ' ' } })).toBe('k');
	expect(contentId({ key: 'k', value: null })).toBe('k');
});

it('what is compared is left as it came', () => {
	const value = {
		setId: 'a',
		links: [1],
		documents: [{ documentId: 'a', links: [2], name: 'x'.repeat(2_000) }],
	};
	const before = JSON.stringify(value);
	contentId({ key: 'k', value });
	expect(JSON.stringify(value)).toBe(before);
});

describe('a row of a set that came before', () => {
	const named = (...rows: [object, 'here' | 'elsewhere' | false][]) => {
		const names = new RowNames();
		names.begin();
		const given = new Set<string>();
		const all = rows.map(([value, isOther]) => names.name(rowOf(value), isOther, given));
		return { kinds: all.map((name) => all.indexOf(name)), sets: names.sets, first: all[0] };
	};
	const first = { documents: [paper('a')], status: 'A', modifiedDate: '1' };
	const changed = { ...first, status: 'B', modifiedDate: '2' };
	const split = { ...first, documents: [paper('b')] };
	it.each<[string, number[], [object, 'here' | 'elsewhere' | false][]]>([
		[
			'as it was, is the same',
			[0, 0],
			[
				[first, false],
				[first, 'here'],
			],
		],
		[
			'changed, is the same',
			[0, 0],
			[
				[first, false],
				[changed, false],
			],
		],
		[
			'changed, beside it, is another one',
			[0, 1],
			[
				[first, false],
				[changed, 'here'],
			],
		],
		[
			'changed, at another place, may have moved there',
			[0, 0],
			[
				[first, false],
				[changed, 'elsewhere'],
			],
		],
		[
			'with other papers, is another one',
			[0, 1],
			[
				[first, false],
				[split, false],
			],
		],
		[
			'with other papers, again, is that one',
			[0, 1, 1, 0],
			[
				[first, false],
				[split, false],
				[split, false],
				[first, false],
			],
		],
		[
			'changed, at another place, with the same date is another one',
			[0, 1],
			[
				[first, false],
				[{ ...changed, modifiedDate: '1' }, 'elsewhere'],
			],
		],
	])('%s', (_, kinds, rows) => {
		expect(named(...rows)).toEqual({ kinds, sets: 1, first: 'a' });
	});
});
