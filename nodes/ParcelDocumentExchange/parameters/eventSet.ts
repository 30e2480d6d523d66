import { folded } from '../../../service/model/folded';
import { readStatusEvent } from '../../../service/model/event';
import { idKey } from '../../../service/model/set';
import { parsedJson } from '../../../service/model/parsedJson';
import { SAMPLE_SET_ID } from '../events/samples';
import { isObject, textOfBytes } from './values';

/** The set that an event is about. An event names at least one of the two. */
export interface EventSet {
	setId: string | null;
	parcelReference: string | null;
	/** The step that gave the event, where it is not in the input item any more. */
	step?: string;
	/** No event names it: the workflow was asked for it, or a step in front looked it up. */
	isAskedFor?: boolean;
	/** The field of the ID, where it is not setId: its name, and before that the one of the object that it lies in. */
	path?: readonly string[];
	/** The event lies in a field of the item. */
	isWithin?: boolean;
}

/** Whether an event is about that set. @param names its references, folded: an event may name no ID */
export const isAboutSet = ({ setId, parcelReference }: EventSet, id: string, names: readonly string[]) =>
	setId === null ? names.includes(folded(parcelReference ?? '')) : idKey(setId) === idKey(id);

/** A longer text is no event. */
const LONGEST_EVENT = 1024 * 1024;

/** How deep clouds and webhooks wrap an event: a list in the body, a text in it, Base64 in that. */
const DEEPEST = 6;

/** Values of an item that are looked at; what has more is no message. */
const MOST_VALUES = 1_000;

/** What begins like `{"` in Base64. */
const BASE64 = /^\s*e[wy][A-Za-z0-9+/\s]{14,}={0,2}\s*$/;

/**
 * Of the events that an item is, or holds, as n8n's own triggers hand on what came by a webhook, a queue or a topic: by their
 * shape. None for samples, and for items that hold none.
 */
export function eventSetsOf(item: Record<string, unknown>): EventSet[] {
	const found: EventSet[] = [];
	const places: Array<{ value: unknown; depth: number }> = [{ value: item, depth: 0 }];
	// Those that are found on the way are looked at too.
	for (const { value, depth } of places) {
		const held = contents(value);
		if (held === null || typeof held !== 'object' || (isObject(held) && held.isSample === true)) continue;
		const event = isObject(held) ? eventSet(held) : undefined;
		if (event) {
			if (!event.setId || idKey(event.setId) !== SAMPLE_SET_ID)
				found.push(depth > 0 ? { ...event, isWithin: true } : event);
			// What lies inside an event belongs to it.
			continue;
		}
		if (depth >= DEEPEST || (!isObject(held) && !Array.isArray(held))) continue;
		for (const key in held) {
			if (places.length >= MOST_VALUES) break;
			const child: unknown = held[key as keyof typeof held];
			if (typeof child === 'string' || (typeof child === 'object' && child !== null))
				places.push({ value: child, depth: depth + 1 });
		}
	}
	return found;
}

/** What a field holds, as the text of JSON, in Base64 or not, or as it is. */
function contents(value: unknown): unknown {
	const text = isObject(value) ? textOfBytes(value) : value;
	if (typeof text !== 'string') return value;
	if (text.length > LONGEST_EVENT) return undefined;
	const json = BASE64.test(text) ? Buffer.from(text, 'base64').toString('utf8') : text;
	return /^\s*[{[]/.test(json) ? parsedJson(json) : undefined;
}

/** By its shape: an item of the trigger, or the body as the service sent it. */
function eventSet(item: Record<string, unknown>): EventSet | undefined {
	if (item.isSample === true) return undefined;
	const isItem = typeof item.eventId === 'string';
	const sent = isItem ? item : readStatusEvent(item);
	return setNamed(sent?.setId, sent?.parcelReference);
}

/** Undefined where neither is a text. */
export function setNamed(setId: unknown, parcelReference: unknown): EventSet | undefined {
	const names = { setId: textOrNull(setId), parcelReference: textOrNull(parcelReference) };
	return names.setId === null && names.parcelReference === null ? undefined : names;
}

const textOrNull = (value: unknown) =>
	typeof value === 'string' && value.trim() !== '' ? value.trim() : null;
