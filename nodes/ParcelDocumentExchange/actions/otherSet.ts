import { ServiceError } from '../../../service/errors';
import { folded } from '../../../service/model/folded';
import { idKey, shownText, type SetResult } from '../../../service/model/set';
import { eventSetOf, named, type EventSet } from '../parameters/eventSet';
import type { Parameters } from '../parameters/parameters';
import { gave, isSearch, type Step } from '../parameters/stepsInFront';

/** What a run is about, as far as that can be seen from one of its items. */
export interface About {
	/** The set of the item's event; where it holds none, and Set was typed or picked, those of the steps in front. */
	events: readonly EventSet[];
	/** None for a model's tool. */
	steps: readonly Step[];
	/** The sets of the events that the item came from, as far as that is known. */
	behindItem: () => readonly EventSet[];
}

/** Nothing of it for a model's tool, for samples, and where nothing in front gave an event. */
export function aboutRun(parameters: Parameters, isFixed: boolean): About {
	if (parameters.asTool) return { events: [], steps: [], behindItem: () => [] };
	const { item, stepsInFront: steps } = parameters;
	const behindItem = () => parameters.eventsBehindItem;
	const event = eventSetOf(item);
	if (event) return { events: [event], steps, behindItem };
	if (!isFixed) return { events: [], steps, behindItem };
	const ofSteps = eventsOf(steps);
	return { events: ofSteps.length > 0 ? ofSteps : lookedFor(item, steps), steps, behindItem };
}

const eventsOf = (steps: readonly Step[]) => steps.flatMap(({ events }) => events);

/** The set of an item that a search in front found. */
function lookedFor({ setId, parcelRef }: Parameters['item'], steps: readonly Step[]): EventSet[] {
	if (typeof setId !== 'string' || !steps.some((step) => isSearch(step) && gave(step, setId))) return [];
	const found = named(setId, parcelRef);
	return found ? [{ ...found, isAskedFor: true }] : [];
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
 * The same for a reference that came with the item: the events that name a parcel so are about no other set.
 *
 * @throws ServiceError as {@link refuseOtherSet} does
 */
export function refuseOtherOfName({ events, steps }: About, setId: string, reference: string): void {
	const all = events.length > 0 ? events : eventsOf(steps);
	const ofName = all.filter((event) => folded(event.parcelReference ?? '') === folded(reference));
	refuseOtherSet(ofName, setId, reference);
}

/**
 * @param isFixed whether Set was typed or picked; an expression may lead to another set than the event's on purpose
 * @throws ServiceError `invalidInput` naming both, when the event's parcel reference is another one than that of its set
 */
export function refuseOtherParcel({ events }: About, isFixed: boolean, set: SetResult): void {
	for (const event of events) refuseOtherReference(event, isFixed, set);
}

/** A set, and what it is called. */
interface Called {
	setId: string;
	/** Its references, as far as they are known. */
	references?: readonly (string | null | undefined)[];
}

/**
 * A set that was typed into a step in front while building, such as Edit Fields, and comes from there by expression: it is
 * as fixed as one that was typed into Set.
 *
 * @throws ServiceError `invalidInput` naming both, when the event that the item came from is about another set; where it is
 * not known which one that is, when one of the run is
 */
export function refuseTypedInFront({ steps, behindItem }: About, set: Called): void {
	if (eventsOf(steps).length === 0) return;
	const typed = steps.filter((step) => isTypedInto(step, set));
	const [first] = typed;
	if (!first) return;
	// What a step itself gives as an event may be what was typed into it.
	const isElsewhere = ({ step }: EventSet) => !typed.some(({ name }) => name === step);
	const linked = behindItem().filter(isElsewhere);
	const events = linked.length > 0 ? linked : eventsOf(steps).filter(isElsewhere);
	const names = (set.references ?? []).map((name) => folded(name ?? ''));
	const isAbout = ({ setId, parcelReference }: EventSet) =>
		setId === null ? names.includes(folded(parcelReference ?? '')) : idKey(setId) === idKey(set.setId);
	if (linked.some(isAbout)) return;
	const other = events.find((event) => !isAbout(event));
	// A shipment that was typed into a search is that of the event, where the search found the event's set too.
	if (!other || (isSearch(first) && other.setId !== null && gave(first, other.setId))) return;
	throw typedInFront(other, first.name, shown(set.setId, set.references?.find(Boolean)));
}

/** Steps that choose among items, and put nothing into them; and those that start a run by what happened. */
const CHOOSING = /\.(if|switch|filter)$|Trigger$/;

function isTypedInto(step: Step, { setId, references = [] }: Called): boolean {
	if (CHOOSING.test(step.type)) return false;
	const { ids, words, reference } = step.typed;
	if (isSearch(step) && reference && gave(step, setId)) return true;
	return ids.has(idKey(setId)) || references.some((name) => name && words.has(folded(name)));
}

function refuseOtherReference(event: EventSet, isFixed: boolean, set: SetResult): void {
	const reference = shownText(set.parcelRef);
	if (!event.parcelReference || reference === null) return;
	if (folded(event.parcelReference) === folded(reference)) return;
	if (event.setId === null) {
		if (isFixed) throw fixedToOther(event, shown(set.setId, reference));
		return;
	}
	if (idKey(event.setId) !== idKey(set.setId) || event.isAskedFor) return;
	throw new ServiceError(
		'invalidInput',
		`The event is about parcel ${event.parcelReference}, but its set ${set.setId} is parcel ${reference}`,
		{
			remedy:
				'Nothing was fetched: one of the two is wrong, and nobody can tell which papers are meant. Look the set up in the service, and tell whoever runs it.',
		},
	);
}

function fixedToOther(event: EventSet, fixed: string): ServiceError {
	if (event.isAskedFor) {
		return new ServiceError(
			'invalidInput',
			`The input is about set ${aboutOf(event)}, but Set is fixed to ${fixed}`,
			{
				remedy: `Nothing was fetched: these would be the papers of another parcel. Put Set on By ID, press Expression, and drag the field setId into it: {{ ${fieldOf(event)} }}. Then each item gets its own papers.`,
			},
		);
	}
	return new ServiceError(
		'invalidInput',
		`The event is about set ${aboutOf(event)}, but Set is fixed to ${fixed}`,
		{
			remedy: `Nothing was fetched: these would be the papers of another parcel. Put Set on By ID, press Expression, and drag the field setId of the event into it: {{ ${fieldOf(event)} }}. Then each event gets its own papers.`,
		},
	);
}

function typedInFront(event: EventSet, step: string, set: string): ServiceError {
	return new ServiceError(
		'invalidInput',
		`The event is about set ${aboutOf(event)}, but set ${set} is what was typed into the step ${JSON.stringify(step)}`,
		{
			remedy: `Nothing was fetched: these would be the papers of another parcel. Take what was typed out of that step, or drag the field setId of the event into Set: {{ ${fieldOf(event)} }}. Then each event gets its own papers.`,
		},
	);
}

const aboutOf = ({ setId, parcelReference }: EventSet) =>
	setId === null ? String(parcelReference) : shown(setId, parcelReference);

const fieldOf = ({ step }: EventSet) =>
	step === undefined ? '$json.setId' : `$(${JSON.stringify(step)}).item.json.setId`;

const shown = (setId: string, reference?: string | null) => (reference ? `${reference} (${setId})` : setId);
