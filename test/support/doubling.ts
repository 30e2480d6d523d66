import { processorMsOf } from './work';

/** Work by size of its input: three doublings. */
const SIZES = [4_000, 8_000, 16_000, 32_000];

/** Work below that is too little to be compared, in milliseconds. */
const NOTHING_MS = 12;

/** More than double, as far as it can be told from what else a process does: the square of the size would be four times. */
const MORE_THAN_DOUBLE = 2.6;

/** No doubling above that: what grows as the square would be far from it, whatever the neighbours do. */
const PLAINLY_DOUBLE = 2.2;

/** One measure says as much about the neighbours as about the work, in either direction. */
const LEAST_TRIES = 2;
const MOST_TRIES = 6;

/** How much further one looks, where work is below so many milliseconds. */
const FURTHER = 4;
const LARGE_MS = 500;

const workOf = (task: () => unknown) =>
	processorMsOf(async () => {
		try {
			await task();
		} catch {
			// Refused: what counts is how long that took.
		}
	});

/**
 * Whether work grows faster than its input: when it more than doubles twice in a row, in the best of several tries.
 *
 * @param task does the work for an input of so many characters, or rows
 * @returns undefined when it does not; otherwise the work for each size, in milliseconds
 */
export async function growsFaster(task: (size: number) => () => unknown): Promise<number[] | undefined> {
	const [last = 0] = SIZES.slice(-1);
	await workOf(task(SIZES[0] ?? 0));
	if ((await workOf(task(last))) < NOTHING_MS) return undefined;
	const least = SIZES.map(() => Infinity);
	for (let tries = 1; tries <= MOST_TRIES; tries++) {
		for (const [index, size] of SIZES.entries()) {
			least[index] = Math.min(least[index] ?? Infinity, await workOf(task(size)));
		}
		if ((least.at(-1) ?? 0) < NOTHING_MS) return undefined;
		const isPlain = least.every((work, index) => work <= PLAINLY_DOUBLE * (least[index - 1] ?? Infinity));
		if (isPlain) return undefined;
		if (tries < LEAST_TRIES) continue;
		const doubled = least.map((work, index) => work > MORE_THAN_DOUBLE * (least[index - 1] ?? Infinity));
		const isFaster = doubled.some((more, index) => more && doubled[index - 1]);
		if (!isFaster) return undefined;
	}
	return (await isProportional(task, least.at(-1) ?? 0)) ? undefined : least.map(Math.round);
}

/**
 * Small work grows faster for a while, as what it holds outgrows the processor's caches: then four times the largest size
 * takes about four times as long, where the square would take sixteen.
 */
async function isProportional(task: (size: number) => () => unknown, lastMs: number): Promise<boolean> {
	if (lastMs > LARGE_MS) return false;
	const size = FURTHER * (SIZES.at(-1) ?? 0);
	let leastMs = Infinity;
	for (let tries = 1; tries <= LEAST_TRIES; tries++) leastMs = Math.min(leastMs, await workOf(task(size)));
	return leastMs <= 2 * FURTHER * lastMs;
}

/** A text of so many characters, made of one piece again and again, between two others. */
export function wall(
	piece: string,
	size: number,
	[before, behind]: readonly [string, string] = ['', 'x'],
): string {
	return before + piece.repeat(Math.ceil(size / piece.length)).slice(0, size) + behind;
}
