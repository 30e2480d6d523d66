import { ACTION, quoted, type Step, type Steps } from './stepKinds';
import { isObject, textsIn } from './values';
import { anyWay, insideOf, isWired, type Around } from './ways';

/**
 * Steps in a loop that may give nothing. n8n then has nothing to lead back, and the loop ends, green: what it had still to
 * give gets nothing. In words.
 *
 * @param steps around the loop
 */
export function endingLoop(context: Around, loop: Step, steps: Steps): string[] {
	const inside = insideOf(context, loop, steps);
	const isPassed = ({ name }: Step) =>
		anyWay(context, loop, (one) => (one.name === loop.name ? true : one.name === name ? false : undefined));
	return inside
		.filter((step) => !step.disabled && mayGiveNone(context, step, [loop, ...inside]) && !isPassed(step))
		.map(
			(step) =>
				`Where ${quoted(step)} gives no item by a line that leads back to the loop ${quoted(loop)}, the loop ends: the papers of those that it has still to give would go to nobody. Take the loop out: each step goes through all items by itself.`,
		);
}

/** Reads rows, and none where none is found. */
const TABLE = /\.(dataTable|googleSheets|airtable|microsoftExcel|postgres|mySql|microsoftSql)$/;
const READS = /^(get|read|lookup|search|select|executeQuery|list)/;

/** @param back the loop, and the steps from which a way leads back to it */
function mayGiveNone(context: Around, { name, type, parameters = {} }: Step, back: Steps): boolean {
	if (context.workflow?.nodes?.[name]?.alwaysOutputData === true) return false;
	if (/\.(filter|removeDuplicates)$/.test(type)) return true;
	if (/\.(if|switch)$/.test(type)) {
		const isBack = (output: number) =>
			back.some((step) => isWired(context, name, (one) => one === output, step));
		return context.getConnections !== undefined && !outputsOf({ type, parameters }).every(isBack);
	}
	const { operation } = parameters;
	if (ACTION.test(type)) {
		return (
			operation === 'search' || (operation === 'getAllPdfs' && textsIn(parameters.documentTypes).length > 0)
		);
	}
	return TABLE.test(type) && READS.test(String(operation));
}

/** The outputs by which an If or a Switch may give all that came; of a Switch, as far as rules say. */
function outputsOf({ type, parameters = {} }: Pick<Step, 'type' | 'parameters'>): number[] {
	const rules = isObject(parameters.rules) ? parameters.rules : {};
	const values = Object.values(rules).find(Array.isArray) ?? [];
	return [...Array(/\.if$/.test(type) ? 2 : values.length).keys()];
}
