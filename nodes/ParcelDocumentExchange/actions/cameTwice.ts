import { grouped } from '../../../service/model/grouped';
import type { Items } from '../parameters/stepKinds';

/**
 * Items that came more than once, alike in all they say, as where two lines lead from one search to a Merge that appends, and
 * for which the same papers were given, in words: what is sent goes twice to the same. Of one set for several addresses, each
 * item says another; one address may be that of several sets.
 *
 * @param given what this step gave
 */
export function cameTwice(items: Items, given: Items): string[] {
	const papers = grouped(
		given.flatMap(({ json, binary, pairedItem }) =>
			binary && typeof pairedItem === 'object' && 'item' in pairedItem
				? [[pairedItem.item, [json.setId, json.documentId]]]
				: [],
		),
	);
	const alike = grouped(
		items.flatMap(({ json }, index) => {
			const of = papers.get(index);
			return of && Object.keys(json).length > 0 ? [[JSON.stringify([json, of]), index]] : [];
		}),
	);
	const twice = [...alike.values()].filter(({ length }) => length > 1).length;
	if (twice === 0) return [];
	return [
		`${twice === 1 ? 'One item' : `${twice} items`} of the input came more than once, alike in all: the same papers would go again, to the same address where that comes with the item. Where two lines lead here from one step, take one of them out.`,
	];
}
