import { ServiceError } from '../../../service/errors';
import { folded } from '../../../service/model/folded';
import { shownText } from '../../../service/model/set';
import type { Parameters } from '../parameters/parameters';
import { isCode } from '../parameters/stepKinds';
import { setIdsOf, type StepOfRun } from '../parameters/stepsInFront';
import { taken, takenAlone } from '../parameters/taken';
import { textsIn } from '../parameters/values';
import type { About } from './aboutRun';

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

const same = (text: string) => folded(text.trim());

const says = (all: unknown, text: string) => textsIn(all).some((one) => same(one) === same(text));

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
	if (own === null || same(own) === same(set)) return undefined;
	// Of what is made of a field, the one may be part of the other.
	const isMade = takenAlone(written) === undefined;
	if (isMade && (same(set).includes(same(own)) || same(own).includes(same(set)))) return undefined;
	if (!parameters.cameSeveral && own === shownText(from?.items[0]?.[field])) return undefined;
	return says(about.itemsBehindItem(), set) ? undefined : { step, field, own };
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
	for (const { name: step, items } of steps.filter((one) => copied.has(one.name) && areRows(one))) {
		const row = textsOf(items).has(same(set)) ? parameters.linked.itemOf(step) : undefined;
		if (row === undefined || says(row, set)) continue;
		const field = Object.keys(row).find((name) => items.some((one) => says(one[name], set)));
		const own = field === undefined ? null : shownText(row[field]);
		if (field !== undefined && own !== null) return { step, field, own };
	}
	return undefined;
}

/** Every item asks, of rows that may be thousands. */
const textsOfRows = new WeakMap<StepOfRun['items'], ReadonlySet<string>>();

function textsOf(items: StepOfRun['items']): ReadonlySet<string> {
	const found = textsOfRows.get(items) ?? new Set(textsIn(items).map(same));
	textsOfRows.set(items, found);
	return found;
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
