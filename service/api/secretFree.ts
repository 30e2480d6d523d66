import { isUuid } from '../model/uuid';
import { anyOf } from './anyOf';
import { maskOf } from './masking';

/** Of a longer text in an answer, such as a document's content, only what is written plainly is looked for. */
const LONGEST_READ = 64 * 1024;

/**
 * Characters of an answer that are looked through for secrets in another way of writing, its coded texts alone: that takes
 * a hundred times what reading them does, and meanwhile nothing else runs. In the others, only what is written plainly.
 */
const MOST_DECODED = 256 * 1024;

/** The same for texts of signs beyond ASCII, in which a secret may stand in other letters: these take ten times what reading does. */
const MOST_FOLDED = 2 * 1024 * 1024;

/** What looking through a text takes at least, and how much more one takes that holds a secret, in such characters. */
const [COST_OF_ONE, COST_OF_FINDING] = [8, 8];

/** Signs in which a secret may be written in another way. */
const CODED = /[%&\\]/;

/** The same, and those in which it may be hidden: what ASCII does not print, and `%`, `&`, `+` and the backslash. */
const HIDING = /[^\x20-$'-*,-[\]-~]/;

/** The same in a JSON: new lines stand between its texts, and in none. One class of signs takes half as long as two do. */
const HIDING_IN_JSON = /[^\x20-$'-*,-[\]-~\t\n\r]/g;

/** Names of ports and companies come in hundreds of answers: so many texts, and so long ones, are looked at once. */
const [MOST_KEPT, LONGEST_KEPT] = [1_000, 100];

/**
 * The JSON of an answer without the secrets that the service wrote into it: items, file names and lists to choose from
 * are made of it. An id stays as it is, and so does whatever holds a secret that could be an ordinary word or number:
 * masking it would change what the service says.
 *
 * @param text the JSON itself, which is looked through first
 */
export function secretFree(value: unknown, text: string, secrets: readonly string[]): unknown {
	const looked = lookedFor(secrets);
	if (looked === undefined) return value;
	const { certain, isPlain, mask, shortest } = looked;
	/** What backslashes write is written plainly in what was made of it. */
	const mayBePlain = isPlain(text) || text.includes('\\');
	if (!mayBePlain && hidesNone(text, looked)) return value;
	let left = MOST_DECODED;
	let leftToFold = MOST_FOLDED;
	const maskedText = (found: string): string => {
		if (!HIDING.test(found) && !(mayBePlain && isPlain(found))) return found;
		if (isUuid(found) && !certain.includes(found)) return found;
		if (found.length > LONGEST_READ || left <= 0 || leftToFold <= 0) {
			if (found.length < shortest) return found;
			return certain.reduce((rest, secret) => rest.replaceAll(secret, '***'), found);
		}
		const safe = mask(found);
		if (safe !== found) left -= found.length * COST_OF_FINDING;
		else if (CODED.test(found)) left -= found.length + COST_OF_ONE;
		else leftToFold -= found.length + COST_OF_ONE;
		return safe;
	};
	const names = new Map<string, string>();
	/** There are few names, and each comes with every row. */
	const maskedName = (name: string): string => {
		let safe = names.get(name);
		if (safe === undefined) names.set(name, (safe = maskedText(name)));
		return safe;
	};
	return masked(value, maskedText, maskedName);
}

/**
 * Whether no text of a JSON without backslashes holds a secret in another way of writing. Few of them have a sign in which
 * one may be written so: looking at these takes a tenth of what going through all that was made of it does.
 */
function hidesNone(json: string, { mask, harmless }: Looked): boolean {
	let left = MOST_DECODED;
	// A pattern: to go through it letter by letter takes three times as long where the text is kept beside V8's heap.
	HIDING_IN_JSON.lastIndex = 0;
	while (HIDING_IN_JSON.test(json)) {
		const index = HIDING_IN_JSON.lastIndex - 1;
		const start = json.lastIndexOf('"', index) + 1;
		const end = json.indexOf('"', index);
		if (end < 0) break;
		HIDING_IN_JSON.lastIndex = end;
		left -= end - start + COST_OF_ONE;
		if (left < 0) return false;
		const text = json.slice(start, end);
		if (text.length > LONGEST_READ || harmless.has(text)) continue;
		if (mask(text) !== text) return false;
		if (text.length <= LONGEST_KEPT && harmless.size < MOST_KEPT) harmless.add(copyOf(text));
	}
	return true;
}

/** A part of a text keeps all of it in memory. */
const copyOf = (text: string) => Buffer.from(text, 'utf16le').toString('utf16le');

/** Secrets that are certain, and how they are found. */
interface Looked {
	certain: readonly string[];
	isPlain: (text: string) => boolean;
	mask: (text: string) => string;
	/** The length of the shortest. */
	shortest: number;
	/** Texts that have signs in which one may be hidden, and hide none. */
	harmless: Set<string>;
}

/** By the list itself: hundreds of answers come with one list, and making this takes as long as a page does. */
const made = new WeakMap<readonly string[], Looked | undefined>();

function lookedFor(secrets: readonly string[]): Looked | undefined {
	if (made.has(secrets)) return made.get(secrets);
	const certain = secrets.filter(isCertain);
	const looked =
		certain.length === 0
			? undefined
			: {
					certain,
					isPlain: anyOf(certain.map((secret) => secret.slice(0, TELLING))),
					mask: maskOf(certain),
					shortest: Math.min(...certain.map(({ length }) => length)),
					harmless: new Set<string>(),
				};
	made.set(secrets, looked);
	return looked;
}

/** Long enough, and of two kinds of signs at least. */
function isCertain(secret: string): boolean {
	const kinds = [/\p{L}/u, /\p{N}/u, /[^\p{L}\p{N}]/u].filter((kind) => kind.test(secret));
	return secret.length >= 6 && kinds.length >= 2;
}

/** So much of a secret tells whether it may be there. A pattern of whole tokens can be larger than patterns may be. */
const TELLING = 60;

/** In place: it was parsed a moment ago, and may be large. Its depth is bounded before. */
function masked(
	value: unknown,
	maskedText: (text: string) => string,
	maskedName: (name: string) => string,
): unknown {
	if (typeof value === 'string') return maskedText(value);
	if (typeof value !== 'object' || value === null) return value;
	if (Array.isArray(value)) {
		for (let index = 0; index < value.length; index++) {
			const safe = masked(value[index], maskedText, maskedName);
			if (safe !== value[index]) value[index] = safe;
		}
		return value;
	}
	const fields = value as Record<string, unknown>;
	for (const name of Object.keys(fields)) {
		const field = fields[name];
		const safe = masked(field, maskedText, maskedName);
		const safeName = maskedName(name);
		if (safeName !== name) delete fields[name];
		if (safeName !== name || safe !== field) fields[safeName] = safe;
	}
	return value;
}
