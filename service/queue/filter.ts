import type { StatusEvent } from '../model/event';
import { isChosenStatus } from '../model/status';
import type { EventFilter } from './contract';

/** Whether a subscriber with this filter asks for the event. */
export function isAskedFor(event: StatusEvent, filter: EventFilter): boolean {
	return (
		isChosenStatus(event.status, filter.statuses) &&
		listed(event.customerId, filter.customerIds) &&
		listed(event.instance, filter.instances)
	);
}

function listed(value: string | null, wanted: readonly string[]): boolean {
	return wanted.length === 0 || (value !== null && wanted.includes(value.trim().toLowerCase()));
}
