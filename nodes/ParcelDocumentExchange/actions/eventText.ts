/** A report on a batch of 500 events, each of the 64 kB that it shows of one. */
const LONGEST_TEXT = 40 * 1024 * 1024;

/** Characters read while looking for objects in a text, before it is given up: braces that are never closed cost its rest each. */
const MOST_READ = 2 * LONGEST_TEXT;

/** The text of bytes, as n8n writes them into JSON: `{ type: 'Buffer', data: [123, …] }`; undefined for anything else. */
export function textOfBytes(value: object): string | undefined {
	if (value instanceof Uint8Array) return Buffer.from(value).toString('utf8');
	if (!('type' in value) || value.type !== 'Buffer' || !('data' in value)) return undefined;
	const { data } = value;
	if (Array.isArray(data)) return Buffer.from(data as number[]).toString('utf8');
	return typeof data === 'string' ? Buffer.from(data, 'base64').toString('utf8') : undefined;
}

/**
 * What a text holds, best guess first: JSON, JSON in Base64, or all objects inside other words. Undefined when that is too
 * much to be gone through: never a part of it.
 */
export function valuesOfText(text: string): unknown[] | undefined {
	if (text.length > LONGEST_TEXT) return undefined;
	const trimmed = text.replace(/^\uFEFF/, '').trim();
	const whole = parsed(trimmed);
	if (whole !== undefined) return [whole];
	if (/^[A-Za-z0-9+/\s]{16,}={0,2}$/.test(trimmed)) {
		const decoded = parsed(Buffer.from(trimmed, 'base64').toString('utf8'));
		if (decoded !== undefined) return [decoded];
	}
	return objectsInside(trimmed);
}

function parsed(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

/** The outermost `{ … }` of a text, as far as they are JSON: a report is a sentence with the body behind it. */
function objectsInside(text: string): unknown[] | undefined {
	const objects: unknown[] = [];
	let start = text.indexOf('{');
	for (let read = 0; start >= 0;) {
		const end = endOfObject(text, start);
		const value = end < 0 ? undefined : parsed(text.slice(start, end));
		read += (end < 0 ? text.length : end) - start;
		if (read > MOST_READ) return undefined;
		if (value !== undefined) objects.push(value);
		start = text.indexOf('{', value === undefined ? start + 1 : end);
	}
	return objects;
}

/** Behind the brace that closes the one at `start`, braces in strings not counted; -1 when it is never closed. */
function endOfObject(text: string, start: number): number {
	let depth = 0;
	let inString = false;
	for (let index = start; index < text.length; index++) {
		const character = text[index];
		if (inString) {
			if (character === '\\') index++;
			else if (character === '"') inString = false;
		} else if (character === '"') inString = true;
		else if (character === '{') depth++;
		else if (character === '}' && --depth === 0) return index + 1;
	}
	return -1;
}
