import {
	CLOSING_MS,
	CONNECTS_OF_EACH,
	CONNECTS_PER_MINUTE,
	CREDENTIAL_READ_MS,
	MISSING_EVERY_MS,
	SPARE_REPORTS_PER_HOUR,
	SPARE_WARNINGS_PER_HOUR,
} from '../bounds';
import { placeOf } from '../history/history';
import type { ReportRecord, RunRecord } from '../ledger';
import type { Facts } from './facts';
import { guiltOf } from './guilt';
import type { Violation } from './law';
import { saysWhatTheQueueTook } from './loss';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** Of what a person reads why a workflow cannot listen. Its credential is kept in n8n's database. */
const KEEPS_OUT = ['broker', 'credential', 'wrongPassword', 'database'] as const;

/** Once everything is closed, no timer, link or subscriber is left, and no exception was left to itself. */
export function nothingIsLeft(facts: Facts): Violation[] {
	const { left, uncaught, runs } = facts.ledger;
	// A run that never ends is waited for, for a day.
	const endless = runs.filter(
		(run) =>
			run.outcome === 'losesItsResult' ||
			facts.isEndless(run) ||
			// It waited for a place for long, and goes on in n8n.
			(run.outcome === 'endedWithProcess' && (run.endedAt ?? 0) >= facts.ledger.endedAt + CLOSING_MS),
	).length;
	const found = Object.entries({ ...left, timers: left.timers - endless })
		.filter(([, count]) => count > 0)
		.map(([what, count]) => `${count} ${what} left after everything was closed`);
	return [...found, ...uncaught.map((error) => `Nobody caught: ${error}`)].map((says) => ({
		law: 'nothingIsLeft',
		says,
	}));
}

/** Reports and log lines are few: as many as the history gave cause for, and a handful more in any hour. */
export function thereIsNoStorm(facts: Facts): Violation[] {
	const { reports, logs, spans, history } = facts.ledger;
	const found: Violation[] = [];
	for (const workflow of facts.workflows) {
		const own = reports.filter((report) => report.workflow === workflow);
		const unread = own.filter(({ events }) => events.some((event) => facts.isUnreadable(event)));
		const spare = own.filter(
			({ events, at }) =>
				!events.some((event) => facts.isUnreadable(event) || guiltOf(facts, workflow, event, at)),
		);
		// Who never showed its password is told how many it missed, one report for each of a few, as of unreadable ones.
		const unshown = spare.filter(
			({ events, text, at }) =>
				events.length === 0 &&
				text.includes('did not get') &&
				(facts.absentMs(workflow, 0, at) > 0 || facts.hasMoved(workflow)),
		);
		// What a limit of the queue took again and again is told again and again, at a pace.
		const taken = spare.filter(
			(report) =>
				report.events.length > 0 &&
				report.events.every((event) => saysWhatTheQueueTook(facts, event, report)),
		);
		const worst = mostOfALife(
			spare.filter((report) => !unshown.includes(report) && !taken.includes(report)),
			HOUR,
		);
		const tellings = mostOfALife(taken, HOUR);
		// Before nobody is left to be told, all that is known is told.
		const leavings = facts.ledger.registrations.flatMap((each) =>
			each.workflow === workflow && each.closeCalledAt !== undefined
				? [{ life: each.life, at: each.closeCalledAt }]
				: [],
		);
		// Each queue at its own pace.
		const queues = facts.placesOf(workflow).size;
		if (tellings > (1 + HOUR / MISSING_EVERY_MS) * queues + mostOfALife(leavings, HOUR)) {
			const says = `Workflow ${workflow} was told ${tellings} times within an hour what the queue took`;
			found.push({ law: 'thereIsNoStorm', says, workflow });
		}
		// What keeps it out is told twice at most: that it cannot listen, and that others go on without it.
		const kinds = new Set(facts.spans([...KEEPS_OUT], workflow).map(({ what }) => what));
		// That it waits is told once more where the runs themselves outlast the time in which their end is waited for.
		const waits = facts.runsTooLong(workflow) ? 1 : 0;
		if (worst > Math.max(SPARE_REPORTS_PER_HOUR, 2 * (kinds.size + otherWords(facts, workflow))) + waits) {
			const says = `Workflow ${workflow} showed ${worst} reports within an hour for which the history gave no cause`;
			found.push({ law: 'thereIsNoStorm', says, workflow });
		}
		const flood = Math.max(mostOfALife(unread, 10 * 60_000), mostOfALife(unshown, 10 * 60_000));
		if (flood > (facts.bounds.unreadableReports + 12) * queues) {
			const says = `Workflow ${workflow} showed ${flood} reports on unreadable messages, or on events it missed, within ten minutes`;
			found.push({ law: 'thereIsNoStorm', says, workflow });
		}
	}
	const tries = triesToConnect(facts);
	const connects = CONNECTS_PER_MINUTE + CONNECTS_OF_EACH * facts.workflows.length;
	if (tries > connects) {
		const says = `One process tried to connect ${tries} times within a minute`;
		found.push({ law: 'thereIsNoStorm', says });
	}
	// Where less is remembered than is on its way, a dead letter that returns ends anew each time, and is news each time.
	const forgets = history.queue.deadLettersReturn && facts.ledger.mostUnsettled >= facts.bounds.remembered;
	const loud = logs.filter(
		({ level, text }) =>
			(level === 'warn' || level === 'error') && !(forgets && text.includes('could not be kept any longer')),
	);
	const lines = mostWithin(
		loud.map(({ at }) => at),
		HOUR,
	);
	const bound =
		SPARE_WARNINGS_PER_HOUR + 3 * (history.events.length * facts.workflows.length) + 5 * spans.length;
	if (lines > bound)
		found.push({ law: 'thereIsNoStorm', says: `${lines} warnings and errors in the log within an hour` });
	return found;
}

/** The most of one process within a minute. */
function triesToConnect({ ledger: { links } }: Facts): number {
	const lives = [...new Set(links.map(({ life }) => life))];
	return Math.max(
		0,
		...lives.map((each) =>
			mostWithin(
				links.filter(({ life }) => life === each).map(({ askedAt }) => askedAt),
				MINUTE,
			),
		),
	);
}

/**
 * A credential that hangs is told in other words than one that is refused, and so is a broker that does not answer than one
 * that is not there: so many more things to tell.
 */
function otherWords(facts: Facts, workflow: string): number {
	const { steps } = facts.ledger.history;
	const credential = steps.flatMap((step) =>
		step.do === 'credentialUnreadable' && step.workflow === workflow ? [step.hangs] : [],
	);
	const broker = steps.flatMap((step) =>
		step.do === 'brokerAway' || step.do === 'brokerFrozen' ? [step.do] : [],
	);
	const ways = [credential, broker].map((each) => new Set<unknown>(each).size);
	return ways.reduce((sum, count) => sum + Math.max(0, count - 1), 0);
}

/** The most reports of one process within so many milliseconds: it knows nothing of what the one before it told. */
function mostOfALife(reports: readonly Pick<ReportRecord, 'life' | 'at'>[], spanMs: number): number {
	const lives = [...new Set(reports.map(({ life }) => life))];
	return Math.max(
		0,
		...lives.map((each) =>
			mostWithin(
				reports.filter(({ life }) => life === each).map(({ at }) => at),
				spanMs,
			),
		),
	);
}

/** The most moments that lie within so many milliseconds of each other. */
function mostWithin(moments: readonly number[], spanMs: number): number {
	let most = 0;
	let first = 0;
	for (const [last, moment] of moments.entries()) {
		while ((moments[first] ?? moment) < moment - spanMs) first += 1;
		most = Math.max(most, last - first + 1);
	}
	return most;
}

/** Registering a trigger throws only when a person publishes: at the start of n8n it would be given up for good. */
export function onlyPublishingIsRefused(facts: Facts): Violation[] {
	return facts.ledger.registrations
		.filter(({ threw, mode }) => threw !== undefined && mode !== 'activate')
		.slice(0, 1)
		.map(({ workflow, mode, threw, calledAt }) => ({
			law: 'onlyPublishingIsRefused',
			says: `Workflow ${workflow} was refused in mode "${mode}": ${threw}`,
			workflow,
			at: calledAt,
		}));
}

/** Whoever never proved its own password gets no event, and reads none in a report. */
export function onlyTheProvenAreServed(facts: Facts): Violation[] {
	const { runs, links, credentials, reports } = facts.ledger;
	const hidden = facts.ledger.spans.filter(({ what }) => what === 'credential' || what === 'database');
	// All credentials are read at once, and one that is not handed out keeps the others waiting.
	const readAt = (askedAt: number) =>
		hidden.some(({ from, to }) => from <= askedAt && to >= askedAt - CREDENTIAL_READ_MS)
			? askedAt - CREDENTIAL_READ_MS
			: askedAt;
	for (const run of runs) {
		const event = run.events[0] ?? 0;
		const [first] = facts.runsOf(run.workflow, event).filter(({ life }) => life === run.life);
		// What it has begun, with its password proven, it may try again.
		if (first !== run) continue;
		const held = credentials.filter(({ workflow, at }) => workflow === run.workflow && at <= run.handedAt);
		const proven = held.some(({ username, password }, index) => {
			const replacedAt = held[index + 1]?.at ?? Infinity;
			const own = links.filter(
				(link) => link.life === run.life && link.username === username && link.password === password,
			);
			// An edit is obeyed at the next connection: until then, the one before it counts, also while it is being opened.
			const goesOn = own.some(
				({ askedAt, lostAt = Infinity }) => readAt(askedAt) < replacedAt && lostAt >= run.handedAt,
			);
			const obeyed = links.some(
				(link) =>
					link.life === run.life &&
					link.username === username &&
					link.askedAt >= replacedAt &&
					link.askedAt <= run.handedAt,
			);
			return own.some(({ askedAt, acceptedAt = Infinity, lostAt = Infinity, failure }) => {
				// It logged in to show its password, hung up, and the connection that is to serve it is not asked for yet.
				const shown = lostAt < replacedAt && failure === undefined && !obeyed;
				return (
					acceptedAt <= run.handedAt &&
					(replacedAt > run.handedAt || (readAt(askedAt) < replacedAt && (goesOn || shown)))
				);
			});
		});
		if (proven || goesOnElsewhere(facts, run, event)) continue;
		const says = `Workflow ${run.workflow} ran event ${event}, and its password was never proven to the broker`;
		return [{ law: 'onlyTheProvenAreServed', says, event, workflow: run.workflow, at: run.handedAt }];
	}
	for (const { workflow, life, at, events } of reports) {
		const [event] = events;
		// What it was let in with once, it may be told of afterwards, whatever its password is by then.
		if (event === undefined || facts.wasProven(workflow, life, at)) continue;
		const says = `Workflow ${workflow} was shown event ${event} in a report, and its password was never proven to the broker`;
		return [{ law: 'onlyTheProvenAreServed', says, event, workflow, at }];
	}
	return [];
}

/** It came where its credential points no more, while it was let in there: it runs, whatever password stands in that now. */
function goesOnElsewhere(facts: Facts, { workflow, life, handedAt }: RunRecord, event: number): boolean {
	const { came, credentials, links } = facts.ledger;
	const place = facts.placeOf(event);
	const held = credentials.filter((each) => each.workflow === workflow && each.at <= handedAt);
	if (placeOf(held.at(-1) ?? {}) === place) return false;
	const proven = links.filter(
		(link) =>
			link.life === life &&
			placeOf(link) === place &&
			held.some(
				(own) => placeOf(own) === place && own.username === link.username && own.password === link.password,
			),
	);
	return came.some(
		(each) =>
			each.life === life &&
			each.event === event &&
			proven.some(
				({ acceptedAt = Infinity, lostAt = Infinity }) => acceptedAt <= each.at && lostAt >= each.at,
			),
	);
}
