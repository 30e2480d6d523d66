import { messageOf } from '../errors';
import type { Clock, Logger } from '../surroundings';
import { Accounts } from './accounts';
import type { Bounds } from './bounds';
import type { DeliveredEvent, EventFilter, QueueAddress, Subscription } from './contract';
import { decode, shownBody } from './decode';
import { restAfterDeathsMs } from './entry';
import { passes } from './filter';
import { GivenBack } from './givenBack';
import { Kept } from './kept';
import type { Lane } from './lane';
import { Lately } from './lately';
import type { OpenLink } from './link';
import { Message } from './message';
import { MissingReports } from './missing';
import type { Noted } from './noted';
import { Pace } from './pace';
import { MOST_PREFETCH, prefetchOf } from './prefetch';
import { Presence } from './presence';
import { Quiet } from './quiet';
import { saysQueueIsGone } from './refusal';
import { Session, type Delivery, type QueueLook } from './session';
import { Successor } from './successor';
import type { Told } from './told';

export interface FanoutOptions {
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
	/** Who reads the same queue over the connection of another user, or tries to; proven: that one was let in once. */
	servedElsewhere(): Array<{ subscription: Subscription; proven: boolean; connected: boolean }>;
	/** Asks the broker about the queue over the connection of another user; undefined where none reads it. */
	lookElsewhere(): Promise<QueueLook | 'noAnswer' | undefined>;
	/** Nobody is here: whoever else of this process reads the queue waits for what went back, if anybody does. */
	passOn(givenBack: GivenBack): void;
	/** The queue is read from now on, over another channel than before. */
	onConsuming(): void;
	/** What was told, by all fanouts. */
	told: Told;
	/** What was written down or reported once, by all fanouts. */
	noted: Noted;
	/** True in the first minutes of a process: others may come and ask for an event. @param handled by somebody here */
	starting(handled: boolean): boolean;
	/** A subscriber's credential names another account now, or it has not shown its password: it must be let in anew. */
	onUnproven(subscriptions: readonly Subscription[]): void;
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
	private readonly presence: Presence;
	private readonly accounts: Accounts;
	private readonly taps = new Set<{ filter: EventFilter; onEvent(event: DeliveredEvent): void }>();
	/** What this channel delivered and is not settled, in order. */
	private readonly messages = new Set<Message>();
	private readonly unreadable: Pace<{ message: Message; reason: string; body: string }>;
	private readonly kept: Kept;
	private readonly givenBack: GivenBack;
	private readonly missing: MissingReports;
	private readonly successor: Successor;
	private session: Session;
	private quiet: Quiet;
	private closing: Promise<void> = Promise.resolve();
	private prefetch = 0;
	/** The broker may not have heard of these, and gives them back with the channel. */
	private readonly settledLately: Lately;
	/** More may be under way. */
	private readonly receivedLately: Lately;
	/** Given back and not delivered again yet. */
	private owedAgain = 0;
	/** Until a message comes for the first time, a process before this one may have given back what it held. */
	private heir = true;
	/** What waited on the queue when it was connected to last. */
	private ready = 0;
	private level = 0;
	private largestBytes = 0;
	private counted = false;
	private renewedAt = -Infinity;
	/** Since the last channel was opened: it may have to deliver more. */
	private joined = false;
	/** The queue is left alone until then. */
	private restUntil: number | undefined;
	private cancelRenewal = () => {};
	private cancelClose = () => {};
	private cancelLook = () => {};
	private cancelRest = () => {};
	/** Dead letters that came back, and are no events or were given up again: each rests before it is rejected once more. */
	private readonly resting = new Map<Message, () => void>();

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
		this.unreadable = new Pace(
			clock,
			bounds,
			(found) => this.reject(found),
			() => this.presence.here.length > 0 && !this.presence.here.some(({ hostIsIll }) => hostIsIll),
		);
		this.kept = new Kept(clock, bounds, logger, `Queue ${queue}`, options.noted);
		this.missing = new MissingReports(clock, bounds, this.kept);
		this.givenBack = new GivenBack({
			clock,
			bounds,
			// Nobody here would be told, and who leads now, or is published again, may have it.
			look: async () =>
				this.presence.here.length > 0
					? ((await this.session.look()) ?? (await options.lookElsewhere()))
					: undefined,
			onTooMany: (bodies) => this.kept.noteUnwatched(bodies),
			onMissing: (missing) => this.missing.add(missing),
		});
		this.successor = new Successor(
			clock,
			bounds,
			async () => await this.session.look(),
			() => void this.stepBack(),
		);
		this.settledLately = new Lately(clock, bounds.silenceMs);
		this.receivedLately = new Lately(clock, bounds.silenceMs);
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
		// The process that was to lead meanwhile had what went back.
		if (patient && this.presence.here.length === 0) this.givenBack.clear();
		else if (patient) this.givenBack.started(lane);
		this.presence.came(lane);
		this.givenBack.begins();
		this.cancelClose();
		this.successor.end();
		if (this.restUntil !== undefined || this.session.takesNothing) this.renew();
		if (this.accounts.proven) lane.wasLetIn = true;
		lane.attach(subscription);
		this.offerAll();
		this.joined = true;
		if (this.quiet.over) this.look();
		else this.quiet.joined(patient);
	}

	/** A subscriber has started and is not let in yet: what it asks for is kept for it. */
	expect(subscription: Subscription): void {
		const lane = this.laneOf(subscription);
		lane.detach();
		lane.subscription = subscription;
		this.presence.isExpected(lane);
		this.offerAll();
		this.look();
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
		lane.detach();
		this.presence.left(lane);
		if (this.presence.here.length === 0) this.nobodyIsLeft();
		this.look();
	}

	/** Hands a copy of each further event that passes to `onEvent`, until the answer is called. */
	tap(filter: EventFilter, onEvent: (event: DeliveredEvent) => void): () => void {
		const tap = { filter, onEvent };
		this.taps.add(tap);
		return () => this.taps.delete(tap);
	}

	/** The first minutes are over: what was kept for nobody in particular is nobody's. */
	startOver(): void {
		for (const message of [...this.messages]) this.settleIfDone(message);
	}

	/** The process may end at any moment now, and nobody would see what does not come again. */
	private nobodyIsLeft(): void {
		this.quiet.cancel();
		this.missing.tell();
		if (!this.missing.queueDrops) return;
		const unsettled = [...this.messages].filter(({ event, openLanes }) => !event || openLanes.length > 0);
		this.kept.noteUnwatched([...unsettled.map(({ delivery }) => delivery.body), ...this.givenBack.unsettled]);
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
			lane.watch(() => this.look()),
		);
	}

	private receive(delivery: Delivery): void {
		const message = new Message(delivery, this.options.clock.now());
		this.messages.add(message);
		this.receivedLately.add();
		if (this.messages.size === 1) this.armRenewal();
		this.largestBytes = Math.max(this.largestBytes, message.bytes);
		if (delivery.returns !== undefined) this.counted = true;
		this.kept.noteReturns(message);
		this.givenBack.came(message);
		// What was given back comes first.
		if (!delivery.redelivered) {
			this.heir = false;
			this.owedAgain = 0;
		} else if (this.owedAgain > 0) this.owedAgain -= 1;
		try {
			this.read(message);
		} catch (error) {
			// Whatever a message holds, the connection stays.
			const said = messageOf(error);
			this.options.logger.error(`Queue ${this.options.queue}: handling a message failed: ${said}`);
			message.event = undefined;
			this.unreadable.add({
				message,
				reason: `it could not be handled (${said})`,
				body: shownBody(delivery.body),
			});
		}
	}

	private read(message: Message): void {
		const decoded = decode(message.delivery.body);
		if ('unreadable' in decoded) {
			this.rejectLater(message, { reason: decoded.unreadable, body: decoded.shown });
			this.look();
			return;
		}
		message.event = {
			event: decoded.event,
			redelivered: message.delivery.redelivered,
			deliveredAt: message.receivedAt,
		};
		for (const tap of this.taps) if (passes(decoded.event, tap.filter)) tap.onEvent(message.event);
		this.offer(message);
		this.settleIfDone(message);
		this.look();
	}

	private rejectLater(message: Message, why: { reason: string; body: string }): void {
		const reject = () => this.unreadable.add({ message, ...why });
		if (!this.restsFirst(message, reject)) reject();
	}

	/** @returns false where nothing is to be waited for */
	private restsFirst(message: Message, then: () => void): boolean {
		const now = this.options.clock.now();
		const restedAt = message.receivedAt + restAfterDeathsMs(message.delivery.deaths);
		if (restedAt <= now) return false;
		const cancel = this.options.clock.after(restedAt - now, () => {
			this.resting.delete(message);
			then();
		});
		this.resting.set(message, cancel);
		return true;
	}

	private offerAll(): void {
		for (const message of [...this.messages]) {
			this.offer(message);
			this.settleIfDone(message);
		}
	}

	/** Hands a message to the lanes that ask for it and have no share in it yet. */
	private offer(message: Message): void {
		const { event } = message;
		if (!event) return;
		const elsewhere: Lane[] = [];
		for (const { subscription, proven, connected } of this.options.servedElsewhere()) {
			const lane = this.laneOf(subscription);
			if (!proven && !this.presence.knows(lane)) continue;
			// What runs there still is not missed: it joins.
			const runs = lane.whereIs(event.event) === 'runs';
			if (connected || runs || this.presence.knows(lane)) elsewhere.push(lane);
			else if (lane.wants(event.event) && !message.hasShare(lane)) this.miss(message, lane, event);
		}
		const known = new Set([...this.presence.here, ...this.presence.absent, ...elsewhere]);
		const lanes = [...known].filter((lane) => !message.hasShare(lane) && lane.wants(event.event));
		// Each has its share before the first may settle one.
		const shares = lanes.map((lane) => message.share(lane, this, () => this.settleIfDone(message)));
		for (const [index, lane] of lanes.entries()) {
			// What the one before did with it may have ended the watch over this one, which had nothing from here until now.
			this.attendTo(lane);
			lane.offer(event, shares[index]!);
		}
	}

	/** Its password may have been changed meanwhile: it is told, and gets nothing that it has not proven itself for. */
	private miss(message: Message, lane: Lane, delivered: DeliveredEvent): void {
		message.share(lane, this, () => {}).settle('remove');
		if (!lane.isDoneWith(delivered)) this.kept.report(lane, 'absent', [delivered.event]);
	}

	/** When the last share is settled, the message is; unless somebody may come and ask for it. */
	private settleIfDone(message: Message): void {
		const { event } = message;
		if (!event || !message.isDone || !this.messages.has(message) || this.resting.has(message)) return;
		// It came in while the last subscriber was leaving: nobody is here to say that it is not wanted.
		if (!message.hasShares && this.presence.here.length === 0) return;
		if (this.options.starting(message.hasShares)) {
			for (const released of this.kept.forNewcomers(this.messages)) this.settle(released);
			return;
		}
		// Who was still on the way in when it came may be in by now, or never was.
		this.offer(message);
		if (!message.isDone || !this.messages.has(message)) return;
		for (const { subscription, proven } of this.options.servedElsewhere()) {
			const lane = this.laneOf(subscription);
			if (!proven && lane.wants(event.event) && !message.hasShare(lane)) this.miss(message, lane, event);
		}
		// Where the queue has it again at once, an absent one would give it up again at once, thousands of times a minute.
		if (message.fate === 'reject' && this.restsFirst(message, () => this.settleIfDone(message))) return;
		this.settle(message);
	}

	private settle(message: Message): void {
		this.messages.delete(message);
		if (!message.hasShares) {
			const status = message.event?.event.status;
			this.options.logger.debug(`Queue ${this.options.queue}: nobody asks for this event, it is removed`, {
				status,
			});
		}
		this.settledLately.add();
		message.delivery.settle(message.fate);
	}

	private reject(found: ReadonlyArray<{ message: Message; reason: string; body: string }>): void {
		const told = found.filter(({ message, body }) => this.kept.isNew(message, body));
		if (told.length > 0) {
			const messages = told.map(({ reason, body }) => ({ reason, body }));
			for (const { subscription } of this.presence.here)
				subscription.report({ kind: 'unreadable', messages });
		}
		for (const { message } of found) {
			this.messages.delete(message);
			this.settledLately.add();
			message.delivery.settle('reject');
		}
	}

	/** A subscriber did not return: its share in what waited for it is settled, for the others' sake. */
	private gone(lane: Lane): void {
		// Who returns while earlier runs go on must find them, or would run beside and before them.
		if (lane.running > 0) return;
		const others = this.presence.here.length > 0;
		// Over another connection, it goes on with what it has from here.
		if (lane.isOpen && lane.holds(this)) return;
		if (!lane.isOpen) {
			if (others) this.kept.report(lane, 'left', lane.dissolve());
			lane.wentBack(this);
		}
		this.lanes.get(lane)?.();
		this.lanes.delete(lane);
		this.endIfEmpty();
		this.look();
	}

	/** Something changed: may the queue deliver more, is it to be left alone, is nobody here any more? */
	private look(): void {
		for (const lane of this.lanes.keys()) {
			if (lane.running > 0 || this.presence.knows(lane) || (lane.isOpen && lane.holds(this))) continue;
			return this.gone(lane);
		}
		const { here } = this.presence;
		const absent = this.presence.absent.filter((lane) => !lane.isOpen);
		if (here.length === 0) return this.closeWhenQuiet();
		this.unreadable.look();
		this.kept.limit(here, absent, this.counted);
		const now = this.options.clock.now();
		this.cancelLook();
		const nextLimit = this.kept.nextLimit(absent);
		if (nextLimit !== undefined) {
			this.cancelLook = this.options.clock.after(Math.max(0, nextLimit - now), () => this.look());
		}
		const quiet = here.map(({ quietUntil }) => quietUntil ?? -Infinity);
		const quietUntil = Math.min(...quiet);
		if (this.restUntil !== undefined) {
			if (here.some(({ waiting }) => waiting?.gatherUntil !== undefined)) this.renew();
			return;
		}
		if (!this.session.listening) return;
		const [oldest] = this.messages;
		const dueAt = (oldest?.receivedAt ?? Infinity) + this.options.bounds.renewAfterMs;
		if (quietUntil > now && quietUntil >= dueAt && here.every(({ waiting }) => waiting))
			return this.rest(quietUntil);
		this.growIfStarving(now);
	}

	private growIfStarving(now: number): void {
		const { bounds } = this.options;
		const starves = this.messages.size >= this.prefetch && this.presence.here.some((lane) => lane.starves);
		if (!starves && (!this.joined || this.inheritsMore)) return;
		const levels = [...bounds.prefetchSteps.keys()].slice(this.level);
		// What was taken may be more than several steps already, where an earlier process gave back much.
		const wanted = (starves ? levels : levels.slice(0, 1)).find(
			(level) => this.limitAt(level) > this.prefetch,
		);
		if (wanted === undefined) return;
		// Each channel costs what comes along one of its deliveries, and many may join one after another.
		const gapMs = !starves && this.messages.size > 0 ? bounds.joinedGapMs : bounds.growAgainMs;
		const waitMs = this.renewedAt + gapMs - now;
		if (waitMs > 0) {
			this.cancelLook();
			this.cancelLook = this.options.clock.after(waitMs, () => this.look());
			return;
		}
		this.level = wanted;
		this.renew();
	}

	/** More that was given back before may wait on the queue, and would come before what would be given back now. */
	private get inheritsMore(): boolean {
		return this.heir && this.messages.size > 0 && this.messages.size >= this.prefetch;
	}

	/** All goes back and comes again, on a new channel: for a larger limit, or before the broker takes it back itself. */
	private renew(): void {
		this.restUntil = undefined;
		// It takes again: whoever reads the queue beside is looked for anew.
		this.successor.end();
		this.cancelRest();
		this.renewedAt = this.options.clock.now();
		this.joined = false;
		this.session.renew();
	}

	/** Every lane waits: nothing is taken that nobody would run. */
	private rest(until: number): void {
		const { clock } = this.options;
		this.restUntil = until;
		this.session.rest();
		this.cancelRest();
		this.cancelRest = clock.after(Math.max(0, until - clock.now()), () => this.renew());
	}

	private armRenewal(): void {
		this.cancelRenewal();
		const [oldest] = this.messages;
		if (!oldest) return;
		const { clock, bounds } = this.options;
		const dueAt = oldest.receivedAt + bounds.renewAfterMs;
		this.cancelRenewal = clock.after(Math.max(0, dueAt - clock.now()), () => {
			const [first] = this.messages;
			if (!first || first.receivedAt + bounds.renewAfterMs > clock.now()) return this.armRenewal();
			const quiet = this.presence.here.map(({ quietUntil }) => quietUntil ?? -Infinity);
			const until = Math.min(...quiet);
			if (this.counted && quiet.length > 0 && until > clock.now()) return this.rest(until);
			// What is as full as before would grow again at once, and each growth costs a delivery of everything.
			if (this.messages.size < this.limitAt(0)) this.level = 0;
			this.renew();
		});
	}

	/** Nobody is here: runs end in the background, and when all is told and silent, everything else goes back. */
	private closeWhenQuiet(): void {
		this.cancelClose();
		if ([...this.lanes.keys()].some((lane) => lane.isAwaited(this))) {
			if (this.session.takesNothing) this.handBack();
			else this.successor.watch();
			return;
		}
		this.releaseHandled();
		this.cancelClose = this.options.clock.after(this.options.bounds.silenceMs, () => {
			if (this.presence.here.length > 0) return;
			this.cancelLook();
			this.cancelRest();
			this.successor.end();
			this.closing = Promise.all([this.closing, this.session.close()]).then(() => {});
			this.returned(false);
			this.session = this.newSession();
			this.quiet = this.newQuiet();
			this.restUntil = undefined;
			this.endIfEmpty();
		});
	}

	/** Who reads the queue now must not wait for runs that end here: this one takes nothing more, and keeps what runs. */
	private async stepBack(): Promise<void> {
		const { session } = this;
		const stopped = await session.stopTaking();
		if (session !== this.session || this.presence.here.length > 0) return;
		if (stopped) return this.handBack();
		// It was lost, or is being opened anew: looked for from the beginning.
		this.successor.end();
		this.closeWhenQuiet();
	}

	private handBack(): void {
		this.releaseHandled();
		const lanes = [...this.lanes.keys()];
		const runs = ({ event }: Message) => event && lanes.some((lane) => lane.runs(event.event));
		const stay = new Set([...this.messages].filter(runs).map(({ number }) => number));
		const back = [...this.messages].filter(({ number }) => !stay.has(number));
		if (back.length === 0) return;
		this.givenBack.wentBack(back, false);
		this.givenBack.othersRead();
		this.unreadable.clear();
		for (const message of back) {
			this.messages.delete(message);
			this.resting.get(message)?.();
			this.resting.delete(message);
		}
		for (const lane of lanes) lane.wentBack(this, stay);
		for (const { delivery } of back) delivery.giveBack();
	}

	/** The process may end now: what somebody here has handled must not run a second time in the next one. */
	private releaseHandled(): void {
		const handled = [...this.messages].filter(
			(message) => message.isDone && message.hasShares && !this.resting.has(message),
		);
		if (handled.length > 0) this.kept.noteReleased(handled);
		for (const message of handled) this.settle(message);
	}

	private endIfEmpty(): void {
		if (this.presence.anyone || this.lanes.size > 0) return;
		this.kept.end();
		this.missing.tell();
		this.passOn();
		this.givenBack.clear();
		this.options.onEmpty();
	}

	/** What the channel delivered is back on the queue. */
	private returned(lost: boolean): void {
		const starting = this.options.starting(false);
		this.givenBack.wentBack(this.messages, lost, (message) => starting && !this.resting.has(message));
		// Never more than it could hold: what another reader took is not waited for. And no less: some was under way.
		this.owedAgain = this.prefetch;
		this.messages.clear();
		this.unreadable.clear();
		for (const cancel of this.resting.values()) cancel();
		this.resting.clear();
		this.cancelRenewal();
		for (const lane of this.lanes.keys()) lane.wentBack(this);
		this.passOn();
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
			prefetch: () => (this.prefetch = Math.max(this.limitAt(this.level), this.mayComeBack)),
			onAccepted: (address, ready, readers) => {
				this.ready = ready;
				if (readers > 0) this.givenBack.othersRead();
				const unproven = this.accounts.accept(address, subscriptions());
				// All of them, before the first that moves has events offered to who is left.
				for (const subscription of unproven) this.presence.isExpected(this.laneOf(subscription));
				this.options.onUnproven(unproven);
				for (const lane of this.presence.here) lane.wasLetIn = true;
			},
			onDelivery: (delivery) => this.receive(delivery),
			onConsuming: () => {
				this.givenBack.begins();
				this.options.onConsuming();
			},
			onReturned: (lost) => this.returned(lost),
			leaseMs: this.options.bounds.leaseMs,
			onOutage: (error) => {
				if (saysQueueIsGone(error)) this.givenBack.queueIsGone();
				for (const { key, report } of subscriptions()) {
					if (this.options.told.isNews(key, error.message)) report({ kind: 'outage', error });
				}
			},
		});
	}

	/** What goes back with the channel comes first, and to take less of it would change its order. */
	private get mayComeBack(): number {
		const known = this.messages.size + this.settledLately.count + this.owedAgain;
		// Also after a silence: the next may come just now, and one left behind would stand before all that goes back later.
		const underWay = this.receivedLately.count > 0 ? Infinity : this.limitAt(0);
		return Math.min(MOST_PREFETCH, Math.max(known, Math.min(this.prefetch, known + underWay)));
	}

	/** Messages in flight at most, at this level of growth. */
	private limitAt(level: number): number {
		const { bounds, starting } = this.options;
		const { here } = this.presence;
		const lanes = [...this.lanes.keys()];
		return prefetchOf({
			demands: lanes.map(({ subscription: { options } }) => options.parallelRuns * options.batchSize),
			step: bounds.prefetchSteps[level] ?? 1,
			mostSteps: bounds.prefetchSteps.at(-1) ?? 1,
			inherited: this.heir ? this.ready : 0,
			kept:
				this.heir || starting(false)
					? bounds.keptEvents
					: this.kept.count(here, this.presence.absent, this.messages),
			lookThrough: here.length > 0 && here.every(({ waiting }) => waiting) ? bounds.lookThrough : 0,
			givenBack: this.messages.size + this.owedAgain,
			largestBytes: this.largestBytes,
			bytes: bounds.prefetchBytes,
		});
	}
}
