import { ServiceError } from '../../../service/errors';
import { isUuid } from '../../../service/model/uuid';

/** A parameter as it stands in the node: a plain value, or a picker's `{ mode, value }`. */
export function plainValue(value: unknown): unknown {
	if (value === null || typeof value !== 'object' || !('mode' in value)) return value;
	if ('value' in value) return value.value;
	return '__rl' in value ? undefined : value;
}

/**
 * Whether what was written is worked out anew for each item. A text that was put on Expression and left as it was is not:
 * it begins with `=` and gives itself.
 */
export function isExpression(written: string): boolean {
	return written.startsWith('=') && written.includes('{{');
}

/** Trimmed text; empty for what is missing. */
export function plainText(value: unknown): string {
	const plain = plainValue(value);
	if (typeof plain === 'string') return plain.trim();
	return typeof plain === 'number' || typeof plain === 'boolean' ? String(plain) : '';
}

/** A value as an error shows it: the beginning of its JSON. Never throws, however deep it is. */
export function shownValue(value: unknown, most = 60): string {
	try {
		return (JSON.stringify(value) ?? String(value)).slice(0, most);
	} catch {
		return Array.isArray(value) ? 'a list' : 'an object';
	}
}

/**
 * The text of something that narrows an answer; empty for what is missing.
 *
 * @throws ServiceError for a list, an object or a yes or no: left out, more would come than was asked for
 */
export function filterText(value: unknown, label: string): string {
	const plain = plainValue(value);
	const isText = typeof plain === 'string' && !plain.includes('[object Object]');
	if (plain === null || plain === undefined || isText || typeof plain === 'number') return plainText(plain);
	if (Array.isArray(plain) && plain.length === 0) return '';
	throw unusable(
		label,
		`cannot be ${shownValue(plain)}`,
		'Use a text. An expression can take it out of a list or an object, for example {{ $json.refs[0] }}.',
	);
}

/** Characters of a name, a reference or another word to search by. */
const LONGEST_WORD = 1_000;

/** The same for one word: a long text in its place, such as a whole message, was not meant. */
export function shortText(value: unknown, label: string): string {
	const text = filterText(value, label);
	if (text.length <= LONGEST_WORD) return text;
	throw unusable(label, `has more than ${LONGEST_WORD} characters`, 'Give the reference or the name alone.');
}

/** A list of such texts: from a list, or from one text with commas, as expressions often give. Empty ones are left out. */
export function filterTexts(value: unknown, label: string): string[] {
	const plain = plainValue(value);
	const entries: unknown[] = Array.isArray(plain) ? plain : filterText(plain, label).split(/[,;\n]/);
	return entries.map((entry) => filterText(entry, label)).filter((text) => text !== '');
}

/**
 * The entries of a list of pickers, each as its picker holds it. Such a list was one of plain texts once, and an expression
 * gives one still: those are entries as they are, and what is no list is handed back.
 */
export function pickedEntries(list: unknown, picker: string): unknown {
	if (!Array.isArray(list)) return list;
	return list.map((entry: unknown) =>
		isObject(entry) && Object.hasOwn(entry, picker) ? entry[picker] : entry,
	);
}

/** Yes or no; `missing` for anything that is neither. */
export function asFlag(value: unknown, missing: boolean): boolean {
	const plain = plainValue(value);
	// An expression gives text, and the text "false" is true for JavaScript.
	if (typeof plain === 'string' && plain.trim() !== '') return plain.trim().toLowerCase() === 'true';
	return typeof plain === 'boolean' ? plain : missing;
}

/** What a person typed cannot be used. `label` is the field's name on the panel. */
export function unusable(label: string, complaint: string, remedy: string): ServiceError {
	return new ServiceError('invalidInput', `"${label}" ${complaint}`, { remedy });
}

/** The id itself when it has the shape of one. */
export function checkedId(text: string, label: string): string {
	if (isUuid(text)) return text;
	throw unusable(
		label,
		`is not an ID: ${shownValue(text.slice(0, 60))}`,
		'An ID looks like 123e4567-e89b-42d3-a456-426614174000. Choose from the list, or use the field of that name of a set or an event.',
	);
}

/** The one id of a parameter, or an empty text; a list of one is that one. */
export function oneId(value: unknown, label: string): string {
	const plain = plainValue(value);
	const entries: unknown[] = Array.isArray(plain) ? plain : [plain];
	if (entries.length > 1) {
		throw unusable(
			label,
			`is a list of ${entries.length}`,
			'Give one ID for each input item: the node Split Out makes an item of each entry of a list.',
		);
	}
	const text = filterText(entries[0], label);
	return text === '' ? '' : checkedId(text, label);
}

/** A whole number within bounds; the default when nothing was given. */
export function wholeNumber(
	value: unknown,
	{ label, least, most, missing }: { label: string; least: number; most: number; missing: number },
): number {
	const plain = plainValue(value);
	if (plain === undefined || plain === null || plain === '') return missing;
	// Digits alone: to some, 1.000 is a thousand.
	const number = typeof plain === 'string' ? (/^-?\d+$/.test(plain.trim()) ? Number(plain) : NaN) : plain;
	if (typeof number === 'number' && Number.isInteger(number) && number >= least && number <= most)
		return number;
	throw unusable(
		label,
		`cannot be ${shownValue(plain)}`,
		most === Number.MAX_SAFE_INTEGER
			? `Use a whole number from ${least} up.`
			: `Use a whole number from ${least} to ${most}.`,
	);
}

/** An object of fields: no list, no date, nothing else with a life of its own. */
export function isObject(value: unknown): value is Record<string, unknown> {
	if (value === null || typeof value !== 'object') return false;
	const parent: unknown = Object.getPrototypeOf(value);
	return parent === null || Object.getPrototypeOf(parent) === null;
}

/** Whether a value has more levels of objects and lists than that. Needs no stack, however many there are. */
export function isDeep(value: unknown, mostLevels: number): boolean {
	let level = [value];
	for (let depth = 0; ; depth++) {
		level = level.filter((entry) => Array.isArray(entry) || isObject(entry));
		if (level.length === 0) return false;
		if (depth >= mostLevels) return true;
		level = level.flatMap((entry) => Object.values(entry as object));
	}
}

/** The text of bytes, as n8n writes them into JSON: `{ type: 'Buffer', data: [123, …] }`; undefined for anything else. */
export function textOfBytes(value: object): string | undefined {
	if (value instanceof Uint8Array) return Buffer.from(value).toString('utf8');
	if (!('type' in value) || value.type !== 'Buffer' || !('data' in value)) return undefined;
	const { data } = value;
	if (Array.isArray(data)) return Buffer.from(data as number[]).toString('utf8');
	return typeof data === 'string' ? Buffer.from(data, 'base64').toString('utf8') : undefined;
}

/** All texts in a value. n8n stores workflows and items as JSON, which ends. */
export const textsIn = (value: unknown): string[] =>
	leavesIn(value).filter((leaf) => typeof leaf === 'string');

/** Its numbers as well, as own numbers of customers are. */
export const wordsIn = (value: unknown): string[] =>
	leavesIn(value).flatMap((leaf) => (/string|number/.test(typeof leaf) ? String(leaf) : []));

const leavesIn = (value: unknown): unknown[] =>
	value !== null && typeof value === 'object' ? Object.values(value).flatMap(leavesIn) : [value];

/** A time, as JSON. It is no parcel's: two that were written one after the other always differ. */
export const TIME = /^"\d{4}-\d\d-\d\d[T ]\d\d:/;
