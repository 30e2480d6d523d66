import type { IExecuteFunctions } from 'n8n-workflow';
import { attaching } from './attaching';
import { getsOthers } from './noPapers';
import { givesFiles, quoted } from './stepKinds';

/**
 * Steps behind that would get the files and are switched off, where a mail attaches them, in words: n8n hands the items
 * on, and its mail leaves without them, green.
 */
export function switchedOff(
	context: Pick<IExecuteFunctions, 'getNode' | 'getChildNodes' | 'getParentNodes'>,
): string[] {
	const childrenOf = (name: string) => context.getChildNodes(name, { includeNodeParameters: true });
	const giving = childrenOf(context.getNode().name).filter(givesFiles);
	return giving
		.filter(({ disabled }) => disabled)
		.flatMap((off) =>
			attaching(childrenOf(off.name))
				.filter((mail) => !getsOthers(context, mail))
				.map(
					(mail) =>
						`The step ${quoted(off)} is switched off, and ${quoted(mail)} attaches its files: its mails would leave without papers. Switch ${quoted(off)} on, or switch ${quoted(mail)} off as well.`,
				),
		);
}
