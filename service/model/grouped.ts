/** What stands under each key, in the order in which it came. */
export function grouped<K, V>(pairs: Iterable<readonly [K, V]>): Map<K, [V, ...V[]]> {
	const groups = new Map<K, [V, ...V[]]>();
	for (const [key, value] of pairs) {
		const group = groups.get(key);
		if (group) group.push(value);
		else groups.set(key, [value]);
	}
	return groups;
}
