/** A whole number that JavaScript may have no number for. */
const LONG = /^-?\d{16,}$/;

/**
 * JSON in which each whole number that JavaScript would make another one of is a text, as it was written: references and
 * ids are digits somewhere, and the next one would be the same.
 *
 * @param json that `JSON.parse` takes
 */
export function withLongNumbersAsText(json: string): string {
	const pieces: string[] = [];
	const next = /"|-?\d[\d.eE+-]*/g;
	let from = 0;
	for (let found = next.exec(json); found !== null; found = next.exec(json)) {
		const [token] = found;
		if (token === '"') next.lastIndex = endOfText(json, found.index);
		else if (LONG.test(token) && String(Number(token)) !== token) {
			pieces.push(json.slice(from, found.index), `"${token}"`);
			from = next.lastIndex;
		}
	}
	return from === 0 ? json : [...pieces, json.slice(from)].join('');
}

/** An object or a list that is open, while JSON is gone through. */
interface Level {
	/** What stands in an object so far, by name; a list has none. */
	members?: Map<string, string>;
	/** Of the member that is read. */
	name?: string;
	/** Where its value begins. */
	start: number;
}

/**
 * The name of a member that stands twice in its object, with two values: `JSON.parse` keeps the last one and says nothing.
 *
 * @param json that `JSON.parse` takes
 */
export function memberTwice(json: string): string | undefined {
	const levels: Level[] = [];
	const next = /["{}[\],:]/g;
	for (let found = next.exec(json); found !== null; found = next.exec(json)) {
		const [sign] = found;
		const { index } = found;
		const level = levels[levels.length - 1];
		if (sign === '"') {
			next.lastIndex = endOfText(json, index);
			if (level?.members && level.name === undefined)
				level.name = String(JSON.parse(json.slice(index, next.lastIndex)));
		} else if (sign === '{') levels.push({ members: new Map(), start: 0 });
		else if (sign === '[') levels.push({ start: 0 });
		else if (sign === ':' && level) level.start = index + 1;
		else if (level) {
			if (isOtherThanBefore(level, json, index)) return level.name;
			level.name = undefined;
			if (sign !== ',') levels.pop();
		}
	}
	return undefined;
}

/** Notes the member that ends here. */
function isOtherThanBefore({ members, name, start }: Level, json: string, end: number): boolean {
	if (!members || name === undefined) return false;
	const value = json.slice(start, end).trim();
	const before = members.get(name);
	members.set(name, value);
	return before !== undefined && before !== value;
}

/**
 * How many members the objects in a value have together.
 *
 * @param value that `JSON.parse` gave
 */
export function membersIn(value: unknown): number {
	let count = 0;
	const left = [value];
	const look = (inner: unknown) => {
		if (typeof inner === 'object' && inner !== null) left.push(inner);
	};
	for (let next = left.pop(); next !== undefined; next = left.pop()) {
		if (Array.isArray(next)) for (const inner of next) look(inner);
		else if (typeof next === 'object' && next !== null) {
			// Neither names nor values make a list of their own: all members of all answers come by here.
			const fields = next as Record<string, unknown>;
			for (const name in fields) {
				count++;
				look(fields[name]);
			}
		}
	}
	return count;
}

/** Where the text ends that begins with this quotation mark: behind its other one. */
function endOfText(json: string, start: number): number {
	for (let at = json.indexOf('"', start + 1); at >= 0; at = json.indexOf('"', at + 1)) {
		let slashes = 0;
		while (json[at - 1 - slashes] === '\\') slashes++;
		if (slashes % 2 === 0) return at + 1;
	}
	return json.length;
}
