import type { IExecuteFunctions, NodeTypeAndVersion } from 'n8n-workflow';
import { attaching, isMail } from './attaching';
import { isMeantForFailures } from './failuresSent';
import { ASKING, KEEPING, givesFiles, isLoop, parentsOf, quoted } from './stepKinds';

type Around = Pick<IExecuteFunctions, 'getNode' | 'getChildNodes' | 'getParentNodes'>;

/**
 * Mails that attach papers and get each event twice: with its papers, and once more past the step that gets them, which
 * leaves without, green. In words. Not where something between asks which way an event goes.
 */
export function pastPapers(context: Around): string[] {
	const own = context.getNode();
	const childrenOf = (name: string) => context.getChildNodes(name, { includeNodeParameters: true });
	const giving = childrenOf(own.name).filter((step) => givesFiles(step) && !step.disabled);
	return giving
		.filter((step) => comesAlways(context, step, own.name))
		.flatMap((step) =>
			attaching(childrenOf(step.name))
				.filter((mail) => isMail(mail) && !isMeantForFailures(mail) && comesAlways(context, mail, own.name))
				.map(
					(mail) =>
						`${quoted(own)} leads to ${quoted(mail)} past ${quoted(step)} as well: each event would send one mail with its papers, and one without. Take that line out, or give it a mail of its own.`,
				),
		);
}

/** Whether each item comes to a step from that one, on one of the ways, as it is. */
function comesAlways(
	context: Pick<Around, 'getParentNodes'>,
	step: { name: string },
	from: string,
	seen = new Set<string>(),
): boolean {
	return parentsOf(context, step.name).some((parent) => {
		if (parent.name === from) return true;
		if (seen.has(parent.name) || !handsAllOn(parent)) return false;
		seen.add(parent.name);
		return comesAlways(context, parent, from, seen);
	});
}

const handsAllOn = (step: NodeTypeAndVersion) => {
	const { type, disabled, parameters } = step;
	if (disabled) return !givesFiles(step);
	if (/\.merge$/.test(type)) return (parameters?.mode ?? 'append') === 'append';
	return (
		/\.set$/.test(type) ||
		(KEEPING.test(type) && !ASKING.test(type) && !isLoop(step) && !/\.wait$/.test(type))
	);
};
