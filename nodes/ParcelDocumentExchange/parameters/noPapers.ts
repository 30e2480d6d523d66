import type { IExecuteFunctions, NodeTypeAndVersion } from 'n8n-workflow';
import { attaching, isMail } from './attaching';
import { KEEPING, OURS, givesFiles, quoted } from './stepKinds';

/** Steps of which no item has a file, whatever came to them. */
const NONE =
	/\.(manualTrigger|scheduleTrigger|cron|interval|errorTrigger|rabbitmqTrigger|summarize|googleSheets|dataTable|postgres|mySql|emailSend)$/;

/** Steps that give files only where some came to them. */
const HANDING_ON = /\.(set|merge|aggregate|splitOut|dateTime)$/;

/**
 * Mails that attach files where no step in front of them gets any, in words: the one that did was taken out, stands behind
 * the mail or beside it, or lists the documents alone. n8n sends them without, green.
 */
export function noPapers(
	context: Pick<IExecuteFunctions, 'getNode' | 'getChildNodes' | 'getParentNodes'>,
): string[] {
	const parentsOf = (name: string) => context.getParentNodes(name, { depth: 1, includeNodeParameters: true });
	const mayHaveFiles = (step: NodeTypeAndVersion, seen: ReadonlySet<string>): boolean => {
		const { name, type, disabled } = step;
		if (seen.has(name)) return false;
		// Of one that is switched off, its own words are told.
		if (givesFiles(step)) return true;
		const comesOn = () => parentsOf(name).some((one) => mayHaveFiles(one, new Set([...seen, name])));
		if (disabled || KEEPING.test(type) || HANDING_ON.test(type)) return comesOn();
		return !OURS.test(type) && !NONE.test(type);
	};
	const own = context.getNode().name;
	const inFront = context.getParentNodes(own, { includeNodeParameters: true });
	const names = [own, ...inFront.map(({ name }) => name)];
	const around = new Map(
		[
			...inFront,
			...names.flatMap((name) => context.getChildNodes(name, { includeNodeParameters: true })),
		].map((step) => [step.name, step]),
	);
	return attaching([...around.values()])
		.filter(isMail)
		.filter(({ name }) => !parentsOf(name).some((step) => mayHaveFiles(step, new Set([name]))))
		.map(
			(mail) =>
				`${quoted(mail)} attaches files, and no step in front of it gets any: its mails would leave without papers. Put Document, Get All PDFs in front of it, or take the attachments out.`,
		);
}
