/** Several values under one key, in the order in which they came; adding and removing do not look at other keys. */
export class Multimap<K, V> {
	private readonly values = new Map<K, Set<V>>();

	all(key: K): Iterable<V> {
		return this.values.get(key) ?? [];
	}

	add(key: K, value: V): void {
		const known = this.values.get(key);
		if (known) known.add(value);
		else this.values.set(key, new Set([value]));
	}

	delete(key: K, value: V): void {
		const known = this.values.get(key);
		known?.delete(value);
		if (known?.size === 0) this.values.delete(key);
	}
}
