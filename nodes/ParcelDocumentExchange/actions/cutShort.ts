import { cameTo, gaveIn, type OfOwnRun } from '../parameters/came';
import { asksForNoItem } from '../parameters/eachSet';
import { quoted, type Step } from '../parameters/stepKinds';
import { askedByName } from '../parameters/taken';
import { behindOf, inFrontOf, isOnce, ownStep, type Around } from '../parameters/ways';

/** Steps that give fifty rows of a table, unless told. */
const OF_FIFTY = /\.(dataTable|postgres|mySql)$/;
/** As many. */
const FIFTY = 50;
const READS = /^(get|select)$/;

/**
 * Tables that are read for all sets, to be matched with them by a Merge, or by Code or an expression that looks through all of
 * their rows, and gave as many rows as their limit lets through, in words: what has its row behind it would be left out, green.
 */
export function cutShort(context: Around & OfOwnRun): string[] {
	const around = [...inFrontOf(context, ownStep(context).name), ...behindOf(context)].filter(
		({ disabled }) => !disabled,
	);
	const merges = around.filter(({ type }) => /\.merge$/.test(type));
	const lookedThrough = new Set(around.flatMap((step) => askedByName(step, 'all\\s*\\(')));
	const tables = [
		...merges.flatMap((merge) => inFrontOf(context, merge.name)),
		...around.filter(({ name }) => lookedThrough.has(name)),
	].filter(asksForNoItem);
	return [...new Map(tables.map((step) => [step.name, step])).values()].flatMap((step) => {
		const limit = limitOf(step);
		// It is read for each item that comes.
		const times = isOnce(context, step.name) ? 1 : (cameTo(context, step.name)[0]?.items.length ?? 1) || 1;
		return limit > 1 && gaveIn(context, step.name).length === limit * times
			? [
					`${quoted(step)} gave ${limit} rows, which is its limit: sets of which the row comes later would find none, and may get no papers. Switch Return All on there.`,
				]
			: [];
	});
}

function limitOf({ type, parameters = {} }: Step): number {
	const { operation, returnAll, limit = FIFTY } = parameters;
	return OF_FIFTY.test(type) && READS.test(String(operation)) && returnAll !== true ? Number(limit) : 0;
}
