import type * as z from 'zod';
import { SetMemory } from './setMemory';
import { Stored } from './stored';

const Earlier = Stored.pick({ at: true, sets: true, told: true, since: true, before: true });
/** What was stored in any scope, by any version that stored so much. */
export type Earlier = z.infer<typeof Earlier>;

/** Undefined where nothing of the kind is stored. */
export function earlierIn(data: unknown): Earlier | undefined {
	return Earlier.safeParse(data).data;
}

/** Sets of before that are remembered, in 210 kB of text: the newest ones, … */
const MOST_SETS = 20_000;
/** … and those of them that are looked through. */
const MOST_EARLIER = 150_000;

/**
 * The sets that were looked at with other filters, of those that changed since the time to begin with. As they were then,
 * they start no run: who changes a filter and leaves the time in place would start them all a second time.
 *
 * @param since in milliseconds since 1970
 * @param now the same
 */
export function setsBefore({ sets, before }: Earlier, since: number, now: number): SetMemory {
	const known = new SetMemory(MOST_SETS);
	for (const text of [sets, before]) {
		const memory = SetMemory.unpacked(text, MOST_EARLIER);
		if (memory) known.takeOver(memory, since, now);
	}
	return known;
}
