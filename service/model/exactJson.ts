import { membersIn } from './wholeJson';

/** Texts, numbers, and what stands between; a text that is followed by a colon names a member. */
const WORDS = /("[^"\\]*(?:\\.[^"\\]*)*")(\s*:)?|-?\d[\d.eE+-]*/g;

/** Digits that a number of JavaScript holds in any case. */
const SAFE_DIGITS = 15;

/**
 * Whether nothing of a JSON text is lost by `JSON.parse`: no number is longer or larger than JavaScript's, and no member
 * stands twice in its object. Another order, spacing or spelling of the same is no loss.
 *
 * @param text that `JSON.parse` takes
 * @param value what it gave
 */
export function isExact(text: string, value: unknown): boolean {
	let names = 0;
	for (const [word, string, colon] of text.matchAll(WORDS)) {
		if (colon !== undefined) names += 1;
		if (string === undefined && !isExactNumber(word)) return false;
	}
	return names === membersIn(value);
}

function isExactNumber(word: string): boolean {
	const [mantissa = ''] = word.toLowerCase().split('e');
	const digits = mantissa.replace(/[-.]/g, '').replace(/^0+/, '').replace(/0+$/, '');
	const number = Number(word);
	return digits.length <= SAFE_DIGITS && Number.isFinite(number) && (number !== 0) === (digits !== '');
}
