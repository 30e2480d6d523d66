import type { IExecuteFunctions, NodeTypeAndVersion } from 'n8n-workflow';
import { attaching, attachingNone, attachmentsOf, filing, isMail, messaging } from './attaching';
import { comesOnlyFrom } from './othersPapers';
import { ACTION, KEEPING, givesFiles, quoted } from './stepKinds';

type Behind = Pick<IExecuteFunctions, 'getNode' | 'getChildNodes' | 'getParentNodes'>;

/** As n8n writes the field when it is dragged. */
const LIST = /^=\s*\{\{\s*\$json\.attachments\s*\}\}\s*$/;

/** Mails behind that leave without the papers that come to them, by what stands in their attachments: in words. */
export function unattached(context: Behind): string[] {
	const childrenOf = (name: string) => context.getChildNodes(name, { includeNodeParameters: true });
	const giving = childrenOf(context.getNode().name).filter((step) => givesFiles(step) && !step.disabled);
	return giving.flatMap((step) => {
		const steps = childrenOf(step.name).filter(({ name }) => name !== step.name);
		return [...attachingNothing(step, steps), ...withoutList(context, step, steps)];
	});
}

function attachingNothing(step: NodeTypeAndVersion, steps: readonly NodeTypeAndVersion[]): string[] {
	// Beside what is switched off for a while, a mail of words is meant.
	const on = steps.filter(({ disabled }) => disabled).map((one) => ({ ...one, disabled: false }));
	if ([attaching, filing, messaging].some((taking) => taking(on).length > 0)) return [];
	const what = isList(step) ? 'drag the field attachments' : `write ${fieldOf(step)}`;
	return attachingNone(steps).map(
		(mail) =>
			`${quoted(mail)} attaches nothing, and no step behind ${quoted(step)} takes the files: its mails would leave without papers. Under its options, ${what} into the attachments. For a mail of words alone, use Set, Get or Document, Get Many in place of ${quoted(step)}.`,
	);
}

/** Those that attach the list of a set's papers, where each PDF is an item of its own and there is no list. */
function withoutList(
	context: Behind,
	step: NodeTypeAndVersion,
	steps: readonly NodeTypeAndVersion[],
): string[] {
	if (isList(step) || typeof step.parameters?.onePerSet === 'string') return [];
	const remedy =
		step.parameters?.operation === 'getAllPdfs'
			? `Switch All PDFs of a Set in One Item on in ${quoted(step)}`
			: `Write ${fieldOf(step)} there`;
	return attaching(steps)
		.filter((mail) => isMail(mail) && attachmentsOf(mail.parameters).every((text) => LIST.test(text)))
		.filter((mail) => comesOnlyFrom(context, mail.name, step.name, handsOnAsItIs))
		.map(
			(mail) =>
				`${quoted(mail)} attaches the field attachments, which the items of ${quoted(step)} do not have: its mails would leave without papers. ${remedy}.`,
		);
}

/** The name of the field stays. */
const handsOnAsItIs = ({ type }: NodeTypeAndVersion) => KEEPING.test(type) && !/\.renameKeys$/.test(type);

const isList = ({ type, parameters }: NodeTypeAndVersion) =>
	ACTION.test(type) && parameters?.onePerSet === true;

const fieldOf = ({ parameters }: NodeTypeAndVersion) => String(parameters?.binaryPropertyName ?? 'data');
