import type { Clock } from '../surroundings';
import type { Bounds } from './bounds';
import type { RemoveWhen, RunOutcome } from './contract';
import type { Entry } from './entry';

/** A run of one event or a batch. */
export interface Job {
	entries: readonly Entry[];
	startedAt: number;
	attempt: number;
	/** Tried out by a lane that waits. */
	probe: boolean;
	/** What was known when it began. A failure is no sign against its event beside what succeeded only since: what was away is back. */
	known: {
		/** An event of the same status has succeeded since one of these first failed. */
		othersSucceed: boolean;
		lastSucceededAt: number;
	};
}

/** No word came in time: the run may still be going, or its end was never reported by the host. */
export type Unanswered = { kind: 'unanswered' };

/** What is heard of a run. */
interface Hearer {
	/** The host did not refuse it; asked for where an event is removed then. */
	taken(): void;
	over(result: RunOutcome | Unanswered): void;
	/** The word that did not come in time. */
	late(outcome: RunOutcome): void;
}

/** The runs of a lane that go on. */
export class Jobs {
	private readonly going = new Set<Job>();

	constructor(
		private readonly clock: Clock,
		private readonly bounds: Pick<Bounds, 'takenMs' | 'heldMs' | 'runWordMs'>,
	) {}

	get count(): number {
		return this.going.size;
	}

	get oldestStartedAt(): number {
		return Math.min(...[...this.going].map(({ startedAt }) => startedAt));
	}

	begins(job: Job): void {
		this.going.add(job);
	}

	ends(job: Job): void {
		this.going.delete(job);
	}

	/** From its start to its end, or until it is no longer waited for. */
	async follow(outcome: Promise<RunOutcome>, removeWhen: RemoveWhen, hearer: Hearer): Promise<void> {
		const { clock, bounds } = this;
		const received = removeWhen === 'received';
		let cancel = () => {};
		const cancelTaken = received ? clock.after(bounds.takenMs, () => hearer.taken()) : () => {};
		const late = new Promise<Unanswered>((resolve) => {
			const atMostMs = received ? bounds.heldMs : bounds.runWordMs;
			cancel = clock.after(atMostMs, () => resolve({ kind: 'unanswered' }));
		});
		const result = await Promise.race([outcome, late]);
		cancel();
		cancelTaken();
		if (result.kind === 'unanswered') void outcome.then((word) => hearer.late(word));
		hearer.over(result);
	}

	/** They decide about an event this one delivered, or did before its channel was closed. */
	decideFor(from: object): boolean {
		return [...this.going].some(({ entries }) =>
			entries.some(
				({ removed, shares }) =>
					!removed && (shares.length === 0 || shares.some((share) => share.from === from)),
			),
		);
	}

	/** One of them decides about an event. */
	get someDecide(): boolean {
		return [...this.going].some(({ entries }) => !entries.every(isRemoved));
	}

	/** When the oldest of those was handed over; -Infinity where there is none. */
	get decidingSince(): number {
		const deciding = [...this.going].filter(({ entries }) => !entries.every(isRemoved));
		return deciding.length > 0 ? Math.min(...deciding.map(({ startedAt }) => startedAt)) : -Infinity;
	}

	/** A try is not decided. A run from before, whose end is never told, says nothing and must not keep others from being tried. */
	get someTry(): boolean {
		return [...this.going].some(({ probe, entries }) => probe && !entries.every(isRemoved));
	}

	get batchGoes(): boolean {
		return [...this.going].some(({ entries: [entry] }) => entry?.progress.alone === false);
	}
}

const isRemoved = ({ removed }: Entry) => removed;
