/** Several values under one key, in the order in which they came; adding and removing do not look at other keys. */
export class Multimap<K, V> {
	private readonly values = new Map<K, Set<V>>();

	/** Keys that have a value. */
	get size(): number {
		return this.values.size;
	}

	has(key: K): boolean {
		return this.values.has(key);
	}

	first(key: K): V | undefined {
		return this.values.get(key)?.values().next().value;
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
