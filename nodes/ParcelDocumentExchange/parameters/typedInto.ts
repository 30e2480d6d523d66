import { folded } from '../../../service/model/folded';
import { idKey } from '../../../service/model/set';
import { UUID_PATTERN } from '../../../service/model/uuid';
import { isObject } from './shape';
import { isExpression, plainText } from './values';

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
		oneForAll: oneForAll(codeIn({ type, parameters })),
		firstForAll: takesFirst({ type, parameters }),
	};
}

/** A step, as it was built. */
export interface Built {
	type: string;
	parameters?: unknown;
}

const isCode = (type: string) => /\.(code|function)$/.test(type);

/** The texts of a step; Code is one long expression. */
export function codeIn({ type, parameters }: Built): string[] {
	const texts = textsIn(parameters);
	return isCode(type) ? texts.map((text) => `={{ ${text} }}`) : texts;
}

/** `$input.first()`, `$input.all()[0]`: the first of whatever comes. */
const FIRST_THAT_COMES =
	/(?:\$|\b_)input\s*\.\s*(?:(?:first|last)\s*\(|all\s*\(\s*\)\s*(?:\[|\.\s*(?:at|pop|shift)\s*\())/;

/** The same in the words of Code, and its file, or a field of it. */
const FIRST_IN_CODE = /\b_?items\s*\[\s*0\s*\]\s*(?:\.|\[)/;

/** Whether a step takes what the first item says for all that come. */
export function takesFirst(step: Built): boolean {
	const isFirst = (text: string) =>
		FIRST_THAT_COMES.test(text) || (isCode(step.type) && FIRST_IN_CODE.test(text));
	return codeIn(step).filter(isExpression).some(isFirst);
}

/** `$("Event").first()`, `$("Event").all()[0]`, `$items("Event")[0]`, `$("Event").itemMatching(0)`. */
const ONE_ITEM =
	/\$(?:items)?\(\s*(["'`])((?:(?!\1).)+)\1[^)]*\)\s*(?:\.\s*(?:first|last)\s*\(|\.\s*itemMatching\s*\(\s*\d|(?:\.\s*all\s*\([^)]*\)\s*)?(?:\[|\.\s*(?:at|pop|shift)\s*\())/g;

/** `$node["Event"]`: by its place among the items, whatever it came from. */
const BY_PLACE = /\$node\[\s*(["'`])((?:(?!\1).)+)\1\s*\]/g;

/** The names of the steps of which expressions take one item for all others. */
export function oneForAll(texts: readonly string[]): ReadonlySet<string> {
	return new Set(
		texts
			.filter(isExpression)
			.flatMap((text) => [...text.matchAll(ONE_ITEM), ...text.matchAll(BY_PLACE)])
			.map(([, , name = '']) => name),
	);
}

/** All texts in a value. n8n stores workflows and items as JSON, which ends. */
export function textsIn(value: unknown): string[] {
	if (typeof value === 'string') return [value];
	return value !== null && typeof value === 'object' ? Object.values(value).flatMap(textsIn) : [];
}
