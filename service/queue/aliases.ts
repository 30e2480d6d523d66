/**
 * Places that showed to be one queue under several names: what went back at the one came again at the other. Without that,
 * nobody can see it: the same names may be another company's.
 */
export class Aliases {
	private readonly all = new Map<string, ReadonlySet<string>>();

	/** @returns it is news */
	learn(one: string, other: string): boolean {
		if (this.areOne(one, other)) return false;
		const both = new Set([...this.of(one), ...this.of(other)]);
		for (const each of both) this.all.set(each, both);
		return true;
	}

	areOne(one: string, other: string): boolean {
		return one === other || this.all.get(one)?.has(other) === true;
	}

	private of(place: string): ReadonlySet<string> {
		return this.all.get(place) ?? new Set([place]);
	}
}
