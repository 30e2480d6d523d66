import { ServiceError } from '../../../service/errors';
import { idKey } from '../../../service/model/set';
import { gave, type StepOfRun } from '../parameters/stepsInFront';
import { reachedFrom } from '../parameters/ways';
import type { About } from './aboutRun';

/** Steps that may give as many items as came in another order: n8n then takes each for the one that came in its place. */
const LOOSE = /\.(code|function|aiTransform|executeWorkflow)$/;

/**
 * Where Code, say, gave its items in another order than they came, without saying which is which: `$("Event").item` is
 * then the event of another item, and a mail would go by it.
 *
 * @param asked the steps of which the item is asked for so, by name, each with the name of one that asks
 * @throws ServiceError `invalidInput` naming both sets
 */
export function refuseCrossed(
	{ steps, behindItem, setsBehindItem }: About,
	setId: string,
	asked: ReadonlyMap<string, string>,
): void {
	if (![...asked.keys()].some((name) => steps.some((step) => step.name === name))) return;
	if (!steps.some(({ type }) => LOOSE.test(type))) return;
	const links = new Map<string, string>();
	for (const event of behindItem()) if (event.step && event.setId) links.set(event.step, event.setId);
	for (const { step, set } of setsBehindItem()) if (set.setId) links.set(step.name, set.setId);
	const { crossing, ofOthers } = crossed(steps, links, setId);
	if (!crossing) return;
	const inFront = stepsBefore(crossing, steps);
	// Rows of a table, say: of no set themselves, and in the order of those that are of another.
	const rows = ofOthers.some(({ name }) => inFront.has(name))
		? steps.filter((step) => inFront.has(step.name) && step.setIds.size === 0 && differ(step))
		: [];
	const wrong = [...ofOthers, ...rows].find(({ name }) => asked.has(name));
	if (!wrong) return;
	const other = links.get(wrong.name) ?? links.get(ofOthers[0]?.name ?? '') ?? '';
	const [changed, says, of] = [crossing.name, asked.get(wrong.name), wrong.name].map((name) =>
		JSON.stringify(name),
	);
	throw new ServiceError(
		'invalidInput',
		`The item is about set ${setId}, but n8n takes it for that of set ${other}: the step ${changed} changed the order of the items`,
		{
			remedy: `Nothing was fetched: ${says} goes by $(${of}).item, which would be of another parcel. In ${changed}, choose Run Once for Each Item, or hand each item on as it came; to put items in order, take n8n’s Sort.`,
		},
	);
}

/** From the event on: where the item is linked to one of its own set, and where to one of another, a search that found it begins anew. */
function crossed(steps: readonly StepOfRun[], links: ReadonlyMap<string, string>, setId: string) {
	let crossing: StepOfRun | undefined;
	let ofOthers: StepOfRun[] = [];
	let before: boolean | undefined;
	const inOrder = steps
		.filter((step) => links.has(step.name) && gave(step, setId))
		.map((step) => ({ step, far: stepsBefore(step, steps).size }))
		.sort((a, b) => a.far - b.far);
	for (const { step } of inOrder) {
		const isOwn = idKey(links.get(step.name) ?? '') === idKey(setId);
		if (before !== undefined && before !== isOwn) {
			crossing = LOOSE.test(step.type) ? step : undefined;
			if (!crossing) ofOthers = [];
		}
		if (!isOwn) ofOthers.push(step);
		before = isOwn;
	}
	return { crossing, ofOthers };
}

/** Whether it matters which of its items is taken. */
const differ = ({ items }: StepOfRun) => new Set(items.map((item) => JSON.stringify(item))).size > 1;

const stepsBefore = (step: StepOfRun, steps: readonly StepOfRun[]) =>
	reachedFrom(step.parents(), (name) => steps.find((one) => one.name === name)?.parents() ?? []);
