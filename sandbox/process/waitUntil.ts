import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Asks again and again until the answer is neither `undefined` nor `false`, and returns it.
 * @param what names the awaited thing in the error, such as "the queue is empty"
 * @throws Error after `deadlineMs`; an error of `ask` itself ends the wait at once
 */
export async function waitUntil<T>(
	what: string,
	ask: () => T | undefined | false | Promise<T | undefined | false>,
	{ deadlineMs = 15_000, everyMs = 50 } = {},
): Promise<T> {
	// By a time that nobody sets: a machine whose clock jumps has not waited.
	const end = performance.now() + deadlineMs;
	for (;;) {
		const answer = await ask();
		if (answer !== undefined && answer !== false) return answer;
		if (performance.now() > end) throw new Error(`Waited ${deadlineMs / 1000} s in vain: ${what}`);
		await sleep(everyMs);
	}
}
