import { Readable } from 'node:stream';
import { createRandom } from '../../../sandbox/service/random';
import { readJson } from '../../../service/api/answer';
import { readText } from '../../../service/api/body';
import { JsonBounds, type Unwanted } from '../../../service/api/jsonBounds';
import { startBench } from '../../support/apiAccount';
import { pagedSets } from '../../support/pagedSets';

const MB = 1024 * 1024;
const NAME = 'xmlContent';
const LEFT_OUT: Unwanted = { name: NAME, list: 'documents', levels: 3 };
const inList = (text: string) => `{"documents":[${text}]}`;

const keptOf = (text: string, cuts: readonly number[], leftOut?: Unwanted) => {
	const bounds = new JsonBounds(leftOut);
	const bytes = Buffer.from(text);
	const places = [0, ...cuts, bytes.length];
	const pieces = places.slice(1).map((end, index) => bytes.subarray(places[index], end));
	return pieces
		.flatMap((piece) => (bounds.exceededBy(piece) === undefined ? bounds.wanted : [Buffer.from('too much')]))
		.map((piece) => piece.toString('latin1'))
		.join('');
};

describe('a member that is left out', () => {
	it.each([
		['{"xmlContent":"<a>"}', '{"xmlContent":""}'],
		['{"xmlContent" : \n "<a>","b":1}', '{"xmlContent" : \n "","b":1}'],
		[String.raw`{"xmlContent":"a\"b\\","b":"\\"}`, String.raw`{"xmlContent":"","b":"\\"}`],
		['{"xmlContent":"a"},{"xmlContent":"b"}', '{"xmlContent":""},{"xmlContent":""}'],
		['{"xmlContent":""}', '{"xmlContent":""}'],
		// Only a text, and only of that name.
		...[
			'{"xmlContent":null,"a":"b"}',
			'{"xmlContent":["a"],"b":"c"}',
			'{"xmlContent":{"a":"b"}}',
			'{"xmlContent":12,"b":"c"}',
			'{"xmlcontent":"a","xmlContents":"b","axmlContent":"c","\\"xmlContent":"d"}',
			'["xmlContent","a"]',
			'{"a":"xmlContent","b":"xmlContent\\":","c":"d"}',
			// Nor deeper down.
			'{"a":{"xmlContent":"b"},"documents":[{"xmlContent":"c"}]}',
		].map((text) => [text, text]),
	])('of %s leaves %s, wherever it is cut', (held, leftOfIt) => {
		const [text, left] = [inList(held), inList(leftOfIt)];
		for (let cut = 0; cut <= text.length; cut++) expect(keptOf(text, [cut], LEFT_OUT)).toBe(left);
		expect(
			keptOf(
				text,
				[...text].map((_letter, index) => index),
				LEFT_OUT,
			),
		).toBe(left);
		expect(keptOf(text, [3])).toBe(text);
	});

	it.each([
		'{"xmlContent":"a"}',
		'{"documents":{"xmlContent":"a"}}',
		'{"documents":{"a":{"xmlContent":"b"}}}',
		'{"documents":[],"others":[{"xmlContent":"a"}]}',
		'{"documents":[{"a":1}],"other":{"a":{"xmlContent":"a"}}}',
		'[[{"xmlContent":"a"}]]',
		'{"a":["documents",{"xmlContent":"a"}],"b":[{"xmlContent":"a"}]}',
		'{"a":{"documents":[{"xmlContent":"b"}]}}',
	])('of %s leaves all', (text) => {
		for (let cut = 0; cut <= text.length; cut++) expect(keptOf(text, [cut], LEFT_OUT)).toBe(text);
	});

	it('of a list in a list of that name leaves all', () => {
		const text = '{"documents":[[{"xmlContent":"a"}]]}';
		expect(keptOf(text, [], { ...LEFT_OUT, levels: 4 })).toBe(text);
	});

	it('changes nothing else, in random texts cut at random places', () => {
		const { next: random, pick } = createRandom(7);
		const text = () =>
			pick(['', '"', '\\', 'xmlContent', '":"', 'ä€😀', '{"xmlContent":"', '\u0001', 'x'.repeat(50)]);
		const value = (depth: number): unknown => {
			const kind = Math.floor(random() * (depth > 3 ? 4 : 6));
			if (kind < 2) return `${text()}${text()}`;
			if (kind === 2) return random() * 1e6;
			if (kind === 3) return pick([null, true, false]);
			const many = Array.from({ length: Math.floor(random() * 4) }, () => value(depth + 1));
			if (kind === 4) return many;
			return Object.fromEntries(many.map((each) => [pick([NAME, NAME, 'documents', 'a', text()]), each]));
		};
		const without = (each: unknown): unknown => {
			if (typeof each !== 'object' || each === null || Array.isArray(each)) return each;
			const isLeftOut = NAME in each && typeof each[NAME] === 'string';
			return isLeftOut ? { ...each, [NAME]: '' } : each;
		};
		for (let round = 0; round < 3_000; round++) {
			const documents = Array.from({ length: 3 }, () => value(0));
			const made = { a: value(0), documents, b: value(0) };
			const written = JSON.stringify(made, null, pick([0, 1, '\t']));
			const length = Buffer.byteLength(written);
			const cuts = Array.from({ length: Math.floor(random() * 5) }, () => Math.floor(random() * length));
			cuts.sort((a, b) => a - b);
			const kept = Buffer.from(keptOf(written, cuts, LEFT_OUT), 'latin1').toString();
			expect(JSON.parse(kept)).toEqual({ ...made, documents: documents.map(without) });
		}
	});
});

it('what is not kept counts to what may come, and not to what may be kept', async () => {
	const read = async (count: number, mostBytes?: number) => {
		const large = `{"${NAME}":"${'x'.repeat(MB)}"}`;
		const body = Readable.from(
			[
				Buffer.from('{"documents":['),
				...Array.from({ length: count }, () => Buffer.from(`${large},`)),
				Buffer.from('0]}'),
			],
			{ objectMode: false },
		);
		const answer = {
			...{ status: 200, headers: {}, body, secrets: [], timeoutMs: 5_000 },
			asError: (error: unknown) => error as Error,
		} as unknown as Parameters<typeof readJson>[0];
		return await readJson(answer, { mostBytes, leftOut: LEFT_OUT });
	};
	const { value, bytes, came } = await read(20, MB);
	expect(value).toMatchObject({ documents: { length: 21 } });
	expect(bytes).toBe(20 * `{"${NAME}":""},`.length + inList('0').length);
	expect(came).toBe(bytes + 20 * MB);
	await expect(read(33)).rejects.toMatchObject({ tooLarge: true });
	await expect(read(1, 10)).rejects.toMatchObject({ tooLarge: true });
});

it.each(['shift_jis', '"GBK"', 'Big5'])(
	'is not left out in the alphabet %s, where half a letter may look like a backslash',
	async (charset) => {
		// A letter of two bytes, of which the second one is that.
		const bytes = (text: string) => Buffer.from(text.replaceAll('@', '\u0095\\'), 'latin1');
		const answer = {
			...{ status: 200, secrets: [], timeoutMs: 5_000 },
			headers: { 'content-type': `application/json; charset=${charset}` },
			body: Readable.from([bytes(inList('{"xmlContent":"<a b=\\"@\\">","name":"c"}'))], {
				objectMode: false,
			}),
			asError: (error: unknown) => error as Error,
		} as unknown as Parameters<typeof readJson>[0];
		const { value } = await readJson(answer, { leftOut: LEFT_OUT });
		expect(value).toMatchObject({
			documents: [{ xmlContent: expect.stringMatching(/^<a b=".+">$/), name: 'c' }],
		});
	},
);

it('a part that is kept does not keep the piece it came in', async () => {
	const piece = Buffer.alloc(64 * 1024, 'a');
	const bounds = { mostBytes: MB, headers: {}, timeoutMs: 1_000, refuse: () => undefined };
	const { text, bytes, came } = await readText(Readable.from([piece], { objectMode: false }), {
		...bounds,
		kept: () => [piece.subarray(0, 2), piece.subarray(-1)],
	});
	expect([text, bytes, came]).toEqual(['aaa', 3, piece.length]);
});

describe('a search', () => {
	const SETS = 60;
	const start = async () => {
		const { calls, limits } = pagedSets(SETS, (place) => ({
			documents: [{ documentId: `d-${place}`, xmlContent: 'x'.repeat(MB) }],
		}));
		const { client } = await startBench({ calls }, { timeoutMs: 30_000 });
		const search = async (withoutXml: boolean) => {
			limits.length = 0;
			const found: object[] = [];
			const paging = { style: 'query' as const, pageSize: 100, withoutXml };
			for await (const page of client.searchSets({}, paging)) found.push(...page);
			return { found, limits: [...limits] };
		};
		return search;
	};

	it('that shows no XML keeps none, and asks for larger pages by it', async () => {
		const search = await start();
		const { found, limits } = await search(true);
		expect(found).toEqual(
			Array.from({ length: SETS }, (_, index) => ({
				setId: `set-${index}`,
				documents: [{ documentId: `d-${index}`, xmlContent: '' }],
			})),
		);
		expect(limits.slice(0, 2)).toEqual([100, 25]);
		expect(limits.length).toBeLessThan(6);
	});

	it('that shows no XML of documents has what is called so elsewhere', async () => {
		const row = {
			xmlContent: 'a',
			parts: [{ xmlContent: 'b', documents: [{ xmlContent: 'c' }] }],
			documents: { xmlContent: 'd' },
		};
		const { calls } = pagedSets(3, () => row);
		const { client } = await startBench({ calls }, { timeoutMs: 30_000 });
		const found: object[] = [];
		const paging = { style: 'query' as const, pageSize: 100, withoutXml: true };
		for await (const page of client.searchSets({}, paging)) found.push(...page);
		expect(found).toEqual(Array.from({ length: 3 }, (_, index) => ({ setId: `set-${index}`, ...row })));
	});

	it('that shows it has it whole', async () => {
		const search = await start();
		const { found } = await search(false);
		expect(found).toHaveLength(SETS);
		expect(found[59]).toMatchObject({ documents: [{ xmlContent: 'x'.repeat(MB) }] });
	});
});
