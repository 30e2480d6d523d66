import type { Items } from '../parameters/stepKinds';

/**
 * Items that came more than once, alike in all they say, as where two lines lead from one search to a Merge that appends, and
 * for which the same papers were given, in words: what is sent goes twice to the same. Of one set for several addresses, each
 * item says another; one address may be that of several sets.
 *
 * @param given what this step gave
 */
export function cameTwice(items: Items, given: Items): string[] {
	const papers = new Map<number, string[]>();
	for (const { json, binary, pairedItem } of given) {
		if (!binary || typeof pairedItem !== 'object' || !('item' in pairedItem)) continue;
		const { item } = pairedItem;
		papers.set(item, [...(papers.get(item) ?? []), JSON.stringify([json.setId, json.documentId])]);
	}
	const count = new Map<string, number>();
	for (const [index, { json }] of items.entries()) {
		const of = papers.get(index);
		if (!of || Object.keys(json).length === 0) continue;
		const text = JSON.stringify([json, of]);
		count.set(text, (count.get(text) ?? 0) + 1);
	}
	const twice = [...count.values()].filter((times) => times > 1).length;
	if (twice === 0) return [];
	return [
		`${twice === 1 ? 'One item' : `${twice} items`} of the input came more than once, alike in all: the same papers would go again, to the same address where that comes with the item. Where two lines lead here from one step, take one of them out.`,
	];
}
