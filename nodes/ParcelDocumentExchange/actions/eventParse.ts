import { ServiceError } from '../../../service/errors';
import { isExact } from '../../../service/model/exactJson';
import { readStatusEvent, type StatusEvent } from '../../../service/model/event';
import { valuesOfText, withBytesRead } from './eventText';
import { simplifiedEvent, type DeliveryFacts } from '../events/eventItem';
import type { Answer, Operation } from './operation';
import { isDeep, shownValue, textOfBytes } from '../parameters/values';

interface Parsed {
	event: Omit<StatusEvent, 'raw'> & { raw: Record<string, unknown> | null };
	/** When it is unknown: an event that came once, live. */
	delivery: DeliveryFacts;
}

/** Levels of objects and lists in an event. n8n cannot store any number of them. */
const DEEPEST = 500;

/** Values that are no event, looked at before giving up. */
const MOST_OTHERS = 100_000;

/**
 * The events in whatever came: a body, a message of another queue node, a webhook, a report of the trigger; lists of such
 * and texts of them, mixed in any way. One item each, in the order in which they stand.
 */
export const eventParse: Operation<unknown> = {
	read: (parameters) => parameters.raw('event'),
	answer: async (given) => {
		const events = findEvents(given);
		if (events.size === 0) throw noEvent(given);
		return [...events.values()].map(toItem);
	},
};

/** The same fields, in the same order, as an item of the trigger. */
function toItem({ event, delivery }: Parsed): Answer {
	return { json: simplifiedEvent(event, delivery) };
}

/**
 * All events, each once. What lies inside an event belongs to it: an event may quote another.
 *
 * @throws ServiceError when there is more than can be looked through, or what must be an event beside others and cannot be
 * read: never a part of them
 */
function findEvents(given: unknown): Map<string, Parsed> {
	const events = new Map<string, Parsed>();
	const places: Place[] = [{ value: given, inside: undefined }];
	let others = 0;
	let broken: string | undefined;
	for (let place = places.pop(); place !== undefined; place = places.pop()) {
		const { value, text } = place;
		const parsed = eventOf(place);
		if (parsed) {
			const known = events.get(parsed.event.eventId);
			// Two events may differ in what was lost in reading.
			if (known && place.isInexact) broken ??= shownValue(value, MOST_SHOWN);
			events.set(parsed.event.eventId, known ?? parsed);
			continue;
		}
		if (++others > MOST_OTHERS) throw tooMuch();
		const held = heldBy(value);
		broken ??= held.broken;
		// Backwards, since the last one put there is looked at next.
		const isInexact = place.isInexact || (text !== undefined && !isExact(text, value));
		for (const child of held.values.reverse()) places.push({ isInexact, ...child, inside: value });
	}
	if (broken !== undefined && events.size > 0) throw unreadable(broken);
	return events;
}

interface Place {
	value: unknown;
	inside: unknown;
	/** What it was read from, where that was its text alone. */
	text?: string;
	/** It was read with others, from a text of which something was lost. */
	isInexact?: boolean;
}

interface Contents {
	values: Array<Pick<Place, 'value' | 'text'>>;
	/** The beginning of what was meant to be an event and is none. */
	broken?: string;
}

/**
 * What lies in a value that is no event itself.
 *
 * @throws ServiceError when that is too much to be looked at
 */
function heldBy(value: unknown): Contents {
	if (typeof value === 'string') return heldByText(value);
	if (value === null || typeof value !== 'object') return { values: [] };
	const text = textOfBytes(value);
	if (text !== undefined) return heldByText(text);
	const values = Object.values(value).filter(
		(child) =>
			(typeof child === 'object' && child !== null) || (typeof child === 'string' && looksLikeBody(child)),
	);
	return {
		values: values.map((child) => ({ value: child })),
		broken: isMeantAsEvent(value) ? shownValue(value, MOST_SHOWN) : undefined,
	};
}

/**
 * Once the objects in a text are taken out of it, it names no status any more. What a web page writes for a quotation mark
 * is none: an e-mail holds its event a second time so.
 */
const NAMES_STATUS = /new[\s_-]?status\\*["']?\s*:/i;

function heldByText(text: string): Contents {
	const held = valuesOfText(text);
	if (!held) throw tooMuch();
	const { values, rest } = held;
	const left = withBytesRead(rest);
	return { values, broken: NAMES_STATUS.test(left) ? left.trim().slice(0, MOST_SHOWN) : undefined };
}

/** Most texts are names: only one that can hold a body is taken apart. */
function looksLikeBody(text: string): boolean {
	return text.length > 16 && (text.includes('{') || withBytesRead(text).includes('{'));
}

function hasStatus(value: unknown): boolean {
	return value !== null && typeof value === 'object' && Object.hasOwn(value, 'newStatus');
}

/** The fields by which an event is known whose status is misspelled. */
const FIELDS = ['action', 'parcelReference', 'updatedDate', 'transactionId', 'setId', 'customerId'];

function isMeantAsEvent(value: object): boolean {
	const names = Object.keys(value);
	if (names.some((name) => name.replace(/[\s_-]/g, '').toLowerCase() === 'newstatus')) return true;
	const known = FIELDS.filter((name) => names.includes(name));
	// An item of ours has them too, around the event itself.
	return known.length >= 4 && !Object.values(value).some(hasStatus);
}

function eventOf({ value, inside, text }: Place): Parsed | undefined {
	const event = hasStatus(value) && !isDeep(value, DEEPEST) ? readStatusEvent(value, text) : undefined;
	if (event) return { event, delivery: deliveryOf(inside) };
	return isEventItem(value) ? { event: eventOfItem(value), delivery: deliveryOf(value) } : undefined;
}

/** An event item of ours whose `raw` was taken out on the way. */
function isEventItem(value: unknown): value is Record<string, unknown> {
	if (value === null || typeof value !== 'object') return false;
	const { eventId, status, raw } = value as Record<string, unknown>;
	const complete =
		typeof eventId === 'string' && /^[0-9a-f]{32}$/.test(eventId) && typeof status === 'string';
	return complete && (raw === undefined || raw === null);
}

const TEXTS = [
	...(['action', 'instance', 'parcelReference', 'setId', 'transactionId', 'customerId'] as const),
	...(['actor', 'actorCompany', 'updatedAt', 'message'] as const),
];

function eventOfItem(item: Record<string, unknown>): Parsed['event'] {
	const texts = Object.fromEntries(
		TEXTS.map((name) => [name, typeof item[name] === 'string' ? item[name] : null]),
	) as Record<(typeof TEXTS)[number], string | null>;
	return { ...texts, eventId: String(item.eventId), status: String(item.status), raw: null };
}

function deliveryOf(item: unknown): DeliveryFacts {
	const { redelivered, attempt, isSample } = (item ?? {}) as Record<string, unknown>;
	return {
		redelivered: redelivered === true,
		attempt: typeof attempt === 'number' && attempt >= 1 ? attempt : 1,
		isSample: isSample === true,
	};
}

const MOST_SHOWN = 200;

function noEvent(given: unknown): ServiceError {
	const shown =
		typeof given === 'string' ? given : given === undefined ? 'nothing' : shownValue(given, 1_000);
	const cut = shown.length > MOST_SHOWN ? `${shown.slice(0, MOST_SHOWN)}…` : shown;
	return new ServiceError('invalidInput', 'There is no status event in "Event"', {
		remedy: `Give it the event, a report of the trigger, or a whole item with {{ $json }}. An event has the field newStatus. Got: ${cut === '' ? 'an empty text' : cut}`,
	});
}

function unreadable(shown: string): ServiceError {
	return new ServiceError('invalidInput', 'There is a status event in "Event" that cannot be read', {
		remedy: `An event is a JSON object with a text in the field newStatus, and Parse gives all events or none. Mend it, or take it out: ${shown}`,
	});
}

function tooMuch(): ServiceError {
	return new ServiceError('invalidInput', 'There is too much in "Event" to find every status event', {
		remedy:
			'Give the events alone, for example {{ $json.events }}, or split what holds them into several items first.',
	});
}
