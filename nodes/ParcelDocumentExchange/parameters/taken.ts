import { isExpression } from './values';

/** A field of one item of a step, or, without a step, of the first that comes. */
interface Taken {
	step?: string;
	field: string;
}

/** `$("Event").first().json.a`, `$("Event").all()[0].json["a"]`, `$input.first().json.a`. */
const ONE_FIELD =
	/\$(?:input|\(\s*(["'`])((?:(?!\1).)+)\1\s*\))\s*\.\s*(?:first|last|all)\s*\(\s*\)(\s*\[\s*\d+\s*\]|\s*\.\s*at\s*\(\s*-?\d+\s*\))?\s*\??\.\s*json\s*(?:\??\.\s*([A-Za-z_$][\w$]*)|(?:\?\.)?\[\s*["'`]([^"'`]+)["'`]\s*\])/g;

/** `$items("Event")`, as older workflows say `$("Event").all()`. */
const OLDER_ALL = /\$items\(\s*(["'`])((?:(?!\1).)+)\1(?:\s*,\s*\d+)*\s*\)/g;

const OF_ALL = /\.\s*all\s*\(\s*\)\s*\.\s*(?!at\b)/;

/** The fields that an expression takes of one item for all others. One that looks at all items has its reason. */
export function taken(text: string): Taken[] {
	const today = text.replaceAll(OLDER_ALL, '$($1$2$1).all()');
	if (!isExpression(today) || OF_ALL.test(today)) return [];
	return [...today.matchAll(ONE_FIELD)].map(([, , step, , dotted, bracketed]) => ({
		...(step !== undefined && { step }),
		field: dotted ?? bracketed ?? '',
	}));
}
