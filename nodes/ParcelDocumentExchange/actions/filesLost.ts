import type { IDataObject, IExecuteFunctions, NodeTypeAndVersion } from 'n8n-workflow';
import { isObject } from '../parameters/shape';

/** Steps of n8n that hand an item on without its files, each with when it does and what keeps them. */
const DROPPING: ReadonlyArray<[RegExp, (step: NodeTypeAndVersion) => boolean, string]> = [
	[
		/\.set$/,
		({ typeVersion, parameters }) =>
			typeVersion >= 3.4
				? parameters?.includeOtherFields !== true || optionsOf(parameters).stripBinary === true
				: optionsOf(parameters).includeBinary !== true,
		'Switch Include Other Input Fields on there',
	],
	[
		/\.aggregate$/,
		({ parameters }) => optionsOf(parameters).includeBinaries !== true,
		'Switch Include Binaries on there',
	],
	[
		/\.splitOut$/,
		({ parameters }) => optionsOf(parameters).includeBinary !== true,
		'Switch Include Binary on there',
	],
	[/\.merge$/, ({ parameters }) => parameters?.mode === 'combineBySql', 'Use another mode there'],
	[/\.summarize$/, () => true, 'Move it to another branch'],
	[
		/\.parcelDocumentExchange$/,
		() => true,
		'It gives those of its own alone: lead a line to each of the two',
	],
	[
		/\.(emailSend|gmail|microsoftOutlook|slack|telegram|microsoftTeams|googleSheets|microsoftExcel|googleDrive|microsoftOneDrive|microsoftSharePoint|awsS3|s3|dropbox|nextCloud|airtable|notion|httpRequest|postgres|mySql|dataTable)$/,
		({ parameters }) =>
			!/"operation":"(download|get)|"responseFormat":"file"/.test(JSON.stringify(parameters ?? {})),
		'Lead a line of its own from this step to the mail',
	],
];

/** A field of attachments that is filled in, as the mail steps of n8n have it. */
const ATTACHES = /"\w*[aA]ttachments\w*":(?!""|\{\}|\[\]|null|false)/;

/** Of the steps between a node that gives files and a mail that attaches them, those that let the files go, in words. */
export function filesLost(
	context: Pick<IExecuteFunctions, 'getNode' | 'getChildNodes' | 'getParentNodes'>,
): string[] {
	const behind = context.getChildNodes(context.getNode().name, { includeNodeParameters: true });
	const dropping = behind.flatMap((step) => {
		const [, , remedy] =
			DROPPING.find(([type, drops]) => type.test(step.type) && !step.disabled && drops(step)) ?? [];
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

function optionsOf(parameters: NodeTypeAndVersion['parameters']): IDataObject {
	return isObject(parameters?.options) ? (parameters.options as IDataObject) : {};
}
