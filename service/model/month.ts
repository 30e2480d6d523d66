const NAMES = [
	...['january', 'february', 'march', 'april', 'may', 'june'],
	...['july', 'august', 'september', 'october', 'november', 'december'],
];

/**
 * The number of a month, 1 to 12, by its English name, the beginning of it (three letters or more), or a word that begins
 * with the same five letters (`Novembre`). Undefined for any other: `marraskuu` is November in Finnish, and a wrong date
 * is worse than none.
 */
export function monthOf(name: string): number | undefined {
	const wanted = name.toLowerCase();
	const isLike = (month: string) => month.startsWith(wanted) || month.slice(0, 5) === wanted.slice(0, 5);
	const index = wanted.length < 3 ? -1 : NAMES.findIndex(isLike);
	return index < 0 ? undefined : index + 1;
}

/** No date is longer. Texts beyond it are not looked at. */
export const LONGEST_DATE = 64;
