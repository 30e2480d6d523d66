import { membersIn } from './wholeJson';

/** Texts, numbers, and what stands between; a text that is followed by a colon names a member. */
const TOKENS = /("[^"\\]*(?:\\.[^"\\]*)*")(\s*:)?|-?\d[\d.eE+-]*/g;

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
	for (const [token, string, colon] of text.matchAll(TOKENS)) {
		if (colon !== undefined) names += 1;
		if (string === undefined && !isExactNumber(token)) return false;
	}
	return names === membersIn(value);
}

function isExactNumber(token: string): boolean {
	const [mantissa = ''] = token.toLowerCase().split('e');
	const digits = mantissa.replace(/[-.]/g, '').replace(/^0+/, '').replace(/0+$/, '');
	const number = Number(token);
	return digits.length <= SAFE_DIGITS && Number.isFinite(number) && (number !== 0) === (digits !== '');
}
