import { isExact } from '../../../service/model/exactJson';
import { parsedJson } from '../../../service/model/parsedJson';

/** A report on a batch of 500 events, each of the 64 kB that it shows of one. */
const LONGEST_TEXT = 40 * 1024 * 1024;

/**
 * Characters read in vain, before a text is given up: objects in each other that are all broken cost the length of each.
 * So many times the length of a short text, so many in all of a long one.
 */
const MOST_IN_VAIN = { times: 16, inAll: 2 * LONGEST_TEXT };

interface Found {
	value: unknown;
	/** Its own text, by which it is known where a number or a member of it was lost in reading. */
	text: string;
}

interface Held {
	values: Found[];
	/** What belongs to none of them. */
	rest: string;
}

/**
 * What a text holds, best guess first: JSON, JSON in Base64, or all objects inside other words. Undefined when that is too
 * much to be gone through: never a part of it.
 */
export function valuesOfText(text: string): Held | undefined {
	if (text.length > LONGEST_TEXT) return undefined;
	const trimmed = text.replace(/^\uFEFF/, '').trim();
	const whole = parsedJson(trimmed);
	if (whole !== undefined) {
		// Each with its own text, where reading all at once loses what tells them apart.
		const apart = Array.isArray(whole) && !isExact(trimmed, whole) ? objectsInside(trimmed) : undefined;
		return apart ?? { values: [{ value: whole, text: trimmed }], rest: '' };
	}
	if (BASE64.test(trimmed)) {
		const inside = Buffer.from(trimmed, 'base64').toString('utf8');
		if (parsedJson(inside) !== undefined) return valuesOfText(inside);
	}
	return objectsInside(trimmed);
}

/** Text of bytes, whole or cut, and nothing else. */
const BASE64 = /^[\w+/\s-]{16,}={0,2}$/;

/** Bytes within a text, in Base64 or as a list of numbers, on as many lines as it may be: no event is shorter. */
const BYTES = /[\w+/-]{20,}={0,2}|\d{1,3}(?:(?:[\s,]|\\+n)+\d{1,3}){15,}/g;

/** A text, and what the bytes in it say, and those in that. */
export function withBytesRead(text: string): string {
	// Base64 may be broken into lines.
	const joined = BASE64.test(text.trim()) ? text.replace(/\s/g, '') : text;
	const inside = Array.from(joined.matchAll(BYTES), ([bytes]) => withBytesRead(textOf(bytes)));
	return [text, ...inside].join(' ');
}

function textOf(bytes: string): string {
	const isList = /\d[\s,\\]/.test(bytes);
	const numbers = isList ? (bytes.match(/\d+/g) ?? []).map(Number) : [];
	return (isList ? Buffer.from(numbers) : Buffer.from(bytes, 'base64')).toString('utf8');
}

/** The outermost `{ … }` of a text, as far as they are JSON: a report is a sentence with the body behind it. */
function objectsInside(text: string): Held | undefined {
	const values: Found[] = [];
	const rest: string[] = [];
	const ends = new Map<number, number>();
	let inVain = Math.min(MOST_IN_VAIN.times * text.length, MOST_IN_VAIN.inAll);
	let restFrom = 0;
	let start = text.indexOf('{');
	while (start >= 0) {
		const known = ends.has(start);
		if (!known) findEnds(text, start, ends);
		const end = ends.get(start) ?? -1;
		const value = end < 0 ? undefined : parsedJson(text.slice(start, end));
		if (value === undefined) {
			if (end >= 0) inVain -= end - start;
			else if (!known) inVain -= text.length - start;
			if (inVain < 0) return undefined;
		} else {
			values.push({ value, text: text.slice(start, end) });
			rest.push(text.slice(restFrom, start));
			restFrom = end;
		}
		start = text.indexOf('{', value === undefined ? start + 1 : end);
	}
	rest.push(text.slice(restFrom));
	return { values, rest: rest.join(' ') };
}

/**
 * Notes for the brace at `start`, and for each brace in it, where it is closed: behind that brace, -1 for never. Braces
 * in strings are not counted, and not noted: a later start may be the one for which they stand outside.
 */
function findEnds(text: string, start: number, ends: Map<number, number>): void {
	const open: number[] = [];
	let inString = false;
	for (let index = start; index < text.length; index++) {
		const character = text[index];
		if (inString) {
			if (character === '\\') index++;
			else if (character === '"') inString = false;
		} else if (character === '"') inString = true;
		else if (character === '{') open.push(index);
		else if (character === '}') {
			ends.set(open.pop() ?? start, index + 1);
			if (open.length === 0) return;
		}
	}
	for (const unclosed of open) ends.set(unclosed, -1);
}
