import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { folded } from '../../../service/model/folded';
import { idKey } from '../../../service/model/set';
import { askedSet, isCalled, isId } from './askedFor';
import { eventSetsOf, setNamed, type EventSet } from './eventSet';
import { ACTION, OURS, type Steps } from './stepKinds';
import { typedInto, type Typed } from './typedInto';
import { inFrontOf, mostTaken, parentsOf, type InFront, type Whole } from './ways';

/** Gives, where Simplify is off, sets as the service shows them. */
const POLL_TRIGGER = /\.parcelDocumentExchangePollTrigger$/;

/** A step in front of a node, in one run. */
export interface StepOfRun {
	name: string;
	type: string;
	/** What it gave; nothing where it has not run. */
	items: readonly IDataObject[];
	/** The sets of the events among them, whatever the steps behind it made of them. */
	events: readonly EventSet[];
	eventIds: ReadonlySet<string>;
	/** The IDs of the sets that its items are about, events or not. */
	setIds: ReadonlySet<string>;
	typed: Typed;
	/** How many of the items that came it went on with. */
	mostTaken: number;
	parents: () => string[];
}

/** What is known of such a step by what it gave. */
export type Given = Pick<StepOfRun, 'name' | 'type' | 'setIds' | 'items'>;

/** One for each run of a node: every item asks. */
const known = new WeakMap<IExecuteFunctions, readonly StepOfRun[]>();

/**
 * The steps in front of a node. Behind an e-mail or Edit Fields, the input item holds no event any more, and the run is
 * about that event all the same.
 */
export function stepsInFront(context: IExecuteFunctions, itemIndex: number): readonly StepOfRun[] {
	const found = known.get(context) ?? readSteps(context, itemIndex);
	known.set(context, found);
	return found;
}

/** A set that an item came from, and the step that gave it. */
export interface SetBehind {
	step: StepOfRun;
	set: EventSet;
}

/** What an input item came from, as n8n links items; nothing where it knows of no link. One by one: each takes time. */
export class Linked {
	private readonly given: DataProxy;

	constructor(
		context: IExecuteFunctions,
		itemIndex: number,
		private readonly steps = stepsInFront(context, itemIndex),
	) {
		this.given = context.getWorkflowDataProxy(itemIndex);
	}

	*events(): Generator<EventSet> {
		for (const { name, type, events } of this.steps) {
			if (events.length > 0) yield* eventsOf(name, type, linkedItem(this.given, name));
		}
	}

	/** Those that steps in front gave, such as a search: of items that are no events. */
	*sets(): Generator<SetBehind> {
		for (const step of this.steps) {
			if (step.setIds.size === 0 || step.events.length > 0) continue;
			for (const item of linkedItem(this.given, step.name)) {
				const set = setOf(item);
				if (set) yield { step, set: { ...set, step: step.name, isAskedFor: true } };
			}
		}
	}

	itemOf(step: string): IDataObject | undefined {
		return linkedItem(this.given, step)[0];
	}

	items(): IDataObject[] {
		const given = this.steps.filter(({ items }) => items.length > 0);
		return given.flatMap(({ name }) => linkedItem(this.given, name));
	}
}

/** What steps in front gave: by each of its names, the ID. */
export type Known = ReadonlyMap<string, string>;

/** The sets that our steps gave, by their IDs and by the references that are those of one of them alone. */
export function namesOfSets(given: readonly StepOfRun[]): Known {
	const known = new Map<string, string>();
	const shared = new Set<string>();
	const name = (text: unknown, id: string) => {
		if (typeof text !== 'string' || text === '') return;
		const key = folded(text);
		if ((known.get(key) ?? id) !== id) shared.add(key);
		known.set(key, id);
	};
	for (const { type, events, items, setIds } of given) {
		if (!OURS.test(type) && events.length === 0) continue;
		for (const id of setIds) name(id, id);
		for (const { setId, parcelReference } of events) if (setId) name(parcelReference, idKey(setId));
		for (const { setId, parcelRef } of items) if (typeof setId === 'string') name(parcelRef, idKey(setId));
	}
	for (const text of shared) known.delete(text);
	return known;
}

/**
 * The set that somebody chose in an answer, by the longest name in it: words may stand beside it, and one name may be the
 * beginning of another.
 */
export function chosenIn(answer: string, known: Known): string | undefined {
	const apart = (text: string) => ` ${folded(text.replaceAll(/[\s,;:()"]+/g, ' '))} `;
	const said = apart(answer);
	const names = [...known.keys()].filter((name) => said.includes(apart(name)));
	const [longest = ''] = names.sort((one, other) => other.length - one.length);
	return known.get(longest);
}

/** The item of a step in front that an input item came from; undefined where n8n knows of no link. */
export function itemOfStep(
	context: Pick<IExecuteFunctions, 'getWorkflowDataProxy'>,
	itemIndex: number,
	step: string,
): IDataObject | undefined {
	return linkedItem(context.getWorkflowDataProxy(itemIndex), step)[0];
}

/** Whether a step looks for sets. */
export function isSearch({ type, typed }: Pick<StepOfRun, 'type' | 'typed'>): boolean {
	return ACTION.test(type) && typed.operation === 'search';
}

/** Whether a step gives sets by what came with its items; not those that were picked for it. */
export function looksUp({ type, typed }: StepOfRun): boolean {
	return ACTION.test(type) && (typed.operation === 'search' || typed.isOfItem);
}

/** Whether a step gave an item for each set. Of Edit Fields and Code, what is taken may be the same for all. */
export const gaveEachSet = ({ type, setIds }: Given): boolean =>
	setIds.size > 1 && !/\.(set|code)$/.test(type);

/** Whether a step gave an item of that set. */
export function gave({ setIds }: StepOfRun, setId: string): boolean {
	return setIds.has(idKey(setId));
}

function readSteps(context: IExecuteFunctions, itemIndex: number): StepOfRun[] {
	const own = context.getNode().name;
	// In a loop, a node stands in front of itself.
	return stepsOfRun(
		context,
		inFrontOf(context, own).filter(({ name }) => name !== own),
		itemIndex,
	);
}

/** What is known of steps of this run, wherever they stand. */
export function stepsOfRun(
	context: InFront & Whole & Pick<IExecuteFunctions, 'getWorkflowDataProxy'>,
	steps: Steps,
	itemIndex = 0,
): StepOfRun[] {
	const given = context.getWorkflowDataProxy(itemIndex);
	return steps.map((step) => {
		const { name, type, parameters } = step;
		const items = itemsOf(given, name);
		const events = eventsOf(name, type, items);
		const eventIds = idsOf(events);
		const setIds = setIdsOf(type, items);
		const typed = typedInto(parameters ?? {}, type);
		const parents = () => parentsOf(context, name).map((step) => step.name);
		return {
			name,
			type,
			items,
			events,
			eventIds,
			setIds,
			typed,
			mostTaken: mostTaken(context, step),
			parents,
		};
	});
}

/** The IDs of the sets that such items of a step are about, events or not. */
export const setIdsOf = (type: string, items: readonly IDataObject[]): ReadonlySet<string> =>
	new Set([...idsOf(eventsOf('', type, items)), ...idsOf(items.map((item) => setOf(item)))]);

const idsOf = (sets: readonly (EventSet | undefined)[]) =>
	new Set(sets.flatMap((set) => (set?.setId ? [idKey(set.setId)] : [])));

function eventsOf(step: string, type: string, items: readonly IDataObject[]): EventSet[] {
	return items.flatMap((item) => {
		const events = eventSetsOf(item);
		const asked = events.length > 0 ? undefined : askedFor(type, item);
		return [...events, ...(asked ? [asked] : [])].map((event) => ({ ...event, step }));
	});
}

/** The set that an item is about by its field of that name. */
function setOf({ setId, parcelRef, isSample }: IDataObject): EventSet | undefined {
	return isId(setId) && isSample !== true ? setNamed(setId, parcelRef) : undefined;
}

function askedFor(type: string, item: IDataObject): EventSet | undefined {
	if (POLL_TRIGGER.test(type)) return setNamed(item.setId, item.parcelRef);
	const field = askedSet(type, item);
	const asked = isCalled(type)
		? setNamed(item.setId ?? field?.value, item.parcelReference ?? item.parcelRef)
		: setNamed(field?.value, null);
	const isOfField = asked?.setId === field?.value.trim();
	return asked && { ...asked, isAskedFor: true, path: isOfField ? field?.path : undefined };
}

type DataProxy = ReturnType<IExecuteFunctions['getWorkflowDataProxy']>;

function linkedItem(given: DataProxy, step: string): IDataObject[] {
	try {
		return [(given.$(step) as { item: { json: IDataObject } }).item.json];
	} catch {
		return [];
	}
}

function itemsOf(given: DataProxy, step: string): IDataObject[] {
	try {
		const items = (given.$(step) as { all(): Array<{ json: IDataObject }> }).all();
		return items.map(({ json }) => json);
	} catch {
		return [];
	}
}
