import { ServiceError } from '../errors';
import { pause, systemClock, type Clock, type Logger } from '../surroundings';
import { placeOf, sessionKey } from './address';
import { Aliases } from './aliases';
import { BOUNDS, type Bounds } from './bounds';
import type { Hub, QueueAddress, Subscription } from './contract';
import { Fanout } from './fanout';
import { Lanes } from './lanes';
import { openLink, type OpenLink } from './link';
import { Noted } from './noted';
import { Singles } from './pace';
import { isVersionOf, LeftLately, Start } from './presence';
import { tryLogin } from './peek';
import { brokerError, needsPerson } from './refusal';
import { Told } from './told';

const PLACE = Symbol.for('n8n-nodes-parcel-document-exchange/hub/1');

/** The hub of this process, also for code of this package that was loaded a second time (an update does that). */
export function hubOfProcess(logger: Logger): Hub {
	const places = globalThis as { [PLACE]?: Hub };
	return (places[PLACE] ??= createHub(logger, systemClock));
}

/** A subscriber between its coming and its leaving. */
interface Member {
	subscription: Subscription;
	patient: boolean;
	/** {@link placeOf} its queue, once its credential was read. */
	place?: string;
	/** Where it is let in; undefined while it is not. */
	home?: Fanout;
	left: AbortController;
}

/** A hub of its own, for tests; everybody else takes {@link hubOfProcess}. */
export function createHub(
	logger: Logger,
	clock: Clock,
	open: OpenLink = openLink,
	bounds: Bounds = BOUNDS,
): Hub {
	const fanouts = new Map<string, Fanout>();
	const members = new Set<Member>();
	const lanes = new Lanes({ clock, logger, bounds });
	const told = new Told(clock, bounds);
	const noted = new Noted();
	const aliases = new Aliases();
	const singles = new Map<string, Singles>();
	const leftLately = new LeftLately(clock, bounds);
	const start = new Start(clock, bounds, () => {
		for (const fanout of fanouts.values()) fanout.startGoesOn();
	});

	const hasVersionHere = (one: Subscription) =>
		[...members].some(({ subscription }) => isVersionOf(one, subscription));

	/** Subscribers of the same queue that another connection serves: the broker gives each event to one of the two. */
	const servedElsewhere = (fanout: Fanout) =>
		[...members].flatMap(({ subscription, home }) =>
			home && home !== fanout && home.place === fanout.place
				? [{ subscription, proven: home.proven, connected: home.connected }]
				: [],
		);

	/** Other connections for the same queue, each of another user. */
	const sameQueue = (fanout: Fanout) =>
		[...fanouts.values()].filter((each) => each !== fanout && each.place === fanout.place);

	/** Those too that everybody has left: the host may have got another name, and what went back there comes here. */
	const mayBeSameQueue = (fanout: Fanout) =>
		[...fanouts.values()].filter(
			(each) =>
				each !== fanout && each.queue === fanout.queue && (each.place === fanout.place || !each.isAttended),
		);

	/** Nobody is here, and nobody is waited for: who comes next comes as to a new process. */
	const endIfDeserted = () => {
		if (fanouts.size === 0 && members.size === 0) start.end();
	};

	const fanoutOf = (key: string, place: string, queue: string) => {
		const known = fanouts.get(key);
		if (known) return known;
		const fanout: Fanout = new Fanout({
			key,
			place,
			queue,
			openLink: open,
			clock,
			logger,
			bounds,
			laneOf: (subscription) => lanes.of(subscription),
			leftWith: (eventId) => lanes.leftWith(queue, place, eventId),
			openLanes: () => lanes.open,
			servedElsewhere: () => servedElsewhere(fanout),
			lookElsewhere: async () =>
				await sameQueue(fanout)
					.find(({ listening }) => listening)
					?.lookAtQueue(),
			passOn: (givenBack) =>
				sameQueue(fanout)
					.find(({ isAttended }) => isAttended)
					?.takeOver(givenBack),
			onConsuming: () => {
				for (const each of sameQueue(fanout)) each.isReadElsewhere();
			},
			onReceived: (delivery) =>
				mayBeSameQueue(fanout).reduce<number | undefined>((number, each) => {
					const again = each.cameElsewhere(delivery);
					// Who sends the same to two queues does not mark it.
					if (again !== undefined && delivery.redelivered) areOneQueue(each, fanout);
					return again ?? number;
				}, undefined),
			isAwaitedElsewhere: (message, lane) => {
				// Asked of each event that may be run next, where hundreds of queues may be read.
				for (const each of fanouts.values())
					if (each.queue === queue && !each.isAttended && each.awaitsBefore(message, lane)) return true;
				return false;
			},
			told,
			noted,
			singlesOf: (kind) => {
				const own = singles.get(`${kind} ${place}`) ?? new Singles(clock);
				singles.set(`${kind} ${place}`, own);
				return own;
			},
			starting: (handled) => start.keeps(handled),
			onUnproven: (subscriptions) => {
				const unproven = [...members].filter(
					(each) => each.home === fanout && subscriptions.includes(each.subscription),
				);
				// None of them has a home before the first is offered what another connection holds.
				for (const member of unproven) {
					member.home = undefined;
					// It is here already, and has missed nothing that another process may have had.
					member.patient = false;
				}
				for (const member of unproven) {
					for (const each of new Set([fanout, ...mayBeItsQueue(member)])) each.expect(member.subscription);
					void admitUntilDone(member);
				}
			},
			onLetIn: (subscription) => {
				for (const each of fanouts.values()) {
					if (each.place !== place && each.queue === queue && each.attendsTo(subscription))
						each.isElsewhere(subscription, aliases.areOne(each.place, place));
				}
			},
			onEmpty: () => {
				if (fanouts.get(key) !== fanout) return;
				fanouts.delete(key);
				endIfDeserted();
			},
		});
		fanouts.set(key, fanout);
		for (const member of members) {
			if (!member.home && mayRead(member, fanout)) fanout.expect(member.subscription);
		}
		for (const subscription of leftLately.to(queue)) fanout.mayReturn(subscription);
		return fanout;
	};

	/** Somebody comes where nobody has read since those left: their three minutes begin now. */
	const expectUnfinished = (fanout: Fanout) => {
		if (!fanout.isDeserted) return;
		for (const subscription of lanes.leftUnfinished(fanout.queue, fanout.place))
			if (!hasVersionHere(subscription)) fanout.mayReturn(subscription);
	};

	/** Before its credential was read, nobody knows where the queue is that has this name. */
	const mayRead = ({ subscription, place }: Member, fanout: Fanout) =>
		fanout.queue === subscription.queue && aliases.areOne(place ?? fanout.place, fanout.place);

	const mayBeItsQueue = (member: Member) => [...fanouts.values()].filter((fanout) => mayRead(member, fanout));

	const expectWhereItMayRead = (member: Member) => {
		for (const fanout of mayBeItsQueue(member)) fanout.expect(member.subscription);
	};

	/** What is removed under the one name is gone for who is to be let in under the other. */
	const areOneQueue = (one: Fanout, other: Fanout) => {
		if (!aliases.learn(one.place, other.place)) return;
		for (const member of members) if (!member.home) expectWhereItMayRead(member);
	};

	/** Those that may be its queue, and that it has been moved away from. */
	const reachedBy = (member: Member) =>
		[...fanouts.values()].filter((fanout) => mayRead(member, fanout) || fanout.knows(member.subscription));

	/** A queue of the same name may be another company's: nothing of that is kept for it any longer. */
	const standsAt = (member: Member, place: string) => {
		const wrong = mayBeItsQueue(member).filter((fanout) => !aliases.areOne(fanout.place, place));
		member.place = place;
		for (const fanout of wrong) fanout.isElsewhere(member.subscription, false);
		expectWhereItMayRead(member);
	};

	const admit = async (member: Member) => {
		const { subscription } = member;
		const address = await subscription.readAddress();
		const key = sessionKey(address, subscription.queue);
		const place = placeOf(address, subscription.queue);
		if (member.left.signal.aborted) return;
		if (member.place !== place) standsAt(member, place);
		// Sharing a connection must not spare anybody the login, nor may what another one has delivered.
		const moves = reachedBy(member).some((fanout) => fanout.key !== key);
		if (moves || fanouts.get(key)?.mustProve(address)) await tryLogin(address, clock, logger, open);
		if (member.left.signal.aborted) return;
		member.home = fanoutOf(key, place, subscription.queue);
		for (const fanout of mayBeItsQueue(member)) if (fanout !== member.home) fanout.leave(subscription);
		expectUnfinished(member.home);
		member.home.join(subscription, address, member.patient);
		if (member.patient) for (const each of sameQueue(member.home)) each.startedElsewhere(subscription);
	};

	const admitUntilDone = async (member: Member) => {
		const { subscription, left } = member;
		while (!left.signal.aborted && !member.home) {
			try {
				await admit(member);
			} catch (cause) {
				const error = brokerError(cause, subscription.queue);
				const othersListen = reachedBy(member).some(({ listening, isAttended }) => listening && isAttended);
				const isNews = told.isNews(subscription.key, error.message);
				// Others may begin to listen after it was told that all its events wait; that they stopped is no news.
				const alsoNews = othersListen && told.isNews(subscription.key, `${error.message} Others listen.`);
				if (othersListen ? alsoNews : isNews) subscription.report({ kind: 'outage', error, othersListen });
				await pause(clock, bounds.admitAgainMs, left.signal);
			}
		}
	};

	return {
		async subscribe(subscription, patient, tolerant = patient) {
			if (subscription.queue.trim() === '') {
				throw new ServiceError('invalidInput', 'The queue name is empty', {
					remedy: 'Fill in Queue with the name the service gave you.',
				});
			}
			const isOwed = leftLately.came(subscription);
			const member: Member = { subscription, patient: patient || isOwed, left: new AbortController() };
			members.add(member);
			if (patient) start.joined();
			expectWhereItMayRead(member);
			const leave = async () => {
				if (!members.delete(member)) return;
				member.left.abort();
				// Its next version may have come before: who is here is not to be taken for one that left.
				if (!hasVersionHere(subscription)) leftLately.left(subscription, member.patient && !member.home);
				for (const fanout of reachedBy(member)) fanout.leave(subscription);
				endIfDeserted();
			};
			let refusal: ServiceError | undefined;
			if (tolerant) void admitUntilDone(member);
			else {
				try {
					await admit(member);
				} catch (cause) {
					refusal = brokerError(cause, subscription.queue);
					if (needsPerson(refusal)) {
						await leave();
						throw refusal;
					}
					void admitUntilDone(member);
				}
			}
			return {
				untilListening: async () => {
					if (member.home) await member.home.untilListening();
					else if (refusal) throw refusal;
				},
				leave,
				resting: () => lanes.restingOf(subscription),
			};
		},
		async tap(address: QueueAddress, queue, filter, onEvent) {
			const fanout = fanouts.get(sessionKey(address, queue));
			if (!fanout?.listening) return undefined;
			// A copy is an event too: whoever sees it has shown a password of its own.
			if (fanout.mustProve(address)) await tryLogin(address, clock, logger, open);
			return fanout.tap(filter, onEvent);
		},
	};
}
