/**
 * The canonical form of a status or an action: trimmed, upper case, every run of characters that are neither letters
 * nor digits as one `_`. The service spells one value in several ways (its interface, part 3: `Signed` beside `ISSUED`;
 * searches answer in lower case), so values are compared in this form only.
 */
export function canonicalWord(text: string): string {
	return text
		.trim()
		.toUpperCase()
		.replace(/[^\p{L}\p{N}]+/gu, '_');
}
