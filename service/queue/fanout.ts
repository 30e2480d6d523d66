import type { Clock, Logger } from '../surroundings';
import { Accounts } from './accounts';
import type { QueueAddress } from './address';
import { decode } from './decode';
import { passes, type EventFilter } from './filter';
import { Lane } from './lane';
import type { OpenLink } from './link';
import { Quiet } from './quiet';
import { Repeats } from './repeats';
import { Session, type Delivery } from './session';
import type { DeliveredEvent, Subscription } from './subscription';
import type { Decision } from './verdict';

/** A trigger that is published again leaves before its next version joins: its events wait this long. */
const RETURN_MS = 10_000;

/** Messages in flight beyond what the subscribers run, so that a slow one does not starve a fast one at once. */
const SPARE_PREFETCH = 20;

export interface FanoutOptions {
	/** {@link sessionKey} of its subscribers. */
	key: string;
	queue: string;
	openLink: OpenLink;
	clock: Clock;
	logger: Logger;
	/** What each subscriber remembers; kept by the caller, for longer than this fanout lives. */
	repeatsOf(key: string): Repeats;
	/** The credential of a subscriber was edited and names another broker, virtual host or user. */
	onMoved(subscription: Subscription, newKey: string): void;
	/** The last subscriber left and nothing is in flight any more. */
	onEmpty(): void;
}

/**
 * One queue in this process: one session, and a lane for each subscriber.
 *
 * A message comes in → it is decoded once → every lane that asks for such an event takes it → when the last of them has
 * settled its share, the message is settled: given back if one must see it again, rejected if one gave up, else removed.
 * A message nobody asks for is removed, an unreadable one is reported to every subscriber and rejected.
 */
export class Fanout {
	private readonly lanes = new Map<string, Lane>();
	/** Lanes whose subscriber left a moment ago and may return, each with the end of that wait. */
	private readonly awaited = new Map<Lane, () => void>();
	private readonly taps = new Set<{ filter: EventFilter; onEvent(event: DeliveredEvent): void }>();
	private session: Session;
	private quiet: Quiet;
	private inFlight = 0;
	private readonly accounts: Accounts;

	constructor(private readonly options: FanoutOptions) {
		this.accounts = new Accounts(options);
		this.session = this.newSession();
		this.quiet = this.newQuiet();
	}

	get listening(): boolean {
		return this.session.listening;
	}

	/**
	 * A subscriber joins, or its next version takes its place.
	 * @param patient the host is starting: wait longer for the others before consuming
	 */
	join(subscription: Subscription, patient: boolean): void {
		const { clock, logger, repeatsOf } = this.options;
		const known = this.lanes.get(subscription.key);
		if (known) {
			this.awaited.get(known)?.();
			this.awaited.delete(known);
			known.attach(subscription);
		} else {
			this.lanes.set(subscription.key, new Lane(subscription, repeatsOf(subscription.key), clock, logger));
		}
		// Where all left, they may return one by one: what the others would want waits for them.
		for (const lane of this.awaited.keys()) lane.detach('keep');
		if (this.quiet.over) void this.session.refresh();
		else this.quiet.joined(patient);
	}

	/** True when the broker was convinced in another way: whoever comes with this one must prove it. */
	mustProve(address: QueueAddress): boolean {
		return this.accounts.mustProve(address);
	}

	/** Resolves when events flow; rejects with the first reason why they cannot, while it goes on being tried. */
	untilListening(): Promise<void> {
		return this.session.untilListening();
	}

	/** A subscriber leaves. Resolves when no further event can start a run of it. */
	async leave(subscription: Subscription): Promise<void> {
		const lane = this.lanes.get(subscription.key);
		// Its next version may have taken its place already.
		if (!lane?.attached || lane.subscription !== subscription) return;
		lane.detach('keep');
		this.awaitReturn(lane);
		if (this.attached.length > 0) return;
		this.quiet.cancel();
		await this.session.stopConsuming();
		if (this.attached.length > 0) return;
		for (const each of this.lanes.values()) each.detach('giveBack');
		this.closeWhenEmpty();
	}

	/** Hands a copy of each further event that passes to `onEvent`, until the answer is called. */
	tap(filter: EventFilter, onEvent: (event: DeliveredEvent) => void): () => void {
		const tap = { filter, onEvent };
		this.taps.add(tap);
		return () => this.taps.delete(tap);
	}

	private get attached(): Lane[] {
		return [...this.lanes.values()].filter((lane) => lane.attached);
	}

	private receive(delivery: Delivery): void {
		const { clock, logger, queue } = this.options;
		const present = [...this.lanes.values()].filter((lane) => lane.attached || lane.waitsForReturn);
		// It came in while the last subscriber was leaving: nobody is here to say that it is not wanted.
		if (present.length === 0) return delivery.settle('giveBack');
		const decoded = decode(delivery.body);
		if ('unreadable' in decoded) {
			for (const { subscription } of present) {
				subscription.report({ kind: 'unreadable', reason: decoded.unreadable, body: decoded.shown });
			}
			return delivery.settle('reject');
		}
		const { event } = decoded;
		const delivered = { event, redelivered: delivery.redelivered, deliveredAt: clock.now() };
		for (const tap of this.taps) if (passes(event, tap.filter)) tap.onEvent(delivered);
		const interested = present.filter((lane) => lane.wants(event));
		if (interested.length === 0) {
			logger.debug(`Queue ${queue}: nobody asks for this event, it is removed`, { status: event.status });
			return delivery.settle('remove');
		}
		this.share(delivery, delivered, interested);
	}

	/** Hands one message to its lanes and settles it when the last of them has decided. */
	private share(delivery: Delivery, delivered: DeliveredEvent, lanes: readonly Lane[]): void {
		const decisions: Decision[] = [];
		this.inFlight += 1;
		for (const lane of lanes) {
			lane.offer(delivered, (decision) => {
				decisions.push(decision);
				if (decisions.length < lanes.length) return;
				if (decisions.includes('giveBack')) delivery.settle('giveBack');
				else delivery.settle(decisions.includes('gaveUp') ? 'reject' : 'remove');
				this.inFlight -= 1;
				this.closeWhenEmpty();
			});
		}
	}

	private awaitReturn(lane: Lane): void {
		const endWait = this.options.clock.after(RETURN_MS, () => this.dismiss(lane));
		this.awaited.set(lane, endWait);
	}

	/** A subscriber did not return: its share in what waited for it is settled, for the others' sake. */
	private dismiss(lane: Lane): void {
		const others = this.attached.length > 0;
		lane.detach(others ? 'done' : 'giveBack');
		// Who returns while earlier runs go on must find them, or would run beside and before them.
		if (lane.jobsThat('running').length > 0) return this.awaitReturn(lane);
		this.awaited.delete(lane);
		this.lanes.delete(lane.subscription.key);
		if (others) void this.session.refresh();
		else this.closeWhenEmpty();
	}

	/** Without subscribers there is no connection; who left a moment ago is remembered a little longer. */
	private closeWhenEmpty(): void {
		if (this.inFlight > 0 || this.attached.length > 0) return;
		void this.session.close();
		this.session = this.newSession();
		this.quiet = this.newQuiet();
		if (this.awaited.size === 0) this.options.onEmpty();
	}

	private newQuiet(): Quiet {
		return new Quiet(this.options.clock, () => this.session.start());
	}

	private newSession(): Session {
		const { queue, openLink, clock, logger } = this.options;
		return new Session({
			queue,
			openLink,
			title: `Queue ${queue}`,
			clock,
			logger,
			readAddress: () => this.accounts.read(this.attached.map(({ subscription }) => subscription)),
			prefetch: () => this.prefetch(),
			onAccepted: (address) => this.admit(address),
			onDelivery: (delivery) => this.receive(delivery),
			onLost: () => this.lanes.forEach((lane) => lane.dropWaiting()),
			onOutage: (error) =>
				this.attached.forEach(({ subscription }) => subscription.report({ kind: 'outage', error })),
		});
	}

	private prefetch(): number {
		const demand = [...this.lanes.values()].reduce((sum, { subscription: { options } }) => {
			return sum + options.parallelRuns * options.batchSize;
		}, 0);
		// The protocol counts in 16 bits.
		return Math.min(2 * demand + SPARE_PREFETCH, 65_535);
	}

	/** The account was accepted: whoever came with another password must prove it before an event reaches it. */
	private admit(address: QueueAddress): void {
		const subscriptions = this.attached.map(({ subscription }) => subscription);
		for (const subscription of this.accounts.accept(address, subscriptions)) {
			void this.leave(subscription);
			subscription.onRefused();
		}
	}
}
