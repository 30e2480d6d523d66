import { attaching, isMail } from './attaching';
import { isMeantForFailures } from './failuresSent';
import { ASKING, givesFiles, isLoop, KEEPING, quoted, type Step } from './stepKinds';
import { behindOf, comesBy, givingBehind, type Around } from './ways';

/**
 * Mails that attach papers and get each event twice: with its papers, and once more past the step that gets them, which
 * leaves without, green. In words. Not where something between asks which way an event goes.
 */
export function pastPapers(context: Around): string[] {
	const own = context.getNode();
	return givingBehind(context)
		.filter((step) => comesBy(context, step, own.name, handsAllOn))
		.flatMap((step) =>
			attaching(behindOf(context, step.name))
				.filter(
					(mail) => isMail(mail) && !isMeantForFailures(mail) && comesBy(context, mail, own.name, handsAllOn),
				)
				.map(
					(mail) =>
						`${quoted(own)} leads to ${quoted(mail)} past ${quoted(step)} as well: each event would send one mail with its papers, and one without. Take that line out, or give it a mail of its own.`,
				),
		);
}

/** Steps that hand each item on as it is. */
const handsAllOn = (step: Step) => {
	const { type, disabled, parameters } = step;
	if (disabled) return !givesFiles(step);
	if (/\.merge$/.test(type)) return (parameters?.mode ?? 'append') === 'append';
	return (
		/\.set$/.test(type) ||
		(KEEPING.test(type) && !ASKING.test(type) && !isLoop(step) && !/\.wait$/.test(type))
	);
};
