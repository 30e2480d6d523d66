import { attaching } from '../parameters/attaching';
import { bringsFiles, remedyWhereLost, handsNoFilesOn } from '../parameters/handedOn';
import type { Step, Steps } from '../parameters/stepKinds';
import {
	behindOf,
	between,
	leadsTo,
	parentsOf,
	type Around,
	type InFront,
	type Wired,
} from '../parameters/ways';

/** Of the steps between a node that gives files and a mail that attaches them, those that let the files go, in words. */
export function filesLost(context: Around): string[] {
	const behind = behindOf(context);
	const dropping = behind.flatMap((step) => {
		const remedy = step.disabled ? undefined : remedyWhereLost(step);
		return remedy === undefined ? [] : [{ name: step.name, remedy, step }];
	});
	return attaching(behind).flatMap((mail) => {
		const way = between(context, behind, mail);
		return between(context, dropping, mail)
			.filter(({ step }) => !bringsFiles(step, mail) && !isMergedAgain(context, step, way))
			.map(({ step, remedy }) => `${handsNoFilesOn(step, mail)} ${remedy}, or attach the files before it.`);
	});
}

/** Whether a Merge behind a step brings its items together with the files, which come there past it. */
function isMergedAgain(context: Around, step: { name: string }, way: Steps): boolean {
	const own = context.getNode().name;
	const isBehindStep = (name: string) => name === step.name || leadsTo(context, step.name, name);
	return way
		.filter(({ name, type, disabled }) => /\.merge$/.test(type) && !disabled && isBehindStep(name))
		.some((merge) => {
			const handedOn = inputsHandedOn(context, merge);
			if (handedOn === undefined) return false;
			const past = handedOn.filter((name) => !isBehindStep(name));
			return (
				past.some((name) => name === own || leadsTo(context, own, name)) &&
				(isJoining(merge) || past.length === handedOn.length)
			);
		});
}

/** Makes one item of those of both inputs. */
const isJoining = ({ parameters }: Step) =>
	parameters?.mode === 'combine' &&
	!/^(keepEverything|keepNonMatches|enrichInput\d)$/.test(String(parameters.joinMode)) &&
	!/^input\d$/.test(String(parameters.outputDataFrom));

/** What a Merge of n8n hands on of its inputs, as its versions write it. */
interface Merge {
	mode?: unknown;
	output?: unknown;
	useDataOfInput?: unknown;
	joinMode?: unknown;
	outputDataFrom?: unknown;
}

/**
 * Of the steps that lead to a Merge beside the files, those of which it hands on items that got none.
 *
 * @param inside the step that gives the files, and all behind it
 */
export function inputsWithoutPapers(
	context: InFront & Wired,
	merge: Step,
	inside: ReadonlySet<string>,
): string[] {
	const parameters: Merge = merge.parameters ?? {};
	const { mode = 'append', joinMode = 'keepMatches' } = parameters;
	const others = parentsOf(context, merge.name)
		.map(({ name }) => name)
		.filter((name) => !inside.has(name));
	if (mode === 'append') return others;
	if (mode === 'combine' && /^keep(Everything|NonMatches)$/.test(String(joinMode))) return others;
	const chosen = inputHandedOn(parameters);
	if (chosen === undefined || !context.getConnections) return [];
	const wires = context.getConnections({ name: merge.name }, 'main')[chosen - 1] ?? [];
	const names = wires.map(({ node }) => node);
	return names.some((name) => inside.has(name)) ? [] : names;
}

/** The steps whose items a Merge hands on: those of the input that is chosen, or of all where it joins them; undefined where nobody can tell. */
function inputsHandedOn(context: InFront & Wired, merge: Step): string[] | undefined {
	const parameters: Merge = merge.parameters ?? {};
	const chosen = inputHandedOn(parameters);
	if (chosen === undefined) {
		if (parameters.mode !== 'combine') return undefined;
		return parentsOf(context, merge.name).map(({ name }) => name);
	}
	return context.getConnections?.({ name: merge.name }, 'main')[chosen - 1]?.map(({ node }) => node);
}

/** The input of which all comes out, from 1; undefined where no one does. */
function inputHandedOn(merge: Merge): number | undefined {
	const { mode, output, useDataOfInput, joinMode, outputDataFrom } = merge;
	const numberIn = (value: unknown) => {
		const [digits] = /\d+/.exec(String(value)) ?? [];
		return digits === undefined ? undefined : Number(digits);
	};
	if (mode === 'chooseBranch') return numberIn(useDataOfInput ?? output) ?? 1;
	if (mode !== 'combine') return undefined;
	if (/^enrichInput\d$/.test(String(joinMode))) return numberIn(joinMode);
	return /^input\d$/.test(String(outputDataFrom)) ? numberIn(outputDataFrom) : undefined;
}
