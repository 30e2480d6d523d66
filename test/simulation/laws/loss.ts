import { ADMITTED_AGAIN_MS, RETURNS_WITHIN_MS, SLOW_LINE_MS, TOLD_AFTER_MS } from '../bounds';
import { placeOf } from '../history/history';
import type { Registration, ReportRecord, RunRecord } from '../ledger';
import { passes, type Facts } from './facts';
import { guiltOf, guiltOfDrop } from './guilt';
import type { Violation } from './law';

/** Each event was run for each workflow that asked, or is on the queue, or its body stands in a report or the log. */
export function nothingIsLost(facts: Facts): Violation[] {
	const found: Violation[] = [];
	for (const event of facts.messagesOf.keys()) {
		if (facts.isOnTheQueue(event)) continue;
		if (facts.isUnreadable(event)) {
			const ran = facts.workflows.some((workflow) => facts.isHandled(workflow, event));
			const expired = facts.messagesOf.get(event)?.some(({ fate }) => fate === 'expired');
			if (
				!ran &&
				!expired &&
				!facts.isDroppedUnseen(event) &&
				!facts.isWrittenDownAnywhere(event) &&
				facts.somebodyAsked(event)
			) {
				found.push(lost(event, undefined, 'is gone from the queue: no run, no report, no log line'));
			}
			continue;
		}
		for (const workflow of facts.workflows) {
			if (!facts.asksFor(workflow, event)) continue;
			if (facts.isHandled(workflow, event) || facts.isWrittenDown(workflow, event)) continue;
			if (facts.hasExpiredUntouched(workflow, event) || facts.isDroppedUnseen(event)) continue;
			if (facts.isTakenByLeaderBefore(workflow, event) || facts.isNotShownTo(workflow, event)) continue;
			const runs = facts.runsOf(workflow, event).map(({ outcome }) => outcome ?? 'is going');
			const what = runs.length === 0 ? 'it was never run' : `its runs: ${runs.join(', ')}`;
			found.push(lost(event, workflow, `is lost for workflow ${workflow}: ${what}, and nothing says so`));
		}
	}
	return found;
}

const lost = (event: number, workflow: string | undefined, says: string): Violation => ({
	law: 'nothingIsLost',
	says: `Event ${event} ${says}`,
	event,
	workflow,
});

/**
 * Only events that the history itself made poison, unreadable, unknown or owed beyond the bounds may end in a report, be
 * rejected, or be dropped by the broker.
 */
export function onlyTheGuiltyEndInReports(facts: Facts): Violation[] {
	const found: Violation[] = [];
	const law = 'onlyTheGuiltyEndInReports';
	for (const [event, messages] of facts.messagesOf) {
		for (const workflow of facts.workflows) {
			const [report] = facts
				.endingsOf(workflow, event)
				.filter(
					(each) =>
						!decidedAt(facts, workflow, event, each).some((at) => guiltOf(facts, workflow, event, at)) &&
						!saysWhatTheQueueTook(facts, event, each) &&
						!ranElsewhereUnseen(facts, workflow, event, each),
				);
			const inLog = report ? undefined : givenUpInLogOnly(facts, workflow, event);
			if (inLog !== undefined) {
				const says = `Event ${event} was given up for workflow ${workflow}, as the log says, and the history gave no cause`;
				found.push({ law, says, event, workflow, at: inLog });
			}
			if (!report) continue;
			const headline = report.text.split('\n')[0] ?? '';
			const says = `Event ${event} ended in a report of workflow ${workflow} ("${headline}"), and the history gave no cause`;
			found.push({ law, says, event, workflow, at: report.at });
		}
		for (const message of messages) {
			if (message.fate === 'removed' || message.fate === 'onTheQueue') continue;
			const { fate, at } = message;
			const guilt =
				fate === 'rejected'
					? facts.workflows
							.flatMap((workflow) => [
								guiltOf(facts, workflow, event, at),
								// What one gave up is rejected when the others are done with it.
								...facts
									.endingsOf(workflow, event)
									.map((ending) => guiltOf(facts, workflow, event, ending.at)),
								// Where this n8n stores no report, the log tells when that was.
								...facts
									.givenUpInLogAt(workflow, event)
									.map((endedAt) => guiltOf(facts, workflow, event, endedAt)),
							])
							.find(Boolean)
					: guiltOfDrop(facts, message);
			const written = fate === 'expired' && facts.isWrittenDownAnywhere(event);
			if (guilt !== undefined || written) continue;
			found.push({
				law,
				says: `Event ${event} was ${fate} by the broker, and the history gave no cause`,
				event,
				at,
			});
		}
	}
	return found;
}

/** When a share ended that is told without its body, since its workflow was never let in, and without a cause. */
function givenUpInLogOnly(facts: Facts, workflow: string, event: number): number | undefined {
	// What came again after all, and ran, cost nobody anything.
	if (facts.endingsOf(workflow, event).length > 0 || facts.isHandled(workflow, event)) return undefined;
	return facts
		.givenUpInLogAt(workflow, event)
		.find((at) => !guiltOf(facts, workflow, event, at) && !facts.wasTaken(event, at));
}

/** A report is gathered for a while: what it tells of was decided when the log said so, and much may have ended since. */
function decidedAt(facts: Facts, workflow: string, event: number, { at }: ReportRecord): number[] {
	const inLog = facts.givenUpInLogAt(workflow, event);
	return [at, ...inLog.filter((each) => each <= at && each >= at - TOLD_AFTER_MS)];
}

/** It says that the queue dropped the event, and so it is. */
export function saysWhatTheQueueTook(facts: Facts, event: number, report: ReportRecord): boolean {
	return report.text.includes('did not come again') && facts.wasTaken(event, report.at);
}

/**
 * Where frames travel for a second, a look at who else reads takes ten, and every new channel begins it anew: a leader that
 * read for less, when both had been lost, is not seen, and what it ran is missed by the next one.
 */
export function ranElsewhereUnseen(
	facts: Facts,
	workflow: string,
	event: number,
	report: ReportRecord,
): boolean {
	const [, slowestMs] = facts.ledger.history.queue.latencyMs ?? [0, 0];
	if (slowestMs < SLOW_LINE_MS || !report.text.includes('did not come again')) return false;
	const overlaps = facts.spans(['overlap']);
	return facts
		.runsOf(workflow, event)
		.some(
			(run) =>
				run.life < report.life &&
				facts.isHandledBy(run) &&
				overlaps.some(({ from, to }) => run.handedAt >= from && run.handedAt <= Math.min(to, report.at)),
		);
}

/**
 * What the queue dropped or let expire after a process had seen it is told with its body, if that process goes on with
 * the workflow. A message that nobody was shown is what the owner of the queue asked for.
 */
export function whatTheQueueTakesIsTold(facts: Facts): Violation[] {
	const law = 'whatTheQueueTakesIsTold';
	const found: Violation[] = [];
	for (const event of facts.messagesOf.keys()) {
		// What a limit takes after everything was closed is seen by nobody.
		if (!facts.wasTaken(event, facts.ledger.endedAt) || facts.isOnTheQueue(event)) continue;
		for (const workflow of facts.workflows) {
			const unreadable = facts.isUnreadable(event);
			if (!(unreadable ? facts.somebodyAsked(event) : facts.asksFor(workflow, event))) continue;
			if (facts.isHandled(workflow, event) || !facts.canBeMissed(workflow, event)) continue;
			const told = unreadable ? facts.isWrittenDownAnywhere(event) : facts.isWrittenDown(workflow, event);
			if (told) continue;
			const says = `Event ${event} was taken by a limit of the queue after it was shown, and nothing tells workflow ${workflow}`;
			found.push({ law, says, event, workflow });
		}
	}
	return found;
}

/**
 * What a workflow had begun and failed with when it was unpublished for good ends with a report, where others stay. Judged
 * where all was well around its leaving, and nobody knows less of it than its process did.
 */
export function whoLeftIsToldOfWhatItHadBegun(facts: Facts): Violation[] {
	const law = 'whoLeftIsToldOfWhatItHadBegun';
	const { history, mostUnsettled } = facts.ledger;
	if (history.queue.deadLettersReturn || mostUnsettled >= facts.bounds.remembered) return [];
	const found: Violation[] = [];
	for (const workflow of facts.workflows) {
		const left = leftForGoodBesideOthers(facts, workflow);
		if (!left) continue;
		const { last } = left;
		for (const [event, messages] of facts.messagesOf) {
			// Where nobody else reads, it is back on the queue, and whoever is pointed there later finds it.
			if (!left.othersRead(facts.placeOf(event))) continue;
			const runs = facts.runsOf(workflow, event);
			const failed =
				runs.length > 0 && runs.every((run) => hasFailedBefore(run, last) && !facts.isHandledBy(run));
			if (!failed || messages.length > 1 || !passes(facts.statusOf(event), last.statuses)) continue;
			if (facts.isOnTheQueue(event) || facts.wasTaken(event) || facts.isWrittenDown(workflow, event))
				continue;
			const says = `Event ${event} had failed for workflow ${workflow} when that was unpublished for good, and nothing tells of it`;
			found.push({ law, says, event, workflow, at: last.closeCalledAt });
		}
	}
	return found;
}

const hasFailedBefore = (
	{ outcome, life, toldAt = Infinity }: RunRecord,
	last: Registration & { closeCalledAt: number },
) => (outcome === 'fails' || outcome === 'crashes') && life === last.life && toldAt < last.closeCalledAt;

/**
 * Its last registration, where it was let in, and others that were stayed in that process while it might have returned: which
 * queues those read all the time.
 */
function leftForGoodBesideOthers(facts: Facts, workflow: string) {
	const { registrations, runs, spans } = facts.ledger;
	const last = registrations.filter((each) => each.workflow === workflow).at(-1);
	if (last?.closeCalledAt === undefined || facts.wishAt(workflow, last.closeCalledAt) !== undefined)
		return undefined;
	const { life, closeCalledAt } = last;
	// Its last run ends by its outcome first.
	const ends = runs
		.filter((run) => run.workflow === workflow && run.life === life)
		.map(({ toldAt = Infinity }) => toldAt);
	const until = Math.max(closeCalledAt + RETURNS_WITHIN_MS, ...ends);
	const isThere = (each: Registration) =>
		each.life === life &&
		each.workflow !== workflow &&
		(each.returnedAt ?? Infinity) + ADMITTED_AGAIN_MS <= closeCalledAt &&
		Math.min(each.closeCalledAt ?? Infinity, each.endedAt ?? Infinity) >= until;
	const isIll = spans.some(
		({ what, from, to }) =>
			what !== 'downstream' && what !== 'mishap' && from <= until && to + RETURNS_WITHIN_MS >= closeCalledAt,
	);
	const others = registrations.filter(isThere);
	if (others.length === 0 || isIll) return undefined;
	return {
		last: { ...last, closeCalledAt },
		othersRead: (place: string) => others.some((each) => readsAllTheTime(facts, each, until, place)),
	};
}

/** Pointed to this virtual host alone, from its start until then. */
function readsAllTheTime(
	{ ledger }: Facts,
	{ workflow, calledAt }: Registration,
	until: number,
	place: string,
): boolean {
	const held = ledger.credentials.filter((each) => each.workflow === workflow && each.at <= until);
	const first = held.findLastIndex(({ at }) => at <= calledAt);
	return held.slice(Math.max(0, first)).every((each) => placeOf(each) === place);
}

/** What a report says is so: "no event is lost" only where none is. */
export function reportsSayWhatIsTrue(facts: Facts): Violation[] {
	const lostOnes = nothingIsLost(facts);
	return facts.ledger.reports
		.filter(({ text }) => /no(thing| event) is lost/i.test(text))
		.flatMap((report) => {
			const example = lostOnes.find(
				({ workflow, event = 0 }) =>
					workflow === report.workflow && facts.sentAt(event) <= report.at + 60_000,
			);
			if (!example) return [];
			const says = `A report of workflow ${report.workflow} says that nothing is lost, and event ${example.event} is`;
			return [
				{ law: 'reportsSayWhatIsTrue', says, event: example.event, workflow: report.workflow, at: report.at },
			];
		});
}
