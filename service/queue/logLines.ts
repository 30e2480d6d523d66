/** Events in one line of the log. */
const IN_A_LINE = 50;

/** So many of them at a time that a line of the log can hold. */
export function* inLines<T>(all: readonly T[]): Generator<readonly T[], void, undefined> {
	for (let start = 0; start < all.length; start += IN_A_LINE) yield all.slice(start, start + IN_A_LINE);
}
