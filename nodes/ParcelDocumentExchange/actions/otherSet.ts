import { ServiceError } from '../../../service/errors';
import { readStatusEvent } from '../../../service/model/event';
import { SAMPLE_SET_ID } from '../trigger/samples';
import type { Parameters } from './parameters';
import { isObject } from './shape';

/** The set of an event that an input item holds. */
export interface EventSet {
	setId: string;
	parcelReference: string | null;
}

/**
 * Which set the input item's event is about, where Set was typed or picked: a set that was chosen while building, and
 * forgotten there, would send its papers for every event to come. Undefined where an expression decides, for a model's
 * tool, for samples, and for items that hold no event.
 */
export function eventBehindFixedSet(parameters: Parameters): EventSet | undefined {
	if (parameters.asTool || !parameters.isFixed('setId')) return undefined;
	const { item } = parameters;
	const event = [item, ...WRAPPED.map((name) => contents(item[name]))]
		.map((held) => (isObject(held) ? eventSet(held) : undefined))
		.find((found) => found !== undefined);
	return event?.setId === SAMPLE_SET_ID ? undefined : event;
}

/** @throws ServiceError `invalidInput` naming both, when the event is about another set than the chosen one */
export function refuseOtherSet(event: EventSet | undefined, setId: string, named?: string | null): void {
	if (event === undefined || event.setId.toLowerCase() === setId.toLowerCase()) return;
	throw new ServiceError(
		'invalidInput',
		`The event is about set ${shown(event.setId, event.parcelReference)}, but Set is fixed to ${shown(setId, named)}`,
		{
			remedy:
				'Nothing was fetched: these would be the papers of another parcel. Put Set on By ID, press Expression, and drag the field setId of the event into it: {{ $json.setId }}. Then each event gets its own papers.',
		},
	);
}

/** Fields in which n8n's own triggers hand on what came: a webhook, a queue, a topic. */
const WRAPPED = ['body', 'content', 'message', 'event'];

/** A longer text is no event. */
const LONGEST_EVENT = 1024 * 1024;

/** What a field holds, as the text of JSON or as it is. */
function contents(value: unknown): unknown {
	if (typeof value !== 'string' || value.length > LONGEST_EVENT) return value;
	try {
		return JSON.parse(value);
	} catch {
		return undefined;
	}
}

/** By its shape: an item of the trigger, or the body as the service sent it. */
function eventSet(item: Record<string, unknown>): EventSet | undefined {
	const { eventId, setId, isSample, parcelReference } = item;
	if (typeof eventId === 'string' && typeof setId === 'string') {
		return isSample === true ? undefined : { setId, parcelReference: textOrNull(parcelReference) };
	}
	const sent = readStatusEvent(item);
	return sent?.setId ? { setId: sent.setId, parcelReference: sent.parcelReference } : undefined;
}

const textOrNull = (value: unknown) => (typeof value === 'string' ? value : null);

const shown = (setId: string, reference?: string | null) => (reference ? `${reference} (${setId})` : setId);
