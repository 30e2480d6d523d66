import { errorOf, startBench, type Bench } from '../../support/apiAccount';
import { reply, type Answer, type FakeServiceOptions, type SeenRequest } from '../../support/fakeService';
import { silent } from '../../support/silent';
import type { Paging, SetFilters } from '../../../service/api/client';
import type { AskPage } from '../../../service/api/page';
import { searchRows } from '../../../service/api/pages';
import type { SetRow } from '../../../service/model/set';

const sets = (count: number, from = 0) =>
	Array.from({ length: count }, (_unused, index) => ({ setId: `set-${from + index}` }));

interface Asked {
	/** Undefined when it was not on the URL. */
	onUrl: { limit?: number; offset?: number };
	inBody: { limit?: number; offset?: number };
	/** Counts from 1. */
	number: number;
}

function askedBy({ path, body }: SeenRequest, number: number): Asked {
	const query = new URL(path, 'http://x').searchParams;
	const onUrl = query.has('limit')
		? { limit: Number(query.get('limit')), offset: Number(query.get('offset')) }
		: {};
	return { onUrl, inBody: JSON.parse(body) as Asked['inBody'], number };
}

const page = (offset: number, total: number, results: unknown[]) =>
	reply(200, {
		code: 200,
		status: 'OK',
		data: { offset, limit: 100, total, count: results.length, results },
		links: [],
	});

/** A list that obeys the URL, and gives pages of at most `most`. */
function obedient(list: unknown[], most = 100) {
	return ({ onUrl: { limit = most, offset = 0 } }: Asked) =>
		page(offset, list.length, list.slice(offset, offset + Math.min(limit, most)));
}

async function startSearch(answer: (asked: Asked) => Answer, options: Partial<FakeServiceOptions> = {}) {
	let number = 0;
	return await startBench({ ...options, calls: (seen) => answer(askedBy(seen, ++number)) });
}

async function searchWhole(
	{ client }: Pick<Bench, 'client'>,
	paging: Partial<Paging> = {},
	filters: SetFilters = {},
): Promise<SetRow[]> {
	const found: SetRow[] = [];
	for await (const some of client.searchSets(filters, { style: 'auto', pageSize: 100, ...paging })) {
		found.push(...some);
	}
	return found;
}

async function search(...request: Parameters<typeof searchWhole>): Promise<string[]> {
	return (await searchWhole(...request)).map(({ setId }) => String(setId));
}

const ids = (count: number, from = 0) => sets(count, from).map(({ setId }) => setId);

describe('a search over several pages', () => {
	it.each([0, 1, 99, 100, 101, 250, 990])('gives all of %i sets, in order, each once', async (count) => {
		const bench = await startSearch(obedient(sets(count)));
		expect(await search(bench)).toEqual(ids(count));
		// After a full last page, one more: it cannot tell whether that was all.
		expect(bench.service.calls).toHaveLength(count <= 1 ? 1 : Math.floor((count - 1) / 99) + 1);
	});

	it('keeps the order although later pages come first', async () => {
		const answer = obedient(sets(1_000));
		const bench = await startSearch((asked) => (exchange) => {
			const react = answer(asked);
			setTimeout(() => react(exchange), 40 - (asked.onUrl.offset ?? 0) / 30);
		});
		expect(await search(bench)).toEqual(ids(1_000));
	});

	it('has at most as many pages under way as there may be connections', async () => {
		let underWay = 0;
		let most = 0;
		const answer = obedient(sets(2_000));
		const bench = await startSearch((asked) => (exchange) => {
			most = Math.max(most, ++underWay);
			setTimeout(() => {
				underWay--;
				answer(asked)(exchange);
			}, 10);
		});
		await search({ client: bench.open({}, { connections: 3 }) });
		expect(most).toBe(3);
	});

	it.each([
		[7, 1],
		[100, 1],
		[101, 2],
		[250, 3],
	])('asks for no more than it needs for the first %i', async (limit, calls) => {
		const bench = await startSearch(obedient(sets(1_000)));
		expect(await search(bench, { limit })).toEqual(ids(limit));
		await new Promise((resolve) => setTimeout(resolve, 30));
		expect(bench.service.calls).toHaveLength(calls);
	});

	it('stops asking when the reader stops', async () => {
		const bench = await startSearch(obedient(sets(10_000)));
		for await (const first of bench.client.searchSets({}, { style: 'auto', pageSize: 100 })) {
			expect(first).toHaveLength(100);
			break;
		}
		expect(bench.service.calls).toHaveLength(1);
	});

	it('takes a service that gives smaller pages than asked for', async () => {
		const bench = await startSearch(obedient(sets(330), 50));
		expect(await search(bench)).toEqual(ids(330));
		expect(bench.service.calls).toHaveLength(8);
	});

	it('takes a service that gives all at once, whatever it is asked', async () => {
		const bench = await startSearch(() => page(0, 250, sets(250)));
		expect(await search(bench)).toEqual(ids(250));
		// Once more for what would follow, wherever the service may look for that: each answer may have many megabytes.
		expect(bench.service.calls).toHaveLength(2);
		expect(await search(bench, { limit: 10 })).toEqual(ids(10));
	});

	it.each(['onUrl', 'inBody'] as const)(
		'goes on after a first page larger than was asked for (%s)',
		async (where) => {
			const bench = await startSearch(({ number, ...asked }) => {
				const { offset = 0, limit = 150 } = number === 1 ? {} : asked[where];
				return page(offset, Math.min(400, offset + limit), sets(400).slice(offset, offset + limit));
			});
			expect(await search(bench)).toEqual(ids(400));
		},
	);

	it('goes on after one where the body takes no other fields', async () => {
		const bench = await startSearch(({ number, onUrl: { offset = 0, limit = 0 }, inBody }) => {
			if (inBody.limit !== undefined) return reply(400, { errorMessage: 'limit is not known' });
			const end = offset + (number === 1 ? 150 : limit);
			return page(offset, Math.min(400, end), sets(400).slice(offset, end));
		});
		expect(await search(bench)).toEqual(ids(400));
	});

	it('asks again for the rest of a page that came short in the middle', async () => {
		const list = sets(500);
		const bench = await startSearch(({ onUrl: { limit = 0, offset = 0 } }) =>
			page(offset, 500, list.slice(offset, offset + (offset === 198 ? 30 : limit))),
		);
		expect(await search(bench)).toEqual(ids(500));
	});

	it('sends what was chosen and nothing else, and the named filters win', async () => {
		const bench = await startSearch(obedient([]));
		await search(
			bench,
			{},
			{
				status: 'ACTIVE',
				instance: '',
				customerIds: [],
				shipmentRef: undefined,
				otherFilters: { status: 'FILED', cargoName: 'Coffee' },
			},
		);
		expect(bench.service.calls.map(({ body }) => JSON.parse(body))).toEqual([
			{ status: 'ACTIVE', cargoName: 'Coffee' },
		]);
		expect(bench.service.calls[0]?.headers['content-type']).toBe('application/json');
	});
});

describe('where offset and limit go', () => {
	const inBodyOnly = ({ inBody: { limit = 100, offset = 0 } }: Asked) =>
		page(offset, 350, sets(350).slice(offset, offset + limit));

	it('is the URL, when the service obeys it there', async () => {
		const bench = await startSearch(obedient(sets(350)));
		await search(bench);
		expect(bench.service.calls.map(({ path }) => path.split('?')[1])).toEqual([
			'limit=100&offset=0',
			// Each begins with the last row of the one before: that tells whether they are of one list.
			'limit=100&offset=99',
			'limit=100&offset=198',
			'limit=100&offset=297',
		]);
		expect(bench.service.calls.map(({ body }) => body)).toEqual(['{}', '{}', '{}', '{}']);
	});

	it('is the body, when the service obeys it only there', async () => {
		const bench = await startSearch(inBodyOnly);
		expect(await search(bench)).toEqual(ids(350));
		expect(bench.service.calls).toHaveLength(5);
	});

	it('is the body, when the service refuses unknown parameters on the URL', async () => {
		const bench = await startSearch((asked) =>
			asked.onUrl.limit === undefined ? inBodyOnly(asked) : reply(400, { message: 'limit is not known' }),
		);
		expect(await search(bench)).toEqual(ids(350));
	});

	it('is the body at once, when that was chosen', async () => {
		const bench = await startSearch(inBodyOnly);
		expect(await search(bench, { style: 'body' })).toEqual(ids(350));
		expect(bench.service.calls.map(({ path }) => path)).not.toContain(expect.stringContaining('?'));
	});

	it.each([
		['auto', 'neither in the address nor in the body', 5],
		['query', 'in the address', 3],
		['body', 'in the body', 3],
	] as const)('is a clear error when the service reads it nowhere (%s)', async (style, where, calls) => {
		const bench = await startSearch(() => page(0, 350, sets(100)));
		expect(await errorOf(search(bench, { style }))).toMatchObject({
			code: 'unexpectedResponse',
			message: expect.stringMatching(
				new RegExp(
					`^Asked for the sets from number \\d+ on, the service sent those from number 1 on: it does not go by the page asked for, ${where}\\.$`,
				),
			),
			remedy:
				style === 'auto'
					? 'Choose filters that match at most 100 sets, or ask the service how its searches are paged.'
					: 'Put Paging in the options on Automatic, or on the other of the two ways.',
			call: 'POST /v3/common/sets/search',
		});
		expect(bench.service.calls).toHaveLength(calls);
	});

	it('does not matter when all fits on one page', async () => {
		const bench = await startSearch(() => page(0, 99, sets(99)));
		expect(await search(bench)).toEqual(ids(99));
	});

	it('does not hide why the service refused the filters', async () => {
		const bench = await startSearch(() => reply(400, { errorMessage: 'status NONE is not known' }));
		const error = await errorOf(search(bench));
		expect(error).toMatchObject({ code: 'rejected', httpStatus: 400 });
		expect(error.message).toContain('status NONE is not known');
	});
});

describe('a list that moves while it is read', () => {
	it('that repeats rows gives each set once', async () => {
		const list = [...sets(150), ...sets(50, 100), ...sets(100, 150)];
		const bench = await startSearch(obedient(list));
		expect(await search(bench)).toEqual(ids(250));
	});

	it('that grows is read to its new end', async () => {
		const bench = await startSearch(({ onUrl: { offset = 0, limit = 0 }, number }) => {
			const list = sets(250 + number * 30);
			return page(offset, list.length, list.slice(offset, offset + limit));
		});
		const found = await search(bench);
		expect(found.slice(0, 280)).toEqual(ids(280));
		expect(new Set(found).size).toBe(found.length);
	});

	it('that gets shorter is read again for the sets that slipped through', async () => {
		const before = sets(300);
		const after = before.slice(2);
		const bench = await startSearch(({ onUrl: { offset = 0, limit = 0 }, number }) => {
			const list = number === 1 ? before : after;
			return page(offset, list.length, list.slice(offset, offset + limit));
		});
		const found = await search(bench, { style: 'query' });
		// set-100 was on neither page: the list moved up by two between them.
		expect([...found].sort()).toEqual(ids(300).sort());
		expect(found.slice(-2).sort()).toEqual(['set-100', 'set-299']);
	});

	it('that shrinks to what was read already ends there', async () => {
		const bench = await startSearch(({ onUrl: { offset = 0 }, number }) =>
			number === 1 ? page(0, 101, sets(100)) : page(offset, 100, offset === 0 ? sets(100) : []),
		);
		expect(await search(bench, { style: 'query' })).toEqual(ids(100));
	});

	it.each([400, 404, 416, 422])(
		'that gets shorter by its last page, which is refused then: HTTP %i',
		async (status) => {
			const bench = await startSearch(({ onUrl: { offset = 0, limit = 0 }, number }) => {
				const list = sets(number <= 2 ? 103 : 97);
				if (offset >= list.length) return reply(status, { message: 'There is no such page' });
				return page(offset, list.length, list.slice(offset, offset + Math.min(limit, 50)));
			});
			expect(await search(bench, { style: 'query' })).toEqual(ids(97));
		},
	);

	it.each([
		['is empty', 0, 404],
		['is empty', 0, 200],
		['has lost most of its sets', 20, 404],
		['has lost most of its sets', 20, 200],
	])(
		'that %s from one page to the next, %i of 300, is refused: behind its end comes HTTP %i',
		async (_, left, status) => {
			const bench = await startSearch(({ onUrl: { offset = 0, limit = 0 }, number }) => {
				const list = sets(number <= 2 ? 300 : left);
				if (offset > 0 && offset >= list.length && status === 404)
					return reply(404, { message: 'There is no such page' });
				return page(offset, list.length, list.slice(offset, offset + limit));
			});
			expect(await errorOf(search(bench, { style: 'query' }))).toMatchObject({
				message: expect.stringContaining(`says that ${left} to 300 sets match, and gave 199 different ones`),
				incomplete: true,
			});
		},
	);

	it('that has lost half of its sets, and no more, is given with both numbers', async () => {
		const bench = await startSearch(({ onUrl: { offset = 0, limit = 0 }, number }) => {
			const list = sets(number <= 2 ? 300 : 150);
			return page(offset, list.length, list.slice(offset, offset + limit));
		});
		const onDoubt = jest.fn();
		expect(await search(bench, { style: 'query', onDoubt })).toEqual(ids(199));
		expect(onDoubt.mock.calls).toEqual([
			[expect.stringContaining('says that 150 to 300 sets match, and gave 199 different ones'), undefined],
		]);
	});

	it('of which the first answer names three times as many sets as there are is given, with both numbers', async () => {
		const list = sets(120);
		const bench = await startSearch(({ onUrl: { offset = 0, limit = 0 }, number }) =>
			page(offset, number === 1 ? 360 : list.length, list.slice(offset, offset + limit)),
		);
		const onDoubt = jest.fn();
		expect(await search(bench, { style: 'query', onDoubt })).toEqual(ids(120));
		expect(onDoubt.mock.calls).toEqual([
			[expect.stringContaining('says that 120 to 360 sets match, and gave 120 different ones'), undefined],
		]);
	});

	it('that gets shorter whenever it is read is refused in the end', async () => {
		let length = 4_001;
		const bench = await startSearch(({ onUrl: { offset = 0, limit = 0 } }) => {
			if (offset >= 100) return reply(404, { message: 'There is no such page' });
			return page(offset, length--, sets(100).slice(offset, offset + limit));
		});
		expect(await errorOf(search(bench, { style: 'query' }))).toMatchObject({ httpStatus: 404 });
		expect(bench.service.calls.length).toBeLessThan(70);
	});

	it('that never stands still is an error in the end, not a part called all', async () => {
		const bench = await startSearch(({ onUrl: { offset = 0, limit = 0 }, number }) => {
			const list = sets(400 - number, number * 7);
			return page(offset, list.length, list.slice(offset, offset + Math.min(limit, 100)));
		});
		const error = await errorOf(search(bench, { style: 'query' }));
		expect(error).toMatchObject({ incomplete: true });
		expect(error.message).toMatch(/says that \d+ to 399 sets match, and gave \d+ different ones/);
		expect(bench.service.calls.length).toBeLessThan(40);
	});
});

describe('a search is an error, and ends, when', () => {
	it('its pages differ each time, and never hold all that it speaks of', async () => {
		const bench = await startSearch(({ onUrl: { offset = 0 }, number }) =>
			page(offset, 500, offset >= 200 ? [] : sets(100, number * 1_000)),
		);
		const error = await errorOf(search(bench));
		expect(error).toMatchObject({ incomplete: true });
		expect(error.message).toMatch(/says that 500 sets match, and gave \d+ different ones/);
	});

	it('the first page is empty although sets match', async () => {
		const bench = await startSearch(() => page(0, 5, []));
		expect((await errorOf(search(bench))).message).toContain('5 sets match');
	});

	it('the service sends the same sets for ever', async () => {
		const bench = await startSearch(({ onUrl: { offset = 0 } }) => page(offset, 1e9, sets(100)));
		expect((await errorOf(search(bench))).message).toContain('sent before');
		expect(bench.service.calls.length).toBeLessThan(20);
	});

	it('a later page fails, once what came before it is read', async () => {
		const answer = obedient(sets(1_000));
		const bench = await startSearch((asked) => ((asked.onUrl.offset ?? 0) > 500 ? 'failed' : answer(asked)));
		expect(await errorOf(search(bench))).toMatchObject({ code: 'unavailable' });
	});

	it.each<[string, unknown, string]>([
		['data is missing', { code: 200, status: 'OK' }, 'data is missing'],
		['data is null', { data: null }, 'data is "null"'],
		['total is missing', { data: { offset: 0, results: [] } }, 'data.total is missing'],
		['total is a text', { data: { offset: 0, total: '5', results: [] } }, 'data.total is "5"'],
		['total is below zero', { data: { offset: 0, total: -1, results: [] } }, 'data.total is "-1"'],
		['offset is half', { data: { offset: 0.5, total: 1, results: [] } }, 'data.offset is "0.5"'],
		['results is an object', { data: { offset: 0, total: 1, results: {} } }, 'data.results is an object'],
		['a set is null', { data: { offset: 0, total: 1, results: [null] } }, 'data.results[0] is "null"'],
		[
			'no set has an id',
			{ data: { offset: 0, total: 2, results: [{ parcelRef: 'a' }, { parcelRef: 'b' }] } },
			'data.results[0].setId is missing',
		],
		['the answer is a list', [], 'the answer is a list of 0'],
		['the answer is no JSON', '{"data":', 'is no JSON'],
		['the answer is a web page', '<html><title>Sign in</title></html>', 'It says: "Sign in"'],
		['the answer is empty', '', 'is empty'],
		['the answer is an error', { errorMessage: 'No access' }, 'It said: "No access"'],
	])('%s: the field is named', async (_label, body, text) => {
		const bench = await startSearch(() => reply(200, body));
		const error = await errorOf(search(bench));
		expect(error.code).toBe('unexpectedResponse');
		expect(error.message).toContain(text);
		// Once more with a fresh token where a page came, which may be one to log in.
		expect(bench.service.calls).toHaveLength(error.webPage ? 2 : 1);
	});
});

it('a search of more sets than one may give is an error, once they have come', async () => {
	const total = 1_100_000;
	// Over the wire, it would take minutes.
	const askPage: AskPage = async (offset, limit) => {
		const rows = Array.from({ length: Math.min(limit, total - offset) }, (_, index) => ({
			key: String(offset + index),
			value: {},
		}));
		return { offset, total, rows, bytes: rows.length, full: rows.length === limit };
	};
	const paging = { style: 'query', pageSize: 100_000, width: 2, logger: silent } as const;
	let came = 0;
	const reading = async () => {
		for await (const rows of searchRows(askPage, paging)) came += rows.length;
	};
	expect(await errorOf(reading())).toMatchObject({
		code: 'unexpectedResponse',
		message: 'More than 1,000,000 sets match.',
		remedy: 'Choose filters that match fewer sets, or set a limit.',
	});
	expect(came).toBeGreaterThan(1_000_000);
});

describe('an empty page in the middle', () => {
	it('does not hide its sets: the list is cut at other places', async () => {
		const list = sets(500);
		const bench = await startSearch(({ onUrl: { offset = 0 } }) =>
			page(offset, 500, offset === 198 ? [] : list.slice(offset, offset + 100)),
		);
		expect((await search(bench)).sort()).toEqual(ids(500).sort());
	});
});

describe('what the service sends reaches the user as it came', () => {
	it('odd sets among others', async () => {
		const odd = [
			{ setId: 'a', documents: 'none' },
			{ parcelRef: 'without an id' },
			{ setId: 'b', documents: [{ documentId: null }, 5] },
			{ setId: null },
		];
		const bench = await startSearch(() => page(0, 4, odd));
		expect(await searchWhole(bench)).toEqual(odd);
	});

	it.each([null, 5, 'set', [], [{ setId: 'b' }]])(
		'and never without what cannot be shown as a set: %j among sets is an error',
		async (odd) => {
			const bench = await startSearch(() => page(0, 2, [{ setId: 'a' }, odd]));
			expect(await errorOf(search(bench))).toMatchObject({
				code: 'unexpectedResponse',
				message: 'The service sent something among the sets that is none.',
			});
		},
	);

	it('extra fields, missing fields, nulls and the order of fields', async () => {
		const sent = {
			zulu: { deep: [1, null] },
			setId: 'a',
			vesselName: null,
			quantity: 'null null',
			documents: [{ extra: true, documentId: 'd', xmlContent: null }],
			['__proto__']: 'x',
		};
		const bench = await startSearch(() => page(0, 1, [sent]));
		const [set] = await searchWhole(bench);
		expect(JSON.stringify(set)).toBe(JSON.stringify(sent));
	});

	it('a set with 1,000 documents, with names of 300 hostile characters', async () => {
		const hostile = '../\u202e\0\n"<script>\ud83d\udea2\u0000%s${x}'.repeat(20).slice(0, 300);
		const documents = Array.from({ length: 1_000 }, (_unused, index) => ({
			documentId: `d-${index}`,
			name: hostile,
		}));
		const bench = await startSearch(() => page(0, 1, [{ setId: 'a', documents }]));
		const [set] = await searchWhole(bench);
		expect(set?.documents).toEqual(documents);
	});

	it('25 MB of it at once', async () => {
		const list = Array.from({ length: 12_500 }, (_unused, index) => ({
			setId: `set-${index}`,
			cargoName: 'x'.repeat(2_000),
		}));
		const bench = await startSearch(() => page(0, list.length, list));
		expect(await search(bench)).toHaveLength(12_500);
	});
});
