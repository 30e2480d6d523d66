import { z } from 'zod/v4';
import { SetResult } from './set';

const count = z.int().nonnegative();

/**
 * The answer of a set search (the service's interface, section 2.5). Strict about what paging stands on: where the
 * page starts, how many sets match, the sets. `limit` and `count` are not relied on: the sets themselves are counted.
 */
export const SearchAnswer = z.looseObject({
	data: z.looseObject({ offset: count, total: count, results: z.array(SetResult) }),
});
export type SearchAnswer = z.infer<typeof SearchAnswer>;
