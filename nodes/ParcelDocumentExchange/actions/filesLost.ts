import type { IExecuteFunctions, NodeTypeAndVersion } from 'n8n-workflow';
import { attaching } from '../parameters/attaching';
import { bringsFiles, remedyWhereLost } from '../parameters/handedOn';
import { givesFiles, parentsOf, quoted } from '../parameters/stepKinds';
import type { Wired } from '../parameters/ways';
import { inputsHandedOn } from './mergeInputs';

type Context = Pick<IExecuteFunctions, 'getNode' | 'getChildNodes' | 'getParentNodes'> & Wired;

/** Of the steps between a node that gives files and a mail that attaches them, those that let the files go, in words. */
export function filesLost(context: Context): string[] {
	const behind = context.getChildNodes(context.getNode().name, { includeNodeParameters: true });
	const dropping = behind.flatMap((step) => {
		const remedy = step.disabled ? undefined : remedyWhereLost(step);
		return remedy === undefined ? [] : [{ name: step.name, remedy, step }];
	});
	return attaching(behind).flatMap((mail) => {
		const way = between(context, behind, mail);
		return between(context, dropping, mail)
			.filter(({ step }) => !bringsFiles(step, mail) && !isMergedAgain(context, step, way))
			.map(
				(step) =>
					`The step ${quoted(step)} hands no files on, and ${quoted(mail)} would send its mail without them. ${step.remedy}, or attach the files before it.`,
			);
	});
}

/** Of the steps behind a node, those between it and that one: not those that come back to it, nor what gets other files anew. */
export function between<T extends { name: string }>(
	context: Pick<IExecuteFunctions, 'getNode' | 'getParentNodes'>,
	steps: readonly T[],
	last: { name: string },
): T[] {
	const own = context.getNode().name;
	const inFront = new Set<string>();
	const names = [last.name];
	// Those that are found on the way are looked at too.
	for (const name of names) {
		for (const step of parentsOf(context, name)) {
			if (step.name === own || inFront.has(step.name) || (givesFiles(step) && !step.disabled)) continue;
			inFront.add(step.name);
			names.push(step.name);
		}
	}
	return steps.filter(({ name }) => name !== last.name && inFront.has(name));
}

/** Whether a Merge behind a step brings its items together with the files, which come there past it. */
function isMergedAgain(
	context: Context,
	step: { name: string },
	way: readonly NodeTypeAndVersion[],
): boolean {
	const own = context.getNode().name;
	const isBehindStep = (name: string) =>
		name === step.name || context.getParentNodes(name).some((one) => one.name === step.name);
	return way
		.filter(({ name, type, disabled }) => /\.merge$/.test(type) && !disabled && isBehindStep(name))
		.some((merge) => {
			const handedOn = inputsHandedOn(context, merge);
			if (handedOn === undefined) return false;
			const past = handedOn.filter((name) => !isBehindStep(name));
			return (
				past.some((name) => name === own || context.getParentNodes(name).some((one) => one.name === own)) &&
				(isJoining(merge) || past.length === handedOn.length)
			);
		});
}

/** Makes one item of those of both inputs. */
const isJoining = ({ parameters }: NodeTypeAndVersion) =>
	parameters?.mode === 'combine' &&
	!/^(keepEverything|keepNonMatches|enrichInput\d)$/.test(String(parameters.joinMode)) &&
	!/^input\d$/.test(String(parameters.outputDataFrom));
