import type { Items } from '../parameters/stepKinds';

/**
 * Items that came more than once, alike in all they say, as where two lines lead from one search to a Merge that appends, in
 * words: what is sent goes twice to the same. Of one set for several addresses, each item says another.
 */
export function cameTwice(items: Items): string[] {
	const count = new Map<string, number>();
	for (const { json } of items) {
		const text = JSON.stringify(json);
		if (text !== '{}') count.set(text, (count.get(text) ?? 0) + 1);
	}
	const twice = [...count.values()].filter((times) => times > 1).length;
	if (twice === 0) return [];
	return [
		`${twice === 1 ? 'One item' : `${twice} items`} of the input came more than once, alike in all: the same papers would go again, to the same address where that comes with the item. Where two lines lead here from one step, take one of them out.`,
	];
}
