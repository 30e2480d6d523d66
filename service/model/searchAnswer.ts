import { z } from 'zod';
import { SetResult } from './set';

const count = z.int().nonnegative();

/**
 * The answer of a set search (the service's interface, section 2.5). Strict about how many sets match and about the sets;
 * where the page starts is checked where it is said. `count` is not relied on: the sets themselves are counted; nor is `limit`.
 */
export const SearchAnswer = z.looseObject({
	data: z.looseObject({
		offset: count.nullish(),
		total: count,
		results: z.array(SetResult).nullish(),
	}),
});
export type SearchAnswer = z.infer<typeof SearchAnswer>;
