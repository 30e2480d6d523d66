import { ServiceError } from '../../../service/errors';
import { folded } from '../../../service/model/folded';
import { idKey } from '../../../service/model/set';
import type { EventSet } from '../parameters/eventSet';
import type { Parameters } from '../parameters/parameters';
import { ASKED_EACH } from '../parameters/leftOver';
import { BRANCHES, isLoop, MAKES_ONE } from '../parameters/stepKinds';
import { chosenIn, namesOfSets, setIdsOf, type StepOfRun } from '../parameters/stepsInFront';
import { taken } from '../parameters/taken';
import { textsIn } from '../parameters/values';
import { reachedFrom } from '../parameters/ways';
import type { About } from './aboutRun';

/**
 * Events of a run that would get no papers, though the run was started for them too: where several came, and this step is
 * to run once, or they were put together into one item of which the set of one is taken.
 *
 * @param name the ID or the reference that Set came to
 * @throws ServiceError `invalidInput` that says how many there are
 */
export function refuseLeftOut(parameters: Parameters, about: About, name: string): void {
	// What is written there is meant for all of them.
	if (!parameters.written('setId')?.includes('$')) return;
	const count = parameters.runsOnce ? eventSetsThatCame(parameters.ownName, parameters, about).size : 0;
	if (count > 1) throw onlyFirst(count);
	const together = heldTogether(about);
	if (together > 1) throw heldInOne(together);
	const once = about.steps.find((step) => wentOnce(step, parameters, about, name));
	const left = madeOne(parameters, about);
	if (!once && left < 2) return;
	const asked = once !== undefined && isAsked(once, parameters);
	if (asked && isOfOneBefore(once, parameters, about)) return;
	// What is in none of them is of another parcel, such as general terms.
	const counted = about.steps.filter(({ events, setIds }) => (asked ? setIds.size : events.length) > 0);
	if (!counted.some(({ items }) => textsIn(items).some((text) => folded(text) === folded(name)))) return;
	throw once ? onlyFirstOf(once, parameters.isOnce(once.name)) : heldInOne(left);
}

/**
 * Whether a step asked once, as an approval does, and not because somebody chose so: what is found newest may be meant with
 * Execute Once, never where one answer came for several sets.
 */
const isAsked = ({ name, type, mostTaken }: StepOfRun, parameters: Parameters) =>
	mostTaken === 1 && !parameters.isOnce(name) && !isLoop({ type });

/** Whether Set is taken, by its name, of a step that led to the question and gave one set: what else came there was shown with it. */
function isOfOneBefore(asked: StepOfRun, parameters: Parameters, about: About): boolean {
	const { steps } = about;
	const before = reachedFrom([asked.name], (one) => parameters.cameTo(one).map(({ from }) => from));
	const names = taken(parameters.written('setId') ?? '').map(({ step }) => step);
	return steps.some(
		({ name, type, setIds }) =>
			name !== asked.name &&
			before.has(name) &&
			names.includes(name) &&
			setIds.size === 1 &&
			// The others went by its other way.
			!(BRANCHES.test(type) && setsThatCame(name, parameters, about, () => true).size > 1),
	);
}

/**
 * Whether a step in front took the first of several events, and the others came by no other way, nor another set in their place.
 *
 * @param set the ID or the reference that Set came to
 */
function wentOnce(step: StepOfRun, parameters: Parameters, about: About, set: string): boolean {
	const { name, mostTaken } = step;
	if (mostTaken === Infinity) return false;
	const asked = isAsked(step, parameters);
	const came = [...setsThatCame(name, parameters, about, (id) => asked || isOfEvents(id, about))];
	if (came.length <= mostTaken) return false;
	const took = new Set(came.slice(0, mostTaken));
	const known = namesOfSets(about.steps);
	const named = (texts: readonly unknown[]) =>
		texts.flatMap((text) => (typeof text === 'string' ? (known.get(folded(text)) ?? []) : []));
	const id = known.get(folded(set)) ?? set;
	// Of links, each set may have had its own in a mail, and the first that is pressed goes on.
	const isAnswer = () => textsIn(step.items).some((text) => chosenIn(text, known) === id);
	const isChosen = asked && !step.typed.waitsForCall && isAnswer();
	// Whoever answered chose this one, unless the question was about the first, which an answer says again.
	if (isChosen && !(step.typed.asksOfOne && took.has(id))) return false;
	// Beside the answer came some that it was not asked for: they stand for none of those that it was.
	const beside = parameters.cameTo(parameters.ownName).flatMap(({ items }) => items.map(({ json }) => json));
	const ids = beside.map((json) => [...setIdsOf('', [json]), ...named(Object.values(json))]);
	if (asked && ids.some((one) => one.length === 0) && ids.some((one) => one.length > 0))
		return came.some((id) => !took.has(id) && !ids.flat().includes(id));
	const given = (one: string) => about.steps.find((step) => step.name === one);
	const names = reachedFrom([name, parameters.ownName], (one) =>
		// Of two that came by position, the first of one side takes the others of the other side along.
		one === name || given(one)?.typed.isBlind ? [] : parameters.cameTo(one).map(({ from }) => from),
	);
	names.delete(parameters.ownName);
	// An answer that chose another brings none of those that Set came to.
	if (asked && !isChosen) names.delete(name);
	/** By an ID or a reference, they may be brought again: all IDs, say, put into one item and split out. */
	const brings = ({ setIds, items }: StepOfRun) =>
		[...setIds, ...items.flatMap((item) => named(Object.values(item)))].some((id) => !took.has(id));
	return !about.steps.some((step) => names.has(step.name) && brings(step));
}

/** How many sets of events a step in front, such as Aggregate, made the one item of that came; none where others were given since. */
function madeOne(parameters: Parameters, about: About): number {
	const names = [parameters.ownName];
	// Those that are found on the way are looked at too.
	for (const name of names) {
		const [came, ...more] = parameters.cameTo(name);
		if (!came || more.length > 0 || came.items.length !== 1 || names.includes(came.from)) return 0;
		const step = about.steps.find((one) => one.name === came.from);
		if (!step || [...step.setIds].some((id) => !isOfEvents(id, about))) return 0;
		if (MAKES_ONE.test(step.type)) return eventSetsThatCame(step.name, parameters, about).size;
		names.push(step.name);
	}
	return 0;
}

const isOfEvents = (id: string, { steps }: About) => steps.some(({ eventIds }) => eventIds.has(id));

/** The sets of the events that came to a step in this run. */
const eventSetsThatCame = (name: string, parameters: Parameters, about: About) =>
	setsThatCame(name, parameters, about, (id) => isOfEvents(id, about));

/** The sets that came to a step in this run; of what names none, such as rows of a table, those of what that came from. */
function setsThatCame(
	name: string,
	parameters: Parameters,
	about: About,
	isCounted: (id: string) => boolean,
	seen: ReadonlySet<string> = new Set(),
): ReadonlySet<string> {
	const several = parameters.cameTo(name).filter(({ items }) => items.length > 1);
	const named = several.flatMap(({ from, items }) => {
		const type = about.steps.find((step) => step.name === from)?.type ?? '';
		return [
			...setIdsOf(
				type,
				items.map(({ json }) => json),
			),
		].filter(isCounted);
	});
	if (named.length > 0) return new Set(named);
	const past = several.filter(({ from }) => !seen.has(from));
	return new Set(
		past.flatMap(({ from }) => [
			...setsThatCame(from, parameters, about, isCounted, new Set([...seen, from])),
		]),
	);
}

/** Sets of events that were put together into the item; 0 where it came from one event. */
function heldTogether(about: About): number {
	const { item, events, behindItem } = about;
	const held = setsOf(events);
	const lists = Object.values(item).filter((value) => Array.isArray(value));
	if (held.size < 2 && lists.length === 0) return 0;
	const listed = new Set(
		lists
			.flatMap(textsIn)
			.map(idKey)
			.filter((id) => isOfEvents(id, about)),
	);
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

function onlyFirstOf({ name: step, type, mostTaken }: StepOfRun, isOnce: boolean): ServiceError {
	const name = JSON.stringify(step);
	const first = mostTaken === 1 ? 'the first' : `the first ${mostTaken}`;
	return new ServiceError(
		'invalidInput',
		`Several sets came to ${name}, and it took ${first} alone: the others would get no papers`,
		{
			remedy: isOnce
				? 'Nothing was fetched. Switch Execute Once off in the settings of that step: each event gets its own papers. If one of them is enough, put Limit in front of it.'
				: isLoop({ type })
					? `Nothing was fetched. Lead a line back to ${name} from the last step behind it, which has the loop give the next, or take it out: each step goes through all items by itself.`
					: `Nothing was fetched. ${name} asks once for all. ${ASKED_EACH}`,
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
