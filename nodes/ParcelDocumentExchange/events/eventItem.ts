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
export function simplifiedEvent(
	event: Omit<StatusEvent, 'raw'>,
	{ redelivered, attempt, isSample }: DeliveryFacts,
): IDataObject {
	const { status, parcelReference, setId, customerId, actor, actorCompany, updatedAt, action } = event;
	const { instance, message, transactionId, eventId } = event;
	return {
		status,
		parcelReference,
		actor,
		actorCompany,
		updatedAt,
		setId,
		customerId,
		action,
		instance,
		message,
		transactionId,
		eventId,
		attempt,
		redelivered,
		isSample,
	};
}

/** An event as the workflow sees it. @param simplify as it was sent when this is false */
export function eventItem(event: StatusEvent, facts: DeliveryFacts, simplify: boolean): INodeExecutionData {
	return { json: simplify ? simplifiedEvent(event, facts) : (event.raw as IDataObject) };
}
