import { createHash } from 'node:crypto';
import type { StatusEvent } from '../model/event';
import type { Clock } from '../surroundings';
import type { Bounds } from './bounds';
import { decode } from './decode';
import type { Lane } from './lane';
import type { Message } from './message';
import { Multimap } from './multimap';
import type { QueueLook } from './session';

export interface GivenBackOptions {
	clock: Clock;
	bounds: Bounds;
	/** Asks the broker; undefined where nothing is read until {@link GivenBack.begins} is called. */
	look(): Promise<QueueLook | 'noAnswer' | undefined>;
	/** Bodies that are not remembered, since they are too many. */
	onTooMany(bodies: readonly Buffer[]): void;
	onMissing(missing: Missing): void;
}

/** What went back and does not come. */
export interface Missing {
	/** What each lane has not ended. */
	events: ReadonlyMap<Lane, readonly StatusEvent[]>;
	/** Those that are no events. */
	bodies: readonly Buffer[];
	why: 'queueGone' | 'dropped' | 'otherReader';
}

interface Returned {
	readonly key: string;
	readonly body: Buffer;
	/** Who had not ended it then, or came later; none for what is no event, or was kept for newcomers alone. */
	readonly lanes: Lane[];
	/** Another reader was there meanwhile, and may have it. */
	shared: boolean;
}

/** From the first sign that something does not come to the decision. */
const SURE_AFTER_MS = 5_000;
/** Between two looks at the queue while there is no sign. */
const LOOK_AGAIN_MS = 60_000;
/** Until a broker has found out that a connection is dead: two heartbeats, what is left of the one before, and time to spare. */
const FOUND_DEAD_MS = 120_000;

/**
 * What went back to the queue unsettled, with its body, until it is delivered again. A queue with a maximum length, a time
 * to live or a limit of deliveries may drop what comes back, one that deletes itself goes with its last reader, and nobody
 * is told.
 *
 * What comes back stands before all that was never delivered. So there are two signs that something does not come: a
 * message is delivered for the first time, or nothing waits on the queue any more. What runs here goes on; what has ended
 * is missed by nobody.
 */
export class GivenBack {
	private readonly byKey = new Multimap<string, Returned>();
	private readonly all = new Set<Returned>();
	private bytes = 0;
	/** Since when there has been such a sign; none from before this moment counts. */
	private signAt: number | undefined;
	/** Since when nothing waits. */
	private noneSince: number | undefined;
	private countsFrom = -Infinity;
	private queueGone = false;
	/** Counts what went back: a look from before tells nothing. */
	private times = 0;
	private cancelLook = () => {};

	constructor(private readonly options: GivenBackOptions) {}

	/**
	 * A channel is gone, with what it had delivered.
	 * @param lost without being closed: the broker may find that out later
	 * @param isKept for those that have not started yet, though nobody has a share in it that is open
	 */
	wentBack(
		messages: Iterable<Message>,
		lost: boolean,
		isKept: (message: Message) => boolean = () => false,
	): void {
		const open: Returned[] = [];
		for (const message of messages) {
			const { event, openLanes: lanes } = message;
			if (event && lanes.length === 0 && !isKept(message)) continue;
			const { body } = message.delivery;
			open.push({ key: keyOf(body), body, lanes, shared: false });
		}
		this.remember(open, this.options.clock.now() + (lost ? FOUND_DEAD_MS : 0));
	}

	/** Over the connection of another user it comes again: there it is waited for from now on. */
	passTo(heir: GivenBack): void {
		if (this.all.size === 0) return;
		heir.remember(this.all, this.countsFrom);
		this.clear();
	}

	/** @param countsFrom no sign counts before this moment */
	private remember(open: Iterable<Returned>, countsFrom: number): void {
		const { bounds } = this.options;
		const tooMany: Buffer[] = [];
		this.times += 1;
		// What was under way to the channel went back unseen, also of what came from an earlier one.
		this.signAt = undefined;
		this.noneSince = undefined;
		this.countsFrom = Math.max(this.countsFrom, countsFrom);
		for (const returned of open) {
			const { key, body } = returned;
			if (this.all.size >= bounds.givenBackEvents || this.bytes + body.length > bounds.givenBackBytes) {
				tooMany.push(body);
				continue;
			}
			this.all.add(returned);
			this.byKey.add(key, returned);
			this.bytes += body.length;
		}
		if (tooMany.length > 0) this.options.onTooMany(tooMany);
		this.begins();
	}

	/** Its host started it after something went back that was kept for such a one. */
	started(lane: Lane): void {
		for (const { body, lanes } of this.all) {
			const decoded = decode(body);
			if ('event' in decoded && lane.wants(decoded.event) && !lanes.includes(lane)) lanes.push(lane);
		}
	}

	/** The queue is read again. */
	begins(): void {
		const waitMs = Math.max(0, this.countsFrom - this.options.clock.now());
		this.lookIn(waitMs + SURE_AFTER_MS);
	}

	/** A message is delivered: one that is waited for, or the sign that others do not come. */
	came({ delivery: { body, redelivered, priority } }: Message): void {
		if (this.all.size === 0) return;
		this.queueGone = false;
		const now = this.options.clock.now();
		const [again] = this.byKey.all(keyOf(body));
		if (again) {
			this.forget(again);
			// Over a slow line, the others may be on their way still. And what was given out before a crash may not be marked.
			if (this.signAt !== undefined) this.signAt = now;
			if (this.noneSince !== undefined) this.noneSince = now;
			return;
		}
		// One with a priority may overtake what went back.
		if (redelivered || priority > 0 || this.signAt !== undefined) return;
		if (now < this.countsFrom) return;
		this.signAt = now;
		this.lookIn(SURE_AFTER_MS);
	}

	/** Bodies that have not come again, of what has to. */
	get unsettled(): Buffer[] {
		const settled = ({ lanes, body }: Returned) => {
			const decoded = decode(body);
			return 'event' in decoded && lanes.every((lane) => lane.whereIs(decoded.event) === 'here');
		};
		return [...this.all].filter((returned) => !settled(returned)).map(({ body }) => body);
	}

	/** Somebody else reads the queue at this moment, and may have got what went back. */
	othersRead(): void {
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

	private forget(returned: Returned): void {
		this.all.delete(returned);
		this.byKey.delete(returned.key, returned);
		this.bytes -= returned.body.length;
	}

	private lookIn(waitMs: number): void {
		this.cancelLook();
		if (this.all.size === 0) return;
		this.cancelLook = this.options.clock.after(waitMs, () => void this.look());
	}

	private async look(): Promise<void> {
		const { times } = this;
		const { bounds, clock } = this.options;
		const looked = await this.options.look();
		// Another look is on its way, for what went back meanwhile.
		if (times !== this.times) return;
		if (looked === undefined && !this.queueGone) return;
		const now = clock.now();
		const answered = typeof looked === 'object';
		if (answered && now >= this.countsFrom) {
			if (looked.otherReaders > 0) this.othersRead();
			this.noneSince = looked.ready === 0 ? (this.noneSince ?? now) : undefined;
		}
		const sure =
			now - (this.signAt ?? now) >= SURE_AFTER_MS || now - (this.noneSince ?? now) >= bounds.noneWaitsMs;
		if (answered ? sure : this.queueGone) this.conclude([...this.all]);
		const isSign = this.signAt !== undefined || this.noneSince !== undefined;
		this.lookIn(isSign && !sure ? SURE_AFTER_MS : LOOK_AGAIN_MS);
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
			const decoded = decode(returned.body);
			if (!('event' in decoded)) {
				this.forget(returned);
				bodies.push(returned.body);
				continue;
			}
			const { event } = decoded;
			// A run that fails would have to begin again with it.
			if (returned.lanes.some((lane) => lane.whereIs(event) === 'runs')) continue;
			this.forget(returned);
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
