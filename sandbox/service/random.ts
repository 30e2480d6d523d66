/** A seeded source of chance: the same seed gives the same data on every machine. Not for secrets. */
export interface Random {
	/** 0 up to, not including, 1. */
	next(): number;
	/** A whole number from `low` to `high`, both included. */
	between(low: number, high: number): number;
	pick<T>(list: readonly T[]): T;
	uuid(): string;
}

/** Mulberry32: four lines of arithmetic, fast enough for a million draws. */
export function createRandom(seed: number): Random {
	let state = seed >>> 0;
	const word = () => {
		state = (state + 0x6d2b79f5) >>> 0;
		let mixed = Math.imul(state ^ (state >>> 15), state | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return (mixed ^ (mixed >>> 14)) >>> 0;
	};
	const next = () => word() / 2 ** 32;
	const between = (low: number, high: number) => low + Math.floor(next() * (high - low + 1));
	return {
		next,
		between,
		pick: <T>(list: readonly T[]) => list[between(0, list.length - 1)] as T,
		uuid() {
			const hex = [word(), word(), word(), word()].map((part) => part.toString(16).padStart(8, '0')).join('');
			const variant = '89ab'[parseInt(hex.charAt(16), 16) % 4];
			return [
				hex.slice(0, 8),
				hex.slice(8, 12),
				`4${hex.slice(13, 16)}`,
				`${variant}${hex.slice(17, 20)}`,
				hex.slice(20),
			].join('-');
		},
	};
}
