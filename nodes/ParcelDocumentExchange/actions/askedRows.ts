import type { Around } from '../parameters/ways';
import type { SetRow } from '../../../service/model/set';
import { asksAlike } from '../parameters/eachSet';
import { matchedAt } from '../parameters/mixedBehind';
import { questionsIn } from '../parameters/questions';
import { ASKING, builtOf, type Step, type Steps } from '../parameters/stepKinds';
import type { StepOfRun } from '../parameters/stepsInFront';
import { codeIn, inTodaysWords, takenIn, takesOfItems } from '../parameters/taken';
import { isObject, plainText, textsIn, wordsIn } from '../parameters/values';
import { HANDS_ON, WHOSE } from './whoseRow';

/** By which fields steps choose rows, and which of them give the same whatever comes. */

/** `own.agent`, `own["Agent No."]`, `own.get("agent")` */
const READS_FIELD = /\.\s*([\p{L}_$][\p{L}\d_$]*)|[[(]\s*(["'`])([^"'`]+)\2\s*[\]),]/gu;

/** Whether a table gives the same rows whatever comes to it. */
export const isWhole = ({ name, type }: StepOfRun, inFront: Steps) =>
	!HANDS_ON.test(type) &&
	!/(Trigger|\.(webhook|executeWorkflow))$/.test(type) &&
	inFront.some((step) => step.name === name && !takesOfItems(step.parameters));

/** Where one of several conditions is enough: so n8n has it, unless told otherwise, for its data tables. */
const ANY = /"((match|filter)Type|combine(Filters|Conditions))":"(any\w*|OR)"|"filterGroupsValues"/;

/** Whether a table gives the rows of anybody, too: those of which a condition alone comes true that was typed, or tells of nobody. */
const givesAnybodys = ({ type, parameters = {} }: Step) =>
	ANY.test(builtOf({ parameters })) &&
	listsIn(parameters).some((all) =>
		[
			takesOfItems,
			(one: unknown) => takenIn({ type, parameters: one }).some(({ field }) => WHOSE.test(field)),
		].some((isSuch) => all.some(isSuch) && !all.every(isSuch)),
	);

const listsIn = (value: unknown): unknown[][] =>
	Array.isArray(value) ? [value] : isObject(value) ? Object.values(value).flatMap(listsIn) : [];

/**
 * Not where it asks by what was typed into a step in front, or is called with that; nor by the rows of a table that is read
 * whole, whatever loop or order they come in.
 */
export function goesByItems(context: Around, step: Step, asksOfWhole: (step: Step) => boolean): boolean {
	const { workflowInputs = {} } = step.parameters ?? {};
	const called = isObject(workflowInputs) && 'value' in workflowInputs ? workflowInputs.value : undefined;
	const isCalled = /\.executeWorkflow$/.test(step.type) && textsIn(called).length === 0;
	if (isCalled) return true;
	if (!takesOfItems(step.parameters) || givesAnybodys(step)) return false;
	return !(takenIn(step).length > 0 && asksOfWhole(step)) && !asksAlike(context, step, () => false);
}

export const fieldsRead = (text: string) =>
	[...text.matchAll(READS_FIELD)].map(([, dotted, , bracketed]) => dotted ?? bracketed!);

/** Fields by which a step may choose; not one that an If compares with what was typed, such as a status. */
export function fieldsAsked(step: Step): string[] {
	const { type, parameters } = step;
	const compared = ASKING.test(type) ? questionsIn(parameters).map(({ leftValue }) => leftValue) : [];
	const isCompared = new Set(compared.map(inTodaysWords));
	const built = givesAnybodys(step) ? [] : codeIn(step).filter((text) => !isCompared.has(text));
	return [
		...built.flatMap(fieldsRead),
		...[0, 1].flatMap((input) => matchedAt(step, input)),
		...(/\.merge$/.test(type) ? namesInSql(parameters?.query) : []),
	];
}

/** `Agent`, "Agent No.", [Agent No.] */
const SQL_NAME = /[\p{L}_$][\p{L}\d_$]*|(["'`])(.+?)\1|\[(.+?)\]/gu;

/** A query may call columns by their names alone. */
const namesInSql = (query: unknown) =>
	[...plainText(query).matchAll(SQL_NAME)].map(
		([whole, , quoted, bracketed]) => quoted ?? bracketed ?? whole,
	);

export const wordsAsked = (item: SetRow, asked: ReadonlySet<string>) =>
	Object.keys(item).flatMap((name) => (asked.has(name) ? wordsIn(item[name]) : []));
