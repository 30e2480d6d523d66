import { ServiceError } from '../../../service/errors';
import { folded } from '../../../service/model/folded';
import { shownText } from '../../../service/model/set';
import type { Parameters } from '../parameters/parameters';
import { isCode } from '../parameters/stepKinds';
import { setIdsOf, type StepOfRun } from '../parameters/stepsInFront';
import { taken, takenAlone } from '../parameters/taken';
import type { About } from './aboutRun';
import { fieldsThatSay, names, rowsThatSay, says } from './rowsThatSay';

/**
 * Rows that name their parcels in a field of any name, such as those of a spreadsheet: a set that an expression took from
 * another one of them than the one the item came from, as `$("Rows").first()` does for each item but the first. What the item,
 * or one that it came from, says by itself was chosen for it.
 *
 * @param set the ID or the reference that Set came to
 * @throws ServiceError `invalidInput` naming both
 */
export function refuseOfOtherRow(parameters: Parameters, about: About, set: string): void {
	// It came with the first alone, and who chose so may want the last of all.
	if (parameters.runsOnce) return;
	const other = takenOfOther(parameters, about, set) ?? copiedOfOther(parameters, about, set);
	if (other) throw ofOtherRow(set, other);
}

interface Row {
	step?: string;
	field: string;
	own: string;
}

/** By the expression in Set itself. */
function takenOfOther(parameters: Parameters, about: About, set: string): Row | undefined {
	const written = parameters.written('setId') ?? '';
	const all = taken(written);
	const [first] = all;
	if (!first) return undefined;
	const { step, field } = first;
	if (!all.every((one) => one.which === 'one' && one.step === step && one.field === field)) return undefined;
	const from = about.steps.find(({ name }) => name === step);
	if (step !== undefined && (!from || !areRows(from))) return undefined;
	const row = step === undefined ? about.item : parameters.linked.itemOf(step);
	// Events, and what names its set by an ID, are told apart by that.
	if (row === undefined || about.events.length > 0 || setIdsOf('', [row]).size > 0) return undefined;
	const own = shownText(row[field]);
	if (own === null || says([own], names([set]))) return undefined;
	// Of what is made of a field, the one may be part of the other.
	const isPart = (one: string, other: string) => folded(other).includes(folded(one));
	if (takenAlone(written) === undefined && (isPart(set, own) || isPart(own, set))) return undefined;
	if (!parameters.cameSeveral && own === shownText(from?.items[0]?.[field])) return undefined;
	return says(about.itemsBehindItem(), names([set])) ? undefined : { step, field, own };
}

/**
 * By what a step between wrote into all items: `$("Rows").first()` in Edit Fields. Or Code gave them in another order, and what is
 * sent goes by `$("Rows").item`, which n8n then takes by the place.
 */
function copiedOfOther(parameters: Parameters, { steps }: About, set: string): Row | undefined {
	if (!parameters.cameSeveral) return undefined;
	const copied = new Set(
		steps.flatMap(({ typed, parents }) => [...typed.oneForAll, ...(typed.firstForAll ? parents() : [])]),
	);
	if (steps.some(isCode)) for (const name of parameters.askedByLink.keys()) copied.add(name);
	const isSet = names([set]);
	for (const one of steps.filter((step) => copied.has(step.name) && areRows(step))) {
		const saying = rowsThatSay(one, isSet);
		const row = saying.length > 0 ? parameters.linked.itemOf(one.name) : undefined;
		if (row === undefined || says(row, isSet)) continue;
		const field = saying.flatMap((other) => fieldsThatSay(other, isSet)).find((name) => name in row);
		const own = field === undefined ? null : shownText(row[field]);
		if (field !== undefined && own !== null) return { step: one.name, field, own };
	}
	return undefined;
}

const areRows = ({ items, events, setIds }: StepOfRun) =>
	items.length > 1 && events.length === 0 && setIds.size === 0;

function ofOtherRow(set: string, { step, field, own }: Row): ServiceError {
	const name = JSON.stringify(field);
	const of = step === undefined ? '$json' : `$(${JSON.stringify(step)}).item.json`;
	return new ServiceError(
		'invalidInput',
		`The item says ${own} in ${name}, but Set gives ${set}, that of another item in this run`,
		{
			remedy: `Nothing was fetched: these would be the papers of another parcel. Some expressions, such as $("…").first(), give one item for all. Drag the field into Set: {{ ${of}[${name}] }}. Then each item gets its own papers.`,
		},
	);
}
