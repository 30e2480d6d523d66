import { documentTypeKey } from '../../../service/model/documentType';
import { isExpression, isObject, textsIn } from './values';
import { inTodaysWords, taken, takesOfItems, type Built, type Taken } from './taken';
import { builtOf } from './stepKinds';

/** One question, as the newer versions of those steps keep it. */
export interface Question {
	leftValue: string;
	rightValue: string;
	operator: { operation: string };
}

/** Whether an If, a Filter or a Switch takes capitals and small letters for the same. */
export const ignoresCase = (parameters: unknown): boolean =>
	/"(ignoreCase":true|caseSensitive":false)/.test(builtOf({ parameters }));

const SAME = /^(notE|e)quals?$/;
const WITHIN = /^(?:not)?(?:contains|startsWith|endsWith)$/i;

/** The questions whether a field is, or is not, what was typed. */
export const questionsIn = (parameters: unknown): Question[] =>
	readIn(parameters).filter(({ operator }) => SAME.test(operator.operation));

/** The same, with those whether it contains that, or begins or ends so, and those that an expression asks. */
export const allQuestionsIn = (parameters: unknown): Question[] => [
	...readIn(parameters).filter(
		({ operator: { operation } }) => SAME.test(operation) || WITHIN.test(operation),
	),
	...textsIn(parameters).filter(isExpression).map(inTodaysWords).flatMap(askedWithin),
];

/** @param value1 of the rules of an older Switch, which stands above them */
function readIn(value: unknown, value1?: unknown): Question[] {
	if (Array.isArray(value)) return value.flatMap((one) => readIn(one, value1));
	if (!isObject(value)) return [];
	const question = asQuestion({ value1, ...value });
	return question ? [question] : Object.values(value).flatMap((one) => readIn(one, value.value1 ?? value1));
}

function asQuestion(value: Record<string, unknown>): Question | undefined {
	const { left, right, operation } = sidesOf(value) ?? {};
	if (typeof left !== 'string' || typeof right !== 'string') return undefined;
	if (isExpression(right) || documentTypeKey(right) === '') return undefined;
	const byDefault = isObject(value.operator) ? undefined : 'equal';
	return { leftValue: left, rightValue: right, operator: { operation: String(operation ?? byDefault) } };
}

/** What is asked, in the words of today or in those of an older If; undefined for what is no question. */
function sidesOf(value: Record<string, unknown>) {
	const { operator } = value;
	if (isObject(operator)) {
		return { left: value.leftValue, right: value.rightValue, operation: operator.operation };
	}
	return 'value1' in value
		? { left: value.value1, right: value.value2, operation: value.operation }
		: undefined;
}

/** Whether a step compares what an item says with what that of another step says, and not with what was typed alone. */
export const comparesItems = (value: unknown): boolean => comparisonsIn(value).length > 0;

/** The questions in which it does, and the expressions. */
export function comparisonsIn(value: unknown, value1?: unknown): unknown[] {
	if (typeof value === 'string')
		return isExpression(value) && isOfSeveral(notTyped(inTodaysWords(value))) ? [value] : [];
	if (Array.isArray(value)) return value.flatMap((one) => comparisonsIn(one, value1));
	if (!isObject(value)) return [];
	const question = { value1, ...value };
	const { left, right } = sidesOf(question) ?? {};
	const isBoth = [left, right].every(takesOfItems);
	if (isBoth && isOfSeveral(textsIn([left, right]).map(inTodaysWords).flatMap(taken))) return [question];
	return Object.values(value).flatMap((one) => comparisonsIn(one, value.value1 ?? value1));
}

const isOfSeveral = (fields: readonly Taken[]) => new Set(fields.map(({ step }) => step)).size > 1;

/** What an expression takes and does not compare with a word that is written there. */
function notTyped(expression: string): Taken[] {
	const typed = askedWithin(expression).map(({ leftValue }) => leftValue);
	return taken(expression).filter(({ text }) => !typed.some((one) => one.startsWith(`={{ ${text}`)));
}

/** What a step asks, without what one may ask of the first item: whether there is anything at all, and whether each is like it. */
export const asked = ({ type, parameters }: { type: string; parameters?: unknown }): Built => ({
	type,
	parameters: withoutThose(parameters),
});

function withoutThose(value: unknown): unknown {
	if (typeof value === 'string') return value.replaceAll(ASKED_WHETHER, '').replaceAll(WHETHER_ASKED, '');
	if (Array.isArray(value)) return value.map(withoutThose);
	if (!isObject(value)) return value;
	if (asksWhether(value) || (sidesOf(value) && asksEach(value))) return {};
	return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withoutThose(inner)]));
}

function asksWhether(value: Record<string, unknown>): boolean {
	const { left, right, operation } = sidesOf(value) ?? {};
	const isOfNone =
		(right === '' && /^(?:notE|e)quals?$/i.test(String(operation))) ||
		(String(right) === '0' && /\.length\s*\}\}\s*$/.test(String(left)));
	return EXISTING.test(String(operation)) || isOfNone;
}

/** Whether an expression in it takes something of each item. */
export const asksEach = (built: object): boolean =>
	textsIn(built).some((text) => taken(text).some(({ which }) => which === 'linked'));

const EXISTING = /^(?:(?:not|isNot|is)?empty|(?:not)?exists)$/i;

const ITEM = String.raw`\$(?:input|\([^()]*\))\s*\.\s*(?:first|last)\s*\(\s*\)\s*(?:\??\.\s*json\b)?(?:\??\.\s*\w+\b(?!\s*\()|\[\s*["'][^"']+["']\s*\])*`;
/** `$("Event").first().json.setId !== undefined`, `$("Event").first().json.setId.isEmpty()`, `….length > 0`. */
const ASKED_WHETHER = new RegExp(
	String.raw`${ITEM}\s*(?:[!=]==?\s*(?:undefined|null|""|'')|\??\.\s*is(?:Not)?Empty\s*\(\s*\)|\??\.\s*length\s*(?:>|[!=]==?)\s*0\b)`,
	'g',
);
/** `!!$("Event").first().json.setId`, `Boolean(…)`, `Object.keys(…)`. */
const WHETHER_ASKED = new RegExp(String.raw`(?:!!\s*${ITEM}|\b(?:Boolean|keys)\s*\(\s*${ITEM}\s*\))`, 'g');

const ASKED_BEHIND = /^((?:\s*\??\.\s*\w+\(\s*\))*)\s*[!=]==?\s*(["'`])([^"'`$]+)\2(?!\s*\.)/;
const ASKED_BEFORE = /(["'`])([^"'`$]+)\1\s*[!=]==?\s*$/;
const LISTED_BEFORE = /\[([^[\]]*)\]\s*\.\s*includes\s*\(\s*$/;
const DONE_BEHIND = /^(?:\s*\??\.\s*\w+\(\s*\))*/;
/** Not one that is changed before it is compared: `"Issued".toUpperCase()`. */
const WORD = /(["'`])([^"'`$]+)\1(?!\s*\.)/g;

/** `$json.a === "b"`, `"b" === $json.a`, `["b", "c"].includes($json.a)`. */
function askedWithin(expression: string): Question[] {
	return taken(expression).flatMap(({ text }) => {
		const at = expression.indexOf(text);
		const [before, behind] = [expression.slice(0, at), expression.slice(at + text.length)];
		const then = DONE_BEHIND.exec(behind)?.[0] ?? '';
		const words = [
			ASKED_BEHIND.exec(behind)?.[3],
			ASKED_BEFORE.exec(before)?.[2],
			...[...(LISTED_BEFORE.exec(before)?.[1] ?? '').matchAll(WORD)].map((found) => found[2]),
		];
		return words.flatMap((word) =>
			word === undefined
				? []
				: [{ leftValue: `={{ ${text}${then} }}`, rightValue: word, operator: { operation: 'equals' } }],
		);
	});
}
