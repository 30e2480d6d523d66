import {
	GIVEN_BACK_AFTER_MS,
	GIVEN_BACK_LATER_MS,
	GROWTHS_BESIDE,
	HELD_BESIDE,
	inFlightAtMost,
	SPARE_DELIVERIES,
	TAKEN_BACK_BY_DEFAULT_MS,
} from '../bounds';
import type { Ledger, LinkRecord } from '../ledger';
import type { Facts } from './facts';
import { returnsByHistory } from './guilt';
import type { Violation } from './law';

/** A message is delivered once, and once more for each return that the history made or that its age asks for. */
export function deliveriesAreBounded(facts: Facts): Violation[] {
	const { history, mostUnsettled } = facts.ledger;
	// With several workflows, each ended run frees a place, and what is taken then was done with long ago, and is forgotten; of
	// one, what fails for ever begins its attempts anew.
	const forgets = history.workflows.length > 1 || history.events.some(({ poison }) => poison);
	if (forgets && mostUnsettled >= facts.bounds.remembered) return [];
	// What a slow workflow holds keeps nothing from another one, where it costs no deliveries that are counted.
	const isFree = history.workflows.length > 1 && history.queue.type === 'classic';
	const worst = facts.ledger.messages
		.map((message) => {
			const ageMs = message.at - message.sentAt;
			const bound =
				1 +
				SPARE_DELIVERIES +
				(isFree ? GROWTHS_BESIDE : 0) +
				2 * returnsByHistory(facts.ledger, message) +
				Math.ceil((2 * ageMs) / GIVEN_BACK_AFTER_MS) +
				(history.queue.deadLettersReturn ? deathsWithin(ageMs) : 0);
			return { message, excess: message.deliveries - bound };
		})
		.reduce<{ message?: (typeof facts.ledger.messages)[number]; excess: number }>(
			(most, each) => (each.excess > most.excess ? each : most),
			{ excess: 0 },
		).message;
	if (!worst) return [];
	const says = `Event ${worst.event} was delivered ${worst.deliveries} times`;
	return [{ law: 'deliveriesAreBounded', says, event: worst.event, at: worst.at }];
}

/** A dead letter that comes back rests a minute for each time, and ten at most. */
const deathsWithin = (ms: number) => 12 + ms / (10 * 60_000);

/** Messages that nobody has settled are as many as the runs asked for need, however often a workflow is published. */
export function inFlightIsBounded(facts: Facts): Violation[] {
	const { history, mostUnsettled, wishes } = facts.ledger;
	const demand = history.workflows
		.map(({ name, options }) => {
			const asked = [
				options,
				...wishes.filter(({ workflow }) => workflow === name).map((wish) => wish.options),
			];
			return Math.max(...asked.map(({ parallelRuns = 5, batchSize = 1 }) => parallelRuns * batchSize));
		})
		.reduce((sum, each) => sum + each, 0);
	const mayWait =
		facts.ledger.spans.some(({ what }) => ['downstream', 'database', 'mishap'].includes(what)) ||
		history.events.some(({ poison }) => poison);
	// What a slow workflow holds keeps nothing from another one, where it costs no deliveries that are counted.
	const beside = history.workflows.length > 1 && history.queue.type === 'classic' ? HELD_BESIDE : 0;
	const most = Math.max(
		beside,
		inFlightAtMost(demand, facts.bounds.owedAtMost * history.workflows.length),
		(mayWait ? facts.bounds.lookedThrough : inheritedAtMost(facts)) + facts.bounds.owedAtMost,
	);
	// What was acknowledged right before a renewal may come back with the rest, and then its place is wanted too.
	const lateAtEachRenewal = demand * Math.ceil(facts.ledger.endedAt / GIVEN_BACK_AFTER_MS);
	// The broker may not know yet that a connection is gone, and another one reads already; what a workflow has in hand under the
	// name before, it goes on with there.
	const hasTwoNames = history.workflows.some(({ name }) => facts.placesOf(name).size > 1);
	const connections = hasTwoNames || facts.spans(['overlap', 'broker', 'link']).length > 0 ? 2 : 1;
	const bound = (most + lateAtEachRenewal) * connections;
	if (mostUnsettled <= bound) return [];
	const says = `${mostUnsettled} messages were unsettled at once, where ${demand} runs were asked for`;
	return [{ law: 'inFlightIsBounded', says }];
}

/** Each further consumer of a channel adds to what may be unsettled, and what comes back is out of order then. */
export function aChannelIsConsumedOnce({ ledger }: Facts): Violation[] {
	const { mostConsumersOfAChannel } = ledger;
	if (mostConsumersOfAChannel <= 1) return [];
	return [
		{ law: 'aChannelIsConsumedOnce', says: `One channel was consumed ${mostConsumersOfAChannel} times` },
	];
}

/** The process before may have had as much, for a workflow that waited: what waits when one connects is looked through. */
function inheritedAtMost({ ledger: { links, messages }, bounds }: Facts): number {
	const waitedAt = (moment: number) =>
		messages.filter(({ sentAt, at }) => sentAt <= moment && at >= moment).length;
	const waited = links.map(({ acceptedAt }) => (acceptedAt === undefined ? 0 : waitedAt(acceptedAt)));
	return Math.min(bounds.lookedThrough, Math.max(0, ...waited));
}

/** The connection is lost when the history loses it, and never over what a message holds or how long a run takes. */
export function theLinkIsNotLostOverABody(facts: Facts): Violation[] {
	const causes = facts.spans(['broker', 'link', 'process']);
	const own = facts.ledger.links.find(
		(link) =>
			link.failedAt !== undefined &&
			!causes.some(({ from, to }) => link.failedAt! >= from && link.failedAt! <= to + 60_000) &&
			!isTakenBackEarly(facts, link),
	);
	if (!own) return [];
	const says = `The connection was lost with the words "${own.failure}", and the history did nothing to it`;
	return [{ law: 'theLinkIsNotLostOverABody', says, at: own.failedAt }];
}

/**
 * A leader that has stepped down keeps what it runs, since another process would run it beside; a broker that is set to take
 * back sooner than RabbitMQ does by itself closes its channel then.
 */
export function isTakenBackEarly({ ledger }: Facts, link: LinkRecord): boolean {
	const { life, username, failure = '', failedAt = 0 } = link;
	const { consumerTimeoutMs = Infinity } = ledger.history.queue;
	const steppedDown =
		ledger.registrations.every(
			(each) => each.life !== life || each.threw !== undefined || (each.closeCalledAt ?? Infinity) < failedAt,
		) && ledger.registrations.some((each) => each.life > life);
	// So does the connection of a user whose workflow has another one since.
	const isReplaced = ledger.credentials.some((each) => each.username !== username && each.at < failedAt);
	return (
		consumerTimeoutMs < TAKEN_BACK_BY_DEFAULT_MS &&
		failure.includes('delivery acknowledgement') &&
		(steppedDown || isReplaced || cameLate(ledger, link))
	);
}

/** It was under way for longer than there is between our taking it back and the broker's, which counts from its sending. */
function cameLate({ history: { queue, steps } }: Ledger, { askedAt, failedAt = 0 }: LinkRecord): boolean {
	const spareMs = (queue.consumerTimeoutMs ?? Infinity) - GIVEN_BACK_AFTER_MS - GIVEN_BACK_LATER_MS;
	return steps.some(
		(step) =>
			step.do === 'linkFrozen' &&
			step.direction === 'toClient' &&
			step.forMs > spareMs &&
			step.at + step.forMs >= askedAt &&
			step.at <= failedAt,
	);
}
