import type { connect } from 'amqplib';
import { createBroker } from './broker/broker';
import { ACCOUNT, OTHER_ACCOUNT, QUEUE, type QueuePlan } from './history/history';
import { randomFrom } from './history/random';
import type { SimulationClock } from './clock';
import type { MessageRecord } from './ledger';

/** The broker as a history disturbs it and the laws look at it. */
export interface BrokerSide {
	connect: typeof connect;
	/** Puts a message on the queue. */
	send(event: number, body: Buffer): void;
	/** All of them, or those of one user, or to one virtual host. */
	loseConnections(username?: string, vhost?: string): void;
	loseChannels(): void;
	/** A quorum queue looks for a leader for so long; a classic one has none to lose. */
	changeLeader(forMs: number): void;
	/** All of it, or one virtual host. */
	goAway(vhost?: string): void;
	comeBack(vhost?: string): void;
	freeze(): void;
	thaw(): void;
	/** One direction of all links stands still; the broker itself does not. */
	freezeLinks(direction: 'toBroker' | 'toClient'): void;
	thawLinks(): void;
	readonly isEmpty: boolean;
	/** A limit of the queue has taken something off it. */
	readonly hasTaken: boolean;
	readonly connections: number;
	readonly mostUnsettled: number;
	readonly mostConsumersOfAChannel: number;
	/** Every message, with where it is now. */
	messages(): MessageRecord[];
}

export function brokerSide(
	seed: number,
	plan: QueuePlan,
	clock: SimulationClock,
	now: () => number,
): BrokerSide {
	const deliveries = new Map<number, { count: number; lastAt: number; returns: number }>();
	const shared = new Set<number>();
	let stillUntil = -Infinity;
	let sharedAt = -Infinity;
	// One that reads no longer gives back one by one what it still has.
	const readers = () => broker.connections.filter(({ takesPart }) => takesPart).length;
	let mostUnsettled = 0;
	let mostConsumersOfAChannel = 0;
	const broker = createBroker({
		clock,
		random: randomFrom(seed ^ 0xb40c).next,
		consumerTimeoutMs: plan.consumerTimeoutMs ?? null,
		...(plan.rabbit === undefined ? {} : { version: plan.rabbit }),
		...(plan.latencyMs === undefined ? {} : { latencyMs: plan.latencyMs }),
		delivered(message, returned = 0) {
			const { unsettled } = broker.depth(QUEUE);
			const { count, returns } = deliveries.get(message) ?? NEVER;
			deliveries.set(message, { count: count + 1, lastAt: now(), returns: Math.max(returns, returned) });
			if (readers() > 1) shared.add(message);
			mostUnsettled = Math.max(mostUnsettled, unsettled);
		},
		// The queue may find out later than its broker that a connection is gone, and gives the other one the rest at once.
		handedOut(message, consumers) {
			if (consumers > 1) sharedAt = now();
			if (sharedAt === now()) shared.add(message);
		},
		// What one of them had before the other came is held while both read, and comes back behind what that one was given; so
		// does what it gave back a moment before: the other one asked how much waits when that was not there yet.
		consumes(time) {
			mostConsumersOfAChannel = Math.max(mostConsumersOfAChannel, time);
			// A queue that stands still serves who was there before, and is gone by then, first.
			if (broker.connections.length < 2 && now() > stillUntil + 1_000) return;
			for (const { number } of broker.unsettled(QUEUE)) shared.add(number);
			for (const { number } of broker.contents(QUEUE)) if (deliveries.has(number)) shared.add(number);
		},
	});
	for (const { username, password } of [ACCOUNT, OTHER_ACCOUNT]) broker.setUser(username, password);
	broker.declare(QUEUE, {
		type: plan.type,
		...(plan.deliveryLimit === undefined ? {} : { deliveryLimit: plan.deliveryLimit }),
		...(plan.messageTtlMs === undefined ? {} : { messageTtlMs: plan.messageTtlMs }),
		...(plan.maxLength === undefined ? {} : { maxLength: plan.maxLength }),
		...(plan.deadLettersReturn ? { deadLetterQueue: QUEUE } : {}),
	});
	const sent = new Map<number, { event: number; sentAt: number }>();
	return {
		connect: broker.connect,
		send(event, body) {
			const number = broker.publish(QUEUE, body);
			sent.set(number, { event, sentAt: now() });
		},
		loseConnections(username) {
			for (const connection of broker.connections) {
				if (username === undefined || connection.user === username) connection.cut();
			}
		},
		loseChannels: () => broker.connections.forEach((connection) => connection.timeOutConsumers()),
		changeLeader: (forMs) => {
			if (plan.type !== 'quorum') return;
			stillUntil = Math.max(stillUntil, now() + forMs);
			broker.changeLeader(QUEUE, forMs);
		},
		goAway: () => broker.stop(),
		comeBack: () => broker.start(),
		freeze: () => broker.freeze(true),
		thaw: () => broker.freeze(false),
		freezeLinks: (direction) => broker.connections.forEach((connection) => connection.freeze(direction)),
		thawLinks: () => broker.connections.forEach((connection) => connection.thaw()),
		get isEmpty() {
			const { ready, unsettled } = broker.depth(QUEUE);
			return ready + unsettled === 0;
		},
		get hasTaken() {
			return broker.lost.some(({ reason }) => ['expired', 'delivery_limit', 'maxlen'].includes(reason));
		},
		get connections() {
			return broker.connections.length;
		},
		get mostUnsettled() {
			return mostUnsettled;
		},
		get mostConsumersOfAChannel() {
			return mostConsumersOfAChannel;
		},
		messages() {
			const there = new Set(
				[...broker.contents(QUEUE), ...broker.unsettled(QUEUE)].map(({ number }) => number),
			);
			const lost = new Map(broker.lost.map((each) => [each.message.number, each]));
			return [...sent].map(([number, { event, sentAt }]): MessageRecord => {
				const gone = lost.get(number);
				const { count, lastAt, returns } = deliveries.get(number) ?? { ...NEVER, lastAt: sentAt };
				return {
					event,
					sentAt,
					deliveries: count,
					returns,
					shared: shared.has(number),
					fate: there.has(number) ? 'onTheQueue' : gone ? FATES[gone.reason] : 'removed',
					at: there.has(number) ? now() : gone ? gone.at - (clock.now() - now()) : lastAt,
				};
			});
		},
	};
}

const NEVER = { count: 0, returns: 0 };

const FATES = {
	rejected: 'rejected',
	expired: 'expired',
	delivery_limit: 'dropped',
	maxlen: 'overflowed',
	purged: 'dropped',
	deleted: 'dropped',
	restarted: 'dropped',
	unroutable: 'dropped',
} as const;
