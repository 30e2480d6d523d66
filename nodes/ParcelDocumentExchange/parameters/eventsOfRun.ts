import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { eventSetOf, named, type EventSet } from './eventSet';

/** The trigger that gives, where Simplify is off, sets as the service shows them. */
const POLL_TRIGGER = /\.parcelDocumentExchangePollTrigger$/;

/** One for each run of a node: every item asks. */
const known = new WeakMap<IExecuteFunctions, readonly EventSet[]>();

/**
 * The sets of the events that the steps in front of a node gave in this run, whatever the steps in between made of them:
 * behind an e-mail or Edit Fields, the input item holds no event any more, and the run is about that event all the same.
 */
export function eventsOfRun(context: IExecuteFunctions, itemIndex: number): readonly EventSet[] {
	const found = known.get(context) ?? readEvents(context, itemIndex);
	known.set(context, found);
	return found;
}

function readEvents(context: IExecuteFunctions, itemIndex: number): EventSet[] {
	const given = context.getWorkflowDataProxy(itemIndex);
	return context.getParentNodes(context.getNode().name).flatMap(({ name, type }) =>
		itemsOf(given, name).flatMap((item) => {
			const event =
				eventSetOf(item) ?? (POLL_TRIGGER.test(type) ? named(item.setId, item.parcelRef) : undefined);
			return event ? [{ ...event, step: name }] : [];
		}),
	);
}

/** What a step gave; nothing where it has not run. */
function itemsOf(given: ReturnType<IExecuteFunctions['getWorkflowDataProxy']>, step: string): IDataObject[] {
	try {
		const items = (given.$(step) as { all(): Array<{ json: IDataObject }> }).all();
		return items.map(({ json }) => json);
	} catch {
		return [];
	}
}
