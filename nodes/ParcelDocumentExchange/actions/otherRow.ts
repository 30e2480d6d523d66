import { ServiceError } from '../../../service/errors';
import { folded } from '../../../service/model/folded';
import { shownText } from '../../../service/model/set';
import type { Parameters } from '../parameters/parameters';
import { setIdsOf } from '../parameters/stepsInFront';
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
export function refuseOfOtherRow(
	parameters: Parameters,
	{ item, events, steps, itemsBehindItem }: About,
	set: string,
): void {
	// It came with the first alone, and who chose so may want the last of all.
	if (parameters.runsOnce) return;
	const written = parameters.written('setId') ?? '';
	const all = taken(written);
	const [first] = all;
	if (!first) return;
	const { step, field } = first;
	if (!all.every((one) => one.which === 'one' && one.step === step && one.field === field)) return;
	const from = steps.find(({ name }) => name === step);
	if (step !== undefined && (!from || from.items.length < 2)) return;
	const row = step === undefined ? item : parameters.linked.itemOf(step);
	if (row === undefined) return;
	// Events, and what names its set by an ID, are told apart by that.
	if ((from?.events ?? events).length > 0 || (from?.setIds ?? setIdsOf('', [row])).size > 0) return;
	const own = shownText(row[field]);
	if (own === null) return;
	const isAlone = takenAlone(written) !== undefined;
	const [asked, says] = [set, own].map((text) => folded(text.trim())) as [string, string];
	// Of what is made of a field, the one may be part of the other.
	if (isAlone ? asked === says : asked.includes(says) || says.includes(asked)) return;
	if (!parameters.cameSeveral && own === shownText(from?.items[0]?.[field])) return;
	if (textsIn(itemsBehindItem()).some((text) => folded(text.trim()) === asked)) return;
	throw ofOtherRow(set, { step, field, own });
}

function ofOtherRow(
	set: string,
	{ step, field, own }: { step: string | undefined; field: string; own: string },
): ServiceError {
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
