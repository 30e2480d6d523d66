import { folded } from '../../../service/model/folded';
import { shownText, type SetResult } from '../../../service/model/set';
import { fieldsOf, isAsked, isId, mayNameParcel, nameOf, type Field } from '../parameters/askedFor';
import type { About } from './aboutRun';

/** Characters of what was asked for that a text shows. */
const MOST_SHOWN = 60;

/**
 * Where a set was typed or picked, and a form, say, or a row of a table, came with a reference that is none of its: whether
 * that names a parcel, nobody can tell, and so it is told to whoever builds the workflow.
 */
export function askedOtherwise({ steps, item }: About, set: SetResult): string | undefined {
	const called = [shownText(set.parcelRef), shownText(set.shipmentRef), set.setId].filter(Boolean);
	const names = called.map((name) => folded(String(name)));
	const came = [
		...steps.filter(({ type }) => isAsked(type)).map(({ name, items }) => ({ name, items })),
		{ name: undefined, items: item.isSample === true ? [] : [item] },
	];
	for (const { name: step, items } of came) {
		const asked = items.flatMap((one) => fieldsOf(one)).filter(isNamed);
		const [first] = asked;
		if (asked.some(({ value }) => names.includes(folded(value)))) return undefined;
		if (first) return sentence(called[0] ?? '', step, first);
	}
	return undefined;
}

const isNamed = (field: Field): field is Field & { value: string } =>
	typeof field.value === 'string' && field.value.trim() !== '' && mayNameParcel(nameOf(field), field.value);

function sentence(set: string, step: string | undefined, field: Field & { value: string }): string {
	const { value } = field;
	const from = step === undefined ? 'the input' : JSON.stringify(step);
	const shown = JSON.stringify(value.trim().slice(0, MOST_SHOWN));
	const way = isId(value) ? 'By ID' : 'By Reference';
	return `Set is fixed to ${set}, and ${from} came with ${nameOf(field)}: ${shown}. Whatever is asked for, these papers are the answer. If that field names the parcel, put Set on ${way}, press Expression, and drag the field into it.`;
}
