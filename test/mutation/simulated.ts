import { EXAMPLES } from '../simulation/examples';
import { long } from '../simulation/examples/long';
import { historyOf } from '../simulation/history/generate';
import type { History } from '../simulation/history/history';
import { violationsOf } from '../simulation/laws';
import { simulate } from '../simulation/simulate';

/** So many fixed seeds beside the named histories: each breaks no law, and is a test by its name. The long ones take as long as all others. */
const SEEDS = 30;
const FIRST_SEED = 20_261_122;

const seeded = Array.from({ length: SEEDS }, (_, index) => FIRST_SEED + index);
const histories: ReadonlyArray<readonly [string, () => History]> = [
	...Object.entries(EXAMPLES)
		.filter(([name]) => !(name in long))
		.map(([name, { history }]) => [`simulation: ${name}`, () => history] as const),
	...seeded.map((seed) => [`simulation: seed ${seed}`, () => historyOf(seed)] as const),
];

export const NAMES: readonly string[] = histories.map(([name]) => name);

const byName = new Map(histories);

/** @returns the first law that it breaks; undefined where it breaks none */
export async function fall(name: string): Promise<string | undefined> {
	const [gravest] = violationsOf(await simulate(byName.get(name)!()));
	return gravest && `${gravest.law}: ${gravest.says}`;
}
