import type { IDataObject } from 'n8n-workflow';
import { sending } from '../parameters/attaching';
import { gaveIn, type OfOwnRun } from '../parameters/came';
import { asksForNoItem, passesEach } from '../parameters/eachSet';
import { isByPosition, isOfAll } from '../parameters/mixedBehind';
import { addressOf } from '../parameters/addressOf';
import { ASKING, keepsNames, quoted, type Items, type Step, type Steps } from '../parameters/stepKinds';
import { takenIn } from '../parameters/taken';
import { behindOf, comesOnlyFrom, inFrontOf, leadsTo, parentsOf, type Around } from '../parameters/ways';

/** Rows that come to a Merge behind the papers by another way: it puts them together, whosever they are. */

type Context = Around & OfOwnRun;

/** A Merge that looks at nothing, behind the papers, and the steps of which it takes the rows. */
export interface Blind {
	merge: Step;
	rows: Steps;
}

/** Those to which the papers come as they are. */
export function blindBehind(context: Context): Blind[] {
	const own = context.getNode().name;
	const isPaper = (step: Step) =>
		step.name === own || (!asksForNoItem(step) && comesOnlyFrom(context, step.name, own, handsOn));
	return behindOf(context)
		.filter(({ disabled }) => !disabled)
		.filter((step) => /\.merge$/.test(step.type) && (isByPosition(step) || isOfAll(step)))
		.map((merge) => ({ merge, ways: parentsOf(context, merge.name) }))
		.filter(({ ways }) => ways.some(isPaper))
		.map(({ merge, ways }) => ({ merge, rows: ways.filter((way) => !isPaper(way)) }))
		.filter(({ rows }) => rows.length > 0);
}

/** Behind such a Merge, a Filter may choose the row. */
const handsOn = (step: Step) => passesEach(step) && keepsNames(step) && !ASKING.test(step.type);

const goesBy = (context: Context, last: Step, { merge }: Blind) =>
	comesOnlyFrom(context, last.name, merge.name, handsOn);

/**
 * Mails, say, that go by whatever rows such a Merge takes of a table that is asked for nobody's, in words: before they have
 * come, or where it takes the first of several.
 */
export function rowsOfAnybody(context: Context, blind: readonly Blind[]): string[] {
	const own = context.getNode().name;
	const inside = new Set([own, ...inFrontOf(context, own).map(({ name }) => name)]);
	return sending(behindOf(context)).flatMap((last) =>
		blind
			.filter((each) => goesBy(context, last, each))
			.flatMap(({ merge, rows }) =>
				rows
					.filter((table) => {
						const { length } = rowsOf(context, table);
						const leading = inFrontOf(context, table.name).filter(({ name }) => !inside.has(name));
						const asking = [table, ...leading].filter(asksForNoItem);
						// What leads to such a table, such as a search, chooses none of its rows.
						const choosing = leading.filter(({ name }) =>
							asking.every((step) => !leadsTo(context, name, step.name)),
						);
						return (
							takenIn(addressOf(last)).some(({ step }) => step === undefined) &&
							[table, ...choosing].every((step) => asksForNoItem(step) || LEAVES.test(step.type)) &&
							(length === 0 || (length > 1 && !isOfAll(merge)))
						);
					})
					.map((table) => ofAnybody(merge, table, last)),
			),
	);
}

/** Steps that leave some rows, whosever they are. */
const LEAVES = /\.(limit|sort|removeDuplicates)$/;

function ofAnybody(merge: Step, table: Step, last: Step): string {
	const row = isOfAll(merge) ? 'each row' : 'a row';
	return `${quoted(merge)} puts the papers together with ${row} of ${quoted(table)}, whosever they are, and ${quoted(last)} goes by that. Where these are rows of customers, have ${quoted(table)} look for that of each, by customerId of the event.`;
}

/** All steps that lead there, past this one. */
export function besideOf(context: Context, blind: readonly Blind[]): Step[] {
	const own = context.getNode().name;
	const inside = [own, ...[...behindOf(context), ...inFrontOf(context, own)].map(({ name }) => name)];
	const found = blind.flatMap(({ merge }) => inFrontOf(context, merge.name));
	return [...new Map(found.map((step) => [step.name, step])).values()].filter(
		({ name }) => !inside.includes(name),
	);
}

/** What such a step gave with these papers: in a loop, it may have run for those before them alone. */
function rowsOf(context: Context, { name }: Step): Items {
	const runs = (step: string) => context.runExecutionData?.resultData?.runData?.[step]?.length ?? 0;
	return runs(name) > runs(context.getNode().name) ? gaveIn(context, name) : [];
}

/** Of all with all, whoever is wrong is so among the first. */
const MOST = 20;

/** What comes of a paper, by its place, behind such a Merge: to whatever leads there as it came, and undefined elsewhere. */
export function comesBlind(context: Context, blind: readonly Blind[], last: Step) {
	const of = blind.find((each) => goesBy(context, last, each));
	return (
		of &&
		((paper: IDataObject, place: number): IDataObject[] => {
			if (place >= MOST) return [];
			const rows = of.rows.flatMap((step) => {
				const gave = rowsOf(context, step).map(({ json }) => json);
				return isOfAll(of.merge) ? gave.slice(0, MOST) : gave.slice(place, place + 1);
			});
			return rows.map((row) => ({ ...paper, ...row }));
		})
	);
}
