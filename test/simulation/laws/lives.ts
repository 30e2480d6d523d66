import { HANDLED_WAITS_MS, RETURNS_WITHIN_MS, SLOW_LINE_MS, UNKNOWN_AFTER_MS } from '../bounds';
import type { Ledger, RunRecord } from '../ledger';
import { isTakenBackEarly } from './broker';
import type { Facts } from './facts';
import type { Violation } from './law';

/** From the last share that is settled to the broker's knowing it. */
const HEARD_WITHIN_MS = 2_000;

/**
 * What all who ask for it were done with, in time before a process closed its triggers in order or was gone, or afterwards
 * while it stayed, does not run again in the next one. Judged where no connection was lost meanwhile: then the broker may not have heard of it.
 */
export function nothingIsRunAnewByTheNextProcess(facts: Facts): Violation[] {
	const { queue } = facts.ledger.history;
	const [, slowestMs] = queue.latencyMs ?? [0, 0];
	if (queue.deadLettersReturn || slowestMs >= SLOW_LINE_MS) return [];
	// Where less is remembered than is on its way, what was done goes back to the queue as owed.
	if (facts.ledger.mostUnsettled >= facts.bounds.remembered) return [];
	for (const [event, messages] of facts.messagesOf) {
		if (messages.length > 1 || facts.wasReadByAnotherUser(event)) continue;
		for (const workflow of facts.workflows) {
			const runs = facts.runsOf(workflow, event);
			const first = runs.find(
				(run) =>
					facts.isHandledBy(run) &&
					isDoneInTime(facts, event, run) &&
					(!facts.wasShared(event) || hadItToTheEnd(facts, event, run)),
			);
			const again = first && runs.find((run) => run.life > first.life);
			// Before, it may have been there first, while both read the queue.
			if (!again || again.handedAt < first.handedAt) continue;
			const says = `Event ${event} was done with in process ${first.life}, and process ${again.life} ran it again for workflow ${workflow}`;
			return [{ law: 'nothingIsRunAnewByTheNextProcess', says, event, workflow, at: again.handedAt }];
		}
	}
	return [];
}

/** From a leader's stepping down to its taking nothing more: it has seen another one read for a minute by then. */
const STEPPED_BACK_WITHIN_MS = 90_000;

/**
 * What a leader that has stepped down runs on comes to no other process before the end of that run is known: it would run
 * there beside. Judged where no connection was lost meanwhile, by a fault or by a broker that takes back early.
 */
export function whatRunsComesToNoOther(facts: Facts): Violation[] {
	const { ledger } = facts;
	if (ledger.history.queue.deadLettersReturn) return [];
	for (const run of ledger.runs) {
		const { workflow, life, events, handedAt, toldAt, outcome } = run;
		if (toldAt === undefined || outcome === 'endedWithProcess') continue;
		// The queue was done with it, for this workflow: others may not be.
		if (facts.optionsOf(run).removeWhen === 'received') continue;
		const leftAt = leftBy(ledger, life);
		const steppedBackAt = steppedBackBy(ledger, life);
		const event = events.find((each) => {
			if (facts.messagesOf.get(each)?.length !== 1) return false;
			// Whoever reads beside has it then, at whatever moment. A leader that puts the head of the queue in order takes it again.
			const awaitedUntil = facts.sentAt(each) + UNKNOWN_AFTER_MS;
			const isGivenBack = ({ life: of, event: number, at }: Ledger['givenBack'][number]) =>
				of === life &&
				number === each &&
				at >= Math.max(handedAt, leftAt) &&
				at < Math.min(toldAt, awaitedUntil);
			if (ledger.givenBack.some(isGivenBack)) return true;
			if (toldAt - facts.sentAt(each) >= UNKNOWN_AFTER_MS) return false;
			// Given back while it led, beside others that read, it may be with anybody.
			const cameAt = cameElsewhere(ledger, life, each, handedAt);
			return (
				cameAt > steppedBackAt &&
				cameAt < toldAt &&
				!isIllBetween(facts, handedAt, cameAt, cameAgain(ledger, life, each, handedAt, cameAt)) &&
				!lostItsChannel(facts, life, each, handedAt, cameAt)
			);
		});
		if (event === undefined) continue;
		const says = `Event ${event} came to another process while process ${life} ran it still, for workflow ${workflow}`;
		return [{ law: 'whatRunsComesToNoOther', says, event, workflow, at: toldAt }];
	}
	return [];
}

/** A leader that has stepped down takes nothing more by then; never where somebody stayed. */
function steppedBackBy(ledger: Ledger, life: number): number {
	return leftBy(ledger, life) + STEPPED_BACK_WITHIN_MS;
}

/** When the last workflow of the process was closed. */
function leftBy({ registrations }: Ledger, life: number): number {
	const own = registrations.filter((each) => each.life === life);
	return Math.max(...own.map(({ closeCalledAt = Infinity }) => closeCalledAt));
}

/** One event that was out for too long takes all others of its channel with it, but not what came over another one since. */
function lostItsChannel(facts: Facts, life: number, event: number, from: number, to: number): boolean {
	const { links, came } = facts.ledger;
	return links.some((link, number) => {
		const { failedAt = -Infinity } = link;
		if (link.life !== life || failedAt < from || failedAt > to + RETURNS_WITHIN_MS) return false;
		const last = came
			.filter((each) => each.life === life && each.event === event && each.at <= failedAt)
			.at(-1);
		return (last?.link ?? number) === number && isTakenBackEarly(facts, link);
	});
}

/** Another process reads the queue too, and this one had stepped back, and kept what it ran for all who ask. */
function hadItToTheEnd(facts: Facts, event: number, { life, handedAt }: RunRecord): boolean {
	const doneAt = doneBy(facts, event, life);
	return (
		doneAt > steppedBackBy(facts.ledger, life) &&
		doneAt - facts.sentAt(event) < UNKNOWN_AFTER_MS &&
		cameElsewhere(facts.ledger, life, event, handedAt) >= doneAt &&
		!wentBackUnseen(facts.ledger, life, event, handedAt, doneAt) &&
		!lostItsChannel(facts, life, event, handedAt, doneAt)
	);
}

/** Its channel was closed for another one while it ran, beside somebody who reads the queue too, and it did not come here again. */
function wentBackUnseen(
	{ renewed, came }: Ledger,
	life: number,
	event: number,
	from: number,
	to: number,
): boolean {
	const isWithin = (each: { life: number; at: number }) =>
		each.life === life && each.at > from && each.at < to;
	const last = renewed.filter(isWithin).at(-1);
	return (
		last !== undefined && !came.some((each) => each.event === event && isWithin(each) && each.at > last.at)
	);
}

/** When the event came to another process after a moment, for the first time. */
function cameElsewhere({ came }: Ledger, life: number, event: number, after: number): number {
	const next = came.find((each) => each.event === event && each.life !== life && each.at > after);
	return next?.at ?? Infinity;
}

/** When it came to this process again, over a connection that held it from then on; -Infinity for never. */
function cameAgain({ came }: Ledger, life: number, event: number, from: number, to: number): number {
	const again = came.filter((each) => each.life === life && each.event === event && each.at > from);
	return Math.max(...again.filter(({ at }) => at < to).map(({ at }) => at));
}

function isIllBetween(facts: Facts, from: number, to: number, healedAt = -Infinity): boolean {
	const ill = ['link', 'broker', 'process', 'credential', 'wrongPassword'];
	return facts.ledger.spans.some(
		(span) =>
			ill.includes(span.what) &&
			span.to + RETURNS_WITHIN_MS >= from &&
			span.to >= healedAt &&
			span.from <= to,
	);
}

/** When all who may ask for the event were done with it in this process. */
function doneBy(facts: Facts, event: number, life: number): number {
	const asking = facts.workflows.filter((each) => facts.mayBeKeptFor(each, event, Infinity));
	const ends = asking.map((each) => {
		const done = facts.runsOf(each, event).filter((run) => run.life === life && facts.isHandledBy(run));
		return Math.min(...done.map((run) => facts.knownAt(run)));
	});
	return Math.max(...ends);
}

/** This run, and those of all others who may ask for the event, ended in time for the broker to hear of it. */
function isDoneInTime(facts: Facts, event: number, run: RunRecord): boolean {
	const { registrations } = facts.ledger;
	const own = registrations.filter(({ life }) => life === run.life);
	const doneAt = doneBy(facts, event, run.life);
	const goneAt = Math.min(...own.map(({ endedAt = Infinity }) => endedAt));
	// While n8n starts, what is handled waits for the next workflow; when all are closed, it waits no longer.
	const startedAt = Math.max(...own.map(({ calledAt }) => calledAt));
	const closedAt = Math.max(...own.map(({ closedAt: at = Infinity }) => at));
	const heardAt = Math.max(doneAt, Math.min(startedAt + HANDLED_WAITS_MS, closedAt)) + HEARD_WITHIN_MS;
	// Closed, it goes on until its runs have ended, unless its process ends.
	const isEnding = facts
		.spans(['process'])
		.some(({ from, to }) => to >= run.handedAt && from <= doneAt + HEARD_WITHIN_MS);
	const isOver = closedAt < Infinity ? doneAt + HEARD_WITHIN_MS <= closedAt || !isEnding : heardAt <= goneAt;
	if (doneAt === Infinity || !isOver) return false;
	// A leader that has stepped down waits for the end of a run for so long; then the next one has the event, for all who ask.
	if (doneAt > leftBy(facts.ledger, run.life) && doneAt - facts.sentAt(event) >= UNKNOWN_AFTER_MS)
		return false;
	const links = facts.spans(['link', 'broker', 'credential', 'wrongPassword']);
	return !links.some(({ from, to }) => to + RETURNS_WITHIN_MS >= run.handedAt && from <= heardAt);
}
