import { gaveIn } from '../parameters/came';
import { asksForNoItem } from '../parameters/eachSet';
import { quoted, type Step } from '../parameters/stepKinds';
import { behindOf, inFrontOf, ownStep, type Around } from '../parameters/ways';

/** Steps that give fifty rows of a table, unless told. */
const OF_FIFTY = /\.(dataTable|postgres|mySql)$/;
const READS = /^(get|select)$/;

/**
 * Tables that are read for all sets, to be matched with them by a Merge, and gave as many rows as their limit lets through, in
 * words: what has its row behind it would be left out, green.
 */
export function cutShort(context: Around & Parameters<typeof gaveIn>[0]): string[] {
	const around = [...inFrontOf(context, ownStep(context).name), ...behindOf(context)];
	const merges = around.filter(({ type, disabled }) => /\.merge$/.test(type) && !disabled);
	const tables = merges.flatMap((merge) => inFrontOf(context, merge.name)).filter(asksForNoItem);
	return [...new Map(tables.map((step) => [step.name, step])).values()].flatMap((step) => {
		const limit = limitOf(step);
		return limit > 1 && gaveIn(context, step.name).length === limit
			? [
					`${quoted(step)} gave ${limit} rows, which is its limit: sets of which the row comes later would get no papers. Switch Return All on there.`,
				]
			: [];
	});
}

function limitOf({ type, parameters = {} }: Step): number {
	const { operation, returnAll, limit = 50 } = parameters;
	return OF_FIFTY.test(type) && READS.test(String(operation)) && returnAll !== true ? Number(limit) : 0;
}
