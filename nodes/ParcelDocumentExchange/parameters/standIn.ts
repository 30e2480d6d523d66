import { folded } from '../../../service/model/folded';
import { isExpression } from './values';

/** How an expression reaches a step, or a field, by its name: `$("Event")`, `$items("Event")`, `$json["setId"]`. */
const NAMED = /(\$(?:items)?\(\s*|[\w\])]\[\s*)(["'`])(?:(?!\2).)*\2\s*[)\]]/g;

/** What stands in quotation marks, of any kind. */
const QUOTED = /(["'`])((?:(?!\1)[^\\\n])*)\1/g;

/** `a ? b : c` and `$if(a, b, c)`; not `a ?? b`, and not `a?.b`. */
const ASKS = /\?(?![?.])|\$if\(/;

/** A field of an item, as expressions reach it. */
const FIELD = /\$\w*(?:\(\))?(?:\.\w+(?:\(\))?)+/g;

/**
 * Whether an expression came to a set that is written in it for when there is none: `{{ $json.setId || "…" }}`. Not where it
 * is the same for every item, nor where the expression compares with something else, such as a customer: then the set was
 * chosen for what is so.
 *
 * @param written what stands in the field
 * @param value what it came to
 */
export function isStandIn(written: string, value: string): boolean {
	if (!isExpression(written)) return false;
	const code = written.replace(NAMED, '$1');
	const quoted = [...code.matchAll(QUOTED)].map(([, , text = '']) => folded(text));
	if (!quoted.includes(folded(value))) return false;
	const others = quoted.filter((text) => text !== '' && text !== folded(value));
	const rest = code.replace(QUOTED, '');
	if (others.length > 0 || !rest.includes('$')) return false;
	if (!ASKS.test(rest.replaceAll('??', ' '))) return true;
	const fields = (rest.match(FIELD) ?? []).map((field) => field.replaceAll('?', ''));
	// Asked whether a field holds anything, and if so, that field is taken.
	return fields.some((field, at) =>
		fields.some((other, place) => at !== place && `${other}.`.startsWith(`${field}.`)),
	);
}
