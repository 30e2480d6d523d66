/** Numbers from a seed: the same seed gives the same numbers, on every machine. */
export interface Random {
	/** From 0 up to and without 1. */
	next(): number;
	/** A whole number from `low` to `high`, both included. */
	whole(low: number, high: number): number;
	/** True in so many of a hundred cases. */
	percent(share: number): boolean;
	/** One of them; each as likely as it stands there. */
	pick<T>(from: readonly [T, ...T[]]): T;
}

/** A generator of 32 bits of state (the mixing of splitmix32): quick, and good enough to choose mishaps with. */
export function randomFrom(seed: number): Random {
	let state = seed | 0;
	const next = () => {
		state = (state + 0x9e3779b9) | 0;
		return mixed(state) / 2 ** 32;
	};
	const whole = (low: number, high: number) => low + Math.floor(next() * (high - low + 1));
	return {
		next,
		whole,
		percent: (share) => next() * 100 < share,
		pick: <T>(from: readonly [T, ...T[]]) => from[whole(0, from.length - 1)] ?? from[0],
	};
}

/**
 * A number from 0 up to and without 1 that belongs to these words alone: what one run does must not change when another
 * is taken out of the history.
 */
export function fractionOf(seed: number, ...words: ReadonlyArray<string | number>): number {
	let hash = seed | 0;
	for (const character of words.join('\u0000')) {
		hash = Math.imul(hash ^ character.charCodeAt(0), 0x01000193);
	}
	return mixed(hash) / 2 ** 32;
}

function mixed(value: number): number {
	let z = value;
	z = Math.imul(z ^ (z >>> 16), 0x21f0aaad);
	z = Math.imul(z ^ (z >>> 15), 0x735a2d97);
	return (z ^ (z >>> 15)) >>> 0;
}
