import { HANDLED_WAITS_MS, RETURNS_WITHIN_MS, SLOW_LINE_MS } from '../bounds';
import type { RunRecord } from '../ledger';
import type { Facts } from './facts';
import type { Violation } from './law';

/** From the last share that is settled to the broker's knowing it. */
const HEARD_WITHIN_MS = 2_000;

/**
 * What all who ask for it were done with, in time before a process closed its triggers in order or was gone, does not run
 * again in the next one. Judged where no connection was lost meanwhile: then the broker may not have heard of it.
 */
export function nothingIsRunAnewByTheNextProcess(facts: Facts): Violation[] {
	const { queue } = facts.ledger.history;
	const [, slowestMs] = queue.latencyMs ?? [0, 0];
	if (queue.deadLettersReturn || slowestMs >= SLOW_LINE_MS) return [];
	// Where less is remembered than is on its way, what was done goes back to the queue as owed.
	if (facts.ledger.mostUnsettled >= facts.bounds.remembered) return [];
	for (const [event, messages] of facts.messagesOf) {
		if (messages.length > 1 || facts.wasShared(event) || facts.wasReadByAnotherUser(event)) continue;
		for (const workflow of facts.workflows) {
			const runs = facts.runsOf(workflow, event);
			const first = runs.find((run) => facts.isHandledBy(run) && isDoneInTime(facts, event, run));
			const again = first && runs.find((run) => run.life > first.life);
			if (!again) continue;
			const says = `Event ${event} was done with in process ${first.life}, and process ${again.life} ran it again for workflow ${workflow}`;
			return [{ law: 'nothingIsRunAnewByTheNextProcess', says, event, workflow, at: again.handedAt }];
		}
	}
	return [];
}

/** This run, and those of all others who may ask for the event, ended in time for the broker to hear of it. */
function isDoneInTime(facts: Facts, event: number, run: RunRecord): boolean {
	const { registrations } = facts.ledger;
	const own = registrations.filter(({ life }) => life === run.life);
	const asking = facts.workflows.filter((each) => facts.mayBeKeptFor(each, event, Infinity));
	const ends = asking.map((each) => {
		const done = facts.runsOf(each, event).filter(({ life }) => life === run.life);
		return Math.min(...done.filter((other) => facts.isHandledBy(other)).map((other) => facts.knownAt(other)));
	});
	const doneAt = Math.max(...ends);
	const goneAt = Math.min(...own.map(({ endedAt = Infinity }) => endedAt));
	// While n8n starts, what is handled waits for the next workflow; when all are closed, it waits no longer.
	const startedAt = Math.max(...own.map(({ calledAt }) => calledAt));
	const closedAt = Math.max(...own.map(({ closedAt: at = Infinity }) => at));
	const heardAt = Math.max(doneAt, Math.min(startedAt + HANDLED_WAITS_MS, closedAt)) + HEARD_WITHIN_MS;
	const isOver = closedAt < Infinity ? doneAt + HEARD_WITHIN_MS <= closedAt : heardAt <= goneAt;
	if (doneAt === Infinity || !isOver) return false;
	const links = facts.spans(['link', 'broker', 'credential', 'wrongPassword']);
	return !links.some(({ from, to }) => to + RETURNS_WITHIN_MS >= run.handedAt && from <= heardAt);
}
