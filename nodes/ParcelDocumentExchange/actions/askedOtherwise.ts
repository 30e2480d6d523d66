import { folded } from '../../../service/model/folded';
import { shownText, type SetResult } from '../../../service/model/set';
import { isObject } from '../parameters/shape';
import type { About } from './otherSet';

/** Steps that start a run because a person, or another workflow, asked for something. */
const ASKED = /\.(formTrigger|chatTrigger|webhook|executeWorkflowTrigger)$/;

/** Fields in which people ask for a parcel, in the words that they call it by. */
const NAMES_PARCEL = /ref|parcel|shipment|booking|\bset|lading|\bb\/?l\b/i;

/** Characters of what was asked for that a text shows. */
const MOST_SHOWN = 60;

/**
 * Where a set was typed or picked, and a form, say, came with a reference that is none of its: whether that names a parcel,
 * nobody can tell, and so it is told to whoever builds the workflow.
 */
export function askedOtherwise({ steps }: About, set: SetResult): string | undefined {
	const names = [set.setId, set.parcelRef, set.shipmentRef].map((name) => folded(shownText(name) ?? ''));
	for (const { name: step, type, items } of steps) {
		if (!ASKED.test(type)) continue;
		for (const [field, value] of items.flatMap((item) => fieldsOf(item))) {
			if (typeof value !== 'string' || value.trim() === '' || !NAMES_PARCEL.test(field)) continue;
			if (names.includes(folded(value))) return undefined;
			const [called] = [shownText(set.parcelRef), shownText(set.shipmentRef), set.setId].filter(Boolean);
			return `Set is fixed to ${called}, and ${JSON.stringify(step)} came with ${field}: ${JSON.stringify(value.trim().slice(0, MOST_SHOWN))}. Whatever is asked for, these papers are the answer. If that field names the parcel, put Set on By Reference, press Expression, and drag the field into it.`;
		}
	}
	return undefined;
}

/** The fields of an item; those of a webhook lie a level deeper. */
function fieldsOf(item: Record<string, unknown>): [string, unknown][] {
	return Object.entries(item).flatMap(([name, value]) =>
		isObject(value) ? Object.entries(value) : [[name, value] as [string, unknown]],
	);
}
