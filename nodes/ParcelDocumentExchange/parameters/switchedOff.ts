import { attaching } from './attaching';
import { getsOthers } from './noPapers';
import { givesFiles, quoted } from './stepKinds';
import { behindOf, type Around } from './ways';

/**
 * Steps behind that would get the files and are switched off, where a mail attaches them, in words: n8n hands the items
 * on, and its mail leaves without them, green.
 */
export const switchedOff = (context: Around): string[] =>
	behindOf(context)
		.filter((step) => givesFiles(step) && step.disabled)
		.flatMap((off) =>
			attaching(behindOf(context, off.name))
				.filter((mail) => !getsOthers(context, mail))
				.map(
					(mail) =>
						`The step ${quoted(off)} is switched off, and ${quoted(mail)} attaches its files: its mails would leave without papers. Switch ${quoted(off)} on, or switch ${quoted(mail)} off as well.`,
				),
		);
