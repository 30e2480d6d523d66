import { ServiceError } from '../../../service/errors';
import { idKey } from '../../../service/model/set';
import type { EventSet } from '../parameters/eventSet';
import type { Parameters } from '../parameters/parameters';
import type { StepOfRun } from '../parameters/stepsInFront';
import { textsIn } from '../parameters/values';
import type { About } from './aboutRun';

/**
 * Events of a run that would get no papers, though the run was started for them too: where several came, and this step is
 * to run once, or they were put together into one item of which the set of one is taken.
 *
 * @throws ServiceError `invalidInput` that says how many there are
 */
export function refuseLeftOut(parameters: Parameters, about: About): void {
	// What is written there is meant for all of them.
	if (!parameters.written('setId')?.includes('$')) return;
	if (parameters.runsOnce) {
		const direct = new Set(parameters.stepsDirectlyInFront);
		const came = setsOf(about.steps.filter(({ name }) => direct.has(name)).flatMap(({ events }) => events));
		if (came.size > 1) throw onlyFirst(came.size);
	}
	const once = about.steps.find((step) => wentOnce(step, parameters, about));
	if (once) throw onlyFirstOf(once.name);
	const together = heldTogether(about);
	if (together > 1) throw heldInOne(together);
}

/** Whether a step in front took the first of several events, and no step from there on gave another set. */
function wentOnce({ name }: StepOfRun, parameters: Parameters, { steps }: About): boolean {
	if (!parameters.isOnce(name)) return false;
	const [parent, ...more] = parameters.parentsOf(name);
	const before = steps.find((step) => step.name === parent);
	if (!before || more.length > 0 || CHOOSING.test(before.type)) return false;
	const [first, ...others] = setsOf(before.events);
	if (others.length === 0) return false;
	const isFrom = (step: StepOfRun) => step.name === name || parameters.leadsTo(name, step.name);
	return !steps.some((step) => [...step.setIds].some((id) => id !== first) && isFrom(step));
}

/** Steps with several ways out, or of several runs. */
const CHOOSING = /\.(if|switch|filter|splitInBatches|compareDatasets|textClassifier)$/;

/** Sets of events that were put together into the item; 0 where it came from one event. */
function heldTogether({ item, events, steps, behindItem }: About): number {
	const held = setsOf(events);
	const lists = Object.values(item).filter((value) => Array.isArray(value));
	if (held.size < 2 && lists.length === 0) return 0;
	const isOfRun = (id: string) => steps.some(({ eventIds }) => eventIds.has(id));
	const listed = new Set(lists.flatMap(textsIn).map(idKey).filter(isOfRun));
	const most = Math.max(held.size, listed.size);
	if (most < 2) return most;
	for (const event of behindItem()) if (!event.isWithin) return 0;
	return most;
}

const setsOf = (events: readonly EventSet[]) =>
	new Set(events.flatMap(({ setId }) => (setId === null ? [] : [idKey(setId)])));

function onlyFirst(count: number): ServiceError {
	return new ServiceError(
		'invalidInput',
		`Execute Once is on, and events of ${count} sets came: only the first would get its papers`,
		{
			remedy:
				'Nothing was fetched. Switch Execute Once off in the settings of this step: each event gets its own papers. If one of them is enough, put Limit in front.',
		},
	);
}

function onlyFirstOf(step: string): ServiceError {
	return new ServiceError(
		'invalidInput',
		`Events of several sets came to ${JSON.stringify(step)}, and it took the first alone: the others would get no papers`,
		{
			remedy:
				'Nothing was fetched. Switch Execute Once off in the settings of that step: each event gets its own papers. If one of them is enough, put Limit in front of it.',
		},
	);
}

function heldInOne(count: number): ServiceError {
	return new ServiceError(
		'invalidInput',
		`The input item holds the events of ${count} sets, and Set gives one: the others would get no papers`,
		{
			remedy:
				'Nothing was fetched. Put this step in front of the one that makes one item of several, such as Aggregate, or put Split Out between. What came as a list is taken apart by Event, Parse. If one event is enough, put Limit in front of them.',
		},
	);
}
