/**
 * What the trigger is known to break today. An entry that turns green fails the tests until it is taken out of here, so
 * that this only grows shorter.
 */
export const KNOWN = {
	/** Names of {@link EXAMPLES}. */
	examples: [] as readonly string[],
	/**
	 * Histories of the fixed seeds. 20,261,122: what was given back while a workflow waits, and expires then (`messageTtlMs`),
	 * stands in no log.
	 */
	seeds: [20_261_122] as readonly number[],
};
