import { createHash } from 'node:crypto';
import { canonicalJson } from './canonicalJson';
import type { StatusEvent } from './event';
import { modifiedInstant } from './modifiedDate';
import { shownStatus, shownText, type SetRow } from './set';

/**
 * What a search tells of a status, in the words of an event: who did it and by what action is not in it, so these are null.
 *
 * @param zone the zone of the service's dates
 */
export function setEvent(set: SetRow, zone: string): Omit<StatusEvent, 'raw'> {
	const instant = modifiedInstant(set.modifiedDate, zone);
	return {
		eventId: seenIdentity(set),
		status: shownStatus(set) ?? '',
		action: null,
		instance: null,
		parcelReference: shownText(set.parcelRef),
		setId: shownText(set.setId),
		transactionId: shownText(set.transactionId),
		customerId: null,
		actor: null,
		actorCompany: null,
		updatedAt: instant === null ? null : new Date(instant).toISOString(),
		message: null,
	};
}

/**
 * The identity of a status that was seen by a search: the first 32 hex digits of a sha256 over the set, its status and its
 * date. The same in every look and after every restart. Part of the contract with users' own tables, as the one of events.
 */
export function seenIdentity(set: SetRow): string {
	const seen = [shownText(set.setId)?.trim().toLowerCase(), shownStatus(set), shownText(set.modifiedDate)];
	return createHash('sha256')
		.update(`s1|${canonicalJson(seen.map((part) => part ?? null))}`)
		.digest('hex')
		.slice(0, 32);
}
