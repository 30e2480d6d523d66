import { beginningWithoutSecrets, withoutSecrets } from './masking';

/** The longest sentence of the service that we repeat, in characters. */
const LONGEST = 200;

/** How much of an answer is looked at, in characters. */
const LONGEST_LOOKED_AT = 64 * 1024;

/** How much of a sentence in it. */
const LONGEST_READ = 4_000;

const FIELDS = ['errorMessage', 'message', 'error', 'detail', 'error_description'];

/**
 * What the service said in an error body, as one line of at most 200 characters: its `errorMessage` or `message`, the
 * title of an HTML page, or the text as it is; an empty text when there is nothing to repeat. Control characters are
 * taken out, and so are the secrets and whatever looks like a token.
 */
export function whatWasSaid(body: string, secrets: readonly string[]): string {
	const text = body
		.slice(0, LONGEST_LOOKED_AT)
		.trim()
		.replace(/^\uFEFF/, '');
	const said = fromJson(text) ?? fromHtml(text) ?? text;
	// Before and after the cleaning: it may take apart a secret, or put a token together.
	const safe = beginningWithoutSecrets(said, LONGEST_READ, secrets);
	return shortened(withoutSecrets(oneLine(safe), secrets));
}

function fromJson(text: string): string | undefined {
	if (!/^[[{"]/.test(text)) return undefined;
	try {
		const value: unknown = JSON.parse(text);
		return typeof value === 'string' ? value : sentenceIn(value);
	} catch {
		// Cut by our bound, or no JSON after all: one of the fields may still be there.
		const field = /"(?:errorMessage|message)"\s*:\s*("(?:[^"\\]|\\.)*")/.exec(text);
		return field?.[1] === undefined ? undefined : unquoted(field[1]);
	}
}

function unquoted(quoted: string): string {
	try {
		return String(JSON.parse(quoted));
	} catch {
		return quoted.slice(1, -1);
	}
}

/** The first telling field of an error body; services of this kind send `errorMessage` or `message`. */
export function sentenceIn(value: unknown): string | undefined {
	if (typeof value !== 'object' || value === null) return undefined;
	for (const field of FIELDS) {
		const said = (value as Record<string, unknown>)[field];
		if (typeof said === 'string' && said.trim() !== '') return said;
		if (typeof said === 'object' && said !== null) {
			const inner = (said as Record<string, unknown>).message;
			if (typeof inner === 'string' && inner.trim() !== '') return inner;
		}
	}
	return undefined;
}

/** Whether that is a web page: where data belong, one to log in, or one of a service that is being mended. */
export function isWebPage(text: string): boolean {
	return /^[\s\uFEFF]*(?:<\?xml[^>]{0,200}>\s*)?(?:<!--[^>]{0,1000}>\s*)?<(?:!doctype|html|head|body|title|h1)\b/i.test(
		text.slice(0, LONGEST_READ),
	);
}

function fromHtml(text: string): string | undefined {
	if (!isWebPage(text)) return undefined;
	const heading = textOfElement(text, /<title[\s>]/i) || textOfElement(text, /<h1[\s>]/i);
	return heading?.trim() ? withoutEntities(heading) : 'a web page';
}

/** What stands between a tag and the next one. By the first tag alone: looking on from each would cost the page's length each time. */
function textOfElement(html: string, tag: RegExp): string | undefined {
	const start = html.search(tag);
	const opened = start < 0 ? -1 : html.indexOf('>', start);
	const end = opened < 0 ? -1 : html.indexOf('<', opened);
	return end < 0 ? undefined : html.slice(opened + 1, end);
}

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

const ENTITY = /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{1,10}));/gi;

function withoutEntities(text: string): string {
	return text.replace(ENTITY, (whole, decimal, hex, name) => {
		if (name) return ENTITIES[String(name).toLowerCase()] ?? whole;
		const code = decimal ? Number(decimal) : parseInt(hex, 16);
		return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
	});
}

/** Control characters and the marks that turn the direction of writing: neither belongs into a log line. */
function oneLine(text: string): string {
	return text
		.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, ' ')
		.replace(/\s+/g, ' ')
		.trim();
}

function shortened(text: string): string {
	const letters = [...text];
	return letters.length > LONGEST ? `${letters.slice(0, LONGEST - 1).join('')}…` : text;
}
