import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import type { StatusEvent } from '../../../service/model/event';
import type { TriggerSettings } from './settings';

/** What a delivery adds to an event. */
export interface DeliveryFacts {
	redelivered: boolean;
	/** From 1. */
	attempt: number;
	isSample: boolean;
}

/** An event as the workflow sees it. */
export function eventItem(
	{ raw, ...event }: StatusEvent,
	{ redelivered, attempt, isSample }: DeliveryFacts,
	output: TriggerSettings['output'],
): INodeExecutionData {
	const json = output === 'raw' ? raw : { ...event, redelivered, attempt, isSample, raw };
	return { json: json as IDataObject };
}
