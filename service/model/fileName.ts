/** Characters in a name, extension included: leaves room for a folder within the 260 of a Windows path. */
const LONGEST = 150;

/** What is looked at of a name, in characters: much of it may be invisible. */
const LONGEST_LOOKED_AT = 4_000;

/** Bytes in UTF-8: Linux and most network drives stop at 255, and one character can take four. */
const LONGEST_BYTES = 240;

/** Not allowed on a Windows drive, or a folder separator somewhere. */
const FORBIDDEN = /[<>:"/\\|?*]/g;

/** Control characters, marks that reorder text (so that `exe.pdf` reads `fdp.exe`), invisible ones, broken surrogates. */
const INVISIBLE = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** Device names of Windows, with whatever extension. */
const RESERVED = /^(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9¹²³])\s*(\.|$)/i;

/**
 * The name made safe for any drive: Windows, macOS, Linux, and the web drives built on them. Never empty, never a path,
 * at most 150 characters; what had to go becomes `_`.
 *
 * @param extension with its dot, always at the end of the answer
 */
export function safeFileName(name: string, extension: string): string {
	let stem = name
		.slice(0, LONGEST_LOOKED_AT)
		// The byte order mark counts as a blank for JavaScript, and shows as nothing.
		.replace(/[^\S\uFEFF]+/g, ' ')
		.replace(INVISIBLE, '')
		// When nothing stands between a letter and its accent any more.
		.normalize('NFC')
		.replace(FORBIDDEN, '_');
	if (stem.toLowerCase().endsWith(extension.toLowerCase())) stem = stem.slice(0, -extension.length);
	// Web drives hide `~$` files and refuse `_vti_`; a leading dot hides a file on Unix.
	// `..` alone, which is a folder and no name, goes with it.
	stem = stem.replace(/^[\s.~]+/, '').replace(/_vti_/gi, '_vti-');
	if (RESERVED.test(stem)) stem = `_${stem}`;
	stem = shortened(stem, LONGEST - extension.length, LONGEST_BYTES - extension.length);
	return `${stem || 'document'}${extension}`;
}

/** Without the blanks and dots at its end. From behind: a pattern would look on from each of them. */
function withoutEnding(text: string): string {
	let end = text.length;
	while (/[\s.]/.test(text.charAt(end - 1))) end--;
	return text.slice(0, end);
}

/** Cut between characters as a reader sees them, and without the blanks and dots Windows drops from an end. */
function shortened(stem: string, longest: number, longestBytes: number): string {
	// Most names fit as they are, and taking one apart costs more than all the rest.
	if (stem.length <= longest && Buffer.byteLength(stem) <= longestBytes) return withoutEnding(stem);
	let kept = '';
	let bytes = 0;
	for (const { segment } of new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(
		stem.slice(0, longest * 2),
	)) {
		bytes += Buffer.byteLength(segment);
		if (kept.length + segment.length > longest || bytes > longestBytes) break;
		kept += segment;
	}
	return withoutEnding(kept);
}

/** How much of an id stands behind a name that would be shared: mostly enough among the documents of one set. */
const ID_LENGTH = 8;

/** The safe name with an id behind it, or its beginning, still within what a drive takes. */
export function withIdBehind(name: string, id: string, extension: string, length = ID_LENGTH): string {
	const suffix = ` ${id.trim().slice(0, length).toLowerCase()}`;
	const room = extension.length + suffix.length;
	const stem = shortened(name.slice(0, -extension.length), LONGEST - room, LONGEST_BYTES - room);
	return safeFileName(`${stem}${suffix}`, extension);
}

/** Room for the number behind a name that is taken: ` (99999)`. */
const NUMBER_ROOM = 8;

/** Hands out names so that no two are alike, also for drives that ignore case: `a.pdf`, `A (2).pdf`. */
export class FileNames {
	private readonly taken = new Set<string>();
	/** The number to try next, by what is left of a name before its number: a name wanted a thousand times is not a million tries. */
	private readonly next = new Map<string, number>();

	/** @param name a safe one, of {@link safeFileName} */
	claim(name: string, extension: string): string {
		let unique = name;
		if (this.taken.has(fileNameKey(name))) {
			const stem = name.slice(0, -extension.length);
			const cut = (room: number) =>
				shortened(stem, LONGEST - extension.length - room, LONGEST_BYTES - extension.length - room);
			const key = fileNameKey(cut(NUMBER_ROOM));
			let number = this.next.get(key) ?? 2;
			do {
				const suffix = ` (${number++})`;
				unique = `${cut(suffix.length)}${suffix}${extension}`;
			} while (this.taken.has(fileNameKey(unique)));
			this.next.set(key, number);
		}
		this.taken.add(fileNameKey(unique));
		return unique;
	}
}

/** What tells two names apart on any drive. Both ways, since `ß` and `SS` are one name in capitals only, and `ẞ` and `ß` in small letters. Accents are composed already: safe names are. */
export function fileNameKey(name: string): string {
	return name.toLowerCase().toUpperCase().toLowerCase();
}
