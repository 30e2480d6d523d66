import { eventsIn, ODD_BODIES } from '../history/bodies';
import type { EventPlan } from '../history/history';
import { REMEMBERED_MS, REPORTED_WITHIN_MS, TAKEN_AFTER_MS } from '../bounds';
import type { Ledger, MessageRecord, ReportRecord, RunRecord, Span } from '../ledger';

/**
 * What the laws need to know of a ledger, found once for all of them: who asked for which event, what was handled, and
 * what the history itself is to blame for.
 */
export class Facts {
	readonly messagesOf = new Map<number, MessageRecord[]>();
	readonly plans: ReadonlyMap<number, EventPlan>;
	private readonly runs = new Map<string, RunRecord[]>();
	private readonly reports = new Map<string, ReportRecord[]>();
	private readonly logged = new Map<number, Array<{ text: string; at: number }>>();

	constructor(readonly ledger: Ledger) {
		this.plans = new Map(ledger.history.events.map((event) => [event.number, event]));
		for (const message of ledger.messages) push(this.messagesOf, message.event, message);
		for (const run of ledger.runs)
			for (const event of run.events) push(this.runs, `${run.workflow} ${event}`, run);
		for (const report of ledger.reports) {
			for (const event of report.events) push(this.reports, `${report.workflow} ${event}`, report);
		}
		for (const { text, level, at } of ledger.logs) {
			if (level === 'debug' || !/#|base64:/.test(text)) continue;
			for (const event of eventsIn(text)) push(this.logged, event, { text, at });
		}
	}

	get workflows(): string[] {
		return this.ledger.history.workflows.map(({ name }) => name);
	}

	/** Runs of a workflow with an event, in the order in which they were handed over. */
	runsOf(workflow: string, event: number): readonly RunRecord[] {
		return this.runs.get(`${workflow} ${event}`) ?? [];
	}

	sentAt(event: number): number {
		// Messages stand in the order in which they were sent.
		return this.messagesOf.get(event)?.[0]?.sentAt ?? Infinity;
	}

	/** Reports of a workflow that show the event and do not say that it is safe, whether or not n8n could store them. */
	endingsOf(workflow: string, event: number): ReportRecord[] {
		return (this.reports.get(`${workflow} ${event}`) ?? []).filter((report) => !saysSafe(report.text));
	}

	/** Whether a person can find the body of the event: in a stored report of this workflow, or in the log. */
	isWrittenDown(workflow: string, event: number): boolean {
		return this.endingsOf(workflow, event).some(({ stored }) => stored) || this.isInLog(workflow, event);
	}

	/** In a report of any workflow, or in the log. */
	isWrittenDownAnywhere(event: number): boolean {
		return this.logged.has(event) || this.workflows.some((workflow) => this.isWrittenDown(workflow, event));
	}

	private isInLog(workflow: string, event: number): boolean {
		return this.linesOn(workflow, event).length > 0;
	}

	/** Log lines that show the event, but for those of other workflows. */
	private linesOn(workflow: string, event: number) {
		const others = this.workflows.filter((name) => name !== workflow).map((name) => `"${name}"`);
		return (this.logged.get(event) ?? []).filter(({ text }) => !others.some((name) => text.includes(name)));
	}

	/** What a workflow asks for at a moment; undefined when it is not published. */
	wishAt(workflow: string, at: number) {
		const wish = this.ledger.wishes.filter((each) => each.workflow === workflow && each.at <= at).at(-1);
		return wish?.published ? wish : undefined;
	}

	/** Whether the workflow asked for the event all the time from its sending on. */
	asksFor(workflow: string, event: number): boolean {
		const plan = this.plans.get(event);
		const sentAt = this.sentAt(event);
		if (!plan || this.isUnreadable(event)) return false;
		const status = this.statusOf(event);
		const first = this.wishAt(workflow, sentAt);
		const later = this.ledger.wishes.filter((wish) => wish.workflow === workflow && wish.at > sentAt);
		return (
			first !== undefined &&
			[first, ...later].every(({ published, statuses }) => published && passes(status, statuses))
		);
	}

	/** The options with which the run was begun. */
	optionsOf(run: RunRecord) {
		return this.ledger.registrations[run.registration]?.options ?? {};
	}

	/** The options of the newest version when it ended: what follows from its end goes by those. */
	private optionsAtEnd(run: RunRecord) {
		const newest = this.ledger.registrations
			.filter(
				({ workflow, life, returnedAt = Infinity }) =>
					workflow === run.workflow && life === run.life && returnedAt <= (run.toldAt ?? run.handedAt),
			)
			.at(-1);
		return newest?.options ?? this.optionsOf(run);
	}

	/** Begun with "received", and not refused for so long that the event is off the queue. */
	private isTaken(run: RunRecord): boolean {
		return (
			this.optionsOf(run).removeWhen === 'received' &&
			(run.toldAt ?? Infinity) - run.handedAt > TAKEN_AFTER_MS
		);
	}

	/** Whether a run did for the event what its workflow asks of one. */
	isHandledBy(run: RunRecord): boolean {
		const { removeWhen } = this.optionsOf(run);
		const { removeWhen: atEnd = 'succeeded' } = this.optionsAtEnd(run);
		switch (run.outcome) {
			case 'succeeded':
			case 'waits':
			case 'isStopped':
				return true;
			case 'fails':
			case 'crashes':
				return atEnd !== 'succeeded' || this.isTaken(run);
			case 'hangs':
			case 'losesItsResult':
			case 'endedWithProcess':
			case undefined:
				// One that waits for a place has been taken, too.
				return (
					removeWhen === 'received' &&
					(run.startedAt !== undefined || this.ledger.history.host.concurrency > 0)
				);
			default:
				return false;
		}
	}

	isHandled(workflow: string, event: number): boolean {
		return this.runsOf(workflow, event).some((run) => this.isHandledBy(run));
	}

	/** Handled, and told so, before a moment. */
	isHandledBefore(workflow: string, event: number, at: number): boolean {
		return this.runsOf(workflow, event).some(
			(run) => this.isHandledBy(run) && (run.toldAt ?? Infinity) <= at,
		);
	}

	/** Whether one registration of a workflow stood all this time. */
	wasThere(workflow: string, from: number, to: number): boolean {
		return this.ledger.registrations.some(
			({ workflow: name, returnedAt = Infinity, closeCalledAt = Infinity, endedAt = Infinity }) =>
				name === workflow && returnedAt <= from && Math.min(closeCalledAt, endedAt) >= to,
		);
	}

	/**
	 * Whether two users may have read the queue while an event was on it: two users are two readers, and the
	 * broker gives each event to one of them.
	 */
	wasReadByAnotherUser(event: number): boolean {
		return (this.messagesOf.get(event) ?? []).some(({ at }) => {
			// A credential that was edited is read at the next connection, whenever that is.
			const held = this.ledger.credentials.filter((each) => each.at <= at);
			return new Set(held.map(({ username }) => username)).size > 1;
		});
	}

	/** When a workflow's share in an event was settled: the first run that handled it, or the first report. */
	settledAt(workflow: string, event: number): number {
		const handled = this.runsOf(workflow, event).find((run) => this.isHandledBy(run));
		// Removed at its start, it holds its set until its end.
		if (handled && this.optionsOf(handled).removeWhen === 'received')
			return Math.min(handled.endedAt ?? Infinity, handled.handedAt + REMEMBERED_MS);
		const [report] = this.endingsOf(workflow, event);
		// Of many, the reports come at a pace.
		const line = this.linesOn(workflow, event).find(({ text }) => text.includes('could not be kept'));
		const rejected = this.messagesOf.get(event)?.find(({ fate }) => fate === 'rejected');
		return Math.min(
			...[handled?.endedAt, report && this.decidedAt(report), line?.at, rejected?.at].map(
				(at) => at ?? Infinity,
			),
		);
	}

	/** A report is written when n8n's store has answered, and that may hang for a while. */
	private decidedAt({ workflow, at }: ReportRecord): number {
		const ill = this.spans(['credential', 'database'], workflow);
		return at - Math.min(REPORTED_WITHIN_MS, this.illMs(ill, at - REPORTED_WITHIN_MS, at, 0));
	}

	/** Whether any workflow was published when the event was sent, and ever since. */
	somebodyAsked(event: number): boolean {
		const sentAt = this.sentAt(event);
		return this.workflows.some((workflow) =>
			[
				this.wishAt(workflow, sentAt),
				...this.ledger.wishes.filter((wish) => wish.workflow === workflow && wish.at > sentAt),
			].every((wish) => wish?.published),
		);
	}

	/** Whether a workflow is published at the end, and lets nothing of its own keep it away. */
	isThereAtTheEnd(workflow: string): boolean {
		const { endedAt } = this.ledger;
		const away = this.spans(['wrongPassword', 'credential'], workflow);
		return this.wishAt(workflow, endedAt) !== undefined && !away.some(({ to }) => to >= endedAt);
	}

	/** True when an event in the run makes it fail. */
	hasPoison(run: RunRecord): boolean {
		return run.events.some((event) => this.plans.get(event)?.poison);
	}

	/**
	 * How long, within a time, a workflow that was wanted could not have been listening for reasons of its own.
	 * @param mendingMs until it is let in again, after each
	 */
	absentMs(workflow: string, from: number, to: number, mendingMs = 0): number {
		// A credential is kept in the database.
		return this.illMs(this.spans(['wrongPassword', 'credential', 'database'], workflow), from, to, mendingMs);
	}

	isOnTheQueue(event: number): boolean {
		return (this.messagesOf.get(event) ?? []).some(({ fate }) => fate === 'onTheQueue');
	}

	/** As a reader of its body finds it. */
	statusOf(event: number): string {
		const plan = this.plans.get(event);
		return ODD_BODIES[plan?.odd ?? '']?.status ?? plan?.status ?? '';
	}

	isUnreadable(event: number): boolean {
		const odd = this.plans.get(event)?.odd;
		return odd !== undefined && !ODD_BODIES[odd]?.readable;
	}

	spans(what: readonly Span['what'][], workflow?: string): Span[] {
		return this.ledger.spans.filter(
			(span) => what.includes(span.what) && (span.workflow === undefined || span.workflow === workflow),
		);
	}

	/** How long, within a time, something of this kind was ill, each time with so much more for its mending. */
	illMs(spans: readonly Span[], from: number, to: number, mendingMs: number): number {
		return spans
			.map((span) => Math.min(to, span.to + mendingMs) - Math.max(from, span.from))
			.filter((ms) => ms > 0)
			.reduce((sum, ms) => sum + ms, 0);
	}
}

function saysSafe(text: string): boolean {
	return /no(thing| event) is lost/i.test(text);
}

const KNOWN = ['DRAFTED', 'SIGNED', 'ISSUED', 'TITLE_HELD', 'TRANSFER_DRAFTED'];

/** The filter of the trigger's panel, in as few words as possible. */
export function passes(status: string, chosen: readonly string[]): boolean {
	const name = status.toUpperCase();
	return chosen.length === 0 || chosen.includes(name) || (chosen.includes('OTHER') && !KNOWN.includes(name));
}

function push<K, V>(map: Map<K, V[]>, key: K, value: V): void {
	const list = map.get(key);
	if (list) list.push(value);
	else map.set(key, [value]);
}
