import { readStatusEvent, type StatusEvent } from '../model/event';

/** The largest body read as an event. */
export const MAX_BODY_BYTES = 1024 * 1024;

/** How much of a body a report shows: it is gone from the queue then. */
export const MAX_SHOWN_BYTES = MAX_BODY_BYTES;

/** A body as an event, or why it is none. */
export type Decoded =
	| { event: StatusEvent }
	| {
			/** Why it is no event, as a sentence without a full stop. */
			unreadable: string;
			/** The body for a person to read, at most {@link MAX_SHOWN_BYTES}. */
			shown: string;
	  };

/** A queue message's body as a status event, or why it is none. Never throws. */
export function decode(body: Buffer): Decoded {
	const unreadable = (reason: string): Decoded => ({ unreadable: reason, shown: shownBody(body) });
	if (body.length > MAX_BODY_BYTES) return unreadable(`it is larger than 1 MB (${body.length} bytes)`);
	let text: string;
	try {
		text = new TextDecoder('utf-8', { fatal: true }).decode(body);
	} catch {
		return unreadable('it is not UTF-8 text');
	}
	let value: unknown;
	try {
		value = JSON.parse(text);
	} catch {
		return unreadable('it is not JSON');
	}
	if (typeof value !== 'object' || value === null || Array.isArray(value))
		return unreadable('it is not a JSON object');
	const event = readStatusEvent(value, text);
	return event ? { event } : unreadable('it has no newStatus, or newStatus is not a text');
}

/** The body as text when it is text, else the start of it as base64, so that nothing is lost to a person who must look. */
export function shownBody(body: Buffer): string {
	const cut = body.subarray(0, MAX_SHOWN_BYTES);
	const text = cut.toString('utf8');
	// Only where it is cut may a character be broken.
	const whole = cut.length < body.length ? text.slice(0, -3) : text;
	const readable = !whole.includes('\uFFFD') && !text.includes('\u0000');
	const shown = readable ? text : `base64:${cut.toString('base64')}`;
	return body.length > MAX_SHOWN_BYTES ? `${shown} … (${body.length} bytes in all)` : shown;
}
