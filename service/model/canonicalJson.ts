/**
 * A JSON value as one text, whatever the order and spacing it came in: members sorted by UTF-16 code units, no blanks,
 * numbers and texts as JavaScript writes them (RFC 8785). It keeps its own list of what is left to write, since a value
 * can be read from a depth at which a function that calls itself runs out of stack.
 *
 * @param value as `JSON.parse` gives it
 */
export function canonicalJson(value: unknown): string {
	let written = '';
	/** What was begun and is not at its end, the innermost last. */
	const begun: Begun[] = [];
	const write = (next: unknown) => {
		if (typeof next !== 'object' || next === null) written += JSON.stringify(next) ?? 'null';
		else {
			const within = begin(next);
			written += within.keys ? '{' : '[';
			begun.push(within);
		}
	};
	write(value);
	for (let within = begun.at(-1); within; within = begun.at(-1)) {
		const { keys, members, place } = within;
		if (place === members.length) {
			written += keys ? '}' : ']';
			begun.pop();
			continue;
		}
		within.place += 1;
		if (place > 0) written += ',';
		if (keys) written += `${JSON.stringify(keys[place])}:`;
		write(members[place]);
	}
	return written;
}

interface Begun {
	/** Those of an object; undefined for a list. */
	keys: readonly string[] | undefined;
	members: readonly unknown[];
	/** Of the member that is written next. */
	place: number;
}

function begin(value: object): Begun {
	if (Array.isArray(value)) return { keys: undefined, members: value, place: 0 };
	const object = value as Record<string, unknown>;
	const keys = Object.keys(object)
		.filter((key) => object[key] !== undefined)
		.sort();
	return { keys, members: keys.map((key) => object[key]), place: 0 };
}
