import { RETURNS_WITHIN_MS } from '../bounds';
import type { Registration } from '../ledger';
import { passes, type Facts } from './facts';
import type { Violation } from './law';

/**
 * Who is unpublished and published again within three minutes, once or several times, gets what it asks for, also what others
 * handled meanwhile; or it is told.
 */
export function whoReturnsInTimeLosesNothing(facts: Facts): Violation[] {
	const law = 'whoReturnsInTimeLosesNothing';
	const found: Violation[] = [];
	for (const workflow of facts.workflows) {
		// Who is there all the time is promised the same by another law.
		if (!facts.isThereAtTheEnd(workflow) || !wasUnpublished(facts, workflow)) continue;
		for (const event of facts.messagesOf.keys()) {
			if (facts.isUnreadable(event) || facts.isOnTheQueue(event)) continue;
			if (!facts.readsThere(workflow, event) || isSharedOut(facts, event)) continue;
			if (!isBackInTime(facts, workflow, event)) continue;
			if (facts.isHandled(workflow, event) || facts.isWrittenDown(workflow, event)) continue;
			if (facts.hasExpiredUntouched(workflow, event) || facts.isDroppedUnseen(event)) continue;
			if (facts.isNotShownTo(workflow, event)) continue;
			const says = `Event ${event} is lost for workflow ${workflow}, which was unpublished and published again in time: nothing says so`;
			found.push({ law, says, event, workflow });
		}
	}
	return found;
}

const wasUnpublished = ({ ledger: { wishes } }: Facts, workflow: string) =>
	wishes.some((wish) => wish.workflow === workflow && wish.at > 0 && !wish.published);

/** Two names of the host, or two users, are two readers where both are there at once: each gets a part. */
function isSharedOut(facts: Facts, event: number): boolean {
	const accounts = facts.ledger.credentials.map(({ username, host = '' }) =>
		JSON.stringify([username, host]),
	);
	return new Set(accounts).size > 1 && facts.wasShared(event);
}

/** From the version on that was there last when the event was sent, each asks for it, and follows the one before in time and in its process. */
function isBackInTime(facts: Facts, workflow: string, event: number): boolean {
	const sentAt = facts.sentAt(event);
	const own = facts.ledger.registrations.filter((each) => each.workflow === workflow);
	const first = own.findLastIndex(({ calledAt }) => calledAt <= sentAt);
	if (first < 0) return false;
	const since = own.slice(first);
	const status = facts.statusOf(event);
	return since.every((each, index) => {
		const next = since[index + 1];
		return each.threw === undefined && passes(status, each.statuses) && (!next || follows(next, each));
	});
}

const follows = (next: Registration, { life, closeCalledAt = -Infinity }: Registration) =>
	next.life === life && next.calledAt <= closeCalledAt + RETURNS_WITHIN_MS;
