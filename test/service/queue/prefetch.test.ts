import { prefetchOf, type Demand } from '../../../service/queue/prefetch';

const demand = (changes: Partial<Demand>): Demand => ({
	...{ demands: [5, 5], step: 1, mostSteps: 16, inherited: 0, heldInAWait: 1_000, kept: 0 },
	...{ sparing: false, lookThrough: 0, givenBack: 0 },
	...{ heldByOthers: 0, heldAtMost: 10_000, largestBytes: 1_000, bytes: 64 * 1024 * 1024 },
	delivered: { messages: 0, bytes: 0 },
	...changes,
});

describe('what a channel may deliver', () => {
	it('grows by far over what a slow workflow holds, up to a number', () => {
		expect(prefetchOf(demand({}))).toBe(40);
		expect(prefetchOf(demand({ heldByOthers: 640 }))).toBeGreaterThanOrEqual(2 * 640);
		expect(prefetchOf(demand({ heldByOthers: 9_000 }))).toBe(10_000);
	});

	it.each([
		['grows', { step: 16 }],
		['holds for others', { heldByOthers: 10_000 }],
		['inherits', { inherited: 10_000 }],
		['keeps', { kept: 200 }],
		['looks through', { lookThrough: 1_000 }],
	])('stays within 64 MB of the largest body seen, also where it %s', (_what, changes) => {
		expect(prefetchOf(demand({ ...changes, largestBytes: 1024 * 1024 }))).toBeLessThanOrEqual(64);
	});

	it('grows over what is small by itself, though a large body was seen once, and not over what is large', () => {
		const seen = { kept: 200, largestBytes: 16 * 1024 * 1024 };
		expect(prefetchOf(demand({ ...seen, delivered: { messages: 20, bytes: 20_000 } }))).toBe(80);
		expect(prefetchOf(demand({ ...seen, delivered: { messages: 100, bytes: 100_000 } }))).toBe(240);
		expect(prefetchOf(demand({ ...seen, delivered: { messages: 2, bytes: 17 * 1024 * 1024 } }))).toBe(4);
	});

	it('is no less than what the process before may have had while a workflow waited', () => {
		const alone = { demands: [1], inherited: 10_000 };
		expect(prefetchOf(demand(alone))).toBe(1_000);
		expect(prefetchOf(demand({ ...alone, inherited: 700 }))).toBe(700);
		expect(prefetchOf(demand({ ...alone, demands: [50] }))).toBe(16 * 120);
	});

	it('is never less than what went back, since that would change its order', () => {
		expect(prefetchOf(demand({ givenBack: 300, largestBytes: 1024 * 1024 }))).toBe(300);
	});
});
