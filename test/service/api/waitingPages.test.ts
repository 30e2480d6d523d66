import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { errorOf, startBench } from '../../support/apiAccount';
import { reply, type SeenRequest } from '../../support/fakeService';

const list = Array.from({ length: 950 }, (_unused, index) => ({ setId: `set-${index}` }));
const everyPage = { style: 'query', pageSize: 100 } as const;

const placeIn = (path: string) => Number(new URL(path, 'http://x').searchParams.get('offset'));

function page({ path }: SeenRequest) {
	const offset = placeIn(path);
	const results = list.slice(offset, offset + 100);
	const data = { offset, limit: 100, total: list.length, count: results.length, results };
	return reply(200, { code: 200, status: 'OK', data, links: [] });
}

/** Pages of a search over one connection, with a third one that fails where told. */
async function startPages({ thirdFails = false } = {}) {
	const bench = await startBench(
		{
			calls: (seen) => {
				if (seen.method === 'GET') return reply(200, []);
				return thirdFails && placeIn(seen.path) === 198 ? reply(500) : page(seen);
			},
		},
		{ connections: 1 },
	);
	const { client, service } = bench;
	return {
		pages: client.searchSets({}, everyPage),
		/** Where pages began that were asked for, once all that waited before had their turn. */
		places: async () => {
			await client.customers();
			return service.calls.filter(({ method }) => method === 'POST').map(({ path }) => placeIn(path));
		},
	};
}

const CHANNEL = 'undici:client:sendHeaders';

it('what waits for a connection is sent before the answer that freed it is looked at', async () => {
	const { pages } = await startPages();
	const order: string[] = [];
	const sent = (message: unknown) => {
		const { request } = message as { request: { path: string } };
		if (request.path.includes('offset')) order.push(`sent ${placeIn(request.path)}`);
	};
	const parse = JSON.parse.bind(JSON);
	jest.spyOn(JSON, 'parse').mockImplementation((text) => {
		const value = parse(text) as { data?: { offset: number } };
		if (value.data) order.push(`looked at ${value.data.offset}`);
		return value;
	});
	subscribe(CHANNEL, sent);
	try {
		for await (const rows of pages) expect(rows.length).toBeGreaterThan(0);
	} finally {
		unsubscribe(CHANNEL, sent);
		jest.restoreAllMocks();
	}
	// The first two are alone: they tell how the service goes by what it is asked.
	expect(order.slice(0, 10)).toEqual([
		...['sent 0', 'looked at 0', 'sent 99', 'looked at 99', 'sent 198'],
		...['sent 297', 'looked at 198', 'sent 396', 'looked at 297', 'sent 495'],
	]);
});

describe('a page that waits for a connection is not asked for any more', () => {
	it('when the reader stops', async () => {
		const { pages, places } = await startPages();
		let read = 0;
		for await (const rows of pages) if (rows.length > 0 && ++read === 3) break;
		// The fourth was sent before the third was looked at.
		expect(await places()).toEqual([0, 99, 198, 297]);
	});

	it('when one before it failed', async () => {
		const { pages, places } = await startPages({ thirdFails: true });
		const read = async () => {
			for await (const rows of pages) expect(rows.length).toBeGreaterThan(0);
		};
		expect(await errorOf(read())).toMatchObject({ httpStatus: 500 });
		expect(await places()).toEqual([0, 99, 198, 297]);
	});
});
