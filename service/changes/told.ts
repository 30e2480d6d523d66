/** A run that was started for some sets, as it is stored. */
export interface ToldRun {
	/** The run's own name, made up here. */
	run: string;
	/** What these sets are remembered as. */
	sets: number[];
}

/** What this process knows of a run: n8n has stored it, has not said so yet, or could not. */
export type RunState = 'stored' | 'under way' | 'lost';

/** Runs that are looked after at a time. Older ones count as stored. */
const MOST_RUNS = 200;

/**
 * The runs that n8n was handed, and whether it stored them. Where n8n stores what a node remembers before it stores the
 * run, a kill in between loses the run: so its sets count as remembered only while this process knows that it was stored,
 * or hopes so. After a restart nobody knows, and they start a run again.
 */
export class RunsOfProcess {
	private readonly states = new Map<string, RunState>();

	/** @param stored settles when the run has ended: resolved when it was stored, rejected when not */
	watch(run: string, stored: Promise<unknown>): void {
		this.states.set(run, 'under way');
		stored.then(
			() => this.states.set(run, 'stored'),
			() => this.states.set(run, 'lost'),
		);
		for (const old of [...this.states.keys()].slice(0, -MOST_RUNS)) this.states.delete(old);
	}

	/**
	 * Sorts out what was stored by an earlier look: the runs that are still open, and what their sets are remembered as
	 * of those that were lost.
	 */
	settle(told: readonly ToldRun[]): { open: ToldRun[]; lost: number[] } {
		const open: ToldRun[] = [];
		const lost: number[] = [];
		for (const each of told.slice(-MOST_RUNS)) {
			const state = this.states.get(each.run);
			if (state === 'under way') open.push(each);
			else if (state !== 'stored') lost.push(...each.sets);
		}
		return { open, lost };
	}
}
