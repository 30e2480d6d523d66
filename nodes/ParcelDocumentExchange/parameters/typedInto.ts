import { folded } from '../../../service/model/folded';
import { idKey } from '../../../service/model/set';
import { UUID_PATTERN } from '../../../service/model/uuid';
import { isBlind } from './mixedBehind';
import { isAnswered } from './stepKinds';
import { isExpression, isObject, plainText, textsIn } from './values';
import { codeIn, oneForAll, taken, takesFirst, takesOfItems } from './taken';

/** What was typed or picked while a step was built: it is the same in every run. */
export interface Typed {
	operation: unknown;
	/** IDs, anywhere in it. */
	ids: ReadonlySet<string>;
	/** Whole values, and what stands in quotation marks in longer ones, such as code or JSON; folded. */
	words: ReadonlySet<string>;
	/** Whether a search was narrowed by a reference that was typed. */
	reference: boolean;
	/** Whether its parameter Set is an expression. */
	isOfItem: boolean;
	/** Whether it goes by nothing that comes to it. */
	isConstant: boolean;
	/** Whether what it asks is about the set of one item: by a field of its form, such as a hidden one, or by its words. */
	asksOfOne: boolean;
	/** Whether somebody answers it. */
	isAnswered: boolean;
	/** Whether it waits until an address is called. */
	waitsForCall: boolean;
	/** Whether it brings items together and does not look whether they belong together. */
	isBlind: boolean;
	/** Steps of which it takes what one item says for all of its own. */
	oneForAll: ReadonlySet<string>;
	/** Whether it does so with the first item that comes, whichever step gave it. */
	firstForAll: boolean;
}

const IDS = new RegExp(UUID_PATTERN, 'g');

/** What stands in quotation marks, of any kind. */
const QUOTED = /(["'`])((?:(?!\1)[^\\\n]){1,200})\1/g;

/** Filters of a search that name a parcel. */
const NAMING = ['shipmentRef', 'referenceContains'];

/** Shorter words stand in any step, by chance. */
const SHORTEST = 3;

/** @param parameters of a step, as they were typed: expressions begin with `=` */
export function typedInto(parameters: Record<string, unknown>, type = ''): Typed {
	const texts = textsIn(parameters);
	const words = texts
		.flatMap((text) => [
			...(isExpression(text) ? [] : [text.replace(/^=/, '')]),
			...[...text.matchAll(QUOTED)].map(([, , quoted = '']) => quoted),
		])
		.map(folded)
		.filter((word) => word.length >= SHORTEST);
	const filters = isObject(parameters.filters) ? parameters.filters : {};
	return {
		operation: parameters.operation,
		ids: new Set(texts.flatMap((text) => text.match(IDS) ?? []).map(idKey)),
		words: new Set(words),
		reference: NAMING.some((name) => {
			const filter = plainText(filters[name]);
			return filter !== '' && !isExpression(filter);
		}),
		isOfItem: isExpression(plainText(parameters.setId)),
		isConstant: !takesOfItems(parameters),
		asksOfOne: asksOfOne(parameters),
		isAnswered: isAnswered({ parameters }) || /\.form$/.test(type),
		waitsForCall: parameters.resume === 'webhook',
		isBlind: isBlind({ type, parameters }),
		oneForAll: oneForAll(codeIn({ type, parameters })),
		firstForAll: takesFirst({ type, parameters }),
	};
}

/** What a form is made of. */
const FORM = ['formFields', 'jsonOutput'];

/** The fields by which an item names its set. */
const NAMES_SET = /^(setId|parcelRef(erence)?)$/;

function asksOfOne(parameters: Record<string, unknown>): boolean {
	const carries = FORM.some((name) => textsIn(parameters[name]).some((text) => taken(text).length > 0));
	const names = (text: string) => taken(text).some(({ field }) => NAMES_SET.test(field));
	return carries || textsIn(parameters).some(names);
}

/** How an expression reaches a step, or a field, by its name: `$("Event")`, `$items("Event")`, `$json["setId"]`. */
const NAMED = /(\$(?:items)?\(\s*|[\w\])]\[\s*)(["'`])(?:(?!\2).)*\2\s*[)\]]/g;

/** What stands in quotation marks, of any kind. */
const IN_QUOTES = /(["'`])((?:(?!\1)[^\\\n])*)\1/g;

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
	const quoted = [...code.matchAll(IN_QUOTES)].map(([, , text = '']) => folded(text));
	if (!quoted.includes(folded(value))) return false;
	const others = quoted.filter((text) => text !== '' && text !== folded(value));
	const rest = code.replace(IN_QUOTES, '');
	if (others.length > 0 || !rest.includes('$')) return false;
	if (!ASKS.test(rest.replaceAll('??', ' '))) return true;
	const fields = (rest.match(FIELD) ?? []).map((field) => field.replaceAll('?', ''));
	// Asked whether a field holds anything, and if so, that field is taken.
	return fields.some((field, at) =>
		fields.some((other, place) => at !== place && `${other}.`.startsWith(`${field}.`)),
	);
}
