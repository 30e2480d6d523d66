import type { IExecuteFunctions } from 'n8n-workflow';
import { attaching } from '../parameters/attaching';
import { quoted } from '../parameters/stepKinds';
import { remedyWhereLost } from '../parameters/handedOn';

/** Of the steps between a node that gives files and a mail that attaches them, those that let the files go, in words. */
export function filesLost(
	context: Pick<IExecuteFunctions, 'getNode' | 'getChildNodes' | 'getParentNodes'>,
): string[] {
	const behind = context.getChildNodes(context.getNode().name, { includeNodeParameters: true });
	const dropping = behind.flatMap((step) => {
		const remedy = step.disabled ? undefined : remedyWhereLost(step);
		return remedy === undefined ? [] : [{ name: step.name, remedy }];
	});
	return attaching(behind).flatMap((mail) => {
		return between(context, dropping, mail).map(
			(step) =>
				`The step ${quoted(step)} hands no files on, and ${quoted(mail)} would send its mail without them. ${step.remedy}, or attach the files before it.`,
		);
	});
}

/** Of the steps, those in front of that one. */
export function between<T extends { name: string }>(
	context: Pick<IExecuteFunctions, 'getParentNodes'>,
	steps: readonly T[],
	last: { name: string },
): T[] {
	const inFront = new Set(context.getParentNodes(last.name).map(({ name }) => name));
	return steps.filter(({ name }) => name !== last.name && inFront.has(name));
}
