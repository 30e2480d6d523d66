/** Characters of a text that are compared. No name is longer, and one sign may stand for eighteen letters. */
const MOST_COMPARED = 4_000;

/** Each sign taken apart; of a longer text its beginning, and its length, by which it is like no other. */
function takenApart(text: string): string {
	const whole = text.slice(0, MOST_COMPARED).normalize('NFKD');
	if (text.length <= MOST_COMPARED && whole.length <= MOST_COMPARED) return whole;
	return `${whole.slice(0, MOST_COMPARED)}\u2026${text.length}`;
}

/** Most texts, of which tables have thousands: nothing but capitals can differ. */
const PLAIN = /^[!-~]+(?: [!-~]+)*$/;

/**
 * A text as two spellings of one name are compared: without regard to capitals, to how accents are composed, to width, to
 * invisible characters and to the number of blanks. `İSTANBUL`, `Istanbul` and `istanbul` are one.
 */
export function folded(text: string): string {
	if (text.length <= MOST_COMPARED && PLAIN.test(text)) return text.toLowerCase();
	return (
		takenApart(text)
			.replace(/\p{Default_Ignorable_Code_Point}/gu, '')
			// Both ways, since `ß` and `SS`, `ς` and `Σ` are one in capitals only, and `ẞ` is another capital.
			.toLowerCase()
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
