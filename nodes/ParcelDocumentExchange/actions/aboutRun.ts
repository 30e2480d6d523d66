import { gave, looksUp, type SetBehind, type Step } from '../parameters/stepsInFront';
import { eventSetsOf, type EventSet } from '../parameters/eventSet';
import type { Parameters } from '../parameters/parameters';

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

/** Those of all steps in front. */
export const eventsOf = (steps: readonly Step[]) => steps.flatMap(({ events }) => events);

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
