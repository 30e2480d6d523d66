import { isObject, textsIn } from './values';
import { builtOf, KEEPING, type Step, type Steps } from './stepKinds';
import { behindOf, leadsTo, type Around } from './ways';

/** A field that names the files that are attached; not one for those of a mail that is read. */
const ATTACHMENTS = /^(?!download|dataProperty).*attachments/i;

/** Chats, of which the attachments are words. */
const OF_WORDS = /\.(slack|mattermost|rocketchat|discord|twist|ciscoWebex)$/;

/** Of the steps, those that are on and attach files: mails. */
export const attaching = (steps: Steps): Step[] =>
	steps.filter(
		({ type, parameters, disabled }) =>
			!disabled && !OF_WORDS.test(type) && attachmentsOf(parameters).length > 0,
	);

/** What stands in a step's fields of attachments: where one was emptied, nothing, or the sign of an expression. */
export function attachmentsOf(parameters: unknown): string[] {
	if (!isObject(parameters) && !Array.isArray(parameters)) return [];
	return Object.entries(parameters).flatMap(([name, value]) =>
		ATTACHMENTS.test(name) ? textsIn(value).filter((text) => !/^=?\s*$/.test(text)) : attachmentsOf(value),
	);
}

/** Mails that can carry files, when they send, or are drafted. */
const MAILS = /\.(emailSend|gmail|microsoftOutlook|mailgun|sendGrid)$/;
const SENDS = /^(undefined|send|reply)$/;

export const isMail = ({ type, parameters }: Step): boolean =>
	MAILS.test(type) &&
	(parameters?.resource === 'draft'
		? parameters.operation === 'create'
		: SENDS.test(String(parameters?.operation)));

/** Steps that put files where they stay. */
const DRIVES =
	/\.(googleDrive|googleCloudStorage|microsoftOneDrive|microsoftSharePoint|awsS3|s3|dropbox|nextCloud|box|ftp|ssh|azureStorage|readWriteFile|writeBinaryFile)$/;

/** What they do with files that are there. */
const READS =
	/^(download|get|getAll|list|search|delete|deleteFile|read|move|copy|rename|share|createFromText)$/;

/** Of the steps, those that are on and put files into a folder. */
export const filing = (steps: Steps): Step[] =>
	steps.filter(
		({ type, disabled, parameters }) =>
			DRIVES.test(type) && !disabled && !READS.test(String(parameters?.operation)) && putsFiles(parameters),
	);

/** Of what a drive keeps: not folders, links or rows; nor a file of what was typed. */
const OF_FILES = /^(undefined|file|object|blob)$/;

const putsFiles = (parameters: Step['parameters'] = {}) =>
	OF_FILES.test(String(parameters.resource)) &&
	parameters.binaryData !== false &&
	parameters.binaryDataUpload !== false &&
	parameters.createFromBinary !== false;

/** Steps that send files to people, though no mail: each with what stands in it when it does. */
const MESSAGES: ReadonlyArray<[RegExp, RegExp]> = [
	[/\.telegram$/, /"binaryData":true/],
	[/\.slack$/, /"resource":"file"/],
	[/\.discord$/, /"files":\{/],
	[/\.whatsApp$/, /"useMedian8n"/],
	[/\.matrix$/, /"resource":"media"/],
	[/\.ciscoWebex$/, /"fileLocation":"binaryData"/],
	[/\.microsoftOutlook$/, /"resource":"messageAttachment","operation":"add"/],
	[/\.httpRequest$/, /"(contentType":"binaryData|parameterType":"formBinaryData)"/],
];

/** Of the steps, those that are on and send files by a chat, or to another service. */
export const messaging = (steps: Steps): Step[] =>
	steps.filter(({ type, parameters, disabled }) => {
		const how = builtOf({ parameters });
		return !disabled && MESSAGES.some(([name, sends]) => name.test(type) && sends.test(how));
	});

/** Of the steps, those that are on and hand files to people, or put them where they stay. */
export const sending = (steps: Steps): Step[] => [...attaching(steps), ...filing(steps), ...messaging(steps)];

/** The steps behind the node by which files are sent or filed, and those that lead to them. */
export function sendingBehind(context: Pick<Around, 'getNode' | 'getChildNodes' | 'getParentNodes'>): Step[] {
	const behind = behindOf(context).filter(({ disabled }) => !disabled);
	const lasts = sending(behind);
	return behind.filter(({ name }) =>
		lasts.some((last) => last.name === name || leadsTo(context, name, last.name)),
	);
}

/** What tells that the papers were fetched to be looked at: no step has it that did not download them. */
const LOOKED_AT = /\.(sha256|bytes|complete)\b/;

/** Whether a step may take files, when it is on. */
function mayTakeFiles(step: Step): boolean {
	if (attaching([{ ...step, disabled: false }]).length > 0) return true;
	if (LOOKED_AT.test(builtOf(step))) return true;
	if (/\.respondToWebhook$/.test(step.type)) return step.parameters?.respondWith === 'binary';
	return !isMail(step) && !KEEPING.test(step.type) && !/\.set$/.test(step.type);
}

/**
 * Of the steps behind one that gives files, the mails, where they attach nothing and nothing else takes the files either. A
 * mail of words beside a drive, or beside a mail that attaches, is meant.
 */
export function attachingNone(steps: Steps): Step[] {
	const on = steps.filter(({ disabled }) => !disabled);
	return on.some(mayTakeFiles) ? [] : on.filter(isMail);
}
