import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import type { SetResult } from '../../../service/model/set';
import { setEvent } from '../../../service/model/setEvent';
import { simplifiedEvent } from '../events/eventItem';
import type { PollSettings } from './settings';

/** A changed set as the workflow sees it: an event's fields, so that the steps behind it are those behind the trigger of the queue. */
export function setItem(
	set: SetResult,
	{ simplify, zone }: Pick<PollSettings, 'simplify' | 'zone'>,
): INodeExecutionData {
	if (!simplify) return { json: set as IDataObject };
	const facts = { redelivered: false, attempt: 1, isSample: false };
	return { json: { ...simplifiedEvent(setEvent(set, zone), facts), seenBy: 'search' } };
}
