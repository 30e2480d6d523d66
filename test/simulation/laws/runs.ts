import { GIVEN_BACK_AFTER_MS, REMEMBERED_MS, SPARED_FROM, UNKNOWN_AFTER_MS } from '../bounds';
import type { RunRecord } from '../ledger';
import { passes, push, type Facts } from './facts';
import { parallelRunsOf } from './guilt';
import type { Violation } from './law';

/** No event is run with success twice for one workflow inside one life of the process, unless the history asked for it. */
export function nothingIsDoubled(facts: Facts): Violation[] {
	const found: Violation[] = [];
	for (const [event, messages] of facts.messagesOf) {
		for (const workflow of facts.workflows) {
			const lives = byLife(facts.runsOf(workflow, event));
			for (const runs of lives.values()) {
				const done = runs.filter((run) => facts.isHandledBy(run));
				const most = allowed(facts, event, messages.length, runs);
				// As many as are allowed, and one more while all of those are remembered.
				const double = done.find((run, index) => {
					const first = done[index - most];
					return first && !isForgotten(facts, workflow, first, run);
				});
				if (!double) continue;
				const says = `Event ${event} was run ${done.length} times with success for workflow ${workflow} in one process`;
				found.push({ law: 'nothingIsDoubled', says, event, workflow, at: double.handedAt });
			}
		}
	}
	return found;
}

/**
 * A run whose end was not told when its event was sent again may be followed by another; so may repeats, where they are
 * asked for. A word that comes late counts from then on, unless it says that the run failed: then nobody has done the work.
 */
function allowed(facts: Facts, event: number, sends: number, runs: readonly RunRecord[]): number {
	const { deadLettersReturn } = facts.ledger.history.queue;
	if (sends === 1 && !deadLettersReturn) return 1;
	const repeatsRun = runs.some(
		({ registration }) => facts.ledger.registrations[registration]?.options.skipRepeats === false,
	);
	const excused = runs.some(
		(run) =>
			run.outcome === 'losesItsResult' ||
			run.outcome === 'isStopped' ||
			run.outcome === 'hangs' ||
			wasUntold(facts, event, run, runs),
	);
	// What another workflow gave up comes back with a new life each time.
	return repeatsRun || excused ? (deadLettersReturn ? Infinity : sends) : 1;
}

/** It was reported as one of unknown result, and had no word yet when the next one began. */
function wasUntold(facts: Facts, event: number, run: RunRecord, runs: readonly RunRecord[]): boolean {
	const next = runs.find(({ handedAt }) => handedAt > run.handedAt);
	const failed = run.outcome === 'fails' || run.outcome === 'crashes';
	if (!next || (!failed && (run.toldAt ?? Infinity) <= next.handedAt)) return false;
	// Where this n8n stores no report, the log has it.
	const shortest = run.handedAt + UNKNOWN_AFTER_MS - GIVEN_BACK_AFTER_MS;
	return facts.wasEndedWithin(run.workflow, event, shortest, next.handedAt);
}

/** Too long ago, or followed by too many others, to be known again. */
export function isForgotten(facts: Facts, workflow: string, first: RunRecord, second: RunRecord): boolean {
	if (second.handedAt - first.handedAt > REMEMBERED_MS) return true;
	const since = facts.knownAt(first);
	const handled = new Set<number>();
	// One that came again after half its time began anew, behind those that were handled meanwhile.
	const renewedBefore = second.handedAt - REMEMBERED_MS / 2;
	for (const { events, moments } of facts.knownRunsOf(workflow, first.life)) {
		const until = moments.filter((at) => at <= second.handedAt);
		const isLater = until.some((at) => at >= since);
		const mayBeRenewed = until.some((at) => at < renewedBefore);
		if (!isLater && !mayBeRenewed) continue;
		for (const event of events) if (isLater || facts.cameAgain(event)) handled.add(event);
		if (handled.size > facts.bounds.remembered) return true;
	}
	// What ended without a run is remembered too. A dead letter that returns may end so again, of which nothing is told.
	const { deadLettersReturn } = facts.ledger.history.queue;
	const known = [...facts.messagesOf.keys()].filter(
		(event) =>
			facts.wasEndedWithin(workflow, event, since, second.handedAt) ||
			(deadLettersReturn && facts.isEndedInLogBefore(workflow, event, second.handedAt)),
	);
	return new Set([...handled, ...known]).size > facts.bounds.remembered;
}

function byLife(runs: readonly RunRecord[]): Map<number, RunRecord[]> {
	const lives = new Map<number, RunRecord[]>();
	for (const run of runs) push(lives, run.life, run);
	return lives;
}

/** Per trigger, the next event of a set begins when the earlier one is settled. Not where two connections share the queue. */
export function orderIsKept(facts: Facts): Violation[] {
	const found: Violation[] = [];
	// Where less is remembered than is on its way, what had begun is forgotten when it goes back.
	if (facts.ledger.mostUnsettled >= facts.bounds.remembered) return found;
	for (const workflow of facts.workflows) {
		const options = facts.ledger.registrations
			.filter((each) => each.workflow === workflow)
			.map((each) => each.options);
		if (options.some(({ keepOrder }) => keepOrder === false)) continue;
		const sets = new Map<number, number[]>();
		for (const [event, messages] of facts.messagesOf) {
			const plan = facts.plans.get(event);
			if (
				!plan ||
				plan.odd !== undefined ||
				plan.changes ||
				messages.length > 1 ||
				!(facts.asksFor(workflow, event) || facts.runsOf(workflow, event).length > 0)
			)
				continue;
			push(sets, plan.set, event);
		}
		for (const events of sets.values()) found.push(...overtaken(facts, workflow, events));
	}
	return found;
}

/** The first event of a set that began before an earlier one was settled. */
function overtaken(facts: Facts, workflow: string, events: readonly number[]): Violation[] {
	const { deadLettersReturn } = facts.ledger.history.queue;
	const inOrder = [...events].sort((a, b) => facts.sentAt(a) - facts.sentAt(b) || a - b);
	for (const [index, later] of inOrder.entries()) {
		const began = facts.runsOf(workflow, later).find(({ startedAt }) => startedAt !== undefined);
		if (began?.startedAt === undefined) continue;
		for (const earlier of inOrder.slice(0, index)) {
			const settledAt = facts.settledAt(workflow, earlier);
			// One that is lost is another law's.
			if (settledAt === Infinity && !facts.isOnTheQueue(earlier)) continue;
			if (isInOrder(began, earlier, later)) continue;
			if (settledAt <= began.startedAt) continue;
			if (facts.sentAt(earlier) > began.startedAt) continue;
			// Nobody asked for it then, and it was kept for others: a version that does has it from its start on, or never. What
			// those others give up stands behind all, where it comes back to the queue; and so does what they handled, where the
			// broker did not get word of it.
			const begins = facts.runsOf(workflow, earlier).some(({ handedAt }) => handedAt >= began.handedAt);
			const comesAnew =
				!begins || wasLetGo(facts, earlier, began) || deadLettersReturn || facts.cameAgain(earlier);
			if (!facts.asksFor(workflow, earlier) && comesAnew) continue;
			// A version that asks for it came later.
			const asked = facts.ledger.registrations[began.registration]?.statuses ?? [];
			if (!passes(facts.statusOf(earlier), asked)) continue;
			// Two connections read the queue: after a change of leader, for two users, or where the broker does not know yet
			// that the one before is dead.
			if (facts.wasShared(earlier) || facts.wasShared(later)) continue;
			if (wasLeftBehind(facts, earlier, began.startedAt) || wasSpared(facts, earlier, began)) continue;
			// A leader that stepped down goes on with the run it began.
			const elsewhere = facts.runsOf(workflow, earlier).filter(({ life }) => life !== began.life);
			if (elsewhere.some(({ endedAt = Infinity }) => endedAt > (began.startedAt ?? 0))) continue;
			const says = `Event ${later} of set ${facts.plans.get(later)?.set} began before event ${earlier} of the same set was settled, for workflow ${workflow}`;
			return [{ law: 'orderIsKept', says, event: earlier, workflow, at: began.startedAt }];
		}
	}
	return [];
}

/**
 * A process that was killed gave back more than the next one takes at once. What that gives back in its turn, a quorum queue
 * puts behind the rest; and who takes as much as any process ever held would take what nobody needs.
 */
function wasLeftBehind(facts: Facts, event: number, until: number): boolean {
	const { history, mostUnsettled } = facts.ledger;
	if (history.queue.type !== 'quorum' || mostUnsettled <= facts.bounds.lookedThrough) return false;
	return facts.spans(['process']).some(({ from }) => from > facts.sentAt(event) && from < until);
}

/**
 * On a queue that counts deliveries, where something comes often all is left there until it can run, and what goes back is
 * behind it then: the process that had it holds back what overtakes, and the next one cannot know.
 */
function wasSpared(facts: Facts, event: number, { life }: RunRecord): boolean {
	const { history, registrations } = facts.ledger;
	const before = registrations.filter((each) => each.life < life);
	return (
		history.queue.type === 'quorum' &&
		before.some(({ closeCalledAt = Infinity }) => closeCalledAt > facts.sentAt(event)) &&
		facts.ledger.messages.some(({ returns }) => returns >= SPARED_FROM)
	);
}

/** A version asked for it, and the next one did not: what others hold of it comes to a third one when it is delivered again. */
function wasLetGo(facts: Facts, event: number, { workflow, handedAt }: RunRecord): boolean {
	const asked = facts.ledger.registrations
		.filter((each) => each.workflow === workflow && each.calledAt <= handedAt)
		.map(({ statuses }) => passes(facts.statusOf(event), statuses));
	return asked.some((asks, index) => asks && asked[index + 1] === false);
}

/** In a batch, events stand in their order. */
function isInOrder({ events }: RunRecord, earlier: number, later: number): boolean {
	return events.includes(earlier) && events.indexOf(earlier) < events.indexOf(later);
}

/** Never more runs in flight than asked for, and one batch at a time where order is kept. A run whose end is never told counts until its event is 25 minutes old. */
export function neverMoreRunsThanAsked(facts: Facts): Violation[] {
	const { ledger } = facts;
	const found: Violation[] = [];
	const owners = new Map<string, RunRecord[]>();
	for (const run of ledger.runs) push(owners, `${run.life} ${run.workflow}`, run);
	for (const runs of owners.values()) {
		const [{ workflow, life } = { workflow: '', life: 0 }] = runs;
		const asked = parallelRunsOf(ledger, workflow, life);
		const inOrder = ledger.registrations.every(
			(each) => each.workflow !== workflow || each.options.keepOrder !== false,
		);
		const batches = inOrder ? runs.filter(({ events }) => events.length > 1) : [];
		for (const [what, some, most] of [
			['runs', runs, asked],
			['batches', batches, 1],
		] as const) {
			const over = mostAtOnce(some, most);
			if (!over) continue;
			const says = `Workflow ${workflow} had ${over.going} ${what} in flight at once, and asked for ${most}`;
			found.push({ law: 'neverMoreRunsThanAsked', says, workflow, at: over.at });
		}
	}
	return found;
}

/** The first moment with more runs in flight than these. */
function mostAtOnce(runs: readonly RunRecord[], most: number): { going: number; at: number } | undefined {
	const moments = runs
		.filter(({ toldAt }) => toldAt !== undefined)
		.flatMap(({ handedAt, toldAt = handedAt }) => [
			{ at: handedAt, change: 1 },
			{ at: Math.min(toldAt, handedAt + UNKNOWN_AFTER_MS - GIVEN_BACK_AFTER_MS), change: -1 },
		])
		.sort((a, b) => a.at - b.at || a.change - b.change);
	let going = 0;
	for (const { at, change } of moments) {
		going += change;
		if (going > most) return { going, at };
	}
	return undefined;
}

/** A run begins only with events that its workflow asks for at that moment. */
export function onlyWhatIsAskedForRuns(facts: Facts): Violation[] {
	for (const run of facts.ledger.runs) {
		const { registrations } = facts.ledger;
		const newest = registrations
			.filter(
				({ workflow, life, returnedAt = Infinity }) =>
					workflow === run.workflow && life === run.life && returnedAt <= run.handedAt,
			)
			.at(-1);
		const event = run.events.find((each) => newest && !passes(facts.statusOf(each), newest.statuses));
		if (event === undefined) continue;
		const says = `Workflow ${run.workflow} ran event ${event}, which it does not ask for any more`;
		return [{ law: 'onlyWhatIsAskedForRuns', says, event, workflow: run.workflow, at: run.handedAt }];
	}
	return [];
}
