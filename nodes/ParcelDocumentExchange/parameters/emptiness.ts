import { isObject, plainValue } from './values';

/** Nothing that a reader would see: blanks, invisible characters, the commas of a list of nothing. */
const BLANK = /^[\s,;\p{Default_Ignorable_Code_Point}\p{Cc}]*$/u;

/** What an expression writes into a text where a field is missing: `{{ String($json.ref) }}`. */
const NOTHING: readonly unknown[] = ['undefined', 'null'];

/** A text with nothing in it, or with the word that JavaScript has for nothing. */
export function isBlank(text: string): boolean {
	return BLANK.test(text) || NOTHING.includes(text.trim());
}

/** How deep lists in lists are looked into; what lies deeper is something, and refused for its shape. */
const DEEPEST = 20;

/** Whether nothing came out of what a person chose: nothing at all, blanks, a list of such, an object without fields. */
export function isEmpty(value: unknown, depth = 0): boolean {
	const plain = plainValue(value);
	if (plain === undefined || plain === null || Number.isNaN(plain)) return true;
	if (typeof plain === 'string') return isBlank(plain);
	if (Array.isArray(plain)) return depth < DEEPEST && plain.every((entry) => isEmpty(entry, depth + 1));
	return isObject(plain) && Object.keys(plain).length === 0;
}

/**
 * Whether what is empty may be what a model gives for a field it has no use for, such as an empty text; not the nothing
 * of an expression that found no such field.
 */
export function isLeftOut(empty: unknown): boolean {
	const plain = plainValue(empty);
	if (plain === undefined || plain === null) return false;
	return !Array.isArray(plain) || plain.every(isLeftOut);
}
