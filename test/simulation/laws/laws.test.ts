import { bodyOf } from '../history/bodies';
import { ACCOUNT, ELSEWHERE, OTHER_HOST, type WorkflowPlan } from '../history/history';
import { events, history, HOUR, MINUTE, SECOND, sent } from '../examples/example';
import type { Ledger, ReportRecord, RunRecord } from '../ledger';
import { LAWS, violationsOf } from '.';

const plans = events(3, (number) => ({ set: number === 3 ? 2 : 1 }));

const run = (event: number, handedAt: number, changes: Partial<RunRecord> = {}): RunRecord => ({
	id: event,
	life: 1,
	workflow: 'A',
	registration: 0,
	events: [event],
	attempt: 1,
	handedAt,
	startedAt: handedAt,
	endedAt: handedAt + 500,
	toldAt: handedAt + 500,
	outcome: 'succeeded',
	mishap: false,
	...changes,
});

const report = (event: number, changes: Partial<ReportRecord> = {}): ReportRecord => ({
	life: 1,
	workflow: 'A',
	at: 20 * SECOND,
	text: `The workflow failed 5 times\nEvent #${event}#`,
	events: [event],
	stored: true,
	...changes,
});

/** A report with these words in its first line, and these bodies. */
const told = (headline: string, shown: readonly number[]): ReportRecord =>
	report(0, {
		text: [headline, ...shown.map((number) => `Event #${number}#`)].join('\n'),
		events: [...shown],
	});

/** The log shows one event that it did not get, and two reports tell it their number. */
function neverLetIn({ logs, reports }: Ledger, count: number): void {
	const text = 'Workflow "A", node "Event": 1 events could not be kept any longer {"events":["#3#"]}';
	logs.push({ life: 1, at: 15 * SECOND, level: 'warn', text });
	const said = `This workflow did not get ${count === 1 ? 'an event' : `${count} events`}: it waited for too long`;
	const where =
		'Their content stands in n8n’s log: it is shown here only to a workflow that was let in before.';
	reports.push(told(`${said}\n${where}`, []));
}

function goneThoughHandled(morning: Ledger): void {
	morning.mostUnsettled = 3;
	const headline =
		'This workflow did not get the event A of B: what went back to the queue did not come again';
	morning.reports.push(told(headline, [3]));
}

/** The third one is no event, and the queue drops it. */
function droppedUnread({ history: { events: all }, runs, messages, shown }: Ledger, times: number): void {
	all[2]!.odd = 'notJson';
	runs.pop();
	Object.assign(messages[2]!, { fate: 'dropped', deliveries: 3 });
	shown[3] = times;
}

/** Versions with these filters, one after another; with the last, the second of a set runs before the first. */
function asksForMore(morning: Ledger, versions: ReadonlyArray<readonly string[]>): void {
	const { registrations, wishes, runs } = morning;
	morning.history.events[1]!.status = 'ISSUED';
	const [known] = registrations.splice(0);
	const [wish] = wishes.splice(0);
	versions.forEach((statuses, index) => {
		const calledAt = index === 0 ? 0 : 5 * SECOND + index;
		registrations.push({ ...known!, number: index, statuses, calledAt, returnedAt: calledAt });
		wishes.push({ ...wish!, statuses, at: calledAt });
	});
	const registration = versions.length - 1;
	for (const each of runs) each.registration = registration;
	runs[0] = run(1, 20 * SECOND, { registration });
}

/** The second of a set begins before the first has ended, after a process was killed that held so many. */
const killedWith = (held: number) => (morning: Ledger) => {
	morning.history.queue.type = 'quorum';
	morning.history.bounds = { lookThrough: 3 };
	morning.mostUnsettled = held;
	morning.spans.push({ what: 'process', from: 5 * SECOND, to: 6 * SECOND });
	morning.runs[0]!.endedAt = 13 * SECOND;
};

/** The process before had given an event back so often, and the second of a set begins before the first has ended. */
const cameBackTimes =
	(returns: number, lives: 1 | 2 = 2, which = 0) =>
	(morning: Ledger) => {
		morning.history.queue.type = 'quorum';
		const [own] = morning.registrations;
		if (lives === 2) morning.registrations.push({ ...own!, number: 1, calledAt: 0 });
		for (const each of [own!, ...morning.runs]) each.life = 2;
		morning.messages[which]!.returns = returns;
		morning.runs[0]!.endedAt = 13 * SECOND;
	};

/** So many reports within an hour, of one with a wrong password and a broker that was away, and did not answer. */
function keptOutBy({ spans, reports, history: { steps } }: Ledger, count: number): void {
	spans.push({ what: 'wrongPassword', workflow: 'A', from: 0, to: MINUTE });
	spans.push({ what: 'broker', from: 0, to: MINUTE });
	steps.push({ at: 10 * SECOND, do: 'brokerAway', forMs: SECOND });
	steps.push({ at: 20 * SECOND, do: 'brokerFrozen', forMs: SECOND });
	for (let index = 0; index < count; index += 1) reports.push(report(0, { events: [], text: 'Outage' }));
}

/** Its credential is edited then, and names the other virtual host. */
function pointsElsewhereSince({ credentials }: Ledger, at: number): void {
	credentials.push({ workflow: 'A', at, ...ACCOUNT, vhost: ELSEWHERE });
}

/** Its credential is edited, and names its host otherwise. */
function isGivenAnotherName({ credentials }: Ledger): void {
	credentials.push({ workflow: 'A', at: 11 * SECOND, ...ACCOUNT, host: OTHER_HOST });
}

/** A version did not ask for the third, which is missed under the name that its host had before. */
function missedUnderAnotherName(morning: Ledger, statuses: readonly string[]): void {
	const { registrations, runs, reports } = morning;
	runs.pop();
	registrations.push({ ...registrations[0]!, number: 1, statuses, calledAt: 12 * SECOND });
	isGivenAnotherName(morning);
	reports.push(
		told('This workflow did not get the event A of B: what went back to the queue did not come again', [3]),
	);
}

/** Its connection is lost at the moment in which the third is told as one that it does not get. */
function lostAtThatMoment({ runs, reports, spans }: Ledger, lostAt: number): void {
	runs.pop();
	spans.push({ what: 'link', from: lostAt, to: lostAt });
	reports.push(
		told(
			'This workflow did not get the event A of B: it was away, or could not be let in to the queue, for too long',
			[3],
		),
	);
}

/** B handled the third; A is published again after that, having been let in by then or not, and the log tells what it missed. */
function publishedAgainAfterIt(morning: Ledger, letIn: boolean): void {
	const { registrations, runs, logs, wishes, history: plan, credentials } = morning;
	const [own] = registrations;
	plan.workflows.push({ ...plan.workflows[0]!, name: 'B' });
	wishes.push({ ...wishes[0]!, workflow: 'B' });
	registrations.push({ ...own!, number: 1, workflow: 'B' });
	for (const each of runs) Object.assign(each, { workflow: 'B', registration: 1 });
	own!.statuses = ['DRAFTED'];
	registrations.push({
		...own!,
		number: 2,
		mode: 'update',
		statuses: [],
		calledAt: MINUTE,
		returnedAt: MINUTE,
	});
	if (!letIn) credentials[0]!.password = 'stale';
	const text = 'Workflow "A", node "Event": 1 events were off the queue when it started {"events":["#3#"]}';
	logs.push({ life: 1, at: 2 * MINUTE, level: 'warn', text });
}

/** It was let in where the third was sent, and that came at a moment; then its credential names the other virtual host, wrongly. */
function movedWithAWrongPassword({ links, credentials, came }: Ledger, cameAt: number): void {
	links[0]!.lostAt = 9 * SECOND;
	credentials.push({
		workflow: 'A',
		at: 8 * SECOND,
		username: 'reader',
		password: 'stale',
		vhost: ELSEWHERE,
	});
	for (const { number: event } of plans) came.push({ life: 1, event, at: cameAt });
}

/** The third is told as one that it does not get by a process that got it, and had it in another one all the time, where it keeps none. */
function wasThereInAnotherProcess(morning: Ledger, gotIt: number): void {
	besideOneThatAsks(morning);
	morning.history.bounds = { keptEvents: 0 };
	Object.assign(morning.registrations[0]!, { life: 2, returnedAt: 0 });
	morning.seen[3] = gotIt;
	lostAtThatMoment(morning, 5 * MINUTE);
	morning.reports[0]!.life = gotIt;
}

/** Nothing says what became of the third, to whose place its credential points since shortly before it was registered; two lead by then or later. */
function ledByTwo({ runs, registrations, credentials, spans }: Ledger, from: number): void {
	runs.pop();
	Object.assign(registrations[0]!, { calledAt: SECOND, returnedAt: SECOND });
	credentials[0]!.vhost = ELSEWHERE;
	credentials.push({ workflow: 'A', at: 500, ...ACCOUNT });
	spans.push({ what: 'overlap', from, to: 1.5 * SECOND });
}

/** A quiet morning: three events, each run once, and everything closed in the end. */
function quietMorning(): Ledger {
	const told = structuredClone(history({ events: plans, steps: sent(plans, 0, SECOND) }));
	return {
		history: told,
		runs: plans.map(({ number }) => run(number, 10 * SECOND + number * SECOND)),
		reports: [],
		logs: [],
		links: [{ life: 1, askedAt: 5_000, acceptedAt: 5_001, ...ACCOUNT }],
		registrations: [
			{
				number: 0,
				life: 1,
				workflow: 'A',
				mode: 'init',
				statuses: [],
				options: {},
				calledAt: 100,
				returnedAt: 110,
			},
		],
		wishes: [{ workflow: 'A', at: 0, published: true, statuses: [], options: {} }],
		spans: [],
		messages: plans.map(({ number }) => ({
			event: number,
			sentAt: (number - 1) * SECOND,
			deliveries: 1,
			returns: 0,
			shared: false,
			fate: 'removed',
			at: 12 * SECOND,
		})),
		seen: Object.fromEntries(plans.map(({ number }) => [number, 1])),
		came: [],
		givenBack: [],
		renewed: [],
		shown: Object.fromEntries(plans.map(({ number }) => [number, 3])),
		credentials: [{ workflow: 'A', at: 0, ...ACCOUNT }],
		mostUnsettled: 3,
		mostConsumersOfAChannel: 1,
		cutShort: false,
		faultsOverAt: 0,
		endedAt: 30 * SECOND,
		left: { timers: 0, links: 0, subscribers: 0 },
		uncaught: [],
	};
}

/** The first event fails for ever, the link was lost so often, and the third waits for an hour and a half. */
const heldUpByPoison =
	(losses: number) =>
	({ runs, spans, history: told }: Ledger): void => {
		told.queue.type = 'quorum';
		told.events[0]!.poison = true;
		for (let loss = 0; loss < losses; loss += 1)
			spans.push({ what: 'link', from: 20 * SECOND + loss * MINUTE, to: 21 * SECOND + loss * MINUTE });
		runs[2] = run(3, 90 * MINUTE);
	};

/** The third event uses up its attempts, and a run of the second ends so meanwhile. */
function failedFiveTimesBeside({ runs, reports }: Ledger, outcome: RunRecord['outcome']): void {
	runs.splice(1, 2);
	for (let attempt = 0; attempt < 5; attempt += 1) {
		runs.push(run(3, 13 * SECOND + attempt * SECOND, { outcome: 'fails', mishap: true }));
	}
	runs.push(run(2, 15 * SECOND, { outcome }));
	reports.push(report(3));
}

/** It waits beside another and owes too much; this n8n stores no report, and the event is rejected when all is well again. */
function givenUpBesideAWait({ history: told, wishes, spans, runs, logs, messages }: Ledger): void {
	told.workflows.push({ ...told.workflows[0]!, name: 'B' });
	wishes.push({ ...wishes[0]!, workflow: 'B' });
	told.host.reports = 'missing';
	told.bounds = { keptEvents: 3 };
	spans.push({ what: 'downstream', workflow: 'A', from: 0, to: MINUTE });
	for (const each of runs) Object.assign(each, { endedAt: MINUTE, toldAt: MINUTE });
	const text = 'Workflow "A", node "Event": 1 events could not be kept any longer #3#';
	logs.push({ life: 1, at: 15 * SECOND, level: 'warn', text });
	Object.assign(messages[2]!, { fate: 'rejected', at: 10 * MINUTE });
}

/** The same where what the other needs is away too since a second before, and its newest run has not found that out. */
function givenUpBesideARun(morning: Ledger): void {
	givenUpBesideAWait(morning);
	morning.logs.push(line(5 * SECOND, 'waits, its events stay on the queue: The mail server refused'));
	morning.spans.push({ what: 'downstream', workflow: 'B', from: 14 * SECOND, to: MINUTE });
	const end = { endedAt: 30 * SECOND, toldAt: 30 * SECOND };
	morning.runs.push(run(2, 14.5 * SECOND, { workflow: 'B', outcome: 'fails', ...end }));
}

/** A run of the other succeeded at that moment. */
const succeededBeside =
	(at: number) =>
	({ runs }: Ledger) =>
		void runs.push(run(1, at, { workflow: 'B', endedAt: at + SECOND, toldAt: at + SECOND }));

/** The same where the other failed until then too, and the event is rejected half an hour after all is well again. */
function givenUpWhenAllAreBack(morning: Ledger): void {
	givenUpBesideAWait(morning);
	morning.history.bounds = { keptEvents: 1 };
	morning.runs.splice(2, 1, run(1, 12 * SECOND, { workflow: 'B', outcome: 'fails' }));
	morning.logs[0]!.at = 40 * MINUTE;
	morning.messages[2]!.at = 40 * MINUTE;
}

/** Its three events are of two kilobytes and more, and so many are kept. */
function owingBytes({ history: told }: Ledger, keptKilobytes: number): void {
	for (const event of told.events) event.kilobytes = 2;
	told.bounds = { keptBytes: keptKilobytes * 1024 };
}

/** The third event waits for twenty minutes; the first one is large, and gone from a moment on. */
function waitsBesideLarge({ history: told, runs, messages }: Ledger, goneAt: number): void {
	told.events[0]!.kilobytes = 40;
	told.bounds = { prefetchBytes: 64 * 1024 };
	messages[0]!.at = goneAt;
	runs[2] = run(3, 20 * MINUTE);
}

/** The third event is run by B alone and taken by the queue at twelve seconds; A starts at a moment, and is published again. */
const overflowsBeforeItsStart = (startedAt: number) => (morning: Ledger) => {
	const { history: told, registrations, wishes, runs, messages, links } = morning;
	const [known] = registrations;
	told.workflows.push({ ...told.workflows[0]!, name: 'B' });
	wishes.push({ ...wishes[0]!, workflow: 'B' });
	registrations.push({ ...known!, number: 1, workflow: 'B' });
	registrations.push({ ...known!, number: 2, calledAt: 20 * SECOND, returnedAt: 20 * SECOND });
	Object.assign(known!, { calledAt: startedAt, returnedAt: startedAt, closeCalledAt: 19 * SECOND });
	links.push({ life: 1, askedAt: 1_000, acceptedAt: 1_001, ...ACCOUNT });
	runs.splice(
		2,
		1,
		...plans.map(({ number }) => run(number, 9 * SECOND, { workflow: 'B', registration: 1 })),
	);
	Object.assign(messages[2]!, { fate: 'overflowed', at: 12 * SECOND });
};

/** B has run the third event, and n8n starts A so long after B; A is told that it did not get it. */
const startedAfterTheOther =
	(gapMs: number) =>
	({ history: told, registrations, wishes, runs, reports, messages }: Ledger) => {
		const [known] = registrations;
		told.workflows.push({ ...told.workflows[0]!, name: 'B' });
		wishes.push({ ...wishes[0]!, workflow: 'B' });
		registrations.push({ ...known!, number: 1, workflow: 'B' });
		Object.assign(known!, { calledAt: known!.calledAt + gapMs, returnedAt: known!.returnedAt! + gapMs });
		runs.splice(0, 3, run(3, 12 * SECOND, { workflow: 'B', registration: 1 }));
		messages.splice(0, 2);
		reports.push(report(3, { at: 20 * SECOND + gapMs }));
	};

/**
 * A process took the third event without running it for B.
 * @param takenIn this one
 * @param leaders so many there were, the newest from a moment on
 * @param publishedIn B was known to it, and to those after it
 */
const tookBeside =
	(takenIn: number, leaders: number, newestAt = 0, publishedIn = 1) =>
	({ history: told, wishes, registrations, seen, runs }: Ledger) => {
		const [known] = registrations;
		told.workflows.push({ ...told.workflows[0]!, name: 'B' });
		wishes.push({ ...wishes[0]!, workflow: 'B' });
		registrations.length = 0;
		for (let life = 1; life <= leaders; life += 1) {
			const calledAt = life === leaders ? newestAt : 0;
			registrations.push({ ...known!, life, calledAt });
			if (life >= publishedIn) registrations.push({ ...known!, life, calledAt, workflow: 'B' });
		}
		runs.push(...[1, 2].map((number) => run(number, 10 * SECOND, { workflow: 'B', life: publishedIn })));
		seen[3] = takenIn;
	};

/** The first was handled before anything was given up, and was sent once more. */
function cameAgainAfterItsRun({ runs, messages }: Ledger): void {
	Object.assign(runs[0]!, { endedAt: 12 * SECOND, toldAt: 12 * SECOND });
	messages.push({ ...messages[0]!, sentAt: 13 * SECOND, fate: 'onTheQueue', at: MINUTE });
}

/** The same where n8n does store reports, which come a minute after: all that it owed has ended by then. */
function toldAMinuteAfter(morning: Ledger): void {
	givenUpBesideAWait(morning);
	delete morning.history.host.reports;
	morning.reports.push(report(3, { at: 75 * SECOND, text: 'This workflow did not get the event\n#3#' }));
}

/** Another one's credential was not handed out, and the connection is asked for so many seconds after an edit. */
const readBeforeItWasEdited = (seconds: number) => (morning: Ledger) => {
	const { credentials, links, runs, spans } = morning;
	const editedAt = 2 * SECOND;
	spans.push({ what: 'credential', workflow: 'B', from: 0, to: 5 * SECOND + seconds * SECOND });
	credentials.push({ workflow: 'A', at: editedAt, username: 'reader', password: 'other' });
	const askedAt = editedAt + seconds * SECOND;
	links[0] = { life: 1, askedAt, acceptedAt: askedAt + 1, ...ACCOUNT };
	for (const each of runs) each.handedAt += HOUR;
};

/** A limit of the queue takes an event, which is told so often. */
const takenAgainAndAgain = (everyMinutes: number) => (morning: Ledger) => {
	Object.assign(morning.messages[2]!, { fate: 'expired', at: MINUTE });
	for (let at = 5 * MINUTE; at < 3 * HOUR; at += everyMinutes * MINUTE)
		morning.reports.push(report(3, { at, text: 'what went back to the queue did not come again\n#3#' }));
};

function publishedAgainAt({ registrations }: Ledger, moments: readonly number[]): void {
	for (const at of moments) {
		registrations.push({ ...registrations[0]!, calledAt: (at - 1) * MINUTE, closeCalledAt: at * MINUTE });
	}
}

/** What is rejected comes back, ends anew and is written down, again and again. */
const forgottenDeadLetters = (remembered: number) => (morning: Ledger) => {
	morning.history.queue.deadLettersReturn = true;
	morning.history.bounds = { remembered };
	for (let index = 0; index < 200; index += 1) {
		const text = 'Workflow "A", node "Event": 1 events could not be kept any longer #3#';
		morning.logs.push({ life: 1, at: index * SECOND, level: 'warn', text });
	}
};

/** An event runs again thirteen hours later, and the two before it were delivered so often. */
const ranAgainHalfADayLater = (deliveries: number) => (morning: Ledger) => {
	morning.history.bounds = { remembered: 2 };
	for (const message of morning.messages.slice(0, 2)) message.deliveries = deliveries;
	morning.runs.push(run(3, 13 * HOUR));
};

/** An event is sent again during a run of 35 minutes, and a line of the log comes after 25. */
const sentAgainWithoutAWord = (text: string) => (morning: Ledger) => {
	const { runs, messages, logs } = morning;
	Object.assign(runs[2]!, { endedAt: 35 * MINUTE, toldAt: 35 * MINUTE });
	runs.push(run(3, 28 * MINUTE, { endedAt: 63 * MINUTE, toldAt: 63 * MINUTE }));
	messages.push({ ...messages[2]!, sentAt: 28 * MINUTE, at: 63 * MINUTE });
	logs.push({ life: 1, at: 25 * MINUTE + 14 * SECOND, level: 'error', text: `Workflow "A": ${text} #3#` });
};

/** A run told its end after 40 minutes, when it had been reported as one without a word, and its event was sent again. */
const sentAgainAfterALateEnd =
	(outcome: RunRecord['outcome']) =>
	({ runs, messages, reports, registrations, history: told }: Ledger) => {
		registrations[0]!.options = told.workflows[0]!.options = { removeWhen: 'finished' };
		messages.push({ ...messages[2]!, sentAt: 50 * MINUTE });
		Object.assign(runs[2]!, { endedAt: 40 * MINUTE, toldAt: 40 * MINUTE, outcome });
		reports.push(report(3, { at: 26 * MINUTE }));
		runs.push(run(3, 50 * MINUTE));
	};

/** n8n's database was away when the workflow started beside another, and too many events came. */
function startedInVain({ history: told, spans, runs, reports }: Ledger): void {
	told.workflows.push({ ...told.workflows[0]!, name: 'B' });
	told.bounds = { keptEvents: 1 };
	spans.push({ what: 'database', from: 0, to: 10 * MINUTE });
	runs.splice(0);
	reports.push(report(3));
}

/** Publishing with a wrong password was refused, beside another workflow; n8n tries it again, and too many events came. */
function refusedBeside(
	{ history: told, spans, runs, registrations, reports }: Ledger,
	reportAt: number,
): void {
	told.workflows.push({ ...told.workflows[0]!, name: 'B' });
	told.bounds = { keptEvents: 1 };
	spans.push({ what: 'wrongPassword', workflow: 'A', from: 0, to: 10 * MINUTE });
	runs.splice(0);
	Object.assign(registrations[0]!, { mode: 'activate', threw: 'NodeApiError: no', endedAt: 110 });
	reports.push(report(3, { at: reportAt }));
}

/** The queue dropped the third event, and the log has its body. */
function droppedAt({ messages, logs }: Ledger, at: number): void {
	Object.assign(messages[2]!, { fate: 'dropped', deliveries: 20, at });
	logs.push({ life: 1, at: at - HOUR, level: 'warn', text: 'delivered for the third time or more #3#' });
}

function waitedBehindSlowRuns(morning: Ledger, until: number, of?: 'two workflows'): void {
	const { history: told, runs } = morning;
	if (of) told.workflows.push({ ...told.workflows[0]!, name: 'B' });
	told.queue = { type: 'quorum', deliveryLimit: 20 };
	runs.pop();
	droppedAt(morning, until);
}

function forgetsWhatIsOnItsWay(morning: Ledger): void {
	morning.history.bounds = { remembered: 5 };
	morning.mostUnsettled = 300;
}

/** What is no event is on the queue, and one before it fails and begins anew for ever. */
function unreadableBehindPoison({ history: told, runs, messages }: Ledger): void {
	told.bounds = { remembered: 2 };
	told.events[0]!.poison = true;
	told.events[2]!.odd = 'array';
	runs.splice(0);
	for (const message of messages) message.fate = 'onTheQueue';
	messages[2]!.deliveries = 0;
}

/** The queue took the first event, which was sent anew behind one of its set that fails for ever. */
function sentAnewBehindPoison({ history: told, runs, messages }: Ledger): void {
	told.events[1]!.poison = true;
	runs.splice(0, 2);
	messages[0]!.fate = 'overflowed';
	messages[1]!.fate = 'onTheQueue';
	messages.push({ ...messages[0]!, sentAt: 8 * SECOND, fate: 'onTheQueue' });
}

/** The first event was removed with a word in the log, and sent anew behind one of its set that fails for ever. */
function sentAnewAfterAWord(
	morning: Ledger,
	text = 'Queue events: 1 events removed before all had started #1#',
): void {
	sentAnewBehindPoison(morning);
	morning.messages[0]!.fate = 'removed';
	morning.logs.push({ life: 1, at: 5 * SECOND, level: 'warn', text });
}

/** Two leaders read over a slow line; the one before ran the third event, and the next one had given it back. */
function ranInTheLeaderBefore({ history: told, spans, reports }: Ledger): void {
	told.queue.latencyMs = [500, 1_500];
	spans.push({ what: 'overlap', from: 5 * SECOND, to: 15 * SECOND });
	reports.push(report(3, { life: 2, text: 'what went back to the queue did not come again\n#3#' }));
}

/** The first event was off the queue when its workflow started: the log says so at a moment, a report later. */
function toldAsGoneBefore({ runs, logs, reports }: Ledger, at: number): void {
	runs.shift();
	const text = 'Workflow "A", node "Event": 1 events were off the queue when it started #1#';
	logs.push({ life: 1, at, level: 'warn', text });
	reports.push(
		report(1, { text: 'n8n started it when another workflow had handled the event already\n#1#' }),
	);
}

/** The first of a set was let go, as the log says, when its workflow was started or not, and ran after the others. */
const letGoBeforeItRan =
	(startedAt: number) =>
	({ runs, logs, registrations }: Ledger): void => {
		runs.shift();
		runs.push(run(1, 20 * SECOND));
		const text =
			'Queue parcel-events: 1 events removed before every workflow had started, since more came than are kept for those #1#';
		logs.push({ life: 1, at: 11 * SECOND, level: 'warn', text });
		registrations[0]!.returnedAt = startedAt;
	};

/** What is no event was never delivered: a run that never ends holds the only place. */
function unreadableBehindEndless(morning: Ledger): void {
	const { history: told, runs, wishes, messages } = morning;
	told.events[2]!.odd = 'array';
	wishes[0]!.options = { parallelRuns: 1 };
	runs.splice(1);
	Object.assign(runs[0]!, { outcome: 'hangs', endedAt: undefined, toldAt: undefined });
	Object.assign(messages[2]!, { fate: 'onTheQueue', deliveries: 0 });
}

/** A waiting workflow looks through two events: one that fails for ever, and one behind it. */
function lookedThroughInVain({ history: told, runs, messages }: Ledger): void {
	told.bounds = { lookThrough: 2 };
	told.events[0]!.poison = true;
	runs.splice(0);
	for (const message of messages) message.fate = 'onTheQueue';
}

/** So many bodies of that size may be in flight. */
function roomFor(morning: Ledger, count: number): void {
	lookedThroughInVain(morning);
	const largest = Math.max(...morning.history.events.map((event) => bodyOf(event).length));
	morning.history.bounds = { lookThrough: 100, prefetchBytes: count * largest };
}

/** A run of another workflow with one place never ends; two events wait for it, and so many bodies may be in flight. */
function noRoomBeside(morning: Ledger, room: number): void {
	const { history: told, registrations, wishes, runs, messages } = morning;
	const largest = Math.max(...told.events.map((event) => bodyOf(event).length));
	told.bounds = { prefetchBytes: room * largest };
	told.workflows.push({ ...told.workflows[0]!, name: 'B' });
	registrations.push({ ...registrations[0]!, number: 1, workflow: 'B' });
	wishes.push({ ...wishes[0]!, workflow: 'B', options: { parallelRuns: 1 } });
	runs.splice(2, 1, run(1, 11 * SECOND, { workflow: 'B', registration: 1, outcome: 'hangs' }));
	delete runs[2]!.toldAt;
	for (const message of messages) message.fate = 'onTheQueue';
}

/** What the workflow needs is back, and the third event is not begun. */
function nothingBeginsAfterAnOutage(morning: Ledger): void {
	morning.runs.pop();
	morning.spans.push({ what: 'downstream', workflow: 'A', from: 0, to: 20 * SECOND });
	morning.faultsOverAt = 20 * SECOND;
}

/** The same, and a run of another set goes on for ever. */
function besideAnEndlessBatch(morning: Ledger, options: WorkflowPlan['options']): void {
	nothingBeginsAfterAnOutage(morning);
	Object.assign(morning.runs[0]!, { outcome: 'hangs', endedAt: undefined, toldAt: undefined });
	Object.assign(morning.history.workflows[0]!, { options });
}

/** The same, and behind them what is no event and was never delivered. */
function unreadableBeyondALook(morning: Ledger): void {
	lookedThroughInVain(morning);
	morning.history.events[2]!.odd = 'array';
	morning.messages[2]!.deliveries = 0;
}

/** n8n has few places and less is remembered than is on its way; another workflow ran the first event twice. */
function ranTwiceBeside(morning: Ledger, secondLife: number): void {
	const { runs, messages, registrations, history: told } = morning;
	told.workflows.push({ ...told.workflows[0]!, name: 'B' });
	told.bounds = { remembered: 2 };
	told.host.concurrency = 2;
	registrations.push({ ...registrations[0]!, number: 1, workflow: 'B' });
	morning.wishes.push({ ...morning.wishes[0]!, workflow: 'B' });
	runs.pop();
	messages[2]!.fate = 'onTheQueue';
	for (const life of [1, secondLife])
		runs.push(run(1, (11 + life) * SECOND, { life, workflow: 'B', registration: 1 }));
}

/** n8n has two places, and another workflow asks for the first two, which fail for ever after so long. */
function failsForEverBeside(morning: Ledger, minutes: number): void {
	const { runs, messages, registrations, history: told } = morning;
	told.workflows.push({ ...told.workflows[0]!, name: 'B', runMs: [MINUTE, minutes * MINUTE] });
	told.host.concurrency = 2;
	registrations.push({ ...registrations[0]!, number: 1, workflow: 'B' });
	morning.wishes.push({ ...morning.wishes[0]!, workflow: 'B' });
	for (const event of told.events.slice(0, 2)) event.poison = true;
	morning.endedAt = 60 * MINUTE;
	runs.pop();
	messages[2]!.fate = 'onTheQueue';
}

/** One run at a time, of at most so long each. */
function runsInFewPlaces({ history: told, runs, messages }: Ledger, longestMs: number): void {
	told.host.concurrency = 1;
	told.workflows[0]!.runMs = [SECOND, longestMs];
	runs.pop();
	messages[2]!.fate = 'onTheQueue';
}

/** A leader that stepped down runs the first event for long; the next one runs the third not before that. */
function behindTheLeaderBefore({ runs, history: told }: Ledger, set: number): void {
	told.workflows.push({ ...told.workflows[0]!, name: 'B' });
	Object.assign(told.events[0]!, { set: 1 });
	Object.assign(told.events[2]!, { set });
	runs.push(run(1, 12 * SECOND, { workflow: 'B', endedAt: 20 * MINUTE }));
	runs[2] = run(3, 20 * MINUTE, { life: 2 });
}

/** The third event is done with, its process ends so, and the next one runs it again. */
const inTheNextProcess =
	(end: Partial<Ledger['registrations'][number]>) =>
	({ registrations, runs }: Ledger) => {
		const [first] = registrations;
		registrations.push({ ...first!, number: 1, life: 2, calledAt: 5 * MINUTE, returnedAt: 5 * MINUTE });
		Object.assign(first!, end);
		runs.push(run(3, 6 * MINUTE, { life: 2, registration: 1 }));
	};

/** A leader has stepped down, and its run with the third event goes on; the event comes to the next one, so long after the beginning. */
const cameToTheNextLeader =
	(at: number, end: Partial<Ledger['runs'][number]> = {}) =>
	(morning: Ledger) => {
		const { registrations, runs, came } = morning;
		const [first] = registrations;
		registrations.push({ ...first!, number: 1, life: 2, calledAt: MINUTE, returnedAt: MINUTE });
		first!.closeCalledAt = first!.closedAt = MINUTE;
		Object.assign(runs[2]!, { endedAt: 23 * MINUTE, toldAt: 23 * MINUTE, ...end });
		came.push({ life: 1, event: 3, at: 10 * SECOND }, { life: 2, event: 3, at });
	};

/** The next leader reads beside one that stepped down, gets the third event so long after the beginning, and runs it. */
const ranAtTheNextLeader = (cameAt: number, ranAt: number) => (morning: Ledger) => {
	cameToTheNextLeader(cameAt)(morning);
	morning.messages[2]!.shared = true;
	morning.runs.push(run(3, ranAt, { life: 2, registration: 1 }));
	morning.runs.sort((a, b) => a.handedAt - b.handedAt);
};

/** It failed on a queue that counts deliveries a moment before what it needs was back, and its next run begins so much later. */
function triedAgainAfter(morning: Ledger, afterMs: number): void {
	nothingBeginsAfterAnOutage(morning);
	morning.history.queue.type = 'quorum';
	Object.assign(morning.messages[2]!, { returns: 5, at: afterMs });
	morning.runs.push(run(3, 15 * SECOND, { outcome: 'fails' }), run(3, afterMs));
}

const steppedDownBefore = { closeCalledAt: 11 * SECOND, closedAt: 11 * SECOND };

/** The third event was never run, and the queue took the first of its two messages. */
const oneOfTwo =
	(fate: Ledger['messages'][number]['fate']) =>
	({ runs, messages }: Ledger) => {
		runs.pop();
		messages.push({ ...messages[2]!, sentAt: MINUTE, at: MINUTE });
		Object.assign(messages[2]!, { fate, at: 30 * SECOND });
	};

/** The channel of a leader that stepped down is closed, since a delivery was out for so many minutes. */
const takenBackAfter = (minutes: number) => (morning: Ledger) => {
	cameToTheNextLeader(21 * MINUTE)(morning);
	morning.history.queue.consumerTimeoutMs = minutes * MINUTE;
	const failure = 'PRECONDITION_FAILED - delivery acknowledgement on channel 1 timed out';
	Object.assign(morning.links[0]!, { failedAt: minutes * MINUTE, lostAt: minutes * MINUTE, failure });
};

/** It is taken back after 22 minutes; nobody else leads, and the line to us stood still before. */
const frozenBefore = (forMs: number) => (morning: Ledger) => {
	takenBackAfter(22)(morning);
	morning.registrations.pop();
	morning.history.steps.push({ at: 6 * SECOND, do: 'linkFrozen', direction: 'toClient', forMs });
};

/** It is taken back sooner than by itself; nobody else leads, and its credential was edited before. */
function editedBefore(morning: Ledger, username: string): void {
	takenBackAfter(22)(morning);
	morning.registrations.pop();
	morning.credentials.push({ workflow: 'A', at: MINUTE, username, password: 'other' });
}

/** Another workflow was there, and asked for the same. */
function besideOneThatAsks({ history: told, registrations, wishes }: Ledger): void {
	told.workflows.push({ ...told.workflows[0]!, name: 'B' });
	wishes.push({ ...wishes[0]!, workflow: 'B' });
	registrations.push({ ...registrations[0]!, number: 2, workflow: 'B' });
}

/** The third event failed once, and its workflow was unpublished after two minutes, beside another one. */
function unpublishedAfterAFailure(morning: Ledger): void {
	besideOneThatAsks(morning);
	morning.runs[2]!.outcome = 'fails';
	morning.registrations[0]!.closeCalledAt = morning.registrations[0]!.closedAt = 2 * MINUTE;
	morning.wishes.push({ ...morning.wishes[0]!, at: 2 * MINUTE, published: false });
	morning.runs.push(...morning.runs.map((each) => ({ ...each, workflow: 'B', registration: 2 })));
	for (const each of morning.runs.slice(3)) each.outcome = 'succeeded';
}

/** It was unpublished before the third was sent, beside one that ran it, and published again so long after that. */
function awayFor(morning: Ledger, awayMs: number): void {
	besideOneThatAsks(morning);
	const { registrations, wishes, runs } = morning;
	const [own] = registrations;
	own!.closeCalledAt = own!.closedAt = SECOND + 500;
	const calledAt = own!.closeCalledAt + awayMs;
	registrations.push({
		...{ ...own!, number: 3, mode: 'activate', closeCalledAt: undefined, closedAt: undefined },
		...{ calledAt, returnedAt: calledAt },
	});
	wishes.push({ ...wishes[0]!, at: own!.closeCalledAt, published: false }, { ...wishes[0]!, at: calledAt });
	Object.assign(runs[2]!, { workflow: 'B', registration: 2 });
	morning.endedAt = 10 * MINUTE;
}

/** The third event fails, and goes on failing after the second has succeeded. */
function failedSixTimes({ runs }: Ledger): void {
	runs.splice(1, 2);
	for (let attempt = 0; attempt < 6; attempt += 1)
		runs.push(run(3, 13 * SECOND + attempt * SECOND, { outcome: 'fails' }));
	runs.push(run(2, 15 * SECOND));
}

const line = (at: number, says: string) => ({
	life: 1,
	at,
	level: 'info' as const,
	text: `Workflow "A", node "Event": ${says}`,
});

/** A wrong password is mended to that of a connection from before, which ends then; nothing runs, and a report shows an event. */
function toldOfByAnOlderConnection({ links, credentials, runs, reports }: Ledger, lostAt: number): void {
	credentials[0]!.password = 'stale';
	credentials.push({ workflow: 'A', at: 8 * SECOND, ...ACCOUNT });
	links[0]!.lostAt = lostAt;
	runs.splice(0);
	reports.push(told('This workflow did not get an event: it waited for too long', [3]));
}

/** The third event was never run, and the log names it to those who had not started yet. */
function letGo({ runs, logs }: Ledger): void {
	runs.pop();
	const says = 'handled and removed while the workflows stop; one that had not started yet does not get them';
	logs.push({ life: 1, at: 14 * SECOND, level: 'warn', text: `Queue parcel-events: 1 events ${says} #3#` });
}

/** It waits from the first minute, is published again in the third, and tries so long after that. */
function publishedAgainInAWait(morning: Ledger, afterMs: number): void {
	const { registrations, runs, logs, messages } = morning;
	const [first] = registrations;
	const at = 3 * MINUTE;
	logs.push(line(MINUTE, 'waits, its events stay on the queue'));
	first!.closeCalledAt = at - SECOND;
	registrations.push({ ...first!, number: 1, mode: 'update', calledAt: at, returnedAt: at });
	delete registrations[1]!.closeCalledAt;
	runs.splice(0, 3, run(3, at + afterMs));
	Object.assign(messages[2]!, { fate: 'onTheQueue' });
	morning.endedAt = HOUR;
}

const overASlowLine = (afterMs: number) => (morning: Ledger) => {
	publishedAgainInAWait(morning, afterMs);
	morning.history.queue.latencyMs = [500, 1_500];
};

/** The same, and the queue took an earlier one of the set when the workflow was published again. */
function behindOneThatWasTaken(morning: Ledger): void {
	publishedAgainInAWait(morning, 2 * MINUTE);
	morning.history.events[2]!.set = 1;
	Object.assign(morning.messages[0]!, { fate: 'dropped', at: 3 * MINUTE });
}

/** B was there before, and A started when its credential could not be read; then the queue let the third event expire. */
function expiresBeforeItIsLetIn({
	history: told,
	registrations,
	wishes,
	runs,
	spans,
	messages,
}: Ledger): void {
	runs.pop();
	told.workflows.push({ ...told.workflows[0]!, name: 'B' });
	wishes.push({ ...wishes[0]!, workflow: 'B' });
	registrations.push({ ...registrations[0]!, number: 1, workflow: 'B' });
	runs.push(...[1, 2, 3].map((number) => run(number, 9 * SECOND, { workflow: 'B', registration: 1 })));
	Object.assign(registrations[0]!, { calledAt: 10 * SECOND, returnedAt: 10 * SECOND });
	spans.push({ what: 'credential', workflow: 'A', from: 9 * SECOND, to: 20 * SECOND });
	Object.assign(messages[2]!, { fate: 'expired', at: 25 * SECOND });
}

/** The connection was another user's: the broker never let this workflow in. */
function refused({ credentials }: Ledger): void {
	credentials[0]!.password = 'stale';
}

const BROKEN: Record<keyof typeof LAWS, Record<string, (morning: Ledger) => void>> = {
	nothingIsLostInAMove: {
		'an event is off the queue when its workflow reads another one': (morning) => {
			pointsElsewhereSince(morning, 9 * SECOND);
			morning.runs.pop();
		},
	},
	nothingComesFromElsewhere: {
		'an event of another virtual host runs': ({ history: { events: all } }) => {
			all[1]!.vhost = ELSEWHERE;
		},
		'it was let in there by the process before': (morning) => {
			pointsElsewhereSince(morning, 5_002);
			for (const each of morning.runs) each.life = 2;
			morning.links.push({ ...morning.links[0]!, life: 2, vhost: ELSEWHERE });
		},
		'an event of another virtual host is shown': ({ history: { events: all }, runs, reports }) => {
			all[2]!.vhost = ELSEWHERE;
			runs.pop();
			reports.push(report(3));
		},
	},
	nothingIsLost: {
		'its credential named another virtual host before two processes lead': (morning) =>
			ledByTwo(morning, 600),
		'an event was never run': ({ runs }) => void runs.pop(),
		'its only run failed': ({ runs }) => void (runs[2]!.outcome = 'fails'),
		'it was sent twice, and one of the two alone expired': oneOfTwo('expired'),
		'it was sent twice, and one of the two alone was dropped before anybody saw it': oneOfTwo('overflowed'),
		'its report was never stored': ({ runs, reports }) => {
			runs.pop();
			reports.push(report(3, { stored: false }));
		},
		'its report is that of another workflow': ({ runs, reports, history: { workflows } }) => {
			workflows.push({ ...workflows[0]!, name: 'B' });
			runs.pop();
			reports.push(report(3, { workflow: 'B' }));
		},
		'it failed, and the trigger itself took it off the queue without a report': ({ runs, logs }) => {
			runs[2]!.outcome = 'fails';
			logs.push({
				life: 1,
				at: 14 * SECOND,
				level: 'info',
				text: 'Workflow "A": the run failed for an event, to be run again #3#',
			});
		},
		'it was let go as kept for others that start later, and its own workflow had started': letGo,
		'n8n began with others, and came to its workflow later': ({ runs, registrations }) => {
			runs.pop();
			Object.assign(registrations[0]!, { calledAt: 3 * SECOND, returnedAt: 3 * SECOND });
		},
		'its process was closed, and its workflow had been let in there': (morning) => {
			morning.runs.pop();
			morning.registrations[0]!.closeCalledAt = 20 * SECOND;
		},
		'its workflow was never let in, and its process goes on': (morning) => {
			morning.runs.pop();
			refused(morning);
		},
		'the leader before took it, and knew its workflow': tookBeside(1, 2),
		'the new leader took it': tookBeside(2, 2),
		'a leader took it before there was another one': tookBeside(1, 2, HOUR, 2),
		'the broker dropped it, and had shown it three times': ({ runs, messages }) => {
			runs.pop();
			Object.assign(messages[2]!, { fate: 'dropped', deliveries: 3 });
		},
		'it expired after a run of it had failed': ({ runs, messages, history: { queue } }) => {
			queue.messageTtlMs = MINUTE;
			runs[2]!.outcome = 'fails';
			messages[2]!.fate = 'expired';
		},
		'an unreadable one is dropped, which was shown three times': (morning) => droppedUnread(morning, 3),
		'an unreadable one is gone without a word': ({ runs, history: { events: all } }) => {
			runs.pop();
			all[2]!.odd = 'array';
		},
	},
	onlyTheGuiltyEndInReports: {
		'it was let in when another one handled what its next version asks for, and the log tells it of that': (
			morning,
		) => publishedAgainAfterIt(morning, true),
		'what another one needs is away too, and its run has not found that out': givenUpBesideARun,
		'the same, and the other one succeeded before this one waits': (morning) => {
			givenUpBesideARun(morning);
			succeededBeside(2 * SECOND)(morning);
		},
		'it owed two beside another, and what came again was handled before': (morning) => {
			givenUpBesideAWait(morning);
			cameAgainAfterItsRun(morning);
		},
		'its run was cut off by the end of n8n, which said so': ({ runs, reports }) => {
			runs[2]!.outcome = 'endedWithProcess';
			reports.push(report(3));
		},
		'n8n started its workflow half a minute after the other one': startedAfterTheOther(30 * SECOND),
		'the leader before ran it, and the next one tells it as missed over a line of everyday speed': (
			morning,
		) => {
			ranInTheLeaderBefore(morning);
			morning.history.queue.latencyMs = [20, 200];
		},
		'it ran in the leader before when that was alone, and the next one tells it as missed over a slow line': (
			morning,
		) => {
			ranInTheLeaderBefore(morning);
			morning.spans.splice(0);
		},
		'its own process ran it and tells it as missed over a slow line': (morning) => {
			ranInTheLeaderBefore(morning);
			morning.reports[0]!.life = 1;
		},
		'the leader before failed with it, and the next one tells it as missed over a slow line': (morning) => {
			ranInTheLeaderBefore(morning);
			morning.runs[2]!.outcome = 'fails';
		},
		'a report shows an event that would have succeeded': ({ reports }) => void reports.push(report(3)),
		'an event was rejected': ({ messages }) => void (messages[2]!.fate = 'rejected'),
		'the broker dropped an event': ({ messages }) => void (messages[2]!.fate = 'dropped'),
		'the broker dropped an event beside runs of half an hour, and its body is nowhere': (morning) => {
			const { history: told, messages } = morning;
			told.queue = { type: 'quorum', deliveryLimit: 20 };
			told.workflows[0]!.runMs = [30 * MINUTE, 30 * MINUTE];
			Object.assign(messages[2]!, { fate: 'dropped', at: 20 * HOUR });
		},
		'the broker dropped an event in an outage of a day, though its body is in the log': (morning) => {
			const { history: told, messages, runs, spans } = morning;
			told.queue = { type: 'quorum', deliveryLimit: 20 };
			runs.pop();
			spans.push({ what: 'downstream', workflow: 'A', from: 0, to: 24 * HOUR });
			droppedAt(morning, 25 * HOUR);
			messages[2]!.returns = 21;
		},
		'the broker dropped what had waited behind slow runs of two workflows, a quarter of an hour before its turns were used up':
			(morning) => waitedBehindSlowRuns(morning, 4.25 * HOUR, 'two workflows'),
		'the broker dropped what had waited for hours behind slow runs of a workflow that is alone': (morning) =>
			waitedBehindSlowRuns(morning, 8 * HOUR),
		'the same, and less was remembered than was on its way': (morning) => {
			waitedBehindSlowRuns(morning, 8 * HOUR);
			forgetsWhatIsOnItsWay(morning);
		},
		'an event was rejected, and the log says that too much was owed, which was not so': (morning) => {
			givenUpBesideAWait(morning);
			morning.history.bounds = { keptEvents: 4 };
		},
		'an event was rejected, and the log says that too much was owed, where twice as many bytes were allowed':
			(morning) => {
				givenUpBesideAWait(morning);
				owingBytes(morning, 12);
			},
		'a report says that too much was owed, which was not so when the log said it': (morning) => {
			toldAMinuteAfter(morning);
			morning.history.bounds = { keptEvents: 4 };
			morning.messages[2]!.fate = 'removed';
		},
		'a report says that too much was owed, long after the log did': (morning) => {
			toldAMinuteAfter(morning);
			morning.reports[0]!.at = 10 * MINUTE;
		},
		'an event was rejected beside another that failed as long, and its workflow had not failed since':
			givenUpWhenAllAreBack,
		'too many events are said to be owed, and those that ran are remembered': (morning) => {
			const { history: told, spans, reports } = morning;
			told.workflows.push({ ...told.workflows[0]!, name: 'B' });
			told.bounds = { keptEvents: 2, remembered: 3 };
			spans.push({ what: 'credential', workflow: 'A', from: 0, to: 10 * MINUTE });
			reports.push(report(3, { at: 5 * MINUTE }));
		},
		'a batch is given up with one bad event': ({ reports, history: { events: all } }) => {
			all[0]!.poison = true;
			reports.push(report(1, { events: [1, 2] }));
		},
		'n8n was ill, and too many events are said to be owed beside another workflow': (morning) => {
			const { history: told, spans, runs, reports } = morning;
			told.workflows.push({ ...told.workflows[0]!, name: 'B' });
			told.bounds = { keptEvents: 1 };
			// From when the workflow had started.
			spans.push({ what: 'database', from: SECOND, to: 10 * MINUTE });
			runs.splice(0);
			reports.push(report(3, { at: 5 * MINUTE }));
		},
		'its workflow was refused long before': (morning) => {
			refusedBeside(morning, 4 * MINUTE);
			for (const message of morning.messages) message.sentAt = 4 * MINUTE - SECOND;
		},
		'its workflow started while the database was away, and was let in long before': (morning) => {
			startedInVain(morning);
			morning.spans[0]!.to = 5 * SECOND;
			morning.messages[2]!.sentAt = 3 * MINUTE;
			morning.reports[0]!.at = 3 * MINUTE;
		},
		'another user reads the queue, and no connection was lost': ({ credentials, reports, history: told }) => {
			told.workflows.push({ ...told.workflows[0]!, name: 'B' });
			credentials.push({ workflow: 'B', at: 0, username: 'clerk', password: 'right-too' });
			reports.push(report(3));
		},
		'the log alone gives it up, for one that was never let in': ({ logs, runs }) => {
			runs.pop();
			const text = 'Workflow "A", node "Event": 1 events could not be kept any longer {"events":["#3#"]}';
			logs.push({ life: 1, at: 15 * SECOND, level: 'warn', text });
		},
		'a failed event is given up, and none has succeeded since': ({ runs, reports }) => {
			runs.pop();
			for (let attempt = 0; attempt < 5; attempt += 1) {
				runs.push(run(3, 14 * SECOND + attempt * SECOND, { outcome: 'fails', mishap: true }));
			}
			reports.push(report(3));
		},
		'a failed event is given up, and the run that succeeded since had begun before': (morning) => {
			failedFiveTimesBeside(morning, 'succeeded');
			morning.runs.at(-1)!.handedAt = 13 * SECOND;
		},
		'a failed event is given up, and one of its status was only stopped by hand since': (morning) => {
			failedFiveTimesBeside(morning, 'isStopped');
		},
		'a failed event is given up, and one of another status waits in the middle since': (morning) => {
			morning.history.events[1]!.status = 'ISSUED';
			failedFiveTimesBeside(morning, 'waits');
		},
	},
	reportsSayWhatIsTrue: {
		'a report says that nothing is lost, and something is': ({ runs, reports }) => {
			runs.pop();
			reports.push(report(0, { events: [], text: 'Not listening.\nNo event is lost meanwhile.' }));
		},
	},
	reportsTellNumberAndCause: {
		'it is told as not got by the process in which it was': (morning) => wasThereInAnotherProcess(morning, 2),
		'it is said to have been kept out, and its connection was lost after that': (morning) =>
			lostAtThatMoment(morning, 21 * SECOND),
		'under another name of its host, a version did not ask for what is said not to have come again': (
			morning,
		) => missedUnderAnotherName(morning, ['OTHER']),
		'what was handled is said not to come again': goneThoughHandled,
		'a report names two events and shows one': ({ reports }) =>
			void reports.push(told('n8n did not say how the run for 2 events ended', [3])),
		'a report names one event and shows two': ({ reports }) =>
			void reports.push(told('This workflow did not get the event A of B: it waited for too long', [2, 3])),
		'two unreadable messages are told as three': ({ reports, history: { events: all } }) => {
			for (const event of all.slice(0, 2)) event.odd = 'notJson';
			reports.push(told('3 messages on the queue are not status events', [1, 2]));
		},
		'an event is told as none': ({ reports }) =>
			void reports.push(told('A message on the queue is not a status event: it is not JSON', [3])),
		'it is said to have failed more often than it ran': ({ reports, runs }) => {
			for (const each of runs) each.outcome = 'fails';
			reports.push(told('The workflow failed 5 times for the event A of B, which is not tried again', [3]));
		},
		'it is said to have failed less often than its workflow asks for': (morning) => {
			failedFiveTimesBeside(morning, 'succeeded');
			morning.reports[0]!.text = morning.reports[0]!.text.replace('5 times', '4 times');
		},
		'it is said that a run had no word, and it had one long before': ({ reports }) =>
			void reports.push(told('n8n did not say how the run for the event A of B ended', [3])),
		'it is said to have been kept out, and it was there all the time': ({ reports, registrations }) => {
			registrations[0]!.returnedAt = 0;
			const said =
				'This workflow did not get the event A of B: it was away, or could not be let in to the queue, for too long';
			reports.push(told(said, [3]));
		},
		'it is said to have waited, and all its runs succeeded': ({ reports }) =>
			void reports.push(told('This workflow did not get the event A of B: it waited for too long', [3])),
		'it is said to have been unpublished after a failure, and nothing had failed': (morning) => {
			morning.registrations[0]!.closeCalledAt = 15 * SECOND;
			const said = 'This workflow did not get the event A of B: it was unpublished before the event was done';
			morning.reports.push(told(said, [3]));
		},
		'it is said to have been unpublished after a failure, and stands': (morning) => {
			morning.runs[2]!.outcome = 'fails';
			const said = 'This workflow did not get the event A of B: it was unpublished before the event was done';
			morning.reports.push(told(said, [3]));
		},
		'it is said that the queue dropped it, and it did not': ({ reports }) => {
			const said =
				'This workflow did not get the event A of B: what went back to the queue did not come again';
			reports.push(told(said, [3]));
		},
		'it is said that the queue was deleted': ({ reports }) =>
			void reports.push(
				told('This workflow did not get the event A of B: the queue was deleted with it', [3]),
			),
		'it is said to wait over failures, and none had failed': ({ reports }) =>
			void reports.push(told('The workflow waits, since its runs fail: no reason', [])),
		'it is said to wait for n8n, which started all': ({ reports, runs }) => {
			runs[0]!.outcome = 'fails';
			reports.push(told('The workflow waits, since n8n cannot start its runs: no reason', []));
		},
		'who was never let in is told of more events than the log shows': (morning) => neverLetIn(morning, 2),
		'it is told of events on a queue that it was never pointed to': (morning) => {
			morning.history.events[2]!.vhost = ELSEWHERE;
			neverLetIn(morning, 1);
		},
	},
	nothingIsDoubled: {
		'it was sent again during a run, and the log says nothing of its end':
			sentAgainWithoutAWord('to be run again'),
		'an event is run twice': ({ runs }) => void runs.push(run(3, 20 * SECOND)),
		'it was sent again, after the first run had told its success late': sentAgainAfterALateEnd('succeeded'),
		'it was sent twice, each ran, and a third run follows while they are remembered': (morning) => {
			const { runs, messages, registrations } = morning;
			morning.history.bounds = { remembered: 2 };
			registrations[0]!.options = { skipRepeats: false };
			messages.push({ ...messages[2]!, sentAt: SECOND });
			runs.push(run(3, 14 * SECOND), run(3, 15 * SECOND));
		},
		'it ran again half a day later, and nothing that was remembered before came again':
			ranAgainHalfADayLater(1),
		'dead letters return, and everything else may be remembered beside it': (morning) => {
			morning.history.queue.deadLettersReturn = true;
			morning.history.bounds = { remembered: 3 };
			morning.runs.push(run(3, 20 * SECOND));
		},
	},
	nothingIsRunAnewByTheNextProcess: {
		'n8n was stopped in order, and the next process runs what was done': inTheNextProcess({
			closeCalledAt: 20 * SECOND,
			closedAt: 20 * SECOND,
		}),
		'its leader stepped down before it was done, and stayed': inTheNextProcess(steppedDownBefore),
		'the same while it waited for another workflow': (morning) => {
			inTheNextProcess(steppedDownBefore)(morning);
			besideOneThatAsks(morning);
			morning.runs.push(run(3, 14 * SECOND, { workflow: 'B', registration: 2, toldAt: 24 * MINUTE }));
		},
		'the same while the next one read the queue, too': ranAtTheNextLeader(23 * MINUTE, 24 * MINUTE),
		'the same, and its channel was closed for another, over which it came again': (morning) => {
			ranAtTheNextLeader(23 * MINUTE, 24 * MINUTE)(morning);
			morning.renewed.push({ life: 1, at: 15 * MINUTE });
			morning.came.push({ life: 1, event: 3, at: 15.1 * MINUTE });
		},
		'n8n was killed long after all had started and were done': inTheNextProcess({ endedAt: 2 * MINUTE }),
		'the same beside another workflow, which was done too': (morning) => {
			inTheNextProcess({ endedAt: 2 * MINUTE })(morning);
			besideOneThatAsks(morning);
			morning.runs.push(run(3, 14 * SECOND, { workflow: 'B', registration: 2 }));
		},
	},
	whatRunsComesToNoOther: {
		'a leader that stepped down runs it still, and the next one gets it': cameToTheNextLeader(21 * MINUTE),
		'another connection was taken back, and it had come over this one since': (morning) => {
			takenBackAfter(20)(morning);
			morning.came.find(({ life, event }) => life === 1 && event === 3)!.link = 0;
			const number = morning.links.push({ ...morning.links[0]!, failedAt: undefined!, lostAt: undefined! });
			morning.came.splice(-1, 0, { life: 1, event: 3, at: 5 * MINUTE, link: number - 1 });
		},
		'another one had had it, before that run began': (morning) => {
			cameToTheNextLeader(21 * MINUTE)(morning);
			morning.came.push({ life: 3, event: 3, at: 5 * SECOND });
		},
		'it was given back one by one, and came to the next one while that had stepped down a moment ago': (
			morning,
		) => {
			cameToTheNextLeader(2 * MINUTE)(morning);
			morning.givenBack.push({ life: 1, event: 3, at: 2 * MINUTE });
		},
	},
	attemptsAreKept: {
		'it failed five times while others succeeded, and is run once more': failedSixTimes,
		'the same, and the workflow had waited before': (morning) => {
			morning.logs.push(
				line(2 * SECOND, 'waits, its events stay on the queue'),
				line(3 * SECOND, 'works again'),
			);
			failedSixTimes(morning);
		},
	},
	orderIsKept: {
		'the earlier one came last, and nothing was told of it before': (morning) => {
			toldAsGoneBefore(morning, 11 * SECOND);
			morning.registrations[0]!.options = { removeWhen: 'received' };
			morning.runs.push(run(1, 20 * SECOND));
			morning.logs.splice(0);
		},
		'the earlier one was let go for those that had not started, and its workflow had': letGoBeforeItRan(0),
		'the earlier one was told as gone before its workflow started, after the later one had begun': (
			morning,
		) => {
			toldAsGoneBefore(morning, 14 * SECOND);
		},
		'a kill gave back no more of a quorum queue than the next process takes': killedWith(3),
		'the process before had given it back four times': cameBackTimes(4),
		'this process had given it back five times, and there was none before': cameBackTimes(5, 1),
		'a kill gave back too much, and the queue is a classic one': (morning) => {
			killedWith(4)(morning);
			morning.history.queue.type = 'classic';
		},
		'the second of a set begins before the first has ended': ({ runs }) => {
			runs[0]!.endedAt = 13 * SECOND;
		},
		'the same for two users, when one connection alone read the queue': ({ runs, credentials }) => {
			credentials.push({ workflow: 'A', at: 0, username: 'clerk', password: 'right-too' });
			runs[0]!.endedAt = 13 * SECOND;
		},
		'the same after a change of leader, when the new one alone read the queue': ({ runs, spans }) => {
			spans.push({ what: 'overlap', from: 0, to: SECOND });
			runs[0]!.endedAt = 13 * SECOND;
		},
		'its version asks for more than the one before, and the earlier one comes last': (morning) =>
			asksForMore(morning, [['ISSUED'], []]),
		'a batch has the second of a set before the first': ({ runs }) => {
			runs.splice(0, 2, run(1, 11 * SECOND, { events: [2, 1] }));
		},
		'the second of a set begins while the first is to be tried again': ({ runs }) => {
			runs[0]!.outcome = 'fails';
			runs.push(run(1, 20 * SECOND));
		},
	},
	allIsHandledInTime: {
		'an event is still on the queue': ({ runs, messages }) => {
			runs.pop();
			messages[2]!.fate = 'onTheQueue';
		},
		'one that fails for ever was sent after it, and one connection read the queue': (morning) => {
			const { runs, messages, history: told } = morning;
			told.events[1]!.poison = true;
			runs.splice(0, 2);
			for (const message of messages.slice(0, 2)) message.fate = 'onTheQueue';
		},
		'n8n has few places, and enough of them for all the runs': (morning) =>
			runsInFewPlaces(morning, 10 * SECOND),
		'what is no event was delivered, where less is remembered than is on its way': (morning) => {
			unreadableBehindPoison(morning);
			morning.messages[2]!.deliveries = 1;
		},
		'what is no event was never delivered, and all that is on its way is remembered': (morning) => {
			unreadableBehindPoison(morning);
			morning.history.bounds = { remembered: 4 };
		},
		'what is no event was delivered, and a run that never ends holds the only place': (morning) => {
			unreadableBehindEndless(morning);
			morning.messages[2]!.deliveries = 1;
		},
		'what is no event was never delivered, and a run that never ends leaves a place': (morning) => {
			unreadableBehindEndless(morning);
			morning.wishes[0]!.options = { parallelRuns: 2 };
		},
		'it was sent again behind one that fails for ever, and what was sent first is on the queue': (
			morning,
		) => {
			sentAnewBehindPoison(morning);
			morning.messages[0]!.fate = 'onTheQueue';
		},
		'it was removed with a word in the log that tells of another one, and sent anew behind one that fails for ever':
			(morning) => {
				sentAnewAfterAWord(morning, 'Queue events: 1 events removed before all had started #2#');
			},
		'it was removed with a word in the log, and sent anew in front of one that fails for ever': (morning) => {
			sentAnewAfterAWord(morning);
			morning.messages[1]!.sentAt = 9 * SECOND;
		},
		'what is no event was never delivered, and more is looked through than what fails for ever': (
			morning,
		) => {
			unreadableBeyondALook(morning);
			morning.history.bounds = { lookThrough: 3 };
		},
		'what is no event was delivered, and what fails for ever is all that is looked through': (morning) => {
			unreadableBeyondALook(morning);
			morning.messages[2]!.deliveries = 1;
		},
		'bodies are small enough for more than what fails for ever': (morning) => roomFor(morning, 3),
		'more is looked through than what fails for ever and stands behind it': (morning) => {
			lookedThroughInVain(morning);
			morning.history.bounds = { lookThrough: 3 };
		},
		'a line of the log says no more than that it is to be run again': ({ runs, messages, logs }) => {
			runs.pop();
			messages[2]!.fate = 'onTheQueue';
			const text = 'Workflow "A": the run failed for an event, to be run again #3#';
			logs.push({ life: 1, at: 14 * SECOND, level: 'info', text });
		},
		'another workflow ran an event twice, each time in another process': (morning) => {
			ranTwiceBeside(morning, 2);
		},
		'what fails for ever leaves a place of n8n': (morning) => failsForEverBeside(morning, 4),
		'what waits for another workflow, the runs of which never end, leaves room': (morning) =>
			noRoomBeside(morning, 4),
		'less is remembered than is on its way, and nothing fails or runs again': (morning) => {
			morning.history.bounds = { remembered: 2 };
			morning.runs.pop();
			morning.messages[2]!.fate = 'onTheQueue';
		},
	},
	nobodyIsHeldUp: {
		'an event waits for ten minutes': ({ runs }) => {
			runs[2] = run(3, 20 * MINUTE);
		},
		'the same, and a large body was gone before it came': (morning) => waitsBesideLarge(morning, SECOND),
		'the same, and a leader that stepped down runs one of another set': (morning) =>
			behindTheLeaderBefore(morning, 2),
		'the same, and a leader that stepped down runs a later one of its set': (morning) => {
			behindTheLeaderBefore(morning, 1);
			morning.messages[0]!.sentAt = morning.messages[2]!.sentAt + 1;
		},
		'one that fails holds up another for an hour and a half, and the link was lost once': heldUpByPoison(1),
	},
	aWaitingWorkflowResumes: {
		'the same where the queue lets messages expire, and this one did not': (morning) => {
			morning.history.queue.messageTtlMs = 10 * MINUTE;
			morning.runs.pop();
			morning.messages[2]!.at = 10 * HOUR;
			morning.spans.push({ what: 'downstream', workflow: 'A', from: 0, to: 20 * SECOND });
			morning.faultsOverAt = 20 * SECOND;
		},
		'nothing begins within two days after it is back, and it came back 15 times': (morning) => {
			nothingBeginsAfterAnOutage(morning);
			morning.history.queue.type = 'quorum';
			Object.assign(morning.messages[2]!, { returns: 15, at: 48 * HOUR });
			morning.endedAt = 48 * HOUR;
		},
		'nothing begins within hours after it is back, and it came back 14 times': (morning) => {
			nothingBeginsAfterAnOutage(morning);
			morning.history.queue.type = 'quorum';
			Object.assign(morning.messages[2]!, { returns: 14, at: 3 * HOUR });
			morning.runs.push(run(3, 3 * HOUR));
		},
		'the same, where a try a moment before took the place of a mark': (morning) =>
			triedAgainAfter(morning, 3.1 * HOUR),
		'nothing begins after what it needs is back': nothingBeginsAfterAnOutage,
		'the same beside a batch that never ends, where order is not kept': (morning) =>
			besideAnEndlessBatch(morning, { batchSize: 3, keepOrder: false }),
		'the same where the history was cut short when all its time was over': (morning) => {
			nothingBeginsAfterAnOutage(morning);
			Object.assign(morning, { cutShort: true, endedAt: HOUR });
		},
	},
	theLinkIsNotLostOverABody: {
		'an error came over the connection': ({ links }) => {
			Object.assign(links[0]!, { failedAt: 12 * SECOND, failure: 'TypeError', lostAt: 12 * SECOND });
		},
		'the broker takes back what a leader that stepped down runs, as late as by itself': takenBackAfter(30),
		'it takes back sooner what a leader runs that has not stepped down': (morning) => {
			takenBackAfter(22)(morning);
			delete morning.registrations[0]!.closeCalledAt;
		},
		'it takes back sooner what runs where nobody else leads': (morning) => {
			takenBackAfter(22)(morning);
			morning.registrations.pop();
		},
		'it takes back sooner what runs, and its password alone was edited': (morning) =>
			editedBefore(morning, 'reader'),
		'it takes back sooner what was under way for less than there is between the two': frozenBefore(MINUTE),
	},
	onlyTheProvenAreServed: {
		'nobody logged in with its password': ({ links }) => void (links[0]!.password = 'other'),
		'it was edited, and the connection with the one before is gone': ({ links, credentials }) => {
			links[0]!.lostAt = 9 * SECOND;
			credentials.push({ workflow: 'A', at: 8 * SECOND, username: 'reader', password: 'other' });
		},
		'it was edited, and a connection is being opened with the one before, which was never let in': ({
			links,
			credentials,
		}) => {
			links[0] = { life: 1, askedAt: 5 * SECOND, ...ACCOUNT };
			credentials.push({ workflow: 'A', at: 8 * SECOND, username: 'reader', password: 'other' });
		},
		'it was edited, let in with the one before, and only another connection is opened': ({
			links,
			credentials,
		}) => {
			links[0]!.lostAt = 6 * SECOND;
			credentials.push({ workflow: 'A', at: 8 * SECOND, username: 'reader', password: 'other' });
			links.push({ life: 1, askedAt: 9 * SECOND, ...ACCOUNT });
		},
		'it came where its credential points no more after the connection was lost': (morning) =>
			movedWithAWrongPassword(morning, 10 * SECOND),
		'another process proved it': ({ links }) => void (links[0]!.life = 2),
		'nothing runs, and a report shows it an event': ({ links, runs, reports }) => {
			links[0]!.password = 'other';
			runs.splice(0);
			reports.push(told('This workflow did not get an event: it waited for too long', [3]));
		},
		'the same, and a connection with what it holds was gone before it held that': (morning) =>
			toldOfByAnOlderConnection(morning, 7 * SECOND),
		'it was edited, and let in with the one before half a minute later': readBeforeItWasEdited(30),
		'it was edited, and let in with the one before, though no credential was hidden': (morning) => {
			readBeforeItWasEdited(10)(morning);
			morning.spans.splice(0);
		},
	},
	whatTheQueueTakesIsTold: {
		'one overflows after it was delivered': ({ runs, messages }) => {
			runs.pop();
			messages[2]!.fate = 'overflowed';
		},
		'one overflows after n8n started the workflow, whose next version is there in the end':
			overflowsBeforeItsStart(11 * SECOND),
		'one overflows, and n8n started the workflow in the moment in which the other one left': (morning) => {
			overflowsBeforeItsStart(11 * SECOND)(morning);
			morning.registrations[1]!.closeCalledAt = 10.5 * SECOND;
		},
		'one expires while its credential cannot be read, and another workflow is there': expiresBeforeItIsLetIn,
		'one that is no event expires after it was delivered': ({ runs, messages, history: { events: all } }) => {
			runs.pop();
			all[2]!.odd = 'array';
			messages[2]!.fate = 'expired';
		},
	},
	whoReturnsInTimeLosesNothing: {
		'another one ran what was sent meanwhile': (morning) => awayFor(morning, 2 * MINUTE),
		'it had it in hand when it was unpublished': (morning) => {
			awayFor(morning, 2 * MINUTE);
			morning.messages[2]!.sentAt = SECOND;
		},
		'its host got another name meanwhile, and nobody read it by both': (morning) => {
			awayFor(morning, 2 * MINUTE);
			isGivenAnotherName(morning);
		},
	},
	whoLeftIsToldOfWhatItHadBegun: {
		'it had failed, and its workflow was unpublished beside another one': unpublishedAfterAFailure,
		'so it had, and its workflow had been pointed to a queue elsewhere before that': (morning) => {
			unpublishedAfterAFailure(morning);
			pointsElsewhereSince(morning, MINUTE);
		},
	},
	deliveriesAreBounded: {
		'a message is delivered again and again': ({ messages }) => void (messages[0]!.deliveries = 20),
		'one is delivered seven times, though its workflow is alone': ({ messages }) =>
			void (messages[0]!.deliveries = 7),
		'one is delivered seven times beside another workflow, where that is counted': ({
			messages,
			history: told,
		}) => {
			told.workflows.push({ ...told.workflows[0]!, name: 'B' });
			told.queue.type = 'quorum';
			messages[0]!.deliveries = 7;
		},
		'one is delivered seven times though its workflow is alone, and less was remembered than was on its way':
			(morning) => {
				morning.messages[0]!.deliveries = 7;
				forgetsWhatIsOnItsWay(morning);
			},
	},
	publishingAgainTriesAtOnce: {
		'its host got another name meanwhile': (morning) => {
			publishedAgainInAWait(morning, 2 * MINUTE);
			isGivenAnotherName(morning);
		},
		'it tried nothing for two minutes': (morning) => publishedAgainInAWait(morning, 2 * MINUTE),
		'the same over a slow line': overASlowLine(2 * MINUTE),
		'it tried nothing any more': (morning) => {
			publishedAgainInAWait(morning, 2 * MINUTE);
			morning.runs.splice(0);
		},
		'the queue took another one of its set, as the log had said by then': (morning) => {
			behindOneThatWasTaken(morning);
			morning.logs.push(line(2 * MINUTE, 'Workflow "A", node "Event": 1 events went back #1#'));
		},
		'the queue took one of another set': (morning) => {
			behindOneThatWasTaken(morning);
			morning.history.events[2]!.set = 2;
		},
	},
	inFlightIsBounded: {
		'two thousand are unsettled': (morning) => void (morning.mostUnsettled = 2_000),
		'two thousand are, while the broker takes a lost connection for one that reads': (morning) => {
			morning.mostUnsettled = 2_000;
			morning.spans.push({ what: 'link', from: 0, to: SECOND });
		},
		'ten more than one renewal may add': (morning) => void (morning.mostUnsettled = 16 * 30 + 200 + 5 + 10),
	},
	aChannelIsConsumedOnce: {
		'a channel has had two consumers': (morning) => void (morning.mostConsumersOfAChannel = 2),
	},
	neverMoreRunsThanAsked: {
		'two batches run side by side, where order is kept': ({ runs }) => {
			runs.splice(0, 3, run(1, 11 * SECOND, { events: [1, 2] }), run(3, 11_200, { events: [3, 4] }));
		},
		'two runs side by side, where one was asked for': ({ runs, registrations, history: { workflows } }) => {
			registrations[0]!.options = workflows[0]!.options = { parallelRuns: 1 };
			runs[2] = run(3, 12 * SECOND);
		},
		'two batches run side by side, where its host got another name': (morning) => {
			isGivenAnotherName(morning);
			const { runs } = morning;
			runs.splice(0, 3, run(1, 11 * SECOND, { events: [1, 2] }), run(3, 11_200, { events: [3, 4] }));
		},
	},
	onlyWhatIsAskedForRuns: {
		'the filter asks for another status': ({ registrations }) => {
			registrations[0]!.statuses = ['ISSUED'];
		},
	},
	onlyPublishingIsRefused: {
		'the start of n8n is refused': ({ registrations }) => void (registrations[0]!.threw = 'Error: no'),
	},
	thereIsNoStorm: {
		'it tries to connect twice a second': ({ links }) => {
			for (let at = 0; at < 15 * SECOND; at += 500) links.push({ life: 1, askedAt: 6_000 + at, ...ACCOUNT });
		},
		'six reports without a cause within an hour': ({ reports }) => {
			for (let index = 0; index < 6; index += 1) reports.push(report(0, { events: [], text: 'Outage' }));
		},
		'six reports without a cause within an hour, of one that two things kept out': ({ reports, spans }) => {
			spans.push({ what: 'credential', workflow: 'A', from: 0, to: MINUTE });
			spans.push({ what: 'wrongPassword', workflow: 'A', from: 0, to: MINUTE });
			for (let index = 0; index < 6; index += 1) reports.push(report(0, { events: [], text: 'Outage' }));
		},
		'forty reports on unreadable messages within ten minutes': ({ reports, history: { events: all } }) => {
			all[2]!.odd = 'array';
			for (let index = 0; index < 40; index += 1) reports.push(report(3));
		},
		'seven reports of one whom a broker kept out in two ways': (morning) => keptOutBy(morning, 7),
		'it is told every ten minutes what the queue took': takenAgainAndAgain(10),
		'the same, and it is published again once': (morning) => {
			takenAgainAndAgain(10)(morning);
			publishedAgainAt(morning, [70]);
		},
		'dead letters return, and all that is on its way is remembered': forgottenDeadLetters(100),
		'a warning every second': ({ logs }) => {
			for (let index = 0; index < 200; index += 1) {
				logs.push({ life: 1, at: index * SECOND, level: 'warn', text: 'again' });
			}
		},
	},
	nothingIsLeft: {
		'a timer is left': ({ left }) => void (left.timers = 1),
		'a link is left': ({ left }) => void (left.links = 1),
		'a subscriber is left': ({ left }) => void (left.subscribers = 1),
		'an exception was left to itself': ({ uncaught }) => void uncaught.push('TypeError'),
	},
};

describe('the laws', () => {
	it('have nothing to say of a quiet morning', () => {
		expect(violationsOf(quietMorning())).toEqual([]);
	});

	for (const [law, mornings] of Object.entries(BROKEN)) {
		it.each(Object.entries(mornings))(`${law} is broken when %s`, (_, happens) => {
			const morning = quietMorning();
			happens(morning);
			expect(violationsOf(morning).map((violation) => violation.law)).toContain(law);
		});
	}
});

/** Nearly the same mornings, on which a law is kept. */
const KEPT: ReadonlyArray<[keyof typeof LAWS, string, (morning: Ledger) => void]> = [
	[
		'nothingIsLostInAMove',
		'others read the queue beside, and had it',
		(morning) => {
			pointsElsewhereSince(morning, 9 * SECOND);
			morning.history.workflows.push({ ...morning.history.workflows[0]!, name: 'B' });
			morning.credentials.push({ workflow: 'B', at: 0, ...ACCOUNT });
			morning.runs.pop();
		},
	],
	[
		'nothingComesFromElsewhere',
		'what it had in hand runs when its credential points elsewhere',
		(morning) => pointsElsewhereSince(morning, 9 * SECOND),
	],
	[
		'allIsHandledInTime',
		'an unreadable one is on the queue, and the one that would tell of it reads another',
		(morning) => {
			morning.history.events[2]!.odd = 'notJson';
			morning.history.workflows.push({ ...morning.history.workflows[0]!, name: 'B' });
			morning.wishes.push({ ...morning.wishes[0]!, workflow: 'B' });
			morning.credentials[0]!.vhost = ELSEWHERE;
			morning.credentials.push({ workflow: 'B', at: 0, ...ACCOUNT });
			morning.spans.push({ what: 'wrongPassword', workflow: 'B', from: 0, to: Infinity });
			Object.assign(morning.messages[2]!, { fate: 'onTheQueue' });
		},
	],
	[
		'onlyTheGuiltyEndInReports',
		'it failed as long as another, which is done with an event however its run ends',
		(morning) => {
			givenUpWhenAllAreBack(morning);
			morning.wishes.at(-1)!.options = { removeWhen: 'finished' };
		},
	],
	[
		'onlyTheGuiltyEndInReports',
		'it failed as long as another, and no word came of a run that went on after that',
		(morning) => {
			givenUpWhenAllAreBack(morning);
			morning.runs.push(run(2, 5 * MINUTE, { endedAt: undefined, toldAt: undefined, outcome: undefined }));
		},
	],
	[
		'orderIsKept',
		'the process before had given it back five times, and what ran then is behind it',
		cameBackTimes(5),
	],
	[
		'orderIsKept',
		'the process before had given another event back five times, and what ran then is behind the rest',
		cameBackTimes(5, 2, 2),
	],
	[
		'theLinkIsNotLostOverABody',
		'the broker takes back sooner than by itself what runs, and its workflow has another user since',
		(morning) => editedBefore(morning, 'clerk'),
	],
	[
		'orderIsKept',
		'a version asked for the earlier one, the next did not, and a third does',
		(morning) => asksForMore(morning, [[], ['ISSUED'], []]),
	],
	[
		'orderIsKept',
		'it asks for more than before, and the broker did not get word of what others had handled',
		(morning) => {
			asksForMore(morning, [['ISSUED'], []]);
			morning.messages[0]!.deliveries = 2;
		},
	],
	[
		'orderIsKept',
		'it asks for more than before, and what others give up comes back to the queue',
		(morning) => {
			asksForMore(morning, [['ISSUED'], []]);
			morning.history.queue.deadLettersReturn = true;
		},
	],
	[
		'orderIsKept',
		'a batch has both of a set in their order',
		({ runs }) => void runs.splice(0, 2, run(1, 11 * SECOND, { events: [1, 2] })),
	],
	[
		'reportsTellNumberAndCause',
		'it failed as often as a report says, and more often than asked for',
		(morning) => {
			failedFiveTimesBeside(morning, 'succeeded');
			morning.runs.push(run(3, 19 * SECOND, { outcome: 'fails' }));
			morning.reports[0]!.text = morning.reports[0]!.text.replace('5 times', '6 times');
		},
	],
	[
		'onlyTheGuiltyEndInReports',
		'the log alone gives it up, and it came again and ran',
		({ logs }) => {
			const text =
				'Workflow "A", node "Event": 1 events were off the queue when it started {"events":["#3#"]}';
			logs.push({ life: 1, at: 12 * SECOND, level: 'warn', text });
		},
	],
	[
		'onlyTheGuiltyEndInReports',
		'the log alone tells of one that the queue had taken',
		({ logs, history: told, messages, runs }) => {
			runs.pop();
			told.queue.messageTtlMs = SECOND;
			Object.assign(messages[2]!, { fate: 'expired', at: 14 * SECOND });
			const text = 'Workflow "A", node "Event": did not come again. The event as received: #3#';
			logs.push({ life: 1, at: 15 * SECOND, level: 'error', text });
		},
	],
	[
		'nothingIsLost',
		'an unreadable one is dropped, which was shown twice',
		(morning) => droppedUnread(morning, 2),
	],
	[
		'reportsTellNumberAndCause',
		'what was handled is said not to come again, where less is remembered than is on its way',
		(morning) => {
			goneThoughHandled(morning);
			morning.history.bounds = { remembered: 2 };
		},
	],
	[
		'reportsTellNumberAndCause',
		'the same, of what was given up',
		(morning) => {
			goneThoughHandled(morning);
			morning.registrations[0]!.options = { attempts: 1 };
			Object.assign(morning.runs[2]!, { outcome: 'fails' });
			morning.reports.unshift({
				...told('The workflow failed once for the event A of B', [3]),
				at: 16 * SECOND,
			});
			morning.history.bounds = { remembered: 2 };
		},
	],
	[
		'reportsTellNumberAndCause',
		'who was never let in is told the number that the log shows',
		(morning) => neverLetIn(morning, 1),
	],
	[
		'reportsTellNumberAndCause',
		'it is told of a queue of its name that it was never pointed to, as long as its credential could not be read',
		(morning) => {
			morning.history.events[2]!.vhost = ELSEWHERE;
			neverLetIn(morning, 1);
			morning.spans.push({ what: 'credential', workflow: 'A', from: 0, to: 15 * SECOND });
		},
	],
	[
		'nothingIsRunAnewByTheNextProcess',
		'n8n was killed while others might still come to ask for it',
		inTheNextProcess({ endedAt: 30 * SECOND }),
	],
	[
		'nothingIsRunAnewByTheNextProcess',
		'n8n was stopped before it was done, and ended right after that',
		(morning) => {
			inTheNextProcess(steppedDownBefore)(morning);
			morning.spans.push({ what: 'process', from: 11 * SECOND, to: 16 * SECOND });
		},
	],
	[
		'nothingIsRunAnewByTheNextProcess',
		'two read the queue, and it came to the next one before it was done',
		ranAtTheNextLeader(22 * MINUTE, 24 * MINUTE),
	],
	[
		'nothingIsRunAnewByTheNextProcess',
		'two read the queue, and its channel was closed for another while it ran',
		(morning) => {
			ranAtTheNextLeader(23 * MINUTE, 24 * MINUTE)(morning);
			morning.renewed.push({ life: 1, at: 15 * MINUTE });
		},
	],
	[
		'nothingIsRunAnewByTheNextProcess',
		'two read the queue, and the next one had run it first',
		ranAtTheNextLeader(5 * SECOND, 5 * SECOND),
	],
	[
		'nothingIsRunAnewByTheNextProcess',
		'two read the queue while it was done, and the leader had not stepped back yet',
		(morning) => {
			ranAtTheNextLeader(23 * MINUTE, 24 * MINUTE)(morning);
			morning.registrations[0]!.closeCalledAt = morning.registrations[0]!.closedAt = 22.5 * MINUTE;
		},
	],
	[
		'nothingIsRunAnewByTheNextProcess',
		'n8n was stopped, and its end cut off a run that was to be known as begun after that',
		(morning) => {
			inTheNextProcess(steppedDownBefore)(morning);
			morning.registrations[0]!.options = { removeWhen: 'received' };
			Object.assign(morning.runs[2]!, { outcome: 'endedWithProcess', toldAt: undefined });
			morning.spans.push({ what: 'process', from: 30 * SECOND, to: 40 * SECOND });
		},
	],
	[
		'nothingIsRunAnewByTheNextProcess',
		'its leader stepped down, and no longer waited for the run of another workflow for it',
		(morning) => {
			inTheNextProcess(steppedDownBefore)(morning);
			besideOneThatAsks(morning);
			morning.runs.push(run(3, 14 * SECOND, { workflow: 'B', registration: 2, toldAt: 26 * MINUTE }));
		},
	],
	[
		'nothingIsRunAnewByTheNextProcess',
		'another workflow was not done with it',
		(morning) => {
			inTheNextProcess({ endedAt: 2 * MINUTE })(morning);
			besideOneThatAsks(morning);
		},
	],
	[
		'nothingIsRunAnewByTheNextProcess',
		'the connection was lost, and the broker may not have heard of it',
		(morning) => {
			inTheNextProcess({ endedAt: 2 * MINUTE })(morning);
			morning.spans.push({ what: 'link', from: 14 * SECOND, to: 14 * SECOND });
		},
	],
	[
		'nothingIsRunAnewByTheNextProcess',
		'less was remembered than was on its way',
		(morning) => {
			inTheNextProcess({ endedAt: 2 * MINUTE })(morning);
			morning.history.bounds = { remembered: 3 };
		},
	],
	[
		'whoLeftIsToldOfWhatItHadBegun',
		'the log has its body',
		(morning) => {
			unpublishedAfterAFailure(morning);
			morning.logs.push(
				line(5 * MINUTE, 'Workflow "A", node "Event": 1 events could not be kept any longer #3#'),
			);
		},
	],
	[
		'whoLeftIsToldOfWhatItHadBegun',
		'it had succeeded',
		(morning) => {
			unpublishedAfterAFailure(morning);
			morning.runs[2]!.outcome = 'succeeded';
		},
	],
	[
		'whoLeftIsToldOfWhatItHadBegun',
		'its run was to remove it, however it ended',
		(morning) => {
			unpublishedAfterAFailure(morning);
			morning.registrations[0]!.options = { removeWhen: 'finished' };
		},
	],
	[
		'whoLeftIsToldOfWhatItHadBegun',
		'the others read a queue of that name elsewhere, and one of them was pointed to its own long after',
		(morning) => {
			unpublishedAfterAFailure(morning);
			morning.credentials.push(
				{ workflow: 'B', at: 0, ...ACCOUNT, vhost: ELSEWHERE },
				{ workflow: 'B', at: 20 * MINUTE, ...ACCOUNT },
			);
		},
	],
	[
		'whoLeftIsToldOfWhatItHadBegun',
		'the others left too',
		(morning) => {
			unpublishedAfterAFailure(morning);
			morning.registrations[1]!.closeCalledAt = 3 * MINUTE;
		},
	],
	[
		'whoLeftIsToldOfWhatItHadBegun',
		'the connection was lost',
		(morning) => {
			unpublishedAfterAFailure(morning);
			morning.spans.push({ what: 'link', from: 3 * MINUTE, to: 3 * MINUTE });
		},
	],
	['whoReturnsInTimeLosesNothing', 'it was away for longer', (morning) => awayFor(morning, 4 * MINUTE)],
	[
		'whoReturnsInTimeLosesNothing',
		'it ran when it was back',
		(morning) => {
			awayFor(morning, 2 * MINUTE);
			morning.runs.push(run(3, 3 * MINUTE, { registration: 3 }));
		},
	],
	[
		'whoReturnsInTimeLosesNothing',
		'the log has its body',
		(morning) => {
			awayFor(morning, 2 * MINUTE);
			morning.logs.push(
				line(2 * MINUTE, 'Workflow "A", node "Event": 1 events could not be kept any longer #3#'),
			);
		},
	],
	[
		'whoReturnsInTimeLosesNothing',
		'the version that is back asks for other events',
		(morning) => {
			awayFor(morning, 2 * MINUTE);
			morning.registrations.at(-1)!.statuses = ['DRAFTED'];
		},
	],
	[
		'whoReturnsInTimeLosesNothing',
		'n8n was started anew meanwhile',
		(morning) => {
			awayFor(morning, 2 * MINUTE);
			morning.registrations.at(-1)!.life = 2;
		},
	],
	[
		'whoReturnsInTimeLosesNothing',
		'its first try to be published again was refused',
		(morning) => {
			awayFor(morning, 2 * MINUTE);
			morning.registrations.splice(-1, 0, { ...morning.registrations.at(-1)!, threw: 'Error: no' });
		},
	],
	[
		'whoReturnsInTimeLosesNothing',
		'it is unpublished in the end',
		(morning) => {
			awayFor(morning, 2 * MINUTE);
			morning.wishes.push({ ...morning.wishes[0]!, at: 9 * MINUTE, published: false });
		},
	],
	[
		'whoReturnsInTimeLosesNothing',
		'its host got another name meanwhile, and another one read it by both',
		(morning) => {
			awayFor(morning, 2 * MINUTE);
			isGivenAnotherName(morning);
			morning.messages[2]!.shared = true;
		},
	],
	[
		'whatRunsComesToNoOther',
		'it was given back while it led, to one that had stepped down before and read still',
		(morning) => {
			cameToTheNextLeader(21 * MINUTE)(morning);
			// That one had it first.
			for (const at of [30 * SECOND, 5 * SECOND]) morning.came.unshift({ life: 3, event: 3, at });
		},
	],
	[
		'whatRunsComesToNoOther',
		'it was given back one by one when its run had had no word for so long',
		(morning) => {
			cameToTheNextLeader(26 * MINUTE, { endedAt: 30 * MINUTE, toldAt: 30 * MINUTE })(morning);
			morning.givenBack.push({ life: 1, event: 3, at: 26 * MINUTE });
		},
	],
	[
		'whatRunsComesToNoOther',
		'it was given back one by one while it led, to stand in order, and came to the next one when it was done with',
		(morning) => {
			cameToTheNextLeader(24 * MINUTE)(morning);
			morning.givenBack.push({ life: 1, event: 3, at: 30 * SECOND });
		},
	],
	[
		'whatRunsComesToNoOther',
		'the leader before had stepped down a moment ago',
		cameToTheNextLeader(2 * MINUTE),
	],
	[
		'whatRunsComesToNoOther',
		'the queue was done with it when the run had begun',
		(morning) => {
			cameToTheNextLeader(21 * MINUTE)(morning);
			for (const each of morning.registrations) each.options = { removeWhen: 'received' };
		},
	],
	['whatRunsComesToNoOther', 'the run has ended by then', cameToTheNextLeader(24 * MINUTE)],
	[
		'whatRunsComesToNoOther',
		'the run goes on for longer than its end is waited for',
		cameToTheNextLeader(21 * MINUTE, { endedAt: 26 * MINUTE, toldAt: 26 * MINUTE }),
	],
	[
		'whatRunsComesToNoOther',
		'the broker takes back sooner what is out for long, and all of that channel with it',
		takenBackAfter(20),
	],
	[
		'whatRunsComesToNoOther',
		'the connection was lost meanwhile',
		(morning) => {
			cameToTheNextLeader(21 * MINUTE)(morning);
			morning.spans.push({ what: 'link', from: 20 * MINUTE, to: 20 * MINUTE });
		},
	],
	[
		'theLinkIsNotLostOverABody',
		'the broker takes back sooner than by itself what was under way for two minutes',
		frozenBefore(2 * MINUTE),
	],
	[
		'theLinkIsNotLostOverABody',
		'the broker takes back sooner than by itself what a leader that stepped down runs',
		takenBackAfter(22),
	],
	[
		'theLinkIsNotLostOverABody',
		'the same, of one that had refused to publish another workflow',
		(morning) => {
			const [own] = morning.registrations;
			const refused = { number: 2, workflow: 'B', returnedAt: undefined, threw: 'refused' };
			morning.registrations.push({ ...own!, ...refused });
			takenBackAfter(22)(morning);
		},
	],
	[
		'onlyTheProvenAreServed',
		'it came where its credential points no more while it was let in there',
		(morning) => movedWithAWrongPassword(morning, 7 * SECOND),
	],
	...(['onlyTheGuiltyEndInReports', 'reportsTellNumberAndCause'] as const).map(
		(law): [keyof typeof LAWS, string, (morning: Ledger) => void] => [
			law,
			'two processes lead, it is there in the one, and the other one got the event',
			(morning) => wasThereInAnotherProcess(morning, 1),
		],
	),
	[
		'nothingIsLost',
		'its credential names another virtual host since two processes lead',
		(morning) => ledByTwo(morning, 0),
	],
	[
		'onlyTheGuiltyEndInReports',
		'another one handled it long before, and its versions are closed in the moment in which they are called',
		(morning) => {
			publishedAgainAfterIt(morning, true);
			const [own] = morning.registrations;
			own!.closeCalledAt = own!.calledAt;
			const again = { number: 3, mode: 'update' as const, calledAt: 50 * SECOND, closeCalledAt: 50 * SECOND };
			morning.registrations.push({ ...own!, ...again });
		},
	],
	[
		'whatTheQueueTakesIsTold',
		'one expires while its credential cannot be read, nor that of the other one',
		(morning) => {
			expiresBeforeItIsLetIn(morning);
			morning.registrations[1]!.calledAt = 10 * SECOND;
			const [mine] = morning.spans;
			morning.spans.push({ ...mine!, workflow: 'B' });
		},
	],
	[
		'attemptsAreKept',
		'it was forgotten behind others that ended, and its attempts begin anew',
		(morning) => {
			const { runs, registrations, history: told } = morning;
			told.bounds = { remembered: 1 };
			morning.mostUnsettled = 0;
			registrations[0]!.options = { attempts: 2 };
			const fails = [13, 14, 20, 21].map((at) => run(3, at * SECOND, { outcome: 'fails' }));
			runs.splice(0, runs.length, ...fails, run(1, 15 * SECOND), run(2, 16 * SECOND));
		},
	],
	[
		'attemptsAreKept',
		'the workflow works again after a wait, and its attempts begin anew',
		(morning) => {
			failedSixTimes(morning);
			morning.logs.push(line(15_600, 'waits, its events stay on the queue'), line(15_700, 'works again'));
		},
	],
	[
		'attemptsAreKept',
		'the run that succeeded since had begun before, and shows nothing',
		(morning) => {
			failedSixTimes(morning);
			morning.runs.at(-1)!.handedAt = 13 * SECOND;
		},
	],
	[
		'attemptsAreKept',
		'the run that succeeded since was told in the moment in which the last one began',
		(morning) => {
			failedSixTimes(morning);
			const [last, , good] = morning.runs.slice(-3);
			good!.toldAt = last!.handedAt;
		},
	],
	[
		'attemptsAreKept',
		'the run that succeeded since was told too late, and decides nothing',
		(morning) => {
			failedSixTimes(morning);
			const late = morning.runs.at(-1)!;
			for (const run of morning.runs.slice(-3, -1)) {
				run.handedAt += HOUR;
				run.toldAt! += HOUR;
			}
			late.toldAt = late.handedAt + 25 * MINUTE;
		},
	],
	[
		'attemptsAreKept',
		'no other has succeeded since, and it is tried now and then',
		(morning) => {
			failedSixTimes(morning);
			morning.runs.pop();
		},
	],
	[
		'neverMoreRunsThanAsked',
		'two batches run side by side, and order is not asked for',
		({ runs, registrations }) => {
			registrations[0]!.options = { keepOrder: false };
			runs.splice(0, 3, run(1, 11 * SECOND, { events: [1, 2] }), run(3, 11_200, { events: [3, 4] }));
		},
	],
	[
		'nothingIsLost',
		'it was let go as kept for others that start later, and its workflow was one of them',
		(morning) => {
			letGo(morning);
			morning.registrations[0]!.returnedAt = 15 * SECOND;
		},
	],
	[
		'nothingIsLost',
		'it had been run and removed when n8n came to publish its workflow for the first time',
		({ runs, registrations }) => {
			runs.pop();
			Object.assign(registrations[0]!, { mode: 'activate', calledAt: 3 * SECOND, returnedAt: 3 * SECOND });
		},
	],
	[
		'nothingIsLost',
		'it was let go as kept for others, and the broker had never let its workflow in',
		(morning) => {
			letGo(morning);
			refused(morning);
		},
	],
	[
		'nothingIsLost',
		'its process was closed before it could tell of it, and the broker had never let its workflow in',
		(morning) => {
			morning.runs.pop();
			refused(morning);
			morning.registrations[0]!.closeCalledAt = 20 * SECOND;
		},
	],
	[
		'nothingIsLost',
		'the queue let it expire while n8n was down, which had cut off its run',
		({ runs, messages, history: { queue } }) => {
			queue.messageTtlMs = MINUTE;
			runs[2]!.outcome = 'endedWithProcess';
			messages[2]!.fate = 'expired';
		},
	],
	[
		'nothingIsLost',
		'it was sent twice while n8n was down, and one of the two expired and the queue had no room for the other',
		({ runs, messages }) => {
			runs.pop();
			Object.assign(messages[2]!, { fate: 'expired', deliveries: 0 });
			messages.push({ ...messages[2]!, fate: 'overflowed' });
		},
	],
	[
		'nothingIsLost',
		'the same, and n8n held both until it went down',
		({ runs, messages }) => {
			runs.pop();
			Object.assign(messages[2]!, { fate: 'expired', deliveries: 1 });
			messages.push({ ...messages[2]!, fate: 'overflowed' });
		},
	],
	[
		'nothingIsLost',
		'the broker dropped it at its third delivery, which went into a dead line',
		({ runs, messages, shown }) => {
			runs.pop();
			Object.assign(messages[2]!, { fate: 'dropped', deliveries: 3 });
			shown[3] = 2;
		},
	],
	[
		'attemptsAreKept',
		'it was published again without the status, and with it once more',
		(morning) => {
			failedSixTimes(morning);
			const [asked] = morning.wishes;
			morning.wishes.push({ ...asked!, at: 17_200, statuses: ['DRAFTED'] }, { ...asked!, at: 17_400 });
		},
	],
	[
		'attemptsAreKept',
		'more others were handled before it ran again than are remembered',
		(morning) => {
			failedSixTimes(morning);
			morning.mostUnsettled = 0;
			morning.history.bounds = { remembered: 1 };
			const others = [run(1, 17_300), run(2, 17_300)];
			morning.runs.splice(-2, 0, ...others);
		},
	],
	[
		'onlyTheGuiltyEndInReports',
		'its run ended with its process, which told nobody',
		({ runs, reports }) => {
			runs[2]!.outcome = 'endedWithProcess';
			delete runs[2]!.toldAt;
			reports.push(report(3));
		},
	],
	[
		'orderIsKept',
		'the same, and it came again after all and ran last',
		(morning) => {
			toldAsGoneBefore(morning, 11 * SECOND);
			morning.registrations[0]!.options = { removeWhen: 'received' };
			morning.runs.push(run(1, 20 * SECOND));
		},
	],
	[
		'orderIsKept',
		'the earlier one was gone when its workflow started, which the log says at once and a report later',
		(morning) => toldAsGoneBefore(morning, 11 * SECOND),
	],
	[
		'whatTheQueueTakesIsTold',
		'one expires while its credential cannot be read, and nobody else is there any more',
		(morning) => {
			expiresBeforeItIsLetIn(morning);
			morning.registrations[1]!.closeCalledAt = 11 * SECOND;
		},
	],
	[
		'whatTheQueueTakesIsTold',
		'one overflows, and n8n started the workflow while the other one, which had left, was not back yet',
		(morning) => {
			overflowsBeforeItsStart(11 * SECOND)(morning);
			morning.registrations[1]!.closeCalledAt = 10 * SECOND;
		},
	],
	[
		'whatTheQueueTakesIsTold',
		'one overflows before n8n started the workflow, whose next version is there in the end',
		overflowsBeforeItsStart(13 * SECOND),
	],
	[
		'whatTheQueueTakesIsTold',
		'one expires after everything was closed',
		(morning) => {
			morning.runs.pop();
			Object.assign(morning.messages[2]!, { fate: 'expired', at: morning.endedAt + SECOND });
		},
	],
	[
		'publishingAgainTriesAtOnce',
		'it tried after twenty seconds',
		(morning) => publishedAgainInAWait(morning, 20 * SECOND),
	],
	[
		'publishingAgainTriesAtOnce',
		'it tried after forty seconds, where each frame travels for more than one',
		overASlowLine(40 * SECOND),
	],
	[
		'publishingAgainTriesAtOnce',
		'the queue took an earlier one of its set when that went back, and it was not missed yet',
		behindOneThatWasTaken,
	],
	[
		'publishingAgainTriesAtOnce',
		'its connection was lost when it was published',
		(morning) => {
			publishedAgainInAWait(morning, 2 * MINUTE);
			morning.spans.push({ what: 'link', from: 3 * MINUTE, to: 3 * MINUTE });
		},
	],
	[
		'publishingAgainTriesAtOnce',
		'a run of it goes on',
		(morning) => {
			publishedAgainInAWait(morning, 2 * MINUTE);
			morning.runs.push(run(2, 2 * MINUTE, { toldAt: 4 * MINUTE }));
		},
	],
	[
		'inFlightIsBounded',
		'as many waited when the process began, and the one before may have had them',
		(morning) => {
			const waiting = Array.from({ length: 900 }, () => ({ ...morning.messages[0]!, sentAt: 0, at: HOUR }));
			morning.messages.push(...waiting);
			morning.mostUnsettled = 900;
		},
	],
	[
		'inFlightIsBounded',
		'the broker takes a lost connection for one that reads, and has as many out to it',
		(morning) => {
			morning.mostUnsettled = 2 * (16 * 30 + 200);
			morning.spans.push({ what: 'link', from: 0, to: SECOND });
		},
	],
	[
		'inFlightIsBounded',
		'its host got another name, and what it had in hand under the first is out there still',
		(morning) => {
			morning.mostUnsettled = 2 * (16 * 30 + 200);
			isGivenAnotherName(morning);
		},
	],
	[
		'orderIsKept',
		'the earlier one was let go before its workflow started, as the log says, and came back as a dead letter',
		letGoBeforeItRan(15 * SECOND),
	],
	[
		'onlyTheGuiltyEndInReports',
		'over a slow line, the next leader tells as missed what the one before ran while both read',
		ranInTheLeaderBefore,
	],
	[
		'onlyTheProvenAreServed',
		'its password was edited after it had been shown, and no connection was asked for since',
		({ links, credentials }) => {
			links[0]!.lostAt = 6 * SECOND;
			credentials.push({ workflow: 'A', at: 8 * SECOND, username: 'reader', password: 'other' });
		},
	],
	[
		'onlyTheProvenAreServed',
		'a connection of another workflow stands, with the password that it came to hold',
		(morning) => toldOfByAnOlderConnection(morning, HOUR),
	],
	[
		'onlyTheProvenAreServed',
		'it was edited after it was read, and the credential of another one was not handed out for so long',
		readBeforeItWasEdited(10),
	],
	[
		'thereIsNoStorm',
		'a wrong password is told twice, and a broker that is away, and one that does not answer',
		(morning) => keptOutBy(morning, 6),
	],
	[
		'orderIsKept',
		'a kill gave back more of a quorum queue than the next process takes at once',
		killedWith(4),
	],
	[
		'thereIsNoStorm',
		'forty reports on unreadable messages within ten minutes, of two queues that it was pointed to, each at its own pace',
		(morning) => {
			morning.history.events[2]!.odd = 'array';
			for (let index = 0; index < 40; index += 1) morning.reports.push(report(3));
			pointsElsewhereSince(morning, 11 * SECOND);
		},
	],
	[
		'thereIsNoStorm',
		'the same every ten minutes, of two queues that it was pointed to',
		(morning) => {
			takenAgainAndAgain(10)(morning);
			pointsElsewhereSince(morning, HOUR);
		},
	],
	[
		'onlyTheGuiltyEndInReports',
		'the same, of one that was not let in: its next version is told what that was owed',
		(morning) => publishedAgainAfterIt(morning, false),
	],
	[
		'reportsTellNumberAndCause',
		'its connection is lost at that very moment',
		(morning) => lostAtThatMoment(morning, 20 * SECOND),
	],
	[
		'reportsTellNumberAndCause',
		'a report is too short for all of its bodies, and ends so',
		({ reports, runs, wishes }) => {
			wishes[0]!.options = {};
			runs[2]!.outcome = 'fails';
			const shown = told(
				'This workflow did not get 2 events: it waited for too long while others went on',
				[3],
			);
			reports.push({ ...shown, text: `${shown.text} …` });
		},
	],
	[
		'thereIsNoStorm',
		'twenty connections are lost one after another within a minute',
		({ links }) => {
			for (let at = 0; at < MINUTE; at += 3 * SECOND)
				links.push({ life: 1, askedAt: 6_000 + at, ...ACCOUNT });
		},
	],
	[
		'thereIsNoStorm',
		'a queue takes what goes back again and again, and it is told every twenty minutes',
		takenAgainAndAgain(20),
	],
	[
		'thereIsNoStorm',
		'the same every quarter of an hour, and it is published again now and then',
		(morning) => {
			takenAgainAndAgain(15)(morning);
			publishedAgainAt(morning, [60, 90, 120, 150]);
		},
	],
	[
		'thereIsNoStorm',
		'its password is wrong, and its credential was refused and did hang, each told twice',
		({ reports, spans, history: told }) => {
			for (const what of ['credential', 'wrongPassword'] as const)
				spans.push({ what, workflow: 'A', from: 0, to: MINUTE });
			for (const hangs of [true, false])
				told.steps.push({ at: 0, do: 'credentialUnreadable', workflow: 'A', forMs: MINUTE, hangs });
			for (let index = 0; index < 6; index += 1) reports.push(report(0, { events: [], text: 'Outage' }));
		},
	],
	[
		'thereIsNoStorm',
		'three things kept it out, each told twice, and one of them is the database with its credential',
		({ reports, spans }) => {
			for (const what of ['credential', 'wrongPassword', 'database'] as const)
				spans.push({ what, workflow: 'A', from: 0, to: MINUTE });
			for (let index = 0; index < 6; index += 1) reports.push(report(0, { events: [], text: 'Outage' }));
		},
	],
	[
		'thereIsNoStorm',
		'its runs outlast the time in which their end is waited for, which it is told as a wait of its own',
		({ reports, history: told }) => {
			told.workflows[0]!.runMs = [30 * MINUTE, 30 * MINUTE];
			for (let index = 0; index < 5; index += 1) reports.push(report(0, { events: [], text: 'Outage' }));
		},
	],
	[
		'thereIsNoStorm',
		'dead letters return, and less is remembered than is on its way',
		forgottenDeadLetters(3),
	],
	[
		'nothingIsDoubled',
		'what was remembered before it came again half a day later, and its time began anew',
		ranAgainHalfADayLater(2),
	],
	[
		'nothingIsDoubled',
		'it was sent again after its run, reported as one without a word, had failed',
		sentAgainAfterALateEnd('fails'),
	],
	[
		'nothingIsDoubled',
		'it was sent again after its run was logged as one without a word, and this n8n stores no report',
		sentAgainWithoutAWord('as received:'),
	],
	[
		'onlyTheGuiltyEndInReports',
		'another user reads the queue, and its own password is wrong',
		({ credentials, reports, spans, history: told }) => {
			told.workflows.push({ ...told.workflows[0]!, name: 'B' });
			credentials.push({ workflow: 'B', at: 0, username: 'clerk', password: 'right-too' });
			spans.push({ what: 'wrongPassword', workflow: 'A', from: SECOND, to: HOUR });
			reports.push(report(3));
		},
	],
	[
		'onlyTheGuiltyEndInReports',
		'it waits beside another, and the broker counts more than ever arrived',
		({ reports, spans, messages, history: told }) => {
			told.workflows.push({ ...told.workflows[0]!, name: 'B' });
			spans.push({ what: 'downstream', workflow: 'A', from: 0, to: HOUR });
			Object.assign(messages[2]!, { deliveries: 12, returns: 15 });
			reports.push(report(3));
		},
	],
	[
		'onlyTheGuiltyEndInReports',
		'its attempts are used up, and another of its status waits in the middle since',
		(morning) => failedFiveTimesBeside(morning, 'waits'),
	],
	[
		'onlyTheGuiltyEndInReports',
		'the broker dropped what had waited for hours behind slow runs of two workflows, after an outage of a few minutes',
		(morning) => {
			morning.spans.push({ what: 'database', from: 0, to: 5 * MINUTE });
			waitedBehindSlowRuns(morning, 4.5 * HOUR, 'two workflows');
		},
	],
	[
		'deliveriesAreBounded',
		'one is delivered twenty times beside another workflow, and less was remembered than was on its way',
		(morning) => {
			besideOneThatAsks(morning);
			morning.messages[0]!.deliveries = 20;
			forgetsWhatIsOnItsWay(morning);
		},
	],
	[
		'deliveriesAreBounded',
		'one is delivered twenty times, another fails for ever, and less was remembered than was on its way',
		(morning) => {
			morning.history.events[1]!.poison = true;
			morning.messages[0]!.deliveries = 20;
			forgetsWhatIsOnItsWay(morning);
		},
	],
	[
		'onlyTheGuiltyEndInReports',
		'the broker dropped what two workflows asked for, and less was remembered than was on its way',
		(morning) => {
			waitedBehindSlowRuns(morning, 2 * HOUR, 'two workflows');
			forgetsWhatIsOnItsWay(morning);
		},
	],
	[
		'onlyTheGuiltyEndInReports',
		'the broker dropped what stood behind an event that fails for ever, and less was remembered than was on its way',
		(morning) => {
			morning.history.events[0]!.poison = true;
			waitedBehindSlowRuns(morning, 2 * HOUR);
			forgetsWhatIsOnItsWay(morning);
		},
	],
	[
		'onlyTheGuiltyEndInReports',
		'the broker dropped what had waited for hours behind runs of half an hour',
		(morning) => {
			morning.history.workflows[0]!.runMs = [30 * MINUTE, 30 * MINUTE];
			waitedBehindSlowRuns(morning, 8 * HOUR);
		},
	],
	[
		'onlyTheGuiltyEndInReports',
		'the broker dropped what had waited for hours, and n8n lost results of its workflow, which waited over that',
		(morning) => {
			morning.spans.push({ what: 'mishap', workflow: 'A', from: 0, to: HOUR });
			waitedBehindSlowRuns(morning, 8 * HOUR);
		},
	],
	[
		'onlyTheGuiltyEndInReports',
		'it owed too much beside another when the log says so, and nothing any more when the other was done',
		givenUpBesideAWait,
	],
	[
		'onlyTheGuiltyEndInReports',
		'what another one needs is away too, and it succeeded since this one waits',
		(morning) => {
			givenUpBesideARun(morning);
			succeededBeside(6 * SECOND)(morning);
		},
	],
	[
		'onlyTheGuiltyEndInReports',
		'it owed too much beside another, in few events of many bytes',
		(morning) => {
			givenUpBesideAWait(morning);
			owingBytes(morning, 6);
		},
	],
	[
		'onlyTheGuiltyEndInReports',
		'the same, and the third that it owes is one that was handled and came again, where each of them runs',
		(morning) => {
			givenUpBesideAWait(morning);
			cameAgainAfterItsRun(morning);
			morning.registrations[0]!.options = { skipRepeats: false };
		},
	],
	[
		'onlyTheGuiltyEndInReports',
		'the same where a report is stored, a minute after the log',
		toldAMinuteAfter,
	],
	[
		'onlyTheGuiltyEndInReports',
		'n8n started its workflow a minute after the other one, which had handled the event by then',
		startedAfterTheOther(MINUTE),
	],
	[
		'onlyTheGuiltyEndInReports',
		'its workflow started while the database was away, and too many events came',
		startedInVain,
	],
	[
		'onlyTheGuiltyEndInReports',
		'its workflow was refused a moment before, and too many events came',
		(morning) => refusedBeside(morning, 3 * MINUTE),
	],
	[
		'allIsHandledInTime',
		'the history was not followed to its end',
		(morning) => {
			morning.cutShort = true;
			morning.runs.pop();
			morning.messages[2]!.fate = 'onTheQueue';
		},
	],
	[
		'allIsHandledInTime',
		'the tries of what fails for ever take as long as the history in the only place',
		(morning) => {
			const [first] = morning.history.workflows;
			Object.assign(first!, { runMs: [1, 20 * MINUTE], options: { parallelRuns: 1 } });
			morning.history.events[0]!.poison = true;
			morning.endedAt = 2 * 60 * MINUTE;
			morning.runs.pop();
			morning.messages[2]!.fate = 'onTheQueue';
		},
	],
	[
		'allIsHandledInTime',
		'what is no event was never delivered, behind what fails and begins anew for ever',
		unreadableBehindPoison,
	],
	[
		'allIsHandledInTime',
		'what is no event was never delivered, and a run that never ends holds the only place',
		unreadableBehindEndless,
	],
	[
		'allIsHandledInTime',
		'a limit of the queue took it, and it was sent anew behind one that fails for ever',
		sentAnewBehindPoison,
	],
	[
		'allIsHandledInTime',
		'it was removed with a word in the log, and sent anew behind one that fails for ever',
		sentAnewAfterAWord,
	],
	[
		'allIsHandledInTime',
		'the same, and the word came when it had been sent anew',
		(morning) => {
			sentAnewAfterAWord(morning);
			morning.logs.at(-1)!.at = MINUTE;
		},
	],
	[
		'allIsHandledInTime',
		'what is no event was never delivered, and what fails for ever and stands behind it is all that is looked through',
		unreadableBeyondALook,
	],
	[
		'allIsHandledInTime',
		'the same on a queue that counts, it was delivered, and more are no events than are told one by one',
		(morning) => {
			unreadableBeyondALook(morning);
			for (const message of morning.messages) message.deliveries = 3;
			morning.history.queue.type = 'quorum';
			morning.history.bounds!.singleReports = 0;
		},
	],
	[
		'allIsHandledInTime',
		'what fails for ever and stands behind it is all that is looked through',
		lookedThroughInVain,
	],
	[
		'allIsHandledInTime',
		'bodies are so large that no more than what fails for ever has room',
		(morning) => roomFor(morning, 2),
	],
	[
		'allIsHandledInTime',
		'the same, and they came before it was unpublished and published again',
		(morning) => {
			lookedThroughInVain(morning);
			const { wishes } = morning;
			wishes.push({ ...wishes[0]!, at: 1_500, published: false }, { ...wishes[0]!, at: 1_600 });
		},
	],
	[
		'allIsHandledInTime',
		'what waits for another workflow, the runs of which never end, takes all the room',
		(morning) => noRoomBeside(morning, 3),
	],
	[
		'allIsHandledInTime',
		'nobody told how its run ended, this n8n stores no report, and another workflow holds it',
		({ runs, messages, logs, history: told }) => {
			told.host.reports = 'missing';
			runs[2]!.outcome = 'losesItsResult';
			messages[2]!.fate = 'onTheQueue';
			const text = 'Workflow "A": Look the run up in the executions. The event as received: #3#';
			logs.push({ life: 1, at: 25 * MINUTE, level: 'error', text });
		},
	],
	[
		'allIsHandledInTime',
		'what waits beside it came back 15 times, and all are tried at that one’s marks',
		({ history, runs, messages }) => {
			history.queue.type = 'quorum';
			Object.assign(runs[1]!, { outcome: 'fails' });
			Object.assign(runs[2]!, { outcome: 'fails' });
			Object.assign(messages[1]!, { fate: 'onTheQueue', returns: 15 });
			Object.assign(messages[2]!, { fate: 'onTheQueue', returns: 12 });
		},
	],
	[
		'aWaitingWorkflowResumes',
		'what is left came back 15 times, and is tried within the next day',
		(morning) => {
			nothingBeginsAfterAnOutage(morning);
			morning.history.queue.type = 'quorum';
			Object.assign(morning.messages[2]!, { returns: 15, at: 35 * HOUR });
			morning.runs.push(run(3, 35 * HOUR));
		},
	],
	[
		'aWaitingWorkflowResumes',
		'what is left came back 15 times, and the history ends before it is tried',
		(morning) => {
			nothingBeginsAfterAnOutage(morning);
			morning.history.queue.type = 'quorum';
			Object.assign(morning.messages[2]!, { returns: 15, at: 5 * HOUR });
			morning.endedAt = 5 * HOUR;
		},
	],
	[
		'aWaitingWorkflowResumes',
		'deliveries are counted, and a try a moment before it was back took the place of the next mark',
		(morning) => triedAgainAfter(morning, 2.9 * HOUR),
	],
	[
		'aWaitingWorkflowResumes',
		'what is left had begun before, and succeeds',
		(morning) => {
			morning.runs[2] = run(3, 15 * SECOND, { endedAt: MINUTE, toldAt: MINUTE });
			morning.spans.push({ what: 'downstream', workflow: 'A', from: 0, to: 20 * SECOND });
			morning.faultsOverAt = 20 * SECOND;
		},
	],
	[
		'aWaitingWorkflowResumes',
		'its only attempt failed, and this n8n stores no report',
		(morning) => {
			morning.history.host.reports = 'missing';
			morning.runs[2]!.outcome = 'fails';
			const text = 'Workflow "A": the workflow failed, as received: #3#';
			morning.logs.push({ life: 1, at: 14 * SECOND, level: 'warn', text });
			morning.spans.push({ what: 'downstream', workflow: 'A', from: 0, to: 20 * SECOND });
			morning.faultsOverAt = 20 * SECOND;
		},
	],
	[
		'aWaitingWorkflowResumes',
		'the history was cut short before its time was over',
		(morning) => {
			nothingBeginsAfterAnOutage(morning);
			morning.cutShort = true;
		},
	],
	[
		'aWaitingWorkflowResumes',
		'a batch never ends, and with order kept they go one after another',
		(morning) => besideAnEndlessBatch(morning, { batchSize: 3 }),
	],
	[
		'aWaitingWorkflowResumes',
		'a run of its set never ends',
		(morning) => {
			morning.runs.splice(1, 1);
			Object.assign(morning.runs[0]!, { outcome: 'hangs', endedAt: undefined, toldAt: undefined });
			morning.spans.push({ what: 'downstream', workflow: 'A', from: 0, to: 20 * SECOND });
			morning.faultsOverAt = 20 * SECOND;
		},
	],
	[
		'nobodyIsHeldUp',
		'a bad event has all its attempts in a batch of long runs',
		({ runs, history: told }) => {
			told.events[0]!.poison = true;
			Object.assign(told.workflows[0]!, { runMs: [20 * MINUTE, 20 * MINUTE], options: { batchSize: 50 } });
			runs[2] = run(3, 130 * MINUTE);
		},
	],
	[
		'nobodyIsHeldUp',
		'events of one set run one by one after a bad event in their batch of long runs',
		({ runs, history: told }) => {
			told.events[2]!.poison = true;
			for (const event of told.events) event.set = 1;
			Object.assign(told.workflows[0]!, { runMs: [20 * MINUTE, 20 * MINUTE], options: { batchSize: 50 } });
			runs[1] = run(2, 170 * MINUTE);
		},
	],
	[
		'nobodyIsHeldUp',
		'the queue had no room for it, and it was sent anew',
		({ runs, messages }) => {
			messages.push({ ...messages[2]!, sentAt: 19 * MINUTE });
			Object.assign(messages[2]!, { fate: 'overflowed', at: messages[2]!.sentAt });
			runs[2] = run(3, 20 * MINUTE);
		},
	],
	[
		'nobodyIsHeldUp',
		'one that fails holds up another for an hour and a half on a queue that counts, and the link was lost twice',
		heldUpByPoison(2),
	],
	[
		'nobodyIsHeldUp',
		'a large body is on the queue beside it until its run, and takes all the room',
		(morning) => waitsBesideLarge(morning, 20 * MINUTE),
	],
	[
		'nobodyIsHeldUp',
		'a leader that stepped down runs one of its set that came before',
		(morning) => behindTheLeaderBefore(morning, 1),
	],
	[
		'nobodyIsHeldUp',
		'a leader that stepped down runs it for another workflow',
		({ runs, history: told }) => {
			told.workflows.push({ ...told.workflows[0]!, name: 'B' });
			runs.push(run(3, 12 * SECOND, { workflow: 'B', endedAt: 20 * MINUTE }));
			runs[2] = run(3, 20 * MINUTE, { life: 2 });
		},
	],
	[
		'nothingIsLost',
		'the leader before took it, and its workflow asks for it with the new one only',
		(morning) => {
			tookBeside(1, 2)(morning);
			for (const each of morning.registrations)
				if (each.workflow === 'B' && each.life === 1) each.statuses = ['ISSUED'];
		},
	],
	[
		'nothingIsLost',
		'the same, and one before that registers the newest version later, when its turn comes',
		(morning) => {
			tookBeside(2, 3)(morning);
			const own = morning.registrations.filter(({ workflow }) => workflow === 'B');
			own.find(({ life }) => life === 2)!.statuses = ['ISSUED'];
			own.find(({ life }) => life === 1)!.calledAt = 3 * SECOND;
		},
	],
	[
		'nothingIsLost',
		'the leader before took it, and its workflow was published with the new one only',
		tookBeside(1, 2, 0, 2),
	],
	[
		'allIsHandledInTime',
		'n8n has so few places that its runs may last longer than the history',
		(morning) => runsInFewPlaces(morning, 11 * SECOND),
	],
	[
		'allIsHandledInTime',
		'n8n has few places, and what fails for ever fills them',
		(morning) => failsForEverBeside(morning, 10),
	],
	[
		'allIsHandledInTime',
		'n8n has few places, and another workflow forgets what it ran',
		(morning) => ranTwiceBeside(morning, 1),
	],
	[
		'allIsHandledInTime',
		'the same, and other processes were there before',
		(morning) => {
			ranTwiceBeside(morning, 1);
			for (const life of [2, 3]) morning.registrations.push({ ...morning.registrations[0]!, life });
		},
	],
];

describe('a law is kept', () => {
	it.each(KEPT)('%s, where %s', (law, _, happens) => {
		const morning = quietMorning();
		happens(morning);
		expect(violationsOf(morning).map((violation) => violation.law)).not.toContain(law);
	});
});

describe('the history is to blame', () => {
	it.each<[string, (morning: Ledger) => void]>([
		['for a poison event', ({ history: { events: all } }) => void (all[2]!.poison = true)],
		['for an unreadable one', ({ history: { events: all } }) => void (all[2]!.odd = 'array')],
		['for a run that never told its end', ({ runs }) => void (runs[2]!.outcome = 'losesItsResult')],
		[
			'for the only attempt, where the workflow asks for one',
			({ runs, registrations }) => {
				registrations[0]!.options = { attempts: 1 };
				runs[2]!.outcome = 'fails';
			},
		],
	])('%s', (_, happens) => {
		const morning = quietMorning();
		morning.reports.push(report(3));
		happens(morning);
		const laws = violationsOf(morning).map((violation) => violation.law);
		expect(laws).not.toContain('onlyTheGuiltyEndInReports');
		expect(laws).not.toContain('nothingIsLost');
	});
});
