import type { StatusEvent } from '../model/event';
import { statusPasses } from '../model/status';

/** Which events a subscriber asks for. An empty list asks for all. */
export interface EventFilter {
	/** Canonical statuses, `OTHER` for the ones not known. */
	statuses: readonly string[];
	/** Ids, lower case. */
	customerIds: readonly string[];
	/** `hub`, `exchange`, or another text as sent. */
	instances: readonly string[];
}

export function passes(event: StatusEvent, filter: EventFilter): boolean {
	return (
		statusPasses(event.status, filter.statuses) &&
		listed(event.customerId, filter.customerIds) &&
		listed(event.instance, filter.instances)
	);
}

function listed(value: string | null, wanted: readonly string[]): boolean {
	return wanted.length === 0 || (value !== null && wanted.includes(value.trim().toLowerCase()));
}
