import type { IExecuteFunctions, NodeTypeAndVersion } from 'n8n-workflow';
import { handsOn, saysSame, waysInto } from './eachSet';
import { textsIn } from './typedInto';
import { isExpression } from './values';

type Around = Pick<IExecuteFunctions, 'getParentNodes'>;

/**
 * Whether all items that a step gives say the same in a field, whatever set they are of: it says so itself, or hands on what
 * steps in front of it said so.
 *
 * @param isSame of a field that our triggers and actions give
 */
export function givesAlike(
	context: Around,
	step: NodeTypeAndVersion,
	field: string,
	isSame: (field: string) => boolean,
	seen: ReadonlySet<string> = new Set(),
): boolean {
	if (saysSame(step, field, isSame) || asksForNoItem(step)) return true;
	if (seen.has(step.name) || !handsOn(step, field)) return false;
	return comesAlike(context, step, field, isSame, new Set([...seen, step.name]));
}

/** The same of the items that come to a step. */
export function comesAlike(
	context: Around,
	step: NodeTypeAndVersion,
	field: string,
	isSame: (field: string) => boolean,
	seen?: ReadonlySet<string>,
): boolean {
	const ways = waysInto(context, step);
	return ways.length > 0 && ways.every((way) => givesAlike(context, way, field, isSame, seen));
}

/** Steps that answer with what they have elsewhere. */
const ANSWERING =
	/\.(httpRequest|dataTable|googleSheets|airtable|microsoftExcel|postgres|mySql|microsoftSql)$/;
const OF_ITEM = /\$(?:json|input|node|items|itemIndex|binary)\b|\$\(/;

/** Whether a step asks the same for each item, and so gets the same. */
const asksForNoItem = ({ type, disabled, parameters }: NodeTypeAndVersion) =>
	ANSWERING.test(type) &&
	!disabled &&
	!JSON.stringify(parameters ?? {}).includes('autoMap') &&
	!textsIn(parameters).some((text) => isExpression(text) && OF_ITEM.test(text));
