import type { IExecuteFunctions, NodeTypeAndVersion } from 'n8n-workflow';
import { attaching } from './attaching';
import { givesFiles, quoted } from './stepKinds';

/**
 * Steps behind that would get the files and are switched off, where a mail attaches them, in words: n8n hands the items
 * on, and its mail leaves without them, green.
 */
export function switchedOff(context: Pick<IExecuteFunctions, 'getNode' | 'getChildNodes'>): string[] {
	const childrenOf = (name: string) => context.getChildNodes(name, { includeNodeParameters: true });
	const giving = childrenOf(context.getNode().name).filter(givesFiles);
	return giving
		.filter(({ disabled }) => disabled)
		.flatMap((off) => {
			const behind = childrenOf(off.name);
			const isGivenBy = ({ name, disabled }: NodeTypeAndVersion, mail: NodeTypeAndVersion) =>
				!disabled && childrenOf(name).some((step) => step.name === mail.name);
			return attaching(behind)
				.filter((mail) => !giving.some((other) => isGivenBy(other, mail)))
				.map(
					(mail) =>
						`${quoted(off)} is switched off, and ${quoted(mail)} attaches its files: its mails would leave without papers. Switch ${quoted(off)} on, or switch ${quoted(mail)} off as well.`,
				);
		});
}
