import {
	ADMITTED_AGAIN_MS,
	HELD_UP_BY_POISON_MS,
	LISTENING_AGAIN_MS,
	PROBED_EVERY_COUNTED_MS,
	PROBED_EVERY_MS,
	PROBED_RARELY_FROM,
	PROBED_RARELY_MS,
	SPARE_ROOM,
	TRIED_AT_ONCE_MS,
	OPENED_IN_FRAMES,
	UNKNOWN_AFTER_MS,
	WELL_HELD_UP_MS,
} from '../bounds';
import { workflowOf } from '../ledger';
import { isTaken, type Facts } from './facts';
import type { Violation } from './law';

/** After the last fault, what is on the queue and can be handled is handled within a bounded time. */
export function allIsHandledInTime(facts: Facts): Violation[] {
	const found: Violation[] = [];
	// Its hours are not over.
	if (facts.ledger.cutShort || takesMoreThanItsHours(facts)) return found;
	for (const [event, messages] of facts.messagesOf) {
		if (!messages.some(({ fate }) => fate === 'onTheQueue')) continue;
		if (facts.plans.get(event)?.poison) continue;
		// What is rejected comes back for ever.
		if (facts.isUnreadable(event) && facts.ledger.history.queue.deadLettersReturn) continue;
		// It stands behind what was delivered and fails for ever, and nobody has seen it.
		const unseen = messages.every(({ fate, deliveries }) => fate !== 'onTheQueue' || deliveries === 0);
		const waiting = facts.isUnreadable(event)
			? facts.workflows.filter(
					(workflow) =>
						facts.isThereAtTheEnd(workflow) &&
						facts.somebodyAsked(event) &&
						facts.readsThere(workflow, event) &&
						!(
							(unseen || areToldInRounds(facts)) &&
							(isForgetful(facts, workflow) ||
								hasNoPlace(facts, workflow) ||
								looksThroughInVain(facts, workflow) ||
								hasNoRoomBeside(facts, workflow))
						),
				)
			: facts.workflows.filter(
					(workflow) =>
						facts.isThereAtTheEnd(workflow) &&
						facts.asksFor(workflow, event) &&
						!facts.runsTooLong(workflow) &&
						!facts.isHandled(workflow, event) &&
						!facts.wasEndedWithin(workflow, event, 0, Infinity) &&
						!isTriedRarely(facts, workflow) &&
						!isBehindPoison(facts, workflow, event),
				);
		// One message that is still owed to a workflow that cannot be there is not held by the others.
		const [workflow] = waiting;
		if (workflow === undefined) continue;
		const says = `Event ${event} is still on the queue, hours after the last fault, and workflow ${workflow} is there`;
		found.push({ law: 'allIsHandledInTime', says, event, workflow, at: facts.ledger.endedAt });
	}
	return found;
}

/** More unreadable ones than are told one by one: so many in each round of tries, and a queue that counts is left alone for hours in between. */
function areToldInRounds(facts: Facts): boolean {
	const unreadable = [...facts.messagesOf.keys()].filter((event) => facts.isUnreadable(event));
	return facts.ledger.history.queue.type === 'quorum' && unreadable.length > facts.bounds.unreadableReports;
}

/** What came back so often on a queue that counts waits for a mark that is further away than the history is followed, with all beside it. */
function isTriedRarely(facts: Facts, workflow: string): boolean {
	const { history, endedAt, messages } = facts.ledger;
	if (history.queue.type !== 'quorum') return false;
	const comesOften = messages.some(
		({ event, fate, returns }) =>
			fate === 'onTheQueue' && returns >= PROBED_RARELY_FROM && facts.asksFor(workflow, event),
	);
	const tries = facts.ledger.runs.flatMap((run) =>
		run.workflow === workflow ? [run.endedAt ?? -Infinity] : [],
	);
	return comesOften && endedAt < Math.max(-Infinity, ...tries) + PROBED_RARELY_MS;
}

/** All runs of a workflow, or one of each event in the few places that n8n has, may last longer than the history. */
function takesMoreThanItsHours(facts: Facts): boolean {
	const { concurrency } = facts.ledger.history.host;
	let longestMs = 0;
	for (const name of facts.workflows) {
		const asked = [...facts.messagesOf.keys()].filter((event) => facts.asksFor(name, event));
		const { options, runMs } = workflowOf(facts.ledger, name);
		const workMs = ownWorkMs(facts, name, asked) / (options.parallelRuns ?? 5);
		// Between its tries it also waits.
		if (poisonIn(facts, asked) > 0 && workMs > facts.ledger.endedAt * 0.9) return true;
		longestMs += asked.length * runMs[1];
	}
	return concurrency > 0 && longestMs / concurrency > facts.ledger.endedAt;
}

/** An event of its set that fails for ever, or a run of it that never ends, holds it. */
function isBehindPoison(facts: Facts, workflow: string, event: number): boolean {
	if (looksThroughInVain(facts, workflow) || hasNoRoomBeside(facts, workflow)) return true;
	// Where n8n has few places, what another one runs again and again takes them.
	const { concurrency } = facts.ledger.history.host;
	const runBeside = concurrency > 0 ? facts.workflows : [workflow];
	if (runBeside.some((each) => isForgetful(facts, each))) return true;
	if (concurrency > 0 && placesOfPoison(facts) >= concurrency) return true;
	const set = facts.plans.get(event)?.set;
	// Order is not promised across a change of leader, nor of what two connections share.
	const unordered = facts.spans(['overlap']).length > 0 || facts.wasShared(event);
	// What a limit of the queue took, or ended with a word in the log, was sent anew behind what came meanwhile.
	const left = facts.messagesOf
		.get(event)
		?.find(
			(message) =>
				!isTaken(message) &&
				!(message.fate === 'removed' && facts.isEndedInLogBefore(workflow, event, Infinity)),
		);
	const sentAt = unordered ? Infinity : (left?.sentAt ?? facts.sentAt(event));
	if (hasNoPlace(facts, workflow)) return true;
	return [...facts.plans.values()].some(
		(other) =>
			other.set === set &&
			facts.sentAt(other.number) <= sentAt &&
			(other.poison || facts.runsOf(workflow, other.number).some((run) => facts.isEndless(run))),
	);
}

/** So many runs at once, of all workflows, are tries of what fails for ever. */
function placesOfPoison(facts: Facts): number {
	const busyMs = (name: string) => facts.poisonOf(name) * workflowOf(facts.ledger, name).runMs[1];
	return facts.workflows.reduce((sum, name) => sum + busyMs(name), 0) / PROBED_EVERY_MS;
}

/** A workflow that waits finds no other event to try among those it looks through, and takes no more. */
function looksThroughInVain(facts: Facts, workflow: string): boolean {
	return behindPoisonOf(facts, workflow) >= Math.min(facts.bounds.lookedThrough, roomOf(facts));
}

/** Runs of another workflow never end and hold all its places, and what stands before those, on the queue, takes all the room. */
function hasNoRoomBeside(facts: Facts, workflow: string): boolean {
	return facts.workflows.some((other) => {
		if (other === workflow || !hasNoPlace(facts, other)) return false;
		const held = [...facts.messagesOf].filter(
			([event, messages]) =>
				messages.some(({ fate, deliveries }) => fate === 'onTheQueue' && deliveries > 0) &&
				facts.asksFor(other, event) &&
				!facts.isHandled(other, event),
		);
		return held.length >= roomOf(facts);
	});
}

/** So many bodies may be in flight: each may be as large as the largest. */
function roomOf({ bounds: { bytesInFlight }, largestBytes }: Facts): number {
	return Math.max(1, Math.floor(bytesInFlight / largestBytes));
}

/** Runs that never end hold all its places. */
function hasNoPlace(facts: Facts, workflow: string): boolean {
	// In order, batches go one at a time.
	const { batchSize = 1, parallelRuns = 5 } = facts.wishAt(workflow, Infinity)?.options ?? {};
	const endless = facts.ledger.runs.filter((run) => run.workflow === workflow && facts.isEndless(run));
	return endless.length >= (batchSize > 1 ? 1 : parallelRuns);
}

/** Events asked for that fail for ever, and those of their sets that were sent after them: one of each set is tried at a time. */
const behindPoisonOf = foundOncePerWorkflow((facts, workflow) => {
	const asked = [...facts.plans.values()].filter(
		({ number }) => facts.asksFor(workflow, number) || facts.holdsAtTheEnd(workflow, number),
	);
	const since = new Map<number, number>();
	for (const { set, number, poison } of asked)
		if (poison) since.set(set, Math.min(since.get(set) ?? Infinity, facts.sentAt(number)));
	return asked.filter(({ set, number }) => facts.sentAt(number) >= (since.get(set) ?? Infinity)).length;
});

/**
 * Less is remembered than is on its way: what fails begins its attempts anew each time it goes back, and what succeeded runs
 * again for as long as another workflow holds it.
 */
const isForgetful = foundOncePerWorkflow((facts, workflow) => {
	if (facts.ledger.mostUnsettled < facts.bounds.remembered) return false;
	if (facts.poisonOf(workflow) > 0) return true;
	return [...facts.messagesOf].some(([event, messages]) => {
		const handled = facts.runsOf(workflow, event).filter((run) => facts.isHandledBy(run));
		// A further process has no memory of what the one before ran.
		return handled.some((run) => handled.filter(({ life }) => life === run.life).length > messages.length);
	});
});

function foundOncePerWorkflow<T>(find: (facts: Facts, workflow: string) => T) {
	const found = new WeakMap<Facts, Map<string, T>>();
	return (facts: Facts, workflow: string): T => {
		const ofFacts = found.get(facts) ?? new Map<string, T>();
		found.set(facts, ofFacts);
		const known = ofFacts.get(workflow) ?? find(facts, workflow);
		ofFacts.set(workflow, known);
		return known;
	};
}

/** A workflow that is well waits for another one, or for events of its own that fail for ever, no longer than a bound. */
export function nobodyIsHeldUp(facts: Facts): Violation[] {
	const found: Violation[] = [];
	for (const workflow of facts.workflows) {
		if (!isWell(facts, workflow) || facts.runsTooLong(workflow)) continue;
		const events = [...facts.messagesOf.keys()].filter((event) => facts.asksFor(workflow, event));
		const ownPoison = events.some((event) => facts.plans.get(event)?.poison);
		const longest = events
			.filter((event) => !isBehindPoison(facts, workflow, event) && !waitsForRoom(facts, workflow, event))
			.map((event) => ({ event, ms: heldUpMs(facts, workflow, event) }))
			.reduce((most, each) => (each.ms > most.ms ? each : most), { event: 0, ms: 0 });
		const heldUpMost = ownPoison ? heldUpByPoisonMs(facts) : WELL_HELD_UP_MS;
		const bound = ownWorkMs(facts, workflow, events) + heldUpMost;
		if (longest.ms <= bound) continue;
		const says = `Event ${longest.event} waited ${minutes(longest.ms)} for workflow ${workflow}, which was well all the time`;
		found.push({ law: 'nobodyIsHeldUp', says, event: longest.event, workflow });
	}
	return found;
}

/** Where deliveries are counted, a workflow that waits tries the more rarely, the more often what it has came back. */
function heldUpByPoisonMs(facts: Facts): number {
	const cameBackByFaults = facts.spans(['link', 'broker', 'process']).length >= 2;
	const counts = facts.ledger.history.queue.type === 'quorum';
	return counts && cameBackByFaults ? PROBED_EVERY_COUNTED_MS : HELD_UP_BY_POISON_MS;
}

/** From its sending to its first run, more was on the queue beside it than is delivered at once, by its bytes. */
function waitsForRoom(facts: Facts, workflow: string, event: number): boolean {
	const began = facts.runsOf(workflow, event)[0]?.handedAt ?? Infinity;
	const sentAt = facts.sentAt(event);
	let bytes = 0;
	for (const other of facts.ledger.messages) {
		if (other.sentAt <= began && other.at >= sentAt) bytes += facts.bytesOf(other.event);
	}
	return bytes > facts.bounds.bytesInFlight / SPARE_ROOM;
}

/** Nothing of its own was ever ill, and it was never away. */
function isWell(facts: Facts, workflow: string): boolean {
	return (
		facts.spans(['downstream', 'database', 'credential', 'wrongPassword', 'mishap', 'republish'], workflow)
			.length === 0 &&
		facts.ledger.wishes.filter((wish) => wish.workflow === workflow).length === 1 &&
		facts.ledger.history.host.concurrency === 0
	);
}

/** From the sending to the first run, without the time in which nobody could have run it. */
function heldUpMs(facts: Facts, workflow: string, event: number): number {
	const first = facts.runsOf(workflow, event).find(({ startedAt }) => startedAt !== undefined);
	const began = first?.startedAt;
	if (began === undefined) return 0;
	// A limit of the queue took what was sent before, and it was sent anew.
	const ran = (facts.messagesOf.get(event) ?? []).find((message) => !isTaken(message) || message.at > began);
	const sentAt = ran?.sentAt ?? began;
	// It ended with a word in the log, and was sent anew.
	if (facts.isEndedInLogBefore(workflow, event, began)) return 0;
	const { startGapMs } = facts.ledger.history.host;
	const startingMs = 60_000 + startGapMs * facts.workflows.length + LISTENING_AGAIN_MS;
	const starts = facts.ledger.registrations.map(({ calledAt }) => calledAt);
	const beginning = { what: 'process' as const, from: 0, to: Math.min(...starts) };
	const common = [beginning, ...facts.spans(['broker', 'link', 'process', 'overlap'])];
	// A leader that stepped down keeps what it runs, for whichever workflow, until the end of that run is known; what comes
	// after that in its set waits for it.
	const set = facts.plans.get(event)?.set;
	const before = [...facts.messagesOf.keys()].filter(
		(each) => facts.plans.get(each)?.set === set && facts.sentAt(each) <= sentAt,
	);
	const held = facts.workflows
		.flatMap((each) => before.flatMap((one) => facts.runsOf(each, one)))
		.filter(({ life }) => life !== first?.life)
		.map(({ handedAt, endedAt = Infinity }) => ({
			what: 'overlap' as const,
			from: handedAt,
			to: Math.min(endedAt, handedAt + UNKNOWN_AFTER_MS),
		}));
	return began - sentAt - facts.illMs([...common, ...held], sentAt, began, startingMs);
}

/** What its own runs take, one after another where they must go so. */
function ownWorkMs(facts: Facts, workflow: string, events: readonly number[]): number {
	const { runMs, options } = workflowOf(facts.ledger, workflow);
	const { batchSize, attempts = 5, parallelRuns = 5 } = options;
	const batches = Math.ceil(events.length / (batchSize ?? 1));
	const ownPoison = events.some((event) => facts.plans.get(event)?.poison);
	let runs = batches * (batchSize ? 2 : 1);
	// After each further attempt comes the turn of an event that was never tried.
	if (!batchSize && ownPoison) runs += Math.min(events.length, poisonIn(facts, events) * (attempts - 1));
	if (batchSize && ownPoison) {
		// With a bad event in it, each batch has its attempts, four at most, and then its events run one by one.
		const sets = events.map((event) => facts.plans.get(event)?.set);
		const ofOneSet = [...new Set(sets)].map((set) => sets.filter((each) => each === set).length);
		const oneByOne = Math.max(events.length / parallelRuns, ...ofOneSet);
		runs = Math.max(runs, batches * Math.min(attempts - 1, 4) + Math.ceil(oneByOne));
	}
	return runs * (runMs[1] + 100) + events.length * 200;
}

/** Messages that fail for ever. */
const poisonIn = (facts: Facts, events: readonly number[]) =>
	events.reduce(
		(sum, event) => sum + (facts.plans.get(event)?.poison ? (facts.messagesOf.get(event)?.length ?? 0) : 0),
		0,
	);

/** A waiting workflow that is alone is probed again, and so resumes, soon after what it needs is back. */
export function aWaitingWorkflowResumes(facts: Facts): Violation[] {
	const { history } = facts.ledger;
	if (history.workflows.length > 1 || history.host.concurrency > 0) return [];
	const [{ name, runMs } = { name: '', runMs: [0, 0] }] = history.workflows;
	if (facts.runsTooLong(name)) return [];
	const away = facts.spans(['downstream', 'database'], name);
	const back = Math.max(...away.map(({ to }) => to));
	if (away.length === 0 || facts.ledger.faultsOverAt > back) return [];
	const next = facts.ledger.runs.find(({ startedAt = -1 }) => startedAt >= back);
	const dueAt = nextProbeAt(facts, name, back) + 60_000 + runMs[1];
	// A history may end before a try that comes so rarely.
	const isFollowed = !facts.ledger.cutShort && probedEveryMs(facts, back) < PROBED_RARELY_MS;
	if (!isFollowed && facts.ledger.endedAt < dueAt) return [];
	// Who is not let in is not probed.
	if (facts.absentMs(name, back, dueAt, ADMITTED_AGAIN_MS) > 0) return [];
	const owed = [...facts.messagesOf.keys()].filter(
		(event) =>
			facts.asksFor(name, event) &&
			!isGoneBefore(facts, event, dueAt) &&
			facts.sentAt(event) < back &&
			!facts.plans.get(event)?.poison &&
			facts.endingsOf(name, event).length === 0 &&
			// Where this n8n stores no report, the log has it.
			!facts.isEndedInLogBefore(name, event, dueAt) &&
			!isBehindEndless(facts, name, event) &&
			// Begun before what it needs was back, it needs no probe.
			!facts.runsOf(name, event).some((run) => facts.isHandledBy(run) && (run.startedAt ?? Infinity) <= back),
	);
	if (arePlacesTaken(facts, name)) return [];
	const resumedAt = next?.startedAt ?? Infinity;
	if (owed.length === 0 || resumedAt <= dueAt) return [];
	const says = `Workflow ${name} began nothing for ${minutes(resumedAt - back)} after what it needs was back`;
	return [{ law: 'aWaitingWorkflowResumes', says, workflow: name, at: back }];
}

/** Where the broker counts deliveries, a try a moment before takes the place of the next mark, and is half a time before that at most. */
function nextProbeAt(facts: Facts, workflow: string, back: number): number {
	const everyMs = probedEveryMs(facts, back);
	const tries = facts.ledger.runs.filter(
		(run) => run.workflow === workflow && run.handedAt < back && run.outcome !== 'succeeded',
	);
	const lastTry = Math.max(-Infinity, ...tries.map(({ handedAt }) => handedAt));
	return Math.max(back + everyMs, everyMs === PROBED_EVERY_COUNTED_MS ? lastTry + 1.5 * everyMs : -Infinity);
}

/** From one try to the next, of what is on the queue at that moment. */
function probedEveryMs({ ledger: { history, messages } }: Facts, moment: number): number {
	if (history.queue.type !== 'quorum') return PROBED_EVERY_MS;
	const there = messages.filter(({ sentAt, at }) => sentAt < moment && at > moment);
	const comesOften = there.some(({ returns }) => returns >= PROBED_RARELY_FROM);
	return comesOften ? PROBED_RARELY_MS : PROBED_EVERY_COUNTED_MS;
}

/** Until somebody ends what goes on for ever. Where order is kept, batches go one after another. */
function arePlacesTaken(facts: Facts, workflow: string): boolean {
	const { parallelRuns = 5, batchSize = 1, keepOrder = true } = workflowOf(facts.ledger, workflow).options;
	const places = batchSize > 1 && keepOrder ? 1 : parallelRuns;
	return facts.ledger.runs.filter((run) => facts.isEndless(run)).length >= places;
}

/** A workflow that waits and is published again tries at once: whoever did that has perhaps mended what was wrong. */
export function publishingAgainTriesAtOnce(facts: Facts): Violation[] {
	const { history, registrations, runs } = facts.ledger;
	const law = 'publishingAgainTriesAtOnce';
	// Where n8n has few places, those of others come first.
	if (history.host.concurrency > 0) return [];
	const [, slowestMs] = history.queue.latencyMs ?? [0, 0];
	for (const { workflow, life, mode, calledAt, returnedAt, threw, closeCalledAt, endedAt } of registrations) {
		if (mode !== 'update' || returnedAt === undefined || threw !== undefined) continue;
		const dueAt = returnedAt + TRIED_AT_ONCE_MS + OPENED_IN_FRAMES * slowestMs;
		if (Math.min(closeCalledAt ?? Infinity, endedAt ?? Infinity, facts.ledger.endedAt) < dueAt) continue;
		if (!facts.turns(workflow, calledAt, life).at(-1)?.text.includes(': waits,')) continue;
		const ill = facts.spans(
			['broker', 'link', 'process', 'overlap', 'database', 'credential', 'wrongPassword'],
			workflow,
		);
		if (ill.some(({ from, to }) => from <= dueAt && to >= calledAt - LISTENING_AGAIN_MS)) continue;
		const own = runs.filter((run) => run.workflow === workflow && run.handedAt <= dueAt);
		// What runs holds its set, and a place.
		if (own.some((run) => run.handedAt < calledAt && (run.toldAt ?? Infinity) > calledAt)) continue;
		const owed = [...facts.messagesOf.keys()].find((event) =>
			isOwedAllTheTime(facts, workflow, event, calledAt, dueAt),
		);
		if (owed === undefined || own.some(({ handedAt }) => handedAt >= calledAt)) continue;
		const says = `Workflow ${workflow} waited, was published again, and tried nothing for ${minutes(TRIED_AT_ONCE_MS)}, with event ${owed} on the queue`;
		return [{ law, says, event: owed, workflow, at: calledAt }];
	}
	return [];
}

/** It had been delivered, is asked for, and nothing ended it: it could be tried. */
function isOwedAllTheTime(facts: Facts, workflow: string, event: number, from: number, to: number): boolean {
	if (!facts.asksFor(workflow, event) || facts.sentAt(event) >= from - LISTENING_AGAIN_MS) return false;
	if (facts.wasShared(event) || facts.wasEndedWithin(workflow, event, 0, to)) return false;
	if (facts.isEndedInLogBefore(workflow, event, to)) return false;
	if (isBehindTaken(facts, workflow, event, from, to)) return false;
	const messages = facts.messagesOf.get(event) ?? [];
	if (messages.length > 1 || messages.some((message) => message.deliveries === 0 || isTaken(message)))
		return false;
	return !facts.runsOf(workflow, event).some((run) => facts.isHandledBy(run) && run.handedAt <= to);
}

/** An earlier one of its set was taken by the queue, and was not missed yet: it is waited for. */
function isBehindTaken(facts: Facts, workflow: string, event: number, from: number, to: number): boolean {
	const set = facts.plans.get(event)?.set;
	return [...facts.messagesOf.keys()].some(
		(other) =>
			facts.plans.get(other)?.set === set &&
			facts.sentAt(other) <= facts.sentAt(event) &&
			facts.asksFor(workflow, other) &&
			facts.wasTaken(other, to) &&
			!facts.isEndedInLogBefore(workflow, other, from),
	);
}

/** A run that never ends holds its set. */
function isBehindEndless(facts: Facts, workflow: string, event: number): boolean {
	const set = facts.plans.get(event)?.set;
	return facts.ledger.runs.some(
		(run) =>
			run.workflow === workflow &&
			facts.isEndless(run) &&
			run.events.some((other) => facts.plans.get(other)?.set === set),
	);
}

/** The queue let it expire, or dropped it, before a probe was due: whether it might, another law judges. */
function isGoneBefore(facts: Facts, event: number, dueAt: number): boolean {
	const messages = facts.messagesOf.get(event) ?? [];
	return messages.every((message) => isTaken(message) && message.at < dueAt);
}

function minutes(ms: number): string {
	if (ms === Infinity) return 'ever';
	return ms < 90_000 ? `${Math.round(ms / 1000)} s` : `${Math.round(ms / 6_000) / 10} minutes`;
}
