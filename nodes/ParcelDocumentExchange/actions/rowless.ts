import type { IDataObject } from 'n8n-workflow';
import { sendingBehind } from '../parameters/attaching';
import { gaveIn, type OfOwnRun } from '../parameters/came';
import { asksForNoItem, passesEach } from '../parameters/eachSet';
import { matchedAt } from '../parameters/mixedBehind';
import { ASKING, keepsNames, quoted, type Items, type Step } from '../parameters/stepKinds';
import { isExpression } from '../parameters/values';
import { behindOf, comesOnlyFrom, inFrontOf, type Around } from '../parameters/ways';
import { compared } from './mergedApart';

/**
 * Merges behind, on the way to a mail or a drive, that keep what has its row alone, in words: where the rows have come already, of
 * the sets that have none among them; before that, that there may be some. Their papers go nowhere, green.
 *
 * @param items what this step gave
 */
export function rowless(context: Around & OfOwnRun, items: Items): string[] {
	return sendingBehind(context).flatMap((merge) => {
		const inputs = context.getConnections?.({ name: merge.name }, 'main') ?? [];
		const own = inputs.findIndex((wires) => wires?.length === 1 && isFromHere(context, wires[0]!.node));
		const [other, ...more] = inputs.flatMap((wires, input) =>
			input === own ? [] : (wires ?? []).map((wire) => ({ ...wire, input })),
		);
		if (own === -1 || !other || other.index > 0 || more.length > 0 || !keepsMatches(merge, own)) return [];
		const [fields, ofRow] = [matchedAt(merge, own), matchedAt(merge, other.input)];
		const rows = gaveIn(context, other.node);
		const isPlain = [...fields, ...ofRow].every(
			(field) => field !== '' && !/[.[]/.test(field) && !isExpression(field),
		);
		if (fields.length === 0 || fields.length !== ofRow.length) return [];
		if (rows.length === 0) {
			const isTable = inFrontOf(context, merge.name).some(
				(step) => step.name === other.node && asksForNoItem(step),
			);
			return isTable
				? [
						`${quoted(merge)} keeps matches alone: the papers of a set that has no row in ${JSON.stringify(other.node)} would go to nobody. If all are meant, ${remedyAt(own)}: what is sent to nobody then fails, and you see it.`,
					]
				: [];
		}
		if (!isPlain) return [];
		const keys = new Set(rows.map(({ json }) => keyOf(json, ofRow)));
		const hasRow = new Map<unknown, boolean>();
		for (const { json, binary } of items) {
			if (!binary) continue;
			const set = json.setId;
			const isAnywhere = fields.every((field) => json[field] !== undefined) && keys.has(keyOf(json, fields));
			hasRow.set(set, hasRow.get(set) === true || isAnywhere);
		}
		const without = [...hasRow.values()].filter((has) => !has).length;
		if (without === 0) return [];
		return [
			`${without} of ${hasRow.size} sets have no row in ${JSON.stringify(other.node)}, and ${quoted(merge)} keeps matches alone: their papers would go to nobody. If they are meant too, see that there is a row for each, or ${remedyAt(own)}.`,
		];
	});
}

const remedyAt = (input: number) => `choose Enrich Input ${input + 1} for Output Type there`;

/** Whether all that comes by a step is what this one gave, as it was. */
function isFromHere(context: Around, name: string): boolean {
	const own = context.getNode().name;
	const stays = (step: Step) => passesEach(step) && keepsNames(step) && !ASKING.test(step.type);
	if (name === own) return true;
	const step = behindOf(context).find((one) => one.name === name);
	return step !== undefined && stays(step) && comesOnlyFrom(context, name, own, stays);
}

/** Whether a Merge leaves out what comes by that input and has no match. */
function keepsMatches({ type, parameters = {} }: Step, input: number): boolean {
	const { mode, combineBy, joinMode = 'keepMatches', options } = parameters;
	const { fuzzyCompare } = { ...(options as { fuzzyCompare?: unknown }) };
	return (
		/\.merge$/.test(type) &&
		mode === 'combine' &&
		combineBy === 'combineByFields' &&
		(joinMode === 'keepMatches' || joinMode === `enrichInput${2 - input}`) &&
		fuzzyCompare !== true
	);
}

const keyOf = (json: IDataObject, fields: readonly string[]) =>
	fields.map((field) => compared(json[field])).join();
