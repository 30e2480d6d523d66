/** What was broken, as a sentence, and what it is about. */
export interface Violation {
	law: string;
	/** A sentence for a person. */
	says: string;
	/** The event whose life tells the story. */
	event?: number;
	workflow?: string;
	/** When it was seen, in milliseconds from the beginning. */
	at?: number;
}
