import {
	ADMITTED_AGAIN_MS,
	GIVEN_BACK_AFTER_MS,
	KEPT_FOR_ABSENT_MS,
	LISTENING_AGAIN_MS,
	REPORTED_WITHIN_MS,
	TOLD_AFTER_MS,
	UNKNOWN_AFTER_MS,
} from '../bounds';
import { bodiesIn } from '../history/bodies';
import { placeOf } from '../history/history';
import type { ReportRecord, RunRecord } from '../ledger';
import type { Facts } from './facts';
import type { Violation } from './law';
import { ranElsewhereUnseen, saysWhatTheQueueTook } from './loss';

/** A report names as many events as it shows, and a cause that there was: whoever reads it looks for that. */
export function reportsTellNumberAndCause(facts: Facts): Violation[] {
	const law = 'reportsTellNumberAndCause';
	return facts.ledger.reports.flatMap((report) => {
		const says = wrongNumber(report) ?? wrongCause(facts, report) ?? wrongCount(facts, report);
		if (says === undefined) return [];
		const { workflow, at, events, text } = report;
		const headline = text.split('\n')[0] ?? '';
		return [
			{
				law,
				says: `A report of workflow ${workflow} ("${headline}") ${says}`,
				event: events[0],
				workflow,
				at,
			},
		];
	});
}

/** As it stands in the first line of a report that shows bodies: of several, or of one. */
const NUMBER = /(?:run for|failed .* for|did not get|^) ?(\d+) (?:events|messages)\b/;

/** The end of a report that does not show all of its bodies. */
const CUT = ' …';

function wrongNumber({ text }: ReportRecord): string | undefined {
	const [headline = ''] = text.split('\n');
	const shown = bodiesIn(text).length;
	if (shown === 0) return undefined;
	const named = Number(NUMBER.exec(headline)?.[1] ?? 1);
	// What a report is too short for stands in the log.
	if (text.endsWith(CUT) && named > shown) return undefined;
	return named === shown ? undefined : `names ${named} events, and shows ${shown}`;
}

/** What a report says that happened, by its first line, and what must be so then of each event that it shows. */
const CAUSES: ReadonlyArray<
	readonly [RegExp, (facts: Facts, report: ReportRecord, event: number) => boolean]
> = [
	[/not (?:a status event|status events)/, (facts, _, event) => facts.isUnreadable(event)],
	[/^The workflow failed/, hasFailedSoOften],
	[/^n8n did not say how/, hadNoWordYet],
	[/could not be let in to the queue/, couldBeKeptOut],
	[/it waited for too long/, (facts, report) => someRun(facts, report, isNotWell)],
	[
		/it was unpublished before/,
		(facts, report, event) => hasLeft(facts, report) && runsBefore(facts, report, event).some(isNotWell),
	],
	[/did not come again/, wasTaken],
	[/the queue was deleted/, () => false],
];

function wrongCause(facts: Facts, report: ReportRecord): string | undefined {
	const [headline = ''] = report.text.split('\n');
	const [, isSo] = CAUSES.find(([words]) => words.test(headline)) ?? [];
	const event = isSo && report.events.find((each) => !isSo(facts, report, each));
	if (event !== undefined) return `names a cause that was none for event ${event}`;
	const waits = WAITS.find(([words]) => words.test(headline));
	return waits && !someRun(facts, report, waits[1]) ? 'says so, and no run had ended so' : undefined;
}

const NO_WORD = ['hangs', 'losesItsResult', 'endedWithProcess', 'cannotStart', undefined];

const hasFailed = ({ outcome }: RunRecord) => outcome === 'fails' || outcome === 'crashes';
const couldNotStart = ({ outcome }: RunRecord) => outcome === 'cannotStart';

/** Its end was never told, or later than it is waited for. */
const hadNoWord = ({ outcome, handedAt, toldAt = Infinity }: RunRecord) =>
	NO_WORD.includes(outcome) || toldAt - handedAt >= UNKNOWN_AFTER_MS - GIVEN_BACK_AFTER_MS - 1_000;

const isNotWell = (run: RunRecord) => hasFailed(run) || hadNoWord(run);

/** Why a workflow waits, and what must have become of a run of it. */
const WAITS: ReadonlyArray<readonly [RegExp, (run: RunRecord) => boolean]> = [
	[/^The workflow waits, since its runs fail/, (run) => hasFailed(run) || couldNotStart(run)],
	[/^The workflow waits, since n8n cannot start its runs/, couldNotStart],
	[/^The workflow waits, since n8n does not say how/, hadNoWord],
	[/^The workflow starts nothing more, since all its places/, hadNoWord],
];

/** A run of the workflow in this process that was handed over by then came to this. */
function someRun(
	facts: Facts,
	{ workflow, life, at }: ReportRecord,
	is: (run: RunRecord) => boolean,
): boolean {
	return facts.ledger.runs.some(
		(run) => run.workflow === workflow && run.life === life && run.handedAt <= at && is(run),
	);
}

function runsBefore(facts: Facts, { workflow, life, at }: ReportRecord, event: number): RunRecord[] {
	return facts.runsOf(workflow, event).filter((run) => run.life === life && run.handedAt <= at);
}

/** So often as it says, and as its workflow asks for: more often where no other of its status succeeded meanwhile. */
function hasFailedSoOften(facts: Facts, report: ReportRecord, event: number): boolean {
	const [, many] = /^The workflow failed (?:once|(\d+) times)/.exec(report.text) ?? [];
	const times = Number(many ?? 1);
	const asked = facts.ledger.registrations
		.filter(({ workflow, life }) => workflow === report.workflow && life === report.life)
		.map(({ options }) => options.attempts ?? 5);
	return times >= Math.min(...asked) && runsBefore(facts, report, event).filter(isNotWell).length >= times;
}

/** A run of it had no word when the report was decided. */
function hadNoWordYet(facts: Facts, report: ReportRecord, event: number): boolean {
	return runsBefore(facts, report, event).some(
		({ toldAt = Infinity }) => toldAt >= report.at - REPORTED_WITHIN_MS,
	);
}

function wasTaken(facts: Facts, report: ReportRecord, event: number): boolean {
	const { mostUnsettled, reports } = facts.ledger;
	const gaveUp = ({ workflow, at, events }: ReportRecord) =>
		workflow === report.workflow && at < report.at && events.includes(event);
	// Where less is remembered than is on its way, what has ended is waited for like what has not.
	const isForgotten =
		mostUnsettled >= facts.bounds.remembered &&
		(runsBefore(facts, report, event).some((run) => facts.isHandledBy(run)) || reports.some(gaveUp));
	return (
		isForgotten ||
		saysWhatTheQueueTook(facts, event, report) ||
		ranElsewhereUnseen(facts, report.workflow, event, report)
	);
}

function hasLeft(facts: Facts, { workflow, life, at }: ReportRecord): boolean {
	return facts.ledger.registrations.some(
		(each) => each.workflow === workflow && each.life === life && (each.closeCalledAt ?? Infinity) <= at,
	);
}

/** It was not there all the time, or something kept it from the queue. */
function couldBeKeptOut(facts: Facts, { workflow, life, at }: ReportRecord, event: number): boolean {
	const from = facts.sentAt(event);
	const away = facts.spans(['link', 'broker', 'credential', 'wrongPassword', 'database'], workflow);
	return (
		// While two processes lead, it may be there in the other one.
		!facts.wasThere(workflow, from, at, life) ||
		// A share may be given up at the very moment of sending, or at that of the loss.
		facts.illMs(away, from - 1, at + 1, LISTENING_AGAIN_MS + ADMITTED_AGAIN_MS + TOLD_AFTER_MS) > 0
	);
}

/** Who was never let in is told a number alone: no more than the log shows for it of queues that it was pointed to. */
function wrongCount(facts: Facts, report: ReportRecord): string | undefined {
	const count = countOf(report);
	if (count === undefined) return undefined;
	const { workflow, life, at } = report;
	const told = facts.ledger.reports
		.filter((each) => each.workflow === workflow && each.life === life && each.at <= at)
		.reduce((sum, each) => sum + (countOf(each) ?? 0), 0);
	const logged = facts.ledger.logs
		.filter((each) => each.life === life && each.at <= at && each.text.includes(`"${workflow}"`))
		.filter(({ text }) => NOT_KEPT.test(text))
		.flatMap(({ text }) => bodiesIn(text))
		.filter((event) => mayBeItsOwn(facts, report, event)).length;
	return told > logged ? `has told of ${told} by now, and the log shows ${logged}` : undefined;
}

/** Where its credential cannot be read, nobody knows which of the queues of its name it is pointed to. */
function mayBeItsOwn(facts: Facts, { workflow, at }: ReportRecord, event: number): boolean {
	const isPointedThere = facts.ledger.credentials.some(
		(each) => each.workflow === workflow && each.at <= at && placeOf(each) === facts.placeOf(event),
	);
	return isPointedThere || facts.absentMs(workflow, at - KEPT_FOR_ABSENT_MS - TOLD_AFTER_MS, at) > 0;
}

/** A log line with which a workflow does not get events. */
const NOT_KEPT = /: \d+ events (?:could not be kept|were off the queue|went back to the queue)/;

function countOf({ text }: ReportRecord): number | undefined {
	const [, count] = /^This workflow did not get (an event|\d+ events)/.exec(text) ?? [];
	if (count === undefined || !text.includes('let in before')) return undefined;
	return count === 'an event' ? 1 : Number.parseInt(count, 10);
}
