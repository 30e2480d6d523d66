import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import type { StatusEvent } from '../../../service/model/event';

/** What a delivery adds to an event. */
export interface DeliveryFacts {
	redelivered: boolean;
	/** From 1. */
	attempt: number;
	isSample: boolean;
}

/** The fields of an event in the order of their use: what happened to which parcel, by whom and when, and then the rest. */
const FIELDS = [
	...(['status', 'parcelReference', 'actor', 'actorCompany', 'updatedAt', 'setId', 'customerId'] as const),
	...(['action', 'instance', 'message', 'transactionId', 'eventId'] as const),
	...(['attempt', 'redelivered', 'isSample'] as const),
];

export function simplifiedEvent(event: Omit<StatusEvent, 'raw'>, facts: DeliveryFacts): IDataObject {
	const all = { ...event, ...facts };
	return Object.fromEntries(FIELDS.map((name) => [name, all[name]]));
}

/** An event as the workflow sees it. @param simplify as it was sent when this is false */
export function eventItem(event: StatusEvent, facts: DeliveryFacts, simplify: boolean): INodeExecutionData {
	return { json: simplify ? simplifiedEvent(event, facts) : (event.raw as IDataObject) };
}
