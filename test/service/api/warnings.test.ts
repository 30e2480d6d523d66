import { errorOf, startBench } from '../../support/apiAccount';
import { reply } from '../../support/fakeService';

/** What comes of a search of three pages of sets whose answers say this beside their rows. */
async function searched(said: (offset: number) => { envelope?: object; data?: object }) {
	const { client } = await startBench({
		calls: ({ path }) => {
			const query = new URL(path, 'http://x').searchParams;
			const [offset, limit] = [Number(query.get('offset')), Number(query.get('limit'))];
			const results = Array.from({ length: 5 }, (_, index) => ({ setId: `set-${index}` }));
			const { envelope, data } = said(offset);
			return reply(200, {
				...{ code: 200, status: 'OK', ...envelope },
				data: { offset, limit, total: 5, results: results.slice(offset, offset + limit), ...data },
			});
		},
	});
	const warnings: string[] = [];
	const doubts: string[] = [];
	const paging = {
		...({ style: 'query', pageSize: 2 } as const),
		onWarning: (sentence: string) => void warnings.push(sentence),
		onDoubt: (sentence: string) => void doubts.push(sentence),
	};
	let count = 0;
	for await (const page of client.searchSets({}, paging)) count += page.length;
	return { count, warnings, doubts };
}

it.each<[string, unknown, string]>([
	['a text', 'The index is a day old', 'The index is a day old'],
	['a list of texts', ['Old', 'and slow'], 'Old; and slow'],
	['no more than three of them', ['a', 'b', 'c', 'd'], 'a; b; c'],
	['what says nothing left out', [null, '', 'none', 'Old'], 'Old'],
	['an object that speaks', { message: 'Old', code: 7 }, 'Old'],
	['objects that speak', [{ message: 'Old' }, { detail: 'Slow' }], 'Old; Slow'],
	['an object that does not', { code: 7 }, '{"code":7}'],
	['true', true, 'true'],
	['several lines', 'Old\nand slow', 'Old and slow'],
	['the password', 'Old, said Quay 7: Göteborg', 'Old, said ***'],
])('what the service warns of is told once, in one line: %s', async (_, warning, told) => {
	const expected = { count: 5, warnings: [`The service warns: "${told}"`], doubts: [] };
	expect(await searched(() => ({ envelope: { warnings: warning } }))).toEqual(expected);
	expect(await searched(() => ({ data: { warning } }))).toEqual(expected);
	// On a later page as well.
	expect(await searched((offset) => (offset > 2 ? { data: { warnings: warning } } : {}))).toEqual(expected);
});

it.each([undefined, null, '', 'none', [], {}, false, 0])(
	'is nothing where it says nothing: %j',
	async (warning) => {
		expect(await searched(() => ({ envelope: { warnings: warning } }))).toEqual({
			count: 5,
			warnings: [],
			doubts: [],
		});
	},
);

it('of the envelope comes before that of the data, and one word before the other', async () => {
	const both = { envelope: { warning: 'A', warnings: 'B' }, data: { warnings: 'C' } };
	expect((await searched(() => both)).warnings).toEqual(['The service warns: "A"']);
});

it.each<[object, object]>([
	[{ isTruncated: true }, {}],
	[{}, { complete: false }],
])(
	'a list that calls itself cut on its last page is an error, and not on a page before: %j %j',
	async (envelope, data) => {
		expect((await errorOf(searched(() => ({ envelope, data })))).message).toMatch(
			/isTruncated: true|complete: false/,
		);
		expect(await searched((offset) => (offset < 2 ? { envelope, data } : {}))).toEqual({
			count: 5,
			warnings: [],
			doubts: [],
		});
	},
);

it.each<[string, unknown, boolean]>([
	['more rows than it holds', 6, true],
	['as many rows as there are', 5, false],
	['more rows, as a text', '6', false],
	['more rows, and half of one', 6.5, false],
	['more rows than there are numbers for', 1e300, false],
])(
	'rows that a page counts and does not hold are due like those of the total: %s',
	async (_, count, isDue) => {
		const { doubts, ...rest } = await searched(() => ({ data: { count } }));
		expect(rest).toEqual({ count: 5, warnings: [] });
		expect(doubts).toEqual(isDue ? [expect.stringContaining('says that 6 sets match, and gives 5')] : []);
	},
);
