import { messageOf } from '../errors';
import type { Clock, Logger } from '../surroundings';
import type { BodyLog } from './bodyLog';
import type { Bounds } from './bounds';
import type { DeliveredEvent, EventFilter, Subscription } from './contract';
import { decode, shownBody } from './decode';
import type { Fate, Source } from './entry';
import { isAskedFor } from './filter';
import { hostIsIll, type Kept } from './kept';
import type { Lane } from './lane';
import type { Message } from './message';
import type { Noted } from './noted';
import type { Singles } from './pace';
import type { NotKept } from './notKept';
import type { Presence } from './presence';
import { Resting } from './resting';
import { Unreadable } from './unreadable';

/** A subscriber of the same queue that another connection serves. */
export interface Elsewhere {
	subscription: Subscription;
	/** It was let in once. */
	proven: boolean;
	connected: boolean;
}

/** Beyond so many, a quorum queue takes what goes back one by one together, in the order of delivery (RabbitMQ 3.10). */
const MOST_OVERTAKEN = 30;

/** What the messages of a connection are settled by. */
export interface MessagesOptions {
	queue: string;
	clock: Clock;
	bounds: Bounds;
	logger: Logger;
	noted: Noted;
	singlesOf(kind: 'unreadable'): Singles;
	/** {@link Share.from} of each share in them. */
	from: Source;
	presence: Presence;
	kept: Kept;
	notKept: NotKept;
	log: BodyLog;
	/** Of a subscriber that may have a share. */
	laneOf(subscription: Subscription): Lane;
	/** Those that left this queue, and had failed with this one. */
	leftWith(eventId: string): readonly Lane[];
	/** This one may have a share from now on. */
	attendTo(lane: Lane): void;
	/** All that may have one. */
	lanes(): Iterable<Lane>;
	servedElsewhere(): readonly Elsewhere[];
	/** Of this process, whatever queue and connection they have. */
	openLanes(): readonly Lane[];
	/** The first minutes of a process. @param handled by somebody here */
	starting(handled: boolean): boolean;
	/** An earlier one of the same set is not here, though this lane has not ended it. */
	overtakes(message: Message, lane: Lane): boolean;
	/** This one is off the queue. */
	onGone(message: Message): void;
	onSettled(): void;
}

/**
 * What the channel of now delivered and is not settled, in order: each is read once, every lane that asks for it has a share
 * in it, and when the last of those is settled, it is.
 */
export class Messages {
	private readonly unsettled = new Set<Message>();
	/** Of those, what nobody holds, and is kept for who may still come: few, while thousands may be unsettled. */
	private readonly spare = new Set<Message>();
	private readonly taps = new Set<{ filter: EventFilter; onEvent(event: DeliveredEvent): void }>();
	private readonly resting: Resting;
	private readonly unreadable: Unreadable;

	constructor(private readonly options: MessagesOptions) {
		const { clock, bounds, noted, log, presence, singlesOf } = options;
		this.resting = new Resting(clock);
		this.unreadable = new Unreadable(
			clock,
			bounds,
			noted,
			log,
			() => presence.here,
			(message) => this.settleAs(message, 'reject'),
			singlesOf('unreadable'),
		);
	}

	get all(): ReadonlySet<Message> {
		return this.unsettled;
	}

	/** What came behind a later one, in the order in which it came at first; only so many keep that where they go back one by one. */
	get overtaken(): Message[] {
		let last = -Infinity;
		const overtaken: Message[] = [];
		for (const message of this.unsettled) {
			if (message.number < last) overtaken.push(message);
			else last = message.number;
		}
		return overtaken.sort((a, b) => a.number - b.number).slice(0, MOST_OVERTAKEN);
	}

	/** Those first, and then the rest. */
	get inOrder(): ReadonlySet<Message> {
		const { overtaken } = this;
		return overtaken.length === 0 ? this.unsettled : new Set([...overtaken, ...this.unsettled]);
	}

	/** A dead letter that waits to be rejected once more. */
	rests(message: Message): boolean {
		return this.resting.has(message);
	}

	/** Hands a copy of each further event that is asked for to `onEvent`, until the answer is called. */
	tap(filter: EventFilter, onEvent: (event: DeliveredEvent) => void): () => void {
		const tap = { filter, onEvent };
		this.taps.add(tap);
		return () => this.taps.delete(tap);
	}

	add(message: Message): void {
		this.unsettled.add(message);
	}

	/** Reads one that was added, and hands it out. Whatever it holds, the connection stays. */
	take(message: Message): void {
		try {
			this.read(message);
		} catch (error) {
			const said = messageOf(error);
			this.options.logger.error(`Queue ${this.options.queue}: handling a message failed: ${said}`);
			message.event = undefined;
			this.unreadable.add({
				message,
				reason: `it could not be handled (${said})`,
				body: shownBody(message.delivery.body),
			});
		}
	}

	/** Somebody is here who may be told of what is unreadable. */
	lookForReaders(): void {
		this.unreadable.look();
	}

	/** It came, or another filter. Whoever else is there was offered them before. */
	offerAll(lane: Lane): void {
		for (const message of [...this.unsettled]) {
			this.handTo([lane], message);
			this.settleIfDone(message);
		}
	}

	/** Another connection was let in: those it serves may ask for these. */
	offerElsewhere(): void {
		for (const message of [...this.unsettled]) {
			this.offer(message);
			this.settleIfDone(message);
		}
	}

	/** Those that nobody has a share in that is open any more. */
	settleDone(): void {
		for (const message of [...this.unsettled]) this.settleIfDone(message);
	}

	/** The process may end now: what somebody here has handled must not run a second time in the next one. */
	releaseHandled(): void {
		const handled = [...this.unsettled].filter(
			(message) => message.isDone && this.isHandled(message) && !this.resting.has(message),
		);
		if (handled.length > 0) this.options.log.released(handled);
		for (const message of handled) this.settle(message);
	}

	/** By who has a share in it, or by a version of that which asked for more before it came again. */
	private isHandled({ hasShares, event }: Message): boolean {
		const { presence } = this.options;
		return hasShares || (event !== undefined && presence.absent.some((lane) => lane.isDoneWith(event)));
	}

	/** These go back one by one. */
	goBack(back: readonly Message[]): void {
		this.unreadable.clear();
		for (const message of back) {
			this.forget(message);
			this.resting.end(message);
		}
	}

	/** All are back on the queue. */
	clear(): void {
		this.unsettled.clear();
		this.spare.clear();
		this.unreadable.clear();
		this.resting.clear();
	}

	private read(message: Message): void {
		const decoded = decode(message.delivery.body);
		if ('unreadable' in decoded) {
			const { unreadable: reason, shown: body } = decoded;
			const reject = () => this.unreadable.add({ message, reason, body });
			if (!this.resting.restsFirst(message, reject)) reject();
			return;
		}
		message.event = {
			event: decoded.event,
			redelivered: message.delivery.redelivered,
			deliveredAt: message.receivedAt,
		};
		for (const tap of this.taps) if (isAskedFor(decoded.event, tap.filter)) tap.onEvent(message.event);
		this.offer(message);
		this.settleIfDone(message);
	}

	/** Hands a message to the lanes that ask for it and have no share in it yet. */
	private offer(message: Message): void {
		const { presence, laneOf, leftWith, lanes, servedElsewhere, openLanes, from } = this.options;
		const { event, owedTo } = message;
		if (!event) return;
		// Its workflow may have left meanwhile, and be expected no more: the end of its run decides all the same. One that was
		// only expected here, and let in elsewhere, has no part in it.
		const running = [...lanes()].filter((lane) => lane.runs(event.event));
		const left = leftWith(event.event.eventId);
		const owed = [...running, ...owedTo, ...left].filter((lane) => lane.wasLetIn(from.place));
		const elsewhere: Lane[] = [];
		for (const { subscription, proven, connected } of servedElsewhere()) {
			const lane = laneOf(subscription);
			// What runs there still is not missed: it joins. While n8n is ill, nothing is, also by one that could not be let in yet: it
			// waits for its own connection.
			const isKept = presence.knows(lane) || hostIsIll(openLanes());
			if (!proven && !isKept) continue;
			const runs = lane.runs(event.event) || lane.whereIs(event.event) === 'runs';
			if (connected || runs || isKept) elsewhere.push(lane);
			else if (lane.wants(event.event) && !message.hasShare(lane)) this.miss(message, lane, event);
		}
		// Who left for another queue may return only as long as it is not there.
		const absent = presence.absent.filter((lane) => !lane.isReached);
		this.handTo(new Set([...presence.here, ...absent, ...elsewhere, ...owed]), message);
	}

	private handTo(known: Iterable<Lane>, message: Message): void {
		const { attendTo, from, overtakes } = this.options;
		const { event } = message;
		if (!event) return;
		// One that did not return in time, while nobody was here, has let go of its part: it has it again where it returns after all.
		const isFree = (lane: Lane) =>
			!message.hasShare(lane) || (message.isOpenFor(lane) && lane.whereIs(event.event) === 'away');
		const lanes = [...known].filter((lane) => lane.wants(event.event) && isFree(lane));
		// Each has its share before the first may settle one.
		const shares = lanes.map((lane) =>
			message.share(
				lane,
				from,
				() => this.settleIfDone(message),
				() => overtakes(message, lane),
			),
		);
		for (const [index, lane] of lanes.entries()) {
			// What the one before did with it may have ended the watch over this one, which had nothing from here until now.
			attendTo(lane);
			lane.offer(event, shares[index]!);
		}
	}

	/** Its password may have been changed meanwhile: it is told, and gets nothing that it has not proven itself for. */
	private miss(message: Message, lane: Lane, delivered: DeliveredEvent): void {
		message.share(lane, this.options.from, () => {}).settle('remove');
		if (lane.isDoneWith(delivered)) return;
		this.options.notKept.report(lane, 'absent', [delivered.event]);
		lane.missed(delivered.event);
	}

	/** When the last share is settled, the message is; unless somebody may come and ask for it. */
	private settleIfDone(message: Message): void {
		const { presence, kept, starting } = this.options;
		const { event } = message;
		if (!event || !message.isDone || !this.unsettled.has(message) || this.resting.has(message)) return;
		// It came in while the last subscriber was leaving: nobody is here to say that it is not wanted.
		if (!message.hasShares && presence.here.length === 0) return;
		if (starting(message.hasShares)) {
			if (this.restsFirst(message)) return;
			this.spare.add(message);
			for (const released of kept.forNewcomers(this.sparable())) this.letGo(released);
			return;
		}
		this.letGo(message);
	}

	/** The oldest first. */
	private sparable(): Message[] {
		const unrested = [...this.spare].filter((each) => !this.resting.has(each));
		return unrested.sort((one, other) => one.number - other.number);
	}

	/** Nobody has an open share in it. Who was still on the way in when it came may be in by now, or never was. */
	private letGo(message: Message): void {
		const { laneOf, servedElsewhere } = this.options;
		const { event } = message;
		this.offer(message);
		if (!event || !message.isDone || !this.unsettled.has(message)) return;
		for (const { subscription, proven } of servedElsewhere()) {
			const lane = laneOf(subscription);
			if (!proven && lane.wants(event.event) && !message.hasShare(lane)) this.miss(message, lane, event);
		}
		if (this.restsFirst(message)) return;
		this.settle(message);
	}

	/** Also one that an absent lane has given up: it would give it up again at once. */
	private restsFirst(message: Message): boolean {
		return message.fate === 'reject' && this.resting.restsFirst(message, () => this.settleIfDone(message));
	}

	private settle(message: Message): void {
		const { logger, queue } = this.options;
		if (!message.hasShares) {
			const status = message.event?.event.status;
			logger.debug(`Queue ${queue}: nobody asks for this event, it is removed`, { status });
		}
		this.options.onGone(message);
		this.settleAs(message, message.fate);
	}

	private settleAs(message: Message, fate: Fate): void {
		this.forget(message);
		this.options.onSettled();
		message.delivery.settle(fate);
	}

	private forget(message: Message): void {
		this.unsettled.delete(message);
		this.spare.delete(message);
	}
}
