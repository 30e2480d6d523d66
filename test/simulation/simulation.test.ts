import { EXAMPLES } from './examples';
import { events, history, MINUTE, SECOND, sent } from './examples/example';
import { historyOf } from './history/generate';
import { KNOWN } from './known';
import { violationsOf } from './laws';
import { simulate } from './simulate';
import { writtenOut } from './story';

/** The same ones each time: what `npm test` says follows from the code alone. */
const FIRST_SEED = 20_261_122;
const SEEDS_PER_TEST = 10;
const TESTS = 10;

describe('the same seed', () => {
	it.each([1, 77, 4_711])(
		'gives the same history byte for byte, and the same came of it: %d',
		async (seed) => {
			const [once, again] = [historyOf(seed), historyOf(seed)];
			expect(writtenOut(again)).toBe(writtenOut(once));
			expect(JSON.stringify(await simulate(again))).toBe(JSON.stringify(await simulate(once)));
		},
	);
});

describe('a history that broke a law once', () => {
	const names = Object.keys(EXAMPLES);

	it('stands in the list of the known ones under its own name', () => {
		expect(KNOWN.examples.filter((name) => !names.includes(name))).toEqual([]);
	});

	const mended = names.filter((name) => !KNOWN.examples.includes(name));
	if (mended.length > 0)
		it.each(mended)('breaks none any more: %s', async (name) => {
			expect(violationsOf(await simulate(EXAMPLES[name]!.history))).toEqual([]);
		});

	if (KNOWN.examples.length > 0)
		it.each(KNOWN.examples)(
			'is known to break it still, and leaves known.ts when it does not: %s',
			async (name) => {
				const { history, law } = EXAMPLES[name]!;
				const broken = violationsOf(await simulate(history)).map((violation) => violation.law);
				expect(broken).toContain(law);
			},
		);
});

describe('a history that goes in circles', () => {
	// The slow one holds all of them, and every 21 minutes they come again.
	const sixty = events(60);
	const forgetful = (remembered: number) =>
		history({
			bounds: { remembered },
			workflows: [{ options: { parallelRuns: 1 }, runMs: [30 * MINUTE, 30 * MINUTE] }, {}],
			events: sixty,
			steps: sent(sixty, 10 * SECOND),
		});

	it.each([
		['ends early where less is remembered than is on its way', 2, true],
		['is followed to its end where it does not', 100, false],
	])('%s', async (_, remembered, cutShort) => {
		const ledger = await simulate(forgetful(remembered));
		expect(ledger.cutShort).toBe(cutShort);
		expect(ledger.runs.length).toBeLessThan(700);
		expect(violationsOf(ledger)).toEqual([]);
	});
});

describe('histories of fixed seeds', () => {
	const seeds = Array.from({ length: TESTS }, (_, index) => FIRST_SEED + index * SEEDS_PER_TEST);
	it.each(seeds)(`break no law, but for those in known.ts: ${SEEDS_PER_TEST} from %d on`, async (first) => {
		const broken: string[] = [];
		for (let seed = first; seed < first + SEEDS_PER_TEST; seed += 1) {
			const [gravest] = violationsOf(await simulate(historyOf(seed)));
			const known = KNOWN.seeds.includes(seed);
			if (gravest && !known) broken.push(`--seed ${seed} --histories 1: ${gravest.law}: ${gravest.says}`);
			if (!gravest && known) broken.push(`${seed} breaks none any more: take it out of known.ts`);
		}
		expect(broken).toEqual([]);
	});
});
