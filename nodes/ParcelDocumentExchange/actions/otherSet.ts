import { folded } from '../../../service/model/folded';
import { idKey, shownText, type SetResult } from '../../../service/model/set';
import { ServiceError } from '../../../service/errors';
import { isAboutSet, type EventSet } from '../parameters/eventSet';
import { chosenIn, gave, isSearch, looksUp, namesOfSets, type StepOfRun } from '../parameters/stepsInFront';
import { textsIn } from '../parameters/values';
import { eventsOf, type About } from './aboutRun';

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
 * The same in an error workflow, which starts for whatever failed: which parcel that was about, its item does not say.
 *
 * @throws ServiceError `invalidInput`; not while a person tries it, with the failure that n8n makes up
 */
export function refuseForFailures({ steps, isTried }: Pick<About, 'steps' | 'isTried'>, set: string): void {
	const starts = isTried
		? undefined
		: steps.find(({ type, items }) => /\.errorTrigger$/.test(type) && items.length > 0);
	if (starts) throw fixedForFailures(starts.name, set);
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
	const references = reference === '' ? [] : [folded(reference)];
	const isAbout = (event: EventSet) => isAboutSet(event, set.setId, references);
	const copied = copiedFrom(steps, set.setId);
	// The usual one, for which no link has to be followed.
	if (!copied && typeof item.setId === 'string' && idKey(item.setId) === idKey(set.setId)) return;
	const isOfRun = (step: StepOfRun) =>
		gave(step, set.setId) || (reference !== '' && step.events.some(isAbout));
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
	if (!own || isAnswer(steps, set.setId)) return;
	const names = [folded(set.setId), ...references];
	const mentions = (text: string) => names.some((name) => folded(text).includes(name));
	if (mentions(set.written) || (!copied && textsIn(itemsBehindItem()).some(mentions))) return;
	throw ofOtherEvent(own, shown(set.setId, set.reference));
}

/** Whether somebody chose a set in an answer, which n8n links to the first of those that were asked for. */
function isAnswer(steps: readonly StepOfRun[], setId: string): boolean {
	const answers = steps.filter(({ typed }) => typed.isAnswered).flatMap(({ items }) => textsIn(items));
	const known = answers.length > 0 ? namesOfSets(steps) : undefined;
	return known !== undefined && answers.some((text) => chosenIn(text, known) === idKey(setId));
}

/** The step of several sets, one of which a step between wrote into all items: `$("Event").first()` in Edit Fields. */
function copiedFrom(steps: readonly StepOfRun[], setId: string): StepOfRun | undefined {
	const copied = steps.flatMap(({ typed, parents }) => [
		...typed.oneForAll,
		...(typed.firstForAll ? parents() : []),
	]);
	return steps.find((step) => step.setIds.size > 1 && copied.includes(step.name) && gave(step, setId));
}

/**
 * @param isFixed whether Set was typed or picked; an expression may lead to another set than the event's on purpose
 * @throws ServiceError `invalidInput` naming both, when the event's parcel reference is another one than that of its set
 */
export function refuseOtherParcel({ events, isStandIn }: About, isFixed: boolean, set: SetResult): void {
	for (const event of events) refuseOtherReference(event, { isFixed, isStandIn }, set);
}

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
export function refuseTypedInFront({ steps, behindItem, setsBehindItem }: About, set: Called): void {
	const isOfEvents = steps.some((step) => step.events.length > 0);
	if (!isOfEvents && !steps.some(looksUp)) return;
	const typed = stepsTypedInto(steps, set);
	const [first] = typed;
	if (!first) return;
	// What a step itself gives as an event may be what was typed into it.
	const isElsewhere = ({ step }: EventSet) => !typed.some(({ name }) => name === step);
	const foundFor = () =>
		[...setsBehindItem()].flatMap(({ step, set: found }) => (looksUp(step) ? [found] : []));
	const linked = (isOfEvents ? [...behindItem()] : foundFor()).filter(isElsewhere);
	const events = linked.length > 0 ? linked : eventsOf(steps).filter(isElsewhere);
	const names = (set.references ?? []).map((name) => folded(name ?? ''));
	const isAbout = (event: EventSet) => isAboutSet(event, set.setId, names);
	if (linked.some(isAbout)) return;
	const other = events.find((event) => !isAbout(event));
	// A shipment that was typed into a search is that of the event, where the search found the event's set too.
	if (!other || (isSearch(first) && other.setId !== null && gave(first, other.setId))) return;
	throw typedInFront(other, first.name, shown(set.setId, set.references?.find(Boolean)));
}

/** Steps that choose among items, and put nothing into them; and those that start a run by what happened. */
const CHOOSING = /\.(if|switch|filter)$|Trigger$/;

/** Steps in front into which a set was typed while building. */
const stepsTypedInto = (steps: readonly StepOfRun[], set: Called): StepOfRun[] =>
	steps.filter((step) => isTypedInto(step, set));

/** A step in front that gives a set whatever comes to it: it was typed there, or a search goes by nothing else. */
export const givesAnyway = (steps: readonly StepOfRun[], set: Called): StepOfRun | undefined =>
	steps.find(
		(step) => isTypedInto(step, set) || (isSearch(step) && step.typed.isConstant && gave(step, set.setId)),
	);

function isTypedInto(step: StepOfRun, { setId, references = [] }: Called): boolean {
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
	throw otherReference(event.parcelReference, set.setId, reference);
}

/** Set was typed or picked, or stands in for an empty field, and the event is about another one. */
function fixedToOther(event: EventSet, fixed: string, isStandIn: boolean): ServiceError {
	if (isStandIn) return standIn(event, fixed);
	return new ServiceError(
		'invalidInput',
		event.isAskedFor
			? `The input is about set ${aboutOf(event)}, but Set is fixed to ${fixed}`
			: `The event is about set ${aboutOf(event)}, but Set is fixed to ${fixed}`,
		{
			remedy: event.isAskedFor
				? `${OTHER_PAPERS} Put Set on By ID, press Expression, and drag the field ${event.path?.at(-1) ?? 'setId'} into it: {{ ${fieldOf(event)} }}. Then each item gets its own papers.`
				: `${OTHER_PAPERS} ${event.isWithin ? 'Put Event, Parse in front, which takes the event out of what it came in. ' : ''}Put Set on By ID, press Expression, and drag the field setId of the event into it: {{ ${fieldOf(event)} }}. Then each event gets its own papers.`,
		},
	);
}

function standIn(event: EventSet, set: string): ServiceError {
	return new ServiceError(
		'invalidInput',
		`The ${wordFor(event)} is about set ${aboutOf(event)}, but Set gives ${set}, which is written there for when a field is empty`,
		{
			remedy: `${OTHER_PAPERS} Take the set that is written there out of the expression: {{ ${fieldOf(event)} }}. Where the event names no set, put Set on By Reference and drag its parcelReference.`,
		},
	);
}

/** Set was typed or picked where a workflow starts for whatever failed. */
function fixedForFailures(step: string, fixed: string): ServiceError {
	return new ServiceError(
		'invalidInput',
		`Set is fixed to ${fixed}, and ${JSON.stringify(step)} starts this workflow for whatever failed`,
		{
			remedy:
				'Nothing was fetched: these would be the papers of another parcel. From a report of the trigger, Event, Parse takes the event: put it in front, and drag its setId into Set. One set that is meant each time is written as an expression: {{ "its ID" }}.',
		},
	);
}

const wordFor = ({ isAskedFor }: EventSet) => (isAskedFor ? 'input' : 'event');

/** A set that was typed into a step in front, and the event is about another one. */
function typedInFront(event: EventSet, step: string, set: string): ServiceError {
	return new ServiceError(
		'invalidInput',
		event.isAskedFor
			? `The input is about set ${aboutOf(event)}, but set ${set} is what was typed into the step ${JSON.stringify(step)}`
			: `The event is about set ${aboutOf(event)}, but set ${set} is what was typed into the step ${JSON.stringify(step)}`,
		{
			remedy: `${OTHER_PAPERS} Take what was typed out of that step, or drag the field setId of ${event.isAskedFor ? 'what was found' : 'the event'} into Set: {{ ${fieldOf(event)} }}. ${eachGetsItsOwn(event)}`,
		},
	);
}

/** An expression that gave the set of another event, or item, of the run. */
function ofOtherEvent(event: EventSet, set: string): ServiceError {
	return new ServiceError(
		'invalidInput',
		event.isAskedFor
			? `The input is about set ${aboutOf(event)}, but Set gives ${set}, that of another item in this run`
			: `The event is about set ${aboutOf(event)}, but Set gives ${set}, that of another event in this run`,
		{
			remedy: `${OTHER_PAPERS} Some expressions, such as $("…").first(), give one ${event.isAskedFor ? 'set' : 'event'} for all items. Drag the field setId ${event.isAskedFor ? '' : 'of the event '}into Set: {{ ${fieldOf(event)} }}. ${eachGetsItsOwn(event)}`,
		},
	);
}

const OTHER_PAPERS = 'Nothing was fetched: these would be the papers of another parcel.';

const eachGetsItsOwn = ({ isAskedFor }: EventSet) =>
	`Then each ${isAskedFor ? 'item' : 'event'} gets its own papers.`;

const aboutOf = ({ setId, parcelReference }: EventSet) =>
	setId === null ? String(parcelReference) : shown(setId, parcelReference);

const fieldOf = ({ step, path = ['setId'] }: EventSet) =>
	`${step === undefined ? '$json' : `$(${JSON.stringify(step)}).item.json`}${path.map(memberOf).join('')}`;

/** As n8n writes it when a field is dragged. */
const memberOf = (name: string) => (/^[a-z_$][\w$]*$/i.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`);

/** A set as a person knows it. */
const shown = (setId: string, reference?: string | null) => (reference ? `${reference} (${setId})` : setId);

/** The event's set goes by another reference than the event says. */
function otherReference(ofEvent: string, setId: string, ofSet: string): ServiceError {
	return new ServiceError(
		'invalidInput',
		`The event is about parcel ${ofEvent}, but its set ${setId} is parcel ${ofSet}`,
		{
			remedy:
				'Nothing was fetched: one of the two is wrong, and nobody can tell which papers are meant. Look the set up in the service, and tell whoever runs it.',
		},
	);
}
