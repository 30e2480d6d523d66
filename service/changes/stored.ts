import * as z from 'zod';
import { Progress } from './progress';

/** What a look asked for, as fingerprints: the filters as they were typed, and what was sent of them and compared here. */
export const Asked = z.object({
	typed: z.string(),
	sent: z.string(),
	/** Not there where an earlier version stored it. */
	compared: z.string().optional(),
	byExpression: z.boolean(),
});
export type Asked = z.infer<typeof Asked>;

/** What is stored with the workflow between two looks. */
export const Stored = z.object({
	version: z.literal(5),
	/** Whose sets these are: an account and what it is asked for. Another one begins anew. */
	scope: z.string(),
	/** When the look came to an end, in milliseconds since 1970: of two memories, also of two processes, the later one counts. */
	at: z.int().nonnegative(),
	sets: z.string(),
	progress: Progress,
	asked: Asked.optional(),
	/** The time to begin with as it was typed, as a fingerprint, where there is one. */
	since: z.string().optional(),
	/** Sets that were looked at with other filters and the same time to begin with. */
	before: z.string().optional(),
	told: z.array(z.object({ run: z.string(), sets: z.array(z.number()), pending: z.boolean().optional() })),
	/** What changed lately, as `Lately` gives it. */
	lately: z.array(z.array(z.number())).default([]),
	/** Whose older states are not believed yet, as `Doubts` gives them. */
	doubted: z.array(z.array(z.number())).default([]),
});
export type Stored = z.infer<typeof Stored>;

/** What was stored in this scope; undefined for what cannot be read: it may have been edited. */
export function storedIn(data: unknown, scope: string): Stored | undefined {
	const stored = Stored.safeParse(data);
	return stored.success && stored.data.scope === scope ? stored.data : undefined;
}

/** What the look before asked for, whatever else is stored. */
export function askedIn(data: { asked?: unknown }): Asked | undefined {
	return Asked.safeParse(data.asked).data;
}

/** n8n hands out what it stored, which is older after looks that started nothing. */
export function newest<Kept extends { at: number }>(one?: Kept, other?: Kept): Kept | undefined {
	if (!one || !other) return one ?? other;
	return other.at > one.at ? other : one;
}
