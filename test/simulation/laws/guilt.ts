import {
	ADMITTED_AGAIN_MS,
	GIVEN_BACK_AFTER_MS,
	GROWTHS_BESIDE,
	HANDLED_WAITS_MS,
	KEPT_FOR_ABSENT_MS,
	LIMIT_OF_A_DAY,
	LISTENING_AGAIN_MS,
	RETURNS_WITHIN_MS,
	SPARE_DELIVERIES,
	TAKEN_AFTER_MS,
	TOLD_AFTER_MS,
	UNKNOWN_AFTER_MS,
} from '../bounds';
import type { Ledger, MessageRecord, RunRecord } from '../ledger';
import { workflowOf } from '../ledger';
import type { Facts } from './facts';

/**
 * Why the history itself is to blame when a workflow's share in an event ends in a report; undefined when nobody but the
 * trigger is. Without this a report would excuse everything.
 */
export function guiltOf(facts: Facts, workflow: string, event: number, at: number): string | undefined {
	const plan = facts.plans.get(event);
	if (!plan) return 'it is not one of the history';
	if (plan.poison) return 'every run with it fails';
	if (facts.isUnreadable(event)) return 'it is no event';
	const guilt = guiltOfRuns(facts, workflow, event, at);
	if (guilt !== undefined || othersWereIll(facts, workflow, at)) return guilt;
	return (
		guiltOfLeaving(facts, workflow, event, at) ??
		guiltOfStartingLate(facts, workflow, event, at) ??
		guiltOfAbsence(facts, workflow, event, at) ??
		guiltOfOwing(facts, workflow, event, at)
	);
}

function guiltOfRuns(facts: Facts, workflow: string, event: number, at: number): string | undefined {
	const runs = facts.runsOf(workflow, event).filter(({ handedAt }) => handedAt <= at);
	if (
		runs.some(
			(run) => hasNoWord(run, facts.sentAt(event), at) && facts.optionsOf(run).removeWhen !== 'received',
		)
	) {
		return 'the end of a run with it was never told, or too late';
	}
	const failed = runs.filter(
		(run) => run.outcome !== undefined && ['fails', 'crashes'].includes(run.outcome),
	);
	const alone = failed.filter((run) => run.events.length === 1 || !facts.hasPoison(run));
	if (failed.some((run) => facts.optionsOf(run).attempts === 1)) return 'its only run failed';
	const attempts = Math.max(...alone.map((run) => facts.optionsOf(run).attempts ?? 5));
	const [first] = alone;
	const last = alone.at(-1);
	if (first && last && alone.length >= attempts && maySayItIsTheEvent(facts, event, first, last)) {
		return 'its attempts were used up, and another event of its status succeeded meanwhile';
	}
	return undefined;
}

function guiltOfLeaving(facts: Facts, workflow: string, event: number, at: number): string | undefined {
	const failed = facts
		.runsOf(workflow, event)
		.some((run) => run.handedAt <= at && ['fails', 'crashes'].includes(run.outcome ?? ''));
	return failed && leftForGood(facts, workflow, event, at) ? 'its workflow left for good' : undefined;
}

/** No word when its event was 25 minutes old: the trigger may stop waiting, though never in the first minutes of a run. */
function hasNoWord({ handedAt, toldAt, outcome }: RunRecord, sentAt: number, at: number): boolean {
	if (outcome === 'hangs' || outcome === 'losesItsResult') return true;
	// Cut off by the end of n8n, and told so, it has its word.
	if (outcome === 'endedWithProcess' && toldAt === undefined) return true;
	const shortest = UNKNOWN_AFTER_MS - GIVEN_BACK_AFTER_MS - 1_000;
	return (toldAt ?? Infinity) >= at && at - sentAt >= UNKNOWN_AFTER_MS && at - handedAt >= shortest;
}

function maySayItIsTheEvent(facts: Facts, event: number, first: RunRecord, last: RunRecord): boolean {
	const status = facts.statusOf(event).toUpperCase();
	return facts.ledger.runs.some(
		(run) =>
			run.workflow === first.workflow &&
			// One that waits in the middle has come as far as its workflow could take it.
			(run.outcome === 'succeeded' || run.outcome === 'waits') &&
			// Told since the last one began, it says nothing of that: what was away then may be back.
			(run.toldAt ?? Infinity) <= last.handedAt &&
			// Begun before, it may have been past what is away since.
			run.handedAt >= (first.endedAt ?? 0) &&
			run.events.some((other) => facts.statusOf(other).toUpperCase() === status),
	);
}

function leftForGood(facts: Facts, workflow: string, event: number, at: number): boolean {
	return facts.wishAt(workflow, at) === undefined && !facts.asksFor(workflow, event);
}

/**
 * N8n brought it up long after the others, which had handled the event by then; or more had come than waits for it. Where
 * it runs after that in the same process, sent once, somebody was asked to run it a second time.
 */
function guiltOfStartingLate(facts: Facts, workflow: string, event: number, at: number): string | undefined {
	const { registrations, runs, messages } = facts.ledger;
	const late = registrations.some(({ workflow: name, mode, life, calledAt }) => {
		if (name !== workflow || calledAt > at) return false;
		const before = registrations.filter((each) => each.life === life && each.calledAt < calledAt);
		// What a version was owed that was never let in, as where it is closed at once, its next one is told.
		const wasLetIn = before.some(
			({ workflow: own, calledAt: from, closeCalledAt: to = calledAt }) =>
				own === workflow && to > from && facts.wasProven(workflow, life, to),
		);
		const isOwed = mode === 'update' && !wasLetIn;
		if (!isOwed && !['init', 'leadershipChange'].includes(mode)) return false;
		const isRunLater = facts.runsOf(workflow, event).some((run) => run.life === life && run.handedAt > at);
		if (isRunLater && facts.messagesOf.get(event)?.length === 1) return false;
		const othersRuns = runs.filter((run) => run.life === life && run.workflow !== workflow);
		const handled = othersRuns.filter(({ handedAt }) => handedAt <= calledAt).flatMap(({ events }) => events);
		// Publishing again is no start of n8n.
		const starts = before.filter((each) => each.mode !== 'update');
		const gapMs = calledAt - Math.max(...starts.map((each) => each.calledAt));
		// What its version of before did not ask for waits for nobody.
		const waitsMs = isOwed && !facts.asksFor(workflow, event) ? 0 : HANDLED_WAITS_MS;
		if (gapMs >= waitsMs && handled.includes(event)) return true;
		const came = messages.filter(({ sentAt, deliveries }) => sentAt <= calledAt && deliveries > 0);
		return came.length > facts.bounds.owedAtMost || bytesOf(facts, came) > facts.bounds.owedBytes;
	});
	return late ? 'n8n started its workflow when the event was off the queue' : undefined;
}

/** A workflow beside others that could not be there for so long. */
function guiltOfAbsence(facts: Facts, workflow: string, event: number, at: number): string | undefined {
	const from = facts.sentAt(event);
	const away = facts.absentMs(workflow, from, at, ADMITTED_AGAIN_MS);
	const alone = facts.workflows.length === 1;
	if (alone) return undefined;
	if (facts.wishAt(workflow, at) === undefined) return 'its workflow was unpublished';
	// Who gets nothing over a connection that is lost cannot be given what another user's connection gets meanwhile.
	const links = facts.spans(['link', 'broker']);
	// With a credential that is wrong or cannot be read, it is not opened again.
	const lost = [...links, ...facts.spans(['credential', 'wrongPassword'], workflow)].some(
		(span) => span.from <= at && span.to + LISTENING_AGAIN_MS + TOLD_AFTER_MS >= at,
	);
	if (facts.wasReadByAnotherUser(event) && lost)
		return 'another user read it while the connection of its own was lost';
	if (away >= KEPT_FOR_ABSENT_MS * 0.9) return 'its workflow was away for too long';
	// It may be registered with n8n and not be let in to the queue. A database that is away hides its credential only where
	// that is read anew, and not at once.
	const credential = facts.spans(['credential', 'wrongPassword'], workflow);
	const letInAnew = facts.illMs(links, from, at, LISTENING_AGAIN_MS) > 0;
	const keptOut =
		// Also where it is given up at the moment it is sent, since as many are kept already.
		credential.some((span) => span.from <= at && span.to + ADMITTED_AGAIN_MS >= from) ||
		(letInAnew && away >= TAKEN_AFTER_MS) ||
		startedInVain(facts, workflow, at);
	// While two processes lead, it may be there in the other one.
	return (keptOut || !facts.wasThere(workflow, from, at, facts.ledger.seen[event])) &&
		owesTooMuch(facts, workflow, at)
		? 'too many events came for its workflow while it was away'
		: undefined;
}

/** N8n could start nothing for a while, and others had found that out: nobody is spared anything by the end of a share. */
function othersWereIll(facts: Facts, workflow: string, at: number): boolean {
	return facts
		.spans(['database'])
		.some(
			({ from, to }) =>
				from + RETURNS_WITHIN_MS <= at &&
				to >= at &&
				facts.ledger.runs.some(
					(run) =>
						run.workflow !== workflow &&
						run.outcome === 'cannotStart' &&
						run.handedAt >= from &&
						(run.toldAt ?? Infinity) <= at &&
						(facts.ledger.registrations[run.registration]?.closeCalledAt ?? Infinity) > at &&
						facts.livesAt(workflow, at).includes(run.life),
				),
		);
}

/** It was registered while the database with its credential was away, and never since long enough beside it to be let in. */
function startedInVain(facts: Facts, workflow: string, at: number): boolean {
	const away = facts.spans(['database']);
	return facts.ledger.registrations.some(
		({ workflow: name, calledAt, closeCalledAt = Infinity }) =>
			name === workflow &&
			calledAt <= at &&
			closeCalledAt >= at &&
			away.some(({ from, to }) => from <= calledAt && to >= calledAt) &&
			facts.illMs(away, calledAt, at, ADMITTED_AGAIN_MS) >= at - calledAt,
	);
}

/** A workflow that waits beside a well one, and owes too much. */
function guiltOfOwing(facts: Facts, workflow: string, event: number, at: number): string | undefined {
	if (facts.workflows.length === 1) return undefined;
	if (
		!hasOwnPoison(facts, workflow, at) &&
		!facts.runsTooLong(workflow) &&
		!hadNoWord(facts, workflow, at) &&
		// Not where n8n itself is ill: then all wait, and nothing leaves the queue.
		facts.spans(['downstream', 'mishap'], workflow).length === 0
	)
		return undefined;
	if (failedWithTheOthers(facts, workflow, at) || failsBeforeTheOthers(facts, workflow, at)) return undefined;
	if (owesTooMuch(facts, workflow, at)) return 'its workflow owed too many events beside a well one';
	// The broker also counts what it gave out and what never arrived.
	const counts = (facts.messagesOf.get(event) ?? []).map(({ deliveries, returns }) =>
		Math.max(deliveries, returns),
	);
	return Math.max(...counts) >= facts.bounds.owedDeliveries
		? 'it was owed for too many deliveries beside a well workflow'
		: undefined;
}

/**
 * What it needs is back, it has not failed since, and the others failed until then too: it pays for nobody before it has
 * tried.
 */
function failedWithTheOthers(facts: Facts, workflow: string, at: number): boolean {
	const { runs } = facts.ledger;
	const away = facts.spans(['downstream'], workflow).filter(({ from }) => from <= at);
	const backAt = Math.max(...away.map(({ to }) => to));
	if (backAt > at || backAt === -Infinity) return false;
	const fails = ({ outcome }: RunRecord) => ['fails', 'crashes'].includes(outcome ?? '');
	return (
		othersOf(facts, workflow, at).every(({ name: other, neverFails }) => {
			if (neverFails) return false;
			const told = runs.filter((run) => run.workflow === other && (run.toldAt ?? Infinity) <= backAt);
			return told.slice(-5).every(fails) && told.some((run) => !facts.hasPoison(run));
		}) &&
		!runs.some(
			(run) =>
				run.workflow === workflow &&
				run.handedAt <= at &&
				(isSilent(run, at) ? run.handedAt + UNKNOWN_AFTER_MS : failedAt(run)) > backAt,
		)
	);
}

/**
 * What the others need is away too, and their runs have not found that out: it pays for nobody before these have ended, in
 * as much time as is kept for an absent one. Where one has succeeded since it waits, they do not need the same.
 */
function failsBeforeTheOthers(facts: Facts, workflow: string, at: number): boolean {
	const isAway = ({ from, to }: { from: number; to: number }) => from <= at && to >= at;
	const waits = facts.turns(workflow, at).filter(({ text }) => text.includes(': waits,'));
	const waitsSince = waits.at(-1)?.at ?? Infinity;
	return othersOf(facts, workflow, at).every(({ name: other, neverFails }) => {
		const away = facts.spans(['downstream'], other).find(isAway);
		if (!away || neverFails) return false;
		const since = facts.ledger.runs.filter(
			(run) => run.workflow === other && run.handedAt >= away.from && run.handedAt <= at,
		);
		const going = since.filter(({ endedAt = Infinity }) => endedAt > at);
		const isKnown = facts.ledger.runs.some(
			(run) =>
				run.workflow === other &&
				run.handedAt >= Math.min(away.from, waitsSince) &&
				(run.endedAt ?? Infinity) <= at &&
				run.outcome === 'succeeded',
		);
		return !isKnown && going.length > 0 && going.every((run) => at - run.handedAt < KEPT_FOR_ABSENT_MS * 0.9);
	});
}

/** Whoever is done with an event however its run ends does not wait. */
function othersOf(facts: Facts, workflow: string, at: number): { name: string; neverFails: boolean }[] {
	const others = facts.workflows.filter((other) => other !== workflow);
	return others.map((name) => ({
		name,
		neverFails: (facts.wishAt(name, at)?.options?.removeWhen ?? 'succeeded') !== 'succeeded',
	}));
}

const failedAt = ({ outcome, endedAt = Infinity, toldAt }: RunRecord) =>
	outcome === 'succeeded' || toldAt === undefined ? -Infinity : endedAt;

/** No word of it has come in time: to the trigger it has failed by then. */
const isSilent = ({ handedAt, toldAt = Infinity }: RunRecord, at: number) =>
	handedAt + UNKNOWN_AFTER_MS <= at && toldAt > handedAt + UNKNOWN_AFTER_MS;

/** Three runs without a word in time, as where others take all places of this n8n for long: then it waits. */
function hadNoWord(facts: Facts, workflow: string, at: number): boolean {
	return facts.ledger.runs.filter((run) => run.workflow === workflow && isSilent(run, at)).length >= 3;
}

/** It asked for events that fail for ever, and some had come. */
function hasOwnPoison(facts: Facts, workflow: string, at: number): boolean {
	return [...facts.plans.values()].some(
		({ number, poison }) => poison && facts.sentAt(number) <= at && facts.mayBeKeptFor(workflow, number, at),
	);
}

/**
 * Whether the events that may be kept for a workflow at a moment, and that it has not handled, are more than is kept. Who is
 * away for a moment is kept what its last version asked for, though nobody may want that any more. What another process
 * handled comes again.
 */
function owesTooMuch(facts: Facts, workflow: string, at: number): boolean {
	const kept = facts.ledger.messages.filter(
		({ event, sentAt, fate, at: endedAt }) =>
			sentAt <= at &&
			// A report comes a while after what it tells of.
			(fate === 'removed' || endedAt >= at - TOLD_AFTER_MS) &&
			facts.mayBeKeptFor(workflow, event, at),
	);
	return facts.livesAt(workflow, at).some((life) => {
		const handled = facts.handledBefore(workflow, at, life);
		const spent = new Map<number, number>();
		const owed = kept.filter(({ event }) => {
			if (!handled.has(event)) return true;
			if (!facts.runsRepeats(workflow)) return false;
			// Of several messages of one content each is handled once.
			const times = spent.get(event) ?? facts.timesHandledBefore(workflow, event, at, life);
			spent.set(event, times - 1);
			return times <= 0;
		});
		return owed.length >= facts.bounds.owedAtMost || bytesOf(facts, owed) >= facts.bounds.owedBytes;
	});
}

/** Of all their bodies. */
function bytesOf(facts: Facts, messages: readonly MessageRecord[]): number {
	return messages.reduce((sum, { event }) => sum + facts.bytesOf(event), 0);
}

/** Why the history is to blame when the broker itself drops a message. */
export function guiltOfDrop(facts: Facts, message: MessageRecord): string | undefined {
	const { queue } = facts.ledger.history;
	if (message.fate === 'expired')
		return queue.messageTtlMs === undefined ? undefined : 'the queue lets messages expire';
	if (message.fate === 'overflowed') return 'the queue holds no more';
	const limit = queue.deliveryLimit ?? Infinity;
	const returns = returnsByHistory(facts.ledger, message);
	const [only = '', ...others] = facts.workflows;
	// An outage of a day costs a workflow that is alone no event; its own poison may, since it waits over that as well.
	// So may runs that nobody waits for to their end: it waits over those for as long as they are such.
	const ownPoison = hasOwnPoison(facts, only, message.at);
	const alone = others.length === 0 && !ownPoison && !facts.runsTooLong(only);
	// No workflow can be probed where the queue drops so soon: its body must be written down.
	const lastsADay = alone && limit >= LIMIT_OF_A_DAY;
	const outages = lastsADay ? facts.spans(['downstream', 'database'], only) : [];
	const outageMs = facts.illMs(outages, message.sentAt, message.at, 0);
	// However slow its runs are, unless one outlasts the time after which all goes back. Only where it waits, over what is no
	// outage, all that is looked through counts again.
	const outlasts = workflowOf(facts.ledger, only).runMs[1] >= GIVEN_BACK_AFTER_MS;
	const hasItsTurn = lastsADay && !outlasts && facts.spans(['mishap'], only).length === 0;
	// Slow runs, or failing ones, beside which it waited for its turn: what the queue may drop then is written down before.
	const turns = (message.at - message.sentAt - outageMs) / GIVEN_BACK_AFTER_MS + returns;
	// The first delivery is no turn, and the channel may grow for those beside it.
	const ownTurns = 1 + SPARE_DELIVERIES + GROWTHS_BESIDE;
	if (!hasItsTurn && turns >= limit - ownTurns && facts.isWrittenDownAnywhere(message.event))
		return 'it waited for its turn for longer than its queue allows';
	// With several workflows, each ended run frees a place, and what is taken then was done with long ago, and is not known any more.
	// So it is with what fails for ever: it begins its attempts anew each time it comes.
	const forgets = (others.length > 0 || ownPoison) && facts.ledger.mostUnsettled >= facts.bounds.remembered;
	if (forgets && facts.isWrittenDownAnywhere(message.event))
		return 'what was done with is forgotten, and runs again before it';
	return returns > Math.max(0, limit - LIMIT_OF_A_DAY)
		? `the history itself gave it back ${returns} times, of ${limit} that its queue allows`
		: undefined;
}

/** How often something that the history did took a message from whoever had it, while it was on the queue. */
export function returnsByHistory({ spans, wishes }: Ledger, { sentAt, at }: MessageRecord): number {
	const within = (from: number, to: number) => to >= sentAt && from <= at;
	const losses = spans.filter(
		({ what, from, to }) =>
			['link', 'broker', 'process', 'overlap', 'republish'].includes(what) && within(from, to + 60_000),
	);
	const changes = wishes.filter((wish) => wish.at > 0 && within(wish.at, wish.at + 60_000));
	return losses.length + changes.length;
}

/** How many runs of a workflow may be going at once. */
export function parallelRunsOf(ledger: Ledger, workflow: string, life: number): number {
	const registrations = ledger.registrations.filter(
		(each) => each.workflow === workflow && each.life === life,
	);
	const asked = registrations.map(({ options }) => options.parallelRuns ?? 5);
	return Math.max(...asked, workflowOf(ledger, workflow).options.parallelRuns ?? 5);
}
