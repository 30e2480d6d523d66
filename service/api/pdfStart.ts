import { isAscii, isUtf8 } from 'node:buffer';
import { withoutHalfLetter } from './body';

/** How a PDF begins: with its version. */
const HEADER = /%PDF-\d/g;

/** Readers of PDF files look for the header in the first so many bytes: some begin with a line break or a few bytes more. */
const HEADER_WITHIN = 1024;

/** How a packed file or an archive begins (gzip, ZIP, 7z, RAR, ar, cpio), and what stands in the head of a TAR file. It may hold several. */
const PACKED = ['\x1f\x8b', 'PK\x03\x04', '7z\xbc\xaf', 'Rar!', '!<arch>', '0707'];
const [TAR, TAR_AT] = ['ustar', 257];

/** JSON, a web page, or a mail: something else, which speaks of a PDF or holds one or several. */
const SOMETHING_ELSE = /^[\s\u00ef\u00bb\u00bf]*([{["]|<(\?|!|html|head|body|title|pre)|--\S)|[\r\n]--\S/i;

/** The header, comments behind it, and then something else: where the making of a PDF fails, what says so may follow its beginning. */
const BROKEN_OFF = /^%PDF-[\d.]+\s*(%[^\r\n]*[\r\n]\s*)*([{[]|<(\?|!|html|head|body))/i;

/** So many bytes behind the header tell a file from words. */
const TELLING_BYTES = 256;

/** Readers of PDF files look for the end-of-file mark in the last so many bytes, and so do we. */
export const TAIL_BYTES = 1024;

/**
 * Whether that is the beginning of a PDF, or all of it. A page or an error that speaks of PDFs is none. What a script of
 * the service complains of in front of one, or a byte order mark, changes nothing: it goes with the file as it came.
 */
export function isPdf(start: Buffer): boolean {
	const text = start.toString('latin1', 0, HEADER_WITHIN + 1);
	if (PACKED.some((sign) => text.startsWith(sign)) || text.startsWith(TAR, TAR_AT)) return false;
	return [...text.matchAll(HEADER)].some(({ index }) => {
		const front = text.slice(0, index);
		if (SOMETHING_ELSE.test(front) || BROKEN_OFF.test(text.slice(index))) return false;
		return !/[\x21-\x7e]/.test(front) || goesOn(start, index);
	});
}

/** Whether behind a header that follows words there is more than words: bytes that are no text, an object, or the end of a PDF. */
function goesOn(start: Buffer, at: number): boolean {
	const head = /^%PDF-\d\.\d[ \t]*[\r\n]/.exec(start.toString('latin1', at, at + TELLING_BYTES))?.[0];
	if (head === undefined) return false;
	const from = at + head.length;
	// A letter of several bytes may be cut at the end.
	const next = start.toString('utf8', from, from + TELLING_BYTES).slice(0, -1);
	if (/\ufffd|[^\P{Cc}\s]/u.test(next) || /\b\d+ \d+ obj\b/.test(next)) return true;
	return /[\r\n]%%EOF\s*$/.test(start.subarray(-TAIL_BYTES).toString('latin1'));
}

/** What becomes of bytes that were taken for text, in one alphabet or another. No text has it, and packed pages have nothing else. */
const OF_NO_TEXT = /[\ufffd\x80-\x9f]/g;

/** One letter in so many. */
const MANY = 100;

/**
 * Whether the bytes of a PDF were taken for text on the way, and written anew: its pages are lost, though it begins and
 * ends as before. Packed pages are no UTF-8 otherwise.
 */
export function wasTakenForText(start: Buffer): boolean {
	const whole = withoutHalfLetter(start);
	if (isAscii(whole) || !isUtf8(whole)) return false;
	const text = whole.toString('utf8');
	const count = text.length - text.replace(OF_NO_TEXT, '').length;
	return count * MANY > text.length;
}
