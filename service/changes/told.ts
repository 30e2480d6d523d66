/** A run that was started for some sets, as it is stored. */
export interface ToldRun {
	/** The run's own name, made up here. */
	run: string;
	/** What these sets are remembered as. */
	sets: number[];
	/** Whether n8n had not stored it yet, when a look after it was remembered. */
	pending?: boolean;
}

/**
 * The runs, with those pending that n8n has not stored yet: they are not in what it handed out to the look.
 *
 * @param handedOut of what n8n stores only together with a run, or after it
 */
export function withPending(told: readonly ToldRun[], handedOut: readonly ToldRun[]): ToldRun[] {
	const stored = new Set(handedOut.filter(({ pending }) => !pending).map(({ run }) => run));
	return told.map(({ run, sets }) => ({ run, sets, ...(!stored.has(run) && { pending: true }) }));
}

/** What this process knows of a run: n8n has stored it, has not said so yet, or could not. */
type RunState = 'stored' | 'under way' | 'lost';

/** Sets of open runs that are stored, so that runs of hours do not fill the memory: those of the oldest count as told. */
const MOST_SETS = 5_000;
/** Runs whose end is waited for, and ends that are remembered. */
const MOST_RUNS = 1_000;

/**
 * The runs that n8n was handed, and whether it stored them. Where n8n stores what a node remembers before it stores the
 * run, a kill in between loses the run: so its sets count as remembered only while this process knows that it was stored,
 * or hopes so. After a restart nobody knows.
 */
export class RunsOfProcess {
	private readonly states = new Map<string, RunState>();

	/** @param stored settles when the run has ended: resolved when it was stored, rejected when not */
	watch(run: string, stored: Promise<unknown>): void {
		this.states.set(run, 'under way');
		const settle = (state: RunState) => {
			this.states.delete(run);
			this.states.set(run, state);
		};
		stored.then(
			() => settle('stored'),
			() => settle('lost'),
		);
		// The oldest are long stored: n8n says at once when it cannot.
		for (const old of [...this.states.keys()].slice(0, -MOST_RUNS)) this.states.set(old, 'stored');
		for (const old of [...this.states.keys()].slice(0, -2 * MOST_RUNS)) this.states.delete(old);
	}

	/**
	 * Sorts out what was stored by an earlier look: the runs that are still open, and what the sets of those that were lost,
	 * or of which this process knows nothing, are remembered as. One that was still pending when its process ended, is lost.
	 */
	settle(told: readonly ToldRun[]): { open: ToldRun[]; lost: number[]; unknown: number[] } {
		const open: ToldRun[] = [];
		const lost: number[] = [];
		const unknown: number[] = [];
		let count = 0;
		for (const each of [...told].reverse()) {
			const state = this.states.get(each.run);
			if (state === 'under way') {
				count += each.sets.length;
				if (count <= MOST_SETS) open.unshift(each);
			} else if (state === 'lost' || (state === undefined && each.pending)) lost.push(...each.sets);
			else if (state === undefined) unknown.push(...each.sets);
		}
		return { open, lost, unknown };
	}
}
