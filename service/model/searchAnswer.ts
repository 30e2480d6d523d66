import * as z from 'zod';

const count = z.int().nonnegative();

/**
 * The answer of a set search (the service's interface, section 2.5). Strict about how many sets match; the rows are looked
 * at one by one, by who needs them, and where the page starts is checked where it is said. `limit` is not relied on, nor
 * is `count`, but where it speaks of more rows than came.
 */
export const SearchAnswer = z.looseObject({
	data: z.looseObject({
		offset: count.nullish(),
		total: count,
		// Not looked into here: a schema would look at each of what may be a million.
		results: z.custom<unknown[]>(Array.isArray).nullish(),
	}),
});
export type SearchAnswer = z.infer<typeof SearchAnswer>;
