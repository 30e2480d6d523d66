import type { IDataObject } from 'n8n-workflow';
import { ServiceError } from '../../../service/errors';
import { readStatusEvent, type StatusEvent } from '../../../service/model/event';
import { textOfBytes, valuesOfText } from './eventText';
import type { DeliveryFacts } from '../trigger/eventItem';
import type { Answer, Operation } from './operation';

interface Parsed {
	event: Omit<StatusEvent, 'raw'> & { raw: Record<string, unknown> | null };
	/** When it is unknown: an event that came once, live. */
	delivery: DeliveryFacts;
}

/** How deep an event may lie: an error workflow gives execution → error → description → text → body. */
const DEEPEST = 6;

/** Values that are no event, looked at before giving up. */
const MOST_OTHERS = 2_000;

/**
 * The event in whatever came: its body, a message of another queue node, a webhook, a report of the trigger. A report on
 * a batch holds several: one item each.
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
function toItem({ event: { raw, ...event }, delivery }: Parsed): Answer {
	return { json: { ...event, ...delivery, raw } as unknown as IDataObject };
}

/**
 * The events nearest to the surface, each once: looked for level by level, so that none is taken for what it quotes.
 *
 * @throws ServiceError when there may be more of them than can be found: never a part of them
 */
function findEvents(given: unknown): Map<string, Parsed> {
	const events = new Map<string, Parsed>();
	let level: Array<{ value: unknown; inside: unknown }> = [{ value: given, inside: undefined }];
	let others = 0;
	let leftOut = false;
	for (let depth = 0; depth <= DEEPEST && level.length > 0; depth++) {
		const around: unknown[] = [];
		for (const { value, inside } of level) {
			const parsed = eventOf(value, inside);
			if (parsed) events.set(parsed.event.eventId, parsed);
			else if (around.push(value) + others > MOST_OTHERS) throw tooMuch();
		}
		if (events.size > 0) return events;
		others += around.length;
		level = around.flatMap((inside) => {
			const children = childrenOf(inside);
			leftOut ||= children === undefined;
			return (children ?? []).map((value) => ({ value, inside }));
		});
	}
	if (leftOut) throw tooMuch();
	return events;
}

/** What lies in a value; undefined when that is too much to be looked at. */
function childrenOf(value: unknown): unknown[] | undefined {
	if (typeof value === 'string') return valuesOfText(value);
	if (value === null || typeof value !== 'object') return [];
	const text = textOfBytes(value);
	if (text !== undefined) return valuesOfText(text);
	return Object.values(value).filter(
		(child) =>
			(typeof child === 'object' && child !== null) || (typeof child === 'string' && looksLikeBody(child)),
	);
}

/** Most texts are names: only one that can hold a body is taken apart. */
function looksLikeBody(text: string): boolean {
	return text.length > 16 && (text.includes('{') || /^[A-Za-z0-9+/\s]+={0,2}$/.test(text.trim()));
}

function eventOf(value: unknown, inside: unknown): Parsed | undefined {
	const event = readStatusEvent(value);
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

function eventOfItem(item: Record<string, unknown>): Parsed['event'] {
	const text = (name: string) => (typeof item[name] === 'string' ? item[name] : null);
	return {
		eventId: String(item.eventId),
		status: String(item.status),
		action: text('action'),
		instance: text('instance'),
		parcelReference: text('parcelReference'),
		setId: text('setId'),
		transactionId: text('transactionId'),
		customerId: text('customerId'),
		actor: text('actor'),
		actorCompany: text('actorCompany'),
		updatedAt: text('updatedAt'),
		message: text('message'),
		raw: null,
	};
}

function deliveryOf(item: unknown): DeliveryFacts {
	const { redelivered, attempt, isSample } = (item ?? {}) as Record<string, unknown>;
	return {
		redelivered: redelivered === true,
		attempt: typeof attempt === 'number' && attempt >= 1 ? attempt : 1,
		isSample: isSample === true,
	};
}

function noEvent(given: unknown): ServiceError {
	const shown = (typeof given === 'string' ? given : JSON.stringify(given)) ?? 'nothing';
	const cut = shown.length > 200 ? `${shown.slice(0, 200)}…` : shown;
	return new ServiceError('invalidInput', 'There is no status event in "Event"', {
		remedy: `Give it the event, a report of the trigger, or a whole item with {{ $json }}. An event has the field newStatus. Got: ${cut === '' ? 'an empty text' : cut}`,
	});
}

function tooMuch(): ServiceError {
	return new ServiceError('invalidInput', 'There is too much in "Event" to find every status event', {
		remedy:
			'Give the events alone, for example {{ $json.events }}, or split what holds them into several items first.',
	});
}
