import { UNKNOWN_AFTER_MS } from '../bounds';
import type { RunRecord } from '../ledger';
import type { Facts } from './facts';
import type { Violation } from './law';
import { isForgotten } from './runs';

/**
 * An event that failed as often as its workflow asks for, while another of its status succeeded, is not run again in this
 * process: not after a renewal or a lost connection either. A workflow that works again after a wait begins anew.
 */
export function attemptsAreKept(facts: Facts): Violation[] {
	const { ledger, bounds } = facts;
	if (ledger.history.queue.deadLettersReturn || ledger.mostUnsettled >= bounds.remembered) return [];
	for (const workflow of facts.workflows) {
		const asked = ledger.registrations
			.filter((each) => each.workflow === workflow)
			.map(({ options }) => options);
		// What fails in a batch may be another one's fault, and has attempts of its own when it is taken apart.
		if (asked.some(({ removeWhen, batchSize = 1 }) => removeWhen !== undefined || batchSize > 1)) continue;
		const attempts = Math.max(...asked.map((each) => each.attempts ?? 5));
		for (const [event, messages] of facts.messagesOf) {
			const plan = facts.plans.get(event);
			if (!plan || plan.changes || plan.odd !== undefined || messages.length > 1) continue;
			// What it does not ask for is not its business, and begins anew when it is.
			if (!facts.asksFor(workflow, event)) continue;
			for (const runs of rounds(facts, workflow, event)) {
				const last = runs.findIndex(
					(run, index) => index >= attempts - 1 && succeededBetween(facts, event, runs[0]!, run),
				);
				const further = last < 0 ? undefined : runs[last + 1];
				if (!further) continue;
				const says = `Event ${event} failed ${runs.length} times for workflow ${workflow}, which asks for ${attempts} attempts, and others of its status succeeded meanwhile`;
				return [{ law: 'attemptsAreKept', says, event, workflow, at: further.handedAt }];
			}
		}
	}
	return [];
}

/** Runs that failed while the workflow was not waiting, parted by process and by its waits. */
function rounds(facts: Facts, workflow: string, event: number): RunRecord[][] {
	const parted = new Map<string, RunRecord[]>();
	for (const run of facts.runsOf(workflow, event)) {
		if (run.outcome !== 'fails' && run.outcome !== 'crashes') continue;
		if (run.toldAt === undefined) continue;
		const turns = facts.turns(workflow, run.toldAt, run.life);
		const last = turns.at(-1);
		// One that went on meanwhile belongs to neither.
		if (last && (last.at >= run.handedAt || last.text.includes(': waits,'))) continue;
		const round = `${run.life} ${turns.length}`;
		parted.set(round, [...(parted.get(round) ?? []), run]);
	}
	return [...parted.values()].flatMap((runs) => partedByForgetting(facts, workflow, runs));
}

/** What was forgotten begins anew. */
function partedByForgetting(facts: Facts, workflow: string, runs: readonly RunRecord[]): RunRecord[][] {
	const parts: RunRecord[][] = [];
	for (const [index, run] of runs.entries()) {
		const before = runs[index - 1];
		if (!before || isForgotten(facts, workflow, before, run)) parts.push([run]);
		else parts.at(-1)!.push(run);
	}
	return parts;
}

function succeededBetween(facts: Facts, event: number, first: RunRecord, last: RunRecord): boolean {
	const status = facts.statusOf(event).toUpperCase();
	return facts.ledger.runs.some(
		({ workflow, life, outcome, handedAt, toldAt = Infinity, events }) =>
			workflow === first.workflow &&
			life === first.life &&
			outcome === 'succeeded' &&
			// Begun before, it says nothing: it may have been past what is away since.
			handedAt > first.toldAt! &&
			// Told since the last one began, or in that moment, it says nothing of that.
			toldAt < last.handedAt &&
			// Told later, it decides nothing any more.
			toldAt - handedAt < UNKNOWN_AFTER_MS &&
			events.some((other) => facts.statusOf(other).toUpperCase() === status),
	);
}
