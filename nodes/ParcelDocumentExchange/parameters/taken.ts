import type { IExecuteFunctions } from 'n8n-workflow';
import { isExpression, textsIn } from './values';
import { fieldOf, readCode } from './code';
import { isCode, type Step } from './stepKinds';
import { behindOf } from './ways';

/** A field that an expression takes of an item. */
export interface Taken {
	/** The step that gave the item; without one, it is an item that comes. */
	step?: string;
	/** `linked`: the item that comes, or the one that it came from. `one`: one for all others. `place`: by its place among the items. */
	which: 'linked' | 'one' | 'place';
	field: string;
	/** As it is written. */
	text: string;
}

/**
 * `$json.a`, `$input.item.json.a`, `$("Event").item.json["a"]`; `$input.first().json.a`, `$("Event").all()[0].json.a`,
 * `$("Event").itemMatching(0).json.a`; `$node["Event"].json.a`, `$("Event").all()[$itemIndex].json.a`.
 */
const TAKEN =
	/(?:\$json|(?:\$input|\$\(\s*(?<quote>["'`])(?<step>(?:(?!\k<quote>).)+)\k<quote>\s*\))\s*\.\s*(?:item|(?<one>(?:first|last)\s*\(\s*\)|all\s*\(\s*\)\s*(?:\[\s*\d+\s*\]|\.\s*(?:at|pop|shift)\s*\(\s*-?\d*\s*\))|itemMatching\s*\(\s*\d+\s*\))|(?<index>all\s*\(\s*\)\s*\[\s*\$itemIndex\s*\]))\s*\??\.\s*json|\$node\[\s*(?<mark>["'`])(?<placed>(?:(?!\k<mark>).)+)\k<mark>\s*\]\s*\.\s*json)\s*(?:\??\.\s*(?<dotted>[A-Za-z_$][\w$]*)|(?:\?\.)?\[\s*["'`](?<bracketed>[^"'`]+)["'`]\s*\])/g;

/** `$('Customer\'s row')`, as n8n writes a name with an apostrophe where it is dragged. */
const NAME = /(\$(?:items)?\(\s*|\$node\[\s*)(["'`])((?:\\.|(?!\2)[^\\])+)\2/g;

/** `$items("Event")`, as older workflows say `$("Event").all()`. */
const OLDER_ALL = /\$items\(\s*(["'`])((?:(?!\1).)+)\1(?:\s*,\s*\d+)*\s*\)/g;

/** `first(0)`, `all(0, 0)`: by which output, and in which run. */
const BY_OUTPUT = /(\.\s*(?:first|last|all)\s*\()[\d,\s]+\)/g;

/** A text in one way of saying each thing. */
export const inTodaysWords = (text: string): string =>
	text
		.replaceAll(NAME, (whole, before: string, _: string, written: string) => {
			if (!written.includes('\\')) return whole;
			const name = written.replaceAll(/\\(.)/g, '$1');
			const mark = ['"', "'", '`'].find((one) => !name.includes(one));
			return mark === undefined ? whole : `${before}${mark}${name}${mark}`;
		})
		.replaceAll(OLDER_ALL, '$($1$2$1).all()')
		.replaceAll(BY_OUTPUT, '$1)');

/** The fields that an expression takes, in its order. */
export function taken(text: string): Taken[] {
	return [...inTodaysWords(text).matchAll(TAKEN)].map((found) => {
		const { step, one, index, placed, dotted, bracketed } = found.groups ?? {};
		const isFirst = one !== undefined;
		const name = step ?? placed;
		return {
			...(name !== undefined && { step: name }),
			which: (placed ?? index) !== undefined ? 'place' : isFirst ? 'one' : 'linked',
			field: dotted ?? bracketed ?? '',
			text: found[0],
		};
	});
}

/** What is done to a text that is taken, so that capitals and blanks do not count. */
const MADE_ALIKE = /^(?:\s*\??\.\s*(?:toString|trim|toLowerCase|toUpperCase)\s*\(\s*\))*$/;

/** The one field that an expression is, as n8n writes it when it is dragged; undefined where it is more than that. */
export function takenAlone(text: string): (Taken & { then: string }) | undefined {
	const [, inside = ''] = /^=\s*\{\{\s*(.*?)\s*\}\}\s*$/s.exec(inTodaysWords(text)) ?? [];
	const [first] = taken(inside);
	if (!first || !inside.startsWith(first.text)) return undefined;
	const then = inside.slice(first.text.length);
	return MADE_ALIKE.test(then) ? { ...first, then } : undefined;
}

const OF_ALL = /\.\s*all\s*\(\s*\)\s*\.\s*(?!(?:at|pop|shift)\b)/;

/** The fields that a step takes of one item for all others. An expression that looks at all items has its reason. */
export function takenOfOne(step: { type: string; parameters?: unknown }): Taken[] {
	const ofCode = isCode(step);
	return saidIn(step)
		.filter((text) => isExpression(text) && (ofCode || !OF_ALL.test(text)))
		.flatMap((text) => [...taken(text), ...takenWhole(text)])
		.filter(({ which }) => which === 'one');
}

/** `$("Event").all().map(…)`, not `$("Event").all().length`. */
const ALL =
	/\$(?:input|\(\s*(["'`])((?:(?!\1).)+)\1\s*\))\s*\.\s*all\s*\(\s*\)\s*\.\s*(?!(?:length|at|pop|shift)\b)/g;

/** Of what all say, it chooses by the one that has its turn. */
const BY_ITS_TURN = /\$(?:json|binary|itemIndex)\b|\.\s*(?:item|itemMatching)\b/;

/** A field that is taken of each of them, in a function. */
const OF_EACH = /\bjson\s*(?:\??\.\s*|(?:\?\.)?\[\s*["'`])(\w+)/g;

/** The steps of which a text takes what all items say, the same for each: by their names, with the fields; no name for those that come. */
export const takenOfAll = (step: { parameters?: unknown }): { step?: string; fields: string[] }[] =>
	textsIn(step.parameters)
		.map(inTodaysWords)
		.filter((text) => isExpression(text) && !BY_ITS_TURN.test(text))
		.flatMap((text) => {
			const fields = [...text.matchAll(OF_EACH)].map(([, field = '']) => field);
			return [...text.matchAll(ALL)].map(([, , name]) => ({ ...(name && { step: name }), fields }));
		});

/** `$("Rows").` */
const OF_STEP = /^\$\(\s*(["'`])(.+)\1\s*\)\.$/;

/** The same of what Code writes for each item into a field. */
export const writtenOfAll = (step: Built, field: string): ReturnType<typeof takenOfAll> =>
	givesOfEach(step)
		? fieldsIn(step, field)
				.flatMap(({ ofAll }) => ofAll)
				.map(({ of, text }) => {
					const [, , name] = OF_STEP.exec(inTodaysWords(of)) ?? [];
					const fields = [...text.matchAll(OF_EACH)].map(([, one = '']) => one);
					return { ...(name && { step: name }), fields };
				})
				.filter(({ fields }) => fields.length > 0)
		: [];

/** Whether Code writes the same into a field of each item. */
export const writesAlike = (step: Built, field: string): boolean =>
	fieldsIn(step, field).some(({ isAlike }) => isAlike);

const fieldsIn = ({ parameters }: Built, field: string) => {
	const texts = textsIn(parameters);
	return texts.map((text) => fieldOf(text, field, !texts.includes(FOR_EACH)));
};

/** The fields that a step takes, of whatever items. */
export const takenIn = (step: { type: string; parameters?: unknown }): Taken[] =>
	codeIn(step).filter(isExpression).flatMap(taken);

/** `$("Event").first().json`: all that an item says. */
const WHOLE =
	/\$\(\s*(["'`])((?:(?!\1).)+)\1\s*\)\s*\.\s*(?:first|last)\s*\(\s*\)\s*\??\.\s*json\b(?!\s*(?:\??\.|\[))/g;

const takenWhole = (text: string): Taken[] =>
	[...text.matchAll(WHOLE)].map(([whole, , step = '']) => ({ step, which: 'one', field: '', text: whole }));

const FIRST_ITEM = String.raw`\$(?:input|\(\s*["'\`]([^"'\`]+)["'\`]\s*\))\s*\.\s*(?:first|last)\s*\(\s*\)\s*`;

/** `binary: $input.first().binary`, `binary: { data: $("PDFs").first().binary.data }`, `...$input.first()`, `Object.assign({}, $input.first(), …)`. */
const FILES_OF_ONE = [
	String.raw`\bbinary["']?\s*:\s*${FIRST_ITEM}\??\.\s*binary\s*[,}\n]`,
	String.raw`\bbinary["']?\s*:\s*\{\s*\w+\s*:\s*${FIRST_ITEM}\??\.\s*binary\s*\??\.\s*\w+\s*\}`,
	String.raw`(?:\.\.\.\s*|\bassign\s*\(\s*\{\s*\}\s*,\s*)${FIRST_ITEM}[,}]`,
].map((pattern) => new RegExp(pattern, 'g'));

/** The names of the steps of which Code gives the files of one item to others; no name, for those that come. */
export const filesOfOne = (step: { type: string; parameters?: unknown }): string[] =>
	isCode(step)
		? saidIn(step).flatMap((text) =>
				FILES_OF_ONE.flatMap((given) => [...text.matchAll(given)]).map(([, name = '']) => name),
			)
		: [];

const OF_ITEM = /\$(?:json|input|node|items|itemIndex|binary)\b|\$\(/;

/** Whether what stands in a step goes by the items that come, or came to others. */
export const takesOfItems = (parameters: unknown): boolean =>
	textsIn(parameters).some((text) => isExpression(text) && OF_ITEM.test(text));

export interface Built {
	type: string;
	parameters?: unknown;
}

/** The texts of a step; Code is one long expression. */
export const codeIn = (step: Built): string[] => readIn(step, 'all');

/** The same without what Code only asks, throws or logs: that is said of nobody. */
const saidIn = (step: Built): string[] => readIn(step, 'said');

/** A step to which one item comes at a time: to Code, the first of all is the one that has its turn. */
export const inItsTurn = (step: Step): Step =>
	isCode(step) ? { ...step, parameters: { ...step.parameters, mode: FOR_EACH } } : step;

const FOR_EACH = 'runOnceForEachItem';

/** Whether Code gives an item for each that comes, for certain. */
export const givesOfEach = ({ parameters }: Built): boolean => {
	const texts = textsIn(parameters);
	return texts.includes(FOR_EACH) || texts.some((text) => readCode(text).givesEach);
};

function readIn({ type, parameters }: Built, what: 'all' | 'said'): string[] {
	const texts = textsIn(parameters);
	if (!isCode({ type })) return texts.map(inTodaysWords);
	const isForAll = !texts.includes(FOR_EACH);
	return texts.map((text) => `={{ ${inTodaysWords(readCode(text, isForAll)[what])} }}`);
}

/**
 * The steps of which one asks something by their name.
 * @param what as a pattern, such as `isExecuted` in `$("A").isExecuted`
 */
export function askedByName(step: Built, what: string): string[] {
	const asked = new RegExp(String.raw`${STEP_BY_NAME}\s*\.\s*${what}`, 'g');
	return codeIn(step).flatMap((text) => [...text.matchAll(asked)].map(([, , name = '']) => name));
}

/** `$("Event")` */
const STEP_BY_NAME = String.raw`\$\(\s*(["'\`])((?:(?!\1).){1,200})\1\s*\)`;

/** `$input.first()`, `$input.all()[0]`: the first of whatever comes. */
const FIRST_THAT_COMES =
	/(?:\$|\b_)input\s*\.\s*(?:(?:first|last)\s*\(|all\s*\(\s*\)\s*(?:\[\s*-?\d|\.\s*(?:at|pop|shift)\s*\())/;

/** The same in the words of Python. */
const FIRST_IN_PYTHON = /\b_items\s*\[\s*0\s*\]\s*(?:\.|\[)/;

/** Whether a step takes what the first item says for all that come. */
export function takesFirst(step: Built): boolean {
	const isFirst = (text: string) =>
		FIRST_THAT_COMES.test(text) || (isCode(step) && FIRST_IN_PYTHON.test(text));
	return saidIn(step).filter(isExpression).some(isFirst);
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

/** `$("Event").item`: the one that, to n8n, an item came from. */
const BY_LINK = new RegExp(String.raw`${STEP_BY_NAME}\s*\.\s*(?:item|pairedItem)\b`, 'g');

/** One for each run of a node: every item asks. */
const known = new WeakMap<IExecuteFunctions, ReadonlyMap<string, string>>();

/**
 * The steps of which a step behind, or a file name of this one, takes the item that its own came from: by their names, each
 * with the name of one that does.
 */
export function askedByLink(context: IExecuteFunctions): ReadonlyMap<string, string> {
	const found = known.get(context) ?? readAsked(context);
	known.set(context, found);
	return found;
}

function readAsked(context: IExecuteFunctions): ReadonlyMap<string, string> {
	const { name: own, parameters } = context.getNode();
	const behind = behindOf(context).filter(({ disabled }) => !disabled);
	const asking = [{ name: own, parameters: { options: parameters.options } }, ...behind];
	return new Map(
		asking.flatMap((step) =>
			textsIn(step.parameters)
				.flatMap((text) => [...inTodaysWords(text).matchAll(BY_LINK)])
				.map(([, , asked = '']) => [asked, step.name] as const),
		),
	);
}
