import { ServiceError } from '../../../service/errors';
import { folded } from '../../../service/model/folded';
import { idKey, shownText, type SetResult } from '../../../service/model/set';
import { eventSetOf, type EventSet } from '../parameters/eventSet';
import type { Parameters } from '../parameters/parameters';

/**
 * Which sets the run is about, as far as events say: that of the input item; where it holds none, and Set was typed or
 * picked, those of the steps before. None for a model's tool, for samples, and where nothing in front gave an event.
 */
export function eventsBehind(parameters: Parameters, isFixed: boolean): readonly EventSet[] {
	if (parameters.asTool) return [];
	const event = eventSetOf(parameters.item);
	if (event) return [event];
	return isFixed ? parameters.eventsOfRun : [];
}

/**
 * Where Set was typed or picked: a set that was chosen while building, and forgotten there, would send its papers for
 * every event to come. The same for a reference that led to another set of that name.
 *
 * @throws ServiceError `invalidInput` naming both, when the event is about another set than the chosen one
 */
export function refuseOtherSet(events: readonly EventSet[], setId: string, named?: string | null): void {
	const other = events.find((event) => event.setId && idKey(event.setId) !== idKey(setId));
	if (other) throw fixedToOther(other, shown(setId, named));
}

/**
 * @param isFixed whether Set was typed or picked; an expression may lead to another set than the event's on purpose
 * @throws ServiceError `invalidInput` naming both, when the event's parcel reference is another one than that of its set
 */
export function refuseOtherParcel(events: readonly EventSet[], isFixed: boolean, set: SetResult): void {
	for (const event of events) refuseOtherReference(event, isFixed, set);
}

function refuseOtherReference(event: EventSet, isFixed: boolean, set: SetResult): void {
	const reference = shownText(set.parcelRef);
	if (!event.parcelReference || reference === null) return;
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

function fixedToOther({ setId, parcelReference, step }: EventSet, fixed: string): ServiceError {
	const about = setId === null ? String(parcelReference) : shown(setId, parcelReference);
	const field = step === undefined ? '$json.setId' : `$(${JSON.stringify(step)}).item.json.setId`;
	return new ServiceError('invalidInput', `The event is about set ${about}, but Set is fixed to ${fixed}`, {
		remedy: `Nothing was fetched: these would be the papers of another parcel. Put Set on By ID, press Expression, and drag the field setId of the event into it: {{ ${field} }}. Then each event gets its own papers.`,
	});
}

const shown = (setId: string, reference?: string | null) => (reference ? `${reference} (${setId})` : setId);
