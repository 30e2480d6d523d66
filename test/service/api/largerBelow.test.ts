import type { Calls, JsonAnswer } from '../../../service/api/calls';
import { pageAsker, type AskPage } from '../../../service/api/page';
import { searchRows } from '../../../service/api/pages';
import { ServiceError } from '../../../service/errors';
import { startBench } from '../../support/apiAccount';
import { pagedSets } from '../../support/pagedSets';
import { silent } from '../../support/silent';

const [KB, MB] = [1024, 1024 * 1024];

/** A list of sets that hold little, and below them others that hold much: of these, an answer has room for a dozen. */
function list(total: number, small: number) {
	const bytesOf = (place: number) => (place < small ? KB : 200 * KB);
	const told = { asked: [] as number[], underWay: 0, came: 0, mostUnderWay: [] as number[] };
	const ask: AskPage = async (offset, limit) => {
		told.asked.push(limit);
		told.mostUnderWay.push(++told.underWay);
		for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
		told.underWay--;
		const room = offset + limit > small ? Math.max(12, small - offset) : limit;
		const places = Array.from(
			{ length: Math.max(0, Math.min(limit, room, total - offset)) },
			(_unused, index) => offset + index,
		);
		const bytes = places.reduce((sum, place) => sum + bytesOf(place), 0);
		told.came += bytes;
		const rows = places.map((place) => ({ key: `set-${place}`, value: { setId: `set-${place}` } }));
		return { offset, total, rows, full: rows.length === limit, bytes };
	};
	return { ask, told, bytesOf };
}

it('where sets turn out to be larger further down, few bytes wait to be read, and fewer pages are asked for', async () => {
	const TOTAL = 1_400;
	const { ask, told, bytesOf } = list(TOTAL, 250);
	let [read, most] = [0, 0];
	const found: string[] = [];
	const search = searchRows(ask, { style: 'query', pageSize: 100, width: 10, logger: silent });
	for await (const rows of search) {
		most = Math.max(most, told.came - read);
		for (const { key } of rows) {
			read += bytesOf(found.length);
			found.push(key);
		}
	}
	expect(found).toEqual(Array.from({ length: TOTAL }, (_unused, place) => `set-${place}`));
	// A dozen rows of each of the ten pages that were on their way when the first large ones came.
	expect(most).toBeLessThan(30 * MB);
	expect(Math.max(...told.mostUnderWay)).toBe(10);
	expect(Math.max(...told.mostUnderWay.slice(-50))).toBe(1);
	expect(Math.max(...told.asked.slice(-10))).toBeLessThan(32);
});

it('of a page of many sets, no more is read than there is room for side by side; of one of few, all', async () => {
	const SETS = 150;
	const large = 'x'.repeat(200 * KB);
	const { calls, limits } = pagedSets(SETS, (place) => ({
		large: place === 149 ? 'x'.repeat(20 * MB) : large,
	}));
	const { client } = await startBench({ calls }, { timeoutMs: 30_000 });
	const found: string[] = [];
	for await (const page of client.searchSets({}, { style: 'query', pageSize: 60 })) {
		found.push(...page.map(({ setId }) => String(setId)));
	}
	expect(found).toEqual(Array.from({ length: SETS }, (_unused, place) => `set-${place}`));
	// The first one comes alone.
	expect(limits.slice(0, 3)).toEqual([60, 60, 15]);
	expect(limits).toContain(3);
	expect(limits.length).toBeLessThan(15);
});

it('a service that has no other page than the first gives all in one that is no larger than an answer can be', async () => {
	const SETS = 60;
	const { calls, limits } = pagedSets(SETS, () => ({ large: 'x'.repeat(200 * KB) }));
	const deaf = ({ path }: { path: string }) => calls({ path: path.replace(/offset=\d+/, 'offset=0') });
	const { client } = await startBench({ calls: deaf }, { timeoutMs: 30_000 });
	let found = 0;
	for await (const page of client.searchSets({}, { style: 'query', pageSize: 100 })) found += page.length;
	expect([found, limits[0]]).toEqual([SETS, 100]);
});

it('a service that reads a limit in the body alone, and gives more than an answer can hold without one, is asked there', async () => {
	const SETS = 250;
	const asked: (number | undefined)[] = [];
	const calls: Pick<Calls, 'json'> = {
		json: async ({ body, mostBytes = 32 * MB }, read) => {
			const { offset = 0, limit } = body as { offset?: number; limit?: number };
			asked.push(limit);
			const count = Math.max(0, Math.min(limit ?? 100, SETS - offset));
			const bytes = count * 400 * KB;
			if (bytes > mostBytes) throw new ServiceError('unexpectedResponse', 'too large', { tooLarge: true });
			const results = Array.from({ length: count }, (_unused, index) => ({ setId: `set-${offset + index}` }));
			const value = { code: 200, status: 'OK', data: { offset, total: SETS, results } };
			return await read({ value, bytes, came: bytes, secrets: [], headers: {} });
		},
	};
	const found: unknown[] = [];
	const options = { style: 'auto' as const, pageSize: 100, width: 10, logger: silent };
	for await (const rows of searchRows(pageAsker(calls, {}, 'auto'), options)) found.push(...rows);
	expect(found).toHaveLength(SETS);
	// Once it is known, nothing is asked on the URL.
	expect(asked.lastIndexOf(undefined)).toBeLessThan(6);
	expect(asked.length).toBeLessThan(100);
	await expect(pageAsker(calls, {}, 'query')(0, 100)).rejects.toThrow('Set number 1 of the list alone');
});

it('a set that no answer has room for is the error, wherever a page is asked for', async () => {
	const calls: Pick<Calls, 'json'> = {
		json: () => Promise.reject(new ServiceError('unexpectedResponse', 'too large', { tooLarge: true })),
	};
	const ask = pageAsker(calls, {}, 'auto');
	await expect(ask(0, 100)).rejects.toThrow('Set number 1 of the list alone is too large to read.');
	await expect(ask(50, 100)).rejects.toThrow('Set number 51 of the list alone is too large to read.');
	const refusesBody: Pick<Calls, 'json'> = {
		json: ({ body }) => {
			const isInBody = 'limit' in (body as object);
			const details = isInBody ? { httpStatus: 400 } : { tooLarge: true };
			return Promise.reject(new ServiceError(isInBody ? 'rejected' : 'unexpectedResponse', 'no', details));
		},
	};
	await expect(pageAsker(refusesBody, {}, 'auto')(0, 100)).rejects.toThrow(
		'Set number 1 of the list alone is too large to read.',
	);
});

it('a first page that was cut, of a service that has no other one and counts that one alone, is not called all', async () => {
	const calls: Pick<Calls, 'json'> = {
		json: async ({ path }, read) => {
			const limit = Number(new URL(path, 'http://x').searchParams.get('limit'));
			if (limit > 30) throw new ServiceError('unexpectedResponse', 'too large', { tooLarge: true });
			const results = Array.from({ length: limit }, (_unused, place) => ({ setId: `set-${place}` }));
			const value = { code: 200, status: 'OK', data: { total: limit, results } };
			const answer: JsonAnswer = { value, bytes: 6 * MB, came: 6 * MB, secrets: [], headers: {} };
			return await read(answer);
		},
	};
	const paging = { style: 'query' as const, pageSize: 100 };
	const search = async () => {
		const options = { ...paging, width: 10, logger: silent };
		for await (const rows of searchRows(pageAsker(calls, {}, 'query'), options))
			expect(rows).toHaveLength(25);
	};
	await expect(search()).rejects.toThrow('whichever page it was asked for');
});

it.each([
	['each page alone', (offset: number, count: number) => offset + count],
	['all', () => 17],
])(
	'a set that no answer has room for is no end of the list, where the total counts %s',
	async (_label, totalOf) => {
		const TOO_LARGE = 6;
		const ask: AskPage = async (offset, limit) => {
			if (offset === TOO_LARGE)
				throw new ServiceError('unexpectedResponse', 'Set number 7 alone is too large.', { tooLarge: true });
			const end = Math.min(17, offset + limit, offset < TOO_LARGE ? TOO_LARGE : 17);
			const rows = Array.from({ length: Math.max(0, end - offset) }, (_unused, index) => {
				const key = `set-${offset + index}`;
				return { key, value: { setId: key } };
			});
			const isCut = end === TOO_LARGE;
			return { offset, total: totalOf(offset, rows.length), rows, full: true, bytes: MB, isCut };
		};
		const search = async () => {
			for await (const rows of searchRows(ask, { style: 'query', pageSize: 10, width: 3, logger: silent }))
				void rows;
		};
		await expect(search()).rejects.toThrow('Set number 7 alone is too large.');
	},
);
