interface BackoffLimits {
	/** The longest wait after the first failure, in milliseconds. */
	lowMs: number;
	/** The longest wait ever, in milliseconds. */
	highMs: number;
}

/**
 * Milliseconds to wait after failed try number `tried` (1, 2, …): exponential with full jitter,
 * so that many clients cut off by one outage do not come back in step.
 *
 * | tried | lowMs 1000, highMs 30000 |
 * |---|---|
 * | 1 | 0 … 1 s |
 * | 2 | 0 … 2 s |
 * | 5 | 0 … 16 s |
 * | 6 and on | 0 … 30 s |
 *
 * @param random 0 ≤ random() < 1
 */
export function backoffMs(tried: number, { lowMs, highMs }: BackoffLimits, random = Math.random): number {
	const ceiling = Math.min(highMs, lowMs * 2 ** Math.min(tried - 1, 30));
	return Math.round(random() * ceiling);
}
