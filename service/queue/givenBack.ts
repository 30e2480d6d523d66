import { createHash } from 'node:crypto';
import type { StatusEvent } from '../model/event';
import type { Clock } from '../surroundings';
import type { Bounds } from './bounds';
import { decode } from './decode';
import type { Delivery } from './delivery';
import { orderKeyOf } from './entry';
import type { Lane } from './lane';
import type { Message } from './message';
import { Multimap } from './multimap';
import type { QueueLook } from './queueLook';
import { Signs } from './signs';

interface GivenBackOptions {
	clock: Clock;
	bounds: Bounds;
	/** Asks the broker; undefined where nothing is read until {@link GivenBack.begins} is called. */
	look(): Promise<QueueLook | 'noAnswer' | undefined>;
	/** Bodies that may be gone unseen: too many to be remembered, or some of them are on the queue no longer. */
	onUnsure(bodies: readonly Buffer[]): void;
	onMissing(missing: Missing): void;
	/** The same, of each event, whoever asks for it. @param lanes are told of it, or have it */
	onMissed(event: StatusEvent, bytes: number, lanes: readonly Lane[], why: Missing['why']): void;
}

/** What went back and does not come. */
export interface Missing {
	/** What each lane has not ended. */
	events: ReadonlyMap<Lane, readonly StatusEvent[]>;
	/** Those that are no events. */
	bodies: readonly Buffer[];
	why: 'queueGone' | 'dropped' | 'otherReader';
}

/** One that is waited for came. */
interface Came {
	/** That it had when it went back, where that tells its place among the others. */
	number: number | undefined;
	/** Of an event. */
	eventId: string | undefined;
	/** Those that had not ended it then. */
	lanes: readonly Lane[];
}

interface Returned {
	readonly key: string;
	/** {@link Message.number} */
	readonly number: number;
	/** Of an event. */
	readonly eventId: string | undefined;
	readonly orderKey: string | undefined;
	/** Undefined where all of them were too large to be kept: then the log has it, and its place alone is known. */
	readonly body: Buffer | undefined;
	readonly priority: number;
	/** Who had not ended it then, or came later; none for what is no event, or was kept for newcomers alone. */
	readonly lanes: Lane[];
	/** It went back by itself: a quorum queue without a limit of deliveries puts that behind all that waits (RabbitMQ 3.10). */
	readonly isLast: boolean;
	/** Another reader was there meanwhile, and may have it. */
	shared: boolean;
}

/** From the first sign that something does not come until it is taken for gone; and between two looks while a broker may not know yet. */
const SURE_AFTER_MS = 5_000;
/** Between two looks at the queue while there is no sign. */
const LOOK_AGAIN_MS = 60_000;
/** Until a broker has found out that a connection is dead: two heartbeats, what is left of the one before, and time to spare. */
export const FOUND_DEAD_MS = 120_000;

/**
 * What went back to the queue unsettled, with its body, until it is delivered again. A queue with a maximum length, a time
 * to live or a limit of deliveries may drop what comes back, one that deletes itself goes with its last reader, and nobody
 * is told.
 *
 * When there are {@link Signs} that something does not come, it is missed. What runs here goes on; what has ended is missed
 * by nobody.
 */
export class GivenBack {
	private readonly byKey = new Multimap<string, Returned>();
	private readonly byOrderKey = new Multimap<string, Returned>();
	private readonly all = new Set<Returned>();
	private bytes = 0;
	/** The place of all that went back is remembered: which of them comes first is known. */
	private isWhole = true;
	private readonly signs: Signs;
	private queueGone = false;
	/** When one looked last, somebody else read the queue too. */
	private isShared = false;
	/** Counts what went back: a look from before tells nothing. */
	private times = 0;
	/**
	 * What goes back by itself comes in its place, as from a queue with a limit: it may have been dropped, and then its set must
	 * not be held up by it, since that would be delivered too often, too. Undefined while nothing has shown it.
	 */
	private keepsPlaces: boolean | undefined;
	/** When one looked last, fewer waited on the queue than went back. */
	private fewerWaited = false;
	/** Since something went back last, one came for the first time. */
	private newerSince = false;
	private cancelLook = () => {};

	constructor(private readonly options: GivenBackOptions) {
		this.signs = new Signs(SURE_AFTER_MS, options.bounds.noneWaitsMs);
	}

	/**
	 * A channel is gone, with what it had delivered.
	 * @param lost without being closed: the broker may find that out later
	 * @param oneByOne those that went back by themselves
	 * @param isKept for those that have not started yet, though nobody has a share in it that is open
	 */
	wentBack(
		messages: Iterable<Message>,
		lost: boolean,
		oneByOne: ReadonlySet<Delivery> = new Set(),
		isKept: (message: Message) => boolean = () => false,
	): void {
		const open: Returned[] = [];
		// Another queue may have its name by then.
		if (lost) this.keepsPlaces = undefined;
		for (const message of messages) {
			const { event, openLanes: lanes } = message;
			if (event && lanes.length === 0 && !isKept(message)) continue;
			const { body, priority } = message.delivery;
			open.push({
				key: keyOf(body),
				number: message.number,
				eventId: event?.event.eventId,
				orderKey: event && orderKeyOf(event.event),
				...{ body, priority, lanes },
				isLast: oneByOne.has(message.delivery),
				shared: this.isShared,
			});
		}
		this.remember(open, this.options.clock.now() + (lost ? FOUND_DEAD_MS : 0));
	}

	/** Over the connection of another user it comes again, or came already: there it is waited for from now on. */
	passTo(heir: GivenBack): void {
		if (this.all.size === 0) return;
		heir.remember(
			[...this.all].filter((returned) => returned.lanes.length === 0 || !haveAll(returned)),
			this.signs.notBefore,
		);
		if (!this.isWhole) heir.isWhole = false;
		this.clear();
	}

	/** @param countsFrom no sign counts before this moment */
	private remember(open: Iterable<Returned>, countsFrom: number): void {
		const { bounds } = this.options;
		const tooMany: Buffer[] = [];
		this.times += 1;
		this.newerSince = false;
		this.fewerWaited = false;
		this.signs.beginAnew(countsFrom);
		if (this.all.size === 0) this.isWhole = true;
		for (const returned of open) {
			const { body } = returned;
			if (this.all.size >= bounds.givenBackEvents) {
				this.isWhole = false;
				if (body) tooMany.push(body);
			} else if (body && this.bytes + body.length > bounds.givenBackBytes) {
				tooMany.push(body);
				this.add({ ...returned, body: undefined });
			} else this.add(returned);
		}
		if (tooMany.length > 0) this.options.onUnsure(tooMany);
		this.begins();
	}

	private add(returned: Returned): void {
		const { key, orderKey, body } = returned;
		this.all.add(returned);
		this.byKey.add(key, returned);
		if (orderKey !== undefined) this.byOrderKey.add(orderKey, returned);
		this.bytes += body?.length ?? 0;
	}

	/** Its host started it after something went back that was kept for such a one. */
	started(lane: Lane): void {
		for (const { body, lanes } of this.all) {
			const decoded = body && decode(body);
			if (!decoded || !('event' in decoded) || !lane.wants(decoded.event) || lanes.includes(lane)) continue;
			// It may have come from the connection of another user, and have ended there.
			if (lane.whereIs(decoded.event) !== 'here') lanes.push(lane);
		}
	}

	/** The queue is read again. */
	begins(): void {
		this.lookIn(SURE_AFTER_MS);
	}

	/**
	 * A message is delivered: one that is waited for, or the sign that others do not come.
	 * @returns the first, where it is one
	 */
	came({ body, redelivered, priority }: Delivery): Came | undefined {
		if (this.all.size === 0) return undefined;
		this.queueGone = false;
		// Also unmarked: what was given out right before a crash may be.
		const again = this.takeUp(body);
		if (again) return { number: this.placeOf(again), eventId: again.eventId, lanes: again.lanes };
		// One with a higher priority may overtake what went back.
		if (redelivered || priority > this.lowestPriority) return undefined;
		this.newerSince = true;
		if (this.signs.newerCame(this.options.clock.now())) this.lookIn(SURE_AFTER_MS);
		return undefined;
	}

	/**
	 * How many of what comes next may run at once: each of another set, or in one batch, which may hold several of a set. A
	 * queue that counts gives out what went back in the order in which it did.
	 * @param messages go back now
	 * @param most also where no more than that is known
	 */
	apart(messages: Iterable<Message>, most: number): number {
		const next = [...this.comesNext(messages)];
		const running = next.filter(({ runs }) => runs);
		const busy = new Set(running.map(({ orderKey }) => orderKey));
		const batchRuns = running.some(({ alone }) => !alone);
		const gathered = new Set<string>();
		let count = 0;
		for (const { orderKey, runs, alone } of next) {
			const waits = !runs && (busy.has(orderKey) || (alone ? gathered.has(orderKey) : batchRuns));
			if (count === most || waits) return Math.max(1, count);
			(alone ? busy : gathered).add(orderKey);
			count += 1;
		}
		return most;
	}

	private *comesNext(messages: Iterable<Message>) {
		for (const returned of this.all) {
			const { eventId, orderKey = returned.key, lanes } = returned;
			if (haveAll(returned)) continue;
			const alone = eventId === undefined || lanes.some((lane) => lane.runsAlone({ eventId }));
			yield { orderKey, runs: isRun(returned), alone };
		}
		for (const { event, openLanes } of messages) {
			if (!event || openLanes.length === 0) continue;
			const runs = openLanes.some((lane) => lane.runs(event.event));
			const alone = openLanes.some((lane) => lane.runsAlone(event.event));
			yield { orderKey: orderKeyOf(event.event), runs, alone };
		}
	}

	/** An earlier event of its set went back, has not come again, and has not ended for this lane. */
	isOvertakenBy({ number, event }: Message, lane: Lane): boolean {
		if (!this.isWhole || !event) return false;
		for (const returned of this.byOrderKey.all(orderKeyOf(event.event))) {
			if (returned.number < number && returned.lanes.includes(lane) && !isHere(returned, lane)) return true;
		}
		return false;
	}

	/** Something went back that this one has not ended, and has not come again. */
	isAwaitedBy(lane: Lane): boolean {
		for (const returned of this.all)
			if (returned.lanes.includes(lane) && !isHere(returned, lane)) return true;
		return false;
	}

	/** It is delivered over the connection of another user of this process, which offers it to all that ask for it. */
	cameElsewhere({ body }: Delivery): number | undefined {
		const again = this.all.size === 0 ? undefined : this.takeUp(body);
		return again && this.placeOf(again);
	}

	/** One of that content is not waited for any more. */
	private takeUp(body: Buffer): Returned | undefined {
		let again: Returned | undefined;
		// Of several messages of one content, whichever comes first takes the first place.
		for (const returned of this.byKey.all(keyOf(body))) {
			if (!again || returned.number < again.number) again = returned;
		}
		if (!again) return undefined;
		this.forget(again);
		this.learnPlace(again);
		this.signs.oneCame(this.options.clock.now());
		return again;
	}

	/** One that went back by itself came: behind what was never delivered, or before what went back with its channel. */
	private learnPlace({ isLast, shared, key }: Returned): void {
		// One of the same body may have come in its stead.
		if (!isLast || shared || [...this.byKey.all(key)].length > 0) return;
		if (this.newerSince) this.keepsPlaces = false;
		// What a dead connection has, or another reader, is not on the queue.
		else if (this.options.clock.now() >= this.signs.notBefore && this.othersStandApart)
			this.keepsPlaces ??= true;
	}

	private get othersStandApart(): boolean {
		for (const { isLast, shared } of this.all) if (!isLast && !shared) return true;
		return false;
	}

	private placeOf({ number }: Returned): number | undefined {
		return this.isWhole ? number : undefined;
	}

	get count(): number {
		return this.all.size;
	}

	/** Bodies that have not come again, of what has to. */
	get unsettled(): Buffer[] {
		return [...this.all].flatMap((returned) => (returned.body && !haveAll(returned) ? [returned.body] : []));
	}

	/**
	 * Somebody else reads the queue at this moment, and may have got what went back. It may also get what goes back next,
	 * and be gone before one can look, where a broker that restarts throws out both: so it is looked after.
	 */
	othersRead(): void {
		this.isShared = true;
		for (const returned of this.all) returned.shared = true;
	}

	/** The broker knows no such queue any more, and what was on it is gone with it. */
	queueIsGone(): void {
		this.queueGone = true;
		this.conclude([...this.all]);
		this.lookIn(LOOK_AGAIN_MS);
	}

	/** Nobody is here to be told, or another process has had the queue meanwhile. */
	clear(): void {
		this.times += 1;
		this.cancelLook();
		for (const returned of this.all) this.forget(returned);
	}

	/** Of what is waited for. */
	private get lowestPriority(): number {
		let lowest = Infinity;
		for (const { priority } of this.all) {
			if (priority < lowest) lowest = priority;
			if (lowest === 0) break;
		}
		return lowest;
	}

	private forget(returned: Returned): void {
		this.all.delete(returned);
		this.byKey.delete(returned.key, returned);
		if (returned.orderKey !== undefined) this.byOrderKey.delete(returned.orderKey, returned);
		this.bytes -= returned.body?.length ?? 0;
	}

	private lookIn(waitMs: number): void {
		this.cancelLook();
		if (this.all.size === 0 && !this.isShared) return;
		this.cancelLook = this.options.clock.after(waitMs, () => void this.look());
	}

	private async look(): Promise<void> {
		const { times } = this;
		const { clock } = this.options;
		const looked = await this.options.look();
		// Another look is on its way, for what went back meanwhile.
		if (times !== this.times) return;
		if (looked === undefined && !this.queueGone) return;
		const now = clock.now();
		const answered = typeof looked === 'object';
		if (answered) {
			if (looked.otherReaders === 0) this.isShared = false;
			// Also before any sign counts: a leader that steps down may read for a moment, and be gone by then.
			else this.othersRead();
			this.signs.looked(looked.ready, now);
			this.compare(looked, now);
		}
		const sure = this.signs.areSure(now);
		const noneWaits = this.queueGone || this.signs.noneIsSure(now);
		if (answered ? sure : this.queueGone)
			this.conclude([...this.all].filter(({ isLast }) => noneWaits || !isLast || this.keepsPlaces));
		const isSoon = (this.signs.any && !sure) || (this.all.size > 0 && now < this.signs.notBefore);
		this.lookIn(isSoon ? SURE_AFTER_MS : LOOK_AGAIN_MS);
	}

	/**
	 * Some are gone, and nobody can say which before the others come. A queue that is left alone for hours brings none, and this
	 * process may have ended by then.
	 */
	private compare({ ready, otherReaders }: QueueLook, now: number): void {
		const fewerWait = otherReaders === 0 && now >= this.signs.notBefore && ready < this.all.size;
		// At the first look they may be under way to here.
		if (fewerWait && this.fewerWaited) this.options.onUnsure(this.unsettled);
		this.fewerWaited = fewerWait;
	}

	private conclude(missing: readonly Returned[]): void {
		const shared = missing.filter((returned) => returned.shared);
		const others = missing.filter((returned) => !returned.shared);
		this.tell(shared, this.queueGone ? 'queueGone' : 'otherReader');
		this.tell(others, this.queueGone ? 'queueGone' : 'dropped');
	}

	private tell(missing: readonly Returned[], why: Missing['why']): void {
		const events = new Map<Lane, StatusEvent[]>();
		const bodies: Buffer[] = [];
		for (const returned of missing) {
			const { body } = returned;
			if (!body) {
				this.forget(returned);
				continue;
			}
			const decoded = decode(body);
			if (!('event' in decoded)) {
				this.forget(returned);
				bodies.push(body);
				continue;
			}
			const { event } = decoded;
			// A run that fails would have to begin again with it.
			if (returned.lanes.some((lane) => lane.whereIs(event) === 'runs')) continue;
			this.forget(returned);
			this.options.onMissed(event, body.length, returned.lanes, why);
			for (const lane of returned.lanes) {
				if (!lane.wants(event) || lane.whereIs(event) !== 'away') continue;
				const own = events.get(lane);
				if (own) own.push(event);
				else events.set(lane, [event]);
			}
		}
		if (events.size > 0 || bodies.length > 0) this.options.onMissing({ events, bodies, why });
	}
}

const keyOf = (body: Buffer) => createHash('sha256').update(body).digest('base64');

/** It is here again for this one, or has ended. */
const isHere = ({ eventId }: Returned, lane: Lane) =>
	eventId !== undefined && lane.whereIs({ eventId }) === 'here';

/** Its run goes on, and is joined by what comes. */
const isRun = ({ eventId, lanes }: Returned) =>
	eventId !== undefined && lanes.some((lane) => lane.whereIs({ eventId }) === 'runs');

/** So for each of them: forgotten later, that would be missed. */
const haveAll = (returned: Returned) =>
	returned.eventId !== undefined && returned.lanes.every((lane) => isHere(returned, lane));
