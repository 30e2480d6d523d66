import { errorOf, startBench } from '../../support/apiAccount';
import { reply, type SeenRequest } from '../../support/fakeService';
import type { SetFilters } from '../../../service/api/client';

/** Services that count to a round number and no further, and do not say so; and those that hold just as many sets. */

interface Held {
	[field: string]: string;
}

const held = (count: number): Held[] =>
	Array.from({ length: count }, (_, index) => ({
		setId: `set-${index}`,
		shipmentRef: `S-${index % 400}`,
		status: ['signed', 'issued'][index % 2]!,
		kind: ['HUB', 'EXCHANGE'][index % 2]!,
		customer: `c-${index % 3}`,
	}));

/** By which of the filters a service goes. */
const FILTERS: Record<string, (set: Held, body: SetFilters) => boolean> = {
	status: (set, { status }) => status === undefined || status === set.status!.toUpperCase(),
	instance: (set, { instance }) => instance === undefined || instance === set.kind,
	customers: (set, { customerIds }) => customerIds?.includes(set.customer!) ?? true,
	references: (set, { shipmentRef }) => shipmentRef === undefined || shipmentRef === set.shipmentRef,
};

interface Service {
	sets: () => Held[];
	counts: number;
	goesBy: string[];
	ignoresLimit?: boolean;
}

async function searched({ sets, counts, goesBy, ignoresLimit = false }: Service, filters: SetFilters = {}) {
	const bench = await startBench({
		calls: ({ path, body }: SeenRequest) => {
			const query = new URL(path, 'http://x').searchParams;
			const [offset = 0, limit = 0] = ['offset', 'limit'].map((name) => Number(query.get(name)));
			const asked = JSON.parse(body) as SetFilters;
			const matching = sets().filter((set) => goesBy.every((name) => FILTERS[name]!(set, asked)));
			const counted = matching.slice(0, counts);
			const results = counted.slice(offset, ignoresLimit ? undefined : offset + limit);
			return reply(200, { code: 200, status: 'OK', data: { offset, limit, total: counted.length, results } });
		},
	});
	const doubts: string[] = [];
	const found: unknown[] = [];
	const paging = {
		style: 'auto' as const,
		pageSize: 100,
		onDoubt: (doubt: string) => void doubts.push(doubt),
	};
	const search = async () => {
		for await (const page of bench.client.searchSets(filters, paging)) found.push(...page);
		return found.length;
	};
	return { ...bench, search, doubts };
}

const CUT =
	/The service says that \d+ sets match, and gave \d+, but a narrower search shows others: it counts no further than that/;

describe.each([
	['the newest first', held(1_700)],
	['the oldest first', held(1_700).reverse()],
])('a service that counts no further than to a number, %s', (_label, sets) => {
	it.each<[string, number, SetFilters]>([
		['status', 500, {}],
		['instance', 1_000, {}],
		['references', 1_500, {}],
		['customers', 1_000, { customerIds: ['c-0', 'c-1', 'c-2'] }],
		['instance', 500, { status: 'SIGNED', shipmentRef: 'S' }],
	])('never gives a part as all where it goes by %s, and counts to %i', async (name, counts, filters) => {
		const { search } = await searched({ sets: () => sets, counts, goesBy: [name] }, filters);
		expect((await errorOf(search())).message).toMatch(CUT);
	});
});

it.each([500, 1_000, 1_500])('a service of just %i sets is no doubt', async (count) => {
	for (const goesBy of [Object.keys(FILTERS), []]) {
		const { search, doubts, service } = await searched({ sets: () => held(count), counts: 1e6, goesBy });
		expect(await search()).toBe(count);
		expect(doubts).toEqual([]);
		expect(service.calls.length).toBeLessThan(count / 99 + 12);
	}
});

it('and neither is one that gets a set while it is read', async () => {
	let reads = 0;
	const newer = { ...held(1)[0]!, setId: 'newer' };
	const sets = () => (++reads > 12 ? [...held(1_000), newer] : held(1_000));
	const { search } = await searched({ sets, counts: 1e6, goesBy: Object.keys(FILTERS) });
	expect(await search()).toBeGreaterThanOrEqual(1_000);
});

it('costs nothing where all come at once', async () => {
	const { search, service } = await searched({
		sets: () => held(500),
		counts: 1e6,
		goesBy: [],
		ignoresLimit: true,
	});
	expect(await search()).toBe(500);
	expect(service.calls.length).toBeLessThan(5);
});

it('costs nothing where the number is not round', async () => {
	const { search, service } = await searched({ sets: () => held(1_001), counts: 1e6, goesBy: [] });
	expect(await search()).toBe(1_001);
	expect(service.calls.length).toBeLessThan(13);
});
