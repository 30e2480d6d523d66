/** Names under which services say how many entries there are, where the interface has `total` (2.5). */
const OTHER_NAMES =
	/^(total_?(count|elements?|results?|hits|items|records|rows|sets|entries|matches|found)|num_?found|(results?|items|sets|hits)_?total)$/i;

/** What is said of pages may stand in an object of its own. */
const PLACES = ['meta', 'metadata', 'page', 'paging', 'pagination'];

/**
 * The largest number of entries that objects of an answer name in other places than the interface's `total`; 0 where they
 * name none. It may count what the filters leave out, so it makes no list a part: it is a reason to look behind its end.
 */
export function otherTotalIn(...objects: readonly object[]): number {
	const inside = objects.flatMap((object) =>
		PLACES.map((place) => (object as Record<string, unknown>)[place]).filter(
			(value): value is object => typeof value === 'object' && value !== null && !Array.isArray(value),
		),
	);
	return [
		...objects.flatMap((object) => numbersIn(object, OTHER_NAMES)),
		...inside.flatMap((object) => [...numbersIn(object, OTHER_NAMES), ...numbersIn(object, /^total$/i)]),
	].reduce((most, number) => Math.max(most, number), 0);
}

function numbersIn(object: object, names: RegExp): number[] {
	return Object.entries(object)
		.filter(([name, value]) => names.test(name) && /^\d{1,9}$/.test(shown(value)))
		.map(([, value]) => Number(value));
}

const shown = (value: unknown) => (typeof value === 'object' ? '' : String(value));
