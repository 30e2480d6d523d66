import { ServiceError } from '../../../service/errors';
import { readStatusEvent } from '../../../service/model/event';
import { folded } from '../../../service/model/folded';
import { idKey, shownText, type SetResult } from '../../../service/model/set';
import { SAMPLE_SET_ID } from '../events/samples';
import type { Parameters } from '../parameters/parameters';
import { isObject } from '../parameters/shape';

/** The set of an event that an input item holds. An event names at least one of the two. */
export interface EventSet {
	setId: string | null;
	parcelReference: string | null;
}

/**
 * Which set the input item's event is about. Undefined for a model's tool, for samples, and for items that hold no event.
 */
export function eventBehind(parameters: Parameters): EventSet | undefined {
	if (parameters.asTool) return undefined;
	const { item } = parameters;
	const event = [item, ...WRAPPED.map((name) => contents(item[name]))]
		.map((held) => (isObject(held) ? eventSet(held) : undefined))
		.find((found) => found !== undefined);
	return event?.setId && idKey(event.setId) === SAMPLE_SET_ID ? undefined : event;
}

/**
 * Where Set was typed or picked: a set that was chosen while building, and forgotten there, would send its papers for
 * every event to come. The same for a reference that led to another set of that name.
 *
 * @throws ServiceError `invalidInput` naming both, when the event is about another set than the chosen one
 */
export function refuseOtherSet(event: EventSet | undefined, setId: string, named?: string | null): void {
	if (!event?.setId || idKey(event.setId) === idKey(setId)) return;
	throw fixedToOther(event, shown(setId, named));
}

/**
 * @param isFixed whether Set was typed or picked; an expression may lead to another set than the event's on purpose
 * @throws ServiceError `invalidInput` naming both, when the event's parcel reference is another one than that of its set
 */
export function refuseOtherParcel(event: EventSet | undefined, isFixed: boolean, set: SetResult): void {
	const reference = shownText(set.parcelRef);
	if (!event?.parcelReference || reference === null) return;
	if (folded(event.parcelReference) === folded(reference)) return;
	if (event.setId === null) {
		if (isFixed) throw fixedToOther(event, shown(set.setId, reference));
		return;
	}
	if (idKey(event.setId) !== idKey(set.setId)) return;
	throw new ServiceError(
		'invalidInput',
		`The event is about parcel ${event.parcelReference}, but its set ${set.setId} is parcel ${reference}`,
		{
			remedy:
				'Nothing was fetched: one of the two is wrong, and nobody can tell which papers are meant. Look the set up in the service, and tell whoever runs it.',
		},
	);
}

function fixedToOther({ setId, parcelReference }: EventSet, fixed: string): ServiceError {
	const about = setId === null ? String(parcelReference) : shown(setId, parcelReference);
	return new ServiceError('invalidInput', `The event is about set ${about}, but Set is fixed to ${fixed}`, {
		remedy:
			'Nothing was fetched: these would be the papers of another parcel. Put Set on By ID, press Expression, and drag the field setId of the event into it: {{ $json.setId }}. Then each event gets its own papers.',
	});
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
	if (item.isSample === true) return undefined;
	const isItem = typeof item.eventId === 'string';
	const sent = isItem ? item : readStatusEvent(item);
	const setId = textOrNull(sent?.setId);
	const parcelReference = textOrNull(sent?.parcelReference);
	return setId === null && parcelReference === null ? undefined : { setId, parcelReference };
}

const textOrNull = (value: unknown) =>
	typeof value === 'string' && value.trim() !== '' ? value.trim() : null;

const shown = (setId: string, reference?: string | null) => (reference ? `${reference} (${setId})` : setId);
