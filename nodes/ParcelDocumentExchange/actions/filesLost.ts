import type { IExecuteFunctions, NodeTypeAndVersion } from 'n8n-workflow';
import { remedyWhereLost } from './handedOn';

/** A field of attachments that is filled in, as the mail steps of n8n have it. */
const ATTACHES = /"\w*[aA]ttachments\w*":(?!""|\{\}|\[\]|null|false)/;

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
			({ name, remedy }) =>
				`The step ${JSON.stringify(name)} hands no files on, and ${JSON.stringify(mail.name)} would send its mail without them. ${remedy}, or attach the files before it.`,
		);
	});
}

/** Of the steps, those that are on and attach files: mails. */
export const attaching = (steps: readonly NodeTypeAndVersion[]): NodeTypeAndVersion[] =>
	steps.filter(({ parameters, disabled }) => !disabled && ATTACHES.test(JSON.stringify(parameters ?? {})));

/** Of the steps, those in front of that one. */
export function between<T extends { name: string }>(
	context: Pick<IExecuteFunctions, 'getParentNodes'>,
	steps: readonly T[],
	last: { name: string },
): T[] {
	const inFront = new Set(context.getParentNodes(last.name).map(({ name }) => name));
	return steps.filter(({ name }) => name !== last.name && inFront.has(name));
}
