/**
 * What the trigger is known to break today. An entry that turns green fails the tests until it is taken out of here, so
 * that this only grows shorter.
 */
export const KNOWN = {
	/** Names of {@link EXAMPLES}. */
	examples: [] as readonly string[],
	/**
	 * Histories of the fixed seeds. 20,261,122: what has failed in a process that is killed, and expires on the queue at that
	 * moment (`messageTtlMs`), stands in n8n's list of runs and in no log: nobody was left to write it.
	 */
	seeds: [20_261_122] as readonly number[],
};
