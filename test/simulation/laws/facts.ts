import {
	ADMITTED_AGAIN_MS,
	BYTES_IN_FLIGHT,
	CREDENTIAL_READ_MS,
	LED_ELSEWHERE_MS,
	LOOKED_THROUGH,
	OWED_AT_MOST,
	OWED_BYTES,
	OWED_DELIVERIES,
	REMEMBERED,
	REMEMBERED_MS,
	REPORTED_WITHIN_MS,
	RETURNS_WITHIN_MS,
	TAKEN_AFTER_MS,
	UNKNOWN_AFTER_MS,
	UNREADABLE_REPORTS,
} from '../bounds';
import { bodyOf, eventsIn, ODD_BODIES } from '../history/bodies';
import { placeOf, USUAL_HOST, type EventPlan } from '../history/history';
import {
	workflowOf,
	type Ledger,
	type MessageRecord,
	type Registration,
	type ReportRecord,
	type RunRecord,
	type Span,
} from '../ledger';

/**
 * What the laws need to know of a ledger, found once for all of them: who asked for which event, what was handled, and
 * what the history itself is to blame for.
 */
export class Facts {
	readonly messagesOf = new Map<number, MessageRecord[]>();
	readonly plans: ReadonlyMap<number, EventPlan>;
	private readonly runs = new Map<string, RunRecord[]>();
	private readonly endings = new Map<string, ReportRecord[]>();
	private readonly bytes = new Map<number, number>();
	private largest: number | undefined;
	private readonly poison = new Map<string, number>();
	private readonly logged = new Map<number, LineOnEvents[]>();

	constructor(readonly ledger: Ledger) {
		this.plans = new Map(ledger.history.events.map((event) => [event.number, event]));
		for (const message of ledger.messages) push(this.messagesOf, message.event, message);
		for (const run of ledger.runs)
			for (const event of run.events) push(this.runs, `${run.workflow} ${event}`, run);
		for (const report of ledger.reports) {
			if (saysSafe(report.text)) continue;
			for (const event of report.events) push(this.endings, `${report.workflow} ${event}`, report);
		}
		for (const { text, level, at, life } of ledger.logs) {
			if (level === 'debug' || !(text.includes('#') || text.includes('base64:'))) continue;
			const line: LineOnEvents = {
				text,
				at,
				life,
				names: this.workflows.filter((name) => text.includes(`"${name}"`)),
			};
			for (const event of eventsIn(text)) push(this.logged, event, line);
		}
	}

	/** The bounds that this history has, short ones or those of production. */
	get bounds() {
		const { bounds = {} } = this.ledger.history;
		return {
			owedAtMost: bounds.keptEvents ?? OWED_AT_MOST,
			owedBytes: bounds.keptBytes ?? OWED_BYTES,
			owedDeliveries: bounds.keptDeliveries ?? OWED_DELIVERIES,
			bytesInFlight: bounds.prefetchBytes ?? BYTES_IN_FLIGHT,
			lookedThrough: bounds.lookThrough ?? LOOKED_THROUGH,
			remembered: bounds.remembered ?? REMEMBERED,
			unreadableReports: bounds.singleReports ?? UNREADABLE_REPORTS,
		};
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

	/** The broker delivered it more than once. */
	cameAgain(event: number): boolean {
		return (this.messagesOf.get(event) ?? []).some(({ deliveries }) => deliveries > 1);
	}

	/** Reports of a workflow that show the event and do not say that it is safe, whether or not n8n could store them. */
	endingsOf(workflow: string, event: number): readonly ReportRecord[] {
		return this.endings.get(`${workflow} ${event}`) ?? [];
	}

	/** Whether a person can find the body of the event: in a stored report of this workflow, or in the log. */
	isWrittenDown(workflow: string, event: number): boolean {
		return this.endingsOf(workflow, event).some(({ stored }) => stored) || this.isInLog(workflow, event);
	}

	/** In a report of any workflow, or in the log. */
	isWrittenDownAnywhere(event: number): boolean {
		const logged = this.logged.get(event) ?? [];
		if (logged.some(({ text }) => this.wasTaken(event) || !GOES_ON.test(text))) return true;
		return this.workflows.some((workflow) => this.isWrittenDown(workflow, event));
	}

	private isInLog(workflow: string, event: number): boolean {
		const lines = this.linesOn(workflow, event);
		return lines.some(
			({ text, life, at }) =>
				this.wasTaken(event) ||
				(!GOES_ON.test(text) && !(FOR_LATECOMERS.test(text) && this.hadStarted(workflow, event, life, at))),
		);
	}

	/** The broker had let it in over its own account, in this process: before that, it is shown nothing. */
	private wasLetIn(workflow: string, life: number, at: number): boolean {
		const own = this.ledger.credentials.filter((each) => each.workflow === workflow);
		return this.ledger.links.some(({ life: of, askedAt, acceptedAt, username, password }) => {
			if (of !== life || acceptedAt === undefined || acceptedAt > at) return false;
			const held = own.filter((each) => each.at <= askedAt).at(-1);
			return held?.username === username && held.password === password;
		});
	}

	/**
	 * The broker never let it in, in the process that had the event; and that process was closed before it could tell of it,
	 * or a limit of the queue took the event. Who has not shown its password is shown nothing of the queue.
	 */
	isNotShownTo(workflow: string, event: number): boolean {
		const { seen, registrations, endedAt } = this.ledger;
		const life = seen[event];
		if (life === undefined || this.wasLetIn(workflow, life, Infinity)) return false;
		const own = registrations.filter((each) => each.workflow === workflow && each.life === life);
		const closed = own.some((each) => (each.closeCalledAt ?? each.endedAt ?? Infinity) < endedAt);
		return closed || this.wasTaken(event);
	}

	/** It was registered in a process by then, let in by the broker, and asked for the event. */
	private hadStarted(workflow: string, event: number, life: number, at: number): boolean {
		return this.ledger.registrations.some(
			(each) =>
				each.workflow === workflow &&
				each.life === life &&
				(each.returnedAt ?? Infinity) <= at &&
				this.wasLetIn(workflow, life, at) &&
				passes(this.statusOf(event), each.statuses),
		);
	}

	/** The broker itself took it off the queue. */
	wasTaken(event: number, by = Infinity): boolean {
		return (this.messagesOf.get(event) ?? []).some((message) => isTaken(message) && message.at <= by);
	}

	/** The process that saw it last has this workflow to the end, let in and well enough to find out that it is missing. */
	canBeMissed(workflow: string, event: number): boolean {
		const { seen, registrations, endedAt } = this.ledger;
		const own = registrations.filter(
			(each) => each.workflow === workflow && each.life === seen[event] && each.threw === undefined,
		);
		const there = own.some(
			(each) => each.returnedAt !== undefined && (each.closeCalledAt ?? each.endedAt ?? Infinity) >= endedAt,
		);
		const takenAt = Math.max(...(this.messagesOf.get(event) ?? []).filter(isTaken).map(({ at }) => at));
		const hadStarted = own.some(({ calledAt }) => calledAt <= takenAt);
		const wasShown = this.wasLetIn(workflow, seen[event] ?? 0, takenAt);
		const seenByNobody = this.isKeptOut(workflow, own, takenAt);
		return (
			there &&
			hadStarted &&
			wasShown &&
			!seenByNobody &&
			!this.startedWhileOthersWereAway(own) &&
			this.isThereAtTheEnd(workflow)
		);
	}

	/** All others had left by then, for longer than a moment: the process takes that for leading again, after another one that had what went back. */
	private startedWhileOthersWereAway(own: readonly Registration[]): boolean {
		const startedAt = Math.min(...own.map(({ calledAt }) => calledAt));
		const others = this.ledger.registrations.filter(
			({ life, workflow, calledAt }) =>
				life === own[0]?.life && workflow !== own[0].workflow && calledAt < startedAt,
		);
		const left = ({ closeCalledAt = Infinity, endedAt = Infinity }: Registration) =>
			Math.min(closeCalledAt, endedAt) <= startedAt - LED_ELSEWHERE_MS;
		return others.length > 0 && others.every(left);
	}

	/** Its credential could not be read since it started, and no other workflow was there at that moment, or it neither. */
	private isKeptOut(workflow: string, own: readonly Registration[], at: number): boolean {
		const isInVain = (each: Registration) =>
			this.spans(['database', 'credential'], each.workflow).some(
				({ from, to }) => from <= each.calledAt && to >= each.calledAt && to + ADMITTED_AGAIN_MS >= at,
			);
		const others = this.ledger.registrations.filter(
			(each) => each.workflow !== workflow && each.life === own[0]?.life && each.calledAt <= at,
		);
		const isGone = ({ closeCalledAt, endedAt }: Registration) => (closeCalledAt ?? endedAt ?? Infinity) <= at;
		const standing = own.filter((each) => each.calledAt <= at && !isGone(each));
		return (
			standing.length > 0 &&
			standing.every(isInVain) &&
			others.every((each) => isGone(each) || isInVain(each))
		);
	}

	/** Log lines that show the event, but for those of other workflows. */
	private readonly linesOn = foundOnce((workflow, event) =>
		(this.logged.get(event) ?? []).filter(({ names }) => names.every((name) => name === workflow)),
	);

	/** What a workflow asks for at a moment; undefined when it is not published. */
	wishAt(workflow: string, at: number) {
		const wish = this.ledger.wishes.filter((each) => each.workflow === workflow && each.at <= at).at(-1);
		return wish?.published ? wish : undefined;
	}

	/** Whether the workflow asked for the event all the time from its sending on. */
	readonly asksFor = foundOnce((workflow, event): boolean => {
		const plan = this.plans.get(event);
		const sentAt = this.sentAt(event);
		if (!plan || this.isUnreadable(event) || !this.readsThere(workflow, event)) return false;
		const status = this.statusOf(event);
		// Published again with another filter, it asks for more when it is registered, and not before.
		const own = this.ledger.registrations.filter((each) => each.workflow === workflow);
		const registered = own.filter((each) => each.calledAt <= sentAt).at(-1);
		if (registered && !passes(status, registered.statuses)) return false;
		// So does one that is published for the first time: n8n may be at work on others until then.
		if (!registered && own[0]?.mode === 'activate') return false;
		const first = this.wishAt(workflow, sentAt);
		const later = this.ledger.wishes.filter((wish) => wish.workflow === workflow && wish.at > sentAt);
		return (
			first !== undefined &&
			[first, ...later].every(({ published, statuses }) => published && passes(status, statuses))
		);
	});

	/**
	 * Whether its credential has pointed to the place of the event since it was registered, which was before the event was sent;
	 * and while two processes lead, since the older of them registered it, which may get the event for a version of its own.
	 */
	readonly readsThere = foundOnce((workflow, event): boolean => {
		const sentAt = this.sentAt(event);
		const own = this.ledger.registrations.filter((each) => each.workflow === workflow);
		const newestAt = (at: number) => own.filter(({ calledAt }) => calledAt <= at).at(-1)?.calledAt;
		const held = this.ledger.credentials.filter((each) => each.workflow === workflow);
		const led = this.spans(['overlap']).filter(
			({ from, to }) => from <= sentAt && to + RETURNS_WITHIN_MS >= sentAt,
		);
		const since = Math.min(newestAt(sentAt) ?? sentAt, ...led.map(({ from }) => newestAt(from) ?? from));
		const first = held.findLastIndex(({ at }) => at <= since);
		return held.slice(Math.max(0, first)).every((each) => placeOf(each) === this.placeOf(event));
	});

	/** The virtual host that it is sent to. */
	placeOf(event: number): string {
		return placeOf(this.plans.get(event) ?? {});
	}

	/** The broker let a connection of this process in with a credential that the workflow held when it was read. */
	wasProven(workflow: string, life: number, by: number, place?: string): boolean {
		const { credentials, links } = this.ledger;
		const held = credentials.filter((each) => each.workflow === workflow);
		return held.some(
			(own, index) =>
				(place ?? placeOf(own)) === placeOf(own) &&
				links.some(
					(link) =>
						link.life === life &&
						link.username === own.username &&
						link.password === own.password &&
						placeOf(link) === placeOf(own) &&
						(link.acceptedAt ?? Infinity) <= by &&
						// One that stands shows the password of whoever comes to hold it, too.
						own.at <= (link.lostAt ?? Infinity) &&
						(held[index + 1]?.at ?? Infinity) > link.askedAt - CREDENTIAL_READ_MS,
				),
		);
	}

	/** When the log says that the workflow waits, or works again. @param life of one process alone */
	turns(workflow: string, by: number, life?: number) {
		return this.ledger.logs.filter(
			({ life: of, at, text }) =>
				of === (life ?? of) &&
				at <= by &&
				text.includes(`"${workflow}"`) &&
				/: waits, its events stay|: works again/.test(text),
		);
	}

	/** Whether a version of the workflow asked for the event that stood when it was sent, or came since. */
	mayBeKeptFor(workflow: string, event: number, at: number): boolean {
		if (this.isUnreadable(event)) return false;
		const status = this.statusOf(event);
		const sentAt = this.sentAt(event);
		return this.ledger.registrations.some(
			({ workflow: name, calledAt, closeCalledAt = Infinity, endedAt = Infinity, statuses }) =>
				name === workflow &&
				calledAt <= at &&
				Math.min(closeCalledAt, endedAt) + RETURNS_WITHIN_MS >= sentAt &&
				passes(status, statuses),
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
			case 'cannotStart':
				// Nobody can know it.
				return removeWhen === 'received' && this.ledger.history.host.startFailure === 'never';
			default:
				return false;
		}
	}

	/** It holds its place and its set: its end never comes, or is never told where nothing else ends the wait for it. */
	isEndless(run: RunRecord): boolean {
		const received = this.optionsOf(run).removeWhen === 'received';
		const untold =
			run.outcome === 'losesItsResult' ||
			(run.outcome === 'cannotStart' && this.ledger.history.host.startFailure === 'never');
		return run.outcome === 'hangs' || (received && untold);
	}

	readonly isHandled = foundOnce((workflow, event): boolean =>
		this.runsOf(workflow, event).some((run) => this.isHandledBy(run)),
	);

	/** Handled, and told so, before a moment, in one life of the process, and not forgotten since: what is comes again. */
	handledBefore(workflow: string, at: number, life: number): ReadonlySet<number> {
		const handled = new Map<number, number>();
		for (const run of this.ledger.runs) {
			const { toldAt = Infinity } = run;
			if (run.workflow !== workflow || run.life !== life || toldAt > at || !this.isHandledBy(run)) continue;
			for (const event of run.events) handled.set(event, Math.max(toldAt, handled.get(event) ?? 0));
		}
		const newest = [...handled].sort(([, a], [, b]) => b - a).slice(0, this.bounds.remembered);
		return new Set(newest.map(([event]) => event));
	}

	/** How often an event was handled, and told so, before a moment, in one life of the process. */
	timesHandledBefore(workflow: string, event: number, at: number, life: number): number {
		return this.runsOf(workflow, event).filter(
			(run) => run.life === life && (run.toldAt ?? Infinity) <= at && this.isHandledBy(run),
		).length;
	}

	/** Each of several messages of one content runs. */
	runsRepeats(workflow: string): boolean {
		return this.ledger.registrations.some(
			(each) => each.workflow === workflow && each.options.skipRepeats === false,
		);
	}

	/** When its events are remembered: at its end, or when that is not waited for any longer. */
	knownAt(run: RunRecord): number {
		const { removeWhen } = this.optionsOf(run);
		const atMostMs = removeWhen === 'received' ? TAKEN_AFTER_MS : UNKNOWN_AFTER_MS;
		return Math.min(run.toldAt ?? Infinity, run.handedAt + atMostMs);
	}

	/** Runs of a workflow in one process, with the moments that make them known: a word that comes late does so anew. */
	readonly knownRunsOf = foundOnce((workflow, life) =>
		this.ledger.runs
			.filter((run) => run.workflow === workflow && run.life === life)
			.map((run) => ({ events: run.events, moments: [this.knownAt(run), run.toldAt ?? -Infinity] })),
	);

	/** Processes that have a workflow registered at a moment, or had it; or have just refused it, and expect it again. */
	livesAt(workflow: string, at: number): number[] {
		const own = this.ledger.registrations.filter(
			({ workflow: name, calledAt, endedAt = Infinity, threw }) =>
				name === workflow &&
				calledAt <= at &&
				(threw === undefined ? endedAt : calledAt + RETURNS_WITHIN_MS) >= at,
		);
		return [...new Set(own.map(({ life }) => life))];
	}

	/** Whether one registration of a workflow stood all this time. @param life of one process alone */
	wasThere(workflow: string, from: number, to: number, life?: number): boolean {
		return this.ledger.registrations.some(
			({ workflow: name, life: of, returnedAt = Infinity, closeCalledAt = Infinity, endedAt = Infinity }) =>
				name === workflow &&
				of === (life ?? of) &&
				returnedAt <= from &&
				Math.min(closeCalledAt, endedAt) >= to,
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

	/** Whether its credential named more than one user: for each of them it was absent where it was not. */
	hasMoved(workflow: string): boolean {
		const held = this.ledger.credentials.filter((each) => each.workflow === workflow);
		return new Set(held.map(({ username }) => username)).size > 1;
	}

	/** Under which hosts and virtual hosts it was pointed to its queue. */
	placesOf(workflow: string): ReadonlySet<string> {
		const held = this.ledger.credentials.filter((each) => each.workflow === workflow);
		return new Set(held.map((each) => JSON.stringify([each.host ?? USUAL_HOST, placeOf(each)])));
	}

	/** Two connections read the queue when it was delivered. */
	wasShared(event: number): boolean {
		return (this.messagesOf.get(event) ?? []).some(({ shared }) => shared);
	}

	/** When a workflow's share in an event was settled: the first run that handled it, or the first report. */
	readonly settledAt = foundOnce((workflow, event): number => {
		const handled = this.runsOf(workflow, event).find((run) => this.isHandledBy(run));
		// Removed at its start, it holds its set until its end.
		const isHeld = handled && this.optionsOf(handled).removeWhen === 'received';
		const endedAt = isHeld
			? Math.min(handled.endedAt ?? Infinity, handled.handedAt + REMEMBERED_MS)
			: handled?.endedAt;
		const [report] = this.endingsOf(workflow, event);
		// Of many, the reports come at a pace.
		const line = this.linesOn(workflow, event).find(
			({ text, life, at }) =>
				SETTLES.test(text) || (FOR_LATECOMERS.test(text) && !this.hadStarted(workflow, event, life, at)),
		);
		const rejected = this.messagesOf
			.get(event)
			?.find((message) => message.fate === 'rejected' || isTaken(message));
		return Math.min(
			...[endedAt, report && this.decidedAt(report), line?.at, rejected?.at].map((at) => at ?? Infinity),
		);
	});

	/** A report or a line of the log ended a workflow's share in an event within a time. */
	wasEndedWithin(workflow: string, event: number, from: number, to: number): boolean {
		const moments = [
			...this.givenUpInLogAt(workflow, event),
			...this.endingsOf(workflow, event).map(({ at }) => at),
		];
		return moments.some((at) => at >= from && at <= to);
	}

	/** When the log says that its share in the event ended. */
	givenUpInLogAt(workflow: string, event: number): number[] {
		return this.linesOn(workflow, event)
			.filter(({ text }) => SETTLES.test(text))
			.map(({ at }) => at);
	}

	/** A report is written when n8n's store has answered, and that may hang for a while. */
	private decidedAt({ workflow, at }: ReportRecord): number {
		const ill = this.spans(['credential', 'database'], workflow);
		return at - Math.min(REPORTED_WITHIN_MS, this.illMs(ill, at - REPORTED_WITHIN_MS, at, 0));
	}

	/** Whether any workflow was published when the event was sent, and ever since. */
	somebodyAsked(event: number): boolean {
		const sentAt = this.sentAt(event);
		return this.workflows.some(
			(workflow) =>
				this.readsThere(workflow, event) &&
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

	/** Its runs may outlast the time in which their end is waited for: after three of them it waits, and may wait long. */
	runsTooLong(workflow: string): boolean {
		const { runMs } = workflowOf(this.ledger, workflow);
		const received = this.ledger.wishes
			.filter((wish) => wish.workflow === workflow)
			.every(({ options }) => options.removeWhen === 'received');
		return runMs[1] >= UNKNOWN_AFTER_MS && !received;
	}

	/** It is on the queue still, and what the workflow asks for at the end: also what came before it was published again. */
	readonly holdsAtTheEnd = foundOnce((workflow, event): boolean => {
		if (this.isUnreadable(event) || !this.isOnTheQueue(event)) return false;
		const wish = this.wishAt(workflow, Infinity);
		return wish?.published === true && passes(this.statusOf(event), wish.statuses);
	});

	/** Events asked for that fail for ever. */
	poisonOf(workflow: string): number {
		let count = this.poison.get(workflow);
		if (count === undefined) {
			const all = [...this.plans.values()];
			count = all.filter(({ number, poison }) => poison && this.asksFor(workflow, number)).length;
			this.poison.set(workflow, count);
		}
		return count;
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

	/** The broker dropped it, and had shown it no more than twice: from the third time on its body is in the log. */
	isDroppedUnseen(event: number): boolean {
		const messages = this.messagesOf.get(event) ?? [];
		const shown = this.ledger.shown[event] ?? 0;
		return messages.every(
			({ fate, deliveries }) =>
				fate === 'overflowed' || (fate === 'dropped' && Math.min(deliveries, shown) <= 2),
		);
	}

	/** The leader before had it, and the workflow was published, or asked for it, with the new one only: nobody there could know. */
	isTakenByLeaderBefore(workflow: string, event: number): boolean {
		const { seen, registrations } = this.ledger;
		const life = seen[event];
		if (life === undefined || this.runsOf(workflow, event).length > 0) return false;
		const takenAt = Math.max(...(this.messagesOf.get(event) ?? []).map(({ at }) => at));
		const [known] = registrations
			.filter((each) => each.workflow === workflow && each.life <= life && each.calledAt <= takenAt)
			// An older process may have registered it later, when its turn came.
			.sort((a, b) => b.life - a.life || b.calledAt - a.calledAt);
		const isKnown = known !== undefined && passes(this.statusOf(event), known.statuses);
		return !isKnown && registrations.some((each) => each.life > life && each.calledAt <= takenAt);
	}

	/** A line of the log ended it before a moment, for this workflow or for all. */
	isEndedInLogBefore(workflow: string, event: number, at: number): boolean {
		return this.linesOn(workflow, event).some((line) => line.at < at && !GOES_ON.test(line.text));
	}

	/** The queue let it expire before a run of it had ended, but with n8n: what its owner asked of the queue. */
	hasExpiredUntouched(workflow: string, event: number): boolean {
		// Of one that was sent twice, the queue may have had no room for the other message.
		const expired = this.messagesOf
			.get(event)
			?.every(({ fate }) => fate === 'expired' || fate === 'overflowed');
		const ended = this.runsOf(workflow, event).filter(
			({ outcome, toldAt }) =>
				toldAt !== undefined && outcome !== 'cannotStart' && outcome !== 'endedWithProcess',
		);
		return expired === true && ended.length === 0;
	}

	isOnTheQueue(event: number): boolean {
		return (this.messagesOf.get(event) ?? []).some(({ fate }) => fate === 'onTheQueue');
	}

	/** The largest body of all events, in bytes. */
	get largestBytes(): number {
		this.largest ??= Math.max(1, ...[...this.plans.keys()].map((event) => this.bytesOf(event)));
		return this.largest;
	}

	/** Of its body. */
	bytesOf(event: number): number {
		const plan = this.plans.get(event);
		const bytes = this.bytes.get(event) ?? (plan ? bodyOf(plan).length : 0);
		this.bytes.set(event, bytes);
		return bytes;
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

/** A log line that shows bodies, with the workflows it names. */
interface LineOnEvents {
	text: string;
	at: number;
	life: number;
	names: readonly string[];
}

/** What was found for a workflow and an event, or a process, stands: nothing is added to a ledger that the laws read. */
function foundOnce<T>(
	find: (workflow: string, number: number) => T,
): (workflow: string, number: number) => T {
	const found = new Map<string, Map<number, T>>();
	return (workflow, number) => {
		let ofWorkflow = found.get(workflow);
		if (!ofWorkflow) found.set(workflow, (ofWorkflow = new Map()));
		if (!ofWorkflow.has(number)) ofWorkflow.set(number, find(workflow, number));
		return ofWorkflow.get(number) as T;
	};
}

/** A line of the log with which a share ends: of many at once, before it is told, or where this n8n stores no report. */
const SETTLES = /could not be kept|off the queue when it started|as received:/;

/** A line for whoever had not started yet: those who had were to handle it. */
const FOR_LATECOMERS =
	/one that had not started yet does not get them|removed before every workflow had started/;

/** A line for the case that the broker takes the event: it excuses nothing that the trigger itself takes off the queue. */
const GOES_ON = /to be run again|for the third time or more|nobody here would see it/;

/** A limit of the queue took it. */
export const isTaken = ({ fate }: MessageRecord) => ['expired', 'dropped', 'overflowed'].includes(fate);

function saysSafe(text: string): boolean {
	return /no(thing| event) is lost/i.test(text);
}

const KNOWN = ['DRAFTED', 'SIGNED', 'ISSUED', 'TITLE_HELD', 'TRANSFER_DRAFTED'];

/** The filter of the trigger's panel, in as few words as possible. */
export function passes(status: string, chosen: readonly string[]): boolean {
	const name = status.toUpperCase();
	return chosen.length === 0 || chosen.includes(name) || (chosen.includes('OTHER') && !KNOWN.includes(name));
}

export function push<K, V>(map: Map<K, V[]>, key: K, value: V): void {
	const list = map.get(key);
	if (list) list.push(value);
	else map.set(key, [value]);
}
