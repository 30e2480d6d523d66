import type { History } from '../history/history';

/** Histories that broke a law once, by name. */
export const EXAMPLES: Readonly<Record<string, History>> = {};
