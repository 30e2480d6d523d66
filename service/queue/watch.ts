import type { Clock } from '../surroundings';
import { placeOf, sessionKey } from './address';
import type { Membership, QueueAddress, RunOutcome, Subscription, WaitCause } from './contract';

/** What a trigger that is published in this process has done so far: times in milliseconds since 1970. */
export interface TriggerView {
	title: string;
	/** Since when it has been published, or n8n has run. */
	since: number;
	/** When the newest event that started a run came off the queue. */
	lastEventAt?: number;
	/** Runs that have not ended. */
	running: number;
	/** Events that it has in hand and does not run now; undefined where the hub is that of an older version. */
	resting?: number;
	/** Since when no run of it has succeeded, though some ended, and what the last one said. */
	failing?: { since: number; reason: string };
	/** It waits: its events stay on the queue. */
	paused?: { since: number; reason: string };
	/** Why it cannot listen, in one sentence. */
	outage?: string;
	/** Whether that is over once the queue is listened to with its account: it is not about this trigger alone. */
	outageOfQueue?: boolean;
}

/** A trigger, and the account it came with last. */
interface Watched {
	view: TriggerView;
	membership?: Membership;
	key?: string;
	place?: string;
}

/** Another copy of this package, loaded by an update, adds to the same list: fields may be added here, and none changed. */
const PLACE = Symbol.for('n8n-nodes-parcel-document-exchange/watched/1');

function watchedTriggers(): Set<Watched> {
	const places = globalThis as { [PLACE]?: Set<Watched> };
	return (places[PLACE] ??= new Set());
}

/**
 * The same subscription, which whoever asks about its queue in this process can look at.
 *
 * @returns what to subscribe with in its place, what to tell of its place at the hub, and the end of being looked at
 */
export function watched(
	subscription: Subscription,
	clock: Clock,
): { subscription: Subscription; joined: (membership: Membership) => void; end: () => void } {
	const view: TriggerView = { title: subscription.title, since: clock.now(), running: 0 };
	const entry: Watched = { view };
	watchedTriggers().add(entry);
	let pausedFor: WaitCause | undefined;
	// However a run ends, its place is free.
	let isFull = false;
	const learn = (outcome: RunOutcome) => {
		const works = outcome.kind === 'succeeded' || outcome.kind === 'waiting';
		if (works) view.failing = undefined;
		else if (outcome.kind === 'failed' || outcome.kind === 'notStarted') {
			view.failing = { since: view.failing?.since ?? clock.now(), reason: outcome.reason };
		}
		if (works || (pausedFor === 'notStarting' && outcome.kind !== 'notStarted')) view.paused = undefined;
	};
	return {
		subscription: {
			...subscription,
			readAddress: async () => {
				const address = await subscription.readAddress();
				entry.key = sessionKey(address, subscription.queue);
				entry.place = placeOf(address, subscription.queue);
				return address;
			},
			run: async (events, attempt) => {
				view.lastEventAt = Math.max(view.lastEventAt ?? 0, ...events.map(({ deliveredAt }) => deliveredAt));
				view.outage = undefined;
				view.running += 1;
				try {
					const outcome = await subscription.run(events, attempt);
					learn(outcome);
					return outcome;
				} finally {
					view.running -= 1;
					if (isFull) view.paused = undefined;
					isFull = false;
				}
			},
			onWait: (wait) => {
				pausedFor = wait?.cause;
				isFull = false;
				view.paused = wait && { since: wait.since, reason: wait.reason };
				subscription.onWait?.(wait);
			},
			// A single event that stays is said here only; so is all of it, where the hub is that of an older version.
			report: (problem) => {
				if (problem.kind === 'waits') {
					pausedFor = problem.cause;
					isFull = problem.placesTaken !== undefined;
					view.paused = { since: problem.since, reason: problem.reason };
				}
				if (problem.kind === 'outage') {
					view.outage = problem.error.message;
					view.outageOfQueue = problem.othersListen === undefined;
				}
				subscription.report(problem);
			},
		},
		joined: (membership) => void (entry.membership = membership),
		end: () => void watchedTriggers().delete(entry),
	};
}

/** What this process does with a queue. */
export interface QueueView {
	/** The triggers that read it with this account. */
	triggers: TriggerView[];
	/** Accounts with which triggers of this process read it, each over a connection of its own. */
	accounts: number;
	/** Whether all of them read it now, as far as they have said. */
	allRead: boolean;
}

/** @param address of an account that the broker has let in: what others do with the queue is not for everybody */
export function viewOf(address: QueueAddress, queue: string): QueueView {
	const [key, place] = [sessionKey(address, queue), placeOf(address, queue)];
	const all = [...watchedTriggers()].filter((each) => each.place === place);
	const mayBeAway = ({ view }: Watched) => view.outage !== undefined || view.paused !== undefined;
	return {
		triggers: all
			.filter((each) => each.key === key)
			.map(({ view, membership }) => ({ ...view, resting: membership?.resting?.() })),
		accounts: new Set(all.map((each) => each.key)).size,
		allRead: !all.some((each) => each.key !== key && mayBeAway(each)),
	};
}

/** The same triggers of a queue that is listened to with their account: nobody says that an outage is over. */
export function whileListening(triggers: readonly TriggerView[]): TriggerView[] {
	return triggers.map((view) => (view.outageOfQueue ? { ...view, outage: undefined } : view));
}
