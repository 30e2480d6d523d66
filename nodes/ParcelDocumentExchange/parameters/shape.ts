/** An object of fields: no list, no date, nothing else with a life of its own. */
export function isObject(value: unknown): value is Record<string, unknown> {
	if (value === null || typeof value !== 'object') return false;
	const parent: unknown = Object.getPrototypeOf(value);
	return parent === null || Object.getPrototypeOf(parent) === null;
}

/** Whether a value has more levels of objects and lists than that. Needs no stack, however many there are. */
export function isDeep(value: unknown, mostLevels: number): boolean {
	let level = [value];
	for (let depth = 0; ; depth++) {
		level = level.filter((entry) => Array.isArray(entry) || isObject(entry));
		if (level.length === 0) return false;
		if (depth >= mostLevels) return true;
		level = level.flatMap((entry) => Object.values(entry as object));
	}
}
