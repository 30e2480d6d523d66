import type { INodeExecutionData } from 'n8n-workflow';
import { ServiceError } from '../../../service/errors';
import { sendingBehind } from '../parameters/attaching';
import { cameTo, originsOf, type Came, type OfOwnRun } from '../parameters/came';
import { passesEach, saidOfField } from '../parameters/eachSet';
import { MOVING } from '../parameters/mixedBehind';
import { isCode, isLoop, quoted, type Items, type Step } from '../parameters/stepKinds';
import { takenIn } from '../parameters/taken';
import { comesOnlyFrom, inFrontOf, leadsTo, type Around } from '../parameters/ways';

type Context = Around & OfOwnRun;

/**
 * Where what is sent goes by the item of a step at the same place, as `$("Search").all()[$itemIndex]`, and another stands
 * there than the one that it came from, such as behind a Filter.
 *
 * @param items what this step gave
 * @throws ServiceError `invalidInput`
 */
export function refusePlacedElsewhere(context: Context, items: Items): void {
	const { name: own } = context.getNode();
	const inFront = inFrontOf(context, own);
	const leading = sendingBehind(context);
	const used = leading.flatMap(takenIn);
	const staysPlaced = (step: Step) => passesEach(step) && !MOVING.test(step.type) && !isLoop(step);
	/** What comes to each of them, in its order. */
	const given: Came = { from: own, run: -1, input: 0, items };
	const asking = [
		...leading
			.filter((step) => comesOnlyFrom(context, step.name, own, staysPlaced))
			.map((step) => ({ step, taken: takenIn(step), came: [given] })),
		...inFront.map((step) => {
			const fields = used.flatMap(({ step: from, field }) =>
				from !== undefined && (from === step.name || leadsTo(context, step.name, from)) ? [field] : [],
			);
			const taken = fields.flatMap((field) => saidOfField(step, field).flatMap(takenIn));
			return { step, taken, came: cameTo(context, step.name) };
		}),
	];
	for (const { step, taken, came } of asking) {
		const [only, ...more] = came;
		if (only === undefined || more.length > 0 || step.disabled || isCode(step)) continue;
		for (const { which, step: from, field } of taken) {
			if (which !== 'place' || from === undefined) continue;
			const isOther = only.items.some((item, index) => {
				const its = linkedOf(context, only, item, from);
				const other = its?.among[index];
				return its && other && JSON.stringify(its.item.json[field]) !== JSON.stringify(other.json[field]);
			});
			if (isOther) throw elsewhere(step, from);
		}
	}
}

/** What a step gave for an item, as n8n links them, and what stood around that; undefined where it knows of no link. */
function linkedOf(
	context: Context,
	{ from, run, items }: Came,
	item: INodeExecutionData,
	step: string,
	seen: readonly string[] = [],
): { item: INodeExecutionData; among: Items } | undefined {
	if (from === step) return { item, among: items };
	if (seen.includes(from)) return undefined;
	for (const { came, origin } of originsOf(item, cameTo(context, from, run))) {
		const found = linkedOf(context, came, origin, step, [...seen, from]);
		if (found) return found;
	}
	return undefined;
}

function elsewhere(step: Step, from: string): ServiceError {
	const name = JSON.stringify(from);
	return new ServiceError(
		'invalidInput',
		`${quoted(step)} takes what stands at the same place in ${name}, and that is another set by now`,
		{
			remedy: `Nothing was handed on: the papers of one would go by what ${name} says of another. Drag the field there once more: n8n then writes $(${name}).item, which is the one that each came from.`,
		},
	);
}
