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

/** The text of bytes, as n8n writes them into JSON: `{ type: 'Buffer', data: [123, …] }`; undefined for anything else. */
export function textOfBytes(value: object): string | undefined {
	if (value instanceof Uint8Array) return Buffer.from(value).toString('utf8');
	if (!('type' in value) || value.type !== 'Buffer' || !('data' in value)) return undefined;
	const { data } = value;
	if (Array.isArray(data)) return Buffer.from(data as number[]).toString('utf8');
	return typeof data === 'string' ? Buffer.from(data, 'base64').toString('utf8') : undefined;
}
