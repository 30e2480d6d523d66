import { folded } from '../../../service/model/folded';
import { shownText, type SetResult } from '../../../service/model/set';
import { gave, isSearch, looksUp, type SetBehind, type StepOfRun } from '../parameters/stepsInFront';
import { eventSetsOf, isAboutSet, type EventSet } from '../parameters/eventSet';
import type { Parameters } from '../parameters/parameters';
import { fieldsOf, isAsked, isId, mayNameParcel, nameOf, type Field } from '../parameters/askedFor';
import { sending } from '../parameters/attaching';
import { quoted } from '../parameters/stepKinds';
import { takenIn } from '../parameters/taken';
import { behindOf, type Around } from '../parameters/ways';

/** What a run is about, as far as that can be seen from one of its items. */
export interface About {
	/** The set of the item's event; where it holds none, and Set was typed or picked, those of the steps in front. */
	events: readonly EventSet[];
	/** None for a model's tool. */
	steps: readonly StepOfRun[];
	/** The sets of the events that the item came from, as far as that is known. */
	behindItem: () => Iterable<EventSet>;
	/** The sets that it came from, where they are no events. */
	setsBehindItem: () => Iterable<SetBehind>;
	item: Parameters['item'];
	/** The item, and those of the steps in front that it came from, as far as that is known. */
	itemsBehindItem: () => readonly object[];
	/** Whether Set came to what is written in its expression for when a field is empty. */
	isStandIn: boolean;
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
		behindItem: () => parameters.linked.events(),
		setsBehindItem: () => parameters.linked.sets(),
		itemsBehindItem: () => [item, ...parameters.linked.items()],
	};
	const events = eventSetsOf(item);
	if (events.length > 0 || filled === 'withItem') return { ...run, events };
	// Of several events, others may have had the field that is empty for this one.
	const linked = isStandIn ? [...run.behindItem()] : [];
	const ofRun = linked.length > 0 ? linked : eventsOf(run.steps);
	return { ...run, events: ofRun.length > 0 ? ofRun : lookedFor(run) };
}

export const eventsOf = (steps: readonly StepOfRun[]) => steps.flatMap(({ events }) => events);

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

const MOST_SHOWN = 60;

/**
 * Where a set was typed or picked, and a form, say, or a row of a table, came with a reference that is none of its: whether
 * that names a parcel, nobody can tell, and so it is told to whoever builds the workflow.
 *
 * @param giving the step in front that gives the set, whatever comes to it; undefined where it was typed into Set itself
 */
export function askedOtherwise({ steps, item }: About, set: SetResult, giving?: string): string | undefined {
	const called = [shownText(set.parcelRef), shownText(set.shipmentRef), set.setId].filter(Boolean);
	const names = called.map((name) => folded(String(name)));
	const came = [
		...steps.filter(({ type }) => isAsked(type)).map(({ name, items }) => ({ name, items })),
		{ name: undefined, items: item.isSample === true ? [] : [item] },
	];
	for (const { name: step, items } of came) {
		const asked = items.flatMap((one) => fieldsOf(one)).filter(isNamed);
		const [first] = asked;
		if (asked.some(({ value }) => names.includes(folded(value)))) return undefined;
		if (first) return sentence(called[0] ?? '', { step, field: first, giving });
	}
	return undefined;
}

const isNamed = (field: Field): field is Field & { value: string } =>
	typeof field.value === 'string' && field.value.trim() !== '' && mayNameParcel(nameOf(field), field.value);

function sentence(
	set: string,
	{ step, field, giving }: { step?: string; field: Field & { value: string }; giving?: string },
): string {
	const { value } = field;
	const from = step === undefined ? 'the input' : JSON.stringify(step);
	const shown = JSON.stringify(value.trim().slice(0, MOST_SHOWN));
	const [fixed, remedy] =
		giving === undefined
			? [
					`Set is fixed to ${set}`,
					`put Set on ${isId(value) ? 'By ID' : 'By Reference'}, press Expression, and drag the field into it`,
				]
			: [`${JSON.stringify(giving)} gives ${set} whatever comes to it`, 'drag it into that step'];
	return `${fixed}, and ${from} came with ${nameOf(field)}: ${shown}. Whatever is asked for, these papers are the answer. If that field names the parcel, ${remedy}.`;
}

/**
 * In a run by a person: a step between the event and this one gave another set than the event's, and that one alone. Most
 * likely its data is pinned, of an earlier run, or it is a search for something else. n8n does not tell.
 */
export function pinnedBetween({ steps, behindItem }: About, set: SetResult): string | undefined {
	const names = [set.parcelRef, set.shipmentRef].map((name) => folded(shownText(name) ?? ''));
	const all = eventsOf(steps);
	const linked = [...behindItem()];
	const events = linked.length > 0 ? linked : all;
	const [event] = events;
	if (!event || all.some((one) => isAboutSet(one, set.setId, names))) return undefined;
	const giving = steps.find(
		(step) =>
			step.events.length === 0 &&
			gave(step, set.setId) &&
			(isAnyway(step) || !events.some(({ setId }) => setId !== null && gave(step, setId))),
	);
	if (!giving) return undefined;
	const called = event.parcelReference ?? event.setId;
	if (isAnyway(giving))
		return `The event is about ${called}, and ${quoted(giving)} looks for sets by nothing that the event says: the papers of all that it finds go where those of the event go. If they are not meant, drag a field of the event into that step, or its setId into Set.`;
	return `The event is about ${called}, and these are the papers of ${shownText(set.parcelRef) ?? set.setId}, which ${quoted(giving)} gave. If that step is pinned, its data is of an earlier run: unpin it. If it looks for other sets, drag the setId of the event into Set.`;
}

/** A search that goes by nothing that comes to it. */
const isAnyway = (step: StepOfRun) => isSearch(step) && step.typed.isConstant;

/** How n8n's contexts hold what a person pinned; no part of what they promise. */
interface Pinned {
	runExecutionData?: { resultData?: { pinData?: Record<string, unknown> } } | null;
}

/** What starts a run, and is pinned to try it. */
const STARTS = /Trigger$|\.webhook$/;

/**
 * In a run by a person: steps in front that gave sets, and are pinned, where a mail or a drive stands behind, in words. n8n
 * takes what they gave in an earlier run, whatever is asked for in them now. Of a run with events, what differs is told, and what
 * a step behind takes by the name of one that is pinned, such as the address of a row.
 */
export function pinnedInFront(
	context: Pick<Around, 'getNode' | 'getChildNodes'> & Pinned,
	steps: readonly Pick<StepOfRun, 'name' | 'type' | 'setIds' | 'events'>[],
): string[] {
	const pinned = context.runExecutionData?.resultData?.pinData ?? {};
	const pins = steps.filter(({ name }) => Object.hasOwn(pinned, name));
	const isOfEvents = steps.some(({ events }) => events.length > 0);
	const behind = behindOf(context);
	const [last] = sending(behind);
	if (!last) return [];
	// With what started the run, it may be of the same run.
	if (isOfEvents && pins.some(({ type }) => STARTS.test(type))) return [];
	const goesBy = new Set(behind.flatMap(takenIn).map(({ step }) => step));
	return pins
		.filter(
			({ name, type, setIds }) => !STARTS.test(type) && (isOfEvents ? goesBy.has(name) : setIds.size > 0),
		)
		.map((step) =>
			isOfEvents
				? `${quoted(step)} is pinned: it gives what it gave in an earlier run, maybe for another parcel, and what is sent behind goes by it all the same. Unpin it.`
				: `${quoted(step)} is pinned: it gives the sets of an earlier run, whatever stands in it now, and ${quoted(last)} sends their papers all the same. Unpin it.`,
		);
}
