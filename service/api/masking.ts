import { isUtf8 } from 'node:buffer';

/** A text beside what its characters mean: for each character of `letters`, where it stands in the source. */
interface Spelling {
	letters: string;
	from: number[];
	to: number[];
}

/** How often a service may have written a secret in one way around another: `%2526` is `%26` is `&`. */
const LAYERS = 4;

/**
 * The text with every secret in it as `***`, in whatever spelling: capitals, accents taken apart, signs nobody sees in
 * between, as percent signs, entities or backslashes write it. And without what looks like a token.
 *
 * A secret that could be a word is masked where it stands as a word: within others, as in `***word`, masking gives it away.
 */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
	return withoutKnownSecrets(text, secrets).replace(TOKEN, '***').replace(HEADER, headerMasked);
}

/** A secret that a text is cut in is not found any more. However it is written, it stands in so many characters at most. */
const LONGEST_SPELLING = { least: 2_000, eachCharacter: 14, most: 60_000 };

/**
 * The beginning of a text, without the secrets that stand in it whole or in part. What follows it is looked at as well, as
 * far as a secret reaches that begins in it: tokens may be longer than any sentence.
 *
 * @param most the longest beginning, in characters
 */
export function beginningWithoutSecrets(text: string, most: number, secrets: readonly string[]): string {
	const { least, eachCharacter, most: longest } = LONGEST_SPELLING;
	const reach = Math.min(longest, Math.max(least, ...secrets.map(({ length }) => length * eachCharacter)));
	const safe = withoutSecrets(text.slice(0, most + reach), secrets);
	return (text.length > most + reach ? safe.slice(0, -reach) : safe).slice(0, most);
}

/** The same for what is shown as it came: what merely looks like a token stays. */
export function withoutKnownSecrets(text: string, secrets: readonly string[]): string {
	return maskOf(secrets)(text);
}

/** The same for many texts: what is known of the secrets is made once. */
export function maskOf(secrets: readonly string[]): (text: string) => string {
	const forms = secrets.flatMap(formsOf);
	const plainForms = forms.map(plainForm);
	return (text) => (holdsAny(text, plainForms) ? maskedBy(text, forms) : text);
}

/** Whether one of the forms may be in it: most texts hold none, and where each letter came from is not asked then. */
function holdsAny(text: string, plainForms: readonly string[]): boolean {
	let letters = text;
	for (let layer = 0; layer < LAYERS; layer++) {
		const plain = plainText(letters);
		if (plainForms.some((form) => plain.includes(form))) return true;
		if (!MAY_BE_CODED.test(letters)) return false;
		const inside = letters.replace(CODED, (...match) => meaningOf(match as string[]) ?? (match[0] as string));
		if (inside === letters) return false;
		letters = inside;
	}
	return false;
}

function maskedBy(text: string, forms: readonly string[]): string {
	const masked = new Uint8Array(text.length);
	let spelling = asWritten(text);
	for (let layer = 0; layer < LAYERS; layer++) {
		const plain = folded(spelling);
		for (const form of forms) mask(masked, plain, form);
		const inside = decoded(spelling);
		if (inside === undefined) break;
		spelling = inside;
	}
	return withMask(text, masked);
}

/** A secret, and what becomes of it where all is decoded: one that holds `%41` or `\n` itself looks like a coded one. */
function formsOf(secret: string): string[] {
	const forms = [secret];
	let form = decoded(asWritten(secret))?.letters;
	// A shorter one would be found within ordinary sentences.
	while (form !== undefined && form.length >= 4 && forms.length < LAYERS) {
		forms.push(form);
		form = decoded(asWritten(form))?.letters;
	}
	return forms;
}

function asWritten(text: string): Spelling {
	const from = Array.from(text, () => 0);
	from.length = text.length;
	for (let index = 0; index < text.length; index++) from[index] = index;
	return { letters: text, from, to: from.map((index) => index + 1) };
}

/** Each character as it is compared; the signs that nobody sees are gone. */
function folded({ letters, from, to }: Spelling): Spelling {
	const plain: Spelling = { letters: '', from: [], to: [] };
	for (let index = 0; index < letters.length;) {
		const character = String.fromCodePoint(letters.codePointAt(index) ?? 0);
		const last = index + character.length - 1;
		add(plain, plainForm(character), from[index] ?? 0, to[last] ?? 0);
		index += character.length;
	}
	return plain;
}

/** The letters that {@link folded} gives, at the pace of what is written plainly. */
function plainText(text: string): string {
	return IS_FOREIGN.test(text) ? plainForm(text) : text.toLowerCase().replace(/[\s+]/g, ' ');
}

/** What is not only small letters and blanks when it is compared: letters beyond ASCII, and control characters. */
const IS_FOREIGN = /[^\t-\r -~]/;

/** Signs nobody sees: the zeros of UTF-16 that is not called so are among them. */
const UNSEEN = /[\p{Cf}\p{Default_Ignorable_Code_Point}]|(?![\t-\r])\p{Cc}/gu;

function plainForm(text: string): string {
	return (
		text
			.normalize('NFD')
			// Both ways: `ß` and `SS` are one in capitals only, and `ẞ` is another capital.
			.toLowerCase()
			.toUpperCase()
			.toLowerCase()
			// At the end of a word alone, and letters are looked at one by one, too.
			.replaceAll('ς', 'σ')
			.replace(UNSEEN, '')
			.replace(/[\s+]/g, ' ')
	);
}

function add(spelling: Spelling, letters: string, from: number, to: number): void {
	spelling.letters += letters;
	for (let count = letters.length; count > 0; count--) {
		spelling.from.push(from);
		spelling.to.push(to);
	}
}

const MAY_BE_CODED = /[&%\\]/;

const CODED =
	/&(?:#0{0,4}(\d{1,7})|#x0{0,4}([0-9a-f]{1,6})|([a-z]{2,7}));?|((?:%[0-9a-f]{2})+)|((?:\\[0-3][0-7]{2})+)|[\\%]u(?:([0-9a-f]{4})|\{([0-9a-f]{1,6})\})|\\(?:x([0-9a-f]{2})|([^ux]))/gi;

/** As HTML calls the signs of a keyboard. */
const NAMED: Record<string, string> = {
	...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' },
	...{ excl: '!', num: '#', dollar: '$', percnt: '%' },
	...{ lpar: '(', rpar: ')', ast: '*', plus: '+', comma: ',', period: '.', sol: '/', colon: ':', semi: ';' },
	...{ equals: '=', quest: '?', commat: '@', lsqb: '[', lbrack: '[', bsol: '\\', rsqb: ']', rbrack: ']' },
	...{ hat: '^', lowbar: '_', grave: '`', lcub: '{', lbrace: '{', verbar: '|', vert: '|', rcub: '}' },
	...{ rbrace: '}', szlig: 'ß', aelig: 'æ', oslash: 'ø', sect: '§', euro: '€', pound: '£', deg: '°' },
};

/** And letters with a mark, `&Auml;`: apart, as they are compared. */
const MARKED = /^([a-z])(grave|acute|circ|tilde|uml|ring|cedil|caron)$/;

const MARKS: Record<string, string> = {
	...{ grave: '\u0300', acute: '\u0301', circ: '\u0302', tilde: '\u0303', uml: '\u0308', ring: '\u030a' },
	...{ cedil: '\u0327', caron: '\u030c' },
};

/** What a text means that is written in percent signs, entities or backslashes; undefined when it holds none. */
function decoded({ letters, from, to }: Spelling): Spelling | undefined {
	const inside: Spelling = { letters: '', from: [], to: [] };
	let next = 0;
	const asItIs = (end: number) => {
		for (; next < end; next++) add(inside, letters[next] ?? '', from[next] ?? 0, to[next] ?? 0);
	};
	for (const match of letters.matchAll(CODED)) {
		const meant = meaningOf(match);
		if (meant === undefined) continue;
		asItIs(match.index);
		next = match.index + match[0].length;
		add(inside, meant, from[match.index] ?? 0, to[next - 1] ?? 0);
	}
	if (next === 0) return undefined;
	asItIs(letters.length);
	return inside;
}

function meaningOf(match: readonly string[]): string | undefined {
	const [, decimal, hex, name, percent, octal, long, braced, short, escaped] = match;
	if (name !== undefined) return named(name.toLowerCase());
	if (percent !== undefined) return textOf(Buffer.from(percent.replaceAll('%', ''), 'hex'));
	if (octal !== undefined) {
		const bytes = octal.slice(1).split('\\');
		return textOf(Buffer.from(bytes.map((byte) => parseInt(byte, 8))));
	}
	if (escaped !== undefined) return /[nrtbf]/.test(escaped) ? ' ' : escaped;
	const code = decimal === undefined ? parseInt(hex ?? long ?? braced ?? short ?? '', 16) : Number(decimal);
	return code <= 0x10ffff ? String.fromCodePoint(code) : undefined;
}

function named(name: string): string | undefined {
	const [, letter, mark = ''] = MARKED.exec(name) ?? [];
	return letter === undefined ? NAMED[name] : letter + MARKS[mark];
}

function textOf(bytes: Buffer): string {
	return bytes.toString(isUtf8(bytes) ? 'utf8' : 'latin1');
}

function mask(masked: Uint8Array, { letters, from, to }: Spelling, secret: string): void {
	const wanted = plainForm(secret);
	if (wanted.trim() === '') return;
	const isWord = wanted.length < 4 || /^[\p{L}\p{M}]+$/u.test(wanted);
	for (let at = letters.indexOf(wanted); at >= 0; at = letters.indexOf(wanted, at + 1)) {
		const end = at + wanted.length;
		if (isWord && (isInWord(letters[at - 1]) || isInWord(letters[end]))) continue;
		masked.fill(1, from[at], to[end - 1]);
	}
}

function isInWord(character: string | undefined): boolean {
	return character !== undefined && /[\p{L}\p{N}\p{M}]/u.test(character);
}

function withMask(text: string, masked: Uint8Array): string {
	let safe = '';
	for (let index = 0; index < text.length; index++) {
		if (masked[index] === 0) safe += text[index];
		else if (masked[index - 1] !== 1) safe += '***';
	}
	return safe;
}

/** A token in the signed form. Without a bound, a text of nothing but beginnings would cost the square of its length. */
const TOKEN = /\beyJ[\w-]{5,4000}(?:\.[\w-]*){1,4}/g;

/** What stands behind the name of a login style; "Basic authentication" is a sentence, and stays. */
const HEADER = /\b(Bearer|Basic)(\s+)([\w.~+/=-]{8,})/gi;

function headerMasked(whole: string, scheme: string, _blank: string, rest: string): string {
	const isSentence = /^[a-z]?[a-z_-]+[.]?$/i.test(rest) && !/[a-z][A-Z]/.test(rest) && !/[A-Z]{2}/.test(rest);
	return isSentence ? whole : `${scheme} ***`;
}
