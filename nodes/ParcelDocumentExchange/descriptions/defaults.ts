/** What the panel shows and the code goes by where nothing is filled in, said once. */

/** A whole number: its bounds, and what it is where nothing is filled in. */
export interface WholeNumber {
	least: number;
	most: number;
	missing: number;
}

/** Items of a list. */
export const LIMIT: WholeNumber = { least: 1, most: Number.MAX_SAFE_INTEGER, missing: 50 };

/** Seconds that the service may be silent. */
export const TIMEOUT: WholeNumber = { least: 1, most: 3600, missing: 60 };

/** PDFs at the same time. */
export const PARALLEL_DOWNLOADS: WholeNumber = { least: 1, most: 32, missing: 8 };

/** Sets of one page of a search. */
export const PAGE_SIZE: WholeNumber = { least: 1, most: 1000, missing: 100 };

/** Seconds to wait for what is asked for by its id: it is there, or it is not. */
export const WAIT_FOR_ONE: WholeNumber = { least: 0, most: 3600, missing: 0 };

/** Seconds to wait behind an event: it can come before the set and its PDFs. */
export const WAIT_BEHIND_EVENT: WholeNumber = { ...WAIT_FOR_ONE, missing: 60 };

/** Seconds that a model waits there: its client gives up after a minute (MCP's own default), and it would not be told why. */
export const WAIT_OF_MODEL: WholeNumber = { ...WAIT_FOR_ONE, missing: 20 };

/** Runs of one event that keeps failing. */
export const ATTEMPTS: WholeNumber = { least: 1, most: 20, missing: 5 };

/** Events that one run gets. */
export const BATCH_SIZE: WholeNumber = { least: 1, most: 500, missing: 1 };

/** Seconds to wait for a batch to fill. */
export const BATCH_WAIT: WholeNumber = { least: 0, most: 600, missing: 2 };

/** Runs of one workflow side by side. */
export const PARALLEL_RUNS: WholeNumber = { least: 1, most: 100, missing: 5 };

export const PAGING = 'auto';

export const TIME_ZONE = 'UTC';

/** The field of an item that a file goes into. */
export const BINARY_FIELD = 'data';

/** What a file is called where no more is known than ids. */
export const FILE_NAME_OF_ONE = '{documentId}.pdf';

export const FILE_NAME_OF_SET = '{billOfLadingDate} {parcelRef} {name}.pdf';
