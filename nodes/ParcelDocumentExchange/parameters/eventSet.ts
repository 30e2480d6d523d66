import { readStatusEvent } from '../../../service/model/event';
import { idKey } from '../../../service/model/set';
import { SAMPLE_SET_ID } from '../events/samples';
import { isObject } from './shape';

/** The set that an event is about. An event names at least one of the two. */
export interface EventSet {
	setId: string | null;
	parcelReference: string | null;
	/** The step that gave the event, where it is not in the input item any more. */
	step?: string;
	/** No event names it: the workflow was asked for it, or a search in front found it. */
	isAskedFor?: boolean;
}

/** A longer text is no event. */
const LONGEST_EVENT = 1024 * 1024;

/**
 * Of the event that an item is, or holds in one of its fields, as n8n's own triggers hand on what came by a webhook, a queue
 * or a topic: by its shape. Undefined for samples, and for items that hold none.
 */
export function eventSetOf(item: Record<string, unknown>): EventSet | undefined {
	let event = eventSet(item);
	for (const value of event ? [] : Object.values(item)) {
		const held = contents(value);
		event ??= isObject(held) ? eventSet(held) : undefined;
	}
	return event?.setId && idKey(event.setId) === SAMPLE_SET_ID ? undefined : event;
}

/** What a field holds, as the text of JSON or as it is. */
function contents(value: unknown): unknown {
	if (typeof value !== 'string' || value.length > LONGEST_EVENT) return value;
	if (!/^\s*\{/.test(value)) return undefined;
	try {
		return JSON.parse(value);
	} catch {
		return undefined;
	}
}

/** By its shape: an item of the trigger, or the body as the service sent it. */
function eventSet(item: Record<string, unknown>): EventSet | undefined {
	if (item.isSample === true) return undefined;
	const isItem = typeof item.eventId === 'string';
	const sent = isItem ? item : readStatusEvent(item);
	return named(sent?.setId, sent?.parcelReference);
}

/** Undefined where neither is a text. */
export function named(setId: unknown, parcelReference: unknown): EventSet | undefined {
	const names = { setId: textOrNull(setId), parcelReference: textOrNull(parcelReference) };
	return names.setId === null && names.parcelReference === null ? undefined : names;
}

const textOrNull = (value: unknown) =>
	typeof value === 'string' && value.trim() !== '' ? value.trim() : null;
