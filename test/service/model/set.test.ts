import {
	documentIdOf,
	documentsOf,
	idKey,
	isSet,
	mergedSet,
	SetResult,
	shownStatus,
	shownText,
} from '../../../service/model/set';

const SET = '22222222-2222-4222-8222-222222222222';

describe('a row of a search', () => {
	it.each<[string, unknown, boolean]>([
		['with an id', { setId: 'a' }, true],
		['with an id of 200 characters', { setId: 'a'.repeat(200) }, true],
		['with an id that nobody could remember', { setId: 'a'.repeat(201) }, false],
		['with an id of blanks', { setId: ' \t' }, false],
		['with an id that is a number', { setId: 7 }, false],
		['without an id', {}, false],
		['that is a list', [SET], false],
		['that is a text', SET, false],
		['that is null', null, false],
	])('%s is a set that can be found by it: %s → %s', (_, row, found) => {
		expect(isSet(row)).toBe(found);
		expect(SetResult.safeParse(row).success).toBe(found);
	});

	it.each([
		[{ setId: ' ' }, 'setId is empty'],
		[{ setId: 'a'.repeat(201) }, 'setId is too long'],
	])('is refused with what is wrong with its id', (row, wrong) => {
		expect(SetResult.safeParse(row).error?.issues.map(({ message }) => message)).toEqual([wrong]);
	});

	it('has one id, however it is written', () => {
		expect(idKey(' 2222ABCD ')).toBe(idKey('2222abcd'));
		expect(idKey('2222abcd')).not.toBe(idKey('2222abce'));
	});

	it('has its status in canonical form, or none', () => {
		expect(shownStatus({ status: ' title held' })).toBe('TITLE_HELD');
		expect(shownStatus({ status: 7 })).toBe('7');
		expect(shownStatus({ status: ' ' })).toBeNull();
		expect(shownStatus({ status: 's'.repeat(5_000) })).toBe('S'.repeat(1_000));
	});
});

it.each<[unknown, string | null]>([
	['Bill', 'Bill'],
	[' a ', ' a '],
	[0, '0'],
	[false, 'false'],
	['', null],
	[' \n', null],
	[null, null],
	[undefined, null],
	[{ name: 'Bill' }, null],
	[['Bill'], null],
])('of %j a person reads %j', (value, shown) => {
	expect(shownText(value)).toBe(shown);
});

describe('the documents of a set', () => {
	it('are all of its entries, in its order, whatever they are', () => {
		const documents = [
			{ documentId: 'b', name: 'Bill', docType: 'BL', xmlContent: '<x/>' },
			{ documentId: 'a' },
			{ documentId: ' ', name: 'Blank' },
			{ documentId: 7, name: 'Number' },
			'not.pdf',
			null,
			['d'],
		];
		expect(documentsOf({ documents })).toEqual([
			{ documentId: 'b', name: 'Bill', docType: 'BL' },
			{ documentId: 'a', name: undefined, docType: undefined },
			{ documentId: null, name: 'Blank', docType: undefined },
			{ documentId: null, name: 'Number', docType: undefined },
			{ documentId: null, name: 'not.pdf', docType: undefined },
			{ documentId: null, name: null, docType: undefined },
			{ documentId: null, name: ['d'], docType: undefined },
		]);
	});

	it.each([null, undefined, {}, 'Bill', 3])('are none where the service shows no list: %j', (documents) => {
		expect(documentsOf({ documents })).toEqual([]);
	});

	it.each<[object, string]>([
		[{ name: 'Bill', docType: 'BL' }, 'Bill, BL'],
		[{ name: 'Bill' }, 'Bill'],
		[{ docType: 'BL' }, 'BL'],
		[{ name: ' ', docType: null }, 'without a name'],
	])('that have no id cannot be asked for, and the error says which one: %j', (fields, which) => {
		expect(() => documentIdOf({ documentId: null, ...fields })).toThrow(
			expect.objectContaining({
				code: 'unexpectedResponse',
				message: `The service shows a document without an ID (${which}).`,
			}),
		);
		expect(documentIdOf({ documentId: 'a', ...fields })).toBe('a');
	});
});

describe('a set that stands in several rows', () => {
	const row = (documents: unknown, more: object = {}) => ({ setId: SET, documents, ...more });
	const paper = (documentId: unknown, name = 'x') => ({ documentId, name });
	const ids = (set: SetResult) => (set.documents as { documentId: unknown }[]).map((one) => one.documentId);

	it.each<[string, unknown[], unknown[], unknown[]]>([
		['the papers of each row', [[paper('a')], [paper('b'), paper('c')]], [], ['a', 'b', 'c']],
		[
			'a paper of two rows once',
			[
				[paper('a'), paper('b')],
				[paper('b'), paper('c')],
			],
			[],
			['a', 'b', 'c'],
		],
		['a paper once that is in no first row', [[paper('a')], [paper('b')], [paper('b')]], [], ['a', 'b']],
		[
			'a paper whose id is written otherwise once',
			[[paper('a1')], [paper(' A1 '), paper('b')]],
			[],
			['a1', 'b'],
		],
		['what a look before has shown', [[paper('a')]], [[paper('b')]], ['a', 'b']],
		['each paper without an id', [[paper(null)], [paper(null), paper(' ')]], [], [null, null, ' ']],
		['each paper with a blank for an id', [[paper(' ')], [paper(' ')]], [], [' ', ' ']],
		['none without an id of a look before: it may have one by now', [[paper('a')]], [[paper(null)]], ['a']],
		['one without an id of a row beside a look before', [[paper('a')], [paper(7)]], [[paper(7)]], ['a', 7]],
		['the papers of a row where others show none', [null, [paper('a')], 'none'], [], ['a']],
	])('has %s', (_, rows, older, found) => {
		const merged = mergedSet(
			rows.map((documents) => row(documents)),
			older.map((documents) => row(documents)),
		);
		expect(ids(merged)).toEqual(found);
	});

	it('keeps what its first row says, and the first row as it is where others add nothing', () => {
		const first = row([paper('a', 'new')], { status: 'ISSUED' });
		expect(mergedSet([first, row([paper('A', 'old')], { status: 'SIGNED' }), row(null)])).toBe(first);
		expect(mergedSet([first, row([paper('b')], { status: 'SIGNED' })])).toEqual({
			...first,
			documents: [paper('a', 'new'), paper('b')],
		});
		expect(first.documents).toEqual([paper('a', 'new')]);
	});

	it('is what a look before has shown, where no row shows it any more', () => {
		const older = row([paper('a')]);
		expect(mergedSet([], [older])).toBe(older);
	});
});
