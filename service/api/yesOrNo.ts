/** Whether a field says yes: as JSON does, in a word or by a number. */
export function saysYes(value: unknown): boolean {
	return typeof value !== 'object' && /^\s*(true|yes|y|1)\s*$/i.test(String(value));
}

/** Whether it says no. */
export function saysNo(value: unknown): boolean {
	return typeof value !== 'object' && /^\s*(false|no|n|0)\s*$/i.test(String(value));
}
