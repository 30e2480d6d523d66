import type { Bounds } from './bounds';
import type { WaitCause } from './contract';
import type { Entry } from './entry';

/** The state of a lane whose workflow is in bad times: it tries a few events now and then, and starts nothing else. */
export interface Wait {
	cause: WaitCause;
	/** What was said last. */
	reason: string;
	since: number;
	/** Rounds of tries so far. */
	rounds: number;
	nextTryAt: number;
	/** Events are gathered to choose from until then; undefined between two rounds. */
	gatherUntil?: number;
	/** Chosen for this round and not begun. */
	chosen: Entry[];
	/** Sets tried in this wait, or since all of them were. */
	tried: Set<string>;
	/** When it tried because its host had started a run of another lane. */
	triedBesideAt?: number;
	/** Every set was tried once: from then on, two at a time take their turns again. */
	again: boolean;
}

/**
 * When a round of tries is due, after the beginning of the wait.
 * @param round from 0
 * @param counted the broker counts deliveries, and each round costs what comes along one
 */
export function probeAfterMs(round: number, counted: boolean, bounds: Bounds): number {
	const [first, every] = counted
		? [bounds.countedProbesMs, bounds.countedProbeEveryMs]
		: [bounds.probesMs, bounds.probeEveryMs];
	const last = first[first.length - 1] ?? 0;
	return first[round] ?? last + (round - first.length + 1) * every;
}

/** What the last runs of a lane say of its workflow. */
export class Evidence {
	private failed: string[][] = [];
	private unknown = 0;

	constructor(private readonly bounds: Bounds) {}

	succeeded(): void {
		this.failed = [];
		this.unknown = 0;
	}

	/** @param sets order keys of the events of the run */
	runFailed(sets: string[]): void {
		this.failed = [...this.failed, sets].slice(-this.bounds.streakRuns);
	}

	runLost(): void {
		this.unknown += 1;
	}

	/** Why the lane should wait, if it should. */
	get verdict(): WaitCause | undefined {
		const { streakRuns, streakSets, streakUnknown } = this.bounds;
		if (this.unknown >= streakUnknown) return 'unknown';
		const sets = new Set(this.failed.flat());
		return this.failed.length >= streakRuns && sets.size >= streakSets ? 'failing' : undefined;
	}
}
