import type { Clock } from '../surroundings';

/** Workflows that a person publishes together are started by their host one after another, a moment apart. */
const PUBLISHING_MS = 1_500;

/** A host that starts brings its workflows up one by one, each with work of its own in between. */
const STARTING_MS = 5_000;

const LONGEST_MS = 60_000;

/**
 * Waits until nobody has joined for a while: what the first subscriber takes before the last is there must be kept for it,
 * and that has its bounds.
 */
export class Quiet {
	private firstJoin: number | undefined;
	private quietMs = PUBLISHING_MS;
	private cancelTimer = () => {};
	private passed = false;

	constructor(
		private readonly clock: Clock,
		/** Called once. */
		private readonly onOver: () => void,
	) {}

	get over(): boolean {
		return this.passed;
	}

	/**
	 * Somebody joined: the wait begins, or begins anew.
	 * @param patient the host is starting: from now on the longer wait
	 */
	joined(patient: boolean): void {
		const now = this.clock.now();
		this.firstJoin ??= now;
		if (patient) this.quietMs = STARTING_MS;
		this.cancel();
		const waitMs = Math.min(this.quietMs, this.firstJoin + LONGEST_MS - now);
		this.cancelTimer = this.clock.after(Math.max(0, waitMs), () => {
			this.passed = true;
			this.onOver();
		});
	}

	/** Nobody is there any more. */
	cancel(): void {
		this.cancelTimer();
	}
}
