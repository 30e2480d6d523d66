import { median, type Target } from '../report';
import { turns } from '../turns';

/** One way of doing a piece of work; each call is one round and gives its milliseconds. */
type Way = () => Promise<number>;

/**
 * All ways once to get warm, then in turn, round after round, each beginning with another: whatever else the machine does meets all of them.
 *
 * @returns the milliseconds of each way, round by round; empty for a way that failed
 */
export async function inTurn<Names extends string>(
	ways: Record<Names, Way>,
	rounds: number,
): Promise<Record<Names, number[]>> {
	const names = Object.keys(ways) as Names[];
	const taken = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Names, number[]>;
	for (let round = 0; round <= rounds; round += 1) {
		for (const name of turns(names, round)) {
			const ms = await ways[name]();
			if (round > 0) taken[name].push(ms);
		}
	}
	return taken;
}

/** How often one way takes the time of another: the median over the rounds, each round compared within itself. */
export function ratioOf(slow: readonly number[], fast: readonly number[]): number {
	return median(slow.map((ms, round) => ms / (fast[round] ?? NaN)));
}

export function atLeast(promise: string, wanted: number, measured: number): Target {
	return { promise, measured: `${measured.toFixed(1)} times`, held: measured >= wanted };
}

export function atMost(promise: string, wanted: number, measured: number, unit = 'times'): Target {
	const digits = unit === 'times' ? 2 : 0;
	return { promise, measured: `${measured.toFixed(digits)} ${unit}`, held: measured <= wanted };
}
