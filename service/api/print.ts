/** Characters of a print. */
export const PRINT = 4;

/** Of longer texts, the beginning and the length tell them apart. */
const MOST_COMPARED = 1_000;

/**
 * Signs of kinds, which no length of a text is. Numbers just below zero would not do: -2 negates every odd sum, which even
 * signs and the multipliers leave negated, so that before which value it stood could not be told.
 */
const [OBJECT, END_OF_OBJECT, LIST, NO_TEXT] = [0x6a09e667, 0x3c6ef372, 0x510e527f, 0x2b3e6c1f];

/** Odd, as all multipliers here: no two states become one by them. */
const [ONE, TWO] = [0x9e3779b1, 0x5f356495];

/** Names come with every row: so many, and such short ones, are gone through once. */
const [MOST_NAMES, LONGEST_NAME] = [1_000, 100];

/** By name. */
const signs = new Map<string, readonly [number, number]>();

/**
 * What tells the contents of rows of one set apart, in 64 bits: all that a value of JSON holds but its links. Every row of
 * every page comes by here, and its JSON with a digest of that takes three times as long; nobody gains by a row that is
 * taken for another one, as who sends it could as well leave it out.
 */
export function printOf(value: unknown): string {
	const lanes = new Lanes();
	lanes.add(value);
	return lanes.print;
}

/** Two sums over the same signs, by multipliers of which neither gives away the other. */
class Lanes {
	one = 0;
	two = 0;

	get print(): string {
		const { one, two } = this;
		const [first, second] = [spread(one ^ (two >>> 15)), spread(two ^ (one >>> 13))];
		return String.fromCharCode(first >>> 16, first & 0xffff, second >>> 16, second & 0xffff);
	}

	/** Each value begins with a sign of its kind, and says where it ends: no two that differ give the same signs. */
	add(value: unknown): void {
		if (typeof value === 'string') this.addText(value);
		else if (Array.isArray(value)) {
			this.addSign(LIST + value.length);
			for (const each of value) this.add(each);
		} else if (typeof value === 'object' && value !== null) {
			const fields = value as Record<string, unknown>;
			this.addSign(OBJECT);
			for (const name in fields) {
				// Links may be made for each answer, and the id stands beside the print.
				if (name === 'links' || name === 'setId') continue;
				this.addName(name);
				this.add(fields[name]);
			}
			this.addSign(END_OF_OBJECT);
		} else {
			this.addSign(NO_TEXT);
			this.addText(String(value));
		}
	}

	private addName(name: string): void {
		const [one, two] = signs.get(name) ?? signsOf(name);
		this.addSign(one, two);
	}

	addText(text: string): void {
		this.addSign(text.length);
		let { one, two } = this;
		const end = Math.min(text.length, MOST_COMPARED);
		for (let index = 0; index < end; index++) {
			const sign = text.charCodeAt(index);
			one = Math.imul(one ^ sign, ONE);
			two = Math.imul(two ^ sign, TWO);
		}
		this.one = one;
		this.two = two;
	}

	private addSign(one: number, two = one): void {
		this.one = Math.imul(this.one ^ one, ONE);
		this.two = Math.imul(this.two ^ two, TWO);
	}
}

function signsOf(name: string): readonly [number, number] {
	const lanes = new Lanes();
	lanes.addText(name);
	const own = [lanes.one, lanes.two] as const;
	if (signs.size === MOST_NAMES) signs.clear();
	if (name.length <= LONGEST_NAME) signs.set(name, own);
	return own;
}

/** Every bit of it in every bit of what is given. */
function spread(sum: number): number {
	let mixed = Math.imul(sum ^ (sum >>> 16), 0x85ebca6b);
	mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
	return mixed ^ (mixed >>> 16);
}
