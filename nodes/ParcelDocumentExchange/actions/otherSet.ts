import { ServiceError } from '../../../service/errors';
import { folded } from '../../../service/model/folded';
import { idKey, shownText, type SetResult } from '../../../service/model/set';
import { eventSetsOf, type EventSet } from '../parameters/eventSet';
import type { Parameters } from '../parameters/parameters';
import { textsIn } from '../parameters/typedInto';
import { gave, isSearch, looksUp, type SetBehind, type Step } from '../parameters/stepsInFront';

/** What a run is about, as far as that can be seen from one of its items. */
export interface About {
	/** The set of the item's event; where it holds none, and Set was typed or picked, those of the steps in front. */
	events: readonly EventSet[];
	/** None for a model's tool. */
	steps: readonly Step[];
	/** The sets of the events that the item came from, as far as that is known. */
	behindItem: () => Iterable<EventSet>;
	/** The sets that it came from, where they are no events. */
	setsBehindItem: () => Iterable<SetBehind>;
	item: Parameters['item'];
	/** The item, and those of the steps in front that it came from, as far as that is known. */
	itemsBehindItem: () => readonly object[];
	/** Whether Set came to what is written in its expression for when a field is empty. */
	isStandIn: boolean;
	/** Whether a person runs the workflow in the editor. */
	isTried: boolean;
}

/** How Set was filled in: typed or picked, by an expression that came to what is written in it, or by what came with the item. */
export type Filled = 'typed' | 'standIn' | 'withItem';

/** Nothing of it for a model's tool, for samples, and where nothing in front gave an event. */
export function aboutRun(parameters: Parameters, filled: Filled): About {
	const { item, asTool, isTried } = parameters;
	const isStandIn = filled === 'standIn';
	const none = () => [];
	const nothing = { item, isStandIn, isTried, behindItem: none, setsBehindItem: none, itemsBehindItem: none };
	if (asTool) return { ...nothing, events: [], steps: [] };
	const run = {
		...{ item, isStandIn, isTried, steps: parameters.stepsInFront },
		behindItem: () => parameters.eventsBehindItem,
		setsBehindItem: () => parameters.setsBehindItem,
		itemsBehindItem: () => [item, ...parameters.itemsBehindItem],
	};
	const events = eventSetsOf(item);
	if (events.length > 0 || filled === 'withItem') return { ...run, events };
	// Of several events, others may have had the field that is empty for this one.
	const linked = isStandIn ? [...run.behindItem()] : [];
	const ofRun = linked.length > 0 ? linked : eventsOf(run.steps);
	return { ...run, events: ofRun.length > 0 ? ofRun : lookedFor(run) };
}

const eventsOf = (steps: readonly Step[]) => steps.flatMap(({ events }) => events);

/** The set that a step in front looked up for the item. */
function lookedFor({
	item,
	steps,
	setsBehindItem,
}: Pick<About, 'item' | 'steps' | 'setsBehindItem'>): EventSet[] {
	if (!steps.some((step) => looksUp(step) && step.setIds.size > 0)) return [];
	const [found] = [...setsBehindItem()].filter(({ step }) => looksUp(step));
	if (!found) return [];
	const isInItem = typeof item.setId === 'string' && gave(found.step, item.setId);
	return [isInItem ? { ...found.set, step: undefined } : found.set];
}

/**
 * Where Set was typed or picked: a set that was chosen while building, and forgotten there, would send its papers for
 * every event to come. The same for a reference that led to another set of that name.
 *
 * @throws ServiceError `invalidInput` naming both, when the event is about another set than the chosen one
 */
export function refuseOtherSet(
	{ events, isStandIn }: Pick<About, 'events' | 'isStandIn'>,
	setId: string,
	named?: string | null,
): void {
	const other = events.find((event) => event.setId && idKey(event.setId) !== idKey(setId));
	if (other) throw fixedToOther(other, shown(setId, named), isStandIn);
}

/**
 * The same for a reference that came with the item: the events that name a parcel so are about no other set.
 *
 * @throws ServiceError as {@link refuseOtherSet} does
 */
export function refuseOtherOfName(
	{ events, steps, behindItem }: About,
	setId: string,
	reference: string,
): void {
	const ofName = (all: readonly EventSet[]) =>
		all.filter((event) => folded(event.parcelReference ?? '') === folded(reference));
	const all = ofName(events.length > 0 ? events : eventsOf(steps));
	// Two customers may have a parcel of one name: then the event that the item came from decides.
	const isOneSet = all.every((event) => event.setId && idKey(event.setId) === idKey(setId));
	const linked = isOneSet ? [] : ofName([...behindItem()]);
	refuseOtherSet({ events: linked.length > 0 ? linked : all, isStandIn: false }, setId, reference);
}

/**
 * A set that an expression took from another event of the run, or another item of a search, than the one the item came
 * from, as `$("Event").first()` does for each item but the first. What the item, or one that it came from, mentions by
 * itself was chosen for it.
 *
 * @param set by which its mentions are known: its ID, and the reference that led to it
 * @throws ServiceError `invalidInput` naming both
 */
export function refuseOfOtherEvent(
	{ steps, item, behindItem, setsBehindItem, itemsBehindItem }: About,
	set: { setId: string; reference?: string; written: string },
): void {
	const { reference = '' } = set;
	const isAbout = ({ setId, parcelReference }: EventSet) =>
		setId === null
			? reference !== '' && folded(parcelReference ?? '') === folded(reference)
			: idKey(setId) === idKey(set.setId);
	const copied = copiedFrom(steps, set.setId);
	// The usual one, for which no link has to be followed.
	if (!copied && typeof item.setId === 'string' && idKey(item.setId) === idKey(set.setId)) return;
	const isOfRun = (step: Step) => gave(step, set.setId) || (reference !== '' && step.events.some(isAbout));
	if (!steps.some(isOfRun)) return;
	const counts = (name: string | undefined) => !copied || copied.name === name;
	let own: EventSet | undefined;
	for (const event of behindItem()) {
		if (!counts(event.step)) continue;
		if (isAbout(event) || (event.setId === null && reference === '')) return;
		own ??= event;
	}
	for (const { step, set: found } of setsBehindItem()) {
		if (!counts(step.name)) continue;
		if (isAbout(found)) return;
		if (gave(step, set.setId)) own ??= found;
	}
	if (!own) return;
	const names = [set.setId, ...(reference === '' ? [] : [reference])].map(folded);
	const mentions = (text: string) => names.some((name) => folded(text).includes(name));
	if (mentions(set.written) || (!copied && textsIn(itemsBehindItem()).some(mentions))) return;
	throw ofOtherEvent(own, shown(set.setId, set.reference));
}

/** The step of several sets, one of which a step between wrote into all items: `$("Event").first()` in Edit Fields. */
function copiedFrom(steps: readonly Step[], setId: string): Step | undefined {
	const copied = steps.flatMap(({ typed }) => [...typed.oneForAll]);
	return steps.find((step) => step.setIds.size > 1 && copied.includes(step.name) && gave(step, setId));
}

/**
 * @param isFixed whether Set was typed or picked; an expression may lead to another set than the event's on purpose
 * @throws ServiceError `invalidInput` naming both, when the event's parcel reference is another one than that of its set
 */
export function refuseOtherParcel({ events, isStandIn }: About, isFixed: boolean, set: SetResult): void {
	for (const event of events) refuseOtherReference(event, { isFixed, isStandIn }, set);
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
	if (steps.every((step) => step.events.length === 0)) return;
	const typed = steps.filter((step) => isTypedInto(step, set));
	const [first] = typed;
	if (!first) return;
	// What a step itself gives as an event may be what was typed into it.
	const isElsewhere = ({ step }: EventSet) => !typed.some(({ name }) => name === step);
	const linked = [...behindItem()].filter(isElsewhere);
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

function refuseOtherReference(
	event: EventSet,
	{ isFixed, isStandIn }: { isFixed: boolean; isStandIn: boolean },
	set: SetResult,
): void {
	const reference = shownText(set.parcelRef);
	if (!event.parcelReference || reference === null) return;
	if (folded(event.parcelReference) === folded(reference)) return;
	if (event.setId === null) {
		if (isFixed) throw fixedToOther(event, shown(set.setId, reference), isStandIn);
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

function fixedToOther(event: EventSet, fixed: string, isStandIn: boolean): ServiceError {
	if (isStandIn) return standIn(event, fixed);
	if (event.isAskedFor) {
		return new ServiceError(
			'invalidInput',
			`The input is about set ${aboutOf(event)}, but Set is fixed to ${fixed}`,
			{
				remedy: `Nothing was fetched: these would be the papers of another parcel. Put Set on By ID, press Expression, and drag the field ${event.path?.at(-1) ?? 'setId'} into it: {{ ${fieldOf(event)} }}. Then each item gets its own papers.`,
			},
		);
	}
	return new ServiceError(
		'invalidInput',
		`The event is about set ${aboutOf(event)}, but Set is fixed to ${fixed}`,
		{
			remedy: `Nothing was fetched: these would be the papers of another parcel. ${event.isWithin ? 'Put Event, Parse in front, which takes the event out of what it came in. ' : ''}Put Set on By ID, press Expression, and drag the field setId of the event into it: {{ ${fieldOf(event)} }}. Then each event gets its own papers.`,
		},
	);
}

function standIn(event: EventSet, set: string): ServiceError {
	return new ServiceError(
		'invalidInput',
		`The ${wordFor(event)} is about set ${aboutOf(event)}, but Set gives ${set}, which is written there for when a field is empty`,
		{
			remedy: `Nothing was fetched: these would be the papers of another parcel. Take the set that is written there out of the expression: {{ ${fieldOf(event)} }}. Where the event names no set, put Set on By Reference and drag its parcelReference.`,
		},
	);
}

const wordFor = ({ isAskedFor }: EventSet) => (isAskedFor ? 'input' : 'event');

function typedInFront(event: EventSet, step: string, set: string): ServiceError {
	return new ServiceError(
		'invalidInput',
		`The event is about set ${aboutOf(event)}, but set ${set} is what was typed into the step ${JSON.stringify(step)}`,
		{
			remedy: `Nothing was fetched: these would be the papers of another parcel. Take what was typed out of that step, or drag the field setId of the event into Set: {{ ${fieldOf(event)} }}. Then each event gets its own papers.`,
		},
	);
}

function ofOtherEvent(event: EventSet, set: string): ServiceError {
	if (event.isAskedFor) {
		return new ServiceError(
			'invalidInput',
			`The input is about set ${aboutOf(event)}, but Set gives ${set}, that of another item in this run`,
			{
				remedy: `Nothing was fetched: these would be the papers of another parcel. Some expressions, such as $("…").first(), give one set for all items. Drag the field setId into Set: {{ ${fieldOf(event)} }}. Then each item gets its own papers.`,
			},
		);
	}
	return new ServiceError(
		'invalidInput',
		`The event is about set ${aboutOf(event)}, but Set gives ${set}, that of another event in this run`,
		{
			remedy: `Nothing was fetched: these would be the papers of another parcel. Some expressions, such as $("…").first(), give one event for all items. Drag the field setId of the event into Set: {{ ${fieldOf(event)} }}. Then each event gets its own papers.`,
		},
	);
}

const aboutOf = ({ setId, parcelReference }: EventSet) =>
	setId === null ? String(parcelReference) : shown(setId, parcelReference);

const fieldOf = ({ step, path = ['setId'] }: EventSet) =>
	`${step === undefined ? '$json' : `$(${JSON.stringify(step)}).item.json`}${path.map(memberOf).join('')}`;

/** As n8n writes it when a field is dragged. */
const memberOf = (name: string) => (/^[a-z_$][\w$]*$/i.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`);

const shown = (setId: string, reference?: string | null) => (reference ? `${reference} (${setId})` : setId);
