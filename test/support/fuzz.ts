import fc from 'fast-check';

/**
 * The cases of the properties. `npm test` tries the same ones each time, so that what it says follows from the code
 * alone; `npm run test:fuzz` tries others, and more of them (test/run.mjs sets both variables and prints the seed).
 */
const SEED = Number(process.env.PARCEL_FUZZ_SEED ?? 20_261_121);
const TIMES = Number(process.env.PARCEL_FUZZ_TIMES ?? 1);

/** How many cases a property tries that wants another number than fast-check's hundred. */
export const cases = (inNpmTest: number): number => inNpmTest * TIMES;

fc.configureGlobal({ seed: SEED, numRuns: cases(100) });
