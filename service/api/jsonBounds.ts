/** Values in a JSON text that are read: a page of 1,000 sets with 100 documents each has half as many. */
const MOST_VALUES = 1_000_000;

/**
 * Different names of members that are read, where the interface has some fifty: each costs ten times what a member does
 * whose name is known.
 */
const MOST_NAMES = 50_000;

/** Numbers of many digits: each that JavaScript has none for is written anew, which takes ten times what reading it does. */
const MOST_LONG_NUMBERS = 100_000;

/** Levels of objects and lists in each other; the deepest answer of the service has five. */
const DEEPEST = 200;

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const [ZERO, NINE] = [0x30, 0x39];

/** Digits in a row that a number of JavaScript may not hold. */
const MANY_DIGITS = 16;
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Texts that are not wanted: those of this member, in the objects of each list of that name which is so deep. */
export interface Unwanted {
	name: string;
	list: string;
	/** Levels that are open around the member. */
	levels: number;
}

/**
 * Counts what a JSON text would become, from its bytes, piece by piece: three bytes can cost a hundred in memory, and
 * levels without end cost the stack. Whatever is no JSON is counted as if it were.
 */
export class JsonBounds {
	private values = 0;
	private depth = 0;
	private inString = false;
	private escaped = false;
	private digits = 0;
	/** Of the text that is read, or was read last. */
	private hash = 0;
	/** Hashes of the names of members. */
	private readonly names = new Set<number>();
	/** Members of objects: each has its colon. */
	members = 0;
	private longNumbers = 0;
	/** Of the names of what is left out, and of the list it stands in, as {@link hash} counts them. */
	private readonly leftOut: number | undefined;
	private readonly list: number | undefined;
	private readonly levels: number;
	/** The hash of the member whose value is to come. */
	private member: number | undefined;
	private isInList = false;
	private isLeftOut = false;
	/** What was looked at last, without the texts that are left out: of each, two quotes are kept. */
	wanted: readonly Buffer[] = [];

	constructor(leftOut?: Unwanted) {
		this.leftOut = leftOut && hashOf(leftOut.name);
		this.list = leftOut && hashOf(leftOut.list);
		this.levels = leftOut?.levels ?? Infinity;
	}

	/** Whether a number is so long that JavaScript may make another one of it. */
	get hasLongNumber(): boolean {
		return this.longNumbers > 0;
	}

	/** What there is too much of, once the text so far has too much of it. */
	exceededBy(piece: Buffer): string | undefined {
		// Every byte of every answer comes by here, most of them in strings: with fields, and step by step, it takes twice as long.
		let { inString, escaped, digits, hash, depth, values, member, isInList, isLeftOut } = this;
		const { leftOut, list, levels } = this;
		const wanted: Buffer[] = [];
		let from = isLeftOut ? Infinity : 0;
		const last = piece.length - 1;
		for (let index = 0; index <= last; index++) {
			let byte = piece[index]!;
			if (inString) {
				while (!escaped && byte !== QUOTE && byte !== BACKSLASH && index < last) {
					hash = ((hash << 5) - hash + byte) | 0;
					byte = piece[++index]!;
				}
				hash = ((hash << 5) - hash + byte) | 0;
				inString = escaped || byte !== QUOTE;
				if (!inString && isLeftOut) {
					isLeftOut = false;
					from = index;
				}
				escaped = !escaped && byte === BACKSLASH;
				continue;
			}
			if (byte >= ZERO && byte <= NINE) {
				if (++digits === MANY_DIGITS) this.longNumbers++;
				continue;
			} else if (byte === QUOTE) {
				inString = true;
				hash = 0;
				if (isInList && member === leftOut && depth === levels) {
					isLeftOut = true;
					wanted.push(piece.subarray(from, index + 1));
					from = Infinity;
				}
			} else if (byte === COLON) {
				this.members++;
				member = hash;
				if (this.names.size <= MOST_NAMES) this.names.add(hash);
			} else if (byte === COMMA) {
				values++;
				member = undefined;
			} else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
				values++;
				if (++depth > DEEPEST) return `has more than ${DEEPEST} levels`;
				// The list is one level further out than the objects in it.
				if (depth === levels - 1) isInList = byte === OPEN_LIST && member === list;
				member = undefined;
			} else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) depth--;
			digits = 0;
		}
		if (from < piece.length) wanted.push(from === 0 ? piece : piece.subarray(from));
		Object.assign(this, {
			inString,
			escaped,
			digits,
			hash,
			depth,
			values,
			member,
			isInList,
			isLeftOut,
			wanted,
		});
		if (this.values > MOST_VALUES) return `holds more than ${MOST_VALUES.toLocaleString('en')} values`;
		if (this.names.size > MOST_NAMES) return `holds more than ${MOST_NAMES.toLocaleString('en')} names`;
		if (this.longNumbers > MOST_LONG_NUMBERS)
			return `holds more than ${MOST_LONG_NUMBERS.toLocaleString('en')} numbers of ${MANY_DIGITS} digits and more`;
		return undefined;
	}
}

/** Of a name, with the quotation mark behind it. */
function hashOf(name: string): number {
	return Buffer.from(`${name}"`).reduce((hash, byte) => ((hash << 5) - hash + byte) | 0, 0);
}
