import { errorOf, startBench } from '../../support/apiAccount';
import { reply, type Answer, type SeenRequest } from '../../support/fakeService';
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

type Kept = (set: Held, body: SetFilters) => boolean;

/** By which of the filters a service goes. */
const FILTERS: Record<string, Kept> = {
	status: (set, { status }) => status === undefined || status === set.status!.toUpperCase(),
	instance: (set, { instance }) => instance === undefined || instance === set.kind,
	customers: (set, { customerIds }) => customerIds?.includes(set.customer!) ?? true,
	references: (set, { shipmentRef }) => shipmentRef === undefined || shipmentRef === set.shipmentRef,
};

interface Service {
	sets: (asked: SetFilters) => Held[];
	counts: number;
	goesBy: (string | Kept)[];
	ignoresLimit?: boolean;
	/** What it has for narrower searches, in place of an answer. */
	refusal?: Answer;
}

async function searched(
	{ sets, counts, goesBy, ignoresLimit = false, refusal }: Service,
	filters: SetFilters = {},
	pageSize = 100,
) {
	const bench = await startBench({
		calls: ({ path, body }: SeenRequest) => {
			const query = new URL(path, 'http://x').searchParams;
			const [offset = 0, limit = 0] = ['offset', 'limit'].map((name) => Number(query.get(name)));
			const asked = JSON.parse(body) as SetFilters;
			if (refusal !== undefined && Object.keys(asked).length > Object.keys(filters).length) return refusal;
			const matching = sets(asked).filter((set) =>
				goesBy.every((kept) => (typeof kept === 'string' ? FILTERS[kept]! : kept)(set, asked)),
			);
			const counted = matching.slice(0, counts);
			const results = counted.slice(offset, ignoresLimit ? undefined : offset + limit);
			return reply(200, { code: 200, status: 'OK', data: { offset, limit, total: counted.length, results } });
		},
	});
	const doubts: string[] = [];
	const found: unknown[] = [];
	const paging = {
		style: 'auto' as const,
		pageSize,
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

it('never gives a part as all where a narrower search shares but one set with it', async () => {
	const sets = () => held(700).map((set, index) => ({ ...set, kind: index >= 499 ? 'HUB' : 'DEPOT' }));
	const { search } = await searched({ sets, counts: 500, goesBy: ['instance'] });
	expect((await errorOf(search())).message).toMatch(CUT);
});

it('never gives a part as all where the first rows have something rare in common, in pages of few', async () => {
	const sets = () => held(1_700).map((set, index) => ({ ...set, ...(index < 12 && { status: 'drafted' }) }));
	const { search } = await searched({ sets, counts: 500, goesBy: ['status'] }, {}, 20);
	expect((await errorOf(search())).message).toMatch(CUT);
});

it.each([500, 1_000, 1_500])('a service of just %i sets is no doubt', async (count) => {
	for (const goesBy of [Object.keys(FILTERS), []]) {
		const { search, doubts, service } = await searched({ sets: () => held(count), counts: 1e6, goesBy });
		expect(await search()).toBe(count);
		expect(doubts).toEqual([]);
		expect(service.calls.length).toBeLessThan(count / 99 + 12);
	}
});

describe.each([500, 1_000, 1_500])(
	'a service that shows %i sets to who names none of their kind',
	(count) => {
		/** Every other one shows only where its kind is named. */
		const sets = (dates: boolean) =>
			held(2 * count).map((set, index) => ({
				...set,
				kind: index % 2 ? 'EXCHANGE' : 'HUB',
				status: ['signed', 'issued'][index % 4 < 2 ? 0 : 1]!,
				hidden: index % 2 ? 'yes' : '',
				...(dates && { modifiedDate: `${1 + (index % 28)} March 2026 10:${10 + (index % 50)}` }),
			}));

		it.each([
			['a status: finished ones', 'status', true],
			['a status, and has no dates', 'status', false],
			['an instance', 'instance', true],
		] as const)('gives them without a doubt: %s', async (_label, field, dates) => {
			const isShown: Kept = (set, body) => body[field] !== undefined || set.hidden === '';
			for (const order of [sets(dates), sets(dates).reverse()]) {
				const { search, doubts } = await searched({
					sets: () => order,
					counts: 1e6,
					goesBy: [...Object.keys(FILTERS), isShown],
				});
				expect(await search()).toBe(count);
				expect(doubts).toEqual([]);
			}
		});
	},
);

it.each([500, 1_000])('nor is one of %i cut whose finished sets are its oldest', async (count) => {
	const sets = () => held(3 * count).map((set, index) => ({ ...set, hidden: index < count ? '' : 'yes' }));
	const isShown: Kept = (set, { status }) => status !== undefined || set.hidden === '';
	const { search, doubts } = await searched({ sets, counts: 1e6, goesBy: ['status', isShown] });
	expect(await search()).toBe(count);
	expect(doubts).toEqual([]);
});

it('rows of one minute in another order hide no end', async () => {
	/** Around the place where the list is cut, those of one minute come the other way round in a narrower search. */
	const sets = ({ instance }: SetFilters) => {
		const all: Held[] = held(1_000).map((set, index) => ({
			...set,
			kind: index >= 450 && index < 550 ? 'HUB' : 'DEPOT',
			modifiedDate: '1 March 2026 10:10',
		}));
		const isWhole = instance === undefined;
		return isWhole ? all : [...all.slice(0, 480), ...all.slice(480, 520).reverse(), ...all.slice(520)];
	};
	const { search } = await searched({ sets, counts: 500, goesBy: ['instance'] });
	expect((await errorOf(search())).message).toMatch(CUT);
});

it.each<[string, Answer, boolean]>([
	['is in trouble', 'unavailable', true],
	['breaks', 'failed', true],
	['does not answer', 'closedBeforeHeaders', true],
	['refuses them', reply(400, { message: 'No such field' }), false],
	['knows none', 'missing', false],
])('where a service %s, the end of a list is as sure as it can be', async (_label, refusal, isDoubt) => {
	const { search, doubts } = await searched({ sets: () => held(1_700), counts: 500, goesBy: [], refusal });
	expect(await search()).toBe(500);
	expect(doubts).toEqual(isDoubt ? [expect.stringMatching(/500 .*there may be more/)] : []);
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

it('a set that comes while several customers are asked for leaves none of them out', async () => {
	const newer = { ...held(1)[0]!, setId: 'newer' };
	let reads = 0;
	const sets = ({ customerIds = [] }: SetFilters) =>
		customerIds.length > 1 && ++reads === 1 ? held(33) : [newer, ...held(33)];
	const { search, doubts } = await searched(
		{ sets, counts: 1e6, goesBy: [] },
		{ customerIds: ['c-0', 'c-1'] },
	);
	expect(await search()).toBe(33);
	expect([reads, doubts]).toEqual([2, []]);
});
