/**
 * A text as two spellings of one name are compared: without regard to capitals, to how accents are composed, to width, to
 * invisible characters and to the number of blanks. `İSTANBUL`, `Istanbul` and `istanbul` are one.
 */
export function folded(text: string): string {
	return (
		text
			.normalize('NFKD')
			.replace(/\p{Default_Ignorable_Code_Point}/gu, '')
			// Both ways, since `ß` and `SS`, `ς` and `Σ` are one in capitals only.
			.toUpperCase()
			.toLowerCase()
			.normalize('NFKD')
			// What is left of the Turkish İ, a letter of its own, once it is small.
			.replaceAll('i\u0307', 'i')
			.replaceAll('ς', 'σ')
			.replace(/\s+/gu, ' ')
			.trim()
			.normalize('NFC')
	);
}
