/**
 * All ways in the order of one round: each round begins with another way. Whoever comes first meets another machine than
 * the rest; always the same one, it lost a tenth of its speed to that.
 */
export function turns<T>(ways: readonly T[], round: number): T[] {
	const first = round % Math.max(1, ways.length);
	return [...ways.slice(first), ...ways.slice(0, first)];
}
