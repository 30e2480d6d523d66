/**
 * Reads n8n's stored run data, written by the npm package `flatted`: a JSON list of values in which objects and lists name
 * the place of each string, object and list they hold, so that one value may stand in many places (and in itself).
 */
export function readFlatted(text: string): unknown {
	const stored = JSON.parse(text) as unknown[];
	const known = new Map<number, unknown>();

	const at = (index: number): unknown => {
		const value = stored[index];
		if (value === null || typeof value !== 'object') return value;
		const seen = known.get(index);
		if (seen !== undefined) return seen;
		const whole: Record<string, unknown> | unknown[] = Array.isArray(value) ? [] : {};
		known.set(index, whole);
		for (const [key, inner] of Object.entries(value)) {
			(whole as Record<string, unknown>)[key] = typeof inner === 'string' ? at(Number(inner)) : inner;
		}
		return whole;
	};
	return at(0);
}
