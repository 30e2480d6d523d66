import type { Clock, Logger } from '../surroundings';
import { Accounts } from './accounts';
import { BodyLog } from './bodyLog';
import type { Bounds } from './bounds';
import type { DeliveredEvent, EventFilter, QueueAddress, Subscription } from './contract';
import { Counting } from './counting';
import { FOUND_DEAD_MS, GivenBack } from './givenBack';
import { InFlight } from './inFlight';
import { hostIsIll, Kept } from './kept';
import type { Lane } from './lane';
import { Latecomers } from './latecomers';
import type { OpenLink } from './link';
import { Message } from './message';
import { Messages, type Elsewhere } from './messages';
import { MissingReports } from './missing';
import type { Noted } from './noted';
import { NotKept } from './notKept';
import type { Singles } from './pace';
import { Presence } from './presence';
import { Quiet } from './quiet';
import { saysQueueIsGone } from './refusal';
import { Renewal } from './renewal';
import type { Delivery } from './delivery';
import type { QueueLook } from './queueLook';
import { Session } from './session';
import { Successor } from './successor';
import type { Told } from './told';

interface FanoutOptions {
	/** {@link sessionKey} of its subscribers. */
	key: string;
	/** {@link placeOf} of its subscribers. */
	place: string;
	queue: string;
	openLink: OpenLink;
	clock: Clock;
	logger: Logger;
	bounds: Bounds;
	/** Of a subscriber; kept by the caller, for longer than this fanout lives. */
	laneOf(subscription: Subscription): Lane;
	/** Those that left this queue, and had failed with this one. */
	leftWith(eventId: string): readonly Lane[];
	/** Of this process, whatever queue and connection they have. */
	openLanes(): readonly Lane[];
	/** Who reads the same queue over the connection of another user, or tries to; proven: that one was let in once. */
	servedElsewhere(): readonly Elsewhere[];
	/** Asks the broker about the queue over the connection of another user; undefined where none reads it. */
	lookElsewhere(): Promise<QueueLook | 'noAnswer' | undefined>;
	/** Nobody is here: whoever else of this process reads the queue waits for what went back, if anybody does. */
	passOn(givenBack: GivenBack): void;
	/** The queue is read from now on, over another channel than before. */
	onConsuming(): void;
	/** The queue delivers it here, and over no connection of another user. @returns the number it had where it went back there */
	onReceived(delivery: Delivery): number | undefined;
	/** An earlier one of its set went back where nobody is any more, and may come here: the host may have got another name. */
	isAwaitedElsewhere(message: Message, lane: Lane): boolean;
	/** What was told, by all fanouts. */
	told: Told;
	/** What was written down or reported once, by all fanouts. */
	noted: Noted;
	/** What was told one by one of this queue, by all fanouts that read it. */
	singlesOf(kind: 'unreadable' | 'notKept'): Singles;
	/** True in the first minutes of a process: others may come and ask for an event. @param handled by somebody here */
	starting(handled: boolean): boolean;
	/** A subscriber's credential names another account now, or it has not shown its password: it must be let in anew. */
	onUnproven(subscriptions: readonly Subscription[]): void;
	/** Its connection stands: where it was let in before, it is not waited for any longer. */
	onLetIn(subscription: Subscription): void;
	/** Nobody is here, or may return. */
	onEmpty(): void;
}

/**
 * One queue in this process: one session, and a lane for each subscriber.
 *
 * A message comes in → it is decoded once → every lane that asks for such an event takes a share, also that of an absent
 * subscriber → when the last of them has settled its share, the message is settled: rejected if one of them gave up, else
 * removed. A message nobody asks for is removed, an unreadable one is reported and rejected. All that is unsettled goes
 * back when the channel is closed.
 */
export class Fanout {
	readonly key: string;
	readonly place: string;
	readonly queue: string;
	/** Those that may have a share in what is delivered here, each with the end of its being watched. */
	private readonly lanes = new Map<Lane, () => void>();
	/** They may still meet over another name what goes back when the connection is closed. */
	private goneSinceClose = new WeakSet<Lane>();
	private readonly presence: Presence;
	private readonly accounts: Accounts;
	private readonly messages: Messages;
	private readonly inFlight: InFlight;
	private readonly log: BodyLog;
	private readonly notKept: NotKept;
	private readonly kept: Kept;
	private readonly givenBack: GivenBack;
	private readonly missing: MissingReports;
	/** Of what was off the queue when somebody started. */
	private readonly late: MissingReports;
	private readonly latecomers: Latecomers;
	private readonly renewal: Renewal;
	private readonly successor: Successor;
	private session: Session;
	private quiet: Quiet;
	private closing: Promise<void> = Promise.resolve();
	private readonly counting = new Counting();
	/** It is about to be closed, until this is called. */
	private cancelClose: (() => void) | undefined;
	private cancelLook = () => {};
	/** Whoever gets something changes by it: one look when all have it is enough, where hundreds listen. */
	private handsOut = false;

	constructor(private readonly options: FanoutOptions) {
		const { clock, bounds, logger, queue } = options;
		this.queue = queue;
		this.key = options.key;
		this.place = options.place;
		this.presence = new Presence(clock, bounds, (lane) => this.gone(lane));
		this.accounts = new Accounts({
			...options,
			onMoved: (subscription) => options.onUnproven([subscription]),
		});
		this.log = new BodyLog(clock, logger, `Queue ${queue}`, options.noted);
		const singles = options.singlesOf('notKept');
		const hasLeft = (lane: Lane) => !lane.isOpen && !this.presence.expects(lane);
		this.notKept = new NotKept(clock, bounds, logger, options.noted, singles, this.place, hasLeft);
		this.kept = new Kept(clock, bounds, this.notKept, this.log, () => options.openLanes(), this.place);
		const telling = { clock, bounds, notKept: this.notKept, log: this.log };
		this.missing = new MissingReports({
			...telling,
			afterMs: 0,
			everyMs: bounds.missingEveryMs,
			isRead: () => true,
		});
		// The broker may not have heard that it is off the queue, and then it comes again.
		const again = { afterMs: FOUND_DEAD_MS, everyMs: FOUND_DEAD_MS, isRead: () => this.listening };
		this.late = new MissingReports({ ...telling, ...again });
		this.latecomers = new Latecomers({
			bounds,
			starting: () => options.starting(false),
			onLate: (lane, events, why) => {
				const reports = why === 'late' ? this.late : this.missing;
				reports.add({ events: new Map([[lane, events]]), bodies: [], why });
			},
		});
		this.messages = new Messages({
			...options,
			from: this,
			presence: this.presence,
			kept: this.kept,
			notKept: this.notKept,
			log: this.log,
			laneOf: (subscription) => this.laneOf(subscription),
			attendTo: (lane) => this.attendTo(lane),
			lanes: () => this.lanes.keys(),
			overtakes: (message, lane) =>
				this.givenBack.isOvertakenBy(message, lane) || options.isAwaitedElsewhere(message, lane),
			onGone: ({ event, bytes, lanes }) => {
				if (event) this.latecomers.add(event.event, bytes, lanes, 'late');
			},
			onSettled: () => this.inFlight.settled(),
		});
		this.inFlight = new InFlight({
			clock,
			bounds,
			messages: this.messages.all,
			lanes: () => ({ all: [...this.lanes.keys()], here: this.presence.here }),
			kept: () => this.kept.count(this.presence.here, this.presence.absent, this.messages.all),
			starting: () => options.starting(false),
			counted: () => this.counting.counts,
			awaited: () => this.givenBack.count,
			apart: (most) => this.givenBack.apart(this.messages.inOrder, most),
		});
		this.renewal = new Renewal({
			clock,
			bounds,
			inFlight: this.inFlight,
			messages: this.messages.all,
			here: () => this.presence.here,
			counted: () => this.counting.counts,
			takesNothing: () => this.session.takesNothing,
			onRenew: () => {
				// It takes again: whoever reads the queue beside is looked for anew.
				this.successor.end();
				this.session.renew();
			},
			onRest: () => this.session.rest(),
			waitsThere: () => this.session.waitsThere,
			onDrain: () => void this.session.stopTaking(true).then((stopped) => this.renewal.drained(stopped)),
		});
		this.givenBack = new GivenBack({
			clock,
			bounds,
			// Nobody here would be told, and who leads now, or is published again, may have it.
			look: async () =>
				this.isAttended ? ((await this.session.look()) ?? (await options.lookElsewhere())) : undefined,
			onUnsure: (bodies) => this.log.unwatched(bodies),
			onMissing: (missing) => this.missing.add(missing),
			onMissed: (event, bytes, lanes, why) => this.latecomers.add(event, bytes, lanes, why),
		});
		this.successor = new Successor(
			clock,
			bounds,
			async () => await this.session.look(),
			() => void this.stepBack(),
		);
		this.session = this.newSession();
		this.quiet = this.newQuiet();
	}

	get listening(): boolean {
		return this.session.listening;
	}

	/**
	 * A subscriber is let in, or its next version takes its place.
	 * @param address the credential it came with
	 * @param patient the host is starting: wait longer for the others before consuming
	 */
	join(subscription: Subscription, address: QueueAddress, patient: boolean): void {
		this.accounts.knows(subscription, address);
		const lane = this.laneOf(subscription);
		if (patient && this.mayHaveBeenLedElsewhere) this.givenBack.clear();
		else if (patient) this.givenBack.started(lane);
		this.presence.came(lane);
		this.givenBack.begins();
		this.staysOpen();
		this.successor.end();
		if (this.renewal.rests || this.session.takesNothing) this.renewal.renew();
		lane.attach(subscription, this.session.connected);
		if (this.session.connected) this.letIn(lane);
		this.messages.offerAll(lane);
		if (patient) this.latecomers.started(lane);
		this.forgetGone();
		this.inFlight.somebodyJoined();
		if (this.quiet.over) this.look();
		else this.quiet.joined(patient);
	}

	/**
	 * Nobody has been here for a while: the process that was to lead meanwhile had what went back. Where the host starts one
	 * in the moment in which another is published again, there was none.
	 */
	private get mayHaveBeenLedElsewhere(): boolean {
		const emptyForMs = this.options.clock.now() - this.presence.emptySince;
		return !this.isAttended && emptyForMs >= this.options.bounds.silenceMs;
	}

	/** A subscriber has started that another user's connection serves: it misses what is gone from here, too. */
	startedElsewhere(subscription: Subscription): void {
		const lane = this.options.laneOf(subscription);
		this.givenBack.started(lane);
		this.latecomers.started(lane);
	}

	/** A subscriber has started and is not let in yet: what it asks for is kept for it. */
	expect(subscription: Subscription): void {
		const lane = this.options.laneOf(subscription);
		// What went back is its own still, wherever it reads by now.
		if (!this.lanes.has(lane) && !this.givenBack.isAwaitedBy(lane)) lane.comesBackTo(this.place);
		this.attendTo(lane);
		lane.detach();
		// Its runs from before kept it here, and its time away is over.
		if (!this.presence.knows(lane)) lane.absentSince = this.options.clock.now();
		lane.subscription = subscription;
		this.presence.isExpected(lane);
		this.handOut(() => this.messages.offerAll(lane));
	}

	/** It left, and has its time to come back from now on. */
	mayReturn(subscription: Subscription): void {
		this.expect(subscription);
		this.presence.left(this.laneOf(subscription));
	}

	private letIn(lane: Lane): void {
		lane.letIn(this.place);
		this.options.onLetIn(lane.subscription);
	}

	/**
	 * It is to read a queue of the same name elsewhere, or does so. Where it was let in before, it is expected until it is let in
	 * there. Where it never was, but expected for the name of the queue alone, what waits for it here is nobody's.
	 * @param isSame it is this queue, under another name of its host
	 */
	isElsewhere(subscription: Subscription, isSame: boolean): void {
		const lane = this.laneOf(subscription);
		const isItsOwn = isSame || lane.wasLetIn(this.place);
		if (isItsOwn && !lane.isReached) return;
		this.presence.forget(lane);
		if (!isItsOwn) {
			this.notKept.forget(lane);
			if (this.isAttended) lane.forgo(this);
			lane.wentBack(this, this.runBy([lane]));
		}
		if (!this.isAttended) this.nobodyIsLeft();
		this.look();
	}

	/** It may have something in hand from here, or may be waited for, wherever it reads. */
	attendsTo(subscription: Subscription): boolean {
		return [...this.lanes.keys()].some((lane) => lane.subscription === subscription);
	}

	/** The same, of one that was let in here. */
	knows(subscription: Subscription): boolean {
		return this.attendsTo(subscription) && this.laneOf(subscription).wasLetIn(this.place);
	}

	/** True when the broker was convinced in another way: whoever comes with this one must prove it. */
	mustProve(address: QueueAddress): boolean {
		return this.accounts.mustProve(address);
	}

	get connected(): boolean {
		return this.session.connected;
	}

	/** The broker accepted its account, and whoever is here has shown the same password. */
	get proven(): boolean {
		return this.accounts.proven;
	}

	/** Asks the broker about the queue; undefined where it is not read here. */
	async lookAtQueue(): Promise<QueueLook | 'noAnswer' | undefined> {
		return await this.session.look();
	}

	/** Another user's connection reads the queue, and shows what is missed here. */
	isReadElsewhere(): void {
		this.givenBack.begins();
		this.passOn();
		// Who had not shown its password there when something came here has now.
		this.handOut(() => this.messages.offerElsewhere());
	}

	/** Another user's connection has been delivered this. @returns see {@link GivenBack.came} */
	cameElsewhere(delivery: Delivery): number | undefined {
		return this.givenBack.cameElsewhere(delivery);
	}

	/**
	 * See {@link GivenBack.isOvertakenBy}; asked where nobody is here. Who has gone does not wait for what went back once the
	 * connection was closed after that: it may be of another broker, and others may be expected here for hours.
	 */
	awaitsBefore(message: Message, lane: Lane): boolean {
		const isKnown = this.lanes.has(lane) || this.goneSinceClose.has(lane);
		return isKnown && this.givenBack.isOvertakenBy(message, lane);
	}

	/** Nobody has been here for longer than it takes to be published again. */
	get isDeserted(): boolean {
		const { clock, bounds } = this.options;
		return !this.isAttended && clock.now() - this.presence.emptySince >= bounds.keptFreelyMs;
	}

	/** Somebody is here, and is told what does not come again. */
	get isAttended(): boolean {
		return this.presence.here.length > 0;
	}

	/** What went back over the connection of another user, where nobody is any more, comes here. */
	takeOver(givenBack: GivenBack): void {
		givenBack.passTo(this.givenBack);
	}

	/** Resolves when events flow; rejects with the first reason why they cannot, while it goes on being tried. */
	untilListening(): Promise<void> {
		return this.session.untilListening();
	}

	/** A subscriber leaves, here or expected: no further event starts a run of it. */
	leave(subscription: Subscription): void {
		// It may have been served over another connection so far, and miss what comes here while it is away.
		const lane = this.laneOf(subscription);
		// Its next version may have taken its place already.
		if (lane.subscription !== subscription) return;
		// From now on it is not kept out, but away.
		this.notKept.tellNumber(lane);
		lane.detach();
		this.presence.left(lane);
		this.forgetGone();
		if (!this.isAttended) this.nobodyIsLeft();
		this.look();
	}

	/** Hands a copy of each further event that is asked for to `onEvent`, until the answer is called. */
	tap(filter: EventFilter, onEvent: (event: DeliveredEvent) => void): () => void {
		return this.messages.tap(filter, onEvent);
	}

	/** Of what was kept for nobody in particular, what others have handled, or all of it, is nobody's. */
	startGoesOn(): void {
		this.messages.settleDone();
		this.forgetGone();
	}

	/** Nobody is to come any more who would have to be told: also who has started, and is let in much later. */
	private forgetGone(): void {
		if (!this.options.starting(false) && !this.presence.expectsAnyone) this.latecomers.clear();
	}

	/** The process may end at any moment now, and nobody would see what does not come again. */
	private nobodyIsLeft(): void {
		this.quiet.cancel();
		this.missing.tell();
		this.late.tell();
		this.notKept.end();
		if (!this.missing.queueDrops) return;
		const unsettled = [...this.messages.all].filter(({ event, openLanes }) => !event || openLanes.length > 0);
		this.log.unwatched([...unsettled.map(({ delivery }) => delivery.body), ...this.givenBack.unsettled]);
	}

	private passOn(): void {
		if (!this.isAttended) this.options.passOn(this.givenBack);
	}

	private laneOf(subscription: Subscription): Lane {
		const lane = this.options.laneOf(subscription);
		this.attendTo(lane);
		return lane;
	}

	private attendTo(lane: Lane): void {
		if (this.lanes.has(lane)) return;
		this.lanes.set(
			lane,
			lane.watch(() => {
				if (!this.handsOut) this.look();
			}),
		);
	}

	private receive(delivery: Delivery): void {
		this.handOut(() => this.takeIn(delivery));
	}

	private takeIn(delivery: Delivery): void {
		const own = this.givenBack.came(delivery);
		const elsewhere = this.options.onReceived(delivery);
		const returns = this.counting.returnsOf(delivery);
		const message = new Message(
			delivery,
			this.options.clock.now(),
			returns,
			own?.number ?? elsewhere,
			// Who has not returned by now may be there in the next process, where what runs here goes on. While somebody stays, who
			// left for good has had its time: what that one handles would go back for it, and run again.
			// Who reads another queue by now goes on with its part.
			// What such a one had failed with, and what went back before it had to return, ends now, and it is told.
			own?.lanes.filter((lane) => !this.isAttended || lane.isOpen || lane.hadBegun(own.eventId ?? '')),
		);
		this.messages.add(message);
		this.inFlight.received(message);
		if (this.messages.all.size === 1) this.renewal.begins();
		this.log.delivered(message);
		this.messages.take(message);
	}

	private handOut(work: () => void): void {
		// What is delivered may show who else is to be offered what is here: one look is enough for both.
		if (this.handsOut) return work();
		this.handsOut = true;
		try {
			work();
		} finally {
			this.handsOut = false;
		}
		this.look();
	}

	/** A subscriber did not return: its share in what waited for it is settled, for the others' sake. */
	private gone(lane: Lane): void {
		if (!this.mayGo(lane)) return;
		if (!lane.isOpen) {
			if (this.isAttended) this.letGo(lane);
			this.notKept.forget(lane);
			lane.wentBack(this);
		}
		const endWatch = this.lanes.get(lane);
		// What it let go of may have been offered to others, and at that it was found gone.
		if (!endWatch) return;
		endWatch();
		this.lanes.delete(lane);
		this.goneSinceClose.add(lane);
		this.look();
	}

	private mayGo(lane: Lane): boolean {
		// Over another connection, it goes on with what it has from here.
		if (lane.isOpen) return !lane.isAwaited(this) && !lane.holds(this);
		// Who returns while earlier runs go on must find them, or would run beside and before them.
		if (lane.running > 0) return false;
		return lane.owed.length === 0 || !hostIsIll(this.options.openLanes());
	}

	/** Something changed: may the queue deliver more, is it to be left alone, is nobody here any more? */
	private look(): void {
		for (const lane of this.lanes.keys()) {
			if (!this.presence.knows(lane) && this.mayGo(lane)) return this.gone(lane);
		}
		const { here } = this.presence;
		const absent = this.presence.absent.filter((lane) => !lane.isReached);
		if (here.length === 0) return this.closeWhenQuiet();
		this.messages.lookForReaders();
		this.kept.limit(here, absent, this.counting.counts);
		const limitInMs = this.kept.nextLimit(absent) - this.options.clock.now();
		const growsInMs = this.renewal.look(this.session.listening) ?? Infinity;
		const lookInMs = Math.min(limitInMs, growsInMs);
		this.cancelLook();
		if (lookInMs === Infinity) return;
		this.cancelLook = this.options.clock.after(Math.max(0, lookInMs), () => this.look());
	}

	/** Nobody is here: runs end in the background, and when all is told and silent, everything else goes back. */
	private closeWhenQuiet(): void {
		// The process may be gone before the runs that go on have ended.
		this.messages.releaseHandled();
		if ([...this.lanes.keys()].some((lane) => lane.isAwaited(this))) {
			this.staysOpen();
			if (this.session.takesNothing) this.handBack();
			else this.successor.watch();
			return;
		}
		// What its workflows do with what they have from elsewhere is no stir here.
		this.cancelClose ??= this.options.clock.after(this.options.bounds.silenceMs, () => {
			this.staysOpen();
			if (this.inFlight.settledJustNow) this.closeWhenQuiet();
			else void this.close();
		});
	}

	private staysOpen(): void {
		this.cancelClose?.();
		this.cancelClose = undefined;
	}

	private async close(): Promise<void> {
		const { session } = this;
		if (this.messages.all.size > 0) {
			// Whoever reads it beside has what goes back now, and may be gone when somebody returns here.
			const looked = await session.look();
			if (session !== this.session) return;
			if (typeof looked === 'object' && looked.otherReaders > 0) this.givenBack.othersRead();
		}
		if (this.isAttended) return;
		this.cancelLook();
		this.successor.end();
		this.closing = Promise.all([this.closing, session.close()]).then(() => {});
		this.returned(false);
		this.session = this.newSession();
		this.quiet = this.newQuiet();
		this.renewal.end();
		this.goneSinceClose = new WeakSet();
		this.endIfEmpty();
	}

	/** Who reads the queue now must not wait for runs that end here: this one takes nothing more, and keeps what runs. */
	private async stepBack(): Promise<void> {
		const { session } = this;
		const stopped = await session.stopTaking();
		if (session !== this.session || this.isAttended) return;
		if (stopped) return this.handBack();
		// It was lost, or is being opened anew: looked for from the beginning.
		this.successor.end();
		this.closeWhenQuiet();
	}

	private handBack(): void {
		this.messages.releaseHandled();
		const lanes = [...this.lanes.keys()];
		const stay = this.runBy(lanes);
		const back = [...this.messages.all].filter(({ number }) => !stay.has(number));
		if (back.length === 0) return;
		this.givenBack.wentBack(back, false, new Set(back.map(({ delivery }) => delivery)));
		this.givenBack.othersRead();
		this.messages.goBack(back);
		for (const lane of lanes) lane.wentBack(this, stay);
		for (const { delivery } of back) delivery.giveBack();
	}

	/** The numbers of those messages of which a run of these goes on. */
	private runBy(lanes: readonly Lane[]): ReadonlySet<number> {
		const runs = ({ event }: Message) => event && lanes.some((lane) => lane.runs(event.event));
		return new Set([...this.messages.all].filter(runs).map(({ number }) => number));
	}

	/** What waits here for one that does not return is nobody's, and what had failed is told. */
	private letGo(lane: Lane): void {
		this.notKept.report(lane, 'left', lane.dissolve(this));
	}

	private endIfEmpty(): void {
		if (this.lanes.size > 0) return;
		this.notKept.end();
		this.missing.tell();
		this.late.tell();
		this.passOn();
		this.givenBack.clear();
		this.options.onEmpty();
	}

	/** What the channel delivered is back on the queue. */
	private returned(lost: boolean, oneByOne: ReadonlySet<Delivery> = new Set()): void {
		const starting = this.options.starting(false);
		this.tellWhoLeft();
		this.givenBack.wentBack(
			lost ? this.messages.all : this.messages.inOrder,
			lost,
			oneByOne,
			(message) => starting && !this.messages.rests(message),
		);
		this.inFlight.returned();
		this.messages.clear();
		this.renewal.returned();
		if (lost) for (const lane of this.presence.here) lane.isServed(false);
		for (const lane of this.lanes.keys()) lane.wentBack(this);
		this.passOn();
	}

	/** Who did not return, and is here for its runs alone, does not get again what it has. */
	private tellWhoLeft(): void {
		if (!this.isAttended || hostIsIll(this.options.openLanes())) return;
		for (const lane of this.lanes.keys()) {
			if (!lane.isOpen && !this.presence.knows(lane)) this.letGo(lane);
		}
	}

	private newQuiet(): Quiet {
		return new Quiet(this.options.clock, () => {
			const { session } = this;
			// Two readers at once would share the events among them.
			void this.closing.then(() => session.start());
		});
	}

	private newSession(): Session {
		const { queue, openLink, clock, logger } = this.options;
		const subscriptions = () => this.presence.here.map(({ subscription }) => subscription);
		return new Session({
			queue,
			openLink,
			title: `Queue ${queue}`,
			clock,
			logger,
			readAddress: () => this.accounts.read(subscriptions()),
			prefetch: () => this.inFlight.limit(),
			onAccepted: (address, ready, readers) => {
				this.counting.connected();
				this.inFlight.connected(ready);
				if (readers > 0) this.givenBack.othersRead();
				const unproven = this.accounts.accept(address, subscriptions());
				// All of them, before the first that moves has events offered to who is left.
				for (const subscription of unproven) this.presence.isExpected(this.laneOf(subscription));
				this.options.onUnproven(unproven);
				for (const lane of this.presence.here) {
					lane.isServed(true);
					this.letIn(lane);
				}
			},
			onDelivery: (delivery) => this.receive(delivery),
			// What is spared is taken from the head of the queue.
			firstBack: () => (this.inFlight.spares ? this.messages.overtaken.map(({ delivery }) => delivery) : []),
			onConsuming: () => {
				this.givenBack.begins();
				this.options.onConsuming();
				// All that is to be taken may have come before the broker had answered.
				this.look();
			},
			onReturned: (lost, oneByOne) => this.returned(lost, oneByOne),
			leaseMs: this.options.bounds.leaseMs,
			onOutage: (error) => {
				if (saysQueueIsGone(error)) this.givenBack.queueIsGone();
				for (const { key, report } of subscriptions()) {
					if (this.options.told.isNews(key, error.message)) report({ kind: 'outage', error });
				}
			},
		});
	}
}
