/**
 * Maps values with an asynchronous function, several side by side, and gives the results in the order of the values.
 * The next value is taken when there is room, so a reader that stops stops the work as well.
 *
 * @param width how many are under way or waiting to be read at once: asked before each is taken, and at least one
 */
export async function* inOrder<V, R>(
	values: Iterable<V>,
	width: () => number,
	work: (value: V) => Promise<R>,
): AsyncGenerator<R> {
	const waiting: Promise<R>[] = [];
	const iterator = values[Symbol.iterator]();
	const fill = () => {
		while (waiting.length < width()) {
			const next = iterator.next();
			if (next.done) return;
			const result = work(next.value);
			// Seen when its turn comes; when it never comes, a failure must not end the process.
			result.catch(() => undefined);
			waiting.push(result);
		}
	};
	for (fill(); waiting.length > 0; fill()) {
		yield (await waiting.shift()) as R;
	}
}
