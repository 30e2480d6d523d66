/**
 * A JSON value as one text, whatever the order and spacing it came in: members sorted by UTF-16 code units, no blanks,
 * numbers and texts as JavaScript writes them (RFC 8785). It keeps its own list of what is left to write, since a value
 * can be read from a depth at which a function that calls itself runs out of stack.
 *
 * @param value as `JSON.parse` gives it
 */
export function canonicalJson(value: unknown): string {
	const written: string[] = [];
	/** What is still to be written, the next one last: values, and pieces of text as they are. */
	const left: Array<{ value: unknown } | { text: string }> = [{ value }];
	for (let next = left.pop(); next; next = left.pop()) {
		if ('text' in next) written.push(next.text);
		else if (typeof next.value !== 'object' || next.value === null) {
			written.push(JSON.stringify(next.value) ?? 'null');
		} else for (const part of partsOf(next.value).reverse()) left.push(part);
	}
	return written.join('');
}

function partsOf(value: object): Array<{ value: unknown } | { text: string }> {
	const list = Array.isArray(value);
	const members = list
		? value.map((each: unknown) => [{ value: each }])
		: Object.keys(value)
				.filter((key) => (value as Record<string, unknown>)[key] !== undefined)
				.sort()
				.map((key) => [
					{ text: `${JSON.stringify(key)}:` },
					{ value: (value as Record<string, unknown>)[key] },
				]);
	return [
		{ text: list ? '[' : '{' },
		...members.flatMap((parts, index) => (index === 0 ? parts : [{ text: ',' }, ...parts])),
		{ text: list ? ']' : '}' },
	];
}
