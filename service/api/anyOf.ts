/** How many pairs of letters are told apart. */
const PAIRS = 4096;

/**
 * Finds whether one of several texts stands in another one, in either case. A pair of letters that none of them holds is
 * stepped over together with those before it (the way of Wu and Manber), as a pattern of alternatives does not: every letter
 * of every answer is looked through.
 *
 * @param texts each of two letters at least
 */
export function anyOf(texts: readonly string[]): (text: string) => boolean {
	// A pattern, since a copy of a large text in small letters would be as large again.
	const source = texts.map((text) => text.replace(/[^a-z0-9]/g, asCode)).join('|');
	const here = new RegExp(source, 'iy');
	const from = new RegExp(source, 'ig');
	const least = Math.min(...texts.map(({ length }) => length));
	const steps = new Uint8Array(PAIRS).fill(Math.min(least - 1, 255));
	for (const text of texts) {
		for (let last = 1; last < least; last++) {
			const pair = pairAt(text, last);
			steps[pair] = Math.min(steps[pair]!, least - 1 - last);
		}
	}
	return (text) => {
		// Where one may end at every few letters, the pattern alone is faster.
		let looks = text.length / 32;
		for (let last = least - 1; last < text.length;) {
			const step = steps[pairAt(text, last)]!;
			if (step === 0) {
				const pattern = --looks < 0 ? from : here;
				pattern.lastIndex = last - least + 1;
				if (pattern.test(text)) return true;
				if (looks < 0) return false;
			}
			last += step || 1;
		}
		return false;
	};
}

/** The same for a letter in either case, and for all beyond ASCII. */
function pairAt(text: string, last: number): number {
	const first = text.charCodeAt(last - 1);
	const second = text.charCodeAt(last);
	return (((first < 128 ? first | 32 : 128) << 5) ^ (second < 128 ? second | 32 : 128)) & (PAIRS - 1);
}

const asCode = (sign: string) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;
