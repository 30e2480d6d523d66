/** Words that a text is to hold and does not, with the file to mend: a test that compares them to none shows them, and not the whole page. */
export function unsaid(file: string, text: string, words: string): string[] {
	return text.includes(words) ? [] : [`${file} does not say: ${words}`];
}
